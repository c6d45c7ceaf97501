"""RULES.md, the rules' settings and the clause tests name the same clauses and the same numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import pytest

from engine.dotfight.rules import Rules
from engine.parameters import Field, declared

TEXT = resources.files("engine.dotfight").joinpath("RULES.md").read_text(encoding="utf-8")
FLAT_WALLS = "Flat walls"


def sections(text: str) -> dict[str, str]:
    """Return the text of each clause, of each chapter (``R6``) and of the flat walls, by name."""
    found: dict[str, str] = {}
    for chapter in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading = chapter.splitlines()[0]
        name = FLAT_WALLS if heading == FLAT_WALLS else heading.split()[0]
        found[name] = chapter
        for clause in re.split(r"^\*\*(?=R\d)", chapter, flags=re.MULTILINE)[1:]:
            found[clause.split()[0]] = clause
    return found


def clauses(text: str) -> set[str]:
    """Return the clauses that need a test: those with a number of their own, and the flat walls."""
    return {name for name in sections(text) if re.fullmatch(r"R\d+\.\d+", name) or name == FLAT_WALLS}


def cited(names: Iterable[str]) -> set[str]:
    """Return the clauses that test functions name, as in ``test_R7_4_two_or_more_earn_a_flick``."""
    found = {f"R{chapter}.{clause}" for name in names for chapter, clause in re.findall(r"_R(\d+)_(\d+)", name)}
    return found | {FLAT_WALLS for name in names if name.startswith("test_flat_walls_")}


def clause_tests() -> list[str]:
    """Return the names of the test functions that stand beside this file."""
    return [
        node.name
        for file in sorted(Path(__file__).parent.glob("test_dotfight_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def told(field: Field, section: str) -> bool:
    """Say whether a section gives a setting with its default, as in ``name`` = 0.05."""
    match = re.search(rf"`{field.name}`\s+=\s+([\w.]*\w)", section)
    if match is None:
        return False
    if field.kind in (int, float):
        return float(match[1]) == field.default
    return match[1] == str(field.default).lower()


def test_every_clause_has_a_test_and_every_test_a_clause():
    assert cited(clause_tests()) == clauses(TEXT)


def test_there_are_as_many_clauses_as_were_counted_by_hand():
    per_chapter = {1: 3, 2: 5, 3: 3, 4: 4, 5: 5, 6: 7, 7: 4, 8: 5, 9: 4, 10: 1, 11: 2, 12: 2}
    assert clauses(TEXT) == {f"R{n}.{i}" for n, count in per_chapter.items() for i in range(1, count + 1)} | {
        FLAT_WALLS
    }


@pytest.mark.parametrize("clause", sorted(clauses(TEXT)))
def test_a_clause_whose_tests_are_gone_is_missed(clause: str):
    name = "test_flat_walls_" if clause == FLAT_WALLS else f"_{clause.replace('.', '_')}_"
    left = [test for test in clause_tests() if name not in test]
    assert clauses(TEXT) - cited(left) == {clause}


def test_a_clause_that_nobody_tests_and_a_test_of_no_clause_are_noticed():
    added = TEXT.replace("**R7.1 ", "**R7.9 A new clause.** Nobody tests it.\n\n**R7.1 ")
    assert clauses(added) - cited(clause_tests()) == {"R7.9"}
    assert cited([*clause_tests(), "test_R13_1_nothing"]) - clauses(TEXT) == {"R13.1"}


@pytest.mark.parametrize("field", declared(Rules), ids=lambda field: field.name)
def test_every_setting_stands_in_its_clause_with_its_default(field: Field):
    assert told(field, sections(TEXT)[field.param.source]), f"{field.param.source} does not give {field.name}"


def test_a_number_that_is_not_the_default_is_noticed():
    field = next(field for field in declared(Rules) if field.name == "snipe_man_loss")
    section = sections(TEXT)["R7.2"]
    assert told(field, section)
    assert not told(field, section.replace("`snipe_man_loss` = 0.05", "`snipe_man_loss` = 0.06"))
    assert not told(field, section.replace("snipe_man_loss", "snipe_loss"))
