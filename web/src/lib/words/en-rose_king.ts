export { default } from "virtual:words/en/rose_king";
