/**
 * What people do in the shop of examples/checkout once the room has let them in: most buy, some dawdle until their seats are gone, some go
 * away without paying, some click twice. Writes down what they were told; judges nothing. Node only.
 */
import type { Guest, GuestReply } from "../../scripts/lib/crowd-run.mjs";

export interface Receipt {
  readonly visit: string;
  readonly hold: string;
  readonly seats: readonly string[];
}

/** What the crowd cannot do over the room. */
export interface Means {
  /** Asks the shop for one's own hold, past the room, with a pass. */
  askDirectly(pass: string): Promise<{ status: number; seats: readonly string[] | null }>;
  /** Opens the shop itself with a pass, past the room. */
  walkPast(pass: string): Promise<void>;
  /** Time passes until this hold is over. */
  letLapse(hold: string): Promise<void>;
}

export class Box {
  readonly receipts: Receipt[] = [];
  /** Holds of which somebody was told that they had lapsed. */
  readonly lapsed = new Set<string>();
  /** Two orders from two clicks, answers that no visitor should see. */
  readonly faults: string[] = [];
  /** What apps were told when they asked past the room, with their passes. */
  readonly asked: {
    readonly visit: string;
    readonly status: number;
    readonly seats: readonly string[] | null;
    readonly held: readonly string[];
  }[] = [];
  readonly #room: string;
  readonly #means: Means;

  constructor(room: string, means: Means) {
    this.#room = room;
    this.#means = means;
  }

  /** One visit, to its end; resolves with how it ended. */
  readonly visit = async (guest: Guest): Promise<string> => {
    let want = 1 + Math.floor(guest.random() * 3);
    let dawdles = guest.id % 10 === 0;
    for (;;) {
      const reply = await guest.submit("/hold", { count: String(want) });
      if (reply.status === 410) return this.#leave(guest, "found it sold out");
      const held = reply.status === 200 ? heldIn(reply) : null;
      if (held === null) {
        if (reply.status !== 409) this.#fault(reply);
        want = 1;
        await guest.pause(200 + guest.random() * 400);
        continue;
      }
      if (guest.id % 10 === 1) return this.#leave(guest, "gave the seats back");
      if (guest.id % 10 === 2) await this.#asksAsApp(guest, held.seats);
      if (dawdles) {
        await this.#means.letLapse(held.hold);
        await guest.pause(500);
        dawdles = false;
      }
      const paying = { hold: held.hold, name: `Visitor ${guest.id}` };
      const replies = await Promise.all(Array.from({ length: guest.id % 10 === 3 ? 2 : 1 }, () => guest.submit("/pay", paying)));
      const [answer] = replies as [GuestReply];
      if (new Set(replies.map(({ status }) => status)).size > 1)
        this.faults.push(`two clicks, two answers: ${replies.map(({ status }) => status)}`);
      if (answer.status === 409 && answer.text.includes("Nothing was charged")) this.lapsed.add(held.hold);
      else if (answer.status === 200) return this.#bought(guest, answer);
      else this.#fault(answer);
    }
  };

  async #bought(guest: Guest, answer: GuestReply): Promise<string> {
    const orders = [...answer.text.matchAll(/data-order="([^"]+)" data-seats="([^"]+)"/g)];
    if (orders.length !== 1) this.faults.push(`visitor ${guest.id} has ${orders.length} orders`);
    for (const [, hold = "", seats = ""] of orders) this.receipts.push({ visit: this.#visitOf(guest), hold, seats: seats.split(" ") });
    return this.#leave(guest, "bought");
  }

  async #leave(guest: Guest, outcome: string): Promise<string> {
    const { text } = await guest.leave("/leave");
    if (!text.includes('"state":"ended"')) this.faults.push(`visitor ${guest.id} could not leave`);
    return outcome;
  }

  async #asksAsApp(guest: Guest, held: readonly string[]): Promise<void> {
    const told = await this.#means.askDirectly(this.#passOf(guest));
    await this.#means.walkPast(this.#passOf(guest));
    this.asked.push({ visit: this.#visitOf(guest), ...told, held });
  }

  #passOf(guest: Guest): string {
    return guest.cookie(`vestibule-pass.${this.#room}`) ?? "";
  }

  #visitOf(guest: Guest): string {
    const { g, s } = JSON.parse(Buffer.from(this.#passOf(guest).split(".")[1] ?? "", "base64url").toString()) as { g: number; s: number };
    return `${g}.${s}`;
  }

  #fault({ path, status, text }: GuestReply): void {
    this.faults.push(`${path}: ${status} ${text.slice(0, 200)}`);
  }
}

function heldIn({ text }: GuestReply): { hold: string; seats: string[] } | null {
  const hold = /name="hold" value="([^"]+)"/.exec(text)?.[1];
  const seats = /<strong>([^<]+)<\/strong>/.exec(text)?.[1]?.split(", ") ?? [];
  return hold === undefined ? null : { hold, seats };
}
