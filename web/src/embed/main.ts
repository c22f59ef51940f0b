/** The page that other sites show in a frame. It keeps nothing and sends no cookies; its address says all. */
import { mount } from "svelte";
import "../tokens.css";
import "../shell.css";
import { LANGUAGES, preferred, speak } from "../app/words.svelte";
import { momentOf } from "../table/moments";
import Embed from "./Embed.svelte";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
const isDark = matchMedia("(prefers-color-scheme: dark)");
const show = (): void => {
  const dark = theme === "dark" || (theme !== "light" && isDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
};
show();
isDark.addEventListener("change", show);

await speak(LANGUAGES.find((each) => each === asked.get("lang")) ?? preferred(navigator.languages));
mount(Embed, {
  target: document.getElementById("app")!,
  props: {
    table: /^\/embed\/t\/([\w-]{6,40})$/.exec(location.pathname)?.[1] ?? null,
    position: location.pathname === "/embed/p" ? decodeURIComponent(location.hash.slice(1)) : null,
    ply: momentOf(asked),
  },
});
