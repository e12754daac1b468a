/** What a press of a button does: ask the API, say what was done, offer the way back, look again at once. */
import type { Changed, SwitchName, SwitchResult } from "../../src/core/admin";
import type { AuditEntry } from "../../src/core/audit";
import { sentence } from "./acts-words";
import { type Answer, type Api, type Ask, type Method, roomPath } from "./api";
import { choose } from "./dialogs";
import { h } from "./dom";
import type { Me } from "./session";
import type { Toasts } from "./toasts";
import type { Watch } from "./watch";

/** What every part of a room's screen is given. */
export interface Bridge {
  readonly name: string;
  readonly api: Api;
  readonly me: Me;
  readonly toasts: Toasts;
  readonly operator: Operator;
  readonly watch: Watch;
}

/** What changes answer, each with some of it. */
interface Done {
  readonly changed?: boolean;
  readonly undo?: SwitchResult["undo"] | Changed["undo"];
  readonly revision?: number | null;
  readonly effective_within_seconds?: number;
}

const SAID: Readonly<Record<SwitchName, string>> = {
  pause: "Paused: nobody is let in. Everybody keeps the place.",
  resume: "Resumed: people are let in again.",
  "stop-joins": "New joins are stopped.",
  "allow-joins": "People may join again.",
  "under-attack": "Newcomers are asked for proof.",
  calm: "Newcomers are no longer asked for proof, but where the limits say so.",
  flush: "The line was emptied.",
  "end-sessions": "All visits were ended.",
  reset: "A new line has begun.",
  "sold-out": "Marked as sold out: everybody is told.",
  reopen: "The sale goes on.",
  "full-rate": "The full rate holds again.",
  "stop-ramp": "Rate and capacity stay where they are.",
};

const CONFLICT = "Not done: the room was changed in between. Look, and try again.";
const NOT_UNDONE = "Not undone: somebody changed the room since. See History.";

export class Operator {
  readonly #name: string;
  readonly #api: Api;
  readonly #toasts: Toasts;
  readonly #look: () => void;
  readonly #reach: (seconds: number) => void;
  /** Why, for the audit log; asked for nowhere, sent with the next act. */
  readonly why = h("input", { type: "text", maxlength: 500, placeholder: "Why (optional)", "aria-label": "Why, for the audit log" });
  /** Acts of this screen that are on their way into the audit log. */
  #mine = 0;
  /** Revisions that this screen has made: what is being edited here meanwhile goes on from them. */
  readonly #own = new Set<number>();

  constructor(name: string, api: Api, toasts: Toasts, look: () => void, reach: (seconds: number) => void) {
    this.#name = name;
    this.#api = api;
    this.#toasts = toasts;
    this.#look = look;
    this.#reach = reach;
  }

  /** Acts of others are told; this screen's own have been. */
  news(entries: readonly AuditEntry[], me: Me): void {
    for (const entry of entries) {
      if (entry.actor === me.name && this.#mine > 0) this.#mine--;
      else this.#toasts.tell(sentence(entry), "other");
    }
  }

  async turn(name: SwitchName, confirm: string | null = null): Promise<boolean> {
    const answer = await this.run<SwitchResult>("POST", `/${name}`, SAID[name], confirm === null ? {} : { body: { confirm } });
    return answer.as === "ok";
  }

  /** Restoring is a change like any other, and is undone like one. */
  restore(revision: number, ifRevision: number): Promise<Answer<Changed>> {
    return this.run<Changed>("POST", `/revisions/${revision}/restore`, `Revision ${revision} holds again.`, { ifRevision });
  }

  /** Settings, against the revision that the operator has seen. Somebody was faster: their change is shown, and both ways are offered. */
  async change(fields: Readonly<Record<string, unknown>>, ifRevision: number, said: string): Promise<"done" | "theirs" | "failed"> {
    let seen = ifRevision;
    while (this.#own.has(seen + 1)) seen++;
    const answer = await this.#ask<Changed>("PATCH", "", said, { body: fields, ifRevision: seen });
    if (answer.as === "ok") return "done";
    if (answer.code !== "conflict" || answer.revision === null) return "failed";
    const acts = await this.#api.get<{ readonly audit: readonly AuditEntry[] }>(roomPath(this.#name, "/audit?limit=20"));
    // Newest first; what made no revision stands at the one that held.
    const isTheirs = ({ revision }: AuditEntry, at: number, all: readonly AuditEntry[]) =>
      revision > seen && !this.#own.has(revision) && all[at + 1]?.revision !== revision;
    const theirs = acts.as === "ok" ? acts.value.audit.filter(isTheirs).map(sentence) : [];
    this.#look();
    const choice = await choose("Not applied: somebody changed the room in between", theirs, "Keep theirs", "Apply mine as well");
    return choice === "safe" ? "theirs" : this.change(fields, answer.revision, said);
  }

  /** Any other act of the room. Where somebody was faster that is told, and nothing done. */
  async run<T extends object>(method: Method, path: string, said: string, ask: Ask = {}, conflict = CONFLICT): Promise<Answer<T>> {
    const answer = await this.#ask<T>(method, path, said, ask);
    if (answer.as === "refused" && answer.code === "conflict") this.#toasts.tell(conflict, "bad");
    return answer;
  }

  /** Says it, offers its undo, counts down until it has reached everyone. A conflict is left to who asks. */
  async #ask<T extends object>(method: Method, path: string, said: string, ask: Ask): Promise<Answer<T>> {
    this.#mine++;
    const reason = this.why.value.trim();
    const body = reason === "" ? ask.body : { ...(ask.body as object | undefined), reason };
    const answer = await this.#api.send<T>(method, roomPath(this.#name, path), { ...ask, body });
    const done: Done = answer.as === "ok" ? answer.value : {};
    if (answer.as === "refused" || done.changed === false) this.#mine--;
    if (answer.as === "refused") {
      if (answer.code !== "conflict" && !ask.tellsItself) this.#toasts.tell(`Not done. ${answer.detail}`, "bad");
      return answer;
    }
    this.why.value = "";
    if (done.changed && done.revision) this.#own.add(done.revision);
    if (done.changed !== false && done.effective_within_seconds !== undefined) this.#reach(done.effective_within_seconds);
    this.#toasts.tell(done.changed === false ? `${said} It was so already.` : said, "good", this.#undoOf(done));
    this.#look();
    return answer;
  }

  #undoOf({ changed, undo, revision }: Done) {
    if (changed === false || undo === null || undo === undefined) return null;
    const run =
      typeof undo === "string"
        ? () => this.turn(undo)
        : () => this.run("POST", `/revisions/${undo.restore}/restore`, "Undone.", { ifRevision: revision ?? 0 }, NOT_UNDONE);
    return { label: "Undo", run: () => void run() };
  }
}
