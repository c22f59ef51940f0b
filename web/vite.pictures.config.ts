/** Builds the diagrams for programs without a browser: one file for an embedded engine, without words or imports. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FACES = ["eb-garamond", "source-sans-3"];
const WEIGHTS = [400, 600];

export default defineConfig({
  plugins: [
    {
      name: "no-words", // whoever draws brings them along
      resolveId: (id) => (id === "virtual:words" ? `\0${id}` : undefined),
      load: (id) => (id === "\0virtual:words" ? "export default {};" : undefined),
    },
    {
      name: "typefaces", // text becomes outlines
      generateBundle() {
        for (const face of FACES)
          for (const weight of WEIGHTS)
            this.emitFile({
              type: "asset",
              fileName: `fonts/${face}-${weight}.woff`,
              source: readFileSync(
                `${ROOT}web/node_modules/@fontsource/${face}/files/${face}-latin-${weight}-normal.woff`,
              ),
            });
      },
    },
    svelte({ compilerOptions: { css: "injected" }, emitCss: false }),
  ],
  build: {
    ssr: "src/pictures/draw.ts",
    outDir: "../src/regalia/pictures/bundle",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    copyPublicDir: false,
    rolldownOptions: { output: { format: "iife", entryFileNames: "draw.js" } },
  },
  ssr: { noExternal: true, target: "webworker" },
  resolve: {
    alias: { $web: `${ROOT}web/src`, $games: `${ROOT}src/regalia/games` },
    dedupe: ["svelte"],
  },
});
