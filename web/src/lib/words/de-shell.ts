export { default } from "virtual:words/de/shell";
