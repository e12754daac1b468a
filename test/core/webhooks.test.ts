/** Webhooks: where they may go, how they are signed, and what becomes of one try, against real receivers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { postLetter } from "../../durable/webhook-post";
import { bodyOf, RETRIES_MS, retryAfterMs } from "../../src/core/news";
import { parseRoom } from "../../src/core/settings";
import { readWebhookUrls } from "../../src/core/webhook-schema";
import { targetProblem } from "../../src/core/webhook-target";
import { webhookSecret } from "../support/webhook";

const ROOM = { host: "shop.test", total_active_users: 5, new_users_per_minute: 60 };
const KEYS = ["k2", "k1", "k0"].map((_, i) =>
  Buffer.from(Array.from({ length: 32 }, (_b, j) => (i * 91 + j * 37) & 0xff)).toString("base64url"),
);
const RING = `k2:${KEYS[0]},k1:${KEYS[1]},k0:${KEYS[2]}:revoked`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function receiver(handle: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    handle(request, response, Buffer.concat(chunks).toString());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const letterTo = (url: string, secretVersion = 1) => ({
  id: "msg_shop_1_1",
  room: "shop",
  webhook: "ops",
  secretVersion,
  url,
  body: bodyOf("shop", { type: "test", text: "hello", data: {} }, 0),
});
const nowS = () => Math.floor(Date.now() / 1_000);

describe("a webhook's address", () => {
  test.each([
    "https://hooks.slack.com/services/T0/B0/xyz",
    "https://hooks.example.com:8443/a?b=c",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
  ])("[TELL-4] %s may be called", (url) => expect(targetProblem(url, false)).toBeNull());

  test.each([
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://172.16.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://127.1/",
    "https://0x7f000001/",
    "https://2130706433/",
    "https://[::]/",
    "https://[::1]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://localhost/",
    "https://shop.localhost./",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://hooks.example.com/#x",
    "https://hooks.example.com/\n",
    "javascript:alert(1)",
    "",
  ])("[TELL-4] W7 %j may not", (url) => expect(targetProblem(url, false)).not.toBeNull());

  test("[TELL-4] of this computer may be called only where that is allowed, and nothing else is allowed by it", () => {
    for (const url of ["http://127.0.0.1:9/", "http://localhost:9/", "https://[::1]/"]) {
      expect([targetProblem(url, true), targetProblem(url, false) === null]).toEqual([null, false]);
    }
    for (const url of ["http://10.0.0.1/", "https://127.0.0.2/", "http://hooks.example.com/"])
      expect(targetProblem(url, true)).not.toBeNull();
  });

  test("[TELL-1] is a setting, refused by name where it may not be; names are unique, topics are known", () => {
    const parsed = parseRoom("shop", {
      ...ROOM,
      webhooks: [
        { name: "ops", url: "https://hooks.example.com/" },
        { name: "slack", tell: ["brake"] },
      ],
    });
    expect(parsed.ok && parsed.settings.webhooks).toMatchObject([
      { tell: expect.arrayContaining(["queueing", "limits"]) },
      { url: "", tell: ["brake"] },
    ]);
    const problemOf = (webhooks: unknown) => {
      const refused = parseRoom("shop", { ...ROOM, webhooks });
      return refused.ok ? null : refused.problems[0];
    };
    expect(problemOf([{ name: "ops", url: "https://10.0.0.1/" }])).toMatchObject({
      setting: "webhooks",
      problem: expect.stringContaining("public host"),
    });
    expect(problemOf([{ name: "ops" }, { name: "ops" }])).toMatchObject({ problem: expect.stringContaining("each name once") });
    expect(problemOf([{ name: "ops", tell: ["weather"] }])).toMatchObject({ problem: expect.stringContaining('"queueing"') });
    expect(readWebhookUrls("slack=https://hooks.slack.com/a=b\n ops=https://x.example.com/ junk")).toEqual(
      new Map([
        ["slack", "https://hooks.slack.com/a=b"],
        ["ops", "https://x.example.com/"],
      ]),
    );
  });
});

describe("one try", () => {
  test("[TELL-2] is signed by every key that is not revoked, as the standard's own library checks it, and Slack finds its text", async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const url = await receiver((request, response, body) => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
    expect(await postLetter(letterTo(url), nowS(), { keys: RING, local: true })).toEqual({ as: "delivered", status: 200 });
    const [{ headers, body } = { headers: {}, body: "" }] = got;
    const as = (key: string | undefined, of = "shop/ops", version = 1) => new Webhook(webhookSecret(key ?? "", of, version));
    for (const key of KEYS.slice(0, 2)) expect(as(key).verify(body, headers)).toMatchObject({ type: "test", text: "hello" });
    expect(() => as(KEYS[2]).verify(body, headers)).toThrow();
    expect(() => as(KEYS[0]).verify(`${body} `, headers)).toThrow();
    expect(headers["webhook-id"]).toBe("msg_shop_1_1");
    // Another receiver's secret, and one of another room, show nothing.
    for (const of of ["shop/other", "shop2/ops"]) expect(() => as(KEYS[0], of).verify(body, headers)).toThrow();
  });

  test("[TELL-2] with another secret_version the new secret and the one before sign, and no older one", async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const url = await receiver((request, response, body) => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
    await postLetter(letterTo(url, 3), nowS(), { keys: RING, local: true });
    const [{ headers, body } = { headers: {}, body: "" }] = got;
    const verify = (version: number) => () => new Webhook(webhookSecret(KEYS[0] ?? "", "shop/ops", version)).verify(body, headers);
    for (const version of [3, 2]) expect(verify(version)()).toMatchObject({ type: "test" });
    for (const version of [1, 4]) expect(verify(version)).toThrow();
  });

  test("[TELL-4] a redirect is not followed, wherever it leads; errors, silence and a closed port are told apart", async () => {
    const hits: string[] = [];
    const inner = await receiver((_, response) => {
      hits.push("inner");
      response.end();
    });
    const leads = await receiver((_, response) => response.writeHead(307, { Location: inner }).end());
    const fails = await receiver((_, response) => response.writeHead(500).end("x".repeat(100_000)));
    const hangs = await receiver(() => undefined);
    const endless = await receiver((_, response) => {
      response.writeHead(200);
      response.write("x");
    });
    const to = (url: string, withinMs = 5_000) => postLetter(letterTo(url), nowS(), { keys: RING, local: true, withinMs });
    expect(await to(leads)).toEqual({ as: "refused", status: 307 });
    expect(await to(fails)).toEqual({ as: "refused", status: 500 });
    expect(await to(endless)).toEqual({ as: "delivered", status: 200 });
    expect(await to(hangs, 50)).toEqual({ as: "silent" });
    servers.pop()?.closeAllConnections();
    expect(await to("http://127.0.0.1:9/")).toEqual({ as: "unreachable" });
    expect(await postLetter(letterTo(inner), nowS(), { keys: RING, local: false })).toEqual({ as: "forbidden" });
    expect(hits).toEqual([]);
  });

  test("[TELL-3] the next one comes after 5 s, 30 s, 2, 10 and 30 minutes, 2 hours; then it is given up", () => {
    expect(Array.from({ length: 8 }, (_, i) => retryAfterMs(i + 1))).toEqual([
      5_000,
      30_000,
      120_000,
      600_000,
      1_800_000,
      7_200_000,
      null,
      null,
    ]);
    expect(RETRIES_MS).toHaveLength(6);
  });
});
