/** What an object really takes of a process's memory: its heap and its typed arrays, after the garbage is gone. Node only. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function used(): number {
  // Twice: what typed arrays held is given back some time after they are gone.
  for (let i = 0; i < 2; i++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes that what `make` makes keeps alive. */
export function heapOf<T>(make: () => T): { readonly made: T; readonly bytes: number } {
  const before = used();
  const made = make();
  return { made, bytes: used() - before };
}
