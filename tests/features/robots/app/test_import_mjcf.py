"""Models in MJCF as files: compiled in a process of their own, opened, found in their folder, and what is missing."""

from __future__ import annotations

import io
import json
import pickle
import sys
from pathlib import Path

import pytest

from framescope.app.background.child_processes import ProcessLimits, child_folder, run_child
from framescope.app.importers.registry import file_in, importer_of
from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import MUJOCO
from framescope.features.robots.app import mjcf_reader as mjcf
from framescope.features.robots.app.mjcf_reader import LIMITS, compile_apart
from framescope.features.robots.core.mjcf import child
from framescope.features.robots.core.mjcf.compiled import CompileError, compile_here
from framescope.features.robots.core.mjcf.source import read_source
from tests.support.mjcf_models import random_mjcf

pytest.importorskip("mujoco")

ARM = """<mujoco model="arm">
  <worldbody><body name="arm"><joint name="elbow"/><geom size="0.1"/></body></worldbody>
</mujoco>"""


def no_file(_name: str) -> None:
    return None


@pytest.mark.process
def test_that_a_compiler_in_another_process_says_the_same() -> None:
    source = read_source(random_mjcf(3).encode(), no_file)
    assert compile_apart(source) == compile_here(source)
    with pytest.raises(CompileError, match="size 0 must be positive"):
        compile_apart(read_source(ARM.replace("0.1", "-1").encode(), no_file))


@pytest.mark.process
def test_that_warnings_of_the_compiler_leave_no_file_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = ARM.replace('"arm"', '"hand"').replace("<worldbody>", '<visual><map zfar="30"/></visual><worldbody>')
    (tmp_path / "hand.xml").write_text(other)
    whole = ARM.replace("<worldbody>", '<asset><model name="hand" file="hand.xml"/></asset><worldbody>')
    whole = whole.replace("<geom", '<attach model="hand" body="hand" prefix="a"/><geom')
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    compile_apart(read_source(whole.encode(), lambda name: (tmp_path / name).read_bytes()))
    assert sorted(tmp_path.iterdir()) == before


def test_that_a_compiler_that_ends_or_is_slow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    source = read_source(ARM.encode(), no_file)

    def ended(*_asked: object):
        return -11, b""

    def slow(_module: str, _data: bytes, timeout_s: float, _limits: ProcessLimits):
        raise mjcf.subprocess.TimeoutExpired("x", timeout_s)

    monkeypatch.setattr(mjcf, "run_child", ended)
    with pytest.raises(CompileError, match=r"ended unexpectedly \(-11\)"):
        compile_apart(source)
    monkeypatch.setattr(mjcf, "run_child", slow)
    with pytest.raises(CompileError, match="longer than 60 s"):
        compile_apart(source)


def test_that_without_mujoco_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(MUJOCO), "is_installed", False)
    with pytest.raises(FramescopeError, match=r"MJCF needs mujoco\. Add it with: .* add robots"):
        compile_apart(read_source(ARM.encode(), no_file))
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(FramescopeError, match="MJCF needs mujoco"):
        compile_here(read_source(ARM.encode(), no_file))


@pytest.mark.process
def test_that_a_model_that_needs_more_memory_than_there_is_for_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = '<replicate count="100" offset="1 0 0">' * 2 + '<geom size=".1"/>' + "</replicate>" * 2
    source = read_source(f"<mujoco><worldbody>{rows}</worldbody></mujoco>".encode(), no_file)
    monkeypatch.setattr(mjcf, "LIMITS", ProcessLimits(memory=64 << 20, cpu_s=65))
    with pytest.raises(CompileError, match=r"memory"):
        compile_apart(source)


def test_that_what_a_model_compiles_to_is_bounded(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(child, "describe_model", lambda *_source: {"name": "x" * child.MOST_WRITTEN})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pickle.dumps((ARM, {})))))
    child.main()
    assert "more than 64,000,000" in json.loads(capsys.readouterr().out)["refused"]


@pytest.mark.process
def test_that_what_the_compiler_imports_starts_no_interpreter_that_runs_files_of_its_folder(tmp_path: Path) -> None:
    """As the library for windows that MuJoCo imports asks another interpreter for its version."""
    trap, log = Path(child_folder()) / "ctypes.py", tmp_path / "sprung"
    trap.write_text(f"open({str(log)!r}, 'w').close()\n", "utf-8")
    try:
        compile_apart(read_source(ARM.encode(), no_file))
    finally:
        trap.unlink()
    assert not log.exists()


@pytest.mark.process
def test_that_a_child_gets_its_data_and_runs_nowhere_near_the_file(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(3)", "utf-8")
    ended, written = run_child("framescope.features.robots.core.mjcf.child", pickle.dumps((ARM, {})), 60.0, LIMITS)
    assert ended == 0
    assert b'"elbow"' in written
    with pytest.raises(mjcf.subprocess.TimeoutExpired):
        run_child("framescope.features.robots.core.mjcf.child", b"", 0.0, LIMITS)


@pytest.mark.process
def test_that_a_model_is_opened_and_its_folder_too(tmp_path: Path) -> None:
    path = tmp_path / "robots" / "arm.xml"
    path.parent.mkdir()
    path.write_text(f"<!-- a robot -->\n{ARM}", "utf-8")
    (path.parent / "package.xml").write_text("<package/>", "utf-8")
    assert file_in(tmp_path) == path
    importer = importer_of(path)
    assert importer.title == "robots"
    scene = importer.read(path).scene.scene
    assert scene.frames["arm"].motion.value == "elbow"
    assert not scene.robots, "it is not followed, as nothing is written back"
