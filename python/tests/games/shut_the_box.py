"""Shut the box: the rules of the Rust example of the same name, so their tables are equal."""

from __future__ import annotations

from itertools import combinations

from tabletop import Node, Rules

SETS = [
    (sum(1 << tile for tile in tiles), sum(tiles))
    for size in range(1, 10)
    for tiles in combinations(range(1, 10), size)
]
SETS.sort()


class ShutTheBox(Rules[int]):
    """Open tiles: bit n is the tile n, from 1 to 9."""

    name = "shut-the-box"
    about = "Shut the box: the sum of the tiles that stay open, on average"

    def starts(self) -> list[int]:
        return [0b11_1111_1110]

    def node(self, position: int) -> Node:
        if position == 0:
            return Node.over(0)
        return Node.chance((dots, 6 - abs(dots - 7), after_throw(position, dots)) for dots in range(2, 13))

    def text(self, position: int) -> str:
        return "".join(str(tile) for tile in range(1, 10) if position >> tile & 1) or "-"

    def parse(self, text: str) -> int:
        if not set(text) <= set("-123456789"):
            raise ValueError("write the open tiles, from 1 to 9")
        return sum(1 << int(tile) for tile in set(text) - {"-"})


def after_throw(position: int, dots: int) -> Node:
    moves = [(tiles, Node.go(position & ~tiles)) for tiles, total in SETS if total == dots and tiles & ~position == 0]
    left = sum(tile for tile in range(1, 10) if position >> tile & 1)
    return Node.min(moves) if moves else Node.over(left)


if __name__ == "__main__":
    ShutTheBox().main()
