"""APE, RPE and statistics against their published definitions, pair by pair, and at their edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.alignments import align
from framescope.features.trajectories.core.pose_stream import StreamError
from framescope.features.trajectories.core.trajectory_errors import RELATIONS, ape, rpe, statistics_of, steps_of
from tests.support import plain_trajectories as plain

ALIGNMENTS = {
    "none": (("none", False, None), {}),
    "align": (("points", False, None), {"align": True}),
    "sim3": (("points", True, None), {"align": True, "correct_scale": True}),
    "scale": (("none", True, None), {"correct_scale": True}),
    "first": (("points", True, 15), {"align": True, "correct_scale": True, "n_to_align": 15}),
    "origin": (("origin", False, None), {"align_origin": True}),
}
STEPS = [("f", 1, False), ("f", 7, False), ("f", 7, True), ("m", 0.5, False), ("m", 1.0, True)]
STEPS += [("r", 0.3, False), ("d", 20.0, False), ("d", 20.0, True), ("r", 0.5, True)]


def pair(seed):
    random = np.random.default_rng(seed)
    _, p, q = plain.random_trajectory(random, 32)
    return (p, q), plain.estimate_of(random, p, q, random.uniform(0.5, 2.0))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_that_errors_are_those_of_the_definitions_for_each_alignment(seed) -> None:
    reference, estimate = pair(seed)
    X, Y = plain.matrices(*reference), plain.matrices(*estimate)
    for name, ((kind, has_scale, first), options) in ALIGNMENTS.items():
        moved = align(kind, reference, estimate, has_scale=has_scale, first=first).moved(*estimate)
        Z = plain.aligned(X, Y, **options)
        for relation in RELATIONS:
            if relation != "point_distance_error_ratio":
                expected = plain.plain_ape(X, Z, relation)
                assert np.abs(ape(reference, moved, relation).errors - expected).max() < 1e-9, (name, relation)
            unit, delta, is_all = STEPS[(seed + len(relation)) % len(STEPS)]
            steps = plain.plain_steps(Z, delta, unit, all_pairs=is_all)
            expected = plain.plain_rpe(X, Z, relation, steps)
            found = rpe(reference, moved, relation, delta=delta, unit=unit, all_pairs=is_all)
            assert np.abs(found.errors - expected).max() < 1e-9, (name, relation, unit)
            values = plain.plain_statistics(expected)
            assert statistics_of(found.errors) == pytest.approx(values, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize(("unit", "delta", "is_all"), STEPS)
def test_that_steps_begin_and_end_where_the_definition_says(unit, delta, is_all) -> None:
    reference, _ = pair(4)
    starts, ends = steps_of(reference, delta, unit, all_pairs=is_all)
    expected = plain.plain_steps(plain.matrices(*reference), delta, unit, all_pairs=is_all)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected


def test_that_steps_in_seconds_follow_the_times() -> None:
    reference, estimate = pair(1)
    t = 0.25 * np.arange(32.0)
    assert rpe(reference, estimate, delta=1.0, unit="s", t=t).starts.tolist() == list(range(0, 28, 4))
    assert rpe(reference, estimate, delta=1.0, unit="s", t=t, all_pairs=True).rows.tolist() == list(range(4, 32))
    with pytest.raises(StreamError, match="need times"):
        rpe(reference, estimate, unit="s")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"delta": 0.0}, "above 0"),
        ({"delta": float("nan")}, "above 0"),
        ({"delta": 1.5}, "whole number of frames"),
        ({"delta": 200.0, "unit": "d"}, "at most 180"),
        ({"delta": 1e6, "unit": "m"}, r"no step of 1e\+06 m in 32 poses"),
        ({"delta": 60}, "no step of 60 frames"),
    ],
)
def test_that_impossible_steps_are_named(options, words) -> None:
    with pytest.raises(StreamError, match=words):
        rpe(*pair(0), **options)


def test_that_a_ratio_of_distances_leaves_out_steps_without_motion_and_is_no_absolute_error() -> None:
    (p, q), estimate = pair(2)
    p = p.copy()
    p[10:20] = p[10]
    found = rpe((p, q), estimate, "point_distance_error_ratio")
    assert len(found.errors) == 22
    assert "9 steps without motion" in found.notes[0]
    with pytest.raises(StreamError, match="no ratio"):
        ape((p, q), estimate, "point_distance_error_ratio")
    with pytest.raises(StreamError, match="does not move"):
        rpe((0.0 * p, q), estimate, "point_distance_error_ratio")


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 3.0, np.pi - 1e-9, np.pi])
def test_that_angles_are_exact_near_none_and_near_half_a_turn(angle) -> None:
    q = Rotation.from_rotvec([[0.0, 0.0, angle]]).as_quat()
    unit = np.array([[0.0, 0.0, 0.0, 1.0]])
    zero = np.zeros((1, 3))
    for sign in (1.0, -1.0):
        assert abs(ape((zero, unit), (zero, sign * q), "angle_rad").errors[0] - angle) < 1e-15 + 4e-16 * angle


def test_that_a_stream_against_itself_has_no_error() -> None:
    reference, _ = pair(5)
    for relation in RELATIONS:
        assert rpe(reference, reference, relation).errors.max() < 1e-12


def test_that_units_are_those_of_the_relation() -> None:
    assert ape(*pair(0), "angle_deg").unit == "deg"
    assert ape(*pair(0), "full").unit == ""
