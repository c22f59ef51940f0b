export { default } from "virtual:words/nl/court_the_king";
