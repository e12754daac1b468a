/**
 * Requests by chance for a gate: put together from what attacks are made of, then damaged octet by octet. The same seed makes the same
 * requests. Pure, but for `hurl`, which sends one and waits for its end.
 */
import { connect } from "node:net";
import { foreignHeaders, hostsOf, methods, ownHeaders, targets } from "./attack-forms";

export interface FuzzWords {
  readonly hosts: readonly string[];
  /** Tokens that open nothing, whole and damaged. */
  readonly tokens: readonly string[];
  /** Names of cookies that would carry them. */
  readonly cookies: readonly string[];
  /** Our own endpoints. */
  readonly endpoints: readonly string[];
}

const PIECES =
  "/ // . .. %2e %2f %5c %00 %25 ; ? # & = \\ a checkout CHECKOUT __vestibule rooms x é \xc3\xa9 \xff \x01 %c3%a9 http: :80 @".split(" ");
const VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1", ""];
const TYPES = ["application/x-www-form-urlencoded", "application/json", "text/plain", "multipart/form-data; boundary=x", "\xff"];
const EXTRA = [
  "Accept: text/html",
  "Sec-Fetch-Dest: document",
  "Sec-Fetch-Site: same-origin",
  "Sec-Fetch-Site: cross-site",
  "Origin: null",
  "Transfer-Encoding: chunked",
  "Content-Length: 5",
  "Content-Length: 99999999999999999999",
  "Expect: 100-continue",
  "Range: bytes=0-1",
  "If-None-Match: *",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Authorization: Basic eDp5",
  "Vestibule-Invitation: x.y.z",
];

/** One raw request, Latin-1. `random`: numbers in [0, 1). */
export function randomRequest(random: () => number, words: FuzzWords): Buffer {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const some = <T>(most: number, make: () => T) => Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const token = () => {
    const whole = pick(words.tokens);
    return random() < 0.5 ? whole : damaged(Buffer.from(whole, "latin1"), random).toString("latin1");
  };
  const path = () => `/${some(8, () => pick(PIECES)).join("")}`;
  const target = pick([
    path,
    path,
    () => pick(pick(Object.values(targets)) ?? []),
    () => pick(words.endpoints),
    () => `/checkout${path()}`,
  ])();
  const host = random() < 0.8 ? pick(words.hosts) : pick(hostsOf(pick(words.hosts)));
  const lines = [
    ...some(3, () => pick([ownHeaders, foreignHeaders, EXTRA, EXTRA].map((list) => pick(list)))),
    ...some(2, () => `Cookie: ${some(9, () => `${pick(words.cookies)}=${token()}`).join(pick(["; ", ";", ",", ", ", " "]))}`),
    ...some(1, () => `Authorization: Bearer ${token()}`),
  ];
  const body = random() < 0.3 ? some(40, () => String.fromCharCode(Math.floor(random() * 256))).join("") : "";
  const about = body === "" ? [] : [`Content-Type: ${pick(TYPES)}`, `Content-Length: ${body.length}`];
  const method = random() < 0.6 ? pick(["GET", "GET", "POST", "HEAD"]) : pick(methods);
  const head = [
    `${method} ${target} ${pick(VERSIONS)}`,
    `Host: ${host}`,
    ...lines,
    ...about,
    ...(random() < 0.8 ? ["Connection: close"] : []),
  ];
  const request = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "latin1");
  return random() < 0.5 ? request : damaged(request, random);
}

/** One to four octets or stretches of it flipped, put in, taken out, said twice; or the end is lost. */
export function damaged(bytes: Buffer, random: () => number): Buffer {
  let now = bytes;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const at = Math.floor(random() * (now.length + 1));
    const to = Math.min(now.length, at + 1 + Math.floor(random() * 12));
    const octet = Buffer.from([
      random() < 0.3 ? ([0, 9, 10, 13, 32, 37, 47, 255][Math.floor(random() * 8)] ?? 0) : Math.floor(random() * 256),
    ]);
    const parts = [
      [now.subarray(0, at), octet, now.subarray(at + 1)],
      [now.subarray(0, at), octet, now.subarray(at)],
      [now.subarray(0, at), now.subarray(to)],
      [now.subarray(0, to), now.subarray(at)],
      [now.subarray(0, random() < 0.2 ? at : now.length)],
    ][Math.floor(random() * 5)];
    now = Buffer.concat(parts ?? [now]);
  }
  return now;
}

/** So long without a word from the other side, and we say that nothing more will come, ms. */
const SILENCE_MS = 120;

/** Sends it and hangs up once nothing more is said. Resolves with all that came, or "hangs": not even then did the other side let go. */
export function hurl(url: URL, bytes: Buffer, patienceMs: number): Promise<Buffer | "hangs"> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    let isOver = false;
    const silent = () => {
      if (isOver) {
        socket.destroy();
        resolve("hangs");
        return;
      }
      isOver = true;
      socket.end();
      socket.setTimeout(patienceMs, silent);
    };
    socket.setTimeout(SILENCE_MS, silent);
    socket.on("data", (part) => parts.push(part));
    // A connection that is reset is an answer too.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(parts)));
  });
}
