import { placeWith, type Place } from "./view";

/** The ring as a drawing: a rounded ellipse walked by its length. `s` runs clockwise along it from province 1, `d` outward from its middle. */
export interface Ring {
  length: number;
  thick: number;
  step: number; // the length of a province
  rough: number; // how far coasts wander
  gap: number; // sea between two lands
  at: (s: number, d: number) => [number, number];
  inward: (s: number) => [number, number]; // the unit vector towards the middle
}

const POINTS = 1200;
export const PROVINCES = 15;

/** `square`: 2 is an ellipse, more fills the corners. */
export function makeRing(width: number, height: number, thick: number, margin: number, square = 2.25): Ring {
  const [cx, cy] = [width / 2, height / 2];
  const [rx, ry] = [Math.max(40, cx - margin - thick / 2), Math.max(40, cy - margin - thick / 2)];
  const bend = (value: number): number => Math.sign(value) * Math.abs(value) ** (2 / square);
  const points = Array.from({ length: POINTS + 1 }, (_, index): [number, number] => {
    const turn = (index / POINTS) * 2 * Math.PI - Math.PI / 2;
    return [cx + rx * bend(Math.cos(turn)), cy + ry * bend(Math.sin(turn))];
  });
  const far = [0];
  for (let index = 1; index <= POINTS; index++)
    far.push(
      far[index - 1]! +
        Math.hypot(points[index]![0] - points[index - 1]![0], points[index]![1] - points[index - 1]![1]),
    );
  const length = far[POINTS]!;

  function middle(s: number): [number, number] {
    const along = ((s % length) + length) % length;
    let [low, high] = [0, POINTS];
    while (high - low > 1) {
      const half = (low + high) >> 1;
      if (far[half]! > along) high = half;
      else low = half;
    }
    const part = (along - far[low]!) / (far[high]! - far[low]! || 1);
    const [a, b] = [points[low]!, points[high]!];
    return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
  }
  function inward(s: number): [number, number] {
    const [a, b] = [middle(s - 6), middle(s + 6)];
    const [tx, ty] = [b[0] - a[0], b[1] - a[1]];
    const norm = Math.hypot(tx, ty) || 1;
    return [-ty / norm, tx / norm];
  }
  const at = (s: number, d: number): [number, number] => {
    const [x, y] = middle(s);
    const [nx, ny] = inward(s);
    return [x - d * nx, y - d * ny];
  };
  const small = thick < 92;
  return { length, thick, step: length / PROVINCES, rough: small ? 3.2 : 6, gap: small ? 7 : 12, at, inward };
}

/** The ring in the room there is: from so much on it is `isBig`, drawn with all its ornament. */
export function fitRing(wide: number, high: number): { isBig: boolean; thick: number; ring: Ring } {
  const isBig = wide >= 560 && high >= 400;
  const thick = isBig ? Math.min(114, high * 0.172) : Math.max(46, Math.min(74, high * 0.19, wide * 0.185));
  return { isBig, thick, ring: makeRing(wide, high, thick, isBig ? 27 : 6, isBig ? 2.25 : 2.9) };
}

/** Coasts and borders wander by a few sines with fixed phases: the same map every time. */
const wander = (x: number, seed: number): number =>
  Math.sin(x * 3 + seed) * 0.5 + Math.sin(x * 7 + seed * 2.1) * 0.32 + Math.sin(x * 17 + seed * 3.7) * 0.18;
const point = ([x, y]: [number, number]): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The coast of the land from one province to another (which may be 16 and more); the gaps at both ends are shares of the whole. */
export function outline(ring: Ring, from: number, to: number, open: number, close: number): string {
  const { thick, step, rough, gap } = ring;
  const [u0, u1, h] = [
    (from - 1.5) * step + (gap * open) / 2,
    (to - 0.5) * step - (gap * close) / 2,
    thick / 2,
  ];
  const [r0, r1] = [Math.min(20, thick * 0.2) * open, Math.min(20, thick * 0.2) * close];
  const edge: [number, number][] = [];
  const line = (ax: number, ay: number, bx: number, by: number): void => {
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / 5));
    for (let index = 0; index < parts; index++)
      edge.push([ax + ((bx - ax) * index) / parts, ay + ((by - ay) * index) / parts]);
  };
  const corner = (x: number, y: number, r: number, start: number): void => {
    for (let index = 0; index < 6; index++)
      edge.push([
        x + r * Math.cos(start - (index / 12) * Math.PI),
        y + r * Math.sin(start - (index / 12) * Math.PI),
      ]);
  };
  line(u0 + r0, h, u1 - r1, h);
  corner(u1 - r1, h - r1, r1, Math.PI / 2);
  line(u1, h - r1, u1, r1 - h);
  corner(u1 - r1, r1 - h, r1, 0);
  line(u1 - r1, -h, u0 + r0, -h);
  corner(u0 + r0, r0 - h, r0, -Math.PI / 2);
  line(u0, r0 - h, u0, h - r0);
  corner(u0 + r0, h - r0, r0, Math.PI);
  const near = (x: number): number => Math.max(0, 1 - Math.abs(x) / (step * 0.45));
  const seed = (province: number): number => (((province - 1) % PROVINCES) + 1) * 1.7;
  return `M${edge
    .map(([u, d]) => {
      const s =
        u +
        rough *
          (near(u - u0) * wander((d / h) * 0.9, seed(from)) +
            near(u - u1) * wander((d / h) * 0.9, seed(to + 1)));
      const turn = ((((s / ring.length) % 1) + 1) % 1) * 2 * Math.PI;
      const coast = d > 0 ? wander(turn * 4, 2.3) : wander(turn * 3, 5.1);
      return point(ring.at(s, d + (rough * coast * Math.abs(d)) / h));
    })
    .join("L")}Z`;
}

/** The old border between a province and the next, inside a country. */
export function march(ring: Ring, province: number): string {
  const { thick, step, rough } = ring;
  const all: string[] = [];
  for (let d = 9 - thick / 2; d <= thick / 2 - 9; d += 4)
    all.push(
      point(
        ring.at(
          (province - 0.5) * step + rough * wander((d / thick) * 1.8, ((province % PROVINCES) + 1) * 1.7),
          d,
        ),
      ),
    );
  return `M${all.join("L")}`;
}

/** A way along the ring at one depth. */
export function way(ring: Ring, from: number, to: number, d: number): string {
  const all: string[] = [];
  for (let s = from; s <= to; s += 6) all.push(point(ring.at(s, d)));
  return all.length > 1 ? `M${all.join("L")}` : "";
}

/** Which lands lie between the open borders: `borders[p - 1]` is how open the border after province p is. Clockwise, each [from, to, open, close]. */
export function lands(
  borders: readonly number[],
  provinces: readonly number[],
): [number, number, number, number][] {
  const first = provinces[0] ?? 1;
  const after = (province: number): number => borders[(province - 1) % PROVINCES] ?? 1;
  const found: [number, number, number, number][] = [];
  let from = first;
  let open = after(first + PROVINCES - 1);
  for (let index = 0; index < provinces.length; index++) {
    const province = first + index;
    const isLast = index === provinces.length - 1;
    const close = isLast ? Math.max(after(province), 1) : after(province);
    if (!isLast && close < 0.02) continue;
    found.push([from, province, from === first ? Math.max(open, 1) : open, close]);
    from = province + 1;
    open = close;
  }
  return found;
}

/** Which borders between a province and the next are open: those between two places. */
export const bordersOf = (places: readonly Place[]): number[] =>
  Array.from({ length: PROVINCES }, (_, index) =>
    placeWith(places, index + 1)?.provinces.includes(((index + 1) % PROVINCES) + 1) ? 0 : 1,
  );

/** The middle of the place in which a province lies, in provinces from the first. */
export function middleOf(places: readonly Place[], province: number): number {
  const found = placeWith(places, province)?.provinces ?? [province];
  return found[0]! - 1 + (found.length - 1) / 2;
}

/** The middle of a place, along the ring: from its first province, whose number may be higher than its last. */
export const centreOf = (ring: Ring, provinces: readonly number[]): number =>
  ((provinces[0] ?? 1) - 1 + (provinces.length - 1) / 2) * ring.step;
