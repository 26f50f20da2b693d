"""From Python: `show` and `export` on scenes made in code."""

from __future__ import annotations

import gc
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

import framescope
import framescope.app
from framescope.app.controllers.wiring import MainWindow
from framescope.core.errors import FramescopeError, Problem, SceneError
from framescope.core.scene.edits import authored_angles
from framescope.core.scene.schema.model import Scene
from tests.export.test_export import decoded
from tests.support.films import pillow_frames
from tests.support.scenes import GOOD, PROBLEMS, RECORDED, scene_of

RECORDED_WALK = """
framescope: 1
frames:
  walker: {parent: world, motion: {form: recorded, file: walk.tum, format: tum}}
"""


def window() -> MainWindow | None:
    return next((each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)), None)


def turn_and_close(found: list) -> None:
    shown = window()
    if shown is None or not shown.isVisible():  # not opened yet
        QTimer.singleShot(10, lambda: turn_and_close(found))
        return
    found.append(shown.isVisible())
    orientation = shown.inspector.orientation
    orientation.edits.commit(authored_angles.turn_to("ring", 0, np.radians(45.0), 0.0, "Turned"))
    shown.close()


@pytest.mark.parametrize("is_nested", [False, True])
def test_that_a_scene_is_shown_until_the_window_is_closed_and_returned_as_it_was_left(qapp, is_nested) -> None:
    scene, found = scene_of(GOOD), []
    QTimer.singleShot(0, lambda: turn_and_close(found))
    if is_nested:  # as from a notebook that runs Qt's event loop
        loop = QEventLoop()
        QTimer.singleShot(0, lambda: (found.append(framescope.app.show(scene)), loop.quit()))
        loop.exec()
        left = found[-1]
    else:
        left = framescope.app.show(scene)
    assert found[0] is True
    assert left.frames["ring"].orientation.angles[0] == pytest.approx(45.0)
    assert scene.frames["ring"].orientation.angles[0] == 10
    assert gc.isenabled()


def test_that_without_a_display_show_says_what_to_do(monkeypatch) -> None:
    monkeypatch.setattr("framescope.app.platforms.has_display", lambda _host: False)
    with pytest.raises(FramescopeError, match=r"no display .* Use export"):
        framescope.app.show(scene_of(GOOD))


FUNCTIONS = {
    "check": framescope.check,
    "evaluate": lambda scene: framescope.evaluate(scene, 0.0),
    "export": lambda scene: framescope.export(scene, "a.mp4"),
    "show": framescope.show,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_that_a_wrong_argument_is_named(name) -> None:
    with pytest.raises(FramescopeError, match=rf"{name}: expected a Scene, .* or the path of a file, got dict\."):
        FUNCTIONS[name]({"frames": {}})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_that_a_missing_file_is_named(name) -> None:
    with pytest.raises(SceneError, match=r"there is no such scene file or example.*aircraft"):
        FUNCTIONS[name]("aircraftt")


def test_that_a_scene_its_file_and_what_load_returns_give_the_same(tmp_path, monkeypatch) -> None:
    (tmp_path / "walk.tum").write_text("".join(f"{i} {i} 0 0 0 0 0 1\n" for i in range(9)))
    path = tmp_path / "walk.yaml"
    path.write_text(RECORDED_WALK)
    monkeypatch.chdir(tmp_path.parent)
    loaded, signal = framescope.load(path), "position of walker relative to world resolved in world in mm"
    expected = [[500.0, 0.0, 0.0], [2000.0, 0.0, 0.0]]
    for source, folder in ((path, None), (str(path), None), (loaded, None), (loaded.scene, tmp_path)):
        assert framescope.evaluate(source, [0.5, 2.0], signal, folder=folder) == pytest.approx(np.array(expected))
        assert framescope.evaluate(source, 2.0, signal, folder=folder) == pytest.approx(np.array(expected[1]))
        snapshot = framescope.evaluate(source, 2.0, folder=folder)
        assert snapshot.p_WF[snapshot.index["walker"]] == pytest.approx([2.0, 0.0, 0.0])
        assert [problem for problem in framescope.check(source, folder=folder) if problem.severity == "red"] == []
    assert [problem.severity for problem in framescope.check(loaded.scene)] == ["red"]  # whose folder is unknown


def test_that_a_script_reads_a_fix_under_its_former_names() -> None:
    problem = framescope.check(Scene.model_validate({"frames": {"arm": {"parent": "wrld"}}}))[0]
    assert (problem.mend_text, problem.mend) == ("Use world", problem.fix.change)
    assert (Problem((), "no fix").mend_text, Problem((), "no fix").mend) == ("", None)


def test_that_the_package_has_the_functions_at_one_level() -> None:
    assert framescope.Scene is Scene
    assert {*framescope.__all__} <= {*dir(framescope)}
    assert [getattr(framescope, name) for name in framescope.app.__all__] == [
        getattr(framescope.app, name) for name in framescope.app.__all__
    ]
    assert framescope.__version__ == version("framescope")
    with pytest.raises(AttributeError, match="has no attribute 'laod'"):
        framescope.laod  # noqa: B018


@pytest.mark.process
def test_that_the_maths_imports_nothing_of_the_program() -> None:
    code = (
        "import sys, framescope, framescope.core.frames; print(*(name for name in sys.modules if 'framescope' in name))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in done.stdout.split() if name.startswith(("framescope.app", "framescope.features"))]


@pytest.mark.process
def test_that_an_export_takes_every_option_of_its_format_and_no_other(tmp_path) -> None:
    told = []
    out = tmp_path / "turn.gif"
    framescope.app.export(
        scene_of(GOOD), out, progress=lambda *done: told.append(done), size=(96, 64), fps=5, stop=1.0, bounce=True
    )
    assert len(pillow_frames(out)[0]) == 8
    assert told[-1] == (8, 8)
    framescope.app.export(scene_of(GOOD), tmp_path / "walk.csv", fps=2, stop=1.0)
    assert len((tmp_path / "walk.csv").read_text().splitlines()) == 4
    with pytest.raises(FramescopeError, match="layout: a table takes no layout"):
        framescope.app.export(scene_of(GOOD), tmp_path / "walk.csv", layout="plots")


@pytest.mark.process
def test_that_a_scene_made_in_code_is_exported_with_files_of_its_folder(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    rows = [f"{i / 10} 0 0 0 0 0 0 1\n" for i in range(20)]
    (tmp_path / "data" / "wlak.txt").write_text("".join(rows))
    scene = scene_of(GOOD.replace("frames:\n", f"frames:\n  walk: {{parent: world, motion: {RECORDED}}}\n"))
    out = tmp_path / "out.mp4"
    framescope.app.export(scene, out, folder=tmp_path / "data", size=(320, 180), fps=5, stop=0.4)
    assert decoded(out)[0].shape == (2, 180, 320, 3)


def test_that_a_scene_with_a_fault_is_not_exported(tmp_path) -> None:
    scene = scene_of(PROBLEMS["unknown parent"][0])
    with pytest.raises(SceneError, match='there is no frame "stadn"'):
        framescope.app.export(scene, tmp_path / "out.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_that_importing_the_app_is_light() -> None:
    code = "import sys, framescope.app; print('numpy' in sys.modules, 'PySide6' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "False"]


def test_that_closing_the_window_of_show_asks_nothing(qapp, monkeypatch) -> None:
    monkeypatch.setattr(
        "framescope.app.controllers.file_controller.QMessageBox.question", lambda *args: pytest.fail("asked")
    )
    QTimer.singleShot(0, lambda: turn_and_close([]))
    assert isinstance(framescope.app.show(scene_of(GOOD)), Scene)
