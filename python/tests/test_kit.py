"""Rules in Python: the same tables as the rules in Rust, errors with the position, and a program for every door."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import tabletop
from conftest import EXAMPLES
from games.shut_the_box import ShutTheBox
from games.tic_tac_toe import TicTacToe
from tabletop import Node, Rules

GAMES: list[Rules[bytes] | Rules[int]] = [TicTacToe(), ShutTheBox()]


class Nim(Rules[int]):
    """One heap; a move takes one to three matches, and who takes the last one wins."""

    name = "nim"

    def starts(self) -> list[int]:
        return [12]

    def node(self, position: int) -> Node:
        if position == 0:
            return Node.over(-1)
        return Node.max((f"take {n}", Node.turn(position - n)) for n in (1, 2, 3) if n <= position)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: str(rules.name))
def test_the_table_is_that_of_the_rules_in_rust(rules: Rules[bytes] | Rules[int], tmp_path: Path) -> None:
    subprocess.run([EXAMPLES / rules.name, "solve", "--out", tmp_path], check=True, stdout=subprocess.DEVNULL)
    table = (tmp_path / f"{rules.name}.tbl").read_bytes()
    solved = rules.solve()
    assert solved.table == table
    opened = rules.open(tmp_path / f"{rules.name}.tbl")
    assert opened.check() == solved.check() > 500
    start = rules.text(next(iter(rules.starts())))  # type: ignore[arg-type]
    assert opened.ask(start) == solved.ask(start)


def test_values_moves_and_fractions() -> None:
    solved = Nim().solve()
    assert [solved.ask(heap) for heap in range(9)] == [-1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0]
    advice = solved.explain(7)
    assert next((move.name, move.value, move.next) for move in advice.moves) == ("take 3", 1.0, "4")
    assert "take 3" in repr(advice)
    exact = ShutTheBox().solve(exact=True)
    fraction = exact.ask("12").fraction
    assert isinstance(fraction, Fraction)
    assert float(fraction) == pytest.approx(ShutTheBox().solve().ask("12"), abs=1e-12)


def test_each_node_is_asked_for_once() -> None:
    class Counted(Nim):
        def __init__(self) -> None:
            self.asked: list[int] = []

        def node(self, position: int) -> Node:
            self.asked.append(position)
            return super().node(position)

    rules = Counted()
    solved = rules.solve()
    assert sorted(rules.asked) == list(range(13))
    assert solved.check() == 13
    assert len(rules.asked) == 13


def test_a_game_that_repeats_and_one_with_costs() -> None:
    class Round(Rules[str]):
        """A player waits, or goes home, which wins."""

        name = "round"
        cycles = "draw"

        def starts(self) -> list[str]:
            return ["out"]

        def node(self, position: str) -> Node:
            return Node.max({"wait": Node.turn("back" if position == "out" else "out")})

    assert Round().solve().ask("out") == 0.0

    class Throws(Rules[int]):
        """The throws until a six comes, one after the other."""

        name = "throws"

        def starts(self) -> list[int]:
            return [2]

        def node(self, position: int) -> Node:
            if position == 0:
                return Node.over(0)
            return Node.chance([(1, Node.go(position - 1)), (5, Node.again())]).costing(1)

    assert Throws().solve(exact=True).ask(2).fraction == 12


def test_errors_name_the_position() -> None:
    class Broken(Nim):
        def node(self, position: int) -> Node:
            if position == 5:
                raise KeyError("five")
            return super().node(position)

    with pytest.raises(tabletop.RulesError, match=r"node\('5'\): KeyError: 'five'") as raised:
        Broken().solve()
    assert isinstance(raised.value.__cause__, KeyError)

    class NoNode(Nim):
        def node(self, position: int) -> Node:
            return position  # type: ignore[return-value]

    with pytest.raises(tabletop.RulesError, match=r"node\('12'\): .* is not a tabletop.Node"):
        NoNode().solve()

    class Cyclic(Nim):
        def node(self, position: int) -> Node:
            return Node.max({"round": Node.turn(13 - position)})

    with pytest.raises(tabletop.RulesError, match="12"):
        Cyclic().solve()

    class Misread(Nim):
        def parse(self, text: str) -> int:
            return len(text)

    with pytest.raises(tabletop.RulesError, match="is another position"):
        Misread().solve()

    class Unkeyed(Rules[tuple[int, int]]):
        name = "unkeyed"

        def starts(self) -> Iterable[tuple[int, int]]:
            return [(1, 2)]

    with pytest.raises(tabletop.RulesError, match="write `key`"):
        Unkeyed().solve()


class Deep(Nim):
    """Every position has this number of nodes inside of each other."""

    def __init__(self, levels: int, around: Callable[[Node], Node]) -> None:
        self.levels, self.around = levels, around

    def node(self, position: int) -> Node:
        node = Node.over(position)
        for _ in range(1, self.levels):
            node = self.around(node)
        return node


AROUND: dict[str, Callable[[Node], Node]] = {
    "cost": lambda node: node.costing(1),
    "max": lambda node: Node.max({"on": node}),
    "chance": lambda node: Node.chance([(1, node)]),
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_nodes_that_are_too_deep_are_refused(around: Callable[[Node], Node]) -> None:
    assert float(Deep(50, around).solve().ask(12)) in (12, 12 + 49)
    for levels in (51, 10_000):
        with pytest.raises(tabletop.RulesError, match=r"node\('12'\): .*more than 50 nodes inside of each other"):
            Deep(levels, around).solve()


def test_ctrl_c_in_the_rules_is_ctrl_c(tmp_path: Path) -> None:
    class Interrupted(Nim):
        def node(self, position: int) -> Node:
            if position == 5:
                raise KeyboardInterrupt
            return super().node(position)

    with pytest.raises(KeyboardInterrupt):
        Interrupted().solve()
    opened = Interrupted().open(Nim().solve().save(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        opened.ask(5)
    assert opened.ask(6) == 1.0

    class Leaving(Nim):
        def parse(self, text: str) -> int:
            raise SystemExit(text)

    with pytest.raises(SystemExit):
        Leaving().open(tmp_path / "nim.tbl").ask("13")


def test_rules_may_ask_another_game(tmp_path: Path) -> None:
    class Other(Nim):
        name = "other"

    other = Other().solve().save(tmp_path)

    class Asking(Nim):
        """Its nodes need the values of another game, which is opened and asked for its own nodes."""

        def __init__(self) -> None:
            self.other = Other().open(other)

        def node(self, position: int) -> Node:
            assert self.other.ask(position) == self.other.explain(position).value
            assert Other().solve().check() == 13
            return super().node(position)

    solved = Asking().solve()
    assert solved.check() == 13
    opened = Asking().open(solved.save(tmp_path))
    # Several threads beside each other.
    with ThreadPoolExecutor(4) as threads:
        asked = list(threads.map(opened.ask, [*range(13)] * 4))
    assert asked == [solved.ask(heap) for heap in range(13)] * 4


class Throws(Rules[int]):
    """A throw of a coin to stay or to go down, until a player is at 0 and has lost."""

    name = "throws"
    sum = 1

    def __init__(self, *, bulk: bool) -> None:
        self.bulk = bulk

    def starts(self) -> list[int]:
        return [9]

    def node(self, position: int) -> Node:
        if position == 0:
            return Node.over(0)
        if position % 2 == 0:
            return Node.max(go=[position - 1]) if self.bulk else Node.max({position - 1: Node.go(position - 1)})
        down = {position - 1: 3, max(0, position - 3): 1}
        return Node.chance(turn=down) if self.bulk else Node.chance((w, Node.turn(p)) for p, w in down.items())


def test_positions_without_nodes_of_their_own() -> None:
    class Bare(Nim):
        def node(self, position: int) -> Node:
            return Node.max(turn=range(max(0, position - 3), position)) if position else Node.over(-1)

    class Named(Bare):
        def move_name(self, position: int, then: int) -> str:
            return f"take {position - then}"

    class InDictionary(Nim):
        def node(self, position: int) -> Node:
            moves = {f"take {n}": position - n for n in (3, 2, 1) if n <= position}
            return Node.min(turn=moves) if position else Node.over(1)

    solved = Nim().solve()
    assert Bare().solve().table == Named().solve().table == solved.table
    assert [move.name for move in Bare().solve().explain(7).moves] == ["4", "5", "6"]
    named, expected = Named().solve().explain(7), solved.explain(7)
    assert {move.name: move.next for move in named.moves} == {move.name: move.next for move in expected.moves}
    assert InDictionary().solve().explain(7).moves[0].name == "take 3"
    assert InDictionary().solve().ask(7) == -1.0
    assert Throws(bulk=True).solve().table == Throws(bulk=False).solve().table
    for wrong in ({}, {"go": [1], "turn": [1]}):
        with pytest.raises(TypeError, match="pass nodes, or positions"):
            Node.max(**wrong)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="the weight of each position"):
        Node.chance(go=[1, 2])  # type: ignore[call-overload]


class Pair:
    """A position with the hash of an object, which is another for equal heaps."""

    def __init__(self, one: int, other: int) -> None:
        self.heaps = (one, other)


class Pairs(Rules[Any]):
    """Nim with two heaps of at most 40 matches, with positions of any type."""

    name = "pairs"

    def __init__(self, make: Callable[[int, int], Any], heaps: Callable[[Any], tuple[int, int]]) -> None:
        self.make, self.heaps = make, heaps

    def starts(self) -> list[Any]:
        return [self.make(40, 40)]

    def node(self, position: Any) -> Node:
        one, other = self.heaps(position)
        if one == other == 0:
            return Node.over(-1)
        after = [self.make(n, other) for n in range(one)] + [self.make(one, n) for n in range(other)]
        return Node.max(turn=after)

    def canonical(self, position: Any) -> Any:
        one, other = self.heaps(position)
        return self.make(min(one, other), max(one, other))

    def key(self, position: Any) -> bytes:
        return bytes(self.heaps(position))

    def text(self, position: Any) -> str:
        return "{} {}".format(*self.heaps(position))

    def parse(self, text: str) -> Any:
        one, other = text.split()
        return self.make(int(one), int(other))


def test_positions_of_any_type_give_the_same_table() -> None:
    kinds: list[tuple[Callable[[int, int], Any], Callable[[Any], tuple[int, int]]]] = [
        (lambda one, other: (one, other), lambda pair: pair),
        (lambda one, other: [one, other], lambda pair: (pair[0], pair[1])),
        (Pair, lambda pair: pair.heaps),
        (lambda one, other: 100 * one + other, lambda number: divmod(number, 100)),
    ]
    tables = []
    for make, heaps in kinds:
        solved = Pairs(make, heaps).solve()
        assert solved.check() == 41 * 42 // 2
        assert [solved.ask(f"{n} 7") for n in (6, 7, 8)] == [1.0, -1.0, 1.0]
        tables.append(solved.table)
    assert len(set(tables)) == 1


class Word(str):
    """A position that cannot be a key of a dictionary."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str(self) == str(other)


def test_positions_without_a_hash_are_found_again() -> None:
    class Letters(Rules[str]):
        name = "letters"

        def starts(self) -> list[str]:
            return ["a" * 12]

        def node(self, position: str) -> Node:
            if position == "-":
                return Node.over(-1)
            # The first positions have a hash, and the later ones have none.
            kind = str if len(position) > 9 else Word
            return Node.max(
                (str(n), Node.turn(kind("a" * (len(position) - n) or "-"))) for n in (1, 2) if n <= len(position)
            )

    assert Letters().solve().check() == 13


def test_what_a_sample_misses_is_found_by_the_proof() -> None:
    class Long(Rules[int]):
        """The text of one position, which no sample contains, reads back to another."""

        name = "long"

        def starts(self) -> list[int]:
            return [5000]

        def node(self, position: int) -> Node:
            return Node.max(turn=[position - 1]) if position else Node.over(-1)

        def parse(self, text: str) -> int:
            return int(text) + (text == "3001")

    with pytest.raises(tabletop.RulesError, match=r"parse\('3001'\) is another position"):
        Long().solve().check()


def test_keys_tell_positions_apart() -> None:
    class Mixed(Rules[Any]):
        """The int and the bytes have the same key."""

        name = "mixed"

        def starts(self) -> list[Any]:
            return [1, b"\x01"]

        def node(self, position: Any) -> Node:
            return Node.over(position if isinstance(position, int) else 0)

        def parse(self, text: str) -> Any:
            return int(text) if len(text) == 1 else bytes.fromhex(text)

    with pytest.raises(tabletop.RulesError, match="have the same key, write `key`"):
        Mixed().solve()

    class Unequal(Pairs):
        """Positions that are equal have different keys."""

        def key(self, position: Any) -> bytes:
            return super().key((int(position[0]), position[1])) + bytes([isinstance(position[0], float)])

        def canonical(self, position: Any) -> Any:
            return position

        def text(self, position: Any) -> str:
            return repr(position)

        def parse(self, text: str) -> Any:
            return ast.literal_eval(text)

    kinds: Iterator[Callable[[int], float]] = cycle([int, float])

    def make(one: int, other: int) -> tuple[float, int]:
        return (next(kinds)(one), other)

    pairs = Unequal(make, lambda pair: (int(pair[0]), pair[1]))
    with pytest.raises(tabletop.RulesError, match="another key than a position that is equal to it"):
        pairs.solve()


def test_bytes_are_positions(tmp_path: Path) -> None:
    class Short(Rules[bytes]):
        """A move takes the last byte."""

        name = "short"

        def starts(self) -> list[bytes]:
            return [b"\x01\xff\x00"]

        def node(self, position: bytes) -> Node:
            return Node.max({"take": Node.turn(position[:-1])}) if position else Node.over(-1)

    solved = Short().solve()
    assert [solved.ask(text) for text in ("01ff00", "01ff", "01", "-")] == [1.0, -1.0, 1.0, -1.0]
    assert solved.ask(b"\x01") == 1.0
    assert Short().open(solved.save(tmp_path)).explain(b"\x01\xff").moves[0].next == "01"
    with pytest.raises(tabletop.InputError):
        solved.ask("1")


def test_transient_positions_are_not_stored() -> None:
    class Throw(Rules[int]):
        """A throw of a coin between two turns: ten and more are thrown coins."""

        name = "throw"
        unit = "points"

        def starts(self) -> list[int]:
            return [3]

        def node(self, position: int) -> Node:
            if position == 0:
                return Node.over(0)
            if position < 10:
                return Node.chance([(1, Node.go(position + 10)), (1, Node.go(position - 1))])
            return Node.max({"take": Node.go(position - 11).scoring(1), "leave": Node.go(position - 11)})

        def is_transient(self, position: int) -> bool:
            return position >= 10

    solved = Throw().solve()
    assert solved.check() == 4
    assert (solved.ask(3), solved.ask(13)) == (1.5, 2.0)
    assert repr(solved.explain(1)).startswith("<throw: 0.5 points, 2 moves")


def test_questions_that_have_no_answer(tmp_path: Path) -> None:
    solved = Nim().solve()
    with pytest.raises(tabletop.InputError, match="write a whole number"):
        solved.ask("x")
    with pytest.raises(tabletop.InputError, match="is not reached from the start"):
        solved.ask(13)
    with pytest.raises(tabletop.TableError, match="solve the game first"):
        Nim().open(tmp_path / "nim.tbl")
    # The directory is made, and only the table is in it.
    path = solved.save(tmp_path / "new" / "tables")
    assert [found.name for found in path.parent.iterdir()] == ["nim.tbl"]

    class Other(Nim):
        rules = "2"

    with pytest.raises(tabletop.TableError, match="made for other rules"):
        Other().open(path)
