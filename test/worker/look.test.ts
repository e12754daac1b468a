/** The operator's look through the built Worker: what a change does to pages that are open, and to those that are loaded next. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageLook } from "../../src/core/page-data";
import type { Status } from "../../src/core/status";
import { send } from "../support/http";
import { Visitor } from "../support/jar";
import { startWorker, type TestWorker } from "../support/worker";

const ROOM = { total_active_users: 1, new_users_per_minute: 6_000, suspended: false, queue_all: true, poll_near_seconds: 1 };
const rooms = { shop: { ...ROOM, host: "shop.test" }, plain: { ...ROOM, host: "plain.test" } };
const api = "/__vestibule/rooms/shop";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker({ rooms });
}, 60_000);
afterAll(() => worker?.stop());

function admin(method: string, path: string, body?: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return send(new URL(`/__vestibule/admin/api${path}`, worker.url), {
    method,
    headers: { Host: "shop.test", Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body }),
  });
}

const visitorOf = (room: keyof typeof rooms) =>
  new Visitor(`http://${rooms[room].host}/`, {
    transport: (url, init) =>
      send(new URL(url.pathname + url.search, worker.url), { ...init, headers: { Host: url.host, ...init.headers } }),
  });

describe("a change of the look", () => {
  test("[LOOK-2] is named in the next status, told by its own address in the language asked for, and in the next page", async () => {
    const visitor = visitorOf("shop");
    const page = await (await visitor.navigate("/")).text();
    expect(page).toContain('<style id="look" nonce="');
    const before = (await (await visitor.fetch(`${api}/status`)).json()) as Status;
    expect(before.look).toBeUndefined();
    const changed = await admin(
      "PATCH",
      "/rooms/shop",
      JSON.stringify({ title: "Own shop", accent_color: "#7A1F5C", words: { de: { wait_unknown: "Bald." } } }),
    );
    expect(changed.status).toBe(200);
    await expect
      .poll(async () => ((await (await visitor.fetch(`${api}/status`)).json()) as Status).look, { timeout: 10_000, interval: 1_100 })
      .toMatch(/^[0-9a-f]{8}$/);
    const look = (await (await visitor.fetch(`${api}/look?lang=de`)).json()) as PageLook;
    expect(look).toMatchObject({ title: "Own shop", position: "exact", words: { waitUnknown: "Bald." } });
    expect(look.sheet).toContain("--accent:#7a1f5c;");
    const next = await (await visitor.navigate("/")).text();
    expect(next).toContain("--accent:#7a1f5c;");
    expect(next).toContain('<p id="title">Own shop</p>');
    expect(next).toContain(`"look":"${look.look}"`);
    // Of a room that is left as it is.
    expect((await (await visitorOf("plain").fetch("/__vestibule/rooms/plain/look")).json()) as PageLook).toMatchObject({
      title: "plain.test",
      sheet: "",
    });
    expect((await visitor.fetch("/__vestibule/rooms/plain/look")).status).toBe(404);
  });
});
