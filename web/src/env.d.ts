/// <reference types="svelte" />
/// <reference types="vite/client" />
declare module "virtual:words" {
  /** By language and part, "de/shell": what loads its words, as JSON. */
  const parts: Readonly<Record<string, () => Promise<{ default: string }>>>;
  export default parts;
}
