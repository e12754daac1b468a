/** One case in a process of its own: its file and options are the arguments, its findings go to the parent as a message. */
import * as lib from "./lib.mjs";

const [file, options] = process.argv.slice(2);
const say = (line) => process.send({ say: line });
process.send(await find(), () => process.exit(0));

async function find() {
  try {
    const { default: found } = await import(file);
    const skipped = (await found.needs?.(lib)) ?? null;
    if (skipped !== null) return { figures: [], skipped, error: null };
    const { figures } = await found.run({ ...JSON.parse(options), progress: say, lib });
    return { figures, skipped: null, error: null };
  } catch (error) {
    return { figures: [], skipped: null, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
