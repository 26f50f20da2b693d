"""Texts of public threads in which somebody went astray, as small inputs with their right answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.readings import read_text
from framescope.features.compare import compare

MIRRORED = (
    "matrix active 0.86345719 -0.48700394 0.13141101 0.02362667 -0.221185 -0.97494563 -0.5038685 -0.84492861 0.1794775",
    "matrix active -1 0 0 0 -0.9 0.436 0 -0.436 -0.9",
)
WORLD_TO_CAMERA = """\
[[ 0.13201441  0.02732324  0.99087115 -0.27500007]
 [ 0.40111604  0.91264825 -0.0786072  -0.14814814]
 [-0.90646463  0.40783159  0.10952293  0.24311111]
 [ 0.          0.          0.          1.        ]]"""


def rotation_vector(text: str) -> np.ndarray:
    reading = read_text(text).settled
    assert reading is not None
    return Rotation.from_matrix(reading.R.T.T).as_rotvec(degrees=True)


@pytest.mark.parametrize("text", MIRRORED)
def test_that_a_mirrored_matrix_is_called_so_and_has_no_orientation(text: str) -> None:
    reading = read_text(text).settled
    assert reading is not None
    assert reading.R is None
    assert reading.fault.startswith("Mirrored matrix: ")
    assert "has the wrong sign" in reading.fault


def test_that_a_print_of_numpy_is_a_pose_with_both_directions() -> None:
    readings = read_text(WORLD_TO_CAMERA).readings
    assert [reading.choice for reading in readings] == ["frame into parent", "parent into frame"]
    M = np.array([[float(word) for word in line.strip(" []").split()] for line in WORLD_TO_CAMERA.splitlines()])
    assert np.allclose(readings[0].p_PF, M[:3, 3])
    assert np.allclose(readings[1].p_PF, -M[:3, :3].T @ M[:3, 3], atol=1e-7)


def test_that_a_line_of_a_launch_file_has_yaw_first() -> None:
    line = 'args="0 0 5 -1.571 0 -2 world camera 100"'
    reading = read_text(f'<node pkg="tf" type="static_transform_publisher" name="w" {line} />').settled
    assert reading is not None
    (placement,) = reading.placements
    assert (placement.parent, placement.child, placement.p_PF) == ("world", "camera", (0.0, 0.0, 5.0))
    expected = Rotation.from_euler("ZYX", [-1.571, 0.0, -2.0]).as_matrix()
    assert np.allclose(placement.R.T.T, expected)
    x, y, z, w = Rotation.from_matrix(expected).as_quat()
    assert np.allclose([x, y, z, w], [-0.59495, 0.59507, -0.38209, 0.38201], atol=1e-5)


def test_that_a_half_turn_in_three_digits_is_a_half_turn() -> None:
    T = read_text("quaternion xyzw 0.707 0.707 0 0").settled.R.T
    assert np.allclose(T.T, Rotation.from_euler("xyz", [180.0, 0.0, 90.0], degrees=True).as_matrix())


@pytest.mark.parametrize(("text", "x"), [("quaternion wxyz 0.707 -0.707 0 0", -90.0), ("wxyz 0.71 0.71 0 0", 90.0)])
def test_that_rounded_quarter_turns_are_quarter_turns(text: str, x: float) -> None:
    assert np.allclose(rotation_vector(text), [x, 0.0, 0.0], atol=0.01)


def test_that_what_two_digits_leave_is_told() -> None:
    readings = read_text("0.71 0 0 0.71").readings
    assert len(readings) == 2
    assert all(reading.rounding_deg == pytest.approx(0.3, abs=0.05) for reading in readings)


def test_that_photogrammetry_turns_about_moving_axes() -> None:
    R = read_text("omega phi kappa 1 2 3 deg").settled.R
    assert np.allclose(R.T.T, Rotation.from_euler("XYZ", [1.0, 2.0, 3.0], degrees=True).as_matrix())


def test_that_a_quaternion_of_jpl_is_the_conjugate_of_hamiltons() -> None:
    first, second = read_text("JPL -0.703386 0.0155119 -0.0424232 0.709371").readings
    q = Rotation.from_quat([-0.703386, 0.0155119, -0.0424232, 0.709371]).as_matrix()
    assert np.allclose(first.R.T.T @ second.R.T.T, np.eye(3), atol=1e-9)
    assert any(np.allclose(each.R.T.T, q) for each in (first, second))


def test_that_a_pair_of_angles_and_a_quaternion_is_likely_and_its_plain_reading_is_first() -> None:
    answer = compare("30 30 60", "0.84150635 0.09150635 0.34150635 0.40849365")
    assert answer.verdict in ("settled", "likely")
    assert answer.rows[0].is_plain
    assert (answer.rows[0].first, answer.rows[0].second) == ("angles xyz about fixed axes, deg", "quaternion wxyz")


def test_that_two_poses_of_a_camera_are_each_other_inverted() -> None:
    R, p = Rotation.from_euler("xyz", [0.3, -0.2, 1.5]).as_matrix(), np.array([0.071, -0.004, -0.028])
    M = np.vstack([np.column_stack([R, p]), [0, 0, 0, 1]])
    first, second = (" ".join(f"{value:.6f}" for value in each.ravel()) for each in (M, np.linalg.inv(M)))
    answer = compare(first, second)
    assert answer.verdict in ("settled", "likely")
    assert answer.rows[0].misfit_deg < 0.01
    assert answer.rows[0].misfit_m < 1e-4
    assert math.isfinite(answer.rows[0].share)


@pytest.mark.parametrize(
    ("text", "p"),
    [
        ("xyz: 1 2 3 mm", (0.001, 0.002, 0.003)),
        ("xyz = 0.1, -0.2, 0.3 m", (0.1, -0.2, 0.3)),
        ("xyz 0.1 0.2 0.3", (0.1, 0.2, 0.3)),
    ],
)
def test_that_xyz_alone_is_a_position_first(text: str, p) -> None:
    reading = read_text(text).readings[0]
    assert reading.kind == "position"
    assert reading.p_PF == pytest.approx(p)


@pytest.mark.parametrize("text", ["euler xyz 0.1 0.2 0.3", "xyz: 10 20 30 deg", "rotation xyz 10 20 30"])
def test_that_xyz_beside_a_word_of_angles_is_none(text: str) -> None:
    assert all(reading.kind == "orientation" for reading in read_text(text).readings)


@pytest.mark.parametrize(("text", "form"), [("wxyz 0.6 0 0 0.8", "wxyz"), ("xyzw: 0 0 0.6 0.8", "xyzw")])
def test_that_letters_before_four_numbers_are_their_order(text: str, form: str) -> None:
    assert read_text(text).settled.form == f"quaternion {form}"


def test_that_a_sign_may_stand_apart_from_its_number() -> None:
    readings = read_text("[ - 0.2, 0.4, - 0.4, 0.8 ]").readings
    assert [float(number) for number in readings[0].numbers] == [-0.2, 0.4, -0.4, 0.8]


TURN = Rotation.from_euler("z", math.atan2(0.6, 0.8))
"""The turn in the texts below: 0.8, 0.6 about z."""

IN_COLUMNS = """\
T =

  Columns 1 through 3

    0.8   -0.6    0
    0.6    0.8    0
      0      0    1
      0      0    0

  Column 4

    0.1
    0.2
    0.3
      1
"""


@pytest.mark.parametrize(
    ("text", "R", "p"),
    [
        (
            '{"position": [1, 2, 3], "orientation": {"x": 0, "y": 0, "z": 0.6, "w": 0.8}}',
            Rotation.from_quat([0, 0, 0.6, 0.8]),
            (1.0, 2.0, 3.0),
        ),
        ('<body pos="0.1 0.2 0.3" xyaxes="0.8 0.6 0 -0.6 0.8 0.0">', TURN, (0.1, 0.2, 0.3)),
        ('<site xyaxes="4 3 0 -1 4 0"/>', TURN, None),
        ('<geom zaxis="0 3 0"/>', Rotation.from_euler("x", -90, degrees=True), None),
        ('<geom pos="0 0 1" zaxis="0 0 -1"/>', Rotation.from_euler("x", 180, degrees=True), (0.0, 0.0, 1.0)),
        (
            IN_COLUMNS,
            TURN,
            (0.1, 0.2, 0.3),
        ),
    ],
)
def test_that_poses_in_parts_and_by_axes_are_whole(text: str, R: Rotation, p) -> None:
    reading = read_text(text).readings[0]
    assert np.allclose(reading.R.T.T, R.as_matrix(), atol=1e-9)
    assert reading.p_PF == (None if p is None else pytest.approx(p))


@pytest.mark.parametrize("text", ['<geom zaxis="0 0 0"/>', '<site xyaxes="1 0 0 2 0 0"/>', '<site xyaxes="1 0 0"/>'])
def test_that_axes_without_a_direction_are_refused(text: str) -> None:
    result = read_text(text)
    assert not result.readings
    assert result.reason.startswith(("zaxis: ", "xyaxes: "))
