"""Pairs of pose streams that SciPy alone has made: offsets, clocks, scales and conventions, and open directions."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.align_streams import AlignChoice, align
from framescope.features.trajectories.core.pose_stream import stream_of
from framescope.features.trajectories.core.stream_readings import PLAIN, StreamReading
from tests.support.foreign_stream_trials import Judgement, hand_eye_outcome, judge, solved, tally
from tests.support.foreign_streams import DEGENERATE, errors, has_hand_eye, inverse, pair

QUICK = [seed for seed in range(60) if len((planted := pair(seed)).a.t) + len(planted.b.t) < 2500][:10]
"""Seeds of pairs with few poses."""


@pytest.mark.long
@pytest.mark.parametrize("seed", QUICK)
def test_that_a_planted_pair_is_aligned_within_its_standard_errors(seed: int) -> None:
    planted = pair(seed)
    judgement = judge(solved(planted), planted)
    assert judgement.outcome in ("right", "named"), judgement


@pytest.mark.long
@pytest.mark.parametrize("motion", DEGENERATE)
def test_that_the_open_direction_is_named(motion: str) -> None:
    counts = tally([pair(3, motion=motion)])
    assert counts.outcomes["named"] == 1, counts.misses


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "is_turn_known"),
    [(178, True), (371, False), (426, False), (181, False)],
    ids=["as stated", "w first", "w first, still", "as stated, still"],
)
def test_that_poses_without_rotation_are_read_as_written_and_their_order_is_open(
    seed: int, *, is_turn_known: bool
) -> None:
    planted = pair(seed)
    answer = solved(planted)
    assert judge(answer, planted).outcome == "named"
    assert answer.reading == PLAIN
    assert {StreamReading("a", is_scalar_first=True), StreamReading(is_scalar_first=True)} <= set(answer.alternatives)
    assert any("do not turn" in note for note in answer.notes) == (planted.motion == "no rotation")
    assert (np.abs(answer.body.R_AB - planted.Z[:3, :3]).max() < 1e-2) == is_turn_known


@pytest.mark.long
@pytest.mark.parametrize(("seed", "is_scalar_first"), [(178, False), (371, True)])
def test_that_one_frame_without_rotation_in_two_worlds_proves_its_order(seed: int, *, is_scalar_first: bool) -> None:
    planted = pair(seed)
    a, b = (stream_of(name, s.t, s.p, s.q) for name, s in (("a", planted.a), ("b", planted.b)))
    answer = align(a, b, AlignChoice(form="same frame"))
    assert answer.reading == StreamReading(is_scalar_first=is_scalar_first)
    assert not answer.alternatives


@pytest.mark.long
@pytest.mark.parametrize(("seed", "n_turns"), [(169, 0), (344, 0)])
def test_that_no_more_is_called_open_than_the_motion_leaves_open(seed: int, n_turns: int) -> None:
    planted = pair(seed)  # a plane with outliers of metres; no rotation, and clocks that differ
    answer = solved(planted)
    judgement = judge(answer, planted)
    assert (judgement.outcome, judgement.clock) == ("named", True), judgement
    axes = {blind.part: len(blind.axes) for blind in answer.blind}
    assert (axes["body position"], axes.get("body rotation", 0)) == (len(planted.open_places), n_turns)


@pytest.mark.long
def test_that_clean_streams_are_aligned_exactly() -> None:
    planted = pair(0, is_clean=True)
    answer = solved(planted)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = answer.body.R_AB, answer.body.p_AB
    assert max(errors(X, planted.Z)) < 1e-4  # what lies between samples is interpolated


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_that_hand_and_eye_are_no_worse_than_by_opencv(seed: int) -> None:
    if not has_hand_eye():
        pytest.skip("This OpenCV has no calibrateHandEye.")
    assert hand_eye_outcome(seed).is_no_worse


# --- The planting itself


def test_that_a_pair_obeys_its_offsets() -> None:
    planted = pair(10, is_clean=True)
    assert planted.convention == "as stated"
    t = planted.b.t
    predicted = planted.Y @ planted.exact_A(t) @ planted.Z
    assert np.abs(predicted[:, :3, 3] - planted.b.p).max() < 1e-12


def test_that_a_planar_motion_leaves_the_lever_along_its_axis_open() -> None:
    planted = pair(3, motion="planar")
    assert not len(planted.open_turns)
    (direction,) = planted.open_places
    vertical = planted.exact_A(np.zeros(1))[0, :3, :3].T @ [0.0, 0.0, 1.0]
    assert abs(direction @ vertical) > 0.999


def test_that_a_refused_pair_counts_as_refused_unless_nothing_moves() -> None:
    assert judge(None, pair(10)) == Judgement("refused")
    assert judge(None, pair(3, motion="still")).outcome == "named"


def test_that_the_inverse_of_a_pose_undoes_it() -> None:
    X = pair(1).exact_A(np.linspace(0.0, 1.0, 5))
    assert np.abs(X @ inverse(X) - np.eye(4)).max() < 1e-12
