"""Exports end: of scenes with problems in every format, and at the demand of others, with nothing half written."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from framescope import assets
from tests.support import fuzzing
from tests.support.export_fuzzing import KEYS, LIGHT, export_all

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]

FOR_S = 120.0
"""How long an export may take on a machine that does much else."""

RINGS = {"self": {"a": "a"}, "two": {"a": "b", "b": "a"}, "three": {"c": "a", "a": "b", "b": "c"}}
RING = """\
framescope: 1
title: Ring
time: {start: 0 s, end: 1 s}
frames:
@
  low: {parent: a, orientation: {form: axes, sequence: ZYX, angles: ["90*t", 10, 20], unit: deg}}
  lower: {parent: low, motion: {form: joint, type: revolute, axis: [0, 0, 1], value: "t", unit: rad}}
  free: {parent: world, orientation: {form: axis, axis: z, angle: "t", unit: rad}}
bodies:
  box: {frame: a, shape: {form: box, size: [1, 1, 1], unit: m}}
  ball: {frame: lower, shape: {form: sphere, radius: 10 cm}}
sensors:
  s: {form: relative, frame_a: low, frame_b: free, get_v_rel: true, get_w_rel: true, arrows: {v: 0.2 m per m/s}}
measured:
  w: {form: pose, of: a, relative_to: low, position: {value: [0, 0, 1], unit: m}}
notes:
  n: {text: here, frame: lower, position: {value: [0, 0, 0], unit: m}}
view:
  trails: [{frame: lower, duration: 1 s}]
  rings: [{frame: low, radius: 0.3 m}]
  arcs: [{frame: low, radius: 0.2 m}]
  plots:
    - {signal: angles, of: low, relative_to: a, sequence: ZYX, unit: deg}
    - {signal: position, of: lower, relative_to: free, resolved_in: a, unit: m}
    - {signal: quaternion, of: a, relative_to: world}
"""


@contextmanager
def time_limit(seconds: float):
    """End what takes longer with the place where it stands."""

    def late(*_: object) -> None:
        raise TimeoutError(f"it goes on after {seconds:g} s")

    former = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, former)


needs_alarm = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="the system has no timer of signals")


@needs_alarm
@pytest.mark.parametrize("name", RINGS)
def test_that_frames_that_hang_on_themselves_are_exported_in_every_format(name, tmp_path) -> None:
    frames = "\n".join(f"  {frame}: {{parent: {parent}}}" for frame, parent in RINGS[name].items())
    path = tmp_path / "ring.yaml"
    path.write_text(RING.replace("@", frames))
    with time_limit(FOR_S):
        outcomes = dict(export_all(path, tmp_path, KEYS if name == "two" else ("html", "glb", "csv", "svg")))
    assert set(outcomes.values()) == {"written"}


FAULTY = sorted(path.name for path in assets.path("scenes/faulty").glob("*.yaml"))


@needs_alarm
@pytest.mark.parametrize("name", FAULTY)
def test_that_every_faulty_example_is_exported_in_the_time_of_a_sound_one(name, tmp_path) -> None:
    with time_limit(FOR_S):
        outcomes = dict(export_all(assets.path(f"scenes/faulty/{name}"), tmp_path, ("glb", "csv", "zip", "html")))
    assert set(outcomes.values()) == {"written"}


@needs_alarm
@pytest.mark.parametrize("number", [19, 333, 7, 23])
def test_that_damaged_scenes_are_exported_or_refused(number, tmp_path) -> None:
    """``run.py bench fuzz`` takes hundreds; in 19 a frame that stands still has no value, in 333 one with rings has
    no motion."""
    fuzzing.furnish(tmp_path)
    path = tmp_path / "scene.yaml"
    path.write_bytes(fuzzing.mutant(number, fuzzing.seeds()))
    (tmp_path / "written").mkdir()
    with time_limit(FOR_S):
        assert set(dict(export_all(path, tmp_path / "written", LIGHT)).values()) <= {"written", "refused"}


ENDLESS = """
import os, sys, time
from pathlib import Path
from framescope.app.exporters.encoding import interrupts
from framescope.core.system.atomic_write import atomically
interrupts.PATIENCE_S = 0.3
with interrupts.interrupts_between_frames() as is_interrupted, atomically(Path(sys.argv[1])) as partial:
    partial.write_text("half")
    print("ready", flush=True)
    while sys.argv[2] == "loop":
        pass
    while sys.argv[2] == "look" and not is_interrupted():
        time.sleep(0.01)
    if sys.argv[2] == "call":
        os.read(os.pipe()[0], 1)  # until there is something, which is never; Python goes back to it after a signal
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("how", ["loop", "look", "call"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_that_a_signal_ends_an_export_wherever_it_stands(name, how, tmp_path) -> None:
    out = tmp_path / "out.glb"
    reset = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell may have ignored it
    command = [sys.executable, "-P", "-c", reset + ENDLESS, str(out), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            number = getattr(signal, name)
            process.send_signal(number)
            code = process.wait(FOR_S)
        finally:
            process.kill()
    assert code in (-number, 128 + number)
    assert [item.name for item in tmp_path.iterdir() if item.name != "out.glb"] == []


def open_files() -> set[str]:
    return {item.name for item in Path("/proc/self/fd").iterdir()} if sys.platform == "linux" else set()


def test_that_an_export_that_was_not_told_to_end_leaves_no_listener() -> None:
    from framescope.app.exporters.encoding.interrupts import interrupts_between_frames

    before = open_files()
    wakeup = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(wakeup)
    with interrupts_between_frames():
        time.sleep(0)
    assert signal.set_wakeup_fd(wakeup) == wakeup
    assert open_files() == before
