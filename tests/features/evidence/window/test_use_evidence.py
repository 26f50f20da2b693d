"""A person with a bag whose IMU is turned: reads the sentence, sees the stretch, mends the mount, saves, reopens."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from framescope.app.background import latest_task
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.motions import Transforms
from framescope.features.evidence.app.evidence_controller import EvidenceController
from framescope.features.evidence.core import evidence_problems
from framescope.features.evidence.ui.evidence_panel import NO_SENSORS, EvidencePanel
from framescope.ui.scene_view.base.ghost_pose import CANDIDATES
from framescope.ui.scene_view.visuals.finding_ghosts import Candidates
from tests.features.bags.window.test_use_bags import taken
from tests.support.bags import drive, write_ros1
from tests.support.hand_made_accounts import SENTENCE, account, healthy_account
from tests.support.hands import CTRL, LEFT, SHIFT, Key, focus, strike
from tests.support.imu_drives import MINUS_Y_Z_MINUS_X, drive_with, turned_imu
from tests.support.robot_bags import arm_bag
from tests.support.scenes import GOOD
from tests.support.sensor_tables import write_tables
from tests.support.tasks_here import TaskHere
from tests.support.whole_window import answering, drop_files, from_menu, name_file, strike_in, wait_for
from tests.window.test_use_faults import click_mend, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")


def search(log):
    """Stand in for the search: what it proves follows from the stated mount."""
    mounts = [mount for mount in log.mounts if mount.frame == "imu_link"]
    if not mounts:
        return type(account())(log, (), ())
    is_right = all(abs(abs(float(mount.Q @ MINUS_Y_Z_MINUS_X)) - 1.0) < 1e-9 for mount in mounts)
    return healthy_account() if is_right else account()


@pytest.fixture
def searched(monkeypatch):
    """Search in this process, so that a test has its hands on it."""
    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)
    monkeypatch.setattr(evidence_problems, "examine", search)


@pytest.fixture
def turned(tmp_path):
    return write_ros1(tmp_path / "turned.bag", drive_with(np.random.default_rng(3), (turned_imu(),)))


@pytest.fixture
def good(open_window, tmp_path, searched):
    (tmp_path / "good.yaml").write_text(GOOD)
    return open_window(tmp_path / "good.yaml")


def controller(wiring) -> EvidenceController:
    return wiring.window.findChild(EvidenceController)


def opened(wiring, path, frame: str = "imu_link") -> EvidenceController:
    """Drop a bag, take all of it, and wait until its sensors are compared."""
    assert drop_files(wiring, path)
    taken(wiring, frame)
    found = controller(wiring)
    wait_for(lambda: not found.is_busy and is_at_rest(wiring))
    return found


def panel_of(wiring) -> EvidencePanel:
    wait_for(lambda: wiring.window.findChild(EvidencePanel) is not None)
    panel = wiring.window.findChild(EvidencePanel)
    wait_for(panel.isVisible)
    return panel


def of_sensors(wiring) -> list:
    return [problem for problem in told(wiring) if problem.kind.startswith("evidence")]


def ghosts(wiring) -> tuple:
    """Return the orientations that are drawn beside the scene."""
    visual = wiring.window.scene_view.renderer.visual(Candidates)
    return () if visual is None else visual.context.options[CANDIDATES]


def heading(problems) -> str:
    """Return the heading of an empty list of problems."""
    return problems.currentWidget().findChildren(QLabel)[1].text()


def test_that_a_turned_imu_is_told_shown_mended_saved_and_reopened(good, turned, tmp_path) -> None:
    window, session = good.window, good.session
    opened(good, turned)
    panel = panel_of(good)
    assert panel.cards[0].sentence.text() == SENTENCE
    assert [problem.key_path[1] for problem in of_sensors(good)] == ["imu_link", "base_link", "imu_link"]
    assert window.timeline.track.stretch is None

    QTest.mouseClick(panel.cards[0].show_button, LEFT)
    wait_for(lambda: session.snapshot.t == pytest.approx(6.0))
    assert window.timeline.track.stretch == (6.0, 12.5)
    assert "lit from 6.00 to 12.50 s" in window.timeline.track.accessibleName()
    assert panel.agreement.verdict == "explained"
    assert panel.plot.isVisible()
    assert [ghost.label for ghost in ghosts(good)] == ["as stated", "as proven"]

    QTest.mouseClick(panel.cards[0].mend_button, LEFT)
    assert session.document.history.undo_label == "Mounted imu_link as its motion proves"
    assert ghosts(good) == ()
    wait_for(lambda: not controller(good).is_busy and is_at_rest(good))
    assert of_sensors(good) == []
    assert window.timeline.track.stretch is None
    assert [card.finding.severity for card in panel.cards] == ["note"]

    strike_in(good, Key.Key_Z, CTRL)
    wait_for(lambda: not controller(good).is_busy and len(of_sensors(good)) == 3)
    assert isinstance(session.document.scene.frames["imu_link"].motion, Transforms)
    strike_in(good, Key.Key_Z, CTRL | SHIFT)
    wait_for(lambda: not controller(good).is_busy and not of_sensors(good))

    path = tmp_path / "mended.yaml"
    with answering(name_file(path)):
        from_menu(good, "File", "Save")
    wait_for(lambda: session.document.path == path)
    frame = load_scene(path).scene.frames["imu_link"]
    np.testing.assert_allclose(frame.orientation.value, MINUS_Y_Z_MINUS_X, atol=1e-15)

    good.open(path)
    wait_for(lambda: session.document.path == path and not session.document.is_dirty)
    wait_for(lambda: bool(controller(good).accounts) and not controller(good).is_busy and is_at_rest(good))
    assert of_sensors(good) == []


def test_that_the_problems_list_mends_it_too(good, turned) -> None:
    opened(good, turned)
    problems = good.window.problems
    good.window.show_dock("problems")
    i = next(i for i, problem in enumerate(problems.problems) if problem.kind == "evidence mounting")
    click_mend(problems, i)
    wait_for(lambda: not controller(good).is_busy and is_at_rest(good))
    assert of_sensors(good) == []


def test_that_a_cell_opened_by_keys_lights_its_stretch(good, turned) -> None:
    found = opened(good, turned)
    panel = panel_of(good)
    focus(panel.matrix)
    panel.matrix.setCurrentIndex(panel.matrix.cells.index(0, 2))
    strike(panel.matrix, Key.Key_Right)
    strike(panel.matrix, Key.Key_Return)
    assert panel.agreement.first == "orientation of /imu/data"
    assert good.window.timeline.track.stretch == (6.0, 12.5)
    assert found.accounts[0].account.findings


def test_that_a_healthy_recording_opens_nothing_and_says_so_where_it_is_asked(good, turned, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", lambda log: healthy_account())
    opened(good, turned)
    assert of_sensors(good) == []
    assert not good.window.is_instrument_seen("evidence")
    assert good.window.has_dock("evidence")  # its tab is there
    good.window.show_dock("evidence")
    panel = panel_of(good)
    wait_for(lambda: len(panel.cards) == 1)
    assert panel.cards[0].finding.severity == "note"


def test_that_a_bag_without_sensors_says_so(good, tmp_path) -> None:
    opened(good, write_ros1(tmp_path / "plain.bag", drive(seconds=2.0)), "base_link")
    assert not good.window.has_dock("evidence")
    good.window.show_dock("evidence")
    panel = panel_of(good)
    wait_for(lambda: panel.currentWidget() is panel.no_sensors)
    assert panel.no_sensors.hint_label.text() == NO_SENSORS


def test_that_a_scene_without_recordings_has_no_such_panel(good) -> None:
    good.window.set_place("Check")
    assert good.window.docks["evidence"].isHidden()


def test_that_another_document_takes_the_findings_away(good, turned, tmp_path) -> None:
    opened(good, turned)
    good.session.document.is_handed_back = True
    good.open(tmp_path / "good.yaml")
    wait_for(lambda: good.session.document.path == tmp_path / "good.yaml" and is_at_rest(good))
    assert controller(good).accounts == ()
    assert of_sensors(good) == []
    assert good.window.timeline.track.stretch is None


def test_that_a_search_that_fails_is_told_and_begun_again(good, turned, monkeypatch) -> None:
    from framescope.core.errors import FramescopeError

    def fail(log):
        raise FramescopeError("The comparison of the sensors took longer than 120 s and was stopped.")

    monkeypatch.setattr(evidence_problems, "examine", fail)
    opened(good, turned)
    good.window.show_dock("evidence")
    panel = panel_of(good)
    wait_for(lambda: panel.currentWidget() is panel.stopped)
    assert "longer than 120 s" in panel.stopped.hint_label.text()
    monkeypatch.setattr(evidence_problems, "examine", search)
    panel.stopped.action_requested.emit()
    wait_for(lambda: not controller(good).is_busy and len(panel.cards) == 5)


def test_that_the_search_runs_beside_the_window_and_is_stopped_by_a_click(good, turned, monkeypatch) -> None:
    import threading

    from framescope.core.system.cooperative_yield import checkpoint

    is_begun, goes_on = threading.Event(), threading.Event()

    def wait(log):
        is_begun.set()
        while not goes_on.wait(0.005):
            checkpoint(0.4)
        return account()

    monkeypatch.setattr(evidence_problems, "examine", wait)
    assert drop_files(good, turned)
    taken(good, "imu_link")
    good.window.show_dock("evidence")
    panel = panel_of(good)
    wait_for(lambda: is_begun.is_set() and panel.bar.isVisible() and panel.bar.value() > 0)
    problems = good.window.problems
    wait_for(lambda: is_at_rest(good))
    assert "No problems so far" in heading(problems)
    before = good.session.snapshot.t
    strike_in(good, Key.Key_Space)
    wait_for(lambda: good.session.snapshot.t > before)
    strike_in(good, Key.Key_Space)
    QTest.mouseClick(panel.stop_button, LEFT)
    wait_for(lambda: not controller(good).task.is_busy)
    assert panel.currentWidget() is panel.stopped
    wait_for(lambda: is_at_rest(good))
    assert heading(problems) == "No problems"
    goes_on.set()


def test_that_a_scene_of_tables_is_compared_and_its_panel_goes_with_it(open_window, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)
    wiring = open_window(write_tables(tmp_path, gyro_factor=57.29578))
    found = controller(wiring)
    wait_for(lambda: bool(found.accounts) and not found.is_busy and is_at_rest(wiring))
    (problem,) = of_sensors(wiring)
    assert (problem.key_path, problem.kind) == (("frames", "imu"), "evidence unit")
    panel = panel_of(wiring)
    assert {each.name for each in panel.matrix.cells.readings} >= {
        "angular velocity of gyro",
        "specific force of accel",
    }
    wiring.session.commit(Edit("Removed gyro and accel", lambda scene: scene.model_copy(update={"measured": {}})))
    wait_for(lambda: not found.accounts and not found.is_busy)
    assert of_sensors(wiring) == []


def test_that_joints_have_cells_and_a_sentence(open_window, tmp_path, searched) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    wiring = open_window(tmp_path / "good.yaml")
    bag = write_ros1(tmp_path / "arm.bag", arm_bag(lambda t, values: values | {"elbow": np.degrees(values["elbow"])}))
    found = opened(wiring, bag, "forearm")
    (problem,) = of_sensors(wiring)
    assert problem.message.startswith("elbow of /joint_states is in degrees")
    assert problem.key_path == ("frames", "forearm")
    panel = panel_of(wiring)
    agreement = next(each for each in found.accounts[0].account.agreements if "elbow" in each.first)
    assert panel.matrix.cells.cell_of(agreement) is not None
