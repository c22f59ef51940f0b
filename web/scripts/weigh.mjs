// The first page and an embed, compressed as they travel, stay under their budgets: the entry, all it imports, its
// styles, fonts and words; of an embed also the drawing of one game. So does a guide, beyond the first page and its game's.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const FIRST_PAGE = 150 * 1024;
const EMBED = 60 * 1024;
const GUIDE = 40 * 1024;
const LONGEST = "de"; // language
const OUT = fileURLToPath(new URL("../../src/regalia/server/static/", import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(OUT, ".vite", name), "utf8"));

/** The files of a page: its own, and those of what it loads besides. */
function partsOf(page, manifest, ...loaded) {
    const parts = new Set([page]);
    const take = (name) => {
        const chunk = manifest[name];
        if (!chunk || parts.has(chunk.file)) return;
        parts.add(chunk.file);
        for (const css of chunk.css ?? []) parts.add(css);
        for (const next of chunk.imports ?? []) take(next);
    };
    [page, ...loaded].forEach(take);
    for (const css of [...parts].filter((name) => name.endsWith(".css")))
        for (const [, font] of readFileSync(join(OUT, css), "utf8").matchAll(/url\(\/?([^)]+?\.woff2)\)/g))
            parts.add(font);
    return parts;
}

function weigh(what, parts, budget) {
    let total = 0;
    for (const part of parts) {
        const bytes = readFileSync(join(OUT, part));
        const weight = part.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
        total += weight;
        if (process.argv.includes("--parts"))
            console.log(`${(weight / 1024).toFixed(1).padStart(7)} kB  ${part}`);
    }
    console.log(`${(total / 1024).toFixed(1).padStart(7)} kB  ${what}`);
    if (total <= budget) return;
    console.error(`${what} is heavier than ${budget / 1024} kB`);
    process.exitCode = 1;
}

const app = read("manifest.json");
weigh("first page", partsOf("index.html", app, `virtual:words/${LONGEST}/shell`), FIRST_PAGE);

const boards = Object.keys(app).filter((name) => /games\/\w+\/web\/index\.ts$/.test(name));
const known = partsOf("index.html", app, ...boards);
const guide = [...partsOf("index.html", app, "src/pages/Learn.svelte")].filter((part) => !known.has(part));
weigh("a guide beyond the first page and its game's own", guide, GUIDE);

const embed = read("embed.json");
const GAME = /games\/(\w+)\/web\/Diagram\.svelte$/;
for (const diagram of Object.keys(embed).filter((name) => GAME.test(name))) {
    const [, game] = GAME.exec(diagram);
    const symbols = Object.keys(embed).filter((name) =>
        new RegExp(`games/${game}/web/(Art|Pieces|Emblems)\\.svelte$`).test(name),
    );
    const words = ["shell", game].map((part) => `virtual:words/${LONGEST}/${part}`);
    weigh(`embed of ${game}`, partsOf("embed.html", embed, diagram, ...symbols, ...words), EMBED);
}
console.log(`${readdirSync(join(OUT, "assets"), { recursive: true }).length} files in all`);
