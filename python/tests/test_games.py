"""The same answers as the command line, and errors that help."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from types import FrameType

import numpy as np
import pytest
import tabletop
from conftest import Ask, Samples

BAT = "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n"
EXACT = {"jenga": tabletop.jenga, "hopchess": tabletop.hopchess, "codenames": tabletop.codenames}


@pytest.mark.parametrize("game", EXACT)
def test_values_and_moves_are_those_of_the_command_line(game: str, samples: Samples, ask: Ask) -> None:
    module = EXACT[game]
    inputs = samples(game, 40)
    assert len(inputs) == 40
    for text in inputs:
        expected = json.loads(ask(game, "--json", text=text))
        advice = module.advise(text.decode())
        assert advice.details == expected
        assert advice.answer == ask(game, text=text).strip()
        value = module.value(text.decode())
        assert value == advice.value == expected.get("minutes", expected.get("probability"))
        if expected.get("fraction"):
            assert value.fraction == Fraction(expected["fraction"])


def test_dice_are_those_of_the_command_line(samples: Samples, ask: Ask) -> None:
    compared = 0
    for text in samples("dice", 40):
        for case in json.loads(ask("dice", "--json", text=text))["cases"][:50]:
            if case["mover"] != "A":
                continue
            a, b = case["a"]["dice"], case["b"]["dice"]
            value = tabletop.dice.value(a, b)
            assert (value, value.fraction) == (case["probability"], Fraction(case["fraction"]))
            advice = tabletop.dice.advise(a, b)
            assert advice.details == case
            assert tabletop.dice.values([a + b])[0] == value
            compared += 1
    assert compared > 50


def test_dice_in_mid_game_are_those_of_the_command_line(samples: Samples, ask: Ask) -> None:
    for text in samples("dice", 10):
        a, b = text.decode().splitlines()[1:3]
        for mover in ("B", "nobody"):
            case = f"1\nto move: {mover}\n{a}\n{b}\n"
            expected = json.loads(ask("dice", "--json", text=case.encode()))["cases"][0]
            advice = tabletop.dice.advise(case)
            assert (advice.details, advice.value) == (expected, expected["probability"])
            assert tabletop.dice.value(case.encode()) == advice.value


def test_balda_plays_the_game_of_the_command_line(samples: Samples, ask: Ask) -> None:
    for text in samples("balda", 8):
        expected = ask("balda", "--nodes", "2000", "--seed", "5", "--json", text=text)
        game = tabletop.balda.play(text, proposals=2000, seed=5)
        found = json.loads(expected)
        assert (game.points, [step.word for step in game.moves]) == (
            found["points"],
            [move["word"] for move in found["moves"]],
        )
    own = tabletop.balda.play(word="kenaf", proposals=100)
    assert own.points > 0
    assert own.answer.startswith(f"{len(own.moves)}\n")


def test_batches_are_single_values(samples: Samples) -> None:
    towers = [tabletop.jenga.Tower(text.decode()) for text in samples("jenga", 30)]
    array = np.zeros((len(towers), max(len(tower.levels) for tower in towers), 3), dtype=np.int64)
    for number, tower in enumerate(towers):
        for height, level in enumerate(tower.levels):
            array[number, height] = [".RGB".index(block) for block in level]
    assert tabletop.jenga.values(array).tolist() == [tower.value for tower in towers]

    boards = np.random.default_rng(1).integers(1, 3, (20, 3, 4))
    letters = [["".join("JD"[piece - 1] for piece in row) for row in board] for board in boards.tolist()]
    values = [tabletop.hopchess.value("\n".join(["3 4", *rows, "3 2", ""])) for rows in letters]
    assert tabletop.hopchess.values(boards, 3, 2).tolist() == values

    # Enough for several threads; every part is in its place.
    hands = np.random.default_rng(2).integers(1, 7, (20_000, 10))
    many = tabletop.dice.values(hands)
    for place in range(0, 20_000, 997):
        assert many[place] == tabletop.dice.value(hands[place, :5], hands[place, 5:])
    assert tabletop.dice.values(np.zeros((0, 10), dtype=np.uint8)).shape == (0,)


def test_errors_say_what_to_do() -> None:
    with pytest.raises(tabletop.InputError) as raised:
        tabletop.jenga.value("RGB/RGX")
    assert (raised.value.line, raised.value.what) == (3, "'RGX' is not a level")
    assert str(raised.value) == "line 3: 'RGX' is not a level, write three of R, G, B and . (an empty place)"
    with pytest.raises(tabletop.InputError, match=r"case 1: .* is not two hands, give ten faces from 1 to 6"):
        tabletop.dice.values([[1] * 10, [7] * 10])
    with pytest.raises(tabletop.InputError, match="give one of the shape n x 10"):
        tabletop.dice.values([1, 2])
    with pytest.raises(tabletop.InputError, match="give whole numbers"):
        tabletop.dice.values([[0.5] * 10])
    with pytest.raises(tabletop.InputError, match="case 0: the tower falls"):
        tabletop.jenga.values([[[1, 0, 0], [1, 1, 1]]])
    with pytest.raises(tabletop.InputError, match="use 0 for an empty place"):
        tabletop.jenga.values([[[4, 1, 1]]])
    with pytest.raises(tabletop.InputError, match="give boards of 1 to 16 cells"):
        tabletop.hopchess.values(np.ones((1, 5, 4), dtype=np.uint8))
    with pytest.raises(tabletop.InputError, match="2 cases, write one case"):
        tabletop.dice.advise("2\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n")
    with pytest.raises(tabletop.InputError, match="write en, ru or tr"):
        tabletop.balda.play(language="xx", word="cat")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (copy.line, copy.remedy) == (raised.value.line, raised.value.remedy)


def test_texts_may_be_bytes() -> None:
    assert tabletop.jenga.value(b"RGB/GRG") == tabletop.jenga.Tower(b"2\nRGB\nGRG\n").value == 8.656
    assert tabletop.jenga.advise(b"RGB/GRG").position == "2\nRGB\nGRG\n"
    assert tabletop.dice.value(b"6 6 6 6 6", b"1 2 3 4 5") == tabletop.dice.value("6 6 6 6 6", [1, 2, 3, 4, 5])
    assert tabletop.dice.value(b"1\n6 6 6 6 6\n1 2 3 4 5\n") == tabletop.dice.value("6 6 6 6 6", "1 2 3 4 5")
    assert tabletop.hopchess.value(b"2 2\nJJ\nDD\n3 1\n") == tabletop.hopchess.advise(b"2 2\nJJ\nDD\n3 1\n").value
    assert tabletop.codenames.value(BAT.encode()) == tabletop.codenames.advise(BAT.encode()).value == 1.0
    for wrong in (
        lambda: tabletop.jenga.value(b"RGB/\xff"),
        lambda: tabletop.dice.value(b"6 6 6 6 \xff", b"1 2 3 4 5"),
        lambda: tabletop.hopchess.value(b"\xff"),
        lambda: tabletop.codenames.value(b"\xff"),
        lambda: tabletop.codenames.value(BAT, time=-1),
        lambda: tabletop.codenames.value(BAT, time=float("nan")),
        lambda: tabletop.balda.play(word="kenaf", time=-1),
    ):
        with pytest.raises(tabletop.InputError):
            wrong()


def test_a_board_that_takes_too_long_is_refused_with_the_time_that_it_needs() -> None:
    words = [f"w{number}" for number in range(40)]
    hints = "\n".join(f"3 {words[n]} {words[(n * 7 + 1) % 40]} {words[(n * 11 + 2) % 40]}" for n in range(40))
    board = f"40 R\n{' '.join(words)}\n{' '.join('RB' * 20)}\n40\n{hints}\n"
    with pytest.raises(tabletop.LimitError) as raised:
        tabletop.codenames.value(board)
    assert "leave out cards or hints" in raised.value.remedy
    assert "--" not in str(raised.value)


def interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def long_board() -> str:
    """A board of Codenames that takes some seconds."""
    words = [f"w{number}" for number in range(24)]
    hints = "\n".join(f"3 {words[n]} {words[(n + 3) % 24]} {words[(n + 8) % 24]}" for n in range(24))
    return f"24 R\n{' '.join(words)}\n{' '.join('RB' * 12)}\n24\n{hints}\n"


SEARCHES: dict[str, Callable[[], object]] = {
    "balda": lambda: tabletop.balda.play(word="kenaf", time=600),
    "codenames": lambda: tabletop.codenames.value(long_board(), time=86_400),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_signal_stops_a_search(search: Callable[[], object]) -> None:
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            search()
        # A tenth of a second on an idle machine.
        assert time.monotonic() - begin < 0.3 + 0.1 + 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_what_a_notebook_shows_is_escaped() -> None:
    board = "2 R\n<b>bat cave\nR B\n1\n1 <b>bat\n"
    advice = tabletop.codenames.advise(board)
    assert "<b>bat" not in advice._repr_html_()
    assert "&lt;b&gt;bat" in advice._repr_html_()
    assert repr(tabletop.jenga.Tower(["RGB", "GRG"])) == "Tower('RGB/GRG')"
    assert tabletop.jenga.Tower("RGB/G..")._repr_html_().count("<rect") == 4
    assert repr(tabletop.jenga.advise("RGB/GRG")).startswith("<jenga: 8.656 expected minutes, 5 moves\n  red: take")
    assert tabletop.jenga.Tower("RGB/GRG") == tabletop.jenga.Tower("2\nRGB\nGRG\n") != tabletop.jenga.Tower("RGB/GGG")
    assert len({tabletop.jenga.Tower("RGB/GRG"), tabletop.jenga.Tower(["RGB", "GRG"])}) == 1
    assert tabletop.Value(0.5).fraction is None
    assert tabletop.__version__ == version("tabletop")
    value = tabletop.dice.value("6 6 6 6 6", "1 2 3 4 5")
    assert pickle.loads(pickle.dumps(value)).fraction == Fraction(7775, 7776)


def test_only_arrays_need_numpy() -> None:
    script = """
import sys
sys.modules["numpy"] = None
import tabletop
assert tabletop.jenga.value("RGB/GRG") == 8.656
try:
    tabletop.dice.values([[1] * 10])
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "arrays need numpy, install it with: pip install numpy\n"
