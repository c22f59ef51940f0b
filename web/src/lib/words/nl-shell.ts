export { default } from "virtual:words/nl/shell";
