"""The timeline of a recording's frames, by mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from framescope.features.bags.ui.frame_bars import FrameBar, FrameMark, mark_pixels, shown_rows, span_pixels
from framescope.features.bags.ui.frame_canvas import AXIS, NO_FAULT, NO_MATCH
from framescope.features.bags.ui.recording_panel import EMPTY, RecordingPanel
from framescope.ui.theme import current_theme
from tests.support.hands import LEFT, PLAIN, Key, focus, picture, roll, strike, type_in

JUMP, LATE, SEEN = (
    FrameMark(4.0, "red", "jumps by 2 m"),
    FrameMark(6.5, "amber", "late"),
    FrameMark(5.0, "note", "seen"),
)
BARS = (
    FrameBar("map", 0, (), "hangs on nothing", (), True),
    FrameBar("odom", 1, ((0.0, 4.0), (6.0, 10.0)), "hangs on map", (JUMP, LATE), False),
    FrameBar("base", 2, ((1.0, 9.0),), "hangs on odom", (SEEN,), False),
    FrameBar("Laser<1>", 3, ((0.0, 10.0),), "hangs on base", (), True),
    FrameBar("marker", 1, (), "hangs on map", (FrameMark(8.0, "amber", "never seen"),), False),
)


@pytest.fixture
def panel(dark, desk):
    desk.resize(900, 300)
    panel = desk.put(RecordingPanel())
    panel.set_range(0.0, 10.0)
    panel.set_frames(BARS)
    panel.said = []
    panel.time_requested.connect(panel.said.append)
    panel.frame_picked.connect(panel.said.append)
    return panel


def names(panel) -> list[str]:
    return [panel.canvas.bars[row.i_frame].name for row in panel.canvas.rows]


def place(panel, name: str, t: float | None = None, dx: int = 0) -> QPoint:
    """Return where a time is in a frame's row; without one, where its name is."""
    y = panel.canvas.row_rect(names(panel).index(name)).center().y()
    return QPoint(30 if t is None else round(panel.canvas.x_of(t)) + dx, y)


def click(panel, at: QPoint) -> None:
    QTest.mouseClick(panel.canvas.viewport(), LEFT, PLAIN, at)


def color_at(panel, at: QPoint) -> str:
    return picture(panel.canvas.viewport()).pixelColor(at).name().upper()


def test_that_a_click_in_a_row_picks_its_frame_and_asks_for_the_time(panel) -> None:
    click(panel, place(panel, "base", 3.0))
    name, t = panel.said
    assert name == "base"
    assert t == pytest.approx(3.0, abs=0.02)
    assert panel.canvas.selected == "base"
    assert "base" in panel.canvas.accessibleDescription()


@pytest.mark.parametrize("dx", [-4, 0, 4])
def test_that_a_click_near_a_mark_goes_exactly_there(panel, dx) -> None:
    click(panel, place(panel, "odom", 4.0, dx))
    assert panel.said == ["odom", 4.0]


def test_that_a_click_further_away_or_in_another_row_does_not(panel) -> None:
    for at in (place(panel, "odom", 4.0, 6), place(panel, "base", 4.0, 3)):
        panel.said.clear()
        click(panel, at)
        assert panel.said[1] != 4.0
        assert panel.said[1] == pytest.approx(4.0, abs=0.2)


def test_that_a_click_on_a_name_picks_without_asking_for_a_time(panel) -> None:
    click(panel, place(panel, "marker"))
    assert panel.said == ["marker"]


def test_that_a_click_on_the_times_asks_without_picking(panel) -> None:
    click(panel, QPoint(round(panel.canvas.x_of(7.0)), AXIS // 2))
    assert panel.said == [pytest.approx(7.0, abs=0.02)]


def test_that_a_drag_asks_for_time_after_time_and_stays_in_the_range(panel) -> None:
    view = panel.canvas.viewport()
    QTest.mousePress(view, LEFT, PLAIN, place(panel, "base", 2.0))
    for t in (3.0, 4.0, 5.0):
        QTest.mouseMove(view, place(panel, "base", t))
    QTest.mouseMove(view, QPoint(view.width() + 200, 60))
    QTest.mouseRelease(view, LEFT, PLAIN, QPoint(view.width() + 200, 60))
    name, *times = panel.said
    assert name == "base"
    assert times == pytest.approx([2.0, 3.0, 4.0, 5.0, 10.0], abs=0.02)
    panel.said.clear()
    QTest.mouseMove(view, place(panel, "base", 2.0))
    assert panel.said == []


def test_that_a_trembling_hand_stays_on_the_mark(panel) -> None:
    view = panel.canvas.viewport()
    QTest.mousePress(view, LEFT, PLAIN, place(panel, "odom", 4.0, 2))
    QTest.mouseMove(view, place(panel, "odom", 4.0, 5))
    QTest.mouseRelease(view, LEFT, PLAIN, place(panel, "odom", 4.0, 5))
    assert panel.said == ["odom", 4.0]


def test_that_the_filter_shows_what_a_match_hangs_on_dimmed(panel) -> None:
    type_in(panel.field, "lASER", end=None)
    assert names(panel) == ["map", "odom", "base", "Laser<1>"]
    assert [row.is_dim for row in panel.canvas.rows] == [True, True, True, False]
    assert panel.count.text() == "1 of 5"
    strike(panel.field, Key.Key_Escape)
    assert len(names(panel)) == 5
    assert panel.count.text() == "5 frames"


def test_that_down_in_the_field_goes_on_to_the_rows(panel) -> None:
    type_in(panel.field, "mark", end=Key.Key_Down)
    assert panel.canvas.hasFocus()
    strike(panel.canvas, Key.Key_Down)
    strike(panel.canvas, Key.Key_Down)
    assert panel.said == ["map", "marker"]


def test_that_only_faults_leaves_frames_without_amber_or_red_out(panel) -> None:
    focus(panel.only_faults)
    strike(panel.only_faults, Key.Key_Space)
    assert names(panel) == ["map", "odom", "marker"]
    assert [row.is_dim for row in panel.canvas.rows] == [True, False, False]
    type_in(panel.field, "od", end=None)
    assert names(panel) == ["map", "odom"]


def test_that_nothing_left_says_why(panel) -> None:
    type_in(panel.field, "nowhere", end=None)
    assert names(panel) == []
    assert panel.canvas.why_empty == NO_MATCH
    click(panel, QPoint(300, 80))
    focus(panel.canvas)
    strike(panel.canvas, Key.Key_Down)
    assert panel.said == []
    panel.field.clear()
    panel.only_faults.setChecked(True)
    panel.set_frames(BARS[3:4])
    picture(panel.canvas.viewport())
    assert names(panel) == []
    assert panel.canvas.why_empty == NO_FAULT


def test_that_up_and_down_go_from_row_to_row(panel) -> None:
    focus(panel.canvas)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_End, Key.Key_Down, Key.Key_Home):
        strike(panel.canvas, key)
    assert panel.said == ["map", "odom", "map", "map", "marker", "marker", "map"]


def test_that_left_and_right_go_from_mark_to_mark_of_the_row(panel) -> None:
    panel.set_time(5.0)
    focus(panel.canvas)
    strike(panel.canvas, Key.Key_Right)
    assert panel.said == []
    panel.set_selected("odom")
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Left):
        strike(panel.canvas, key)
    assert panel.said == [6.5, 4.0]


def test_that_what_is_set_says_nothing(panel) -> None:
    panel.set_selected("odom")
    panel.set_time(3.0)
    panel.set_range(0.0, 20.0)
    panel.set_frames(BARS[:3])
    panel.set_selected("")
    assert panel.said == []


class Painted(QObject):
    """Keeps how wide each part was that a widget has painted."""

    def __init__(self, widget) -> None:
        super().__init__(widget)
        self.widths: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, widget, event) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.widths.append(event.rect().width())
        return False


def test_that_the_cursor_alone_is_painted_again(panel, qtbot) -> None:
    QApplication.processEvents()
    painted = Painted(panel.canvas.viewport())
    panel.set_time(5.0)
    qtbot.waitUntil(lambda: bool(painted.widths))
    painted.widths.clear()
    panel.set_time(5.1)
    qtbot.waitUntil(lambda: bool(painted.widths))
    assert max(painted.widths) < 60
    painted.widths.clear()
    panel.set_time(5.1001)
    QApplication.processEvents()
    assert painted.widths == []


def test_that_bars_gaps_marks_and_cursor_have_their_colours(panel) -> None:
    panel.set_time(9.0)
    colors = [color_at(panel, place(panel, "odom", t)) for t in (2.3, 4.0, 5.1, 6.5, 9.0)]
    theme = current_theme.current()
    assert colors[1] == theme.red
    assert colors[3] == theme.amber
    assert colors[4] == theme.text
    assert len(set(colors)) == 5
    assert color_at(panel, place(panel, "odom", 5.1) + QPoint(0, 3)) == theme.panel


def test_that_red_is_painted_over_amber_at_the_same_pixel() -> None:
    marks = [FrameMark(5.0, "red", "a"), FrameMark(5.001, "amber", "b"), FrameMark(11.0, "red", "out of range")]
    assert mark_pixels(marks, 0.0, 10.0, 100) == (("red", (50,)),)


def test_that_many_spans_become_few_pixels() -> None:
    spans = [(0.001 * i, 0.001 * i + 0.0005) for i in range(20_000)]
    assert span_pixels(spans, 0.0, 20.0, 500) == ((0, 500),)
    assert span_pixels([(3.0, 4.0), (-5.0, 1.0), (9.0, 50.0), (60.0, 70.0)], 0.0, 10.0, 10) == ((0, 1), (3, 4), (9, 10))
    assert span_pixels([(0.0, 1.0)], 2.0, 2.0, 10) == ()


def test_that_an_ancestor_is_found_past_siblings_and_their_children() -> None:
    depths = {"a": 0, "b": 1, "b1": 2, "c": 1, "c1": 2, "d": 0, "e": 1}
    bars = [FrameBar(name, depth, (), "", (), False) for name, depth in depths.items()]
    assert [bars[row.i_frame].name for row in shown_rows(bars, "c1")] == ["a", "c", "c1"]
    assert [bars[row.i_frame].name for row in shown_rows(bars, "1")] == ["a", "b", "b1", "c", "c1"]


@pytest.mark.parametrize(
    ("name", "t", "words"),
    [
        ("odom", 4.0, "<b>odom</b><br>hangs on map<br>jumps by 2 m (4.000 s)"),
        ("odom", 8.0, "<b>odom</b><br>hangs on map<br>known from 6.000 to 10.000 s"),
        ("odom", 5.0, "<b>odom</b><br>hangs on map<br>no data here"),
        ("map", 5.0, "<b>map</b><br>hangs on nothing<br>static: known all the time"),
        ("Laser<1>", None, "<b>Laser&lt;1&gt;</b><br>hangs on base"),
    ],
)
def test_that_a_tool_tip_tells_what_is_here(panel, qtbot, name, t, words) -> None:
    at = place(panel, name, t)
    view = panel.canvas.viewport()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, at, view.mapToGlobal(at)))
    qtbot.waitUntil(lambda: QToolTip.text() == words)
    QToolTip.hideText()


def test_that_hundreds_of_frames_are_scrolled_by_wheel_and_keys(panel) -> None:
    spans = tuple((0.1 * i, 0.1 * i + 0.06) for i in range(70))
    panel.set_frames([FrameBar(f"f{i}", i % 5, spans, "", (JUMP, LATE), False) for i in range(300)])
    bar = panel.canvas.verticalScrollBar()
    roll(panel.canvas.viewport(), -2)
    assert bar.value() > 0
    focus(panel.canvas)
    strike(panel.canvas, Key.Key_Down)
    assert bar.value() == 0
    strike(panel.canvas, Key.Key_End)
    assert panel.said[-1] == "f299"
    assert bar.value() == bar.maximum()
    view = panel.canvas.viewport()
    assert view.rect().contains(panel.canvas.row_rect(299))
    click(panel, place(panel, "f298", 2.0))
    assert panel.said[-2] == "f298"
    panel.set_selected("f3")
    assert view.rect().contains(panel.canvas.row_rect(3))


def test_that_without_frames_it_says_what_to_do(panel) -> None:
    assert not panel.empty.isVisible()
    panel.set_frames(())
    assert panel.empty.isVisible()
    assert EMPTY in {label.text() for label in panel.empty.findChildren(QLabel)}
    assert not panel.canvas.isVisible()
    panel.set_frames(BARS)
    assert panel.canvas.isVisible()


@pytest.mark.parametrize("bounds", [(0.0, 0.0), (1.7e9, 1.7e9 + 60), (-1e-6, 1e-6)])
def test_that_any_range_is_painted(panel, bounds) -> None:
    panel.set_range(*bounds)
    panel.set_time(bounds[1])
    picture(panel)
    click(panel, place(panel, "base", bounds[0]))
    assert panel.said[0] == "base"
