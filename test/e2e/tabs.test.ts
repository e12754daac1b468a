/** How tabs of one browser share what they are told: the parts of the page's script that need no page, on virtual time. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Poller } from "../../static/wait/poller";
import { isNews, otherTabs } from "../../static/wait/tabs";
import { STATES, status } from "../support/page-states";

describe("tabs of one browser", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const gap = { pollAfterMs: 20_000 };

  /** So many tabs that hear what one of them is told, and the seconds at which any of them asked. */
  function tabsOf(count: number) {
    const asked: { tab: number; at: number }[] = [];
    const began = Date.now();
    const tabs: Poller[] = Array.from({ length: count }, (_, tab) => {
      const ask = async () => {
        asked.push({ tab, at: (Date.now() - began) / 1_000 });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { as: "status", status: status(gap), waitMs: 0 } as const;
      };
      return new Poller(gap, ask, () => {
        for (const [other, poller] of tabs.entries()) if (other !== tab) poller.spare(gap);
      });
    });
    for (const poller of tabs) poller.start();
    return { tabs, asked };
  }

  test("[PAGE-10] T11 ten of them ask as one does, and one that dies is stood in for", async () => {
    const { tabs, asked } = tabsOf(10);
    await vi.advanceTimersByTimeAsync(600_000);
    // One alone asks each 15 to 25 s; two that begin within the time of an answer both ask.
    expect(asked.length).toBeGreaterThanOrEqual(24);
    expect(asked.length).toBeLessThanOrEqual(2 * 40);
    const last = asked.at(-1)?.tab ?? 0;
    tabs[last]?.stop();
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBeGreaterThan(before);
    expect(asked.slice(before).map(({ tab }) => tab)).not.toContain(last);
    expect(vi.getTimerCount()).toBe(9);
  });

  test("[PAGE-10] what somebody wants to know at once is not put off by what another tab was told", async () => {
    const { tabs, asked } = tabsOf(2);
    const [one] = tabs as [Poller];
    one.now();
    one.spare(gap);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([{ tab: 0, at: 0 }]);
    for (const poller of tabs) poller.stop();
    one.spare(gap);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
  });

  test("[PAGE-10] [STREAM-7] of a page in another language a tab hears that the place was given up, and nothing else", () => {
    const open: { name: string; onmessage?: (event: { data: unknown }) => void }[] = [];
    const Channel = class {
      onmessage?: (event: { data: unknown }) => void;
      constructor(readonly name: string) {
        open.push(this);
      }
      postMessage(data: unknown): void {
        for (const other of open) if (other !== this && other.name === this.name) other.onmessage?.({ data: structuredClone(data) });
      }
    };
    vi.stubGlobal("BroadcastChannel", Channel);
    const heard: Record<string, unknown[]> = { de: [], en: [], other: [] };
    const tab = otherTabs("shop", "de", () => undefined);
    otherTabs("shop", "de", (told) => heard["de"]?.push(told));
    otherTabs("shop", "en", (told) => heard["en"]?.push(told));
    otherTabs("other", "de", (told) => heard["other"]?.push(told));
    vi.unstubAllGlobals();
    const waiting = status({ message: "Gleich" });
    const left = { ...STATES.left, message: "Auf Wiedersehen" };
    tab.tell(waiting);
    tab.tell(left);
    expect(heard).toEqual({ de: [waiting, left], en: [STATES.left], other: [] });
  });

  test("[PAGE-10] [PAGE-34] what somebody wants to know at once, and got no answer to, is asked again within seconds, however seldom the page asks", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const began = Date.now();
    const asked: number[] = [];
    let [isLost, takesMs] = [true, 0];
    const ask = async () => {
      asked.push((Date.now() - began) / 1_000);
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
      return isLost
        ? ({ as: "failed", waitMs: 0 } as const)
        : ({ as: "status", status: status({ pollAfterMs: 60_000 }), waitMs: 0 } as const);
    };
    const poller = new Poller({ pollAfterMs: 60_000 }, ask, () => undefined);
    poller.start();
    poller.now();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(asked).toEqual([0, 3, 9, 21, 45]);
    // Back online while a question is on its way that gets nowhere.
    takesMs = 15_000;
    await vi.advanceTimersByTimeAsync(44_000);
    poller.now();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.slice(5)).toEqual([90, 108]);
    [isLost, takesMs] = [false, 0];
    await vi.advanceTimersByTimeAsync(200_000);
    expect(asked.slice(7)).toEqual([183, 243, 303]);
    poller.stop();
    vi.restoreAllMocks();
  });

  test("[PAGE-10] news is what concerns the same place, and is not older; that the place was given up always is", () => {
    const known = status({ now: 1_000 });
    expect(isNews(status({ now: 1_000 }), known)).toBe(true);
    expect(isNews(status({ now: 999 }), known)).toBe(false);
    expect(isNews(status({ now: 2_000, slot: 7 }), known)).toBe(false);
    expect(isNews(status({ now: 2_000, draw: { id: 1, entry: 5 } }), known)).toBe(false);
    expect(isNews({ ...STATES.left, now: 1 }, known)).toBe(true);
    // Whoever is called waits no more: that was told from an older manifest, whatever the clock of the isolate that told it.
    const called = { ...STATES.called, slot: known.slot };
    expect(isNews(status({ now: called.now + 9_000 }), called)).toBe(false);
    expect(isNews({ ...STATES.missed, slot: known.slot, now: called.now + 9_000 }, called)).toBe(true);
  });
});
