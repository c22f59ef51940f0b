/** The court as a drawing: where its cards lie in the room there is, and how words are cut to fit. */
import { typeScale } from "$web/app/pixel";
import type { CharacterName } from "./types";
import { ROWS } from "./view";

export interface Card {
  name: CharacterName;
  level: number; // of its row
  x: number;
  y: number;
  w: number;
  h: number;
}
/** `wide`: the pyramid with room beside the King; `close`: the pyramid alone; `grid`: four abreast, on a phone. */
export type Kind = "wide" | "close" | "grid";
export interface Court {
  kind: Kind;
  cards: Card[];
  levels: { level: number; y: number }[]; // the middle of each row; none in a grid
  left: number; // where the rows begin
}

const GRID_COLUMNS = 4;
const [WIDE_FROM, PYRAMID_FROM] = [689, 540];
const WIDTH = { card: 152, royal: 176, flank: 138 }; // Fool and Charlatan flank the second row

const isFlank = (name: CharacterName): boolean => name === "fool" || name === "charlatan";

function arrangeGrid(wide: number, high: number): Court {
  const [gap, margin] = [5, 8];
  const [w, h] = [
    (wide - 2 * margin - (GRID_COLUMNS - 1) * gap) / GRID_COLUMNS,
    (high - (ROWS.length - 1) * gap) / ROWS.length,
  ];
  // Fool and Charlatan stand beside King and Queen, so that every row but the last two is one level
  const all = ROWS.flatMap(([level, names]) => names.map((name) => ({ name, level })));
  const order = [
    ...all.filter(({ level }) => level === 5),
    ...all.filter(({ name }) => isFlank(name)),
    ...all.filter(({ name, level }) => level < 5 && !isFlank(name)),
  ];
  const cards = order.map((card, index) => ({
    ...card,
    x: margin + (index % GRID_COLUMNS) * (w + gap),
    y: Math.floor(index / GRID_COLUMNS) * (h + gap),
    w,
    h,
  }));
  return { kind: "grid", cards, levels: [], left: margin };
}

const isGridIn = (wide: number, high: number): boolean => wide < PYRAMID_FROM || high > wide;

/** How much larger than in its own units a court is drawn in so many pixels: with the page's type, and with room to spare. */
export function zoomOf(width: number, height: number): number {
  if (!width || !height) return 1;
  const type = typeScale();
  const [wide, high] = [width / type, height / type];
  const [usual, flat, most] = isGridIn(wide, high) ? [400, 330, 1.5] : [860, 580, 1.3];
  return type * Math.max(1, Math.min(most, wide / usual, high / flat));
}

export function arrange(wide: number, high: number): Court {
  if (isGridIn(wide, high)) return arrangeGrid(wide, high);
  const kind = wide < WIDE_FROM ? "close" : "wide";
  const [gapX, gapY, left] = kind === "wide" ? [8, 8, 36] : [6, 8, 34];
  const h = (high - (ROWS.length - 1) * gapY) / ROWS.length;
  const cards: Card[] = [];
  const levels = ROWS.map(([level, names], row) => {
    const y = row * (h + gapY);
    const wish = names.map((name) => (level === 5 ? WIDTH.royal : isFlank(name) ? WIDTH.flank : WIDTH.card));
    const sum = wish.reduce((total, each) => total + each, 0);
    const gaps = (names.length - 1) * gapX;
    const shrink = Math.min(1, (wide - left - gaps) / sum);
    let x = left + (wide - left - gaps - sum * shrink) / 2;
    for (const [index, name] of names.entries()) {
      const w = wish[index]! * shrink;
      cards.push({ name, level, x, y, w, h });
      x += w + gapX;
    }
    return { level, y: y + h / 2 };
  });
  return { kind, cards, levels, left };
}

// --- Words: a drawing breaks no lines by itself, and a picture is made where no font can be asked ---

/** How wide characters are, in ems: close to both faces, by up to an eighth too wide and hardly ever too narrow. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ["ijlI .,:'’-", 0.28],
  ["frtsJ/", 0.38],
  ["acegzvxyéëäS", 0.47],
  ["mwMWH%≥", 0.84],
  ["ABCDEFGKLNOPQRTUVXYZÄÖÜ…", 0.67],
];
const OTHER = 0.54;
export const widthOf = (text: string, size: number): number =>
  size * [...text].reduce((sum, each) => sum + (WIDTHS.find(([all]) => all.includes(each))?.[1] ?? OTHER), 0);

/** The text without what does not fit. */
export function cut(text: string, room: number, size: number): string {
  if (widthOf(text, size) <= room) return text;
  let kept = text;
  while (kept && widthOf(`${kept}…`, size) > room) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

/** A word that is too long, parted before a syllable: one that begins with a single consonant, or with ch, ph, sh or th. */
function part(word: string, room: number, size: number): string[] {
  if (widthOf(word, size) <= room) return [word];
  for (let end = word.length - 2; end > 1; end--) {
    const isSyllable = /^(?:[cpst]h|[^aeiouyäöüh])[aeiouyäöü]/i.test(word.slice(end));
    if (isSyllable && widthOf(`${word.slice(0, end)}-`, size) <= room)
      return [`${word.slice(0, end)}-`, ...part(word.slice(end), room, size)];
  }
  return [cut(word, room, size)];
}

/** Lines no wider than the room; only a word that has no room by itself is parted. */
export function lines(text: string, room: number, size: number): string[] {
  const found: string[] = [];
  for (const word of text.match(/[^\s-]+-?|-/g) ?? []) {
    const before = found.at(-1);
    const joined = before === undefined ? word : `${before}${before.endsWith("-") ? "" : " "}${word}`;
    if (before !== undefined && widthOf(joined, size) <= room) found[found.length - 1] = joined;
    else found.push(...part(word, room, size));
  }
  return found;
}

/** The largest of the sizes at which no word is parted, and the lines at it. */
export function fit(text: string, room: number, sizes: readonly number[]): { size: number; lines: string[] } {
  const words = text.split(/\s|(?<=-)/);
  const size = sizes.find((each) => words.every((word) => widthOf(word, each) <= room)) ?? sizes.at(-1)!;
  return { size, lines: lines(text, room, size) };
}

/** The part of a pill that is filled from the left, by its share. */
export function filled(w: number, h: number, share: number): string {
  const r = h / 2;
  const c = Math.max(0, Math.min(1, share)) * w;
  if (c <= 0) return "";
  const rise = (inset: number): number => Math.sqrt(Math.max(0, r * r - inset * inset));
  if (c < r) return `M${c} ${r - rise(r - c)}A${r} ${r} 0 0 0 ${c} ${r + rise(r - c)}Z`;
  const right =
    c <= w - r
      ? `H${c}V${h}`
      : `H${w - r}A${r} ${r} 0 0 1 ${c} ${r - rise(c - w + r)}V${r + rise(c - w + r)}A${r} ${r} 0 0 1 ${w - r} ${h}`;
  return `M${r} 0${right}H${r}A${r} ${r} 0 0 1 ${r} 0Z`;
}
