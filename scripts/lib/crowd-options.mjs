/** Options of `npm run crowd`: read, bounded, refused by name. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../setup.mjs";
import { isThisComputer, readTarget } from "./crowd-http.mjs";
import { numberOf } from "./number-option.mjs";
import { readRehearsalTarget, readToken } from "./rehearsal.mjs";

export const usage = `npm run crowd [-- options]
  --target URL     a room on this computer, e.g. http://127.0.0.1:8787 after npm start (default: one of its own,
                   the built Worker before the demo shop: 40 places, 240 entries a minute, sessions of seconds)
  --room NAME      which room, if there are several
  --visitors N     1 to 2000 (default 300)
  --seconds N      ends after so long at the latest, 1 to 3600 (default 120)
  --seed N         the same crowd again, 0 to 4294967295 (default: a new one, printed)
  --path PATH      what the visitors open, with --target (default /)
  --hostile N      the same crowd twice, before two rooms of its own (120 places, two joins a minute from each
                   network of the hostile): alone, then beside N hostile requests a second, 1 to 5000; fails if the honest get fewer places, or wait longer, by more than a tenth
A rehearsal, against a staging host of yours:
  --rehearsal-token T  the secret REHEARSAL_TOKEN of the Worker at --target https://HOST, which proves that it has it
                   before anything else is sent; it is never sent itself. REHEARSAL_TOKEN in the environment does the same
  --per-second N   requests a second of all visitors together, 1 to 500 (default 50); --seconds ends at 900
  --hostile N%     so large a part of them is hostile, 1% to 90%
  --help           this text
The room's numbers are read with the token in ADMIN_TOKEN, for which the role viewer is enough; on this computer also
with that of .dev.vars. Ctrl-C ends the crowd early and judges what there was.`;

const OPTIONS = ["target", "room", "visitors", "seconds", "seed", "path", "hostile", "rehearsal-token", "per-second"];
const HOSTILE_SHARE = /^([1-9]|[1-8]\d|90)%$/;

/**
 * What was asked for, `null` for the usage text: `{ target: URL or undefined, room, visitors, seconds, seed, pages, hostile, rehearsal }`.
 * `hostile` = requests a second before rooms of its own, or null; `rehearsal` = `{ token, perSecond, hostileShare }` or null.
 * Throws an Error that names what is wrong.
 */
export function readOptions(args, environment = process.env) {
  const options = Object.fromEntries(OPTIONS.map((name) => [name, { type: "string" }]));
  const { values } = parseArgs({ args, options: { ...options, help: { type: "boolean" } } });
  if (values.help) return null;
  const path = values.path ?? "/";
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw new Error(`--path must be a path such as /tickets, not "${path}"`);
  if (!values.target && (values.path || values.room)) throw new Error("--path and --room go with --target");
  const given = values["rehearsal-token"] ?? (isElsewhere(values.target) ? environment.REHEARSAL_TOKEN : undefined);
  if (!values.target && given !== undefined) throw new Error("--rehearsal-token goes with --target");
  const isRehearsal = values.target !== undefined && given !== undefined && given !== "";
  if (values["per-second"] !== undefined && !isRehearsal) throw new Error("--per-second goes with --rehearsal-token");
  if (values.target && !isRehearsal && values.hostile)
    throw new Error("--hostile goes without --target, for a room of its own, or with --rehearsal-token as well");
  if (isRehearsal && values.hostile !== undefined && !HOSTILE_SHARE.test(values.hostile))
    throw new Error(`--hostile of a rehearsal must be a part of its requests, 1% to 90%, not "${values.hostile}"`);
  return {
    target: values.target === undefined ? undefined : (isRehearsal ? readRehearsalTarget : readTarget)(values.target),
    room: values.room,
    visitors: numberOf(values, "visitors", 300, 1, 2_000),
    seconds: numberOf(values, "seconds", 120, 1, isRehearsal ? 900 : 3_600),
    seed: numberOf(values, "seed", Math.floor(Math.random() * 2 ** 32), 0, 2 ** 32 - 1),
    pages: [path],
    hostile: values.hostile === undefined || isRehearsal ? null : numberOf(values, "hostile", 0, 1, 5_000),
    rehearsal: isRehearsal
      ? {
          token: readToken(given),
          perSecond: numberOf(values, "per-second", 50, 1, 500),
          hostileShare: Number.parseInt(values.hostile ?? "0", 10) / 100,
        }
      : null,
  };
}

/** The environment's token is not a wish to rehearse on this computer, where nothing has to be proved. */
function isElsewhere(target) {
  return target !== undefined && URL.canParse(target) && !isThisComputer(new URL(target));
}

/** From ADMIN_TOKEN; `.dev.vars` is of this computer, and goes nowhere else. */
export function readAdminToken(target, environment = process.env, directory = root) {
  const file = join(directory, ".dev.vars");
  const isRead = isThisComputer(target) && existsSync(file);
  const line = isRead ? /^\s*ADMIN_TOKEN\s*=\s*"?([^"\s]+)"?\s*$/m.exec(readFileSync(file, "utf8")) : null;
  const token = environment.ADMIN_TOKEN || line?.[1];
  if (token) return token;
  throw new Error(
    isThisComputer(target)
      ? "The crowd asks the room for its numbers: set ADMIN_TOKEN, or run npm start once, which writes .dev.vars."
      : "The crowd asks the room for its numbers: set ADMIN_TOKEN in the environment; a token with the role viewer is enough.",
  );
}
