#!/usr/bin/env python3
"""Prints how long the kit and plain memos take for the same rules in Python, by the time of all threads.

The kit also gives every move, a table and a proof. A memo gives the values.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Protocol

from tabletop import Node, Rules

BASE = 512
ROUNDS = 5


class Game(Protocol):
    """Rules for the kit, the same rules for a memo, and the start."""

    start: int
    decimals: int

    def recursive(self) -> Callable[[int], float]:
        """A function with a cache."""

    def iterative(self) -> dict[int, float]:
        """A dictionary, filled without recursion."""


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
        return Node.max(turn=self.next(position)) if position else Node.over(-1)

    def recursive(self) -> Callable[[int], float]:
        @cache
        def value(position: int) -> float:
            return max((-value(move) for move in self.next(position)), default=-1)

        return value

    def iterative(self) -> dict[int, float]:
        known: dict[int, float] = {}
        stack = [self.start]
        while stack:
            position = stack[-1]
            moves = list(self.next(position))
            unknown = [move for move in moves if move not in known]
            if unknown:
                stack += unknown
                continue
            known[position] = max((-known[move] for move in moves), default=-1)
            stack.pop()
        return known


class NamedHeaps(Heaps):
    """The same with a node and a name for each move."""

    def node(self, position: int) -> Node:
        if not position:
            return Node.over(-1)
        return Node.max((f"to {move}", Node.turn(move)) for move in self.next(position))


class Race(Rules[int]):
    """Two players race: a player throws a die and goes forward by its top or by its bottom. The first one home wins."""

    name = "race"
    sum = 1

    def __init__(self, squares: int) -> None:
        self.start = squares * BASE + squares

    def starts(self) -> list[int]:
        return [self.start]

    def next(self, position: int, steps: int) -> int:
        own, other = divmod(position, BASE)
        return other * BASE + max(0, own - steps)

    def node(self, position: int) -> Node:
        if position % BASE == 0:
            return Node.over(0)
        pairs = [(self.next(position, top), self.next(position, 7 - top)) for top in (1, 2, 3)]
        return Node.chance([(1, Node.max(turn=pair)) for pair in pairs])

    def recursive(self) -> Callable[[int], float]:
        @cache
        def value(position: int) -> float:
            if position % BASE == 0:
                return 0.0
            pairs = [(self.next(position, top), self.next(position, 7 - top)) for top in (1, 2, 3)]
            return sum(1 - min(value(one), value(other)) for one, other in pairs) / 3

        return value

    def iterative(self) -> dict[int, float]:
        known: dict[int, float] = {}
        stack = [self.start]
        while stack:
            position = stack[-1]
            if position % BASE == 0:
                known[stack.pop()] = 0.0
                continue
            pairs = [(self.next(position, top), self.next(position, 7 - top)) for top in (1, 2, 3)]
            unknown = [move for pair in pairs for move in pair if move not in known]
            if unknown:
                stack += unknown
                continue
            known[position] = sum(1 - min(known[one], known[other]) for one, other in pairs) / 3
            stack.pop()
        return known


def seconds(work: Callable[[], object]) -> float:
    def once() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return statistics.median(once() for _ in range(ROUNDS))


def measure(rules: Heaps | Race) -> None:
    values = rules.iterative()
    solved = rules.solve()
    assert solved.check() == len(values)
    for position in list(values)[:: len(values) // 100]:
        assert abs(solved.ask(position) - values[position]) < 1e-12
    recursive = seconds(lambda: rules.recursive()(rules.start))
    iterative = seconds(rules.iterative)
    kit = seconds(rules.solve)
    nodes = seconds(lambda: [None for position in values if rules.node(position) is None])
    times = f"cache {recursive:.3f} s, dictionary {iterative:.3f} s, kit {kit:.3f} s, of which nodes {nodes:.3f} s"
    print(f"{type(rules).__name__:10} {len(values):7} positions: {times}")


sys.setrecursionlimit(10_000)
measure(Heaps(57, 57, 58))
measure(NamedHeaps(57, 57, 58))
measure(Race(400))
