"""One socket per browser tab: a reader, and a writer of its own that costs nobody else anything.

What a listener is owed is never queued: it is the difference between the log and the sequence number it has,
made when the socket can take it. A slow reader misses nothing and holds nothing; only answers to its own
messages wait in a short queue, and when that is full the socket is closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from starlette.responses import Response as HttpResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from regalia.server import protocol as wire
from regalia.server.model import views
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import viewer
from regalia.server.model.values import Status
from regalia.server.protocol import Code
from regalia.server.runtime.presence import presence_topic
from regalia.server.runtime.tables import LOBBY
from regalia.server.services import Services
from regalia.server.transport.auth import Caller, put_cookie
from regalia.server.transport.decoding import decoded

MOST_ANSWERS = 128  # waiting to be sent
MOST_TOO_FAST = 50  # refusals for speed in a row, before the socket is closed
LOBBY_S = 0.5  # the lobby is told at most so often
CLOSE_CODES = {"stop": 1001, "internal": 1011}  # of WebSocket; 1008 for all that is the client's doing

log = logging.getLogger("regalia.sockets")
encode = msgspec.json.Encoder().encode


@dataclass
class Watched:
    """A table this socket follows, and what it asked for: what it may see is judged for every frame."""

    seat: int | None
    secret: str  # of an invitation or of a link to watch
    seq: int | None  # what the client has
    player: str | None  # as whom it looks
    ends: list[Callable[[], None]]  # of its subscriptions
    presence: wire.Presence | None = None  # as it was last told
    is_presence_new: bool = True  # it may have changed since


class Addressed(msgspec.Struct, frozen=True):
    """What a refusal needs of a message: who waits for the answer, and where."""

    id: wire.Id | None = None
    table: wire.Id | None = None


def addressed(text: str) -> Addressed | None:
    """Of a message that is not even read."""
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=Addressed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class CloseSocket(Exception):
    """Ends the socket, with the reason told to the client."""


class Socket:
    def __init__(self, socket: WebSocket, services: Services, caller: Caller) -> None:
        self.socket = socket
        self.services = services
        self.caller = caller
        self.language = caller.language
        self.watched: dict[str, Watched] = {}
        self._answers: deque[bytes] = deque()
        self._dirty: dict[str, None] = {}  # tables to look at
        self._held: set[str] = set()  # tables with a command under way: the ack goes first
        self._lobby: Callable[[], None] | None = None
        self._lobby_dirty = False
        self._wake = asyncio.Event()
        self._drained = asyncio.Event()
        self._too_fast = 0
        self._silent_since: float | None = None  # while the client is waited for to say something
        self._sending_since: float | None = None  # while it is waited for to take a frame
        self._is_ended = False  # the session or token it came with

    # --- Life ---

    async def run(self) -> str:
        """Until either side ends it; returns the reason."""
        session = self.caller.session
        stop_listening = None
        if session is not None:
            stop_listening = self.services.sessions.listen("sessions", session.id, self._end)
        elif self.caller.token:
            stop_listening = self.services.sessions.listen("tokens", self.caller.token, self._end)
        try:
            return await self._run()
        finally:
            if stop_listening is not None:
                stop_listening()
            self.services.limiter.forget("frame", f"{id(self)}")

    async def _run(self) -> str:
        kept = HttpResponse()
        put_cookie(kept, self.caller, self.services.settings)
        await self.socket.accept(headers=[line for line in kept.raw_headers if line[0] == b"set-cookie"])
        player = self.caller.player
        facts = None
        if player is not None:
            facts = wire.PlayerFacts(player.id, player.name, not player.is_account)
        now_ms, epoch = self.services.time.wall_ms(), self.services.heartbeat.outages.cut_ms
        self.answer(wire.Welcome(wire.VERSION, facts, now_ms, self.services.build, epoch))
        tasks = [asyncio.ensure_future(work) for work in (self._read(), self._write(), self._lose_patience())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            for table_id in list(self.watched):
                self._unwatch(table_id)
            self._follow_lobby(False)
        return await self._goodbye(results)

    async def _goodbye(self, results: list[BaseException | None]) -> str:
        for error in results:
            if isinstance(error, CloseSocket):
                await self._close(str(error))
                return str(error)
            if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect):
                log.error("socket failed", exc_info=error)
                await self._close("internal")
                return "internal"
        return "left"

    async def _close(self, reason: str) -> None:
        try:
            async with asyncio.timeout(1):
                if self.socket.client_state is WebSocketState.CONNECTED and reason != "slow":
                    await self.socket.send_text(encode(wire.Gone(reason)).decode())
                await self.socket.close(CLOSE_CODES.get(reason, 1008), reason)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            pass
        abort = self.socket.scope.get("extensions", {}).get("regalia.abort")
        if abort is not None and reason == "slow":
            abort()

    async def _lose_patience(self) -> None:
        """Ends the socket of a client that is silent or slow for too long.

        One timer serves all waits: `asyncio.timeout` around every frame took a twentieth of the server's time.
        """
        now = asyncio.get_running_loop().time
        silent_s, slow_s = self.services.settings.silent_s, self.services.settings.slow_s
        while True:
            silent_for = 0.0 if self._silent_since is None else now() - self._silent_since
            sending_for = 0.0 if self._sending_since is None else now() - self._sending_since
            if silent_for >= silent_s:
                raise CloseSocket("silent")
            if sending_for >= slow_s:
                raise CloseSocket("slow")
            await asyncio.sleep(min(silent_s - silent_for, slow_s - sending_for))

    def _end(self) -> None:
        self._is_ended = True
        self._wake.set()

    # --- Reading ---

    async def _read(self) -> None:
        now = asyncio.get_running_loop().time
        while True:
            self._silent_since = now()
            message = await self.socket.receive()
            self._silent_since = None
            if message["type"] == "websocket.disconnect":
                return
            self.services.metrics.frames_in += 1
            text = message.get("text")
            if not self.services.limiter.allows("frame", f"{id(self)}"):
                self._slow_down(text or "")
                await self._room()
                continue
            self._too_fast = 0
            await self._take(text)
            await self._room()

    async def _room(self) -> None:
        """Read no further while the client does not take its answers."""
        if len(self._answers) < MOST_ANSWERS // 2:
            return
        self._drained.clear()
        try:
            async with asyncio.timeout(self.services.settings.slow_s):
                await self._drained.wait()
        except TimeoutError as error:
            raise CloseSocket("slow") from error

    def _slow_down(self, text: str) -> None:
        self._too_fast += 1
        if self._too_fast > MOST_TOO_FAST:
            raise CloseSocket("abuse")
        self._refuse(Refused(Code.TOO_FAST), addressed(text))

    async def _take(self, text: str | None) -> None:
        message: wire.ClientMessage | None = None
        try:
            if text is None or len(text) > wire.MOST_BYTES_OF_A_FRAME:
                raise Refused(Code.BAD_MESSAGE if text is None else Code.TOO_LARGE)
            message = decoded(text.encode("utf-8", "surrogatepass"), wire.ClientMessage)
            await self._handle(message)
        except Refused as refusal:
            self._refuse(refusal, message)
        except Exception:  # a process edge: this client hears of it, the others do not
            log.exception("message failed", extra={"facts": {"type": type(message).__name__}})
            self._refuse(Refused(Code.INTERNAL), message)

    def _refuse(self, refusal: Refused, message: wire.ClientMessage | Addressed | None) -> None:
        self.services.metrics.refusals[refusal.code] += 1
        self.answer(
            refusal.message(self.language, getattr(message, "id", None), getattr(message, "table", None))
        )

    async def _handle(self, message: wire.ClientMessage) -> None:
        match message:
            case wire.Ping(t):
                self.answer(wire.Pong(t, self.services.time.wall_ms()))
            case wire.Hello(language):
                self.language = language
            case wire.Watch():
                await self._watch(message)
            case wire.Unwatch(table):
                self._unwatch(table)
            case wire.WatchLobby(on):
                self._follow_lobby(on)
            case _:
                await self._command(message)

    async def _command(self, command: wire.AnyCommand) -> None:
        player = self.caller.must_be_player()
        self._held.add(command.table)
        try:
            self.answer(await self.services.command(player, command))
        finally:
            self._held.discard(command.table)
            self._wake.set()

    async def _watch(self, message: wire.Watch) -> None:
        table_id = message.table
        known = self.watched.get(table_id)
        if known is None and len(self.watched) >= self.services.settings.most_watched:
            raise Refused(Code.TOO_FAST)
        table = await self.services.tables.open(table_id)
        secret = message.invite or message.key
        player = None if self.caller.player is None else self.caller.player.at(table).id
        viewer(table, player, message.seat, secret)
        if known is not None and known.player != player:  # it has sat down or got up since
            self._unwatch(table_id)
            known = None
        if known is None:
            self.services.tables.enter(table_id, player)
            ends = [
                self.services.bus.subscribe(table_id, lambda: self._notice(table_id)),
                self.services.bus.subscribe(
                    presence_topic(table_id), lambda: self._notice(table_id, is_of_presence=True)
                ),
            ]
            known = self.watched[table_id] = Watched(message.seat, secret, message.seq, player, ends)
        known.seat, known.secret, known.seq = message.seat, secret, message.seq
        known.presence = None
        self._notice(table_id, is_of_presence=True)

    def _unwatch(self, table_id: str) -> None:
        known = self.watched.pop(table_id, None)
        if known is not None:
            for end in known.ends:
                end()
            self.services.tables.exit(table_id, known.player)

    def _follow_lobby(self, on: bool) -> None:
        if on and self._lobby is None:
            self._lobby = self.services.bus.subscribe(LOBBY, self._notice_lobby)
        elif not on and self._lobby is not None:
            self._lobby()
            self._lobby = None

    # --- Writing ---

    def answer(self, message: wire.ServerMessage) -> None:
        if len(self._answers) >= MOST_ANSWERS:
            raise CloseSocket("slow")
        self._answers.append(encode(message))
        self._wake.set()

    def nudge(self) -> None:
        self._wake.set()

    def _notice(self, table_id: str, is_of_presence: bool = False) -> None:
        """Something is new at a table, or about who is there."""
        self._dirty[table_id] = None
        if is_of_presence and (known := self.watched.get(table_id)) is not None:
            known.is_presence_new = True
        self._wake.set()

    def _notice_lobby(self) -> None:
        if not self._lobby_dirty:
            self._lobby_dirty = True
            asyncio.get_running_loop().call_later(LOBBY_S, self._tell_lobby)

    def _tell_lobby(self) -> None:
        self._lobby_dirty = False
        if self._lobby is not None and len(self._answers) < MOST_ANSWERS:
            self.answer(wire.Lobby())

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self.services.is_stopping:
                raise CloseSocket("stop")
            if self._is_ended:
                raise CloseSocket("dropped" if self.caller.token else "signed_out")
            while self._answers:
                await self._send(self._answers.popleft())
            self._drained.set()
            for table_id in [table_id for table_id in self._dirty if table_id not in self._held]:
                del self._dirty[table_id]
                await self._bring_up_to_date(table_id)

    async def _bring_up_to_date(self, table_id: str) -> None:
        known = self.watched.get(table_id)
        if known is None:
            return
        try:
            table = await self.services.tables.open_told(table_id, known.player, known.seat, known.seq)
        except Refused as refusal:  # storage: try again
            self._refuse(refusal, None)
            asyncio.get_running_loop().call_later(1, self._notice, table_id)
            return
        if self.watched.get(table_id) is not known:  # meanwhile the client has turned away
            return
        if table_id in self._held or self._answers:  # meanwhile it has sent a command: the ack goes first
            self._notice(table_id)
            return
        if known.seq is None or known.seq != table.seq:
            try:
                frame = views.update(
                    table, known.player, known.seat, known.secret, known.seq, self.services.now
                )
            except Refused as refusal:  # no longer open to this player
                self._unwatch(table_id)
                self._refuse(refusal, wire.Unwatch(table_id))
                return
            known.seq = table.seq
            await self._send(frame)
        if not known.is_presence_new:
            return
        known.is_presence_new = table.status is Status.OPEN  # there seats still change hands
        presence = self.services.tables.who_is_here(table_id)
        if presence is not None and presence != known.presence:
            known.presence = presence
            await self._send(encode(presence))

    async def _send(self, frame: bytes) -> None:
        self._sending_since = asyncio.get_running_loop().time()
        try:
            await self.socket.send_text(frame.decode())
        except RuntimeError as error:  # closed meanwhile
            raise WebSocketDisconnect from error
        self._sending_since = None
        self.services.metrics.frames_out += 1
