"""Whatever is in a file, a reader reads it or refuses it in one line: nothing else comes of it, and nothing is run."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readers import ODD, ODD_TOML, READERS, examples, feed, paths, spoilt, spoilt_line

from lab.printable import printable

TOML = ("experiment", "sweep")
JSON = tuple(reader for reader in READERS if reader not in TOML)
SLOW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def check(reader: str, content: bytes) -> None:
    refusal = feed(reader, content)
    if refusal is not None:
        assert refusal
        shown = printable(refusal)
        assert len(shown) < 3000
        assert shown.isprintable()


@pytest.mark.parametrize("reader", READERS)
def test_a_sound_file_is_read(reader: str):
    found = examples(reader)
    assert found
    assert [feed(reader, content) for content in found] == [None] * len(found)


@pytest.mark.parametrize("reader", READERS)
@SLOW
@given(data=st.data())
def test_any_bytes_are_read_or_refused(reader: str, data: st.DataObject):
    content = data.draw(st.sampled_from(examples(reader)))
    cut = data.draw(st.integers(0, len(content) - 1))
    middle = data.draw(st.binary(max_size=20))
    check(reader, content[:cut] + middle + content[cut + data.draw(st.sampled_from([0, 1, 5, len(content)])) :])


@pytest.mark.parametrize("reader", JSON)
@SLOW
@given(data=st.data())
def test_a_value_of_any_kind_anywhere_is_read_or_refused(reader: str, data: st.DataObject):
    tree = json.loads(data.draw(st.sampled_from(examples(reader))))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(paths(tree)))
        tree = spoilt(tree, path, data.draw(st.sampled_from((*ODD, ...))))
        if not paths(tree):
            break
    check(reader, json.dumps(tree).encode())


@pytest.mark.parametrize("reader", TOML)
@SLOW
@given(data=st.data())
def test_any_value_in_a_line_is_read_or_refused(reader: str, data: st.DataObject):
    content = data.draw(st.sampled_from(examples(reader)))
    for _ in range(data.draw(st.integers(1, 3))):
        content = spoilt_line(content, data.draw(st.integers(0, 200)), data.draw(st.sampled_from(ODD_TOML)))
    check(reader, content)
