/**
 * `GET status` with `Accept: text/event-stream`: the same answer, which goes on while the visitor only waits (src/core/following.ts decides).
 * Each stream has timers of its own and reads what its isolate knows of the room; the Room is asked for no more than a manifest, and about the
 * turn once it has come.
 * Another reply than this says that there is nothing to follow: the visitor asks again from time to time, as without it.
 */
import { openStreams } from "../clients";
import { canFollow, type Following, followed, followStep, type Look, lookAfterMs, patienceMs, startFollowing } from "../core/following";
import { MANIFEST_STALE_MS } from "../core/manifest";
import type { Status } from "../core/status";
import type { Place } from "../gate/decide";
import { claimOf, statusOfClaim } from "../gate/enter";
import { held, waiting } from "../gate/hold";
import { eventsReply } from "../http/replies";
import { sleep } from "../room/wait";
import type { Asking } from "./context";
import type { Standing } from "./standing";

/** The reply that goes on; null = there is none to be had, or nobody asked for it. `asker`: one text for all that show this place. */
export function follow(asking: Asking, standing: Standing, asker: string | null): Response | null {
  const { visit, bearer } = asking;
  const { followed: place } = standing;
  const manifest = visit.client.newest;
  const isWanted = visit.request.headers.get("Accept")?.includes("text/event-stream") === true;
  if (!isWanted || asker === null || place === undefined || manifest === null) return null;
  const { absentAfterMs } = visit.client.settings;
  const key = `${visit.room} ${asker}`;
  if (!canFollow(standing.status, manifest, absentAfterMs) || !openStreams.begin(key, asking, visit.nowMs)) return null;
  const { generation } = place;
  const following = startFollowing(standing.status, manifest, { nowMs: Date.now(), generation, random: Math.random });
  const first = eventOf("status", { ...standing.status, ...(bearer && standing.tokens) });
  return eventsReply(streamOf(asking, key, place, following, first), { setCookies: bearer ? [] : standing.setCookies });
}

function streamOf(
  asking: Asking,
  key: string,
  place: NonNullable<Standing["followed"]>,
  start: Following,
  first: Uint8Array,
): ReadableStream<Uint8Array> {
  const { client, life } = asking.visit;
  let following = start;
  let told: Uint8Array | null = first;

  const status = (): Status => (place.kind === "ticket" ? waiting(asking.visit, place) : held(asking.visit, place));

  /** Looks until there is something to tell. */
  async function next(): Promise<{ readonly text: Uint8Array; readonly isLast: boolean }> {
    for (let now = following.told; ; ) {
      await sleep(lookAfterMs(now, Math.random()));
      const isStale = (client.known()?.ageMs ?? 0) > patienceMs(now, MANIFEST_STALE_MS);
      if (isStale) await client.manifest(life, patienceMs(now, MANIFEST_STALE_MS));
      const look = lookOf(asking, status(), !openStreams.look(key, asking, Date.now()));
      const step = followStep(following, look, Math.random());
      if (step.as === "end") {
        const status = step.called && place.kind === "ticket" ? await turnOf(asking, place) : null;
        return { text: eventOf("last", status ?? step.status), isLast: true };
      }
      if (step.seen && place.kind === "ticket") client.sight(place, life);
      // As often as a page would ask, whatever else is told.
      if (step.tell && place.kind === "entry") client.sightEntry(place);
      following = followed(following, look, step, isStale);
      now = look.status;
      if (step.tell) return { text: eventOf("status", now), isLast: false };
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (told !== null) {
          controller.enqueue(told);
          told = null;
          return;
        }
        const { text, isLast } = await next();
        controller.enqueue(text);
        if (!isLast) return;
        openStreams.end(key, asking);
        controller.close();
      },
      cancel() {
        openStreams.end(key, asking);
      },
    },
    // Nothing is made before it is wanted.
    { highWaterMark: 0 },
  );
}

/** What the question that would come next would hear of the turn. null = nothing of the kind: whoever is there asks. */
async function turnOf({ visit }: Asking, place: Place): Promise<Status | null> {
  const outcome = await claimOf(visit, place, "look");
  const isCalled = outcome.as === "answered" && outcome.verdict.as === "called";
  return isCalled ? statusOfClaim(visit, place, outcome) : null;
}

function lookOf({ visit: { client } }: Asking, status: Status, isReplaced: boolean): Look {
  const { absentAfterMs, pollFarMs } = client.settings;
  const manifest = client.newest;
  return { nowMs: Date.now(), status, manifest, absentAfterMs, pollFarMs, isOpen: client.openness !== "shut", isReplaced };
}

const encoder = new TextEncoder();

/** Our JSON is one line. */
function eventOf(name: "status" | "last", body: object): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(body)}\n\n`);
}
