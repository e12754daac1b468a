/**
 * One visitor of the crowd, from opening the site to leaving it, as a person with a browser would: waits as the page tells, goes in
 * when called, looks at a few pages, then leaves by the button or just falls silent.
 */
import { Diarist, newDiary } from "./crowd-diary.mjs";
import { Browser, now } from "./crowd-http.mjs";

/** The waiting page asks no faster than this, whatever it is told. */
const LEAST_POLL_MS = 1_000;
const MOST_BACK_OFF_MS = 10_000;
/** How long people take to press the button when they are called, at most. */
const REACTION_MS = 1_200;
/** Between two pages. */
const LEAST_READING_MS = 300;
const MOST_READING_MS = 1_500;

/** What sort of visitor this is. `random` gives 0 … 1; the same numbers make the same visitor. */
export function planVisitor(random, arriveWithinMs) {
  return {
    arriveMs: random() * arriveWithinMs,
    /** One in ten looks away while waiting, for up to a quarter of a minute. */
    napMs: random() < 0.1 ? 3_000 + random() * 12_000 : 0,
    pages: 2 + Math.floor(random() * 3),
    leaves: random() < 0.7,
    random,
  };
}

/**
 * Lives a visitor's life: `{ diary, over }`, where `over` resolves with the number of requests made when the visit is over or
 * `signal` aborts, and rejects only for a mistake of ours.
 * `world` = `{ target, room, pages, agent, signal, pause(ms), pace?(signal), mostRequests, aheadMs, visit? }`; `pause` rejects when `signal`
 * aborts, and so does `pace`, which every request waits for. `visit(guest)` is what somebody does who is in, instead of looking at pages; it
 * resolves with the outcome.
 */
export function live(id, plan, world) {
  const visitor = new CrowdVisitor(id, plan, world);
  return { diary: visitor.diary, over: visitor.live() };
}

class CrowdVisitor {
  diary;
  #plan;
  #world;
  #browser;
  #diarist;
  #api;
  #napMs;

  constructor(id, plan, world) {
    this.diary = newDiary(id);
    this.#plan = plan;
    this.#world = world;
    this.#napMs = plan.napMs;
    this.#api = `/__vestibule/rooms/${world.room}`;
    const { target, room, agent, signal, mostRequests, pace, aheadMs } = world;
    this.#diarist = new Diarist(this.diary, { room, statusPath: `${this.#api}/status`, aheadMs });
    const onReply = (reply, sent) => this.#diarist.read(reply, sent);
    const onFailure = (request) => signal.aborted || this.#diarist.failed(request);
    this.#browser = new Browser({ target, agent, signal, mostRequests, pace, onReply, onFailure });
  }

  async live() {
    try {
      await this.#world.pause(this.#plan.arriveMs);
      this.diary.outcome = "waiting";
      if (await this.#getIn()) await this.#visit();
    } catch (error) {
      if (!this.#world.signal.aborted && !this.#isSpent()) throw error;
      if (this.#isSpent()) this.diary.outcome = "asked as often as allowed";
    }
    return this.#browser.requests;
  }

  /** true = inside. */
  async #getIn() {
    let told = await this.#open(0);
    for (;;) {
      if (this.diary.entries.length > 0) return true;
      if (told === null) {
        // The room was quiet: let through without a place so far.
        this.diary.unproven += 1;
        await this.#read();
        told = await this.#open(0);
      } else if (told.state === "called" || told.state === "inside") {
        await this.#world.pause(told.dueInMs ?? this.#plan.random() * REACTION_MS);
        told = await this.#open(0);
      } else if (told.state === "ended" || told.state === "void") {
        this.diary.outcome = `sent away (${told.reason ?? told.state})`;
        if (told.reason === "unknown" || told.state === "void") this.diary.faults.push(`was told ${told.state}`);
        return false;
      } else {
        told = await this.#wait(told);
      }
    }
  }

  /** Waits as long as was told, ±25 %, and asks again. */
  async #wait({ state, pollAfterMs }) {
    await this.#world.pause(Math.max(LEAST_POLL_MS, pollAfterMs * (0.75 + this.#plan.random() / 2)));
    if (state === "waiting" && this.#napMs > 0) {
      this.diary.naps += 1;
      await this.#world.pause(this.#napMs);
      this.#napMs = 0;
    }
    const hasNoPlace = state === "joining" || state === "full" || state === "closed" || state === "refused";
    return hasNoPlace ? this.#call("POST", "join") : this.#call("GET", "status");
  }

  async #visit() {
    this.diary.outcome = "inside";
    const { visit } = this.#world;
    if (visit) {
      this.diary.outcome = await visit(this.#guest());
      return;
    }
    for (let page = 1; page < this.#plan.pages; page++) {
      await this.#read();
      const told = await this.#open(page);
      if (told !== null) {
        this.diary.outcome = `out again (${told.state})`;
        return;
      }
    }
    await this.#read();
    if (this.#plan.leaves) await this.#leave();
    else this.diary.outcome = "fell silent";
  }

  /** What `visit` may do; `submit`, `open` and `leave` resolve with the last reply. */
  #guest() {
    const { pause } = this.#world;
    return {
      id: this.diary.id,
      random: this.#plan.random,
      pause,
      cookie: (name) => this.#browser.cookies.get(name) ?? null,
      open: (path) => this.#browser.navigate(path),
      submit: (path, fields) => this.#browser.submit(path, fields),
      /** By a form that leads to the room's own leaving. */
      leave: (path) => {
        this.diary.entries.at(-1).left = now();
        return this.#browser.submit(path, {});
      },
    };
  }

  async #leave() {
    const entry = this.diary.entries.at(-1);
    entry.left = now();
    const { state } = await this.#call("POST", "leave");
    if (state !== "ended") entry.left = null;
    this.diary.outcome = state === "ended" ? "left" : `could not leave (${state})`;
  }

  /** Opens one of the site's pages. Resolves with what the room tells, or null for a page of the site. */
  #open(page) {
    const { pages } = this.#world;
    return this.#persist(async () => {
      const reply = await this.#browser.navigate(pages[page % pages.length]);
      const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(reply.text)?.[1];
      if (data !== undefined) return this.#heed(reply, JSON.parse(data).status);
      if (reply.status >= 500) return undefined;
      this.diary.pages += 1;
      return null;
    });
  }

  /** Asks one of the room's endpoints. Resolves with the status that it tells. */
  #call(method, endpoint) {
    return this.#persist(async () => {
      const reply = await this.#browser.call(method, `${this.#api}/${endpoint}`);
      const body = reply.headers["content-type"]?.includes("json") ? JSON.parse(reply.text) : {};
      return body.state === undefined ? undefined : this.#heed(reply, body);
    });
  }

  #heed(reply, status) {
    this.#diarist.told(status, reply);
    return status;
  }

  #read() {
    return this.#world.pause(LEAST_READING_MS + this.#plan.random() * (MOST_READING_MS - LEAST_READING_MS));
  }

  /** Tries again, slower each time, while nobody answers or the answer (undefined) means nothing to a visitor. */
  async #persist(ask) {
    for (let failures = 0; ; failures++) {
      try {
        const told = await ask();
        if (told !== undefined) return told;
      } catch (error) {
        if (this.#world.signal.aborted || this.#isSpent()) throw error;
      }
      await this.#world.pause(Math.min(MOST_BACK_OFF_MS, LEAST_POLL_MS * 2 ** failures) * (0.5 + this.#plan.random() / 2));
    }
  }

  #isSpent() {
    return this.#browser.requests >= this.#world.mostRequests;
  }
}
