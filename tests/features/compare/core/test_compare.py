"""Two texts of one pose: what differs, how sure that is, and never sure of what is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.model import Scene
from framescope.features.compare import compare
from framescope.features.compare.core import odds
from framescope.features.compare.core.added_frames import add_frames
from framescope.features.compare.core.sentences import KEPT_TEXT
from tests.support.planted_pairs import KINDS, tally

N = 10

ROOT = math.sqrt(0.5)


@pytest.mark.long
@pytest.mark.parametrize("digits", [2, 6])
@pytest.mark.parametrize("kind", KINDS)
def test_that_a_planted_difference_is_named_and_nothing_wrong_is_settled(kind, digits) -> None:
    counts = tally(kind, digits, N, compare)
    assert counts["settled wrong"] == 0
    if kind.startswith("unrelated"):
        assert counts["neither"] + counts["cannot tell"] == N
        return
    assert counts["named"] == N
    if "pose" in kind and digits == 6:
        assert counts["settled"] + counts["likely"] >= 0.8 * N


def test_that_roll_pitch_yaw_and_a_quaternion_are_settled() -> None:
    answer = compare("rpy 30 30 60 deg", "quaternion wxyz 0.84150635 0.09150635 0.34150635 0.40849365")
    assert answer.verdict in ("settled", "likely")  # special numbers: a far-fetched change of axes fits, too
    assert answer.rows[0].is_plain
    assert answer.rows[0].misfit_deg < 1e-5
    assert "hey are the same: read the first as angles xyz about fixed axes" in answer.sentence
    answer = compare("rpy 10 20 30 deg", "quaternion wxyz 0.951549 0.038135 0.189308 0.239298")
    assert answer.verdict == "settled"
    assert answer.sentence.startswith("They are the same: read the first as angles xyz about fixed axes")


def test_that_bare_numbers_of_a_thread_have_the_simplest_relation_first() -> None:
    answer = compare("30 30 60", "0.84150635 0.09150635 0.34150635 0.40849365")
    assert answer.verdict in ("settled", "likely")
    assert (answer.rows[0].first, answer.rows[0].second) == ("angles xyz about fixed axes, deg", "quaternion wxyz")


def test_that_a_quaternion_of_the_other_kind_is_the_inverse() -> None:
    R = Rotation.from_quat([-0.703386, 0.0155119, -0.0424232, 0.709371])
    matrix = " ".join(f"{x:.7f}" for x in R.inv().as_matrix().ravel())
    answer = compare("quaternion xyzw -0.703386 0.0155119 -0.0424232 0.709371", f"matrix active {matrix}")
    assert answer.verdict in ("settled", "likely")
    assert answer.rows[0].texts == (
        "one is the inverse of the other: the frame in its parent, against the parent in the frame",
    )


@pytest.mark.parametrize("text", ["0 0 0 1", f"0 0 {ROOT!r} {ROOT!r}", "1 0 0 0 1 0 0 0 1"])
def test_that_special_orientations_cannot_tell(text) -> None:
    answer = compare(text, text)
    assert answer.verdict == "cannot tell"
    assert answer.sentence.startswith("They agree as they stand, but ")
    assert len(answer.rows) == 6
    assert answer.more > 0
    assert "would part them by" in answer.next_sample


def test_that_a_real_offset_is_neither_and_its_size_is_told() -> None:
    turn = Rotation.from_euler("x", 12.4, degrees=True)
    first = Rotation.from_euler("xyz", [10.1, 21.3, 33.7], degrees=True)
    texts = ["rpy {} {} {} deg".format(*R.as_euler("xyz", degrees=True)) for R in (first, first * turn)]
    answer = compare(*texts)
    assert answer.verdict == "neither"
    assert answer.apart_deg == pytest.approx(12.4)
    assert "12.4° apart in the simplest reading" in answer.sentence


def test_that_a_known_offset_is_taken_into_account() -> None:
    first = Rotation.from_euler("xyz", [10.1, 21.3, 33.7], degrees=True)
    offset = Rotation.from_euler("xyz", [90.0, 0.0, 90.0], degrees=True)
    texts = ["rpy {} {} {} deg".format(*R.as_euler("xyz", degrees=True)) for R in (first, first * offset)]
    answer = compare(*texts, offset=Orientation(offset.as_matrix().T.copy(), np.zeros(3)))
    assert answer.rows[0].is_plain
    assert answer.rows[0].misfit_deg < 1e-6


@pytest.mark.long
def test_that_positions_part_what_rotations_cannot() -> None:
    first, second = "0.3 -0.1 0.7 0 0 0 1", "-100 -300 700 0 0 0 1"
    assert compare("0 0 0 1", "0 0 0 1").verdict == "cannot tell"
    row = compare(first, second).rows[0]
    assert row.misfit_m < 1e-9
    assert "millimetres" in " ".join(row.texts) or row.p_second == pytest.approx((-0.1, -0.3, 0.7))


def test_that_positions_alone_are_compared() -> None:
    answer = compare("position 0.31 -0.12 0.74", "position -0.74 0.31 -0.12")
    assert answer.verdict in ("likely", "cannot tell")
    assert answer.rows[0].misfit_m < 1e-9
    assert answer.rows[0].misfit_deg is None


@pytest.mark.parametrize(
    ("first", "second", "begin"),
    [
        ("The robot does not move.", "rpy 1 2 3 deg", "The first: No orientation"),
        ("rpy 1 2 3 deg", "", "The second: Nothing to read"),
        ("1 0 0 0 1 0 0 0 -1", "rpy 1 2 3 deg", "The first is no rotation: Mirrored matrix"),
    ],
)
def test_that_a_side_without_a_rotation_is_told(first, second, begin) -> None:
    answer = compare(first, second)
    assert answer.reason == answer.sentence
    assert answer.reason.startswith(begin)
    assert not answer.rows


def test_that_the_code_of_a_row_converts() -> None:
    R = Rotation.from_euler("ZYX", [33.0, -21.0, 12.0], degrees=True)
    q = R.inv().as_quat()
    answer = compare("axes ZYX 33 -21 12 deg", "quaternion xyzw {} {} {} {}".format(*q))
    scope: dict = {}
    exec(answer.rows[0].code("numpy"), scope)
    assert np.abs(scope["b_from_a"]([33.0, -21.0, 12.0]) - q).max() < 1e-9
    assert np.abs(answer.rows[0].convert([33.0, -21.0, 12.0])[0] - q).max() < 1e-9
    with pytest.raises(ValueError, match="no target"):
        answer.rows[0].code("cobol")


def test_that_unrelated_numbers_hit_by_chance_as_often_as_is_said() -> None:
    assert odds.n_accidents(115_200, math.radians(0.5)) == pytest.approx(0.004, rel=0.05)
    angles = Rotation.random(200_000, random_state=1).magnitude()
    assert np.mean(angles < 0.3) == pytest.approx(odds.n_accidents(1, 0.3), rel=0.1)


def test_that_names_are_in_every_sentence() -> None:
    answer = compare("hello", "1 2 3", names=("the pendant", "the driver"))
    assert answer.sentence.startswith("The pendant: ")
    q = Rotation.from_euler("xyz", [10.1, 21.3, 33.7], degrees=True).as_quat()
    texts = ["quaternion xyzw {:.6f} {:.6f} {:.6f} {:.6f}".format(*each) for each in (q, q * [1, -1, 1, 1])]
    again = compare(*texts, names=("UR", "tf"))
    assert "UR" in again.sentence or "UR" in " ".join(again.rows[0].texts)
    assert "first" not in again.sentence


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "form", "numbers"),
    [
        ("rpy 10 20 30 deg", ("ZYX", "deg"), (30.0, 20.0, 10.0)),
        ("axes ZYX 10 20 30 deg", ("ZYX", "deg"), (10.0, 20.0, 30.0)),
        ("axes ZXZ 0.1 0.2 0.3 rad", ("ZXZ", "rad"), (0.1, 0.2, 0.3)),
        ("quaternion wxyz 0.6 0 0 0.8", ("wxyz", ""), (0.6, 0.0, 0.0, 0.8)),
        ("quaternion xyzw 0 0 0.71 0.71", ("xyzw", ""), (0.0, 0.0, 0.707106781187, 0.707106781187)),
        ("p[0, 0, 0, 0.1, 0.2, 0.3]", ("xyzw", ""), None),
    ],
)
def test_that_added_frames_keep_the_form_that_is_written(text, form, numbers) -> None:
    answer = compare(text, text)
    row = answer.rows[0]
    edit = add_frames(Scene(), row)
    frame = edit.apply(Scene()).frames["first"]
    turn = frame.orientation
    given = (turn.sequence, turn.unit) if turn.form == "axes" else (turn.order, "")
    assert given == form
    written = turn.angles if turn.form == "axes" else turn.value
    assert numbers is None or written == numbers
    snapshot = evaluate(compile_plan(edit.apply(Scene())), 0.0)
    assert np.allclose(snapshot.R_WF[snapshot.index["first"]], row.R_first.T.T, atol=1e-9)


# --- From pairs that were planted elsewhere, and from threads


def pose_text(R: Rotation, p: np.ndarray) -> str:
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = R.as_matrix(), p
    return "[" + ", ".join("[" + ", ".join(f"{x:.8f}" for x in row) + "]" for row in M) + "]"


def test_that_inverse_matrices_of_a_pose_are_settled() -> None:
    """Read one way and back, or the other way and back: these are one relation, which no further pair could part."""
    R, p = Rotation.from_quat([0.31, -0.42, 0.55, 0.65]), np.array([0.412, -0.873, 1.234])
    answer = compare(pose_text(R, p), pose_text(R.inv(), -R.inv().apply(p)))
    assert answer.verdict in ("settled", "likely")
    assert len(answer.rows) == 1
    assert answer.rows[0].misfit_m < 1e-6


def test_that_an_inverse_rotation_beside_the_same_position_is_named() -> None:
    """A rotation from world to camera beside the centre of the camera in the world."""
    R, p = Rotation.from_quat([0.31, -0.42, 0.55, 0.65]), "0.412000 -0.873000 1.234000"
    first, second = (" ".join(f"{x:.6f}" for x in turn.as_quat()) for turn in (R, R.inv()))
    answer = compare(f"{p} {first}", f"{p} {second}")
    assert answer.verdict in ("settled", "likely")
    assert answer.rows[0].texts == (KEPT_TEXT,)
    assert answer.rows[0].misfit_m < 1e-6


@pytest.mark.long
def test_that_angles_in_radians_are_not_hidden_by_small_angles_in_degrees() -> None:
    """As degrees, numbers below a full turn in radians are nearly no turn at all, so that every sequence fits."""
    first = "[-1.632673, 0.279261, 0.960614, 1.437306, -0.339909, -0.632812]"
    second = "[-1.630215, 0.280765, 0.960434, 0.536732, 1.212277, -1.188726]"
    answer = compare(first, second)
    named = [(row.first, row.second) for row in answer.rows]
    assert ("angles XZY about moving axes, rad", "angles yxz about fixed axes, rad") in named or any(
        row.first.endswith("rad") and row.second.endswith("rad") for row in answer.rows
    ), named


def test_that_small_angles_in_stated_degrees_are_settled() -> None:
    R = Rotation.from_euler("xyz", [1.2, -0.7, 2.1], degrees=True)
    x, y, z, w = R.as_quat()
    answer = compare("rpy 1.2 -0.7 2.1 deg", f"{x:.6f} {y:.6f} {z:.6f} {w:.6f}")
    assert answer.rows[0].first == "angles xyz about fixed axes, deg"


def test_that_names_of_changed_axes_say_which_side_has_which() -> None:
    up = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # y-up numbers of z-up ones
    optical = np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]])  # optical numbers of body ones
    R, p = Rotation.from_quat([0.31, -0.42, 0.55, 0.65]).as_matrix(), np.array([0.412, -0.873, 1.234])
    first = pose_text(Rotation.from_matrix(R), p)
    for change, words in ((up, "Z-up axes in terms of Y-up axes"), (optical, "body axes in terms of optical axes")):
        other = pose_text(Rotation.from_matrix(change @ R @ change.T), change @ p)
        assert words in compare(first, other).rows[0].texts[0]
        assert words not in compare(other, first).rows[0].texts[0]


def test_that_numbers_with_six_significant_digits_are_taken_as_such() -> None:
    """C++ prints 0.00352357 beside 1.77208: the second has five decimals, not eight."""
    answer = compare("(0.00352357, -0.0991321, 1.77208)", "[-0.0372638, -0.0326999, 0.773564, 0.631776]")
    assert answer.verdict == "settled"
    assert answer.rows[0].first == "angles XYZ about moving axes, rad"


def test_that_two_matrices_with_a_small_offset_are_not_called_inverse() -> None:
    """Read the other way and inverted, they are the same numbers again."""
    R, p = Rotation.from_quat([0.31, -0.42, 0.55, 0.65]), np.array([1.71239, 0.24740, -0.11589])
    other = Rotation.from_rotvec([0.004, 0.009, -0.007]) * R
    answer = compare(pose_text(R, p), pose_text(other, p + np.array([0.027, 0.031, 0.028])))
    assert answer.rows[0].first == answer.rows[0].second
    assert "inverse" not in " ".join(answer.rows[0].texts)


@pytest.mark.long
def test_that_angles_in_the_order_of_another_tool_are_named_as_such() -> None:
    """A static_transform_publisher of ROS 1 takes yaw first; people pass it the roll, pitch and yaw of a URDF."""
    numbers = "0.1 0.2 0.3"
    answer = compare(f'<origin xyz="0 0 0.5" rpy="{numbers}"/>', f"static_transform_publisher 0 0 0.5 {numbers} a b")
    best = answer.rows[0]
    assert (best.first, best.second) == ("angles ZYX about moving axes, rad",) * 2
    assert best.misfit_m == 0.0
