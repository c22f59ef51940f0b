export { default } from "virtual:words/nl/rose_king";
