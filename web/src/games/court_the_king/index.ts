import ui from "../rose_king";
export default ui;
