/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { inSheets } from "./layouts.js";
import { GAMES, PROBE, ROOT, words } from "./vite.words.ts";

const PICTURES = "../tests/games/*/diagram.test.ts";
const server = process.env.REGALIA_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [words(), inSheets(), svelte()],
  build: {
    outDir: "../src/regalia/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // data: URLs would need a looser content security policy
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    manifest: true,
  },
  server: {
    fs: { allow: [ROOT] }, // the boards lie in their games' folders
    proxy: { "/api": server, "/ws": { target: server, ws: true } },
  },
  resolve: {
    alias: { $web: `${ROOT}web/src`, $games: GAMES.slice(0, -1), $probe: PROBE },
    // What lies outside web/ finds its packages here.
    dedupe: ["svelte", "vitest", "@testing-library/svelte"],
  },
  test: {
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        resolve: { conditions: ["browser"] },
        test: {
          name: "browser",
          environment: "jsdom",
          setupFiles: ["tests/setup.ts"],
          include: ["tests/**/*.test.ts", "../tests/games/*/*.test.ts", "../tests/probe/*.test.ts"],
          exclude: [PICTURES],
        },
      },
      // without a browser, as a picture is made
      { extends: true, test: { name: "pictures", environment: "node", include: [PICTURES] } },
    ],
  },
});
