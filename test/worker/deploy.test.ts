/** The deploy commands as an operator runs them, in a copy of the project, with the real wrangler and nothing uploaded. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { withRoutes } from "../../scripts/lib/deploy-toml.mjs";
import { type ProjectCopy, testInCopy as test } from "../support/project-copy";

/** The build of the tests' own bundle silences wrangler. */
const environment = { WRANGLER_LOG: "log" };

const tomlOf = (project: ProjectCopy) => readFileSync(join(project.dir, "wrangler.toml"), "utf8");

test("[DEPLOY-4] deploy:first --dry-run shows the routes and the room, wrangler builds it, and nothing is written", async ({ project }) => {
  const before = tomlOf(project);
  const { code, output } = await project.run("deploy-first.mjs", ["--route", "shop.example.com/checkout/*", "--dry-run"], environment)
    .finished;
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("--dry-run: exiting now.") });
  for (const words of ['"shop.example.com/checkout*",', '"shop.example.com/__vestibule/*",', "workers_dev = false", "env.ROOM (Room)"]) {
    expect(output).toContain(words);
  }
  expect(tomlOf(project)).toBe(before);
  expect(readdirSync(project.dir).filter((name) => name.startsWith("wrangler."))).toEqual(["wrangler.toml"]);
});

test("[DEPLOY-2] deploy refuses the shipped file, which has no routes", async ({ shared: project }) => {
  const { code, output } = await project.run("deploy.mjs", ["--dry-run"]).finished;
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("There are no routes") });
});

test("[KEYS-1] K9 rotate-keys publishes a key in .dev.vars, then signs with it", async ({ project }) => {
  const file = join(project.dir, ".dev.vars");
  writeFileSync(file, `VESTIBULE_KEYS="k1:${randomBytes(32).toString("base64url")}"\n`);
  for (const shape of [/^VESTIBULE_KEYS="k1:[\w-]{43},k2:[\w-]{43}:next"\n$/, /^VESTIBULE_KEYS="k2:[\w-]{43},k1:[\w-]{43}"\n$/]) {
    expect((await project.run("rotate-keys.mjs", []).finished).code).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(shape);
  }
});

test("[DOCTOR-1] doctor ends with 1 over the shipped file and with 0 over one that can be deployed, and shows no secret", async ({
  project,
}) => {
  const before = tomlOf(project);
  const key = randomBytes(32).toString("base64url");
  writeFileSync(join(project.dir, ".dev.vars"), `VESTIBULE_KEYS="k1:${key}"\nADMIN_TOKEN="${key}"\n`);
  const shipped = await project.run("doctor.mjs", ["--json"]).finished;
  expect({ code: shipped.code, ...JSON.parse(shipped.output) }).toMatchObject({ code: 1, url: null, ok: false });
  expect(shipped.output).toContain("There are no routes");
  const room = '[vars.ROOMS.shop]\nhost = "shop.example.com"\ntotal_active_users = 5\nnew_users_per_minute = 5\n';
  writeFileSync(join(project.dir, "wrangler.toml"), `${withRoutes(before, ["shop.example.com/*"])}\n${room}`);
  const good = await project.run("doctor.mjs", []).finished;
  writeFileSync(join(project.dir, "wrangler.toml"), before);
  expect(good).toEqual({ code: 0, output: expect.stringMatching(/^note: [\s\S]*\n0 problems, \d other remarks\.\n$/) });
  expect(shipped.output + good.output).not.toContain(key);
});

test.for<[string, string[], string]>([
  ["deploy-first.mjs", ["--rout", "a.example/*"], "--rout"],
  ["deploy-first.mjs", ["--route", "a.example/*", "--total-active-users", "many"], "--total-active-users must be a number"],
  ["deploy.mjs", ["--force"], "--force"],
  ["deploy-first.mjs", ["--route", "a.example/*", "--new-users-per-minute", "0x10"], "--new-users-per-minute must be a number"],
  ["rotate-keys.mjs", ["--life-hours", "soon"], "--life-hours must be a number"],
  ["rotate-keys.mjs", ["--life-hours", "Infinity"], "--life-hours must be a number from 1 to 9600"],
  ["rotate-keys.mjs", ["--life-hours", "1e300"], "--life-hours must be a number from 1 to 9600"],
  ["doctor.mjs", ["--jason"], "--jason"],
  ["doctor.mjs", ["shop.example.com"], "shop.example.com must be an address with https://"],
  ["doctor.mjs", ["https://user:pass@shop.example.com/"], "must not hold a user name"],
  ["doctor.mjs", ["https://a.example/", "https://b.example/"], "one address at a time"],
])("[DEPLOY-2] [DOCTOR-1] %s %j is refused by name, with how to call it", async ([script, args, named], { shared: project }) => {
  const { code, output } = await project.run(script, args).finished;
  expect(code).toBe(2);
  expect(output.split("\n")[0]).toContain(named);
  const command = { "rotate-keys.mjs": "rotate-keys", "doctor.mjs": "doctor" }[script] ?? "deploy";
  expect(output).toContain(`npm run ${command}`);
});
