"""Optical frames in bags: those that are not turned are told by `check`, upright ones are not."""

from __future__ import annotations

import pytest
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.calibrations.core.bag_optics import optical_problems
from tests.support.bags import START_NS, Sent, drive, write_ros1, write_ros2
from tests.support.command_line import CliRunner

UPRIGHT = Rotation.from_euler("xyz", [-90.0, 0.0, -90.0], degrees=True)


def camera(R, name="camera_optical_frame", mount="camera_link") -> list[Sent]:
    q = R.as_quat().tolist()
    return [
        Sent(START_NS, "base_link", mount, (0.2, 0.0, 0.1), (0, 0, 0, 1), is_static=True),
        Sent(START_NS, mount, name, (0, 0, 0), q, is_static=True),
    ]


def problems_in(path):
    with open_bag(path) as bag:
        return list(optical_problems(bag))


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
@pytest.mark.parametrize(
    ("R", "title"),
    [
        (UPRIGHT, ""),
        (Rotation.identity(), "camera looks up"),
        (Rotation.from_euler("xyz", [0.0, -90.0, -90.0], degrees=True), "image on its side"),
    ],
    ids=["upright", "not turned", "roll and pitch swapped"],
)
def test_that_optical_frames_are_checked(write, R, title, tmp_path) -> None:
    problems = problems_in(write(tmp_path / "a.bag", [*drive(seconds=2.0), *camera(R)]))
    assert len(problems) == bool(title)
    for problem in problems:
        assert problem.key_path == ("bag", "camera_optical_frame")
        assert problem.fix is None


def test_that_the_check_of_a_bag_prints_it(tmp_path) -> None:
    path = write_ros1(tmp_path / "a.bag", [*drive(seconds=2.0), *camera(Rotation.identity())])
    result = CliRunner().invoke(app, ["check", str(path)])
    assert "camera_optical_frame" in result.stdout
    assert "looks along +z of camera_link (up)" in result.stdout


@pytest.mark.parametrize("name", ["optical\n", "", "a" * 400 + "_optical", "world", "optical/../x"])
def test_that_strange_names_do_no_harm(name, tmp_path) -> None:
    problems_in(write_ros1(tmp_path / "a.bag", [*drive(seconds=2.0), *camera(Rotation.identity(), name)]))


def test_that_a_loop_of_frames_ends(tmp_path) -> None:
    messages = [
        Sent(START_NS, "a_optical", "b_optical", (0, 0, 0), (0, 0, 0, 1), is_static=True),
        Sent(START_NS, "b_optical", "a_optical", (0, 0, 0), (0, 0, 0, 1), is_static=True),
    ]
    assert problems_in(write_ros1(tmp_path / "a.bag", [*drive(seconds=2.0), *messages])) == []
