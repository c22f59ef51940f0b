/** The chart of England: the polygons of the map data with wandering coasts and borders, and where things stand on it. */
import data from "../map.json";
import type { AreaName } from "./types";

type Point = readonly [number, number];
/** The map data, whose JSON tells lists from pairs as little as names from other texts. */
const map = data as unknown as {
  areas: { name: AreaName; votes: number; label: Point; polygon: Point[] }[];
  sea: { between: AreaName[]; line: Point[] }[];
};
export interface Area {
  name: AreaName;
  votes: number;
  land: string;
  label: Point;
}
export interface Spots {
  name: Point;
  arms: Point;
  courtiers: readonly Point[];
  noble: Point;
  guest: Point;
  isAtSea?: boolean;
}

const MAN = 1.5; // drawn larger than it is: two courtiers must have room
const STEP = 1.15; // between two points of a line
const key = (a: Point, b: Point): string => [a.join(), b.join()].sort().join(" ");
const wander = (x: number, seed: number): number =>
  Math.sin(x * 2.1 + seed) * 0.5 +
  Math.sin(x * 4.7 + seed * 2.3) * 0.3 +
  Math.sin(x * 9.1 + seed * 3.1) * 0.2;
const at = ([x, y]: Point): string => `${x.toFixed(2)} ${y.toFixed(2)}`;

function polygonOf(area: (typeof map.areas)[number]): Point[] {
  const points = area.polygon;
  if (area.name !== "Man") return points;
  const [cx, cy] = area.label;
  return points.map(([x, y]) => [cx + (x - cx) * MAN, cy + (y - cy) * MAN]);
}
const polygons = new Map(map.areas.map((area) => [area.name, polygonOf(area)]));

/** Sides that two areas share are borders, the others are coast. */
const shared = new Map<string, number>();
for (const points of polygons.values())
  points.forEach((point, index) => {
    const side = key(point, points[(index + 1) % points.length]!);
    shared.set(side, (shared.get(side) ?? 0) + 1);
  });

/** Points from a to b without b, the same ones backwards: two neighbours draw one line. */
function line(a: Point, b: Point, swing: number): Point[] {
  const isForth = a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
  const [from, to] = isForth ? [a, b] : [b, a];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const count = Math.max(2, Math.round(length / STEP));
  const seed = from[0] * 1.7 + from[1] * 0.9 + to[0] * 0.6;
  const points = Array.from({ length: count + 1 }, (_, index): Point => {
    const part = index / count;
    const off = swing * Math.sin(part * Math.PI) ** 0.5 * wander((part * length) / 2.4, seed);
    return [
      from[0] + (to[0] - from[0]) * part - ((to[1] - from[1]) / length) * off,
      from[1] + (to[1] - from[1]) * part + ((to[0] - from[0]) / length) * off,
    ];
  });
  return (isForth ? points : points.reverse()).slice(0, -1);
}

/** A closed path: corners between two coasts are rounded, those where areas meet stay. */
function land(points: readonly Point[]): string {
  const count = points.length;
  const isCoast = points.map((point, index) => shared.get(key(point, points[(index + 1) % count]!)) === 1);
  const first = Math.max(
    0,
    points.findIndex((_, index) => !isCoast[index] || !isCoast[(index + count - 1) % count]),
  );
  const all: { point: Point; isFixed: boolean }[] = [];
  for (let step = 0; step < count; step++) {
    const index = (first + step) % count;
    const swing = isCoast[index] ? 0.9 : 0.5;
    line(points[index]!, points[(index + 1) % count]!, swing).forEach((point, place) =>
      all.push({ point, isFixed: place === 0 && !(isCoast[index] && isCoast[(index + count - 1) % count]) }),
    );
  }
  // round by cutting twice where a corner may be cut
  let round = all;
  for (let pass = 0; pass < 2; pass++)
    round = round.map(({ point, isFixed }, index): { point: Point; isFixed: boolean } => {
      if (isFixed) return { point, isFixed };
      const [before, after] = [
        round[(index + round.length - 1) % round.length]!.point,
        round[(index + 1) % round.length]!.point,
      ];
      return {
        point: [(before[0] + 2 * point[0] + after[0]) / 4, (before[1] + 2 * point[1] + after[1]) / 4],
        isFixed,
      };
    });
  return `M${round.map(({ point }) => at(point)).join("L")}Z`;
}

export const AREAS: readonly Area[] = map.areas.map(({ name, votes, label }) => ({
  name,
  votes,
  land: land(polygons.get(name)!),
  label,
}));
export const VOTES: Readonly<Record<string, number>> = Object.fromEntries(
  AREAS.map(({ name, votes }) => [name, votes]),
);
export const COAST = AREAS.map((area) => area.land).join("");

/** Sea lines as arcs, with their two ends. */
export const ROUTES = map.sea.map(({ between, line: points }) => {
  const ends = points.map(([x, y], index): Point => {
    return between[index ? 1 : 0] === "Man" && (index === 0 || index === points.length - 1)
      ? [17.5 + (x - 17.5) * MAN, 35 + (y - 35) * MAN]
      : [x, y];
  });
  const [a, b] = [ends[0]!, ends.at(-1)!];
  const middle: Point =
    ends.length > 2
      ? ends[1]!
      : [(a[0] + b[0]) / 2 + (b[1] - a[1]) * 0.14, (a[1] + b[1]) / 2 - (b[0] - a[0]) * 0.14];
  const bent: Point =
    ends.length > 2 ? [2 * middle[0] - (a[0] + b[0]) / 2, 2 * middle[1] - (a[1] + b[1]) / 2] : middle;
  return { between, path: `M${at(a)}Q${at(bent)} ${at(b)}`, ends: [a, b] as const };
});

/** Feet of courtiers and nobles, the middle of the arms and of the name; a guest is the noble of an intruder. */
export const SPOTS: Readonly<Record<string, Spots>> = {
  Man: {
    name: [7.2, 40],
    arms: [7.2, 32.2],
    courtiers: [
      [16, 35.4],
      [19.8, 34.4],
    ],
    noble: [18, 41.2],
    guest: [24.6, 44],
    isAtSea: true,
  },
  Sedberouie: {
    name: [56.6, 30.6],
    arms: [53.4, 13.8],
    courtiers: [
      [50, 26.2],
      [54.4, 26.2],
    ],
    noble: [59.8, 26.6],
    guest: [48.4, 20],
  },
  Sarisberie: {
    name: [62, 117.4],
    arms: [48.6, 116.2],
    courtiers: [
      [47, 106.8],
      [55.8, 107.6],
    ],
    noble: [51.4, 110.6],
    guest: [57, 113.4],
    isAtSea: true,
  },
  Rouecestre: {
    name: [91.2, 109],
    arms: [97.4, 99.8],
    courtiers: [
      [82.4, 101.8],
      [86, 102],
    ],
    noble: [90.2, 99.8],
    guest: [95.6, 95],
    isAtSea: true,
  },
  Loncastre: {
    name: [39.4, 38.4],
    arms: [39.8, 21.8],
    courtiers: [
      [34.9, 33.6],
      [39.5, 33.6],
      [44.1, 33.6],
    ],
    noble: [40, 48.8],
    guest: [44.8, 27.6],
  },
  Lincolia: {
    name: [72.2, 65.4],
    arms: [67.8, 59],
    courtiers: [
      [72.4, 62],
      [75.6, 62],
      [74, 58.4],
    ],
    noble: [78.6, 61.4],
    guest: [71.4, 56],
  },
  Stadford: {
    name: [54, 76.2],
    arms: [54.4, 62.4],
    courtiers: [
      [50.6, 72],
      [54.6, 72],
      [58.6, 72],
    ],
    noble: [61.2, 69],
    guest: [52, 66.4],
  },
  Lundonia: {
    name: [73.6, 111.4],
    arms: [73.8, 88.4],
    courtiers: [
      [71, 98.6],
      [74.8, 99.4],
      [78.6, 98.6],
    ],
    noble: [74.4, 106],
    guest: [79, 93.9],
    isAtSea: true,
  },
  Lideforde: {
    name: [26, 115],
    arms: [40, 101],
    courtiers: [
      [20.4, 110.4],
      [24.9, 110.4],
      [29.4, 110.4],
    ],
    noble: [34.6, 111],
    guest: [30.4, 105.6],
  },
  Tateshale: {
    name: [55.6, 55.2],
    arms: [59.4, 39.2],
    courtiers: [
      [50.4, 51],
      [55.2, 51],
      [60, 51],
      [64.8, 51],
    ],
    noble: [70.4, 50.2],
    guest: [51, 44.4],
  },
  Wigemor: {
    name: [33.2, 82.2],
    arms: [32.4, 62.4],
    courtiers: [
      [26.2, 76.4],
      [31, 76.4],
      [35.8, 76.4],
      [40.6, 76.4],
    ],
    noble: [42, 69.4],
    guest: [25, 69.4],
  },
  Grentebrige: {
    name: [79.6, 84],
    arms: [74.2, 70],
    courtiers: [
      [71.6, 79.8],
      [76.4, 79.8],
      [81.2, 79.8],
      [86, 79.8],
    ],
    noble: [91, 76.4],
    guest: [83, 73.4],
  },
  Oxeneford: {
    name: [58.6, 100.2],
    arms: [56.5, 82.6],
    courtiers: [
      [48, 95.2],
      [52.6, 95.2],
      [57.2, 95.2],
      [61.8, 95.2],
    ],
    noble: [64.4, 90.4],
    guest: [48.6, 89.6],
  },
};
