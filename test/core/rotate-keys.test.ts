/** `npm run rotate-keys`: its steps with a wrangler of our own, and its order against Workers that hear of each step at different times. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as rotation from "../../scripts/lib/key-rotation.mjs";
import { decimalOf, numberOf } from "../../scripts/lib/number-option.mjs";
import { type RotateOptions, rotate } from "../../scripts/lib/rotate-steps.mjs";
import { parseRooms } from "../../src/core/settings";
import { TOKEN_MAX_LIFE_S } from "../../src/core/token";
import { importKeyRing, type KeyRing, signToken, subjectKey } from "../../src/keys";
import { verifyToken } from "../../src/token-checks";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 29, 10);
const newKey = () => randomBytes(32).toString("base64url");

const rings = new Map<string, KeyRing>();

async function ringOf(text: string): Promise<KeyRing> {
  const known = rings.get(text);
  if (known !== undefined) return known;
  const imported = await importKeyRing(text);
  if (!imported.ok) throw new Error(imported.problem);
  rings.set(text, imported.ring);
  return imported.ring;
}

test("[KEYS-1] the numbers of a command line are digits: what Number makes of anything else nobody has asked for", () => {
  const read = (text: string) => numberOf({ days: text }, "days", 20, 0, 1_000);
  expect([numberOf({}, "days", 20, 0, 1_000), read("0"), read("1000")]).toEqual([20, 0, 1_000]);
  for (const text of ["", " ", "Infinity", "NaN", "-1", "0x10", "1e2", "1_0", "1.5", " 5", "5h", "1001"])
    expect(() => read(text)).toThrow(`--days must be a whole number from 0 to 1000, not "${text}"`);
  expect(["1.5", "24", "-3"].map(decimalOf)).toEqual([1.5, 24, -3]);
  for (const text of ["", "Infinity", "NaN", "0x10", "1e2", "1.", ".5"]) expect(decimalOf(text)).toBeNaN();
});

describe("the command", () => {
  let root: string;
  let now: number;
  let said: string;
  let exitCode: number;
  /** What wrangler was handed, and how. */
  let handed: { args: string[]; keys: string; mode: number }[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "vestibule-rotate-"));
    [now, said, exitCode, handed] = [START, "", 0, []];
    writeFileSync(
      join(root, "wrangler.toml"),
      'name = "x"\n[vars.ROOMS.shop]\nhost = "shop.example.com"\ntotal_active_users = 5\nnew_users_per_minute = 5\n',
    );
    writeFileSync(join(root, ".dev.vars"), `# mine\nVESTIBULE_KEYS="k1:${newKey()}"\nADMIN_TOKEN="token of mine"\n`, { mode: 0o644 });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const say = (text: string) => {
    said += `${text}\n`;
  };
  const world = () => ({
    root,
    readers: { importKeyRing, parseRooms },
    wrangler: async (args: string[]) => {
      const file = args[2] ?? "";
      const keys = (JSON.parse(readFileSync(file, "utf8")) as { VESTIBULE_KEYS: string }).VESTIBULE_KEYS;
      handed.push({ args: args.slice(0, 2), keys, mode: statSync(file).mode & 0o777 });
      return exitCode;
    },
    now: () => now,
    newKey,
    say,
    complain: say,
  });
  const run = (options: Partial<RotateOptions> = {}) => rotate({ lifeHours: 24, abort: false, dryRun: false, ...options }, world());
  const textOf = (file = ".dev.vars") => readFileSync(join(root, file), "utf8");
  const ringIn = (file?: string) => /k\d+:[^"\n]*/.exec(textOf(file))?.[0] ?? "";
  /** `k2 k1:next` */
  const shape = (file?: string) =>
    rotation
      .parseRing(ringIn(file))
      .map(({ kid, mark }) => (mark === undefined ? kid : `${kid}:${mark}`))
      .join(" ");
  const production = () => {
    writeFileSync(join(root, "production.secrets"), `VESTIBULE_KEYS=k4:${newKey()}\nADMIN_TOKEN=token\n`);
    return { secretsFile: join(root, "production.secrets") };
  };

  test("[KEYS-1] K9 leads through publish, sign and retire, and each time says what comes next; the rest of the file stays", async () => {
    const old = ringIn();
    expect(await run()).toBe(0);
    expect(shape()).toBe("k1 k2:next");
    expect(await run()).toBe(0);
    expect(shape()).toBe("k2 k1");
    expect(await run()).toBe(0);
    expect(shape()).toBe("k2 k1");
    expect(said).toContain("Come back in 24 hours, at 2026-11-30T10:00:00.000Z or later");
    now += 24 * HOUR - 1;
    await run();
    expect(shape()).toBe("k2 k1");
    now += 1;
    expect(await run()).toBe(0);
    expect(shape()).toBe("k2");
    expect(said).toContain("k1 is the oldest key. With it go the reference codes");
    expect(textOf()).toMatch(/^# mine\nVESTIBULE_KEYS="k2:[\w-]{43}"\nADMIN_TOKEN="token of mine"\n$/);
    // The next one never takes a name again.
    await run();
    expect(shape()).toBe("k2 k3:next");
    expect(handed).toEqual([]);
    for (const secret of [old, ...rotation.parseRing(ringIn()).map(({ key }) => key)]) expect(said).not.toContain(secret);
    expect(statSync(join(root, ".dev.vars")).mode & 0o777).toBe(0o600);
    expect(readdirSync(root).sort()).toEqual([".dev.vars", ".dev.vars.rotation", "wrangler.toml"]);
    expect(textOf(".dev.vars.rotation")).not.toMatch(/[\w-]{43}/);
  });

  test("[KEYS-2] K9 a wrangler that cannot be run leaves the ring to be handed over again, and that is said", async () => {
    const options = { lifeHours: 24, abort: false, dryRun: false, ...production() };
    const broken = { ...world(), wrangler: () => Promise.reject(new Error("spawn ENOMEM")) };
    expect(await rotate(options, broken)).toBe(1);
    expect(said).toBe(
      `spawn ENOMEM\nNot handed over; the ring in ${options.secretsFile} waits for it. Put right what wrangler says and run this again.\n`,
    );
    expect(shape("production.secrets")).toBe("k4 k5:next");
    await run(options);
    expect(handed.map(({ keys }) => keys)).toEqual([ringIn("production.secrets")]);
  });

  test("[KEYS-1] K9 a deployment is handed each ring whole, in a file of this user alone, and waits until every Worker has it", async () => {
    const options = production();
    await run(options);
    expect(shape("production.secrets")).toBe("k4 k5:next");
    await run(options);
    expect(shape("production.secrets")).toBe("k4 k5:next");
    expect(said).toContain("k5 signs once every Worker knows it. Come back in 5 minutes");
    now += rotation.SPREAD_MS;
    await run(options);
    expect(shape("production.secrets")).toBe("k5 k4");
    now += 24 * HOUR;
    await run(options);
    // Workers went on signing with the old one until they had heard.
    expect(shape("production.secrets")).toBe("k5 k4");
    now += rotation.SPREAD_MS;
    await run(options);
    expect(shape("production.secrets")).toBe("k5");
    expect(handed.map(({ args, mode }) => [...args, mode])).toEqual(Array(3).fill(["secret", "bulk", 0o600]));
    expect(handed.map(({ keys }) => keys.replace(/:[\w-]{43}/g, ""))).toEqual(["k4,k5:next", "k5,k4", "k5"]);
    expect(handed[2]?.keys).toBe(ringIn("production.secrets"));
    expect(shape()).toBe("k1");
  });

  test("[KEYS-2] what wrangler did not take is handed over again, not gone past, also if the command died in between", async () => {
    const options = production();
    exitCode = 1;
    expect(await run(options)).toBe(1);
    expect(said).toContain("Not handed over");
    const published = ringIn("production.secrets");
    now += 24 * HOUR;
    exitCode = 0;
    expect(await run(options)).toBe(0);
    expect(handed.map(({ keys }) => keys)).toEqual([published, published, ringIn("production.secrets")]);
    expect(shape("production.secrets")).toBe("k5 k4");
    // The record is lost: everything counts from now.
    rmSync(join(root, "production.secrets.rotation"));
    now += 10 * HOUR;
    await run(options);
    expect(handed.at(-1)?.keys).toBe(ringIn("production.secrets"));
    now += 15 * HOUR;
    await run(options);
    expect(shape("production.secrets")).toBe("k5 k4");
    now += 10 * HOUR;
    await run(options);
    expect(shape("production.secrets")).toBe("k5");
  });

  test("[KEYS-2] abort takes out a key that never signed, or puts the former one back in front; guests' keys stay", async () => {
    const before = ringIn();
    expect(await run({ abort: true })).toBe(1);
    await run();
    expect(await run({ abort: true })).toBe(0);
    expect(ringIn()).toBe(before);
    await run();
    await run();
    expect(shape()).toBe("k3 k1");
    expect(await run({ abort: true })).toBe(0);
    expect(shape()).toBe("k1 k3:next");
    expect(await subjectKey(await ringOf(ringIn()), "shop", "x")).toBe(await subjectKey(await ringOf(before), "shop", "x"));
    await run();
    expect(shape()).toBe("k1 k3:next");
    now += 24 * HOUR;
    await run();
    expect(ringIn()).toBe(before);
  });

  test("[KEYS-3] a key that may still be in use goes only by name, and one that guests hang on too; the key that signs never", async () => {
    await run();
    await run();
    expect(await run({ retire: "k2" })).toBe(1);
    expect(await run({ retire: "k9" })).toBe(1);
    expect(shape()).toBe("k2 k1");
    writeFileSync(join(root, "wrangler.toml"), `${textOf("wrangler.toml")}entry = "invited"\n`);
    now += 24 * HOUR;
    expect(await run()).toBe(1);
    expect(shape()).toBe("k2 k1");
    expect(said).toContain("Rooms of wrangler.toml that ask: shop");
    expect(said).toContain("--retire k1 does it all the same");
    expect(await run({ retire: "k1", dryRun: true })).toBe(0);
    expect(shape()).toBe("k2 k1");
    expect(await run({ retire: "k1" })).toBe(0);
    expect(shape()).toBe("k2");
    await run();
    await run();
    said = "";
    expect(await run({ retire: "k2" })).toBe(0);
    expect(said).toContain("Tokens made with k2 may still be in use");
  });

  test("[KEYS-2] a file that names the ring twice is left alone: the new key would be in the line that is not read", async () => {
    const options = production();
    const text = `VESTIBULE_KEYS=k3:${newKey()}\n${textOf("production.secrets")}`;
    writeFileSync(options.secretsFile, text);
    await expect(run(options)).rejects.toThrow("more than one line of VESTIBULE_KEYS");
    expect([textOf("production.secrets"), handed, existsSync(`${options.secretsFile}.rotation`)]).toEqual([text, [], false]);
  });

  test("[KEYS-2] a dry run changes nothing and hands nothing over; a bad ring is refused without being shown", async () => {
    const before = textOf();
    expect(await run({ dryRun: true })).toBe(0);
    expect(said).toContain("Next: publish a new key behind k1");
    expect(textOf()).toBe(before);
    expect(existsSync(join(root, ".dev.vars.rotation"))).toBe(false);
    writeFileSync(join(root, ".dev.vars"), "VESTIBULE_KEYS=k1:hunter2hunter2\n");
    expect(await run()).toBe(1);
    expect(said).toContain("key k1 is not 32 bytes");
    expect(said).not.toContain("hunter2");
    await expect(run({ secretsFile: join(root, "nothing") })).rejects.toThrow("is not there");
    expect(handed).toEqual([]);
  });
});

test("[KEYS-1] the longest life is that of tokens", () => {
  expect(rotation.LONGEST_LIFE_HOURS * 3_600).toBe(TOKEN_MAX_LIFE_S);
});

test("[KEYS-1] K9 whenever the steps are taken, and however late each of three Workers hears of them: no honest token is ever refused", async () => {
  const [lifeMs, spreadMs] = [60_000, 10_000];
  const pass = (iat: number) => ({ kind: "ticket", room: "demo", generation: 1, slot: 1, iat, exp: iat + lifeMs / 1_000 }) as const;
  /** Between two acts, ms; what the operator does; which Worker signs; which token is shown, and to which. */
  const acts = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 15_000 }),
      what: fc.constantFrom("step", "step", "wait", "abort"),
      worker: fc.nat(2),
      which: fc.nat(1_000),
      lagMs: fc.integer({ min: 0, max: spreadMs }),
    }),
    { minLength: 10, maxLength: 60 },
  );
  let [rotations, shown] = [0, 0];
  await fc.assert(
    fc.asyncProperty(acts, async (schedule) => {
      let now = START;
      let ring = rotation.parseRing(`k1:${newKey()}`);
      let record = rotation.completed(null, ring, now);
      /** What each Worker will know from when on. */
      const heard = [0, 1, 2].map(() => [{ from: 0, ring: rotation.formatRing(ring) }]);
      const tokens: { token: string; until: number }[] = [];
      const knows = (worker: number) => ringOf(heard[worker]?.findLast(({ from }) => from <= now)?.ring ?? "");
      const turn = (to: rotation.Turned, lags: readonly number[]) => {
        ({ ring, record } = { ring: to.ring, record: { ...to.record, handedOver: true } });
        // What is handed over later overtakes nothing.
        for (const [i, own] of heard.entries()) {
          const from = Math.max(now + (lags[i] ?? 0), own.at(-1)?.from ?? 0);
          own.push({ from, ring: rotation.formatRing(ring) });
        }
      };
      const oldest = await subjectKey(await ringOf(rotation.formatRing(ring)), "demo", "ada");
      for (const { afterMs, what, worker, which, lagMs } of schedule) {
        now += afterMs;
        const nowS = Math.floor(now / 1_000);
        const lags = [lagMs, (lagMs * 7) % (spreadMs + 1), spreadMs - lagMs];
        if (what === "step") {
          const step = rotation.nextStep(ring, record, { now, lifeMs, spreadMs });
          if (step.do === "publish") turn(rotation.published(ring, record, newKey(), now), lags);
          if (step.do === "sign") turn(rotation.signingWith(ring, record, step.kid, now), lags);
          if (step.do === "retire") turn(rotation.retired(ring, record, step.kid), lags);
          if (step.do === "retire") rotations += 1;
        } else if (what === "abort" && which % 4 === 0) {
          const back = rotation.aborted(ring, record, now);
          if (back !== null) turn(back, lags);
        }
        // Somebody gets a token here, and somebody shows one there.
        tokens.push({ token: await signToken(await knows(worker), pass(nowS)), until: nowS * 1_000 + lifeMs });
        const good = tokens.filter(({ until }) => nowS * 1_000 < until);
        for (const { token } of [good.at(-1), good[which % good.length]].flatMap((one) => one ?? [])) {
          for (const reader of [0, 1, 2]) {
            shown += 1;
            expect((await verifyToken(await knows(reader), "ticket", token, nowS)).as).toBe("valid");
          }
        }
        if (ring.some(({ kid }) => kid === "k1")) expect(await subjectKey(await knows(worker), "demo", "ada")).toBe(oldest);
      }
    }),
    { numRuns: 200 },
  );
  expect(rotations).toBeGreaterThan(5);
  expect(shown).toBeGreaterThan(1_000);
});
