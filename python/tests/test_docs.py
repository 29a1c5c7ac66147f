"""The examples in the documents and the notebook run as they are printed."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from test_kit import Nim

# What the examples about arrays take for granted.
GIVEN: dict[str, Any] = {
    "hands": np.ones((2, 10), dtype=np.uint8),
    "towers": np.ones((2, 4, 3), dtype=np.uint8),
    "boards": np.ones((2, 2, 3), dtype=np.uint8),
}


def examples(document: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", ["docs/python.md", "python/README.md"])
def test_the_examples_run(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "jenga.tbl").symlink_to(ROOT / "tables" / "jenga.tbl")
    # An example reads the table of a game that another one solves.
    Nim().solve().save(tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    found = examples(document)
    assert found
    names = {"__name__": "example", **GIVEN}
    for example in found:
        exec(compile(example, document, "exec"), names)


def test_the_game_of_the_document_is_a_program(tmp_path: Path) -> None:
    example = next(example for example in examples("docs/python.md") if ".main()" in example)
    (tmp_path / "nim.py").write_text(example)

    def run(*arguments: str) -> str:
        command = [sys.executable, "nim.py", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    assert "13 positions" in run("solve")
    assert run("ask", "12") == "-1 in 6 moves\n"


def test_the_package_has_its_licences() -> None:
    found = {path.name for path in files("tabletop") or [] if path.parent.name == "licenses"}
    assert found == {"LICENSE-APACHE", "LICENSE-MIT", "NOTICE"}


def test_the_notebook_runs() -> None:
    notebook = nbformat.read(ROOT / "docs" / "python.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in data for data in shown)
    assert any("image/png" in data for data in shown)
