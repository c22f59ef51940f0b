"""`regalia rules`: the law of a game, whole, by clause or by word; its words and its examples."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from regalia.cli.arguments import AsJson, GameName, Language
from regalia.cli.language import language_of, word
from regalia.core import registry, rulebook
from regalia.locale import say


def rules(
    game: GameName,
    clause: Annotated[str | None, typer.Argument(metavar="CLAUSE", help=word("argument.clause"))] = None,
    search: Annotated[str | None, typer.Option(metavar="WORD", help=word("option.search"))] = None,
    glossary: Annotated[bool, typer.Option("--glossary", help=word("option.glossary"))] = False,
    example: Annotated[
        str | None, typer.Option("--example", metavar="CLAUSE", help=word("option.example"))
    ] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    law = registry.find(game)
    from rich.console import RenderableType
    from rich.text import Text

    from regalia.cli.rulebook import book, show, stepped, terms
    from regalia.cli.screen import Screen
    from regalia.study import examples
    from regalia.study.glossary import terms_of

    screen = None if as_json else Screen(language)
    shown: RenderableType
    data: dict[str, Any] = {"game": law.id, "language": language}
    if glossary:
        data["terms"] = [
            {
                "term": term.term,
                "name": term.name(law, language),
                "text": term.text(law, language),
                "clauses": term.clauses,
            }
            for term in terms_of(law)
        ]
        shown = terms(law, language)
    elif example is not None:
        found = examples.find_example(law, example)
        data |= {"clause": found.clause, "position": found.position, "play": found.play}
        shown = stepped(law, found, language)
    else:
        if clause is not None:
            clauses = [rulebook.find(law, language, clause)]
        elif search is not None:
            clauses = rulebook.search(law, language, search)
        else:
            clauses = [each for chapter in rulebook.chapters(law, language) for each in chapter.clauses]
        data["clauses"] = [asdict(each) for each in clauses]
        if clause is None and search is None:
            shown = book(law, language)
        else:
            shown = (
                show(clauses, language, search or "") if clauses else Text(say(language, "ui.rules.nothing"))
            )
    if screen is None:
        typer.echo(json.dumps(data, ensure_ascii=False))
    else:
        screen.show(shown)
