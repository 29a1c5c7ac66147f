"""A greedy Balda player. The optional first argument names a mistake to make."""

import sys
from typing import TypeAlias

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
MOVES = 6
lines = [line for line in sys.stdin.buffer.read().decode("latin-1").split("\n") if line]
START, WORDS = lines[1], lines[2:]
SIDE = len(START)
STEPS = {"r": (0, 1), "l": (0, -1), "u": (-1, 0), "d": (1, 0)}
Cell: TypeAlias = tuple[int, int]
# The cells of a word, the steps between them, and the cell of the new letter.
Found: TypeAlias = tuple[list[Cell], str, Cell]
board = {(SIDE // 2, column): letter for column, letter in enumerate(START)}
used = {START}


def walk(word: str, cell: Cell, path: list[Cell], steps: str, placed: Cell | None) -> Found | None:
    """Finds a path that spells the word with one new letter."""
    if cell in path or not all(0 <= part < SIDE for part in cell):
        return None
    letter = board.get(cell)
    if letter is None and placed is None and any(near(cell, filled) for filled in board):
        placed = cell
    elif letter != word[len(path)]:
        return None
    path = [*path, cell]
    if len(path) == len(word):
        return (path, steps, placed) if placed else None
    for step, (down, right) in STEPS.items():
        found = walk(word, (cell[0] + down, cell[1] + right), path, steps + step, placed)
        if found:
            return found
    return None


def near(cell: Cell, filled: Cell) -> bool:
    return abs(cell[0] - filled[0]) + abs(cell[1] - filled[1]) == 1


def find_move() -> tuple[str, list[Cell], str, Cell] | None:
    for word in sorted(WORDS, key=len, reverse=True):
        if word in used:
            continue
        for row in range(SIDE):
            for column in range(SIDE):
                found = walk(word, (row, column), [], "", None)
                if found:
                    return word, *found
    return None


moves: list[str] = []
while len(moves) < MOVES:
    move = find_move()
    if not move:
        break
    word, path, steps, placed = move
    letter = word[path.index(placed)]
    board[placed] = letter
    if MISTAKE != "reuse":
        used.add(word)
    first = path[0]
    moves.append(f"{placed[0] + 1} {placed[1] + 1} {letter} {word} {first[0] + 1} {first[1] + 1} {steps}")
text = "\n".join([str(len(moves)), *moves]) + "\n"
sys.stdout.buffer.write(text.encode("latin-1"))
