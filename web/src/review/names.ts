/** What sides are called, and where a review is. */
import type { Pass } from "../server/api";

export const sideNames = (sides: readonly (readonly number[])[], names: readonly string[]): string[] =>
  sides.map((seats) => seats.map((seat) => names[seat] ?? "").join(" & "));

export function reviewAddress(
  id: string,
  pass: Pass,
  ply: number | null = null,
  seat: number | null = null,
): string {
  const query = new URLSearchParams();
  if (ply !== null) query.set("ply", String(ply));
  if (seat !== null) query.set("seat", String(seat));
  if (pass.invite) query.set("invite", pass.invite);
  if (pass.key) query.set("key", pass.key);
  const text = query.toString();
  return `/t/${id}/review${text ? `?${text}` : ""}`;
}
