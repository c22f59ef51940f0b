/** Moments of a match, as people and addresses name them. */

/** The number by which people know a moment: of the last action before it; 0 is the start. */
export const momentAt = (ply: number): number => ply - 1;

/** The ply of the moment that an address asks for. Links of version 0.1, and embeds, name it itself. */
export function momentOf(address: URLSearchParams): number | null {
  const [moment, ply] = [address.get("moment"), address.get("ply")].map((text) => parseInt(text ?? "", 10));
  return moment! >= 0 ? moment! + 1 : ply! >= 1 ? ply! : null;
}
