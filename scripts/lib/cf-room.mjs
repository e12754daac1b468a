/**
 * Rooms, events and rules of Cloudflare's Waiting Room API as rooms of ours. Pure: objects in, settings and a list of what is not taken over
 * out. Nothing is dropped in silence: what has no counterpart here, or what our own validation refuses, is listed with the reason.
 */
import { rulesFrom } from "./cf-rules.mjs";

/** Of the same name and meaning on both sides. */
const SAME = [
  "total_active_users",
  "new_users_per_minute",
  "session_duration",
  "disable_session_renewal",
  "queueing_method",
  "queueing_status_code",
  "json_response_enabled",
  "default_template_language",
  "enabled_origin_commands",
  "queue_all",
  "suspended",
];
const SAME_IN_EVENTS = ["total_active_users", "new_users_per_minute", "session_duration", "disable_session_renewal", "queueing_method"];
const EVENT_OWN = ["shuffle_at_event_start", "suspended"];
const EVENT_TIMES = ["prequeue_start_time", "event_start_time", "event_end_time"];
/** Cloudflare's, where a room does not say otherwise. */
const SESSION_MINUTES = 5;
/** What Cloudflare tells of a room besides its settings. */
const TOLD = new Set(["id", "created_on", "modified_on", "next_event_prequeue_start_time", "next_event_start_time"]);

const OWN_PAGE =
  "a page of your own is uploaded, and no part of the settings: --templates DIR writes it into a file and judges it (docs/own-page.md)";
/** Settings without a counterpart: when they say nothing, and why they are not taken over. */
const WITHOUT = {
  custom_page_html: [(value) => value === "", OWN_PAGE],
  cookie_suffix: [(value) => value === "", "not needed: our cookies carry the room's name"],
  cookie_attributes: [
    ({ samesite = "auto", secure = "auto" }) => samesite === "auto" && secure === "auto",
    "our cookies are Secure on https, and Lax but for the pass, which is None; for frames of other sites see partitioned_cookies",
  ],
  turnstile_mode: [(value) => value === "off", "see challenge in docs/settings.md"],
  turnstile_action: [(value) => value === "log", "there is no endless queue for bots here; see challenge in docs/settings.md"],
};

/** The object, or the objects, of a file as the API gives it: alone, as a list, or in its envelope. */
export function objectsIn(json) {
  const inner = typeof json === "object" && json !== null && "result" in json ? json.result : json;
  const list = Array.isArray(inner) ? inner : [inner];
  return list.every((one) => typeof one === "object" && one !== null && !Array.isArray(one)) ? list : null;
}

/** A name as rooms and events take it. */
export function nameFrom(text, max, otherwise) {
  const name = String(text ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, max)
    .replace(/-+$/, "");
  return name === "" ? otherwise : name;
}

/**
 * @param readers `parseRoom`, `SETTINGS` of the Worker's own code
 * @returns `{ name, settings, leftOut: [{ what, why }], templates: [{ event, html }], remarks: [text], problems }`; `settings` is null where even
 *   what must be given is refused, `event` null for the room's own page
 */
export function importRoom(room, { events = [], rules = [], name }, readers) {
  const leftOut = [];
  const remarks = [];
  const settings = { host: room.host ?? "", path: room.path ?? "/", session_duration: SESSION_MINUTES };
  const given = Object.entries(room).filter(([key, value]) => value !== null && value !== undefined && !TOLD.has(key));
  for (const [key, value] of given) {
    if (key === "host" || key === "path" || key === "name") continue;
    if (key === "description") {
      if (value !== "")
        leftOut.push({ what: `description: ${String(value).replace(/\s+/g, " ")}`, why: "rooms have none: keep it as a comment" });
    } else if (key === "additional_routes" && Array.isArray(value))
      settings[key] = value.map((route) => ({ host: route?.host, path: route?.path ?? "/" }));
    else if (SAME.includes(key) || key === "additional_routes") settings[key] = value;
    else if (WITHOUT[key] === undefined) leftOut.push({ what: `${key}: ${short(value)}`, why: "this importer does not know it" });
    else if (!WITHOUT[key][0](value)) leftOut.push({ what: `${key}: ${short(value)}`, why: WITHOUT[key][1] });
  }
  fitRefresh(settings, settings.session_duration, remarks);
  const more = Array.isArray(settings.additional_routes) ? settings.additional_routes : [];
  const hosts = [settings, ...more].map(({ host }) => String(host).toLowerCase());
  const made = rulesFrom(rules, hosts);
  leftOut.push(...made.leftOut);
  remarks.push(...made.remarks);
  settings.events = events.map((event, i) => eventFrom(event, i, settings, leftOut, remarks));
  namesApart(settings.events);
  const pages = events.map(({ custom_page_html: html }, i) => ({ event: settings.events[i].name, html }));
  settings.bypass_rules = made.rules;
  const roomName = name ?? nameFrom(room.name, 32, "room");
  const kept = keepValid(roomName, settings, leftOut, readers);
  if (kept.settings !== null && kept.settings.disable_session_renewal !== true)
    remarks.push("visits end after 60 minutes in any case, as they do not at Cloudflare: session_max_minutes says otherwise");
  // The page of an event that is left out is left out with it.
  const isKept = ({ event }) => kept.settings?.events?.some(({ name }) => name === event);
  const templates = [{ event: null, html: room.custom_page_html }, ...pages.filter(isKept)].filter(({ html }) => html);
  return { name: roomName, settings: kept.settings, leftOut, templates, remarks, problems: kept.problems };
}

function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 80)}… (${text.length} characters)` : line;
}

/** A pass must be renewed three times at least within the shortest visit. */
function fitRefresh(settings, minutes, remarks) {
  if (typeof minutes !== "number" || minutes * 20 >= 30) return;
  settings.pass_refresh_seconds = minutes * 20;
  remarks.push(`pass_refresh_seconds is set to ${minutes * 20}, a third of a session_duration of ${minutes}`);
}

function eventFrom(event, index, room, leftOut, remarks) {
  const what = `event ${event.name ?? index + 1}`;
  const made = { name: nameFrom(event.name, 64, `event-${index + 1}`) };
  for (const [key, value] of Object.entries(event)) {
    if (value === null || value === undefined || TOLD.has(key) || key === "name") continue;
    if (EVENT_TIMES.includes(key)) made[key] = timeFrom(value);
    else if (EVENT_OWN.includes(key) || SAME_IN_EVENTS.includes(key)) made[key] = value;
    else if (key === "description") {
      if (value !== "") leftOut.push({ what: `${what}, description: ${short(value)}`, why: "events have none: keep it as a comment" });
    } else if (WITHOUT[key] === undefined)
      leftOut.push({ what: `${what}, ${key}: ${short(value)}`, why: "this importer does not know it" });
    else if (!WITHOUT[key][0](value)) leftOut.push({ what: `${what}, ${key}: ${short(value)}`, why: WITHOUT[key][1] });
  }
  if (made.session_duration !== room.session_duration) fitRefresh(made, made.session_duration, remarks);
  return made;
}

/** Whole seconds where there is nothing behind them, for readers; anything else as it is, for our own reader to judge. */
function timeFrom(value) {
  return typeof value === "string" ? value.replace(/\.0+(?=Z|[+-])/, "") : value;
}

function namesApart(events) {
  const used = new Set();
  for (const event of events) {
    const own = event.name;
    for (let n = 2; used.has(event.name); n++) event.name = `${own.slice(0, 60)}-${n}`;
    used.add(event.name);
  }
}

/** Takes out what our own validation refuses, one thing after the other, and lists it with the reason that it gives. */
function keepValid(name, given, leftOut, { parseRoom, SETTINGS }) {
  const settings = tidied(given, SETTINGS);
  for (;;) {
    const parsed = parseRoom(name, settings);
    if (parsed.ok) return { settings, problems: [] };
    const removed = firstRemoved(settings, parsed.problems, SETTINGS);
    if (removed === null) return { settings: null, problems: parsed.problems };
    leftOut.push(removed);
  }
}

/** One thing at a time: without it others may be right. */
function firstRemoved(settings, problems, known) {
  for (const problem of problems) {
    const removed = removeCause(settings, problem, known);
    if (removed !== null) return removed;
  }
  return null;
}

/** Without what is the default anyway. */
function tidied(settings, known) {
  const isDefault = (key, value) => JSON.stringify(known[key]?.fallback) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => !isDefault(key, value)));
}

/** What was taken out of `settings`; null = what must be there. */
function removeCause(settings, { setting, problem }, known) {
  const [, event] = /^events\.([^.]+)/.exec(setting) ?? [];
  if (event !== undefined) {
    const named = settings.events.findIndex((each) => each.name === event);
    const at = named < 0 ? Number(event) - 1 : named;
    if (settings.events[at] === undefined) return null;
    settings.events.splice(at, 1);
    return { what: `event ${event}`, why: `${setting} ${problem}` };
  }
  if (setting === "bypass_rules") {
    const at = Number(/^entry (\d+)/.exec(problem)?.[1] ?? settings.bypass_rules.length) - 1;
    const [rule] = settings.bypass_rules.splice(at, 1);
    return rule === undefined ? null : { what: `bypass rule ${JSON.stringify(rule)}`, why: problem };
  }
  if (!(setting in settings) || known[setting]?.fallback === undefined) return null;
  const what = `${setting}: ${short(settings[setting])}`;
  delete settings[setting];
  return { what, why: problem };
}

/** As the block of a room in wrangler.toml, with what is not taken over as comments. */
export function toToml({ name, settings, leftOut, remarks }, warnings = []) {
  const { events = [], bypass_rules: rules = [], ...own } = settings;
  const table = (head, values) => [head, ...Object.entries(values).map(([key, value]) => `${key} = ${tomlOf(value)}`), ""];
  const lines = [
    ...table(`[vars.ROOMS.${name}]`, own),
    ...events.flatMap((event) => table(`[[vars.ROOMS.${name}.events]]`, event)),
    ...rules.flatMap((rule) => table(`[[vars.ROOMS.${name}.bypass_rules]]`, rule)),
    ...comments(
      "Not taken over:",
      leftOut.map(({ what, why }) => `${what}: ${why}`),
    ),
    ...comments("Different from Cloudflare:", remarks),
    ...comments("To be looked at:", warnings),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function comments(title, texts) {
  return texts.length === 0 ? [] : [`# ${title}`, ...texts.map((text) => `# - ${text.replace(/[\p{Cc}\s]+/gu, " ")}`), ""];
}

/** Strings of JSON are strings of TOML, but for DEL. */
function tomlOf(value) {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${key} = ${tomlOf(one)}`)
      .join(", ")} }`;
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
