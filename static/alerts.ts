/**
 * Calls for attention at the turn, in the ways that the visitor has chosen: loaded when they open the list of them. Nothing is on before
 * it is ticked, a way that this browser lacks is not offered, and a tick tries the way out, so that nobody learns at the turn that it is mute.
 */
import type { AlertWords } from "../src/core/words";
import { notification } from "./alerts/notification";
import { screen } from "./alerts/screen";
import { sound } from "./alerts/sound";
import { vibration } from "./alerts/vibration";

/** One way to be called. */
export interface Way {
  /** From a press of the visitor; false = the browser does not allow it. */
  begin(): Promise<boolean>;
  end(): void;
  /** It is their turn. */
  call(text: string): void;
  /** Seen, or over. */
  rest(): void;
}

export interface Alerts {
  call(text: string): void;
  rest(): void;
}

/** Writes the list into `panel`. */
export function alerts(panel: Element, words: AlertWords, say: (sentence: string) => void): Alerts {
  const all = { sound: sound(), vibrate: vibration(), notification: notification(), screen: screen() };
  const chosen = new Set<Way>();
  const note = Object.assign(document.createElement("p"), { hidden: true, textContent: words.refused });
  for (const [name, way] of Object.entries(all) as [keyof typeof all, Way | null][]) {
    if (way === null) continue;
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    const label = document.createElement("label");
    label.append(box, words[name]);
    panel.append(label);
    box.addEventListener("change", async () => {
      note.hidden = true;
      chosen.delete(way);
      if (!box.checked) return way.end();
      if (await way.begin().catch(() => false)) {
        // Taken back meanwhile.
        if (box.checked) chosen.add(way);
        else way.end();
        return;
      }
      box.checked = false;
      note.hidden = false;
      say(words.refused);
    });
  }
  panel.append(note);
  return {
    call: (text) => {
      for (const way of chosen) way.call(text);
    },
    rest: () => {
      for (const way of chosen) way.rest();
    },
  };
}
