"""`regalia serve`, `verify`, `backup`, `restore`, `export`."""

from __future__ import annotations

import json
import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from regalia.locale import LANGUAGES, say

Database = Annotated[Path | None, typer.Option(help="The database file; by default in the data folder.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Machine output, and nothing else on stdout.")]


def speak(key: str, **values: object) -> str:
    """In the language of the shell."""
    language = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "en")[:2].lower()
    return say(language if language in LANGUAGES else "en", key, **values)


def fail(key: str, **values: object) -> NoReturn:
    typer.echo(speak(key, **values), err=True)
    raise typer.Exit(2)


def serve(
    host: Annotated[str, typer.Option(help="0.0.0.0 lets others in your network join.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8642,
    database: Database = None,
    workers: Annotated[int, typer.Option(min=1, max=1, help="Processes; SQLite allows one.")] = 1,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    https: Annotated[bool, typer.Option("--https", help="Behind a proxy that speaks https.")] = False,
    proxy: Annotated[bool, typer.Option("--proxy", help="Trust X-Forwarded-For of a proxy.")] = False,
    log: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "warning",
    bot_pause: Annotated[
        float, typer.Option(min=0, max=10, help="Seconds a bot waits before it acts.")
    ] = 0.4,
    no_limits: Annotated[bool, typer.Option("--no-limits", hidden=True)] = False,
) -> None:
    """Play in the browser: the server, its pages and its bots in one.

    Example: regalia serve --host 0.0.0.0 --port 8000
    """
    del workers
    from regalia.server import logs
    from regalia.server.ports import StorageError
    from regalia.server.run import make_server
    from regalia.server.settings import UNLIMITED, Rates, Settings, default_database

    if log not in ("debug", "info", "warning", "error"):
        raise typer.BadParameter(log, param_hint="--log")
    logs.set_up(log)
    listener = listen(host, port)
    settings = Settings(
        database or default_database(),
        secure_cookies=https,
        forwarded=proxy,
        bot_pause_s=bot_pause,
        rates=UNLIMITED if no_limits else Rates(),
    )
    try:
        server = make_server(settings, host, port)
    except (StorageError, OSError):
        listener.close()
        fail("server.cli.no_database", path=settings.database)
    port = listener.getsockname()[1]
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else bracketed(host)}:{port}/"  # noqa: S104 - compared
    typer.echo(speak("server.cli.address", address=address))
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared
        for found in network_addresses():
            typer.echo(speak("server.cli.network", address=f"http://{found}:{port}/"))
    typer.echo(speak("server.cli.database", path=settings.database))
    typer.echo(speak("server.cli.stop"))
    sys.stdout.flush()
    if browser and has_screen():
        webbrowser.open(address)
    server.run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """The socket, opened first: an address that is taken is told before anything else happens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        fail("server.cli.port_taken", port=f"{host}:{port}")
    listener.set_inheritable(False)
    return listener


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def network_addresses() -> list[str]:
    """The addresses under which the home network reaches this machine."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; the system picks the outgoing address
            return [probe.getsockname()[0]]
    except OSError:
        return []


def has_screen() -> bool:
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def verify(
    file: Annotated[Path, typer.Argument(help="A proof, as the result page gives it.")],
    as_json: AsJson = False,
) -> None:
    """Check that the dice of a finished match follow from its seeds.

    Example: regalia verify proof.json
    """
    import msgspec

    from regalia.server.fair import ProofError
    from regalia.server.fair import verify as check
    from regalia.server.protocol import Proof

    try:
        proof = msgspec.json.decode(file.read_bytes(), type=Proof)
        draws = check(proof)
    except OSError:
        fail("server.cli.no_file", path=file)
    except (ProofError, msgspec.DecodeError) as error:
        if as_json:
            typer.echo(json.dumps({"ok": False, "why": str(error)}))
            raise typer.Exit(2) from error
        fail("server.cli.not_verified", why=error)
    if as_json:
        typer.echo(json.dumps({"ok": True, "table": proof.table, "draws": draws}))
    else:
        typer.echo(speak("server.cli.verified", draws=draws))


def backup(
    target: Annotated[Path, typer.Argument(help="Where the copy goes.")],
    database: Database = None,
    force: Force = False,
) -> None:
    """A copy of the database, also while the server runs.

    Example: regalia backup regalia-2026-01-31.sqlite3
    """
    from regalia.server.settings import default_database
    from regalia.server.upkeep import UpkeepError, back_up

    try:
        back_up(database or default_database(), target, force)
    except UpkeepError as error:
        fail(error.key, **error.values)
    typer.echo(speak("server.cli.backed_up", path=target))


def restore(
    source: Annotated[Path, typer.Argument(help="A copy made by `regalia backup`.")],
    database: Database = None,
    force: Force = False,
) -> None:
    """Put a copy in the place of the database. Stop the server first.

    Example: regalia restore regalia-2026-01-31.sqlite3 --force
    """
    from regalia.server import upkeep
    from regalia.server.settings import default_database

    try:
        upkeep.restore(source, database or default_database(), force)
    except upkeep.UpkeepError as error:
        fail(error.key, **error.values)
    typer.echo(speak("server.cli.restored", path=source))


def export(
    target: Annotated[Path, typer.Argument(help="A file of JSON lines; - is stdout.")],
    database: Database = None,
    running: Annotated[
        bool, typer.Option("--running", help="Also matches that still run, as a spectator sees them.")
    ] = False,
    force: Force = False,
) -> None:
    """Finished matches as JSON lines, each with its transcript and the proof of its dice.

    Example: regalia export matches.jsonl
    """
    from regalia.server import upkeep
    from regalia.server.settings import default_database

    to_stdout = str(target) == "-"
    if target.exists() and not force and not to_stdout:
        fail("server.cli.file_exists", path=target)
    try:
        lines = [
            json.dumps(match, ensure_ascii=False)
            for match in upkeep.export(database or default_database(), finished_only=not running)
        ]
    except upkeep.UpkeepError as error:
        fail(error.key, **error.values)
    text = "".join(line + "\n" for line in lines)
    if to_stdout:
        sys.stdout.write(text)
        return
    target.write_text(text, "utf-8")
    typer.echo(speak("server.cli.exported", count=len(lines), path=target))
