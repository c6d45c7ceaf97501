"""Every notebook runs from its first cell to its last, in a folder of its own, and is kept without outputs."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def execute(notebook: Any, folder: Path) -> Any:
    """Run a notebook in ``folder``; raises CellExecutionError where a cell does."""
    from nbclient import NotebookClient

    with warnings.catch_warnings():
        # What the kernel's own plumbing (sockets, event loops) warns of is not ours.
        warnings.simplefilter("ignore")
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
        return asyncio.run(client.async_execute())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    return tmp_path / "notebooks"


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_clear(path: Path):
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert cells
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    assert not any("def " in cell.source or "class " in cell.source for cell in cells), "notebooks define nothing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, folder: Path):
    notebook = execute(read(path), folder)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)
    assert any((folder.parent / "runs").iterdir()), "nothing was played"


def test_a_notebook_that_fails_is_caught(folder: Path):
    from nbclient.exceptions import CellExecutionError

    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(broken, folder)
