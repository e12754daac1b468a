/** What a site says about a visit: read from two headers, obeyed as far as it is enabled. */
import { describe, expect, test } from "vitest";
import { commandsIn, ORIGIN_COMMANDS, toObey } from "../../src/core/origin-commands";
import { parseRoom } from "../../src/core/settings";

const room = (over: Record<string, unknown>) =>
  parseRoom("r", { host: "shop.test", total_active_users: 1, new_users_per_minute: 1, ...over });

describe("commands of the site", () => {
  test.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ "Cf-Waiting-Room-Command": "revoke" }, ["revoke"]],
    [{ "Cf-Waiting-Room-Command": " REVOKE " }, ["revoke"]],
    [{ "Cf-Waiting-Room-Command": "done, extend, release" }, []],
    [{ "Vestibule-Command": "revoke" }, []],
    [{ "Vestibule-Command": "done, extend" }, ["extend", "done"]],
    [{ "Vestibule-Command": "release" }, ["release"]],
    [{ "Vestibule-Command": "released; done" }, []],
    [{ "Vestibule-Command": "" }, []],
  ])("[CF-3] %o says %o", (headers, said) => {
    expect(commandsIn(new Headers(headers))).toEqual(said);
  });

  test("[CF-3] [P10] a reply out of a cache was made for somebody else, and ends nobody's visit", () => {
    const said = (more: Record<string, string>) => commandsIn(new Headers({ "Vestibule-Command": "done", ...more }));
    for (const status of ["HIT", "stale", "UPDATING", "REVALIDATED"]) expect(said({ "CF-Cache-Status": status })).toEqual([]);
    for (const age of ["1", "86400", "1, 2"]) expect(said({ Age: age })).toEqual([]);
    for (const status of ["MISS", "DYNAMIC", "BYPASS", "EXPIRED"]) expect(said({ "CF-Cache-Status": status, Age: "0" })).toEqual(["done"]);
  });

  test("[CF-3] only what is enabled is obeyed, and of several what ends most", () => {
    const obeyed = (...enabled: readonly (typeof ORIGIN_COMMANDS)[number][]) => toObey(ORIGIN_COMMANDS, enabled);
    expect(obeyed()).toBeNull();
    expect(obeyed("revoke")).toBe("release");
    expect(obeyed("release", "extend")).toBe("release");
    expect(obeyed("extend")).toBe("extend");
    expect(obeyed(...ORIGIN_COMMANDS)).toBe("done");
    for (const command of ORIGIN_COMMANDS)
      expect(
        toObey(
          [command],
          ORIGIN_COMMANDS.filter((each) => each !== command),
        ),
      ).toBeNull();
  });

  test("[CF-3] the setting takes those words, each once", () => {
    expect(room({ enabled_origin_commands: ["revoke", "done"] })).toMatchObject({
      settings: { enabledOriginCommands: ["revoke", "done"] },
    });
    for (const wrong of [["revoke", "revoke"], ["stop"], "revoke", [1]]) expect(room({ enabled_origin_commands: wrong }).ok).toBe(false);
  });
});

describe("sessions that are not renewed", () => {
  test("[CF-6] last session_duration from the entry on, whatever the longest visit is, also during an event alone", () => {
    const own = { session_duration: 5, session_max_minutes: 60, disable_session_renewal: true };
    expect(room(own)).toMatchObject({ settings: { sessionDurationMs: 300_000, sessionMaxMs: 300_000 } });
    expect(room({ ...own, disable_session_renewal: false })).toMatchObject({ settings: { sessionMaxMs: 3_600_000 } });
    const event = { name: "drop", event_start_time: "2027-05-01T10:00:00Z", event_end_time: "2027-05-01T11:00:00Z" };
    const parsed = room({ events: [{ ...event, disable_session_renewal: true, session_duration: 2 }] });
    expect(parsed).toMatchObject({ settings: { sessionMaxMs: 3_600_000, events: [{ overrides: { sessionMaxMs: 120_000 } }] } });
  });
});
