/** `npm start`, in a copy of the project: secrets, refusals, the demo, and that nothing is left behind. */
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { type Finished, freePort, type ProjectCopy, processesWith, testInCopy as test } from "../support/project-copy";

const READY = "Ctrl-C stops everything.";
const SHOP = "Three good things";

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin();
});

afterAll(() => origin.stop());

const secretsFile = (project: ProjectCopy) => join(project.dir, ".dev.vars");

test.for<[string, string[], string]>([
  ["an unknown flag", ["--prot", "9000"], "--prot"],
  ["a stray word", ["9000"], "9000"],
  ["port 0", ["--port", "0"], "--port"],
  ["port 8787.5", ["--port", "8787.5"], "--port"],
  ["a port that is no number", ["--port", "http"], "--port"],
  ["an origin without a scheme", ["--origin", "localhost:3000"], "--origin"],
  ["an origin with a path", ["--origin", "http://localhost:3000/shop"], "--origin"],
  ["an origin that is the room itself", ["--origin", "http://localhost:9000", "--port", "9000"], "--origin"],
  ["an origin with a password", ["--origin", "http://me:secret@localhost:3000"], "--origin"],
])("[PROJECT-7] npm start refuses %s by name", async ([, args, named], { shared: project }) => {
  const { code, output } = await project.run("start.mjs", args).finished;
  expect({ code, named: output.split("\n")[0] }).toEqual({ code: 2, named: expect.stringContaining(named) });
  expect(existsSync(secretsFile(project))).toBe(false);
});

test("[PROJECT-7] npm start refuses a port that is taken", async ({ shared: project }) => {
  const { code, output } = await project.run("start.mjs", ["--port", String(origin.port)]).finished;
  expect(code).toBe(1);
  expect(output).toContain(`Port ${origin.port} is taken`);
  expect(existsSync(secretsFile(project))).toBe(false);
});

test("[PROJECT-6] [PROJECT-8] [PROJECT-9] the demo: secrets, a first visitor inside, a second in line, the admin API, a clean end", async ({
  project,
}) => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const mark = randomUUID();
  let ended: Finished;
  const demo = project.run("start.mjs", ["--port", String(port)], { VESTIBULE_TEST_MARK: mark });
  try {
    await demo.says(READY);
    expect((await stat(secretsFile(project))).mode & 0o777).toBe(0o600);
    const secrets = await readFile(secretsFile(project), "utf8");
    const token = /^ADMIN_TOKEN="([\w-]{43})"$/m.exec(secrets)?.[1];
    expect(secrets).toMatch(/^VESTIBULE_KEYS="k1:[\w-]{43}"$/m);

    const first = new Visitor(base);
    const page = await first.navigate("/");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(SHOP);

    const second = new Visitor(base);
    const line = await second.navigate("/");
    expect(line.status).toBe(200);
    expect(await line.text()).not.toContain(SHOP);

    const api = await second.fetch("/__vestibule/admin/api/rooms", { headers: { Authorization: `Bearer ${token}` } });
    expect(await api.json()).toMatchObject({ rooms: [{ room: "demo" }] });
    const stranger = await second.fetch("/__vestibule/admin/api/rooms");
    expect(stranger.status).toBe(401);
  } finally {
    ended = await demo.end("SIGTERM");
  }
  expect(ended.code).toBe(0);
  const printed = ended.output;
  for (const [, secret] of (await readFile(secretsFile(project), "utf8")).matchAll(/"(?:k1:)?([\w-]{43})"/g))
    expect(printed).not.toContain(secret);
  expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
  await expect(new Visitor(base).fetch("/")).rejects.toThrow("ECONNREFUSED");
});

test("[PROJECT-6] [PROJECT-8] any local site: existing secrets are kept, Ctrl-C ends everything", async ({ project }) => {
  const before = `VESTIBULE_KEYS="mine:${randomBytes(32).toString("base64url")}"\nADMIN_TOKEN="${randomBytes(32).toString("base64url")}"\n`;
  await writeFile(secretsFile(project), before);
  const port = await freePort();
  const mark = randomUUID();
  let ended: Finished;
  const running = project.run("start.mjs", ["--origin", origin.url, "--port", String(port)], { VESTIBULE_TEST_MARK: mark });
  try {
    await running.says(READY);
    const page = await new Visitor(`http://127.0.0.1:${port}`).navigate("/hello");
    expect(await page.text()).toContain("origin GET /hello");
  } finally {
    ended = await running.end("SIGINT");
  }
  expect(ended.code).toBe(0);
  expect(await readFile(secretsFile(project), "utf8")).toBe(before);
  expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
});

test("[PROJECT-8] ended by a signal to npm, which does not pass it on: nothing is left behind", async ({ project }) => {
  const port = await freePort();
  const mark = randomUUID();
  const running = project.npm(["start", "--", "--origin", origin.url, "--port", String(port)], { VESTIBULE_TEST_MARK: mark });
  try {
    await running.says(READY);
  } finally {
    await running.end("SIGTERM");
  }
  expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
});
