"""The shift by mouse and keyboard: the panel alone, and the point dragged in the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from framescope.core.analysis.shifts import ShiftKey, shift_at
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.scene.schema.model import WORLD
from framescope.features.shift.app.shift_controller import ShiftController
from framescope.features.shift.ui.shift_arrows import ShiftArrows
from framescope.features.shift.ui.shift_panel import ShiftPanel
from framescope.ui.formatting import number_text
from tests.core.test_shift_terms import SMALL, mechanics
from tests.features.shift.ui.test_view_shift import DISC
from tests.support.hands import LEFT, PLAIN, Key, picture, strike, type_in
from tests.support.whole_window import choose, wait_for, windows
from tests.window.test_use_relation import type_frame

T = 1.25


class Desk:
    """A window with the panel and its buttons, and all that the panel says."""

    def __init__(self, qtbot, text: str) -> None:
        self.window, self.panel = QWidget(), ShiftPanel()
        qtbot.addWidget(self.window)
        column, header = QVBoxLayout(self.window), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        for button in self.panel.header_widgets():
            header.addWidget(button)
        column.addLayout(header)
        column.addWidget(self.panel)
        self.drawn: list = []
        self.picked: list = []
        self.edits: list = []
        self.status: list = []
        self.panel.drawn_changed.connect(self.drawn.append)
        self.panel.picked.connect(self.picked.append)
        self.panel.edits.committed.connect(self.edits.append)
        self.panel.status.connect(lambda kind, text: self.status.append((kind, text)))
        self.window.resize(280, 760)
        self.window.show()
        with qtbot.waitExposed(self.window):
            pass
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.show(text)

    def show(self, text: str, t: float = T) -> None:
        self.plan = mechanics(text)
        self.now = evaluate(self.plan, t)
        self.panel.set_plan(self.plan)
        self.panel.show_snapshot(self.now)

    def choose(self, switch, text: str) -> None:
        button = next(each for each in switch.findChildren(QPushButton) if each.text() == text)
        QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())

    def at(self, text: str) -> None:
        """Choose where the point is, by keyboard."""
        box = self.panel.form.at
        box.setFocus(Qt.FocusReason.TabFocusReason)
        goal = box.findText(text)
        assert goal >= 0
        while box.currentIndex() != goal:
            strike(self.window, Key.Key_Down if box.currentIndex() < goal else Key.Key_Up)

    def rows(self) -> dict[str, list[str]]:
        return {row.symbol: row.texts() for row in self.panel.terms.terms if row.isVisible()}


@pytest.fixture
def desk_of(qtbot, dark):
    return lambda text=DISC: Desk(qtbot, text)


def texts(vector) -> list[str]:
    return [number_text.fixed(float(part)) for part in vector]


def test_that_an_empty_panel_says_what_to_do_and_draws_nothing(desk_of) -> None:
    desk = desk_of()
    assert desk.panel.currentIndex() == 0
    assert desk.panel.key is None
    assert desk.drawn[-1] is None
    assert not any(button.isEnabled() for button in desk.panel.header_widgets())
    desk.panel.set_item(("frames", WORLD))
    assert desk.panel.key is None


def test_that_it_follows_the_selection_to_a_point_on_the_body(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    assert desk.panel.key == ShiftKey("disc", "velocity", (0.5, 0.4, 0.1), force=(0.0, 0.0, -10.0))
    assert desk.drawn[-1].key == desk.panel.key
    shift = shift_at(desk.plan, desk.now, desk.panel.key)
    assert desk.rows() == {term.symbol: texts(term.vector) for term in shift.terms}
    assert desk.panel.terms.total.texts() == texts(shift.total)
    assert desk.panel.terms.total.size_text == number_text.fixed(float(np.linalg.norm(shift.total)))
    desk.panel.set_item(("frames", "bug"))
    assert desk.panel.key.frame == "bug"
    assert desk.panel.key.r == (0.2, 0.0, 0.0)  # without a body: the end of the axis x
    desk.panel.set_item(("", ""))
    assert desk.panel.key.frame == "bug"


def test_that_quantity_frame_of_resolution_and_point_are_chosen_by_hand(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    desk.choose(desk.panel.quantity, "Acceleration")
    assert [word.text() for word in desk.panel.frames.words.values() if word.isVisible()] == ["of", "in axes of"]
    assert desk.panel.resolved_in.name == "world"
    type_frame(desk.panel.resolved_in, "disc")
    type_in(desk.panel.form.r.fields[1], "-0,25")
    assert desk.panel.key.r == (0.5, -0.25, 0.1)
    shift = shift_at(desk.plan, desk.now, ShiftKey("disc", "acceleration", (0.5, -0.25, 0.1)))
    R_BW = desk.now.R_WF[desk.plan.index["disc"]].T
    assert desk.rows() == {term.symbol: texts(R_BW @ term.vector) for term in shift.terms}
    w = desk.panel.terms.inputs["ω"]
    assert w.texts() == ["0.00", "0.00", number_text.fixed(np.degrees(T), 2)]
    desk.panel.set_angle_unit("rad")
    assert w.texts() == ["0.0000", "0.0000", number_text.fixed(T)]
    desk.at("the origin of a frame")
    assert desk.panel.key.other == "bug"
    assert list(desk.rows()) == ["a₀", "b×r", "ω×(ω×r)", "2ω×v_rel", "a_rel"]
    assert desk.drawn[-1].look == ("acceleration", *desk.rows())
    assert "e−1" in desk.panel.terms.check.note_label.text()  # it is off by rounding
    assert not desk.panel.keep.isEnabled()
    desk.at("a point of its own")
    assert (desk.panel.key.other, desk.panel.key.r) == ("", (0.5, -0.25, 0.1))
    desk.panel.set_item(("frames", "bug"))
    assert desk.panel.resolved_in.name == "bug"  # own axes stay own axes
    type_frame(desk.panel.resolved_in, "disc")
    desk.panel.set_item(("bodies", "plate"))
    assert desk.panel.resolved_in.name == "disc"


def test_that_another_frame_is_chosen_by_typing_and_selected(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    type_frame(desk.panel.of, "bug")
    assert desk.panel.key.frame == "bug"
    assert desk.picked == [("frames", "bug")]
    type_frame(desk.panel.of, "bgu")
    assert "no frame bgu" in desk.panel.message.text()
    assert desk.panel.key.frame == "bug"


def test_that_points_are_kept_by_frame_until_the_frame_is_gone(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    type_in(desk.panel.form.r.fields[0], "0.2")
    desk.panel.set_item(("frames", "bug"))
    desk.panel.set_item(("frames", "disc"))
    assert desk.panel.key.r == (0.2, 0.4, 0.1)
    desk.show("framescope: 1\nframes:\n  other: {parent: world}\n")
    assert desk.panel.key is None
    assert desk.drawn[-1] is None


def test_that_a_typed_force_is_shifted_to_any_origin(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    desk.choose(desk.panel.quantity, "Force")
    type_in(desk.panel.form.force.fields[0], "3")
    type_frame(desk.panel.form.about, "world")
    assert desk.panel.key.force == (3.0, 0.0, -10.0)
    p_W = shift_at(desk.plan, desk.now, desk.panel.key).p_W
    assert desk.rows() == {"f": texts((3, 0, -10)), "r×f": texts(np.cross(p_W, (3, 0, -10)))}
    assert not desk.panel.terms.total.isVisible()


def test_that_a_connection_point_brings_its_own_force_and_what_small_angles_leave_out(desk_of) -> None:
    desk = desk_of(SMALL)
    desk.show(SMALL, 0.2)
    desk.panel.set_item(("points", "B"))
    assert desk.panel.key.point == "B"
    assert desk.panel.form.r.fields[0].isReadOnly()
    desk.choose(desk.panel.quantity, "Force")
    assert not desk.panel.form.force.isVisible()
    assert desk.rows()["f"] == texts(desk.now.ports["B"].force_W)
    terms = desk.panel.terms
    assert terms.model.isVisible()
    assert terms.left_out.isVisible()
    assert_allclose(terms.model.values + terms.left_out.values, desk.panel.terms.terms[1].values)
    desk.at("point A")
    assert desk.panel.key.point == "A"


def test_that_the_check_keeps_up_with_time_but_not_at_every_tick(desk_of, qtbot, monkeypatch) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    made = []
    monkeypatch.setattr(
        "framescope.features.shift.ui.shift_panel.check_of", lambda _plan, now, *_: made.append(float(now.t))
    )
    for k in range(20):
        desk.panel.show_snapshot(evaluate(desk.plan, T + 0.01 * k))
    assert len(made) <= 2
    qtbot.waitUntil(lambda: bool(made) and made[-1] == pytest.approx(T + 0.19))


def test_that_a_frame_without_a_pose_is_said_where_its_numbers_would_be(desk_of) -> None:
    desk = desk_of(
        DISC.replace("bodies:", '  lost: {parent: world, position: {value: ["1/0", 0, 0], unit: m}}\nbodies:')
    )
    desk.panel.set_item(("frames", "lost"))
    assert "lost has no pose" in desk.panel.hint.text()
    assert set(desk.rows()["v₀"]) == {number_text.MISSING}
    desk.panel.set_item(("frames", "disc"))
    assert not desk.panel.hint.isVisible()


def test_that_the_point_is_kept_and_the_terms_are_copied(desk_of) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    QTest.mouseClick(desk.panel.keep, LEFT, PLAIN, desk.panel.keep.rect().center())
    frame = desk.edits[0].apply(desk.plan.scene).frames["point"]
    assert (frame.parent, frame.position.value) == ("disc", (0.5, 0.4, 0.1))
    QTest.mouseClick(desk.panel.copy_button, LEFT, PLAIN, desk.panel.copy_button.rect().center())
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == f"velocity shifted on disc at t = {T} s, in axes of world"
    shift = shift_at(desk.plan, desk.now, desk.panel.key)
    assert lines[-1] == "\t".join(["v", *map(number_text.full, shift.total.tolist()), "m/s"])


def test_that_a_hidden_panel_computes_and_draws_nothing(desk_of, monkeypatch) -> None:
    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    desk.panel.hide()
    assert desk.drawn[-1] is None
    monkeypatch.setattr("framescope.features.shift.ui.shift_panel.shift_at", lambda *_: pytest.fail("nobody sees it"))
    desk.panel.set_plan(desk.plan)
    desk.panel.show_snapshot(desk.now)
    assert desk.drawn[-1] is None
    monkeypatch.undo()
    desk.panel.show()
    assert desk.drawn[-1].key.frame == "disc"


def test_that_both_themes_paint_the_colours_of_the_terms(desk_of, qapp) -> None:
    from framescope.ui.theme import current_theme
    from framescope.ui.theme.tokens import DARK, LIGHT

    desk = desk_of()
    desk.panel.set_item(("bodies", "plate"))
    try:
        for theme in (LIGHT, DARK):
            current_theme.apply_theme(qapp, theme)
            row = desk.panel.terms.terms[0]
            assert picture(row).pixelColor(2, row.height() // 2).name().upper() == theme.text
    finally:
        current_theme.apply_theme(qapp, DARK)


# --- In the window


@pytest.fixture
def opened(qtbot, dark, tmp_path):
    """A window on the disc with the shift beside it: wiring, panel, controller."""
    path: Path = tmp_path / "disc.yaml"
    camera = "camera: {position: [0, 0, 4], focal_point: [0, 0, 0.3], up: [0, 1, 0], unit: m, view_angle: 30 deg}"
    path.write_text(DISC.replace("view: {", f"view: {{{camera}, "), encoding="utf-8")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        panel = ShiftPanel()
        qtbot.addWidget(panel)
        panel.resize(280, 700)
        wait_for(lambda: wiring.window.is_furnished)
        shifting = ShiftController(wiring.session, wiring.window, panel)
        panel.show()
        with qtbot.waitExposed(panel):
            pass
        wiring.session.pause()
        wiring.session.scrub(0.0)
        wiring.session.select(("bodies", "plate"))
        yield wiring, panel, shifting


def place(view) -> QPoint:
    """Return where the point appears in the view."""
    ratio = view.devicePixelRatioF()
    x, y = view.renderer.visual(ShiftArrows).handle_at(view.renderer.projection())
    return QPoint(round(x / ratio), round(view.height() - y / ratio))


def drag(view, start: QPoint, end: QPoint) -> None:
    """Drag as a hand does, in steps."""
    QTest.mousePress(view, LEFT, PLAIN, start)
    for k in range(1, 6):
        at = start + (end - start) * k / 5
        QTest.mouseMove(view, at)
    QTest.mouseRelease(view, LEFT, PLAIN, end)


def test_that_the_point_is_dragged_over_the_body_and_nothing_of_the_document_changes(opened) -> None:
    wiring, panel, shifting = opened
    view, session = wiring.window.scene_view, wiring.session
    assert panel.key.frame == "disc"
    camera, scene = view.camera.state, session.document.scene
    start = place(view)
    QTest.mouseMove(view, start)
    drag(view, start, start + QPoint(-8, 70))
    r = np.array(panel.key.r)
    assert r[0] < 0.5
    assert r[1] < 0.4 - 0.1
    assert r[2] == pytest.approx(0.1, abs=1e-9)  # it slid along the top of the plate
    assert (place(view) - (start + QPoint(-8, 70))).manhattanLength() <= 2
    assert_allclose(panel.form.r.values, r)
    assert view.camera.state == camera
    assert session.document.scene is scene
    assert session.document.history.undo_label is None
    assert not session.document.is_dirty
    # the clock waits while the point is held
    session.toggle_play()
    start = place(view)
    QTest.mousePress(view, LEFT, PLAIN, start)
    assert shifting.manipulation.is_held
    assert not session.playback.is_playing
    QTest.mouseRelease(view, LEFT, PLAIN, start)
    assert session.playback.is_playing
    session.pause()
    # beside the point the mouse turns the camera as ever
    drag(view, place(view) + QPoint(-90, 90), place(view) + QPoint(-40, 60))
    assert view.camera.state != camera
    assert_allclose(panel.key.r, r)


def test_that_a_click_puts_the_point_that_is_kept_in_one_step_and_hiding_takes_all_away(opened) -> None:
    wiring, panel, shifting = opened
    view, session = wiring.window.scene_view, wiring.session
    wiring.window.activateWindow()
    goal = view.renderer.pose_of("disc")[1] + (-0.2, -0.1, 0.1)
    x, y, _ = view.renderer.projection().project(goal)
    at = QPoint(round(x), round(view.height() - y))
    QTest.mouseClick(panel.pick, LEFT, PLAIN, panel.pick.rect().center())
    assert panel.pick.isChecked()
    assert wiring.window.focusWidget() is view
    QTest.keyClick(view, Key.Key_Escape)
    assert not panel.pick.isChecked()
    QTest.mouseClick(panel.pick, LEFT, PLAIN, panel.pick.rect().center())
    QTest.mouseClick(view, LEFT, PLAIN, at)
    assert not panel.pick.isChecked()
    assert not shifting.manipulation.is_held
    assert_allclose(panel.key.r, (-0.2, -0.1, 0.1), atol=0.01)
    assert wiring.session.selection == ("bodies", "plate")
    before = session.document.scene
    QTest.mouseClick(panel.keep, LEFT, PLAIN, panel.keep.rect().center())
    kept = session.plan.index["point"]
    assert_allclose(session.snapshot.p_WF[kept], view.renderer.visual(ShiftArrows).shift.p_W, atol=1e-6)
    session.undo()
    assert session.document.scene == before
    wiring.window.commands.units["rad"].trigger()
    assert panel.terms.inputs["ω"].label == "ω  rad/s"
    wiring.window.commands.units["deg"].trigger()
    panel.hide()
    assert view.renderer.visual(ShiftArrows) is None
    assert shifting.manipulation.key is None
    panel.show()
    assert view.renderer.visual(ShiftArrows).shift is not None
    session.new()  # the points of one document are not those of another
    assert panel.key.frame == session.selected_frame()
    assert panel.known_keys == {panel.key.frame: panel.key}


# --- From the card of an answer

ARM = """\
framescope: 1
time: {end: 4 s}
frames:
  base: {parent: world, position: {value: ["0.2*t", 0, 1], unit: m}}
  arm: {parent: base, orientation: {form: axis, axis: z, angle: "90*t", unit: deg}}
  tip: {parent: arm, position: {value: [0.3, 0, 0], unit: m}}
  tool: {parent: tip, position: {value: [0, 0.1, 0], unit: m}}
view:
  answers:
    - {signal: velocity, of: tip, relative_to: world, resolved_in: arm, unit: m/s, form: number}
    - {signal: acceleration, of: tool, relative_to: tip, resolved_in: world, unit: m/s², form: number}
    - {signal: velocity, of: arm, relative_to: world, resolved_in: world, unit: m/s, form: number}
    - {signal: angles, of: tip, relative_to: world, sequence: XYZ, unit: deg, form: number}
"""


def test_that_cards_of_two_frames_on_one_body_open_the_shift(qtbot, tmp_path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text(ARM)
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        entries = [entries_of(card) for card in wiring.questions.cards.cards]
        assert ["Open in Shift" in texts for texts in entries] == [True, True, False, False]
        assert all("Open in Relation" in texts for texts in entries)
        shifts = ((0, "arm", "velocity", "tip", "arm"), (1, "tip", "acceleration", "tool", "world"))
        for i, frame, quantity, other, axes in shifts:
            card = wiring.questions.cards.cards[i]
            choose(menu_of(card), "Open in Shift")
            wait_for(lambda: wiring.window.findChild(ShiftPanel) is not None)
            panel = wiring.window.findChild(ShiftPanel)
            wait_for(panel.isVisible)
            assert (panel.key.frame, panel.key.quantity, panel.key.other) == (frame, quantity, other)
            assert panel.resolved_in.name == axes
            assert wiring.session.selection == ("frames", frame)
        wiring.session.scrub(1.0)
        card = wiring.questions.cards.cards[0]
        choose(menu_of(card), "Open in Shift")
        assert panel.terms.total.texts() == card.row.texts()


def menu_of(card) -> QMenu:
    at = QPoint(5, 5)
    QApplication.sendEvent(card, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, card.mapToGlobal(at)))
    return QApplication.activePopupWidget()


def entries_of(card) -> list[str]:
    menu = menu_of(card)
    texts = [action.text() for action in menu.actions()]
    menu.close()
    return texts
