/** On things that are held in the hand: a computer's browser has the function and nothing that moves. */
import type { Way } from "../alerts";

const PATTERN_MS = [300, 150, 300, 150, 600];

export function vibration(): Way | null {
  if (!("vibrate" in navigator) || !matchMedia("(pointer: coarse)").matches) return null;
  const rest = () => void navigator.vibrate(0);
  return {
    begin: async () => navigator.vibrate(200),
    end: rest,
    call: () => void navigator.vibrate(PATTERN_MS),
    rest,
  };
}
