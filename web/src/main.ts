import { mount } from "svelte";
import "./tokens.css";
import "./fonts.css";
import "./shell.css";
import App from "./App.svelte";
import { start } from "./router.svelte";
import { settings } from "./app/settings.svelte";
import { speak } from "./app/words.svelte";

settings.follow();
start();
await speak(settings.language);
mount(App, { target: document.getElementById("app")! });
performance.mark("regalia ready"); // how soon a reader can do something: the browser tests read it
