from collections.abc import Iterable, Mapping
from fractions import Fraction
from os import PathLike
from typing import Any, overload

__version__: str

def answer(game: str, text: bytes, form: str, settings: Mapping[str, float]) -> bytes: ...
def balda_play(
    language: str, word: str, text: bytes | None, time: float | None, proposals: int, seed: int
) -> bytes: ...
def dice_ways(a: str, b: str) -> int: ...
def jenga_minutes(text: str) -> float: ...
def hopchess_chance(text: str) -> tuple[float, str | None]: ...
def dice_values(faces: bytes) -> bytearray: ...
def jenga_values(blocks: bytes, levels: int) -> bytearray: ...
def hopchess_values(boards: bytes, rows: int, columns: int, justin: int, donald: int) -> bytearray: ...

class Table:
    def __init__(self, path: str | PathLike[str]) -> None: ...
    def header(self) -> tuple[str, str, str, int, str, int, int, int]: ...
    def block(self, block: int) -> bytes: ...

class Node:
    """What a position is: over, a choice, or chance."""

    @staticmethod
    def over(value: float | Fraction) -> Node:
        """The game is over with this value."""

    @staticmethod
    def go(position: object) -> Node:
        """The game goes on from a position."""

    @staticmethod
    def turn(position: object) -> Node:
        """The other player is to move. The value of the position is the other player's."""

    @staticmethod
    def again() -> Node:
        """The same position again: nothing has happened."""

    @staticmethod
    @overload
    def max(moves: Mapping[Any, Node] | Iterable[tuple[object, Node]], proposed: int = 1) -> Node:
        """A choice of the largest value, from moves and the nodes that follow them."""

    @staticmethod
    @overload
    def max(*, proposed: int = 1, go: Iterable[Any]) -> Node:
        """From positions, or from a dictionary of moves and positions, after which the same player goes on."""

    @staticmethod
    @overload
    def max(*, proposed: int = 1, turn: Iterable[Any]) -> Node:
        """From positions, or from a dictionary of moves and positions, in which the other player is to move."""

    @staticmethod
    @overload
    def min(moves: Mapping[Any, Node] | Iterable[tuple[object, Node]], proposed: int = 1) -> Node:
        """A choice of the smallest value, from the same as `max`."""

    @staticmethod
    @overload
    def min(*, proposed: int = 1, go: Iterable[Any]) -> Node: ...
    @staticmethod
    @overload
    def min(*, proposed: int = 1, turn: Iterable[Any]) -> Node: ...
    @staticmethod
    @overload
    def chance(outcomes: Iterable[tuple[int, Node] | tuple[object, int, Node]]) -> Node:
        """Chance: pairs of a weight and a node, or triples of a name, a weight and a node."""

    @staticmethod
    @overload
    def chance(*, go: Mapping[Any, int]) -> Node:
        """Chance among positions: the weight of each."""

    @staticmethod
    @overload
    def chance(*, turn: Mapping[Any, int]) -> Node:
        """Chance among positions in which the other player is to move: the weight of each."""

    def costing(self, cost: float | Fraction) -> Node:
        """This node with a cost that is added to its value."""

    def scoring(self, points: float | Fraction) -> Node:
        """This node with points that are added to its value."""

class Solved:
    def table(self) -> bytes: ...
    def save(self, directory: str | PathLike[str], name: str) -> None: ...
    def reply(self, request: str) -> str: ...
    def check(self) -> int: ...

def solve(rules: object, exact: bool) -> Solved: ...
def open_table(rules: object, table: bytes, path: str) -> Solved: ...
def main(rules: object, arguments: list[str]) -> int: ...
