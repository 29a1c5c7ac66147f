"""Values, moves and advice: what every game answers with."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from tabletop import _native

if TYPE_CHECKING:
    from collections.abc import Sequence


class Value(float):
    """A value: a float that also has the exact fraction, if it is known."""

    __slots__ = ("_denominator", "_numerator")
    _numerator: int
    _denominator: int

    def __new__(cls, value: float, numerator: int = 0, denominator: int = 0) -> Value:
        """The value with its fraction; a denominator of 0 says that the fraction is not known."""
        made = float.__new__(cls, value)
        made._numerator = numerator
        made._denominator = denominator
        return made

    @property
    def fraction(self) -> Fraction | None:
        """The exact value, or `None` if it is not known."""
        return Fraction(self._numerator, self._denominator) if self._denominator else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Value, (float(self), self._numerator, self._denominator)


def value_of(value: float, fraction: str | None) -> Value:
    """The value with the fraction of this text."""
    if fraction is None:
        return Value(value)
    exact = Fraction(fraction)
    return Value(value, exact.numerator, exact.denominator)


@dataclass(frozen=True)
class Move:
    """A move and the value of the game after it."""

    name: str
    """The move as people write it."""
    value: Value
    """The value after the move."""
    next: str | None
    """The next position as judge's text, or `None` if chance decides it."""
    details: dict[str, Any] = field(repr=False, compare=False)
    """All that the game says about the move: the object of `--json`."""

    def __str__(self) -> str:
        return f"{self.name}  {self.value:.6g}"


@dataclass(frozen=True)
class Advice:
    """The value of a position, and every move, best first."""

    game: str
    """The name of the game."""
    position: str
    """The position as judge's text."""
    value: Value
    """The value of the position."""
    answer: str
    """What the judge expects."""
    unit: str
    """What the value means."""
    moves: Sequence[Move]
    """Every move, best first."""
    details: dict[str, Any] = field(repr=False, compare=False)
    """All that the game says about the position: the object of `--json`."""

    def __repr__(self) -> str:
        rows = "".join(f"\n  {move}" for move in self.moves)
        value = f"{self.value:.6g} {self.unit}".rstrip()
        return f"<{self.game}: {value}, {len(self.moves)} {'move' if len(self.moves) == 1 else 'moves'}{rows}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(move.name)}</td><td>{move.value:.6g}</td></tr>"
            for move in self.moves
        )
        return (
            f"<pre>{escape(self.position)}</pre>"
            f"<p><b>{self.value:.6g}</b> {escape(self.unit)}</p>"
            f"<table><thead><tr><th style='text-align:left'>move</th><th>value</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )


def explained(game: str, text: str | bytes, **settings: float | None) -> dict[str, Any]:
    """The object of `--json` for a judge's input. A setting of the game that is `None` is left out."""
    given = {name: number for name, number in settings.items() if number is not None}
    found: dict[str, Any] = json.loads(_native.answer(game, as_bytes(text), "json", given))
    return found


def as_bytes(text: str | bytes) -> bytes:
    """The bytes of a judge's text."""
    return text if isinstance(text, bytes) else text.encode()


def as_text(text: str | bytes) -> str:
    """A judge's text. What is no UTF-8 is no part of a position either."""
    return text if isinstance(text, str) else text.decode(errors="replace")
