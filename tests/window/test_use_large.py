"""A panel that stands large, by real events: beside the scene, alone, and back, with nothing left behind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from framescope.app.session.scene_lookup import find_scene
from framescope.features.laboratory.ui import GimbalPanel
from framescope.ui.panels.inspector.editors.collapsible import Heading
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.notice import Notice
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.text_line import text_room
from framescope.ui.window.dock_state import save_layout
from framescope.ui.window.main_window import NO_PANEL
from tests.support.cases import for_each
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import ALT, click, from_menu, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

RICH = Qt.TextFormat.RichText
PANELS = ("quaternion", "gimbal", "drift", "shift", "readouts", "inspector", "plots")


@pytest.fixture
def wiring(open_window):
    return open_window(find_scene("gimbal-lock"))


def open_docks(window) -> set[str]:
    return {name for name, dock in window.docks.items() if not dock.isHidden()}


def sizes(window) -> dict[str, tuple[int, ...]]:
    return {name: dock.geometry().getRect() for name, dock in window.docks.items() if not dock.isHidden()}


def go_full_screen(wiring) -> None:
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: wiring.window.is_presenting and wiring.window.isFullScreen())


@for_each("name", PANELS)
def test_that_a_panel_is_large_beside_the_scene_then_alone_then_in_its_place(wiring, name) -> None:
    window, view = wiring.window, wiring.window.scene_view
    before = sizes(window)
    window.switch_large(name)
    wait_for(lambda: window.docks[name].isVisible() and window.docks[name].width() >= 0.45 * window.width())
    assert view.isVisible()
    assert open_docks(window) == {name, "timeline"}
    window.switch_large(name)
    wait_for(lambda: window.docks[name].width() >= 0.95 * window.width())
    assert not view.isVisible()
    window.switch_large(name)
    assert view.isVisible()
    wait_for(lambda: sizes(window) == before)
    assert window.docks[name].widget().styleSheet() == ""


def test_that_the_button_the_key_and_escape_lead_there_and_back(wiring) -> None:
    window = wiring.window
    before = sizes(window)
    click(window.docks["inspector"].titleBarWidget().large)
    assert window.large_dock == "inspector"
    strike_in(wiring, Key.Key_L, CTRL)
    assert not window.scene_view.isVisible()
    strike(window, Key.Key_Escape)
    assert window.large_dock == ""
    wait_for(lambda: sizes(window) == before)
    window.outline.tree.setFocus()
    strike_in(wiring, Key.Key_L, CTRL)
    assert window.large_dock == "outline"
    strike_in(wiring, Key.Key_L, CTRL)
    strike_in(wiring, Key.Key_L, CTRL)
    wait_for(lambda: sizes(window) == before)
    window.show_dock("gimbal")
    window.scene_view.setFocus()
    from_menu(wiring, "Window", "Large")
    assert window.large_dock


def test_that_closing_it_or_another_place_returns_the_others_and_no_place_remembers_it(wiring) -> None:
    window = wiring.window
    before, layout = open_docks(window), sizes(window)
    window.show_large("inspector")
    window.docks["inspector"].close()
    assert window.large_dock == ""
    assert open_docks(window) == before - {"inspector"}
    window.show_dock("inspector")
    wait_for(lambda: sizes(window) == layout)
    window.show_large("inspector", is_alone=True)
    assert window.layouts()[window.place] != save_layout(window, window.docks)
    strike_in(wiring, Key.Key_2, ALT)
    assert window.place == "Learn"
    assert window.scene_view.isVisible()
    strike_in(wiring, Key.Key_1, ALT)
    assert open_docks(window) == before
    wait_for(lambda: sizes(window) == layout)


@for_each("name", ["quaternion", "gimbal", "shift"])
def test_that_in_full_screen_it_is_read_from_the_last_row_and_escape_leaves_one_after_the_other(wiring, name) -> None:
    window = wiring.window
    before = sizes(window)
    window.switch_large(name)
    go_full_screen(wiring)
    wait_for(lambda: window.large_dock == name)
    wait_for(lambda: name in window.instruments)
    assert open_docks(window) == {name, "timeline"}
    wait_for(lambda: window.docks[name].widget().styleSheet() != "")
    strike(window, Key.Key_Escape)
    wait_for(lambda: window.large_dock == "")
    assert window.is_presenting
    strike(window, Key.Key_Escape)
    wait_for(lambda: not window.is_presenting and not window.isFullScreen())
    wait_for(lambda: sizes(window) == before)


def cut_parts(dock) -> list[str]:
    """Return the texts of a dock that are cut."""
    cut = []
    for field in dock.findChildren(NumberField):
        if field.isVisible():
            metrics = field.fontMetrics()
            is_wide = metrics.horizontalAdvance(field.text()) > text_room(field).width()
            cut += [f"number {field.text()}"] * (is_wide or metrics.height() > field.height())
    for label in dock.findChildren(QLabel):
        if label.isVisible() and not label.wordWrap() and label.text() and label.textFormat() != RICH:
            metrics = label.fontMetrics()
            is_wide = metrics.horizontalAdvance(label.text()) > label.width()
            cut += [label.text()] * (is_wide or metrics.height() > label.height())
    for box in dock.findChildren(ChoiceBox):
        if box.isVisible():
            room = box.width() - 30
            cut += [f"box {box.currentText()}"] * (box.fontMetrics().horizontalAdvance(box.currentText()) > room)
    return cut


@for_each(("place", "is_full_screen"), [("Build", False), ("Build", True), ("Learn", False), ("Learn", True)])
def test_that_texts_of_a_large_inspector_are_whole_and_of_one_size(wiring, place, is_full_screen) -> None:
    window = wiring.window
    window.resize(1280, 800)
    window.set_place(place)
    window.show_large("inspector")
    if is_full_screen:
        go_full_screen(wiring)
        wait_for(lambda: window.large_dock == "inspector")
    dock = window.docks["inspector"].widget()
    wait_for(lambda: cut_parts(dock) == [])
    number = next(field for field in dock.findChildren(NumberField) if field.isVisible())
    scale = number.font().pixelSize() / METRICS.number
    assert scale > 1.0
    for part in (window.inspector.frame_page.name.line, *dock.findChildren(Heading)):
        assert part.font().pixelSize() == pytest.approx(scale * METRICS.base, abs=1.0)
    window.leave_large()
    wait_for(lambda: number.font().pixelSize() == METRICS.number)
    assert number.height() == METRICS.field


def test_that_picture_and_plots_of_the_gimbal_laboratory_are_seen_together(wiring) -> None:
    window = wiring.window
    window.resize(1280, 800)
    window.show_large("gimbal", is_alone=True)
    wait_for(lambda: bool(window.findChildren(GimbalPanel)))
    (panel,) = window.findChildren(GimbalPanel)
    page = window.docks["gimbal"]

    def are_whole() -> bool:
        """Return whether all of each part lies within the dock."""
        parts = panel.rings, panel.plots.condition, panel.plots.angles, panel.plots.rates
        places = (QRect(part.mapTo(page, QPoint(0, 0)), part.size()) for part in parts)
        return all(part.isVisible() for part in parts) and all(page.rect().contains(place) for place in places)

    wait_for(are_whole)


@for_each(("place", "shown"), [("Learn", ""), ("Learn", "gimbal"), ("Learn", "drift"), ("Check", "shift")])
def test_that_panels_have_their_widths_back_after_a_narrow_window(wiring, place, shown) -> None:
    window = wiring.window
    window.setMinimumSize(0, 0)
    window.resize(1280, 800)
    window.set_place(place)
    window.reset_layout()
    if shown:
        window.show_dock(shown)
        wait_for(lambda: shown in window.instruments)
    QTest.qWait(200)  # until all is laid out
    before = sizes(window)
    for width in (1100, 950, 800, 1000, 1280):
        window.resize(width, 800)
        wait_for(lambda width=width: window.width() == width)
        QApplication.processEvents()
    QTest.qWait(200)
    assert sizes(window) == before


def test_that_a_panel_that_was_a_window_of_its_own_is_one_again(wiring) -> None:
    window, dock = wiring.window, wiring.window.docks["inspector"]
    dock.setFloating(True)
    wait_for(dock.isVisible)
    window.show_large("inspector")
    wait_for(lambda: dock.width() >= 0.45 * window.width())
    assert not dock.isFloating()
    window.leave_large()
    wait_for(dock.isFloating)
    dock.setFloating(False)


def test_that_a_black_screen_covers_windows_of_panels_and_keys_of_vendors_restore_it(wiring) -> None:
    window, dock = wiring.window, wiring.window.docks["inspector"]
    dock.setFloating(True)
    wait_for(dock.isVisible)
    go_full_screen(wiring)
    window.show_dock("inspector")
    wait_for(lambda: dock.isVisible() and dock.isFloating())
    window.blank_screen.show_black()
    assert {cover.window() for cover in window.blank_screen.covers} == {window, dock}
    window.activateWindow()
    wait_for(window.isActiveWindow)
    event = QKeyEvent(QEvent.Type.KeyPress, 0x0100FFF0, Qt.KeyboardModifier.NoModifier)  # a key that Qt has no name for
    QApplication.sendEvent(QApplication.focusWidget() or window, event)
    assert not window.blank_screen.is_on


def test_that_full_screen_says_why_no_panel_is_large_until_one_is(wiring) -> None:
    window = wiring.window
    go_full_screen(wiring)
    window.scene_view.setFocus()
    QCursor.setPos(window.scene_view.mapToGlobal(window.scene_view.rect().center()))
    strike_in(wiring, Key.Key_L, CTRL)
    notice = next(notice for notice in window.findChildren(Notice) if notice.text() == NO_PANEL)
    assert notice.isVisible()
    assert notice.fontMetrics().height() > 20
    window.show_large("inspector")
    assert not notice.isVisible()
    assert window.status.message != NO_PANEL
    window.leave_large()
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: not window.is_presenting)
    strike_in(wiring, Key.Key_L, CTRL)
    assert window.status.message == NO_PANEL  # no notice outside full screen
    assert not notice.isVisible()


def test_that_search_and_headings_are_large_in_full_screen_and_usual_after_it(wiring) -> None:
    window, palette = wiring.window, wiring.preferences.command_palette
    window.show_dock("gimbal")
    header = window.docks["gimbal"].titleBarWidget()
    usual = header.height(), header.findChild(QLabel).font().pixelSize()
    go_full_screen(wiring)
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.setText("gimbal")
    assert palette.field.font().pixelSize() >= 1.5 * METRICS.base
    assert palette.list.sizeHintForRow(0) >= 1.5 * 32
    assert window.rect().contains(palette.geometry())
    strike(palette.field, Key.Key_Escape)
    assert header.height() > usual[0]
    assert header.findChild(QLabel).font().pixelSize() > usual[1]
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: not window.is_presenting)
    assert (header.height(), header.findChild(QLabel).font().pixelSize()) == usual
    strike_in(wiring, Key.Key_K, CTRL)
    assert palette.field.font().pixelSize() == METRICS.base
    assert palette.list.sizeHintForRow(0) == 32
