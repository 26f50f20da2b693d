"""The lessons of the manual, walked through in the window: what each step names is there, and does what it says."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMenu, QMessageBox, QWidget

from framescope.app.session.scene_lookup import SUBJECTS, example_names, example_path
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.kinematics import singularity_measure
from framescope.core.scene.schema.model import NO_ITEM
from framescope.core.scene.schema.view import Plot
from framescope.ui.help.manual_index import lessons, manual_pages
from framescope.ui.plots.signal_chooser import SignalChooser
from framescope.ui.scene_view.visuals.intermediate_frames import IntermediateFrames
from framescope.ui.widgets.gauge import gauge_color
from tests.support.hands import CTRL, LEFT, PLAIN, Key, drag, strike, type_in, x_of
from tests.support.whole_window import ALT, choose, click, click_item, from_menu, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

LESSONS = {page.name: page for page in lessons(manual_pages())}


@pytest.fixture
def wiring(qtbot, monkeypatch):
    def refuse(*texts: object) -> None:
        raise AssertionError(f"asked: {texts}")

    monkeypatch.setattr(QMessageBox, "question", refuse)
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("keyframes"))
        wiring.window.resize(1280, 800)
        yield wiring


# What a person does


def read(wiring, number: int, scene: str) -> None:
    """Open a lesson from the Help menu and click its link to an example, in a window that then plays."""
    page = LESSONS[f"lesson-{number}"]
    from_menu(wiring, "Help", "Lessons", page.title)
    browser = wiring.preferences._manual.browser
    wait_for(browser.isVisible)
    cursor = QTextCursor(browser.document())
    while cursor.charFormat().anchorHref() != f"scene:{scene}":
        assert cursor.movePosition(QTextCursor.MoveOperation.NextCharacter), scene
    browser.setTextCursor(cursor)
    browser.ensureCursorVisible()
    at = browser.cursorRect(cursor).center() + QPoint(3, 0)
    assert browser.anchorAt(at) == f"scene:{scene}"
    QTest.mouseClick(browser.viewport(), LEFT, PLAIN, at)
    wiring.preferences._manual.close()
    wait_for(lambda: wiring.session.document.path == example_path(scene))
    assert not wiring.session.document.is_dirty
    assert wiring.session.selection == SUBJECTS[scene]
    wiring.window.activateWindow()
    wait_for(wiring.window.isActiveWindow)


def at(wiring, t: float) -> None:
    """Go to a time, and stand there."""
    wiring.session.pause()
    wiring.session.scrub(t)


def shown(wiring, text: str, kind: type[QWidget] = QWidget) -> QWidget:
    """Return what is seen in the window with a text."""
    for widget in wiring.window.findChildren(kind):
        said = [widget.accessibleName(), widget.toolTip(), widget.property("text") or ""]
        if widget.isVisible() and any(text == part or part.startswith(f"{text} ") for part in said):
            return widget
    raise AssertionError(f"there is no {text} in the window")


def turned(wiring, name: str) -> np.ndarray:
    return wiring.session.snapshot.T_PF[wiring.session.snapshot.index[name]].copy()


def pose(wiring, name: str) -> tuple[np.ndarray, np.ndarray]:
    snapshot = wiring.session.snapshot
    row = snapshot.index[name]
    return snapshot.R_WF[row].copy(), snapshot.p_WF[row].copy()


def angles(wiring) -> list[float]:
    return [row.field.value for row in wiring.window.inspector.orientation.rows]


def readout(wiring):
    return next(block for block in wiring.window.readouts.blocks if block.residue.isVisible())


def set_parameter(wiring, name: str, value: str) -> None:
    """Click beside everything in the scene, and type a value of a parameter."""
    view = wiring.window.scene_view
    ratio = view.devicePixelRatioF()
    places = (QPoint(x, y) for y in range(view.height() // 2, 60, -7) for x in range(20, view.width() - 20, 11))
    bare = (
        place
        for place in places
        if not view.childAt(place)
        and not view.active_passive.hits(place.x() * ratio, (view.height() - place.y()) * ratio)
    )
    click(view, next(bare))
    assert wiring.session.selection == NO_ITEM
    wait_for(lambda: bool(parameter_fields(wiring, name)))
    type_in(parameter_fields(wiring, name)[0], value)
    wait_for(lambda: wiring.session.document.scene.parameters[name] == float(value))


def parameter_fields(wiring, name: str) -> list[QLineEdit]:
    fields = wiring.window.inspector.findChildren(QLineEdit)
    return [field for field in fields if field.isVisible() and name in field.accessibleName() and field.text() != name]


def wait_until_simulated(wiring) -> None:
    wait_for(lambda: not wiring.session.plan.pending, for_s=30.0)


def curves(wiring, i: int):
    """Return what a plot of the window shows, from the left."""
    wait_for(lambda: len(wiring.window.plots.plots) > i and wiring.window.plots.plots[i].curves is not None)
    return wiring.window.plots.plots[i].curves


# The lessons


def test_that_lesson_1_is_true_of_the_window(wiring) -> None:
    read(wiring, 1, "aircraft")
    session, window, panel = wiring.session, wiring.window, wiring.window.inspector.orientation
    session.toggle_play()
    window.scene_view.setFocus()
    strike(window, Key.Key_Space)
    assert not session.playback.is_playing
    for t, expected in ((1, (0, 0, 0)), (3, (50, 0, 0)), (4, (50, 0, 0)), (6, (50, 28, 0)), (9, (50, 28, 40))):
        at(wiring, t)
        assert angles(wiring) == pytest.approx(expected, abs=1e-9), t
    at(wiring, 2.0)
    R_WF, _ = pose(wiring, "aircraft")
    assert R_WF[2, 2] == pytest.approx(-1.0)  # z points down
    assert turned(wiring, "aircraft")[0, 1] > 0.1  # the nose has y: it is to the right
    stages = next(visual for visual in window.scene_view.renderer.visuals if isinstance(visual, IntermediateFrames))
    for t, axis in ((2.0, 2), (5.0, 1), (8.0, 0)):
        at(wiring, t)
        lit = stages.turns[0].line.actors[1]
        assert lit.GetVisibility()
        color = np.round(255 * np.array(lit.GetProperty().GetColor()))
        expected = window.scene_view.renderer._look.theme.axes[axis]
        assert "".join(f"{int(channel):02X}" for channel in color) == expected.lstrip("#")
    assert panel.sequence.currentText() == "ZYX"
    assert panel.sequence.mapToGlobal(QPoint()).y() < panel.rows[0].slider.mapToGlobal(QPoint()).y()

    at(wiring, 10.0)
    block = readout(wiring)
    assert block.matrix.isVisible()
    assert block.branches[0].values == pytest.approx([50, 28, 40])
    assert block.branches[1].values == pytest.approx([-130, 152, -140])
    strike_in(wiring, Key.Key_2, ALT)
    assert window.preset == "Teach"
    before = turned(wiring, "aircraft")
    shown(wiring, "another sequence keeps the", QLabel)
    click(shown(wiring, "another sequence keeps the orientation", QAbstractButton))
    click(shown(wiring, "sequence XYZ", QAbstractButton))
    click(shown(wiring, "Convert", QAbstractButton) if not panel.parts.confirm.isVisible() else panel.parts.confirm.yes)
    assert angles(wiring) == pytest.approx([11.51, 46.35, 34.69], abs=0.005)
    np.testing.assert_allclose(turned(wiring, "aircraft"), before, atol=1e-9)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert not session.document.is_dirty
    click(shown(wiring, "another sequence keeps the angles", QAbstractButton))
    click(shown(wiring, "sequence XYZ", QAbstractButton))
    assert angles(wiring) == pytest.approx([50, 28, 40])
    assert not np.allclose(turned(wiring, "aircraft"), before, atol=0.1)
    strike_in(wiring, Key.Key_Z, CTRL)

    w = curves(wiring, 1)
    assert [style.name for style in w.styles] == ["ωx", "ωy", "ωz"]

    def rates(t: float) -> np.ndarray:
        return np.degrees(session.plan.angles("aircraft", t)[1])

    assert w.at(2.0)[2] == pytest.approx(rates(2.0)[0], rel=1e-3)
    assert np.abs(w.at(12.2)[:, None] - rates(12.2)[None]).min() > 0.5
    slider = panel.rows[1].slider
    drag(slider, x_of(slider, 28.0), x_of(slider, 89.0))
    assert panel.parts.gauge.bar.value > 0.95
    shown(wiring, "Singularity", QLabel)


def test_that_lesson_2_is_true_of_the_window(wiring) -> None:
    read(wiring, 2, "gimbal-lock")
    assert wiring.session.plan.sequence("arrow") == "XYZ"
    at(wiring, 3.0)
    assert angles(wiring)[1] == pytest.approx(90.0)
    assert abs(turned(wiring, "arrow")[2] @ (1, 0, 0)) == pytest.approx(1.0)  # the inner axis lies along the outer one
    before, from_outer = turned(wiring, "arrow"), angles(wiring)[0]
    at(wiring, 6.5)
    assert angles(wiring)[0] - from_outer == pytest.approx(80.0)
    assert angles(wiring)[2] == pytest.approx(-80.0)
    np.testing.assert_allclose(turned(wiring, "arrow"), before, atol=1e-9)
    computed, w, quaternion = (curves(wiring, i) for i in range(3))
    standing = (w.t > 3.6) & (w.t < 6.4)
    assert np.abs(w.ys[:, standing]).max() < 1e-6
    assert np.ptp(computed.ys[:, standing], axis=1).max() < 1e-6
    around_7 = (computed.t > 6.9) & (computed.t < 7.3)
    assert np.abs(np.diff(computed.ys[:, around_7], axis=1)).max() > 45.0
    assert np.abs(np.diff(quaternion.ys[:, around_7], axis=1)).max() < 0.05
    bar = wiring.window.inspector.orientation.parts.gauge.bar
    shown(wiring, "|sin β|", QLabel)
    assert bar.isVisible()
    assert [gauge_color(value) for value in (0.79, 0.81, 0.94, 0.96)] == ["good", "amber", "amber", "red"]
    _, conditions = singularity_measure("XYZ", np.radians([[0, 60, 0], [0, 80, 0], [0, 89, 0]]))
    np.testing.assert_allclose(conditions, [3.7, 11.4, 114.6], atol=0.05)
    at(wiring, 0.0)
    slider = wiring.window.inspector.orientation.rows[1].slider
    drag(slider, x_of(slider, 20.0), x_of(slider, 120.0), steps=24)
    first, _, continuous = (row.values for row in readout(wiring).branches)
    assert continuous[1] == pytest.approx(120.0, abs=2.0)
    assert first[1] == pytest.approx(60.0, abs=2.0)


def test_that_lesson_3_is_true_of_the_window(wiring) -> None:
    read(wiring, 3, "sensor")
    scene = wiring.session.document.scene
    assert [sensor.frame_a for sensor in scene.sensors.values()] == ["tip"] * 3
    world, arm, bench = (curves(wiring, i) for i in range(3))
    lengths = [np.linalg.norm(found.ys, axis=0) for found in (world, arm, bench)]
    np.testing.assert_allclose(lengths[0], lengths[1], atol=1e-9)
    np.testing.assert_allclose(lengths[0], lengths[2], atol=1e-9)
    assert np.abs(arm.ys[[0, 2]]).max() < 1e-9
    assert arm.ys[1].min() > 0.1
    assert np.ptp(world.ys[0]) > 1.0
    assert np.ptp(bench.ys[2]) > 0.1
    strike_in(wiring, Key.Key_P, CTRL)
    wait_for(lambda: bool(wiring.window.findChildren(SignalChooser)))
    wiring.window.findChild(SignalChooser).chosen.emit(
        Plot(signal="velocity", of="tip", relative_to="arm", resolved_in="world", unit="m/s")
    )
    wiring.window.findChild(SignalChooser).reject()
    wait_for(lambda: len(wiring.window.plots.plots) == 4)
    assert curves(wiring, 3).note == ""
    wait_for(lambda: curves(wiring, 3).ys.size > 0)
    assert np.abs(curves(wiring, 3).ys).max() < 1e-9
    plot = wiring.window.plots.plots[3]
    assert (plot.canvas.value_scale.text, plot.canvas.ranges[1]) == ("", (-1.0, 1.0))
    strike_in(wiring, Key.Key_Z, CTRL)

    read(wiring, 3, "spatial-velocity")
    session = wiring.session
    at(wiring, 1.3)
    frames = {name: session.snapshot.index[name] for name in ("hub", "half-way", "rim")}
    w = {name: session.snapshot.R_WF[row] @ session.snapshot.w_WF_F[row] for name, row in frames.items()}
    v = {name: session.snapshot.v_WF[row] for name, row in frames.items()}
    np.testing.assert_allclose(w["rim"], w["hub"])
    np.testing.assert_allclose(w["half-way"], w["hub"])
    r = session.snapshot.p_WF[frames["rim"]] - session.snapshot.p_WF[frames["hub"]]
    np.testing.assert_allclose(v["rim"], v["hub"] + np.cross(w["rim"], r), atol=1e-9)
    assert lowest_speed(wiring) < 0.02
    set_parameter(wiring, "spin", "3.5")
    assert lowest_speed(wiring) > 0.05


def lowest_speed(wiring) -> float:
    """Return how slow the rim becomes, in m/s."""
    snapshot = evaluate(wiring.session.plan, np.linspace(0.0, 7.0, 1401))
    return float(np.linalg.norm(snapshot.v_WF[:, snapshot.index["rim"]], axis=-1).min())


def test_that_lesson_4_is_true_of_the_window(wiring) -> None:
    read(wiring, 4, "demo")
    window, panel = wiring.window, wiring.window.inspector.orientation
    wiring.session.pause()
    click_item(wiring, ("frames", "inner ring"))
    block = readout(wiring)
    assert block._matrix_title._title.text() == "T, stand into inner ring"
    R_WF, _ = pose(wiring, "inner ring")
    R_WS, _ = pose(wiring, "stand")
    T = turned(wiring, "inner ring")
    np.testing.assert_allclose(T[0], R_WS.T @ R_WF[:, 0])  # the x axis of the ring, written in the stand
    np.testing.assert_allclose(T[:, 0], R_WF.T @ R_WS[:, 0])
    for row, value in zip(panel.rows, ("0", "0", "90"), strict=True):
        type_in(row.field, value)
    np.testing.assert_allclose(turned(wiring, "inner ring"), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-9)
    np.testing.assert_allclose(turned(wiring, "inner ring") @ (1, 0, 0), (0, -1, 0), atol=1e-9)

    click(shown(wiring, "Staged", QAbstractButton))
    overlay = wiring._overlay
    click(next(button for button in overlay.switch.findChildren(QAbstractButton) if button.text() == "Both"))
    assert "turn in" in overlay.active.sentence.text()
    assert "turns back" in overlay.passive.sentence.text()
    strike(window, Key.Key_Escape)

    before = angles(wiring)
    if not panel.parts.copy_button.isVisible():
        click(panel.parts.fold)
    window.inspector.page.ensureWidgetVisible(panel.parts.copy_button)
    click(shown(wiring, "Copy as code", QAbstractButton))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    choose(menu, next(action.text() for action in menu.actions() if "scipy" in action.text().lower()))
    assert "Rotation.from_quat" in QApplication.clipboard().text()
    click(shown(wiring, "Paste notation", QAbstractButton))
    if panel.parts.paste.use.isEnabled():
        click(panel.parts.paste.use)
    assert angles(wiring) == pytest.approx(before, abs=1e-9)


def test_that_lesson_5_is_true_of_the_window(wiring) -> None:
    read(wiring, 5, "three-springs")
    wait_until_simulated(wiring)
    session = wiring.session
    click_item(wiring, ("points", "A"))
    assert session.selection == ("points", "A")
    shown(wiring, "A", QLabel)
    click_item(wiring, ("elements", "spring A"))
    spring = session.document.scene.elements["spring A"]
    assert str(spring.stiffness) == "160 N/m"
    wait_for(lambda: np.isfinite(curves(wiring, 1).ys).all())
    difference = curves(wiring, 1)
    small = np.abs(difference.ys).max()
    assert 0.02 < small < 0.15
    assert not [problem for problem in session.problems if problem.severity != "note"]
    set_parameter(wiring, "kick", "9")
    wait_until_simulated(wiring)
    wait_for(lambda: np.abs(curves(wiring, 1).ys).max() > 5 * small)
    assert 7 < np.abs(curves(wiring, 1).ys).max() / small < 13
    assert any("small" in str(problem) for problem in session.problems)
    strike_in(wiring, Key.Key_Z, CTRL)

    read(wiring, 5, "pendulum")
    wait_until_simulated(wiring)
    wait_for(lambda: np.isfinite(curves(wiring, 1).ys).all())
    periods = [period(curves(wiring, i)) for i in range(2)]
    assert periods[0] == pytest.approx(1.47, abs=0.01)
    assert periods[1] / periods[0] == pytest.approx(1.76, abs=0.01)
    set_parameter(wiring, "large", "170")
    wait_until_simulated(wiring)
    wait_for(lambda: period(curves(wiring, 1)) > 1.1 * periods[1])


def period(found) -> float:
    """Return the time of a swing, from where the angular velocity is zero."""
    wy = found.ys[1]
    zeros = found.t[:-1][(wy[:-1] * wy[1:] < 0) & np.isfinite(wy[:-1] * wy[1:])]
    return float(2 * np.diff(zeros).mean()) if len(zeros) > 2 else 0.0


# What all of them name


def test_that_each_example_has_a_subject() -> None:
    assert sorted(SUBJECTS) == example_names()


def test_that_lessons_name_items_parameters_and_sequences_that_there_are(wiring) -> None:
    for page in LESSONS.values():
        scene = None
        for part in re.split(r"(\(scene:[\w-]+\))", page.text):
            if part.startswith("(scene:"):
                wiring.files.open_example(part[7:-1])
                scene = wiring.session.document.scene
                assert wiring.session.selection == SUBJECTS[part[7:-1]]
                continue
            for name in re.findall(r"`([^`\n]+)`", part):
                if scene is None or not re.fullmatch(r"[A-Za-z][\w -]*", name) or name in ("T", "R_12"):
                    continue  # a formula
                kinds = (scene.frames, scene.bodies, scene.points, scene.elements, scene.sensors, scene.parameters)
                assert name in SEQUENCES or name in ("X", "Y", "Z") or any(name in kind for kind in kinds), name


def wait_until_opened(wiring, name: str) -> None:
    wait_for(lambda: wiring.session.document.path == example_path(name))


def test_that_an_example_that_nobody_has_changed_is_not_asked_about(wiring) -> None:
    for name in (*example_names(), "demo"):
        wiring.files.open_example(name)  # refused if it asks about the one before
        wait_until_opened(wiring, name)
        session = wiring.session
        scene = session.document.scene
        for kind in ("frames", "points", "elements", "sensors", "bodies"):
            for item in list(getattr(scene, kind))[:2]:
                session.select((kind, item))
                for field in wiring.window.inspector.findChildren(QLineEdit)[:12]:
                    if field.isVisible():
                        field.setFocus(Qt.FocusReason.MouseFocusReason)
                        QTest.keyClick(field, Key.Key_Return)
        at(wiring, 0.3)
        wiring.staged.set_on(True)
        wiring.staged.leave()
        assert session.document.scene == scene
        assert not session.document.is_dirty, name
