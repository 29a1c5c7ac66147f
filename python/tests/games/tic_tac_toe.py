"""Tic-tac-toe: the rules of the Rust example of the same name, so their tables are equal."""

from __future__ import annotations

from types import MappingProxyType

from tabletop import Node, Rules

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
TURNED = (6, 3, 0, 7, 4, 1, 8, 5, 2)
MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


class TicTacToe(Rules[bytes]):
    """Nine cells: 0 is empty, 1 a cross, 2 a nought."""

    name = "tic-tac-toe"
    about = "Tic-tac-toe: 1 is a win of the player to move, -1 a loss, 0 a draw"
    rules = "Each player marks an empty cell in turn. Three marks in a line win."

    players = ("Crosses", "Noughts")
    look = MappingProxyType({"x": ("cross", "blue", "text"), "o": ("nought", "red", "text")})

    def starts(self) -> list[bytes]:
        return [bytes(9)]

    def node(self, position: bytes) -> Node:
        marks = 9 - position.count(0)
        own, other = (1, 2) if marks % 2 == 0 else (2, 1)
        if any(all(position[place] == other for place in line) for line in LINES):
            return Node.over(-1)
        if marks == 9:
            return Node.over(0)
        free = [place for place in range(9) if position[place] == 0]
        name = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
        put = {name[place]: position[:place] + bytes([own]) + position[place + 1 :] for place in free}
        return Node.max({name: Node.turn(board) for name, board in put.items()})

    def canonical(self, position: bytes) -> bytes:
        forms = []
        board = position
        for _ in range(4):
            forms += [board, bytes(board[place] for place in MIRRORED)]
            board = bytes(board[place] for place in TURNED)
        return min(forms)

    def stage(self, position: bytes) -> int:
        return position.count(0)

    def board(self, position: bytes) -> list[str]:
        return self.text(position).split("/")

    def touch(self, position: bytes, move: str) -> list[tuple[int, int]]:  # noqa: ARG002 - the name says it all
        return [(3 - int(move[1]), "abc".index(move[0]))]

    def text(self, position: bytes) -> str:
        rows = "".join(".xo"[cell] for cell in position)
        return f"{rows[:3]}/{rows[3:6]}/{rows[6:]}"

    def parse(self, text: str) -> bytes:
        cells = text.replace("/", "")
        if len(cells) != 9 or not set(cells) <= set(".xo"):
            raise ValueError("write three rows of three, such as x.o/.x./...")
        return bytes(".xo".index(cell) for cell in cells)


if __name__ == "__main__":
    TicTacToe().main()
