"""Each prepared fault as a new user meets it: the window says it, shows it, and its buttons mend it, by real clicks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from framescope.core.evaluation.evaluate import evaluate
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import NO_ITEM
from framescope.ui.panels.problems.panel import full_text
from framescope.ui.scene_view.visuals.problem_tints import ProblemTints
from tests.app.test_mending import FAULTY
from tests.support.cases import for_each
from tests.support.hands import CTRL, LEFT, PLAIN, Key, type_in
from tests.support.whole_window import click_item, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

STORIES = {
    # What a person reads first, the item it is about, whether it is marked in the picture, and how often they press.
    "gyro-frame": ("gyro", "in the axes of imu", True, 1),
    "mirrored-matrix": ("lidar", "swapped", True, 1),
    "misspelt-parent": ("mast_link", "base_link", False, 1),
    "rolled-camera": ("camera", "image up", True, 1),
    "shuffled-packets": ("camera", "earlier", False, 2),
    "swapped-order": ("calibration", "scalar first", True, 1),
}


@pytest.fixture
def debugging(open_window):
    """Give a window for finding faults, on a scene that has one."""
    wiring = open_window(FAULTY / "swapped-order.yaml")
    wiring.window.set_place("Check")
    wait_for(lambda: bool(told(wiring)) and is_at_rest(wiring))
    return wiring


def open_faulty(wiring, name: str) -> None:
    """Open a scene with a fault, unchanged, and wait until it is told."""
    wiring.session.document.is_handed_back = True
    wiring.open(FAULTY / f"{name}.yaml")
    wiring.session.select(NO_ITEM)
    # Nobody asks for a deeper look: it comes by itself when nothing has changed for a moment.
    wait_for(lambda: bool(told(wiring)) and is_at_rest(wiring))


def is_at_rest(wiring) -> bool:
    return not wiring.problems.rest_timer.isActive() and not wiring.problems.is_looking


def told(wiring) -> list:
    """Return what is listed, but for notes."""
    return [fault for fault in wiring.window.problems.problems if fault.severity != "note"]


def click_row(panel, i: int) -> None:
    index = panel.model.index(i, 0)
    panel.list_view.scrollTo(index)
    area = panel.list_view.visualRect(index)
    QTest.mouseClick(panel.list_view.viewport(), LEFT, PLAIN, area.topLeft() + QPoint(24, 12))


def click_mend(panel, i: int) -> None:
    index = panel.model.index(i, 0)
    panel.list_view.scrollTo(index)
    button = panel.delegate.button_rect(panel.list_view.visualRect(index), panel.problems[i])
    QTest.mouseClick(panel.list_view.viewport(), LEFT, PLAIN, button.center())


def marked(wiring) -> list[str]:
    """Return the items that are marked in the scene."""
    marks = wiring.window.scene_view.renderer.visual(ProblemTints)
    return [] if marks is None else [mark.key[1] for mark in marks.marks]


@for_each("name", STORIES)
def test_that_a_new_user_finds_the_fault_and_mends_it_with_the_list_alone(debugging, qtbot, name) -> None:
    item, cause, is_marked, presses = STORIES[name]
    wiring = debugging
    open_faulty(wiring, name)
    window, session, panel = wiring.window, wiring.session, wiring.window.problems
    assert panel.isVisible()
    fault = panel.problems[0]
    assert fault.name == item
    assert cause in full_text(fault)

    click_row(panel, 0)
    assert session.selection == fault.item
    assert window.outline.tree.currentIndex().data() == item
    if fault.time is not None:
        assert session.playback.t == pytest.approx(fault.time)
        assert not session.playback.is_playing
    if is_marked:
        assert item in marked(wiring)

    for _ in range(presses):
        i = next(i for i, fault in enumerate(panel.problems) if fault.fix is not None)
        listed = panel.problems[i]
        click_mend(panel, i)
        qtbot.waitUntil(lambda listed=listed: listed not in panel.problems, timeout=5000)
        qtbot.waitUntil(lambda: is_at_rest(wiring), timeout=5000)
    assert told(wiring) == []
    assert marked(wiring) == []
    solution = load_scene(FAULTY / f"{name}.solution.yaml").scene
    assert session.document.scene == solution
    assert evaluate(session.plan, np.linspace(session.plan.start, session.plan.end, 3)).is_posed.all()

    for _ in range(presses):
        QTest.keyClick(window.windowHandle(), Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: any(fault.name == item for fault in panel.problems), timeout=5000)
    assert session.document.scene == load_scene(FAULTY / f"{name}.yaml").scene


def test_that_a_fault_out_of_the_picture_is_brought_into_it(debugging) -> None:
    wiring = debugging
    open_faulty(wiring, "mirrored-matrix")
    view = wiring.window.scene_view
    before = view.camera.state
    click_row(wiring.window.problems, 0)
    assert view.camera.state == before  # it is in the picture: nothing moves
    view.camera.pan(9000.0, 0.0)
    assert not _is_in_picture(view, "lidar")
    click_row(wiring.window.problems, 0)
    assert _is_in_picture(view, "lidar")


def _is_in_picture(view, name: str) -> bool:
    at = view.position_of(name)
    return at is not None and 0 <= at.x() <= view.width() and 0 <= at.y() <= view.height()


def test_that_a_mark_neither_blinks_with_a_step_nor_stays_with_another_document(debugging, qtbot) -> None:
    wiring = debugging
    open_faulty(wiring, "swapped-order")
    session, view = wiring.session, wiring.window.scene_view
    qtbot.waitUntil(lambda: marked(wiring) == ["calibration"], timeout=5000)
    seen = []
    set_problems = view.renderer.set_problems

    def watched(faults) -> bool:
        is_other = set_problems(faults)
        seen.append((is_other, marked(wiring)))
        return is_other

    view.renderer.set_problems = watched
    session.commit(set_values({("title",): "Another title"}, "Titled"))
    qtbot.waitUntil(lambda: bool(seen), timeout=5000)
    assert all(each == (False, ["calibration"]) for each in seen)
    session.undo()  # or it would ask what to do with the new title
    wiring.open(FAULTY / "swapped-order.solution.yaml")
    qtbot.waitUntil(lambda: session.document.path.stem.endswith("solution"), timeout=5000)
    assert marked(wiring) == []


MISCOUNTED = """\
framescope: 1
frames:
  two: {parent: world, orientation: {form: axes, sequence: ZYX, angles: [10, 20], unit: deg}}
  place: {parent: world, position: {value: [1], unit: m}}
  many: {parent: world, position: {value: [1, 2, 3, 4], unit: m}}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 1], order: xyzw}}
  rows: {parent: world, orientation: {form: matrix, maps: parent to frame, rows: [[1, 0, 0], [0, 1]]}}
  turn: {parent: world, motion: {form: joint, type: revolute, axis: [0, 1], unit: rad, value: 1}}
bodies:
  box: {frame: world, position: {value: [1, 2], unit: m}, shape: {form: box, size: [1, 1, 1], unit: m}}
"""


def test_that_lists_of_wrong_length_open_with_problems_and_are_mended_in_the_inspector(open_window, tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(MISCOUNTED)
    wiring = open_window(path)
    session, inspector = wiring.session, wiring.window.inspector
    assert session.document.path == path
    faults = {problem.item[1] for problem in session.problems if problem.severity == "red"}
    assert faults == {"two", "place", "many", "quat", "rows", "turn", "box"}
    for kind, name in (*(("frames", name) for name in session.document.scene.frames), ("bodies", "box")):
        click_item(wiring, (kind, name))
        for fold in inspector.page.folds.values():
            fold.set_open(True)
    click_item(wiring, ("frames", "place"))
    type_in(inspector.frame_page.position.cells[0], "5")
    assert session.document.scene.frames["place"].position.value.authored == (5.0,)
    inspector.frame_page.position.unit.chosen.emit("mm")
    assert session.document.scene.frames["place"].position.value.authored == (5000.0,)
    type_in(inspector.frame_page.position.cells[2], "7")
    assert session.document.scene.frames["place"].position.value == (5000.0, 0.0, 7.0)
    click_item(wiring, ("frames", "many"))
    type_in(inspector.frame_page.position.cells[0], "2")
    assert session.document.scene.frames["many"].position.value == (2.0, 2.0, 3.0)
    faults = {problem.item[1] for problem in session.problems if problem.severity == "red"}
    assert faults == {"two", "quat", "rows", "turn", "box"}
    for _ in range(4):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert not session.document.is_dirty


def test_that_an_opened_file_says_the_number_and_weight_of_its_problems(debugging) -> None:
    status = debugging.window.status
    open_faulty(debugging, "gyro-frame")
    assert (status.kind, status.message) == ("red", "Opened gyro-frame.yaml: 1 problem, see the list")
    open_faulty(debugging, "rolled-camera")
    assert (status.kind, status.message) == ("amber", "Opened rolled-camera.yaml: 1 warning, see the list")


def test_that_a_message_after_opening_is_not_replaced_by_the_problems(debugging) -> None:
    wiring = debugging
    wiring.session.document.is_handed_back = True
    wiring.open(FAULTY / "gyro-frame.yaml")
    wiring.window.status.show_message("note", "something else")
    wait_for(lambda: bool(told(wiring)) and is_at_rest(wiring))
    assert wiring.window.status.message == "something else"
