"""A plain solver for coloured Jenga. The optional first argument names a mistake to make."""

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
SHARES = {"R": 1, "G": 1, "B": 1} if MISTAKE == "shares" else {"R": 1, "G": 2, "B": 2}
Levels: TypeAlias = tuple[str, ...]
sys.setrecursionlimit(10**6)


def takes(level: str) -> Iterator[tuple[str, str]]:
    """The blocks that may be taken from a level below the top, each with the rest of the level."""
    left, middle, right = tuple(level)
    if "." not in level:
        yield left, "." + middle + right
        yield middle, left + "." + right
        yield right, left + middle + "."
    elif level.count(".") == 1 and middle != ".":
        yield max(left, right), "." + middle + "."


def canonical(levels: Iterable[str]) -> Levels:
    return tuple(sorted(min(level, level[::-1]) for level in levels if any(takes(level))))


@cache
def minutes(below: Levels, top: str) -> float:
    if "." not in top:
        levels, top = canonical((*below, top)), "..."
        takable = canonical(below)
    else:
        levels, takable = below, below
    best: dict[str, float] = {}
    for level in takable:
        for colour, rest in takes(level):
            kept = list(levels)
            kept.remove(level)
            for spot in range(3):
                if top[spot] == ".":
                    higher = top[:spot] + colour + top[spot + 1 :]
                    later = minutes(canonical([*kept, rest]), min(higher, higher[::-1]))
                    best[colour] = min(best.get(colour, later), later)
    if not best:
        return 0.0
    share = sum(SHARES[colour] for colour in best)
    later = sum(SHARES[colour] * best[colour] for colour in best)
    if MISTAKE == "waiting":
        return 1 + later / share
    return (6 + later) / share


def main() -> None:
    levels = sys.stdin.read().split()[1:]
    if MISTAKE == "top":
        levels.reverse()
    print(minutes(canonical(levels[:-1]), min(levels[-1], levels[-1][::-1])))


main()
