"""Coloured Jenga: the die says which colour to move. A value is the expected number of minutes until the game ends."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tabletop import _native
from tabletop._answer import Advice, Move, Value, as_text, explained
from tabletop._arrays import doubles, small_numbers
from tabletop._errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_COLOURS = {"R": "#d33", "G": "#3a3", "B": "#36c"}


class Tower:
    """A tower. In a notebook it is a picture."""

    def __init__(self, tower: str | bytes | Iterable[str]) -> None:
        """From judge's text, from levels with slashes between them, or from a list of levels; the bottom first."""
        self.text = _text(tower)
        _native.jenga_minutes(self.text)
        self.levels = tuple(self.text.split()[1:])

    @property
    def value(self) -> Value:
        """The expected minutes."""
        return value(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tower) and self.levels == other.levels

    def __hash__(self) -> int:
        return hash(self.levels)

    def __repr__(self) -> str:
        return f"Tower({'/'.join(self.levels)!r})"

    def _repr_html_(self) -> str:
        height = 14 * len(self.levels)
        blocks = [
            f"<rect x='{22 * place}' y='{height - 14 * number}' width='20' height='12' fill='{_COLOURS[block]}'/>"
            for number, level in enumerate(self.levels, 1)
            for place, block in enumerate(level)
            if block in _COLOURS
        ]
        title = f"<title>{escape(repr(self))}</title>"
        return f"<svg width='66' height='{height}' role='img'>{title}{''.join(blocks)}</svg>"


def value(tower: str | bytes | Iterable[str] | Tower) -> Value:
    """The expected minutes of a tower.

    >>> value("RGB/GRG")
    8.656
    """
    return Value(_native.jenga_minutes(_text(tower)))


def advise(tower: str | bytes | Iterable[str] | Tower) -> Advice:
    """Every move of every colour with the expected minutes after it; for each colour the best comes first."""
    text = _text(tower)
    found = explained("jenga", text)
    moves = tuple(
        Move(
            f"{face['face']}: take {_spot(step['take'])}, put {_spot(step['put'])}",
            Value(step["minutes"]),
            step["next"],
            step,
        )
        for face in found["faces"]
        for step in face["moves"]
    )
    return Advice("jenga", text, Value(found["minutes"]), found["answer"], "expected minutes", moves, found)


def values(towers: ArrayLike) -> NDArray[np.float64]:
    """The expected minutes of towers: an array of the shape n x levels x 3, the bottom level first.

    0 is an empty place, 1 red, 2 green, 3 blue. Levels of zeros above the top are left out, so that towers of different
    heights fit into one array. Runs on all cores.
    """
    blocks = small_numbers(towers, 3, "n x levels x 3")
    if blocks.shape[2] != 3 or blocks.shape[1] == 0:
        raise InputError(0, f"towers of the shape {blocks.shape[1:]}", "give levels of three places")
    return doubles(_native.jenga_values(blocks.tobytes(), blocks.shape[1]))


def _spot(spot: dict[str, object]) -> str:
    return f"{spot['level']} {spot['place']}"


def _text(tower: str | bytes | Iterable[str] | Tower) -> str:
    if isinstance(tower, Tower):
        return tower.text
    if isinstance(tower, (str, bytes)):
        text = as_text(tower)
        if "\n" in text.strip():
            return text
        levels = text.strip().split("/")
    else:
        levels = list(tower)
    return "\n".join([str(len(levels)), *levels, ""])
