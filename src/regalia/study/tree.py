"""A study: positions with lines of play that branch, comments and marks.

    study = Study.of(match, "Heroes too early")
    node = study.chapters[0].root.play("NE2")
    node.comment = "Too early."
    text = study.write()

All sides and all chance are in one's own hand: a node is an action with the outcomes behind it, and every one goes
through the gate of `Match`. A node whose dice have not fallen yet can only be a leaf; `play` there adds the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from regalia.core.errors import NotationError, SetupError
from regalia.core.game import CHANCE
from regalia.core.match import Match
from regalia.core.transcript import Header, Record, split_outcomes

MOST_CHAPTERS = 64
MOST_NODES = 3_000  # in a chapter
MARKS = ("good", "interesting", "doubtful", "mistake", "blunder")


class Node:
    """A position, and the action and outcomes that led to it from its parent."""

    def __init__(self, chapter: Chapter, parent: Node | None, record: Record, match: Match) -> None:
        self.chapter = chapter
        self.parent = parent  # None: the root
        self.ply: int = 0 if parent is None else parent.ply + 1  # that of its record in a transcript
        self.seat = record.seat
        self.action = record.action
        self.outcomes = record.outcomes
        self.children: list[Node] = []  # the first one goes on with the line, the others branch off
        self.comment = ""
        self.mark: str | None = None  # one of MARKS
        self.places: list[str] = []  # marked on the board, named as in the notation
        self.arrows: list[tuple[str, str]] = []  # from place to place
        self.share: tuple[float, ...] | None = None  # of the victory, by side
        self._match = match

    @property
    def match(self) -> Match:
        """The match up to here; what is done to it changes nothing here."""
        return self._match.copy()

    @property
    def is_main(self) -> bool:
        """Whether the main line goes through here."""
        return self in self.chapter.main_line()

    def play(self, action: str, outcomes: Sequence[str] | str = (), seat: int | None = None) -> Node:
        """The node after an action: the one that is there already, or a new one at the end of the children.

        `seat` may be left out where only one owes a decision. Where chance is due, `action` is what falls.
        """
        texts = split_outcomes(outcomes) if isinstance(outcomes, str) else tuple(outcomes)
        actors = self._match.actors
        if actors == (CHANCE,):
            return self._draw(" ".join((action, *texts)))
        if seat is None:
            if len(actors) > 1:
                raise SetupError("error.study_seat", actors=", ".join(map(str, actors)))
            seat = actors[0] if actors else 0
        match = self.match
        match.append(Record(seat, action, texts), may_lack_outcomes=True)
        # Choices made at once are told in the order of the rules: the last record may be another's.
        written = next(record.action for record in reversed(match.records) if record.seat == seat)
        node = Node(self.chapter, self, Record(seat, written, match.records[-1].outcomes), match)
        return self._same_child(node) or self._add(node)

    def _draw(self, outcomes: str) -> Node:
        """The outcomes that were due here have fallen."""
        match = self.match
        match.play(CHANCE, outcomes)
        self._match, self.outcomes = match, match.records[-1].outcomes
        twin = self.parent and self.parent._same_child(self)
        if not twin:
            return self
        self.remove()
        return twin

    def _same_child(self, node: Node) -> Node | None:
        """The other child that says the same."""
        key = node.seat, node.action, node.outcomes
        return next(
            (
                child
                for child in self.children
                if child is not node and (child.seat, child.action, child.outcomes) == key
            ),
            None,
        )

    def _add(self, node: Node) -> Node:
        if self.chapter.size >= MOST_NODES:
            raise NotationError("error.study_nodes", limit=MOST_NODES)
        self.chapter.size += 1
        self.children.append(node)
        return node

    def promote(self) -> None:
        """One place up among the children of its parent; the first of them is the line that goes on."""
        if self.parent is not None:
            children = self.parent.children
            at = children.index(self)
            children[max(at - 1, 0)], children[at] = self, children[max(at - 1, 0)]

    def promote_to_main(self) -> None:
        """The main line goes through here."""
        node = self
        while node.parent is not None:
            node.parent.children.remove(node)
            node.parent.children.insert(0, node)
            node = node.parent

    def remove(self) -> None:
        """This node and all that follows it."""
        if self.parent is None:
            raise SetupError("error.study_root")
        self.parent.children.remove(self)
        self.chapter.size -= sum(1 for _ in self.walk())

    def walk(self) -> Iterator[Node]:
        """This node and all that follows: its line to the end, then what branches off from it, nearest first."""
        branches = [self]
        while branches:
            node: Node | None = branches.pop(0)
            while node is not None:
                yield node
                branches += node.children[1:]
                node = node.children[0] if node.children else None


class Chapter:
    """A beginning and the tree of what may follow."""

    def __init__(self, header: Header, set_up: Record | None = None, title: str = "") -> None:
        """`set_up`: the outcomes of the set-up; they may also be played at the root."""
        match = Match.begin(header, "manual")
        if dict(header.options) != match.options:
            raise NotationError("error.transcript_header", word="option")
        if set_up is not None:
            match.append(set_up, may_lack_outcomes=True)
        self.title = title
        self.header = match.header
        self.size = 1  # nodes
        self.root = Node(self, None, match.records[0], match)

    @classmethod
    def of(cls, match: Match, title: str = "") -> Chapter:
        """A chapter whose main line is that of a match."""
        chapter = cls(match.header, match.records[0], title)
        node = chapter.root
        for record in match.records[1:]:
            node = node.play(record.action, record.outcomes, record.seat)
        return chapter

    def main_line(self) -> list[Node]:
        """From the root to where nothing follows."""
        nodes = [self.root]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    @property
    def match(self) -> Match:
        """The match of the main line."""
        return self.main_line()[-1].match

    def transcript(self) -> str:
        """The main line as a transcript, without comments and marks."""
        return self.match.transcript()


@dataclass
class Study:
    """Chapters under a title."""

    title: str = ""
    language: str = "en"
    chapters: list[Chapter] = field(default_factory=list)

    @classmethod
    def of(cls, match: Match, title: str = "", language: str = "en") -> Study:
        """A study of one chapter, whose main line is that of a match."""
        return cls(title, language, [Chapter.of(match)])

    @classmethod
    def read(cls, text: str) -> Study:
        """The study of a text. What is wrong is told with its line; every action goes through the gate."""
        from regalia.study.text import read

        return read(text)

    def write(self) -> str:
        from regalia.study.text import write

        return write(self)
