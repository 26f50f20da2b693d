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


def test_that_each_step_of_a_start_imports_no_more_than_it_needs() -> None:
    """The first picture no plots, the demo no scipy though it has a recording, the window no matplotlib.

    A pyvistaqt that is imported later is the real one.
    """
    code = (
        "import sys\n"
        "from framescope.app import startup; from framescope.app.controllers import window_assembly\n"
        "for name in ('pyqtgraph', 'scipy', 'matplotlib', 'framescope.ui.panels.inspector.inspector'):\n"
        "    assert name not in sys.modules, name\n"
        "from framescope.app.session.document import Document\n"
        "from framescope.app.session.scene_lookup import find_scene\n"
        "from framescope.app.session.session import Session\n"
        "from framescope.ui.window import main_window\n"
        "names = Session(Document.open(find_scene('demo'))).plan.names\n"
        "assert 'camera' in names, names\n"
        "assert 'scipy' not in sys.modules, 'scipy'\n"
        "from framescope.app.controllers import wiring\n"
        "assert 'matplotlib' not in sys.modules, 'matplotlib'\n"
        "assert 'pyvistaqt' not in sys.modules, 'pyvistaqt'\n"
        "assert 'qtpy' not in sys.modules, 'qtpy'\n"
        "from pyvistaqt import QtInteractor\n"
        "from pyvistaqt.rwi import QVTKRenderWindowInteractor\n"
        "from framescope.ui.scene_view.qt_interactor import RenderWidget\n"
        "assert issubclass(RenderWidget, QVTKRenderWindowInteractor)\n"
        "assert issubclass(QtInteractor, QVTKRenderWindowInteractor)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
