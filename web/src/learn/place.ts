/** Somewhere to learn: a position that the table's own board and tray show, and that takes actions. */
import type { BoardProps, Draft, GameUi, RecordOf, View } from "../games/contract";
import { t } from "../app/words.svelte";

export interface Place {
  readonly ui: GameUi | null;
  readonly view: View | null; // null until it is known
  readonly records: readonly RecordOf<unknown>[];
  readonly actions: readonly string[]; // what may be done here and now
  readonly marks: readonly string[]; // places to point out
  readonly previews: Readonly<Record<string, View>>;
  readonly draft: Draft;
  readonly isReady: boolean; // to take an action
  readonly trouble: string; // why nothing can be shown
  say: (text: string) => void; // of something that was pressed
  answer: (action: string) => Promise<void>;
  look: (actions: readonly string[]) => Promise<void>; // what actions would lead to is wanted
}

/** What a board is given; each part is looked up when it is read. */
export function boardOf(place: Place): BoardProps {
  return {
    onact: (action) => void place.answer(action),
    onsay: (text) => place.say(text),
    get view() {
      return place.view!;
    },
    get actions() {
      return place.actions;
    },
    get draft() {
      return place.draft;
    },
    get records() {
      return place.records;
    },
    get mark() {
      return place.records.length - 1;
    },
    get previews() {
      return place.previews;
    },
    get odds() {
      return null;
    },
    get names() {
      return namesIn(place.view!);
    },
    get marks() {
      return place.marks;
    },
  };
}

/** The seats by number, and you. */
export function namesIn(view: View): string[] {
  return Array.from({ length: view.seats }, (_, seat) =>
    seat === view.you ? t("ui.seat.you") : t("ui.new.player", { number: seat + 1 }),
  );
}
