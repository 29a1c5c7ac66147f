"""A game of your own: rules in Python, solved in Rust."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from tabletop import _native
from tabletop._answer import Advice, Move, Value, value_of
from tabletop._errors import InputError, TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

P = TypeVar("P")


class Rules(Generic[P]):
    """The rules of a game. Write `name`, `starts` and `node`; the rest has a meaning of its own already.

    A position is an int from 0, a str or bytes, whose text is hexadecimal. Any other object needs `key`, `text` and
    `parse`.
    """

    name: str = ""
    """The name of the game and of its table: lower-case letters, digits and `-`."""
    about: str = "A game solved into a table"
    """The game in one line."""
    rules: str = "1"
    """The rules in words, or their version number. A table made with another text is refused."""
    sum: int = 0
    """The sum of both players' values, for games that use `Node.turn`."""
    cycles: str | float | None = None
    """For games that repeat positions: "draw" if an endless game is a draw, or the tolerance of an iteration."""

    unit: str = ""
    """The unit of a value, such as "points"."""
    decimals: int | None = None
    """The number of decimals of a value on a page, if it is fixed."""
    digits: int | None = None
    """The number of decimals that the table keeps, up to 15. A rounded value takes fewer bytes."""
    players: tuple[str, str] = ("First", "Second")
    """The players' names on a page."""
    look: Mapping[str, tuple[str, str, str]] = {}
    """How characters of the board look: their name, colour and shape, such as `{"x": ("cross", "blue", "text")}`.

    Colours are red, green, blue, yellow, black and white; shapes are disc, block, tile and text."""

    def starts(self) -> Iterable[P]:
        """The starting positions. Only positions that can be reached from them are solved."""
        raise NotImplementedError("write starts")

    def node(self, position: P) -> _native.Node:
        """What a position is: over, a choice, or chance. It is asked for once per position."""
        raise NotImplementedError("write node")

    def canonical(self, position: P) -> P:
        """The representative of all positions that are equal to this one by symmetry."""
        return position

    def stage(self, position: P) -> int | None:  # noqa: ARG002 - for rules that have stages
        """A number that never rises with a move, if the game has one. The game is solved stage by stage."""
        return None

    def is_transient(self, position: P) -> bool:  # noqa: ARG002 - for rules that have such positions
        """Whether the game only passes through a position that nobody asks for. Such a position is not stored."""
        return False

    def move_name(self, position: P, then: P) -> str:  # noqa: ARG002 - the text of the next position is a name
        """The name of a move from a position to another, for moves that have none."""
        return self.text(then)

    def board(self, position: P) -> Iterable[str]:  # noqa: ARG002 - for rules that have a board
        """The rows of a board for a page, one character for each cell. `.` and spaces are empty cells."""
        return []

    def touch(self, position: P, move: str) -> Iterable[tuple[int, int]]:  # noqa: ARG002 - for rules that have a board
        """The cells that a player touches to make a move, as row and column from 0.

        A list is touched in order, a set in any order. A move that touches nothing is a button.
        """
        return []

    def key(self, position: P) -> bytes:
        """The bytes that tell this position from all others, in the table."""
        raise NotImplementedError(f"write key for {position!r}")

    def text(self, position: P) -> str:
        """The position in one line."""
        return (position.hex() or "-") if isinstance(position, bytes) else str(position)

    def parse(self, text: str) -> P:
        """The position of a text. Raise `ValueError` with what to write instead."""
        kind: Any = type(next(iter(self.starts())))
        if kind is int and not text.isdecimal():
            raise ValueError("write a whole number")
        if kind not in (int, str, bytes):
            raise NotImplementedError("write parse, which reads what text writes")
        read: Any = bytes.fromhex(text.removeprefix("-")) if kind is bytes else kind(text)
        made: P = read
        return made

    def solve(self, *, exact: bool = False) -> Solved[P]:
        """Solves every position, with doubles or with exact fractions."""
        return Solved(self, _native.solve(self, exact))

    def open(self, path: str | PathLike[str]) -> Solved[P]:
        """Opens a table of this game, as `solve` of its program or `Solved.save` writes it."""
        try:
            table = Path(path).read_bytes()
        except OSError as error:
            raise TableError(f"{path}: cannot be read: {error.strerror}, solve the game first") from error
        return Solved(self, _native.open_table(self, table, str(path)))

    def main(self) -> NoReturn:
        """Runs the program of this game: solve, ask, play, check, stats, and the protocol of game programs."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.exit(_native.main(self, sys.argv))


class Solved(Generic[P]):
    """A solved game."""

    def __init__(self, rules: Rules[P], native: _native.Solved) -> None:
        """Made by `Rules.solve` and `Rules.open`."""
        self.rules = rules
        self._native = native

    def ask(self, position: P | str) -> Value:
        """The value of a position or of its text."""
        found = self._reply("value", position)
        return value_of(found["value"], found.get("fraction"))

    def explain(self, position: P | str) -> Advice:
        """Every move, best first, or every outcome of chance, with its value."""
        text = self._text(position)
        found = self._reply("explain", text)
        rows = found.get("moves") or found.get("outcomes") or []
        moves = tuple(
            Move(
                str(row.get("move", row.get("outcome", f"weight {row.get('weight')}"))),
                value_of(row["value"], row.get("fraction")),
                row.get("next"),
                row,
            )
            for row in rows
        )
        value = value_of(found["value"], found.get("fraction"))
        return Advice(self.rules.name, text, value, str(found["value"]), self.rules.unit, moves, found)

    def check(self) -> int:
        """Proves that every value follows from what follows its position. Returns the number of positions."""
        return self._native.check()

    @property
    def table(self) -> bytes:
        """The bytes of the table's file."""
        return self._native.table()

    def save(self, directory: str | PathLike[str]) -> Path:
        """Writes the table into a directory, which is made if it is missing. The program of the game finds it there."""
        path = Path(directory) / f"{self.rules.name}.tbl"
        self._native.save(directory, path.name)
        return path

    def __repr__(self) -> str:
        return f"<Solved {self.rules.name}: a table of {len(self.table):,} bytes>"

    def _text(self, position: P | str) -> str:
        return position if isinstance(position, str) else self.rules.text(position)

    def _reply(self, question: str, position: P | str) -> dict[str, Any]:
        request = json.dumps({"ask": question, "position": self._text(position)})
        found: dict[str, Any] = json.loads(self._native.reply(request))
        if "error" in found:
            raise InputError(0, found["error"]["what"], found["error"]["remedy"])
        return found
