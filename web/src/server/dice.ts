/**
 * The reader's share in the dice. It is drawn when the server has told its commitment, so that the server cannot
 * choose the dice; both are noted, to be compared with the proof at the end.
 */
import type { TableFacts } from "../protocol";
import { api, Refused } from "./api";
import { commandId } from "./socket.svelte";

interface Share {
  commitment: string;
  seed: string;
}

const KEY = "regalia.dice";
const MOST_NOTED = 200; // tables

function noted(): Record<string, Share> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Share>;
  } catch {
    return {};
  }
}

function note(shares: Record<string, Share>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(shares).slice(-MOST_NOTED))));
  } catch {
    // a browser that keeps nothing plays all the same
  }
}

/** The seed for a table's dice; the same one for all seats and tabs of this browser, however often it is sent. */
export function seedFor(table: string, commitment: string): string {
  const shares = noted();
  const known = shares[table];
  if (known?.commitment === commitment) return known.seed;
  const seed = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  note({ ...shares, [table]: { commitment, seed } });
  return seed;
}

/** Send the seed that a table waits for. Without a connection nothing happens: the table's page sends it again. */
export async function sendSeed(table: string, commitment: string): Promise<void> {
  const isNew = noted()[table] === undefined;
  try {
    await api.seed(table, commandId(), seedFor(table, commitment));
  } catch (error) {
    if (!isNew || !(error instanceof Refused)) return;
    const { [table]: _, ...others } = noted(); // another device was first: its seed counts
    note(others);
  }
}

export async function createTable(body: Parameters<typeof api.create>[0]): Promise<TableFacts> {
  const made = await api.create(body);
  if (made.fairness.awaited.length) await sendSeed(made.id, made.fairness.commitment);
  return made;
}

/** Are commitment and seeds what this browser saw and sent? Null if it noted nothing. */
export function isAsNoted(facts: TableFacts): boolean | null {
  const share = noted()[facts.id];
  const own = facts.seats.filter((seat) => seat.is_yours);
  if (!share || !own.length || !facts.fairness.client_seeds) return null;
  return (
    share.commitment === facts.fairness.commitment &&
    own.every(({ seat }) => facts.fairness.client_seeds![seat] === share.seed)
  );
}
