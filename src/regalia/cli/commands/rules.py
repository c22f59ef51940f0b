"""`regalia rules`: the law of a game, whole, by clause or by word."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from regalia.cli.arguments import AsJson, GameName, Language
from regalia.cli.language import language_of, word
from regalia.core import registry, rulebook


def rules(
    game: GameName,
    clause: Annotated[str | None, typer.Argument(metavar="CLAUSE", help=word("argument.clause"))] = None,
    search: Annotated[str | None, typer.Option(metavar="WORD", help=word("option.search"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    law = registry.find(game)
    from regalia.cli.rulebook import book, show
    from regalia.cli.screen import Screen

    if clause is not None:
        clauses = [rulebook.find(law, language, clause)]
    elif search is not None:
        clauses = rulebook.search(law, language, search)
    else:
        clauses = [found for chapter in rulebook.chapters(law, language) for found in chapter.clauses]
    screen = None if as_json else Screen(language)
    if screen is None:
        data = {"game": law.id, "language": language, "clauses": [asdict(clause) for clause in clauses]}
        typer.echo(json.dumps(data, ensure_ascii=False))
    elif clause is None and search is None:
        screen.show(book(law, language))
    elif clauses:
        screen.show(show(clauses, language, search or ""))
    else:
        screen.say("ui.rules.nothing")
