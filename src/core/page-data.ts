/**
 * What the page's script starts from: written into the page by src/routes/page.ts, read by static/wait.ts. Pure: types only.
 */
import type { ShownLogo } from "./page-files";
import type { PositionDisplay } from "./settings-types";
import type { Status } from "./status";
import type { PageWords } from "./words";

export interface PageData {
  readonly status: Status;
  /** Title of the room. */
  title: string;
  /** BCP 47. */
  readonly lang: string;
  readonly words: PageWords;
  position: PositionDisplay;
  /** Path of this origin; a GET of it enters. */
  readonly returnTo: string;
  /** Prefix of this room's endpoints: `…/status`, `…/join`, `…/claim`. */
  readonly api: string;
  /** The page answers a GET: loading it again sends nothing twice. */
  readonly reloadable: boolean;
  /** A form waits here to be sent by its button: the script never navigates away from it. */
  readonly holdsForm: boolean;
  /** `…/status` may go on, for whoever asks it to. */
  readonly streams: boolean;
  /** Path of the module that calls for attention, loaded when somebody wants it. */
  readonly alerts: string;
  /** Paths of the module that answers a challenge and of its worker. */
  readonly prove: string;
  /** This page may load Turnstile's widget. */
  readonly turnstile: boolean;
  readonly solver: string;
}

/** The body of `GET …/look`: what of an open page follows from the room's settings. */
export interface PageLook {
  /** Names all of it; absent = as every page of ours. */
  readonly look?: string;
  readonly title: string;
  readonly position: PositionDisplay;
  /** Over the page's own style sheet. */
  readonly sheet: string;
  readonly logo: ShownLogo | null;
  /** The room has a page of the operator's own by now. */
  readonly own?: true;
  readonly words: PageWords;
}
