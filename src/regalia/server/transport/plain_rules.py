"""The rules of a game as a page without scripts: plain text, with the same places to link to."""

from __future__ import annotations

from functools import cache
from html import escape

from regalia import GAMES, Game
from regalia.core.rulebook import Clause, chapters
from regalia.locale import say
from regalia.study.glossary import Term, terms_of


@cache
def page_of(name: str, language: str) -> tuple[str, str]:
    """What stands in the page's head, and its text; both "" where there is no such game."""
    game = GAMES.get(name)
    if game is None:
        return "", ""
    title = say(language, "ui.rules.of", game=say(language, f"{name}.title"))
    return f"<title>{escape(title)} · Regalia</title>", text_of(game, language)


def text_of(game: Game, language: str) -> str:
    def words(key: str) -> str:
        return escape(say(language, key))

    parts = [f'<main lang="{language}"><h1>{words(f"{game.id}.title")}</h1><p>{words(f"{game.id}.how")}</p>']
    found = chapters(game, language)
    links = [(f"chapter-{chapter.key}", escape(chapter.title)) for chapter in found]
    links += [("glossary", words("ui.rules.glossary"))] if terms_of(game) else []
    parts += ["<ul>", *(f'<li><a href="#{to}">{title}</a></li>' for to, title in links), "</ul>"]
    for chapter in found:
        parts.append(f'<h2 id="chapter-{chapter.key}">{escape(chapter.title)}</h2><dl>')
        parts += [clause_of(clause, language) for clause in chapter.clauses]
        parts.append("</dl>")
    if terms_of(game):
        parts.append(f'<h2 id="glossary">{words("ui.rules.glossary")}</h2><dl>')
        parts += [term_of(game, term, language) for term in terms_of(game)]
        parts.append("</dl>")
    return "".join([*parts, "</main>"])


def clause_of(clause: Clause, language: str) -> str:
    ours = f" <small>[{escape(say(language, 'ui.rules.ours'))}]</small>" if clause.decided else ""
    return f'<dt id="clause-{clause.id}">{clause.id}</dt><dd>{escape(clause.text)}{ours}</dd>'


def term_of(game: Game, term: Term, language: str) -> str:
    links = ", ".join(f'<a href="#clause-{clause}">{clause}</a>' for clause in term.clauses)
    name, text = escape(term.name(game, language)), escape(term.text(game, language))
    return f'<dt id="term-{term.term}">{name}</dt><dd>{text} ({links})</dd>'
