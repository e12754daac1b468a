/** The setting `presets`: pairs of rate and capacity by name, for the console. What is allowed. Pure. */
import * as v from "valibot";
import { amountOrZero, type Kind, text, whole } from "./settings-kinds";

export interface Preset {
  name: string;
  new_users_per_minute?: number | undefined;
  total_active_users?: number | undefined;
}

const PRESETS_MAX = 12;
const NAME_MAX = 40;

export function presets(): Kind<Preset[]> {
  const allowed = `a list of at most ${PRESETS_MAX} tables { name, new_users_per_minute, total_active_users }, each name once, with one of the last two or both`;
  const entry = v.strictObject(
    {
      name: text(NAME_MAX, false, 1).schema,
      new_users_per_minute: v.optional(amountOrZero(0.01, 1_000_000, "people per minute").schema),
      total_active_users: v.optional(whole(1, 1_000_000, "people").schema),
    },
    allowed,
  );
  return {
    allowed,
    schema: v.pipe(
      v.array(entry, allowed),
      v.maxLength(PRESETS_MAX, allowed),
      v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, allowed),
      v.check((list) => list.every((one) => one.new_users_per_minute !== undefined || one.total_active_users !== undefined), allowed),
    ),
  };
}
