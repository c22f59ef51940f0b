export { default } from "virtual:words/nl/carolus_magnus";
