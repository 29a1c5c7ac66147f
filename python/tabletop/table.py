"""Any table file: one of ours, or one that a program made with the kit has written."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from tabletop import _native
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
    """An open table. The file is read once; blocks are unpacked when they are needed, and every byte is checked."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """Opens a table, or raises `TableError`."""
        self._path = str(path)
        self._native = _native.Table(path)
        self.header = Header(*self._native.header())

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The unpacked records are the only large thing that is kept.
        self.__dict__.pop("values", None)

    def __len__(self) -> int:
        return self.header.positions

    def __getitem__(self, rank: int) -> float:
        """The record with this rank. Unpacks one block."""
        place = rank + len(self) if rank < 0 else rank
        if not 0 <= place < len(self):
            raise IndexError(f"record {rank} of {len(self)}")
        block = self._block(place // self.header.block_records)
        found: float = block[place % self.header.block_records].item()
        return found

    @cached_property
    def values(self) -> NDArray[np.generic]:
        """All records in the order of their ranks, as an array that cannot be written to."""
        blocks = [self._native.block(block) for block in range(self.header.blocks)]
        made: NDArray[np.generic] = numpy().frombuffer(b"".join(blocks), dtype=_TYPES[self.header.records])
        return made

    def verify(self) -> None:
        """Reads every block and checks its hash. Raises `TableError` if the file is damaged."""
        for block in range(self.header.blocks):
            self._native.block(block)

    def _block(self, block: int) -> NDArray[np.generic]:
        made: NDArray[np.generic] = numpy().frombuffer(self._native.block(block), dtype=_TYPES[self.header.records])
        return made

    def __repr__(self) -> str:
        return f"<Table {self._path!r}: {self.header.name}, {len(self):,} records of {self.header.records}>"

    def _repr_html_(self) -> str:
        named = self.header._asdict().items()
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in named)
        return f"<table><tbody>{rows}</tbody></table>"
