/** The measured Room (bench/room) in a workerd of its own, storage on disk, open to V8's inspector. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";
import { openInspector } from "./inspector.mjs";
import { startBuilt } from "./workers.mjs";

/**
 * @param rooms `{ name: settings }`
 * @returns `call(name, method, argument)`: a method of that Room (bench/room/measured-room.ts), with its result; `draw(drawing)`; `heapBytes()`: what the isolate
 * holds when its garbage is gone; `residentBytes()` of the process; `cpuMs()`; `stop()`, always.
 */
export async function startMeasuredRoom(rooms) {
  const { buildWorker } = await loadSource(root, "test/support/variants.ts");
  const dir = await mkdtemp(join(tmpdir(), "vestibule-bench-"));
  const script = await buildWorker(join(root, "bench/room/measured-room.ts"), join(dir, "measured-room.js"));
  const worker = await startBuilt({ script, rooms, origin: "", inspector: true });
  await rm(dir, { recursive: true }); // workerd has read it.
  const post = async (address, argument) => {
    const response = await fetch(new URL(address, worker.url), { method: "POST", body: JSON.stringify(argument) });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${worker.output.join("")}`);
    return response.json();
  };
  return {
    call: (name, method, argument = {}) => post(`/${method}?room=${name}`, argument),
    draw: (drawing) => post("/draw", drawing),
    async heapBytes() {
      const inspector = await openInspector(worker.inspectorUrl());
      try {
        return await inspector.heapBytes();
      } finally {
        inspector.close();
      }
    },
    residentBytes: worker.memory,
    url: worker.url,
    cpuMs: worker.cpuMs,
    stop: worker.stop,
  };
}
