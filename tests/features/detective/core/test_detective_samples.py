"""Where the detective's numbers come from: pasted text, tables, times that differ, recordings of a scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.limits import TableError
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.features.detective.core.apply_to_recording import reason_against_use, use_for_recording
from framescope.features.detective.core.inputs import Side, SideError, compare
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.pairing import pair
from framescope.features.detective.core.pasted_samples import read_pasted_samples
from framescope.features.detective.core.pipeline import detect
from framescope.features.detective.core.samples import Samples, read_samples


def motion(t: np.ndarray) -> np.ndarray:
    angles = [np.sin(0.7 * t) + 0.3 * np.sin(2.1 * t + 1), 0.6 * np.sin(1.3 * t), np.cos(0.9 * t) + 0.2 * np.sin(3 * t)]
    return Interpretation("angles", "ZYX", "rad").matrices(np.column_stack(angles))


# --- Pasted


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0, 0, 0.6, 0.8\n0 0 0 1", [[0, 0, 0.6, 0.8], [0, 0, 0, 1]]),
        ("10° 20° 30°\n11 21 31 deg", [[10, 20, 30], [11, 21, 31]]),
        ("10,5 20,25 30\n1,5 2 3", [[10.5, 20.25, 30], [1.5, 2, 3]]),
        ("10,20,30\n11,21,31", [[10, 20, 30], [11, 21, 31]]),
        ("\N{MINUS SIGN}1 2 3 # first\n4 5 6", [[-1, 2, 3], [4, 5, 6]]),
        ("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", [[1, 0, 0, 0, 1, 0, 0, 0, 1]]),
        ("[1 0 0; 0 1 0; 0 0 1]", [[1, 0, 0, 0, 1, 0, 0, 0, 1]]),
        ("1 0 0\n0 1 0\n0 0 1\n\n0 1 0\n-1 0 0\n0 0 1", [[1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 1, 0, -1, 0, 0, 0, 0, 1]]),
        ("Rotation.from_quat([0, 0, 0.6, 0.8])\nRotation.from_quat([0, 0, 0, 1])", [[0, 0, 0.6, 0.8], [0, 0, 0, 1]]),
        ("axes ZYX 10 20 30 deg\naxes ZYX 10 20 35 deg", [[10, 20, 30], [10, 20, 35]]),
        ("yaw pitch roll\n1 2 3\n4 5 6", [[1, 2, 3], [4, 5, 6]]),
        ("[[0, 0, 0, 1], [0, 0, 0.6, 0.8]]", [[0, 0, 0, 1], [0, 0, 0.6, 0.8]]),
    ],
)
def test_that_pasted_text_is_read_one_sample_a_line(text: str, numbers: list) -> None:
    found = read_pasted_samples(text)
    assert np.allclose(found.numbers, numbers)
    assert found.times is None


@pytest.mark.parametrize(
    ("text", "interpretation", "positions"),
    [
        ("q1.setRPY(0.1, 0.2, 0.3)\nq2.setRPY(0.2, 0.1, 0.4)", Interpretation("angles", "xyz", "rad"), None),
        (
            "- Translation: [1.000, 0.000, 0.500]\n- Rotation: in Quaternion [0.000, 0.000, 0.707, 0.707]\n",
            Interpretation("quaternion", "xyzw"),
            [[1.0, 0.0, 0.5]],
        ),
        (
            "p[0.1, 0.2, 0.3, 0.0, 1.2, 0.4]",
            Interpretation("rotation vector", unit="rad"),
            [[0.1, 0.2, 0.3]],
        ),
        (
            "position: {x: 1.0, y: 2.0, z: 3.0}\norientation: {x: 0.0, y: 0.0, z: 0.6, w: 0.8}",
            Interpretation("quaternion", "xyzw"),
            [[1.0, 2.0, 3.0]],
        ),
    ],
)
def test_that_a_text_which_says_what_its_numbers_are_is_taken_at_its_word(text, interpretation, positions) -> None:
    found = read_pasted_samples(text)
    assert found.expected == (interpretation,)
    assert (None if found.positions is None else found.positions.tolist()) == positions


def test_that_a_time_before_the_numbers_is_one() -> None:
    found = read_pasted_samples("0.0 10 20 30\n0.1 11 21 31\n0.2 12 22 32")
    assert found.numbers.shape == (3, 3)
    assert found.times is not None
    assert np.allclose(found.times, [0.0, 0.1, 0.2])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing is pasted yet"),
        ("yaw pitch", "no numbers"),
        ("1 2 3\n1 2 3 4", "line 2 has 4 numbers, those before have 3"),
        ("1 2\n3 4", "each line has 2 numbers"),
        ("[[1, 2], [3]]", "different counts"),
    ],
)
def test_that_what_is_no_sample_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(TableError, match=says):
        read_pasted_samples(text)


# --- Tables


def test_that_columns_are_found_by_their_names_and_give_the_expected_reading(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("stamp,x,y,z,qw,qx,qy,qz\n" + "\n".join(f"{i * 10_000_000},0,0,{i},0.8,0,0,0.6" for i in range(30)))
    found = read_samples(path)
    assert np.allclose(found.numbers[0], [0.8, 0, 0, 0.6])
    assert found.times is not None
    assert np.allclose(np.diff(found.times), 0.01)
    assert found.expected == (Interpretation("quaternion", "wxyz"),)


def test_that_columns_and_time_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("t,a,b,c,d\n0,1,2,3,9\n1,4,5,6,9\n")
    found = read_samples(path, ("c", "b", "a"), "t")
    assert found.numbers.tolist() == [[3, 2, 1], [6, 5, 4]]
    with pytest.raises(TableError, match="has no column"):
        read_samples(path, ("c", "b", "nope"))
    with pytest.raises(TableError, match="expected 1, 3, 4 or 9"):
        read_samples(path, ("c", "b"))


def test_that_numpy_archives_are_read(tmp_path: Path) -> None:
    t = np.arange(0.0, 1.0, 0.05)
    np.savez(tmp_path / "log.npz", t=t, q=Interpretation("quaternion", "xyzw").numbers(motion(t)))
    found = read_samples(tmp_path / "log.npz")
    assert found.numbers.shape == (20, 4)
    assert found.times is not None


def test_that_poses_give_their_rotations(tmp_path: Path) -> None:
    poses = np.concatenate([motion(np.arange(5.0)), np.ones((5, 3, 1))], axis=2).reshape(5, 12)
    np.savetxt(tmp_path / "poses.txt", poses)
    assert np.allclose(read_samples(tmp_path / "poses.txt").numbers.reshape(-1, 3, 3), motion(np.arange(5.0)))


# --- Pairs


@pytest.mark.long
@pytest.mark.parametrize("shift", [0.0, 3.217, -1e6])
@pytest.mark.parametrize(
    "interpretation",
    [Interpretation("angles", "zxz", "deg"), Interpretation("quaternion", "wxyz"), Interpretation("matrix")],
)
def test_that_rows_are_matched_by_time_whatever_the_sampling_and_the_clocks(
    interpretation: Interpretation, shift: float
) -> None:
    random = np.random.default_rng(1)
    t_a, t_b = np.sort(random.uniform(0, 20, 800)), np.arange(2.0, 18.0, 0.05)
    a = Samples(interpretation.numbers(motion(t_a)), t_a)
    b = Samples(Interpretation("quaternion", "xyzw").numbers(motion(t_b)), t_b + shift)
    pairs = pair(a, b)
    assert abs(pairs.offset + shift) < 0.01
    report = detect(pairs.numbers_a, pairs.numbers_b, expected_b=[Interpretation("quaternion", "xyzw")])
    best = report.findings[0]
    assert (best.hypothesis.interpretation_a, best.hypothesis.is_inverse) == (interpretation, False)
    assert best.hypothesis.is_plain
    assert best.rms < 5e-3
    assert not report.unclear


def test_that_clocks_that_agree_are_left_alone() -> None:
    t = np.arange(0.0, 10.0, 0.02)
    noise = np.random.default_rng(2).normal(size=(len(t), 3)) * 0.02
    numbers = Interpretation("angles", "XYZ", "rad").numbers(motion(t))
    assert pair(Samples(numbers + noise, t), Samples(numbers, t)).offset == 0.0


def test_that_nothing_is_read_across_gaps() -> None:
    t = np.arange(0.0, 10.0, 0.02)
    holed = t[(t < 4.0) | (t > 6.0)]
    coarse = np.arange(0.0, 9.9, 0.1)
    numbers = [Interpretation("matrix").numbers(motion(times)) for times in (coarse, holed)]
    pairs = pair(Samples(numbers[0], coarse), Samples(numbers[1], holed))
    assert pairs.times is not None
    assert not ((pairs.times > 4.01) & (pairs.times < 5.99)).any()
    assert (pairs.times > 6.1).any()


def test_that_rows_without_times_must_be_equally_many() -> None:
    with pytest.raises(ValueError, match=r"3 rows and B 2: .* Give both a column of time"):
        pair(Samples(np.ones((3, 4))), Samples(np.ones((2, 4))))
    with pytest.raises(ValueError, match="Give the other its times"):
        pair(Samples(np.ones((3, 4)), np.arange(3.0)), Samples(np.ones((2, 4))))


# --- The scene

SCENE = """\
framescope: 1
time: {{start: 0 s, end: 8 s}}
frames:
  camera:
    parent: world
    motion: {{form: recorded, file: {file}, bandwidth: 8 Hz, {rest}}}
  truth:
    parent: world
    motion: {{form: recorded, file: truth.txt, format: tum, bandwidth: 8 Hz}}
"""


def scene_with(folder: Path, file: str, numbers: np.ndarray, rest: str):
    """Return a plan with a recording that is read wrongly, beside one that is right."""
    t = np.arange(0.0, 8.0, 0.02)
    np.savetxt(folder / file, np.column_stack([t, numbers]))
    zeros = np.zeros((len(t), 3))
    np.savetxt(
        folder / "truth.txt", np.column_stack([t, zeros, Interpretation("quaternion", "xyzw").numbers(motion(t))])
    )
    (folder / "scene.yaml").write_text(SCENE.format(file=file, rest=rest))
    access = Access(folder)
    return compile_plan(load_scene(folder / "scene.yaml").scene, access=access), access


ANGLES = """format: table, columns: {time: '1', time_unit: s,
      orientation: {form: axes, columns: ['2', '3', '4'], sequence: XYZ, unit: deg}}"""
WRONG = {
    "order": (Interpretation("quaternion", "wxyz"), "format: tum"),
    "inverse": (Interpretation("quaternion", "xyzw"), "format: tum"),
    "sequence": (
        Interpretation("angles", "ZXY", "deg"),
        ANGLES,
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", WRONG)
def test_that_a_recording_is_used_as_it_was_found_out(tmp_path: Path, kind: str) -> None:
    interpretation, rest = WRONG[kind]
    t = np.arange(0.0, 8.0, 0.02)
    numbers = interpretation.numbers(np.swapaxes(motion(t), 1, 2) if kind == "inverse" else motion(t))
    if rest == "format: tum":
        numbers = np.column_stack([np.zeros((len(t), 3)), numbers])
    plan, access = scene_with(tmp_path, "log.txt", numbers, rest)
    found = compare(Side("recording", frame="camera"), Side("frame", frame="truth"), plan, access)
    best = found.report.findings[0].hypothesis
    assert best.interpretation_a == interpretation
    assert found.title.startswith("file of camera against truth in world · ")
    edit = use_for_recording(plan.scene, "camera", best, found.a.pose_columns)
    mended = compile_plan(edit.apply(plan.scene), access=access)
    snapshot = evaluate(mended, np.array([1.0, 3.0, 5.0]))
    camera, truth = (snapshot.R_WF[:, mended.index[name]] for name in ("camera", "truth"))
    assert np.allclose(camera, truth, atol=0.01)
    again = compare(Side("recording", frame="camera"), Side("frame", frame="truth"), mended, access)
    why = reason_against_use(mended.scene, "camera", best, again.a.pose_columns)
    assert why == "The scene reads it so already."


def test_that_a_side_that_cannot_be_read_says_which_it_is(tmp_path: Path) -> None:
    plan, access = scene_with(tmp_path, "log.txt", np.ones((400, 7)), "format: tum")
    frame = Side("frame", frame="truth")
    for a, b, side, says in (
        (Side(text="1 2\n3 4"), frame, "a", "Each line has 2 numbers"),
        (frame, Side("file", path=str(tmp_path / "nope.csv")), "b", "There is no file"),
        (frame, Side("frame", frame="trut"), "b", "There is no frame trut."),
        (Side("recording", frame="world"), frame, "a", "There is no recorded frame world"),
        (Side(text="1 2 3\n4 5 6", read_as="quaternion"), frame, "a", "nothing of that is"),
    ):
        with pytest.raises(SideError, match=says) as caught:
            compare(a, b, plan, access)
        assert caught.value.side == side


# --- Measured poses

MEASURED = """\
measured:
  mocap:
    form: pose
    of: truth
    relative_to: world
    motion: {form: recorded, file: log.txt, format: tum, bandwidth: 8 Hz}
  mount:
    form: pose
    of: truth
    relative_to: world
    orientation: {form: quaternion, value: [0, 0, 0.6, 0.8], order: xyzw}
"""


def test_that_a_recorded_measurement_is_a_side_and_is_read_as_it_was_found_out(tmp_path: Path) -> None:
    t = np.arange(0.0, 8.0, 0.02)
    wxyz = Interpretation("quaternion", "wxyz")
    numbers = np.column_stack([np.zeros((len(t), 3)), wxyz.numbers(motion(t))])
    scene_with(tmp_path, "log.txt", numbers, "format: tum")
    with (tmp_path / "scene.yaml").open("a") as file:
        file.write(MEASURED)
    access = Access(tmp_path)
    plan = compile_plan(load_scene(tmp_path / "scene.yaml").scene, access=access)
    side = Side("measured", frame="mocap")
    found = compare(side, Side("frame", frame="truth"), plan, access)
    assert found.report.status == "found", found.report.verdict
    best = found.report.findings[0].hypothesis
    assert best.interpretation_a == wxyz
    edit = use_for_recording(plan.scene, "mocap", best, found.a.pose_columns, "measured")
    mended = compile_plan(edit.apply(plan.scene), access=access)
    assert (
        reason_against_use(mended.scene, "mocap", best, found.a.pose_columns, "measured")
        == "The scene reads it so already."
    )
    turned = compare(Side("frame", frame="truth"), side, plan, access)
    assert turned.report.findings[0].hypothesis.interpretation_b == wxyz
    constant = compare(Side("measured", frame="mount"), Side("frame", frame="truth"), plan, access)
    assert constant.report.status != "found"
    with pytest.raises(SideError, match="There is no measured orientation"):
        compare(Side("measured", frame="nothing"), side, plan, access)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nan 0 0 1", [np.nan, 0, 0, 1]),
        ("0, NaN, 0, 1", [0, np.nan, 0, 1]),
        ("q = [0, np.nan, -Infinity, 1]", [0, np.nan, -np.inf, 1]),
        ("[[1, 0, 0], [0, math.inf, 0], [0, 0, 1]]", [1, 0, 0, 0, np.inf, 0, 0, 0, 1]),
        ("banana 1 2 3 info nano", [1, 2, 3]),
    ],
)
def test_that_a_pasted_value_that_is_not_finite_keeps_its_place(text: str, expected) -> None:
    assert np.array_equal(read_pasted_samples(text).numbers, np.atleast_2d(expected), equal_nan=True)
