"""A lecture by real keys: wherever the keyboard is, the keys of a lecturer do what they always do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from framescope.app.session.scene_lookup import example_path
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.ui.formatting import number_text
from framescope.ui.widgets.text_line import text_room
from tests.support.hands import Key, strike, type_in
from tests.support.whole_window import strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

PANELS = ("outline", "inspector", "readouts", "problems", "question", "plots", "lesson")


@pytest.fixture
def wiring(open_window):
    return open_window(example_path("aircraft"))


def begun(wiring, name: str = "gimbal-lock", i: int = 0):
    """Begin a lesson at a step, and return the player."""
    player = lesson_player(wiring)
    player.open_by_name(name)
    wait_for(lambda: player.is_on and player.panel.isVisible())
    player.go(i)
    return player


def go_full_screen(wiring) -> None:
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: wiring.window.is_presenting and wiring.window.isFullScreen())


def open_panels(window) -> None:
    for name in PANELS:
        window.show_dock(name)
    QApplication.processEvents()


def focusable(window) -> list[QWidget]:
    """Return all visible widgets of a window that can have the keyboard."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
    ]


def is_text(widget) -> bool:
    """Return whether letters are typed into a widget."""
    line = widget if isinstance(widget, QLineEdit) else getattr(widget, "lineEdit", lambda: None)()
    if line is not None:
        return not line.isReadOnly()
    return isinstance(widget, QTextEdit | QPlainTextEdit) and not widget.isReadOnly()


@pytest.mark.parametrize("is_full", [False, True], ids=["window", "full screen"])
def test_that_page_keys_go_through_the_lesson_wherever_the_keyboard_is(wiring, monkeypatch, is_full) -> None:
    player, window = begun(wiring, i=1), wiring.window
    if is_full:
        go_full_screen(wiring)
    open_panels(window)
    steps: list[int] = []
    monkeypatch.setattr(player, "step_by_key", steps.append)
    widgets = focusable(window)
    assert len(widgets) > 40
    dead = []
    for widget in widgets:
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        if not widget.hasFocus():
            continue
        steps.clear()
        strike(window, Key.Key_PageDown)
        strike(window, Key.Key_PageUp)
        if steps != [1, -1]:
            dead.append(widget)
    assert dead == []


@pytest.mark.parametrize("is_full", [False, True], ids=["window", "full screen"])
def test_that_b_blanks_wherever_the_keyboard_is_and_any_key_restores(wiring, is_full) -> None:
    begun(wiring, i=1)
    window = wiring.window
    if is_full:
        go_full_screen(wiring)
    open_panels(window)
    failed = []
    for i, widget in enumerate(focusable(window)):
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        if not widget.hasFocus() or is_text(widget):
            continue
        strike(window, Key.Key_B)
        was_blank = window.blank_screen.is_on
        strike(window, (Key.Key_B, Key.Key_PageDown, Key.Key_Escape, Key.Key_Q)[i % 4])
        if not was_blank or window.blank_screen.is_on:
            failed.append(widget)
    assert failed == []
    assert window.is_presenting == is_full


def test_that_in_full_screen_arrows_turn_wherever_the_keyboard_is(wiring) -> None:
    window, staged = wiring.window, wiring.staged
    wiring.session.select(("frames", "aircraft"))
    window.commands.staged.trigger()
    go_full_screen(wiring)
    open_panels(window)
    failed = []
    for widget in focusable(window):
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        if not widget.hasFocus() or isinstance(widget, QPlainTextEdit):
            continue
        staged.go_to(0.0)
        strike(window, Key.Key_Right)
        strike(window, Key.Key_Right)
        strike(window, Key.Key_Left)
        if staged.step is None or staged.step.progress != 1.0:
            failed.append(widget)
    assert failed == []
    strike(window, Key.Key_F11)
    wait_for(lambda: not window.is_presenting and not window.isFullScreen())
    staged.go_to(0.0)
    strike(window, Key.Key_Right)
    assert staged.step.progress == 1.0


def test_that_a_text_that_is_typed_keeps_its_letters_and_an_answer_lets_page_down_go_on(wiring) -> None:
    player = begun(wiring, i=5)
    field = player.panel.form.field
    type_in(field, "8b", None)
    assert field.text() == "8b"
    assert not wiring.window.blank_screen.is_on
    strike(wiring.window, Key.Key_PageDown)
    assert player.i == 6


def test_that_the_screen_can_be_blank_without_a_lesson_only_in_full_screen(wiring) -> None:
    window = wiring.window
    window.scene_view.setFocus()
    strike(window, Key.Key_B)
    assert not window.blank_screen.is_on
    go_full_screen(wiring)
    strike(window, Key.Key_B)
    assert window.blank_screen.is_on
    strike(window, Key.Key_B)
    assert not window.blank_screen.is_on
    strike(window, Key.Key_Escape)
    wait_for(lambda: not window.is_presenting)


def test_that_head_and_foot_of_a_lesson_and_its_numbers_grow_with_the_text_in_full_screen(wiring) -> None:
    player = begun(wiring, i=3)
    panel, rows = player.panel, player.panel.form.sliders.rows
    parts = (panel.next, panel.back, panel.count, panel.notes, panel.leave, rows[0].field)
    usual = [part.font().pixelSize() for part in parts]
    go_full_screen(wiring)
    wait_for(lambda: panel.form is not None and panel.form.sliders is not None)
    rows = panel.form.sliders.rows
    larger = (*parts[:-1], rows[0].field)
    wait_for(lambda: all(part.font().pixelSize() >= 1.4 * size for part, size in zip(larger, usual, strict=True)))
    for row in rows:
        field = row.field
        assert field.text() == number_text.fixed(row.value_deg, 2)
        assert field.fontMetrics().horizontalAdvance(field.text()) <= text_room(field).width()
    assert any(row.field.text().startswith(("-", number_text.MINUS)) for row in rows)
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: not wiring.window.is_presenting)
    wait_for(lambda: [part.font().pixelSize() for part in parts[:-1]] == usual[:-1])
