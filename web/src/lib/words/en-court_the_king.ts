export { default } from "virtual:words/en/court_the_king";
