"""Cores and memory of a process within the limits of its groups, of both versions, and where nothing is said."""

from __future__ import annotations

import os

import pytest

from framescope.core.kernels import machine_share


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_share, "PROC", tmp_path / "proc")
    monkeypatch.setattr(machine_share, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(16)), raising=False)
    machine_share.cores.cache_clear()

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    yield write
    machine_share.cores.cache_clear()


def test_that_nothing_said_is_no_limit(machine) -> None:
    assert machine_share.cores() == 16
    assert machine_share.free_memory() == machine_share.PLENTY
    assert machine_share.used_memory() == 0


def test_that_memory_is_told_by_the_system(machine) -> None:
    machine(
        {
            "proc/meminfo": "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable: 4000 kB\n",
            "proc/self/status": "Name: python\nVmRSS:\t  700 kB\n",
        }
    )
    assert machine_share.free_memory() == 4000 * 1024
    assert machine_share.used_memory() == 700 * 1024


def test_that_a_group_of_the_second_version_limits(machine) -> None:
    machine(
        {
            "proc/meminfo": "MemAvailable: 4000000 kB\n",
            "proc/self/cgroup": "0::/user.slice/app\n",
            "groups/user.slice/app/cpu.max": "250000 100000\n",
            "groups/user.slice/app/memory.max": "max\n",
            "groups/user.slice/app/memory.current": "100\n",
            "groups/user.slice/memory.max": "1000000\n",
            "groups/user.slice/memory.current": "600000\n",
            "groups/user.slice/memory.stat": "anon 500000\ninactive_file 50000\nactive_file 50000\n",
        }
    )
    assert machine_share.cores() == 3
    assert machine_share.free_memory() == 450_000


def test_that_a_group_of_the_first_version_limits(machine) -> None:
    machine(
        {
            "proc/self/cgroup": "4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n1:pids:/docker/abc\n",
            "groups/memory/memory.limit_in_bytes": "2000000\n",  # seen from within, its own group is the root
            "groups/memory/memory.usage_in_bytes": "500000\n",
            "groups/memory/memory.stat": "inactive_file 3\ntotal_inactive_file 100000\n",
            "groups/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
            "groups/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        }
    )
    assert machine_share.cores() == 1
    assert machine_share.free_memory() == 1_600_000


@pytest.mark.parametrize("quota", ["max 100000", "-1 100000", "nonsense", "", "100000", "0 0", "900000000 100000"])
def test_that_no_quota_or_nonsense_leaves_the_cores(quota, machine) -> None:
    machine({"proc/self/cgroup": "0::/\n", "groups/cpu.max": quota})
    assert machine_share.cores() == 16


def test_that_a_full_group_leaves_one_byte(machine) -> None:
    machine(
        {
            "proc/self/cgroup": "0::/a\n",
            "groups/a/memory.max": "100\n",
            "groups/a/memory.current": "200\n",
        }
    )
    assert machine_share.free_memory() == 1
