/** What a reader chose, kept in this browser. */
import { LANGUAGES, preferred, speak, type Language } from "./words.svelte";

export type Theme = "system" | "light" | "dark";
export type Motion = "system" | "full" | "none";
interface Kept {
  language: Language | null;
  theme: Theme;
  motion: Motion;
  confirm: boolean;
  sound: boolean;
  name: string;
  invented: string; // a name that was given to a guest who had not chosen one
}

const KEY = "regalia.settings";
const FIRST: Kept = {
  language: null,
  theme: "system",
  motion: "system",
  confirm: false,
  sound: false,
  name: "",
  invented: "",
};

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
    const known = LANGUAGES.find((language) => language === kept.language) ?? null;
    return { ...FIRST, ...kept, language: known };
  } catch {
    return { ...FIRST };
  }
}

class Settings {
  #kept = $state<Kept>(read());

  get language(): Language {
    return this.#kept.language ?? preferred(navigator.languages);
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get motion(): Motion {
    return this.#kept.motion;
  }
  get confirm(): boolean {
    return this.#kept.confirm;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get name(): string {
    return this.#kept.name;
  }

  get invented(): string {
    return this.#kept.invented;
  }

  get isDark(): boolean {
    return (
      this.theme === "dark" || (this.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches)
    );
  }
  get isStill(): boolean {
    return (
      this.motion === "none" ||
      (this.motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches)
    );
  }

  set(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // a browser that keeps nothing still plays
    }
    this.show();
    if (change.language) void speak(change.language);
  }

  show(): void {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    document.documentElement.dataset.motion = this.isStill ? "none" : "full";
  }

  /** Follow the system while the reader has chosen nothing else. */
  follow(): void {
    this.show();
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"])
      matchMedia(query).addEventListener("change", () => this.show());
  }
}

export const settings = new Settings();
