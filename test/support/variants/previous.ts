/**
 * This Worker as the previous version might have been: its batches and replies lack whatever a version could have added since. Runs in
 * workerd.
 */
import type { Batch, Reply } from "../../../src/core/exchange";
import type { Manifest } from "../../../src/core/manifest";
import { Room as Today } from "../../../src/index";
import { edgeSaying } from "./edge";

export class Room extends Today {
  override async exchange(batch: Batch): Promise<Reply> {
    const { lease: _, share: __, config: ___, manifest, ...reply } = await super.exchange(batch);
    const { returning, admittedPerMinute, epochPerMinute, message, ...older } = manifest;
    return { ...reply, manifest: { ...older, v: (manifest.v - 1) as Manifest["v"] } } as unknown as Reply;
  }
}

export default edgeSaying(({ sightings, leaseWanted, origin, failedOpen, colo, config, ...rest }) => rest as Batch);
