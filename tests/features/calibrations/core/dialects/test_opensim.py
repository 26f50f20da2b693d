"""Storage files of OpenSim: orientations of sensors over time, and tables that hold no poses."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import PoseList
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.opensim import OPENSIM, write
from tests.support import plain_rotations as plain
from tests.support.calibration_files import read, tally_of_damaged

ORIENTATIONS = """\
DataRate=100.000000
DataType=Quaternion
version=3
OpenSimVersion=4.4-2022-07-23-0e9fedc
endheader
time\ttorso_imu\tfemur_l_imu
0.00\t1.0,0.0,0.0,0.0\t0.96,0.0,0.28,0.0
0.01\t0.8,0.6,0.0,0.0\t0.5,0.5,-0.5,0.5
0.02\t0.0,0.0,0.6,-0.8\t
"""
COORDINATES = """\
Coordinates
version=1
nRows=2
nColumns=4
inDegrees=yes
Units are S.I. units (second, meters, Newtons, ...)
endheader
time\tpelvis_tilt\tpelvis_tx\tknee_angle_r
0.0\t-2.5\t0.1\t15.0
0.1\t-2.4\t0.2\t16.5
"""
FORCES = "DataType=double\nversion=3\nendheader\ntime\tground_force_vx\n0.0\t1.0\n"
FILES = {"imu.sto": ORIENTATIONS, "walk.mot": COORDINATES}


def test_that_each_column_is_a_sensor_whose_cells_are_w_x_y_z() -> None:
    torso, femur = read(OPENSIM, ORIENTATIONS).pose_lists
    assert (torso.parent, torso.child, femur.child) == ("world", "torso_imu", "femur_l_imu")
    np.testing.assert_allclose(torso.times, [0.0, 0.01, 0.02])
    expected = [np.eye(3), plain.of_quaternion(0.6, 0, 0, 0.8), plain.of_quaternion(0, 0.6, -0.8, 0)]
    np.testing.assert_allclose(torso.X_PC.R_AB, expected, atol=1e-12)
    assert np.abs(torso.X_PC.R_AB[1] - plain.of_quaternion(0.8, 0.6, 0, 0)).max() > 0.5  # as x y z w
    assert np.abs(torso.X_PC.R_AB[1] - expected[1].T).max() > 0.5  # the other direction
    assert not torso.X_PC.p_AB.any()


def test_that_an_empty_cell_is_a_missing_orientation() -> None:
    femur = read(OPENSIM, ORIENTATIONS).pose_lists[1]
    np.testing.assert_allclose(femur.times, [0.0, 0.01])


def test_that_it_says_that_there_are_no_positions() -> None:
    assert [problem.kind for problem in read(OPENSIM, ORIENTATIONS).problems] == ["no-positions"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (COORDINATES, ("coordinates of a model, angles in degrees", "pelvis_tilt, pelvis_tx, knee", "no poses")),
        (COORDINATES.replace("=yes", "=no"), ("angles in radians",)),
        (FORCES, ("numbers over time: ground_force_vx", "no poses")),
        (FORCES.replace("double", "Vec3"), ("of the type Vec3", "Expected DataType=Quaternion")),
    ],
)  # fmt: skip
def test_that_a_table_of_coordinates_says_why_it_holds_no_poses(text, words) -> None:
    with pytest.raises(FramescopeError) as refused:
        read(OPENSIM, text, "walk.mot")
    assert all(word in str(refused.value) for word in words), refused.value


def test_that_written_orientations_are_read_back() -> None:
    t = np.array([0.0, 0.5])
    R = np.stack([plain.of_rpy(0.1, 0.2, 0.3), plain.of_rpy(-2.0, 1.0, 3.0)])
    lists = tuple(PoseList("world", name, Transform(R, np.zeros((2, 3))), times=t) for name in ("a", "b"))
    calibration = read(OPENSIM, ORIENTATIONS)
    text = write(type(calibration)("opensim", pose_lists=lists))
    rows = [line.split("\t") for line in text.split("endheader\n")[1].strip().split("\n")]
    assert rows[0] == ["time", "a", "b"]
    for n, row in enumerate(rows[1:]):
        w, x, y, z = map(float, row[1].split(","))
        np.testing.assert_allclose(plain.of_quaternion(x, y, z, w), R[n], atol=1e-14)
    again = read(OPENSIM, text).pose_lists
    np.testing.assert_allclose(again[1].X_PC.R_AB, R, atol=1e-14)
    np.testing.assert_array_equal(again[1].times, t)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.8,0.6,0.0,0.0", "0.8,0.6,0.0", "line 8: torso_imu: expected four numbers w,x,y,z"),
        ("0.01", "0.00", "times do not increase"),
        ("endheader\n", "", "expected the line endheader"),
        ("femur_l_imu", "torso_imu", "different names"),
        ("0.8,0.6", "north,0.6", "expected a number"),
    ],
)
def test_that_a_fault_is_named_with_its_place(old, new, message) -> None:
    with pytest.raises(FramescopeError, match=message):
        OPENSIM.read(Source("imu.sto", ORIENTATIONS.replace(old, new, 1).encode()))


def test_that_quaternions_off_unit_length_are_a_problem() -> None:
    calibration = read(OPENSIM, ORIENTATIONS.replace("0.8,0.6,0.0,0.0", "1.6,1.2,0.0,0.0"))
    assert "quaternion-length" in [problem.kind for problem in calibration.problems]
    np.testing.assert_allclose(calibration.pose_lists[0].X_PC.R_AB[1], plain.of_quaternion(0.6, 0, 0, 0.8), atol=1e-12)


def test_that_damaged_files_end_in_a_calibration_or_a_message() -> None:
    tally = tally_of_damaged(OPENSIM, {"imu.sto": ORIENTATIONS})
    assert min(tally["read"], tally["refused"]) > 20


def test_that_sensors_without_an_image_have_no_field_of_view() -> None:
    rows = [f"{0.1 * k:.1f}\t1.0,0.0,0.0,0.0" for k in range(8)]
    text = "DataRate=10\nDataType=Quaternion\nversion=3\nendheader\ntime\ttorso_imu\n" + "\n".join(rows) + "\n"
    scene = scene_of(read(OPENSIM, text), "imu.sto")
    assert list(scene.frames) == ["torso_imu"]
    assert not scene.bodies
