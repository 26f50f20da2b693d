"""An author with the form of a step: questions written, corrected and undone without the text of the file."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox

from framescope.app.session.scene_lookup import example_path
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import find_lesson
from framescope.features.lessons.core.lesson import parse_lesson
from framescope.features.lessons.core.step_text import read_step
from framescope.features.lessons.ui.lesson_editor import FORM, TEXT
from framescope.features.lessons.ui.step_form import SHORT_KINDS
from framescope.ui.panels.inspector.editors.choices import TextEditor
from framescope.ui.panels.inspector.editors.paragraphs import ParagraphEditor
from tests.support.hands import Key, focus, strike, type_in
from tests.support.hostile_texts import TEXT as HOSTILE
from tests.support.whole_window import click, wait_for

pytestmark = pytest.mark.usefixtures("dark")


class Author:
    """A window with a lesson that is edited in its form."""

    def __init__(self, wiring) -> None:
        self.wiring = wiring
        self.player = lesson_player(wiring)

    @property
    def editor(self):
        return self.player.panel.editor

    @property
    def form(self):
        return self.editor.form

    @property
    def question(self):
        return self.player.staging.question

    @property
    def text(self) -> str:
        return self.editor.text.toPlainText()

    def choose_kind(self, kind: str) -> None:
        self.choose(self.form.question.combo, SHORT_KINDS[kind])

    def choose(self, combo, words: str) -> None:
        self.form.area.ensureWidgetVisible(combo)
        combo.setCurrentIndex(combo.findText(words))
        combo.activated.emit(combo.currentIndex())

    def field(self, key: str):
        return self.form.question.form.editors[key]

    def type(self, key: str, text: str, end=Qt.Key.Key_Return) -> None:
        line = self.field(key).findChild(QLineEdit)
        self.form.area.ensureWidgetVisible(line)
        type_in(line, text, end)

    def write(self, box, text: str, end=True) -> None:
        self.form.area.ensureWidgetVisible(box)
        box.setFocus()
        box.selectAll()
        box.insertPlainText(text)
        if end:
            QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    def replace(self, text: str) -> None:
        click(self.editor.view.buttons[TEXT])
        self.editor.text.selectAll()
        self.editor.text.insertPlainText(text)
        click(self.editor.view.buttons[FORM])


@pytest.fixture
def author(open_window, tmp_path, monkeypatch) -> Author:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    wiring = open_window(example_path("aircraft"))
    wiring.window.resize(1280, 800)
    author = Author(wiring)
    author.player.write_new()
    wait_for(lambda: author.player.is_on and author.editor.isVisible())
    assert author.editor.is_form
    return author


def take_picture(author: Author, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        QApplication.processEvents()
        author.wiring.window.grab().save(f"{folder}/{name}.png")
        author.form.area.widget().grab().save(f"{folder}/{name}-form.png")


def test_that_a_question_is_written_without_the_text_and_undone_step_by_step(author) -> None:
    before = author.text
    author.choose_kind("number")
    assert author.question.form == "number"
    author.write(author.field("ask").box, "How far does it yaw?")
    assert author.question.ask == "How far does it yaw?"
    author.type("value", "50")
    author.type("unit", "rad")
    assert (author.question.value, author.question.unit) == (50.0, "rad")
    assert "value: 50" in author.text
    take_picture(author, "number")
    for _ in range(4):
        click(author.editor.undo)
    assert author.text == before
    assert author.question is None
    assert author.form.question.form is None


@pytest.mark.parametrize("kind", SHORT_KINDS)
def test_that_each_kind_of_question_has_a_form_of_all_its_fields(author, kind) -> None:
    author.choose_kind(kind)
    assert author.question.form == kind
    assert set(author.form.question.form.editors) == type(author.question).model_fields.keys() - {"form"}
    author.form.fold.button.click()
    take_picture(author, f"kind-{kind}")
    author.write(author.field("ask").box, "Another question?")
    assert author.question.ask == "Another question?"
    parse_lesson(f"# A\n\n{author.text}")


def test_that_a_field_is_previewed_while_it_is_typed_and_written_once(author) -> None:
    author.choose_kind("choose")
    before, n = author.text, author.player.panel
    author.write(author.field("ask").box, "Which way does it go?", end=False)
    wait_for(lambda: author.question.ask == "Which way does it go?")
    assert author.text == before
    QTest.keyClick(author.field("ask").box, Qt.Key.Key_Escape)
    wait_for(lambda: author.question.ask == "What happens to aircraft?")
    author.write(author.field("ask").box, "Which way?", end=False)
    click(author.editor.view.buttons[TEXT])  # leaving the form writes the field
    assert 'ask: "Which way?"' in author.text
    click(author.editor.undo)
    assert author.text == before
    assert n is author.player.panel


def test_that_a_question_left_half_filled_is_kept_with_its_faults_at_the_fields(author) -> None:
    author.choose_kind("choose")
    options = author.field("options")
    focus(options.view)
    strike(options.view, Key.Key_Delete)
    assert options.message == "Expected at least 2."
    assert len(author.question.options) == 2  # what is played is the last valid text
    take_picture(author, "half")
    box = options.form.editors["right"].box
    author.form.area.ensureWidgetVisible(box)
    click(box)
    assert "Expected one option with right: true" in author.form.question.message
    assert "right: true" not in author.text
    assert author.question.options[0].right  # what is played is the last valid text
    click(box)
    assert author.form.question.message == ""
    click(options.add)
    author.form.area.ensureWidgetVisible(box)
    click(box)
    assert [option.right for option in author.question.options] == [False, False, True]
    assert [option.right for option in author.question.options].count(True) == 1
    assert options.message == ""
    author.replace("## A\n\n```yaml\nscene: aircraft\nquestion: {form: number, value: many}\n```\n")
    assert "It is required." in author.field("ask").message
    assert "Expected a number" in author.field("value").message
    take_picture(author, "faults")
    author.write(author.field("ask").box, "How many?")
    author.type("value", "3")
    author.type("tolerance", "1")
    assert (author.question.ask, author.question.value) == ("How many?", 3.0)
    assert author.field("value").message == ""


def test_that_a_text_that_cannot_be_read_closes_the_form_and_says_why(author) -> None:
    author.replace("## A\n\n```yaml\nscene: [aircraft\n```\n")
    assert "The fields cannot be edited" in author.form.message.text()
    assert not author.form.step.isEnabled()
    click(author.editor.undo)
    assert author.form.message.text() == ""
    assert author.form.step.isEnabled()


def test_that_hostile_texts_stay_texts(author) -> None:
    author.choose_kind("choose")
    hostile = HOSTILE.replace("\r", " ")
    author.write(author.field("ask").box, "## Not a step\n```\n--- {a: b}")
    assert author.question.ask == "## Not a step\n```\n--- {a: b}"
    assert len(author.player.read.stagings) == 1
    form = author.field("options").form
    type_in(form.editors["text"].findChild(QLineEdit), "[x]: {y} # z")
    assert author.question.options[0].text == "[x]: {y} # z"
    author.write(form.editors["reply"].box, hostile)
    parse_lesson(f"# A\n\n{author.text}")
    click(author.editor.view.buttons[TEXT])
    click(author.editor.view.buttons[FORM])
    assert author.field("ask").box.toPlainText() == "## Not a step\n```\n--- {a: b}"


@pytest.mark.parametrize("kind", SHORT_KINDS)
def test_that_a_hostile_text_in_every_field_leaves_a_step_that_can_be_read(author, kind) -> None:
    author.choose_kind(kind)
    author.form.fold.button.click()
    editors = author.form.findChildren(TextEditor) + author.form.findChildren(ParagraphEditor)
    assert len(editors) > 10
    for editor in editors:
        if not editor.isVisibleTo(author.form):
            continue
        author.form.area.ensureWidgetVisible(editor)
        if isinstance(editor, TextEditor):
            type_in(editor.line, HOSTILE.replace("\r\n", " "))
        else:
            author.write(editor.box, HOSTILE)
        assert read_step(author.text).problem == "", editor.field
    assert author.editor.undo.isEnabled()
    click(author.editor.view.buttons[TEXT])
    click(author.editor.view.buttons[FORM])


def test_that_looking_at_the_steps_of_a_lesson_changes_nothing(author, tmp_path) -> None:
    read = find_lesson("bodies-on-points")
    copy = tmp_path / "copy.lesson.md"
    copy.write_text(read.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "plate.yaml").write_bytes(read.with_name("plate.yaml").read_bytes())
    author.wiring.files.take(copy)
    wait_for(lambda: author.player.is_on and author.player.read.path == copy)
    if not author.editor.isVisible():
        click(author.player.panel.edit)
    author.form.fold.set_open(True)
    for i in range(len(author.player.read.stagings)):
        author.player.go(i)
        QApplication.processEvents()
        assert author.form.message.text() == ""
        assert not author.editor.save.isEnabled()
    assert not author.editor.undo.isEnabled()


def test_that_a_heading_in_the_words_begins_another_step(author) -> None:
    author.write(author.form.step.editors["words"].box, "One.\n\n## Two\n\nMore.")
    assert [staging.step.title for staging in author.player.read.stagings] == ["The first step", "Two"]
    assert author.player.i == 1
    assert author.form.step.editors["title"].line.text() == "Two"
    click(author.editor.undo)
    assert len(author.player.read.stagings) == 1


def test_that_undo_goes_back_through_form_and_text(author) -> None:
    texts = [author.text]
    author.choose_kind("number")
    texts.append(author.text)
    author.type("value", "7")
    texts.append(author.text)
    author.replace(author.text.replace("value: 7", "value: 8"))
    texts.append(author.text)
    assert author.field("value").number.value == 8.0
    author.type("value", "9")
    for text in reversed(texts):
        click(author.editor.undo)
        assert author.text == text
    assert author.form.question.form is None


def test_that_what_was_typed_for_a_step_is_not_shown_in_another(author) -> None:
    author.choose_kind("number")
    click(author.editor.capture)
    author.choose_kind("number")
    field = author.field("value")
    author.form.area.ensureWidgetVisible(field)
    type_in(field.number, "abc")
    assert field.message
    click(author.player.panel.back)
    assert author.player.i == 0
    assert author.field("value").number.text() == "1"
    assert author.field("value").message == ""


def test_that_names_of_the_scene_are_offered_and_others_refused(author) -> None:
    author.choose_kind("turn")
    frame = author.field("frame")
    assert "aircraft" in frame.combo.line.completer().model().stringList() or frame.combo.findText("aircraft") >= 0
    assert frame.combo.findText("your answer") < 0
    author.choose_kind("sketch")
    completer = author.field("signal").line.completer()
    completer.setCompletionPrefix("velocity of aircraft")
    assert completer.completionCount() > 0
    author.type("signal", "velocity of nothing")
    assert "nothing" in author.field("signal").message
    click(author.form.fold.button)
    light = author.form.moment.editors["light"].line
    light.completer().setCompletionPrefix("z of air")
    assert light.completer().currentCompletion() == "z of aircraft"


def test_that_the_camera_of_a_step_is_fitted_to_what_it_speaks_of(author) -> None:
    author.choose_kind("turn")
    camera = author.wiring.window.scene_view.camera
    camera.zoom(0.02, 10.0, 10.0)
    away = camera.state
    click(author.editor.fit)
    shown = author.player.staging.scene.view.camera
    assert camera.is_in_view("aircraft")
    assert camera.state.distance < away.distance or not np.allclose(shown.position, away.position)
    assert np.allclose(shown.position, camera.state.position, atol=1e-3)
    assert "aircraft" in author.wiring.window.status.message
    click(author.editor.undo)
    assert not np.allclose(author.player.staging.scene.view.camera.position, shown.position, atol=1e-3)


def test_that_a_capture_that_misses_its_subject_says_so(author) -> None:
    author.wiring.session.select(("frames", "aircraft"))
    camera = author.wiring.window.scene_view.camera
    camera.pan(5000.0, 0.0)
    assert not camera.is_in_view("aircraft")
    click(author.editor.capture)
    assert "the camera does not show aircraft" in author.wiring.window.status.message
    assert "the camera does not show aircraft" in author.form.message.text()
    click(author.editor.fit)
    assert camera.is_in_view("aircraft")
    assert author.form.message.text() == ""


@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_that_the_form_fits_into_a_small_window_with_large_text(author, scale) -> None:
    author.wiring.window.resize(round(1280 / scale), round(800 / scale))
    author.choose_kind("point")
    click(author.form.fold.button)
    QApplication.processEvents()
    take_picture(author, f"scale-{scale}")
    area, editor = author.form.area, author.editor
    assert area.height() >= 100
    assert area.widget().width() <= area.viewport().width()
    buttons = (editor.capture, editor.question, editor.save, editor.view, editor.fit, editor.undo, editor.remove)
    assert all(editor.rect().contains(button.geometry()) for button in buttons)
    assert [
        (b.text(), b.width(), b.sizeHint().width()) for b in buttons[:3] if b.width() < b.sizeHint().width() - 1
    ] == []
