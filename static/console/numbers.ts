/** The head of a room: its state, how old the numbers are, the four big ones, and what keeps the next person out. */
import type { RoomStats } from "../../src/core/stats";
import { h, setText } from "./dom";
import type { View } from "./watch";
import { age, amount, badge, capacityOf, count, span, wait } from "./words";

interface Big {
  readonly label: string;
  value(stats: RoomStats): string;
  beside(stats: RoomStats): string;
  /** 0…1 of what it is measured against; null = nothing. */
  share(stats: RoomStats): number | null;
}

const ratio = (part: number, of: number) => (of > 0 ? Math.min(1, part / of) : null);

const BIG: readonly Big[] = [
  {
    label: "Waiting",
    value: ({ waiting }) => count(waiting),
    beside: ({ joined_last_minute: j }) => `${count(j)} joined in the last minute`,
    share: () => null,
  },
  {
    label: "Let in, last minute",
    value: ({ entered_last_minute: entered }) => count(entered),
    beside: ({ rate_per_minute: rate }) => `target ${amount(rate)}`,
    share: ({ entered_last_minute: entered, rate_per_minute: rate }) => ratio(entered, rate),
  },
  {
    label: "Inside",
    value: ({ inside }) => count(inside),
    beside: (stats) => `capacity ${count(capacityOf(stats))}`,
    share: (stats) => ratio(stats.inside, capacityOf(stats)),
  },
  {
    label: "Wait if joining now",
    value: ({ newcomer_wait_minutes: minutes }) => wait(minutes),
    beside: ({ returning, called }) => `${count(called)} called, ${count(returning)} returning`,
    share: () => null,
  },
];

const SMALL: readonly (readonly [string, (stats: RoomStats) => string])[] = [
  ["Gave up", ({ left_total: n }) => count(n)],
  ["Turns missed", ({ missed_total: missed, passed_over_total: over }) => count(missed + over)],
  ["Refused", ({ refused_total: n }) => count(n)],
  ["Site errors", ({ origin_last_minute: { requests, error_percent: p } }) => (requests === 0 ? "–" : `${amount(p)} %`)],
  ["Site p95", ({ origin_last_minute: { p95_ms: p95 } }) => (p95 === null ? "–" : `${count(p95)} ms`)],
  ["Workers", ({ isolates }) => count(isolates)],
];

export function statusLine(): { readonly node: HTMLElement; show(view: View): void; reach(seconds: number): void } {
  const state = h("span", { class: "badge" });
  const joins = h("span", { class: "badge warn", hidden: true }, "Joins stopped");
  const proof = h("span", { class: "badge warn", hidden: true }, "Asking for proof");
  const fresh = h("span", { class: "fresh" });
  const reaching = h("span", { class: "reach" });
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  let reachedAt = 0;
  return {
    node: h("div", { class: "status" }, state, joins, proof, fresh, reaching, trouble),
    show({ stats, room, ageS, trouble: why }) {
      const { word, tone } = badge(stats);
      setText(state, word);
      state.className = `badge ${tone}`;
      joins.hidden = room?.switches.joins_stopped !== true;
      proof.hidden = room?.switches.under_attack !== true;
      const { text, isStale } = age(ageS);
      setText(fresh, text);
      fresh.classList.toggle("stale", isStale);
      const leftS = (reachedAt - performance.now()) / 1_000;
      setText(
        reaching,
        leftS > 0 ? `holds everywhere in ${span(Math.ceil(leftS))}` : reachedAt > 0 && leftS > -5 ? "holds everywhere" : "",
      );
      setText(trouble, why ?? "");
      trouble.hidden = why === null || !isStale;
    },
    reach(seconds) {
      reachedAt = performance.now() + 1_000 * seconds;
    },
  };
}

export function numbers(): { readonly node: HTMLElement; show(view: View): void } {
  const tiles = BIG.map((big) => {
    const value = h("dd", { class: "value" });
    const beside = h("dd", { class: "beside" });
    const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span"));
    return {
      big,
      value,
      beside,
      bar,
      node: h("div", { class: "tile" }, h("dt", {}, big.label), value, beside, h("dd", { class: "barline" }, bar)),
    };
  });
  const small = SMALL.map(([label, of]) => {
    const value = h("dd");
    return { of, value, node: h("div", {}, h("dt", {}, label), value) };
  });
  const blocked = h("p", { class: "blocked" });
  return {
    node: h(
      "section",
      { "aria-label": "Numbers now" },
      h("dl", { class: "tiles" }, ...tiles.map(({ node }) => node)),
      blocked,
      h("dl", { class: "small-numbers" }, ...small.map(({ node }) => node)),
    ),
    show({ stats, ageS }) {
      for (const { big, value, beside, bar } of tiles) {
        setText(value, big.value(stats));
        setText(beside, big.beside(stats));
        const share = big.share(stats);
        bar.hidden = share === null;
        const inner = bar.firstElementChild as HTMLElement;
        inner.style.inlineSize = `${Math.round(100 * (share ?? 0))}%`;
        value.classList.toggle("stale", age(ageS).isStale);
      }
      for (const { of, value } of small) setText(value, of(stats));
      const { code, sentence } = stats.blocked_by;
      setText(blocked, sentence);
      blocked.classList.toggle("is-blocked", code !== "nothing" && code !== "rate");
    },
  };
}
