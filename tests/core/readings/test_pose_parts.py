"""A pose in two named parts, as people paste it: a position here, a rotation there."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.readings import read_text

P = (0.412, -0.873, 1.234)
Q = Rotation.from_quat([0.310388, -0.420526, 0.550689, 0.650814])
XYZW = "0.310388, -0.420526, 0.550689, 0.650814"
WXYZ = "0.650814, 0.310388, -0.420526, 0.550689"
RPY = Rotation.from_euler("xyz", [0.1, 0.2, 0.3])
MATRIX = ", ".join(f"{x:.7f}" for x in Q.as_matrix().ravel())

CASES = {
    "attributes of URDF without their element": ('xyz="0.412 -0.873 1.234" rpy="0.1 0.2 0.3"', RPY),
    "attributes of MJCF without their element": (f'pos="0.412 -0.873 1.234" quat="{WXYZ.replace(",", "")}"', Q),
    "lists of YAML": (f"translation: [0.412, -0.873, 1.234]\nrotation: [{XYZW}]", Q),
    "rotation first": (f"rotation: [{XYZW}]\ntranslation: [0.412, -0.873, 1.234]", Q),
    "arguments of Python": (f"pos=(0.412, -0.873, 1.234), rot=({WXYZ})", Q),
    "words": (f"Pose: Translation: [0.412 -0.873 1.234], Quaternion: [{XYZW.replace(',', '')}]", Q),
    "position and roll, pitch, yaw": ("position 0.412 -0.873 1.234 rpy 0.1 0.2 0.3 rad", RPY),
    "matrix and vector of a lidar": (f"extrinsic_T: [ 0.412, -0.873, 1.234 ]\nextrinsic_R: [ {MATRIX} ]", Q),
    "R and T of KITTI": (f"R: {MATRIX.replace(',', '')}\nT: 4.12e-01 -8.73e-01 1.234e+00", Q),
    "extrinsics of a depth camera": (
        'Extrinsic from "Color"    To      "Depth" :\n Rotation Matrix:\n '
        + MATRIX.replace(",", "")
        + "\n\n Translation Vector: 0.412  -0.873  1.234",
        Q,
    ),
}


@pytest.mark.parametrize(("text", "rotation"), CASES.values(), ids=CASES)
def test_that_a_pose_in_two_named_parts_is_read(text, rotation) -> None:
    result = read_text(text)
    assert result.readings, result.reason
    assert not any(reading.is_list for reading in result.readings)
    assert any(
        reading.R is not None
        and reading.p_PF is not None
        and np.allclose(reading.R.T.T, rotation.as_matrix(), atol=1e-5)
        and np.allclose(reading.p_PF, P, atol=1e-6)
        for reading in result.readings
    ), [(reading.form, reading.choice, reading.p_PF) for reading in result.readings]


def test_that_a_matrix_read_the_other_way_takes_its_position_along() -> None:
    readings = read_text(f"R = [{MATRIX}], t = [0.412, -0.873, 1.234]").readings
    passive = next(reading for reading in readings if reading.form == "matrix passive")
    assert np.allclose(passive.p_PF, -Q.as_matrix().T @ P, atol=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "TCP\nx: 412mm\ny: -873mm\nz: 1234mm\n\nRx: 40.1 degree\nRy: -12.78 degree\nRz: 72.64 degree",
        "x: 0.412, y: -0.873, z: 1.234, rx: 40.1, ry: -12.78, rz: 72.64",
    ],
)
def test_that_rx_ry_rz_are_angles_or_a_rotation_vector(text) -> None:
    readings = read_text(text).readings
    assert {reading.form for reading in readings} >= {"extrinsic xyz", "rotation-vector"}
    assert all(np.allclose(reading.p_PF, P, atol=1e-6) for reading in readings)
    vector = next(reading for reading in readings if reading.form == "rotation-vector")
    expected = Rotation.from_rotvec([40.1, -12.78, 72.64], degrees=True).as_matrix()
    assert np.allclose(vector.R.T.T, expected, atol=1e-9)


@pytest.mark.parametrize(
    "text", ["[0.1*np.pi, 0.2*np.pi, 0.5*np.pi]", "[0.1*pi, 0.2*pi, pi/2]", "(18π/180, 36π/180, π/2)"]
)
def test_that_numbers_with_pi_are_radians(text) -> None:
    readings = [reading for reading in read_text(text).readings if reading.R is not None]
    assert readings
    assert all(reading.unit == "rad" for reading in readings)
    expected = Rotation.from_euler("XYZ", [18, 36, 90], degrees=True).as_matrix()
    assert np.allclose(readings[0].R.T.T, expected)


def test_that_short_positions_in_two_lists_are_no_millimetres() -> None:
    result = read_text(f"[[0.412, -0.873, 1.234], [{XYZW}]]")
    assert all(np.allclose(reading.p_PF, P) for reading in result.readings)
    assert {reading.form for reading in result.readings} == {"quaternion xyzw", "quaternion wxyz"}


def test_that_a_sequence_of_axes_without_its_angles_is_still_reported() -> None:
    assert "expected" in read_text("extrinsic xyz 10 20").reason


def test_that_parts_of_a_quaternion_in_brackets_are_read() -> None:
    reading = read_text("w[ 0.3780]\nx [ 0.3780]\ny [ 0.7559]\nz [ 0.3780]").settled
    assert np.allclose(reading.R.T.T, Rotation.from_quat([0.378, 0.7559, 0.378, 0.378]).as_matrix(), atol=1e-4)


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "pos 1 2" + " " * 90_000 + "x",
        "rx" + " " * 90_000,
        "t " * 45_000,
        'xyz="' * 15_000,
        "a" * 99_000,
        " * " * 30_000,
    ],
    ids=["gap", "name", "names", "quotes", "word", "stars"],
)
def test_that_a_long_text_without_a_pose_is_answered_soon(text) -> None:
    start = time.process_time()
    assert read_text(text).readings == ()
    assert time.process_time() - start < 10.0
