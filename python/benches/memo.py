#!/usr/bin/env python3
"""Prints how long the kit and a plain memo take for the same rules in Python, by the time of all threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tabletop import Node, Rules

BASE = 64


class Heaps(Rules[int]):
    """Nim with heaps: a move takes one to three matches from a heap. A heap is a digit of the position."""

    name = "heaps"

    def __init__(self, *heaps: int) -> None:
        self.start = 0
        for heap in heaps:
            self.start = self.start * BASE + heap

    def starts(self) -> list[int]:
        return [self.start]

    def next(self, position: int) -> Iterator[int]:
        rest, one = position, 1
        while rest:
            for taken in range(1, min(rest % BASE, 3) + 1):
                yield position - taken * one
            rest, one = rest // BASE, one * BASE

    def node(self, position: int) -> Node:
        moves = [(str(move), Node.turn(move)) for move in self.next(position)]
        return Node.max(moves) if moves else Node.over(-1)


def memo(rules: Heaps) -> dict[int, int]:
    """The values of all positions."""
    known: dict[int, int] = {}
    stack = [rules.start]
    while stack:
        position = stack[-1]
        moves = list(rules.next(position))
        unknown = [move for move in moves if move not in known]
        if unknown:
            stack += unknown
            continue
        known[position] = max((-known[move] for move in moves), default=-1)
        stack.pop()
    return known


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def measure(rules: Heaps) -> None:
    values = memo(rules)
    assert rules.solve().ask(rules.start) == float(values[rules.start])
    plain, kit = seconds(lambda: memo(rules)), seconds(rules.solve)
    nodes = seconds(lambda: [rules.node(position) for position in values])
    print(f"{len(values):7} positions: memo {plain:.3f} s, kit {kit:.3f} s, of which nodes in Python {nodes:.3f} s")


measure(Heaps(10, 12, 4))
measure(Heaps(57, 57, 58))
