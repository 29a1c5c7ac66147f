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
    from collections.abc import Iterable
    from os import PathLike

P = TypeVar("P")


class Rules(Generic[P]):
    """The rules of a game. Write `name`, `starts` and `node`; the rest has a meaning of its own already.

    A position is an int from 0, a str or bytes. Any other object needs `key`, `text` and `parse`.
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

    def key(self, position: P) -> bytes:
        """The bytes that tell this position from all others, in the table."""
        raise NotImplementedError(f"write key for {position!r}")

    def text(self, position: P) -> str:
        """The position in one line."""
        return str(position)

    def parse(self, text: str) -> P:
        """The position of a text. Raise `ValueError` with what to write instead."""
        kind: Any = type(next(iter(self.starts())))
        if kind is int and not text.isdecimal():
            raise ValueError("write a whole number")
        if kind not in (int, str):
            raise NotImplementedError("write parse, which reads what text writes")
        made: P = kind(text)
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
        return Advice(self.rules.name, text, value, str(found["value"]), "", moves, found)

    def check(self) -> int:
        """Proves that every value follows from what follows its position. Returns the number of positions."""
        return self._native.check()

    @property
    def table(self) -> bytes:
        """The bytes of the table's file."""
        return self._native.table()

    def save(self, directory: str | PathLike[str]) -> Path:
        """Writes the table, where `python game.py ask --tables DIRECTORY` finds it."""
        path = Path(directory) / f"{self.rules.name}.tbl"
        path.write_bytes(self.table)
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
