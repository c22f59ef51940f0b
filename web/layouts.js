/** The screens that a page is drawn for, as names for media queries: `@media (--phone), (--low)`.
 *
 * Every screen is exactly one of phone, low, side, portrait and desktop; large is a desktop with room to spare.
 * One em of a media query is the reader's own text size, 16 px unless they chose another, so larger text gets
 * the layout of a smaller screen, just as zooming does. */

const PHONE = "((width <= 45em) and (height > 32.5em)) or (width < 35em)";
const MIDDLE = "(45em < width <= 68.75em) and (height > 32.5em)";

/** @type {Record<string, string>} */
export const LAYOUTS = {
  phone: `(${PHONE})`,
  low: "((width >= 35em) and (height <= 32.5em))",
  side: `(${MIDDLE} and (orientation: landscape))`,
  portrait: `(${MIDDLE} and (orientation: portrait))`,
  desktop: "((width > 68.75em) and (height > 32.5em))",
  large: "((width >= 112.5em) and (height >= 62.5em))",
};

const NAME = /\(--([\w-]+)\)/g;

/** Puts what the names stand for into the media queries of a style sheet.
 * @param {string} css */
export function expandLayouts(css) {
  return css.replace(/@media[^{]*/g, (query) =>
    query.replace(NAME, (_, name) => {
      const condition = LAYOUTS[name];
      if (!condition) throw new Error(`no layout is called ${name}`);
      return condition;
    }),
  );
}

/** For the styles of components. */
export const inComponents = {
  name: "layouts",
  style: (/** @type {{ content: string }} */ { content }) => ({ code: expandLayouts(content) }),
};

/** For style sheets of their own.
 * @returns {import("vite").Plugin} */
export const inSheets = () => ({
  name: "layouts",
  enforce: "pre",
  transform: (code, id) =>
    /\/src\/[\w-]+\.css$/.test(id) ? { code: expandLayouts(code), map: null } : undefined,
});
