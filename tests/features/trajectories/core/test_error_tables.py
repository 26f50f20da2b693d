"""Tables of errors of several estimates."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.error_tables import (
    AlignmentKind,
    Pairing,
    Steps,
    alignment_of,
    between,
    errors_of,
    title_of,
)
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, stream_of
from tests.support.plain_trajectories import aligned, estimate_of, matrices, plain_ape, random_trajectory


@pytest.fixture
def streams():
    random = np.random.default_rng(8)
    t, p, q = random_trajectory(random)
    return stream_of("truth", t, p, q), stream_of("slam", t, *estimate_of(random, p, q, 0.8))


def test_that_errors_are_those_of_the_aligned_estimate(streams) -> None:
    truth, slam = streams
    found = errors_of(truth, slam, "trans_part", alignment=AlignmentKind("points", has_scale=True))
    X, Y = (matrices(s.p_RF, s.q_RF) for s in streams)
    expected = plain_ape(X, aligned(X, Y, align=True, correct_scale=True), "trans_part")
    assert np.abs(found.errors.errors - expected).max() < 1e-9
    assert np.abs(found.estimate.p_RF - found.pairs.p_B).max() < 1e-12
    assert found.statistics["max"] == pytest.approx(expected.max())


def test_that_bounds_are_stamps_of_the_file(streams) -> None:
    truth = stream_of("t", streams[0].t, streams[0].p_RF, streams[0].q_RF, epoch_ns=100 * NS)
    part = between(truth, 101.0, 102.0)
    assert 0 < len(part) < len(truth)
    assert part.t.min() >= 1.0
    with pytest.raises(StreamError, match="no pose from 0"):
        between(truth, 0.0, 1.0)
    with pytest.raises(StreamError, match="has no times"):
        between(PoseStream("a", None, truth.p_RF, truth.q_RF), 0.0, None)
    found = errors_of(truth, truth, "trans_part", pairing=Pairing(start_s=101.0))
    assert len(found.pairs) < len(truth)


def test_that_titles_name_steps_and_alignment() -> None:
    title = title_of("trans_part", Steps(2.0, "m", all_pairs=True), alignment_of(True, False, 10))
    assert title == "RPE of translation, m; steps of 2 m, all pairs; aligned by points, by the first 10 pairs"


def test_that_two_alignments_and_no_pair_are_refused() -> None:
    with pytest.raises(StreamError, match="expected one of --align"):
        alignment_of(True, False, -1, yaw=True)
    with pytest.raises(StreamError, match="above 0, or -1"):
        alignment_of(True, False, 0)
