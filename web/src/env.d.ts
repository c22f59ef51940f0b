/// <reference types="svelte" />
/// <reference types="vite/client" />
declare module "virtual:words/*" {
  const json: string;
  export default json;
}
