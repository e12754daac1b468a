/** Variables and secrets: nothing is served unless every one of them is right. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DRAND_APIS, readDrandUrl } from "../../src/core/drand";
import { configOf, type Env } from "../../src/env";

const room = { host: "shop.example.com", total_active_users: 10, new_users_per_minute: 60 };
const key = "q1LMaQ2u2TvkjVLGX3tLd0ba6HJ3rLdd5Jb0UPBs8rE";
const token = "Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u";
const good = { ROOMS: { shop: room }, VESTIBULE_KEYS: `k1:${key}`, ADMIN_TOKEN: token };

const envOf = (changes: object): Env => ({ ...good, ...changes }) as unknown as Env;

async function problemsOf(changes: object) {
  const result = await configOf(envOf(changes));
  return result.ok ? [] : result.problems;
}

async function configWith(changes: object) {
  const result = await configOf(envOf(changes));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

describe("configuration", () => {
  test("[SET-9] rooms, keys and token are enough", async () => {
    const config = await configWith({});
    expect(config).toMatchObject({ passHosts: [], origin: null, adminToken: token });
    expect([...config.rooms.keys()]).toEqual(["shop"]);
    expect(config.table.hosts.has("shop.example.com")).toBe(true);
    expect((await configWith({ ROOMS: JSON.stringify({ shop: room }) })).rooms.get("shop")?.settings).toEqual(
      config.rooms.get("shop")?.settings,
    );
  });

  test("[SET-9] the configuration is read once for one env, and again for another", async () => {
    const env = envOf({});
    const [first, second] = [await configOf(env), await configOf(env)];
    expect(second).toBe(first);
    expect(await configOf(envOf({}))).not.toBe(first);
  });

  test("[AWS-4] [SET-9] a room with aws_event_id needs AWS_TOKEN_KEY, and no problem shows it", async () => {
    const key = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const ROOMS = { shop: { ...room, aws_event_id: "Sale" } };
    expect((await configWith({ ROOMS, AWS_TOKEN_KEY: key })).awsKey?.jwk).toMatchObject({ kty: "RSA", alg: "RS256" });
    expect((await configWith({})).awsKey).toBeNull();
    expect(await problemsOf({ ROOMS })).toMatchObject([{ setting: "AWS_TOKEN_KEY", problem: expect.stringContaining("shop") }]);
    const secret = "MIIEvQ-not-a-key";
    for (const bad of [secret, 7]) expect(await problemsOf({ AWS_TOKEN_KEY: bad })).toMatchObject([{ setting: "AWS_TOKEN_KEY" }]);
    expect(JSON.stringify(await problemsOf({ ROOMS, AWS_TOKEN_KEY: secret }))).not.toContain(secret);
  });

  test("[SET-9] a room whose log-in shares a key needs one in IDENTITY_KEYS, and no problem shows it", async () => {
    const identified = { ...room, entry: "identified", identity_cookie: "s", identity_issuer: "i", identity_audience: "a" };
    const shared = "xK8vQ2mZ5rT1wY7uB4nE9cL3sD6fG0hJ";
    const of = (IDENTITY_KEYS: unknown, more: object = {}) => problemsOf({ ROOMS: { shop: { ...identified, ...more } }, IDENTITY_KEYS });
    expect(await of(`shop:${shared}`)).toEqual([]);
    expect(await of(undefined, { identity_jwks_url: "https://login.example.com/jwks" })).toEqual([]);
    for (const bad of [undefined, "", `other:${shared}`, shared, "shop:short", `shop:${"a".repeat(40)}`, `shop:change-me-${shared}`]) {
      const problems = await of(bad);
      expect([bad, problems.map(({ setting }) => setting)]).toEqual([bad, expect.arrayContaining(["IDENTITY_KEYS"])]);
      expect(JSON.stringify(problems)).not.toContain(shared);
    }
    const times = { event_start_time: "2026-11-29T10:00:00Z", event_end_time: "2026-11-29T12:00:00Z" };
    const events = [{ name: "drop", ...times, entry: "identified", cancelled: null as string | null }];
    const { entry: _, ...asked } = identified;
    const during = (over: object) => problemsOf({ ROOMS: { shop: { ...asked, events: [{ ...events[0], ...over }] } } });
    expect(await during({})).toMatchObject([{ setting: "IDENTITY_KEYS", problem: expect.stringContaining("events.drop.entry") }]);
    expect(await during({ cancelled: "off" })).toEqual([]);
    expect(await during({ identity_jwks_url: "https://login.example.com/jwks" })).toEqual([]);
    const config = await configWith({
      ROOMS: { shop: identified },
      IDENTITY_KEYS: `shop:${shared}, shop:${[...shared].reverse().join("")}`,
    });
    expect(config.identityKeys.get("shop")?.map((one) => new TextDecoder().decode(one))).toEqual([shared, [...shared].reverse().join("")]);
  });

  test("[SET-9] problems of all variables are reported at once, and none shows a secret", async () => {
    const weak = "hunter2-hunter2";
    const problems = await problemsOf({
      ROOMS: { shop: { ...room, max_calls: 0 } },
      PASS_HOSTS: 7,
      ORIGIN: "localhost:3000",
      VESTIBULE_KEYS: weak,
      ADMIN_TOKEN: weak,
    });
    expect(problems.map((one) => one.setting)).toEqual(["ROOMS.shop.max_calls", "PASS_HOSTS", "ORIGIN", "VESTIBULE_KEYS", "ADMIN_TOKEN"]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  test.each([
    [undefined, "is not set"],
    ["", "is not set"],
    [7, "is not set"],
    ["x".repeat(31), "shorter than 32"],
    ["Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6", "shorter than 32"],
    ["a".repeat(64), "can be guessed"],
    ["abcabcabc".repeat(6), "can be guessed"],
    ["replace-me-with-32-random-characters", "is a sample"],
    ["change_me-Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u", "is a sample"],
    ["Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u\n", "line breaks"],
    ["Vd7kQz0pXw3hTn5y Rb1cLs8mGf2jAe6u", "blanks"],
  ])("[SET-9] ADMIN_TOKEN %j is refused", async (value, words) => {
    expect(await problemsOf({ ADMIN_TOKEN: value })).toEqual([{ setting: "ADMIN_TOKEN", problem: expect.stringContaining(words) }]);
  });

  test("[SET-9] REHEARSAL_TOKEN may be absent; a short one, a sample and ADMIN_TOKEN itself are refused, and none is shown", async () => {
    const rehearsal = [...token].reverse().join("");
    expect((await configWith({})).rehearsalToken).toBeNull();
    expect((await configWith({ REHEARSAL_TOKEN: rehearsal })).rehearsalToken).toBe(rehearsal);
    for (const bad of [rehearsal.slice(1), "change_me-Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u", token, 7, `${rehearsal} `]) {
      const problems = await problemsOf({ REHEARSAL_TOKEN: bad });
      expect([bad, problems.map(({ setting }) => setting)]).toEqual([bad, ["REHEARSAL_TOKEN"]]);
      expect(problems[0]?.problem).not.toContain(String(bad));
    }
  });

  test.each([undefined, "", "secret", "k1:secret", key, `k1:${"A".repeat(43)}`, 7])(
    "[SET-9] K7 VESTIBULE_KEYS %j is refused",
    async (value) => {
      expect((await problemsOf({ VESTIBULE_KEYS: value })).map((one) => one.setting)).toEqual(["VESTIBULE_KEYS"]);
    },
  );

  test("[SET-9] DRAND_URL is one or more http(s) addresses without path, or absent", async () => {
    expect(readDrandUrl(undefined)).toEqual(DRAND_APIS);
    expect(readDrandUrl("http://127.0.0.1:9000/, https://drand.example.net")).toEqual([
      "http://127.0.0.1:9000",
      "https://drand.example.net",
    ]);
    for (const value of [
      "drand.example.net",
      "ftp://a.example",
      "https://a.example/v2",
      "https://a.example,",
      "https://u:p@a.example",
      7,
    ]) {
      expect(readDrandUrl(value), `${value}`).toBeNull();
      expect(await problemsOf({ DRAND_URL: value })).toEqual([{ setting: "DRAND_URL", problem: expect.stringContaining("without path") }]);
    }
  });

  test("[SET-9] ORIGIN is an http(s) URL without path, or absent", async () => {
    expect((await configWith({ ORIGIN: "http://localhost:3000" })).origin?.href).toBe("http://localhost:3000/");
    expect((await configWith({ ORIGIN: "https://backend.example.net/" })).origin?.host).toBe("backend.example.net");
    expect((await configWith({ ORIGIN: "" })).origin).toBeNull();
  });

  test.each([
    ["localhost:3000", "http:// or https://"],
    ["backend", 'not the text "backend"'],
    ["ftp://backend.example.net", "http:// or https://"],
    ["http://backend.example.net/app", "/app"],
    ["http://backend.example.net/?a", "?a"],
    ["http://user:pw@backend.example.net", "user name"],
    ["https://Shop.example.com", "round in circles"],
    [["http://a"], "a list"],
  ])("[SET-9] W14 ORIGIN %j is refused", async (value, words) => {
    expect(await problemsOf({ ORIGIN: value })).toEqual([{ setting: "ORIGIN", problem: expect.stringContaining(words) }]);
  });

  test("[SET-9] PASS_HOSTS is a list or text with commas", async () => {
    const hosts = ["static.example.com", "img.example.com"];
    expect((await configWith({ PASS_HOSTS: ["STATIC.example.com.", "img.example.com"] })).passHosts).toEqual(hosts);
    expect((await configWith({ PASS_HOSTS: "static.example.com, img.example.com," })).passHosts).toEqual(hosts);
    expect((await configWith({ PASS_HOSTS: "" })).passHosts).toEqual([]);
  });

  test.each([
    [["shop.example.com"], "which a room protects"],
    [["*"], "host name"],
    [["https://static.example.com"], "host name"],
    [[7], "host names"],
    [{ a: 1 }, "a list of hosts"],
  ])("[SET-9] PASS_HOSTS %j is refused", async (value, words) => {
    expect(await problemsOf({ PASS_HOSTS: value })).toEqual([{ setting: "PASS_HOSTS", problem: expect.stringContaining(words) }]);
  });
});
