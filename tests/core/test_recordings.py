"""Recordings: reading them, what is wrong with them, and the spline's bandwidth and rates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope import assets
from framescope.core import frames
from framescope.core.kernels import linear_algebra
from framescope.core.recordings.pose_spline import BandwidthError, Recording, RecordingError, smooth
from framescope.core.recordings.tables.limits import TableError
from tests.support.trajectories import read_tum

GOOD = "".join(f"{10 + 0.1 * i} 1 2 3 0 0 {np.sin(0.1 * i)} {np.cos(0.1 * i)}\n" for i in range(30))


def recording_of(signal, t: np.ndarray) -> Recording:
    return Recording(t, np.stack([signal] * 3, axis=1), np.tile([0.0, 0.0, 0.0, 1.0], (len(t), 1)))


def test_that_the_real_recording_is_read() -> None:
    recording = read_tum(assets.path("scenes/freiburg1_xyz.txt"))[0]
    assert len(recording.t) == 3000
    assert recording.t[0] == 0.0
    assert_allclose(recording.p_PF[0], [1.3563, 0.6305, 1.6380])
    assert_allclose(linear_algebra.squared_norm(recording.Q_PF), 1.0, atol=1e-14)
    assert np.all((recording.Q_PF[1:] * recording.Q_PF[:-1]).sum(axis=1) > 0.9)


def test_that_the_rotation_takes_vectors_from_the_moving_frame_into_the_fixed_one(tmp_path) -> None:
    path = tmp_path / "quarter.txt"
    # A quarter turn about z: the moving frame's x axis points along y of the fixed one.
    path.write_text("".join(f"{t} 0 0 0 0 0 {np.sqrt(0.5)} {np.sqrt(0.5)}\n" for t in range(6)))
    T, *_ = smooth(read_tum(path)[0], 0.1).sample(np.array([2.0]))
    assert_allclose(T[0].T @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3\n" * 6, "has 3 columns, expected 8"),
        ("a b c d e f g h\n", "has no rows of numbers"),
        ("", "is empty"),
        (GOOD.replace("10.2 ", "10.05 "), "time runs backwards after sample 2, from 0.1 s to 0.05 s"),
        (GOOD.replace("10.2 ", "nan "), "line 3, column 1: .nan. is no finite number"),
        ("".join(f"{t} 0 0 0 0 0 0 1.02\n" for t in range(6)), "misses unit length by 0.02"),
        ("0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n", "has 2 samples"),
    ],
)
def test_that_a_bad_recording_is_refused_with_the_place(tmp_path, text, message) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises((RecordingError, TableError), match=message):
        read_tum(path)


@pytest.mark.parametrize("frequency_hz", [1.0, 4.0, 8.0])
def test_that_the_bandwidth_is_where_the_amplitude_falls_to_minus_3_db(frequency_hz) -> None:
    t = 0.01 * np.arange(3000)
    spline = smooth(recording_of(np.sin(2 * np.pi * frequency_hz * t), t), 4.0)
    middle = spline.sample(t[1000:2000])[1][:, 0]
    gain = np.sqrt(2.0) * middle.std()
    assert gain == pytest.approx(1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (frequency_hz / 4.0) ** 4), rel=1e-3)


def test_that_rates_of_the_spline_are_derivatives_of_its_poses() -> None:
    spline = smooth(read_tum(assets.path("scenes/freiburg1_xyz.txt"))[0], 4.0)
    t, h = np.linspace(0.5, 29.5, 200), 1e-5
    T, _, w, v, *_ = spline.sample(t)
    (T1, p1, *_), (T0, p0, *_) = spline.sample(t + h), spline.sample(t - h)
    assert_allclose((p1 - p0) / (2 * h), v, atol=1e-6)
    skew = linear_algebra.multiply_matrices(T, linear_algebra.transpose((T1 - T0) / (2 * h)))
    assert_allclose(np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=-1), w, atol=1e-6)


def test_that_smoothing_does_not_depend_on_the_frames_it_is_done_in() -> None:
    recording = read_tum(assets.path("scenes/freiburg1_xyz.txt"))[0]
    A, B = (frames.to_Q(frames.axes_rotations("XYZ", a)) for a in ([0.4, -1.0, 2.0], [1.3, 0.2, -0.7]))
    turned = linear_algebra.multiply_quaternions(A, linear_algebra.multiply_quaternions(recording.Q_PF, B))
    t = np.linspace(0.0, 30.0, 50)
    T = smooth(recording, 4.0).sample(t)[0]
    T_turned = smooth(Recording(recording.t, recording.p_PF, turned), 4.0).sample(t)[0]
    T_A, T_B = linear_algebra.matrix_from_quaternion(A), linear_algebra.matrix_from_quaternion(B)
    assert_allclose(
        T_turned, linear_algebra.multiply_matrices(T_B, linear_algebra.multiply_matrices(T, T_A)), atol=1e-11
    )


def test_that_the_frame_stands_still_outside_the_recording() -> None:
    t = 0.1 * np.arange(20)
    _, p, _, v, *_ = smooth(recording_of(t, t), 1.0).sample(np.array([-1.0, 5.0]))
    assert_allclose(p[:, 0], [0.0, 1.9], atol=1e-9)
    assert_allclose(v, 0.0)


def test_that_a_bandwidth_beyond_the_samples_is_refused() -> None:
    t = 0.1 * np.arange(20)
    with pytest.raises(RecordingError, match="less than 5 Hz"):
        smooth(recording_of(t, t), 6.0)


@pytest.mark.parametrize("bandwidth_hz", [10.0, 1.0, 0.01, 1e-5])
def test_that_what_changes_slowly_stays_as_it_is_however_often_it_is_sampled(bandwidth_hz) -> None:
    t = 0.001 * np.arange(20_000)
    _, p, w, v, _, a = smooth(recording_of(1000.0 + 5.0 * t, t), bandwidth_hz).sample(t)
    assert_allclose(p[:, 0], 1000.0 + 5.0 * t, rtol=1e-12)
    assert_allclose(v, 5.0, rtol=1e-9)
    assert_allclose(a, 0.0, atol=1e-7)
    assert_allclose(w, 0.0, atol=1e-12)
    at_rest = smooth(recording_of(np.full(20_000, 0.1), t), bandwidth_hz).sample(t)[1]
    assert_allclose(at_rest, 0.1, rtol=1e-15)


def test_that_the_least_squares_line_is_left_of_a_recording_far_shorter_than_a_period() -> None:
    t = 0.001 * np.arange(20_000)
    y = 1000.0 + 5.0 * t + np.cos(0.7 * t)
    values, rates = (found[:, 0] for found in smooth(recording_of(y, t), 1e-5).sample(t)[1:4:2])
    slope = np.polynomial.Polynomial.fit(t, y, 1).convert().coef[1]
    line = y.mean() + slope * (t - t.mean())
    assert_allclose(values, line, rtol=1e-12)
    assert_allclose(rates, slope, rtol=1e-9)


def test_that_a_bandwidth_too_small_for_the_samples_is_refused() -> None:
    t = 0.001 * np.arange(20)
    smooth(recording_of(t, t), 1.0001e-6)
    for bandwidth_hz in (0.9999e-6, 1e-90, 5e-324):
        with pytest.raises(BandwidthError, match=r"for 1000 samples a second\. Use at least 1e-06 Hz"):
            smooth(recording_of(t, t), bandwidth_hz)
