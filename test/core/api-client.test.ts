/** examples/api-client.ts against what the room's own code says in states that are hard to bring about. Against the real room: readme.test.ts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { Place } from "../../examples/api-client";
import { readRoomCookies } from "../../src/http/cookies";
import { jsonReply } from "../../src/http/replies";
import { status } from "../support/page-states";

const home = mkdtempSync(join(tmpdir(), "vestibule-client-"));
afterEach(() => vi.unstubAllGlobals());
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("[APP-4] [BIND-2] whoever is only asked whether it is still the same visitor goes on with the visit; one that is used up is given up", async () => {
  const file = join(home, "place.json");
  const asked: string[] = [];
  const answer = (claim: object) =>
    vi.stubGlobal("fetch", async (url: URL) => {
      const action = url.pathname.split("/").at(-1) ?? "";
      asked.push(action);
      return jsonReply(action === "continue" ? { ...status({ state: "inside" }), pass: "pass" } : claim);
    });
  const enter = () => new Place(new URL("https://shop.test/__vestibule/rooms/demo"), file).enter("claim");
  writeFileSync(file, JSON.stringify({ ticket: "ticket" }));
  answer(status({ state: "void", reason: "network-changed" }));
  await enter();
  expect([asked.splice(0), JSON.parse(readFileSync(file, "utf8"))]).toEqual([["claim", "continue"], { ticket: "ticket", pass: "pass" }]);
  answer(status({ state: "void", reason: "no-takeovers-left", takeoversLeft: 0 }));
  await expect(enter()).rejects.toThrow("no-takeovers-left");
  expect(asked).toEqual(["claim"]);
});

test.each([null, "shop.test"])(
  "[APP-4] shows its place to the site, and takes over what that renews, where cookie_domain is %s",
  async (cookieDomain) => {
    const file = join(home, "shown.json");
    writeFileSync(file, JSON.stringify({ ticket: "ticket", pass: "pass" }));
    const name = `${cookieDomain === null ? "__Host-" : "__Secure-"}vestibule-pass.demo`;
    vi.stubGlobal("fetch", async (_: URL, { headers }: { headers: Record<string, string> }) => {
      const shown = readRoomCookies(headers["Cookie"] ?? "", "demo", true, {
        cookieDomain,
        partitionedCookies: false,
        cookieMaxAgeMs: 86_400_000,
      });
      return jsonReply(shown, { setCookies: [`${name}=renewed; Path=/; Secure`] });
    });
    const place = new Place(new URL("https://shop.test/__vestibule/rooms/demo"), file);
    expect(await (await place.get("/")).json()).toEqual({ place: ["ticket"], pass: ["pass"] });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ticket: "ticket", pass: "renewed" });
  },
);
