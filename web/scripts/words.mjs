// Fails the build when a word is missing in a language, unused, or written into the code.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "svelte/compiler";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const LANGUAGES = ["en", "de", "nl"];
const catalogues = Object.fromEntries(LANGUAGES.map((language) => [language, JSON.parse(readFileSync(join(WEB, "../src/regalia/locale", `${language}.json`), "utf8"))]));
const complaints = [];

const holes = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort().join(" ");
for (const language of LANGUAGES) {
  for (const key of Object.keys(catalogues.en)) {
    const text = catalogues[language][key];
    if (!text) complaints.push(`${language}: ${key} is missing`);
    else if (key.startsWith("ui.") && holes(text) !== holes(catalogues.en[key])) complaints.push(`${language}: ${key} has other placeholders than English`);
  }
  for (const key of Object.keys(catalogues[language])) if (!(key in catalogues.en)) complaints.push(`en: ${key} is missing`);
}

const files = [];
(function walk(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (/\.(svelte|ts)$/.test(name) && name !== "protocol.ts") files.push(path);
  }
})(join(WEB, "src"));

// Keys are named in quotes; a template such as `ui.bot.${id}` stands for every key of its shape.
const named = new Set();
const shapes = [];
for (const path of files) {
  const source = readFileSync(path, "utf8");
  for (const [, key] of source.matchAll(/["'`](ui\.[\w.-]+)["'`]/g)) {
    named.add(key);
    if (!(key in catalogues.en)) complaints.push(`${relative(WEB, path)}: there is no key ${key}`);
  }
  for (const [, shape] of source.matchAll(/`(ui\.[^`\s]*\$\{[^`]*)`/g)) {
    const parts = shape.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join("[\\w-]+")}$`);
    shapes.push(pattern);
    if (!Object.keys(catalogues.en).some((key) => pattern.test(key))) complaints.push(`${relative(WEB, path)}: no key looks like ${shape}`);
  }
}
for (const key of Object.keys(catalogues.en))
  if (key.startsWith("ui.") && !named.has(key) && !shapes.some((shape) => shape.test(key))) complaints.push(`en: ${key} is not used`);

// No text in the markup: letters outside braces, or in an attribute that is read aloud.
const SPOKEN = new Set(["aria-label", "title", "placeholder", "alt", "aria-description", "aria-roledescription", "label"]);
for (const path of files.filter((name) => name.endsWith(".svelte"))) {
  const source = readFileSync(path, "utf8");
  const at = (position) => `${relative(WEB, path)}:${source.slice(0, position).split("\n").length}`;
  (function visit(node) {
    if (!node || typeof node !== "object") return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === "Text" && /\p{L}{2,}/u.test(node.data)) complaints.push(`${at(node.start)}: text in the code: ${node.data.trim().slice(0, 40)}`);
    if (node.type === "StyleDirective" || (node.type === "RegularElement" && node.name === "code")) return; // what a machine reads
    if (node.type === "Attribute") {
      if (node.name === "style") complaints.push(`${at(node.start)}: a style attribute breaks the content security policy; use style:name={…}`);
      const parts = Array.isArray(node.value) ? node.value : [];
      if (SPOKEN.has(node.name) && parts.some((part) => part.type === "Text" && /\p{L}{2,}/u.test(part.data))) complaints.push(`${at(node.start)}: text in ${node.name}`);
      return;
    }
    for (const [name, child] of Object.entries(node)) if (name !== "css" && name !== "instance" && name !== "module" && name !== "metadata") visit(child);
  })(parse(source, { modern: true }).fragment);
}

if (complaints.length) {
  console.error(complaints.join("\n"));
  process.exit(1);
}
console.log(`words: ${Object.keys(catalogues.en).filter((key) => key.startsWith("ui.")).length} of the shell, ${LANGUAGES.length} languages, none missing or unused`);
