/** Keep the last line of a list in sight. */
export function showLast(list: HTMLElement | undefined): void {
  const line = list?.querySelector(".last") ?? list?.lastElementChild;
  if (line instanceof HTMLElement && list)
    list.scrollTop = line.offsetTop - list.clientHeight + line.offsetHeight + 12;
}
