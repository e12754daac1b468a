/** Forwarding in real workerd: what reaches a real origin, and what comes back, byte for byte. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mayCarryCookie } from "../../src/origin";
import { send } from "../support/http";
import { type Origin, startOrigin } from "../support/origin";
import { type ProxyRig, startProxies } from "../support/proxy-rig";
import { type RawReply, rawGet, rawRequest } from "../support/raw";
import { type RawOrigin, rawReply, startRawOrigin } from "../support/raw-origin";

type Name = "zone" | "rawZone" | "untouched" | "unproven" | "bypass" | "configured" | "rawConfigured" | "impatient" | "refused";
let site: Origin;
let raw: RawOrigin;
let rig: ProxyRig<Name>;
let elsewhere: Origin;

beforeAll(async () => {
  [site, raw, elsewhere] = await Promise.all([startOrigin(), startRawOrigin(), startOrigin()]);
  const gone = await startOrigin();
  await gone.stop();
  const how = { room: "demo", status: "admitted", session: "3.1342", idleEndsAtS: 1_764_400_600, endsAtS: 1_764_403_600 } as const;
  const [zone, rawZone] = [`127.0.0.1:${site.port}`, `127.0.0.1:${raw.port}`];
  rig = await startProxies<Name>({
    zone: { zone, how },
    rawZone: { zone: rawZone, how },
    untouched: { zone: rawZone, how: { room: null, status: "untouched" } },
    unproven: { zone: rawZone, how: { room: "demo", status: "unproven" } },
    bypass: { zone: rawZone, how: { room: "demo", status: "bypass", session: "3.1342" } },
    configured: { origin: site.url, how },
    rawConfigured: { origin: raw.url, how },
    impatient: { zone, how, headersTimeoutMs: 300 },
    refused: { origin: gone.url, how },
  });
});

afterAll(async () => {
  await rig?.stop();
  await Promise.all([site, raw, elsewhere].map((server) => server?.stop()));
});

beforeEach(() => {
  site.received.length = 0;
  raw.heads.length = 0;
  raw.answer = rawReply(["HTTP/1.1 200 OK", "Content-Type: text/css", "Content-Length: 2"], "ok");
});

const SHOP = "Host: shop.example";
/** All values of a header that the raw origin saw last, in order. */
function seen(name: string): string[] {
  const lines = (raw.heads.at(-1) ?? "").split("\r\n").slice(1);
  return lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`)).map((line) => line.slice(name.length + 1).trim());
}
/** What a socket says up to `end`; then the socket is closed. */
async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = "";
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString("latin1");
    if (text.includes(end)) break;
  }
  return text;
}
const got = (reply: RawReply, name: string) =>
  reply.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

describe("to the origin", () => {
  test("[PROXY-1] ordinary headers arrive as sent, repeated ones in order; hop-by-hop ones do not", async () => {
    await rawGet(rig.urls.rawZone, "/a", [
      SHOP,
      "Accept-Encoding: gzip, br;q=0.5, zstd",
      "Accept-Language: de-CH, de;q=0.9",
      "X-Multi: 1",
      "X-Multi: 2",
      "X-Latin: café",
      "Authorization: Bearer shop",
      'If-None-Match: W/"x"',
      "Range: bytes=0-1",
      "X-Hop: secret",
      "Keep-Alive: timeout=3",
      "TE: trailers",
      "Proxy-Authorization: Basic eDp5",
      "Proxy-Connection: keep-alive",
      "Connection: X-Hop, keep-alive",
    ]);
    expect(raw.heads[0]).toMatch(/^GET \/a HTTP\/1\.1\r\n/);
    expect(seen("Host")).toEqual(["shop.example"]);
    expect(seen("Accept-Encoding")).toEqual(["gzip, br;q=0.5, zstd"]);
    expect(seen("Accept-Language")).toEqual(["de-CH, de;q=0.9"]);
    expect(seen("X-Multi").join(", ")).toBe("1, 2");
    expect(seen("X-Latin")).toEqual(["cafÃ©"]);
    expect([seen("Authorization"), seen("If-None-Match"), seen("Range")]).toEqual([["Bearer shop"], ['W/"x"'], ["bytes=0-1"]]);
    for (const name of ["X-Hop", "Keep-Alive", "TE", "Proxy-Authorization", "Proxy-Connection"]) expect(seen(name), name).toEqual([]);
  });

  test("[PROXY-1] a client that accepts no encoding is not made to", async () => {
    await rawGet(rig.urls.rawZone, "/", [SHOP]);
    expect(seen("Accept-Encoding")).toEqual([]);
  });

  test("[PROXY-1] G11 C94 our cookies and headers stay with us, all others go through", async () => {
    const cookies = 'a=1; __Host-vestibule.demo=t; vestibule-pass.other=p; b="2"';
    const lines = [
      SHOP,
      `Cookie: ${cookies}`,
      "Vestibule-Status: failed-open",
      "vestibule-anything: 1",
      "VESTIBULE-ROOM: evil",
      "Vestibule-Session: x",
    ];
    await rawGet(rig.urls.untouched, "/", lines);
    expect(seen("Cookie")).toEqual(['a=1; b="2"']);
    expect(raw.heads[0]).not.toMatch(/vestibule/i);
    await rawGet(rig.urls.rawZone, "/", lines);
    expect(seen("Vestibule-Status")).toEqual(["admitted"]);
    expect(seen("Vestibule-Room")).toEqual(["demo"]);
    expect(seen("vestibule-anything")).toEqual([]);
    await rawGet(rig.urls.rawZone, "/", [SHOP, "Cookie: __Host-vestibule.demo=t"]);
    expect(seen("Cookie")).toEqual([]);
  });

  test("[PROXY-2] the origin is told what the gate decided", async () => {
    const told = async (name: Name) => {
      await rawGet(rig.urls[name], "/", [SHOP]);
      return (raw.heads.at(-1) ?? "")
        .split("\r\n")
        .filter((line) => /^vestibule/i.test(line))
        .map((line) => line.replace(/^[^:]+/, (key) => key.toLowerCase()))
        .sort();
    };
    expect(await told("rawZone")).toEqual([
      "vestibule-room: demo",
      "vestibule-session-ends: idle=1764400600, absolute=1764403600",
      "vestibule-session: 3.1342",
      "vestibule-status: admitted",
    ]);
    expect(await told("unproven")).toEqual(["vestibule-room: demo", "vestibule-status: unproven"]);
    expect(await told("bypass")).toEqual(["vestibule-status: bypass"]);
    expect(await told("untouched")).toEqual([]);
  });

  test("[PROXY-1] G7 method overrides are removed, except on untouched hosts", async () => {
    const overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];
    for (const [name, expected] of [
      ["rawZone", 0],
      ["unproven", 0],
      ["bypass", 0],
      ["untouched", 3],
    ] as const) {
      await rawGet(rig.urls[name], "/", [SHOP, ...overrides.map((header) => `${header}: DELETE`)]);
      expect(overrides.flatMap(seen).length, name).toBe(expected);
    }
  });

  test("[PROXY-1] every method arrives as itself, with its body", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT"]) {
      const reply = await send(rig.urls.zone, {
        method,
        body: `body of ${method}`,
        headers: { "Content-Length": String(8 + method.length) },
      });
      expect(reply.status).toBe(200);
      await reply.text();
      expect(site.received.at(-1)?.method).toBe(method);
      expect((await site.received.at(-1)?.body())?.toString(), method).toBe(`body of ${method}`);
    }
  });

  test("[PROXY-1] G9 odd queries arrive byte for byte", async () => {
    const characters = "abzAZ059-._~!$&'()*+,;=:@/?%[]".split("");
    const queries = fc.sample(fc.string({ unit: fc.constantFrom(...characters), maxLength: 30 }), 300);
    queries.push("?", "a=1?b=2", "a;b;c", "%", "%zz", "%2e%2E%252f", "a='b'", "//x/../y", "a[]=1&a[]=2", "x=%00%0d%0a");
    for (const query of queries) {
      expect((await rawGet(rig.urls.rawZone, `/q?${query}`, [SHOP])).status).toBe(200);
      expect(raw.heads.at(-1)?.split("\r\n")[0]).toBe(`GET /q?${query} HTTP/1.1`);
    }
    // With ORIGIN the runtime parses the new URL: apostrophes are then escaped, as the URL standard has it. Nothing else changes.
    for (const query of queries) {
      await rawGet(rig.urls.rawConfigured, `/q?${query}`, [SHOP]);
      expect(raw.heads.at(-1)?.split("\r\n")[0]).toBe(`GET /q?${query.replaceAll("'", "%27")} HTTP/1.1`);
    }
  });

  test("[PROXY-1] the path that arrives is the canonical one that was judged", async () => {
    for (const [sent, arrived] of [
      ["/%63heckout", "/checkout"],
      ["//checkout", "/checkout"],
      ["/a/../checkout?x=/../y", "/checkout?x=/../y"],
      ["/checkout%2fx", "/checkout%2fx"],
      ["/%E2%82%AC", "/%E2%82%AC"],
    ] as const) {
      for (const name of ["rawZone", "rawConfigured"] as const) {
        await rawGet(rig.urls[name], sent, [SHOP]);
        expect(raw.heads.at(-1)?.split("\r\n")[0], `${name} ${sent}`).toBe(`GET ${arrived} HTTP/1.1`);
      }
    }
  });
});

describe("from the origin", () => {
  const bodies = {
    gzip: gzipSync("hello ".repeat(500)),
    br: brotliCompressSync("hello ".repeat(500)),
    zstd: randomBytes(64),
    identity: randomBytes(64),
  };

  test.each(Object.entries(bodies))(
    "[PROXY-3] T4 C22 C26 a %s body comes back byte for byte, with all headers in order",
    async (encoding, body) => {
      raw.answer = rawReply(
        [
          "HTTP/1.1 203 Quite Fine",
          "Content-Type: text/css",
          ...(encoding === "identity" ? [] : [`Content-Encoding: ${encoding}`]),
          `Content-Length: ${body.length}`,
          "Cache-Control: public, max-age=600",
          'ETag: "x-gzip"',
          "Link: </a.css>; rel=preload",
          "Link: </b.css>; rel=preload",
          "Vary: Accept",
          "Vary: Cookie",
          'WWW-Authenticate: Basic realm="a"',
          'WWW-Authenticate: Digest realm="b"',
          "Set-Cookie: a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/",
          "Set-Cookie: b=2; Domain=shop.example",
          "Set-Cookie: a=3; Path=/x",
          "Set-Cookie: __Host-vestibule.demo=evil; Path=/; Secure",
          "Vestibule-Status: spoofed",
          "X-Hop: 1",
          "Keep-Alive: timeout=5",
          "Connection: X-Hop",
        ],
        body,
      );
      const reply = await rawGet(rig.urls.rawZone, "/x", [SHOP, "Accept-Encoding: gzip, br, zstd"]);
      expect(reply.head).toMatch(/^HTTP\/1\.1 203 Quite Fine\r\n/);
      expect(reply.body.equals(body)).toBe(true);
      expect(got(reply, "Content-Length")).toEqual([String(body.length)]);
      expect(got(reply, "Content-Encoding")).toEqual(encoding === "identity" ? [] : [encoding]);
      expect(got(reply, "ETag")).toEqual(['"x-gzip"']);
      expect(got(reply, "Cache-Control")).toEqual(["public, max-age=600"]);
      expect(got(reply, "Link").join(", ")).toBe("</a.css>; rel=preload, </b.css>; rel=preload");
      expect(got(reply, "Vary").join(", ")).toBe("Accept, Cookie");
      expect(got(reply, "WWW-Authenticate").join(", ")).toBe('Basic realm="a", Digest realm="b"');
      expect(got(reply, "Set-Cookie")).toEqual([
        "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/",
        "b=2; Domain=shop.example",
        "a=3; Path=/x",
      ]);
      for (const name of ["Vestibule-Status", "X-Hop", "Keep-Alive"]) expect(got(reply, name), name).toEqual([]);
    },
  );

  test("[PROXY-3] [PROXY-9] one line of a reply that visitors must not see is enough: it goes, and all else stays", async () => {
    const lines = [
      "Set-Cookie: vestibule.demo=evil; Path=/",
      "Vestibule_Status: spoofed",
      "Keep-Alive: timeout=5",
      "CF-Waiting-Room-Command: revoke",
      "CDN-Cache-Control: max-age=600",
    ];
    for (const line of lines) {
      const [name = "", value = ""] = line.split(": ");
      const others = ["Content-Type: text/html", "Cache-Control: private", "X-Other: 1", "Content-Length: 2"];
      raw.answer = rawReply(["HTTP/1.1 200 OK", line, ...others], "ok");
      const reply = await rawGet(rig.urls.rawZone, "/x", [SHOP]);
      expect(got(reply, name), line).not.toContain(value);
      expect([got(reply, "X-Other"), got(reply, "Cache-Control"), reply.body.toString()], line).toEqual([["1"], ["private"], "ok"]);
    }
  });

  test("[PROXY-3] compressed bytes stay as they are for a client that did not ask for them", async () => {
    raw.answer = rawReply(
      ["HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Encoding: gzip", `Content-Length: ${bodies.gzip.length}`],
      bodies.gzip,
    );
    const reply = await rawGet(rig.urls.rawZone, "/x", [SHOP]);
    expect(reply.body.equals(bodies.gzip)).toBe(true);
    expect(got(reply, "Content-Encoding")).toEqual(["gzip"]);
  });

  test("[PROXY-3] 206, 304, 204, 404, 500 and HEAD", async () => {
    raw.answer = rawReply(
      ["HTTP/1.1 206 Partial Content", "Content-Range: bytes 1-2/9", "Accept-Ranges: bytes", "Content-Encoding: gzip", "Content-Length: 2"],
      "bc",
    );
    const part = await rawGet(rig.urls.rawZone, "/x", [SHOP, "Range: bytes=1-2"]);
    expect([part.status, part.body.toString(), got(part, "Content-Range"), got(part, "Content-Encoding")]).toEqual([
      206,
      "bc",
      ["bytes 1-2/9"],
      ["gzip"],
    ]);

    raw.answer = rawReply(["HTTP/1.1 304 Not Modified", 'ETag: "x"', "Set-Cookie: a=1"]);
    const unchanged = await rawGet(rig.urls.rawZone, "/x", [SHOP, 'If-None-Match: "x"', "Sec-Fetch-Dest: image"]);
    expect([unchanged.status, unchanged.body.length, got(unchanged, "ETag"), got(unchanged, "Set-Cookie")]).toEqual([
      304,
      0,
      ['"x"'],
      ["a=1"],
    ]);

    raw.answer = rawReply(["HTTP/1.1 204 No Content"]);
    expect(await rawGet(rig.urls.rawZone, "/x", [SHOP])).toMatchObject({ status: 204 });

    raw.answer = rawReply(["HTTP/1.1 200 OK", "Content-Length: 222", "Content-Encoding: br"]);
    const head = await rawRequest(rig.urls.rawZone, `HEAD /x HTTP/1.1\r\n${SHOP}\r\nConnection: close\r\n\r\n`);
    expect([head.status, head.body.length, got(head, "Content-Length"), got(head, "Content-Encoding")]).toEqual([200, 0, ["222"], ["br"]]);

    for (const status of [404, 418, 500, 503, 599]) {
      raw.answer = rawReply([`HTTP/1.1 ${status} Odd`, "Content-Length: 4", "Retry-After: 7"], "own!");
      const reply = await rawGet(rig.urls.rawZone, "/x", [SHOP]);
      expect([reply.status, reply.body.toString(), got(reply, "Retry-After")]).toEqual([status, "own!", ["7"]]);
      expect(got(reply, "X-Test-Outcome")).toEqual([status >= 500 ? "failed" : "ok"]);
    }
  });

  test("[PROXY-5] G15 a redirect is passed on, not followed", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      raw.answer = rawReply([
        `HTTP/1.1 ${status} Away`,
        `Location: ${elsewhere.url}/steal`,
        "Set-Cookie: a=1",
        "Set-Cookie: b=2",
        "Content-Length: 0",
      ]);
      const reply = await rawGet(rig.urls.rawZone, "/x", [SHOP]);
      expect([reply.status, got(reply, "Location"), got(reply, "Set-Cookie")]).toEqual([
        status,
        [`${elsewhere.url}/steal`],
        ["a=1", "b=2"],
      ]);
    }
    expect(elsewhere.received).toEqual([]);
  });

  test("[PROXY-9] W6 gated pages are private; assets and untouched hosts keep their cache headers", async () => {
    const cacheControl = async (name: Name, lines: readonly string[], request: readonly string[] = []) => {
      raw.answer = rawReply(["HTTP/1.1 200 OK", ...lines, "Content-Length: 0"]);
      const reply = await rawGet(rig.urls[name], "/x", [SHOP, ...request]);
      return [got(reply, "Cache-Control").join(), got(reply, "Set-Cookie").join()];
    };
    const html = ["Content-Type: text/html; charset=utf-8", "Cache-Control: public, max-age=600"];
    expect(await cacheControl("rawZone", html)).toEqual(["private, max-age=600", "ours=1"]);
    expect(await cacheControl("unproven", html)).toEqual(["private, max-age=600", "ours=1"]);
    expect(await cacheControl("rawZone", ["Content-Type: text/html"])).toEqual(["private", "ours=1"]);
    expect(await cacheControl("rawZone", [], ["Sec-Fetch-Dest: document"])).toEqual(["private", "ours=1"]);
    expect(await cacheControl("untouched", html)).toEqual(["public, max-age=600", ""]);
    expect(await cacheControl("bypass", html)).toEqual(["public, max-age=600", ""]);
    expect(await cacheControl("rawZone", ["Content-Type: image/png", "Cache-Control: public, max-age=600"])).toEqual([
      "public, max-age=600",
      "",
    ]);
    expect(await cacheControl("rawZone", ["Content-Type: image/png"])).toEqual(["", ""]);
    expect(await cacheControl("rawZone", ["Content-Type: application/json", "Cache-Control: private"])).toEqual(["private", "ours=1"]);
  });

  test("[PROXY-9] a reply that came 20 s late, or half a renewal interval, carries no cookie of ours", () => {
    const reply = (headersAfterMs: number) =>
      ({ response: new Response("", { headers: { "Cache-Control": "private" } }), outcome: "ok", headersAfterMs }) as const;
    expect(mayCarryCookie("GET", reply(20_000), 60_000)).toBe(true);
    expect(mayCarryCookie("GET", reply(20_001), 60_000)).toBe(false);
    expect(mayCarryCookie("GET", reply(15_000), 30_000)).toBe(true);
    expect(mayCarryCookie("GET", reply(15_001), 30_000)).toBe(false);
  });
});

describe("streams", () => {
  test("[PROXY-4] a download is passed on while the origin still writes", async () => {
    let more: (() => void) | undefined;
    site.handle((_, response) => {
      response.setHeader("Content-Type", "text/event-stream");
      response.write("data: 1\n\n");
      more = () => response.end("data: 2\n\n");
    });
    const reply = await send(rig.urls.zone);
    const reader = reply.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 1\n\n");
    more?.(); // The origin goes on only now that the visitor has the first part.
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 2\n\n");
    expect((await reader?.read())?.done).toBe(true);
  });

  test("[PROXY-4] O12 an upload is passed on while the visitor still writes", async () => {
    let uploading: IncomingMessage | undefined;
    site.handle(async (request, response, received) => {
      uploading = request;
      response.end(String((await received.body()).length));
    });
    const body = new Readable({ read() {} });
    body.push("first");
    const replying = send(rig.urls.zone, { method: "POST", body });
    await expect.poll(() => uploading !== undefined).toBe(true);
    body.push("second");
    if (uploading !== undefined) await once(uploading, "data"); // The visitor ends only now that the origin has what was sent so far.
    body.push(null);
    expect(await (await replying).text()).toBe("11");
  });

  test("[PROXY-4] megabytes go both ways unchanged, stated lengths stay stated, chunked stays chunked", async () => {
    const payload = randomBytes(6_000_000);
    const hash = createHash("sha256").update(payload).digest("hex");
    site.handle(async (_, response, received) => {
      const body = await received.body();
      response.setHeader("X-Hash", createHash("sha256").update(body).digest("hex"));
      response.setHeader("X-Length", `${received.header("Content-Length")}/${received.header("Transfer-Encoding")}`);
      response.setHeader("Content-Length", body.length);
      response.end(body);
    });
    const stated = await send(rig.urls.zone, { method: "PUT", body: payload, headers: { "Content-Length": String(payload.length) } });
    expect([stated.headers.get("X-Hash"), stated.headers.get("X-Length")]).toEqual([hash, `${payload.length}/null`]);
    expect(stated.headers.get("Content-Length")).toBe(String(payload.length));
    expect(Buffer.from(await stated.arrayBuffer()).equals(payload)).toBe(true);
    const chunked = await send(rig.urls.zone, { method: "PUT", body: Readable.from([payload]) });
    expect([chunked.headers.get("X-Hash"), chunked.headers.get("X-Length")]).toEqual([hash, "null/chunked"]);
    await chunked.arrayBuffer();
  });

  test("[PROXY-4] an origin that dies in the middle of a body does not look complete", async () => {
    site.handle((_, response) => {
      response.setHeader("Content-Length", 1_000);
      response.write("half");
      response.socket?.destroySoon();
    });
    const reply = await send(rig.urls.zone);
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
  });
});

describe("WebSocket", () => {
  test("[PROXY-6] an upgrade is passed through and frames go both ways", async () => {
    for (const name of ["zone", "configured"] as const) {
      const socket = new WebSocket(String(rig.urls[name]).replace("http", "ws"));
      await new Promise((resolve, reject) => {
        socket.addEventListener("open", resolve);
        socket.addEventListener("error", () => reject(new Error("no WebSocket")));
      });
      const echoed = new Promise((resolve) => socket.addEventListener("message", (event) => resolve(event.data)));
      socket.send("hello through the room");
      expect(await echoed).toBe("hello through the room");
      const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
      socket.close();
      await closed;
      expect(site.received.at(-1)?.header("Vestibule-Status")).toBe("admitted");
    }
  });

  const upgrade = [
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: chat, superchat",
  ];

  test("[PROXY-6] the origin chooses the subprotocol, and may set cookies", async () => {
    raw.answer = (head) => {
      const key = /sec-websocket-key: (\S+)/i.exec(head)?.[1];
      return rawReply([
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")}`,
        "Sec-WebSocket-Protocol: superchat",
        "Set-Cookie: a=1",
        "Set-Cookie: b=2",
      ]);
    };
    const { hostname, port } = rig.urls.rawZone;
    const socket = connect(Number(port), hostname);
    socket.write(["GET /ws HTTP/1.1", SHOP, "Connection: Upgrade", "Origin: http://shop.example", ...upgrade, "", ""].join("\r\n"));
    const head = await readUntil(socket, "\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toMatch(/\r\nSec-WebSocket-Protocol: superchat\r\n/i);
    expect(head.match(/Set-Cookie: [ab]=\d/gi)).toEqual(["Set-Cookie: a=1", "Set-Cookie: b=2"]);
    expect(seen("Sec-WebSocket-Protocol")).toEqual(["chat, superchat"]);
    expect(seen("Origin")).toEqual(["http://shop.example"]);
  });

  test("[PROXY-6] an upgrade that the origin declines gets the origin's answer", async () => {
    raw.answer = rawReply(["HTTP/1.1 403 Forbidden", "Content-Length: 3"], "no!");
    const text = ["GET /ws HTTP/1.1", SHOP, "Connection: Upgrade", ...upgrade, "", ""].join("\r\n");
    const { hostname, port } = rig.urls.rawZone;
    const socket = connect(Number(port), hostname);
    socket.write(text);
    expect(await readUntil(socket, "no!")).toMatch(/^HTTP\/1\.1 403 [\s\S]*no!$/);
  });

  test("[PROXY-1] other upgrades are hop-by-hop and not passed on", async () => {
    await rawGet(rig.urls.rawZone, "/", [SHOP, "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]);
    expect(seen("Upgrade")).toEqual([]);
  });
});

describe("with ORIGIN", () => {
  test("[PROXY-7] the origin learns the public address; Origin and Referer are its own", async () => {
    await rawGet(rig.urls.rawConfigured, "/a?b", [
      "Host: Shop.Example",
      "X-Forwarded-Host: evil.example",
      "X-Forwarded-Proto: gopher",
      "Origin: http://shop.example",
      "Referer: http://shop.example/cart?x=http://shop.example/",
    ]);
    expect(seen("Host")).toEqual([raw.url.slice(7)]);
    expect([seen("X-Forwarded-Host"), seen("X-Forwarded-Proto")]).toEqual([["shop.example"], ["http"]]);
    expect([seen("Origin"), seen("Referer")]).toEqual([[raw.url], [`${raw.url}/cart?x=http://shop.example/`]]);
    await rawGet(rig.urls.rawConfigured, "/", [SHOP, "Origin: http://shop.example.evil", "Referer: https://bank.example/"]);
    expect([seen("Origin"), seen("Referer")]).toEqual([["http://shop.example.evil"], ["https://bank.example/"]]);
  });

  test("[PROXY-7] what names ORIGIN leads to the public origin, everything else is left alone", async () => {
    const host = raw.url.slice(7);
    const cases: [string, string][] = [
      [`${raw.url}/next?a=%27b%27#c`, "http://shop.example/next?a=%27b%27#c"],
      [`https://${host}/next`, "http://shop.example/next"],
      [`//${host}/next`, "http://shop.example/next"],
      [`HTTP://${host.replace("127.0.0.1", "2130706433")}/next`, "http://shop.example/next"],
      [`http:\\\\${host}\\next`, "http://shop.example/next"],
      [`http://user:pw@${host}/next`, "http://shop.example/next"],
      [raw.url, "http://shop.example/"],
      ["/relative?x=1", "/relative?x=1"],
      ["next", "next"],
      ["http://127.0.0.1:1/other-port", "http://127.0.0.1:1/other-port"],
      ["https://bank.example/pay?back=http://x", "https://bank.example/pay?back=http://x"],
      [`mailto:a@${host}`, `mailto:a@${host}`],
      ["http://[broken", "http://[broken"],
    ];
    for (const [from, to] of cases) {
      const lines = [`Location: ${from}`, `Content-Location: ${from}`, `Refresh: 5; url=${from}`, `Set-Cookie: a=1; Domain=127.0.0.1`];
      raw.answer = rawReply(["HTTP/1.1 302 Found", ...lines, "Content-Length: 0"]);
      const reply = await rawGet(rig.urls.rawConfigured, "/", [SHOP]);
      expect([got(reply, "Location"), got(reply, "Content-Location")], from).toEqual([[to], [to]]);
      expect(got(reply, "Refresh"), from).toEqual([`5; url=${to}`.trim()]);
      expect(got(reply, "Set-Cookie")).toEqual(["a=1; Domain=127.0.0.1"]);
    }
    raw.answer = rawReply(["HTTP/1.1 200 OK", `Refresh: 0;URL='${raw.url}/x'`, "Content-Length: 0"]);
    expect(got(await rawGet(rig.urls.rawConfigured, "/", [SHOP]), "Refresh")).toEqual(["0;URL='http://shop.example/x'"]);
  });

  test("[PROXY-7] without ORIGIN nothing is rewritten", async () => {
    raw.answer = rawReply(["HTTP/1.1 302 Found", `Location: ${raw.url}/next`, `Refresh: 5; url=${raw.url}/`, "Content-Length: 0"]);
    const reply = await rawGet(rig.urls.rawZone, "/", [SHOP, "X-Forwarded-Host: theirs", "Origin: http://shop.example"]);
    expect([got(reply, "Location"), got(reply, "Refresh")]).toEqual([[`${raw.url}/next`], [`5; url=${raw.url}/`]]);
    expect([seen("X-Forwarded-Host"), seen("X-Forwarded-Proto"), seen("Origin")]).toEqual([["theirs"], [], ["http://shop.example"]]);
  });
});

describe("origin failures", () => {
  const expectOurs = (reply: RawReply, status: number, type: string, text: RegExp) => {
    expect(reply.status).toBe(status);
    expect(got(reply, "X-Test-Outcome")).toEqual(["failed"]);
    expect(got(reply, "Cache-Control")).toEqual(["private, no-store"]);
    expect(got(reply, "Retry-After")).toEqual(["5"]);
    expect(got(reply, "Content-Type").join()).toContain(type);
    expect(reply.body.toString()).toMatch(text);
    // No Set-Cookie of ours that would end the session; `ours=1` is the test Worker's own.
    expect(got(reply, "Set-Cookie")).toEqual(["ours=1"]);
  };
  const html = [SHOP, "Accept: text/html"];

  test("[PROXY-8] refused, reset, no HTTP, an impossible status: 502", async () => {
    expectOurs(await rawGet(rig.urls.refused, "/", html), 502, "text/html", /still inside[\s\S]*Try again/);
    expectOurs(await rawGet(rig.urls.refused, "/", [SHOP]), 502, "application/problem+json", /"code":"origin-unreachable"/);
    const answers = [
      "reset",
      rawReply(["SSH-2.0-OpenSSH"]),
      rawReply(["HTTP/1.1 600 Odd", "Content-Length: 1"], "x"),
      rawReply(["HTTP/1.1 999 No", "Content-Length: 0"]),
    ] as const;
    for (const answer of answers) {
      raw.answer = answer;
      expectOurs(await rawGet(rig.urls.rawZone, "/", html), 502, "text/html", /not answering/);
    }
  });

  test("[PROXY-8] the platform's own report of a failed origin becomes ours", async () => {
    for (const [status, expected] of [
      [520, 502],
      [521, 502],
      [522, 504],
      [523, 502],
      [524, 504],
      [525, 502],
      [526, 502],
      [530, 502],
    ] as const) {
      raw.answer = rawReply([`HTTP/1.1 ${status} Oops`, "Content-Type: text/html", "Content-Length: 10"], "error page");
      expectOurs(await rawGet(rig.urls.rawZone, "/", [SHOP]), expected, "problem+json", /origin-(unreachable|timeout)/);
    }
  });

  test("[PROXY-8] a form whose fate is unknown is not offered again", async () => {
    const lines = ["POST /buy HTTP/1.1", SHOP, "Sec-Fetch-Dest: document", "Content-Length: 1", "Connection: close", "", "x"];
    const reply = await rawRequest(rig.urls.refused, lines.join("\r\n"));
    expectOurs(reply, 502, "text/html", /may or may not have arrived/);
    expect(reply.body.toString()).not.toContain("<a");
  });

  test("[PROXY-8] silence is cut off after the limit; an upload is not", async () => {
    let finish: (() => void) | undefined;
    site.handle((request, response) => {
      if (request.method === "POST") finish = () => response.end("received");
    });
    const upload = send(rig.urls.impatient, { method: "POST", body: "large" });
    await expect.poll(() => finish !== undefined).toBe(true);
    const reply = await rawGet(rig.urls.impatient, "/", html);
    expectOurs(reply, 504, "text/html", /not answering/);
    finish?.(); // The upload began before, and has by now waited longer than the limit.
    expect(await (await upload).text()).toBe("received");
  });

  test("[PROXY-8] a site that kept silent for too long is let go, once the visitor has been told", async () => {
    let gone = false;
    site.handle((_, response) => {
      response.on("close", () => {
        gone = true;
      });
    });
    expect((await rawGet(rig.urls.impatient, "/", [SHOP])).status).toBe(504);
    await expect.poll(() => gone).toBe(true);
  });

  test("[PROXY-8] the limit is for the first header only: a slow body is not cut", async () => {
    let finish: (() => void) | undefined;
    site.handle((request, response) => {
      if (request.url !== "/slow") return;
      response.write("a");
      finish = () => response.end("b");
    });
    const slow = await send(new URL("/slow", rig.urls.impatient));
    expect((await rawGet(rig.urls.impatient, "/silent", [SHOP])).status).toBe(504);
    finish?.();
    expect(await slow.text()).toBe("ab");
  });

  test("[PROXY-8] an origin that drops kept connections at any moment costs no visitor an error", async () => {
    const urls = [rig.urls.zone, rig.urls.configured];
    site.handle((request, response) => {
      response.end("up");
      response.on("finish", () => request.socket.destroy());
    });
    for (let i = 0; i < 100; i++) {
      const reply = await send(urls[i % 2] as URL);
      expect([reply.status, await reply.text()]).toEqual([200, "up"]);
    }
  });

  test("[PROXY-8] only a request that is safe to repeat is sent again, and once", async () => {
    raw.answer = "reset";
    const hits = async (method: string, body: string) => {
      raw.heads.length = 0;
      const lines = [`${method} / HTTP/1.1`, SHOP, ...(body ? [`Content-Length: ${body.length}`] : []), "Connection: close", "", body];
      expect((await rawRequest(rig.urls.rawZone, lines.join("\r\n"))).status).toBe(502);
      return raw.heads.length;
    };
    expect([await hits("GET", ""), await hits("HEAD", "")]).toEqual([2, 2]);
    raw.answer = rawReply(["HTTP/1.1 521 Down", "Content-Length: 0"]);
    expect(await hits("GET", "")).toBe(1);
    raw.answer = "reset";
    expect([await hits("POST", "x"), await hits("POST", ""), await hits("DELETE", ""), await hits("GET", "x")]).toEqual([1, 1, 1, 1]);
  });

  test("[PROXY-8] an origin that restarts is found again", async () => {
    site.handle((_, response) => response.end("up"));
    await site.stop();
    expect((await rawGet(rig.urls.zone, "/", [SHOP])).status).toBe(502);
    await site.restart();
    expect((await rawGet(rig.urls.zone, "/", [SHOP])).body.toString()).toBe("up");
  });
});
