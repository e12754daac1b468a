/** The tables of `webhooks`: who is told what of a room. What is allowed. Pure. */
import * as v from "valibot";
import { TOPICS } from "./news";
import { type Kind, slug, someOf, whole } from "./settings-kinds";
import type { Topic } from "./settings-types";
import { targetProblem } from "./webhook-target";

const WEBHOOKS_MAX = 5;
const SECRET_VERSIONS = 1_000;

interface WebhookTable {
  name: string;
  url: string;
  tell: Topic[];
  secret_version: number;
}

export function webhooks(): Kind<WebhookTable[]> {
  const allowed = `a list of at most ${WEBHOOKS_MAX} tables { name, url, tell, secret_version }`;
  const url = v.pipe(
    v.string(allowed),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const problem = dataset.value === "" ? null : targetProblem(dataset.value, true);
      if (problem === null) return dataset.value;
      addIssue({ message: problem });
      return NEVER;
    }),
  );
  const entry = v.strictObject(
    {
      name: slug(32).schema,
      url: v.optional(url, ""),
      tell: v.optional(someOf(...TOPICS).schema, [...TOPICS]),
      secret_version: v.optional(whole(1, SECRET_VERSIONS, "which secret of this webhook signs, beside the one before").schema, 1),
    },
    "a table with name, and url, tell and secret_version if you like",
  );
  return {
    allowed,
    schema: v.pipe(
      v.array(entry, allowed),
      v.maxLength(WEBHOOKS_MAX, allowed),
      v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, `${allowed}, each name once`),
    ),
  };
}

/** The secret WEBHOOK_URLS: `name=address` with blanks or line breaks between, for addresses that are secrets themselves. */
export function readWebhookUrls(raw: unknown): ReadonlyMap<string, string> {
  const entries = (typeof raw === "string" ? raw.split(/\s+/) : []).map((entry) => /^([a-z0-9-]{1,32})=(.+)$/.exec(entry));
  return new Map(entries.flatMap((found) => (found === null ? [] : [[found[1] as string, found[2] as string] as const])));
}
