/** Languages of the built Worker: which catalogue the page is made of, what is remembered, and the operator's own words in it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Status } from "../../src/core/status";
import { send } from "../support/http";
import { NAVIGATION, Visitor } from "../support/jar";
import { startWorker, type TestWorker } from "../support/worker";

const ROOM = { total_active_users: 1, new_users_per_minute: 6_000, suspended: false, queue_all: true };
const rooms = {
  plain: { ...ROOM, host: "plain.test", message: "Hello", messages: { de: "Guten Tag" } },
  own: { ...ROOM, host: "own.test", default_template_language: "de-DE", words: { de: { "paused.heading": "Schön, dass Sie da sind" } } },
};

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker({ rooms });
});
afterAll(() => worker?.stop());

const visitorOf = (room: keyof typeof rooms, languages?: string) =>
  new Visitor(`http://${rooms[room].host}/`, {
    transport: (url, init) =>
      send(new URL(url.pathname + url.search, worker.url), { ...init, headers: { Host: url.host, ...init.headers } }),
    ...(languages === undefined ? {} : { headers: { "Accept-Language": languages } }),
  });
const langOf = (page: string) => /<html lang="([^"]+)" dir="([^"]+)">/.exec(page)?.slice(1);
const api = "/__vestibule/rooms/plain";

describe("languages", () => {
  test("[PAGE-20] the browser's language is the page's, and the message is told in it", async () => {
    const visitor = visitorOf("plain", "de-AT,en;q=0.5");
    const page = await (await visitor.navigate("/")).text();
    expect(langOf(page)).toEqual(["de", "ltr"]);
    expect(page).toContain("Die Schlange ist angehalten</h1>");
    expect(page).toContain("Guten Tag");
    const status = (await (await visitor.fetch(`${api}/status`)).json()) as Status;
    expect(status.message).toBe("Guten Tag");
    expect(((await (await visitorOf("plain", "fr").fetch(`${api}/status`)).json()) as Status).message).toBe("Hello");
  });

  test("[PAGE-20] what is chosen from the menu or asked for by ?lang= stays, and leads back to where it was chosen", async () => {
    const visitor = visitorOf("plain", "es");
    const page = await (await visitor.navigate("/a?b=1")).text();
    expect(langOf(page)).toEqual(["es", "ltr"]);
    const link = /href="([^"]*\/language\?lang=fr[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const chosen = await visitor.fetch(link, { headers: NAVIGATION });
    expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, expect.stringMatching(/\/a\?b=1$/)]);
    expect(langOf(await (await visitor.navigate("/a?b=1")).text())).toEqual(["fr", "ltr"]);
    expect(langOf(await (await visitor.navigate("/?lang=it")).text())).toEqual(["it", "ltr"]);
    expect(langOf(await (await visitor.navigate("/")).text())).toEqual(["it", "ltr"]);
    expect((await visitor.fetch(`${api}/language?lang=xx&to=/`)).status).toBe(404);
    const away = await visitor.fetch(`${api}/language?lang=de&to=https://elsewhere.test/`);
    expect(away.headers.get("Location")).not.toContain("elsewhere");
  });

  test("[PAGE-20] [PAGE-22] a room's own language and words; a language of another kind is none", async () => {
    const page = await (await visitorOf("own", "sv").navigate("/")).text();
    expect(langOf(page)).toEqual(["de", "ltr"]);
    expect(page).toContain('<h1 id="heading" tabindex="-1">Schön, dass Sie da sind');
    expect(await (await visitorOf("own", "en").navigate("/")).text()).toContain("The line is paused</h1>");
  });
});
