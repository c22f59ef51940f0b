export { default } from "virtual:words/en/long_live_the_king";
