"""An orientation in the whole window by hand: turned by turns, pasted, copied, converted, and kept as keyframes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from framescope.core import frames
from framescope.core.conventions.code_snippets import TARGETS
from framescope.core.readings import read_text
from framescope.ui.panels.orientation.form_names import CODE_NAMES
from tests.support.hands import CTRL, Key, degrees_per_pixel, drag, move, press, release, strike, type_in, x_of
from tests.support.whole_window import ALT, choose, click, follow, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  tilted: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [20, 60, -35], unit: deg}}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}}
"""


@pytest.fixture
def wiring(qtbot, tmp_path):
    path = tmp_path / "tilted.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        yield open_it(path)


def T_of(wiring, name: str) -> np.ndarray:
    snapshot = wiring.session.snapshot
    return snapshot.T_PF[snapshot.index[name]]


def turned(*angles_deg: float) -> np.ndarray:
    return frames.axes_rotations("XYZ", np.radians(angles_deg)).T


def undo_all(wiring) -> None:
    while wiring.window.commands.undo.isEnabled():
        strike_in(wiring, Key.Key_Z, CTRL)


def test_that_a_rotation_is_played_turn_by_turn_by_mouse_and_by_keys(wiring) -> None:
    session, window = wiring.session, wiring.window
    before = session.document.scene
    strike_in(wiring, Key.Key_2, ALT)
    overlay, staged = wiring.staged_overlay, window.inspector.orientation.parts.turns.staged
    click(staged)
    assert overlay.bar.isVisible()
    np.testing.assert_allclose(T_of(wiring, "tilted"), np.eye(3), atol=1e-12)
    click(overlay.bar.on)
    np.testing.assert_allclose(T_of(wiring, "tilted"), turned(20, 0, 0), atol=1e-12)
    strike(window, Key.Key_Right)  # the bar has the keyboard
    np.testing.assert_allclose(T_of(wiring, "tilted"), turned(20, 60, 0), atol=1e-12)
    strike(window, Key.Key_Space)
    wait_for(lambda: not np.allclose(T_of(wiring, "tilted"), turned(20, 60, 0)))
    strike(window, Key.Key_Space)
    assert not wiring.staged.is_playing
    strike(window, Key.Key_Right)
    np.testing.assert_allclose(T_of(wiring, "tilted"), turned(20, 60, -35), atol=1e-12)
    strike(window, Key.Key_Home)
    click(overlay.bar.chips[1])
    np.testing.assert_allclose(T_of(wiring, "tilted"), turned(20, 60, 0), atol=1e-12)

    buttons = {button.text(): button for button in overlay.switch.findChildren(QAbstractButton)}
    click(buttons["Both"])
    assert overlay.active.isVisible()
    assert overlay.passive.isVisible()
    click(buttons["Passive"])
    assert not overlay.active.isVisible()
    assert overlay.passive.isVisible()

    click(overlay.bar.leave)
    assert not overlay.bar.isVisible()
    assert not staged.isChecked()
    assert session.document.scene is before
    assert not session.document.is_dirty
    np.testing.assert_allclose(T_of(wiring, "tilted"), turned(20, 60, -35), atol=1e-12)
    assert "Escape leaves" not in window.status.message


def test_that_notations_are_pasted_and_code_is_copied(wiring) -> None:
    session, panel = wiring.session, wiring.window.inspector.orientation
    before = session.document.scene
    strike_in(wiring, Key.Key_2, ALT)
    session.select(("frames", "quat"))
    form = panel.parts.paste

    QApplication.clipboard().setText("R = [0 -1 0; 1 0 0; 0 0 1];")
    click(panel.parts.paste_icon)
    assert form.isVisible()
    assert not form.use.isEnabled()  # from the parent into the frame, or back?
    _, passive = form.choices.buttons()
    assert form.choices.checkedButton() is None
    click(passive)
    click(form.use)
    assert not form.isVisible()
    assert T_of(wiring, "quat") == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))

    QApplication.clipboard().setText("0, 0, 0.6, 0.8")
    click(panel.parts.paste_icon)
    assert not form.use.isEnabled()  # w first, or w last?
    click(form.choices.buttons()[0])
    click(form.use)
    assert T_of(wiring, "quat") == pytest.approx(frames.axis_rotation(3, 2 * np.arctan2(0.6, 0.8)).T, abs=1e-9)

    session.select(("frames", "tilted"))
    texts = set()
    for target in TARGETS:
        click(panel.parts.copy_icon)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        choose(menu, CODE_NAMES[target])
        if menu.isVisible():
            menu.close()
        text = QApplication.clipboard().text()
        texts.add(text)
        assert pytest.approx(T_of(wiring, "tilted"), abs=1e-9) == read_text(text).settled.R.T, target
    assert len(texts) == len(TARGETS)
    undo_all(wiring)
    assert session.document.scene is before


def test_that_a_pasted_pose_brings_its_position_in_the_direction_and_unit_that_are_said(wiring) -> None:
    session, panel = wiring.session, wiring.window.inspector.orientation
    before = session.document.scene
    strike_in(wiring, Key.Key_2, ALT)
    session.select(("frames", "tilted"))
    form = panel.parts.paste
    QApplication.clipboard().setText("[[0, -1, 0, 250.125], [1, 0, 0, -40], [0, 0, 1, 3], [0, 0, 0, 1]]")
    click(panel.parts.paste_icon)
    assert not form.use.isEnabled()
    click(next(button for button in form.choices.buttons() if button.text() == "frame into parent, millimetres"))
    assert "0.250125" in form.description.text()
    click(form.use)
    snapshot = session.snapshot
    i = snapshot.index["tilted"]
    assert T_of(wiring, "tilted") == pytest.approx(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]))
    assert snapshot.p_WF[i] == pytest.approx([0.250125, -0.04, 0.003], abs=1e-12)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_the_form_is_converted_and_the_gauge_and_branches_follow_a_hand(wiring) -> None:
    session, window = wiring.session, wiring.window
    panel, before = window.inspector.orientation, session.document.scene
    strike_in(wiring, Key.Key_2, ALT)
    session.select(("frames", "tilted"))
    page = window.inspector.page
    page.ensureWidgetVisible(panel.parts.convert)
    click(panel.parts.convert)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    choose(menu, "Quaternion x y z w")
    orientation = session.document.scene.frames["tilted"].orientation
    assert orientation.form == "quaternion"
    assert T_of(wiring, "tilted") == pytest.approx(turned(20, 60, -35), abs=1e-9)
    assert "Converted" in window.commands.undo.text()
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before

    gauge, seen = panel.parts.gauge.bar, []
    slider = panel.rows[1].slider
    press(slider, x_of(slider, 60.0))
    for angle in (70, 80, 90, 110):
        move(slider, x_of(slider, angle))
        follow(wiring)
        seen.append(gauge.value)
        other = panel.parts.table.rows[1].values
        if abs(angle - 90) > 5:
            assert pytest.approx(T_of(wiring, "tilted"), abs=1e-6) == frames.axes_rotations("XYZ", np.radians(other)).T
    release(slider, x_of(slider, 110))
    assert seen[0] < seen[1] < seen[2] > seen[3]
    assert seen[2] == pytest.approx(1.0, abs=1e-3)

    window.show_dock("readouts")
    residue = next(block.residue for block in window.readouts.blocks if block.residue.isVisible())
    assert abs(residue.values[0]) < 1e-12


def test_that_a_motion_of_the_hand_is_kept_as_keyframes_in_one_step(wiring) -> None:
    session, window = wiring.session, wiring.window
    before = session.document.scene
    session.select(("frames", "tilted"))
    slider = window.inspector.orientation.rows[0].slider
    drag(slider, x_of(slider, 20), x_of(slider, 80))
    click(window.plots.drag_button)
    assert window.plots.is_drag_shown
    click(window.plots.strip.keep)
    motion = session.document.scene.frames["tilted"].motion
    assert motion.form == "keyframes"
    assert f"{len(motion.keys)} keys, at most" in window.status.message
    assert len(motion.keys) >= 2
    assert window.plots.strip.share.isVisible()
    assert motion.keys[0].orientation.angles == pytest.approx((20, 60, -35), abs=1e-6)  # where the hand began
    end = max(key.time.value for key in motion.keys)
    type_in(window.timeline.field, f"{end}")
    assert window.inspector.orientation.rows[0].value_deg == pytest.approx(80, abs=1.5 * degrees_per_pixel(slider))
    undo_all(wiring)
    assert session.document.scene is before
