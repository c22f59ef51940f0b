/** A table as this browser sees it: it takes in what the server tells, and sends what the reader decides. */
import { announcer } from "../app/announcer.svelte";
import { settings } from "../app/settings.svelte";
import { chime } from "../app/sound";
import { upgrade } from "../app/upgrade.svelte";
import { learn, t } from "../app/words.svelte";
import { NOTHING, type RecordOf, type View } from "../games/contract";
import { loadUi } from "../games/registry";
import { rememberOpponents } from "../newtable/opponents";
import type { Ack, GameFacts, Notice, Update } from "../protocol";
import { explain, reason, Refused } from "../server/api";
import type { Change, TableCommand } from "./feed.svelte";
import { isShown } from "./naming";
import type { Position } from "./questions.svelte";
import { type Decision, TableState } from "./state.svelte";

export class TableStore extends TableState {
  // --- What the server tells ---

  protected apply(update: Update): boolean {
    const words = { view: this.view, records: this.records, facts: this.facts };
    this.seats.noticeLoss(update);
    const change = this.feed.apply(update, this.seat);
    if (!change) return false;
    this.playback.catchUp();
    this.moments.forgetAfter(change.kept);
    if (change.isMoved) this.note = null;
    if (change.isFirst) void this.#begin(update.table.game);
    else if (update.since !== null) update.events.forEach((event) => this.#announce(event));
    if (words.facts?.status === "running" && update.table.status === "ended") rememberOpponents(update.table);
    const isForward = !change.isFirst && (this.view?.ply ?? 0) > (words.view?.ply ?? 0);
    if (isForward && this.playback.isMoving)
      this.playback.hold({
        view: words.view ?? this.view!,
        records: words.view ? words.records : this.records.slice(0, -1),
        facts: words.facts!,
      });
    if (change.isMoved || this.view?.ply !== words.view?.ply) this.#onPosition(change, words.view);
    this.#settle();
    if (!this.playback.held) this.playback.catchUp();
    return isForward;
  }

  async #begin(game: string): Promise<void> {
    try {
      const [ui, games] = await Promise.all([loadUi(game), this.#games(), learn(game)]);
      this.hasSecrets = games.find(({ id }) => id === game)?.has_secrets ?? true;
      this.ui = ui;
    } catch {
      upgrade.isNeeded = true; // the board of this page's time is gone
      return;
    }
    this.#settle();
  }

  /** None if the server does not say: then hands count as hidden. */
  #games(): Promise<readonly GameFacts[]> {
    return this.server.games().catch(() => []);
  }

  /** Look from the right seat. */
  #settle(): void {
    if (this.facts) this.seats.follow(this.facts, this.view, this.hasSecrets, this.#news);
    if (this.seats.showing !== null && this.view?.you !== null) this.feed.view = null; // until it comes without a hand
    this.askQuestions();
  }

  /** The ply of what came up since the last action at this device and everyone there should see; -1: nothing did. */
  get #news(): number {
    const own = this.records.findLastIndex(({ seat }) => seat !== null && this.ownSeats.includes(seat));
    return this.records.findLastIndex(
      (record, ply) => ply >= own && this.ui?.isForAll?.(record as RecordOf<unknown>),
    );
  }

  /** What the board wants to know of the position, and of what is half chosen in it. */
  askQuestions(): void {
    const position = this.#position;
    if (position && this.ui && this.isDue && position.view.you === position.seat)
      this.questions.ask(position, this.ui, this.draft, this.facts!.odds);
  }

  get #position(): Position | null {
    const { seq, positionSeq, view } = this.feed;
    return view && this.seat !== null ? { seat: this.seat, seq, positionSeq, view } : null;
  }

  /** The position is another one: what was half chosen goes, unless the question is still the same. */
  #onPosition(change: Change, shown: View | null): void {
    const isSame = !!shown && !!this.view && !!this.ui?.keepsDraft?.(shown, this.view);
    if (!isSame) this.draft = { ...NOTHING };
    this.questions.forget(isSame);
    if (change.isFirst) return;
    const from = Math.min(change.kept, shown?.ply ?? 0); // what was sealed is told when it is shown
    this.playback.announce(() => {
      if (!this.ui || !this.view) return;
      const isAsked = this.isMyTurn && !isSame;
      const news = shown ? this.sentences.slice(from) : [];
      const name = (seat: number): string => this.name(seat);
      if (isAsked) news.push(this.ui.prompt(this.view, this.draft, name).text);
      if (news.length) announcer.say(news.join(" "));
      chime(this.view.outcome ? "end" : this.isMyTurn ? "turn" : "move");
    });
  }

  /** Say what others did beside the game; what asks for attention is shown as well. */
  #announce(event: Notice): void {
    if (event.seat !== null && this.ownSeats.includes(event.seat)) return;
    if (event.kind === "chat") announcer.say(`${event.name}: ${event.text}`);
    else if (isShown(event.kind)) this.say(this.noticeText(event));
  }

  // --- What the reader does ---

  /** Tell something beside the prompt: why it cannot be done now, or what it is. */
  say(text: string): void {
    this.note = { kind: "info", text };
    announcer.alert(text);
  }

  /** An action was chosen: play it, or have it confirmed first. */
  choose(action: string): void {
    const position = this.#position;
    if (this.seat === null) return this.say(t("ui.watching"));
    if (this.shownPly !== null) return this.say(t("ui.replay.not_now"));
    if (!position) return;
    const decision = { seat: position.seat, seq: position.seq, action };
    if (settings.confirm && this.actions.includes(action)) this.pending = decision;
    else void this.play(decision);
  }

  async play(decision: Decision): Promise<void> {
    this.pending = null;
    if (this.feed.busy) return; // the one before is on its way
    this.playback.flush();
    await this.send({ type: "play", ...decision });
  }

  /** What fell or was dealt at a real table. */
  async type(text: string, seat: number | null): Promise<void> {
    if (this.feed.busy) return;
    this.playback.flush();
    await this.send({ type: "outcome", text, seq: this.feed.seq, ...(seat === null ? {} : { seat }) });
  }

  async undo(): Promise<void> {
    this.playback.flush(); // what has come in meanwhile is taken back as well
    const position = this.#position;
    if (position) await this.send({ type: "undo", seat: position.seat, seq: position.seq });
  }

  async send(command: TableCommand): Promise<Ack | null> {
    const answer = await this.feed.send(command);
    if (answer.type === "ack") return answer;
    this.#complain(new Refused(answer));
    if (answer.code === "stale") this.line.again(this.id);
    return null;
  }

  async askHint(): Promise<void> {
    const position = this.#position;
    if (!position) return;
    try {
      await Promise.all([this.questions.askHint(position), learn("bots")]);
      this.note = null;
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error: unknown): void {
    const refusal = error instanceof Refused ? error.refusal : null;
    const why = refusal ? explain(refusal) : reason(error);
    const text =
      refusal?.code === "illegal_action"
        ? t("ui.refused", { why })
        : refusal?.code === "stale"
          ? t("ui.stale")
          : why;
    const clause = refusal?.clause && this.facts ? { clause: refusal.clause, game: this.facts.game } : {};
    this.note = { kind: "refused", text, ...clause };
    announcer.alert(text);
    chime("refused");
  }

  flush(): void {
    this.playback.flush();
  }

  /** Look at an earlier ply; null: at what is now. */
  async replay(ply: number | null): Promise<void> {
    if (ply === null) return this.moments.leave();
    const seat = this.facts?.status === "ended" ? null : this.seat;
    await this.moments.show(ply, this.view?.ply ?? 0, seat);
  }

  /** The device has been passed: nothing of the one before stays. */
  passDevice(): void {
    const next = this.seats.passing;
    if (next === null) return;
    this.feed.view = null;
    this.seats.lookFrom(next);
  }
}
