// Fails the build when a word is missing in a language, unused, or written into the code.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "svelte/compiler";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const LOCALE = join(WEB, "../src/regalia/locale");
const GAMES = join(WEB, "../src/regalia/games");
const FOLDERS = [...readdirSync(GAMES).map((name) => join(GAMES, name)), join(WEB, "../tests/probe")];
const LANGUAGES = readdirSync(LOCALE).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []));
const complaints = [];

/** The words of a folder by language, and the keys that the browser's code names: those of `ui`. */
function catalogueOf(folder) {
    const words = Object.fromEntries(
        LANGUAGES.map((language) => [
            language,
            JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")),
        ]),
    );
    return { folder, words, keys: Object.keys(words.en), named: new Set(), shapes: [] };
}
const shell = catalogueOf(LOCALE);
const games = new Map(
    FOLDERS.filter((folder) => existsSync(join(folder, "words"))).map((folder) => [
        folder,
        catalogueOf(join(folder, "words")),
    ]),
);
const catalogues = [shell, ...games.values()];

const holes = (text) =>
    [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort().join(" ");
for (const { folder, words, keys } of catalogues)
    for (const language of LANGUAGES) {
        const at = relative(WEB, join(folder, `${language}.json`));
        for (const key of keys) {
            const text = words[language][key];
            if (!text) complaints.push(`${at}: ${key} is missing`);
            else if (key.startsWith("ui.") && holes(text) !== holes(words.en[key]))
                complaints.push(`${at}: ${key} has other placeholders than English`);
        }
        for (const key of Object.keys(words[language]))
            if (!(key in words.en)) complaints.push(`${at}: ${key} is not there in English`);
    }

const files = [];
(function walk(folder) {
    for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) walk(path);
        else if (/\.(svelte|ts)$/.test(name) && name !== "protocol.ts") files.push(path);
    }
    if (folder === join(WEB, "src"))
        for (const game of FOLDERS) if (existsSync(join(game, "web"))) walk(join(game, "web"));
})(join(WEB, "src"));

// Keys are named in quotes; a template such as `ui.bot.${id}` stands for every key of its shape. In a game's folder
// they are the game's own or the shell's.
for (const path of files) {
    const source = readFileSync(path, "utf8");
    const game = games.get(FOLDERS.find((folder) => path.startsWith(join(folder, "web"))));
    const known = game ? [game, shell] : [shell];
    for (const [, key] of source.matchAll(/["'`](ui\.[\w.-]+)["'`]/g)) {
        const home = known.find(({ words }) => key in words.en);
        if (home) home.named.add(key);
        else complaints.push(`${relative(WEB, path)}: there is no key ${key}`);
    }
    for (const [, shape] of source.matchAll(/`(ui\.[^`\s]*\$\{[^`]*)`/g)) {
        const parts = shape.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^()|[\]\\]/g, "\\$&"));
        const pattern = new RegExp(`^${parts.join("[\\w-]+")}$`);
        const home = known.find(({ keys }) => keys.some((key) => pattern.test(key)));
        if (home) home.shapes.push(pattern);
        else complaints.push(`${relative(WEB, path)}: no key looks like ${shape}`);
    }
}
const read = catalogues.filter(({ folder }) => folder === LOCALE || existsSync(join(folder, "../web")));
for (const { folder, keys, named, shapes } of read)
    for (const key of keys)
        if (key.startsWith("ui.") && !named.has(key) && !shapes.some((shape) => shape.test(key)))
            complaints.push(`${relative(WEB, folder)}: ${key} is not used`);

// No text in the markup: letters outside braces, or in an attribute that is read aloud.
const SPOKEN = new Set([
    "aria-label",
    "title",
    "placeholder",
    "alt",
    "aria-description",
    "aria-roledescription",
    "label",
]);
for (const path of files.filter((name) => name.endsWith(".svelte"))) {
    const source = readFileSync(path, "utf8");
    const at = (position) => `${relative(WEB, path)}:${source.slice(0, position).split("\n").length}`;
    (function visit(node) {
        if (!node || typeof node !== "object") return;
        if (Array.isArray(node)) return node.forEach(visit);
        if (node.type === "Text" && /\p{L}{2,}/u.test(node.data))
            complaints.push(`${at(node.start)}: text in the code: ${node.data.trim().slice(0, 40)}`);
        if (node.type === "StyleDirective" || (node.type === "RegularElement" && node.name === "code"))
            return; // what a machine reads
        if (node.type === "Attribute") {
            if (node.name === "style")
                complaints.push(
                    `${at(node.start)}: a style attribute breaks the content security policy; use style:name={…}`,
                );
            const parts = Array.isArray(node.value) ? node.value : [];
            if (
                SPOKEN.has(node.name) &&
                parts.some((part) => part.type === "Text" && /\p{L}{2,}/u.test(part.data))
            )
                complaints.push(`${at(node.start)}: text in ${node.name}`);
            return;
        }
        for (const [name, child] of Object.entries(node))
            if (name !== "css" && name !== "instance" && name !== "module" && name !== "metadata")
                visit(child);
    })(parse(source, { modern: true }).fragment);
}

if (complaints.length) {
    console.error(complaints.join("\n"));
    process.exit(1);
}
const count = catalogues.flatMap(({ keys }) => keys.filter((key) => key.startsWith("ui."))).length;
console.log(`words: ${count} of the browser, ${LANGUAGES.length} languages, none missing or unused`);
