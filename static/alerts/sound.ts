/** Three quiet notes, made by the browser: no file. Planned on the clock of the sound itself, which goes on in a hidden tab. */
import type { Way } from "../alerts";

/** Notes, Hz, one after the other; the whole is shorter than the three seconds from which a sound has to be stoppable (WCAG 1.4.2). */
const NOTES = [523.25, 659.25, 783.99];
const NOTE_S = 0.22;
const LOUDNESS = 0.25;
/** Played again so long after the turn came, s, unless somebody looks. */
const AGAIN_S = [0, 6, 12, 30, 60, 90];

export function sound(): Way | null {
  if (!("AudioContext" in globalThis)) return null;
  let context: AudioContext | null = null;
  let playing: OscillatorNode[] = [];

  function play(at: readonly number[]): void {
    if (context === null) return;
    // Where the browser has put it to sleep meanwhile.
    void context.resume();
    for (const [i, hertz] of NOTES.entries()) {
      for (const delayS of at) {
        const start = context.currentTime + delayS + i * NOTE_S;
        const note = context.createOscillator();
        const loudness = context.createGain();
        note.frequency.value = hertz;
        loudness.gain.setValueAtTime(0, start);
        loudness.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
        loudness.gain.exponentialRampToValueAtTime(0.001, start + NOTE_S * 1.5);
        note.connect(loudness).connect(context.destination);
        note.start(start);
        note.stop(start + NOTE_S * 1.5);
        playing.push(note);
      }
    }
  }

  function rest(): void {
    for (const note of playing) note.disconnect();
    playing = [];
  }

  return {
    async begin() {
      context ??= new AudioContext();
      await context.resume();
      play([0]);
      return context.state === "running";
    },
    end() {
      rest();
      void context?.close();
      context = null;
    },
    call() {
      rest();
      play(AGAIN_S);
    },
    rest,
  };
}
