"""Whether what is kept is whole: every log is folded, every match replayed through the gate, every die cast again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from regalia import Match
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING
from regalia.server.model import views
from regalia.server.model.dice import FORMATS, ProofError, verify
from regalia.server.model.table import Table, dice_of
from regalia.server.ports import SystemTime, read_time
from regalia.server.protocol import Proof
from regalia.server.store.whole import StoredTable, tables_of


@dataclass
class Report:
    tables: int = 0
    events: int = 0
    draws: int = 0  # that follow from the seeds
    mistakes: list[str] = field(default_factory=list)  # each with its table


def check(database: Path | str) -> Report:
    """Raises BackupError where there is nothing to look at."""
    report = Report()
    for stored in tables_of(database):
        report.tables += 1
        report.events += len(stored.log)
        try:
            report.draws += check_table(stored)
        except (AssertionError, msgspec.MsgspecError, RegaliaError, ProofError) as error:
            report.mistakes.append(f"{stored.id}: {str(error) or type(error).__name__}")
    return report


def check_table(stored: StoredTable) -> int:
    """How many draws were made; raises what is wrong."""
    numbers = [line.seq for line in stored.log]
    assert numbers == list(range(stored.seq + 1)), f"its row ends at {stored.seq}, its log is {numbers[-3:]}"
    table = Table.read(stored.id, stored.log, read_time(SystemTime()))
    if (
        table.match is None or table.created.is_imported
    ):  # not begun, by rules that are gone, or played elsewhere
        return 0
    transcript = table.match.transcript(EVERYTHING)
    again = Match.replay(transcript)
    assert again.state_bytes() == table.match.state_bytes(), "its transcript leads to another position"
    proof = Proof(
        format=FORMATS[table.created.proof],
        table=table.id,
        commitment=table.commitment,
        server_seed=table.created.server_seed,
        client_seeds=tuple(chair.seed for chair in table.chairs),
        start=table.created.start,
        transcript=transcript,
        sources=views.seed_sources(table),
    )
    drawn = verify(proof).draws
    assert drawn == dice_of(table.match).drawn, f"{drawn} draws, and not {dice_of(table.match).drawn}"
    return drawn
