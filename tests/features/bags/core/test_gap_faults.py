"""Fixed frames on the topic of moving ones: sent once, a few times, or too rarely; and frames that only look so."""

import pytest

from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.features.bags.core.test_tf_autopsy_topics import scans
from tests.support.bags import NS, START_NS, Sent, drive, write_ros1, write_ros2

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def camera(times, parent="base_link", step=0.0) -> list[Sent]:
    """Return samples of a camera on `/tf`, moved by `step` from one to the next, m."""
    return [
        Sent(START_NS + round(t * NS), parent, "camera_rgb", (0.1 + step * i, 0.0, 0.3), NO_TURN)
        for i, t in enumerate(times)
    ]


@pytest.mark.parametrize("times", [[0.0, 10.0], [0.0, 9.0, 18.0], [1.0, 6.0, 11.0, 16.0], [3.0 * i for i in range(7)]])
def test_that_a_fixed_frame_that_is_sent_rarely_on_tf_is_told_with_the_wait(times):
    (fault,) = examine(log_of([*drive(), *camera(times)]))
    assert (fault.kind, fault.severity, fault.frame, fault.count) == ("fixed on tf", "amber", "camera_rgb", len(times))
    assert f"only every {times[1] - times[0]:g} s" in fault.cause
    assert "/tf_static" in fault.cause
    assert "only time 1700" in fault.answer


@pytest.mark.parametrize("times", [[0.0, 4.0], [2.0, 5.0, 8.0]])
def test_that_a_fixed_frame_that_is_sent_no_more_is_silent_after_one_and_a_half_steps(times):
    (fault,) = examine(log_of([*drive(), *camera(times)]))
    assert (fault.kind, fault.count) == ("silence", 1)
    assert "always as the same pose" in fault.cause


@pytest.mark.parametrize(
    "seldom",
    [
        camera([0.0, 9.0, 18.0], step=0.2),
        camera([0.0, 9.0, 18.0], parent="map"),
        camera([1.5 * i for i in range(13)]),
        camera([19.5]),
    ],
    ids=["moves", "localized", "often enough", "only the end"],
)
def test_that_a_frame_that_moves_or_comes_often_enough_is_no_fault(seldom):
    assert examine(log_of([*drive(), *seldom])) == ()


@pytest.mark.parametrize("seconds", [0.5, 0.9])
def test_that_a_short_recording_with_a_frame_sent_once_is_no_fault(seconds):
    assert examine(log_of([*drive(seconds=seconds), *camera([0.0])])) == ()


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_that_other_topics_show_that_the_recording_goes_on(n, write, tmp_path):
    static = [each for each in drive(seconds=1.0) if each.is_static]
    sent = [*static, *camera([0.1 * i for i in range(n)]), *scans("lidar")]
    with open_bag(write(tmp_path / "drive.bag", sent)) as bag:
        ((_, fault),) = examine_bag(bag).faults
    assert (fault.kind, fault.frame) == ("silence", "camera_rgb")
    assert "every later look-up fails" in fault.cause


def test_that_other_topics_that_run_on_make_no_moving_frame_silent(tmp_path):
    with open_bag(write_ros1(tmp_path / "drive.bag", [*drive(seconds=2.0), *scans("lidar")])) as bag:
        assert examine_bag(bag).faults == ()


@pytest.mark.parametrize("far", [1e200, 1e308])
@pytest.mark.parametrize("is_static", [False, True])
def test_that_positions_whose_squares_overflow_are_no_warning(far, is_static):
    """A warning is an error in these tests."""
    places = [(far, 0.0, -far), (-far, far, 0.0)] * 12
    sent = [
        Sent(START_NS + i * NS // 10, "base_link", "mast", place, (0.0, 0.0, 0.0, 1.0), is_static=is_static)
        for i, place in enumerate(places)
    ]
    kinds = {fault.kind for fault in examine(log_of([*drive(seconds=2.4), *sent]))}
    assert ("static changed" in kinds) == is_static
