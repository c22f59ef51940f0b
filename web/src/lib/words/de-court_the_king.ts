export { default } from "virtual:words/de/court_the_king";
