import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { inComponents } from "./layouts.js";

export default { preprocess: [vitePreprocess(), inComponents] };
