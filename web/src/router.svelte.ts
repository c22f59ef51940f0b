/** The address bar: a path, its query, and going elsewhere without a reload. */
import { upgrade } from "./app/upgrade.svelte";

let here = $state.raw(new URL(location.href));

export const router = {
  get path(): string {
    return here.pathname;
  },
  get query(): URLSearchParams {
    return here.searchParams;
  },
  get hash(): string {
    return here.hash;
  },
};

export function go(to: string, how: "push" | "replace" = "push"): void {
  const next = new URL(to, location.href);
  if (upgrade.isDue) return location.assign(next);
  if (next.href !== location.href) history[how === "push" ? "pushState" : "replaceState"](null, "", next);
  const moved = next.pathname !== here.pathname;
  here = next;
  if (moved && how === "push") scrollTo(0, 0);
}

/** Change the address of the same page without a step in the history: a moment of a replay. */
export function note(to: string): void {
  history.replaceState(null, "", new URL(to, location.href));
}

export function start(): void {
  addEventListener("popstate", () => (here = new URL(location.href)));
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element && event.target.closest("a[href]");
    if (
      !(link instanceof HTMLAnchorElement) ||
      link.target ||
      link.hasAttribute("download") ||
      link.origin !== location.origin
    )
      return;
    if (/^\/(api|assets)\//.test(link.pathname) || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.href);
  });
}
