"""A plain solver for Codenames. The optional first argument names a mistake to make."""

import sys
from functools import cache
from typing import TypeAlias

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
lines = sys.stdin.read().split("\n")
TEAM = lines[0].split()[1]
WORDS = lines[1].split()
IDENTITIES = lines[2].split()
HINTS = [frozenset(WORDS.index(word) for word in line.split()[1:]) for line in lines[4 : 4 + int(lines[3])]]
Cards: TypeAlias = frozenset[int]


def other(team: str) -> str:
    return "B" if team == "R" else "R"


def agents(hidden: Cards, team: str) -> int:
    return sum(IDENTITIES[card] == team for card in hidden)


@cache
def guess(hidden: Cards, team: str, hint: Cards, number: int) -> float:
    """The probability that the team wins, which may guess at most `number` more cards of the hint."""
    live = hint & hidden
    total = 0.0
    for card in live:
        identity, left = IDENTITIES[card], hidden - {card}
        if identity == "A":
            continue
        if agents(left, team) == 0:
            total += 1
        elif agents(left, other(team)) == 0:
            continue
        elif (identity == team or (MISTAKE == "innocent" and identity == "I")) and number > 1 and len(live) > 1:
            total += guess(left, team, hint, number - 1)
        else:
            total += 1 - chance(left, other(team))
    return total / len(live)


@cache
def chance(hidden: Cards, team: str) -> float:
    best = 0.0
    for hint in HINTS:
        live = hint & hidden
        own = agents(live, team)
        if not live or (MISTAKE == "own" and own == 0):
            continue
        most = min(max(own, 1), len(live)) if MISTAKE == "number" else len(live)
        for number in range(1, most + 1):
            best = max(best, guess(hidden, team, hint, number))
    return best


print(f"{chance(frozenset(range(len(WORDS))), TEAM):.6f}")
