/** Soft sounds, made on the spot; off unless the reader wants them. */
import { settings } from "./settings.svelte";

const TUNES = { move: [392], turn: [523, 659], end: [523, 659, 784], refused: [196] } as const;
let context: AudioContext | undefined;

export function chime(tune: keyof typeof TUNES): void {
  // a browser stays silent until its reader has touched the page
  if (!settings.sound || document.visibilityState === "hidden" || !navigator.userActivation.hasBeenActive)
    return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  TUNES[tune].forEach((pitch, index) => {
    const start = context!.currentTime + index * 0.12;
    const tone = context!.createOscillator();
    const level = context!.createGain();
    tone.type = "sine";
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0.0001, start);
    level.gain.exponentialRampToValueAtTime(0.08, start + 0.02);
    level.gain.exponentialRampToValueAtTime(0.0001, start + 0.35);
    tone.connect(level).connect(context!.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  });
}
