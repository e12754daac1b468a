/** `npm run crowd` as a command: what it refuses, that it ends, that it finds out a room which breaks its promises. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { now } from "../../scripts/lib/crowd-http.mjs";
import { root } from "../support/bundle";
import { answersOf } from "../support/fake-numbers";
import { type Handler, startOrigin } from "../support/origin";
import { processesWith } from "../support/project-copy";

describe.concurrent("the command", () => {
  interface Run {
    readonly child: ChildProcess;
    readonly finished: Promise<{ readonly code: number | null; readonly output: string }>;
    says(text: string): Promise<void>;
  }

  function crowd(args: readonly string[], mark = ""): Run {
    const env = { ...process.env, VESTIBULE_TEST_MARK: mark, ADMIN_TOKEN: "none" };
    const child = spawn(process.execPath, ["scripts/crowd.mjs", ...args], { cwd: root, env });
    let output = "";
    const said = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        for (const wake of said) wake();
      });
    const finished = once(child, "close").then(([code]: unknown[]) => ({ code: code as number | null, output }));
    return {
      child,
      finished,
      says: (text) =>
        new Promise((resolve, reject) => {
          const look = () => output.includes(text) && resolve();
          said.add(look);
          look();
          void finished.then(() => reject(new Error(`ended without saying "${text}":\n${output}`)));
        }),
    };
  }

  test.each([
    ["another computer", ["--target", "http://shop.example.com/"], '"http://shop.example.com/"'],
    ["an unknown flag", ["--targt", "http://127.0.0.1:1"], "--targt"],
    ["no visitors", ["--visitors", "0"], '"0"'],
    ["too many", ["--visitors", "2001"], '"2001"'],
    ["time without end", ["--seconds", "Infinity"], '"Infinity"'],
    ["a path that is none", ["--target", "http://127.0.0.1:1", "--path", "shop"], '"shop"'],
    ["hostility against another's room", ["--target", "http://127.0.0.1:1", "--hostile", "9"], "--hostile"],
  ])("[CROWD-1] [CROWD-3] refuses %s by name", async (_, args, named) => {
    const { code, output } = await crowd(args).finished;
    expect({ code, named: output.split("\n")[0] }).toEqual({ code: 2, named: expect.stringContaining(named) });
  });

  test("[CROWD-3] where nothing listens, it says so and how to start it", async () => {
    const { code, output } = await crowd(["--target", "http://127.0.0.1:1"]).finished;
    expect([code, output]).toEqual([1, expect.stringContaining("Nothing listens at http://127.0.0.1:1")]);
  });

  test("[CROWD-3] [CROWD-4] alone: starts a room, sends its crowd, prints the table, and leaves nothing running", async () => {
    const mark = randomUUID();
    const { code, output } = await crowd(["--visitors", "6", "--seed", "3"], mark).finished;
    expect(output).toContain("All promises kept.");
    expect(output).toMatch(/^P1 .* kept$/m);
    expect(output).toMatch(/^6 entries, /m);
    expect(code).toBe(0);
    expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
  });

  test("[CROWD-3] interrupted, it judges what there was and stops what it started", async () => {
    const mark = randomUUID();
    const running = crowd(["--visitors", "100"], mark);
    await running.says(" in line ");
    running.child.kill("SIGINT");
    const { output } = await running.finished;
    expect(output).toContain("what was looked at");
    expect(output).not.toContain("BROKEN");
    expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
  });

  test("[CROWD-2] [CROWD-3] who is told to wait asks as told, with cookies of their own, until the time is over", async () => {
    const POLL_MS = 2_000;
    const asked = new Map<string, number[]>();
    const answers = leakyRoom();
    const slow = await startOrigin((request, response, received) => {
      const cookie = received.header("Cookie") ?? "";
      if (request.url === "/__vestibule/rooms/leaky/status") asked.set(cookie, [...(asked.get(cookie) ?? []), now()]);
      else if (request.url !== "/") return answers(request, response, received);
      const status = { state: "waiting", slot: null, ahead: 1, pollAfterMs: POLL_MS, reason: null };
      const isPage = request.url === "/";
      if (isPage) response.setHeader("Set-Cookie", `vestibule.leaky=visitor-${asked.size}-${randomUUID()}; Path=/`);
      response.setHeader("Content-Type", isPage ? "text/html" : "application/json");
      response.end(isPage ? `<script type="application/json" id="data">${JSON.stringify({ status })}</script>` : JSON.stringify(status));
    });
    try {
      const { output } = await crowd(["--target", slow.url, "--visitors", "4", "--seconds", "12", "--seed", "1"]).finished;
      expect(output).toContain("Visitors: 4 waiting");
      expect(asked.size).toBe(4);
      const gaps = [...asked.values()].flatMap((times) => times.slice(1).map((time, i) => time - (times[i] ?? 0)));
      expect(gaps.length).toBeGreaterThan(4);
      // A millisecond or two for timers that fire early.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(POLL_MS * 0.75 - 5);
    } finally {
      await slow.stop();
    }
  });

  test("[CROWD-4] a room that lets everybody in is found out", async () => {
    const leaky = await startOrigin(leakyRoom());
    try {
      const { code, output } = await crowd(["--target", leaky.url, "--visitors", "10", "--seconds", "20"]).finished;
      expect(output).toContain("BROKEN: P1, P2");
      expect(output).toMatch(/^P5 .* kept$/m);
      expect(code).toBe(1);
    } finally {
      await leaky.stop();
    }
  });

  test("[CROWD-4] a crowd of which nobody gets in shows nothing, and does not pass", async () => {
    const closed = await startOrigin(leakyRoom({ letsIn: false }));
    try {
      const { code, output } = await crowd(["--target", closed.url, "--visitors", "3", "--seconds", "1"]).finished;
      expect([code, output]).toEqual([1, expect.stringContaining("Nobody went in")]);
    } finally {
      await closed.stop();
    }
  });
});

/** A room of two places that hands out passes to everybody, or to nobody, whatever its numbers say. */
function leakyRoom({ letsIn = true } = {}): Handler {
  let slots = 0;
  const answers = {
    ...answersOf("leaky"),
    "/__vestibule/rooms/leaky/leave": { state: "ended", reason: "left", slot: null },
  };
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
  return (request, response) => {
    const known = Object.entries(answers).find(([url]) => url === request.url)?.[1];
    response.setHeader("Content-Type", known === undefined ? "text/html" : "application/json");
    if (known === undefined && letsIn && !request.headers.cookie) {
      const iat = Math.floor(Date.now() / 1_000);
      const claims = { r: "leaky", g: 1, s: slots++, iat, exp: iat + 60 };
      response.setHeader("Set-Cookie", [
        `vestibule.leaky=${token(claims)}; Path=/`,
        `vestibule-pass.leaky=${token({ ...claims, n: 1 })}; Path=/`,
      ]);
    }
    response.end(known === undefined ? "<!doctype html><title>Shop</title>" : JSON.stringify(known));
  };
}
