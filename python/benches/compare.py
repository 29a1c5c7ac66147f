#!/usr/bin/env python3
"""Prints what Python, `--many` and the Rust library answer on one core, in one run, and the time of an import.

Needs the package and numpy in this Python. The others are measured by `cargo bench --bench lookup`, which is compiled
first.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCH = ["cargo", "bench", "--quiet", "--bench", "lookup"]
ROUNDS = 5


def rate(count: int, work: Callable[[], object]) -> str:
    """Millions a second: the median of some rounds, by the time of this process."""

    def seconds() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return f"{count / statistics.median(seconds() for _ in range(ROUNDS)) / 1e6:.2f}"


def imports() -> float:
    """Milliseconds of an import in a new interpreter, without the interpreter's own start."""
    script = "import time; t = time.perf_counter(); import tabletop; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, check=True) for _ in range(10)]
    return 1000 * statistics.median(float(run.stdout) for run in runs)


def python() -> dict[str, tuple[str, str]]:
    """Single calls and arrays."""
    import numpy as np  # noqa: PLC0415 - the import is measured first
    import tabletop  # noqa: PLC0415 - the import is measured first

    generator = np.random.default_rng(1)
    hands = generator.integers(1, 7, (1_000_000, 10), dtype=np.uint8)
    pairs = [(" ".join(map(str, row[:5])), " ".join(map(str, row[5:]))) for row in hands[:100_000].tolist()]
    blocks = generator.integers(1, 4, (1_000_000, 4, 3), dtype=np.uint8)
    towers = [
        "/".join("".join(".RGB"[block] for block in level) for level in tower) for tower in blocks[:50_000].tolist()
    ]
    return {
        "dice": (
            rate(len(pairs), lambda: [tabletop.dice.value(a, b) for a, b in pairs]),
            rate(len(hands), lambda: tabletop.dice.values(hands)),
        ),
        "jenga": (
            rate(len(towers), lambda: [tabletop.jenga.value(tower) for tower in towers]),
            rate(len(blocks), lambda: tabletop.jenga.values(blocks)),
        ),
    }


def rust() -> dict[str, dict[str, str]]:
    """`--many` and the library, as the bench of the workspace measures them."""
    found = subprocess.run(BENCH, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rates: dict[str, dict[str, str]] = {"--many": {}, "library": {}}
    for game, through, millions in re.findall(r"^(\w+) +(--many|library) +([\d.]+)", found, re.MULTILINE):
        rates[through].setdefault(game, millions)
    return rates


def main() -> None:
    subprocess.run([*BENCH, "--no-run"], cwd=ROOT, check=True)
    print(f"import: {imports():.1f} ms")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    calls, others = python(), rust()
    print("millions a second on one core")
    print(f"{'':9}{'Python, single':>16}{'Python, arrays':>16}{'--many':>10}{'library':>10}")
    for game, (single, arrays) in calls.items():
        print(f"{game:9}{single:>16}{arrays:>16}{others['--many'][game]:>10}{others['library'][game]:>10}")


main()
