"""Orientations as text: what is read, what is written, and what is refused with which words."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.core import conventions, frames
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.conventions.code_snippets import TARGETS
from framescope.core.conventions.notation import (
    FORMS,
    NotationError,
    describe_orientation,
    parse_orientation,
    write_orientation,
)
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.model import Scene
from tests.support import strategies

Z90 = frames.axis_rotation(3, math.pi / 2)

# Every text here is 90 degrees about z: x of frame 2 lies along y of frame 1.
TURNS_OF_90_ABOUT_Z = [
    "axes XYZ 0 0 90 deg",
    "axes ZYX 90 0 0 deg",
    "axes ZXZ 90 0 0 deg",
    "extrinsic xyz 0 0 90 deg",
    "rpy 0 0 90 deg",
    "rpy 0 0 1.5707963267948966 rad",
    "quaternion xyzw 0 0 0.7071067811865476 0.7071067811865476",
    "quaternion wxyz 0.7071067811865476 0 0 0.7071067811865476",
    "quaternion wxyz -0.7071067811865476 0 0 -0.7071067811865476",
    "matrix passive 0 1 0 -1 0 0 0 0 1",
    "matrix active 0 -1 0 1 0 0 0 0 1",
    "matrix passive [0 1 0; -1 0 0; 0 0 1]",
    "matrix passive [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]",
    "matrix active\n0 -1 0\n1 0 0\n0 0 1\n",
    "axis-angle 0 0 1 90 deg",
    "axis-angle [0, 0, -1], -90 deg",
    "rotation-vector 0 0 1.5707963267948966 rad",
    "rotation-vector 0 0 90 deg",
    "rodrigues 0 0 1",
    "mrp 0 0 0.41421356237309503",
    "mrp 0 0 -2.414213562373095",
    "  RPY   0,0,9e1   deg ",
    "axis-angle 0 0 \N{MINUS SIGN}1 \N{MINUS SIGN}90 deg",
]


@pytest.mark.parametrize("text", TURNS_OF_90_ABOUT_Z)
def test_that_every_form_is_read(text) -> None:
    reading = parse_orientation(text)
    assert_allclose(reading.R.T, Z90.T, atol=1e-15)
    assert_allclose(reading.R.w, 0.0)
    assert reading.distance < 1e-15
    assert reading.form.split()[0] in FORMS
    assert reading.meaning


def test_that_every_form_is_among_them() -> None:
    assert {text.split()[0].lower() for text in TURNS_OF_90_ABOUT_Z} == set(FORMS)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_sequences_mean_what_they_mean_to_scipy(sequence) -> None:
    for name, axes in (("axes", sequence), ("extrinsic", sequence.lower())):
        R = parse_orientation(f"{name} {axes} 10 -20 30 deg").R
        assert_allclose(R.T.T, Rotation.from_euler(axes, [10, -20, 30], degrees=True).as_matrix(), atol=1e-15)


FORMS_TO_WRITE = [
    *(f"axes:{sequence}" for sequence in SEQUENCES),
    *(f"extrinsic:{sequence.lower()}" for sequence in SEQUENCES),
    "rpy",
    "quaternion",
    "quaternion:xyzw",
    "quaternion:wxyz",
    "matrix",
    "matrix:passive",
    "matrix:active",
    "axis-angle",
    "rotation-vector",
    "mrp",
]


@given(strategies.sequences, strategies.angle_triples, st.sampled_from(FORMS_TO_WRITE), st.sampled_from(["deg", "rad"]))
def test_that_what_is_written_is_read_back(sequence, angles, form, unit) -> None:
    R = frames.axes_rotations(sequence, angles)
    writing = describe_orientation(R, form, unit)
    for text in writing.texts:
        reading = parse_orientation(text)
        assert_allclose(reading.R.T, R.T, atol=5e-12)  # the lock has a width of 1e-12
        assert reading.form == writing.form
        assert reading.meaning == writing.meaning
    assert len(writing.texts) == (2 if form.startswith(("axes", "extrinsic")) else 1)
    assert write_orientation(R, form, unit) == writing.texts[0]


@given(strategies.sequences, strategies.angle_triples)
def test_that_rodrigues_is_read_back_except_for_half_turns(sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    writing = describe_orientation(R, "rodrigues")
    for text in writing.texts:
        assert_allclose(parse_orientation(text).R.T, R.T, atol=1e-13)
    assert writing.texts or writing.note.startswith("infinite at a half turn")


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("axes:XYZ", "axes XYZ 0 0 90 deg"),
        ("axes:ZXZ:rad", "axes ZXZ 0 0 1.5707963267949 rad"),
        ("axes:rad:ZXZ", "axes ZXZ 0 0 1.5707963267949 rad"),
        ("extrinsic:zyx", "extrinsic zyx 90 0 0 deg"),
        ("rpy", "rpy 0 0 90 deg"),
        ("quaternion", "quaternion xyzw 0 0 0.707106781186548 0.707106781186548"),
        ("quaternion:wxyz", "quaternion wxyz 0.707106781186548 0 0 0.707106781186548"),
        ("axis-angle", "axis-angle 0 0 1 90 deg"),
        ("rotation-vector:rad", "rotation-vector 0 0 1.5707963267949 rad"),
        ("rodrigues", "rodrigues 0 0 1"),
        ("mrp", "mrp 0 0 0.414213562373095"),
        (" rpy : rad ", "rpy 0 0 1.5707963267949 rad"),
    ],
)
def test_that_texts_are_written_in_full(form, text) -> None:
    found, expected = write_orientation(Z90, form).split(), text.split()
    assert len(found) == len(expected)
    for word, other in zip(found, expected, strict=True):
        assert word == other or float(word) == pytest.approx(float(other), abs=2e-15)


def test_that_matrices_are_written_row_by_row() -> None:
    R = Orientation([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [0, 0, 0])
    assert write_orientation(R, "matrix") == "matrix passive [0 1 0; -1 0 0; 0 0 1]"
    assert write_orientation(R, "matrix:active") == "matrix active [0 -1 0; 1 0 0; 0 0 1]"


@pytest.mark.parametrize("target", TARGETS)
def test_that_code_is_a_form_to_write(target) -> None:
    writing = describe_orientation(Z90, f"code:{target}")
    assert writing.texts == (conventions.as_code(Z90, target),)
    assert target in writing.meaning


# --- What is near a rotation, and what is not


def test_that_rounded_numbers_are_taken_with_their_distance() -> None:
    reading = parse_orientation("quaternion xyzw 0 0 0.7071 0.7071")
    assert_allclose(reading.R.T, Z90.T, atol=1e-15)
    assert reading.distance == pytest.approx(9.6e-6, rel=0.01)
    assert parse_orientation("matrix passive 0 1.0002 0 -1 0 0 0 0 1").distance == pytest.approx(2e-4)
    assert parse_orientation("axis-angle 0.7071 0.7071 0 20 deg").distance == pytest.approx(9.6e-6, rel=0.01)


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("quaternion xyzw 0 0 3 4", "quaternion xyzw 0 0 0.6 0.8"),
        ("quaternion wxyz 0 0 0 1.01", "quaternion wxyz 0 0 0 1"),
        ("matrix passive 0 1.1 0 -1 0 0 0 0 1", "matrix passive [0 1 0; -1 0 0; 0 0 1]"),
        ("matrix active 0 -1.1 0 1 0 0 0 0 1", "matrix active [0 -1 0; 1 0 0; 0 0 1]"),
        ("axis-angle 0 3 4 90 deg", "axis-angle 0 0.6 0.8 90 deg"),
        ("axis-angle 0 3 4 0.5 rad", "axis-angle 0 0.6 0.8 0.5 rad"),
    ],
)
def test_that_what_is_far_from_a_rotation_is_refused_with_the_nearest(text, offer) -> None:
    with pytest.raises(NotationError, match=r"Expected a rotation within 0\.001\. The nearest is") as caught:
        parse_orientation(text)
    assert f'The nearest is "{offer}".' in str(caught.value)
    taken = parse_orientation(text, take_nearest=True)
    assert taken.distance > 1e-3
    assert_allclose(taken.R.T, parse_orientation(offer).R.T, atol=1e-15)


@pytest.mark.parametrize("text", ["1.02 0 0 0 1.02 0 0 0 1.02", "0 1 0 1 0 0 0 0 1", "1 0 0.2 0 1 0 0 0 1"])
@pytest.mark.parametrize("maps", ["active", "passive"])
def test_that_a_matrix_is_refused_in_the_words_of_a_scene(text, maps) -> None:
    rows = np.array(text.split(), float).reshape(3, 3).tolist()
    orientation = {"form": "matrix", "rows": rows, "maps": "parent to frame"}
    scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": orientation}}})
    (problem,) = diagnose(compile_plan(scene))
    with pytest.raises(NotationError) as caught:
        parse_orientation(f"matrix {maps} {text}")
    assert str(caught.value).startswith(f"matrix {maps}: {problem.message} ")


# --- What is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'Expected an orientation such as "axes ZYX 10 20 30 deg", got an empty text.'),
        ("quaternions xyzw 0 0 0 1", 'got "quaternions". Did you mean "quaternion"?'),
        ("euler 1 2 3", "Use one of: axes, extrinsic, rpy, quaternion, matrix"),
        ("1 0 0 0", 'Expected the name of a form of orientation, got "1".'),
        ("quaternion 0 0 0 1", "quaternion: state the order, xyzw or wxyz."),
        ("quaternion wxzy 0 0 0 1", 'got "wxzy". Did you mean "wxyz"?'),
        ("quaternion xyzw 0 0 0 1 deg", 'there are no angles in it that could have the unit "deg".'),
        ("quaternion xyzw 0 0 0 0", "quaternion xyzw: expected a direction of unit length, got zeros."),
        ("quaternion xyzw 0 0 1", "quaternion xyzw: expected 4 numbers, got 3."),
        ("quaternion xyzw 0 0 1 nan", 'quaternion xyzw: expected a finite number, got "nan".'),
        ("quaternion xyzw -inf 0 0 1", 'quaternion xyzw: expected a finite number, got "-inf".'),
        ("matrix active 1 0 0 0 1 0 0 0 NaN", 'matrix active: expected a finite number, got "NaN".'),
        ("axis-angle null 0 1 90 deg", 'axis-angle: expected a finite number, got "null".'),
        ("quaternion xyzw 0 0 1 one", 'quaternion xyzw: expected a number, got "one".'),
        ("matrix 1 0 0 0 1 0 0 0 1", "matrix: state the direction, passive or active."),
        ("matrix pasive 1 0 0 0 1 0 0 0 1", 'Did you mean "passive"?'),
        ("axes 1 2 3 deg", "axes: state the sequence of moving axes (upper case), such as ZYX."),
        ("axes XYY 1 2 3 deg", 'got "XYY". Did you mean "XYX"?'),
        ("axes xyz 1 2 3 deg", 'lower case is about fixed axes, "extrinsic xyz".'),
        ("extrinsic XYZ 1 2 3 deg", 'upper case is about moving axes, "axes XYZ".'),
        ("axes XYZ 1 2 3", 'axes XYZ: the angles need a unit: write "deg" or "rad" behind the numbers.'),
        ("axes XYZ 1 2 3 degrees", 'expected the unit deg or rad, got "degrees". Did you mean "deg"?'),
        ("axes XYZ 1 2 3 DEG", 'Did you mean "deg"?'),
        ("axes XYZ 1 2 3 4 deg", "axes XYZ: expected 3 numbers, got 4."),
        ("axes XYZ deg", "axes XYZ: expected 3 numbers, got 0."),
        ("axes XYZ 1 two 3 deg", 'axes XYZ: expected a number, got "two".'),
        ("axis-angle 0 0 1 90", "axis-angle: the angles need a unit"),
        ("axis-angle 0 0 0 90 deg", "axis-angle: expected a direction of unit length, got zeros."),
        ("rpy nan 0 0 deg", 'rpy: expected a finite number, got "nan".'),
        ("rpy 0 inf 0 deg", 'rpy: expected a finite number, got "inf".'),
        ("rpy 1e999 0 0 deg", 'expected numbers of at most 1e100, got "1e999".'),
        ("rpy 1_0 0 0 deg", "rpy: expected"),
        ("mrp xyz 0 0 0", 'mrp: expected numbers, got "xyz".'),
    ],
)
def test_that_a_text_that_is_none_is_answered_with_what_is_missing(text, message) -> None:
    with pytest.raises(NotationError) as caught:
        parse_orientation(text)
    assert message in str(caught.value)


@given(st.text(max_size=40))
def test_that_any_text_is_read_or_refused(text) -> None:
    for start in ("", "axes XYZ ", "matrix active "):
        try:
            reading = parse_orientation(start + text)
        except NotationError:
            continue
        assert np.isfinite(reading.R.T).all()


@given(
    st.sampled_from(["quaternion xyzw", "matrix active"]), st.lists(st.floats(-1e100, 1e100), min_size=9, max_size=9)
)
def test_that_any_numbers_are_read_or_refused(form, numbers) -> None:
    count = 9 if form.startswith("matrix") else 4
    try:
        reading = parse_orientation(f"{form} {' '.join(map(repr, numbers[:count]))}", take_nearest=True)
    except NotationError:
        return
    assert_allclose(reading.R.T @ reading.R.T.T, np.eye(3), atol=1e-14)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("axes", "axes: state the sequence of moving axes (upper case), such as ZYX."),
        ("axes:xyz", 'lower case is about fixed axes, "extrinsic xyz".'),
        ("axes:XYZ:ZYX", "at most one qualifier and one unit"),
        ("quaternion:rad", 'there are no angles in it that could have the unit "rad"'),
        ("code", 'code: expected a library or language, got "". Use one of: scipy'),
        ("code:scpy", 'Did you mean "scipy"?'),
        ("code:scipy:deg", 'got "deg"'),
        ("matrx", 'Did you mean "matrix"?'),
        ("", 'Expected the name of a form of orientation, got "".'),
        ("mrp:short", 'mrp: expected numbers, got "short".'),
    ],
)
def test_that_a_form_that_is_none_is_answered_with_those_there_are(form, message) -> None:
    with pytest.raises(NotationError) as caught:
        write_orientation(Z90, form)
    assert message in str(caught.value)


def test_that_a_unit_that_is_none_is_refused() -> None:
    with pytest.raises(NotationError, match='unit: expected deg or rad, got "grad"'):
        write_orientation(Z90, "matrix", "grad")


def test_that_faults_are_value_errors_of_the_family() -> None:
    assert issubclass(NotationError, ValueError)
    assert issubclass(NotationError, FramescopeError)


def test_that_a_batch_and_what_is_no_rotation_are_not_written() -> None:
    with pytest.raises(ValueError, match="R: expected a single orientation"):
        write_orientation(frames.axis_rotation(3, [0.1, 0.2]), "matrix")
    with pytest.raises(ValueError, match="R: expected a rotation within"):
        write_orientation(Orientation(2.0 * np.eye(3), np.zeros(3)), "rpy")


# --- What is special


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("side", [0, 1])
def test_that_gimbal_lock_is_said_with_what_is_defined(sequence, side) -> None:
    is_symmetric = sequence[0] == sequence[2]
    angle2 = (0, 180)[side] if is_symmetric else (90, -90)[side]
    R = parse_orientation(f"axes {sequence} 30 {angle2} 10 deg").R
    writing = describe_orientation(R, f"axes:{sequence}")
    sign = "+-"["+" not in writing.note]
    assert writing.note == f"gimbal lock: only angle 1 {sign} angle 3 is defined; angle 1 is set to 0"
    # Turning both so that what is said to be defined stays the same gives the same orientation.
    other = parse_orientation(f"axes {sequence} 35 {angle2} {10 - 5 if sign == '+' else 10 + 5} deg").R
    assert_allclose(other.T, R.T, atol=1e-15)
    fixed = describe_orientation(R, f"extrinsic:{sequence[::-1].lower()}")
    assert fixed.note == f"gimbal lock: only angle 3 {sign} angle 1 is defined; angle 3 is set to 0"


def test_that_ros_angles_say_lock_in_their_own_words() -> None:
    note = describe_orientation(parse_orientation("rpy 10 90 30 deg").R, "rpy").note
    assert note == "gimbal lock: only yaw - roll is defined; yaw is set to 0"
    assert describe_orientation(parse_orientation("rpy 10 89 30 deg").R, "rpy").note == ""


def test_that_nearness_of_the_lock_is_said() -> None:
    R = frames.axes_rotations("XYZ", [0.1, math.pi / 2 - 1e-8, 0.2])
    assert describe_orientation(R, "axes:XYZ").note.startswith("near gimbal lock, 1e-08 rad from it")


def test_that_half_turns_are_said() -> None:
    R = parse_orientation("axis-angle 0.6 0 0.8 180 deg").R
    for form in ("axis-angle", "rotation-vector", "mrp"):
        assert describe_orientation(R, form).note.startswith("half turn: the opposite direction")
    with pytest.raises(NotationError, match="rodrigues: infinite at a half turn"):
        write_orientation(parse_orientation("quaternion xyzw 1 0 0 0").R, "rodrigues")


@pytest.mark.parametrize(
    "text",
    [
        "axes:ZYX 10 20 30 deg",
        "axes ZYX 10 20 30deg",
        "axes ZYX (10, 20, 30) deg",
        "axes ZYX {10; 20; 30} deg",
        "AXES ZYX 10 20 30 deg",
    ],
)
def test_that_pasted_punctuation_and_glued_units_are_read(text) -> None:
    assert_allclose(parse_orientation(text).R.T, parse_orientation("axes ZYX 10 20 30 deg").R.T, atol=0.0)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("axes 321 10 20 30 deg", 'write the axes with letters, "ZYX" for 321'),
        ("extrinsic 123 10 20 30 deg", 'write the axes with letters, "xyz" for 123'),
        ("axes Zyx 10 20 30 deg", '"extrinsic zyx"'),
    ],
)
def test_that_a_wrong_sequence_is_told_how_to_be_right(text, hint) -> None:
    with pytest.raises(NotationError, match=re.escape(hint)):
        parse_orientation(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("axes ZYX pi/6 -π/4 0.5*pi rad", "axes ZYX 30 -45 90 deg"),
        ("rpy 2pi/3 -PI +pi/2 rad", "rpy 120 -180 90 deg"),
        ("axes ZYX 10° 20° 30°", "axes ZYX 10 20 30 deg"),
        ("axis-angle 0 0 1 90°", "axis-angle 0 0 1 90 deg"),
        ("axes ZYX 10deg, 20deg, 30deg", "axes ZYX 10 20 30 deg"),
    ],
)
def test_that_angles_are_read_as_people_write_them(text, plain) -> None:
    np.testing.assert_allclose(parse_orientation(text).R.T, parse_orientation(plain).R.T, atol=1e-15)


@pytest.mark.parametrize("text", ["rpy 1*pi/0 0 0 rad", "rpy pie 0 0 rad", "rpy 1deg 2deg 3 rad", "rpy pi/6/2 0 0 rad"])
def test_that_no_other_arithmetic_is_read(text) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_orientation(text)


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ("axes XYZ 1e3 0 0 deg", "axes:XYZ", "axes XYZ -80 0 0 deg"),
        ("axes ZYX 3600 0 -725 deg", "axes:ZYX", "axes ZYX 0 0 -5 deg"),
        ("extrinsic xyz 0 0 1e3 deg", "extrinsic:xyz", "extrinsic xyz 0 0 -80 deg"),
        ("rpy 0 0 -1e3 deg", "rpy", "rpy 0 0 80 deg"),
        ("axis-angle 0 0 1 1e3 deg", "axis-angle", "axis-angle 0 0 -1 80 deg"),
        ("rotation-vector 0 1e3 0 deg", "rotation-vector", "rotation-vector 0 -80 0 deg"),
        ("axes XYZ 36000000020 0 0 deg", "axes:XYZ", "axes XYZ 20 0 0 deg"),
    ],
)
def test_that_whole_turns_take_no_digits_along(text, form, written) -> None:
    assert write_orientation(parse_orientation(text).R, form) == written
