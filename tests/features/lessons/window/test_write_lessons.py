"""An author with a lesson: begun of what is shown, captured, written in, moved, undone, saved, and never lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import set_hidden
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame, Scene
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import find_lesson
from framescope.features.lessons.core.lesson import parse_lesson
from framescope.features.lessons.ui.lesson_editor import TEXT
from tests.support.hands import type_in
from tests.support.whole_window import click, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(open_window, monkeypatch):
    def refuse(*texts: object) -> None:
        raise AssertionError(f"asked: {texts}")

    monkeypatch.setattr(QMessageBox, "question", refuse)
    return open_window(example_path("aircraft"))


@pytest.fixture
def begun(wiring, tmp_path, monkeypatch):
    """A lesson that was begun of the aircraft at 3 s."""
    wiring.session.scrub(3.0)
    wiring.session.end_scrub()
    choose(monkeypatch, tmp_path / "mine")
    lesson_player(wiring).write_new()
    wait_for(lambda: lesson_player(wiring).is_on and editor(wiring).isVisible())
    click(editor(wiring).view.buttons[TEXT])
    return tmp_path / "mine.lesson.md"


def choose(monkeypatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def answer(monkeypatch, button) -> list[str]:
    asked: list[str] = []

    def say(_parent: object, _title: str, text: str, *_: object) -> object:
        asked.append(text)
        return button

    monkeypatch.setattr(QMessageBox, "question", say)
    return asked


def editor(wiring):
    return lesson_player(wiring).panel.editor


def write(wiring, text: str) -> None:
    """Type at the end of the step, and wait until it is taken."""
    editor(wiring).text.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor(wiring).text, text.replace("\n", ""))
    QTest.keyClick(editor(wiring).text, Qt.Key.Key_Return)
    QTest.keyClick(editor(wiring).text, Qt.Key.Key_Return)
    wait_for(lambda: not editor(wiring).is_waiting)


def replace(wiring, text: str) -> None:
    """Put another text in place of the step's."""
    editor(wiring).text.selectAll()
    editor(wiring).text.insertPlainText(text)
    wait_for(lambda: not editor(wiring).is_waiting)


def _with_yaw(scene: Scene) -> Scene:
    return scene.model_copy(update={"parameters": {**scene.parameters, "yaw": 20}})


def step_titles(wiring) -> list[str]:
    return [staging.step.title for staging in lesson_player(wiring).read.stagings]


def test_that_a_lesson_is_begun_of_what_is_shown(wiring, begun) -> None:
    step = parse_lesson(begun.read_text()).steps[0]
    assert (step.moment.scene, str(step.moment.time)) == ("aircraft", "3 s")
    assert lesson_player(wiring).staging.time == pytest.approx(3.0)
    assert editor(wiring).text.toPlainText().startswith("## The first step")
    assert not editor(wiring).save.isEnabled()


@pytest.mark.parametrize("name", ["faulty/misspelt-parent", "faulty/shuffled-packets"])
def test_that_a_lesson_is_begun_of_an_example_with_a_fault(open_window, tmp_path, monkeypatch, name) -> None:
    wiring = open_window(example_path(name))
    assert any(problem.severity == "red" for problem in wiring.session.problems)
    choose(monkeypatch, tmp_path / "mine")
    lesson_player(wiring).write_new()
    wait_for(lambda: lesson_player(wiring).is_on and editor(wiring).isVisible())
    assert parse_lesson((tmp_path / "mine.lesson.md").read_text()).steps[0].moment.scene == name


def test_that_a_lesson_that_would_not_open_is_not_written_and_the_remedy_is_said(wiring, tmp_path, monkeypatch) -> None:
    def insert_parent(scene: Scene) -> Scene:
        moved = scene.frames["aircraft"].model_copy(update={"parent": "cart"})
        frames = FrozenDict({"cart": Frame(parent="world"), **scene.frames, "aircraft": moved})
        return scene.model_copy(update={"frames": frames})

    wiring.session.commit(Edit("Put it on a cart", insert_parent))
    choose(monkeypatch, tmp_path / "mine")
    lesson_player(wiring).write_new()
    message = wiring.window.status.message
    assert message.startswith("No lesson is begun: ")
    assert message.endswith("Save the scene beside the lesson first.")
    assert not list(tmp_path.glob("*.lesson.md"))
    assert not lesson_player(wiring).is_on


def test_that_what_is_typed_is_seen_beside_it_and_the_cursor_stays(wiring, begun) -> None:
    write(wiring, "And so on.")
    assert "And so on." in lesson_player(wiring).panel.text.toPlainText()
    assert editor(wiring).text.textCursor().atEnd()
    assert editor(wiring).save.isEnabled()
    click(editor(wiring).save)
    assert "And so on." in begun.read_text()
    assert not begun.with_name("mine.lesson.md.unsaved").exists()


def test_that_moments_are_captured_with_what_was_changed_and_steps_are_moved_removed_and_brought_back(
    wiring, begun
) -> None:
    session = wiring.session
    session.scrub(5.0)
    session.end_scrub()
    session.commit(Edit("Yaw", _with_yaw))
    click(editor(wiring).capture)
    assert step_titles(wiring) == ["The first step", "A new step"]
    assert lesson_player(wiring).i == 1
    assert lesson_player(wiring).staging.time == pytest.approx(5.0)
    assert lesson_player(wiring).staging.scene.parameters["yaw"] == 20
    assert lesson_player(wiring).read.lesson.steps[1].moment.parameters == {"yaw": 20}
    click(editor(wiring).up)
    assert step_titles(wiring) == ["A new step", "The first step"]
    assert lesson_player(wiring).i == 0
    click(editor(wiring).remove)
    assert step_titles(wiring) == ["The first step"]
    assert not editor(wiring).remove.isEnabled()
    for expected in (["A new step", "The first step"], ["The first step", "A new step"], ["The first step"]):
        click(editor(wiring).undo)
        assert step_titles(wiring) == expected
    assert not editor(wiring).undo.isEnabled()
    assert not editor(wiring).save.isEnabled()


def test_that_a_rotation_turn_by_turn_and_hidden_items_are_captured_and_its_preview_is_not(wiring, begun) -> None:
    session = wiring.session
    session.commit(set_hidden(session.plan.scene, (("bodies", "fuselage"),), True))
    session.select(("frames", "aircraft"))
    wiring.staged.set_on(True)
    wiring.staged.set_turn_axes("fixed")
    wiring.staged.go_to(1.4)
    click(editor(wiring).capture)
    moment = lesson_player(wiring).read.lesson.steps[1].moment
    assert (moment.staged.frame, moment.staged.turns, moment.staged.axes) == ("aircraft", 1.4, "fixed")
    assert moment.hide == ("fuselage",)
    assert moment.orientations == {}
    assert wiring.staged.step.progress == pytest.approx(1.4)  # as the step has it
    assert wiring.staged.step.turn_axes == "fixed"
    click(editor(wiring).undo)
    click(editor(wiring).save)


def test_that_an_expression_that_was_typed_is_captured_and_moves_in_the_step(wiring, begun) -> None:
    session = wiring.session
    session.select(("frames", "aircraft"))
    type_in(wiring.window.inspector.orientation.rows[1].field, "20*t")
    typed = session.document.scene.frames["aircraft"].orientation
    click(editor(wiring).capture)
    moment = lesson_player(wiring).read.lesson.steps[1].moment
    assert moment.orientations == {"aircraft": typed}
    assert lesson_player(wiring).staging.scene.frames["aircraft"].orientation == typed
    wiring.session.scrub(4.0)
    assert np.degrees(session.plan.angles("aircraft", 4.0)[0][1]) == pytest.approx(80.0)
    click(editor(wiring).undo)
    click(editor(wiring).save)


def test_that_mistakes_are_told_with_their_line_and_kept_when_saved(wiring, begun) -> None:
    replace(wiring, "## A step\n\n```yaml\nscene: aircraft\ntmie: 3 s\n```\n")
    assert "tmie" in editor(wiring).problem.text()
    assert "Line 5: tmie" in editor(wiring).problem.text()
    assert step_titles(wiring) == ["The first step"]  # what is played is the last sound text
    click(editor(wiring).save)
    assert "tmie" in begun.read_text()
    replace(wiring, "no heading\n\n```yaml\nscene: aircraft\n```\n")
    assert step_titles(wiring) == ["Untitled step"]
    replace(wiring, "## One\n\n```yaml\nscene: aircraft\n```\n\n## Two\n\n```yaml\nscene: demo\n```\n")
    assert step_titles(wiring) == ["One", "Two"]
    assert lesson_player(wiring).i == 1
    assert editor(wiring).text.toPlainText().startswith("## Two")
    click(editor(wiring).save)


def test_that_what_is_not_saved_is_asked_about_and_found_again(wiring, begun, monkeypatch) -> None:
    write(wiring, "Not saved.")
    kept = begun.with_name("mine.lesson.md.unsaved")
    wait_for(kept.is_file)
    buttons = QMessageBox.StandardButton
    asked = answer(monkeypatch, buttons.Cancel)
    click(lesson_player(wiring).panel.leave)
    assert asked
    assert lesson_player(wiring).is_on
    wiring.files.take(find_lesson("gimbal-lock"))
    wait_for(lambda: len(asked) == 2)
    assert lesson_player(wiring).read.path == begun
    copy = kept.replace(begun.with_name("copy"))  # as after an end that was none
    answer(monkeypatch, buttons.Discard)
    click(lesson_player(wiring).panel.leave)
    assert not lesson_player(wiring).is_on
    assert "Not saved." not in begun.read_text()
    copy.replace(kept)
    wiring.files.take(begun)
    wait_for(lambda: lesson_player(wiring).is_on)
    asked = answer(monkeypatch, buttons.Yes)
    click(lesson_player(wiring).panel.edit)
    assert "not saved" in asked[0]
    assert "Not saved." in editor(wiring).text.toPlainText()
    click(editor(wiring).save)
    assert "Not saved." in begun.read_text()
    assert not kept.exists()


def test_that_another_scene_is_captured_and_its_unsaved_changes_are_asked_about(wiring, begun, monkeypatch) -> None:
    wiring.files.open_example("gimbal-lock")
    wait_for(lambda: not wiring.session.document.is_for_show)
    session = wiring.session
    click(editor(wiring).capture)
    assert lesson_player(wiring).staging.scene_name == "gimbal-lock"
    wiring.files.open_example("gimbal-lock")
    wait_for(lambda: not wiring.session.document.is_for_show)
    session.commit(Edit("Title", lambda scene: scene.model_copy(update={"title": "Another"})))
    asked = answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    click(lesson_player(wiring).panel.back)
    assert len(asked) == 1
    assert not wiring.session.document.is_for_show


def test_that_a_shipped_lesson_is_written_in_as_a_copy_with_its_scenes(wiring, tmp_path, monkeypatch) -> None:
    shipped = find_lesson("what-a-gyroscope-integrates")
    before = shipped.read_text()
    wiring.files.take(shipped)
    wait_for(lambda: lesson_player(wiring).is_on)
    choose(monkeypatch, tmp_path / "gyroscope.lesson.md")
    click(lesson_player(wiring).panel.edit)
    assert lesson_player(wiring).read.path == tmp_path / "gyroscope.lesson.md"
    assert (tmp_path / "coning.yaml").is_file()
    write(wiring, "Mine.")
    click(editor(wiring).save)
    assert "Mine." in (tmp_path / "gyroscope.lesson.md").read_text()
    assert shipped.read_text() == before


def test_that_a_scene_without_a_file_begins_no_lesson(wiring) -> None:
    wiring.files.new()
    lesson_player(wiring).write_new()
    assert "save it beside the lesson first" in wiring.window.status.message


def test_that_a_link_in_place_of_the_unsaved_text_is_not_followed(wiring, begun, tmp_path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    kept = begun.with_name("mine.lesson.md.unsaved")
    kept.symlink_to(precious)
    write(wiring, "Not saved.")
    wait_for(lambda: "No copy of the text is kept" in wiring.window.status.message)
    assert precious.read_text() == "precious"
    click(editor(wiring).save)
    assert "Not saved." in begun.read_text()
    assert precious.read_text() == "precious"


def test_that_unsaved_text_that_is_none_is_left_alone(wiring, begun, tmp_path) -> None:
    kept = begun.with_name("mine.lesson.md.unsaved")
    for content in (b"\xff\xfe\0\1", b"\0" * 100, "link", "folder"):
        click(lesson_player(wiring).panel.leave)
        wait_for(lambda: not lesson_player(wiring).is_on)
        kept.unlink(missing_ok=True)
        if content == "folder":
            kept.mkdir()
        elif content == "link":
            kept.symlink_to("/etc/hostname")
        else:
            kept.write_bytes(content)
        wiring.files.take(begun)
        wait_for(lambda: lesson_player(wiring).is_on)
        click(lesson_player(wiring).panel.edit)
        assert editor(wiring).isVisible(), content
        assert "hostname" not in editor(wiring).text.toPlainText()
        assert kept.is_symlink() or kept.exists(), content


@pytest.mark.parametrize("end", [Qt.Key.Key_Return, None])
@pytest.mark.parametrize("typed", ["30*sin(t)", "0.5*sin(t) rad", "yaw*smoothstep(t, 1, 3)"])
def test_that_an_angle_typed_as_an_expression_is_captured(wiring, begun, typed: str, end) -> None:
    session = wiring.session
    session.select(("frames", "aircraft"))
    wiring.window.show_dock("inspector")
    type_in(wiring.window.inspector.orientation.rows[0].field, typed, end)  # without Return, too
    click(editor(wiring).capture)
    wait_for(lambda: len(step_titles(wiring)) == 2)
    shown = lesson_player(wiring).staging.scene.frames["aircraft"].orientation
    assert typed.removesuffix(" rad") in str(shown.angles)
    assert session.document.scene.frames["aircraft"].orientation == shown
    click(editor(wiring).save)


@pytest.mark.parametrize("i", range(5))
def test_that_a_question_of_each_kind_is_added_with_names_of_the_scene_and_can_be_played(wiring, begun, i: int) -> None:
    before = editor(wiring).text.toPlainText()
    action = editor(wiring).question.menu().actions()[i]
    action.trigger()
    wait_for(lambda: lesson_player(wiring).staging.question is not None)
    assert lesson_player(wiring).panel.form is not None
    assert "question:" in editor(wiring).text.toPlainText()
    click(editor(wiring).undo)
    assert editor(wiring).text.toPlainText() == before
    click(editor(wiring).save)


def test_that_names_of_the_scene_are_completed_as_they_are_typed(wiring, begun) -> None:
    text, completer = editor(wiring).text, editor(wiring).completer
    text.setFocus()
    text.selectAll()
    QTest.keyClicks(text, "lit: [north")
    wait_for(completer.popup.isVisible)
    QTest.keyClick(completer.popup, Qt.Key.Key_Down)
    QTest.keyClick(completer.popup, Qt.Key.Key_Return)
    assert text.toPlainText() == "lit: [north-east-down"
    QTest.keyClicks(text, ", airc")
    wait_for(completer.popup.isVisible)
    QTest.keyClick(completer.popup, Qt.Key.Key_Tab)
    assert text.toPlainText() == "lit: [north-east-down, aircraft"
    wait_for(lambda: not editor(wiring).is_waiting)
    click(editor(wiring).save)


def test_that_the_author_sees_that_a_step_shows_its_answer(wiring, begun) -> None:
    question = "question: {form: number, ask: How far?, value: 50, unit: deg, tolerance: 1}"
    replace(wiring, f"## A step\n\n```yaml\nscene: aircraft\ntime: 10 s\n{question}\n```\n")
    assert "Add arcs to hide:" in editor(wiring).problem.text()
    click(editor(wiring).save)
