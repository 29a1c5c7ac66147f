"""A script with rules is a program with commands, and a game for every door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from conftest import EXAMPLES, PROGRAMS, ROOT

GAME = Path(__file__).parent / "games" / "tic_tac_toe.py"


class Doors:
    """Runs programs in a directory with the table of the game. `python3` is this Python."""

    def __init__(self, directory: Path) -> None:
        folder = Path(sys.executable).parent
        self.directory = directory
        self.environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TABLETOP_TABLES": str(directory)}

    def run(self, *command: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, env=self.environment, cwd=self.directory, check=False
        )

    def game(self, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
        return self.run("python3", GAME, *arguments, text=text)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    doors = Doors(tmp_path_factory.mktemp("doors"))
    solved = doors.game("solve", "--out", doors.directory)
    assert (solved.returncode, solved.stderr) == (0, "")
    assert "765 positions" in solved.stdout
    return doors


def test_the_commands(doors: Doors) -> None:
    assert doors.game("ask", "x../.o./...").stdout == "0 in 7 moves\n"
    wrong = doors.game("ask", "x")
    assert wrong.returncode == 2
    assert "write three rows of three" in wrong.stderr
    assert "765 positions" in doors.game("check").stdout
    assert doors.game("count").stdout == "765 positions\n"


def test_the_remedy_of_a_missing_table_is_a_command(tmp_path: Path) -> None:
    missing = Doors(tmp_path).game("ask", "start")
    assert missing.returncode == 1
    assert f"run `python3 {GAME} solve" in missing.stderr


def test_samples(doors: Doors) -> None:
    sampled = doors.run(PROGRAMS / "tabletop-sample", "--game", GAME, "--count", "3")
    assert sampled.returncode == 0, sampled.stderr
    assert len(sampled.stdout.split()) == 3
    for position in sampled.stdout.split():
        rust = doors.run(EXAMPLES / "tic-tac-toe", "ask", position, "--tables", doors.directory)
        assert doors.game("ask", position).stdout == rust.stdout != ""


def test_stress(doors: Doors) -> None:
    options = ["--cases", "20", "--time-limit", "60", "--"]
    stress: list[str | Path] = [PROGRAMS / "tabletop-stress", "--game", GAME, *options]
    accepted = doors.run(*stress, "sh", "-c", f"'{EXAMPLES / 'tic-tac-toe'}' ask | sed 's/[ ,].*//'")
    assert accepted.stdout.startswith("tic-tac-toe: 20 accepted"), accepted.stderr
    assert doors.run(*stress, "echo", "7").returncode == 3


@pytest.fixture
def address(doors: Doors) -> Iterator[str]:
    options: list[str | Path] = ["--bind", "127.0.0.1:0", "--tables", ROOT / "tables", "--game", GAME]
    command: list[str | Path] = [PROGRAMS / "tabletop-serve", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=doors.environment, cwd=doors.directory
    ) as server:
        assert server.stdout is not None
        try:
            words = server.stdout.readline().split()
            yield next(word for word in words if word.startswith("http://")).rstrip("/")
        finally:
            server.kill()


def test_the_page_has_a_board(address: str) -> None:
    def ask(path: str, **values: str) -> Any:
        with urlopen(f"{address}/api/{path}?{urlencode(values)}", timeout=60) as answer:
            return json.load(answer)

    found = ask("tic-tac-toe", input="x../.o./...")
    assert found["board"] == ["x..", ".o.", "..."]
    assert {step["move"]: step["touch"] for step in found["moves"]}["c1"] == [[[2, 2]]]
    described = json.dumps(ask("games"))
    assert "Crosses" in described
    assert "nought" in described


def test_an_exception_of_the_rules_is_in_the_reply(doors: Doors) -> None:
    script = doors.directory / "broken.py"
    script.write_text(
        f"""
import sys
sys.path.insert(0, {str(GAME.parent)!r})
from tic_tac_toe import TicTacToe

class Broken(TicTacToe):
    def node(self, position):
        if position[4] == 2:
            raise KeyError("the centre")
        return super().node(position)

Broken().main()
"""
    )
    asked = [json.dumps({"ask": "value", "position": text}) for text in ("x../.o./...", "x../.../...")]
    spoken = doors.run("python3", script, "speak", text="\n".join(asked))
    broken, right = map(json.loads, spoken.stdout.splitlines())
    assert broken["error"]["what"] == "node('x../.o./...'): KeyError: 'the centre'"
    assert right["value"] == 0
    assert (spoken.returncode, spoken.stderr) == (0, "")
