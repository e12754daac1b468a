/** Reads the events of a status that goes on (src/routes/follow.ts) out of text that comes in pieces. Pure. */

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

export class EventReader {
  #rest = "";

  /** The events that `text` completes. */
  take(text: string): StreamEvent[] {
    const parts = (this.#rest + text).split("\n\n");
    this.#rest = parts.pop() ?? "";
    return parts.map((part) => ({ name: /^event: (.*)$/m.exec(part)?.[1] ?? "", data: /^data: (.*)$/m.exec(part)?.[1] ?? "" }));
  }
}
