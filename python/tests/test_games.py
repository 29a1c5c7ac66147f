"""The same answers as the command line, and errors that help."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
from fractions import Fraction
from types import FrameType

import numpy as np
import pytest
import tabletop
from conftest import Ask, Samples

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


def test_balda_plays_the_game_of_the_command_line(samples: Samples, ask: Ask) -> None:
    for text in [text for text in samples("balda", 8) if len(text) < 5000]:
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


def test_a_signal_stops_a_search() -> None:
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        # Without the signal this would take ten minutes.
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            tabletop.balda.play(word="kenaf", time=600)
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
