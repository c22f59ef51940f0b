export { default } from "virtual:words/en/bots";
