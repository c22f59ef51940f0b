/** Who plays: a guest with a name of their own choice, the same tomorrow in the same browser. */
import type { PlayerFacts } from "../protocol";
import { api } from "./api";
import { socket } from "./socket.svelte";
import { settings } from "../app/settings.svelte";
import { t } from "../app/words.svelte";

class Me {
  player = $state.raw<PlayerFacts | null>(null);
  #asked: Promise<void> | undefined;

  /** The socket's first message says who this browser is. */
  know(): Promise<void> {
    return (this.#asked ??= new Promise((done) => {
      socket.onWelcome = (player) => {
        if (player || !this.player) this.player = player;
        done();
      };
      socket.open();
    }));
  }

  /** Whether the name that the others see is one's own choice. */
  get isNamed(): boolean {
    return this.player !== null && this.player.name !== settings.invented;
  }

  /** A name for who has chosen none. */
  suggestion(): string {
    const names = t("ui.guest.names").split(" ");
    const name = names[Math.floor(Math.random() * names.length)] ?? "";
    return (this.player?.name || settings.name || t("ui.guest.name", { name })).slice(0, 32);
  }

  /** Be somebody: the one of last time, or a new guest. */
  async ensure(): Promise<PlayerFacts> {
    await this.know();
    if (!this.player) {
      const name = this.suggestion();
      this.player = await api.guest(name);
      if (name !== settings.name) settings.set({ invented: this.player.name });
      socket.renew();
    }
    return this.player;
  }

  /** Sign in, or become an account: other pages of this browser follow by themselves. */
  async become<T>(work: () => Promise<T>, player: (result: T) => PlayerFacts): Promise<T> {
    await this.know();
    socket.isChanging = true;
    try {
      const result = await work();
      this.player = player(result);
      settings.set({ name: this.player.name });
      socket.renew();
      socket.open(); // also where nothing is followed: it tells when the session ends
      return result;
    } finally {
      socket.isChanging = false;
    }
  }

  async rename(name: string): Promise<void> {
    settings.set({ name, invented: "" });
    const known = this.player ?? (await this.know(), this.player);
    this.player = known ? await api.rename(name) : await api.guest(name);
    socket.renew();
  }
}

export const me = new Me();
