"""The exceptions of the package."""

from __future__ import annotations


class InputError(ValueError):
    """A text or an array is not a position. It has the number of the line, what is wrong, and what to write instead."""

    def __init__(self, line: int, what: str, remedy: str) -> None:
        """`line` counts from 1; it is 0 if the error belongs to no line."""
        super().__init__(line, what, remedy)
        self.line = line
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.what}, {self.remedy}"


class TableError(Exception):
    """A table cannot be read, is damaged, or belongs to other rules. The text says what to do."""


class RulesError(Exception):
    """The rules of a game are wrong, or raised an exception, which is the cause. The text names the position."""


class LimitError(RuntimeError):
    """A valid position takes more time or memory than is allowed."""

    def __init__(self, what: str, remedy: str) -> None:
        """What is too large, and what to do about it."""
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}, {self.remedy}"
