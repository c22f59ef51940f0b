import { describe, expect, it } from "vitest";
import { expandLayouts, LAYOUTS } from "../layouts.js";

/** Whether a condition holds; jsdom knows no sizes, so it is worked out here. */
function holds(condition: string, width: number, height: number): boolean {
  const script = condition
    .replace(/\(orientation: (\w+)\)/g, (_, name) => String((name === "landscape") === width > height))
    .replace(/([\d.]+)em < width <= ([\d.]+)em/g, "$1em < width && width <= $2em")
    .replace(/([\d.]+)em/g, (_, em: string) => String(Number(em) * 16))
    .replace(/\band\b/g, "&&")
    .replace(/\bor\b/g, "||");
  return new Function("width", "height", `return ${script}`)(width, height) as boolean;
}
const nameOf = (width: number, height: number): string[] =>
  Object.entries(LAYOUTS).flatMap(([name, condition]) => (holds(condition, width, height) ? [name] : []));

describe("layouts", () => {
  it("names the screens they are drawn for", () => {
    expect(nameOf(390, 844)).toEqual(["phone"]);
    expect(nameOf(375, 667)).toEqual(["phone"]);
    expect(nameOf(844, 390)).toEqual(["low"]);
    expect(nameOf(667, 375)).toEqual(["low"]);
    expect(nameOf(1024, 768)).toEqual(["side"]);
    expect(nameOf(820, 1180)).toEqual(["portrait"]);
    expect(nameOf(1280, 720)).toEqual(["desktop"]);
    expect(nameOf(1440, 900)).toEqual(["desktop"]);
    expect(nameOf(2560, 1440)).toEqual(["desktop", "large"]);
  });

  it("gives every screen one layout, between whole pixels too", () => {
    for (let width = 200; width < 1400; width += 0.5)
      for (let height = 200; height < 1200; height += 8.5)
        expect(nameOf(width, height).filter((name) => name !== "large").length, `${width} ${height}`).toBe(1);
  });

  it("puts what a name stands for into media queries alone", () => {
    const css = "a { --phone: 1; } @media (--low) and (width > 50em), print { b { width: var(--low) } }";
    expect(expandLayouts(css)).toBe(
      `a { --phone: 1; } @media ${LAYOUTS.low} and (width > 50em), print { b { width: var(--low) } }`,
    );
    expect(() => expandLayouts("@media (--wide) {}")).toThrow("no layout is called wide");
  });
});
