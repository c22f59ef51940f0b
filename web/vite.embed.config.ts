/** Builds the page that other sites show in a frame: apart from the pages of the app, so that it stays small. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { inSheets } from "./layouts.js";
import { GAMES, ROOT, words } from "./vite.words.ts";

const SAID = /^ui\.(embed|replay)\.|^ui\.(board|loading|error\.network|seat\.open|bot\.\w+(\.others)?)$/;

export default defineConfig({
  plugins: [words((key) => SAID.test(key)), inSheets(), svelte()],
  build: {
    outDir: "../src/regalia/server/static",
    emptyOutDir: false, // beside the app's
    assetsDir: "assets/embed",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: ".vite/embed.json",
    copyPublicDir: false,
    rolldownOptions: { input: "embed.html" },
  },
  resolve: {
    alias: { $web: `${ROOT}web/src`, $games: GAMES.slice(0, -1) },
    dedupe: ["svelte"],
  },
});
