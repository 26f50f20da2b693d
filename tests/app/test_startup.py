"""Starting without a display, and what is imported on the way to the window."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.export.test_export import decoded
from tests.support.scenes import GOOD, PROBLEMS

pytestmark = pytest.mark.process


def start_without_display(*arguments: str, cwd) -> subprocess.CompletedProcess[str]:
    environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    command = [sys.executable, "-m", "framescope.app", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environ, cwd=cwd, check=False)


def test_that_without_a_display_the_scene_becomes_a_video_whose_path_is_printed(tmp_path) -> None:
    scene = tmp_path / "short.yaml"
    scene.write_text(GOOD.replace("title: Test", "title: Test\ntime: {start: 0 s, end: 100 ms}"))
    result = start_without_display("short.yaml", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "There is no display" in result.stderr
    path = tmp_path / "short.mp4"
    assert result.stdout == f"{path}\n"
    frames, _ = decoded(path)
    assert frames.shape == (3, 720, 1280, 3)


def test_that_without_a_display_a_faulty_scene_is_a_message(tmp_path) -> None:
    scene = tmp_path / "bad.yaml"
    scene.write_text(PROBLEMS["unknown parent"][0])
    result = start_without_display("bad.yaml", cwd=tmp_path)
    assert result.returncode == 2
    assert 'Did you mean "stand"?' in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "bad.mp4").exists()


@pytest.mark.parametrize("arguments", [["lesson", "play", "gimbal-lock"], ["own.lesson.md"]])
def test_that_without_a_display_a_lesson_says_how_a_page_is_made_of_it(arguments, tmp_path) -> None:
    (tmp_path / "own.lesson.md").write_text("# Own\n")
    result = start_without_display(*arguments, cwd=tmp_path)
    assert result.returncode == 3
    assert "There is no display to play a lesson on" in result.stderr
    assert "gimbal-lock.html" in result.stderr or "own.html" in result.stderr
    assert "nothing that can be opened" not in result.stderr


WITHOUT = (
    *("scipy", "numpy.f2py", "matplotlib", "pyvistaqt", "qtpy", "ruamel", "sqlite3", "xml.sax"),
    *("framescope.features.robots.core.urdf", "framescope.features.robots.core.robot_problems"),
    *("framescope.features.bags.core.tf_log", "framescope.features.modelica.core"),
    *("framescope.features.bags.core.autopsy", "framescope.core.simulation.result", "framescope.app.exporters.picture"),
    *("framescope.core.system.time_left", "framescope.core.system.output_check", "framescope.ui.theme.mathml"),
    *("framescope.app.background.child_guard", "framescope.app.background.death_watch"),
)
"""What the window on the demo does without until it is complete: what reads, simulates and writes other things."""

BEFORE_THE_PICTURE = ("pyqtgraph", "framescope.ui.panels.inspector.inspector", "framescope.app.controllers.wiring")
"""What besides is not imported before the first picture."""


PLAIN = """
title: Two frames
frames:
  stand: {parent: world, position: {value: [1, 0, 0.5], unit: m}}
  arm: {parent: stand, orientation: {form: axes, sequence: ZYX, angles: ["20*t", 0, 0], unit: deg}}
"""


def test_that_a_scene_without_recordings_and_formulas_is_opened_without_what_they_need(tmp_path) -> None:
    scene = tmp_path / "plain.yaml"
    scene.write_text(f"framescope: 1{PLAIN}")
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from framescope.app.session.document import Document\n"
        "from framescope.app.session.session import Session\n"
        f"assert 'arm' in Session(Document.open(Path({str(scene)!r}))).plan.names\n"
        f"names = {(*WITHOUT, 'numpy.polynomial', 'framescope.ui.qt_support.platform_plugins')!r}\n"
        "assert (found := [name for name in names if name in sys.modules]) == [], found\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_that_the_usual_start_does_not_list_the_platforms_of_qt() -> None:
    code = (
        "import sys\n"
        "from framescope.app import platforms, startup\n"
        "from framescope.ui.qt_support import application_start\n"
        "platforms.window_lack = lambda host: None\n"
        "from PySide6.QtWidgets import QApplication\n"
        "application_start.start_application = lambda words: QApplication([*words, '-platform', 'offscreen'])\n"
        "startup.make_application()\n"
        "assert 'framescope.ui.qt_support.platform_plugins' not in sys.modules\n"
    )
    environ = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environ)
    assert result.returncode == 0, result.stderr


def test_that_each_step_of_a_start_imports_no_more_than_it_needs() -> None:
    """The first picture no plots, the demo no scipy though it has a recording, and what is idly imported later neither.

    Pydantic comes after Qt's application, which has told it not to look for plugins; a pyvistaqt that is imported later
    is the real one.
    """
    code = (
        "import importlib, sys\n"
        f"without, before = {WITHOUT!r}, {BEFORE_THE_PICTURE!r}\n"
        "def check(names): assert (found := [name for name in names if name in sys.modules]) == [], found\n"
        "from framescope.app import startup\n"
        "check(('pydantic', 'numpy', 'PySide6'))\n"
        "from framescope.app.controllers import window_assembly\n"
        "from framescope.app.session.document import Document\n"
        "from framescope.app.session.scene_lookup import find_scene\n"
        "from framescope.app.session.session import Session\n"
        "from framescope.ui.window import main_window\n"
        "names = Session(Document.open(find_scene('demo'))).plan.names\n"
        "assert 'camera' in names, names\n"
        "check(before + without)\n"
        "from framescope.app.controllers import wiring\n"
        "from framescope.ui.panels import outline, problems\n"
        "from framescope.ui.panels.inspector import inspector\n"
        "from framescope.ui.panels.relation import readouts_panel\n"
        "from framescope.ui.plots import plot_panel\n"
        "check(without)\n"
        "from framescope.app.background.preload import LATER\n"
        "for name in LATER: importlib.import_module(name)\n"
        "check(('scipy', 'matplotlib', 'pyvistaqt'))\n"
        "from pyvistaqt import QtInteractor\n"
        "from pyvistaqt.rwi import QVTKRenderWindowInteractor\n"
        "from framescope.ui.scene_view.qt_interactor import RenderWidget\n"
        "assert issubclass(RenderWidget, QVTKRenderWindowInteractor)\n"
        "assert issubclass(QtInteractor, QVTKRenderWindowInteractor)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_that_vtk_finds_each_of_its_libraries_though_its_folder_is_listed_once() -> None:
    code = (
        "import os, vtkmodules\n"
        "from framescope.app import process_settings\n"
        "look = vtkmodules.find_lib_path\n"
        "process_settings.list_vtk_once()\n"
        "paths = vtkmodules.__path__\n"
        "names = {name.partition('.')[0] for name in os.listdir(paths[0]) if name.startswith('vtk')} | {'vtkNone'}\n"
        "assert vtkmodules.find_lib_path is not look and len(names) > 40\n"
        "assert all(vtkmodules.find_lib_path(paths, name) == look(paths, name) for name in names)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
