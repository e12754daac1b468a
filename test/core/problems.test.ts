/** Every refusal that a client can meet: its code, its status and whether it says when to ask again, against the table of docs/api-clients.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { StatusReason, VisitorState } from "../../src/core/status";
import { jsonAnswer } from "../../src/gate/answer";
import { problem } from "../../src/http/replies";
import { status } from "../support/page-states";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** `code status Retry-After`, as a row of the table says it. */
const line = (code: string, status: number | string, waits: boolean) => `${code} ${status} ${waits ? "yes" : "no"}`;

const listed = [...read("docs/api-clients.md").matchAll(/^\| (`[^|]+) \| ([\d, ]+) \| (yes|no) \|/gm)].flatMap(
  ([, codes = "", statuses = "", waits]) =>
    [...codes.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => statuses.split(", ").map((each) => line(code, each, waits === "yes"))),
);

/** The members of a union of string literals in src/core/status.ts. */
function unionOf(name: string): string[] {
  const source = read("src/core/status.ts");
  const declared = new RegExp(`export (?:type|const) ${name} =([^;]+);`).exec(source)?.[1] ?? "";
  return [...declared.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
}

/** What is said of every state with every reason. */
async function ofPlaces(): Promise<string[]> {
  const states = unionOf("VisitorState").filter((state) => state !== "inside") as VisitorState[];
  const reasons = [...unionOf("StatusReason"), ...unionOf("DOOR_REASONS"), null] as (StatusReason | null)[];
  expect([states.length > 10, reasons.length > 30]).toEqual([true, true]);
  const all = states.flatMap((state) => reasons.map((reason) => jsonAnswer(status({ state, reason }))));
  return Promise.all(
    all.map(async (reply) => {
      const body = (await reply.json()) as { code: string; status: number };
      expect([reply.headers.get("Content-Type"), body.status]).toEqual(["application/problem+json", reply.status]);
      return line(body.code, reply.status, reply.headers.has("Retry-After"));
    }),
  );
}

/** What is said of requests: every problem that the sources make, without the operator's and the staff's. */
function ofRequests(): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const clients = files.filter((file) => file.endsWith(".ts") && !/routes\/(?:admin|staff)/.test(file));
  const source = clients.map((file) => read(`src/${file}`)).join("\n");
  const made = [...source.matchAll(/\b(?:problem|trouble)\(\s*(?:request, )?(\d{3}|status),\s*"([a-z-]+)"/g)];
  // Those whose status is worked out.
  const statuses: Record<string, number[]> = { busy: [429, 503], "origin-timeout": [504], "origin-unreachable": [502] };
  return made.flatMap(([, given = "", code = ""]) =>
    (given === "status" ? (statuses[code] ?? []) : [Number(given)]).map((each) =>
      line(code, each, problem(each, code, "").headers.has("Retry-After")),
    ),
  );
}

describe("docs/api-clients.md", () => {
  test("[APP-3] [DOCS-4] lists every code that a client can meet, with its status and whether it says when to ask again", async () => {
    const made = new Set([...(await ofPlaces()), ...ofRequests()]);
    expect(made.size).toBeGreaterThan(30);
    expect(listed.toSorted()).toEqual([...made].toSorted());
  });

  test("[APP-3] no refusal that time alone ends is without Retry-After", () => {
    const statuses = Array.from({ length: 200 }, (_, i) => 400 + i);
    const waits = statuses.filter((each) => problem(each, "x", "").headers.has("Retry-After"));
    expect(waits).toEqual([429, 502, 503, 504]);
    expect(problem(429, "x", "", { retryAfterS: 7 }).headers.get("Retry-After")).toBe("7");
    expect([...new Set(listed)].filter((each) => /^[a-z-]+ (?:428|429|502|503|504) no$/.test(each))).toEqual([]);
  });
});
