export { default } from "virtual:words/de/long_live_the_king";
