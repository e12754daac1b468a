/** A real receiver of webhooks behind the built Worker: what arrives, when it hangs, and that the line does not notice. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { VisitorEvent } from "../../src/core/visitor-events";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { shared } from "../support/second-try";
import { webhookSecret } from "../support/webhook";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

let origin: Origin;
let worker: TestWorker;
let server: Server;
const got: { headers: Record<string, string>; body: string }[] = [];
/** What the receiver does with the next requests. */
let mode: "hangs" | "redirects" | "takes" = "takes";
const inner: string[] = [];
const events: VisitorEvent[] = [];

shared(
  async () => {
    for (const list of [got, inner, events]) list.length = 0;
    origin = await startOrigin();
    server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      if (request.headers.host === "events") {
        events.push(...(JSON.parse(body) as VisitorEvent[]));
        response.end();
        return;
      }
      if (request.url === "/inner") inner.push(body);
      else if (mode === "redirects") response.writeHead(307, { Location: "/inner" });
      else got.push({ headers: request.headers as Record<string, string>, body });
      if (mode !== "hangs") response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const shop = {
      host: "shop.test",
      total_active_users: 2,
      new_users_per_minute: 6_000,
      webhooks: [{ name: "ops", url, tell: ["settings"] }],
    };
    const outside = { ...shop, host: "outside.test", webhooks: [{ name: "ops", url: "https://ops.example.com/" }, { name: "none" }] };
    worker = await startWorker({
      origin: origin.url,
      rooms: { shop, outside },
      events: new URL(url).host,
      vars: { LOCAL_WEBHOOKS: "allow" },
    });
  },
  async () => {
    await worker.stop();
    await origin.stop();
    server.closeAllConnections();
    server.close();
  },
);

async function admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${worker.adminToken}`, ...(body && { "Content-Type": "application/json" }) };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await (await worker.fetch(`http://shop.test/__vestibule/admin/api/rooms/${path}`, init)).json()) as Record<string, unknown>;
}

test("[TELL-2] [TELL-4] [TELL-7] [TELL-8] a receiver that hangs costs nobody anything; one that redirects is not followed; one that is well gets all, signed", async () => {
  mode = "hangs";
  await admin("PATCH", "shop", { title: "Hello", reason: "to see" });
  await expect.poll(() => got.length).toBe(1);
  // The try is under way, and people go in.
  await expect
    .poll(async () =>
      (await (await new Visitor("http://shop.test", { transport: worker.fetch }).navigate("/")).text()).includes("origin GET"),
    )
    .toBe(true);
  mode = "redirects";
  expect(await admin("POST", "shop/webhooks/ops/test")).toMatchObject({ webhook: "ops", result: "refused", status: 307 });
  expect(inner).toEqual([]);
  mode = "takes";
  await expect.poll(async () => (await admin("GET", "shop/webhooks"))["webhooks"]).toMatchObject([{ delivered: 1, waiting: 0 }]);
  const [first, again] = got;
  expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  const secret = webhookSecret(TEST_KEYS.split(":")[1] ?? "", "shop/ops");
  expect(new Webhook(secret).verify(again?.body ?? "", again?.headers ?? {})).toMatchObject({
    type: "settings.changed",
    data: { room: "shop", changes: [{ by: expect.any(String), reason: "to see" }] },
    text: expect.stringContaining("settings changed (title)"),
  });
});

test("[FEED-1] [FEED-2] the queue gets who joined, went in and left, through the real bindings, and nobody's name", async () => {
  const visitor = new Visitor("http://shop.test", { transport: worker.fetch });
  await expect.poll(async () => (await (await visitor.navigate("/")).text()).includes("origin GET")).toBe(true);
  const own = { "Sec-Fetch-Site": "same-origin", Accept: "application/json" };
  await expect
    .poll(async () => {
      await (await visitor.navigate("/")).text();
      return visitor.cookieHeader().includes("vestibule-pass");
    })
    .toBe(true);
  await visitor.fetch("/__vestibule/rooms/shop/leave", { method: "POST", headers: own });
  await expect.poll(() => events.map(({ event }) => event)).toEqual(expect.arrayContaining(["joined", "entered", "left"]));
  const left = events.find(({ event }) => event === "left");
  expect(events.filter(({ slot }) => slot === left?.slot).map(({ event }) => event)).toEqual(["joined", "entered", "left"]);
  expect(JSON.stringify(events)).not.toMatch(/eyJ|127\.0\.0\.1/);
});

test("[METRIC-4] the log of all this shows no token, key, cookie or address", async () => {
  await admin("POST", "shop/stop-joins", { reason: "for the log" });
  await expect.poll(() => worker.logs.some(({ message }) => message.includes('"event":"act"'))).toBe(true);
  const text = worker.logs.map(({ message }) => message).join("\n");
  const secrets = [worker.adminToken, TEST_KEYS.split(":")[1] ?? "", "127.0.0.1", "eyJ", "whsec_", "v1,"];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("[TELL-1] what is told nothing is warned of: no address, in url or in the secret", async () => {
  const { warnings } = await admin("GET", "outside");
  expect(warnings).toEqual([{ setting: "webhooks.none", warning: expect.stringContaining("WEBHOOK_URLS") }]);
  expect(await admin("POST", "shop/webhooks/none/test")).toMatchObject({ code: "unknown-webhook" });
});
