"""The record of a pose stream, and the cleaning of rows."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.pose_stream import (
    NS,
    PoseStream,
    StreamError,
    on_one_epoch,
    quaternions_of,
    rotations,
    same_signs,
    seconds_and_epoch,
    stream_of,
)

UNIT = np.array([[0.0, 0.0, 0.0, 1.0]])


def stream(n: int = 3, **more) -> PoseStream:
    return PoseStream("s", np.arange(float(n)), np.zeros((n, 3)), np.repeat(UNIT, n, axis=0), **more)


@pytest.mark.parametrize(
    ("t", "p", "q", "words"),
    [
        ([0.0, 1.0], np.zeros((2, 2)), np.repeat(UNIT, 2, axis=0), "positions"),
        ([0.0, 1.0], np.full((2, 3), np.nan), np.repeat(UNIT, 2, axis=0), "not finite"),
        ([0.0, 1.0], np.zeros((2, 3)), 2.0 * np.repeat(UNIT, 2, axis=0), "unit length"),
        ([0.0, 0.0], np.zeros((2, 3)), np.repeat(UNIT, 2, axis=0), "does not increase"),
        ([0.0], np.zeros((2, 3)), np.repeat(UNIT, 2, axis=0), "2 finite times"),
    ],
)
def test_that_wrong_arrays_are_named(t, p, q, words) -> None:
    with pytest.raises(StreamError, match=words):
        PoseStream("s", np.array(t), p, q)


def test_that_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        stream().p_RF[0, 0] = 1.0


def test_that_damaged_rows_are_left_out_and_counted() -> None:
    q = np.repeat(UNIT, 6, axis=0)
    q[1] = 0.0
    p = np.zeros((6, 3))
    p[2, 1] = np.nan
    p[:, 0] = np.arange(6)
    made = stream_of("s", [0.0, 1.0, 2.0, 5.0, 4.0, 4.0], p, q)
    assert made.p_RF[:, 0].tolist() == [0.0, 4.0, 3.0]
    assert len(made.notes) == 4


def test_that_a_stream_without_a_pose_says_so() -> None:
    with pytest.raises(StreamError, match="no row that holds a pose"):
        stream_of("s", [0.0], [[np.nan, 0.0, 0.0]], UNIT)


def test_that_rotations_and_quaternions_are_inverse() -> None:
    rng = np.random.default_rng(1)
    q = same_signs(rng.normal(size=(50, 4)))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    R = rotations(q)
    assert np.abs(np.einsum("nij,nkj->nik", R, R) - np.eye(3)).max() < 1e-14
    assert np.abs(rotations(quaternions_of(R)) - R).max() < 1e-14
    assert np.linalg.det(R).min() > 0.999


def test_that_stamps_since_1970_keep_their_digits() -> None:
    values = np.array([1.403636579763555584e18, 1.403636579768555584e18])
    rests = np.array([0.0, float(1403636579768555584 - int(values[1]))])
    t, epoch = seconds_and_epoch(values, rests, unit_s=1e-9)
    assert t == pytest.approx([0.0, 0.005], abs=1e-12)
    assert epoch == 1403636579763555584


def test_that_streams_of_one_clock_get_one_epoch() -> None:
    a, b = on_one_epoch([stream(epoch_ns=5 * NS), stream(epoch_ns=7 * NS)])
    assert b.t.tolist() == [2.0, 3.0, 4.0]
    assert a.epoch_ns == b.epoch_ns


def test_that_shifting_and_length_are_those_of_the_path() -> None:
    made = stream_of("s", None, np.outer(np.arange(3.0), [3.0, 4.0, 0.0]), np.repeat(UNIT, 3, axis=0))
    assert made.length == 10.0
    with pytest.raises(StreamError, match="no times"):
        made.shifted(1.0)
    assert stream().shifted(0.5).t.tolist() == [0.5, 1.5, 2.5]
