export { default } from "virtual:words/en/carolus_magnus";
