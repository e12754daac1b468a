/** The generated page of settings, and configurations against the schema: the shipped one, and what an import writes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { importRoom, toToml } from "../../scripts/lib/cf-room.mjs";
import { settingsDoc } from "../../scripts/lib/settings-doc.mjs";
import * as events from "../../src/core/event-schema";
import { parseRoom, parseRooms } from "../../src/core/settings";
import * as about from "../../src/core/settings-about";
import * as bindings from "../../src/core/settings-bindings";
import * as schema from "../../src/core/settings-schema";

const path = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;

test("[SET-10] docs/settings.md is what the schema says", () => {
  expect(readFileSync(path("docs/settings.md"), "utf8")).toBe(settingsDoc({ ...schema, ...about, ...bindings, ...events }));
});

test("[SET-10] the page has a row for every setting, with its default, and names everything that is not built", () => {
  const text = settingsDoc({ ...schema, ...about, ...bindings, ...events });
  /** The rows of a setting in the part under a heading of the second level. */
  const row = (name: string, heading = "Settings") => {
    const part = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
    const rows = part.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    return rows.filter((cells) => cells[1] === `\`${name}\`` && cells.length === 4 + 2);
  };
  for (const name of Object.keys(schema.SETTINGS)) expect([name, row(name).length]).toEqual([name, 1]);
  for (const name of Object.keys(events.EVENT_SETTINGS)) expect([name, row(name, "Events").length]).toEqual([name, 1]);
  for (const name of schema.NOT_BUILT.keys()) expect(text).toContain(`\`${name}\``);
  expect(row("session_duration")[0]?.[2]).toBe("`10`");
  expect(row("host")[0]?.[2]).toBe("required");
});

test("[SET-10] the page names every variable, secret and binding that an operator may set", () => {
  const names = [...readFileSync(path("src/env.ts"), "utf8").matchAll(/^ {2}readonly ([A-Z_]+)\??:/gm)].map((match) => match[1] ?? "");
  const notTheirs = ["ROOM", "ROOMS", "ASSETS", "TURNSTILE_URL"];
  expect(names).toEqual(expect.arrayContaining([...notTheirs, "VESTIBULE_KEYS", "JOIN_DAMPER"]));
  const part = settingsDoc({ ...schema, ...about, ...bindings, ...events }).split("\n## Beside the rooms\n")[1] ?? "";
  expect(names.filter((name) => !notTheirs.includes(name) && !part.includes(`\`${name}\``))).toEqual([]);
});

test("[SET-10] the shipped wrangler.toml is accepted, its demo room takes every host, and so is the room in its comments", () => {
  const file = path("wrangler.toml");
  const { rawConfig } = readRawConfig({ config: file });
  const shipped = parseRooms(rawConfig.vars?.["ROOMS"]);
  expect(shipped.ok && shipped.rooms.get("demo")?.settings).toMatchObject({ routes: [{ host: "*", path: "/" }], totalActiveUsers: 1 });
  const [, example = "", sale = ""] = readFileSync(file, "utf8").split(/# \[+vars\.ROOMS\.shop(?:\.events)?\]+\n/);
  const entriesOf = (text: string) =>
    [...text.matchAll(/^# ([a-z_]+) = ("[^"]*"|\d+|true)/gm)].map(
      ([, name, value]) => [name, JSON.parse(value ?? "")] as [string, unknown],
    );
  expect([entriesOf(example).length, entriesOf(sale).length]).toEqual([10, 6]);
  const shop = parseRooms({ shop: Object.fromEntries([...entriesOf(example), ["events", [Object.fromEntries(entriesOf(sale))]]]) });
  expect(shop.ok && shop.rooms.get("shop")?.settings.events).toMatchObject([{ shuffle: true, overrides: { newUsersPerMinute: 600 } }]);
});

test("[CF-5] what an import of a Cloudflare room writes is read as what it means, whatever text is in it", () => {
  const evil = 'the "office"\\ \u007f\n[vars.EVIL]\nx = "1"';
  const rules = [{ expression: "ip.src eq 192.0.2.1", action: "bypass_waiting_room", enabled: true, description: evil }];
  const event = { name: evil, event_start_time: "2027-05-01T10:00:00Z", event_end_time: "2027-05-01T12:00:00Z", total_active_users: 7 };
  const room = {
    name: "Sale",
    host: "shop.test",
    total_active_users: 5,
    new_users_per_minute: 5,
    description: evil,
    custom_page_html: evil,
  };
  const routes = {
    additional_routes: [{ host: "m.shop.test", path: "/a" }],
    enabled_origin_commands: ["revoke"],
    queueing_status_code: 429,
  };
  const made = importRoom({ ...room, ...routes }, { events: [event], rules }, { parseRoom, ...schema });
  const directory = mkdtempSync(join(tmpdir(), "vestibule-toml-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "wrangler.toml"), toToml(made, ["looks\nodd"]));
  const { vars } = readRawConfig({ config: join(directory, "wrangler.toml") }).rawConfig;
  expect(Object.keys(vars ?? {})).toEqual(["ROOMS"]);
  const read = parseRooms(vars?.["ROOMS"]);
  expect(read.ok && read.rooms.get("sale")?.settings).toMatchObject({
    events: [{ overrides: { totalActiveUsers: 7 } }],
    bypassRules: [{}],
  });
  expect(parseRoom("sale", made.settings)).toMatchObject({ ok: true, settings: read.ok ? read.rooms.get("sale")?.settings : null });
});
