"""Trajectories: the usual formats and tables by their columns as one recording; what is odd, what is refused."""

from __future__ import annotations

import csv
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope import assets
from framescope.core import frames, quaternions
from framescope.core.errors import FramescopeError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES
from framescope.core.recordings import pose_spline, row_cleaning
from framescope.core.recordings.pose_columns import ANGLE_UNITS, LENGTH_UNITS, TIME_UNITS
from framescope.core.recordings.pose_spline import RecordingError
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema.motions import PoseColumns
from tests.support.trajectories import (
    angles,
    matrix,
    pose,
    poses_from_table,
    quaternion,
    read_euroc,
    read_kitti,
    read_tum,
)

EUROC_HEADER = "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []"
XYZ = ("x", "y", "z")
once = settings(max_examples=30, deadline=None)

quarter = np.sqrt(0.5)
QUARTER_Z = [0.0, 0.0, quarter, quarter]
"""Q of a frame whose x axis points along y of its parent."""


def orientations(n: int, seed: int = 0) -> np.ndarray:
    Q = np.random.default_rng(seed).normal(size=(n, 4))
    return Q / np.linalg.norm(Q, axis=1, keepdims=True)


def same_orientation(Q, other, atol: float = 1e-9) -> None:
    assert_allclose(
        linear_algebra.matrix_from_quaternion(np.asarray(Q)),
        linear_algebra.matrix_from_quaternion(np.asarray(other)),
        atol=atol,
    )


def table_of(t, p, **columns) -> Table:
    p = np.broadcast_to(p, (len(t), 3))
    return Table("a.csv", {"t": np.asarray(t, dtype=float), "x": p[:, 0], "y": p[:, 1], "z": p[:, 2], **columns})


def quaternion_table(t, Q=(0.0, 0.0, 0.0, 1.0), p=(0.0, 0.0, 0.0)) -> Table:
    Q = np.broadcast_to(Q, (len(t), 4))
    return table_of(t, p, **{f"q{axis}": Q[:, i] for i, axis in enumerate("xyzw")})


def columns_of(orientation=None, time_unit: str = "s", position_unit: str = "m") -> PoseColumns:
    xyzw = quaternion(("qx", "qy", "qz", "qw"), "xyzw")
    return pose("t", time_unit, XYZ, position_unit, orientation or xyzw)


def poses_at(t, **keywords):
    return poses_from_table(quaternion_table(t, **keywords), columns_of())


# --- The formats


def test_that_the_real_recording_is_read_as_its_numbers_stand() -> None:
    path = assets.path("scenes/freiburg1_xyz.txt")
    recording, findings = read_tum(path)
    table = np.loadtxt(path)
    stamps = [Decimal(line.split()[0]) for line in path.read_text().splitlines() if not line.startswith("#")]
    assert_allclose(recording.t, [float(stamp - stamps[0]) for stamp in stamps], rtol=0.0, atol=1e-14)
    assert_array_equal(recording.p_PF, table[:, 1:4])
    Q = quaternions.normalize_quaternion(table[:, 4:8])
    assert_array_equal(recording.Q_PF, quaternions.continuous_signs(Q))
    assert all(finding.kind == "time-gap" for finding in findings)


@once
@given(seed=st.integers(0, 1000), start=st.floats(0.0, 2e9), n=st.integers(5, 20))
def test_that_tum_comes_back(tmp_path_factory, seed, start, n) -> None:
    path = tmp_path_factory.mktemp("t") / "a.txt"
    t, Q, p = start + np.arange(n), orientations(n, seed), np.random.default_rng(seed).normal(size=(n, 3))
    np.savetxt(path, np.column_stack([t, p, Q]), fmt="%.17g")
    recording, findings = read_tum(path)
    assert_array_equal(recording.t, t - t[0])
    assert_array_equal(recording.p_PF, p)
    same_orientation(recording.Q_PF, Q, 1e-12)
    assert (np.sum(recording.Q_PF[1:] * recording.Q_PF[:-1], axis=1) >= 0.0).all()
    assert findings == ()


def test_that_tum_with_the_scalar_first_or_other_columns_is_refused(tmp_path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("# t x y z qw qx qy qz\n" + "0 0 0 0 1 0 0 0\n" * 6)
    with pytest.raises(RecordingError, match='scalar last, got "qw" as its first'):
        read_tum(path)
    path.write_text("1 2 3\n" * 6)
    with pytest.raises(RecordingError, match=r"has 3 columns, expected 8\. Each line is: timestamp"):
        read_tum(path)


def kitti_text(n: int) -> str:
    # The frame's x axis points along y of the parent: first column of the matrix is y.
    return "".join(f"0 -1 0 {i} 1 0 0 2 0 0 1 3\n" for i in range(n))


def test_that_kitti_takes_points_from_the_frame_into_the_parent(tmp_path) -> None:
    path = tmp_path / "00.txt"
    path.write_text(kitti_text(6))
    recording, findings = read_kitti(path, rate_hz=10.0)
    assert_allclose(recording.t, 0.1 * np.arange(6))
    assert_array_equal(recording.p_PF, [[i, 2.0, 3.0] for i in range(6)])
    same_orientation(recording.Q_PF, [QUARTER_Z] * 6)
    assert findings == ()
    times = tmp_path / "times.txt"
    times.write_text("5.0\n5.1\n5.2\n5.3\n5.4\n9\n")
    recording, findings = read_kitti(path, times=times)
    assert_allclose(recording.t, [0.0, 0.1, 0.2, 0.3, 0.4, 4.0], atol=1e-12)
    assert [finding.kind for finding in findings] == ["time-gap"]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({}, "a rate of None Hz is none"),
        ({"rate_hz": 0.0}, "a rate of 0.0 Hz is none"),
        ({"rate_hz": float("nan")}, "a rate of nan Hz"),
        ({"rate_hz": 1e-320}, "sample 2: the time is too large"),
        ({"times": "times.txt"}, "times.txt has 5 times, expected 6, as many as 00.txt has poses"),
        ({"times": "00.txt"}, "00.txt has 12 columns, expected 1"),
    ],
)
def test_that_kitti_without_good_times_is_refused(tmp_path, keywords, message) -> None:
    (tmp_path / "00.txt").write_text(kitti_text(6))
    (tmp_path / "times.txt").write_text("0\n1\n2\n3\n4\n")
    if "times" in keywords:
        keywords = keywords | {"times": tmp_path / keywords["times"]}
    with pytest.raises(RecordingError, match=message):
        read_kitti(tmp_path / "00.txt", **keywords)


@pytest.mark.parametrize("row", ["1 0 0 0 0 1 0 0 0 0 -1 0", "0 0 0 0 0 0 0 0 0 0 0 0", "1e300 0 0 0 0 1 0 0 0 0 1 0"])
def test_that_a_matrix_that_is_no_rotation_is_refused(tmp_path, row) -> None:
    (tmp_path / "00.txt").write_text(kitti_text(5) + row + "\n")
    with pytest.raises(RecordingError, match="the matrix of sample 6 misses a rotation by"):
        read_kitti(tmp_path / "00.txt", rate_hz=10.0)


@pytest.mark.parametrize(
    "header",
    [
        EUROC_HEADER,
        EUROC_HEADER.replace(", ", ",").replace("timestamp", "timestamp [ns]"),
        EUROC_HEADER.removeprefix("#"),
        EUROC_HEADER.replace(" [m]", "").replace(" []", ""),
        EUROC_HEADER + ", v_RS_R_x [m s^-1]",
    ],
)
def test_that_euroc_is_read_with_the_scalar_first(tmp_path, header) -> None:
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as file:
        file.write(header + "\r\n")
        for i in range(6):
            pose = [1403636579763555584 + 5_000_000 * i, 1.0, 2.0, 3.0, quarter, 0.0, 0.0, quarter, 0.25]
            csv.writer(file).writerow(pose[: header.count(",") + 1])
    recording, findings = read_euroc(path)
    assert_allclose(recording.t, 0.005 * np.arange(6), atol=3e-7)
    assert_array_equal(recording.p_PF, [[1.0, 2.0, 3.0]] * 6)
    same_orientation(recording.Q_PF, [QUARTER_Z] * 6)
    assert findings == ()


@pytest.mark.parametrize(
    ("header", "error", "message"),
    [
        ("", RecordingError, "has no header.*#timestamp"),
        (EUROC_HEADER.replace("timestamp", "timestamp [s]"), RecordingError, "expected the unit ns, got s"),
        (EUROC_HEADER.replace("z [m]", "z [mm]"), RecordingError, "expected the unit m, got mm"),
        (EUROC_HEADER.replace("q_RS_w", "q_w"), TableError, 'no column "q_RS_w". Did you mean'),
    ],
)
def test_that_other_headers_than_those_of_euroc_are_refused(tmp_path, header, error, message) -> None:
    path = tmp_path / "data.csv"
    path.write_text(header + "\n" + "".join(f"{i},0,0,0,1,0,0,0\n" for i in range(6)))
    with pytest.raises(error, match=message):
        read_euroc(path)


# --- Tables by their columns


@pytest.mark.parametrize("unit", TIME_UNITS)
@pytest.mark.parametrize("length", LENGTH_UNITS)
def test_that_units_become_si(unit, length) -> None:
    t = 7.0 / TIME_UNITS[unit] + np.arange(6.0)
    recording, _ = poses_from_table(quaternion_table(t, p=(1.0, 2.0, 3.0)), columns_of(None, unit, length))
    assert_allclose(recording.t, TIME_UNITS[unit] * np.arange(6), rtol=1e-6)
    assert_allclose(recording.p_PF[0], LENGTH_UNITS[length] * np.array([1.0, 2.0, 3.0]))


@once
@given(
    seed=st.integers(0, 1000),
    sequence=st.sampled_from([*SEQUENCES, *EXTRINSIC_SEQUENCES]),
    unit=st.sampled_from([*ANGLE_UNITS]),
)
def test_that_all_forms_of_an_orientation_say_the_same(seed, sequence, unit) -> None:
    Q, t = orientations(6, seed), np.arange(6.0)
    T = linear_algebra.matrix_from_quaternion(Q)
    is_fixed = sequence in EXTRINSIC_SEQUENCES
    R = frames.from_Q(Q, np.zeros(3))
    turns = frames.axes_rotations_angles(R, sequence[::-1].upper() if is_fixed else sequence)
    turns = (turns[:, ::-1] if is_fixed else turns) / ANGLE_UNITS[unit]
    columns = {name: Q[:, i] for i, name in enumerate("ijkw")} | {name: turns[:, i] for i, name in enumerate("abc")}
    columns |= {f"T{i}": T.reshape(-1, 9)[:, i] for i in range(9)}
    columns |= {f"R{i}": T.transpose(0, 2, 1).reshape(-1, 9)[:, i] for i in range(9)}
    table = table_of(t, (0.0, 0.0, 0.0), **columns)
    for orientation in (
        quaternion(("i", "j", "k", "w"), "xyzw"),
        quaternion(("w", "i", "j", "k"), "wxyz"),
        matrix(tuple(f"T{i}" for i in range(9)), "parent to frame"),
        matrix(tuple(f"R{i}" for i in range(9)), "frame to parent"),
        angles(("a", "b", "c"), sequence, unit),
    ):
        recording, _ = poses_from_table(table, columns_of(orientation))
        same_orientation(recording.Q_PF, Q, 1e-7)
        assert (np.sum(recording.Q_PF[1:] * recording.Q_PF[:-1], axis=1) >= 0.0).all()


def test_that_roll_pitch_and_yaw_about_fixed_axes_are_those_of_ros() -> None:
    a, b, c = (np.full(6, angle) for angle in (10.0, 20.0, 30.0))
    orientation = angles(("roll", "pitch", "yaw"), "xyz", "deg")
    recording, _ = poses_from_table(table_of(np.arange(6.0), 0.0, roll=a, pitch=b, yaw=c), columns_of(orientation))
    expected = frames.to_Q(frames.axes_rotations("ZYX", np.radians([30.0, 20.0, 10.0])))
    same_orientation(recording.Q_PF[0], expected)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (columns_of(time_unit="sec"), '"sec" is no unit of time. Use one of: s, ms, us, ns|Did you mean'),
        (columns_of(position_unit="inch"), '"inch" is no unit of length'),
        (columns_of(quaternion(("qx", "qy", "qz", "qw"), "xzyw")), "no order of a quaternion. Did you mean"),
        (columns_of(matrix(("x",) * 9, "frame")), "no direction of a matrix"),
        (columns_of(angles(XYZ, "XXY", "deg")), '"XXY" is no axis sequence'),
        (columns_of(angles(XYZ, "XYZ", "degrees")), "no unit of angles. Did you mean"),
        (pose("time", "s", XYZ, "m", angles(XYZ, "XYZ", "deg")), 'a.csv has no column "time"'),
        (columns_of(quaternion(("q_x", "qy", "qz", "qw"), "xyzw")), 'no column "q_x". Did you mean "qx"'),
    ],
)
def test_that_columns_that_do_not_fit_are_refused(columns, message) -> None:
    with pytest.raises((RecordingError, TableError), match=message):
        poses_from_table(quaternion_table(np.arange(6.0)), columns)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            quaternion_table(np.arange(6.0), Q=(0.0, 0.0, 0.0, 1.02)),
            "quaternion of sample 1 misses unit length by 0.02",
        ),
        (quaternion_table(np.arange(6.0), Q=(0.0, 0.0, 0.0, 0.0)), "misses unit length by 1"),
        (quaternion_table(np.arange(6.0), Q=(0.0, 0.0, 0.0, 1e300)), "misses unit length by inf"),
        (quaternion_table(np.arange(4.0)), "has 4 samples of different times, at least 5"),
        (quaternion_table([0.0] * 9), "has 1 sample of different times"),
        (quaternion_table([0.0, 0.1, 0.2, 0.15, 0.3, 0.4]), "backwards after sample 3, from 0.2 s to 0.15 s. Sort"),
        (quaternion_table([-1e308, 0.0, 1e308, 1.1e308, 1.2e308]), "sample 3: the time is too large"),
    ],
)
def test_that_bad_samples_are_refused_with_the_place(table, message) -> None:
    with pytest.raises(RecordingError, match=message):
        poses_from_table(table, columns_of())


def test_that_units_that_overflow_are_refused() -> None:
    table = quaternion_table(np.arange(5.0), p=(1e307, 0.0, 0.0))
    with pytest.raises(RecordingError, match="sample 1: the position is too large"):
        poses_from_table(table, columns_of(position_unit="km"))
    with pytest.raises(RecordingError, match="sample 1: the angles are too large"):
        poses_from_table(quaternion_table(np.arange(5.0), p=(1e308, 0, 0)), columns_of(angles(XYZ, "XYZ", "turn")))


def test_that_rounding_of_a_quaternion_is_let_pass_as_before() -> None:
    recording, _ = poses_at(np.arange(6.0), Q=(0.0, 0.0, 0.0, 1.0 - 0.9 * pose_spline.UNIT_NORM_TOLERANCE))
    assert_array_equal(recording.Q_PF, [[0.0, 0.0, 0.0, 1.0]] * 6)


# --- Findings


def test_that_doubled_samples_are_left_out_and_told() -> None:
    p = np.zeros((8, 3))
    p[5] = 1.0
    recording, findings = poses_at([10.0, 10.1, 10.1, 10.2, 10.3, 10.3, 10.4, 10.5], p=p)
    assert_allclose(recording.t, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert_array_equal(recording.p_PF, np.zeros((6, 3)))
    assert [(finding.kind, *finding.rows) for finding in findings] == [("duplicate-sample", 3), ("duplicate-sample", 6)]
    assert findings[0].message == "sample 3 has the time of the one before, 0.1 s, and the same pose: left out."
    assert findings[1].message == "sample 6 has the time of the one before, 0.3 s, and another pose: left out."
    assert findings[1].time == pytest.approx(0.3)


def test_that_a_doubled_sample_of_the_other_sign_is_the_same_pose() -> None:
    Q = np.tile([0.0, 0.0, 0.0, 1.0], (6, 1))
    Q[2] *= -1.0
    _, findings = poses_at([0, 1, 1, 2, 3, 4], Q=Q)
    assert "the same pose" in findings[0].message


@pytest.mark.parametrize(("step", "n"), [(4.99, 0), (5.01, 1)])
def test_that_a_gap_is_a_step_of_more_than_five_times_the_median(step, n) -> None:
    t = np.cumsum([0.0, 1.0, 1.0, step, 1.0, 1.0, 1.0])
    recording, findings = poses_at(t)
    assert_array_equal(recording.t, t)
    assert len(findings) == n
    for finding in findings:
        assert (finding.kind, finding.times, finding.rows) == ("time-gap", (2.0, 7.01), (3,))
        assert finding.message == "no sample for 5.01 s after 2 s, 5 times the usual step."


def test_that_findings_stand_in_the_order_of_rows_of_the_file() -> None:
    _, findings = poses_at([0, 1, 1, 2, 30, 31, 32, 32, 33])
    assert [(finding.kind, *finding.rows) for finding in findings] == [
        ("duplicate-sample", 3),
        ("time-gap", 4),
        ("duplicate-sample", 8),
    ]


def test_that_many_findings_are_counted_and_not_told_one_by_one() -> None:
    recording, findings = poses_at(np.repeat(np.arange(300.0), 2))
    assert len(recording.t) == 300
    assert len(findings) == row_cleaning.MAX_PROBLEMS + 1
    assert findings[-1].message == "200 more samples left out."


@once
@given(
    t=st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=12).map(sorted),
    Q=st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4),
)
def test_that_any_table_is_read_or_refused_never_more(t, Q) -> None:
    try:
        recording, findings = poses_at(t, Q=Q)
    except FramescopeError:
        return
    assert recording.t[0] == 0.0
    assert (np.diff(recording.t) > 0.0).all()
    assert_allclose(linear_algebra.squared_norm(recording.Q_PF), 1.0, atol=1e-12)
    assert len(recording.t) == len(t) - sum(finding.kind == "duplicate-sample" for finding in findings)
