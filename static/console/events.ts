/** Scheduled sales: what is planned, moving and starting them, calling them off, planning one more; and the draw that is under way. */
import { askWords, confirmLoss } from "./dialogs";
import { button, card, field, fill, h, put, setText } from "./dom";
import { countdown, drawRows, type Sale, stageOf, withOffset } from "./event-words";
import type { Bridge } from "./operator";
import { refusal } from "./refusal";
import { may } from "./session";
import type { View } from "./watch";
import { when } from "./words";

const LATER_MIN = [5, 15];
const MESSAGE_MAX = 280;

export function events(bridge: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const { name, me, operator } = bridge;
  const mayAct = may(me, "operator");
  const list = h("div", { class: "stack" });
  const draw = h("div");
  let shown = "";
  let ticking: { readonly sale: Sale; readonly left: HTMLElement }[] = [];

  function saleCard(sale: Sale, now: number): HTMLElement {
    const stage = stageOf(sale, now);
    const left = h("p", { class: "countdown", role: "timer" }, countdown(sale, now));
    ticking.push({ sale, left });
    const path = `/events/${encodeURIComponent(sale.name)}`;
    const run = (what: string, said: string, body?: unknown) =>
      void operator.run("POST", `${path}/${what}`, said, body === undefined ? {} : { body });
    const later = (minutes: number) =>
      button(`+${minutes} min`, () => run("move", `${sale.name} starts ${minutes} minutes later.`, { minutes }), {
        class: "plain small",
        "aria-label": `Start ${sale.name} ${minutes} minutes later`,
      });
    const start = button("Start now…", () => void startNow(sale, run), { class: "small" });
    const off = button("Call it off…", () => void callOff(sale, run), { class: "danger small" });
    const remove = button("Take it away…", () => void takeAway(sale, path), { class: "danger small" });
    const isBefore = stage === "planned" || stage === "lobby";
    const rows: (readonly [string, string | null])[] = [
      ["Lobby", sale.prequeue_start_time],
      ["Start", sale.event_start_time],
      ["End", sale.event_end_time],
    ];
    return h(
      "article",
      { class: "sale" },
      h("h3", {}, sale.name, " ", h("span", { class: `badge ${stage === "lobby" || stage === "on" ? "good" : "quiet"}` }, stage)),
      left,
      h(
        "dl",
        { class: "facts" },
        ...rows.flatMap(([term, at]) => (at === null ? [] : [h("dt", {}, term), h("dd", {}, when(at, now))])),
        h("dt", {}, "Places"),
        h("dd", {}, sale.shuffle_at_event_start ? "by a draw" : "in order"),
      ),
      mayAct &&
        h(
          "div",
          { class: "acts" },
          ...(isBefore ? [...LATER_MIN.map(later), start, off] : []),
          stage !== "lobby" && stage !== "on" && remove,
        ),
    );
  }

  type Run = (what: string, said: string, body?: unknown) => void;
  async function startNow(sale: Sale, run: Run): Promise<void> {
    const shuffled = sale.shuffle_at_event_start ? " and places are drawn" : "";
    const consequence = `The doors of ${name} open for ${sale.name}: nobody enters the lobby any more${shuffled}. This cannot be undone.`;
    if (await confirmLoss({ title: "Start now", consequence, verb: "Open the doors", typed: name }))
      run("start-now", `${sale.name} has started.`);
  }

  async function callOff(sale: Sale, run: Run): Promise<void> {
    const consequence = `Everybody who entered ${sale.name} is told that it was called off, with these words. Once the lobby is open this cannot be undone.`;
    const words = await askWords({ title: `Call off ${sale.name}`, consequence, verb: "Call it off" }, "What they read", MESSAGE_MAX);
    if (words !== null) run("cancel", `${sale.name} was called off.`, { message: words });
  }

  async function takeAway(sale: Sale, path: string): Promise<void> {
    const base = bridge.watch.room?.revision;
    const consequence = `${sale.name} is taken from the plan of ${name}. Undo puts it back.`;
    if (base === undefined || !(await confirmLoss({ title: "Take the event away", consequence, verb: "Take it away", typed: null })))
      return;
    await operator.run("DELETE", path, `${sale.name} was taken away.`, { ifRevision: base });
  }

  const form = mayAct ? planForm(bridge) : null;
  return {
    node: h("div", { class: "stack" }, card("The draw", draw), card("Events", list), form !== null && card("Plan an event", form)),
    show({ stats, room }) {
      const now = Date.parse(stats.now);
      const sales = (room?.settings["events"] ?? []) as Sale[];
      const stages = sales.map((sale) => stageOf(sale, now)).join();
      const key = `${room?.revision} ${stages}`;
      if (room !== null && key !== shown) {
        shown = key;
        ticking = [];
        fill(
          list,
          ...(sales.length === 0 ? [h("p", { class: "hint" }, "No event is planned.")] : sales.map((sale) => saleCard(sale, now))),
        );
      }
      for (const { sale, left } of ticking) setText(left, countdown(sale, now));
      showDraw(draw, stats);
    },
  };
}

function showDraw(box: HTMLElement, { draw, room }: View["stats"]): void {
  const key = JSON.stringify(draw);
  if (box.dataset["shown"] === key) return;
  box.dataset["shown"] = key;
  const records = `/__vestibule/rooms/${encodeURIComponent(room)}/draws/latest`;
  if (draw === null) {
    const none = h("p", { class: "hint" }, "No draw is under way.");
    fill(box, none);
    // There may never have been one, or it is kept no more: a link would lead nowhere.
    void fetch(`${records}/verify`, { method: "HEAD" })
      .then(({ ok }) => ok && put(none, " ", h("a", { href: `${records}/verify` }, "The last one can be checked here"), "."))
      .catch(() => undefined);
    return;
  }
  const rows = drawRows(draw).flatMap(([term, text]) => [h("dt", {}, term), h("dd", { class: term === "Commitment" ? "code" : "" }, text)]);
  fill(
    box,
    h("dl", { class: "facts" }, ...rows),
    ...draw.warnings.map(({ setting, warning }) => h("p", { class: "warn" }, `${setting} ${warning}.`)),
  );
}

/** Times of the form are this computer's; the API is told its offset. */
function planForm({ operator }: Bridge): HTMLFormElement {
  const name = h("input", { type: "text", required: true, pattern: "[a-z0-9-]+", maxlength: 64 });
  const time = (required: boolean) => h("input", { type: "datetime-local", required });
  const [lobby, start, end] = [time(false), time(true), time(true)];
  const shuffle = h("input", { type: "checkbox", id: "plan-shuffle" });
  const rate = h("input", { type: "number", min: 0, step: "any" });
  const expected = h("input", { type: "number", min: 0, step: 1 });
  const wrong = refusal(
    {
      prequeue_start_time: ["Lobby opens", lobby],
      event_start_time: ["Doors open", start],
      event_end_time: ["Ends", end],
      new_users_per_minute: ["Rate during it", rate],
      expected_visitors: ["Expected visitors", expected],
      name: ["Name", name],
    },
    "alert",
  );
  // An hour that this computer's clocks skip is the one after it: as text it would come with the wrong offset.
  const at = ({ value }: HTMLInputElement) => withOffset(Date.parse(value), -new Date(value).getTimezoneOffset());
  const form = h(
    "form",
    {},
    h(
      "div",
      { class: "row" },
      field("Name", name, "small letters, digits, hyphens"),
      field("Lobby opens", lobby, "empty = no lobby"),
      field("Doors open", start),
      field("Ends", end),
      field("Rate during it", rate, "empty = the room's"),
      field("Expected visitors", expected, "tells whether the account's plan is enough"),
    ),
    h(
      "div",
      { class: "check" },
      shuffle,
      h("label", { for: "plan-shuffle" }, "Deal the places of the lobby by a draw that anyone can check"),
    ),
    h("p", { class: "hint" }, `Times of this computer: ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`),
    wrong.node,
    h("div", { class: "acts" }, h("button", { type: "submit" }, "Plan it")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = {
      name: name.value,
      event_start_time: at(start),
      event_end_time: at(end),
      ...(lobby.value === "" ? {} : { prequeue_start_time: at(lobby) }),
      ...(shuffle.checked ? { shuffle_at_event_start: true } : {}),
      ...(rate.value === "" ? {} : { new_users_per_minute: rate.valueAsNumber }),
      ...(expected.value === "" ? {} : { expected_visitors: expected.valueAsNumber }),
    };
    void operator.run("POST", "/events", `${name.value} is planned.`, { body, tellsItself: true }).then((answer) => {
      wrong.show(answer.as === "ok" ? null : answer.detail)?.focus();
      if (answer.as === "ok") form.reset();
    });
  });
  return form;
}
