/** The operator's look through the built Worker: what a change does to pages that are open, and to those that are loaded next. */
import { describe, expect, test } from "vitest";
import type { PageLook } from "../../src/core/page-data";
import type { Status } from "../../src/core/status";
import { KINDS } from "../../src/core/words";
import { importKeyRing, sealPreview } from "../../src/keys";
import { send } from "../support/http";
import { NAVIGATION, Visitor } from "../support/jar";
import { shared } from "../support/second-try";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const ROOM = { total_active_users: 1, new_users_per_minute: 6_000, suspended: false, queue_all: true, poll_near_seconds: 1 };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const SALE = { name: "sale", event_start_time: inMinutes(-5), event_end_time: inMinutes(60), message: "Only today" };
const rooms = {
  shop: { ...ROOM, host: "shop.test" },
  plain: { ...ROOM, host: "plain.test" },
  sale: { ...ROOM, host: "sale.test", message: "Every day", events: [SALE] },
};
const api = "/__vestibule/rooms/shop";

let worker: TestWorker;
shared(
  async () => {
    worker = await startWorker({ rooms });
  },
  () => worker?.stop(),
  60_000,
);

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
      .poll(async () => ((await (await visitor.fetch(`${api}/status`)).json()) as Status).look, { interval: 1_100 })
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

const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (letter) => letter.charCodeAt(0),
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><script>alert(1)</script></svg>';

describe("the logo", () => {
  const put = (file: Uint8Array | string) =>
    admin("PUT", "/rooms/shop/logo", file, { "Content-Type": "image/anything", "Vestibule-Reason": "a test" });

  test("[LOOK-3] is served by us under a name of its own, for ever, and runs nothing even by itself; the page has its place", async () => {
    const visitor = visitorOf("shop");
    const done = (await (await put(SVG)).json()) as { settings: { logo: string } };
    const { logo } = done.settings;
    expect(logo).toMatch(/^logo-120x40\.[0-9a-f]{24}\.svg$/);
    const page = await (await visitor.navigate("/")).text();
    expect(page).toContain(`<img src="${api}/files/${logo}" alt="" width="192" height="64">`);
    const file = await visitor.fetch(`${api}/files/${logo}`);
    expect([file.status, await file.text()]).toEqual([200, SVG]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'.*; sandbox;/),
    });
    expect(file.headers.get("Set-Cookie")).toBeNull();
    expect((await visitor.fetch(`${api}/files/${logo.replace("120", "121")}`)).status).toBe(404);
    const head = await visitor.fetch(`${api}/files/${logo}`, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("Content-Type")]).toEqual([200, "", "image/svg+xml"]);
    const part = await visitor.fetch(`${api}/files/${logo}`, { headers: { Range: "bytes=0-3" } });
    expect([part.status, await part.text()]).toEqual([200, SVG]);
    // Another room has it neither under its own name nor for this one.
    for (const room of ["plain", "shop"])
      expect((await visitorOf("plain").fetch(`/__vestibule/rooms/${room}/files/${logo}`)).status).toBe(404);
    expect(((await (await visitor.fetch(`${api}/look`)).json()) as PageLook).logo).toMatchObject({ width: 192, height: 64 });
    expect((await admin("DELETE", "/rooms/shop/logo")).status).toBe(200);
    expect(await (await visitor.navigate("/")).text()).not.toContain("<img");
    // Pages that are still open have it.
    expect((await visitor.fetch(`${api}/files/${logo}`)).status).toBe(200);
  });

  test("[LOOK-3] 100 KB are taken and one byte more is not; what is no image is refused, whatever it calls itself", async () => {
    const padded = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => PNG[i] ?? 0);
    expect((await put(padded(102_400))).status).toBe(200);
    const large = await put(padded(102_401));
    expect([large.status, await large.json()]).toMatchObject([413, { detail: "The file is larger than 102400 bytes." }]);
    const html = await admin("PUT", "/rooms/shop/logo", "<html><script>alert(1)</script>", { "Content-Type": "image/png" });
    expect([html.status, await html.json()]).toMatchObject([
      422,
      { problems: [{ setting: "logo", problem: expect.stringContaining("PNG, JPEG, WebP or SVG") }] },
    ]);
    const wide = await put(PNG.map((byte, i) => (i === 18 ? 5_000 >> 8 : i === 19 ? 5_000 & 255 : byte)));
    expect([wide.status, await wide.json()]).toMatchObject([422, { detail: "logo is 5000 × 1 pixels, but may have 1 to 4096 on a side." }]);
    expect((await admin("DELETE", "/rooms/shop/logo")).status).toBe(200);
  });

  test("[LOOK-3] a name in the settings that nobody uploaded is refused; one that was uploaded before holds again", async () => {
    const name = ((await (await put(PNG)).json()) as { settings: { logo: string } }).settings.logo;
    expect(name).toMatch(/^logo-1x1\..*\.png$/);
    await admin("DELETE", "/rooms/shop/logo");
    const strange = await admin(
      "PATCH",
      "/rooms/shop",
      JSON.stringify({ logo: name.replace(/\.[0-9a-f]/, name[10] === "0" ? ".1" : ".0") }),
    );
    expect([strange.status, await strange.json()]).toMatchObject([422, { detail: expect.stringContaining("upload it again") }]);
    expect((await admin("PATCH", "/rooms/shop", JSON.stringify({ logo: name, logo_alt: "Own shop" }))).status).toBe(200);
    expect(await (await visitorOf("shop").navigate("/")).text()).toContain(`alt="Own shop" width="1" height="1"><p id="title" hidden>`);
    await admin("DELETE", "/rooms/shop/logo");
  });
});

const TEMPLATE = `<!doctype html><html lang="{{language}}"><title>{{title}}</title><h1>Our own page</h1>
<p id="wait">{{#waitTimeKnown}}{{waitTimeFormatted}}{{/waitTimeKnown}}{{^waitTimeKnown}}nobody knows{{/waitTimeKnown}}</p>
<script>var minutes = {{waitTime}};</script>`;

describe("a page of one's own", () => {
  const put = (text: string) => admin("PUT", "/rooms/shop/template", text, { "Content-Type": "text/html" });

  test("[OWN-1][OWN-5] is what people in line get: it reloads itself, and its policy lets nothing but its own code run", async () => {
    const visitor = visitorOf("shop");
    const done = await put(TEMPLATE);
    expect([done.status, await done.json()]).toMatchObject([
      200,
      { changed: true, settings: { template: expect.stringMatching(/^template\./) } },
    ]);
    const reply = await visitor.navigate("/tickets?day=2");
    const page = await reply.text();
    expect(page).toContain("<h1>Our own page</h1>");
    expect(page).toContain('<p id="wait">nobody knows</p>');
    expect(page).toContain("var minutes = 0;");
    expect(reply.headers.get("Refresh")).toMatch(/^\d+;url=\/tickets\?day=2$/);
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
    const policy = reply.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self' 'unsafe-inline'; ");
    expect(policy).toContain("connect-src 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(((await (await visitor.fetch(`${api}/look`)).json()) as PageLook).own).toBe(true);
    // As it was sent, to those who may look.
    expect(await (await admin("GET", "/rooms/shop/template")).text()).toBe(TEMPLATE);
    // Where there is something to do, and for forms, the page is ours.
    expect(
      await (
        await visitor.fetch(`${api}/leave`, {
          method: "POST",
          headers: {
            "Sec-Fetch-Site": "same-origin",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
            "Content-Type": "application/x-www-form-urlencoded",
          },
          body: "to=/",
        })
      ).text(),
    ).toContain('<h1 id="heading"');
  });

  test("[OWN-5] a change holds for the next load; scripts of elsewhere are named, and allowed where the room names them", async () => {
    const changed = await put(`${TEMPLATE}<script src="https://cdn.test/a.js"></script>`);
    expect(((await changed.json()) as { warnings: unknown[] }).warnings).toEqual([
      { setting: "template", warning: "asks for scripts of https://cdn.test, which template_origins does not name: they do not run" },
    ]);
    await admin("PATCH", "/rooms/shop", JSON.stringify({ template_origins: ["https://cdn.test"] }));
    const reply = await visitorOf("shop").navigate("/");
    expect(await reply.text()).toContain("https://cdn.test/a.js");
    expect(reply.headers.get("Content-Security-Policy")).toContain("script-src 'self' 'unsafe-inline' https://cdn.test; ");
  });

  test("[OWN-2] what cannot be rendered is refused with the list, at 1 MiB and a byte more, and the one before holds", async () => {
    expect((await put(TEMPLATE)).status).toBe(200);
    const bad = await put("{{waitTimes}} {{price}}");
    expect([bad.status, await bad.json()]).toMatchObject([
      422,
      {
        problems: [
          { setting: "template", problem: "has {{waitTimes}}, which is no variable; the nearest is waitTime" },
          { setting: "template", problem: "has {{price}}, which is no variable" },
        ],
      },
    ]);
    expect((await put("x".repeat(1_048_577))).status).toBe(413);
    expect(await (await visitorOf("shop").navigate("/")).text()).toContain("<h1>Our own page</h1>");
    const whole = `${TEMPLATE}<!--${"x".repeat(1_048_576 - TEMPLATE.length - 7)}-->`;
    expect((await put(whole)).status).toBe(200);
    expect((await (await visitorOf("shop").navigate("/")).text()).length).toBeGreaterThan(1_040_000);
  });

  test("[OWN-4] one that the Room has lost is replaced by our page, and a room without one has ours", async () => {
    await admin("PATCH", "/rooms/shop", JSON.stringify({ template: "" }));
    const name = ((await (await put("<p>lost</p>")).json()) as { settings: { template: string } }).settings.template;
    await worker.sql("shop", "DELETE FROM files WHERE name = ?", name);
    expect(await (await visitorOf("shop").navigate("/")).text()).toContain('<h1 id="heading"');
    expect((await admin("DELETE", "/rooms/shop/template")).status).toBe(200);
    expect((await admin("GET", "/rooms/shop/template")).status).toBe(404);
  });
});

describe("a preview", () => {
  const link = async (method: "GET" | "POST", body?: unknown, room: keyof typeof rooms = "plain") => {
    const reply = await admin(method, `/rooms/${room}/preview`, body === undefined ? undefined : JSON.stringify(body), {
      Host: rooms[room].host,
    });
    return { status: reply.status, json: (await reply.json()) as { url: string; expires: string; detail: string } };
  };
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const open = (path: string) => visitorOf("plain").fetch(path, { headers: NAVIGATION });

  test("[LOOK-4] shows every state in any language, with settings that nobody has saved, and does nothing by itself", async () => {
    const { json } = await link("POST", {
      title: "Not saved",
      accent_color: "#7a1f5c",
      words: { de: { "sold-out.heading": "Nichts mehr da" } },
    });
    expect(new URL(json.url).host).toBe("plain.test");
    expect(Date.parse(json.expires) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const path = pathOf(json.url);
    const index = await (await open(path)).text();
    expect(index.match(/state=/g)).toHaveLength(KINDS.length);
    const page = await open(`${path}&state=sold-out&lang=de`);
    const text = await page.text();
    expect(text).toContain("Nichts mehr da</h1>");
    expect(text).toContain("Not saved");
    expect(text).toContain("--accent:#7a1f5c;");
    expect(text).not.toMatch(/<script|http-equiv/);
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(page.headers.getSetCookie()).toEqual([]);
    // The room is as it was.
    expect(await (await visitorOf("plain").navigate("/")).text()).not.toContain("Not saved");
  });

  test("[LOOK-4] [EVENT-3] during an event it shows what visitors see then, and what is not saved in place of it", async () => {
    const messageIn = async (made: Awaited<ReturnType<typeof link>>) => {
      const page = await visitorOf("sale").fetch(`${pathOf(made.json.url)}&state=waiting`, { headers: NAVIGATION });
      return /Only today|Every day|Not saved/.exec(await page.text())?.[0];
    };
    expect(await (await visitorOf("sale").navigate("/")).text()).toContain("Only today");
    expect(await messageIn(await link("GET", undefined, "sale"))).toBe("Only today");
    expect(await messageIn(await link("POST", { message: "Not saved" }, "sale"))).toBe("Not saved");
  });

  test("[LOOK-4] a link that was changed, is of another room or over shows nothing; settings that are not valid get none", async () => {
    const path = pathOf((await link("GET")).json.url);
    expect((await open(path)).status).toBe(200);
    for (const wrong of [path.slice(0, -3), path.replace(/key=\w+\.../, (start) => `${start}x`), path.replace(/\?key=.*/, "")])
      expect([wrong, (await open(wrong)).status]).toEqual([wrong, 403]);
    expect((await visitorOf("shop").fetch(path.replace("/plain/", "/shop/"))).status).toBe(403);
    const refused = await link("POST", { accent_color: "#ffcc00", totle: "x" });
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringMatching(/totle is not a setting.*accent_color is #ffcc00/s)]);
    const ring = await importKeyRing(TEST_KEYS);
    const over = ring.ok ? await sealPreview(ring.ring, JSON.stringify({ room: "plain", exp: 1, shown: {} })) : "";
    expect((await open(path.replace(/key=.*/, `key=${over}`))).status).toBe(403);
  });
});
