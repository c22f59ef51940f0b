/// <reference types="vitest/config" />
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { inSheets } from "./layouts.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const LOCALE = `${ROOT}src/regalia/locale/`;
const GAMES = `${ROOT}src/regalia/games/`;
const PROBE = `${ROOT}tests/probe`;
const FIRST = ["title", "tagline", "score"]; // what the first page says of a game and its matches
const GUIDE = "lesson."; // the server says these

const ACCOUNT = "ui.account."; // what only the pages of accounts say
/** Words of no game that are loaded when they are needed, by the part they make. */
const OF_NO_GAME: Record<string, string> = { bots: "bots.reason.", review: "study.", account: ACCOUNT };

/** `virtual:words/de/shell` holds what the first page says, `virtual:words/de/rose_king` what a game's table says;
 * `virtual:words` knows how to load each of them. The files are the ones Python reads, a game's keys get its name. */
function words(): Plugin {
  const NAME = "virtual:words";
  const languages = readdirSync(LOCALE).flatMap((name) =>
    name.endsWith(".json") ? [name.slice(0, -5)] : [],
  );
  const folders = Object.fromEntries([
    ...readdirSync(GAMES).map((name) => [name, `${GAMES}${name}`]),
    ...(process.env.VITEST ? [["probe", PROBE]] : []),
  ]) as Record<string, string>;
  const games = Object.keys(folders).filter((name) => existsSync(`${folders[name]}/words`));
  const parts = languages.flatMap((language) =>
    ["shell", ...Object.keys(OF_NO_GAME), ...games].map((part) => `${language}/${part}`),
  );
  return {
    name: "words",
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${NAME}`) {
        const loaders = parts.map((part) => `"${part}": () => import("${NAME}/${part}")`);
        return `export default { ${loaders.join(", ")} };`;
      }
      if (!id.startsWith(`\0${NAME}/`)) return undefined;
      const [language, part] = id.slice(NAME.length + 2).split("/") as [string, string];
      const read = (file: string): [string, string][] => {
        this.addWatchFile(file);
        return Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
      };
      const ofNoGame = () => read(`${LOCALE}${language}.json`);
      const ofGame = (game: string, isFirst: boolean) =>
        read(`${folders[game]}/words/${language}.json`)
          .filter(([key]) => FIRST.includes(key) === isFirst && !key.startsWith(GUIDE))
          .map(([key, text]) => [`${game}.${key}`, text]);
      const cut =
        part === "shell"
          ? [
              ...ofNoGame().filter(([key]) => /^(ui|error|server)\./.test(key) && !key.startsWith(ACCOUNT)),
              ...games.flatMap((game) => ofGame(game, true)),
            ]
          : part in OF_NO_GAME
            ? ofNoGame().filter(([key]) => key.startsWith(OF_NO_GAME[part]!))
            : ofGame(part, false);
      return `export default ${JSON.stringify(JSON.stringify(Object.fromEntries(cut)))};`;
    },
  };
}

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
