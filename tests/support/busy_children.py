"""Children of each kind that the program starts, busy for good; run as a program, it is the parent of one."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from framescope.app.background.child_processes import ProcessLimits, run_child, start_program
from framescope.app.background.worker_client import SHARED, WorkerPool, WorkerTask
from framescope.app.exporters.encoding.ffmpeg import ffmpeg_command
from framescope.features.cluster.app import dask_cluster
from framescope.features.robots.app import mjcf_reader as mjcf
from framescope.features.robots.app import xacro_reader as xacro

ROUNDS = "".join(f'<replicate count="1000" offset="{k} 1 0">' for k in range(4))
MODEL = f'<mujoco><worldbody>{ROUNDS}<geom size="1"/>{"</replicate>" * 4}</worldbody></mujoco>'
LOOP = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">
<link name="${max(range(10**15))}"/></robot>"""


def in_c(_report: object, _is_cancelled: object) -> int:
    """Keep Python's lock in a function in C, for good."""
    return sum(itertools.repeat(0))


def in_python(_report: object, _is_cancelled: object) -> None:
    """Go around in Python, for good."""
    while True:
        pass


def allocate(_report: object, _is_cancelled: object) -> int:
    """Ask for more memory than any machine of the tests has."""
    return len(bytearray(1 << 50))


def work(pool: WorkerPool, function: Callable[..., object]) -> None:
    """Have a worker busy."""
    WorkerTask(function, pool=pool).result(lambda _said: None)


def compile_model() -> None:
    """Have the compiler of MJCF busy with what is refused before it, when it comes from a file."""
    data = pickle.dumps((MODEL, {}))
    run_child("framescope.features.robots.core.mjcf.child", data, mjcf.TIMEOUT_S, mjcf.LIMITS)


def run_xacro() -> None:
    """Have what runs xacro busy with a list without an end."""
    path = Path(sys.argv[2]) / "loop.xacro"
    path.write_text(LOOP, "utf-8")
    data = pickle.dumps((str(path), {}))
    run_child("framescope.features.robots.app.xacro_child", data, xacro.TIMEOUT_S, xacro.LIMITS)


def encode() -> None:
    """Have an encoder busy."""
    command = ffmpeg_command(["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25", "-f", "null", "-"])
    start_program(command, subprocess.DEVNULL, ProcessLimits()).wait()


KINDS: dict[str, Callable[[], None]] = {
    "worker in C": lambda: work(SHARED, in_c),
    "worker in Python": lambda: work(SHARED, in_python),
    "export in C": lambda: work(WorkerPool(1), in_c),
    "worker of a cluster in Python": lambda: work(dask_cluster.CHUNK_POOL, in_python),
    "compiler of MJCF": compile_model,
    "xacro": run_xacro,
    "encoder": encode,
}

if __name__ == "__main__":
    from tests.support import busy_children  # a child finds functions of that module, and none of this one

    threading.Thread(target=busy_children.KINDS[sys.argv[1]], daemon=True).start()
    sys.stdin.read()
