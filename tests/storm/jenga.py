#!/usr/bin/env python3
"""Poses coloured Jenga to the model checker Storm and compares its exact values with what `tabletop` answers.

Two models are written in the PRISM language from the rules of the game, none from our tables:

- by places: a variable for every place of every level, literally the statement's tower. One model per start, for all
  starts of up to two levels and a seeded sample of three;
- by kinds: the number of levels of each kind below the top. Levels of a kind are interchangeable, and so are mirrored
  levels. So one model holds all starts with the same number of levels, up to four.

In both models the player throws the die (one minute), takes a block of its colour and puts it on the top, or waits if
there is none. Storm minimises the expected number of throws in rational arithmetic. Usage: see CONTRIBUTING.md.
"""

import argparse
import importlib
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

STORMPY = "stormpy==2.0.0"
# Relative; a double is rounded a few times on the way to its record.
TOLERANCE = Fraction(1, 10**14)
SEED = 1
ROOT = Path(__file__).resolve().parents[2]
Tower: TypeAlias = tuple[str, ...]
# The number of levels of each kind below the top, and the top.
Key: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]

COLOURS = {"R": 1, "G": 2, "B": 3}
LEVELS = ["".join(letters) for letters in itertools.product("RGB", repeat=3)]
KINDS = [level for level in LEVELS if level <= level[::-1]]
FACES = " + ".join(f"{chance}:(die'={colour})&(phase'=1)" for chance, colour in [("1/6", 1), ("1/3", 2), ("1/3", 3)])
ROLL = f"  [roll] phase=0 & !over -> {FACES} + 1/6:true;"
WAIT = "  [] phase=1 & {none} -> (die'=0)&(phase'=0);"
THROWS = 'rewards "minutes"\n  [roll] true : 1;\nendrewards\n'
# Phases: 0 throw, 1 take, 2 put, 3 build the start. The die keeps the colour of the block that was taken.
TURN = "  phase : [0..3] init {phase};\n  die : [0..3] init 0;"


def any_of(conditions: Iterable[str]) -> str:
    return "(" + (" | ".join(conditions) or "false") + ")"


def by_places(tower: Tower) -> str:
    """The model of one start, given from the bottom to the top."""
    highest = 3 * len(tower)

    def name(level: int, place: int) -> str:
        return f"x{level}_{place}"

    lines = ["mdp", "module tower", TURN.format(phase=0), f"  height : [1..{highest}] init {len(tower)};"]
    for level in range(1, highest + 1):
        for place in range(3):
            block = COLOURS[tower[level - 1][place]] if level <= len(tower) else 0
            lines.append(f"  {name(level, place)} : [0..3] init {block};")
    takes = []
    for level in range(1, highest):
        left, middle, right = (name(level, place) for place in range(3))
        stays = [f"{middle}>0", f"({left}>0 & {right}>0)", f"{middle}>0"]
        blocks = zip((left, middle, right), stays, strict=True)
        takes += [(f"height>{level} & {block}>0 & {stay}", block) for block, stay in blocks]
    lines += [f"  [] phase=1 & {condition} & {block}=die -> ({block}'=0)&(phase'=2);" for condition, block in takes]
    lines.append(WAIT.format(none="!" + any_of(f"({condition} & {block}=die)" for condition, block in takes)))
    for level in range(1, highest + 1):
        full = " & ".join(f"{name(level, place)}>0" for place in range(3))
        for place in range(3):
            done = "(die'=0)&(phase'=0)"
            put = name(level, place)
            lines.append(f"  [] phase=2 & height={level} & {put}=0 -> ({put}'=die)&{done};")
            if level < highest:
                above = f"({name(level + 1, place)}'=die)&(height'={level + 1})"
                lines.append(f"  [] phase=2 & height={level} & {full} -> {above}&{done};")
    over = "!" + any_of(f"({condition})" for condition, _ in takes)
    return "\n".join([*lines, ROLL, "endmodule", f"formula over = {over};", THROWS])


def by_kinds(levels: int) -> str:
    """The model of all starts of `levels` levels. First a start is built level by level, then the game begins."""
    full = [f"full_{kind}" for kind in KINDS]
    half = {colour: f"half_{colour}" for colour in COLOURS}
    most = 3 * levels
    lines = ["mdp", "module tower", TURN.format(phase=3), f"  last : [0..{len(KINDS)}] init 0;"]
    lines += [f"  {variable} : [0..{most}] init 0;" for variable in [*full, *half.values()]]
    lines += [f"  top{place} : [0..3] init 0;" for place in range(3)]
    built = " + ".join(full)
    tops = {level: " & ".join(f"top{place}={COLOURS[level[place]]}" for place in range(3)) for level in LEVELS}
    for number, variable in enumerate(full):
        add = f"({variable}'={variable}+1)&(last'={number})"
        lines.append(f"  [] phase=3 & {built}<{levels - 1} & last<={number} -> {add};")
    for level in LEVELS:
        top = "&".join(f"(top{place}'={COLOURS[level[place]]})" for place in range(3))
        lines.append(f"  [] phase=3 & {built}={levels - 1} -> {top}&(last'=0)&(phase'=0);")
    for variable, kind in zip(full, KINDS, strict=True):
        left, middle, right = tuple(kind)
        less = f"({variable}'={variable}-1)"
        for block, stays in [(left, half[right]), (right, half[left])]:
            take = f"{less}&({stays}'={stays}+1)&(phase'=2)"
            lines.append(f"  [] phase=1 & die={COLOURS[block]} & {variable}>0 -> {take};")
        # Without its middle block, nothing more can be taken from a level.
        lines.append(f"  [] phase=1 & die={COLOURS[middle]} & {variable}>0 -> {less}&(phase'=2);")
    for colour, variable in half.items():
        lines.append(f"  [] phase=1 & die={COLOURS[colour]} & {variable}>0 -> ({variable}'={variable}-1)&(phase'=2);")
    gives = {
        colour: [f"{variable}>0" for variable, kind in zip(full, KINDS, strict=True) if colour in kind]
        + [f"{half[colour]}>0"]
        for colour in COLOURS
    }
    none = any_of(f"(die={number} & !{any_of(gives[colour])})" for colour, number in COLOURS.items())
    lines.append(WAIT.format(none=none))
    for place in range(3):
        lines.append(f"  [] phase=2 & top{place}=0 -> (top{place}'=die)&(die'=0)&(phase'=0);")
        others = "&".join(f"(top{other}'=0)" for other in range(3) if other != place)
        for level in LEVELS:
            below = full[KINDS.index(min(level, level[::-1]))]
            put = f"({below}'={below}+1)&(top{place}'=die)&{others}&(die'=0)&(phase'=0)"
            lines.append(f"  [] phase=2 & {tops[level]} -> {put};")
    over = f"({built} + {' + '.join(half.values())} = 0)"
    return "\n".join([*lines, ROLL, "endmodule", f"formula over = {over};", THROWS])


class Storm:
    """The model checker, with rational numbers."""

    def __init__(self, stormpy: ModuleType) -> None:
        self.stormpy = stormpy

    def solve(self, text: str) -> tuple[Any, Any]:
        """The model, and the least expected minutes from each of its states."""
        with tempfile.NamedTemporaryFile("w", suffix=".prism") as file:
            file.write(text)
            file.flush()
            program = self.stormpy.parse_prism_program(file.name)
        properties = self.stormpy.parse_properties("Rmin=? [F (over & phase=0)]", program)
        options = self.stormpy.BuilderOptions(properties)
        options.set_build_state_valuations()
        model = self.stormpy.build_model[self.stormpy.Rational](program, options=options)
        return model, self.stormpy.model_checking(model, properties[0])

    def of_start(self, tower: Tower) -> Fraction:
        """The minutes of one start, by places."""
        model, result = self.solve(by_places(tower))
        return fraction(result.get_value(model.initial_states[0]))

    def of_all_starts(self, levels: int) -> tuple[int, dict[Key, Fraction]]:
        """The minutes of all starts of `levels` levels, by kinds: keyed as by `key`."""
        model, result = self.solve(by_kinds(levels))
        variables = {variable.name: variable for variable in model.state_valuations.get_all_variables()}

        def column(name: str) -> Sequence[int]:
            values: Sequence[int] = model.state_valuations.get_values_states(variables[name])
            return values

        names = ["phase", *(f"half_{colour}" for colour in COLOURS), *(f"top{place}" for place in range(3))]
        phase, *halves_and_top = (column(name) for name in names)
        full = [column(f"full_{kind}") for kind in KINDS]
        minutes: dict[Key, Fraction] = {}
        for state in range(model.nr_states):
            red, green, blue, *top = (values[state] for values in halves_and_top)
            below = tuple(values[state] for values in full)
            if phase[state] == 0 and red + green + blue == 0 and all(top) and sum(below) == levels - 1:
                minutes[below, tuple(top)] = fraction(result.get_value(state))
        return model.nr_states, minutes


def fraction(rational: Any) -> Fraction:
    return Fraction(int(str(rational.numerator)), int(str(rational.denominator)))


def key(tower: Tower) -> Key:
    kinds = [min(level, level[::-1]) for level in tower[:-1]]
    return tuple(kinds.count(kind) for kind in KINDS), tuple(COLOURS[letter] for letter in tower[-1])


def answers(tabletop: Path, towers: list[Tower]) -> list[Fraction]:
    """The answers of our program, as the exact values of the doubles that it prints."""
    text = "".join(f"{len(tower)}\n" + "".join(f"{level}\n" for level in tower) for tower in towers)
    command = [str(tabletop), "jenga", "--many", "--tables", str(ROOT / "tables")]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return [Fraction(float(line)) for line in done.stdout.split()]


class Comparison:
    """The largest difference so far, relative to the exact value or to 1, whichever is larger."""

    def __init__(self) -> None:
        self.towers = 0
        self.largest = Fraction(0)

    def add(self, tower: Tower, exact: Fraction, answer: Fraction) -> None:
        difference = abs(answer - exact) / max(exact, Fraction(1))
        self.towers += 1
        self.largest = max(self.largest, difference)
        if difference > TOLERANCE:
            sys.exit(f"{' '.join(tower)}: {float(answer)!r} by tabletop, {exact} = {float(exact)!r} by Storm")


def compare_by_places(storm: Storm, tabletop: Path, sample: int) -> Comparison:
    starts: list[Tower] = [tower for levels in (1, 2) for tower in itertools.product(LEVELS, repeat=levels)]
    seeded = random.Random(SEED)
    starts += [tuple(seeded.choice(LEVELS) for _ in range(3)) for _ in range(sample)]
    comparison, begin = Comparison(), time.monotonic()
    for tower, answer in zip(starts, answers(tabletop, starts), strict=True):
        comparison.add(tower, storm.of_start(tower), answer)
    report(f"by places, all starts with n = 1 and 2 and {sample} seeded ones with n = 3", comparison, begin)
    return comparison


def compare_by_kinds(storm: Storm, tabletop: Path, levels: int) -> Comparison:
    comparison, begin = Comparison(), time.monotonic()
    states, minutes = storm.of_all_starts(levels)
    starts = list(itertools.product(LEVELS, repeat=levels))
    for tower, answer in zip(starts, answers(tabletop, starts), strict=True):
        comparison.add(tower, minutes[key(tower)], answer)
    report(f"by kinds, all starts with n = {levels} in one model of {states:,} states", comparison, begin)
    return comparison


def report(what: str, comparison: Comparison, begin: float) -> None:
    seconds, largest = time.monotonic() - begin, float(comparison.largest)
    print(f"{what}: {comparison.towers:,} towers, largest difference {largest:.2e}, {seconds:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="compare tabletop's answers for coloured Jenga with Storm's")
    parser.add_argument("--tabletop", type=Path, default=ROOT / "target/release/tabletop", help="the query binary")
    parser.add_argument("--levels", type=int, choices=range(1, 5), default=4, help="the most levels (default 4)")
    parser.add_argument("--sample", type=int, default=10, help="starts of three levels that are posed by places")
    arguments = parser.parse_args()
    try:
        stormpy = importlib.import_module("stormpy")
    except ImportError as error:
        sys.exit(f"stormpy cannot be imported ({error}), nothing was compared; run `pip install {STORMPY}`")
    if f"stormpy=={stormpy.__version__}" != STORMPY:
        sys.exit(f"stormpy {stormpy.__version__} is installed, nothing was compared; run `pip install {STORMPY}`")
    if not arguments.tabletop.is_file():
        sys.exit(f"{arguments.tabletop}: no such program, nothing was compared; run `cargo build --release`")
    print(f"{STORMPY}, rational arithmetic; differences are relative, tolerance {float(TOLERANCE):.0e}", flush=True)
    storm = Storm(stormpy)
    comparisons = [compare_by_places(storm, arguments.tabletop, arguments.sample)]
    comparisons += [compare_by_kinds(storm, arguments.tabletop, levels) for levels in range(1, arguments.levels + 1)]
    towers = sum(comparison.towers for comparison in comparisons)
    largest = max(comparison.largest for comparison in comparisons)
    print(f"all {towers:,} answers agree, largest difference {float(largest):.2e}")


if __name__ == "__main__":
    main()
