"""An author with the form of a step: questions written, corrected and undone without the text of the file."""

from __future__ import annotations

import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox

from framescope.app.session.scene_lookup import example_path
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.core.lesson import parse_lesson
from framescope.features.lessons.ui.lesson_editor import FORM, TEXT
from framescope.features.lessons.ui.step_form import SHORT_KINDS
from tests.support.hands import type_in
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
