"""Files in the whole window by real events: dropped, opened, saved, imported, and what is asked before work is lost."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from framescope import assets
from framescope.app.controllers import file_controller
from framescope.app.session import document
from framescope.app.session.scene_lookup import example_path, find_scene
from framescope.core.recordings.tables import numeric
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.saving import write_atomically
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.dialogs.example_gallery import Gallery
from framescope.ui.dialogs.read_thread import ReadProgressDialog
from framescope.ui.dialogs.welcome import Doors
from tests.features.table_import.ui.test_importing import columns, write_csv
from tests.support.hands import CTRL, LEFT, PLAIN, SHIFT, Key, drag, move, press, release, strike, x_of
from tests.support.scenes import GOOD
from tests.support.whole_window import (
    answering,
    click,
    click_item,
    drop_files,
    entry,
    from_menu,
    in_window,
    name_file,
    press_button,
    strike_in,
    wait_until_saved,
)

pytestmark = pytest.mark.usefixtures("dark")
OTHER = GOOD.replace("title: Test", "title: Other").replace("stand", "base")


@pytest.fixture
def good(shared_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return shared_window(path)


def turn(wiring, by_deg: float = 25.0) -> None:
    """Change something: drag the first slider."""
    row = wiring.window.inspector.orientation.rows[0]
    drag(row.slider, x_of(row.slider, row.value_deg), x_of(row.slider, row.value_deg + by_deg), steps=2)
    assert wiring.session.document.is_dirty


def state(wiring) -> tuple:
    document = wiring.session.document
    return document.scene, document.path, document.is_dirty, document.history.undo_label


# --- Large files


@pytest.fixture
def held(good, tmp_path, monkeypatch):
    """Take every file as a large one, and let its reading end when it is told to."""
    may_end, read = threading.Event(), file_controller.read_and_compile
    may_end.threads, may_end.is_read = [], threading.Event()

    def wait_and_read(*how):
        try:
            return read(*how)
        finally:
            may_end.is_read.set()
            may_end.wait(20.0)
            may_end.threads.append(threading.current_thread())

    monkeypatch.setattr(file_controller, "LARGE", 64)
    monkeypatch.setattr(file_controller, "read_and_compile", wait_and_read)
    (tmp_path / "other.yaml").write_text(OTHER)
    (tmp_path / "bad.yaml").write_text(OTHER.replace("parent:", "parant:"))
    yield may_end
    may_end.set()
    assert threading.main_thread() not in may_end.threads


def test_that_the_window_goes_on_while_a_large_scene_is_read(good, held, qtbot, tmp_path) -> None:
    opened = []
    good.files.opened.connect(opened.append)
    good.open(tmp_path / "other.yaml")
    assert good.window.status.message == "Reading other.yaml…"
    click_item(good, ("frames", "ring"))
    assert good.session.selection == ("frames", "ring")
    held.set()
    qtbot.waitUntil(lambda: good.session.document.name == "other.yaml")
    assert good.session.plan.scene is good.session.document.scene
    assert opened == [tmp_path / "other.yaml"]
    assert "Opened other.yaml" in good.window.status.message
    good.open(tmp_path / "bad.yaml")
    qtbot.waitUntil(lambda: "bad.yaml is not opened" in good.window.status.message)
    assert good.session.document.name == "other.yaml"


def test_that_of_several_large_scenes_the_one_that_was_asked_for_last_is_opened(good, held, qtbot, tmp_path) -> None:
    (tmp_path / "third.yaml").write_text(OTHER.replace("Other", "Third"))
    opened = []
    good.session.document_opened.connect(lambda: opened.append(good.session.document.name))
    for name in ("other.yaml", "bad.yaml", "third.yaml"):
        good.open(tmp_path / name)
    held.set()
    qtbot.waitUntil(lambda: good.session.document.name == "third.yaml")
    qtbot.waitUntil(lambda: len(held.threads) == 3)
    QApplication.processEvents()
    assert opened == ["third.yaml"]
    assert good.session.file_problems == ()
    held.clear()
    good.open(tmp_path / "other.yaml")
    from_menu(good, "File", "New")
    held.set()
    qtbot.waitUntil(lambda: len(held.threads) == 4)
    QApplication.processEvents()
    assert opened[1:] == [good.session.document.name]
    assert good.session.document.path is None


def test_that_the_window_goes_on_while_a_large_scene_is_reloaded(good, held, qtbot) -> None:
    path = good.session.document.path
    path.write_text(path.read_text().replace("title: Test", "title: Theirs"))
    strike_in(good, Key.Key_F5)
    assert good.window.status.message == "Reading good.yaml…"
    turn(good)
    mine = good.session.document.scene
    held.set()
    qtbot.waitUntil(lambda: good.session.document.scene.title == "Theirs")
    assert not good.session.document.is_dirty
    good.session.undo()
    assert good.session.document.scene == mine
    path.write_text("framescope: 1\nframes: [\n" + 64 * "#")
    strike_in(good, Key.Key_F5)
    qtbot.waitUntil(lambda: good.reports.report is not None)
    good.watcher.look()  # who wrote it is told no more than why it is not taken
    assert "good.yaml is not reloaded" in good.window.status.message
    assert good.session.document.scene == mine
    assert good.reports.report.heading.text() == "good.yaml is not reloaded"
    assert good.reports.report.list.problems
    assert good.window.problems.problems == ()


def test_that_what_is_saved_while_it_is_reloaded_stands(good, held, qtbot) -> None:
    strike_in(good, Key.Key_F5)
    assert held.is_read.wait(10.0)
    turn(good)
    mine = good.session.document.scene
    strike_in(good, Key.Key_S, CTRL)
    wait_until_saved(good)
    held.set()
    qtbot.waitUntil(lambda: good.files.opening is None)  # it was read, and let go
    assert good.session.document.scene is mine
    assert not good.session.document.is_dirty


def test_that_a_scene_that_gets_another_name_while_it_is_reloaded_stands(good, held, qtbot, tmp_path) -> None:
    path, mine = good.session.document.path, good.session.document.scene
    path.write_text(path.read_text().replace("title: Test", "title: Theirs"))
    strike_in(good, Key.Key_F5)
    with answering(name_file(tmp_path / "mine.yaml")):
        strike_in(good, Key.Key_S, CTRL | SHIFT)
    wait_until_saved(good)
    held.set()
    qtbot.waitUntil(lambda: good.files.opening is None)  # it was read, and let go
    assert good.session.document.path == tmp_path / "mine.yaml"
    assert good.session.document.scene is mine


@pytest.mark.parametrize("goes_on", [True, False])
def test_that_what_was_done_while_a_large_scene_was_read_is_asked_about(good, held, qtbot, tmp_path, goes_on) -> None:
    turn(good)
    with answering(press_button("Discard")):
        good.open(tmp_path / "other.yaml")
    turn(good, by_deg=-40.0)
    before = state(good)
    with answering(press_button("Discard" if goes_on else "Cancel")) as answers:
        held.set()
        qtbot.waitUntil(lambda: answers.left == [])
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert (good.session.document.name == "other.yaml") is goes_on
    assert good.window.status.message.startswith("Opened other.yaml" if goes_on else "other.yaml is not opened")
    assert (state(good) == before) is not goes_on


# --- Dropped files


def test_that_a_dropped_scene_opens_wherever_it_falls(good, tmp_path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(OTHER)
    window = good.window
    for panel in (window.scene_view, window.outline.tree, window.plots, window.inspector, window.timeline):
        good.open(tmp_path / "good.yaml")
        assert drop_files(good, other, at=in_window(window, panel, panel.rect().center()))
        assert good.session.document.path == other, panel
        assert window.windowTitle().startswith("other.yaml")
    assert not drop_files(good, "https://example.org/scene.yaml")


def test_that_a_drop_whose_source_has_gone_changes_nothing_and_says_so(good, tmp_path) -> None:
    """A program that ends with the drag names its files while they are carried, and no longer when they fall."""
    before, window = state(good), good.window
    handle, action, carried, nothing = window.windowHandle(), Qt.DropAction.CopyAction, QMimeData(), QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(tmp_path / "other.yaml"))])
    at = window.scene_view.mapTo(window, window.scene_view.rect().center())
    enter = QDragEnterEvent(at, action, carried, LEFT, PLAIN)
    QApplication.sendEvent(handle, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(at), action, nothing, LEFT, PLAIN)
    QApplication.sendEvent(handle, drop)
    assert not drop.isAccepted()
    assert state(good) == before
    assert "no longer names its files" in window.status.message


def test_that_of_several_files_the_scene_is_opened_and_the_others_are_named(good, tmp_path) -> None:
    other, table = tmp_path / "other.yaml", write_csv(tmp_path / "walk.csv")
    other.write_text(OTHER)
    for files in ([other, table], [table, other]):
        good.open(tmp_path / "good.yaml")
        assert drop_files(good, *files)
        assert good.session.document.path == other
        assert good.window.findChild(ReadProgressDialog) is None
        assert "walk.csv" in good.window.status.message


def test_that_a_dropped_table_is_imported_to_the_end(good, qtbot, tmp_path, tmp_path_factory, monkeypatch) -> None:
    before = good.session.document.scene
    read, reads = numeric.read_bytes, []
    monkeypatch.setattr(numeric, "read_bytes", lambda path, most: reads.append(path.name) or read(path, most))
    assert drop_files(good, write_csv(tmp_path_factory.mktemp("elsewhere") / "walk.csv", values=columns()))
    qtbot.waitUntil(lambda: good.window.findChild(ImportDialog) is not None)
    dialog = good.window.findChild(ImportDialog)
    assert dialog.heading.text() == "Import walk.csv into good.yaml"
    qtbot.waitUntil(dialog.isActiveWindow)
    click(dialog.import_button)
    session = good.session
    qtbot.waitUntil(lambda: session.selection == ("frames", "walk"))
    assert (tmp_path / "walk.csv").exists()  # copied beside the scene
    assert reads == ["walk.csv"]  # the table that was looked at is that of the scene
    assert [problem for problem in session.problems if problem.severity == "red"] == []
    session.scrub(1.0)
    np.testing.assert_allclose(
        session.snapshot.p_WF[session.snapshot.index["walk"]], [np.sin(1), np.cos(1), 0], atol=1e-3
    )
    strike_in(good, Key.Key_Z, CTRL)
    assert session.document.scene is before
    qtbot.waitUntil(lambda: good.window.findChild(ImportDialog) is None)


def test_that_an_import_that_is_left_changes_nothing(good, qtbot, tmp_path) -> None:
    before = state(good)
    drop_files(good, write_csv(tmp_path / "walk.csv"))
    qtbot.waitUntil(lambda: good.window.findChild(ImportDialog) is not None)
    dialog = good.window.findChild(ImportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    strike(dialog, Key.Key_Escape)
    assert state(good) == before


def test_that_what_is_neither_scene_nor_table_is_said_and_changes_nothing(good, tmp_path) -> None:
    turn(good)
    before = state(good)
    png = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    for name, content, told in (
        ("picture.png", png, "a picture in PNG"),
        ("film.mp4", png, "a picture in PNG"),  # what it holds counts, not its name
        ("packed.yaml", gzip.compress(GOOD.encode()), "packed with gzip"),
        ("folder", None, "folder is not opened: the folder folder holds no robot"),
        ("no ending", bytes(range(256)), "can be opened: scenes"),
    ):
        path = tmp_path / name
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(content)
        assert drop_files(good, path)
        assert state(good) == before
        assert name in good.window.status.message
        assert told in good.window.status.message


# --- Files that are no scenes


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 31)  # has no blocks on the disk


NO_SCENES = {
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "empty": lambda path: path.write_bytes(b""),
    "huge": _huge,
    "of another program": lambda path: path.write_text("version: 3\nservices: {web: {image: nginx}}\n"),
    "folder": lambda path: path.mkdir(),
    "missing": lambda path: None,
}


def test_that_a_file_that_is_no_scene_leaves_the_open_one_and_says_why(good, qtbot, tmp_path) -> None:
    before = state(good)
    for kind, make in NO_SCENES.items():
        path = tmp_path / f"{kind}.yaml"
        make(path)
        drop_files(good, path)
        qtbot.waitUntil(lambda kind=kind: good.window.status.message.startswith(f"{kind}.yaml is not opened: "))
        assert state(good) == before
        assert good.reports.report.heading.text() == f"{kind}.yaml is not opened"
        assert good.reports.report.list.problems
        good.reports.report.close()
        if path.is_file():
            good.window.status.show_message("good", "")
            with answering(name_file(path)):
                strike_in(good, Key.Key_O, CTRL)
            qtbot.waitUntil(lambda kind=kind: good.window.status.message.startswith(f"{kind}.yaml is not opened: "))
            assert state(good) == before


def test_that_the_program_starts_with_a_new_scene_where_the_file_is_none(open_window, tmp_path) -> None:
    path = tmp_path / "thing.yaml"
    NO_SCENES["binary"](path)
    wiring = open_window(path)
    assert wiring.session.document.path is None
    assert list(wiring.session.document.scene.frames) == ["frame 1"]
    assert wiring.window.status.message.startswith("thing.yaml is not opened: ")
    assert wiring.reports.report.list.problems


# --- Saving


def test_that_save_as_writes_what_is_shown_under_another_name(good, tmp_path) -> None:
    first = (tmp_path / "good.yaml").read_bytes()
    turn(good)
    with answering(name_file(tmp_path / "mine")):
        from_menu(good, "File", "Save As…")
    wait_until_saved(good)
    assert (tmp_path / "good.yaml").read_bytes() == first
    assert good.session.document.path == tmp_path / "mine.yaml"
    assert load_scene(tmp_path / "mine.yaml").scene == good.session.document.scene
    assert not good.window.isWindowModified()
    assert good.window.status.message == "Saved mine.yaml"


def test_that_a_name_without_its_ending_replaces_nothing_unasked(good, tmp_path) -> None:
    (tmp_path / "mine.yaml").write_text("precious")
    turn(good)
    before = state(good)
    with answering(name_file(tmp_path / "mine"), press_button("No")):
        strike_in(good, Key.Key_S, CTRL | SHIFT)
    assert (tmp_path / "mine.yaml").read_text() == "precious"
    assert state(good) == before


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
def test_that_a_place_that_cannot_be_written_is_said_and_nothing_is_lost(good, tmp_path, monkeypatch) -> None:
    folder, locked = tmp_path / "place", tmp_path / "locked"
    (folder / "taken.yaml").mkdir(parents=True)
    locked.mkdir(0o500)
    is_locked = not os.access(locked, os.W_OK)  # root may write anywhere but there
    targets = [
        locked / "mine.yaml" if is_locked else Path("/proc/mine.yaml"),
        folder / "no" / "mine.yaml",
        folder / "taken.yaml",
        folder / ("x" * 300 + ".yaml"),
    ]
    turn(good)
    before = state(good)
    for target in targets:
        # Qt's dialog refuses some of these itself; what another platform's dialog lets through is to be met too.
        monkeypatch.setattr(
            "PySide6.QtWidgets.QFileDialog.getSaveFileName",
            lambda *_, it=target: (str(it), ""),
        )
        strike_in(good, Key.Key_S, CTRL | SHIFT)
        wait_until_saved(good)
        assert state(good) == before
        assert good.window.isWindowModified()
        assert good.window.status.message.startswith(f"{target.name} is not saved: ")
    assert [path for path in folder.rglob("*") if path.is_file()] == []  # not half of it either
    strike_in(good, Key.Key_S, CTRL)  # in its own place it still can be
    wait_until_saved(good)
    assert not good.session.document.is_dirty
    assert load_scene(tmp_path / "good.yaml").scene == good.session.document.scene


@pytest.fixture
def slow_disk(monkeypatch):
    """Give an event that the disk waits for before it writes a scene; `written` has the texts so far."""
    goes_on = threading.Event()
    goes_on.written = []

    def write(path: Path, text: str) -> None:
        assert goes_on.wait(10.0)
        write_atomically(path, text)
        goes_on.written.append(text)

    monkeypatch.setattr(document, "write_atomically", write)
    yield goes_on
    goes_on.set()


def test_that_the_window_goes_on_while_the_disk_writes(good, tmp_path, slow_disk) -> None:
    turn(good)
    first = good.session.document.scene
    strike_in(good, Key.Key_S, CTRL)
    assert good.window.status.message == "Saving good.yaml…"
    turn(good)
    assert good.session.document.scene != first
    slow_disk.set()
    wait_until_saved(good)
    assert load_scene(tmp_path / "good.yaml").scene == first
    assert good.window.isWindowModified()  # what was done meanwhile is not saved
    strike_in(good, Key.Key_S, CTRL)
    wait_until_saved(good)
    assert load_scene(tmp_path / "good.yaml").scene == good.session.document.scene
    assert not good.window.isWindowModified()


def test_that_a_gesture_goes_on_when_the_disk_has_written(good, tmp_path, slow_disk) -> None:
    with answering(name_file(tmp_path / "another" / "mine.yaml")):
        (tmp_path / "another").mkdir()
        strike_in(good, Key.Key_S, CTRL | SHIFT)
    row = good.window.inspector.orientation.rows[0]
    start, end = x_of(row.slider, row.value_deg), x_of(row.slider, row.value_deg + 25.0)
    press(row.slider, start)
    move(row.slider, end)
    shown = good.session.plan.scene
    assert good.session.is_previewing
    slow_disk.set()
    wait_until_saved(good)
    assert good.session.is_previewing
    assert good.session.plan.scene == shown
    release(row.slider, end)
    assert good.session.document.scene == shown


def test_that_what_is_being_saved_is_there_before_the_next_thing_is_done(good, tmp_path, slow_disk) -> None:
    turn(good)
    kept = good.session.document.scene
    with answering(name_file(tmp_path / "mine.yaml")):
        strike_in(good, Key.Key_S, CTRL | SHIFT)
    turn(good)
    threading.Timer(0.1, slow_disk.set).start()
    strike_in(good, Key.Key_S, CTRL)  # to where the scene is by now
    assert parse_scene(slow_disk.written[0])[0] == kept
    with answering():  # all is saved
        good.window.close()
    assert load_scene(tmp_path / "mine.yaml").scene == good.session.document.scene
    assert (tmp_path / "good.yaml").read_text() == GOOD


# --- Unsaved changes


def test_that_unsaved_changes_are_asked_about_once_and_cancel_keeps_everything(good, tmp_path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(OTHER)
    good.open(other)
    good.open(tmp_path / "good.yaml")
    turn(good)
    before = state(good)
    ways = {
        "close": good.window.close,
        "quit": lambda: strike_in(good, Key.Key_Q, CTRL),
        "new": lambda: strike_in(good, Key.Key_N, CTRL),
        "open": lambda: strike_in(good, Key.Key_O, CTRL),
        "drop": lambda: drop_files(good, other),
        "recent": lambda: from_menu(good, "File", "Open recent", "other.yaml"),
    }
    for way, do in ways.items():
        first = [name_file(other)] if way == "open" else []
        with answering(*first, press_button("Cancel")):
            do()
        assert state(good) == before, way
        assert good.window.isVisible()


def test_that_save_in_the_question_saves_and_goes_on(good, tmp_path) -> None:
    turn(good)
    kept = good.session.document.scene
    with answering(press_button("Save")):
        good.window.close()
    assert not good.window.isVisible()
    assert load_scene(tmp_path / "good.yaml").scene == kept


def test_that_discard_in_the_question_leaves_the_file(good, tmp_path) -> None:
    turn(good)
    with answering(press_button("Discard")):
        good.window.close()
    assert not good.window.isVisible()
    assert (tmp_path / "good.yaml").read_text() == GOOD


def test_that_a_save_that_fails_in_the_question_does_not_close(good, tmp_path) -> None:
    turn(good)
    before = state(good)
    (tmp_path / "good.yaml").unlink()
    (tmp_path / "good.yaml").mkdir()
    with answering(press_button("Save")):
        good.window.close()
    assert good.window.isVisible()
    assert state(good) == before
    good.session.document.path = None  # an untitled scene asks for a name
    with answering(press_button("Save"), name_file(None)):
        strike_in(good, Key.Key_N, CTRL)
    assert good.session.document.scene is before[0]


# --- New, recent, examples, the first start


def test_that_new_begins_with_a_frame_to_turn_that_is_saved_under_a_name(good, tmp_path) -> None:
    strike_in(good, Key.Key_N, CTRL)
    assert good.window.windowTitle().startswith("untitled.yaml")
    assert good.session.selection == ("frames", "frame 1")
    turn(good)
    with answering(name_file(tmp_path / "first.yaml")):
        strike_in(good, Key.Key_S, CTRL)
    wait_until_saved(good)
    assert load_scene(tmp_path / "first.yaml").scene == good.session.document.scene
    assert (tmp_path / "good.yaml").read_text() == GOOD


def test_that_recent_files_are_listed_over_a_restart_and_missing_ones_are_said(good, open_window, tmp_path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(OTHER)
    with answering(name_file(other)):
        strike_in(good, Key.Key_O, CTRL)
    assert good.session.document.path == other
    good.window.close()
    again = open_window(find_scene("demo"))
    from_menu(again, "File", "Open recent", "other.yaml")
    assert again.session.document.path == other
    before = state(again)
    again.window.menus.recent.aboutToShow.emit()
    listed = entry(again.window.menus.recent, "other.yaml")
    other.unlink()
    listed.trigger()
    assert state(again) == before
    assert again.window.status.message.startswith("other.yaml is not opened: ")


def test_that_files_are_looked_for_beside_the_scene_else_where_the_last_one_was(good, open_window, tmp_path) -> None:
    def begins_in(folder: Path, wiring, key: Key = Key.Key_O) -> None:
        def leave(dialog) -> None:
            begun.append(Path(dialog.directory().absolutePath()))
            name_file(None)(dialog)

        begun: list[Path] = []
        with answering(leave):
            strike_in(wiring, key, CTRL)
        assert begun == [folder]

    other = tmp_path / "elsewhere" / "other.yaml"
    other.parent.mkdir()
    other.write_text(OTHER)
    begins_in(tmp_path, good)
    with answering(name_file(other)):
        strike_in(good, Key.Key_O, CTRL)
    begins_in(other.parent, good)
    good.window.close()
    again = open_window(find_scene("demo"))
    begins_in(other.parent, again)
    again.files.new()
    begins_in(other.parent, again)
    begins_in(other.parent, again, Key.Key_S)
    again.settings.recent = ()
    begins_in(Path.home(), again, Key.Key_S)
    begins_in(Path.home(), again)


def test_that_an_example_is_opened_from_the_gallery_by_keys(good, qtbot) -> None:
    strike_in(good, Key.Key_E, CTRL)
    gallery = good.window.findChild(Gallery)
    qtbot.waitUntil(gallery.isActiveWindow)
    strike(gallery, Key.Key_Right)
    strike(gallery, Key.Key_Return)
    document = good.session.document
    assert document.is_example
    assert document.path.is_relative_to(assets.path("scenes"))
    assert good.window.windowTitle().startswith(document.path.name)
    assert good.window.menus.recent.isEmpty() or document.path.name not in str(good.settings.recent)


def test_that_the_links_of_the_first_start_lead_somewhere_until_dismissed(open_window, qtbot, tmp_path) -> None:
    wiring = open_window(find_scene("demo"))
    wiring.preferences.offer_first_steps()
    page = wiring.window.scene_view.findChild(Doors)
    click(page.buttons["lessons"])
    lessons = wiring.window.commands.of_features["lessons"].menu()
    qtbot.waitUntil(lessons.isVisible)
    strike(lessons, Key.Key_Escape)
    click(page.buttons["compare"])
    assert wiring.window.has_dock("compare")
    assert wiring.session.document.path == example_path("demo")
    mine = tmp_path / "mine.yaml"
    mine.write_text(GOOD)
    with answering(name_file(mine)):
        click(page.buttons["open"])
    assert wiring.session.document.path == mine
    assert not page.isVisible()
    wiring.window.close()
    wiring = open_window(find_scene("demo"))
    wiring.preferences.offer_first_steps()  # they were not dismissed
    page = wiring.window.scene_view.findChild(Doors)
    click(page.buttons["new"])
    assert wiring.session.document.path is None
    assert page.isVisible()  # on an empty scene, without "New scene" and without a cross
    assert not page.buttons["new"].isVisible()
    wiring.files.open_example("demo")
    qtbot.waitUntil(page.dismiss.isVisible)
    click(page.dismiss)
    again = open_window(find_scene("demo"))
    again.preferences.offer_first_steps()
    assert not again.window.scene_view.findChild(Doors).isVisible()
