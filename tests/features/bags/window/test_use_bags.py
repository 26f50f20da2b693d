"""A person with a bag: dropped, chosen from, its fault found, gone to and mended, and a film made of the drive."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QListView

from framescope.app.session.examples import examples
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.scene.files.saving import save_scene
from framescope.features.bags.app import bag_reader as bags
from framescope.features.bags.app.bag_controller import BagController
from framescope.features.bags.ui.bag_dialog import BagImportDialog
from framescope.features.bags.ui.recording_panel import RecordingPanel
from framescope.ui.panels.outline.delegate import KIND_ROLE
from framescope.ui.panels.relation.relation_panel import RelationPanel
from tests.features.bags.core.test_tf_autopsy_topics import scans
from tests.features.robots.app.test_bag_robots import ROVER, described
from tests.support import planted_bags
from tests.support.bags import drive as sent_drive
from tests.support.bags import two_robots, write_ros1, write_ros2
from tests.support.films import ffmpeg_frames
from tests.support.hands import Key, strike
from tests.support.scenes import GOOD
from tests.support.whole_window import answering, click, drop_files, from_menu, name_file, wait_for
from tests.window.test_use_export import begin, ended, leave_nothing_open
from tests.window.test_use_faults import click_mend, click_row, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def drive(tmp_path):
    random = np.random.default_rng(4)
    return write_ros1(tmp_path / "drive.bag", planted_bags.two_parents(random, planted_bags.healthy(random)).sent)


@pytest.fixture
def good(open_window, tmp_path):
    (tmp_path / "good.yaml").write_text(GOOD)
    return open_window(tmp_path / "good.yaml")


def controller(wiring) -> BagController:
    return wiring.window.findChild(BagController)


def asked(wiring) -> BagImportDialog:
    """Return the dialog that asks what of a bag is wanted, once it is there."""
    bags = controller(wiring)
    wait_for(lambda: bags.dialog is not None and bags.dialog.isVisible())
    return bags.dialog


def taken(wiring, frame: str) -> None:
    """Take what is ticked, and wait until it is there and looked into."""
    click(asked(wiring).open_scene)
    wait_for(lambda: frame in wiring.session.document.scene.frames)
    wait_for(lambda: is_at_rest(wiring))


def recording(wiring) -> RecordingPanel:
    """Return the panel of all frames over time, once it is there."""
    wait_for(lambda: wiring.window.findChild(RecordingPanel) is not None)
    return wiring.window.findChild(RecordingPanel)


def said_of(wiring, frame: str, t: float) -> str:
    """Return what the outline says of a frame at a time."""
    wiring.session.scrub(t)
    return wiring.window.outline.tree.index_of(("frames", frame)).data(KIND_ROLE)


def test_that_a_dropped_bag_is_chosen_from_and_its_fault_found_gone_to_and_mended(good, drive, qtbot, tmp_path) -> None:
    session, window = good.session, good.window
    assert drop_files(good, drive)
    topics = asked(good).topics
    assert [(topics.topLevelItem(i).text(0), topics.topLevelItem(i).text(1)) for i in range(2)] == [
        ("/tf", "transforms"), ("/tf_static", "transforms"),
    ]  # fmt: skip
    taken(good, "base_link")
    assert session.document.path is None
    assert session.plan.problems == ()

    (fault,) = told(good)
    assert (fault.kind, fault.name) == ("tf two parents", "base_link")
    click_row(window.problems, 0)
    wait_for(lambda: session.snapshot.t == pytest.approx(fault.times[0]))
    assert session.selection == ("frames", "base_link")
    said = [said_of(good, "base_link", t) for t in (1.0, fault.times[0] + 0.001)]
    assert said == ["in odom", "in map"]
    panel = recording(good)
    assert [bar.name for bar in panel.canvas.bars if bar.marks] == ["base_link"]

    click_mend(window.problems, 0)
    wait_for(lambda: is_at_rest(good) and not told(good))
    assert not session.plan.tree.switches
    strike(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: bool(told(good)))
    strike(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: not told(good))

    with answering(name_file(tmp_path / "mended.yaml")):
        from_menu(good, "File", "Save")
    wait_for(lambda: session.document.path == tmp_path / "mended.yaml")
    text = (tmp_path / "mended.yaml").read_text()
    assert "file: drive.bag" in text
    assert len(text) < 4000


def test_that_a_robot_that_a_bag_describes_is_drawn_on_its_frames_and_can_be_left_out(good, tmp_path) -> None:
    path = write_ros2(tmp_path / "described", [*sent_drive(seconds=2.0), described(ROVER)])
    for is_wanted in (True, False):
        drop_files(good, path)
        topics = asked(good).topics
        (robot,) = topics.findItems("/robot_description", Qt.MatchFlag.MatchExactly)
        assert (robot.text(1), robot.checkState(0)) == ("shapes of a robot", Qt.CheckState.Checked)
        if not is_wanted:
            row = topics.visualItemRect(robot)
            click(topics.viewport(), QPoint(row.left() + row.height() // 2, row.center().y()))
            assert robot.checkState(0) == Qt.CheckState.Unchecked
        taken(good, "base_link")
        assert ("base_link" in good.session.document.scene.bodies) == is_wanted
        from_menu(good, "File", "New")
        wait_for(lambda: "base_link" not in good.session.document.scene.frames)


def test_that_a_click_into_the_recording_goes_to_that_time_and_frame(good, drive, qtbot) -> None:
    drop_files(good, drive)
    taken(good, "base_link")
    panel = recording(good)
    wait_for(panel.isVisible)
    canvas = panel.canvas
    row = next(i for i, bar in enumerate(canvas.bars) if bar.name == "odom")
    at = QPoint(canvas.viewport().width() // 2, canvas.row_rect(row).center().y())
    click(canvas.viewport(), at)

    wait_for(lambda: good.session.snapshot.t > 5.0)
    assert good.session.selection == ("frames", "odom")


def test_that_nothing_changes_when_a_bag_is_not_wanted_and_a_folder_is_one_too(good, tmp_path, qtbot) -> None:
    random = np.random.default_rng(4)
    folder = write_ros2(tmp_path / "run", planted_bags.healthy(random))
    scene = good.session.document.scene
    drop_files(good, folder)
    dialog = asked(good)
    for i in range(2):
        dialog.topics.topLevelItem(i).setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.open_scene.isEnabled()
    assert dialog.reason.text()
    strike(dialog, Key.Key_Escape)
    assert good.session.document.scene is scene

    controller(good).dialog = None
    drop_files(good, folder)
    taken(good, "base_link")
    assert told(good) == []
    assert good.session.document.scene.frames["base_link"].motion.file == "run/metadata.yaml"
    assert evaluate(good.session.plan, good.session.plan.end / 2).is_posed.all()


def test_that_a_damaged_bag_is_said_and_one_of_no_frames_offers_nothing(good, tmp_path) -> None:
    (tmp_path / "bad.bag").write_bytes(b"#ROSBAG V2.0\n" + b"\xff" * 40)
    scene = good.session.document.scene
    drop_files(good, tmp_path / "bad.bag")
    wait_for(lambda: controller(good).dialog is not None or "not read" in _reading(good))
    assert good.session.document.scene is scene


def _reading(wiring) -> str:
    from framescope.ui.dialogs.read_thread import ReadProgressDialog

    return " ".join(each.label.text() for each in wiring.window.findChildren(ReadProgressDialog))


def test_that_the_prepared_bags_of_the_manual_open_by_their_links(good) -> None:
    kinds = {}
    for name in [example.name for example in examples() if example.dock == "recording"]:
        good.session.document.is_handed_back = True
        good.files.open_example(name)
        title = name.removeprefix("bags/")
        wait_for(lambda title=title: good.session.document.scene.title == title)
        wait_for(lambda: is_at_rest(good) and bool(told(good)))
        assert good.window.has_dock("recording")
        kinds[title] = {each.kind for each in told(good)}
    assert kinds == {
        "two-parents.bag": {"tf two parents"},
        "clock-behind.bag": {"tf late stamps"},
        "trees-apart.bag": {"tf trees apart"},
        "falls-silent.bag": {"tf silence"},
        "two-spellings.bag": {"tf similar name"},
    }


def open_example(wiring, name: str) -> None:
    """Open a bag among the examples, and wait until its faults are listed."""
    wiring.session.document.is_handed_back = True
    wiring.files.open_example(f"bags/{name}")
    wait_for(lambda: wiring.session.document.scene.title == name)
    wait_for(lambda: is_at_rest(wiring) and bool(told(wiring)))


def test_that_a_bag_opens_where_its_robot_is_with_its_fault_in_full(good) -> None:
    session, window = good.session, good.window
    open_example(good, "clock-behind.bag")
    assert window.windowTitle().startswith("clock-behind.bag")
    assert session.document.name == "clock-behind.yaml"
    assert "slider" not in window.status.message
    assert session.playback.t == pytest.approx(4.49, abs=0.01)
    assert session.snapshot.is_posed.all()
    view = window.scene_view.renderer
    pixels = view.projection().project(session.snapshot.p_WF)[:, :2]
    assert np.ptp(pixels[:, 0]) > 0.3 * view.layers.size[0]  # the robot, not its drive, fills the picture
    assert not window.has_dock("detective")
    (fault,) = told(good)
    assert "the computer that runs /joints" in fault.message
    assert "4.49 s slow, synchronize it" in fault.message
    rows = window.problems.findChild(QListView)
    wait_for(lambda: rows.verticalScrollBar().maximum() == 0)
    height = window.problems.height()

    open_example(good, "falls-silent.bag")
    wait_for(lambda: window.problems.height() < height)  # it is no higher than its faults


def test_that_the_relation_shows_the_frame_of_the_open_bag_and_why_it_has_no_numbers(good) -> None:
    open_example(good, "clock-behind.bag")
    wait_for(lambda: good.window.findChild(RelationPanel) is not None)
    panel = good.window.findChild(RelationPanel)
    wait_for(lambda: panel.key.of == "wheel_left")
    assert panel.reason.isHidden()
    good.session.scrub(0.0)
    wait_for(lambda: not panel.reason.isHidden())
    assert panel.reason.text() == "base_link has no pose at 0.00 s. It is recorded from 4.49 s to 16.39 s."

    open_example(good, "two-spellings.bag")
    wait_for(lambda: panel.key.of == "Base_Link")
    assert panel.reason.isHidden()
    open_example(good, "falls-silent.bag")
    wait_for(lambda: panel.key.of == "base_link")
    open_example(good, "two-parents.bag")  # in which the same frame is selected
    wait_for(lambda: panel.key.of == "base_link")
    open_example(good, "trees-apart.bag")
    wait_for(lambda: panel.key.of == "map")
    assert panel.reason.text() == "No transform connects map with the other frames."


def test_that_a_film_of_the_drive_is_exported_from_the_window(good, drive, tmp_path) -> None:
    drop_files(good, drive)
    taken(good, "base_link")
    begin(good, "mp4", tmp_path / "film", fps="1")
    message = ended(good)
    leave_nothing_open(good)

    assert message.startswith("Exported film.mp4, "), message
    frames, _ = ffmpeg_frames(tmp_path / "film.mp4")
    assert len(frames) == pytest.approx(good.session.plan.end - good.session.plan.start, abs=2)
    assert np.abs(frames[3].astype(int) - frames[-3].astype(int)).max() > 50


def test_that_a_bag_that_was_moved_is_one_problem_and_is_found_again(open_window, drive, tmp_path) -> None:
    scene = bags.read(drive).scene.scene
    elsewhere = tmp_path / "moved" / "renamed.bag"
    elsewhere.parent.mkdir()
    drive.rename(elsewhere)
    save_scene(scene, tmp_path / "drive.yaml")
    wiring = open_window(tmp_path / "drive.yaml")
    wait_for(lambda: is_at_rest(wiring))
    missing = [each for each in told(wiring) if each.kind == "missing-file"]
    assert len(missing) == 1
    assert "other items need it, too" in missing[0].message

    with answering(name_file(None)):
        click_mend(wiring.window.problems, 0)
    assert len(told(wiring)) == 1
    with answering(name_file(elsewhere)):
        click_mend(wiring.window.problems, 0)
    wait_for(lambda: is_at_rest(wiring) and "missing-file" not in {each.kind for each in told(wiring)})
    assert wiring.session.document.scene.frames["base_link"].motion.file == "moved/renamed.bag"
    assert np.isfinite(evaluate(wiring.session.plan, 5.0).p_WF).all()


def test_that_a_bag_is_asked_about_at_the_start_on_a_scene_that_stands_still(drive, open_window) -> None:
    wiring = open_window(drive)
    assert asked(wiring).heading.text().startswith("drive.bag")
    assert wiring.session.document.path is None
    taken(wiring, "base_link")
    assert wiring.session.document.name == "drive.yaml"
    assert not wiring.session.playback.is_playing


def test_that_a_second_robot_is_seen_and_has_no_numbers_until_its_place_is_taken_for_known(good, tmp_path) -> None:
    write_ros1(tmp_path / "robots.bag", two_robots())
    drop_files(good, tmp_path / "robots.bag")
    taken(good, "b/base")
    session, window = good.session, good.window
    session.scrub(3.0)
    row = session.plan.index["b/base"]
    tick = window.scene_view.renderer.tick
    assert tick.snapshot.is_posed[row]
    assert not tick.known.is_posed[row]
    session.select(("frames", "b/base"))
    place, note = next((i, each) for i, each in enumerate(window.problems.problems) if each.kind == "unconnected")
    assert note.name == "b/odom"
    click_mend(window.problems, place)
    wait_for(lambda: is_at_rest(good))
    assert session.snapshot.is_posed[session.plan.index["b/base"]]
    assert session.document.history.undo_label == "Connected b/odom to world"


def test_that_an_opened_bag_lists_the_frames_that_nobody_sends_and_marks_them(good, qtbot, tmp_path) -> None:
    path = write_ros1(tmp_path / "scan.bag", [*sent_drive(seconds=4.0), *scans("laser_frame")])
    drop_files(good, path)
    taken(good, "base_link")
    window = good.window
    (fault,) = told(good)
    assert (fault.severity, fault.name, fault.title) == ("red", "laser_frame", "named, but never sent")
    click_row(window.problems, 0)
    assert good.session.snapshot.t == pytest.approx(fault.times[0])
    bar = recording(good).canvas.bars[-1]
    assert (bar.name, len(bar.marks)) == ("laser_frame", 1)
    recording(good).canvas.frame_picked.emit("laser_frame")  # it is no item of the scene
    assert good.session.selected_frame() != "laser_frame"
