/**
 * The Worker's entry: requests go to the gate, and `Room` is the Durable Object class that wrangler.toml names.
 * The only file that joins `src` and `durable`.
 */
import { Room } from "../durable/room";
import type { Env } from "./env";
import { handle } from "./gate";

export { Room };

export default { fetch: handle } satisfies ExportedHandler<Env>;
