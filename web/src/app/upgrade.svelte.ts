/** Whether this page is still the one that the server serves. */
class Upgrade {
  /** The server has newer pages; this one still works. The next address is loaded from the server. */
  isDue = $state(false);
  /** The server speaks another protocol, or a part of this page is gone: it must be loaded again. */
  isNeeded = $state(false);
  #build = "";

  /** What the server says about itself at each connection. */
  hear(build: string, isUnderstood: boolean): void {
    this.#build ||= build;
    this.isDue = build !== this.#build;
    this.isNeeded ||= !isUnderstood;
  }
}

export const upgrade = new Upgrade();
