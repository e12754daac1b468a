/**
 * Two walks through the same site compared reply by reply: status, headers, body. Pure.
 */
import type { Reply } from "./walk";

export interface Difference {
  readonly label: string;
  /** `status`, `body`, `header X`, `spelling of header names`, `order of headers` */
  readonly what: string;
  /** null = not there. */
  readonly without: string | null;
  readonly with: string | null;
}

/** What matches `volatile` differs between two runs anyway, and so does the time. */
export function compare(without: readonly Reply[], withRoom: readonly Reply[], volatile: readonly RegExp[]): Difference[] {
  if (without.map(({ label }) => label).join("\n") !== withRoom.map(({ label }) => label).join("\n"))
    throw new Error("the walks took different ways");
  return without.flatMap((reply, i) => compareReplies(reply, withRoom[i] ?? reply, volatile));
}

function compareReplies(a: Reply, b: Reply, volatile: readonly RegExp[]): Difference[] {
  const steady = (text: string) => volatile.reduce((left, pattern) => left.replace(pattern, "…"), text);
  const found: Omit<Difference, "label">[] = [];
  const note = (what: string, without: string | null, withRoom: string | null) => {
    if (without !== withRoom) found.push({ what, without, with: withRoom });
  };
  note("status", `${a.status} ${a.reason}`, `${b.status} ${b.reason}`);
  const names = new Set([...a.headers, ...b.headers].map(([name]) => name.toLowerCase()));
  for (const name of names) note(`header ${name}`, valueIn(a, name, steady), valueIn(b, name, steady));
  const common = (reply: Reply, other: Reply) =>
    reply.headers.map(([name]) => name).filter((name) => other.headers.some(([key]) => key.toLowerCase() === name.toLowerCase()));
  note("order of headers", common(a, b).join(", ").toLowerCase(), common(b, a).join(", ").toLowerCase());
  note("spelling of header names", common(a, b).sort().join(", "), common(b, a).sort().join(", "));
  const bodies = [steady(a.body.toString("latin1")), steady(b.body.toString("latin1"))] as const;
  if (bodies[0] !== bodies[1]) found.push({ what: "body", without: describe(...bodies), with: describe(bodies[1], bodies[0]) });
  return found.map((difference) => ({ label: a.label, ...difference }));
}

function valueIn(reply: Reply, name: string, steady: (text: string) => string): string | null {
  const values = reply.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => (name === "date" ? "…" : steady(value)));
  return values.length === 0 ? null : values.join(" ⏎ ");
}

/** Its size, and a piece of it from where it leaves the other. */
function describe(body: string, other: string): string {
  let at = 0;
  while (at < body.length && body[at] === other[at]) at++;
  return `${body.length} bytes, from ${at}: ${JSON.stringify(body.slice(at, at + 80))}`;
}
