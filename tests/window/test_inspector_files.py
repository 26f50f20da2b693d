"""The inspector reaches beyond the scene: the camera of the view, files in a dialog, and a clock that rests."""

from __future__ import annotations

import math
import shutil
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.ui.panels.inspector.editors.choices import word_text
from framescope.ui.panels.inspector.inspector import Inspector
from framescope.ui.qt_support.gesture import SETTLE_MS
from framescope.ui.scene_view.camera.camera import CameraState
from tests.support.hands import Key, focus, strike, type_in, wheel
from tests.support.whole_window import windows
from tests.ui.test_inspector import choose, choose_by_signal

TEXT = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  arm: {parent: world, orientation: {form: axis, axis: z, angle: 90*t, unit: deg}}
bodies:
  hull: {frame: arm, shape: {form: mesh, file: hull.stl, unit: mm}}
  disc: {frame: arm, shape: {form: cylinder, radius: 20 cm, height: 0.05 m}}
"""
FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
EYE = CameraState((3.0, -4.0, 1.25), (0.0, 0.0, 0.5), (0.0, 0.0, 1.0), math.radians(40.0))
CAMERA = "view: {camera: {position: [100, 0, 0], focal_point: [0, 0, 0], unit: cm, view_angle: 0.5 rad}}\n"
PATH = """\
view: {camera_path: {unit: m, keys: [{time: 0 s, position: [1, 0, 0], focal_point: [0, 0, 0]},
  {time: 4 s, position: [0, 2, 0], focal_point: [0, 0, 0]}]}}
"""


@pytest.fixture
def bench(desk, dark, tmp_path):
    """Give an inspector on a scene in a folder, with what it says."""

    def put(text: str = TEXT, item=("", "")) -> SimpleNamespace:
        desk.resize(320, 900)
        folder = tmp_path / "scene"
        folder.mkdir(exist_ok=True)
        (folder / "hull.stl").write_text(f"solid a\n{FACET}endsolid a\n")
        widget = desk.put(Inspector())
        bench = SimpleNamespace(widget=widget, folder=folder, scene=parse_scene(text)[0], heard=[])
        for name in ("previewed", "committed", "cancelled", "consent_requested"):
            owner = widget.edits if hasattr(widget.edits, name) else widget
            getattr(owner, name).connect(lambda *said, name=name: bench.heard.append((name, *said)))

        def show() -> None:
            plan = compile_plan(bench.scene, folder)
            widget.set_plan(plan)
            widget.show_snapshot(evaluate(plan, 1.0))

        def take() -> str:
            (edit,) = [said[0] for name, *said in bench.heard if name == "committed"]
            bench.heard.clear()
            bench.scene = edit.apply(bench.scene)
            show()
            return edit.label

        bench.take = take
        show()
        widget.set_eye(lambda: EYE)
        widget.set_item(item)
        return bench

    return put


def names(bench) -> list[str]:
    return [name for name, *_ in bench.heard]


def camera_fold(bench):
    fold = bench.widget.scene_page.folds["Camera"]
    fold.set_open(True)
    return bench.widget.scene_page


def child(page, kind: str):
    return next(each for each in page.findChildren(object) if type(each).__name__ == kind)


# --- The camera


def test_that_the_present_view_becomes_the_camera_of_the_scene(bench) -> None:
    bench = bench()
    button = child(camera_fold(bench), "CameraEditor").take
    focus(button)
    strike(button, Key.Key_Space)
    assert bench.take() == "Set the camera of the scene to the present view"
    camera = bench.scene.view.camera
    assert (camera.position, camera.focal_point, camera.unit) == (EYE.position, EYE.focal_point, "m")
    assert str(camera.view_angle) == "40 deg"


def test_that_the_camera_keeps_its_units(bench) -> None:
    bench = bench(TEXT + CAMERA)
    child(camera_fold(bench), "CameraEditor").take.click()
    bench.take()
    camera = bench.scene.view.camera
    assert (camera.position, camera.unit) == ((300.0, -400.0, 125.0), "cm")
    assert str(camera.view_angle) == "0.69813 rad"


def test_that_a_camera_begins_with_the_present_view(bench) -> None:
    bench = bench()
    choose(child(camera_fold(bench), "CameraEditor").combo, "given")
    bench.take()
    assert bench.scene.view.camera.position == EYE.position


def test_that_a_key_of_the_camera_path_takes_the_present_view(bench) -> None:
    bench = bench(TEXT + PATH)
    keys = child(camera_fold(bench), "ListEditor")
    keys.choose(1)
    assert keys.take.isVisible()
    keys.take.click()
    assert bench.take() == "Set camera key 2 to the present view"
    first, second = bench.scene.view.camera_path.keys
    assert (first.position, second.position, str(second.time)) == ((1.0, 0.0, 0.0), EYE.position, "4 s")
    keys.add.click()
    bench.take()
    assert [str(key.time) for key in bench.scene.view.camera_path.keys] == ["0 s", "1 s", "4 s"]
    assert bench.scene.view.camera_path.keys[1].position == EYE.position


# --- Files


def browse(bench, monkeypatch, chosen) -> SimpleNamespace:
    """Press the button of the mesh file by key, and choose a file in its dialog."""
    asked = SimpleNamespace()

    def answer(_parent, title, beginning, kinds):
        asked.title, asked.beginning, asked.kinds = title, beginning, kinds
        return str(chosen), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(answer))
    button = child(bench.widget.page, "FileEditor").browse
    focus(button)
    strike(button, Key.Key_Space)
    return asked


def test_that_a_file_below_the_scene_is_named_relative_to_it(bench, monkeypatch) -> None:
    bench = bench(item=("bodies", "hull"))
    (bench.folder / "parts").mkdir()
    shutil.copy(bench.folder / "hull.stl", bench.folder / "parts" / "arm.stl")
    asked = browse(bench, monkeypatch, bench.folder / "parts" / "arm.stl")
    assert asked.beginning == str(bench.folder / "hull.stl")
    assert asked.kinds == "Meshes (*.stl *.obj *.ply *.glb *.dae);;All files (*)"
    assert names(bench) == ["committed"]
    assert bench.take() == "Set file of hull to parts/arm.stl"
    assert bench.scene.bodies["hull"].shape.file == "parts/arm.stl"
    assert child(bench.widget.page, "FileEditor").line.text() == "parts/arm.stl"


def test_that_a_file_elsewhere_needs_consent(bench, monkeypatch, tmp_path) -> None:
    bench = bench(item=("bodies", "hull"))
    (tmp_path / "other.stl").write_text("solid a\nendsolid a\n")
    browse(bench, monkeypatch, tmp_path / "other.stl")
    assert bench.heard[-1] == ("consent_requested", ("../other.stl",))
    bench.take()
    assert bench.scene.bodies["hull"].shape.file == "../other.stl"


def test_that_a_typed_name_outside_needs_consent_too(bench) -> None:
    bench = bench(item=("bodies", "hull"))
    type_in(child(bench.widget.page, "FileEditor").line, "../there.stl")
    assert bench.heard[-1] == ("consent_requested", ("../there.stl",))


def test_that_no_choice_changes_nothing(bench, monkeypatch) -> None:
    bench = bench(item=("bodies", "hull"))
    browse(bench, monkeypatch, "")
    assert bench.heard == []


# --- The clock


def test_that_a_preview_of_a_field_rests_the_clock_and_a_refused_end_lets_it_go(bench) -> None:
    bench = bench(item=("bodies", "disc"))
    radius = next(
        each for each in bench.widget.page.findChildren(object) if getattr(each, "path", ())[-1:] == ("radius",)
    )
    focus(radius.number)
    strike(radius.number, Key.Key_Up)
    assert [(name, *said[1:]) for name, *said in bench.heard] == [("previewed", True), ("committed",)]
    bench.heard.clear()
    radius.edit("0.3 m", is_final=False)
    radius.edit("a lot", is_final=True)
    assert names(bench) == ["previewed", "cancelled"]


def test_that_the_window_takes_its_camera_and_asks_about_files(qtbot, tmp_path, monkeypatch) -> None:
    from framescope.ui.dialogs.file_access_dialog import ConsentDialog

    (tmp_path / "scene").mkdir()
    path = tmp_path / "scene" / "a.yaml"
    path.write_text(TEXT)
    for name in ("scene/hull.stl", "far.stl"):
        (tmp_path / name).write_text(f"solid a\n{FACET}endsolid a\n")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        session, inspector, view = wiring.session, wiring.window.inspector, wiring.window.scene_view
        view.camera.look_from("top")
        inspector.scene_page.folds["Camera"].set_open(True)
        child(inspector.scene_page, "CameraEditor").take.click()
        camera = session.document.scene.view.camera
        assert camera.position == pytest.approx(view.camera.state.position, rel=1e-3, abs=1e-3)
        session.undo()
        assert session.document.scene.view.camera is None

        session.select(("bodies", "disc"))
        session.toggle_play()
        radius = next(
            each for each in inspector.page.findChildren(object) if getattr(each, "path", ())[-1:] == ("radius",)
        )
        focus(radius.number)
        wheel(radius.number, 1)
        assert (session.is_previewing, session.playback.is_playing) == (True, False)
        qtbot.waitUntil(lambda: not session.is_previewing, timeout=10 * SETTLE_MS)
        assert session.playback.is_playing
        session.pause()

        session.select(("bodies", "hull"))
        monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(tmp_path / "far.stl"), "")))
        child(inspector.page, "FileEditor").browse.click()
        (question,) = wiring.window.findChildren(ConsentDialog)
        assert question.files.toPlainText() == "../far.stl"
        assert any("outside the folder" in problem.message for problem in session.problems)
        question.read.click()
        assert not any("outside the folder" in problem.message for problem in session.problems)
        inspector = radius = question = None


def test_that_a_recorded_motion_asks_for_its_file_and_changes_nothing_without_it(qtbot, dark, tmp_path, monkeypatch):
    path = tmp_path / "scene.yaml"
    path.write_text(TEXT.partition("bodies:")[0])
    (tmp_path / "walk.txt").write_text("".join(f"{t} {0.1 * t} 0 0 0 0 0 1\n" for t in range(5)))
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        session, inspector = wiring.session, wiring.window.inspector
        session.select(("frames", "arm"))
        inspector.page.folds["Motion"].set_open(True)
        editor = child(inspector.page, "MotionEditor")
        before = session.document.scene
        for form in ("recorded", "transforms"):
            monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *_: ("", "")))
            choose_by_signal(editor.combo, word_text(form))
            assert session.document.scene is before
            assert editor.combo.currentText() == "formula"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(tmp_path / "walk.txt"), "")))
        choose_by_signal(editor.combo, "recorded")
        assert session.document.scene.frames["arm"].motion.file == "walk.txt"
        qtbot.waitUntil(lambda: session.problems == ())
        editor = inspector = None


def test_that_a_simulated_frame_without_a_mass_gets_one_with_a_click(qtbot, dark, tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text("framescope: 1\nframes: {arm: {parent: world}}\n")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        session, inspector, listed = wiring.session, wiring.window.inspector, wiring.window.problems
        session.select(("frames", "arm"))
        inspector.page.folds["Motion"].set_open(True)
        editor = child(inspector.page, "MotionEditor")
        choose_by_signal(editor.combo, "simulated")
        assert wiring.window.status.message.endswith("Ctrl Z undoes it")
        qtbot.waitUntil(lambda: any(problem.kind == "mass-missing" and problem.fix for problem in listed.problems))
        problem = next(problem for problem in listed.problems if problem.kind == "mass-missing")
        assert problem.fix.text == "Give it a mass"
        session.commit(problem.fix.change)
        assert session.document.scene.bodies["box"].frame == "arm"
        qtbot.waitUntil(lambda: session.problems == ())
        editor = inspector = listed = None
