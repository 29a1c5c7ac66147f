"""Dice poker: two players, five dice each, one reroll each. A value is the probability that A wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop import _native
from tabletop._answer import Advice, Move, Value, as_text, explained, value_of
from tabletop._arrays import doubles, small_numbers
from tabletop._errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_WAYS = 6**10
_UNIT = "probability that A wins"


def value(a: str | bytes | Iterable[int], b: str | bytes | Iterable[int] | None = None) -> Value:
    """The probability that A wins after the first rolls, from two hands or from a judge's text with one case.

    >>> value("6 6 6 6 6", "1 2 3 4 5").fraction
    Fraction(7775, 7776)
    """
    if b is None:
        return advise(a).value
    ways = _native.dice_ways(a if isinstance(a, str) else _text(a), b if isinstance(b, str) else _text(b))
    return Value(ways / _WAYS, ways, _WAYS)


def advise(a: str | bytes | Iterable[int], b: str | bytes | Iterable[int] | None = None) -> Advice:
    """Every choice of dice to keep, best first, from two hands or from a judge's text with one case."""
    case = _text(a) if b is None else f"1\n{_text(a)}\n{_text(b)}\n"
    cases: list[dict[str, Any]] = explained("dice", case)["cases"]
    if len(cases) != 1:
        raise InputError(1, f"{len(cases)} cases", "write one case, or call values")
    found = cases[0]
    moves = tuple(
        Move(
            f"keep {' '.join(map(str, step['keep'])) or 'nothing'}",
            value_of(step["probability"], step["fraction"]),
            step.get("next"),
            step,
        )
        for step in found["moves"]
    )
    return Advice("dice", case, value_of(found["probability"], found["fraction"]), found["answer"], _UNIT, moves, found)


def values(hands: ArrayLike) -> NDArray[np.float64]:
    """The probabilities that A wins, for an array of the shape n x 10: A's five dice, then B's. Runs on all cores."""
    faces = small_numbers(hands, 2, "n x 10")
    if faces.shape[1] != 10:
        raise InputError(0, f"rows of {faces.shape[1]} numbers", "give rows of ten faces: A's five dice, then B's")
    return doubles(_native.dice_values(faces.tobytes()))


def _text(hand: str | bytes | Iterable[int]) -> str:
    return as_text(hand) if isinstance(hand, (str, bytes)) else " ".join(map(str, hand))
