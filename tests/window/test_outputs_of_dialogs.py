"""Dialogs that ask where to write: none of them lets a file be replaced that the window reads."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from framescope import app, features, ui
from framescope.app.controllers.exports.export_dialog_controller import ExportDialogController
from framescope.ui.dialogs.save_dialog import path_to_save
from tests.support.hands import CTRL, SHIFT, Key
from tests.support.whole_window import answering, choose, drop_files, press_button, strike_in, wait_for
from tests.window.test_use_plots import open_menu, submenu

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  cart:
    parent: world
    motion: {form: recorded, file: walk.csv, format: tum}
view:
  plots:
    - {signal: position, of: cart, relative_to: world, resolved_in: world, unit: m}
"""
WALK = "".join(f"{t / 10} {t / 10} 0 0 0 0 0 1\n" for t in range(40))


@pytest.fixture
def chosen(monkeypatch):
    """Give what names the file that Qt's dialog returns, after its own question whether to replace a file."""

    def choose_file(path: Path) -> list[str]:
        proposed: list[str] = []

        def ask(_parent, _title, suggested, _filters):
            proposed.append(suggested)
            return str(path), ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        return proposed

    return choose_file


@pytest.fixture
def recorded(shared_window, tmp_path):
    (tmp_path / "walk.csv").write_text(WALK)
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    return shared_window(path)


def test_that_every_dialog_for_an_output_is_the_one_that_knows_the_inputs() -> None:
    used = [
        path
        for package in (app, features, ui)
        for path in Path(next(iter(package.__path__))).rglob("*.py")
        if "getSaveFileName" in path.read_text("utf-8")
    ]
    assert [path.name for path in used] == ["save_dialog.py"]
    inputs = inspect.signature(path_to_save).parameters["inputs"]
    assert inputs.default is inspect.Parameter.empty


def test_that_a_scene_is_not_saved_over_its_recording(recorded, chosen, tmp_path) -> None:
    chosen(tmp_path / "walk.csv")
    with answering(press_button("OK")):
        strike_in(recorded, Key.Key_S, CTRL | SHIFT)
    assert (tmp_path / "walk.csv").read_text() == WALK
    assert recorded.session.document.path == tmp_path / "scene.yaml"


def test_that_a_plot_is_not_exported_over_the_recording_it_shows(recorded, chosen, tmp_path) -> None:
    (tmp_path / "link.csv").symlink_to("walk.csv")
    wait_for(lambda: recorded.window.plots.plots[0].curves is not None)
    for name in ("walk.csv", "link.csv"):
        chosen(tmp_path / name)
        with answering(press_button("OK")):
            choose(submenu(open_menu(recorded, 0), "Export"), "CSV…")
        assert (tmp_path / "walk.csv").read_text() == WALK


def test_that_an_export_is_not_written_over_what_the_scene_reads(recorded, chosen, tmp_path) -> None:
    entries = recorded.exports.entries
    asking = ExportDialogController(recorded.session, recorded.window, recorded.settings, entries)
    (table,) = (offer for offer in asking.offers.values() if offer.suffix == ".csv")
    chosen(tmp_path / "walk.csv")
    with answering(press_button("OK")):
        assert asking.ask_file(table) is None
    asking.dialog.reject()


@pytest.mark.parametrize(("button", "expected"), [("OK", "cut.gif"), ("Cancel", None)])
def test_that_the_ending_of_another_format_is_replaced_once_confirmed(
    recorded, chosen, tmp_path, button, expected
) -> None:
    entries = recorded.exports.entries
    asking = ExportDialogController(recorded.session, recorded.window, recorded.settings, entries)
    gif = asking.offers["gif"]
    chosen(tmp_path / "cut.mp4")
    with answering(press_button(button)):
        path = asking.ask_file(gif)
    assert path == (None if expected is None else tmp_path / expected)
    chosen(tmp_path / "take.2")  # no ending of a format
    assert asking.ask_file(gif) == tmp_path / "take.2.gif"
    asking.dialog.reject()


def test_that_a_urdf_that_holds_xacro_is_never_offered_as_its_own_output(recorded, chosen, tmp_path) -> None:
    pytest.importorskip("xacro")
    path = tmp_path / "mini.urdf"
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    text = f'<robot name="mini" {space}><link name="foot_${{1 + 1}}"/></robot>'
    path.write_text(text, "utf-8")
    proposed = chosen(path)
    with answering(press_button("Run it…"), press_button("OK")):
        drop_files(recorded, path)
    assert path.read_text("utf-8") == text
    assert [Path(name).name for name in proposed] == ["mini.expanded.urdf"]
    chosen(Path(proposed[0]))
    with answering(press_button("Run it…")):
        drop_files(recorded, path)
    wait_for(lambda: set(recorded.session.document.scene.frames) == {"foot_2"})
    assert path.read_text("utf-8") == text
