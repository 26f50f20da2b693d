"""Unsaved work outlives the process: it is written a moment after each step, found and restored on the next start."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from framescope.app.session import recovery
from framescope.app.session.autosave import Autosave
from framescope.app.session.document import Document
from framescope.app.session.recovery import (
    ABOUT,
    LABEL,
    SCENE,
    Slot,
    Unsaved,
    find_recoveries,
    recovery_folder,
    restore,
    scene_json,
)
from framescope.app.session.scene_lookup import example_names, example_path
from framescope.core.errors import SceneError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.model import Scene
from framescope.ui.dialogs.recovery_dialog import RecoveryDialog
from tests.support.hands import Key, strike
from tests.support.scenes import save


def titled(title: str) -> Edit:
    return Edit("Retitled", lambda scene: scene.model_copy(update={"title": title}))


@pytest.fixture
def document(tmp_path) -> Document:
    path = tmp_path / "mine.yaml"
    path.write_text("framescope: 1 # kept\ntitle: Before\n")
    return Document.open(path)


@pytest.fixture
def below(tmp_path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def autosave(qapp, document, below):
    autosave = Autosave(lambda: document, below, delay_ms=5)
    yield autosave
    autosave.close()


def written(below: Path) -> list[Path]:
    return sorted(below.glob(f"*/{SCENE}"))


def left_behind(below: Path, name: str = "1-abc", scene: str | None = None, about: str | None = None) -> Path:
    """Make the folder of a process that is gone."""
    folder = below / name
    folder.mkdir(parents=True)
    if scene is not None:
        (folder / SCENE).write_text(scene, encoding="utf-8")
    if about is not None:
        (folder / ABOUT).write_text(about, encoding="utf-8")
    return folder


EDITING = """
    import sys
    from pathlib import Path
    from PySide6.QtCore import QCoreApplication
    from framescope.app.session.autosave import Autosave
    from framescope.app.session.document import Document
    from framescope.core.scene.edits.base import Edit

    app = QCoreApplication(sys.argv)
    document = Document.open(Path(sys.argv[1]))
    autosave = Autosave(lambda: document, delay_ms=20)
    number = 0

    def edit():
        global number
        number += 1
        title = f"after step {number}"
        document.commit(Edit("Retitled", lambda scene: scene.model_copy(update={"title": title})))
        autosave.on_document_changed()
        if autosave._slot is not None and (autosave._slot.folder / "about.json").exists():
            print(number, flush=True)

    from PySide6.QtCore import QTimer
    timer = QTimer(interval=5)
    timer.timeout.connect(edit)
    timer.start()
    app.exec()
"""


@pytest.mark.process
def test_that_the_work_of_a_killed_process_is_recovered(qapp, document, settings_of_its_own):
    command = [sys.executable, "-c", textwrap.dedent(EDITING), str(document.path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    lines = [process.stdout.readline() for _ in range(20)]  # it is in the middle of editing
    assert find_recoveries() == ()  # while it lives, its work is its own
    process.kill()
    process.wait()
    process.stdout.close()

    (recovery,) = find_recoveries()
    restored = restore(recovery)

    assert recovery.path == document.path
    assert recovery.folder.name.startswith(f"{process.pid}-")
    number = int(restored.scene.title.removeprefix("after step "))
    assert number >= int(lines[0])
    assert restored.is_dirty
    assert restored.path == document.path
    assert document.path.read_text() == "framescope: 1 # kept\ntitle: Before\n"
    recovery.discard()
    assert find_recoveries() == ()


def test_that_a_step_is_written_after_a_moment_and_removed_by_saving(qtbot, document, autosave, below):
    document.commit(titled("After"))
    autosave.on_document_changed()
    assert written(below) == []
    qtbot.waitUntil(lambda: written(below) != [])

    save(document, document.path)
    autosave.on_document_changed()

    qtbot.waitUntil(lambda: written(below) == [])


def test_that_the_window_goes_on_while_the_disk_takes_its_time(qtbot, document, autosave, below, monkeypatch):
    gate, threads = threading.Event(), []

    def slow(path, text):
        threads.append(threading.current_thread())
        gate.wait(10)
        write_atomically(path, text)

    monkeypatch.setattr("framescope.app.session.recovery.write_atomically", slow)
    for title in ("First", "Second", "Third"):
        document.commit(titled(title))
        autosave.on_document_changed()
        qtbot.waitUntil(lambda: not autosave.timer.isActive())
    qtbot.waitUntil(lambda: threads != [])
    assert written(below) == []
    gate.set()
    qtbot.waitUntil(lambda: [parse_scene(each.read_text("utf-8"))[0].title for each in written(below)] == ["Third"])
    assert threading.current_thread() not in threads


def test_that_what_is_saved_while_it_is_written_down_leaves_no_copy(qtbot, document, autosave, below, monkeypatch):
    gate, begun = threading.Event(), threading.Event()

    def slow(path, text):
        begun.set()
        gate.wait(10)
        write_atomically(path, text)

    monkeypatch.setattr("framescope.app.session.recovery.write_atomically", slow)
    document.commit(titled("After"))
    autosave.on_document_changed()
    qtbot.waitUntil(begun.is_set)
    save(document, document.path)
    autosave.on_document_changed()
    gate.set()
    autosave.pool.submit(lambda: None).result()
    assert written(below) == []


def test_that_a_failure_beside_the_window_is_said_in_the_window(qtbot, document, autosave, monkeypatch):
    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("framescope.app.session.recovery.write_atomically", full)
    document.commit(titled("After"))
    with qtbot.waitSignal(autosave.failed) as said:
        autosave.on_document_changed()
    assert said.args == ["Unsaved work cannot be kept for a crash: No space left on device. Save often"]


def test_that_further_steps_do_not_put_writing_off(qtbot, document, autosave, below):
    document.commit(titled("First"))
    autosave.on_document_changed()
    deadline = autosave.timer.remainingTime()
    document.commit(titled("Second"))
    autosave.on_document_changed()

    assert autosave.timer.remainingTime() <= deadline
    qtbot.waitUntil(lambda: written(below) != [])
    assert parse_scene(written(below)[0].read_text("utf-8"))[0].title == "Second"


def test_that_closing_leaves_nothing_behind(document, autosave, below):
    document.commit(titled("After"))
    autosave.write()

    autosave.close()

    assert list(below.iterdir()) == []


def test_that_two_windows_have_a_folder_each(qapp, document, below):
    first, second = Autosave(lambda: document, below), Autosave(lambda: document, below)
    document.commit(titled("After"))
    first.write()
    second.write()

    assert len(written(below)) == 2
    assert find_recoveries(below) == ()  # both live
    first.close()
    assert len(written(below)) == 1
    second.close()


def test_that_a_failure_to_write_is_said_once_and_once_more_after_it_has_worked(qapp, document, tmp_path, monkeypatch):
    autosave = Autosave(lambda: document, tmp_path / "recovery")
    said: list[str] = []
    autosave.failed.connect(said.append)
    document.commit(titled("After"))

    def full(*_args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("framescope.app.session.recovery.write_atomically", full)
        autosave.write()
        autosave.write()
    assert said == ["Unsaved work cannot be kept for a crash: No space left on device. Save often"]
    autosave.write()
    with monkeypatch.context() as patch:
        patch.setattr("framescope.app.session.recovery.write_atomically", full)
        autosave.write()
    assert len(said) == 2
    autosave.close()


def test_that_a_place_that_is_no_folder_is_a_failure_and_no_crash(qapp, document, tmp_path):
    (tmp_path / "file").write_text("")
    autosave = Autosave(lambda: document, tmp_path / "file")
    said: list[str] = []
    autosave.failed.connect(said.append)

    autosave.write()

    assert len(said) == 1
    autosave.close()


@pytest.mark.parametrize("name", example_names())
def test_that_what_is_written_reads_back_as_the_same_scene(name):
    scene = load_scene(example_path(name)).scene

    assert parse_scene(scene_json(scene))[0] == scene


def test_that_undo_of_recovered_work_is_the_file_and_saving_keeps_its_comments(qapp, document, below):
    slot = Slot(below)
    document.commit(titled("After"))
    slot.write(Unsaved.of(document))
    slot.lock.unlock()  # as if the process were gone

    restored = restore(find_recoveries(below)[0])

    assert restored.scene == document.scene
    assert restored.history.undo_label == LABEL
    save(restored, restored.path)
    assert restored.path.read_text() == "framescope: 1 # kept\ntitle: After\n"


def test_that_work_on_a_file_that_is_gone_is_recovered_without_a_name(qapp, document, below):
    slot = Slot(below)
    document.commit(titled("After"))
    slot.write(Unsaved.of(document))
    slot.lock.unlock()
    document.path.unlink()

    (recovery,) = find_recoveries(below)
    restored = restore(recovery)

    assert recovery.name == "mine.yaml"
    assert restored.path is None
    assert restored.folder == document.folder
    assert restored.scene.title == "After"


def test_that_a_scene_never_gets_the_name_of_another_file(qapp, document, below):
    """The process was killed after the scene was written and before the rest."""
    slot = Slot(below)
    slot.write(Unsaved.of(document))
    (slot.folder / SCENE).write_text(scene_json(Scene(title="Another")))
    slot.lock.unlock()

    (recovery,) = find_recoveries(below)

    assert recovery.path is None
    assert restore(recovery).scene.title == "Another"


HOSTILE = [
    "",
    "[]",
    "null",
    "{",
    "[" * 30_000,
    '{"path": 3, "folder": [], "when": {}, "version": null}',
    '{"path": "/etc/\\u0000passwd", "when": "never", "digest": 1}',
    '{"path": "../../relative"}',
    '{"when": "9999-99-99"}',
    "x" * 100_000,
]


@pytest.mark.parametrize("about", HOSTILE, ids=range(len(HOSTILE)))
def test_that_a_hostile_description_costs_the_name_alone(qapp, below, about):
    left_behind(below, scene=scene_json(Scene(title="Work")), about=about)

    (recovery,) = find_recoveries(below)

    assert recovery.path is None
    assert restore(recovery).scene.title == "Work"


def test_that_what_is_no_scene_is_told_and_not_opened(qapp, below):
    left_behind(below, scene="{broken")

    with pytest.raises(SceneError):
        restore(find_recoveries(below)[0])


def test_that_folders_without_work_are_cleared_and_files_and_links_left_alone(qapp, below, tmp_path):
    empty, partial = left_behind(below, "1-empty"), left_behind(below, "2-partial", scene="  ")
    (partial / ".scene.xyz.json").write_text("half of it")
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / SCENE).write_text(scene_json(Scene(title="Mine")))
    (below / "3-link").symlink_to(target)
    linked = left_behind(below, "4-linked")
    (linked / SCENE).symlink_to(target / SCENE)
    (below / "note.txt").write_text("")

    assert find_recoveries(below) == ()

    assert not empty.exists()
    assert not partial.exists()
    assert (target / SCENE).exists()
    assert (below / "note.txt").exists()


def test_that_the_newest_work_is_offered_first(qapp, below):
    for day in (2, 3, 1):
        text = scene_json(Scene(title=f"Of day {day}"))
        about = {"when": f"2026-11-0{day}T10:00:00+00:00", "digest": hashlib.sha256(text.encode()).hexdigest()}
        left_behind(below, f"{day}-work", text, json.dumps(about))

    assert [recovery.when.day for recovery in find_recoveries(below)] == [3, 2, 1]


def test_that_work_is_offered_by_one_window_only_and_later_again_when_left(qapp, below):
    left_behind(below, scene=scene_json(Scene(title="Work")))
    (recovery,) = find_recoveries(below)

    assert find_recoveries(below) == ()
    recovery.leave()
    (again,) = find_recoveries(below)
    again.discard()

    assert list(below.iterdir()) == []


def test_that_it_is_kept_in_the_place_of_the_platform(qapp, document, settings_of_its_own):
    assert recovery_folder().is_relative_to(settings_of_its_own)
    slot = Slot(recovery_folder())
    slot.write(Unsaved.of(document))
    about = json.loads((slot.folder / ABOUT).read_text())
    slot.close()

    assert about["path"] == str(document.path)
    assert about["pid"] == os.getpid()


# The question


@pytest.fixture
def question(qtbot, dark):
    # Deleted by itself when it closes.
    dialog = RecoveryDialog([("a.yaml", "today, 11:42"), ("untitled.yaml", "yesterday, 18:03")])
    dialog.heard = []
    for name in ("restore_requested", "discarded", "left"):
        getattr(dialog, name).connect(lambda *what, name=name, heard=dialog.heard: heard.append((name, *what)))
    dialog.show()
    with qtbot.waitExposed(dialog):
        pass
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def test_that_return_restores_what_is_marked(question):
    heard = question.heard
    strike(question, Key.Key_Down)
    strike(question, Key.Key_Return)

    assert heard == [("restore_requested", 1)]


def test_that_escape_leaves_everything_for_later(question):
    heard = question.heard
    strike(question, Key.Key_Escape)

    assert heard == [("left",)]


def test_that_discarding_one_keeps_the_places_of_the_others(question):
    heard = question.heard
    QTest.mouseClick(question.discard, Qt.MouseButton.LeftButton)
    QTest.mouseClick(question.discard, Qt.MouseButton.LeftButton)

    assert heard == [("discarded", 0), ("discarded", 1), ("left",)]


def test_that_work_that_cannot_be_kept_makes_no_folder_with_each_step(autosave, below, document, monkeypatch) -> None:
    """As on a full disk, on which a lock cannot be made."""

    class Refusing:
        def tryLock(self, _ms: int) -> bool:
            return False

    monkeypatch.setattr(recovery, "create_lock", lambda _folder: Refusing())
    told: list[str] = []
    autosave.failed.connect(told.append)
    for i in range(3):
        document.commit(titled(f"step {i}"))
        autosave.write()
    assert told == ["Unsaved work cannot be kept for a crash: the folder of unsaved work cannot be locked. Save often"]
    assert list(below.iterdir()) == []


def test_that_a_crash_between_the_two_files_leaves_each_scene_its_name(qapp, below, document, monkeypatch) -> None:
    slot = Slot(below)
    document.commit(titled("first"))
    slot.write(Unsaved.of(document))

    def only_about(path: Path, text: str) -> None:
        if path.name == SCENE:
            raise OSError("the power is gone")
        write_atomically(path, text)

    monkeypatch.setattr(recovery, "write_atomically", only_about)
    document.commit(titled("second"))
    with pytest.raises(OSError, match="power"):
        slot.write(Unsaved.of(document))
    slot.leave()
    (found,) = find_recoveries(below)
    assert (found.path, '"first"' in found.text) == (document.path, True)
    found.discard()


def test_that_recovered_work_on_a_robot_belongs_to_its_file(qapp, below, tmp_path) -> None:
    robot = tmp_path / "arm.urdf"
    robot.write_text('<robot name="arm"><link name="a"/></robot>')
    document = Document.open(robot)
    document.commit(titled("changed"))
    slot = Slot(below)
    slot.write(Unsaved.of(document))
    slot.leave()
    (found,) = find_recoveries(below)
    assert found.name == "arm.urdf"
    again = restore(found)
    assert (again.shown_name, again.scene, again.path) == ("arm.urdf, changed", document.scene, None)
    robot.unlink()  # without its file, the scene is a new one
    assert (restore(found).made_of, restore(found).scene) == ("", document.scene)
    found.discard()
