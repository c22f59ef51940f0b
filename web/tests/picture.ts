/** A diagram as a picture: what is drawn without a browser. */
import { render } from "svelte/server";
import type { Component, ComponentProps } from "svelte";

const ELEMENTS = "svg g path rect circle ellipse text textPath use defs clipPath".split(" ");

/** What the component draws, without the comments that Svelte puts between its parts. */
export function draw<C extends Component<any>>(component: C, props: ComponentProps<C>): string {
  return render(component as Component<any>, { props }).body.replace(/<!--.*?-->/g, "");
}

/** What is wrong with a picture: elements that are not SVG's, values that were none, and sizes below nothing. */
export function faults(picture: string): string[] {
  const tags = [...picture.matchAll(/<([a-zA-Z][\w-]*)/g)].map(([, tag]) => tag!);
  return [
    ...tags.filter((tag) => !ELEMENTS.includes(tag)),
    ...(picture.match(/[^\s"]*(NaN|undefined|Infinity|null|\{\w+\})[^\s"]*/g) ?? []),
    ...(picture.match(/ (?:width|height|r|rx)="-[^"]*"/g) ?? []),
    ...(tags[0] === "svg" && tags.filter((tag) => tag === "svg").length === 1
      ? []
      : ["one <svg> is the root"]),
  ];
}
