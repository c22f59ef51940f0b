// The first page, compressed as it travels, stays under its budget: the entry, all it imports, its styles, fonts and words.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET = 150 * 1024;
const OUT = fileURLToPath(new URL("../../src/regalia/server/static/", import.meta.url));
const manifest = JSON.parse(readFileSync(join(OUT, ".vite/manifest.json"), "utf8"));
const parts = new Set(["index.html"]);
(function take(name) {
    const chunk = manifest[name];
    if (!chunk || parts.has(chunk.file)) return;
    parts.add(chunk.file);
    for (const css of chunk.css ?? []) parts.add(css);
    for (const next of chunk.imports ?? []) take(next);
})("index.html");
for (const name of Object.keys(manifest))
    if (name === "virtual:words/de/shell") parts.add(manifest[name].file); // the longest language
for (const css of [...parts].filter((name) => name.endsWith(".css")))
    for (const [, font] of readFileSync(join(OUT, css), "utf8").matchAll(/url\(\/?([^)]+?\.woff2)\)/g))
        parts.add(font);

let total = 0;
for (const part of parts) {
    const bytes = readFileSync(join(OUT, part));
    const weight = part.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
    total += weight;
    console.log(`${(weight / 1024).toFixed(1).padStart(7)} kB  ${part}`);
}
console.log(
    `${(total / 1024).toFixed(1).padStart(7)} kB  first page, ${readdirSync(join(OUT, "assets")).length} files in all`,
);
if (total > BUDGET) {
    console.error(`the first page is heavier than ${BUDGET / 1024} kB`);
    process.exit(1);
}
