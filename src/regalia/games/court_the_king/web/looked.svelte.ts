/** What is looked at closely: a character, or somebody's court. Panels, board and tray open it, the board shows it. */
import type { CharacterName } from "./types";

interface Character {
  character: CharacterName;
  isOwn: boolean; // looked at in one's own court, where it is used and not taken
}
interface Court {
  seat: number;
}

class Looked {
  at = $state.raw<Character | Court | null>(null);

  get character(): Character | null {
    return this.at && "character" in this.at ? this.at : null;
  }
  get court(): Court | null {
    return this.at && "seat" in this.at ? this.at : null;
  }
  isAt(character: CharacterName, isOwn: boolean): boolean {
    return this.character?.character === character && this.character.isOwn === isOwn;
  }
  close(): void {
    this.at = null;
  }
}

export const looked = new Looked();
