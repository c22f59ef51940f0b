/** The painted cover of each game. */
import carolus_magnus from "./carolus_magnus.svelte";
import court_the_king from "./court_the_king.svelte";
import long_live_the_king from "./long_live_the_king.svelte";
import rose_king from "./rose_king.svelte";

export const COVERS = { rose_king, carolus_magnus, court_the_king, long_live_the_king };
