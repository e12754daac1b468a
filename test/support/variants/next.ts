/**
 * This Worker as the next version might be: its batches and replies say more than this version knows, in every object, and its Room is
 * in a phase that this version has no word for. Runs in workerd.
 */
import type { Batch, Reply } from "../../../src/core/exchange";
import type { Manifest } from "../../../src/core/manifest";
import { Room as Today } from "../../../src/index";
import { edgeSaying } from "./edge";

const MORE = { addedLater: { by: "the next version", of: [1, "two", null] } };

const more = <T extends object>(items: readonly T[]): T[] => items.map((item) => ({ ...item, ...MORE }));

export class Room extends Today {
  override async exchange(batch: Batch): Promise<Reply> {
    const { v, joins, claims, renewals, leaves, reissues, manifest, lease, share, config } = await super.exchange(batch);
    const phase = (manifest.phase === "open" ? "lobby" : manifest.phase) as Manifest["phase"];
    const newer = { ...manifest, v: (manifest.v + 1) as Manifest["v"], phase, ...MORE };
    const verdicts = { joins: more(joins), claims: more(claims), renewals: more(renewals), leaves: more(leaves), reissues: more(reissues) };
    return { ...MORE, v, ...verdicts, manifest: newer, lease: lease === null ? null : { ...lease, ...MORE }, share, config } as Reply;
  }
}

export default edgeSaying(({ joins, claims, renewals, leaves, ...rest }) => {
  return { ...MORE, ...rest, joins: more(joins), claims: more(claims), renewals: more(renewals), leaves: more(leaves) } as Batch;
});
