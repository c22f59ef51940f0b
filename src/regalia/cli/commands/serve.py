"""`regalia serve`: the server, its pages and its bots."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from dataclasses import replace
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

import typer

from regalia.cli.language import fail, speak

BACKLOG = 2048  # connections that wait until a process takes them


def serve(
    host: Annotated[
        str, typer.Option(envvar="REGALIA_HOST", help="0.0.0.0 lets others in your network join.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="REGALIA_PORT", help="0 takes any free one.")
    ] = 8642,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="REGALIA_DATABASE",
            help="A file, by default in the data folder; or postgresql://user@host/name.",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=64, envvar="REGALIA_WORKERS", help="Processes; more than one with PostgreSQL."
        ),
    ] = 1,
    study_workers: Annotated[
        int,
        typer.Option(
            min=0,
            max=16,
            envvar="REGALIA_STUDY_WORKERS",
            help="Processes of low priority for reviews and analysis; 0: none.",
        ),
    ] = 1,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    public: Annotated[
        list[str] | None,
        typer.Option(
            envvar="REGALIA_PUBLIC",
            help="An address by which others reach it, as https://play.example.org. May be repeated.",
        ),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", envvar="REGALIA_HTTPS", help="Behind a proxy that speaks https.")
    ] = False,
    proxy: Annotated[
        bool, typer.Option("--proxy", help="Trust X-Forwarded-For of a proxy on this machine.")
    ] = False,
    trusted_proxies: Annotated[
        str | None,
        typer.Option(
            envvar="REGALIA_TRUSTED_PROXIES",
            help="Trust X-Forwarded-For of these addresses or networks: 10.0.0.5,192.168.1.0/24",
        ),
    ] = None,
    admin: Annotated[
        str,
        typer.Option(
            envvar="REGALIA_ADMIN", help="Where the operator asks each process for figures: 127.0.0.1:9600"
        ),
    ] = "",
    log: Annotated[
        str, typer.Option(envvar="REGALIA_LOG", help="debug, info, warning or error.")
    ] = "warning",
    bot_pause: Annotated[
        float,
        typer.Option(min=0, max=10, envvar="REGALIA_BOT_PAUSE", help="Seconds a bot waits before it acts."),
    ] = 0.4,
    no_limits: Annotated[bool, typer.Option("--no-limits", hidden=True)] = False,
    patience: Annotated[float | None, typer.Option(hidden=True)] = None,
) -> None:
    """Play in the browser: the server, its pages and its bots in one.

    Example: regalia serve --host 0.0.0.0 --port 8000
    """
    from regalia.server import logs
    from regalia.server.configuration import is_address
    from regalia.server.services import services_on
    from regalia.server.settings import (
        LOOPBACK,
        UNLIMITED,
        Rates,
        Settings,
        database_at,
        default_database,
    )
    from regalia.server.store import open_store
    from regalia.server.store.file import Unusable
    from regalia.server.transport.reach import EVERYWHERE, bracketed, network_addresses
    from regalia.server.transport.run import allow_open_files, make_server

    if log not in ("debug", "info", "warning", "error"):
        raise typer.BadParameter(log, param_hint="--log")
    if admin and not is_address(admin):
        raise typer.BadParameter(admin, param_hint="--admin")
    logs.set_up(log)
    place = database_at(database) if database else default_database()
    if workers > 1 and not isinstance(place, str):
        fail("server.cli.one_worker")
    if workers > 1 and os.name != "posix":
        fail("server.cli.no_workers")
    listener = listen(host, port)
    settings = Settings(
        place,
        bot_threads=max(1, ((os.cpu_count() or 2) - 1) // workers),
        study_workers=study_workers,
        https=https or any(address.startswith("https:") for address in public or []),
        host=host,
        public=tuple(public or []),
        names=frozenset([host.lower(), *map(name_in, public or [])]),
        proxies=(*(LOOPBACK if proxy else ()), *networks_in(trusted_proxies)),
        bot_pause_s=bot_pause,
        admin=admin,
        rates=UNLIMITED if no_limits else Rates(),
    )
    if no_limits:
        settings = replace(settings, most_sockets_per_address=settings.most_sockets)
    allow_open_files(2 * settings.most_sockets)
    try:
        store = open_store(settings.database)
    except Unusable as error:
        listener.close()
        fail(error.key, **error.values)
    except OSError:
        listener.close()
        fail("server.cli.read_only", path=settings.database)
    port = listener.getsockname()[1]
    address = f"http://{'127.0.0.1' if host in EVERYWHERE else bracketed(host)}:{port}/"
    typer.echo(speak("server.cli.address", address=address))
    if host in EVERYWHERE:
        for found in network_addresses():
            typer.echo(speak("server.cli.network", address=f"http://{found}:{port}/"))
    typer.echo(speak("server.cli.database", path=store.shown))
    if workers > 1:
        typer.echo(speak("server.cli.workers", count=workers))
    typer.echo(speak("server.cli.stop"))
    sys.stdout.flush()
    if browser and has_screen():
        webbrowser.open(address)
    if workers == 1:
        make_server(settings, host, port, services_on(settings, store)).run(sockets=[listener])
        return
    import asyncio  # here, since every other command would load it too

    from regalia.server.transport.supervisor import PATIENCE_S, Supervisor, Work

    asyncio.run(store.close())  # it was only looked at: every process has its own
    listener.listen(BACKLOG)
    Supervisor(workers, Work(settings, host, port, listener, log, patience or PATIENCE_S)).run()


def name_in(address: str) -> str:
    """The name of a machine, alone or within an address."""
    try:
        name = urlsplit(address if "//" in address else f"//{address}").hostname
    except ValueError:
        name = None
    if not name:
        raise typer.BadParameter(address, param_hint="--public")
    return name


def networks_in(text: str | None) -> tuple[str, ...]:
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    try:
        return tuple(str(ip_network(part, strict=False)) for part in parts)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--trusted-proxies") from error


def listen(host: str, port: int) -> socket.socket:
    """The socket, opened first: an address that is taken is told before anything else happens.

    It listens at once: whoever opens the address as soon as it is told waits until the server answers.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        fail("server.cli.port_taken", port=f"{host}:{port}")
    listener.set_inheritable(False)
    return listener


def has_screen() -> bool:
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
