/** What jsdom lacks. */
import { cleanup } from "@testing-library/svelte";
import { afterEach, vi } from "vitest";

afterEach(cleanup);

vi.stubGlobal("matchMedia", (query: string) => ({
  matches: query.includes("reduce"),
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
// nothing is laid out
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);
Element.prototype.animate = (() => ({
  finished: Promise.resolve(),
  cancel: () => undefined,
})) as unknown as Element["animate"];
HTMLDialogElement.prototype.showModal = function show() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
