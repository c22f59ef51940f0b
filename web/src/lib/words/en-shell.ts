export { default } from "virtual:words/en/shell";
