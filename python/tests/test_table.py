"""Tables: header, records, damage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tabletop
from conftest import ROOT


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
