"""Tables: header, records, damage."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tabletop
from conftest import EXAMPLES, ROOT
from games.shut_the_box import ShutTheBox
from games.tic_tac_toe import TicTacToe
from tabletop import Node, Rules, _kit_table


@pytest.mark.parametrize("path", sorted((ROOT / "tables").glob("*.tbl")), ids=lambda path: path.name)
def test_every_table_can_be_read(path: Path) -> None:
    with tabletop.Table(path) as table:
        table.verify()
        assert table.header.name == path.stem
        assert len(table.values) == len(table) == table.header.positions
        assert table[len(table) - 1] == table[-1] == table.values[-1]
        assert not table.values.flags.writeable


def test_the_records_are_the_values() -> None:
    # The rank of a pair of hands is a * 252 + b, and the first hand is 1 1 1 1 1.
    table = tabletop.Table(ROOT / "tables" / "dice.tbl")
    assert table.values.dtype == np.dtype("<u4")
    assert table[0] / 6**10 == tabletop.dice.value("1 1 1 1 1", "1 1 1 1 1")
    assert table.values[251 * 252 + 251] / 6**10 == tabletop.dice.value("6 6 6 6 6", "6 6 6 6 6")
    with pytest.raises(IndexError):
        table[len(table)]


class Walk(Rules[int]):
    """A step forward or back until an end is reached; the value is the chance of the far end."""

    name = "walk"
    cycles = 1e-9

    def starts(self) -> list[int]:
        return [1500]

    def node(self, position: int) -> Node:
        if position in (0, 3000):
            return Node.over(position // 3000)
        return Node.chance([(1, Node.go(position + 1)), (1, Node.go(position // 2))])


class Sums(Rules[str]):
    """Texts of different lengths. Their values are doubles, because chance decides."""

    name = "sums"

    def starts(self) -> list[str]:
        return ["start"]

    def node(self, position: str) -> Node:
        if len(position) > 12:
            return Node.over(len(position) / 7 + position.count("a"))
        return Node.chance([(1, Node.go(position + "a")), (2, Node.go(position + "bc"))])


@pytest.mark.parametrize(
    ("rules", "exact"),
    [(TicTacToe(), False), (ShutTheBox(), False), (ShutTheBox(), True), (Walk(), False), (Sums(), False)],
    ids=["codes", "doubles", "fractions", "bounds", "keys of different lengths"],
)
def test_a_table_of_the_kit_has_the_values_of_its_positions(rules: Rules[Any], exact: bool, tmp_path: Path) -> None:
    solved = rules.solve(exact=exact)
    with tabletop.Table(solved.save(tmp_path)) as table:
        table.verify()
        assert table.values.dtype == np.float64
        assert table.keys is not None
        assert len(table.keys) == len(table.values) == len(table) == solved.check()
        assert table.keys == sorted(table.keys)
        # All positions by their keys.
        positions = reached(rules)
        assert sorted(positions) == table.keys
        for key, value in list(zip(table.keys, table.values.tolist(), strict=True))[::97]:
            assert solved.ask(positions[key]) == value
        assert table[0] == table.values[0]


def test_a_table_with_rounded_values(tmp_path: Path) -> None:
    class Rounded(Sums):
        digits = 3

    table = tabletop.Table(Rounded().solve().save(tmp_path))
    exact = tabletop.Table(Sums().solve().save(tmp_path / "exact"))
    assert table.keys is not None
    assert table.keys == exact.keys
    assert np.abs(table.values - exact.values).max() <= 0.0005 + 1e-12
    assert len(set(table.values.tolist())) > 5
    assert Rounded().solve().ask("start") == pytest.approx(table.values.round(3)[table.keys.index(key("start"))])


def reached(rules: Rules[Any]) -> dict[bytes, Any]:
    """The canonical positions of a game, by their keys."""
    found: dict[bytes, Any] = {}

    class Noting(type(rules)):  # type: ignore[misc]
        def node(self, position: Any) -> Node:
            found[key(position)] = position
            return super().node(position)  # type: ignore[no-any-return]

    Noting().solve()
    return found


def key(position: int | str | bytes) -> bytes:
    """The key of a position as Rust writes it."""
    if isinstance(position, bytes):
        return position
    if isinstance(position, str):
        return key(len(position)) + position.encode()
    return bytes([position]) if position < 128 else bytes([position & 127 | 128]) + key(position >> 7)


def test_a_table_by_rank_has_gaps(tmp_path: Path) -> None:
    command: list[str | Path] = [EXAMPLES / "quixo", "solve", "--out", tmp_path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    table = tabletop.Table(tmp_path / "quixo.tbl")
    assert table.keys is None
    assert len(table.values) == len(table) == 2 * 3**9
    # The positions of `examples/src/bin/quixo.rs`.
    known = table.values[~np.isnan(table.values)]
    assert len(known) == 32_027
    assert set(known.tolist()) == {-1.0, 1.0}


def test_rounded_values() -> None:
    # Three ranks of which the second has no position: 0.25 and 1.5 in hundredths, from -1.00 on, in two bytes.
    head = struct.pack("<QIBBBBQdQIBBH", 3, 2048, 0, 4, 0, 2, 0, 0.0, 0, 5, 1, 0, 0) + b"start"
    rounding = struct.pack("<dqHH", 0.005, -100, 2, 2)
    planes = bytes([0, 0, 0, 126, 0, 251])
    solved = _kit_table.read(head + rounding + planes + bytes(2), "rounded.tbl")
    assert solved.keys is None
    assert solved.values[[0, 2]].tolist() == [0.25, 1.5]
    assert np.isnan(solved.values[1])
    with pytest.raises(tabletop.TableError, match="solve the game again"):
        _kit_table.read(head, "rounded.tbl")


def test_a_closed_table_cannot_be_read() -> None:
    with tabletop.Table(ROOT / "tables" / "dice.tbl") as table:
        values = table.values
    assert values[0] > 0
    assert repr(table).endswith("closed>")
    for use in (lambda: table.values, lambda: table[0], table.verify):
        with pytest.raises(ValueError, match="the table is closed"):
            use()


def test_damage_is_an_error(tmp_path: Path) -> None:
    content = bytearray((ROOT / "tables" / "dice.tbl").read_bytes())
    content[-1] ^= 1
    broken = tmp_path / "dice.tbl"
    broken.write_bytes(content)
    with pytest.raises(tabletop.TableError, match="the hash of block"):
        tabletop.Table(broken).verify()
    with pytest.raises(tabletop.TableError, match="not a table"):
        tabletop.Table(__file__)
    with pytest.raises(tabletop.TableError, match="cannot be read"):
        tabletop.Table(tmp_path / "none.tbl")
