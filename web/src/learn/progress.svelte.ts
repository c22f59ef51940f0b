/** How far somebody is in each guide, kept in this browser. */
const KEY = "regalia.guides";

interface Place {
  step: number; // where to go on
  done: number; // steps done at least once, counted from the first
}
type Places = Readonly<Record<string, Place>>;
const START: Place = { step: 0, done: 0 };

function read(): Places {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Places;
  } catch {
    return {};
  }
}

class Progress {
  #places = $state.raw<Places>(read());

  of(game: string): Place {
    return { ...START, ...this.#places[game] };
  }

  /** Somebody looks at a step. */
  reach(game: string, step: number): void {
    this.#keep(game, { ...this.of(game), step });
  }

  /** Somebody has done a step, and goes on with the next one; after the last they begin anew. */
  finish(game: string, step: number, steps: number): void {
    this.#keep(game, { step: (step + 1) % steps, done: Math.max(this.of(game).done, step + 1) });
  }

  #keep(game: string, place: Place): void {
    this.#places = { ...read(), [game]: place }; // another tab may have gone on in another guide
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#places));
    } catch {
      // a browser that keeps nothing: the guide still works
    }
  }
}

export const progress = new Progress();
