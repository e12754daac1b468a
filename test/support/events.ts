/** Follows a status that goes on, as the page does: its events as they come. Node only. */
import type { Status } from "../../src/core/status";
import { EventReader } from "../../static/wait/events";

export interface FollowedEvent {
  readonly name: string;
  readonly status: Status;
}

/** Reads `response` until it ends or is told to stop. */
export class Follower {
  readonly events: FollowedEvent[] = [];
  /** The server has closed it, or the connection was lost. */
  ended = false;
  readonly #stream: ReadableStreamDefaultReader<string>;

  constructor(response: Response) {
    if (response.body === null) throw new Error("nothing to follow");
    this.#stream = response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    void this.#read();
  }

  get last(): FollowedEvent | undefined {
    return this.events.at(-1);
  }

  /** Hangs up. */
  async stop(): Promise<void> {
    await this.#stream.cancel().catch(() => undefined);
  }

  async #read(): Promise<void> {
    const reader = new EventReader();
    try {
      for (let part = await this.#stream.read(); !part.done; part = await this.#stream.read()) {
        for (const { name, data } of reader.take(part.value)) this.events.push({ name, status: JSON.parse(data) as Status });
      }
    } catch {
      // Cut.
    }
    this.ended = true;
  }
}
