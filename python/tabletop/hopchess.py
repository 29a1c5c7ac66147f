"""Hop chess, the contest problem "Human Error". A value is the probability that Justin wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabletop import _native
from tabletop._answer import Advice, Move, Value, as_text, explained, value_of
from tabletop._arrays import doubles, small_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def value(text: str | bytes) -> Value:
    """The probability that Justin wins, from judge's text.

    >>> value("2 2\\nJJ\\nDD\\n3 1\\n").fraction
    Fraction(0, 1)
    """
    chance, fraction = _native.hopchess_chance(as_text(text))
    return value_of(chance, fraction)


def advise(text: str | bytes) -> Advice:
    """Every move of the player to move, best first, from judge's text."""
    found = explained("hopchess", text)
    moves = tuple(
        Move(
            f"{_cell(step['from'])} takes {step['captured']} on {_cell(step['to'])}",
            value_of(step["probability"], step["fraction"]),
            step.get("next"),
            step,
        )
        for step in found["moves"]
    )
    chance = value_of(found["probability"], found["fraction"])
    return Advice("hopchess", as_text(text), chance, found["answer"], "probability that Justin wins", moves, found)


def values(boards: ArrayLike, justin: int = 1, donald: int = 1) -> NDArray[np.float64]:
    """The probabilities that Justin wins, for an array of the shape n x rows x columns and the two error factors.

    0 is an empty cell, 1 Justin's piece, 2 Donald's. Justin has moved first on the full board. Runs on all cores.
    """
    cells = small_numbers(boards, 3, "n x rows x columns")
    return doubles(_native.hopchess_values(cells.tobytes(), cells.shape[1], cells.shape[2], justin, donald))


def _cell(cell: dict[str, int]) -> str:
    return f"{cell['row']},{cell['column']}"
