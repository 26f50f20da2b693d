"""An opened bag has the problems that ``framescope check`` reports of the file, and a healthy bag has none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.app.session.document import Document
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame
from framescope.core.system.file_access import Access
from framescope.features.bags.app.recording_controller import frame_bars
from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.features.bags.app.test_bag_contents import pose
from tests.features.bags.core.test_tf_autopsy_topics import images, scans
from tests.support import planted_bags
from tests.support.bags import drive, write_ros1
from tests.tools.make_bags import CAUSES

FOLDER = Path(__file__).parents[4] / "assets/scenes/bags"
BAGS = [FOLDER / f"{cause}.bag" for cause in CAUSES]


def drive_with(*other):
    return [*drive(seconds=6.0), *(message for messages in other for message in messages)]


TOPICS = {
    "scan of an unknown frame": drive_with(scans("laser_frame")),
    "two unknown frames": drive_with(scans("sonar_left"), images("sonar_right")),
    "scan of a known frame": drive_with(scans("lidar")),
}
PLANTED = {
    name: getattr(planted_bags, name)
    for name in (
        *("two_parents", "static_two_parents", "static_and_moving", "apart", "other_case", "slash", "static_changed"),
        *("static_late", "repeated", "backward", "future", "late", "gap", "silence", "late_start"),
        *("not_unit", "nearly_unit", "own_parent", "jump", "outlier"),
    )
}

NOTES_OF_SCENES = {("note", "not connected")}
"""Notes about the scene that is made of a bag, which the bag itself cannot have."""


def problems_of_window(path: Path) -> list[Problem]:
    """Return the problems that the window lists of a bag once its checks are done."""
    document = Document.open(path)
    return [*document.import_problems, *diagnose(compile_plan(document.scene, access=document.access))]


def as_read(problems) -> set[tuple[str, str]]:
    return {(problem.severity, problem.title.lower()) for problem in problems}


def reported_by_check(path: Path) -> set[tuple[str, str]]:
    with open_bag(path) as bag:
        autopsy = examine_bag(bag)
    return as_read(fault for _, fault in autopsy.faults) | {("amber", "damaged") for _ in autopsy.damages[:1]}


@pytest.mark.parametrize("path", BAGS, ids=lambda path: path.stem)
def test_that_a_bag_of_the_gallery_has_the_problems_of_check(path) -> None:
    listed, reported = as_read(problems_of_window(path)), reported_by_check(path)
    assert reported
    assert {fault for fault in listed if fault[0] != "note"} == {fault for fault in reported if fault[0] != "note"}
    assert reported <= listed


@pytest.mark.parametrize("name", TOPICS)
def test_that_faults_of_other_topics_are_listed(name, tmp_path) -> None:
    path = write_ros1(tmp_path / "drive.bag", TOPICS[name])
    expected = {("red", "named, but never sent")} if "unknown" in name else set()
    assert as_read(problems_of_window(path)) == reported_by_check(path) == expected


@pytest.mark.parametrize("name", PLANTED)
def test_that_faults_of_transforms_are_listed(name, tmp_path) -> None:
    random = np.random.default_rng(5)
    path = write_ros1(tmp_path / "drive.bag", PLANTED[name](random, planted_bags.healthy(random)).sent)
    listed, reported = as_read(problems_of_window(path)), reported_by_check(path)
    assert reported
    assert listed - reported <= NOTES_OF_SCENES
    assert reported <= listed


@pytest.mark.parametrize("seed", range(3))
def test_that_a_healthy_bag_has_no_problem(seed, tmp_path) -> None:
    path = write_ros1(tmp_path / "drive.bag", planted_bags.healthy(np.random.default_rng(seed)))
    assert problems_of_window(path) == []


def test_that_a_bag_without_transforms_has_the_problem_of_check(tmp_path) -> None:
    path = write_ros1(tmp_path / "poses.bag", [pose(i, frame="map") for i in range(40)])
    listed = as_read(problems_of_window(path))
    assert reported_by_check(path) == {("note", "no transforms at all")} <= listed
    assert {fault for fault in listed if fault[0] != "note"} == set()


def test_that_damage_of_the_file_and_of_other_topics_is_listed_and_stays(tmp_path) -> None:
    path = write_ros1(tmp_path / "drive.bag", drive_with(scans("lidar")))
    data = path.read_bytes()
    at = data.index(b"\x05\x00\x00\x00lidar", len(data) // 2)
    path.write_bytes(data[:at] + b"\xff\xff\x00\x00" + data[at + 4 :])
    document = Document.open(path)
    found = diagnose(compile_plan(document.scene, access=document.access))
    assert as_read(found) == reported_by_check(path) == {("amber", "damaged")}
    assert set(document.import_problems) <= set(found), "the same problem is listed once"


def test_that_a_frame_that_nobody_sends_has_a_row_with_its_mark_until_it_is_added(tmp_path) -> None:
    path = write_ros1(tmp_path / "drive.bag", TOPICS["scan of an unknown frame"])
    document = Document.open(path)
    plan = compile_plan(document.scene, access=document.access)
    (problem,) = diagnose(plan)
    assert (problem.name, plan.start <= problem.times[0] <= plan.end) == ("laser_frame", True)
    bar = list(frame_bars(plan, [problem]))[-1]
    assert (bar.name, bar.spans, [mark.severity for mark in bar.marks]) == ("laser_frame", (), ["red"])

    frames = FrozenDict({**document.scene.frames, "laser_frame": Frame(parent="base_link")})
    scene = document.scene.model_copy(update={"frames": frames})
    assert diagnose(compile_plan(scene, access=Access(path.parent))) == ()
