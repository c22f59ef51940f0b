"""Every message between a client and the server, and every body of the HTTP API, as typed structs.

`docs/protocol-reference.md` and `web/src/protocol.ts` are generated from this file by `scripts/protocol.py`.

Over the socket (`/ws`) each frame is one JSON object whose `type` says which struct it is. A client sends
`ClientMessage`s, the server `ServerMessage`s. Decoding is strict: unknown types, unknown fields, wrong kinds
and values out of range are refused as `bad_message`; there is no second, looser try.

What changes a table is a `Command`. It carries an id chosen by the client: sending it again with the same id,
over any channel and after any crash, has no second effect and gets the same `ack`. An `ack` means: on disk.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from regalia.server.model.values import ByHand as ByHand
from regalia.server.model.values import ChatScope, Notice, Result, SeatKind, SeedSource, Status, TimeControl

VERSION = 2  # of the protocol; grows only when an old client would misunderstand
MOST_BYTES_OF_A_FRAME = 8192

Id = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{6,40}$")]
Name = Annotated[str, Meta(min_length=1, max_length=32)]
Seat = Annotated[int, Meta(ge=0, le=6)]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Seq = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Milliseconds = Annotated[int, Meta(ge=0, le=1 << 52)]
ActionText = Annotated[str, Meta(min_length=1, max_length=400)]
GameId = Annotated[str, Meta(pattern="^[a-z_]{1,40}$")]
BotId = Annotated[str, Meta(pattern="^[a-z0-9_-]{1,40}$")]
VerdictKind = Literal["right", "wrong", "refused", "unread"]
SeedText = Annotated[str, Meta(pattern="^[0-9a-f]{32,64}$")]  # 16 to 32 random bytes


class Code(StrEnum):
    """Why something was refused. The set is closed."""

    BAD_MESSAGE = "bad_message"  # cannot be read as a message of this protocol
    TOO_LARGE = "too_large"  # the body or frame is longer than allowed
    TOO_FAST = "too_fast"  # more of this kind than the rate allows; try again later
    FOREIGN_ORIGIN = "foreign_origin"  # sent by a page of another site
    WRONG_HOST = "wrong_host"  # addressed to a name that is not this server's
    SIGN_IN = "sign_in"  # a player is needed: POST /api/guest first
    BAD_CREDENTIALS = "bad_credentials"  # a cookie or token that is not, or no longer, valid
    PROOF = "proof"  # show again that it is you: the last proof is too old for this
    WRONG_PROOF = "wrong_proof"  # the name and what should prove it do not fit
    NAME_TAKEN = "name_taken"  # an account has this name, or one that looks like it
    WEAK_PASSWORD = "weak_password"  # noqa: S105 - too short, too long, or among the first that would be tried
    NO_PASSKEYS = "no_passkeys"  # not at this address of the server, or not one more
    LAST_WAY = "last_way"  # without it nobody could sign in any more
    EXPIRED = "expired"  # asked too long ago, or answered already: ask again
    BROWSER_ONLY = "browser_only"  # not by a token: only in a browser where the player is known
    NOT_FOUND = "not_found"  # no such thing, or none that you may see
    METHOD = "method"  # the address exists, but not with this method
    NOT_YOUR_SEAT = "not_your_seat"  # someone else sits there, or nobody
    SEAT_TAKEN = "seat_taken"  # the seat is not open
    ALREADY_SEATED = "already_seated"  # one seat per player, unless the table is hot-seat
    HOST_ONLY = "host_only"  # only the player who made the table may
    WRONG_PHASE = "wrong_phase"  # the table has not begun, has begun already, or has ended
    NOT_AT_THIS_TABLE = "not_at_this_table"  # switched off for this table: undo, hints, draws, partner talk
    SETUP = "setup"  # unknown game, seats, option, bot, clock or position
    UNREADABLE = "unreadable"  # an action that the notation does not know
    ILLEGAL_ACTION = "illegal_action"  # a rule refuses; `clause` says which
    NOT_YOUR_TURN = "not_your_turn"  # the seat owes no decision
    STALE = "stale"  # decided on an older position; look again
    MATCH_OVER = "match_over"  # nothing can be played any more
    STORAGE = "storage"  # the server cannot write just now; nothing changed; try again
    INTERNAL = "internal"  # a mistake in the server; nothing changed


class ListKind(StrEnum):
    """Which tables a list shows."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    MINE = "mine"


# --- What is true of a table ---


class SeatFacts(Struct, frozen=True):
    """Who sits where."""

    seat: int
    kind: SeatKind
    name: str  # of the player or bot; empty when open
    player: str  # the player's public id; empty for bots and open seats
    is_guest: bool  # the name is not the player's alone
    bot: str  # the bot that plays the seat now, also when it stands in for a player
    is_yours: bool
    is_out: bool  # resigned or out of time: played on by a bot and ranked last
    left_ms: int | None  # on the clock, at `now_ms`; None without one
    is_running: bool  # the seat's clock is running


class Fairness(Struct, frozen=True):
    """The dice can be checked: the server's seed is fixed before the players send theirs."""

    proof: int  # the format of the proof; 1: tables of version 0.1, where seeds came together with the commitment
    commitment: str  # SHA-256 of the server's seed, hex
    awaited: tuple[int, ...]  # the seats for which the match waits for a `seed`
    client_seeds: tuple[str, ...] | None  # one per seat, known once the match began
    sources: tuple[SeedSource, ...] | None  # whose they are, likewise; None in format 1
    server_seed: str | None  # revealed at the end


class DueFacts(Struct, frozen=True):
    """What is rolled or dealt at a real table and is to be typed now (`outcome`)."""

    phase: str  # of the game: what is rolled or dealt
    seat: int | None  # whose roll it is; None: anybody's who sits here, as in a set-up
    count: int  # outcomes that are typed together
    most: dict[str, int]  # how often each can be among them; of a secret deal, to the seat you look from
    can_type: bool  # you may: as the seat you look from, or as the host
    awaited: tuple[
        int, ...
    ]  # of a secret deal: the seats that have not typed their own part; empty: no secret


class Typed(Struct, frozen=True):
    """Something that was typed and may be amended."""

    ply: int  # of its record
    outcomes: int  # of that record that came before it
    seat: int | None  # whose roll it was
    texts: tuple[str, ...]


class AmendmentFacts(Struct, frozen=True):
    """Somebody wants to amend: everyone who plays here is asked."""

    name: str  # who
    ply: int
    outcomes: int | None
    is_yours: bool  # your answer is awaited
    awaited: tuple[str, ...]  # the names of those whose answers are


class TableFacts(Struct, frozen=True):
    """Everything about a table but the position."""

    id: str
    game: str
    rules: int  # the rules version it is played by
    status: Status
    options: dict[str, str]
    seats: tuple[SeatFacts, ...]
    host: str  # public id of the player who made it
    host_name: str
    is_host: bool  # that is you
    is_public: bool
    invite: str | None  # for those who sit here: the secret of the invitation link `/t/<id>?invite=…`
    watch_key: str | None  # of a table that is not public: the secret of the link to watch `/t/<id>?key=…`
    hotseat: bool
    undo: bool  # allowed at this table
    hints: bool
    clock: TimeControl
    can_undo: bool  # the seat you look from may take back its last action now
    can_go_back: bool  # or else it may go back to its last decision, and the match is practice from then on
    is_practice: bool  # somebody went back over bots' answers or over chance: it counts for nothing
    draw_offer: int | None  # the seat that offers a draw
    partners: tuple[tuple[int, ...], ...]  # sides of several seats; empty where everyone plays alone
    partner_talk: bool
    from_position: bool  # it began from a position or transcript that its host knew
    is_imported: bool  # a finished match from a file: there is nothing to play or to prove here
    by_hand: ByHand  # what is rolled and dealt at a real table and typed; then it counts for nothing and has no proof
    odds: bool  # told to all; else to nobody
    due: DueFacts | None  # what is to be typed now
    amend_from: int | None  # the lowest ply whose record you may ask to amend; None: nothing here
    typed: tuple[Typed, ...]  # the last rolls and deals that may be amended
    amendment: AmendmentFacts | None  # what somebody asks to amend
    previous: str | None  # a rematch of this table
    next: str | None  # its rematch
    result: Result | None
    fairness: Fairness
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    now_ms: int  # the server's time


class RecordFacts(Struct, frozen=True):
    """One line of the match as you may see it: what is hidden from you is `?`."""

    ply: int
    seat: int | None  # None: the set-up
    action: str
    outcomes: tuple[str, ...]
    effects: tuple[Any, ...]  # what it did, each with its `type`; empty where a game does not tell
    at_ms: int


class TableSummary(Struct, frozen=True):
    """A line of a list of tables."""

    id: str
    game: str
    status: Status
    options: dict[str, str]
    seats: tuple[SummarySeat, ...]
    host_name: str
    is_public: bool
    clock: TimeControl
    ply: int
    actors: tuple[int, ...]
    result: Result | None
    is_practice: bool  # somebody went back over bots' answers or over chance: it counts for nothing
    by_hand: ByHand  # rolled and dealt at a real table: likewise
    created_ms: int
    updated_ms: int


class SummarySeat(Struct, frozen=True):
    kind: SeatKind
    name: str
    player: str


# --- Commands ---


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes a table. `id` makes it happen at most once."""

    table: Id
    id: Id


class Play(Command, tag="play", frozen=True):
    """An action in the game's notation.

    `seq` is the number of the update you decided on. The action is `stale` if the position has changed since;
    what others chose sealed, at the same time as you, does not change it. `ply` says it less exactly: after an
    action was taken back and another one played, the ply is the same. One of both is needed.
    """

    seat: Seat
    action: ActionText
    seq: Seq | None = None
    ply: Ply | None = None


class Outcome(Command, tag="outcome", frozen=True):
    """What fell or was dealt at a real table: as many outcomes as are due, in the game's notation.

    For the seat whose roll it is, and for the host. `seat` is needed where each types the own part of a secret deal.
    `seq` or `ply` as in `play`; who types the own part of a deal is not disturbed by others who type theirs.
    """

    text: ActionText
    seat: Seat | None = None
    seq: Seq | None = None
    ply: Ply | None = None


class Amend(Command, tag="amend", frozen=True):
    """Something was typed wrongly: go back to the record at `ply`, or (`outcomes`) into it, so that so many of its
    outcomes stay and the others are typed again. All who play here are asked; alone at the table it happens at once.
    """

    ply: Ply
    outcomes: Annotated[int, Meta(ge=0, le=1000)] | None = None


class AnswerAmend(Command, tag="answer_amend", frozen=True):
    accept: bool


class Undo(Command, tag="undo", frozen=True):
    """Take back your last action, while nothing came after it. `seq` or `ply` as in `play`.

    Alone against bots, without a clock and before the end, it also goes back over their answers and over chance, to
    your last decision. The match is practice from then on. The same action meets the same outcome; bots decide anew.
    """

    seat: Seat
    seq: Seq | None = None
    ply: Ply | None = None


class Sit(Command, tag="sit", frozen=True):
    """Take an open seat. `seed` (random, hex) is your share in the dice: you know the table's commitment by now,
    so the server can no longer choose. Without one you are not protected against the server, and the proof says so.
    """

    seat: Seat
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{32,64})?$")] = ""
    invite: str = ""


class Seed(Command, tag="seed", frozen=True):
    """Your share in the dice, for the seats that you took with `POST /api/tables` or `rematch`: they are listed in
    `fairness.awaited`, and the match waits for it. Draw it at random when you have been told the commitment.
    """

    seed: SeedText


class Leave(Command, tag="leave", frozen=True):
    """Get up. Before the start the seat opens again; in a match a bot stands in until you reclaim it, or,
    where hints are off, you resign."""

    seat: Seat


class Place(Command, tag="place", frozen=True):
    """The host puts a bot on an open seat, or takes one away (`bot` empty), before the start."""

    seat: Seat
    bot: Annotated[str, Meta(pattern="^[a-z0-9_-]{0,40}$")] = ""


class Start(Command, tag="start", frozen=True):
    """The host starts when all seats are filled: without `autostart`, or without the seeds that have not come."""


class Takeover(Command, tag="takeover", frozen=True):
    """Let a bot play a seat. Your own, where hints are allowed: by the bot you name. Another's, at a table
    without a clock that has waited five minutes for a decision of someone who is away: by the strongest,
    whatever you name."""

    seat: Seat
    bot: Annotated[str, Meta(pattern="^[a-z0-9_-]{0,40}$")] = ""


class Reclaim(Command, tag="reclaim", frozen=True):
    """Play your seat yourself again."""

    seat: Seat


class Resign(Command, tag="resign", frozen=True):
    """Give up. With two seats the other wins; with more a bot plays on and you rank last."""

    seat: Seat


class OfferDraw(Command, tag="offer_draw", frozen=True):
    """With two seats only. It stands until it is answered or the other acts."""

    seat: Seat


class AnswerDraw(Command, tag="answer_draw", frozen=True):
    seat: Seat
    accept: bool


class Chat(Command, tag="chat", frozen=True):
    """Say something. Without a seat as a spectator."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: Seat | None = None
    audience: ChatScope = ChatScope.TABLE
    invite: str = ""


class Rematch(Command, tag="rematch", frozen=True):
    """The same again, seats moved on by one. The ack's `next` is the new table, the same for all who ask.

    Who asks first sits there, and the match waits for their `seed`.
    """

    seat: Seat


class Close(Command, tag="close", frozen=True):
    """The host gives up a table that has not begun."""


AnyCommand = (
    Play
    | Outcome
    | Amend
    | AnswerAmend
    | Undo
    | Sit
    | Seed
    | Leave
    | Place
    | Start
    | Takeover
    | Reclaim
    | Resign
    | OfferDraw
    | AnswerDraw
    | Chat
    | Rematch
    | Close
)

# --- Other messages of a client ---


class Hello(Struct, tag="hello", frozen=True, forbid_unknown_fields=True):
    """The language of refusals. Optional; without it the browser's header decides."""

    language: Annotated[str, Meta(pattern="^(en|de|nl)$")]


class Watch(Struct, tag="watch", frozen=True, forbid_unknown_fields=True):
    """Follow a table, from a seat of yours or (null) as a spectator.

    `seq` is what you have already, if you come back. Sent again it changes the seat you look from. A table that is
    not public opens by the secret of its invitation, or by the `key` of its link to watch.
    """

    table: Id
    seat: Seat | None = None
    seq: Seq | None = None
    invite: str = ""
    key: str = ""


class Unwatch(Struct, tag="unwatch", frozen=True, forbid_unknown_fields=True):
    table: Id


class WatchLobby(Struct, tag="watch_lobby", frozen=True, forbid_unknown_fields=True):
    """Be told (`lobby`) when the list of open tables changes."""

    on: bool


class Ping(Struct, tag="ping", frozen=True, forbid_unknown_fields=True):
    """Every 2.5 s. A client that hears nothing for 9 s connects anew; a server gives up after 30 s."""

    t: Milliseconds


ClientMessage = AnyCommand | Hello | Watch | Unwatch | WatchLobby | Ping

# --- Messages of the server ---


class Welcome(Struct, tag="welcome", frozen=True):
    """First frame: who you are to the server (null: signed in as nobody; you may watch)."""

    version: int
    player: PlayerFacts | None
    now_ms: int
    build: str  # of the pages that the server serves now: another one than before means that yours are old
    epoch: int = (
        0  # another one than before: a copy was put back, so watch without `seq`, and drop what you have
    )


class Update(Struct, tag="update", frozen=True):
    """A table as you may see it now.

    `since` null: everything; replace what you have. Else it is what changed after `since`: cut
    your records to `from_ply` lines, append `records`, append `events`. If `since` is not the number you
    have, watch again without `seq`. `view` is `Match.view` from your seat, null before the start.
    """

    table: TableFacts
    seat: int | None  # the seat you look from
    seq: int
    since: int | None
    from_ply: int
    records: tuple[RecordFacts, ...]
    events: tuple[Notice, ...]
    view: Any


class Ack(Struct, tag="ack", frozen=True):
    """The command is on disk, as event `seq` of its table."""

    id: str
    table: str
    seq: int
    ply: int
    next: str | None = None  # rematch: the new table
    commitment: str | None = None  # rematch: the new table's; draw your `seed` for it now


class Refusal(Struct, tag="refused", frozen=True):
    """Nothing changed. `text` is in the player's language; `key` and `values` say the same in any."""

    code: Code
    text: str
    key: str
    values: dict[str, str]
    clause: str | None = None
    id: str | None = None  # of the command
    table: str | None = None


class Presence(Struct, tag="presence", frozen=True):
    """Which seats have someone connected. Not part of the log."""

    table: str
    online: tuple[bool, ...]
    watchers: int


class Lobby(Struct, tag="lobby", frozen=True):
    """The open tables changed: ask for the list again."""


class Gone(Struct, tag="gone", frozen=True):
    """The server closes the socket.

    `stop`: it will be back. `silent`: you said nothing for too long; send a `ping` at least every 10 s.
    `slow`: you do not read. `abuse`: far too fast, again and again. `dropped`: your token is no longer valid.
    `signed_out`: your session was ended, here or elsewhere. `internal`: a mistake in the server.
    """

    reason: str


class Pong(Struct, tag="pong", frozen=True):
    t: int
    now_ms: int


ServerMessage = Welcome | Update | Ack | Refusal | Presence | Lobby | Gone | Pong

# --- HTTP bodies ---


class PlayerFacts(Struct, frozen=True):
    id: str
    name: str
    is_guest: bool = True  # no account: the name is not the player's alone


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """Become a player. The reply sets a cookie that is the same player tomorrow."""

    name: Name


class Reach(Struct, frozen=True):
    """The addresses by which other devices open this server, for invitations."""

    is_open: bool  # false: only this machine can; the addresses are those it would have with `--host 0.0.0.0`
    addresses: tuple[str, ...]  # best first, without a slash at the end


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token for a program that plays as you: `Authorization: Bearer <token>`."""

    label: Name


class TokenFacts(Struct, frozen=True):
    id: str
    label: str
    created_ms: int
    token: str | None = None  # told once, when it is made


class SessionFacts(Struct, frozen=True):
    """A browser in which you are known."""

    id: str
    label: str  # the families of browser and system
    via: str  # how it began
    created_ms: int
    seen_ms: int  # to the hour
    is_this: bool


class EndOthers(Struct, frozen=True, forbid_unknown_fields=True):
    """End all your sessions but this one."""

    tokens: bool = False  # and drop all tokens


class CredentialFacts(Struct, frozen=True):
    """A way to sign in."""

    id: str
    kind: str  # passkey, password or recovery
    label: str
    created_ms: int
    used_ms: int | None


class AccountFacts(Struct, frozen=True):
    """What is yours alone to know."""

    player: PlayerFacts
    created_ms: int
    matches: int
    credentials: tuple[CredentialFacts, ...]
    fresh_ms: int  # so long sensitive things may be done without a new proof
    has_passkeys: bool  # at this address of the server


Password = Annotated[str, Meta(max_length=1000)]
Asked = Annotated[str, Meta(pattern="^[A-Za-z0-9]{10}$")]  # the id of a question


class AccountBegun(Struct, frozen=True):
    """What becoming an account takes: a way to sign in, and that this code is kept."""

    asked: str
    name: str
    recovery: str  # told now and never again
    passkey: dict[str, Any] | None  # what the browser needs to make one; None: there are none at this address


class NewKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A password, or the browser's answer about a new passkey."""

    asked: Asked
    password: Password = ""
    passkey: dict[str, Any] | None = None


class NewAccount(NewKey, frozen=True, forbid_unknown_fields=True):
    """Become an account: the same player, with a key."""


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    password: Password


class PasskeyAsked(Struct, frozen=True):
    """What the browser needs to make or use a passkey."""

    asked: str
    options: dict[str, Any]


class PasskeyAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The browser's answer about a new passkey."""

    asked: Asked
    passkey: dict[str, Any]


class PasswordSignIn(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    bring: bool = False  # the matches played here as a guest


class PasskeySignIn(Struct, frozen=True, forbid_unknown_fields=True):
    asked: Asked
    passkey: dict[str, Any]
    bring: bool = False


class RecoverySignIn(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    code: Annotated[str, Meta(max_length=100)]
    bring: bool = False


class Proving(Struct, frozen=True, forbid_unknown_fields=True):
    """Show again that it is you: by password, or by the browser's answer about a passkey."""

    password: Password = ""
    asked: Annotated[str, Meta(pattern="^([A-Za-z0-9]{10})?$")] = ""
    passkey: dict[str, Any] | None = None


class SignedInFacts(Struct, frozen=True):
    player: PlayerFacts
    brought: int | None  # matches of the guest; null: none, since both sit at one table that is not over
    recovery: str  # the next code, when one was used; told now and never again


class RecoveryCode(Struct, frozen=True):
    code: str  # told now and never again


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """What a new table's seat is: `open`, `human` (you), `hotseat` (you, once more) or `bot`."""

    kind: SeatKind = SeatKind.OPEN
    bot: Annotated[str, Meta(pattern="^[a-z0-9_-]{0,40}$")] = ""
    name: Annotated[str, Meta(max_length=32)] = ""  # hot-seat: who sits there


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. At most one of `transcript`, `position` and `table` (with `ply`) says where it begins.

    The reply tells the commitment to the dice. If you sit there, the match waits for your `seed`.
    """

    game: GameId
    seats: Annotated[list[SeatPlan], Meta(min_length=1, max_length=7)]
    options: dict[str, str | bool | int] = {}
    clock: TimeControl = TimeControl()
    is_public: bool = True
    undo: bool = True
    hints: bool = True
    autostart: bool = True
    by_hand: ByHand = ByHand.NOTHING  # what you roll and deal at a real table and type
    odds: bool | None = None  # told to all, or to nobody; null: where there are hints
    transcript: Annotated[str, Meta(max_length=200_000)] | None = None
    position: dict[str, Any] | None = None
    table: Id | None = None
    ply: Ply | None = None
    key: str = ""  # of `table`, where you may see it only by its link to watch
    id: Id | None = None  # a command id: the same id makes the same table


class TableList(Struct, frozen=True):
    tables: tuple[TableSummary, ...]
    before: str | None  # pass it on as ?before= for older ones


class Boards(Struct, frozen=True):
    """Positions as everybody may see them, by table. A table that has not begun, or is not open to you, has none."""

    views: dict[str, Any]


class OptionFacts(Struct, frozen=True):
    name: str
    values: tuple[str, ...]
    default: str
    seats: tuple[int, ...] | None  # only with these numbers of seats


class BotFacts(Struct, frozen=True):
    id: str
    strength: int  # 1..5


class GameFacts(Struct, frozen=True):
    id: str
    rules: int
    titles: dict[str, str]
    designer: str
    published: str
    minutes: int | None
    seats: tuple[int, ...]
    options: tuple[OptionFacts, ...]
    bots: tuple[BotFacts, ...]
    has_secrets: bool
    by_hand: tuple[ByHand, ...]  # what may be rolled and dealt by hand, with the box
    guide: int  # steps of the guide to it; 0: there is none
    has_trainer: bool


class Preparing(Struct, frozen=True):
    """A game that was not compiled when the server started.

    Until it is ready it can be played, but its bots think less far ahead and play below their strength.
    """

    game: str
    is_ready: bool
    done: int  # parts that are compiled
    total: int  # parts there are; 0 before they are counted
    has_failed: bool  # it could not be compiled, and stays as it is


class ClauseFacts(Struct, frozen=True):
    id: str
    decided: bool  # our reading, where the rulebook is silent


class ChapterFacts(Struct, frozen=True):
    key: str
    clauses: tuple[ClauseFacts, ...]


class Rulebook(Struct, frozen=True):
    """The rules of a game as they are divided. The words are the browser's: `chapter.KEY`, `clause.ID`."""

    game: str
    chapters: tuple[ChapterFacts, ...]
    examples: dict[str, tuple[str, ...]]  # positions to step through, by clause: the clauses that each shows


class ExampleFacts(Struct, frozen=True):
    """An example of the rulebook: what everybody sees before, and after each of its records."""

    game: str
    clause: str  # its words are the clause's
    marks: tuple[str, ...]  # places to point out, named as in the notation
    views: tuple[Any, ...]
    records: tuple[RecordFacts, ...]


class AttemptRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does from an example's position, for whoever is due: the same actions lead to the same position."""

    actions: Annotated[tuple[ActionText, ...], Meta(max_length=40)] = ()
    previews: Annotated[tuple[ActionText, ...], Meta(max_length=16)] = ()  # actions to look ahead at


class Verdict(Struct, frozen=True):
    """What the last answer was."""

    kind: VerdictKind
    text: str
    clause: str | None  # the rule that refused it


class AttemptFacts(Struct, frozen=True):
    """Where the actions led, as the seat sees it that is due. One that is refused changes nothing."""

    game: str
    clause: str
    verdict: Verdict | None  # of the last action
    view: Any
    records: tuple[RecordFacts, ...]
    previews: dict[str, Any]


class TermFacts(Struct, frozen=True):
    """A word of a game: what it means, and where that is to be seen."""

    term: str
    names: dict[str, str]  # by language
    forms: tuple[str, ...]  # in which texts in the caller's language have it
    text: str  # in the caller's language
    clauses: tuple[str, ...]
    view: Any
    marks: tuple[str, ...]


class Glossary(Struct, frozen=True):
    """The words of a game, in the caller's language."""

    game: str
    terms: tuple[TermFacts, ...]


class GuideFacts(Struct, frozen=True):
    """The guide to a game: the titles of its steps, in the caller's language."""

    game: str
    steps: tuple[str, ...]


class LessonRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a guide, and what was answered in it so far: the same answers lead to the same position."""

    step: Annotated[int, Meta(ge=0, le=99)]
    answers: Annotated[tuple[ActionText, ...], Meta(max_length=20)] = ()
    previews: Annotated[tuple[ActionText, ...], Meta(max_length=16)] = ()  # actions to look ahead at


class LessonChoice(Struct, frozen=True):
    """An answer that is offered as a button: one of several to a question, or a forbidden action to try."""

    answer: str
    text: str


class LessonFacts(Struct, frozen=True):
    """A step of a guide as far as it is done, in the caller's language."""

    game: str
    step: int
    title: str
    clauses: tuple[str, ...]  # that it teaches
    done: int  # of its tasks
    tasks: int
    say: str  # what is to be done now; of the last task once all are done
    marks: tuple[str, ...]  # places to point out, named as in the notation
    choices: tuple[LessonChoice, ...]
    answer: str  # one that is asked for, for who asks to be shown
    verdict: Verdict | None
    view: Any
    records: tuple[RecordFacts, ...]
    previews: dict[str, Any]  # what the actions asked about would lead to, before any chance


class AnalysisStart(Struct, frozen=True, forbid_unknown_fields=True):
    """How a line of analysis begins: from a position, or with so many seats from the usual start."""

    position: Annotated[str, Meta(max_length=20_000)] | None = None  # its text, in one line
    seats: Seat | None = None
    options: dict[str, str] = {}


class AnalysisRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """An action with the outcomes behind it, as a transcript has it."""

    seat: Seat | None = None  # None: the set-up, which has no action
    action: Annotated[str, Meta(max_length=400)] = ""
    outcomes: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=400)] = ()


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of an analysis: the same beginning and records lead to the same position."""

    start: AnalysisStart = AnalysisStart()
    records: Annotated[tuple[AnalysisRecord, ...], Meta(max_length=2000)] = ()
    chance: Literal["roll", "best", "worst", "average"] | None = None  # what is due falls, by itself or so
    seat: Seat | None = None  # to look from; None: the one that decides
    viewer: Literal["actor", "spectator"] = "actor"
    previews: Annotated[tuple[ActionText, ...], Meta(max_length=16)] = ()  # actions to look ahead at


class FallFacts(Struct, frozen=True):
    """What chance may bring."""

    outcomes: tuple[str, ...]
    odds: float


class AnalysisFacts(Struct, frozen=True):
    """A moment of an analysis: every side and all chance are in the caller's own hand."""

    game: str
    position: str  # in one line, all of it: it can be the next beginning
    view: Any  # of the seat that decides, or of everything where chance is due or nobody decides
    record: RecordFacts  # the last, with all its outcomes so far
    falls: tuple[FallFacts, ...]  # where chance is due: a whole event, or the next draw of one that is long
    previews: dict[str, Any]


class LinesRequest(AnalysisRequest, frozen=True, forbid_unknown_fields=True):
    """What the study thinks about, for so long."""

    lines: Annotated[int, Meta(ge=1, le=5)] = 3
    seconds: Annotated[float, Meta(ge=0.1, le=30)] = 30.0


class LineFacts(Struct, frozen=True):
    """An action that was compared with others, best first."""

    action: str
    share: tuple[float, ...]  # of the victory, by side
    error: tuple[float, ...]
    visits: int
    replies: tuple[str, ...]  # the likeliest answers, up to the next chance event


class LinesFacts(Struct, frozen=True):
    """A line of the stream: what is known by now, or (place above 0) how many have to go first."""

    place: int
    sides: tuple[tuple[int, ...], ...] = ()  # the seats of each
    share: tuple[float, ...] = ()
    error: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    exact: bool = False
    simulations: int = 0
    lines: tuple[LineFacts, ...] = ()


class StudyText(Struct, frozen=True, forbid_unknown_fields=True):
    """A study, a transcript or a position."""

    text: Annotated[str, Meta(max_length=250_000)]


class StudyNode(Struct, frozen=True):
    """A node of a chapter; the root is the set-up."""

    parent: int | None  # its number in the list; children come in their order
    seat: int | None
    action: str
    outcomes: tuple[str, ...]
    comment: str
    mark: str | None
    places: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]
    share: tuple[float, ...] | None


class StudyChapter(Struct, frozen=True):
    title: str
    game: str
    rules: int
    seats: int
    options: dict[str, str]
    position: str | None  # it begins from, in one line; None: the usual start
    nodes: tuple[StudyNode, ...]


class StudyFacts(Struct, frozen=True):
    """What a text says, every action of it judged by the rules."""

    title: str
    language: str
    chapters: tuple[StudyChapter, ...]


class Embedding(Struct, frozen=True):
    """What oEmbed tells of a table."""

    version: str
    type: str
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int
    cache_age: int  # seconds


class TrainerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand of a trainer, by its number: always the same. With an answer everything is told of it."""

    level: Annotated[str, Meta(max_length=20)]  # empty: the easiest
    hand: Annotated[int, Meta(ge=0, le=999_999_999)]
    answer: ActionText | None = None


class TrainerRow(Struct, frozen=True):
    action: str
    odds: float


class TrainerFacts(Struct, frozen=True):
    """A hand to decide. Rows, with the best first, and `why` only once it is answered."""

    game: str
    level: str
    levels: tuple[str, ...]  # all there are, the easiest first
    hand: int
    target: str
    ask: str  # in the caller's language, as `why`
    exact: bool  # else the odds are lower bounds
    quick: bool  # the answer is there at once
    view: Any
    answer: str | None  # as the rules write it
    rows: tuple[TrainerRow, ...]
    why: tuple[str, ...]


class Frames(Struct, frozen=True):
    """Replay: what the seat saw at each ply from `first` on. Null: a spectator, or `viewer=everything`."""

    seat: int | None
    first: int
    views: tuple[Any, ...]


class Previews(Struct, frozen=True):
    """What the seat would see after each of the actions it asked about, before any chance."""

    ply: int
    views: dict[str, Any]


class HintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """`seq` or `ply` as in `play`."""

    seat: Seat
    seq: Seq | None = None
    ply: Ply | None = None
    bot: Annotated[str, Meta(pattern="^[a-z0-9_-]{0,40}$")] = ""  # empty: the strongest


class Hint(Struct, frozen=True):
    """A bot's choice on your own view, with its reasons as locale keys."""

    ply: int
    action: str
    bot: str
    reasons: tuple[tuple[str, dict[str, Any]], ...]


class ReviewLevel(StrEnum):
    """How much work goes into a review."""

    GLANCE = "glance"
    NORMAL = "normal"
    DEEP = "deep"


class ReviewState(StrEnum):
    """How far a review is."""

    OFF = "off"  # there is none, and this server makes none
    NONE = "none"  # nobody has asked for it
    WAITING = "waiting"
    MAKING = "making"
    DONE = "done"
    FAILED = "failed"


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a review, unless it is there already at this level or a higher one."""

    level: ReviewLevel | None = None  # null: normal for who sat there, a glance for all others
    view: Seat | None = None  # as this seat knew it; null: with every card open
    renew: bool = False  # one that was made by another version
    invite: Annotated[str, Meta(max_length=40)] = ""
    key: Annotated[str, Meta(max_length=40)] = ""


class ReviewValue(Struct, frozen=True):
    """What each side can expect after so many records."""

    ply: int
    share: tuple[float, ...]
    error: tuple[float, ...]
    points: tuple[float, ...]
    exact: bool


class ReviewFacts(Struct, frozen=True):
    """A review as far as it is made. Ask again with `after` = `told` while it is waiting or making."""

    state: ReviewState
    sides: tuple[tuple[int, ...], ...]  # seats that win together
    plies: int
    level: ReviewLevel | None = None
    view: Seat | None = None
    hides: bool = False  # whether the game hides anything, so that views differ
    done: int = 0
    of: int = 0
    told: int = 0  # values told so far, with these
    values: tuple[ReviewValue, ...] = ()  # newer ones replace older ones of the same ply
    outdated: bool = False  # made by another version; it stays as it is unless it is asked for anew
    body: Any = None  # once done: `review`, as `regalia review --json` has it, and `remarks` on its marks


class ErrorBody(Struct, frozen=True):
    error: Refusal


class Proof(Struct, frozen=True, omit_defaults=True):
    """What `regalia verify` checks, known when the match is over."""

    format: str  # "regalia proof 2"; 1 for tables of version 0.1
    table: str
    commitment: str
    server_seed: str
    client_seeds: tuple[str, ...]
    start: str | None  # a transcript: what the host gave to begin from; all later outcomes were drawn
    transcript: str  # all outcomes, hidden ones too
    sources: tuple[SeedSource, ...] = ()  # whose the client seeds are; not in format 1


class Health(Struct, frozen=True):
    ok: bool
    version: str
    protocol: int


class RawUpdate(Struct, tag="update", frozen=True):
    """`Update` as the server writes it: parts that several receivers share are encoded once."""

    table: Raw
    seat: int | None
    seq: int
    since: int | None
    from_ply: int
    records: tuple[RecordFacts, ...]
    events: tuple[Notice, ...]
    view: Raw
