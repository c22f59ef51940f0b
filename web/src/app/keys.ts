/** Whether a key goes into a field. */
export const isTyped = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.matches("input, textarea, select");

/** Whether a key is meant for the page: pressed alone, and not typed into a field. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !isTyped(event);
