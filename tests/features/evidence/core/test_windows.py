"""Turns between samples, gaps, and arrays that are kept."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core import windows
from framescope.features.evidence.core.readings import Readings
from framescope.features.evidence.core.tracks import Track
from framescope.features.evidence.core.windows import Sampler, is_covered, turns_between


def _rotations() -> Rotation:
    rng = np.random.default_rng(2)
    return Rotation.from_rotvec(rng.normal(size=(200, 3)) * rng.uniform(0.0, 3.0, size=(200, 1)))


def test_that_turns_between_quaternions_are_those_of_rotations() -> None:
    q = _rotations()
    Q = q.as_quat() * np.random.default_rng(3).uniform(0.5, 1.5, size=(200, 1))
    assert turns_between(Q) == pytest.approx((q[:-1].inv() * q[1:]).as_rotvec(), abs=1e-9)
    assert turns_between(Q, in_reference=True) == pytest.approx((q[1:] * q[:-1].inv()).as_rotvec(), abs=1e-9)


def test_that_equal_and_missing_quaternions_make_no_turn() -> None:
    Q = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]])
    assert turns_between(Q).tolist() == np.zeros((3, 3)).tolist()


def _track(t: np.ndarray) -> Track:
    x = np.ones((len(t), 3))
    readings = Readings("force", "/imu", "specific force", t, x)
    return Track(readings, t, x, 0.01, 0, np.eye(3), np.zeros(3))


def test_that_windows_that_a_gap_meets_are_not_covered() -> None:
    t = np.concatenate([np.arange(0.0, 1.0, 0.01), np.arange(1.5, 2.0, 0.01)])
    track = _track(t)
    edges = np.arange(-0.1, 2.11, 0.1)
    middles = 0.5 * (edges[1:] + edges[:-1])
    meets_gap = (edges[:-1] < 1.5 - 1e-9) & (edges[1:] > 0.99 + 1e-9)
    is_inside = (edges[:-1] >= -0.01) & (edges[1:] <= 2.0 + 1e-9)
    assert [(round(a, 2), round(b, 2)) for a, b in np.stack(track.gaps, axis=1)] == [(0.99, 1.5)]
    assert is_covered(track, edges).tolist() == (is_inside & ~meets_gap).tolist(), middles


def test_that_an_array_is_made_once_and_the_oldest_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MOST_BYTES", 2000)
    sampler, made = Sampler(), list[int]()

    def make(k: int) -> np.ndarray:
        made.append(k)
        return np.full(100, float(k))

    for k in (0, 1, 0, 2, 0, 1):
        assert sampler.kept((k,), lambda k=k: make(k))[0] == k
    assert made == [0, 1, 2, 1]
    with pytest.raises(ValueError, match="read-only"):
        sampler.kept((0,), lambda: make(0))[0] = 1.0
