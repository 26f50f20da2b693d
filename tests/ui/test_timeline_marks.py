"""Keyframes on the timeline, problems with a time, the part that is played, and the size of a step."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.camera import delete_camera_key
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.timeline.timeline import Timeline
from framescope.ui.timeline.track import HANDLE_Y, MARKER_Y
from tests.support.hands import CTRL, LEFT, PLAIN, SHIFT, Key, focus, mouse, picture, strike, type_in
from tests.support.scenes import scene_of
from tests.support.whole_window import wait_for

KEYED = """\
framescope: 1
time: {start: 0 s, end: 10 s}
frames:
  arm:
    parent: world
    motion:
      form: keyframes
      unit: m
      keys: [{time: 0 s}, {time: 4000 ms, position: [1, 0, 0]}, {time: 8 s}]
  still: {parent: world}
"""
MARKER_Y, HANDLE_Y = round(MARKER_Y), round(HANDLE_Y + 3)
SAID = (
    "scrubbed",
    "scrub_finished",
    "step",
    "range_changed",
    "step_size_changed",
    "previewed",
    "committed",
    "cancelled",
)


@pytest.fixture
def timeline(qapp, desk):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    desk.resize(900, 120)
    timeline = desk.put(Timeline())
    plan = compile_plan(scene_of(KEYED))
    timeline.set_range(plan.start, plan.end)
    timeline.set_plan(plan)
    timeline.set_frame("arm")
    timeline.set_time(5.0)
    QApplication.processEvents()
    focus(timeline.track)
    timeline.heard = []
    for name in SAID:
        owner = timeline.edits if hasattr(timeline.edits, name) else timeline
        getattr(owner, name).connect(lambda *values, name=name: timeline.heard.append((name, *values)))
    return timeline


def said(timeline, name: str) -> list:
    return [values for each, *values in timeline.heard if each == name]


def at(track, t: float, y: int) -> QPoint:
    return QPoint(round(track.x_of(t)), y)


def pull(track, start: QPoint, end: QPoint, *, lets_go: bool = True, modifiers=PLAIN) -> None:
    QTest.mousePress(track, LEFT, PLAIN, start)
    for i in range(1, 6):
        mouse(track, QEvent.Type.MouseMove, QPointF(start + (end - start) * i / 5), modifiers)
    if lets_go:
        QTest.mouseRelease(track, LEFT, PLAIN, end)


def key_times_after(edit) -> list[str]:
    return [str(key.time) for key in edit.apply(scene_of(KEYED)).frames["arm"].motion.keys]


def test_that_the_keys_of_the_selected_frame_are_marked(timeline) -> None:
    assert [(m.t, m.i_key) for m in timeline.track.markers] == [(0.0, 0), (4.0, 1), (8.0, 2)]
    assert timeline.track.markers[1].text == "arm: key 2 of 3, 4.00 s"
    for name in ("still", "", "gone"):
        timeline.set_frame(name)
        assert timeline.track.markers == ()


def test_that_a_click_on_a_key_jumps_there_and_moves_nothing(timeline) -> None:
    track = timeline.track
    QTest.mouseClick(track, LEFT, PLAIN, at(track, 4.0, MARKER_Y))
    assert timeline.heard == [("scrubbed", 4.0), ("scrub_finished",)]


def test_that_a_key_is_dragged_to_another_time_in_its_own_unit(timeline) -> None:
    track = timeline.track
    pull(track, at(track, 4.0, MARKER_Y), at(track, 6.0, MARKER_Y))
    assert [pauses for _, pauses in said(timeline, "previewed")] == [True] * len(said(timeline, "previewed"))
    ((edit,),) = said(timeline, "committed")
    assert edit.label == "Moved key 2 of arm to 6 s"
    assert key_times_after(edit) == ["0 s", "6000 ms", "8 s"]


def test_that_the_clock_follows_a_dragged_key(timeline) -> None:
    track = timeline.track
    pull(track, at(track, 4.0, MARKER_Y), at(track, 6.0, MARKER_Y), lets_go=False)
    (edit, _), (t,) = said(timeline, "previewed")[-1], said(timeline, "scrubbed")[-1]
    assert t == pytest.approx(6.0, abs=0.05)
    assert float(key_times_after(edit)[1].split()[0]) == pytest.approx(1e3 * t)
    QTest.mouseRelease(track, LEFT, PLAIN, at(track, 6.0, MARKER_Y))
    assert [name for name, *_ in timeline.heard][-2:] == ["committed", "scrub_finished"]


def test_that_the_clock_returns_to_a_key_whose_drag_is_cancelled(timeline) -> None:
    track = timeline.track
    pull(track, at(track, 4.0, MARKER_Y), at(track, 6.0, MARKER_Y), lets_go=False)
    strike(track, Key.Key_Escape)
    assert [name for name, *_ in timeline.heard][-3:] == ["cancelled", "scrubbed", "scrub_finished"]
    assert said(timeline, "scrubbed")[-1] == [4.0]


@pytest.mark.parametrize(("modifiers", "is_round"), [(PLAIN, True), (CTRL, False)])
def test_that_a_dragged_key_stops_at_round_times_and_with_ctrl_anywhere(timeline, modifiers, is_round) -> None:
    track = timeline.track
    first, last = track.x_of(0.0), track.x_of(10.0)
    times = {x: 10 * (x - first) / (last - first) for x in range(round(track.x_of(6.0)), round(last))}
    end = next(x for x, t in times.items() if abs(10 * t % 1 - 0.5) < 0.3)
    pull(track, at(track, 4.0, MARKER_Y), QPoint(end, MARKER_Y), modifiers=modifiers)
    ((edit,),) = said(timeline, "committed")
    t_ms = float(key_times_after(edit)[1].split()[0])
    assert t_ms == pytest.approx(1e3 * times[end], abs=60)
    assert (t_ms == round(t_ms / 50) * 50) == is_round


def test_that_a_key_stays_between_its_neighbours(timeline) -> None:
    track = timeline.track
    pull(track, at(track, 4.0, MARKER_Y), at(track, 9.9, MARKER_Y))
    assert key_times_after(said(timeline, "committed")[0][0])[1] == "7999 ms"


def test_that_escape_leaves_the_key_where_it_was(timeline) -> None:
    track = timeline.track
    pull(track, at(track, 4.0, MARKER_Y), at(track, 6.0, MARKER_Y), lets_go=False)
    strike(track, Key.Key_Escape)
    QTest.mouseRelease(track, LEFT, PLAIN, at(track, 6.0, MARKER_Y))
    assert said(timeline, "committed") == []
    assert said(timeline, "cancelled") == [[]]


def test_that_problems_with_a_time_are_marked_and_others_are_not(timeline) -> None:
    timeline.set_frame("")
    timeline.set_problems(
        (
            Problem(("frames", "a"), "a gap.", "", "amber", time=2.0),
            Problem(("frames", "b"), "it stopped.", "", "red", time=7.0),
            Problem(("frames", "c"), "by the way.", "", "note", time=3.0),
            Problem(("frames", "d"), "everywhere.", "", "red"),
        )
    )
    assert [(m.t, m.kind, m.text) for m in timeline.track.markers] == [
        (2.0, "warning", "frames.a: a gap."),
        (7.0, "problem", "frames.b: it stopped."),
    ]


# --- The part that is played


def test_that_the_handles_bound_what_is_played(timeline) -> None:
    track = timeline.track
    x, y = track.x_of(0.0) - 3, HANDLE_Y
    pull(track, QPoint(round(x), y), at(track, 3.0, y))
    assert said(timeline, "scrubbed") == []
    first, last = said(timeline, "range_changed")[-1]
    assert (first, last) == (pytest.approx(3.0, abs=0.05), 10.0)
    timeline.track.set_part((first, last))
    pull(track, QPoint(round(track.x_of(10.0)) + 3, y), at(track, 1.0, y))
    first, last = said(timeline, "range_changed")[-1]
    assert 3.0 - 0.05 < first < last < 3.1


def test_that_brackets_set_the_ends_at_the_present_time(timeline) -> None:
    strike(timeline.track, Key.Key_BracketLeft)
    assert timeline.heard == [("range_changed", 5.0, 10.0)]
    timeline.track.set_part((5.0, 10.0))
    timeline.set_time(7.0)
    strike(timeline.track, Key.Key_BracketRight)
    assert timeline.heard[-1] == ("range_changed", 5.0, 7.0)
    timeline.set_time(2.0)
    strike(timeline.track, Key.Key_BracketRight)
    assert len(timeline.heard) == 2


def test_that_what_is_not_played_is_pale(timeline) -> None:
    timeline.set_time(10.0)
    whole = timeline.track.grab().toImage()
    timeline.track.set_part((5.0, 10.0))
    part = timeline.track.grab().toImage()
    before, after = (at(timeline.track, t, 18) for t in (2.5, 7.5))
    assert part.pixelColor(before) != whole.pixelColor(before)
    assert part.pixelColor(after) == whole.pixelColor(after)


def open_menu(timeline) -> QMenu:
    QTest.mouseClick(timeline.menu_button, LEFT)
    return next(menu for menu in timeline.findChildren(QMenu) if menu.isVisible())


def action(menu, text: str):
    return next(action for action in menu.actions() if action.text().split("\t")[0] == text)


def test_that_the_menu_does_what_the_keys_and_handles_do(timeline) -> None:
    menu = open_menu(timeline)
    assert not action(menu, "Play everything").isEnabled()
    action(menu, "Play from here").trigger()
    action(menu, "Next marker").trigger()
    menu.close()
    assert ("range_changed", 5.0, 10.0) in timeline.heard
    assert ("scrubbed", 8.0) in timeline.heard
    timeline.track.set_part((5.0, 10.0))
    menu = open_menu(timeline)
    action(menu, "Play everything").trigger()
    menu.close()
    assert timeline.heard[-1] == ("range_changed", 0.0, 10.0)


# --- Steps


@pytest.mark.parametrize(("key", "n"), [(Key.Key_Comma, -1), (Key.Key_Period, 1)])
def test_that_comma_and_period_step(timeline, key, n) -> None:
    strike(timeline.track, key)
    assert timeline.heard == [("step", n)]


def test_that_the_step_is_chosen_or_typed(timeline) -> None:
    timeline.set_step_size(0.05)
    menu = open_menu(timeline)
    steps = action(menu, "Step").menu()
    assert [a.text() for a in steps.actions() if a.isChecked()] == ["50 ms"]
    action(steps, "10 ms").trigger()
    menu.close()
    assert timeline.heard == [("step_size_changed", 0.01)]
    timeline.set_step_size(0.02)
    menu = open_menu(timeline)
    steps = action(menu, "Step").menu()
    assert [a.text() for a in steps.actions() if a.isChecked()] == ["20 ms"]
    menu.close()


# --- Typed times, and little room


@pytest.mark.parametrize(
    ("text", "t"),
    [
        ("1.5", 1.5),
        ("250ms", 0.25),
        ("1,5 s", 1.5),
        ("1:30", 90.0),
        ("-1:30", -90.0),
        ("2 min", 120.0),
        ("3 us", 3e-6),
        ("1 h", 3600.0),
    ],
)
def test_that_times_are_read_with_their_units(text, t) -> None:
    assert parse_seconds(text) == t


@pytest.mark.parametrize("text", ["", "noon", "1:2:3", "5 m", "ms"])
def test_that_what_is_no_time_is_refused_with_a_hint(text) -> None:
    with pytest.raises(ValueError, match=r"no time\. Try"):
        parse_seconds(text)


def test_that_a_time_is_typed_with_its_unit(timeline) -> None:
    type_in(timeline.field, "2500 ms")
    assert said(timeline, "scrubbed") == [[2.5]]


def test_that_little_room_leaves_what_is_most_needed(timeline, desk) -> None:
    for width in (900, 620, 520, 440):
        desk.resize(width, 120)
        # What the window manager says of the size before may come after it.
        wait_for(lambda wanted=width: desk.width() == wanted)
        QApplication.processEvents()
        assert timeline.track.width() >= 100
        assert timeline.play_button.isVisible()
        assert timeline.menu_button.geometry().right() <= timeline.width()
    wait_for(lambda: not timeline.start_button.isVisible())
    assert not timeline.end_label.isVisible()


# --- Markers by the keyboard

MODIFIERS = {"alt": Qt.KeyboardModifier.AltModifier, "shift": SHIFT, "ctrl": CTRL, "": PLAIN}


def stroke(timeline, key: Key, modifier: str = "") -> None:
    strike(timeline.track, key, MODIFIERS[modifier])


def take(timeline, scene) -> None:
    """Keep the edits that were committed, as the session does."""
    for (edit,) in said(timeline, "committed"):
        scene = edit.apply(scene)
    timeline.heard.clear()
    timeline.set_plan(compile_plan(scene))


def test_that_markers_are_chosen_from_the_playhead_on_and_say_what_they_are(timeline) -> None:
    timeline.set_problems([Problem((), "it jumps", severity="amber", time=6.0)])
    track = timeline.track
    texts = []
    for way in (Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Left):
        stroke(timeline, way, "alt")
        texts.append(track.accessibleName())
    jump, last, second = "time, it jumps", "time, arm: key 3 of 3, 8.00 s", "time, arm: key 2 of 3, 4.00 s"
    assert texts == [jump, last, last, jump, second]
    assert timeline.heard == []
    stroke(timeline, Key.Key_Escape)
    assert (track.chosen, track.accessibleName()) == (None, "time")


def test_that_return_goes_to_the_chosen_marker(timeline) -> None:
    stroke(timeline, Key.Key_Left, "alt")
    stroke(timeline, Key.Key_Return)
    assert timeline.heard == [("scrubbed", 4.0), ("scrub_finished",)]


@pytest.mark.parametrize(
    ("modifier", "key", "after"),
    [
        ("", Key.Key_Right, "4050 ms"),
        ("", Key.Key_Left, "3950 ms"),
        ("shift", Key.Key_Right, "4500 ms"),
        ("ctrl", Key.Key_Left, "3995 ms"),
    ],
)
def test_that_arrows_move_a_chosen_key_by_steps(timeline, modifier, key, after) -> None:
    stroke(timeline, Key.Key_Left, "alt")
    stroke(timeline, key, modifier)
    assert [name for name, *_ in timeline.heard] == ["previewed", "committed"]
    ((edit,),) = said(timeline, "committed")
    assert key_times_after(edit) == ["0 s", after, "8 s"]
    take(timeline, scene_of(KEYED))
    assert timeline.track.chosen is not None
    assert timeline.track.chosen.t == pytest.approx(float(after.split()[0]) / 1e3)


def test_that_a_held_arrow_is_one_step_of_undo_and_stops_at_the_neighbour(timeline) -> None:
    timeline.set_step_size(1.0)
    stroke(timeline, Key.Key_Left, "alt")
    track = timeline.track
    for _ in range(6):
        QTest.keyPress(track, Key.Key_Right)
    assert said(timeline, "committed") == []
    assert all(pauses for _, pauses in said(timeline, "previewed"))
    QTest.keyRelease(track, Key.Key_Right)
    ((edit,),) = said(timeline, "committed")
    assert edit.label == "Moved key 2 of arm to 7.999 s"
    assert key_times_after(edit)[1] == "7999 ms"


def test_that_escape_takes_a_moved_key_back(timeline) -> None:
    stroke(timeline, Key.Key_Left, "alt")
    QTest.keyPress(timeline.track, Key.Key_Right)
    QTest.keyClick(timeline.track, Key.Key_Escape)
    QTest.keyRelease(timeline.track, Key.Key_Right)
    assert [name for name, *_ in timeline.heard] == ["previewed", "cancelled"]


def test_that_leaving_the_track_keeps_where_a_key_was_moved(timeline, desk) -> None:
    stroke(timeline, Key.Key_Left, "alt")
    QTest.keyPress(timeline.track, Key.Key_Right)
    focus(desk.other)
    assert [name for name, *_ in timeline.heard] == ["previewed", "committed"]
    assert timeline.track.chosen is None


def test_that_delete_removes_a_key_and_the_next_one_is_chosen(timeline) -> None:
    stroke(timeline, Key.Key_Left, "alt")
    stroke(timeline, Key.Key_Delete)
    ((edit,),) = said(timeline, "committed")
    assert edit.label == "Deleted key 2 of arm"
    assert key_times_after(edit) == ["0 s", "8 s"]
    take(timeline, scene_of(KEYED))
    assert [marker.t for marker in timeline.track.markers] == [0.0, 8.0]
    assert timeline.track.accessibleName() == "time, arm: key 2 of 2, 8.00 s"


def test_that_without_a_chosen_key_the_arrows_step(timeline) -> None:
    stroke(timeline, Key.Key_Right)
    timeline.set_frame("")
    timeline.set_problems([Problem((), "it jumps", severity="amber", time=6.0)])
    stroke(timeline, Key.Key_Right, "alt")
    stroke(timeline, Key.Key_Left)
    stroke(timeline, Key.Key_Delete)
    assert timeline.heard == [("step", 1), ("step", -1)]


def test_that_a_chosen_marker_wears_a_ring(timeline) -> None:
    before = picture(timeline.track)
    stroke(timeline, Key.Key_Left, "alt")
    after = picture(timeline.track)
    x = round(timeline.track.x_of(4.0))
    changed = [dx for dx in range(-12, 13) if before.pixelColor(x + dx, MARKER_Y) != after.pixelColor(x + dx, MARKER_Y)]
    assert changed
    assert max(map(abs, changed)) <= 9


def test_that_a_key_is_deleted_from_its_menu(timeline) -> None:
    track = timeline.track
    place = at(track, 4.0, MARKER_Y)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, track.mapToGlobal(place))
    QApplication.sendEvent(track, event)
    (menu,) = track.findChildren(QMenu)
    assert [action.text().split("\t")[0] for action in menu.actions()] == [
        "Go to arm: key 2 of 3, 4.00 s",
        "Delete this key",
    ]
    menu.actions()[1].trigger()
    menu.close()
    ((edit,),) = said(timeline, "committed")
    assert key_times_after(edit) == ["0 s", "8 s"]


def test_that_all_times_of_a_problem_are_marked(timeline) -> None:
    timeline.set_frame("")
    timeline.set_problems([Problem((), "gaps", severity="amber", time=3.0, times=(1.0, 3.0))])
    assert [(marker.t, marker.kind) for marker in timeline.track.markers] == [(1.0, "warning"), (3.0, "warning")]


# --- Keys of the camera's path

FILMED = """\
framescope: 1
time: {start: 0 s, end: 10 s}
frames: {still: {parent: world}}
view:
  camera_path:
    unit: m
    keys:
      - {time: 1 s, position: [3, 0, 0], focal_point: [0, 0, 0]}
      - {time: 4000 ms, position: [0, 3, 0], focal_point: [0, 0, 0]}
      - {time: 8 s, position: [3, 0, 1], focal_point: [0, 0, 0]}
"""


@dataclass(frozen=True)
class Eye:
    position: tuple[float, float, float] = (0.0, 0.0, 5.0)
    focal_point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 1.0, 0.0)
    view_angle: float = 0.5


def camera_times_after(edit, scene: str = FILMED) -> list[str]:
    return [str(key.time) for key in edit.apply(scene_of(scene)).view.camera_path.keys]


def menu_of(track, place: QPoint) -> dict[str, QAction]:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, track.mapToGlobal(place))
    QApplication.sendEvent(track, event)
    menu = track.findChildren(QMenu)[-1]
    return {action.text().split("\t")[0]: action for action in menu.actions() if action.text()}


@pytest.fixture
def filmed(timeline):
    timeline.eye = Eye
    take(timeline, scene_of(FILMED))
    return timeline


def test_that_the_keys_of_the_camera_are_marked_and_dragged(filmed) -> None:
    track = filmed.track
    assert [(m.t, m.kind, m.i_key) for m in track.markers] == [(t, "camera key", i) for i, t in enumerate((1, 4, 8))]
    pull(track, at(track, 4.0, MARKER_Y), at(track, 6.0, MARKER_Y))
    previews = said(filmed, "previewed")
    assert previews
    ((edit,),) = said(filmed, "committed")
    first, moved, last = camera_times_after(edit)
    assert (first, last) == ("1 s", "8 s")
    assert moved.endswith(" ms")
    assert float(moved.split()[0]) == pytest.approx(6000, abs=40)


def test_that_a_key_of_the_camera_minds_its_own_neighbours_only(filmed) -> None:
    take(filmed, scene_of(FILMED.replace("frames: {still: {parent: world}}", KEYED[KEYED.index("frames:") :].rstrip())))
    filmed.set_frame("arm")
    track = filmed.track
    assert len(track.markers) == 6
    pull(track, at(track, 1.0, MARKER_Y), at(track, 9.9, MARKER_Y))
    ((edit,),) = said(filmed, "committed")
    assert camera_times_after(edit) == ["3.999 s", "4000 ms", "8 s"]


def test_that_the_menu_adds_and_deletes_keys_of_the_camera_and_sets_the_way_between_them(filmed) -> None:
    track = filmed.track
    added = []
    filmed.camera_key_added.connect(lambda: added.append(True))
    menu_of(track, at(track, 6.5, MARKER_Y + 8))["Add a camera key at 5.00 s from this view"].trigger()
    ((edit,),) = said(filmed, "committed")
    assert camera_times_after(edit) == ["1 s", "4000 ms", "5 s", "8 s"]
    assert edit.apply(scene_of(FILMED)).view.camera_path.keys[2].position == Eye.position
    assert added == [True]
    filmed.heard.clear()
    actions = menu_of(track, at(track, 4.0, MARKER_Y))
    assert actions["Smooth through the camera keys"].isChecked()
    actions["Straight between the camera keys"].trigger()
    actions["Delete this key"].trigger()
    (straight,), (deleted,) = said(filmed, "committed")
    scene = straight.apply(scene_of(FILMED))
    assert compile_plan(scene).view_data.camera_path.at(2.5).position == pytest.approx((1.5, 1.5, 0.0))
    assert camera_times_after(deleted) == ["1 s", "8 s"]


def test_that_a_scene_without_a_path_gets_one_and_the_last_two_keys_become_a_camera(timeline) -> None:
    timeline.eye = Eye
    still = "framescope: 1\ntime: {start: 0 s, end: 10 s}\nframes: {still: {parent: world}}\nview: {camera: "
    still += "{position: [900, 0, 0], focal_point: [0, 0, 0], unit: mm}}\n"
    take(timeline, scene_of(still))
    assert timeline.track.markers == ()
    menu_of(timeline.track, at(timeline.track, 2.0, MARKER_Y))["Add a camera key at 5.00 s from this view"].trigger()
    ((edit,),) = said(timeline, "committed")
    path = edit.apply(scene_of(still)).view.camera_path
    assert [(str(key.time), key.position) for key in path.keys] == [("0 s", (900, 0, 0)), ("5 s", (0, 0, 5000))]
    back = delete_camera_key(1).apply(edit.apply(scene_of(still))).view
    assert back.camera_path is None
    assert back.camera.position == (900, 0, 0)
    assert back.camera.unit == "mm"
