export { default } from "virtual:words/de/carolus_magnus";
