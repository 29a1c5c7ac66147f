"""The word game Balda: whole games with a high score. The library plays well; it does not prove that it plays best."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

from tabletop import _native
from tabletop._answer import as_bytes


@dataclass(frozen=True)
class Step:
    """A move: the letter that is placed, and the word that it makes."""

    row: int
    """From 1."""
    column: int
    """From 1."""
    letter: str
    word: str
    first_row: int
    """The row of the word's first letter."""
    first_column: int
    """The column of the word's first letter."""
    steps: str
    """From letter to letter: r, l, u and d."""

    def __str__(self) -> str:
        cells = f"{self.first_row} {self.first_column} {self.steps}"
        return f"{self.row} {self.column} {self.letter} {self.word} {cells}".rstrip()


@dataclass(frozen=True)
class Game:
    """A game of Balda."""

    language: str
    start: str
    points: int
    moves: tuple[Step, ...]

    @property
    def answer(self) -> str:
        """The game as the judge expects it."""
        return "\n".join([str(len(self.moves)), *map(str, self.moves), ""])

    def __repr__(self) -> str:
        words = " ".join(step.word for step in self.moves)
        return f"<balda {self.language} {self.start}: {self.points} points, {len(self.moves)} moves: {words}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(step.word)}</td><td>{escape(step.letter)}</td><td>{step.row},{step.column}</td></tr>"
            for step in self.moves
        )
        title = f"{escape(self.start)}: {self.points} points"
        head = "<tr><th>word</th><th>letter</th><th>at</th></tr>"
        return f"<p><b>{title}</b></p><table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def play(
    text: str | bytes | None = None,
    *,
    language: str = "en",
    word: str = "",
    time: float | None = None,
    proposals: int = 50_000,
    seed: int = 1,
) -> Game:
    """Plays a game, with the dictionary of a judge's input or, without one, with the shipped words and this start word.

    With `time` the search takes that many seconds. Otherwise it tries `proposals` changes, and the same number and seed
    give the same game. Ctrl-C stops it. A Russian input is bytes in CP866.

    >>> play("en\\ncat\\n\\ncat\\nact\\ncart\\ntar\\n").points
    1111
    """
    given = None if text is None else as_bytes(text)
    found: dict[str, Any] = json.loads(_native.balda_play(language, word, given, time, proposals, seed))
    moves = tuple(
        Step(
            move["row"],
            move["column"],
            move["letter"],
            move["word"],
            move["first_row"],
            move["first_column"],
            move["steps"],
        )
        for move in found["moves"]
    )
    return Game(found["language"], found["start"], found["points"], moves)
