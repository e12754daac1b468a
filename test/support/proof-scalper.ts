/**
 * What many addresses get in a draw, and what it costs them and everybody else: the real line through a lobby, a price ladder and the draw,
 * by simulation. The numbers of docs/fairness.md come from here.
 */
import { unshuffleList } from "@chainsafe/swap-or-not-shuffle";
import type { JoinRequest, JoinVerdict } from "../../src/core/exchange";
import { stepsOf } from "../../src/core/proof";
import type { RoomSettings } from "../../src/core/settings-types";
import { seeded } from "./line-world";
import { LobbyWorld } from "./lobby-world";
import { atLeast, atMost, type Check, noted, type Proof } from "./proof";

/** Where a crowd's addresses are: `prefixes` networks, `wides` IPv6 /48s that hold them (0 = IPv4). */
interface Spread {
  readonly name: string;
  readonly prefixes: number;
  readonly wides: number;
}

interface Case {
  readonly draw: string;
  readonly settings: Partial<RoomSettings>;
  readonly spread: Spread;
  /** Entries that the scalper makes from each address; 0 = as many as are free. */
  readonly each: number;
  readonly invitations?: number;
}

interface Outcome {
  readonly scalped: number;
  readonly honest: number;
  /** Of the scalper, of the first `places`. */
  readonly won: number;
  readonly coreHours: number;
  /** Share of honest people who were asked, and the dearest cost of any. */
  readonly asked: number;
  readonly dearest: number;
}

export interface ScalperRun {
  readonly honest: number;
  readonly addresses: number;
  /** Places that matter. */
  readonly places: number;
  readonly seed: number;
}

const SCALPER: ScalperRun = { honest: 100_000, addresses: 50_000, places: 1_000, seed: 5 };
/** The same at a hundredth, for every test run. */
export const SMALL_SCALPER: ScalperRun = { honest: 1_000, addresses: 500, places: 100, seed: 5 };

/** One step of work takes this long on a core of a server, in OpenSSL, s; measured in 2026. */
const STEP_S = 0.000_15;
/** On average three quarters of the steps of a challenge are made until its answer is found. */
const STEPS_MADE = 0.75;
/** Of the honest crowd this share stands behind carriers, with so many to a prefix; the others have a prefix for themselves or nearly. */
const BEHIND_CARRIERS = 0.3;
const CARRIER_PREFIX = 250;

const SPREADS = {
  host: (n: number): Spread => ({ name: "one host's /24s", prefixes: Math.ceil(n / 256), wides: 0 }),
  proxies: (n: number): Spread => ({ name: "proxies in homes, 10 to a /24", prefixes: Math.ceil(n / 10), wides: 0 }),
  alone: (n: number): Spread => ({ name: "proxies in homes, each in a /24 of its own", prefixes: n, wides: 0 }),
  tunnel: (n: number): Spread => ({ name: "the /64s of one IPv6 /48", prefixes: n, wides: 1 }),
};

function casesOf({ addresses }: ScalperRun): Case[] {
  const { host, proxies, alone, tunnel } = SPREADS;
  const spreads = [host, proxies, alone, tunnel].map((spread) => spread(addresses));
  const off: Partial<RoomSettings> = { challenge: "off" };
  const priced = (freeEntries: number): Partial<RoomSettings> => ({ challenge: "pow", overLimit: "challenge", freeEntries });
  return [
    { draw: "open", settings: off, spread: proxies(addresses), each: 1 },
    { draw: "open", settings: off, spread: proxies(addresses), each: 10 },
    ...[20, 100].flatMap((free) => spreads.map((spread) => ({ draw: `free_entries = ${free}`, settings: priced(free), spread, each: 1 }))),
    { draw: "free_entries = 20", settings: priced(20), spread: proxies(addresses), each: 10 },
    { draw: "free_entries = 20", settings: priced(20), spread: host(addresses), each: 0 },
    { draw: "free_entries = 20", settings: priced(20), spread: tunnel(addresses), each: 0 },
    {
      draw: "free_entries = 20, everyone asked",
      settings: { ...priced(20), challengeEveryone: true },
      spread: proxies(addresses),
      each: 1,
    },
    { draw: "invited, none bought", settings: { ...off, entry: "invited" }, spread: proxies(addresses), each: 1 },
    { draw: "invited, 100 bought", settings: { ...off, entry: "invited" }, spread: proxies(addresses), each: 1, invitations: 100 },
  ];
}

/** The room, and one who tries to enter: answers what is asked, if it is worth it. */
class Sale {
  readonly world: LobbyWorld;
  #made = 0;

  constructor(settings: Partial<RoomSettings>, seed: number) {
    this.world = new LobbyWorld({}, settings, seed);
    this.world.goTo(10);
  }

  newcomer(from: Pick<JoinRequest, "network" | "wide">, guest: string | null): JoinRequest {
    this.#made += 1;
    const invitation = guest === null ? {} : { guest: { invitation: { id: guest, uses: 1 } } };
    return { key: String(this.#made).padStart(22, "0").slice(-16), enter: false, tag: 0, proof: 0, ...from, ...invitation };
  }

  join(requests: readonly JoinRequest[]): readonly JoinVerdict[] {
    return this.world.exchange({ joins: requests })?.joins ?? [];
  }
}

function play(run: ScalperRun, one: Case): Outcome {
  const random = seeded(run.seed);
  const sale = new Sale(one.settings, run.seed);
  const isInvited = one.settings.entry === "invited";
  const carriers = Math.ceil((run.honest * BEHIND_CARRIERS) / CARRIER_PREFIX);
  const honestFrom = (i: number) => ({
    network: i < run.honest * BEHIND_CARRIERS ? 1 + (i % carriers) : 1_000_000 + Math.floor(random() * run.honest),
  });
  const { prefixes, wides } = one.spread;
  const scalperFrom = (i: number) => ({ network: 100_000_000 + (i % prefixes), ...(wides > 0 && { wide: 1 + (i % wides) }) });
  const people = [
    ...Array.from({ length: run.honest }, (_, i) => sale.newcomer(honestFrom(i), isInvited ? `honest-${i}` : null)),
    ...Array.from({ length: run.addresses * Math.max(1, one.each) }, (_, i) =>
      sale.newcomer(scalperFrom(i), i < (one.invitations ?? 0) ? `bought-${i}` : null),
    ),
  ];
  const order = shuffled(people.length, random);
  const owners: boolean[] = [];
  let [coreS, asked, dearest] = [0, 0, 0];
  const enter = (index: number, verdict: JoinVerdict | undefined) => {
    if (verdict?.as === "entry") owners[verdict.entry] = index >= run.honest;
  };
  for (let at = 0; at < order.length; at += 50) {
    const batch = order.slice(at, at + 50);
    const verdicts = sale.join(batch.map((index) => people[index] as JoinRequest));
    for (const [i, verdict] of verdicts.entries()) enter(batch[i] as number, verdict);
    for (const [i, first] of verdicts.entries()) {
      const index = batch[i] as number;
      const isScalper = index >= run.honest;
      if (first.as !== "challenge" || (isScalper && one.each === 0)) continue;
      if (!isScalper) asked += 1;
      // The price may go up while the work is done: it is asked again then.
      for (let verdict: JoinVerdict | undefined = first; verdict?.as === "challenge"; ) {
        if (isScalper) coreS += STEPS_MADE * stepsOf(verdict.cost, sale.world.manifest.challenge?.difficulty ?? 1) * STEP_S;
        else dearest = Math.max(dearest, verdict.cost);
        [verdict] = sale.join([{ ...(people[index] as JoinRequest), proof: verdict.cost }]);
        enter(index, verdict);
      }
    }
    if (at % 10_000 === 0) sale.world.tick(1_000);
  }
  sale.world.goTo(20);
  const { count, seed } = sale.world.record;
  const slots = unshuffleList(
    Uint32Array.from({ length: count }, (_, i) => i),
    Uint8Array.from(Buffer.from(seed, "hex")),
    90,
  );
  const won = owners.filter((isScalper, entry) => isScalper && (slots[entry] as number) < run.places).length;
  const scalped = owners.filter(Boolean).length;
  if (owners.length !== count) throw new Error(`${count} entries, ${owners.length} owners`);
  return { scalped, honest: count - scalped, won, coreHours: coreS / 3_600, asked: asked / run.honest, dearest };
}

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

export function scalperProof(run: ScalperRun = SCALPER): Proof {
  const people = (count: number) => count.toLocaleString("en-US");
  return {
    title: `A draw of ${people(run.honest)} people, and one with ${people(run.addresses)} addresses`,
    rules: ["ASK-3", "ASK-4"],
    about:
      `Of the honest people ${BEHIND_CARRIERS * 100} % stand behind carriers, ${CARRIER_PREFIX} to a network prefix; the others have one nearly for themselves. ` +
      `Everybody answers what is asked; the scalper's work is counted as hours of one server core (${STEP_S * 1_000} ms a step). ` +
      "Each row is a lobby, its price ladder and its draw.",
    checks: casesOf(run).flatMap((one) => checksOf(run, one, play(run, one))),
    charts: [],
  };
}

function checksOf(run: ScalperRun, one: Case, outcome: Outcome): Check[] {
  const { scalped, honest, won, coreHours, asked, dearest } = outcome;
  const what = `${one.draw}; ${one.spread.name}${one.each > 1 ? `, ${one.each} entries each` : one.each === 0 ? ", what is free" : ""}`;
  const share = scalped / (scalped + honest);
  const entries = run.addresses * Math.max(1, one.each);
  const bought = one.settings.entry === "invited" ? (one.invitations ?? 0) : null;
  const spread = 4 * Math.sqrt(run.places * share * (1 - share)) + 1;
  return [
    atLeast(`${what}: honest people who entered`, honest, run.honest),
    bought !== null
      ? atMost(`${what}: entries of the scalper`, scalped, bought)
      : one.each === 0
        ? noted(`${what}: entries of the scalper`, scalped)
        : atLeast(`${what}: entries of the scalper`, scalped, entries),
    // A draw favours nobody: places follow entries, within four standard deviations.
    atMost(`${what}: places among the first ${run.places.toLocaleString("en-US")}`, won, Math.round(run.places * share + spread)),
    noted(`${what}: work of the scalper`, coreHours, "core hours", 1),
    ...(one.settings.challenge === "pow"
      ? [noted(`${what}: honest people who were asked`, 100 * asked, "%"), noted(`${what}: the dearest cost of any of them`, dearest)]
      : []),
  ];
}
