"""Orientations pasted from elsewhere are read as what they are, and what they leave open is asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from framescope.core import frames
from framescope.core.conventions.code_snippets import TARGETS, as_code
from framescope.core.conventions.notation import NotationError, write_orientation
from framescope.core.conventions.parse_pasted import Pasted, read_pasted
from tests.support.strategies import angle_triples, sequences

R = frames.axes_rotations("XYZ", [0.4, -0.7, 2.0])
T = R.T.tolist()
Q = frames.to_Q(R)


def matrix(pasted: Pasted) -> np.ndarray:
    return pasted.parsed.R.T


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
def test_that_matrices_of_all_tongues_are_read_in_the_direction_that_is_said(text) -> None:
    asked = read_pasted(text)
    assert asked.parsed is None
    assert [question.key for question in asked.questions] == ["direction"]
    passive, active = (read_pasted(text, {"direction": direction}) for direction in ("passive", "active"))
    assert matrix(passive) == pytest.approx(R.T, abs=1e-12)
    assert matrix(active) == pytest.approx(R.T.T, abs=1e-12)
    assert passive.position is active.position is None


@pytest.mark.parametrize("rows", [3, 4])
def test_that_a_pose_matrix_keeps_its_position_and_asks_for_direction_and_unit(rows) -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R.T, [100.0, 200.0, -300.0]
    text = str(pose[:rows].tolist())
    asked = read_pasted(text, {"direction": "active"})
    assert asked.parsed is None
    assert [question.key for question in asked.questions] == ["direction", "position"]
    active = read_pasted(text, {"direction": "active", "position": "mm"})
    assert matrix(active) == pytest.approx(R.T.T)
    assert active.position == pytest.approx((0.1, 0.2, -0.3))
    passive = read_pasted(text, {"direction": "passive", "position": "m"})
    assert matrix(passive) == pytest.approx(R.T)
    assert R.T @ passive.position + pose[:3, 3] == pytest.approx([0, 0, 0], abs=1e-12)
    assert read_pasted(text, {"direction": "passive", "position": "none"}).position is None


def test_that_a_pose_of_three_js_keeps_its_position() -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R.T.T, [1, 2, 3]
    text = f'{{"elements": {pose.T.ravel().tolist()}}}'
    assert [question.key for question in read_pasted(text).questions] == ["position"]
    pasted = read_pasted(text, {"position": "m"})
    assert matrix(pasted) == pytest.approx(R.T)
    assert pasted.position == pytest.approx((1, 2, 3))


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=10)
@given(sequence=sequences, angles=angle_triples)
def test_that_our_own_code_is_read_back_without_a_question(target, sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    pasted = read_pasted(as_code(R, target))
    assert not pasted.questions
    assert matrix(pasted) == pytest.approx(R.T, abs=1e-9)


@pytest.mark.parametrize("form", ["axes:ZYX", "extrinsic:xyz", "rpy", "quaternion:wxyz", "matrix:active", "mrp"])
def test_that_our_own_texts_are_read_back(form) -> None:
    assert matrix(read_pasted(write_orientation(R, form))) == pytest.approx(R.T, abs=1e-9)


def test_that_the_order_of_four_numbers_is_asked() -> None:
    text = str(Q.tolist())
    pasted = read_pasted(text)
    assert pasted.parsed is None
    assert [question.key for question in pasted.questions] == ["order"]
    assert matrix(read_pasted(text, {"order": "xyzw"})) == pytest.approx(R.T)
    first = str(np.roll(Q, 1).tolist())
    assert matrix(read_pasted(first, {"order": "wxyz"})) == pytest.approx(R.T)


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
    pasted = read_pasted(text.format(*Q.tolist()))
    assert not pasted.questions
    assert matrix(pasted) == pytest.approx(R.T)


def test_that_a_quaternion_of_an_unknown_library_is_asked_for_its_order() -> None:
    last, first = (f"Quaternion({', '.join(map(repr, each.tolist()))})" for each in (Q, np.roll(Q, 1)))
    for text, order in ((last, "xyzw"), (first, "wxyz")):
        assert [question.key for question in read_pasted(text).questions] == ["order"]
        assert read_pasted(text).parsed is None
        assert matrix(read_pasted(text, {"order": order})) == pytest.approx(R.T)
    assert matrix(read_pasted(f"{last}  // x, y, z, w")) == pytest.approx(R.T)


def test_that_parts_that_stand_there_twice_are_not_mixed() -> None:
    with pytest.raises(NotationError, match="more than once"):
        read_pasted("x: 1, y: 2, z: 3 / x: 0.5, y: 0.5, z: 0.5, w: 0.5")


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
    pasted = read_pasted(text)
    assert not pasted.questions
    assert matrix(pasted) == pytest.approx(TURNED, abs=1e-12)


def test_that_modelica_turns_about_one_axis_are_read() -> None:
    half = np.pi / 2
    assert matrix(read_pasted("Frames.axisRotation(2, pi/2, 0)")) == pytest.approx(frames.axis_rotation(2, half).T)
    text = "Frames.planarRotation({0, 0.6, 0.8}, Modelica.Constants.pi/2, 1.0)"
    assert matrix(read_pasted(text)) == pytest.approx(frames.planar_rotation([0, 0.6, 0.8], half).T)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("axesRotations({3,2,2}, {1,2,3}, {0,0,0})", "expected a sequence of axes"),
        ("axesRotations({3,2,1}, {a,2,3}, {0,0,0})", 'angles: expected a number, got "a"'),
        ("axesRotations({3,2,1})", "angles is missing"),
        ("axesRotations({3,2,1}, zeros(3), zeros(3))", "expected 3 numbers for angles, got 1"),
        ("axisRotation(4, 0.1, 0)", "expected the axis 1, 2 or 3, got 4"),
        ("Matrix4 {elements: [1, 0, 0]}", "expected 9 or 16 numbers, got 3"),
        ("new THREE.Euler(1, 2, 3, 'XYX')", "expected an order such as XYZ"),
    ],
)
def test_that_calls_with_other_arguments_are_answered(text, said) -> None:
    with pytest.raises(NotationError, match=said):
        read_pasted(text)


def test_that_hamiltons_notation_is_read() -> None:
    pasted = read_pasted("0.5 + 0.5i - 0.5j + 0.5k")
    assert matrix(pasted) == pytest.approx(frames.from_Q([0.5, -0.5, 0.5, 0.5], [0, 0, 0]).T)


def test_that_three_numbers_are_asked_for_what_they_are_and_their_unit() -> None:
    assert [question.key for question in read_pasted("10 20 30").questions] == ["kind"]
    answers = {"kind": "axes ZYX"}
    assert [q.key for q in read_pasted("10 20 30", answers, "ZYX").questions] == ["kind", "unit"]
    turned = read_pasted("10 20 30", answers | {"unit": "deg"}, "ZYX")
    assert matrix(turned) == pytest.approx(frames.axes_rotations("ZYX", np.radians([10, 20, 30])).T)
    said = read_pasted("(10°, 20°, 30°)", answers, "ZYX")
    assert matrix(said) == pytest.approx(matrix(turned))


def test_that_an_axis_with_its_angle_is_told_from_a_quaternion() -> None:
    pasted = read_pasted("[0, 0.6, 0.8, 90] deg")
    assert matrix(pasted) == pytest.approx(frames.planar_rotation([0, 0.6, 0.8], np.pi / 2).T)
    assert [question.key for question in read_pasted("[0, 0.6, 0.8, 1.5]").questions] == ["unit"]


def test_that_scipy_angles_say_all_themselves() -> None:
    from scipy.spatial.transform import Rotation

    pasted = read_pasted("Rotation.from_euler('zyx', [10, 20, 30], degrees=True)")
    wanted = Rotation.from_euler("zyx", [10, 20, 30], degrees=True).as_matrix().T
    assert matrix(pasted) == pytest.approx(wanted)


def test_that_numbers_off_a_rotation_say_how_far() -> None:
    assert read_pasted("[1 0 0.0; 0 1 0.1; 0 0 1]", {"direction": "active"}).parsed.distance > 0.05


@pytest.mark.parametrize("text", ["", "nonsense", "1 2", "1 2 3 4 5 6 7", "[1 0 0; 0 1 0]", "0 0 0 0", "9" * 5000])
def test_that_what_is_no_orientation_is_said(text) -> None:
    with pytest.raises(NotationError):
        read_pasted(text, {"order": "xyzw"})
