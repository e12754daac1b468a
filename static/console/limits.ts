/** Rate and capacity: number, slider and presets, what would come of it, at once or in steps, and who was faster. */
import type { Forecast } from "../../src/core/admin";
import { roomPath } from "./api";
import { button, card, field, fill, h, setText } from "./dom";
import { effectLines, warningLines } from "./effect";
import type { Bridge } from "./operator";
import { presets } from "./presets";
import { refusal } from "./refusal";
import { may } from "./session";
import type { View } from "./watch";
import { amount, count, rampLine } from "./words";

const RATE = "new_users_per_minute";
const PLACES = "total_active_users";
const PRESETS = [-50, -25, -10, 10, 25];
const RAMPS = [0, 2, 5, 10, 15];
const LOOK_AFTER_MS = 250;

/** A number with its slider and presets. */
function dial(label: string, hint: string, step: string, onEdit: () => void) {
  const number = h("input", { type: "number", min: 0, step, inputmode: "decimal" });
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": `${label}, slider` });
  let held = 0;
  const round = (value: number) => (step === "1" ? Math.round(value) : Math.round(10 * value) / 10);
  const set = (value: number) => {
    number.value = String(value);
    slider.max = String(Math.max(Number(slider.max), value));
    slider.value = String(value);
    onEdit();
  };
  number.addEventListener("input", () => {
    slider.value = number.value;
    onEdit();
  });
  slider.addEventListener("input", () => set(Number(slider.value)));
  const presets = PRESETS.map((percent) => {
    const text = `${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`;
    const press = () => set(Math.max(percent > 0 ? held + (step === "1" ? 1 : 0.1) : 0, round(held * (1 + percent / 100))));
    return button(text, press, { class: "plain small", "aria-label": `${label} ${text}` });
  });
  return {
    node: h("div", {}, field(label, number, hint), slider, h("div", { class: "presets" }, ...presets)),
    get value(): number | null {
      return number.value === "" || !Number.isFinite(number.valueAsNumber) ? null : number.valueAsNumber;
    },
    set,
    number,
    /** What held in the room when the operator began to edit. */
    get held(): number {
      return held;
    },
    /** What holds in the room. */
    hold(value: number): void {
      held = value;
      number.value = String(value);
      slider.max = String(Math.max(20, Math.ceil(2 * value)));
      slider.value = String(value);
    },
  };
}

export function limits(bridge: Bridge): { readonly node: HTMLElement | null; show(view: View): void; stop(): void } {
  if (!may(bridge.me, "operator")) return { node: null, show: () => undefined, stop: () => undefined };
  const { api, name, operator } = bridge;
  /** The revision that the operator began to edit; null = nothing is edited. */
  let base: number | null = null;
  let last: View | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const effect = h("div", { class: "effect", role: "status" });
  const edited = () => {
    base ??= last?.room?.revision ?? null;
    draw();
    clearTimeout(timer);
    timer = setTimeout(() => void foresee(), LOOK_AFTER_MS);
  };
  const rate = dial("Rate", "people let in per minute", "any", edited);
  const places = dial("Capacity", "people inside at once", "1", edited);
  const wrong = refusal({ [RATE]: ["Rate", rate.number], [PLACES]: ["Capacity", places.number] }, "status");
  const over = h("select", {}, ...RAMPS.map((m) => h("option", { value: m }, m === 0 ? "at once" : `in steps over ${m} min`)));
  const apply = h("button", { type: "submit" }, "Apply");
  const discard = button("Discard", () => forget(), { class: "plain" });
  const named = presets(bridge, {
    pick({ new_users_per_minute: r, total_active_users: p }) {
      if (r !== undefined) rate.set(r);
      if (p !== undefined) places.set(p);
    },
    numbers: () => (rate.value === null || places.value === null ? null : { [RATE]: rate.value, [PLACES]: places.value }),
  });
  const ramping = h("p", { class: "notice", hidden: true });
  const form = h(
    "form",
    {},
    h("div", { class: "dials" }, rate.node, places.node),
    wrong.node,
    effect,
    h("div", { class: "acts" }, field("It changes", over), apply, discard),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });

  /** What was edited here: what somebody else has set meanwhile is not in the dials, and stays theirs. */
  function wanted(): Record<string, number> {
    const dials = { [RATE]: rate, [PLACES]: places };
    return Object.fromEntries(
      Object.entries(dials).flatMap(([name, { value, held }]) => (value === null || value === held ? [] : [[name, value]])),
    );
  }

  async function foresee(): Promise<void> {
    const mine = ++asked;
    const fields = wanted();
    if (base === null || Object.keys(fields).length === 0) return clear();
    const answer = await api.send<Forecast>("PATCH", roomPath(name), { body: fields, dryRun: true });
    if (mine !== asked || base === null) return;
    wrong.show(answer.as === "refused" ? answer.detail : null);
    if (answer.as === "refused") return fill(effect);
    const lines = effectLines(answer.value).map((line) => h("li", {}, line));
    const warnings = warningLines(answer.value.warnings).map((line) => h("p", { class: "warn" }, line));
    fill(effect, h("ul", {}, ...lines), ...warnings);
  }

  function clear(): void {
    wrong.show(null);
    fill(effect);
  }

  async function submit(): Promise<void> {
    const fields = wanted();
    if (base === null || Object.keys(fields).length === 0) return forget();
    const minutes = Number(over.value);
    const said = Object.entries(fields).map(([setting, value]) => `${setting === RATE ? "Rate" : "Capacity"} ${amount(value)}`);
    const asked = minutes > 0 ? { ...fields, ramp_minutes: minutes } : fields;
    apply.disabled = true;
    const outcome = await operator.change(asked, base, `${said.join(", ")}${minutes > 0 ? `, in steps over ${minutes} min` : ""}.`);
    apply.disabled = false;
    if (outcome !== "failed") forget();
  }

  /** Back to what holds. */
  function forget(): void {
    base = null;
    over.value = "0";
    clear();
    const settings = last?.room?.settings ?? {};
    rate.hold(Number(settings[RATE] ?? 0));
    places.hold(Number(settings[PLACES] ?? 0));
    draw();
  }

  function draw(): void {
    const isEdited = base !== null && Object.keys(wanted()).length > 0;
    apply.disabled = !isEdited;
    discard.hidden = base === null;
  }

  const stopRamp = button("Stop here", () => void operator.turn("stop-ramp"), { class: "plain small" });
  const rampText = h("span");
  ramping.append(rampText, " ", stopRamp);

  return {
    node: card("Rate and capacity", ramping, form, named.node),
    show(view) {
      const isFirst = last === null || last.room === null;
      const before = last?.room?.revision;
      last = view;
      if (view.room !== null && (isFirst || (base === null && before !== view.room.revision))) forget();
      const of = view.stats.total_active_users;
      places.node.title = `${count(view.stats.inside)} of ${count(of)} inside`;
      named.show(view);
      const line = rampLine(view.stats);
      ramping.hidden = line === "";
      setText(rampText, line);
    },
    stop: () => clearTimeout(timer),
  };
}
