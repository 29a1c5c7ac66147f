"""The values of a table that was solved with the kit. `src/kit/file.rs` draws the layout."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from tabletop._arrays import numpy
from tabletop._errors import TableError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEAD = struct.Struct("<QIBBBBQdQIBBH")
_ENTRY = struct.Struct("<QI")
_CODE = struct.Struct("<dI")
_ROUNDING = struct.Struct("<dqHH")
_VERSION = 2
# The size of a check in bytes, and the number of ranks that share it.
_CHECK, _GROUP = 2, 256
_DOUBLES, _FRACTIONS, _BOUNDS, _CODES, _ROUNDED = range(5)


class Solved(NamedTuple):
    """The positions of a solved game."""

    positions: int
    values: NDArray[np.float64]
    keys: list[bytes] | None


class _Column:
    """Reads columns of one page, one after the other."""

    def __init__(self, content: bytes, start: int, count: int) -> None:
        self.content, self.place, self.count = content, start, count

    def numbers(self, size: int) -> NDArray[np.uint8]:
        """A column of numbers of this many bytes, the highest byte first: one row for each number."""
        planes = numpy().frombuffer(self.content, "u1", size * self.count, self.place)
        self.place += size * self.count
        rows: NDArray[np.uint8] = planes.reshape(size, self.count).T
        return rows

    def doubles(self) -> Any:
        return numpy().ascontiguousarray(self.numbers(8)).view(">f8").ravel()

    def unsigned(self, size: int) -> Any:
        wide = numpy().zeros((self.count, 8), "u1")
        wide[:, 8 - size :] = self.numbers(size)
        return wide.view(">u8").ravel()

    def texts(self) -> list[bytes]:
        lengths = self.unsigned(4).tolist()
        made = []
        for length in lengths:
            made.append(self.content[self.place : self.place + length])
            self.place += length
        return made


class _Worth:
    """Reads columns of values. What it needs for that follows the directory."""

    def __init__(self, content: bytes, start: int, kind: int, codes: int) -> None:
        self.kind = kind
        pairs = _CODE.iter_unpack(content[start : start + codes * _CODE.size])
        self.codes = numpy().array([float("nan"), *(value for value, _ in pairs)])
        self.code_size = 1 if codes <= 255 else 2
        self.size = codes * _CODE.size
        if kind == _ROUNDED:
            _, self.least, self.decimals, self.bytes = _ROUNDING.unpack_from(content, start + self.size)
            self.size += _ROUNDING.size

    def read(self, column: _Column) -> Any:
        if self.kind == _DOUBLES:
            return column.doubles()
        if self.kind == _FRACTIONS:
            return [float(Fraction(text.decode())) if text else float("nan") for text in column.texts()]
        if self.kind == _BOUNDS:
            lower = column.doubles()
            return lower + (column.doubles() - lower) / 2
        if self.kind == _CODES:
            return self.codes[column.unsigned(self.code_size)]
        if self.kind == _ROUNDED:
            stored = column.unsigned(self.bytes).astype("i8")
            return numpy().where(stored == 0, float("nan"), (self.least + stored - 1) / 10.0**self.decimals)
        raise ValueError("another kind of values")


def read(content: bytes, path: str) -> Solved:
    """The positions in the records of a table. Raises `TableError` if they are not those of the kit."""
    try:
        return _read(content)
    except (IndexError, ValueError, struct.error) as error:
        raise TableError(f"{path}: not a table of this version of the kit, solve the game again") from error


def _read(content: bytes) -> Solved:
    head = _HEAD.unpack_from(content)
    positions, per_page, by_key, kind, has_moves, version, directory, _, _, sample, _, stride, codes = head
    if version != _VERSION:
        raise ValueError("another version")
    entry = _HEAD.size + sample
    after = entry + directory
    worth = _Worth(content, after, kind, codes)
    page = after + worth.size
    values, keys = [], []
    for first in range(0, positions, per_page):
        if directory:
            start, length = _ENTRY.unpack_from(content, entry)
            entry += _ENTRY.size + length
            page = after + start
        column = _Column(content, page, min(per_page, positions - first))
        if by_key:
            keys += [bytes(key) for key in column.numbers(stride)] if stride else column.texts()
        values.append(worth.read(column))
        # Without a directory the next page follows the moves and the checks of this one.
        moves = 4 * column.count if has_moves and kind != _CODES else 0
        page = column.place + moves + _CHECK * -(-column.count // _GROUP)
    made = numpy().concatenate([numpy().zeros(0), *values])
    made.flags.writeable = False
    return Solved(positions, made, keys if by_key else None)
