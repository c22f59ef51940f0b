/** Tells the styles of a drawing how large a pixel of the screen is in it, as `--px`: text that is at least
 * `12 * var(--px)` stays legible however small the drawing gets. */
export function tellPixel(drawing: SVGSVGElement): () => void {
  const watch = new ResizeObserver(() => {
    const scale = drawing.getScreenCTM()?.d;
    if (scale) drawing.style.setProperty("--px", `${1 / scale}px`);
  });
  watch.observe(drawing);
  return () => watch.disconnect();
}

/** How much larger than usual the page's type is: a drawing whose units are pixels grows with it. */
export const typeScale = (): number =>
  parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
