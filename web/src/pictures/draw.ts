/** A game's diagram as text, for programs without a browser: built into one file that defines `draw`. */
import type { Component } from "svelte";
import { render } from "svelte/server";
import { speakWith, type Language } from "../app/words.svelte";
import type { DiagramModule, DiagramProps } from "../games/contract";
import Art from "../parts/Art.svelte";
import tokens from "../tokens.css?inline";

const DIAGRAMS = import.meta.glob<DiagramModule>("$games/*/web/Diagram.svelte", { eager: true });
const SYMBOLS = import.meta.glob<Component>("$games/*/web/{Art,Pieces,Emblems}.svelte", {
  import: "default",
  eager: true,
});

const gameOf = (path: string): string => path.split("/").at(-3) ?? "";

/** What does not change from picture to picture: the games that can be drawn, their symbols, and all colours. */
function materials(): string {
  const symbols = [render(Art), ...Object.values(SYMBOLS).map((each) => render(each))];
  return JSON.stringify({
    games: Object.keys(DIAGRAMS).map(gameOf),
    colours: tokens,
    symbols: symbols.map(({ body }) => body).join(""),
    style: symbols.map(({ head }) => head).join(""),
  });
}

function speak(language: Language, words: string): boolean {
  speakWith(language, JSON.parse(words) as Record<string, string>);
  return true; // the engine wants a value
}

/** The markup of a diagram and the style that goes with it; or which of the places to be marked do not exist. */
function draw(game: string, json: string): string {
  const diagram = Object.entries(DIAGRAMS).find(([path]) => gameOf(path) === game)?.[1];
  if (!diagram) throw new Error(`no diagram of ${game}`);
  const props = JSON.parse(json) as DiagramProps;
  const unknown = (props.marks ?? []).filter((place) => !diagram.isPlace(place));
  if (unknown.length) return JSON.stringify({ unknown });
  const { body, head } = render(diagram.default, { props });
  return JSON.stringify({ body, head });
}

Object.assign(globalThis, { materials, speak, draw });
