export { default } from "virtual:words/nl/bots";
