"""The relation panel by mouse and keyboard: three frames of any scene, and numbers that say what they are."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from framescope.core.evaluation.delayed_frames import Delay
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.frames import to_Q
from framescope.core.scene.edits.plots import add_plot
from framescope.core.scene.schema.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting import number_text
from framescope.ui.panels.relation import relation_drag, relation_panel
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.panels.relation.relation_panel import RelationPanel
from framescope.ui.panels.relation.relation_quantities import QUANTITIES, RelationMoment
from tests.support.hands import CTRL, LEFT, PLAIN, Key, strike, wheel
from tests.support.scenes import scene_of
from tests.tools.test_examples import STEP_S, plan_of, sample_times

SCENE = """\
framescope: 1
frames:
  base: {parent: world, position: {value: ["0.2*t", "sin(t)", 0.1], unit: m},
         orientation: {form: axis, axis: z, angle: "0.7*t", unit: rad}}
  arm: {parent: base, orientation: {form: axes, sequence: ZYX, angles: ["30*t", 10, 5], unit: deg}}
  tip: {parent: arm, position: {value: [0.3, "0.1*t", 0], unit: m}}
  lost: {parent: arm, position: {value: ["1/0", 0, 0], unit: m}}
"""
T = 1.25


@pytest.fixture
def plan():
    return compile_plan(scene_of(SCENE))


@pytest.fixture
def panel(qtbot, dark, plan):
    window = QWidget()
    qtbot.addWidget(window)
    panel = RelationPanel()
    column, header = QVBoxLayout(window), QHBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    for button in panel.header_widgets():
        header.addWidget(button)
    column.addLayout(header)
    column.addWidget(panel)
    window.resize(280, 620)
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.set_plan(plan)
    panel.show_snapshot(evaluate(plan, T))
    yield panel
    window.hide()


def type_frame(field, text: str, end: Key = Key.Key_Return) -> None:
    """Type a name as a hand does: while the list of what fits is open, it is what hears the keyboard."""
    assert QTest.qWaitForWindowActive(field.window())  # a list that closes gives the keyboard back a moment later
    if not field.line.hasFocus():
        QTest.mouseClick(field.line, LEFT, PLAIN, QPoint(40, 10))
    else:
        strike(field.line, Key.Key_A, CTRL)
    for sign in text:
        QTest.keyClick(QApplication.activePopupWidget() or field.line, sign)
    QTest.keyClick(QApplication.activePopupWidget() or field.line, end)
    QApplication.processEvents()
    assert QApplication.activePopupWidget() is None


def shown(panel) -> dict[str, list[str]]:
    return {value.quantity.signal: value.row.texts() for value in panel.values}


def choose(panel, of: str, relative_to: str, resolved_in: str) -> None:
    for field, name in ((panel.of, of), (panel.relative_to, relative_to), (panel.resolved_in, resolved_in)):
        type_frame(field, name)
    assert panel.key == RelationKey(of, relative_to, resolved_in)


# --- The numbers


def derivative(function, at: float, h: float = STEP_S) -> np.ndarray:
    def central(h: float) -> np.ndarray:
        return (function(at + h) - function(at - h)) / (2.0 * h)

    return (4.0 * central(h / 2) - central(h)) / 3.0


@pytest.mark.parametrize(
    ("scene", "t", "frames"),
    [
        ("demo", 2.36, ("camera", "stand", "inner ring")),
        ("robot-arm", 1.7, ("camera", "upper arm", "forearm")),
        ("pendulum", 0.9, ("world", "weight", "weight")),
        ("keyframes", 1.3, None),
    ],
)
def test_that_the_texts_are_differences_of_relative_poses(panel, scene, t, frames) -> None:
    plan = plan_of(scene)
    if frames is None or not set(frames) <= set(plan.names):
        frames = (plan.names[-1], plan.names[1], plan.names[-2])
    t = float(sample_times(scene)[np.argmin(np.abs(sample_times(scene) - t))])  # not where an acceleration has a corner
    panel.set_plan(plan)
    panel.set_angle_unit("rad")
    choose(panel, *frames)
    panel.show_snapshot(evaluate(plan, t))

    of, relative_to, resolved_in = (plan.index[name] for name in frames)

    def position(now: Snapshot) -> np.ndarray:
        return now.R_WF[relative_to].T @ (now.p_WF[of] - now.p_WF[relative_to])

    def rotation(now: Snapshot) -> np.ndarray:
        return now.R_WF[relative_to].T @ now.R_WF[of]

    def smoothed(at: float) -> Snapshot:
        return evaluate(plan, at).smoothed  # the motion that has rates

    def rate(at: float) -> np.ndarray:
        S = derivative(lambda at: rotation(smoothed(at)), at) @ rotation(smoothed(at)).T
        return np.array([S[2, 1], S[0, 2], S[1, 0]])

    def seen(at: float) -> np.ndarray:
        # That these are differences of poses is shown of every example in `test_relations_of_examples`; twice
        # differenced, poses would not have the four decimals.
        return relation(evaluate(plan, at), frames[0], frames[1], frames[1]).V

    now = evaluate(plan, t)
    turn, shown_turn = (each.R_WF[resolved_in].T @ each.R_WF[relative_to] for each in (now.smoothed, now))
    expected = {
        "position": shown_turn @ position(now),
        "velocity": turn @ derivative(lambda at: position(smoothed(at)), t),
        "angular velocity": turn @ rate(t),
        "acceleration": turn @ derivative(seen, t)[3:],
        "angular acceleration": turn @ derivative(seen, t)[:3],
    }
    for signal, texts in shown(panel).items():
        if signal in expected:
            read = [float(text.replace(number_text.MINUS, "-")) for text in texts]
            np.testing.assert_allclose(read, expected[signal], rtol=0, atol=0.5001e-4 + 1e-7, err_msg=signal)
    x, y, z, w = (float(text.replace(number_text.MINUS, "-")) for text in shown(panel)["quaternion"])
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    q = np.array([x, y, z])
    T_of_Q = (2 * w * w - 1) * np.eye(3) + 2 * np.outer(q, q) - 2 * w * skew
    np.testing.assert_allclose(T_of_Q, rotation(now).T, rtol=0, atol=5e-3)


def test_that_degrees_and_time_are_followed_and_lost_frames_are_dashes(panel, plan) -> None:
    choose(panel, "tip", "base", "arm")
    found = relation(evaluate(plan, T), "tip", "base", "arm")
    assert shown(panel)["angular velocity"] == [number_text.fixed(x, 2) for x in np.degrees(found.V[:3])]
    panel.set_angle_unit("rad")
    assert shown(panel)["angular velocity"] == [number_text.fixed(x) for x in found.V[:3]]
    panel.show_snapshot(evaluate(plan, T + 1.0))
    later = relation(evaluate(plan, T + 1.0), "tip", "base", "arm")
    assert (
        shown(panel)["position"] == [number_text.fixed(x) for x in later.p] != [number_text.fixed(x) for x in found.p]
    )
    type_frame(panel.resolved_in, "lost")
    assert all(text == number_text.MISSING for texts in shown(panel).values() for text in texts)


def test_that_nothing_is_computed_while_the_panel_is_hidden(panel, plan, monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(relation_panel, "relation", lambda *args: calls.append(args) or relation(*args))
    panel.window().hide()
    panel.show_snapshot(evaluate(plan, 0.5))
    assert not calls
    panel.window().show()
    QApplication.processEvents()
    assert calls
    assert shown(panel)["position"] == [
        number_text.fixed(x) for x in relation(evaluate(plan, 0.5), panel.key.of, "world", "world").p
    ]


# --- Its words


def test_that_every_number_says_of_relative_to_resolved_in_unit_and_order(panel) -> None:
    choose(panel, "tip", "base", "arm")
    captions = {value.quantity.signal: value.caption.text() for value in panel.values}
    assert captions["position"] == "from base to tip, in axes of arm"
    assert captions["quaternion"] == "base into tip, scalar last"
    assert captions["angular acceleration"] == "tip relative to base, in arm"
    for value in panel.values:
        assert all(word in value.toolTip() for word in ("of tip", "relative to base", "<code>"))
        assert value.toolTip().split("<br>")[0][4:] in value.row.accessibleDescription()
    notes = [value.heading.note_label.text() for value in panel.values]
    assert notes == ["m", "", "m/s", "°/s", "m/s²", "°/s²"]


def test_that_names_with_markup_are_shown_as_they_are(panel) -> None:
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"<b>x": {"parent": "world"}}}))
    panel.set_plan(plan)
    assert panel.of.line.text() == "<b>x"
    assert "&lt;b&gt;x" in panel.values[0].toolTip()


# --- Choosing frames


def test_that_a_part_of_a_name_finds_a_frame_and_a_name_that_is_none_is_marked(panel) -> None:
    type_frame(panel.of, "TI")
    assert panel.key.of == "tip"
    type_frame(panel.relative_to, "bse")
    assert panel.key.relative_to == "world"
    assert panel.refusal.isVisible()
    assert "Did you mean base?" in panel.refusal.text()
    assert panel.relative_to.property("invalid")
    QTest.keyClick(panel.relative_to.line, Key.Key_Escape)
    assert panel.relative_to.line.text() == "world"
    assert not panel.refusal.isVisible()
    assert not panel.relative_to.property("invalid")


def test_that_one_of_several_that_fit_is_taken_from_the_list(panel, plan) -> None:
    frames = {f"joint {i}": {"parent": "world"} for i in range(5)}
    panel.set_plan(compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})))
    type_frame(panel.relative_to, "joint")
    assert "5 frames with joint in the name" in panel.refusal.text()
    QTest.keyClick(panel.relative_to.line, Key.Key_Escape)
    strike(panel.relative_to.line, Key.Key_A, CTRL)
    for sign in "joi":
        QTest.keyClick(QApplication.activePopupWidget() or panel.relative_to.line, sign)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(QApplication.activePopupWidget(), key)
    assert panel.key.relative_to == panel.relative_to.line.text() == "joint 1"
    assert not panel.refusal.isVisible()


def test_that_the_list_opens_by_keyboard_and_the_wheel_that_passes_turns_nothing(panel) -> None:
    panel.of.setFocus()
    before = panel.key.of
    QTest.keyClick(panel.of.line, Key.Key_Down)
    QApplication.processEvents()
    after = panel.key.of
    assert after != before
    wheel(panel.of, 3)
    assert panel.key.of == after


def test_that_swap_exchanges_of_and_relative_to(panel, plan) -> None:
    heard = []
    panel.key_changed.connect(heard.append)
    choose(panel, "tip", "base", "arm")
    QTest.mouseClick(panel.swap, LEFT)
    assert panel.key == heard[-1] == RelationKey("base", "tip", "arm")
    assert shown(panel)["position"] == [
        number_text.fixed(x) for x in relation(evaluate(plan, T), "base", "tip", "arm").p
    ]


def test_that_the_selection_is_followed_until_the_relation_is_held(panel, plan) -> None:
    assert panel.hold.text() == "Hold"
    panel.set_frame("arm")
    assert panel.key.of == panel.of.line.text() == "arm"
    type_frame(panel.relative_to, "base")
    panel.set_frame("tip")
    assert (panel.key.of, panel.key.relative_to) == ("tip", "base")
    panel.set_frame("")
    panel.set_plan(plan)
    assert panel.key.of == "tip"
    QTest.mouseClick(panel.hold, LEFT)
    panel.set_frame("arm")
    assert panel.key.of == "tip"
    QTest.mouseClick(panel.hold, LEFT)
    assert panel.key.of == "arm"
    type_frame(panel.of, "base")  # a frame that is chosen stays
    assert panel.hold.isChecked()
    panel.set_frame("tip")
    assert panel.key.of == "base"


def test_that_a_frame_that_goes_gives_way_and_comes_back_with_undo(panel, plan) -> None:
    choose(panel, "tip", "base", "arm")
    without = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"base": {"parent": "world"}}}))
    panel.set_plan(without)
    assert panel.key == RelationKey("base", "base", "world")
    panel.set_plan(plan)
    assert panel.key == RelationKey("tip", "base", "arm")


def test_that_a_scene_of_one_frame_says_what_to_do(panel) -> None:
    panel.set_plan(compile_plan(Scene.model_validate({"framescope": 1})))
    assert panel.currentIndex() == 0
    assert not any(button.isEnabled() for button in panel.header_widgets())


def test_that_ten_thousand_frames_are_found_by_typing(panel) -> None:
    frames = {f"node {i}": {"parent": "world"} for i in range(10_000)}
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    panel.set_plan(plan)
    panel.show_snapshot(evaluate(plan, 0.0))
    type_frame(panel.of, "node 8765")
    assert panel.key.of == "node 8765"
    assert panel.of.count() == 10_001


# --- A frame as it was


def read(plan, words: str) -> list[str]:
    found = plot_curves(plan, parse_signal(words, plan.scene), np.array([T]))[0]
    return [number_text.fixed(x) for x in found]


def test_that_a_frame_as_it_was_is_told_as_the_signal_with_two_times_has_it(panel, plan) -> None:
    choose(panel, "tip", "base", "arm")
    assert not panel.through.isVisible()
    QTest.mouseClick(panel.look_back, LEFT)
    assert panel.through.isVisible()
    type_frame(panel.through, "base")
    QTest.mouseClick(panel.before, LEFT)
    strike(panel.before, Key.Key_A, CTRL)
    QTest.keyClicks(panel.before, "0.3")
    QTest.keyClick(panel.before, Key.Key_Return)

    assert panel.key == RelationKey("tip", "base", "arm", Delay("base", 0.3))
    pair = "of tip relative to base resolved in arm through base 0.3 s before"
    for kind, unit in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s²")):
        assert shown(panel)[kind] == read(plan, f"{kind} {pair} in {unit}")
    Q = plot_curves(plan, parse_signal("quaternion of tip relative to base through base 0.3 s before", plan.scene),
        np.array([T]))  # fmt: skip
    assert shown(panel)["quaternion"] == [number_text.fixed(x, 3) for x in Q[0]]
    assert {plot.delay and str(plot.delay) for plot in (value.plot for value in panel.values)} == {"0.3 s"}
    scene = plan.scene
    for value in panel.values:
        scene = add_plot(value.plot).apply(scene)
    assert compile_plan(scene).problems == plan.problems
    panel.copy_button.menu().actions()[0].trigger()
    assert "tip 0.3 s before relative to base now, through base, in axes of arm now" in QApplication.clipboard().text()

    QTest.mouseClick(panel.look_back, LEFT)
    assert panel.key == RelationKey("tip", "base", "arm")
    assert shown(panel)["position"] == [
        number_text.fixed(x) for x in relation(evaluate(plan, T), "tip", "base", "arm").p
    ]


def test_that_a_frame_is_told_relative_to_itself_as_it_was(panel, plan) -> None:
    choose(panel, "base", "base", "base")
    QTest.mouseClick(panel.look_back, LEFT)
    type_frame(panel.through, "world")
    panel.before.reset(0.5)
    panel.before.committed.emit(0.5)

    words = "of base relative to base resolved in base through world 0.5 s before"
    assert shown(panel)["position"] == read(plan, f"position {words} in m")
    assert shown(panel)["position"] != ["0.0000"] * 3
    caption = next(value.caption.text() for value in panel.values if value.quantity.signal == "position")
    assert caption == "from base now to base 0.5 s before, in axes of base now"


def test_that_looking_back_begins_with_the_frame_that_stands_still_most_often(panel) -> None:
    frames = {name: {"parent": parent} for name, parent in (("map", "world"), ("odom", "map"), ("base", "odom"))}
    panel.set_plan(compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})))
    QTest.mouseClick(panel.look_back, LEFT)
    assert panel.key.delay == Delay("odom", 0.1)
    del frames["odom"], frames["base"]
    panel.set_plan(compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})))
    assert panel.key.delay == Delay("world", 0.1)


def test_that_frames_are_told_relative_to_each_other_where_the_world_is_not_known(panel) -> None:
    frames = {"odom": {"parent": "world", "position": {"value": ["1/0", 0, 0], "unit": "m"}},
        "base": {"parent": "odom", "position": {"value": [1, 2, 3], "unit": "m"}}}  # fmt: skip
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    panel.set_plan(plan)
    panel.show_snapshot(evaluate(plan, 0.0))
    choose(panel, "base", "odom", "odom")
    assert shown(panel)["position"] == ["1.0000", "2.0000", "3.0000"]


# --- Plotting and copying


def test_that_any_quantity_is_plotted_from_the_menu_and_from_its_own(panel, plan) -> None:
    edits = []
    panel.edits.committed.connect(edits.append)
    choose(panel, "tip", "base", "arm")
    for action in panel.plot_button.menu().actions():
        if not action.isSeparator():
            action.trigger()
    scene = plan.scene
    *each, at_once = edits
    for edit in each:
        scene = edit.apply(scene)
    assert at_once.apply(plan.scene) == scene
    assert at_once.label == "Added plots of tip relative to base"
    plots = scene.view.plots
    assert [plot.signal for plot in plots] == [value.quantity.signal for value in panel.values]
    assert all((plot.of, plot.relative_to) == ("tip", "base") for plot in plots)
    assert all(plot.resolved_in == "arm" for plot in plots if plot.signal != "quaternion")
    assert [problem for problem in compile_plan(scene).problems if problem.key_path[0] == "view"] == []
    assert len(each) == len(QUANTITIES)


def test_that_plots_for_which_there_is_no_room_are_refused(panel, plan) -> None:
    heard = []
    panel.edits.committed.connect(heard.append)
    panel.status.connect(lambda kind, text: heard.append((kind, text)))
    choose(panel, "tip", "base", "arm")
    *each, all_of_them = (action for action in panel.plot_button.menu().actions() if not action.isSeparator())
    for action in each:
        action.trigger()
    scene = plan.scene
    n_more = 12 - 1 - len(QUANTITIES)  # one place is left
    for edit in (*heard, *heard[:n_more]):
        scene = edit.apply(scene)
    panel.set_plan(compile_plan(scene))
    del heard[:]
    all_of_them.trigger()
    each[0].trigger()
    each[0].trigger()
    assert heard[0] == ("amber", f"A scene has at most 12 plots. Remove {len(QUANTITIES) - 1} first")
    scene = heard[1].apply(scene)
    panel.set_plan(compile_plan(scene))
    each[0].trigger()
    assert heard[3:] == [("amber", "A scene has at most 12 plots. Remove one first")]


def test_that_a_block_is_carried_onto_a_plot(panel, monkeypatch) -> None:
    carried = []
    monkeypatch.setattr(relation_drag, "start_drag", lambda _widget, plots: carried.extend(plots))
    choose(panel, "tip", "base", "arm")
    of = {value.quantity.signal: value for value in panel.values}
    for place in (of["acceleration"].row, of["angular acceleration"]):
        QTest.mousePress(place, LEFT, PLAIN, QPoint(20, 8))
        QTest.mouseMove(place, QPoint(80, 12))
        QTest.mouseRelease(place, LEFT, PLAIN, QPoint(80, 12))
    assert [(plot.signal, plot.of, plot.resolved_in) for plot in carried] == [
        ("acceleration", "tip", "arm"),
        ("angular acceleration", "tip", "arm"),
    ]


def test_that_numbers_text_and_code_are_copied_at_full_precision(panel, plan) -> None:
    choose(panel, "tip", "base", "arm")
    found = relation(evaluate(plan, T), "tip", "base", "arm")
    row = panel.values[2].row
    QTest.mouseClick(row, LEFT)
    strike(row, Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == "\t".join(map(number_text.full, found.V[3:]))

    as_text, as_code = panel.copy_button.menu().actions()[:2]
    as_text.trigger()
    text = QApplication.clipboard().text()
    assert "tip relative to base, in axes of arm, at t = 1.25 s" in text
    assert f"Velocity v\t{row.full_text()}\tm/s\ttip relative to base, in arm" in text

    as_code.trigger()
    scope: dict = {}
    exec(QApplication.clipboard().text(), scope)
    np.testing.assert_array_equal(scope["r"], found.p)
    np.testing.assert_array_equal(scope["w"], found.V[:3])
    np.testing.assert_array_equal(scope["a"], found.A[3:])
    assert scope["Q"].shape == (4,)
    assert scope["t"] == T


def test_that_a_name_cannot_leave_the_comment_of_copied_code(plan) -> None:
    name = "x\nraise SystemExit"
    found = relation(evaluate(plan, T), "tip", "base", "arm")
    exec(relation_panel.as_python(RelationKey(name, "base", "arm"), T, RelationMoment(found, to_Q(found.R))), {})


def test_that_every_control_is_reached_by_tab(panel) -> None:
    panel.of.setFocus()
    reached = []
    for _ in range(16):
        focused = QApplication.focusWidget()
        if focused in reached:
            break
        reached.append(focused)
        QTest.keyClick(focused, Key.Key_Tab)
    for field in (panel.of, panel.relative_to, panel.resolved_in):
        assert field.line in reached or field in reached
    assert all(value.row in reached for value in panel.values)
    assert panel.swap in reached
    assert all(widget.accessibleName() for widget in reached if widget.focusPolicy() != Qt.FocusPolicy.NoFocus)


# --- The axes in words


def test_that_the_axes_are_in_words_under_the_orientation(panel) -> None:
    choose(panel, "arm", "base", "base")
    assert (
        panel.axes.text()
        == "x is 39° from +x towards +y, y is 37° from +y towards −x, z is 11° from +z towards +x in base"
    )
    orientation = next(value for value in panel.values if value.quantity.signal == "quaternion")
    below = next(value for value in panel.values if value.quantity.signal == "velocity")
    assert orientation.y() < panel.axes.y() < below.y()
    QApplication.processEvents()
    assert panel.axes.toolTip().splitlines()[2].startswith("z of arm looks along +z of base, 11° towards +")
    choose(panel, "tip", "arm", "arm")
    assert panel.axes.text() == "x → +x, y → +y, z → +z in arm"
    choose(panel, "lost", "arm", "arm")
    assert panel.axes.text() == ""
    panel.set_key(RelationKey("base", "base", "base"))
    assert panel.axes.text() == "x forward, y left, z up in base"
