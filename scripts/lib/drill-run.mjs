/**
 * A drill: visitors of every kind before a room whose Room fails for a while, told live, then judged. Knows nothing of how the Worker runs:
 * `hinder` switches the fault. Everything it sends goes to one address of this computer, and ends with it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Browser, openConnections, send } from "./crowd-http.mjs";

export const SCENARIOS = { "room-down": "down", "room-slow": "slow", "room-overloaded": "overloaded" };

/** Two places, so that the third is in line; and so fast that a fiftieth of it is one a second. */
export const DRILL_SETTINGS = {
  total_active_users: 2,
  new_users_per_minute: 3_000,
  session_duration: 10,
  pass_refresh_seconds: 2,
  poll_near_seconds: 1,
  trusted_networks: ["127.0.0.0/8", "::1"],
  title: "Drill",
};

const NEWCOMERS_A_ROUND = 5;
const ROUND_MS = 1_000;
/** Until everybody is in place before, and until all is well afterwards, ms. */
const PATIENCE_MS = 30_000;
const MOST_REQUESTS = 20_000;

/**
 * `{ target: URL, room, scenario, policy, seconds, say(line), signal, hinder(fault or null): Promise }`
 * Resolves with `{ checks: [{ what, found, wanted, kept }], letIn }`; `kept` is false where something was not as it must be.
 */
export async function runDrill(drill) {
  const connections = openConnections(drill.target, 64);
  try {
    return await new Drill(drill, connections.agent).run();
  } finally {
    await drill.hinder(null).catch(() => undefined);
    connections.close();
  }
}

class Drill {
  #drill;
  #http;
  /** People who were let in while the Room failed. */
  #letIn = new Set();
  #counts = { inside: 0, turnedAway: 0, newcomers: 0, wrong: 0 };

  constructor(drill, agent) {
    this.#drill = drill;
    this.#http = { target: drill.target, agent, signal: drill.signal };
  }

  async run() {
    const { scenario, policy, seconds, hinder, say } = this.#drill;
    const [ada, ben, cleo, dan] = [this.#visitor(), this.#visitor(), this.#visitor(), this.#visitor()];
    for (const one of [ada, ben]) await this.#until(async () => siteOf(await one.navigate("/")) === "admitted", "nobody got in");
    for (const one of [cleo, dan])
      await this.#until(async () => statusOf(await one.navigate("/"))?.state === "waiting", "nobody is in line");
    const slot = (await this.#status(cleo))?.slot;
    say(
      `Two are inside, two in line (places ${slot} and ${(await this.#status(dan))?.slot}). Now: ${scenario}, failure_policy = "${policy}".`,
    );

    await hinder(SCENARIOS[scenario]);
    const startedAt = performance.now();
    const passed = () => (performance.now() - startedAt) / 1_000;
    while (passed() < seconds && !this.#drill.signal.aborted) {
      const roundAt = performance.now();
      await this.#round({ inside: [ada, ben], line: [cleo, dan], at: passed() });
      await this.#pause(Math.max(0, roundAt + ROUND_MS - performance.now()));
    }
    const failedFor = passed();
    await hinder(null);
    const [healedAt, healedMs] = [performance.now(), Date.now()];
    say("The Room answers again.");
    // A notice of the Room's that is younger than the end of the fault.
    const notice = `/__vestibule/rooms/${this.#drill.room}/manifest`;
    await this.#until(async () => JSON.parse((await send(this.#http, "GET", notice, {})).text).at > healedMs, "the line did not come back");
    const backAfter = (performance.now() - healedAt) / 1_000;
    const after = await this.#status(cleo);
    const stillInside = siteOf(await ada.navigate("/"));
    // What the open door gave is worth nothing now: whoever came by it is in line.
    const [first] = this.#letIn;
    const wasLetIn = first === undefined ? null : siteOf(await first.navigate("/"));
    return { letIn: this.#letIn.size, checks: this.#judge({ failedFor, slot, after, stillInside, wasLetIn, backAfter }) };
  }

  #judge({ failedFor, slot, after, stillInside, wasLetIn, backAfter }) {
    const { policy, scenario } = this.#drill;
    const mayOpen = policy === "open" && scenario === "room-down";
    const most = mayOpen ? 1 + Math.floor(failedFor * (DRILL_SETTINGS.new_users_per_minute / 60 / 50)) : 0;
    const { inside, turnedAway, newcomers, wrong } = this.#counts;
    const checks = [
      {
        what: "page loads of people inside that the site answered",
        found: inside,
        wanted: `all ${inside + turnedAway}`,
        kept: turnedAway === 0 && inside > 0,
      },
      {
        what: `people let in without the Room, of ${newcomers} newcomers and those in line`,
        found: this.#letIn.size,
        wanted: `at most ${most}`,
        kept: this.#letIn.size <= most,
      },
      { what: "answers of the site to somebody whom nobody had let in", found: wrong, wanted: "0", kept: wrong === 0 },
      {
        what: "the place of somebody in line, before and after",
        found: `${slot} and ${after?.slot}`,
        wanted: "the same",
        kept: after?.slot === slot,
      },
      {
        what: "somebody inside, afterwards",
        found: stillInside ?? "no page of the site",
        wanted: "admitted",
        kept: stillInside === "admitted",
      },
      { what: "seconds until the line went on", found: backAfter.toFixed(1), wanted: `at most ${PATIENCE_MS / 1_000}`, kept: true },
    ];
    if (wasLetIn !== null || this.#letIn.size > 0)
      checks.push({ what: "somebody let in, afterwards", found: wasLetIn ?? "in line", wanted: "in line", kept: wasLetIn === null });
    return checks;
  }

  async #round({ inside, line, at }) {
    const newcomers = Array.from({ length: NEWCOMERS_A_ROUND }, () => this.#visitor());
    this.#counts.newcomers += newcomers.length;
    const [ins, lined, asked, came, program] = await Promise.all([
      Promise.all(inside.map((one) => one.navigate("/products/kettle").then(siteOf, () => null))),
      this.#look(line[0], () => line[0].navigate("/")),
      this.#look(line[1], () => line[1].call("GET", `/__vestibule/rooms/${this.#drill.room}/status`)),
      Promise.all(newcomers.map((one) => this.#look(one, () => one.navigate("/")))),
      send(this.#http, "GET", "/", { Accept: "application/json" }).catch(() => null),
    ]);
    for (const each of ins) this.#counts[each === "admitted" ? "inside" : "turnedAway"] += 1;
    if (siteOf(program) !== null) this.#counts.wrong += 1;
    const words = [
      `inside: ${ins.every((each) => each === "admitted") ? "the site" : "NOT the site"}`,
      `in line: ${lined}`,
      `waiting page: ${asked}`,
      `newcomers: ${[...new Set(came)].join(", ")}`,
      `no cookie: ${program === null ? "no answer" : program.status}`,
      `let in: ${this.#letIn.size}`,
    ];
    this.#drill.say(`${at.toFixed(0).padStart(4)} s  ${words.join(" | ")}`);
  }

  /** What one visitor met, in a word or two; who was let in is written down. */
  async #look(visitor, ask) {
    const reply = await ask().catch(() => null);
    if (reply === null) return "no answer";
    const site = siteOf(reply);
    const isLetIn = [...visitor.cookies.keys()].some((name) => name.includes("vestibule-open."));
    if (isLetIn) this.#letIn.add(visitor);
    // Whoever had a place may be let in by it in the moment before the fault.
    if (site !== null && !(site === "failed-open" && isLetIn) && site !== "admitted") this.#counts.wrong += 1;
    if (site !== null) return `the site (${site})`;
    const status = statusOf(reply);
    return status?.reason ?? status?.state ?? String(reply.status);
  }

  async #status(visitor) {
    return statusOf(await visitor.call("GET", `/__vestibule/rooms/${this.#drill.room}/status`).catch(() => null));
  }

  #visitor() {
    return new Browser({ ...this.#http, mostRequests: MOST_REQUESTS, onReply: () => undefined, onFailure: () => undefined });
  }

  async #until(isSo, otherwise) {
    const until = performance.now() + PATIENCE_MS;
    while (!(await isSo().catch(() => false))) {
      this.#drill.signal.throwIfAborted();
      if (performance.now() > until) throw new Error(`${otherwise} within ${PATIENCE_MS / 1_000} s`);
      // A page asks once a second; whoever asks faster is told so.
      await this.#pause(ROUND_MS);
    }
  }

  #pause(ms) {
    return sleep(ms, undefined, { signal: this.#drill.signal }).catch(() => undefined);
  }
}

/** What the demo shop was told of who came; null = this is no page of the shop. */
function siteOf(reply) {
  if (reply === null || !reply.text.includes("The room told the shop")) return null;
  return /vestibule-status: ([\w-]+)/.exec(reply.text)?.[1] ?? "nothing";
}

/** Where a visitor stands, as a page of ours or JSON says; null = neither. */
function statusOf(reply) {
  if (reply === null) return null;
  const data = /<script[^>]*type="?application\/json"?[^>]*>(.*?)<\/script>/s.exec(reply.text)?.[1];
  try {
    const parsed = JSON.parse(data ?? reply.text);
    return parsed.status?.state === undefined ? (parsed.state === undefined ? null : parsed) : parsed.status;
  } catch {
    return null;
  }
}
