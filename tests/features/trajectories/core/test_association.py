"""Association: by nearest times, interpolated, in order, and why no pair exists."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from framescope.features.trajectories.core.association import associate, interpolated
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, stream_of


def stream(t, name="s", epoch_ns=0) -> PoseStream:
    t = np.asarray(t, dtype=float)
    q = Rotation.from_rotvec(np.outer(t, [0.1, 0.2, 0.3])).as_quat()
    return stream_of(name, t, np.outer(t, [1.0, 2.0, 3.0]), q, epoch_ns=epoch_ns)


def test_that_each_pose_of_the_shorter_stream_gets_the_nearest_within_the_tolerance() -> None:
    a, b = stream([0.0, 1.0, 2.0, 3.0]), stream([0.9, 2.105, 7.0])
    pairs = associate(a, b, tolerance_s=0.105001)
    assert pairs.rows_a.tolist() == [1, 2]
    assert pairs.rows_b.tolist() == [0, 1]
    swapped = associate(b, a, tolerance_s=0.105001)
    assert swapped.rows_a.tolist() == [0, 1]


def test_that_of_two_equally_near_poses_the_earlier_counts() -> None:
    pairs = associate(stream([0.0, 1.0, 2.0]), stream([0.5]), tolerance_s=1.0)
    assert pairs.rows_a.tolist() == [0]


def test_that_interpolation_is_linear_and_slerp() -> None:
    a = stream(np.arange(10.0))
    t = np.array([0.25, 3.5, 8.9])
    p, q = interpolated(a, t)
    expected = Slerp(a.t, Rotation.from_quat(a.q_RF))(t)
    assert np.abs(p - np.outer(t, [1.0, 2.0, 3.0])).max() < 1e-12
    assert (Rotation.from_quat(q) * expected.inv()).magnitude().max() < 1e-12


def test_that_epochs_and_offsets_count() -> None:
    a, b = stream(np.arange(10.0), epoch_ns=100 * NS), stream(np.arange(10.0), epoch_ns=102 * NS)
    assert len(associate(a, b)) == 8
    assert len(associate(a, b, offset_s=-2.0)) == 10


def test_that_streams_without_times_are_paired_in_order() -> None:
    a, b = (PoseStream(s.name, None, s.p_RF, s.q_RF) for s in (stream([0.0, 1.0]), stream([5.0, 6.0])))
    assert len(associate(a, b)) == 2
    with pytest.raises(StreamError, match="equally many"):
        associate(a, b.some(slice(0, 1)))


def test_that_no_overlap_and_no_nearness_are_told_apart() -> None:
    with pytest.raises(StreamError, match=r"do not overlap: .*An offset of -100 s"):
        associate(stream(np.arange(5.0), "a"), stream(100.0 + np.arange(5.0), "b"))
    with pytest.raises(StreamError, match=r"the nearest are 0\.5 s apart"):
        associate(stream(np.arange(5.0), "a"), stream(0.5 + np.arange(4.0), "b"))
    with pytest.raises(StreamError, match="tolerance of 0 s or more"):
        associate(stream([0.0]), stream([0.0]), tolerance_s=float("nan"))


def test_that_some_pairs_keep_all_columns() -> None:
    pairs = associate(stream(np.arange(6.0)), stream(np.arange(6.0))).some(slice(2, 4))
    assert len(pairs) == len(pairs.t) == len(pairs.q_B) == 2
