"""The staged mode over the scene, by real mouse and key events."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import example_path
from framescope.app.session.session import Session
from framescope.app.session.staged_mode import SECONDS_PER_TURN, StagedMode
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.scene.edits.authored_angles import turn_to
from framescope.ui.panels.staged.caption import (
    DECIMALS,
    FEW_DECIMALS,
    StagedCaption,
    numbers_of,
    sentence_of,
    short_sentence_of,
)
from framescope.ui.panels.staged.formula import FormulaLabel, lit_colors
from framescope.ui.panels.staged.stage_bar import KEY_STEP
from framescope.ui.panels.staged.staged_overlay import CUBE, StagedOverlay
from framescope.ui.panels.staged.turn_chip import PAD
from framescope.ui.scene_view.base.staged_bounds import staged_points
from framescope.ui.scene_view.interaction.active_passive_view import ActivePassiveView
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.scene_view.visuals.staged_rotation import StagedTurns, lengths_of
from framescope.ui.theme.tokens import DARK, LIGHT, METRICS, contrast
from framescope.ui.window.key_router import KeyRouter
from framescope.ui.window.places import readable_size
from tests.support.cases import for_each
from tests.support.hands import LEFT, PLAIN, SHIFT, Key
from tests.window.test_staged_mode import Clock


class Stage:
    """An example on a session, with a view, wired as in the window."""

    def __init__(self) -> None:
        self.session = session = Session(Document.open(example_path("aircraft")))
        self.view = view = SceneView()
        view.resize(740, 494)
        self.clock = Clock()
        self.mode = mode = StagedMode(session, session, self.clock)
        self.overlay = overlay = StagedOverlay(view)
        mode.changed.connect(overlay.show_step)
        mode.playing_changed.connect(overlay.bar.set_playing)
        overlay.bar.moved.connect(mode.go_to)
        overlay.bar.stepped.connect(mode.go)
        overlay.bar.play_toggled.connect(mode.toggle_play)
        overlay.bar.left.connect(mode.leave)
        session.plan_changed.connect(lambda plan, _: view.set_plan(plan))
        session.ticked.connect(view.show_snapshot)
        view.picked.connect(session.select)
        keys = KeyRouter(view, view)
        keys.turns = overlay
        keys.states["has_tool"] = lambda: view.manipulation.is_on
        keys.states["is_measuring"] = lambda: view.measuring.is_on
        session.start()
        session.scrub(10.0)
        session.select(("frames", "aircraft"))
        self.bar = overlay.bar

    def go_on(self, seconds: float) -> None:
        self.clock.t += seconds
        self.mode.advance()

    def close(self) -> None:
        self.session.close()
        self.view.close()
        self.view.deleteLater()
        self.session.deleteLater()


@pytest.fixture
def stage(qtbot, dark):
    stage = Stage()
    with qtbot.waitSignal(stage.view.first_frame):
        stage.view.show()
    stage.view.activateWindow()
    qtbot.waitUntil(stage.view.isActiveWindow)
    stage.mode.set_on(True)
    yield stage
    stage.close()


@pytest.fixture
def unpainted(stage) -> None:
    """Let the stage paint no more pictures: where things lie and what they say needs none."""
    stage.view.setUpdatesEnabled(False)


def click(widget, x: float | None = None) -> None:
    at = QPoint(round(widget.width() / 2 if x is None else x), widget.height() // 2)
    QTest.mouseClick(widget, LEFT, PLAIN, at)


def strike(stage, key: Key, modifiers=PLAIN) -> None:
    QTest.keyClick(stage.view.windowHandle(), key, modifiers)


def choose(stage, reading: str) -> None:
    click(stage.overlay.switch.buttons[reading])


@pytest.mark.usefixtures("unpainted")
def test_that_it_takes_the_keyboard_and_goes_turn_by_turn(stage) -> None:
    assert stage.bar.hasFocus()
    reached = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Up, Key.Key_End, Key.Key_Right, Key.Key_Home):
        strike(stage, key)
        reached.append(stage.mode.step.progress)
    assert reached == pytest.approx([1.0, 2.0, 1.0, 1.0 + KEY_STEP, 3.0, 3.0, 0.0])


@pytest.mark.usefixtures("unpainted")
@for_each("reading", ["Active", "Both"])
def test_that_formula_and_switch_stay_below_a_title_and_a_clock_that_are_drawn_larger(stage, reading) -> None:
    stage.view.resize(1280, 740)
    choose(stage, reading)
    overlay = stage.overlay
    tops = overlay.switch.y(), overlay.active.y()
    stage.view.set_number_size(23)
    larger = stage.view.renderer.magnification
    assert larger > 1.5
    if reading == "Active":
        assert (overlay.switch.y(), overlay.active.y()) == tuple(round(top * larger) for top in tops)
    else:
        assert overlay.switch.y() == round(tops[0] * larger)
        assert overlay.active.y() == overlay.passive.y() > overlay.switch.geometry().bottom()
    stage.view.set_number_size(0)
    assert (overlay.switch.y(), overlay.active.y()) == tops


@pytest.mark.usefixtures("unpainted")
def test_that_chips_buttons_and_a_drag_along_a_chip_go_there(stage) -> None:
    click(stage.bar.chips[1])
    assert stage.mode.step.progress == 2.0
    click(stage.bar.back)
    assert stage.mode.step.progress == 1.0
    click(stage.bar.on)
    assert stage.mode.step.progress == 2.0
    click(stage.bar.start)
    assert stage.mode.step.progress == 0.0
    assert not stage.bar.back.isEnabled()
    chip = stage.bar.chips[0]
    QTest.mousePress(chip, LEFT, PLAIN, QPoint(round(PAD), 10))
    QTest.mouseMove(chip, QPoint(30, 10))
    QTest.mouseMove(chip, QPoint(chip.width() // 2, 10))
    assert stage.mode.step.progress == pytest.approx(0.5, abs=0.02)
    QTest.mouseRelease(chip, LEFT, PLAIN, QPoint(chip.width() // 2, 10))
    assert stage.mode.step.progress == pytest.approx(0.5, abs=0.02)  # a drag is no click


@pytest.mark.usefixtures("unpainted")
def test_that_space_plays_to_the_end_and_escape_leaves_nothing_behind(stage) -> None:
    scene = stage.session.document.scene
    strike(stage, Key.Key_Space)
    assert "Pause" in stage.bar.play.accessibleName()
    stage.go_on(1.5 * SECONDS_PER_TURN)
    assert stage.bar.chips[1].texts == ("y′", "14.0° of 28.0°")
    stage.go_on(9.0 * SECONDS_PER_TURN)
    assert stage.mode.step.is_at_end
    assert "Play" in stage.bar.play.accessibleName()
    strike(stage, Key.Key_Escape)
    assert not stage.mode.is_on
    assert not stage.bar.isVisible()
    assert stage.view.hasFocus()
    assert stage.session.plan.scene is scene
    assert stage.session.document.history.undo_label is None
    assert not stage.session.is_previewing


def test_that_the_keys_of_the_bar_work_in_the_scene_and_those_with_shift_turn_the_camera(stage) -> None:
    stage.view.setFocus()
    before = stage.view.camera.state.position
    for key, expected in ((Key.Key_Right, 1.0), (Key.Key_Up, 1.02), (Key.Key_Left, 1.0), (Key.Key_End, 3.0)):
        strike(stage, key)
        assert stage.mode.step.progress == pytest.approx(expected)
    assert stage.view.camera.state.position == before
    strike(stage, Key.Key_Right, SHIFT)
    assert stage.view.camera.state.position != before
    assert stage.mode.step.progress == 3.0
    strike(stage, Key.Key_Home)
    assert stage.mode.step.progress == 0.0
    played = []
    stage.view.play_toggled.connect(lambda: played.append(True))
    strike(stage, Key.Key_Space)
    assert stage.mode.is_playing
    assert not played
    stage.view.set_measuring(True)
    strike(stage, Key.Key_Escape)
    assert stage.mode.is_on
    assert not stage.view.measuring.is_on
    strike(stage, Key.Key_Escape)
    assert not stage.mode.is_on


def test_that_the_whole_window_shows_one_reading_or_each_half_one_and_remembers_which(stage, qtbot) -> None:
    stage.mode.go_to(1.5)
    overlay, readings = stage.overlay, stage.view.active_passive
    assert isinstance(readings, ActivePassiveView)
    assert readings.within(700.0, 10.0) == (700.0, 10.0)
    shown = {}
    for reading in ("Active", "Passive", "Both"):
        choose(stage, reading)
        shown[reading] = overlay.active.isVisible(), overlay.passive.isVisible(), readings.second is not None
    assert shown == {"Active": (True, False, False), "Passive": (False, True, False), "Both": (True, True, True)}
    assert overlay.passive.x() > overlay.active.geometry().right()
    half = stage.view.GetRenderWindow().GetSize()[0] / 2
    assert readings.within(700.0, 10.0) == (700.0 - half, 10.0)
    left, right = stage.view.renderer, readings.second
    qtbot.waitUntil(lambda: right.tick is not None)
    assert right.tick.snapshot is left.tick.snapshot
    assert left.projection().width == right.projection().width == stage.view.GetRenderWindow().GetSize()[0] // 2
    assert not np.allclose(left.projection().camera.axes(), right.projection().camera.axes())
    stage.mode.leave()
    assert readings.second is None
    assert not overlay.switch.isVisible()
    stage.mode.set_on(True)
    assert readings.second is not None
    choose(stage, "Active")
    assert readings.second is None
    assert left.projection().width == stage.view.GetRenderWindow().GetSize()[0]


def test_that_both_halves_are_one_picture_at_the_start_and_differ_after_a_turn(stage) -> None:
    choose(stage, "Both")
    stage.overlay.active.hide()
    stage.overlay.passive.hide()

    def halves() -> tuple[np.ndarray, np.ndarray]:
        stage.view.active_passive.second.reserve_areas(())
        image = stage.view.grabFramebuffer().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        pixels = pixels[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[150:380]
        middle = image.width() // 2
        return pixels[:, 60:middle].astype(int), pixels[:, middle + 60 :].astype(int)

    left, right = halves()
    assert np.abs(left - right).mean() < 2.0
    assert left.std() > 10.0
    stage.mode.go_to(1.0)
    left, right = halves()
    assert np.abs(left - right).mean() > 5.0


def test_that_a_click_in_the_right_half_picks_what_is_seen_there_and_the_wheel_in_either_comes_nearer(
    stage, qtbot
) -> None:
    choose(stage, "Both")
    stage.mode.go_to(1.0)
    readings = stage.view.active_passive
    qtbot.waitUntil(lambda: readings.second.position_of("aircraft") is not None)  # it is drawn
    x, y = readings.second.position_of("aircraft")
    half = stage.view.GetRenderWindow().GetSize()[0] / 2
    names = {hit.key[1] for hit in readings.hits(x + half, y)}
    assert names & {"aircraft", "fuselage"}
    for share in (0.25, 0.75):
        at = QPointF(share * stage.view.width(), 0.5 * stage.view.height())
        before = stage.view.camera.state
        wheel = QWheelEvent(
            at, stage.view.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, PLAIN,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(stage.view, wheel)
        after = stage.view.camera.state
        assert after.distance < before.distance
        assert math.dist(after.focal_point, before.focal_point) < 0.1


@pytest.mark.usefixtures("unpainted")
def test_that_it_goes_on_after_an_edit_and_only_the_edit_is_in_the_history(stage) -> None:
    stage.mode.go_to(2.2)
    stage.session.commit(turn_to("aircraft", 1, 0.2, 10.0, "Turned aircraft"))
    QApplication.processEvents()
    assert stage.bar.isVisible()
    assert stage.mode.step.progress == 2.2
    assert stage.mode.step.angles[1] == pytest.approx(0.2)
    assert stage.session.document.history.undo_label == "Turned aircraft"


@pytest.mark.usefixtures("unpainted")
@for_each("width", [1100, 740, 640])
def test_that_bar_and_switch_keep_their_places_at_any_size(stage, width) -> None:
    stage.view.resize(width, 500)
    QApplication.processEvents()
    bar, switch, caption = stage.bar.geometry(), stage.overlay.switch.geometry(), stage.overlay.active.geometry()
    assert bar.left() >= CUBE
    assert bar.right() < width
    assert bar.bottom() == 500 - 16 - 1
    assert switch.right() == width - 16 - 1
    assert caption.right() < switch.left()
    words = stage.bar.chips[0].texts[0]
    assert words == ("about z" if width == 1100 else "z")


@pytest.mark.usefixtures("unpainted")
def test_that_the_bar_is_as_wide_at_each_progress_and_a_narrow_one_says_less_and_cuts_nothing(stage) -> None:
    widths = set()
    for progress in (0.0, 0.4, 1.0, 1.3, 2.0, 2.9, 3.0):
        stage.mode.go_to(progress)
        widths.add(stage.bar.width())
        chips = stage.bar.chips
        assert all(a.geometry().right() < b.geometry().left() for a, b in itertools.pairwise(chips))
        assert all(chip.width() >= chip.sizeHint().width() for chip in chips)
    assert len(widths) == 1
    for width in (640, 560, 500, 360):
        stage.view.resize(width, 500)
        QApplication.processEvents()
        for progress in (0.0, 0.4, 1.3, 2.9, 3.0):
            stage.mode.go_to(progress)
            assert all(chip.width() >= chip.sizeHint().width() for chip in stage.bar.chips)
            assert stage.bar.leave.geometry().right() < stage.bar.width()
            assert stage.bar.chips[2].geometry().right() < stage.bar.on.geometry().left()
        stage.mode.go_to(2.5)
        assert "° of " in stage.bar.chips[2].accessibleName()


@pytest.mark.usefixtures("unpainted")
def test_that_everything_has_a_name_and_says_its_state(stage) -> None:
    stage.mode.go_to(1.5)
    for widget in (
        stage.bar.back,
        stage.bar.play,
        stage.bar.start,
        stage.bar.on,
        stage.bar.leave,
        stage.overlay.switch,
    ):
        assert widget.accessibleName()
    names = [chip.accessibleName() for chip in stage.bar.chips]
    assert names == ["about z, 50.0°, done", "about y′, 14.0° of 28.0°, present", "about x″, 40.0°, to come"]
    assert names[1] in stage.bar.accessibleDescription()
    assert "turned now: Ry(β)" in stage.overlay.active.formula.accessibleName()


def step_at(progress: float) -> StagedRotation:
    return StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), progress)


def test_that_the_numbers_of_both_readings_are_the_same(qapp) -> None:
    step = step_at(1.5)
    active, passive = numbers_of(step, "active"), numbers_of(step, "passive")
    assert active.split(" = ")[2] in passive.split(" = ")[1]
    assert passive.split(" = ")[2] in active.split(" = ")[1]
    v_P = step.T.T @ (0.6, 0.48, 0.64)
    assert f"{v_P[0]:.3f}" in active
    assert sentence_of(step, "active") == "Active: plane and v turn in world"


def test_that_a_narrow_caption_has_fewer_decimals_and_keeps_its_width(qtbot, dark) -> None:
    caption = StagedCaption("active")
    qtbot.addWidget(caption)
    widths = set()
    for progress in np.linspace(0.0, 3.0, 13):
        caption.show_step(step_at(float(progress)), 700)
        widths.add(caption.width())
        assert caption.numbers.text() == numbers_of(step_at(float(progress)), "active", DECIMALS)
    assert max(widths) - min(widths) <= 24
    caption.show_step(step_at(1.0), 380)
    assert caption.numbers.text() == numbers_of(step_at(1.0), "active", FEW_DECIMALS)
    assert caption.width() <= 380


def test_that_a_caption_says_less_where_it_has_less_room_and_cuts_nothing(qtbot, dark) -> None:
    caption, step = StagedCaption("passive"), step_at(1.5)
    qtbot.addWidget(caption)
    shown = []
    for widest in range(700, 150, -5):
        caption.show_step(step, widest)
        assert caption.width() <= widest
        texts = [label.text() for label in (caption.sentence, caption.numbers) if not label.isHidden()]
        assert not any(text.endswith("…") for text in texts)
        assert caption.formula.width() + 16 <= caption.width()
        if not shown or shown[-1] != texts:
            shown.append(texts)
    numbers = [numbers_of(step, "passive", decimals) for decimals in (DECIMALS, FEW_DECIMALS)]
    full, short = sentence_of(step, "passive"), short_sentence_of(step, "passive")
    assert shown == [[full, numbers[0]], [full, numbers[1]], [full], [short]]
    caption.show_step(step, 700, is_low=True)
    assert caption.sentence.isHidden()
    assert caption.numbers.isHidden()


OVERLAID = [(358, 294), (440, 300), (498, 363), (620, 420), (738, 494), (1040, 640)]


@pytest.mark.usefixtures("unpainted")
@for_each("reading", ["Active", "Passive", "Both"])
def test_that_nothing_over_the_scene_lies_on_anything_else(stage, reading) -> None:
    stage.overlay.switch.set_choice(reading)
    stage.overlay.switch.chosen.emit(reading)
    overlay, tools = stage.overlay, stage.view.tools
    for size, progress in itertools.product(OVERLAID, (0.0, 0.5, 1.6, 2.3, 3.0)):
        stage.view.resize(*size)
        stage.mode.go_to(progress)
        QTest.qWait(0)
        over = [w for w in (overlay.bar, overlay.switch, overlay.active, overlay.passive, tools) if w.isVisible()]
        for a, b in itertools.combinations(over, 2):
            assert not a.geometry().intersects(b.geometry()), (a, b, size, progress)
        for widget in over:
            assert stage.view.rect().contains(widget.geometry()), (widget, size, progress)


@pytest.mark.usefixtures("unpainted")
@for_each("reading", ["Active", "Passive", "Both"])
def test_that_texts_of_the_turns_lie_on_nothing_in_a_small_scene(stage, reading) -> None:
    stage.overlay.switch.set_choice(reading)
    stage.overlay.switch.chosen.emit(reading)
    for size, progress in itertools.product(OVERLAID, (0.5, 1.6, 2.3, 3.0)):
        stage.view.resize(*size)
        stage.mode.go_to(progress)
        stage.view.active_passive.prepare()
        halves = [stage.view.renderer, *([stage.view.active_passive.second] if reading == "Both" else [])]
        for renderer in halves:
            stepped = next(visual for visual in renderer.visuals if isinstance(visual, StagedTurns))
            labels, scale = stepped.arcs.labels, renderer.projection().scale
            plates = labels.batch.corners().reshape(3, -1, 4, 3)[:, 0, :, :2]
            boxes = [(plate.min(axis=0), plate.max(axis=0)) for plate in plates if np.ptp(plate[:, 0]) > 0]
            letters = stepped.letters.corners()[:, :, :2]
            boxes += [(b.min(axis=0) + 2 * scale, b.max(axis=0) - 2 * scale) for b in letters if np.ptp(b[:, 0]) > 0]
            height = renderer.projection().height
            for x, y, w, h in renderer.reserved_areas[""]:
                top = height - y * scale
                boxes.append((np.array([x * scale, top - h * scale]), np.array([(x + w) * scale, top])))
            n_texts = len(boxes) - len(renderer.reserved_areas[""])
            for i, j in itertools.combinations(range(len(boxes)), 2):
                over = np.minimum(boxes[i][1], boxes[j][1]) - np.maximum(boxes[i][0], boxes[j][0])
                assert i >= n_texts or over.min() <= 2.0, (size, progress, boxes[i], boxes[j])


def test_that_the_formula_reads_left_to_right_as_the_reading_needs_it(qtbot, dark) -> None:
    texts = []
    for reading in ("active", "passive"):
        formula = FormulaLabel(reading)
        qtbot.addWidget(formula)
        formula.show_step(step_at(0.5))
        texts.append(formula.text)
    assert texts == ["R = Rx(α) Ry(β) Rz(γ)", "T = Tz(γ) Ty(β) Tx(α)"]


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_that_what_is_lit_can_be_read(theme) -> None:
    for axis in range(3):
        for ground in (theme.raised, theme.scene_top):
            assert contrast(*lit_colors(theme, axis, ground)) >= 4.5


@pytest.mark.usefixtures("unpainted")
def test_that_a_lecture_has_room_for_its_large_clock(stage) -> None:
    stage.mode.leave()
    tools = stage.view.tools
    before = tools.geometry().right()
    stage.view.set_lecture(True)
    assert tools.geometry().right() < before - 60
    stage.mode.set_on(True)
    stage.mode.leave()
    assert tools.geometry().right() < before - 60
    stage.view.set_lecture(False)
    assert tools.geometry().right() == before


def test_that_all_of_it_is_seen_after_the_window_has_kept_the_view_still_for_another_layout(stage) -> None:
    with stage.view.hold_drawing():
        stage.view.resize(1280, 480)
        stage.view.set_number_size(23)
        stage.view.resize(1280, 740)
    step, renderer = stage.mode.step, stage.view.renderer
    plan, snapshot = stage.session.plan, stage.session.snapshot
    row = plan.index[step.frame]
    R_WP = snapshot.R_WF[plan.tree.parents[row]]
    points = staged_points(step, R_WP, snapshot.p_WF[row], lengths_of(plan, step.frame))
    projection = renderer.projection()
    seen = np.array([projection.project(point)[:2] for point in points])
    assert (seen > 0).all()
    assert (seen < (projection.width, projection.height)).all()


@pytest.mark.usefixtures("unpainted")
@for_each("reading", ["Active", "Both"])
def test_that_formula_switch_and_bar_are_read_from_the_last_row_while_presenting(stage, reading) -> None:
    stage.view.resize(1280, 740)
    choose(stage, reading)
    overlay, size = stage.overlay, readable_size(800)
    caption, chip = overlay.active, stage.bar.chips[1]
    button = overlay.switch.buttons["Passive"]
    sized = (caption.formula, caption, overlay.switch, stage.bar, chip, stage.bar.play)
    usual = [(widget.height(), widget.width()) for widget in sized]
    stage.view.set_number_size(size)
    assert caption.formula.face.size >= size
    for widget, (height, _) in zip(sized, usual, strict=True):
        assert widget.height() >= 1.3 * height
    for label in (caption.sentence, button, stage.bar.start):
        label.ensurePolished()
        assert label.isVisible()
        assert label.fontMetrics().tightBoundingRect("0").height() >= 0.02 * 800 - 1
        assert label.height() >= label.fontMetrics().ascent()
    caption.numbers.ensurePolished()
    assert caption.numbers.isVisible()
    assert caption.numbers.fontInfo().pixelSize() >= (size if reading == "Active" else 0.8 * size)
    assert chip.height() >= METRICS.button * size / METRICS.number - 1
    # All of it is in the picture, and nothing lies over anything else.
    shown = [w for w in (overlay.active, overlay.passive, overlay.switch, stage.bar) if w.isVisible()]
    for widget in shown:
        assert stage.view.rect().contains(widget.geometry())
    for one, other in itertools.combinations(shown, 2):
        assert not one.geometry().intersects(other.geometry())
    click(chip)  # at its new place
    assert stage.mode.step.progress == pytest.approx(2.0)
    QTest.mousePress(chip, LEFT, PLAIN, QPoint(2, chip.height() // 2))
    for share in (0.25, 0.5):
        QTest.mouseMove(chip, QPoint(round(share * chip.width()), chip.height() // 2))
    assert stage.mode.step.progress == pytest.approx(1.5, abs=0.05)
    QTest.mouseRelease(chip, LEFT, PLAIN, QPoint(chip.width() // 2, chip.height() // 2))
    stage.view.set_number_size(0)
    stage.mode.go_to(0.0)
    assert [(widget.height(), widget.width()) for widget in sized] == usual


@pytest.mark.usefixtures("unpainted")
def test_that_a_bar_without_room_is_as_large_as_usual_rather_than_without_numbers(stage) -> None:
    stage.view.resize(640, 480)
    stage.view.set_number_size(readable_size(1080))
    assert stage.bar.chips[0].texts[1]
    assert stage.view.rect().contains(stage.bar.geometry())
