"""`regalia admin`: what an operator asks a running server."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Annotated, Any

import typer

from regalia.cli.arguments import AnyDatabase, place_of
from regalia.cli.language import example, fail

admin = typer.Typer(help="Look after a running server.", no_args_is_help=True, rich_markup_mode=None)
Address = Annotated[
    str | None,
    typer.Option(
        envvar="REGALIA_ADMIN",
        help="The operator's address of the server's first process, as 127.0.0.1:9600.",
    ),
]


@admin.command(epilog=example("regalia admin workers"))
def workers(database: AnyDatabase = None) -> None:
    """The processes that serve, by their signs of life in the database."""
    now = time.time() * 1000
    for row in sorted(asked(database, "workers"), key=lambda row: (row["host"], row["started_ms"])):
        silent_s = max(0.0, now - row["beat_ms"]) / 1000
        state = "leaving" if row["is_leaving"] else "late" if now > row["next_ms"] + 4000 else "serving"
        typer.echo(f"{row['id']:12}{row['host']:24}{row['version']:10}{state:9}{silent_s:9.1f} s ago")


@admin.command(epilog=example("regalia admin tables"))
def tables(database: AnyDatabase = None) -> None:
    """How many tables there are, by game and state."""
    counts = Counter((row["game"], row["status"]) for row in asked(database, "tables"))
    for (game, status), count in sorted(counts.items()):
        typer.echo(f"{game:24}{status:10}{count:8}")


@admin.command(epilog=example("regalia admin drain --admin 127.0.0.1:9600"))
def drain(
    address: Address = None,
    resume: Annotated[bool, typer.Option("--resume", help="Let new visitors come again.")] = False,
) -> None:
    """Tell the processes of this machine to be not ready: a proxy sends nobody new, and who is here plays on."""
    import http.client

    host, _, port = (address or "").rpartition(":")
    if not host or not port.isdigit():
        fail("server.cli.no_admin", address=address or "-")
    for number in range(int(port), int(port) + 64):
        line = http.client.HTTPConnection(host.strip("[]"), number, timeout=5)
        try:
            line.request("POST", "/resume" if resume else "/drain")
            facts = json.loads(line.getresponse().read())
        except (OSError, ValueError):
            if number == int(port):
                fail("server.cli.no_admin", address=address or "-")
            break  # the processes take one port after the other
        finally:
            line.close()
        typer.echo(f"{facts['worker']:12}{facts['sockets']:6} sockets  draining: {facts['draining']}")


def asked(database: str | None, kind: str) -> list[dict[str, Any]]:
    """Rows of a table of the database, read without changing anything."""
    from regalia.server.store.backup import BackupError
    from regalia.server.store.whole import rows_of

    try:
        return rows_of(place_of(database), kind)
    except BackupError as error:
        fail(error.key, **error.values)
