"""Each instrument in the whole window: opened from its menu, used once, and put aside."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QTabBar, QWidget
from shiboken6 import isValid

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.core.analysis.shifts import shift_at
from framescope.core.evaluation.relative_motion import relation
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.ui.detective_panel import DetectivePanel
from framescope.features.laboratory.ui import DriftPanel, GimbalPanel
from framescope.features.shift.ui.shift_panel import ShiftPanel
from framescope.ui.formatting import number_text
from framescope.ui.panels.relation.relation_panel import RelationPanel
from tests.features.detective.core.test_detective_samples import motion
from tests.support.cases import for_each
from tests.support.hands import CTRL, LEFT, PLAIN, Key, drag, focus, show, strike, type_in
from tests.support.whole_window import click, from_menu, leave, strike_in, wait_for, windows
from tests.ui.test_inspector import choose
from tests.window.test_use_relation import type_frame

pytestmark = pytest.mark.usefixtures("dark")


def made(window, kind: type) -> QWidget:
    """Return an instrument's panel, which is made a moment after its dock is seen."""
    wait_for(lambda: window.findChild(kind) is not None)
    return window.findChild(kind)


@pytest.fixture
def arm(qtbot):
    with windows(qtbot) as open_it:
        wiring = open_it(find_scene("robot-arm"))
        wiring.window.set_place("Check")
        wiring.session.pause()
        yield wiring


def tabs_with(window, text: str) -> QTabBar:
    """Return the tabs that one of a name is among."""
    found = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and text in texts_of(bar)]
    assert len(found) == 1, text
    return found[0]


def texts_of(bar: QTabBar) -> list[str]:
    return [bar.tabText(i) for i in range(bar.count())]


def is_seen(widget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def test_that_an_instrument_that_is_gone_before_its_turn_is_made_when_it_is_seen_again(arm, qtbot) -> None:
    window = arm.window
    window.show_dock("drift")
    assert window.is_instrument_seen("drift")
    from_menu(arm, "Window", "More panels", "Drift laboratory")
    assert not window.is_instrument_seen("drift")
    window.show_dock("gimbal")  # its turn is after that of the one that has gone
    made(window, GimbalPanel)
    assert window.findChild(DriftPanel) is None
    window.show_dock("drift")
    made(window, DriftPanel)


def test_that_a_panel_that_is_seen_again_shows_the_present_scene_and_time(qtbot) -> None:
    with windows(qtbot) as open_it:
        window = (wiring := open_it(find_scene("demo"))).window
        wiring.session.pause()
        window.show_dock("quaternion")
        wait_for(lambda: "quaternion" in window.instruments)
        panel, docks = window.instruments["quaternion"], window.docks
        first = panel.quaternion
        docks["quaternion"].close()
        wiring.session.scrub(3.0)
        window.show_dock("quaternion")
        assert not np.allclose(panel.quaternion, first), "the quaternion of another time"
        docks["quaternion"].close()
        wiring.session.document.is_handed_back = True
        wiring.files.new()
        wait_for(lambda: wiring.session.selected_frame() == "frame 1")
        window.show_dock("quaternion")
        assert panel.empty.isHidden()
        np.testing.assert_array_equal(panel.quaternion, [0.0, 0.0, 0.0, 1.0])


def test_that_an_instrument_is_not_made_while_the_layout_changes(arm) -> None:
    window, turn = arm.window, arm.instruments.fill_timer
    window.show_dock("drift")
    wait_for(turn.isActive)
    window.set_place("Learn")
    assert not turn.isActive()
    wait_for(turn.isActive)
    window.set_place("Check")
    window.show_dock("drift")
    made(window, DriftPanel)


def test_that_a_window_that_goes_while_an_instrument_waits_leaves_nothing_behind(dark, qtbot) -> None:
    wiring = startup.make_window(find_scene("demo"))
    show(wiring.window, qtbot)
    wiring.window.show_dock("drift")
    wiring.instruments.fill_timer.timeout.emit()
    leave(wiring)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(wiring.window)


def test_that_the_menu_brings_a_dock_to_the_front_and_hides_it_only_from_there(arm) -> None:
    window = arm.window
    docks = window.docks
    for name, title, tab in (
        ("shift", "Shift", "Shift"),
        ("gimbal", "Gimbal laboratory", "Gimbal"),
        ("drift", "Drift laboratory", "Drift"),
    ):
        from_menu(arm, "Window", "More panels", title)
        wait_for(lambda name=name: is_seen(docks[name].widget()))
        bar = tabs_with(window, tab)
        assert bar.tabText(bar.currentIndex()) == tab
    from_menu(arm, "Window", "More panels", "Shift")  # it stands behind another: it comes to the front
    wait_for(lambda: is_seen(docks["shift"].widget()))
    from_menu(arm, "Window", "More panels", "Shift")
    assert docks["shift"].isHidden()
    assert not docks["gimbal"].isHidden()

    QTest.mouseDClick(docks["gimbal"].titleBarWidget(), LEFT, PLAIN, QPoint(40, 12))
    assert docks["gimbal"].isFloating()
    from_menu(arm, "Window", "Reset the layout")
    assert docks["gimbal"].isHidden()
    strike_in(arm, Key.Key_K, CTRL)
    QTest.keyClicks(QGuiApplication.focusObject(), "gimbal labor")
    strike(window, Key.Key_Return)
    wait_for(lambda: is_seen(docks["gimbal"].widget()))
    assert not docks["gimbal"].isFloating()

    window.resize(900, 600)
    from_menu(arm, "Window", "More panels", "Drift laboratory")
    wait_for(lambda: is_seen(docks["drift"].widget()))
    bottom = docks["timeline"].geometry()
    assert docks["drift"].geometry().left() >= bottom.left()
    assert docks["drift"].geometry().right() <= bottom.right()
    wait_for(lambda: not is_seen(docks["detective"].widget()))  # it stands behind: there is no room beside


def test_that_three_frames_are_related_a_point_is_shifted_and_a_path_passes_the_lock(arm) -> None:
    window, session = arm.window, arm.session
    session.scrub(2.0)
    session.end_scrub()
    panel = made(window, RelationPanel)
    assert panel.key.of == session.selected_frame()  # what a person looks at
    for field, name in ((panel.of, "tool"), (panel.relative_to, "joint 2"), (panel.resolved_in, "joint 4")):
        type_frame(field, name)
    wanted = relation(session.snapshot, "tool", "joint 2", "joint 4")
    shown = {value.quantity.signal: value.row.values for value in panel.values}
    assert shown["position"] == pytest.approx(wanted.p)
    assert shown["velocity"] == pytest.approx(wanted.V[3:])
    assert shown["angular velocity"] == pytest.approx(np.degrees(wanted.V[:3]))
    assert shown["acceleration"] == pytest.approx(wanted.A[3:])

    from_menu(arm, "Window", "More panels", "Shift")
    panel = made(window, ShiftPanel)
    session.select(("frames", "joint 3"))
    for field, text in zip(panel.form.r.fields, ("0,2", "-0.1", "0.05"), strict=True):
        type_in(field, text)
    assert panel.key.r == (0.2, -0.1, 0.05)
    shift = shift_at(session.plan, session.snapshot, panel.key)
    assert panel.terms.total.texts() == [number_text.fixed(part) for part in shift.total]

    from_menu(arm, "Window", "More panels", "Gimbal laboratory")
    panel = made(window, GimbalPanel)
    before = panel.verdict.text()
    slider = panel.miss_slider
    drag(slider, slider.width() * 0.3, slider.width() * 0.8)
    assert panel.miss.value > 1.0
    assert panel.verdict.text() != before
    from_menu(arm, "Edit", "Angles in radians")
    assert panel.miss.value < 1.0
    assert not session.document.is_dirty


def test_that_the_detective_reads_what_is_pasted(arm) -> None:
    from_menu(arm, "Window", "More panels", "Convention detective")
    panel = made(arm.window, DetectivePanel)
    R = motion(np.linspace(0.0, 8.0, 20))
    for box, reading in (
        (panel.a.text, Interpretation("quaternion", "wxyz")),
        (panel.b.text, Interpretation("quaternion", "xyzw")),
    ):
        numbers = reading.numbers(R)
        QGuiApplication.clipboard().setText("\n".join(" ".join(f"{x:.6f}" for x in row) for row in numbers))
        focus(box)
        strike(box, Key.Key_V, CTRL)
    wait_for(lambda: panel.comparison is not None)
    assert panel.verdict.kind == "found"
    if not panel.table.isVisible():
        click(panel.see)
    assert is_seen(panel.table)


def test_that_another_method_drifts_otherwise_and_the_run_goes_into_the_scene(arm) -> None:
    window, session = arm.window, arm.session
    before = session.document.scene
    from_menu(arm, "Window", "More panels", "Drift laboratory")
    panel = made(window, DriftPanel)
    wait_for(lambda: bool(panel.rows))
    first = panel.rows[0].run.end_error
    method = next(box for box in panel.choices.findChildren(QComboBox) if box.accessibleName() == "method")
    choose(method, "explicit Euler")
    wait_for(lambda: panel.rows and panel.rows[0].run.settings.method == "euler")
    assert panel.rows[0].run.end_error > 100 * first
    click(panel.put_button)
    wait_for(lambda: session.document.scene is not before)
    (new,) = set(session.document.scene.frames) - set(before.frames)
    assert session.selection == ("frames", new)
    strike_in(arm, Key.Key_Z, CTRL)
    assert session.document.scene is before


@for_each("do", ["another layout", "reset", "close"])
def test_that_a_dock_in_a_hand_is_let_go_before_the_window_goes_or_is_arranged_anew(arm, do) -> None:
    window = arm.window
    window.set_place("Check")
    header = window.docks["outline"].titleBarWidget()
    QTest.mousePress(header, LEFT, PLAIN, QPoint(60, 12))
    for step in range(1, 8):
        QTest.mouseMove(header, QPoint(60 + 30 * step, 12 + 20 * step))
        QApplication.processEvents()
    assert QWidget.mouseGrabber() is window.docks["outline"]
    match do:
        case "close":
            arm.session.document.is_handed_back = True
            window.close()
        case "reset":
            window.reset_layout()
        case _:
            window.set_place("Learn")
    assert QWidget.mouseGrabber() is None
