/**
 * The operator's own page for one visitor, where there is one and it can tell what is to be told. Decides nothing about the visitor; whatever
 * goes wrong here, ours is there (OWN in SPEC).
 */
import { logoPath } from "../core/page-files";
import type { Status } from "../core/status";
import { tell } from "../core/telling";
import { templateValues } from "../core/template-values";
import type { Spoken } from "../languages";
import { apiOf } from "../routes/page";
import { canShow, renderTemplate } from "../template/render";
import type { Visit } from "./visit";

export interface OwnPage {
  readonly html: string;
  /** Loads itself again after so long; 0 = never. */
  readonly refreshS: number;
}

/** Nobody waits longer for the template than this, ms. */
const TEMPLATE_WAIT_MS = 1_000;

/** null = this page is ours. */
export async function ownPage({ client, room, url, life, nowMs, asked }: Visit, status: Status, spoken: Spoken): Promise<OwnPage | null> {
  const { settings } = client;
  const { template: name, logo } = settings.look;
  // A body that went nowhere has to be told of, which a template cannot.
  if (name === null || asked.method === "write") return null;
  const { lang: language, dir: direction, words } = spoken;
  const title = settings.title || url.host;
  const telling = tell(status, words, { title, lang: language, position: settings.positionDisplay, auto: true });
  const template = await client.files.read(name, nowMs, TEMPLATE_WAIT_MS, life);
  if (template === null) return null;
  const logoAt = logo === null ? "" : logoPath(apiOf(room), logo);
  const values = templateValues({ status, settings, telling, title, language, direction, logo: logoAt });
  try {
    if (!canShow(template, telling)) return null;
    return {
      html: renderTemplate(template, values),
      refreshS: values.refreshIntervalSeconds,
    };
  } catch (error) {
    console.error(JSON.stringify({ event: "template-failed", room, template: name, error: String(error) }));
    return null;
  }
}
