"""A review for people: as lines of text, as a page, and as remarks in the transcript."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from regalia.core.registry import GAMES
from regalia.locale import say
from regalia.study.graph import COLOURS, draw

if TYPE_CHECKING:
    from regalia.study.decisions import Decision
    from regalia.study.review import Review

COLUMNS = ("start", "luck", "own", "others", "rest", "result")
STYLE = """body{font-family:Georgia,serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fffdf7}
table{border-collapse:collapse}th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}svg{width:100%;height:auto}"""


class Words:
    """The words of one language about one review."""

    def __init__(self, review: Review, language: str) -> None:
        self.review = review
        self.language = language

    def __call__(self, key: str, /, **values: object) -> str:
        return say(self.language, f"study.review.{key}", **values)

    def points(self, share: float, signed: bool = False) -> str:
        """A share as points of 100."""
        text = f"{100 * share:+.1f}" if signed else f"{100 * share:.1f}"
        text = text.replace("-", "−")
        return text if self.language == "en" else text.replace(".", ",")

    def side(self, number: int) -> str:
        seats = self.review.sides[number].seats
        if len(seats) == 1:
            return self("seat", seat=seats[0])
        return self("seats", seats=", ".join(map(str, seats)))

    def title(self) -> str:
        game = GAMES.get(self.review.game)
        name = self.review.game if game is None else game.titles[self.language]
        return self("title", game=name)

    def view(self) -> str:
        view = self.review.view
        return self("open") if view == "open" else self("knew", seat=view)

    def costs(self) -> list[str]:
        """A line for each seat that decided something."""
        lines = []
        for seat in sorted({decision.seat for decision in self.review.decisions}):
            cost, each, marks = self.review.cost_of(seat)
            who = self("seat", seat=seat)
            lines.append(self("cost", who=who, points=self.points(cost), each=self.points(each), count=marks))
        return lines

    def adjusted(self) -> list[str]:
        """What each side would have without the luck that was measured."""
        return [
            self(
                "adjusted",
                who=self.side(number),
                result=self.points(side.result),
                points=self.points(side.result - side.luck),
            )
            for number, side in enumerate(self.review.sides)
        ]

    def turning_points(self) -> list[str]:
        return [
            self(
                f"by_{point.cause}",
                ply=point.ply,
                text=point.text,
                change=self.points(point.change, signed=True),
                **({} if point.cause == "luck" else {"who": self("seat", seat=point.seat)}),
            )
            for point in self.review.turning_points
        ]

    def marks(self) -> list[str]:
        return [self.mark(decision) for decision in self.review.decisions if decision.mark is not None]

    def mark(self, decision: Decision) -> str:
        line = self(
            "marked",
            ply=decision.ply,
            who=self("seat", seat=decision.seat),
            mark=self(str(decision.mark)),
            played=decision.played,
            best=decision.best,
            loss=self.points(decision.loss),
            error=self.points(decision.error),
        )
        return " ".join([line, *(say(self.language, key, **values) for key, values in decision.facts)])

    def kingmakers(self) -> list[str]:
        return [
            self(
                "kingmaker",
                ply=one.ply,
                who=self("seat", seat=one.seat),
                cost=self.points(one.cost),
                moved=self.points(one.moved),
                loser=self.side(one.loser),
                winner=self.side(one.winner),
            )
            for one in self.review.kingmakers
        ]

    def table(self) -> list[list[str]]:
        """The parts of each side: they add up from start to result."""
        head = [self("side"), *(self(name) for name in COLUMNS)]
        rows = [
            [
                self.side(number),
                *(
                    self.points(getattr(side, name), signed=name not in ("start", "result"))
                    for name in COLUMNS
                ),
            ]
            for number, side in enumerate(self.review.sides)
        ]
        return [head, *rows]

    def chapters(self) -> list[tuple[str, list[str]]]:
        chapters = [("turning_points", self.turning_points()), ("marks", self.marks())]
        if len(self.review.sides) > 2:
            chapters.append(("kingmakers", self.kingmakers()))
        return [(self(name), lines or [self("none")]) for name, lines in chapters]


def lines(review: Review, language: str) -> list[str]:
    """For a terminal or a file of text."""
    words = Words(review, language)
    rows = words.table()
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    told = [
        "  ".join(text.ljust(width) if not at else text.rjust(width) for at, (text, width) in enumerate(row))
        for row in ([*zip(row, widths, strict=True)] for row in rows)
    ]
    result = [f"{words.title()}. {words.view()}.", "", *told, words("points"), ""]
    result += [*words.costs(), *words.adjusted(), words("fair")]
    for title, found in words.chapters():
        result += ["", title, *(f"  {line}" for line in found)]
    return result


def body(review: Review, language: str) -> str:
    """A part of a page, for notebooks."""
    words = Words(review, language)
    (head, *rows) = words.table()
    table = ["<table><tr>", *(f"<th>{escape(text)}</th>" for text in head), "</tr>"]
    for number, row in enumerate(rows):
        colour = f'<span style="color:{COLOURS[number]}">■</span> '
        table += [
            "<tr>",
            f"<td>{colour}{escape(row[0])}</td>",
            *(f"<td>{text}</td>" for text in row[1:]),
            "</tr>",
        ]
    table.append("</table>")
    parts = [f"<h1>{escape(words.title())}</h1><p>{escape(words.view())}</p>", draw(review, language), *table]
    parts.append(f"<p>{escape(words('points'))}</p>")
    parts += [f"<p>{escape(line)}</p>" for line in (*words.costs(), *words.adjusted(), words("fair"))]
    for title, found in words.chapters():
        parts.append(f"<h2>{escape(title)}</h2><ul>")
        parts += [f"<li>{escape(line)}</li>" for line in found]
        parts.append("</ul>")
    parts.append(
        f"<details><summary>{escape(words('values'))}</summary><table><tr><th>{escape(words('ply'))}</th>"
    )
    parts += [f"<th>{escape(words.side(number))}</th>" for number in range(len(review.sides))]
    parts.append("</tr>")
    for ply, value in enumerate(review.values):
        shares = zip(value.share, value.error, strict=True)
        cells = "".join(f"<td>{words.points(share)} ± {words.points(error)}</td>" for share, error in shares)
        parts.append(f"<tr><td>{ply}</td>{cells}</tr>")
    parts.append("</table></details>")
    return "\n".join(parts)


def page(review: Review, language: str) -> str:
    """One file that needs no other."""
    title = escape(Words(review, language).title())
    return (
        f'<!doctype html>\n<html lang="{language}"><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>\n'
        f"{body(review, language)}\n</html>\n"
    )


def annotate(review: Review) -> str:
    """A remark behind each record: how things stand then, and what would have been better."""
    decisions = {decision.ply: decision for decision in review.decisions}
    result = []
    for line in review.transcript.split("\n"):
        result.append(line)
        word = line.partition(" ")[0]
        if word.isdecimal():
            ply = int(word)
            value = review.values[ply + 1]
            shares = " ".join(f"{share:.2f}" for share in value.share)
            remark = f"# {ply} share {shares} ±{max(value.error):.2f}"
            decision = decisions.get(ply)
            if decision is not None and decision.best != decision.played:
                remark += f' best "{decision.best}" loss {decision.loss:.2f}'
                remark += "" if decision.mark is None else f" {decision.mark}"
            result.append(remark)
    return "\n".join(result)
