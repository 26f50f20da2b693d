"""Matching of two streams for any relation of their clocks."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.matched_poses import (
    Clocks,
    interpolated_side,
    is_covered,
    matcher_of,
    sampled_path,
    spikes,
)
from framescope.features.trajectories.core.pose_stream import StreamError
from tests.support.pose_streams import Plant, planted


def test_that_both_directions_of_the_clocks_are_inverse() -> None:
    clocks = Clocks(0.3, 1e-3, 7.0)
    t = np.linspace(0.0, 20.0, 11)
    assert np.abs(clocks.in_b(clocks.in_a(t)) - t).max() < 1e-13


@pytest.mark.parametrize(("hz_b", "side"), [(200.0, "b"), (10.0, "a"), (50.0, "b")])
def test_that_the_denser_stream_is_interpolated_at_the_times_of_the_other(hz_b, side) -> None:
    made = planted(Plant(hz_b=hz_b, outliers=0.0))
    assert interpolated_side(made.a, made.b) == side
    m = matcher_of(made.a, made.b).matched(Clocks(0.02, 0.0, 4.0))
    assert m.of_rates == side
    if side == "b":
        assert (m.p_A == made.a.p_RF[m.rows]).all()
    else:
        assert (m.p_B == made.b.p_RF[m.rows]).all()


@pytest.mark.parametrize("hz_b", [200.0, 10.0])
def test_that_derivatives_by_the_clocks_are_those_of_the_poses(hz_b) -> None:
    made = planted(Plant(hz_b=hz_b, outliers=0.0, angle=0.0, distance=0.0))
    matcher = matcher_of(made.a, made.b)
    clocks = Clocks(0.021, 1e-4, 4.0)
    rows = matcher.covered_rows(clocks)[10:-10]
    m = matcher.matched(clocks, rows)
    h = 1e-5
    for key, factor in (("offset_s", m.by_offset), ("drift", m.by_drift)):
        later, sooner = (
            matcher.matched(Clocks(**{**vars(clocks), key: getattr(clocks, key) + sign * h}), rows) for sign in (1, -1)
        )
        side = "p_A" if m.of_rates == "a" else "p_B"
        moved = (getattr(later, side) - getattr(sooner, side)) / (2.0 * h)
        assert np.abs(moved - m.v * factor[:, None]).max() < 0.02 * np.abs(moved).max()


def test_that_nothing_is_interpolated_in_a_gap() -> None:
    made = planted(Plant(outliers=0.0))
    keep = np.r_[0:100, 200:400]
    m = matcher_of(made.a, made.b.some(keep)).matched(Clocks(0.005, 0.0, 0.0))
    assert not ((m.t > 99 / 50 + 0.01) & (m.t < 200 / 50)).any()
    assert is_covered(np.array([0.0, 1.0, 2.0, 30.0]), np.array([1.0, 15.0, 30.0])).tolist() == [True, False, True]


def test_that_spikes_are_found_and_smooth_motion_has_none() -> None:
    clean = planted(Plant(outliers=0.0))
    assert not spikes(clean.a).any()
    spoilt = planted(Plant(outliers=0.2))
    off = np.linalg.norm(spoilt.a.p_RF - clean.a.p_RF, axis=1)
    assert (spikes(spoilt.a) & (off > 0.3)).sum() > 0.9 * (off > 0.3).sum()
    assert not spikes(clean.a.some(slice(0, 5))).any()


def test_that_rates_are_taken_over_some_samples() -> None:
    t = np.arange(0.0, 2.0, 0.01)
    q = np.stack([0.0 * t, 0.0 * t, np.sin(0.25 * t), np.cos(0.25 * t)], axis=1)
    path = sampled_path(t, np.outer(t, [1.0, 2.0, 3.0]), q)
    assert np.abs(path.rates[:, :3] - [1.0, 2.0, 3.0]).max() < 1e-12


def test_that_streams_without_times_need_equal_lengths_and_some_poses() -> None:
    made = planted(Plant(n=10))
    bare = [type(s)(s.name, None, s.p_RF, s.q_RF) for s in (made.a, made.b)]
    assert len(matcher_of(*bare).matched(Clocks())) == 10
    with pytest.raises(StreamError, match="equally many"):
        matcher_of(bare[0], bare[1].some(slice(0, 9))).matched(Clocks())
    with pytest.raises(StreamError, match="1 pose in common"):
        matcher_of(bare[0].some(slice(0, 1)), bare[1].some(slice(0, 1))).matched(Clocks())
