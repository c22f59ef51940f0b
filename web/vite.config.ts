/// <reference types="vitest/config" />
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const LOCALE = fileURLToPath(new URL("../src/regalia/locale/", import.meta.url));
const FIRST = /^(ui|error|server)\.|^[a-z_]+\.(title|tagline)$/;

/** `virtual:words/de/shell` holds what the first page says; `virtual:words/de/rose_king` what a game's table says.
 * The files stay the ones Python reads: one per language, cut here only so that the first page is light. */
function words(): Plugin {
  const NAME = "virtual:words/";
  return {
    name: "words",
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      const [language, part] = id.slice(NAME.length + 1).split("/");
      const file = `${LOCALE}${language}.json`;
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
      const cut = all.filter(([key]) => (part === "shell" ? FIRST.test(key) : key.startsWith(`${part}.`) && !FIRST.test(key)));
      return `export default ${JSON.stringify(JSON.stringify(Object.fromEntries(cut)))};`;
    },
  };
}

const server = process.env.REGALIA_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [words(), svelte()],
  build: {
    outDir: "../src/regalia/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // data: URLs would need a looser content security policy
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    manifest: true,
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: { environment: "jsdom", testTimeout: 30_000, setupFiles: ["tests/setup.ts"], include: ["tests/**/*.test.ts"] },
});
