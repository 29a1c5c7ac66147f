"""Any table file: one of ours, or one that a program made with the kit has written."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from tabletop import _kit_table, _native
from tabletop._arrays import numpy

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray

_TYPES = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "f64": "<f8"}


class Header(NamedTuple):
    """What a table says about itself."""

    name: str
    game: str
    generator: str
    """The program that wrote it."""
    fingerprint: int
    """A hash of the rules and of the numbering."""
    records: str
    """The type of the records: u8, u16, u32 or f64."""
    positions: int
    """The number of records."""
    block_records: int
    """The number of records in a block."""
    blocks: int


class Table:
    """An open table. The file is read once; blocks are unpacked when they are needed, and every byte is checked.

    Tables of the kit have values of their own in the records: `values` and `keys` give these.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        """Opens a table, or raises `TableError`."""
        self._path = str(path)
        self._open: _native.Table | None = _native.Table(path)
        self.header = Header(*self._native.header())
        self._is_of_kit = self.header.generator.startswith("tabletop kit ")

    @property
    def _native(self) -> _native.Table:
        if self._open is None:
            raise ValueError(f"{self._path}: the table is closed")
        return self._open

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory back. Arrays that were read stay, and the table can be read no more."""
        self._open = None
        self.__dict__.pop("_solved", None)
        self.__dict__.pop("_records", None)

    def __len__(self) -> int:
        return self._solved.positions if self._is_of_kit else self.header.positions

    def __getitem__(self, rank: int) -> float:
        """The value with this rank, or at this place in the order of keys. Unpacks one block of a table of ours."""
        place = rank + len(self) if rank < 0 else rank
        if not 0 <= place < len(self):
            raise IndexError(f"record {rank} of {len(self)}")
        if self._is_of_kit:
            return float(self.values[place])
        block = self._block(place // self.header.block_records)
        found: float = block[place % self.header.block_records].item()
        return found

    @property
    def values(self) -> NDArray[Any]:
        """All records in the order of their ranks, as an array that cannot be written to.

        A table of the kit gives its values as doubles, in the order of ranks or keys. A rank without a position is NaN,
        and two bounds are their middle.
        """
        return self._solved.values if self._is_of_kit else self._records

    @property
    def keys(self) -> list[bytes] | None:
        """The keys of the positions in ascending order, or `None` if the table is by rank."""
        return self._solved.keys if self._is_of_kit else None

    @cached_property
    def _records(self) -> NDArray[np.generic]:
        made: NDArray[np.generic] = numpy().frombuffer(self._bytes(), dtype=_TYPES[self.header.records])
        return made

    @cached_property
    def _solved(self) -> _kit_table.Solved:
        return _kit_table.read(self._bytes(), self._path)

    def _bytes(self) -> bytes:
        return b"".join(self._native.block(block) for block in range(self.header.blocks))

    def verify(self) -> None:
        """Reads every block and checks its hash. Raises `TableError` if the file is damaged."""
        for block in range(self.header.blocks):
            self._native.block(block)

    def _block(self, block: int) -> NDArray[np.generic]:
        made: NDArray[np.generic] = numpy().frombuffer(self._native.block(block), dtype=_TYPES[self.header.records])
        return made

    def __repr__(self) -> str:
        records = "positions" if self._is_of_kit else f"records of {self.header.records}"
        state = f"{len(self):,} {records}" if self._open else "closed"
        return f"<Table {self._path!r}: {self.header.name}, {state}>"

    def _repr_html_(self) -> str:
        named = self.header._asdict().items()
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in named)
        return f"<table><tbody>{rows}</tbody></table>"
