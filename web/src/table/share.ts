/** Addresses of a table, and a new table that begins where an old one stood. */
import { announcer } from "../app/announcer.svelte";
import { t } from "../app/words.svelte";
import type { GameFacts } from "../protocol";
import { go } from "../router.svelte";
import { type Pass, reason } from "../server/api";
import { createTable } from "../server/dice";
import { me } from "../server/me.svelte";
import type { TableStore } from "./store.svelte";

/** The number by which people know a moment: of the last action before it; 0 is the start. */
export const momentAt = (ply: number): number => ply - 1;

/** The ply of the moment that an address asks for. Links of version 0.1 name it itself. */
export function momentOf(address: URLSearchParams): number | null {
  const [moment, ply] = [address.get("moment"), address.get("ply")].map((text) => parseInt(text ?? "", 10));
  return moment! >= 0 ? moment! + 1 : ply! >= 1 ? ply! : null;
}

/** A table, or (with a ply) a moment of its match. */
export function addressOf(id: string, pass: Pass, ply: number | null = null): string {
  const query = new URLSearchParams();
  if (ply !== null) query.set("moment", String(momentAt(ply)));
  if (pass.invite) query.set("invite", pass.invite);
  if (pass.key) query.set("key", pass.key);
  const text = query.toString();
  return `/t/${id}${text ? `?${text}` : ""}`;
}

/** A name by which a machine calls itself: another device that opens it finds itself. */
export const isThisMachine = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d+){3}$/.test(name);

/** What brings somebody to the table, and to the next of the same people, with all rights of a guest. */
export function invitation({ facts, pass }: TableStore): Pass {
  const invite = facts?.invite ?? pass.invite;
  return invite ? { invite } : {};
}

/** What lets whoever gets it watch, and no more. */
const toWatch = ({ facts }: TableStore): Pass => (facts?.watch_key ? { key: facts.watch_key } : {});

export async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    announcer.show({ kind: "info", text: t("ui.copied") });
  } catch {
    announcer.show({ kind: "info", text: address, stays: true }); // to be copied by hand
  }
}

export const share = (table: TableStore, ply: number | null): Promise<void> =>
  copyAddress(`${location.origin}${addressOf(table.id, toWatch(table), ply)}`);

/** Play on against bots from the ply that is shown. */
export async function fork(table: TableStore, game: GameFacts | null): Promise<void> {
  const facts = table.facts;
  if (!facts) return;
  await me.ensure();
  const bot = game?.bots.at(-1)?.id ?? "random";
  const own = table.seat ?? table.shown?.actors[0] ?? 0;
  try {
    const created = await createTable({
      game: facts.game,
      table: table.id,
      ply: table.shownPly,
      ...toWatch(table),
      options: facts.options,
      is_public: false,
      seats: facts.seats.map((_, seat) => (seat === own ? { kind: "human" } : { kind: "bot", bot })),
    });
    go(addressOf(created.id, {}));
  } catch (error) {
    announcer.show({ kind: "refused", text: reason(error) });
  }
}
