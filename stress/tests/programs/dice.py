"""A plain solver for dice poker. The optional first argument names a mistake to make."""

import sys
from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
ALL = 6**5
Dice: TypeAlias = tuple[int, ...]


def weight(hand: Dice) -> tuple[int, list[int]]:
    groups = sorted(((count, face) for face, count in Counter(hand).items()), reverse=True)
    sizes = [count for count, _ in groups]
    straight: list[int] = []
    order = [[5], [4, 1], [3, 2], straight, [3, 1, 1], [2, 2, 1], [2, 1, 1, 1], [1, 1, 1, 1, 1]]
    is_straight = len(groups) == 5 and max(hand) - min(hand) == 4
    place = order.index(straight if is_straight else sizes)
    return -place, [face for _, face in groups]


ROLLS = [Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)) for dice in range(6)]
RANK = {hand: rank for rank, hand in enumerate(sorted(ROLLS[5], key=weight))}


@cache
def outcomes(kept: Dice) -> list[int]:
    """The number of rolls that lead from the kept dice to each rank, out of 6^5 equally likely ones."""
    free = 5 - len(kept)
    counts = [0] * len(RANK)
    for roll, count in ROLLS[free].items():
        counts[RANK[tuple(sorted(kept + roll))]] += count * 6 ** (5 - free)
    return counts


def keeps(hand: Dice) -> set[Dice]:
    return {tuple(sorted(kept)) for size in range(6) for kept in combinations(hand, size)}


def chance(a: Dice, b: Dice) -> int:
    best_of_b = [0] * len(RANK)
    for kept in keeps(b):
        ahead = 0
        for rank in range(len(RANK) - 1, -1, -1):
            count = outcomes(kept)[rank]
            if MISTAKE == "draw":
                best_of_b[rank] = max(best_of_b[rank], ahead)
            ahead += count
            if MISTAKE != "draw":
                best_of_b[rank] = max(best_of_b[rank], ahead)
    own = keeps(a)
    if MISTAKE == "reroll":
        own = {kept for kept in own if len(kept) < 5}
    won = [ALL - count for count in best_of_b]
    return max(sum(count * won[rank] for rank, count in enumerate(outcomes(kept)) if count) for kept in own)


def main() -> None:
    numbers = list(map(int, sys.stdin.read().split()))
    for case in range(numbers[0]):
        dice = numbers[1 + 10 * case : 11 + 10 * case]
        won = chance(tuple(sorted(dice[:5])), tuple(sorted(dice[5:])))
        millionths = (2 * 10**6 * won + ALL**2) // (2 * ALL**2)
        print(f"{millionths // 10**6}.{millionths % 10**6:06}")


main()
