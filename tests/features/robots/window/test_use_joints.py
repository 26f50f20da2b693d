"""A robot moved by hand: dropped as a file, joints by slider and number, all at once, copied, pasted, taken back."""

from __future__ import annotations

import difflib
import json
import math

import numpy as np
import pytest
from PySide6.QtGui import QFontInfo, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.schema.model import Frame
from framescope.features.robots.ui.angle_unit_dialog import AngleUnitDialog
from framescope.features.robots.ui.joint_velocities import JointVelocities
from framescope.ui.dialogs.read_thread import ReadProgressDialog
from framescope.ui.scene_view.geometry.drag_geometry import radius_m
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS
from tests.support.hands import CTRL, PLAIN, Key, drag, focus, point_in, pull, strike, type_in
from tests.support.whole_window import (
    answering,
    click,
    drop_files,
    from_menu,
    name_file,
    press_button,
    strike_in,
    wait_for,
)
from tests.window.test_use_faults import click_mend, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")

ROBOT = """\
<robot name="arm">
  <link name="base_link"/><link name="lower"/><link name="finger"/><link name="camera"/>
  <link name="upper">
    <inertial><mass value="3"/><inertia ixx="0.03" iyy="0.03" izz="0.012" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><cylinder radius="0.04" length="0.3"/></geometry></visual>
    <collision><geometry><capsule radius="0.05" length="0.2"/></geometry></collision>
  </link>
  <joint name="mount" type="fixed"><parent link="lower"/><child link="camera"/>
    <origin xyz="0 0 0.1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="base_link"/><child link="upper"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1.5" upper="0.5"/></joint>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/>
    <axis xyz="0 0 1"/><limit lower="0.1" upper="0.3"/></joint>
  <joint name="grip" type="continuous"><parent link="lower"/><child link="finger"/>
    <axis xyz="1 0 0"/><mimic joint="elbow" multiplier="2" offset="-0.1"/></joint>
</robot>
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    good = open_window(example_path("aircraft"))
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT, "utf-8")
    assert drop_files(good, path)
    wait_for(lambda: "joints" in good.window.instruments)
    return good


@pytest.fixture
def rows(wiring):
    return wiring.window.instruments["joints"].rows


def place(wiring, name: str):
    snapshot = wiring.session.snapshot
    return snapshot.p_WF[snapshot.index[name]]


def x_of(slider, value: float) -> float:
    return METRICS.halo / 2 + slider.share_of(value) * (slider.width() - METRICS.halo)


def test_that_a_dropped_robot_is_moved_by_slider_and_number_and_taken_back(wiring, rows) -> None:
    assert list(rows) == ["upper", "lower", "finger"]
    shoulder, elbow, grip = rows.values()
    assert shoulder.name.text() == "shoulder"
    assert shoulder.bounds.text() == "−85.9 to 28.6°"
    assert elbow.value == 0.1, "it does not go to zero"
    before = place(wiring, "lower").copy()
    drag(shoulder.slider, x_of(shoulder.slider, 0.0), x_of(shoulder.slider, -1.0))
    assert shoulder.value == pytest.approx(-1.0, abs=0.02)
    moved = 0.1 * np.array([math.sin(shoulder.value), 0, math.cos(shoulder.value)]) + [0, 0, 0.5]
    np.testing.assert_allclose(place(wiring, "lower"), moved, atol=1e-9)
    assert wiring.session.document.history.undo_label == "Set joint shoulder"
    type_in(elbow.field, "0.25")
    assert elbow.slider.value == 0.25
    assert grip.value == pytest.approx(0.4)
    assert grip.driver.text() == "= 2.0*elbow - 0.1"
    assert grip.field.isReadOnly()
    focus(elbow.slider)
    strike(elbow.slider, Key.Key_End)
    wait_for(lambda: elbow.value == 0.3)
    for _ in range(3):
        strike_in(wiring, Key.Key_Z, CTRL)
    np.testing.assert_allclose(place(wiring, "lower"), before, atol=1e-12)
    assert (shoulder.value, elbow.value) == (0.0, 0.1)


def test_that_a_value_beyond_its_bounds_is_taken_and_said(wiring, rows) -> None:
    shoulder = rows["upper"]
    type_in(shoulder.field, "90")
    assert shoulder.value == pytest.approx(math.pi / 2)
    assert "beyond its bounds" in shoulder.error_message.text()
    wait_for(lambda: any(problem.kind == "joint-limit" for problem in wiring.session.plan.problems))
    type_in(shoulder.field, "10")
    assert shoulder.error_message.text() == ""


def test_that_a_value_beyond_its_bounds_leaves_the_panel_in_front_and_is_set_to_the_limit(wiring, rows) -> None:
    window, shoulder = wiring.window, rows["upper"]
    joints = window.instruments["joints"]
    wait_for(lambda: is_at_rest(wiring))
    n_before = len(told(wiring))
    type_in(shoulder.field, "90")
    wait_for(lambda: is_at_rest(wiring) and len(told(wiring)) == n_before + 1)
    assert not joints.visibleRegion().isEmpty()
    assert window.docks["problems"].windowTitle() == f"Problems ({n_before + 1})"
    assert (window.status.kind, window.status.message) == ("amber", "upper: beyond its limit")
    if window.problems.visibleRegion().isEmpty():
        click(window.status.offer_button)
    wait_for(lambda: not window.problems.visibleRegion().isEmpty())
    (i,) = (i for i, problem in enumerate(window.problems.problems) if problem.kind == "joint-limit")
    assert window.problems.problems[i].fix_text == "Set to the limit"
    click_mend(window.problems, i)
    wait_for(lambda: is_at_rest(wiring) and len(told(wiring)) == n_before)
    assert not window.problems.visibleRegion().isEmpty(), "nor is the list taken away after its last fix"
    window.show_dock("joints")
    wait_for(lambda: shoulder.value == pytest.approx(0.5))


def test_that_all_joints_go_at_random_to_zero_and_by_the_clipboard(wiring, rows) -> None:
    panel = wiring.window.instruments["joints"]
    click(panel.random)
    shoulder, elbow, _ = rows.values()
    thrown = shoulder.value, elbow.value
    assert thrown != (0.0, 0.1)
    assert -1.5 <= thrown[0] <= 0.5
    assert 0.1 <= thrown[1] <= 0.3
    click(panel.copy_button)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert (copied["shoulder"], copied["elbow"]) == pytest.approx(thrown, abs=1e-11)
    click(panel.zero)
    assert (shoulder.value, elbow.value) == (0.0, 0.1)
    click(panel.paste_button)
    assert (shoulder.value, elbow.value) == pytest.approx(thrown, abs=1e-11)
    QGuiApplication.clipboard().setText("shoulder: 0.2\nnobody: 3\n")
    click(panel.paste_button)
    assert shoulder.value == pytest.approx(0.2)
    assert "1 of the names is of no joint here" in wiring.window.status.message
    QGuiApplication.clipboard().setText("hello")
    click(panel.paste_button)
    assert "has no values of joints" in wiring.window.status.message
    click(shoulder.name)
    assert wiring.session.selected_frame() == "upper"


def test_that_the_joints_stay_in_front_while_they_are_set_whatever_is_wrong_with_the_robot(wiring, tmp_path) -> None:
    path = tmp_path / "wrist.urdf"
    path.write_text(WRIST.replace('"spin" type="continuous"', '"spin" type="revolute"'), "utf-8")
    assert drop_files(wiring, path)
    problems, panel = wiring.window.problems, wiring.window.instruments["joints"]
    wait_for(lambda: any("no <limit>" in each.message for each in problems.problems))
    wiring.window.show_dock("joints")
    wait_for(lambda: not panel.visibleRegion().isEmpty())
    looked = []
    wiring.problems.look_deeper()
    for _ in range(2):
        click(panel.random)
        wait_for(lambda: not wiring.problems.is_looking and not wiring.problems.rest_timer.isActive())
        looked.append(panel.visibleRegion().isEmpty())
    assert looked == [False, False]
    path.write_text(WRIST, "utf-8")
    wait_for(lambda: not any("no <limit>" in each.message for each in problems.problems))
    wait_for(lambda: not wiring.problems.is_looking and not wiring.problems.rest_timer.isActive())
    assert not panel.visibleRegion().isEmpty(), "the read-outs come in the place of the problems alone"
    lost = Frame(parent="nobody")
    wiring.session.commit(Edit("Lose it", lambda scene: with_item(scene, "frames", "lost", lost)))
    wait_for(lambda: wiring.window.status.message == "lost: parent missing")
    assert not panel.visibleRegion().isEmpty(), "a panel in use is never taken away"
    assert wiring.window.docks["problems"].windowTitle() == "Problems (1)"


def test_that_the_folder_of_a_robot_is_dropped(wiring, tmp_path) -> None:
    robot = tmp_path / "wrist_description" / "urdf" / "wrist.urdf"
    robot.parent.mkdir(parents=True)
    assert drop_files(wiring, robot.parents[1])
    assert "the folder wrist_description holds no robot" in wiring.window.status.message
    robot.write_text(WRIST, "utf-8")
    assert drop_files(wiring, robot.parents[1])
    wait_for(lambda: "hand" in wiring.session.plan.index)
    assert "Opened wrist.urdf" in wiring.window.status.message


def test_that_shapes_are_shown_by_what_they_are_for(wiring) -> None:
    roles = wiring.window.instruments["joints"].roles
    buttons = roles.buttons
    assert [role for role, button in buttons.items() if button.isVisible()] == ["visual", "collision", "inertia"]
    assert [button.isChecked() for button in buttons.values()] == [True, False, False]
    click(buttons["inertia"])
    click(buttons["visual"])
    hidden = set(wiring.session.document.scene.view.hidden.bodies)
    assert hidden == {"upper", "upper collision"}
    assert wiring.session.document.history.undo_label == "Hid visual shapes"
    strike_in(wiring, Key.Key_Z, CTRL)
    assert buttons["visual"].isChecked()
    ellipsoid = wiring.session.document.scene.bodies["upper inertia"].shape
    assert sorted(ellipsoid.radii) == pytest.approx([0.1, 0.1, 0.2]), "moments: a fifth of 3 kg times squares added"


WRIST = """\
<robot name="wrist"><link name="base"/><link name="a"/><link name="b"/><link name="hand"/>
  <joint name="roll" type="continuous"><parent link="base"/><child link="a"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
  <joint name="pitch" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>
  <joint name="spin" type="continuous"><parent link="b"/><child link="hand"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def test_that_a_wrist_that_locks_is_told_and_drawn(wiring, tmp_path) -> None:
    path = tmp_path / "wrist.urdf"
    path.write_text(WRIST, "utf-8")
    assert drop_files(wiring, path)
    wait_for(lambda: "hand" in wiring.session.plan.index)
    panel, view = wiring.window.instruments["joints"], wiring.window.scene_view
    section = panel.jacobian
    wiring.session.select(("frames", "base"))
    assert not section.isVisible(), "no joint moves it"
    click(panel.rows["hand"].name)
    assert section.isVisible()
    assert section.header.title_label.text() == "What moves hand"
    assert section.lock.text().startswith("roll and spin turn about one axis")
    assert section.radii.texts() == ["0.2000", "0.0000", "0.0000"]
    type_in(panel.rows["b"].field, "5")
    assert section.lock.text() == ""
    assert section.near_lock.text() == "roll and spin are 5.0° from turning about one axis."
    click(section.show_button)
    (drawn,) = [visual for visual in view.renderer.visuals if isinstance(visual, JointVelocities)]
    np.testing.assert_allclose(
        drawn.velocity_arrows.vectors[1], 0.1 * np.array([math.cos(math.radians(5)), 0, -math.sin(math.radians(5))])
    )
    theme = current_theme.current()
    assert np.isfinite(drawn.screw_axes[theme.amber].vectors[:, 0]).tolist() == [True, False, True]
    type_in(panel.rows["b"].field, "30")
    assert section.near_lock.text() == ""
    assert np.isfinite(drawn.screw_axes[theme.quiet].vectors).all()
    wiring.session.select(("frames", "base"))
    assert not any(isinstance(visual, JointVelocities) for visual in view.renderer.visuals)


def handles_of(wiring, name: str):
    """Select a frame and show its handles; return the view."""
    view = wiring.window.scene_view
    wiring.session.select(("frames", name))
    view.setFocus()
    if not view.manipulation.is_on:
        QTest.keyClick(view, Key.Key_G)
    return view


def test_that_a_joint_is_turned_in_the_scene_about_its_axis_as_far_as_it_goes(wiring, rows) -> None:
    view, shoulder = handles_of(wiring, "upper"), rows["upper"]
    shapes = view.renderer.handle_shapes()
    assert shapes.has_ring.tolist() == [False, False, False, True]
    assert not shapes.has_arrow.any()
    projection, center = view.renderer.projection(), place(wiring, "upper")
    ring = [radius_m(projection, center) * np.array([math.sin(q), 0.0, math.cos(q)]) for q in np.arange(0.5, 6.5, 0.3)]
    pixels = [projection.project(center + point)[:2] for point in ring]
    pull(view, [point_in(view, at) for at in pixels[:2]])
    assert shoulder.value == pytest.approx(0.3, abs=0.02), "right-handed about y, from z to x"
    assert wiring.session.document.history.undo_label == f"Set joint shoulder to {math.degrees(shoulder.value):.2f}°"
    before, value = place(wiring, "lower"), shoulder.value
    pull(view, [point_in(view, at) for at in pixels[:6]])
    assert shoulder.value == 0.5, "its upper bound"
    assert place(wiring, "lower") != pytest.approx(before)
    for keys in ((Key.Key_Z, CTRL),), ((Key.Key_X, PLAIN), (Key.Key_Left, PLAIN), (Key.Key_Return, PLAIN)):
        for key, modifier in keys:
            QTest.keyClick(view, key, modifier)
    assert shoulder.value == pytest.approx(value - math.radians(1.0)), "a stroke is a degree"
    assert wiring.session.document.scene.frames["upper"].orientation is None, "where it stands at zero stays"


def test_that_a_sliding_joint_is_moved_along_its_axis_and_a_driven_one_is_refused(wiring, rows) -> None:
    view = handles_of(wiring, "lower")
    shapes = view.renderer.handle_shapes()
    assert not shapes.has_ring.any()
    begin, end = shapes.arrows[3]
    pull(view, [point_in(view, begin + share * (end - begin)) for share in (0.5, 0.6, 9.0)])
    assert rows["lower"].value == 0.3, "its upper bound"
    assert rows["finger"].value == pytest.approx(0.5)
    view = handles_of(wiring, "finger")
    pull(view, [point_in(view, at) for at in (view.renderer.handle_shapes().rings[3, 9], (50.0, 50.0))])
    assert rows["finger"].value == pytest.approx(0.5)
    assert "its joint follows others" in wiring.window.status.message


def test_that_a_recording_is_played_on_the_joints_and_they_are_freed(wiring, rows, tmp_path) -> None:
    panel, walk = wiring.window.instruments["joints"], tmp_path / "walk.csv"
    t = np.arange(0.0, 12.5, 0.5)
    lines = [f"{at},{-at / 10},{0.1 + at / 100}" for at in t]
    walk.write_text("\n".join(["time,shoulder,elbow", *lines]) + "\n", "utf-8")
    assert not panel.free_button.isVisible()
    with answering(name_file(walk)):
        click(panel.play_button)
    wait_for(lambda: bool(wiring.window.findChildren(AngleUnitDialog)))
    click(wiring.window.findChildren(AngleUnitDialog)[-1].play)  # in radians, as is usual
    wait_for(lambda: panel.rows["upper"].info.is_recorded)
    assert wiring.session.document.history.undo_label == "Played walk.csv on 3 joints"
    assert panel.rows["upper"].driver.text() == "shoulder in walk.csv"
    assert wiring.session.playback.end == 12.0
    wiring.session.pause()
    wiring.session.scrub(6.0)
    wait_for(lambda: panel.rows["upper"].value == pytest.approx(-0.6))
    assert [panel.rows[name].value for name in ("lower", "finger")] == pytest.approx([0.16, 0.22])
    assert panel.rows["upper"].field.isReadOnly()
    handles_of(wiring, "upper")
    QTest.keyClick(wiring.window.scene_view, Key.Key_X)
    QTest.keyClick(wiring.window.scene_view, Key.Key_Left)
    assert "its joint is recorded in walk.csv" in wiring.window.status.message
    arm = tmp_path / "arm.urdf"
    arm.write_text(ROBOT.replace('upper="0.5"', 'upper="1"'), "utf-8")
    wait_for(lambda: panel.rows["upper"].info.upper == 1.0)
    assert panel.rows["upper"].info.is_recorded, "what plays stays while the file is edited"
    click(panel.free_button)
    wait_for(lambda: not panel.rows["upper"].info.is_recorded)
    assert [row.value for row in panel.rows.values()] == pytest.approx([-0.6, 0.16, 0.22])
    wiring.session.scrub(0.0)
    assert panel.rows["upper"].value == pytest.approx(-0.6)
    strike_in(wiring, Key.Key_Z, CTRL)
    wait_for(lambda: panel.rows["upper"].value == pytest.approx(0.0))
    other = tmp_path / "other.csv"
    other.write_text("t,x\n0,1\n1,2\n", "utf-8")
    with answering(name_file(other)):
        click(panel.play_button)
    reading = wiring.window.findChildren(ReadProgressDialog)[-1]
    wait_for(lambda: "has values of none of the joints" in reading.message.text())
    click(reading.cancel)


def test_that_a_frame_moved_by_hand_is_written_into_the_file_of_the_robot(wiring, rows, tmp_path) -> None:
    path, view = tmp_path / "arm.urdf", wiring.window.scene_view
    before = path.read_text("utf-8")
    assert wiring.window.commands.of_features["write_robot"].isEnabled()
    from_menu(wiring, "File", "Write into the robot…")
    assert "there is nothing to write" in wiring.window.status.message
    for name in ("finger", "camera"):
        wiring.session.select(("frames", name))
        view.setFocus()
        if not view.manipulation.is_on:
            QTest.keyClick(view, Key.Key_G)
        for key in (Key.Key_X, Key.Key_Right, Key.Key_Return):
            QTest.keyClick(view, key)
        if name == "finger":
            assert "its joint follows others: it is 2.0*elbow - 0.1" in wiring.window.status.message
    with answering(press_button("Cancel")):
        from_menu(wiring, "File", "Write into the robot…")
    assert path.read_text("utf-8") == before
    with answering(press_button("Save")):
        from_menu(wiring, "File", "Write into the robot…")
    assert wiring.window.status.message == "Wrote arm.urdf; the former file is arm.urdf.bak"
    QTest.qWait(600)  # the watcher of files has looked by then
    assert wiring.window.status.message == "Wrote arm.urdf; the former file is arm.urdf.bak"
    lines = difflib.ndiff(before.splitlines(), path.read_text("utf-8").splitlines())
    assert [line for line in lines if line[:1] in "+-"] == [
        '-     <origin xyz="0 0 0.1"/></joint>',
        '+     <origin xyz="0 0 0.1" rpy="0.0174532925199 0 0"/></joint>',
    ]


def turn_camera(wiring) -> None:
    """Turn a link by a degree with the keys."""
    view = wiring.window.scene_view
    wiring.session.select(("frames", "camera"))
    view.setFocus()
    if not view.manipulation.is_on:
        QTest.keyClick(view, Key.Key_G)
    for key in (Key.Key_X, Key.Key_Right, Key.Key_Return):
        QTest.keyClick(view, key)
    wait_for(lambda: is_at_rest(wiring) and any(p.kind == "moved-link" for p in wiring.window.problems.problems))


def show_details(texts: list[str]):
    """Return what unfolds the details of a question, keeps its lines as they are shown, and agrees."""

    def answer(box) -> None:
        (more,) = (button for button in box.buttons() if "Details" in button.text())
        click(more)
        (details,) = box.findChildren(QTextEdit)
        wait_for(details.isVisible)
        assert details.lineWrapMode() == QTextEdit.LineWrapMode.NoWrap
        assert QFontInfo(details.font()).fixedPitch()
        assert not details.horizontalScrollBar().maximum()
        texts.append(details.toPlainText())
        press_button("Save")(box)

    return answer


def test_that_changes_of_a_robot_are_written_from_the_list_and_nothing_is_left_to_save(wiring, rows, tmp_path) -> None:
    path, window, session = tmp_path / "arm.urdf", wiring.window, wiring.session
    turn_camera(wiring)
    assert window.windowTitle() == "arm.urdf, changed[*] — Framescope"
    window.show_dock("problems")
    (i,) = (i for i, problem in enumerate(window.problems.problems) if problem.kind == "moved-link")
    texts: list[str] = []
    with answering(show_details(texts)):
        click_mend(window.problems, i)
    assert [line[:1] for line in texts[0].splitlines()] == ["-", "+", "@", "-", "+"]
    assert 'rpy="0.01745' in path.read_text("utf-8")
    wait_for(lambda: is_at_rest(wiring) and not any(p.kind == "moved-link" for p in window.problems.problems))
    assert not session.document.is_dirty
    assert window.windowTitle() == "arm.urdf[*] — Framescope"
    assert wiring.files.may_discard(), "nothing is asked"
    session.undo()
    assert session.document.is_dirty


def test_that_saving_and_leaving_a_changed_robot_offer_to_write_into_it(wiring, rows, tmp_path) -> None:
    path, asked = tmp_path / "arm.urdf", []
    turn_camera(wiring)

    def press(text: str):
        def answer(box) -> None:
            asked.append((box.text(), [button.text() for button in box.buttons()]))
            press_button(text)(box)

        return answer

    with answering(press("Cancel")):
        wiring.window.commands.save.trigger()
    with answering(press("Cancel")):
        assert not wiring.files.may_discard()
    assert [text for text, _ in asked] == ["Save the changes to arm.urdf", "Save the changes to arm.urdf?"]
    assert all({"Write into arm.urdf…", "Save as a scene…"} <= set(buttons) for _, buttons in asked)
    with answering(press("Save as a scene…"), name_file(tmp_path / "arm.yaml")):
        wiring.window.commands.save.trigger()
    wait_for(lambda: wiring.session.document.path == tmp_path / "arm.yaml")
    assert path.read_text("utf-8") == ROBOT


def test_that_the_scene_follows_the_file_of_the_robot_and_keeps_the_pose(wiring, rows, tmp_path) -> None:
    path = tmp_path / "arm.urdf"
    panel = wiring.window.instruments["joints"]
    type_in(rows["lower"].field, "0.25")
    path.write_text(ROBOT.replace('xyz="0 0 0.5"', 'xyz="0 0 0.9"').replace('upper="0.5"', 'upper="1"'), "utf-8")
    wait_for(lambda: place(wiring, "lower")[2] == pytest.approx(1.15))
    assert panel.rows["upper"].bounds.text() == "−85.9 to 57.3°"
    assert panel.rows["lower"].value == 0.25
    assert wiring.session.document.history.undo_label == "Followed arm.urdf"
    path.write_text(ROBOT[:-20], "utf-8")
    wait_for(lambda: "stays as it is" in wiring.window.status.message)
    assert place(wiring, "lower")[2] == pytest.approx(1.15)
    path.write_text(ROBOT.replace('<link name="camera"/>', '<link name="camera"/><link name="lamp"/>'), "utf-8")
    wait_for(lambda: "lamp" in wiring.session.document.scene.frames)
    assert place(wiring, "lower")[2] == pytest.approx(0.75)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert "lamp" not in wiring.session.document.scene.frames


def test_that_the_joints_stay_open_in_every_place(wiring) -> None:
    window = wiring.window
    first = window.place
    assert not window.docks["joints"].isHidden()
    for place in ("Check", "Learn", "Build", "Check", first):
        window.commands.places[place].trigger()
        assert not window.docks["joints"].isHidden(), place
        wait_for(window.docks["joints"].isVisible)
    window.docks["joints"].hide()
    window.commands.places["Check"].trigger()
    assert window.docks["joints"].isHidden()
