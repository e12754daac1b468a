/** Files of the waiting page in the Room: kept and put into force in one step, found again by a restored revision, and bounded. */
import { describe, expect, it } from "vitest";
import type { FileUpload } from "../../src/core/admin";
import { logoName, type PageFileKind, templateName } from "../../src/core/page-files";
import { callerOf, okOf, RoomUnderTest } from "../support/room";

const hash = (n: number) => n.toString(16).padStart(64, "0");
const nameOf = (kind: PageFileKind, n: number) =>
  kind === "template" ? templateName(hash(n).slice(40)) : logoName({ type: "png", width: 10, height: 10 }, hash(n).slice(40));
const upload = (kind: PageFileKind, n: number, ifRevision: number | null = null): FileUpload => ({
  kind,
  name: nameOf(kind, n),
  body: `file ${n}`,
  ifRevision,
  actor: callerOf("ana"),
});

describe("files of the page", () => {
  it("[LOOK-3][OWN-2] an upload is kept, put into force as a revision, written down, and undone by restoring the one before", async () => {
    const room = new RoomUnderTest();
    const first = okOf(await room.run((each) => each.putFile(upload("logo", 1))));
    expect(first).toMatchObject({ changed: true, settings: { logo: nameOf("logo", 1), template: "" }, warnings: [] });
    const second = okOf(await room.run((each) => each.putFile(upload("logo", 2))));
    expect(await room.run((each) => each.file(nameOf("logo", 2)))).toBe("file 2");
    const [entry] = okOf(await room.run((each) => each.audit({ before: null, limit: 1 })));
    expect(entry).toMatchObject({ action: "logo uploaded", before: { logo: nameOf("logo", 1) }, after: { logo: nameOf("logo", 2) } });
    const back = { to: first.revision, ifRevision: second.revision, actor: callerOf("ana") };
    expect(okOf(await room.run((each) => each.restore(back))).settings["logo"]).toBe(nameOf("logo", 1));
    await room.evict();
    expect(await room.run((each) => each.file(nameOf("logo", 1)))).toBe("file 1");
  });

  it("[LOOK-3][OWN-2] a name of no file that is kept is refused by name; an upload that is refused keeps nothing", async () => {
    const room = new RoomUnderTest();
    const asked = { changes: { template: nameOf("template", 7) }, ifRevision: null, replace: false, actor: callerOf("ana") };
    expect(await room.run((each) => each.change(asked))).toMatchObject({
      as: "invalid",
      problems: [{ setting: "template", problem: expect.stringContaining("upload it again") }],
    });
    expect(await room.run((each) => each.putFile(upload("template", 7, 99)))).toMatchObject({ as: "conflict" });
    expect(await room.run((each) => each.file(nameOf("template", 7)))).toBeNull();
  });

  it("[LOOK-3][OWN-2] the last eight that are not in force are kept of each kind, and those that are", async () => {
    const room = new RoomUnderTest();
    okOf(await room.run((each) => each.putFile(upload("template", 100))));
    for (let n = 1; n <= 11; n++) okOf(await room.run((each) => each.putFile(upload("logo", n))));
    const kept = async (n: number) => (await room.run((each) => each.file(nameOf("logo", n)))) !== null;
    expect([await kept(1), await kept(2), await kept(3), await kept(10), await kept(11)]).toEqual([false, false, true, true, true]);
    expect(await room.run((each) => each.file(nameOf("template", 100)))).toBe("file 100");
    const gone = { changes: { logo: nameOf("logo", 1) }, ifRevision: null, replace: false, actor: callerOf("ana") };
    expect((await room.run((each) => each.change(gone))).as).toBe("invalid");
  });

  it("[LOOK-3][OWN-2] what was in force until now is kept first, however long ago it was uploaded: the answer's undo leads back to it", async () => {
    const room = new RoomUnderTest();
    const revisions: number[] = [];
    for (let n = 1; n <= 9; n++) revisions.push(okOf(await room.run((each) => each.putFile(upload("template", n)))).revision);
    const restore = async (to: number, ifRevision: number) =>
      okOf(await room.run((each) => each.restore({ to, ifRevision, actor: callerOf("ana") })));
    const first = await restore(revisions[0] ?? 0, revisions[8] ?? 0);
    const tenth = okOf(await room.run((each) => each.putFile(upload("template", 10))));
    expect(await room.run((each) => each.file(nameOf("template", 1)))).toBe("file 1");
    expect((await restore(first.revision, tenth.revision)).settings["template"]).toBe(nameOf("template", 1));
  });

  it("[LOOK-3] a name in wrangler.toml that is not kept is no reason not to start: the room says so", async () => {
    const room = new RoomUnderTest({ logo: nameOf("logo", 5) });
    const { warnings } = okOf(await room.run((each) => each.describe()));
    expect(warnings).toEqual([{ setting: "logo", warning: expect.stringContaining("the page does without") }]);
  });
});
