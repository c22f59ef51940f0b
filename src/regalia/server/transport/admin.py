"""A door of its own for who runs the server: figures of this one process, and whether it shall get new visitors.

Every process opens the first free port from the one that is named, since behind the common port nobody knows which
process answers. It speaks just enough HTTP for Prometheus, `curl` and `regalia admin`, and only to where it is bound.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable

from regalia import __version__
from regalia.server.services import Services
from regalia.server.transport.handlers import figures

MOST_PROCESSES = 64  # on one machine
PATIENCE_S = 5.0
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")

log = logging.getLogger("regalia.admin")

Answer = tuple[int, str]  # status and text


class Admin:
    def __init__(self, services: Services, address: str) -> None:
        self._services = services
        host, _, port = address.rpartition(":")
        self._host, self._port = host.strip("[]"), int(port)
        self._server: asyncio.Server | None = None
        self._doors: dict[str, Callable[[], Awaitable[Answer]]] = {
            "GET /metrics": self._metrics,
            "GET /live": self._live,
            "GET /ready": self._ready,
            "POST /drain": self._drain,
            "POST /resume": self._resume,
        }

    async def start(self) -> None:
        for port in range(self._port, self._port + MOST_PROCESSES):
            try:
                self._server = await asyncio.start_server(self._talk, self._host, port)
            except OSError:
                continue
            log.info("admin", extra={"facts": {"worker": self._services.worker, "port": port}})
            return
        log.error("no port for the operator is free", extra={"facts": {"from": self._port}})

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                words = (await reader.readline()).decode("latin-1").split()
                while (await reader.readline()).strip():  # headers say nothing here
                    pass
                door = self._doors.get(" ".join(words[:2]))
                status, text = (404, "") if door is None else await door()
                head = (
                    f"HTTP/1.1 {status} -\r\ncontent-type: text/plain; version=0.0.4\r\nconnection: close\r\n"
                )
                body = text.encode()
                writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
        except (TimeoutError, OSError, ValueError):  # whoever it was
            pass
        finally:
            writer.close()

    async def _metrics(self) -> Answer:
        return 200, with_label(figures(self._services), "worker", self._services.worker)

    async def _live(self) -> Answer:
        return 200, self._facts()

    async def _ready(self) -> Answer:
        return 200 if await self._services.is_ready() else 503, self._facts()

    async def _drain(self) -> Answer:
        """Proxies that ask `/api/ready` send nobody new; who is here stays."""
        self._services.is_draining = True
        return 200, self._facts()

    async def _resume(self) -> Answer:
        self._services.is_draining = False
        return 200, self._facts()

    def _facts(self) -> str:
        services = self._services
        facts = {
            "worker": services.worker,
            "version": __version__,
            "sockets": services.metrics.sockets,
            "tables": len(services.tables.entries),
            "draining": services.is_draining,
        }
        return json.dumps(facts) + "\n"


def with_label(text: str, label: str, value: str) -> str:
    """Every sample of these figures with one more label."""

    def labelled(line: str) -> str:
        sample = SAMPLE.match(line)
        if sample is None:
            return line
        name, labels, number = sample.groups()
        return f'{name}{{{label}="{value}"{"," + labels if labels else ""}}} {number}'

    return "\n".join(map(labelled, text.splitlines())) + "\n"
