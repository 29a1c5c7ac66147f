"""Codenames. A value is the probability that the team to move wins, if both teams play best."""

from __future__ import annotations

from tabletop._answer import Advice, Move, Value, as_text, explained


def value(text: str | bytes, *, time: float | None = None) -> Value:
    """The probability that the team to move wins, from judge's text. Ctrl-C stops a long search.

    A board that is expected to take longer than `time` seconds (60 if it is `None`) is refused with `LimitError`.

    >>> value("3 R\\nbat cave wing\\nR B R\\n2\\n2 bat wing\\n1 cave\\n")
    1.0
    """
    return advise(text, time=time).value


def advise(text: str | bytes, *, time: float | None = None) -> Advice:
    """Every hint, best first, from judge's text. Ctrl-C stops a long search."""
    found = explained("codenames", text, time=time)
    moves = tuple(
        Move(
            f"hint {step['hint']} ({' '.join(step['words'])}) for {step['number']}",
            Value(step["probability"]),
            None,
            step,
        )
        for step in found["moves"]
    )
    unit = f"probability that {found['mover']} wins"
    return Advice("codenames", as_text(text), Value(found["probability"]), found["answer"], unit, moves, found)
