"""Matrices, quaternions and code: each is read as its library means it, and what it leaves open is offered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from framescope.core import frames
from framescope.core.conventions.code_snippets import TARGETS, as_code
from framescope.core.conventions.notation import write_orientation
from framescope.core.readings import Reading, read_text
from tests.support.strategies import angle_triples, sequences

R = frames.axes_rotations("XYZ", [0.4, -0.7, 2.0])
T = R.T.tolist()
Q = frames.to_Q(R)


def settled(text: str, sequence: str = "XYZ") -> Reading:
    result = read_text(text, sequence)
    assert result.settled is not None, (result.reason, result.question)
    return result.settled


def matrix(text: str, sequence: str = "XYZ") -> np.ndarray:
    return settled(text, sequence).R.T


def offered(text: str, choice: str, sequence: str = "XYZ") -> Reading:
    (reading,) = (reading for reading in read_text(text, sequence).readings if choice == reading.choice)
    return reading


def rows(open_, close, between, sep) -> str:
    return between.join(open_ + sep.join(repr(x) for x in row) + close for row in T)


MATRICES = {
    "numpy": f"np.array([{rows('[', ']', ', ', ', ')}])",
    "printed": f"[[{rows('', '', ']' + chr(10) + ' [', '  ')}]]",
    "MATLAB": f"T = [{rows('', '', '; ', ' ')}];",
    "MATLAB lines": f"[{rows('', '', ';' + chr(10), ', ')}]",
    "Julia": f"[{rows('', '', '; ', ' ')}]",
    "Modelica": f"{{{rows('{', '}', ', ', ', ')}}}",
    "lines": rows("", "", "\n", "\t"),
    "minus signs": f"[{rows('', '', '; ', ' ')}]".replace("-", "\N{MINUS SIGN}"),
}


@pytest.mark.parametrize("text", MATRICES.values(), ids=MATRICES)
def test_that_matrices_of_all_languages_are_read_in_the_chosen_direction(text) -> None:
    result = read_text(text)
    assert result.question == "What does the matrix do?"
    assert len(result.readings) == 2
    assert pytest.approx(R.T, abs=1e-12) == offered(text, "parent into frame").R.T
    assert pytest.approx(R.T.T, abs=1e-12) == offered(text, "frame into parent").R.T
    assert {reading.kind for reading in result.readings} == {"orientation"}


@pytest.mark.parametrize("n_rows", [3, 4])
def test_that_a_pose_matrix_keeps_its_position_in_each_direction_and_unit(n_rows) -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R.T, [100.0, 200.0, -300.0]
    text = str(pose[:n_rows].tolist())
    active = offered(text, "frame into parent, millimetres")
    assert pytest.approx(R.T.T) == active.R.T
    assert active.p_PF == pytest.approx((0.1, 0.2, -0.3))
    passive = offered(text, "parent into frame, metres")
    assert pytest.approx(R.T) == passive.R.T
    assert R.T @ passive.p_PF + pose[:3, 3] == pytest.approx([0, 0, 0], abs=1e-12)
    assert len(read_text(text).readings) == 4


def test_that_near_positions_are_metres_and_the_reading_says_so() -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R.T, [0.1, 0.2, -0.3]
    result = read_text(str(pose.tolist()))
    assert len(result.readings) == 2
    assert all(reading.assumed == ("position in metres",) for reading in result.readings)


@pytest.mark.parametrize(("axis", "word"), [(0, "row 1"), (2, "row 3")])
def test_that_a_mirrored_matrix_is_called_mirrored_and_is_no_rotation(axis, word) -> None:
    M = np.eye(3)
    M[axis, axis] = -1.0
    reading = settled(str(M.tolist()))
    assert reading.R is None
    assert reading.fault.startswith(f"Mirrored matrix: {word}")
    assert reading.kind == "orientation"


def test_that_a_mirrored_pose_keeps_its_position() -> None:
    reading = settled("[[1, 0, 0, 0.1], [0, 1, 0, 0.2], [0, 0, -1, 0.3], [0, 0, 0, 1]]")
    assert reading.R is None
    assert "Mirrored" in reading.fault
    assert reading.p_PF == (0.1, 0.2, 0.3)
    assert reading.kind == "pose"


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=10)
@given(sequence=sequences, angles=angle_triples)
def test_that_our_own_code_is_read_back_without_a_question(target, sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    assert matrix(as_code(R, target)) == pytest.approx(R.T, abs=1e-9)


@pytest.mark.parametrize("form", ["axes:ZYX", "extrinsic:xyz", "rpy", "quaternion:wxyz", "matrix:active", "mrp"])
def test_that_our_own_texts_are_read_back(form) -> None:
    assert matrix(write_orientation(R, form)) == pytest.approx(R.T, abs=1e-9)


def test_that_the_order_of_four_numbers_is_open() -> None:
    last, first = (str(each.tolist()) for each in (Q, np.roll(Q, 1)))
    assert read_text(last).question == "Which number is the scalar?"
    assert pytest.approx(R.T) == offered(last, "scalar last: x y z w").R.T
    assert pytest.approx(R.T) == offered(first, "scalar first: w x y z").R.T


@pytest.mark.parametrize(
    "text",
    [
        "x: {0}\ny: {1}\nz: {2}\nw: {3}",
        '{{"w": {3}, "x": {0}, "y": {1}, "z": {2}}}',
        "x={0}, y={1}, z={2}, w={3}",
        "Quaternion(x={0}, y={1}, z={2}, w={3})",
        "geometry_msgs.msg.Quaternion(w={3}, z={2}, y={1}, x={0})",
        "<Quaternion (w={3}, x={0}, y={1}, z={2})>",
        "QuaternionImpl {{ isQuaternion: true, _x: {0}, _y: {1}, _z: {2}, _w: {3} }}",
        '{{"_x":{0},"_y":{1},"_z":{2},"_w":{3}}}',
        "new THREE.Quaternion({0}, {1}, {2}, {3})",
        "const q = new Quaternion( {0}, {1}, {2}, {3} );",
        "Quaternion(({3}, {0}, {1}, {2}))",
        "QQuaternion q({3}, {0}, {1}, {2});",
        "position: {{x: 1, y: 2, z: 3}}, orientation: {{x: {0}, y: {1}, z: {2}, w: {3}}}",
        "orientation:\n  x: {0}\n  y: {1}\n  z: {2}\n  w: {3}\nposition:\n  x: 1\n  y: 2\n  z: 3",
        "Rotation.from_quat([{3}, {0}, {1}, {2}], scalar_first=True)",
    ],
)
def test_that_a_quaternion_that_names_its_parts_needs_no_question(text) -> None:
    assert matrix(text.format(*Q.tolist())) == pytest.approx(R.T)


def test_that_the_order_of_a_quaternion_of_an_unknown_library_is_open() -> None:
    last, first = (f"Quaternion({', '.join(map(repr, each.tolist()))})" for each in (Q, np.roll(Q, 1)))
    assert pytest.approx(R.T) == offered(last, "last: x y z w").R.T
    assert pytest.approx(R.T) == offered(first, "first: w x y z").R.T
    assert matrix(f"{last}  // x, y, z, w") == pytest.approx(R.T)


def test_that_a_position_beside_named_parts_is_kept() -> None:
    reading = settled("x: 1, y: 2, z: 3 / x: 0.5, y: 0.5, z: 0.5, w: 0.5")
    assert reading.p_PF == (1.0, 2.0, 3.0)
    assert pytest.approx(frames.from_Q([0.5, 0.5, 0.5, 0.5], [0, 0, 0]).T) == reading.R.T


ANGLES = [0.4, -0.7, 2.0]
TURNED = frames.axes_rotations("ZYX", ANGLES).T


def modelica(M: np.ndarray) -> str:
    return "{" + ", ".join("{" + ", ".join(map(repr, row)) + "}" for row in M.tolist()) + "}"


@pytest.mark.parametrize(
    "text",
    [
        "axesRotations({3,2,1}, {0.4, -0.7, 2.0}, {0,0,0})",
        "R = Modelica.Mechanics.MultiBody.Frames.axesRotations({3, 2, 1}, {0.4, -0.7, 2.0}, {1, 2, 3});",
        "Frames.axesRotations(der_angles=zeros(3), angles={0.4,-0.7,2.0}, sequence={3,2,1})",
        f"Frames.from_T({modelica(TURNED)}, {{0, 0, 0}})",
        f"Frames.from_T_inv({modelica(TURNED.T)}, {{0, 0, 0}})",
        f"Modelica.Mechanics.MultiBody.Frames.Orientation(T={modelica(TURNED)}, w={{1, 2, 3}})",
        f"Frames.from_nxy({modelica(TURNED)[1:].split('}')[0]}}}, {{{', '.join(map(repr, TURNED[1].tolist()))}}})",
        "new THREE.Euler(2.0, -0.7, 0.4, 'ZYX')",
        "Euler { isEuler: true, _x: 2.0, _y: -0.7, _z: 0.4, _order: 'ZYX' }",
        f'{{"elements": {TURNED.ravel().tolist()}}}',
    ],
)
def test_that_calls_and_objects_of_others_say_all_themselves(text) -> None:
    assert matrix(text) == pytest.approx(TURNED, abs=1e-12)


def test_that_modelica_turns_about_one_axis_are_read() -> None:
    half = np.pi / 2
    assert matrix("Frames.axisRotation(2, pi/2, 0)") == pytest.approx(frames.axis_rotation(2, half).T)
    text = "Frames.planarRotation({0, 0.6, 0.8}, Modelica.Constants.pi/2, 1.0)"
    assert matrix(text) == pytest.approx(frames.planar_rotation([0, 0.6, 0.8], half).T)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("axesRotations({3,2,2}, {1,2,3}, {0,0,0})", "expected a sequence of axes"),
        ("axesRotations({3,2,1}, {a,2,3}, {0,0,0})", "a is a variable"),
        ("axesRotations({3,2,1})", "angles is missing"),
        ("axesRotations({3,2,1}, zeros(2), zeros(3))", "expected 3 numbers for angles, got 2"),
        ("axisRotation(4, 0.1, 0)", "expected the axis 1, 2 or 3, got 4"),
        ("Matrix4 {elements: [1, 0, 0]}", "expected 9 or 16 numbers, got 3"),
        ("Quaternion(axis=[0, 0, 1])", "expected degrees, radians or angle"),
        ("q.setRPY(roll, pitch, yaw)", "roll is a variable"),
        ("SE3d::exp(Vector6d(0, 0, 0, 0, 0, 1))", "No orientation"),
        ("new THREE.Euler(1, 2, 3, 'XYX')", "expected an order such as XYZ"),
    ],
)
def test_that_calls_with_other_arguments_are_answered(text, said) -> None:
    result = read_text(text)
    assert result.readings == ()
    assert said in result.reason


def test_that_a_quaternion_of_axis_and_degrees_turns_by_them() -> None:
    wanted = frames.planar_rotation([0, 0, 1], np.radians(30)).T
    assert matrix("Quaternion(axis=[0,0,1], degrees=30)") == pytest.approx(wanted)


def test_that_inverse_and_product_of_code_are_followed() -> None:
    turn = frames.planar_rotation([0, 0, 1], 0.3).T
    assert matrix("Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()).inverse()") == pytest.approx(turn.T)
    assert matrix("SO3.Rz(0.3) * SO3.Rz(-0.3)") == pytest.approx(np.eye(3))


def test_that_hamiltons_notation_is_read() -> None:
    assert matrix("0.5 + 0.5i - 0.5j + 0.5k") == pytest.approx(frames.from_Q([0.5, -0.5, 0.5, 0.5], [0, 0, 0]).T)


def test_that_three_numbers_are_offered_as_what_they_may_be() -> None:
    choices = [reading.choice for reading in read_text("10 20 30", "ZYX").readings]
    assert choices == [
        "angles ZYX, degrees",
        "roll, pitch, yaw, degrees",
        "rotation vector, degrees",
        "position or vector",
    ]
    wanted = frames.axes_rotations("ZYX", np.radians([10, 20, 30])).T
    assert pytest.approx(wanted) == offered("10 20 30", "angles ZYX, degrees", "ZYX").R.T
    assert pytest.approx(wanted) == offered("(10°, 20°, 30°)", "angles ZYX, degrees", "ZYX").R.T
    assert read_text("1 2 3 mm").settled.p_PF == pytest.approx((0.001, 0.002, 0.003))


def test_that_an_axis_with_its_angle_is_told_from_a_quaternion() -> None:
    wanted = frames.planar_rotation([0, 0.6, 0.8], np.pi / 2).T
    assert matrix("[0, 0.6, 0.8, 90] deg") == pytest.approx(wanted)
    assert matrix("[90, 0, 0.6, 0.8]") == pytest.approx(wanted)
    assert len(read_text("[0, 0.6, 0.8, 1.5]").readings) == 2


def test_that_rounded_digits_say_what_they_are_worth() -> None:
    last, first = read_text("0.71 0 0 0.71").readings
    assert last.rounding_deg == pytest.approx(0.33, abs=0.01)
    assert not last.is_off
    assert not first.is_off
    assert settled("axes XYZ 10 20 30 deg").rounding_deg == 0.0


def test_that_numbers_off_a_rotation_say_how_far() -> None:
    reading = offered("[1 0 0.0; 0 1 0.1; 0 0 1]", "frame into parent")
    assert reading.distance > 0.05
    assert reading.is_off


def test_that_values_in_rows_are_a_list() -> None:
    result = read_text("0 0 0 1 0 0 0.6 0.8\n1 2 3 4 0 0 0 1\n")
    assert [len(reading.placements) for reading in result.readings] == [2, 2]
    assert result.readings[0].is_list


@pytest.mark.parametrize("text", ["", "nonsense", "1 2", "[1 0 0; 0 1", "0 0 0 0", "9" * 5000])
def test_that_what_is_no_orientation_is_said(text) -> None:
    result = read_text(text)
    assert result.readings == ()
    assert result.reason
