"""Files that are not opened have a report of their own; imports that are given up leave the open scene as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.features.bags.ui.bag_dialog import BagImportDialog
from framescope.features.table_import.ui.import_dialog import ImportDialog
from tests.app.test_unreadable_scene import SEVERAL
from tests.support.hands import Key, strike
from tests.support.scenes import GOOD
from tests.support.whole import write_rest
from tests.support.whole_window import click, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def broken(tmp_path) -> Path:
    path = tmp_path / "broken.yaml"
    path.write_text(SEVERAL)
    return path


@pytest.fixture
def wiring(open_window):
    return open_window(example_path("demo"))


def test_that_all_faults_of_a_file_are_told_apart_from_the_problems_of_the_scene(wiring, broken) -> None:
    window, before = wiring.window, wiring.window.problems.problems
    wiring.open(broken)
    report = wiring.reports.report
    assert report.isVisible()
    assert report.heading.text() == "broken.yaml is not opened"
    shown = {each for each in QApplication.topLevelWidgets() if each.isVisible()}
    assert shown == {window, report}, "each part has a place in a window"
    assert len(report.list.problems) == 7
    assert window.problems.problems == before
    assert window.status.message.startswith("broken.yaml is not opened: ")
    assert window.status.message.endswith("And 6 more faults")
    click(report.copy)
    assert QGuiApplication.clipboard().text().count("(line ") == 7
    click(report.close_button)
    assert not report.isVisible()
    click(window.status.offer_button)
    assert report.isVisible()
    broken.write_text(GOOD)
    wiring.open(broken)
    wait_for(lambda: wiring.session.document.name == "broken.yaml")
    assert not report.isVisible()


def test_that_another_file_takes_the_place_of_the_report_and_one_fault_is_said_in_full(
    wiring, broken, tmp_path
) -> None:
    wiring.open(broken)
    other = tmp_path / "other.yaml"
    other.write_text("framescope: 1\nfrmes: {}\n")
    wiring.open(other)
    report = wiring.reports.report
    assert report.heading.text() == "other.yaml is not opened"
    assert len(report.list.problems) == 1
    assert report.note.text().startswith("1 fault in the file.")
    assert "more" not in wiring.window.status.message


def test_that_a_start_on_a_broken_file_reports_it_over_a_new_scene(open_window, broken) -> None:
    wiring = open_window(broken)
    QApplication.processEvents()
    wait_for(lambda: wiring.reports.report is not None)
    click(wiring.window.status.offer_button)
    assert len(wiring.reports.report.list.problems) == 7
    assert wiring.session.document.path is None
    assert wiring.session.file_problems == ()


def test_that_a_scene_that_is_broken_on_disk_is_reported_at_reload_and_stays(open_window, broken) -> None:
    broken.write_text(GOOD)
    wiring = open_window(broken)
    before = wiring.session.document.scene
    broken.write_text(SEVERAL)
    wiring.files.reload()
    wait_for(lambda: wiring.reports.report is not None)
    assert wiring.reports.report.heading.text() == "broken.yaml is not reloaded"
    assert wiring.session.document.scene is before


# Imports that begin with Open


def dialog_of(kind):
    return next((each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()), None)


@pytest.mark.parametrize(("name", "kind"), [("rows.csv", ImportDialog), ("drive.bag", BagImportDialog)])
def test_that_an_import_that_is_given_up_leaves_the_scene_that_was_open(wiring, tmp_path, name, kind) -> None:
    write_rest(tmp_path)
    session, camera = wiring.session, wiring.window.scene_view.camera
    session.scrub(3.0)
    session.end_scrub()
    camera.orbit(0.3, 0.1)
    before, t, seen, selected = session.document, session.playback.t, camera.state, session.selection
    wiring.files.take(tmp_path / name)
    wait_for(lambda: dialog_of(kind) is not None)
    assert session.document is before
    strike(dialog_of(kind), Key.Key_Escape)
    wait_for(lambda: dialog_of(kind) is None)
    assert session.document is before
    assert (session.playback.t, camera.state, session.selection) == (t, seen, selected)


def test_that_an_import_whose_scene_is_not_saved_gives_the_scene_before_back(wiring, tmp_path, monkeypatch) -> None:
    write_rest(tmp_path)
    session, camera = wiring.session, wiring.window.scene_view.camera
    before, seen, selected = session.document, camera.state, session.selection
    wiring.files.take(tmp_path / "rows.csv")
    wait_for(lambda: dialog_of(ImportDialog) is not None)
    monkeypatch.setattr(wiring.files, "save_and_wait", lambda **_where: False)
    dialog_of(ImportDialog).accept()
    wait_for(lambda: dialog_of(ImportDialog) is None)
    assert session.document is before
    assert (camera.state, session.selection) == (seen, selected)


def test_that_an_import_that_is_taken_comes_into_a_new_scene(wiring, tmp_path, monkeypatch) -> None:
    write_rest(tmp_path)
    wiring.files.take(tmp_path / "rows.csv")
    wait_for(lambda: dialog_of(ImportDialog) is not None)
    session = wiring.session

    def save(beside: Path) -> bool:
        return session.save(tmp_path / "mine.yaml")

    monkeypatch.setattr(wiring.files, "save_and_wait", save)
    dialog_of(ImportDialog).accept()
    wait_for(lambda: len(session.document.scene.frames) > 1)
    assert session.document.name == "mine.yaml"
    assert "inner ring" not in session.document.scene.frames
