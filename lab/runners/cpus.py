"""How many CPUs this process may use, which on a shared machine or in a container is fewer than it has."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")


def usable_cpus(cgroup: Path = CGROUP) -> int:
    """Return the number of CPUs that affinity and control groups leave to this process, at least 1."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return max(1, affinity if quota is None else min(affinity, math.floor(quota)))


def _quota(cgroup: Path) -> float | None:
    """Return the CPUs' worth of time that a control group grants (version 2, then version 1), or None."""
    try:
        granted, period = (cgroup / "cpu.max").read_text().split()
        return None if granted == "max" else int(granted) / int(period)
    except (OSError, ValueError):
        pass
    try:
        granted = int((cgroup / "cpu" / "cpu.cfs_quota_us").read_text())
        return None if granted < 0 else granted / int((cgroup / "cpu" / "cpu.cfs_period_us").read_text())
    except (OSError, ValueError):
        return None
