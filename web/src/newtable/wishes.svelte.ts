/** What somebody wishes of a new table, and the table that it makes. */
import { t } from "../app/words.svelte";
import type { ByHand, GameFacts, NewTable, SeatPlan, TimeControl } from "../protocol";
import { commandId } from "../server/socket.svelte";
import { lastOpponents } from "./opponents";

export const MODES = ["bots", "friends", "hotseat"] as const;
export type Mode = (typeof MODES)[number];
export const PLACES = ["lot", "first", "other"] as const;
export const CLOCK_NAMES = ["none", "fast", "live", "turns", "slow"] as const;
export type ClockName = (typeof CLOCK_NAMES)[number];
const CLOCKS: Readonly<Record<ClockName, TimeControl>> = {
  none: { tempo: "none", reserve_ms: 0, increment_ms: 0 },
  fast: { tempo: "live", reserve_ms: 300_000, increment_ms: 5_000 },
  live: { tempo: "live", reserve_ms: 900_000, increment_ms: 10_000 },
  turns: { tempo: "turns", reserve_ms: 86_400_000, increment_ms: 86_400_000 },
  slow: { tempo: "turns", reserve_ms: 259_200_000, increment_ms: 259_200_000 },
};

export class Wishes {
  mode = $state<Mode>("bots"); // against whom
  count = $state(0); // of seats; 0: not said
  bots = $state<string[]>([]); // per opponent, as far as chosen
  place = $state<(typeof PLACES)[number]>("lot"); // who begins, of two
  clock = $state<ClockName>("none");
  isPublic = $state(false); // others may join, or watch
  undo = $state(true); // actions may be taken back
  hints = $state(true); // and bots asked
  names = $state<string[]>([]); // of those who share the device
  sharing = $state<string[]>([]); // and the bots among them, by seat; "": a person
  options = $state<Record<string, string>>({}); // of the game, as far as chosen
  byHand = $state<ByHand>(""); // what is rolled and dealt at a real table
  odds = $state(true); // told to all there, or to nobody
  isScreen = $state(false); // this device lies on the table, and all play by phone
  readonly #once = commandId(); // pressing twice makes one table

  constructor(mode: Mode) {
    this.mode = mode;
  }

  seats(game: GameFacts): number {
    return game.seats.includes(this.count) ? this.count : (game.seats[0] ?? 2);
  }

  /** What is by hand here: what was wished, where the game's box has it. */
  handOf(game: GameFacts): ByHand {
    return game.by_hand.includes(this.byHand) ? this.byHand : "";
  }

  /** Whether this device only shows the table, for all who play by phone. */
  isShown(game: GameFacts): boolean {
    return this.isScreen && this.mode === "friends" && this.handOf(game) !== "";
  }

  /** The bot that each opponent is: where none was chosen the last one played to the end, or else the easiest. */
  opponents(game: GameFacts): string[] {
    const ladder = byStrength(game).map(({ id }) => id);
    const last = lastOpponents(game.id).filter((bot) => ladder.includes(bot));
    const usual = (index: number): string => last[index] ?? last.at(-1) ?? ladder[0] ?? "random";
    return Array.from({ length: this.seats(game) - 1 }, (_, index) => this.bots[index] ?? usual(index));
  }

  /** What the server is asked for. */
  table(game: GameFacts): Partial<NewTable> & Pick<NewTable, "game" | "seats"> {
    const { mode, undo, hints } = this;
    return {
      game: game.id,
      seats: this.#plan(game),
      id: this.#once,
      undo,
      hints,
      autostart: true,
      is_public: mode !== "hotseat" && this.isPublic,
      clock: CLOCKS[this.clock],
      ...(this.handOf(game) ? { by_hand: this.handOf(game), odds: this.odds } : {}),
      options: Object.fromEntries(
        optionsOf(game, this.seats(game)).map(({ name, default: usual }) => [
          name,
          this.options[name] ?? usual,
        ]),
      ),
    };
  }

  #plan(game: GameFacts): SeatPlan[] {
    const count = this.seats(game);
    const bots = this.opponents(game).values();
    const you = this.place === "first" ? 0 : this.place === "other" ? 1 : Math.floor(Math.random() * count);
    return Array.from({ length: count }, (_, seat): SeatPlan => {
      if (this.mode === "hotseat" && this.sharing[seat]) return { kind: "bot", bot: this.sharing[seat] };
      if (this.mode === "hotseat")
        return { kind: "hotseat", name: this.names[seat]?.trim().slice(0, 32) || playerName(seat) };
      if (seat === you && !this.isShown(game)) return { kind: "human" };
      return this.mode === "bots" ? { kind: "bot", bot: bots.next().value } : { kind: "open" };
    });
  }
}

export const playerName = (seat: number): string => t("ui.new.player", { number: seat + 1 });
export const byStrength = (game: GameFacts): GameFacts["bots"] =>
  game.bots.toSorted((a, b) => a.strength - b.strength);
/** Some options are there for some numbers of seats only. */
export const optionsOf = (game: GameFacts, seats: number): GameFacts["options"] =>
  game.options.filter((option) => !option.seats || option.seats.includes(seats));
