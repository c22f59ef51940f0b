/** Whether a key is meant for the page: pressed alone, and not typed into a field. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !(event.target instanceof Element && event.target.matches("input, textarea, select"));
