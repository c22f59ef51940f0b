// What is wrong with the page as it stands on the screen it has: one line for each fault, none if there are none.
// Text that ends in an ellipsis says that there is more; its whole can be read elsewhere.
() => {
  const found = new Set();
  const isTable = document.querySelector("[data-game]") !== null;
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.add(`scrolls sideways: ${root.scrollWidth} of ${innerWidth}`);

  const isSeen = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.closest(".sr, .skip, .word, .cover, span.board, option, [aria-hidden=true] symbol");
  const told = (each) => `${each.localName}.${each.getAttribute("class") ?? ""} “${each.textContent.trim().slice(0, 40)}”`;

  /** The nearest box that hides what goes beyond it. */
  function clipOf(element) {
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const isScrolling = /auto|scroll/.test(overflowX + overflowY);
      return isScrolling || textOverflow === "ellipsis" ? null : box;
    }
    return null;
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !isSeen(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    let size = parseFloat(getComputedStyle(parent).fontSize);
    const isDrawn = parent.closest("svg") !== null;
    if (isDrawn) {
      const { b, d } = parent.getScreenCTM();
      size *= Math.hypot(b, d);
    }
    if (size < 11.9) found.add(`small text, ${size.toFixed(1)} px: ${told(parent)}`);
    if (!isDrawn && range.getClientRects().length > 1)
      for (const { 0: word, index } of node.data.matchAll(/\p{L}{3,}/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          found.add(`broken word: ${word}`);
      }
    const clip = isDrawn ? null : clipOf(parent);
    if (!clip) continue;
    const edge = clip.getBoundingClientRect();
    const spare = size * 0.35; // of a line's height, above and below its letters
    if (box.right > edge.right + 1 || box.left < edge.left - 1 || box.bottom > edge.bottom + spare || box.top < edge.top - spare)
      found.add(`cut: ${told(parent)} by ${clip.localName}.${clip.className}`);
  }

  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder]")) {
    if (!isSeen(field) || field.value) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = font;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (pen.measureText(field.placeholder).width > room + 1) found.add(`cut: placeholder “${field.placeholder}”`);
  }

  const pressed = "button, a.button, .bar a, [role=button], input, select, textarea, summary, .foot a, .chapters a";
  for (const each of document.querySelectorAll(pressed)) {
    if (!isSeen(each)) continue;
    const area = each.closest("label") ?? (each.matches("li .step") ? each.closest("li") : each);
    const { width, height } = (area.querySelector(".reach, .land") ?? area).getBoundingClientRect();
    const least = each.matches(".area") ? 34 : 39.5; // a small county of the map, with more of it in sight than a phone has room
    if (width < least || height < least)
      found.add(`small target, ${Math.round(width)} × ${Math.round(height)}: ${told(each)}`);
  }

  if (isTable) {
    const board = document.querySelector(".board, .map, .court");
    for (const part of [board, document.querySelector(".prompt"), document.querySelector(".tray")]) {
      const { top, bottom, left, right } = part.getBoundingClientRect();
      if (top < -1 || left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
        found.add(`out of sight: ${part.getAttribute("class")}, ${Math.round(top)} to ${Math.round(bottom)}`);
    }
    const tray = document.querySelector(".tray");
    if (tray.scrollHeight > tray.clientHeight + 1)
      found.add(`the tray has no room: ${tray.clientHeight} of ${tray.scrollHeight}`);
  }
  return [...found];
}
