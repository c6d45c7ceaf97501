"""How many CPUs there are to use, whatever sets the limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.runners.cpus import usable_cpus


@pytest.fixture(autouse=True)
def eight_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.runners.cpus.os.sched_getaffinity", lambda _: set(range(8)))


@pytest.mark.parametrize(
    ("quota", "cpus"),
    [("max 100000", 8), ("300000 100000", 3), ("250000 100000", 2), ("50000 100000", 1), ("9900000 100000", 8)],
)
def test_control_groups_of_version_2(tmp_path: Path, quota: str, cpus: int):
    (tmp_path / "cpu.max").write_text(quota + "\n")
    assert usable_cpus(tmp_path) == cpus


@pytest.mark.parametrize(("quota", "cpus"), [("-1", 8), ("400000", 4), ("10000", 1)])
def test_control_groups_of_version_1(tmp_path: Path, quota: str, cpus: int):
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert usable_cpus(tmp_path) == cpus


@pytest.mark.parametrize("content", [None, "", "nonsense", "1 2 3", "a b"])
def test_without_a_readable_quota_affinity_decides(tmp_path: Path, content: str | None):
    if content is not None:
        (tmp_path / "cpu.max").write_text(content)
    assert usable_cpus(tmp_path) == 8
