/** Playing again with the same people and bots. */
import { go } from "../router.svelte";
import { sendSeed } from "../server/dice";
import { addressOf, invitation } from "./share";
import type { TableStore } from "./store.svelte";

/** Whether there is a next match to go to, or one to be asked for. */
export const canPlayAgain = (table: TableStore): boolean =>
  table.ownSeats.length > 0 || (!!table.facts?.next && !table.isByKey);

export async function playAgain(table: TableStore): Promise<void> {
  const next = table.facts?.next;
  if (next) return go(addressOf(next, invitation(table)));
  const seat = table.ownSeats[0];
  if (seat === undefined) return;
  const answer = await table.send({ type: "rematch", seat });
  if (!answer?.next) return;
  if (answer.commitment) await sendSeed(answer.next, answer.commitment);
  go(addressOf(answer.next, {}));
}
