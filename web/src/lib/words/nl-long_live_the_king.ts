export { default } from "virtual:words/nl/long_live_the_king";
