export { default } from "virtual:words/de/rose_king";
