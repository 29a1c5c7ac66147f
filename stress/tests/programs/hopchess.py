"""A plain solver for hop chess. The optional first argument names a mistake to make."""

import sys
from collections.abc import Iterator
from functools import cache

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
words = sys.stdin.read().split()
ROWS, COLUMNS = int(words[0]), int(words[1])
BOARD = "".join(words[2 : 2 + ROWS])
FACTORS = dict(zip("DJ" if MISTAKE == "factors" else "JD", map(int, words[2 + ROWS :]), strict=True))


def neighbours(cell: int) -> Iterator[int]:
    row, column = divmod(cell, COLUMNS)
    for other_row, other_column in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= other_row < ROWS and 0 <= other_column < COLUMNS:
            yield other_row * COLUMNS + other_column


@cache
def chance(board: str, player: str) -> float:
    """The probability that the player to move wins."""
    other = "D" if player == "J" else "J"
    values = []
    for start in range(len(board)):
        if board[start] == player:
            for end in neighbours(start):
                if board[end] != ".":
                    after = list(board)
                    after[start], after[end] = ".", player
                    values.append(1 - chance("".join(after), other))
    values.sort(reverse=True)
    proposals = values[:1] if MISTAKE == "best" else values[: FACTORS[player]]
    return sum(proposals) / len(proposals) if proposals else 0.0


print(f"{chance(BOARD, 'J'):.3f}")
