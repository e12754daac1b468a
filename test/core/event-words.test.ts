/** What the page says before the doors open: times, countdown, what decides the order; and the calendar file. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendarFile } from "../../src/core/calendar";
import { english } from "../../src/core/languages/en";
import { instantHere, instantThere, isSameClock, timeLeft } from "../../src/core/moments";
import { kindOf, tell } from "../../src/core/telling";
import { EVENT, NOW, STATES, status } from "../support/page-states";

const context = { title: "Demo shop", lang: "en", auto: true };
const berlin = { locale: "en-GB", zone: "Europe/Berlin" };
const tokyo = { locale: "en-GB", zone: "Asia/Tokyo" };
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");

describe("instants", () => {
  const at = Date.UTC(2026, 11, 4, 9);
  test("[PAGE-16] in the visitor's zone with its name, and where the event is with its offset", () => {
    expect(plain(instantHere(at, berlin))).toMatch(/^Fri,? 4 Dec,? 10:00 CET$/);
    expect(plain(instantHere(at, tokyo))).toMatch(/^Fri,? 4 Dec,? 18:00 GMT\+9$/);
    expect(plain(instantThere(at, "en-GB", 60))).toMatch(/^Fri,? 4 Dec,? 10:00 \(UTC\+01:00\)$/);
    expect(plain(instantThere(at, "en-GB", -210))).toMatch(/^Fri,? 4 Dec,? 05:30 \(UTC−03:30\)$/);
    expect(plain(instantThere(at, "en-GB", 0))).toMatch(/09:00 \(UTC\)$/);
  });

  test("[PAGE-16] both are told only where the clocks differ, by whatever the zone does on that day", () => {
    expect(isSameClock(at, berlin, 60)).toBe(true);
    expect(isSameClock(at, tokyo, 60)).toBe(false);
    // Summer time ends in Berlin on 25 October 2026 at 01:00 UTC.
    const night = Date.UTC(2026, 9, 25, 1);
    expect(isSameClock(night - 1, berlin, 120)).toBe(true);
    expect(isSameClock(night, berlin, 120)).toBe(false);
    expect(isSameClock(night, berlin, 60)).toBe(true);
  });

  test("[PAGE-16] time left in two units, rounded up, never negative", () => {
    const rows: [number, string][] = [
      [2 * 86_400_000 + 3 * 3_600_000 + 5, "2 days, 3 hours"],
      [3_600_000 + 60_000, "1 hour, 1 minute"],
      [3_600_000, "1 hour"],
      [725_000, "12 minutes, 5 seconds"],
      [59_001, "1 minute"],
      [4_200, "5 seconds"],
      [0, "0 seconds"],
      [-9, "0 seconds"],
    ];
    for (const [ms, text] of rows) expect(timeLeft(ms, "en"), String(ms)).toBe(text);
  });
});

describe("a lobby", () => {
  test("[PAGE-16] says when it starts, how many have entered, what decides the order and what that is worth", () => {
    const told = tell(STATES.lobby, english, { ...context, own: tokyo });
    const said = plain(told.body.join("\n"));
    expect(told.heading).toBe("You are in the lobby");
    expect(said).toMatch(/It starts on Sun,? 29 Nov,? 18:33 GMT\+9\./);
    expect(said).toMatch(/that is Sun,? 29 Nov,? 10:33 \(UTC\+01:00\)\./);
    expect(said).toContain("18,312 people have entered.");
    expect(said).toContain("Once the lobby is open, coming earlier gains nothing.");
    expect(said).toContain("sealed before anyone entered (5e884898da280471…)");
    expect(said).toContain("nobody can know the order before");
    expect(told).toMatchObject({ count: null, estimate: null, place: true, ask: "status", startsAt: EVENT.startsAt });
    expect(told.draw).toEqual({ id: 7, text: "How the draw works" });
    expect(told.leaving).toContain("Your entry stays counted");
  });

  test("[PAGE-16] without a beacon it says that whoever runs the room could have known the order", () => {
    const told = tell({ ...STATES.lobby, event: { ...EVENT, beacon: "none" } }, english, context);
    expect(told.body.join(" ")).toContain("whoever runs this room could have known the order before");
  });

  test("[PAGE-16] without a shuffle, or with a place from before, the place is shown and nothing of a draw", () => {
    const told = tell(STATES["lobby-line"], english, { ...context, own: berlin });
    expect(told.count).toEqual({ number: "1,204", label: "people ahead of you" });
    expect(told.body.join(" ")).not.toMatch(/random|sealed|Where it takes place/);
    expect(told).toMatchObject({ draw: null, startsAt: EVENT.startsAt, leaving: english.leaveConsequence, estimate: null });
  });

  test("[PAGE-16] a number of entries that is not public is left out", () => {
    expect(tell({ ...STATES.lobby, event: { ...EVENT, entries: null } }, english, context).body.join(" ")).not.toContain("entered.");
  });

  test("[PAGE-16] a start that was moved is told from when to when; what people have is kept", () => {
    const said = plain(tell(STATES.delayed, english, { ...context, own: berlin }).body.join(" "));
    expect(said).toMatch(/planned for Sun,? 29 Nov,? 10:23 CET\. It now starts on Sun,? 29 Nov,? 10:33 CET\./);
    expect(said).toContain("You are counted already");
  });

  test("[PAGE-16] a visit that ended before: in a lobby nobody is sent to the end of a line that there is not", () => {
    const inLobby = tell({ ...STATES["visit-over"], phase: "lobby" }, english, context);
    expect(inLobby.body.join(" ")).toContain("It hasn’t started yet: if you join again, you are in like anybody who comes now.");
    expect(inLobby).toMatchObject({ act: "join", sentence: expect.not.stringContaining("end of the line") });
    expect(tell(STATES["visit-over"], english, context).body.join(" ")).toContain("you start at the end of the line");
  });

  test("[PAGE-16] closed, called off, dealt, drawing: each says what helps", () => {
    const closed = tell(STATES["outside-events"], english, { ...context, own: berlin });
    expect(plain(closed.body[0] ?? "")).toMatch(/^It opens on Mon,? 30 Nov,? 10:21 CET\.$/);
    expect(closed.ask).toBe("join");
    expect(tell({ ...STATES["outside-events"], slot: 7 }, english, context).ask).toBe("status");
    const { opensAt: _, ...unplanned } = STATES["outside-events"];
    expect(tell(unplanned, english, context).body).toEqual(["Nobody is let in until it opens."]);
    expect(tell(STATES.cancelled, english, context)).toMatchObject({ act: "join", ask: null, message: expect.stringContaining("hall") });
    expect(tell({ ...STATES.cancelled, phase: "closed" }, english, context).act).toBe("retry");
    const inLine = tell(STATES["cancelled-line"], english, context);
    expect(inLine).toMatchObject({
      heading: "This has been called off",
      place: true,
      ask: "status",
      message: expect.stringContaining("hall"),
    });
    expect([inLine.sentence, inLine.count?.number]).toEqual([expect.stringContaining("You keep your place"), "1,204"]);
    expect(kindOf({ ...STATES["cancelled-line"], state: "paused", phase: "paused" })).toBe("cancelled-line");
    expect(tell(STATES.rejected, english, context)).toMatchObject({ act: "retry", ask: null });
    expect(tell(STATES["awaiting-number"], english, context).sentence).toContain("public random number");
    expect(kindOf({ ...STATES["awaiting-number"], event: { ...EVENT, beacon: "none" } })).toBe("drawing");
    expect(tell(STATES.dealing, english, context).sentence).toContain("a little faster gains nothing");
    // beacon_wait_seconds may be an hour, shuffle_window_seconds a minute.
    for (const status of [STATES["awaiting-number"], STATES.dealing])
      expect(tell(status, english, context).sentence).not.toMatch(/less than a minute|few seconds/);
    expect(tell(STATES["left-lobby"], english, context)).toMatchObject({ act: "join", place: false });
  });

  test("[PAGE-18] after the draw a place leads to the page that checks it", () => {
    expect(tell(status({ draw: { id: 7, entry: 3 } }), english, context).draw).toEqual({ id: 7, text: "How your place was drawn" });
    expect(tell(status(), english, context).draw).toBeNull();
  });
});

describe("the calendar file", () => {
  const entry = {
    what: { ...EVENT, id: EVENT.name },
    room: "demo",
    host: "shop.test",
    title: "Demo shop",
    url: "https://shop.test/tickets",
    now: NOW,
  };

  test("[GATE-51] has what RFC 5545 asks for, times in UTC, and an alarm ten minutes before", () => {
    const lines = calendarFile(entry).split("\r\n");
    expect(lines).toEqual([
      ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Vestibule//Waiting room//EN", "METHOD:PUBLISH", "BEGIN:VEVENT"],
      ...["UID:drop.demo@shop.test", "DTSTAMP:20261129T092107Z", "SEQUENCE:1795944067"],
      ...["DTSTART:20261129T093307Z", "DTEND:20261129T113307Z", "SUMMARY:Demo shop", "URL:https://shop.test/tickets"],
      ...["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Demo shop", "TRIGGER:-PT10M", "END:VALARM"],
      ...["END:VEVENT", "END:VCALENDAR", ""],
    ]);
  });

  test("[GATE-51] no title makes a line of its own, and no line is longer than 75 octets", () => {
    const read = (file: string) => file.replaceAll("\r\n ", "").split("\r\n");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (title) => {
        const file = calendarFile({ ...entry, title });
        expect(read(file)).toHaveLength(20);
        for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }),
    );
    const file = calendarFile({ ...entry, title: "A; b, c\\d\r\nEND:VEVENT" });
    expect(read(file)).toContain("SUMMARY:A\\; b\\, c\\\\d\\nEND:VEVENT");
  });
});
