"""The ten-minute lecture on gimbal lock, given from start to end by keys and one pointer, in full screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from framescope.app.session.scene_lookup import find_scene
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.ui.scene_view.visuals.lit_line import LitLine, lines_of
from framescope.ui.widgets.elided_label import ElidedLabel
from tests.support.hands import Key, strike
from tests.support.whole_window import click, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

NEXT, BACK, RIGHT, LEFT = Key.Key_PageDown, Key.Key_PageUp, Key.Key_Right, Key.Key_Left
BLANK, RING, LIGHT, LEAVE = Key.Key_B, Key.Key_P, Key.Key_L, Key.Key_Escape

Check = Callable[["Lecture"], Any]


class Lecture:
    """The window of a lecture, and what its audience sees."""

    def __init__(self, wiring) -> None:
        self.wiring, self.window, self.session = wiring, wiring.window, wiring.session
        self.player = lesson_player(wiring)

    @property
    def step(self) -> int:
        """Number of the step, from 1."""
        return self.player.i + 1

    @property
    def turns(self) -> float:
        return -1.0 if self.wiring.staged.step is None else self.wiring.staged.step.progress

    @property
    def reply(self) -> str:
        reply = self.player.panel.reply
        return reply.label.text() if reply.isVisible() else ""

    def seen(self) -> set[str]:
        names = {name for name, dock in self.window.docks.items() if not dock.visibleRegion().isEmpty()}
        return names | ({"scene"} if self.window.scene_view.isVisible() else set())

    def is_at(self, t: float) -> bool:
        return abs(self.session.playback.t - t) < 1e-6

    def point_at(self, widget: QWidget, at: QPoint | None = None) -> None:
        QCursor.setPos(widget.mapToGlobal(widget.rect().center() if at is None else at))

    def point_at_axis(self, name: str) -> None:
        view = self.window.scene_view
        context = view.renderer.visual(LitLine).context
        line = next(line for line in lines_of(view.renderer.tick, context) if line.name == name)
        x, y = (
            view.renderer.projection().project(0.15 * line.begin_W + 0.85 * line.end_W)[:2] / view.devicePixelRatioF()
        )
        self.point_at(view, QPoint(round(float(x)), round(view.height() - float(y))))
        wait_for(lambda: view.line_at(view.mapFromGlobal(QCursor.pos())) == name)

    def panel(self, name: str) -> QWidget:
        wait_for(lambda: name in self.window.instruments)
        return self.window.instruments[name]


LECTURE: list[tuple[Key | str, Check]] = [
    # Three turns, by the arrow keys, one of them back and again
    (RIGHT, lambda at: (at.step, at.turns) == (1, 1.0)),
    (RIGHT, lambda at: at.turns == 2.0),
    (LEFT, lambda at: at.turns == 1.0),
    (RIGHT, lambda at: at.turns == 2.0),
    (RIGHT, lambda at: at.turns == 3.0),
    # Three rings, with the ring around the pointer and an axis lit
    (NEXT, lambda at: at.step == 2 and at.turns == -1.0 and "scene" in at.seen()),
    (RING, lambda at: at.window.pointer_ring.isVisible()),
    ("point at z of arrow", lambda at: at.window.pointer_ring.isVisible()),
    (LIGHT, lambda at: at.window.scene_view.lit == "z of arrow"),
    (LEAVE, lambda at: not at.window.spotlight.is_on and at.window.is_presenting),
    # Which axles move? The class first, and the answer after it
    (NEXT, lambda at: at.step == 3 and at.reply == ""),
    (NEXT, lambda at: at.step == 3 and "Only what the middle ring carries" in at.reply),
    # It moves
    (NEXT, lambda at: at.step == 4 and at.session.playback.is_playing),
    ("wait", lambda at: at.is_at(3.0) and not at.session.playback.is_playing),
    (NEXT, lambda at: at.step == 5 and at.window.scene_view.lit == "z of arrow"),
    # A question from the class: the screen is black for it
    (BLANK, lambda at: at.window.blank_screen.is_on),
    (NEXT, lambda at: not at.window.blank_screen.is_on and at.step == 5),
    # Which turn is missing?
    (NEXT, lambda at: at.step == 6 and at.window.scene_view.lit == "" and at.reply == ""),
    (NEXT, lambda at: at.step == 6 and "gimbal lock" in at.reply),
    # Much motion, no effect
    (NEXT, lambda at: at.step == 7 and at.is_at(3.0) and at.reply == ""),
    (NEXT, lambda at: at.step == 7 and "By nothing" in at.reply and at.session.playback.is_playing),
    ("wait", lambda at: at.is_at(6.7)),
    # One step too far, and back again
    (NEXT, lambda at: at.step == 8 and "plots" in at.seen()),
    (NEXT, lambda at: at.step == 9),
    (BACK, lambda at: at.step == 8 and "plots" in at.seen() and at.session.playback.is_playing),
    ("wait", lambda at: at.is_at(9.5)),
    # The laboratory alone, and a drag in it
    (NEXT, lambda at: at.step == 9 and {"gimbal", "lesson"} <= at.seen() and "scene" not in at.seen()),
    ("drag the miss distance", lambda at: "57" not in at.panel("gimbal").verdict.text()),
    (BLANK, lambda at: at.window.blank_screen.is_on),
    (BLANK, lambda at: not at.window.blank_screen.is_on),
    # Another sequence: after a click into a panel, too
    (NEXT, lambda at: at.step == 10 and "scene" in at.seen() and "gimbal" not in at.seen()),
    (NEXT, lambda at: at.step == 10 and "locks somewhere" in at.reply),
    # The quaternion beside the scene
    (NEXT, lambda at: at.step == 11 and {"quaternion", "scene", "lesson"} <= at.seen()),
    ("light the quaternion", lambda at: at.window.spotlight.is_on),
    ("wait", lambda at: at.is_at(9.5)),
    (NEXT, lambda at: at.step == 12 and not at.window.spotlight.is_on and "quaternion" not in at.seen()),
    (NEXT, lambda at: at.step == 12 and at.player.is_on),
]
"""Keys of the lecture, and what holds after each."""


def settle(widget: QWidget) -> None:
    """Wait until a widget of a panel is visible and stands still: its texts grow once the panel has its data."""

    def place() -> tuple[QPoint, QSize]:
        return widget.mapToGlobal(QPoint(0, 0)), widget.size()

    def stands_still() -> bool:
        before = place()
        QTest.qWait(200)
        return widget.isVisible() and place() == before

    wait_for(stands_still)


def do(lecture: Lecture, act: Key | str) -> None:
    """Press a key, or use the pointer."""
    if isinstance(act, Key):
        strike(lecture.window, act)
    elif act.startswith("point at "):
        lecture.point_at_axis(act.removeprefix("point at "))
    elif act == "drag the miss distance":
        slider = lecture.panel("gimbal").miss_slider
        settle(slider)
        click(slider, QPoint(round(0.9 * slider.width()), slider.height() // 2))
    elif act == "light the quaternion":
        row = lecture.panel("quaternion").cover.q
        settle(row)
        lecture.point_at(row)
        strike(lecture.window, LIGHT)


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)], ids=["1920x1080", "1024x768"])
def test_that_the_lecture_is_given_by_keys_from_start_to_end(open_window, size) -> None:
    wiring = open_window(find_scene("demo"))
    window = wiring.window
    lecture = Lecture(wiring)
    lecture.player.open_by_name("lecture-on-gimbal-lock")
    wait_for(lambda: lecture.player.is_on)
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: window.is_presenting and window.isFullScreen())
    wait_for(lambda: "lesson" in lecture.seen())
    window.resize(*size)  # the screen of the tests has another size
    wait_for(lambda: (window.width(), window.height()) == size)
    for i, (act, check) in enumerate(LECTURE):
        try:
            do(lecture, act)
            wait_for(lambda check=check: bool(check(lecture)), 20.0)
        except AssertionError as error:
            error.add_note(f"after key {i}, {act}: step {lecture.step}, {lecture.turns} turns, {lecture.seen()}")
            raise
        assert window.is_presenting, (i, act)
        QTest.qWait(50)
        assert cut_labels(lecture) == [], (i, act)
    assert [staging.step.moment.notes != "" for staging in lecture.player.read.stagings] == [True] * 12
    strike(window, LEAVE)
    wait_for(lambda: not window.is_presenting and not window.isFullScreen())
    click(lecture.player.panel.leave)
    assert not lecture.player.is_on
    assert window.large_dock == ""


def cut_labels(lecture: Lecture) -> list[str]:
    """Return the texts of labels of the large panel that are cut; an elided label ends with an ellipsis."""
    name = lecture.window.large_dock
    labels = [] if not name else lecture.window.docks[name].findChildren(QLabel)
    return [
        label.text()
        for label in labels
        if label.isVisible() and not label.wordWrap() and not isinstance(label, ElidedLabel)
        if label.width() < label.minimumSizeHint().width() - 1
    ]


def test_that_the_second_screen_has_notes_and_the_right_answer(open_window) -> None:
    lecture = Lecture(open_window(find_scene("demo")))
    player = lecture.player
    player.open_by_name("lecture-on-gimbal-lock")
    wait_for(lambda: player.is_on)
    click(player.panel.notes)
    view = player.speaker_view
    wait_for(view.isVisible)
    player.go(2)
    text = view.notes.toPlainText()
    assert "show of hands" in text
    assert "Right answer: The inner one only" in text
    view.activateWindow()
    wait_for(view.isActiveWindow)
    strike(view, NEXT)
    assert player.i == 2
    assert "Only what the middle ring carries" in lecture.reply
    strike(view, NEXT)
    assert player.i == 3
    strike(view, BLANK)
    assert lecture.window.blank_screen.is_on
    assert {cover.cursor().shape() for cover in lecture.window.blank_screen.covers} == {Qt.CursorShape.BlankCursor}
    strike(view, Key.Key_Q)
    assert not lecture.window.blank_screen.is_on
    click(view.next)
    assert player.i == 4
    view.close()


def test_that_every_arrow_and_axis_named_by_a_lecture_is_in_its_picture(open_window) -> None:
    lecture = Lecture(open_window(find_scene("demo")))
    player = lecture.player
    player.open_by_name("lecture-on-gimbal-lock")
    wait_for(lambda: player.is_on)
    lit = [i for i, staging in enumerate(player.read.stagings) if staging.step.moment.light]
    assert lit
    view = lecture.window.scene_view
    for i in lit:
        player.go(i)
        QApplication.processEvents()
        view.repaint()
        visual = view.renderer.visual(LitLine)
        assert all(actor.GetVisibility() for actor in visual.overlay_actors)
        assert np.isfinite(view.renderer.projection().project(view.renderer.tick.snapshot.p_WF)).all()
