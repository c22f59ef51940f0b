export { default } from "virtual:words/de/bots";
