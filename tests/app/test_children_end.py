"""Children of every kind end with the program, whatever they are at, and keep their limits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from framescope.app.background import child_processes, death_watch
from framescope.app.background.child_processes import ProcessLimits, run_child, start_program
from framescope.app.background.worker_client import SHARED, TaskError, WorkerTask
from framescope.core.kernels.machine_share import whole_memory
from framescope.core.system.cooperative_yield import report_progress_to
from framescope.features.robots.app import mjcf_reader as mjcf
from framescope.features.robots.app import xacro_reader as xacro
from tests.support.busy_children import KINDS, allocate
from tests.support.processes import is_running, with_descendants
from tests.tools.test_run import ROOT

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]

WAIT_S = 30.0
"""How long a child may take to start on a machine that does much else."""

END_S = death_watch.PATIENCE_S + 5.0
"""How long it may take to end."""

MODULES = {"compiler of MJCF": "mujoco", "xacro": "xacro"}


def until(is_so: Callable[[], bool], within_s: float, what: str) -> None:
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end, what
        threading.Event().wait(0.02)


def processor_s(pid: int) -> float:
    """Return the processor time that a process has taken."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()


@pytest.fixture
def parent(tmp_path) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Give what starts a program that has a busy child of a kind."""
    started: list[subprocess.Popen[bytes]] = []

    def start(kind: str) -> subprocess.Popen[bytes]:
        pytest.importorskip(MODULES.get(kind, "sys"))
        command = [sys.executable, "-P", "-m", "tests.support.busy_children", kind, str(tmp_path)]
        environ = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, env=environ, cwd=tmp_path))
        return started[-1]

    yield start
    for process in started:
        with process:
            process.kill()


def busy_child(parent: subprocess.Popen[bytes]) -> int:
    """Return the child of a program, once it has computed for a while."""
    found: list[int] = []

    def is_busy() -> bool:
        found[:] = [pid for pid in with_descendants(parent.pid)[1:] if processor_s(pid) > 0.7]
        return bool(found)

    until(is_busy, WAIT_S, "no child is busy")
    return found[0]


QUICK = ("worker in C", "compiler of MJCF", "encoder")
"""Kinds that are tried in every run; the others are of the same code."""


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.soak] * (kind not in QUICK)) for kind in KINDS])
def test_that_a_busy_child_has_limits_and_ends_with_a_program_that_is_killed(kind, parent) -> None:
    program = parent(kind)
    child = busy_child(program)
    assert_limits(child, {"compiler of MJCF": mjcf.LIMITS, "xacro": xacro.LIMITS}.get(kind, ProcessLimits()))
    every = with_descendants(program.pid)
    assert child in every
    assert len(every) == 3, "the program, its child and what watches over them"
    program.kill()
    program.wait()
    until(lambda: not any(map(is_running, every)), END_S, f"what is left: {list(filter(is_running, every))}")


def assert_limits(pid: int, own: ProcessLimits) -> None:
    shared = max(child_processes.LEAST_MEMORY, int(child_processes.MEMORY_SHARE * whole_memory()))
    lines = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
    limits = {line[:26].strip(): line[26:].split()[0] for line in lines}
    assert limits["Max data size"] == str(own.memory or shared)
    assert limits["Max cpu time"] == str(own.cpu_s or "unlimited")
    assert limits["Max core file size"] == "0"


def test_that_a_worker_that_needs_too_much_memory_says_so(monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with pytest.raises(TaskError, match=r"^there is not enough memory\.$"):
        WorkerTask(allocate).result(lambda _said: None)
    SHARED.close()


def test_that_processor_time_bounds_a_child_although_nobody_looks_at_a_clock() -> None:
    program = start_program(["/bin/sh", "-c", "while :; do :; done"], subprocess.DEVNULL, ProcessLimits(cpu_s=1))
    with program.process:
        assert program.wait() < 0


def test_that_who_waits_for_a_child_may_give_it_up() -> None:
    class GivenUpError(Exception):
        pass

    heard: list[float | None] = []

    def hear(share: float | None) -> None:
        heard.append(share)
        if len(heard) == 3:
            raise GivenUpError

    before = set(with_descendants(os.getpid()))
    with report_progress_to(hear), pytest.raises(GivenUpError):
        run_child("http.server", b"", WAIT_S, ProcessLimits())
    left = set(with_descendants(os.getpid())) - before
    assert [name_of(pid) for pid in left if is_running(pid)] in ([], ["sh"])


def test_that_a_watch_that_somebody_has_ended_is_started_again() -> None:
    watch = death_watch.DeathWatch()
    with subprocess.Popen(["sleep", "600"]) as first, subprocess.Popen(["sleep", "600"]) as second:
        watch.add(first.pid, is_patient=False)
        shell = watch.shell
        shell.kill()
        shell.wait()
        watch.add(second.pid, is_patient=False)
        assert watch.shell is not shell
        with watch.shell:  # its pipe ends, as when this process dies
            pass
        assert (first.wait(WAIT_S), second.wait(WAIT_S)) == (-9, -9)


def test_that_a_child_that_has_ended_is_forgotten() -> None:
    watch = death_watch.DeathWatch()
    with subprocess.Popen(["sleep", "600"]) as kept, subprocess.Popen(["sleep", "600"]) as other:
        for child in (kept, other):
            watch.add(child.pid, is_patient=False)
        watch.remove(kept.pid)
        with watch.shell:
            pass
        assert other.wait(WAIT_S) == -9
        assert kept.poll() is None
        kept.kill()
