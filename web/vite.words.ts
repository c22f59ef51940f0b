/** The catalogues of words as modules, for every build of the pages. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
const LOCALE = `${ROOT}src/regalia/locale/`;
export const GAMES = `${ROOT}src/regalia/games/`;
export const PROBE = `${ROOT}tests/probe`;
const FIRST = ["title", "tagline", "score"]; // what the first page says of a game and its matches
const SAID = /^(lesson|term)\./; // by the server
/** Words of no game that are loaded when they are needed, by the part they make. */
const OF_NO_GAME: Record<string, RegExp> = {
  bots: /^bots\.reason\./,
  review: /^study\./,
  account: /^ui\.account\./, // what only the pages of accounts say
  more: /^ui\.(analysis|share)\./, // the analysis board and what a table shares
};
const LATER = Object.values(OF_NO_GAME);

const isOfFirstPage = (key: string): boolean =>
  /^(ui|error|server)\.(?!embed\.)/.test(key) && !LATER.some((part) => part.test(key));

/** `virtual:words/de/shell` holds what the first page says, `virtual:words/de/rose_king` what a game's table says;
 * `virtual:words` knows how to load each of them. The files are the ones Python reads, a game's keys get its name.
 * Of the shell `isNeeded` may leave out what another page than the first never says. */
export function words(isNeeded: (key: string) => boolean = isOfFirstPage): Plugin {
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
          .filter(([key]) => FIRST.includes(key) === isFirst && !SAID.test(key))
          .map(([key, text]) => [`${game}.${key}`, text]);
      const cut =
        part === "shell"
          ? [...ofNoGame().filter(([key]) => isNeeded(key)), ...games.flatMap((game) => ofGame(game, true))]
          : OF_NO_GAME[part]
            ? ofNoGame().filter(([key]) => OF_NO_GAME[part]!.test(key))
            : ofGame(part, false);
      return `export default ${JSON.stringify(JSON.stringify(Object.fromEntries(cut)))};`;
    },
  };
}
