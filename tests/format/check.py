"""Compares the reader of docs/format.md with `tabletop`. Arguments: the program, and the directory of `reader.py`."""

import importlib
import io
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import zstandard

MOST_RECORDS = 20_000
FLIPPED_BITS = 200
TABLETOP, DIRECTORY = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, str(DIRECTORY))
# The reader is written without types, because it is an example.
reader: Any = importlib.import_module("reader")


def output(command: list[str], case: str | None = None) -> str:
    return subprocess.run(command, input=case, capture_output=True, text=True, check=True).stdout


def roll() -> str:
    return " ".join(str(random.randint(1, 6)) for _ in range(5))


def compare_pairs() -> int:
    """Pairs of hands, through the command line of the reader."""
    pairs = [("1 2 3 1 1", "1 2 3 4 5"), ("6 6 6 6 6", "1 1 1 1 1")] + [(roll(), roll()) for _ in range(20)]
    for a, b in pairs:
        answer = output([sys.executable, str(DIRECTORY / "reader.py"), "tables/dice.tbl", a, b])
        expected = output([TABLETOP, "dice", "--tables", "tables"], f"1\n{a}\n{b}\n")
        assert answer == expected, (a, b, answer)
    return len(pairs)


def frames(path: Path) -> bytes:
    """What the frames of the file decompress to, one after the other, without a look at the index."""
    source = io.BytesIO(path.read_bytes())
    return zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True).read()


def record_bytes(raw: bytes, table: Any, rank: int) -> bytes:
    """The bytes of a record in the blocks, whose floats are stored as planes of bytes."""
    size, (block, place) = table.record.size, divmod(rank, table.block_records)
    if table.layout == 0:
        return raw[rank * size :][:size]
    first = block * table.block_records
    records = min(table.block_records, table.positions - first)
    return bytes(raw[first * size + plane * records + place] for plane in range(size))


def compare_records(path: Path, table: Any) -> int:
    """Every record of a small table, and a sample of a large one."""
    raw = frames(path)
    assert len(raw) == table.positions * table.record.size, path
    ranks = list(range(table.positions))
    if len(ranks) > MOST_RECORDS:
        ranks = [0, len(ranks) - 1, *random.sample(ranks, MOST_RECORDS)]
    for rank in ranks:
        assert table.record.pack(table[rank]) == record_bytes(raw, table, rank), (path, rank)
    for rank in (-1, table.positions):
        try:
            table[rank]
        except IndexError:
            continue
        raise AssertionError((path, rank))
    return len(ranks)


def compare_tables() -> tuple[int, int]:
    """Every table can be read, and together they have every record type and layout."""
    paths = sorted(Path("tables").glob("*.tbl"))
    layouts = set()
    compared = 0
    for path in paths:
        table = reader.Table(path)
        layouts.add((table.record.format, table.layout))
        assert table.name + ".tbl" == path.name and table.game == path.name.replace(".", "-").split("-")[0], path
        compared += compare_records(path, table)
    assert layouts == {("<B", 0), ("<H", 0), ("<I", 0), ("<d", 1)}, layouts
    jenga = reader.Table("tables/jenga.tbl")
    assert all(0 <= jenga[rank] <= 66 for rank in random.sample(range(jenga.positions), 200))
    return len(paths), compared


def flip_bits() -> None:
    """A flipped bit anywhere is noticed."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy("tables/SHA256SUMS", scratch)
        intact = Path("tables/dice.tbl").read_bytes()
        damaged = Path(scratch, "dice.tbl")
        damaged.write_bytes(intact)
        reader.Table(damaged)
        for _ in range(FLIPPED_BITS):
            bit = random.randrange(len(intact) * 8)
            file = bytearray(intact)
            file[bit // 8] ^= 1 << bit % 8
            damaged.write_bytes(file)
            try:
                reader.Table(damaged)
            except ValueError:
                continue
            raise AssertionError(f"bit {bit} was not noticed")


random.seed(1)
pairs = compare_pairs()
tables, records = compare_tables()
flip_bits()
print(f"the reader of docs/format.md: {pairs} pairs, {tables} tables, {records} records, {FLIPPED_BITS} flipped bits")
