/** The other tabs of a room in this browser, which have the same place: what one of them hears of it, the others are told. */
import type { Status } from "../../src/core/status";

/** null where the browser has no such thing, or allows none. */
export function otherTabs(room: string, heard: (status: Status) => void): BroadcastChannel | null {
  try {
    const channel = new BroadcastChannel(`vestibule.${room}`);
    channel.onmessage = ({ data }: MessageEvent<Status>) => heard(data);
    return channel;
  } catch {
    return null;
  }
}
