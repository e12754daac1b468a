/**
 * Everything that people send to get past the gate, over raw sockets, against the built Worker with its real Room.
 * The judge is the site's own log, read as sites read it that do not decode, decode once or decode twice.
 * A gated page must never be reached without a valid pass; with one, the same requests arrive, or these tests would prove nothing.
 */
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { decodeToken } from "../../src/core/token";
import { importKeyRing, signToken } from "../../src/keys";
import { foreignHeaders, hostsOf, methods, openTargets, otherHosts, ownHeaders, targets } from "../support/attack-forms";
import { hurl, randomRequest } from "../support/gate-fuzz";
import {
  all,
  attack,
  type Busy,
  busyRooms,
  type Front,
  openSocket,
  passOf,
  placeOf,
  QUIET_CAPACITY,
  startFronts,
  visitorOf,
  warm,
} from "../support/hostile-fronts";
import { hostilePath } from "../support/hostile-paths";
import { type SendInit, send } from "../support/http";
import { seeded } from "../support/line-world";
import { type Origin, type Received, startOrigin } from "../support/origin";
import { rawRequest } from "../support/raw";
import { shared } from "../support/second-try";
import { type Decodings, servedAs } from "../support/site-readings";
import { TEST_KEYS, type TestWorker } from "../support/worker";

let site: Origin;
/** On a zone route, two isolates; and with ORIGIN. */
let zone: Front;
let configured: Front;
const fronts = () => [zone, configured];

shared(
  async () => {
    site = await startOrigin();
    [zone, configured] = await startFronts(site);
  },
  async () => {
    await Promise.all(fronts().map((front) => front?.worker.stop()));
    await site.stop();
  },
  60_000,
);
beforeEach(() => {
  site.received.length = 0;
});

/** `METHOD target` of what reached the site as the page `/first`, to any kind of site; empties the log. */
function reached(first = "checkout"): string[] {
  return site.received
    .splice(0)
    .filter((received) => servedAs(received.url, first).size > 0)
    .map(({ method, url }) => `${method} ${url}`);
}
const publicHost = (received: Received) => (received.header("X-Forwarded-Host") ?? received.header("Host") ?? "").replace(/:\d+$/, "");
const cookie = (...pairs: readonly string[]) => `Cookie: ${pairs.join("; ")}`;

/** What may not open `/checkout` of `part`: nothing, a place in line, and real tokens where they do not belong. */
function credentials({ inside, waiting }: Front): string[][] {
  const ticket = placeOf(waiting.part, "part");
  return [
    [],
    [cookie(`vestibule.part=${ticket}`)],
    [cookie(`vestibule-pass.part=${ticket}`, `vestibule-pass.whole=${passOf(inside.part, "part")}`)],
    [cookie(`vestibule.part=${passOf(inside.part, "part")}`, `vestibule-pass.part=${passOf(inside.whole, "whole")}`)],
  ];
}
const passLine = ({ inside }: Front, room: Busy) => cookie(`vestibule-pass.${room}=${passOf(inside[room], room)}`);

describe("addresses", () => {
  test.each(Object.keys(targets))(
    "[GATE-4][URL-6] G1 G2 G3 G4 G8 G9 G13 C10 C21 C53 C54 no spelling of %s reaches a gated page without a pass, on any site",
    async (id) => {
      for (const front of fronts()) {
        const attacks = (targets[id] ?? []).flatMap((target) =>
          credentials(front)
            .slice(0, 2)
            .map((lines) => ({ target, lines })),
        );
        await all(attacks, (each) => attack(front.worker, each));
        expect(reached()).toEqual([]);
        // A room for the whole host: nothing at all.
        await all(targets[id] ?? [], (target) => attack(front.worker, { target, host: "whole.test" }));
        expect(site.received.map(({ url }) => url)).toEqual([]);
      }
    },
  );

  test.each(Object.keys(targets))("[GATE-5] with a pass, spellings of %s arrive", async (id) => {
    for (const front of fronts()) {
      await all(targets[id] ?? [], (target) => attack(front.worker, { target, lines: [passLine(front, "part")] }));
      const decodings = new Set(site.received.splice(0).flatMap(({ url }) => [...servedAs(url, "checkout")]));
      expect(decodings).toEqual(new Set<Decodings>([0, 1, 2]));
    }
  });

  test("[URL-3] what no room protects is never held back", async () => {
    for (const front of fronts()) {
      const replies = await all(openTargets, (target) => attack(front.worker, { target }));
      expect(replies.map(({ status }) => status)).toEqual(openTargets.map(() => 200));
      expect(site.received.splice(0)).toHaveLength(openTargets.length);
    }
  });

  test("[URL-4][URL-6] a pass of one room opens no page of its neighbour", async () => {
    for (const front of fronts()) {
      const lines = [passLine(front, "tickets")];
      const near = Object.values(targets)
        .flat()
        .flatMap((target) => [target, `/tickets/..${target}`, `/tickets/..%2f${target.slice(1)}`, `/tickets/..;${target}`]);
      await all(near, (target) => attack(front.worker, { target, host: "two.test", lines }));
      expect(reached()).toEqual([]);
      await attack(front.worker, { target: "/tickets/a", host: "two.test", lines });
      expect(reached("tickets")).toEqual(["GET /tickets/a"]);
    }
  });

  test("[URL-6] G1 nor do spellings by chance", async () => {
    const paths = fc.sample(hostilePath, 300).map((path) => path.replace(/[\u0100-\uffff]/g, "").replaceAll("é", "\xc3\xa9"));
    for (const front of fronts()) {
      await all(paths, (target) => attack(front.worker, { target }));
      expect(reached()).toEqual([]);
    }
  });

  test("[URL-2][URL-3] G4 composed, decomposed and raw letters of path and host are the same room", async () => {
    const spellings = [
      "/caf%C3%A9",
      "/cafe%CC%81",
      "/CAF%C3%89",
      "/caf\xc3\xa9",
      "/cafe\xcc\x81/x",
      "/%63af%c3%a9;x",
      "/caf%C3%A9%2f",
      "/caf%25C3%25A9",
    ];
    const hosts = ["xn--bcher-kva.test", "XN--BCHER-KVA.test", "b\xc3\xbccher.test", "b%C3%BCcher.test", "xn--bcher-kva.test.:80"];
    for (const front of fronts()) {
      await all(
        spellings.flatMap((target) => hosts.map((host) => ({ target, host }))),
        (each) => attack(front.worker, each),
      );
      expect(site.received.map(({ url }) => url)).toEqual([]);
      const lines = [passLine(front, "cafe")];
      await all(spellings, (target) => attack(front.worker, { target, host: "xn--bcher-kva.test", lines }));
      expect(reached("café").length).toBeGreaterThan(5);
    }
  });

  test("[GATE-2] G5 however the host is written, or if it is another", async () => {
    for (const front of fronts()) {
      await all(hostsOf("part.test"), (host) => attack(front.worker, { host }));
      await all(otherHosts, (host) => attack(front.worker, { host, target: "/", lines: [passLine(front, "part")] }));
      await all(otherHosts, (host) => attack(front.worker, { host, target: "/__vestibule/../checkout" }));
      expect(site.received.map((received) => `${publicHost(received)} ${received.url}`)).toEqual([]);
      const replies = await all(hostsOf("part.test"), (host) => attack(front.worker, { host, lines: [passLine(front, "part")] }));
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(5);
      expect(new Set(site.received.splice(0).map(publicHost))).toEqual(new Set(["part.test"]));
    }
  });

  test("[GATE-2] G5 two Host lines, none, folded ones, and targets in absolute form", async () => {
    const heads = [
      ["GET /checkout HTTP/1.1", "Host: open.test", "Host: part.test"],
      ["GET /checkout HTTP/1.1", "Host: part.test", "Host: open.test"],
      ["GET /checkout HTTP/1.1", "Host: part.test", "host: part.test"],
      ["GET /checkout HTTP/1.1", "Host: open.test,part.test"],
      ["GET /checkout HTTP/1.1"],
      ["GET /checkout HTTP/1.0"],
      ["GET /checkout HTTP/1.0", "Host: part.test"],
      ["GET /checkout", ""],
      ["GET /checkout HTTP/1.1", "Host : part.test"],
      ["GET /checkout HTTP/1.1", "Host:", " part.test"],
      ["GET /checkout HTTP/1.1", "X: y", "\tHost: open.test", "Host: part.test"],
      ["GET http://part.test/checkout HTTP/1.1", "Host: part.test"],
      ["GET http://part.test/checkout HTTP/1.1", "Host: open.test"],
      ["GET http://open.test/checkout HTTP/1.1", "Host: part.test"],
      ["GET http://part.test/checkout HTTP/1.1"],
      ["GET HTTP://PART.TEST/checkout HTTP/1.1", "Host: open.test"],
      ["GET //part.test/checkout HTTP/1.1", "Host: part.test"],
      ["GET ///checkout HTTP/1.1", "Host: part.test"],
      ["GET http:checkout HTTP/1.1", "Host: part.test"],
      ["GET checkout HTTP/1.1", "Host: part.test"],
      ["GET @part.test/checkout HTTP/1.1", "Host: open.test"],
      ["GET .part.test/checkout HTTP/1.1", "Host: open.test"],
      ["GET :80/checkout HTTP/1.1", "Host: part.test"],
      ["GET * HTTP/1.1", "Host: part.test"],
      ["OPTIONS * HTTP/1.1", "Host: whole.test"],
      ["CONNECT part.test:80 HTTP/1.1", "Host: part.test"],
      ["GET  /checkout HTTP/1.1", "Host: part.test"],
      ["GET\t/checkout\tHTTP/1.1", "Host: part.test"],
    ];
    for (const front of fronts()) {
      // Some are no HTTP at all: a connection closed without a reply is an answer too.
      await all(heads, (head) =>
        rawRequest(front.worker.url, [...head, "Connection: close", "", ""].join("\r\n"), 5_000).catch(() => null),
      );
      expect(site.received.filter((received) => publicHost(received) === "whole.test")).toEqual([]);
      site.received.splice(0, Infinity, ...site.received.filter((received) => publicHost(received) !== "open.test"));
      expect(reached()).toEqual([]);
    }
  });
});

describe("methods and what a request says of itself", () => {
  test("[GATE-1] G7 no method opens a gated page, with or without a body", async () => {
    for (const front of fronts()) {
      const attacks = methods.flatMap((method) =>
        credentials(front).flatMap((lines) => [
          { method, lines },
          { method, lines: [...lines, "Content-Type: application/x-www-form-urlencoded"], body: "_method=GET&x=1" },
        ]),
      );
      await all(attacks, (each) => attack(front.worker, each).catch(() => null));
      await all(["/checkout?_method=GET", "/checkout?_method=OPTIONS"], (target) =>
        attack(front.worker, { target, method: "POST", body: "" }),
      );
      const preflight = ["Origin: https://evil.test", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: x"];
      await attack(front.worker, { method: "OPTIONS", lines: preflight });
      expect(reached()).toEqual([]);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "PURGE"]) {
        await attack(front.worker, { method, lines: [passLine(front, "part")] });
      }
      const arrived = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].map((method) => `${method} /checkout`);
      expect(reached()).toEqual(arrived);
    }
  });

  test("[GATE-4] G10 neither does an upgrade, a range or a stream, and no socket to the site is opened for it", async () => {
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    const asks = [
      upgrade,
      ["Connection: close, Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
      ["Range: bytes=0-10"],
      ["Accept: text/event-stream"],
    ];
    for (const front of fronts()) {
      const attacks = asks.flatMap((ask) => credentials(front).map((lines) => [...ask, ...lines]));
      const heads = await all(attacks, (lines) => openSocket(front, lines));
      expect(heads.filter((head) => !/^HTTP\/1\.1 42[89] /.test(head))).toEqual([]);
      expect(site.received).toEqual([]);
      const opened = await openSocket(front, [...upgrade, passLine(front, "part")]);
      expect(opened).toMatch(/^HTTP\/1\.1 101 /);
      expect(reached()).toEqual(["GET /checkout"]);
    }
  });

  test("[GATE-2] G11 no header opens a gated page, one by one or all at once", async () => {
    for (const front of fronts()) {
      const attacks = [...ownHeaders, ...foreignHeaders].flatMap((line) => [
        [line],
        [line, `Cookie: vestibule.part=${placeOf(front.waiting.part, "part")}`],
      ]);
      await all([...attacks, [...ownHeaders, ...foreignHeaders]], (lines) => attack(front.worker, { lines }));
      expect(reached()).toEqual([]);
    }
  });

  test("[PROXY-1][PROXY-2] G11 C94 nor is one of ours, however it is written, seen by the site unless we sent it", async () => {
    const spoofed = [...ownHeaders, "X-Forwarded-Proto: https", "X_Forwarded_Host: evil.test", "X_HTTP_Method_Override: DELETE"];
    /** Names as sites read them that make `_` of every other character, with their values. */
    const ours = (received: Received | undefined) =>
      (received?.headers ?? [])
        .map(([name, value]) => [name.toLowerCase().replace(/[^a-z0-9]/g, "-"), value] as const)
        .filter(([name]) => /^(?:vestibule-|x-forwarded-(?:host|proto)$|x-http-method)/.test(name))
        .map(([name, value]) => `${name}: ${name === "vestibule-signature" ? value.replace(/\d{10}|mac=[\w-]{43}$/g, "…") : value}`)
        .sort();
    for (const front of fronts()) {
      await warm(front, "quiet.test");
      await attack(front.worker, { target: "/open", host: "part.test", lines: spoofed });
      await attack(front.worker, { target: "/", host: "quiet.test", lines: spoofed });
      await attack(front.worker, { lines: [...spoofed, passLine(front, "part")] });
      const [untouched, unproven, admitted] = site.received.splice(0).map(ours);
      const own = (lines: readonly string[] = []) => lines.filter((line) => line.startsWith("vestibule-"));
      const others = (lines: readonly string[] = []) => lines.filter((line) => line.startsWith("x-"));
      const claims = decodeToken(passOf(front.inside.part, "part") ?? "")?.claims;
      if (claims?.kind !== "pass") throw new Error("not a pass");
      expect(own(untouched)).toEqual([]);
      expect(own(unproven)).toEqual(["vestibule-room: quiet", "vestibule-signature: t=…, kid=t1, …", "vestibule-status: unproven"]);
      expect(own(admitted)).toEqual([
        "vestibule-room: part",
        `vestibule-session-ends: idle=${claims.exp}, absolute=${claims.end}`,
        `vestibule-session: ${claims.generation}.${claims.slot}`,
        "vestibule-signature: t=…, kid=t1, …",
        "vestibule-status: admitted",
      ]);
      // On a zone route nothing else is rewritten.
      const forwarded =
        front === configured
          ? ["x-forwarded-host: part.test", "x-forwarded-proto: http"]
          : ["x-forwarded-host: evil.test", "x-forwarded-proto: https"];
      expect(others(admitted)).toEqual(forwarded);
    }
  });

  test("[GATE-16] T5 C45 a POST of another site arrives once with a pass, and never without", async () => {
    const from = [
      ["Origin: https://bank.test", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"],
      ["Origin: null", "Sec-Fetch-Dest: document"],
      ["Accept: text/html"],
      ["Origin: http://part.test", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: document"],
    ].map((lines) => [...lines, "Content-Type: application/x-www-form-urlencoded"]);
    const post = { method: "POST", target: "/checkout/return?order=7", body: "paid=secret-of-the-bank" };
    for (const front of fronts()) {
      const attacks = from.flatMap((lines) => credentials(front).map((own) => ({ ...post, lines: [...lines, ...own] })));
      const replies = await all(attacks, (each) => attack(front.worker, each));
      expect(reached()).toEqual([]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 429));
      const crossSite = replies.slice(0, credentials(front).length * 3);
      expect(crossSite.filter(({ head, body }) => /set-cookie/i.test(head) || body.includes("secret-of-the-bank"))).toEqual([]);
      for (const lines of from) await attack(front.worker, { ...post, lines: [...lines, passLine(front, "part")] });
      expect(await Promise.all(site.received.splice(0).map(async (received) => (await received.body()).toString()))).toEqual(
        from.map(() => post.body),
      );
    }
  });

  test("[GATE-16] O12 a body that never comes holds nothing back: its sender is told at once, and the site hears nothing", async () => {
    for (const front of fronts()) {
      const heads = [
        ["Transfer-Encoding: chunked"],
        ["Content-Length: 5000000"],
        [
          "Content-Length: 5000",
          "Content-Type: application/x-www-form-urlencoded",
          "Sec-Fetch-Dest: document",
          "Sec-Fetch-Site: cross-site",
        ],
      ];
      const asked = heads.flatMap((lines) => credentials(front).map((own) => [...lines, ...own]));
      const replies = await all(asked, (lines) => openSocket(front, lines, "POST"));
      expect(replies.map((head) => head.slice(0, 12))).toEqual(asked.map(() => "HTTP/1.1 429"));
      expect(site.received.map(({ url }) => url)).toEqual([]);
    }
  });

  test("[GATE-16] O12 a thousand senders of bodies that go on and on cost no memory", async () => {
    const { worker } = zone;
    const part = Buffer.alloc(131_072, "x");
    const senders = 1_000;
    const before = worker.memory();
    const open: Socket[] = [];
    const heads = await all(Array.from({ length: senders }), () => {
      const socket = connect(Number(worker.url.port), "127.0.0.1");
      open.push(socket);
      return new Promise<string>((resolve, reject) => {
        socket.write("POST /checkout HTTP/1.1\r\nHost: part.test\r\nContent-Type: text/plain\r\nContent-Length: 100000000\r\n\r\n");
        socket.write(part);
        socket.once("data", (reply) => resolve(reply.toString("latin1", 0, 12)));
        socket.once("error", reject);
      });
    });
    // All of them are still there, each in the middle of its body.
    const grown = worker.memory() - before;
    for (const socket of open) socket.on("error", () => undefined).destroy();
    expect(new Set(heads)).toEqual(new Set(["HTTP/1.1 429"]));
    expect(grown).toBeLessThan((senders * part.length) / 2);
    expect(reached()).toEqual([]);
  });

  test("[GATE-4] G14 a request hidden in another is refused with it, or judged by itself", async () => {
    const hidden = "GET /checkout HTTP/1.1\r\nHost: part.test\r\nX: x";
    const post = ["POST /open HTTP/1.1", "Host: part.test"];
    const smuggled = [
      [...post, `Content-Length: ${hidden.length + 5}`, "Transfer-Encoding: chunked", "", `0\r\n\r\n${hidden}`],
      [...post, "Content-Length: 4", "Transfer-Encoding: chunked", "", `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
      [...post, "Transfer-Encoding: xchunked", "Content-Length: 0", "", hidden],
      [...post, "Transfer-Encoding : chunked", "Content-Length: 0", "", `0\r\n\r\n${hidden}`],
      [...post, "Transfer-Encoding: chunked", "Transfer-Encoding: identity", "", `0\r\n\r\n${hidden}`],
      [...post, "Transfer-Encoding:\tchunked", "Content-Length: 3", "", `0\r\n\r\n${hidden}`],
      [...post, "Content-Length: 0", `Content-Length: ${hidden.length}`, "", hidden],
      [...post, "Content-Length: +0", "", hidden],
      [...post, "Content-Length: 0\n", "", hidden],
      ["GET /open HTTP/1.1\nHost: part.test\n", hidden],
      ["GET /open HTTP/1.1", "Host: part.test", `X: y\n\n${hidden}`],
      ["GET /open HTTP/1.1", "Host: part.test", `X: y\r\r\n\r\n${hidden}`],
    ];
    for (const front of fronts()) {
      await all(smuggled, (lines) =>
        rawRequest(front.worker.url, `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`, 5_000).catch(() => null),
      );
      expect(reached()).toEqual([]);
      // With a pass in the hidden one it does arrive: it was read as a request, and judged as one.
      const own = `${hidden}\r\n${passLine(front, "part")}\r\nConnection: close\r\n\r\n`;
      await rawRequest(front.worker.url, [...post, "Content-Length: 0", "", own].join("\r\n"));
      expect(reached()).toEqual(["GET /checkout"]);
    }
  });

  test("[GATE-4] what came before on a connection proves nothing for what comes next", async () => {
    for (const front of fronts()) {
      const request = (lines: readonly string[]) => ["GET /checkout HTTP/1.1", "Host: part.test", ...lines, "", ""].join("\r\n");
      const text = [
        request([passLine(front, "part")]),
        request([]),
        request([passLine(front, "part")]),
        request(["Connection: close"]),
      ].join("");
      const reply = await rawRequest(front.worker.url, text);
      const statuses = `${reply.head}\r\n${reply.body.toString("latin1")}`.match(/HTTP\/1\.1 \d{3}/g);
      expect(statuses).toEqual(["HTTP/1.1 200", "HTTP/1.1 428", "HTTP/1.1 200", "HTTP/1.1 428"]);
      expect(reached()).toHaveLength(2);
    }
  });
});

describe("cookies", () => {
  /** Up to eight values in one request: all of them are tried, so one good one among them would be noticed. */
  async function tryAll(name: "vestibule-pass" | "vestibule", values: readonly string[]): Promise<number[]> {
    const batches = Array.from({ length: Math.ceil(values.length / 8) }, (_, i) => values.slice(8 * i, 8 * i + 8));
    const replies = await all(batches, (batch) =>
      attack(zone.worker, { lines: [cookie(...batch.map((value) => `${name}.part=${value}`))] }),
    );
    return replies.map(({ status }) => status);
  }
  const realPass = () => passOf(zone.inside.part, "part") ?? "";
  const realTicket = () => placeOf(zone.waiting.part, "part") ?? "";

  function flips(token: string): string[] {
    const parts = token.split(".").map((part) => Buffer.from(part, "base64url"));
    return parts.flatMap((bytes, at) =>
      Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return parts.map((part, i) => (i === at ? flipped : part).toString("base64url")).join(".");
      }),
    );
  }

  function reencoded(token: string): string[] {
    const [head = "", claims = "", tail = ""] = token.split(".");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const strayBits = [1, 2, 3].map((bits) => alphabet[(alphabet.indexOf(tail.at(-1) ?? "") & ~3) | bits] ?? "");
    return [
      `${token}=`,
      `${head}=.${claims}=.${tail}=`,
      token.replaceAll("-", "+").replaceAll("_", "/"),
      ...strayBits.map((last) => token.slice(0, -1) + last),
      `${token}.`,
      `.${token}`,
      `${token}.${tail}`,
      `${head}..${tail}`,
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `"${token}"`,
      `%${token}`,
      encodeURIComponent(token.replace(".", "%2e")),
      token.toUpperCase(),
      `${token}A`,
      token.slice(0, -1),
      token.slice(1),
      `${token}\x00`,
      `${token}\xff`,
      "\xff\xfe",
      "A".repeat(8_000),
      token.repeat(20),
      "....",
      "null",
      "undefined",
      "[object Object]",
      "true",
    ].filter((value) => value !== token);
  }

  function reheaded(token: string): string[] {
    const [, claims = "", tail = ""] = token.split(".");
    const typ = "vst+pass";
    const headers = [
      ...["none", "None", "NONE", "HS512", "HS384", "RS256", "ES256", "", null, 0].map((alg) => ({ alg, kid: "t1", typ })),
      ...["", "__proto__", "constructor", "0", "t2", "T1", "k".repeat(16), "k".repeat(999), null, 1].map((kid) => ({
        alg: "HS256",
        kid,
        typ,
      })),
      ...["vst+ticket", "vst+visitor", "JWT", "vst+admin", ""].map((other) => ({ alg: "HS256", kid: "t1", typ: other })),
      { alg: "HS256", typ },
      { typ, alg: "HS256", kid: "t1" },
      { alg: "HS256", kid: "t1", typ, crit: ["x"] },
      { alg: "HS256", kid: "t1", typ, jwk: { kty: "oct", k: "AAAA" } },
    ].map((header) => Buffer.from(JSON.stringify(header)).toString("base64url"));
    return headers.flatMap((head) => [`${head}.${claims}.${tail}`, `${head}.${claims}.`]);
  }

  test("[TOKEN-2][GATE-20] K1 no bit of a real visitor's pass or ticket can be changed", async () => {
    const statuses = [...(await tryAll("vestibule-pass", flips(realPass()))), ...(await tryAll("vestibule", flips(realTicket())))];
    expect(reached()).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([428]));
    await tryAll("vestibule-pass", [...flips(realPass()).slice(0, 7), realPass()]);
    expect(reached()).toEqual(["GET /checkout"]);
  });

  test("[TOKEN-2][TOKEN-5] K2 nor can it be written in another way", async () => {
    const replies = await all([...reencoded(realPass()), ...reencoded(realTicket())], (value) =>
      attack(zone.worker, { lines: [cookie(`vestibule-pass.part=${value}`, `vestibule.part=${value}`)] }).catch(() => null),
    );
    expect(reached()).toEqual([]);
    expect(replies.filter((reply) => reply !== null && reply.status >= 500).map((reply) => reply?.head)).toEqual([]);
    // The platform refuses a NUL in a header; everything else is answered by us.
    expect(replies.filter((reply) => reply === null || reply.status === 400).length).toBeLessThanOrEqual(2);
  });

  test("[TOKEN-3] K3 K4 a token counts only as what it is, for its own room", async () => {
    const { inside, waiting } = zone;
    const newcomer = visitorOf(zone.worker, "part");
    await newcomer.fetch(newcomer.base, { headers: { "Sec-Fetch-Dest": "document" } });
    const visitorToken = placeOf(newcomer, "part") ?? "";
    expect(decodeToken(visitorToken)?.kind).toBe("visitor");
    const foreign = (Object.keys(busyRooms) as Busy[]).filter((room) => room !== "part");
    const passCookies = [visitorToken, realTicket(), ...foreign.map((room) => passOf(inside[room], room) ?? "")];
    const placeCookies = [realPass(), ...foreign.flatMap((room) => [placeOf(waiting[room], room) ?? "", passOf(inside[room], room) ?? ""])];
    const lines = [
      ...passCookies.map((value) => cookie(`vestibule-pass.part=${value}`)),
      ...placeCookies.map((value) => cookie(`vestibule.part=${value}`)),
      ...["vestibule-pass.Part", "Vestibule-pass.part", "__Host-vestibule-pass.part", "vestibule-pass.part2", "vestibule-pass"].map(
        (name) => cookie(`${name}=${realPass()}`),
      ),
      `Authorization: Bearer ${realPass()}`,
      `X-Cookie: vestibule-pass.part=${realPass()}`,
      `Set-Cookie: vestibule-pass.part=${realPass()}`,
    ];
    await all(lines, (line) => attack(zone.worker, { lines: [line] }));
    await all([realPass(), realTicket()], (token) =>
      attack(zone.worker, { target: `/checkout?vestibule-pass.part=${token}&pass=${token}`, lines: [] }),
    );
    expect(reached()).toEqual([]);
  });

  test("[TOKEN-3] K5 nor under another algorithm, key or kind", async () => {
    await tryAll("vestibule-pass", [...reheaded(realPass()), ...reheaded(realTicket())]);
    expect(reached()).toEqual([]);
  });

  test("[TOKEN-9][GATE-20] T3 C41 bad and expired cookies beside the good one harm nobody, in any order, on one line or two", async () => {
    const claims = decodeToken(realPass())?.claims;
    if (claims?.kind !== "pass") throw new Error("not a pass");
    const ring = await importKeyRing(TEST_KEYS);
    if (!ring.ok) throw new Error(ring.problem);
    const expired = await signToken(ring.ring, { ...claims, slot: 5_000, iat: claims.iat - 900, exp: claims.iat - 300 });
    const kinds: Readonly<Record<string, string>> = { good: realPass(), bad: `${realPass().slice(0, -4)}AAAA`, expired };
    const threes = Object.keys(kinds).flatMap((a) => Object.keys(kinds).flatMap((b) => Object.keys(kinds).map((c) => [a, b, c])));
    const values = (names: readonly string[]) => names.map((name) => `vestibule-pass.part=${kinds[name]}`);
    const asLines = (names: readonly string[]) => [
      [cookie(...values(names))],
      values(names).map((value) => cookie(value)),
      [cookie("a=1", ...values(names), "b=2")],
    ];
    const [good, none] = [threes.filter((names) => names.includes("good")), threes.filter((names) => !names.includes("good"))];
    const attacks = good.flatMap(asLines);
    await all(attacks, (lines) => attack(zone.worker, { lines }));
    expect(reached()).toHaveLength(attacks.length);
    await all(none.flatMap(asLines), (lines) => attack(zone.worker, { lines }));
    expect(reached()).toEqual([]);
    // Over https only the name that no neighbour can plant counts.
    const https = async (name: string) => {
      const reply = await zone.worker.fetch("https://part.test/checkout", {
        headers: { Cookie: `${name}.part=${kinds["bad"]}; ${name}.part=${kinds["good"]}` },
      });
      return reply.status;
    };
    expect([await https("vestibule-pass"), await https("__Secure-vestibule-pass"), await https("__Host-vestibule-pass")]).toEqual([
      428, 428, 200,
    ]);
  });
});

describe("without cookies", () => {
  /** Calls that the Room has answered or made by itself: each writes one step. */
  async function countCalls(worker: TestWorker, room: string): Promise<() => Promise<number>> {
    await worker.sql(room, "CREATE TABLE calls (n INTEGER)");
    await worker.sql(room, "INSERT INTO calls VALUES (0)");
    await worker.sql(room, "CREATE TRIGGER count_calls AFTER INSERT ON steps BEGIN UPDATE calls SET n = n + 1; END");
    return async () => {
      const [row] = (await worker.sql(room, "SELECT n FROM calls")) as [{ n: number }];
      return row.n;
    };
  }
  const navigation = { Accept: "text/html", "Sec-Fetch-Dest": "document" };
  const stats = async (room: string) => {
    const reply = await send(new URL(`/__vestibule/admin/api/rooms/${room}/stats`, zone.worker.url), {
      headers: { Host: "part.test", Authorization: `Bearer ${zone.worker.adminToken}` },
    });
    return (await reply.json()) as { readonly issued: number; readonly places_leased: number };
  };
  const flood = (host: string, path: string, count: number) =>
    all(
      Array.from({ length: count }, (_, i) => i),
      async (i) => {
        const kind: SendInit[] = [{ headers: navigation }, {}, { method: "POST", body: "x=1" }, { method: "DELETE" }];
        const init = kind[i % kind.length] ?? {};
        const reply = await send(new URL(path, zone.worker.urls[i % 2]), { ...init, headers: { Host: host, ...init.headers } });
        await reply.arrayBuffer();
        return reply.status;
      },
    );

  test("[GATE-13][P12] S1 T1 on a quiet room no more than the leased allowance goes through, and calls are the isolates', not the requests'", async () => {
    const at: number[] = [];
    await warm(zone, "quiet.test");
    const calls = await countCalls(zone.worker, "quiet");
    site.handle((_, response) => {
      at.push(Date.now());
      response.setHeader("Content-Type", "text/html");
      response.end("site");
    });
    const startedAt = Date.now();
    const statuses = await flood("quiet.test", "/shop", 2_000);
    const seconds = (Date.now() - startedAt) / 1_000;
    expect(statuses.filter((status) => status === 200).length).toBe(at.length);
    expect(at.length).toBeGreaterThan(0);
    // A unit is busy for 10 s after its last possible use; one second is left for the way to the site.
    const allowance = Math.floor(QUIET_CAPACITY / 10);
    expect(Math.max(...at.map((from) => at.filter((time) => time >= from && time < from + 9_000).length))).toBeLessThanOrEqual(allowance);
    const made = await calls();
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(2 * (4 + 2 * seconds));
    expect((await stats("quiet")).issued).toBe(0);
  });

  test("[GATE-14][P12] S1 T1 on a busy room nothing goes through, no place is made, and one redirect is all", async () => {
    const before = await stats("part");
    const calls = await countCalls(zone.worker, "part");
    const startedAt = Date.now();
    const statuses = await flood("part.test", "/checkout", 1_000);
    const seconds = (Date.now() - startedAt) / 1_000;
    expect(new Set(statuses)).toEqual(new Set([303, 428, 429]));
    const made = await calls();
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(2 * (4 + 2 * seconds));
    const redirects = await all(Array.from({ length: 100 }), async () => {
      const nobody = visitorOf(zone.worker, "part", { keepsCookies: false });
      const first = await nobody.fetch("/checkout?x=1", { headers: navigation });
      const next = await nobody.fetch(first.headers.get("Location") ?? "", { headers: navigation });
      return `${first.status} ${next.status}`;
    });
    expect(new Set(redirects)).toEqual(new Set(["303 200"]));
    expect(reached()).toEqual([]);
    expect((await stats("part")).issued).toBe(before.issued);
  });
});

describe("by chance", () => {
  const REQUESTS = 1_600;

  test("[GATE-4][URL-6][GATE-14] G1 K1 K2 W5 requests by chance, and damaged ones, get nothing of the site, no fault of ours, and always an end", async () => {
    const seed = Number(process.env["VESTIBULE_FUZZ_SEED"] ?? Date.now() % 1_000_000);
    const random = seeded(seed);
    /** What belongs to a room: of a room for a whole host everything, also what the site would take for one of its pages. */
    const pages = Object.values(busyRooms).map((place) => ({ ...place, host: new URL(`http://${place.host}`).host }));
    const isGated = (received: Received) =>
      pages
        .filter(({ host }) => host === publicHost(received))
        .some((place) => !("path" in place) || servedAs(received.url, place.path.slice(1)).size > 0);
    /** Of a room, since the last look. */
    const newlyReached = () => {
      const gated = site.received.splice(0).filter(isGated);
      return gated.map(({ method, url }) => `${method} ${url}`);
    };
    for (const front of fronts()) {
      const { inside, waiting, worker } = front;
      const names = (Object.keys(busyRooms) as Busy[]).filter((room) => room !== "broken");
      const spoilt = (token = "") => token.slice(0, -5) + (token.at(-5) === "A" ? "B" : "A") + token.slice(-4);
      const words = {
        hosts: pages.map(({ host }) => host).filter((host) => host !== "broken.test"),
        tokens: names.flatMap((room) => [
          placeOf(waiting[room], room) ?? "",
          spoilt(passOf(inside[room], room)),
          spoilt(placeOf(inside[room], room)),
        ]),
        cookies: names.flatMap((room) => [`vestibule.${room}`, `vestibule-pass.${room}`]),
        endpoints: names
          .flatMap((room) =>
            ["status", "join", "claim", "extend", "continue", "wait", "manifest", "door", "draws/1"].map(
              (end) => `/__vestibule/rooms/${room}/${end}`,
            ),
          )
          .concat("/__vestibule/check?to=/checkout", "/__vestibule/admin/api/rooms", "/__vestibule/health", "/__vestibule/assets/x"),
      };
      const requests = Array.from({ length: REQUESTS / 2 }, () => randomRequest(random, words));
      let answered = 0;
      await all(requests, async (request) => {
        const reply = await hurl(worker.url, request, 20_000);
        const text = reply === "hangs" ? reply : reply.toString("latin1");
        const said = `seed ${seed}\n${request.toString("latin1")}\n→ ${text}`;
        expect(text, said).not.toBe("hangs");
        for (const [head, status] of text.matchAll(/HTTP\/1\.1 (\d{3})[\s\S]*?(?=HTTP\/1\.1 |$)/g)) {
          answered++;
          // 503 is our word for who only looks ahead, and a broken body to a page that no room protects is a 502, which a HEAD tells without words.
          const isHead = status === "502" && request.toString("latin1").startsWith("HEAD ");
          const isSites = head.includes('"code":"origin-') || head.includes("<title>The site is not answering</title>") || isHead;
          const isMeant = Number(status) < 500 || status === "503" || isSites;
          if (/^Cache-Control: private, no-store/im.test(head)) expect(isMeant, said).toBe(true);
        }
        expect(newlyReached(), said).toEqual([]);
      });
      // Most were requests to us, not noise for the platform.
      expect(answered).toBeGreaterThan(REQUESTS / 4);
      // Hosts that are no hosts, and CONNECT, workerd refuses with noise of its own.
      expect(
        worker.logs.filter(({ message }) => message.includes("gate-failed")),
        `seed ${seed}`,
      ).toEqual([]);
      expect(newlyReached(), `seed ${seed}`).toEqual([]);
      await attack(worker, { lines: [passLine(front, "part")] });
      expect(reached()).toEqual(["GET /checkout"]);
    }
  });
});

describe("with a Room that fails", () => {
  test("[GATE-4][P11] G12 nobody gets in who holds no pass, and people inside go on", async () => {
    for (const front of fronts()) {
      await front.worker.sql("broken", "DROP TABLE steps");
      const ticket = placeOf(front.waiting.broken, "broken");
      for (let i = 0; i < 3; i++) {
        const lines = [[], [cookie(`vestibule.broken=${ticket}`)], [cookie(`vestibule-pass.broken=${ticket}`)], ["Accept: text/html"]];
        await all(lines, (each) => attack(front.worker, { target: "/", host: "broken.test", lines: each }));
      }
      expect(site.received.map(({ url }) => url)).toEqual([]);
      const reply = await attack(front.worker, { target: "/", host: "broken.test", lines: [passLine(front, "broken")] });
      expect([reply.status, site.received.splice(0).length]).toEqual([200, 1]);
    }
  });
});

test("[GATE-4][ADMIN-1] W13 O13 after all of this the log holds nothing of any token, cookie or secret", () => {
  for (const { worker, inside, waiting } of fronts()) {
    const jars = (Object.keys(busyRooms) as Busy[]).flatMap((room) => [inside[room], waiting[room]]);
    const tokens = jars.flatMap(({ setCookieLines }) => setCookieLines.map((line) => /^[^=]+=([^;]+)/.exec(line)?.[1] ?? ""));
    expect(tokens.length).toBeGreaterThan(12);
    // A signature is what makes a token.
    const secrets = [...tokens.map((token) => token.split(".")[2] ?? token), worker.adminToken, TEST_KEYS.split(":")[1] ?? ""].filter(
      Boolean,
    );
    // Of a Host that is no host, where chance may put anything, workerd complains before our code is asked.
    const isPlatforms = (line: string) => line.startsWith("Uncaught exception: workerd/") && line.includes("Fetch API cannot load: ");
    const lines = worker.logs.map(({ message }) => message).filter((line) => !isPlatforms(line));
    const told = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
    expect(told).toEqual([]);
    expect(worker.logs.length).toBeGreaterThan(0);
  }
});
