"""The programs that the package is compared with."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(os.environ["TABLETOP_ROOT"])
PROGRAMS = Path(os.environ["TABLETOP_PROGRAMS"])
# The examples of the kit, written in Rust.
EXAMPLES = Path(os.environ["TABLETOP_EXAMPLES"])

Ask = Callable[..., str]
Samples = Callable[[str, int], list[bytes]]


def run(program: str, *arguments: str, text: bytes = b"") -> str:
    """What a program prints."""
    command = [str(PROGRAMS / program), *arguments]
    environment = {**os.environ, "TABLETOP_TABLES": str(ROOT / "tables")}
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, env=environment)
    return done.stdout.decode()


@pytest.fixture
def ask() -> Ask:
    """Asks the command line."""
    return lambda *arguments, text: run("tabletop", *arguments, text=text)


@pytest.fixture
def samples(tmp_path: Path) -> Samples:
    """Seeded inputs of all kinds."""

    def draw(game: str, count: int) -> list[bytes]:
        kinds = ["--kind", "tiny", "--kind", "ordinary"] if game == "codenames" else []
        run("tabletop-sample", game, "--count", str(count), "--seed", "7", *kinds, "--out", str(tmp_path / game))
        return [path.read_bytes() for path in sorted((tmp_path / game).glob("*.in"))]

    return draw
