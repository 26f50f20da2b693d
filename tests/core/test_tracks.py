"""Samples that readers join: what lies between them keeps to the bound, whoever mixes them, and they are few."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import quaternions
from framescope.core.kernels.sampled_tracks import Allowed, States, sample_motion, thin_out, turn_between

ANGLE, LENGTH = 1e-3, 1e-3
ALLOWED = Allowed(np.array([ANGLE]), np.array([LENGTH]), np.array([LENGTH]), np.array([1e30]))


def about_z(angles: np.ndarray) -> np.ndarray:
    zeros = np.zeros_like(angles)
    return np.stack([zeros, zeros, np.sin(angles / 2), np.cos(angles / 2)], axis=-1)


def motion(x=None, angle=None, rate=None, is_seen=None):
    """Return a motion that goes along x and turns about z."""

    def sample(t: np.ndarray) -> States:
        p = np.zeros((len(t), 1, 3))
        p[:, 0, 0] = 0.0 if x is None else x(t)
        Q = about_z(np.zeros(len(t)) if angle is None else angle(t))[:, None]
        seen = np.ones((len(t), 1), dtype=bool) if is_seen is None else is_seen(t)[:, None]
        rates = np.zeros((len(t), 1)) if rate is None else np.full((len(t), 1), rate)
        return States(p, Q, np.ones_like(p), seen, rates)

    return sample


def tracks_of(sample, stop=10.0, first=65, most=100_000):
    found = sample_motion(sample, np.linspace(0.0, stop, first), ALLOWED.fraction(0.5), most)
    Q = quaternions.continuous_signs(found.states.Q[:, 0])
    p = thin_out(found.times, found.states.p[:, 0], 0.5 * LENGTH)
    return found, p, thin_out(found.times, Q, 0.5 * ANGLE, is_turn=True)


def mixed(track, t: np.ndarray) -> np.ndarray:
    """Return plain mixtures of the samples on both sides of times."""
    return np.stack([np.interp(t, track.times, track.values[:, i]) for i in range(track.values.shape[1])], axis=-1)


ANYWHERE = np.sort(np.random.default_rng(3).uniform(0.0, 10.0, 4000))


def test_that_what_comes_again_with_the_first_samples_is_not_taken_for_standing_still() -> None:
    # 6.4 times a second, and so at the same place at each of the first 65 samples, and at their middles.
    f = 12.8
    found, p, _ = tracks_of(motion(x=lambda t: np.sin(2 * np.pi * f * t)))
    assert np.ptp(np.sin(2 * np.pi * f * np.linspace(0, 10, 129))) < 1e-9
    off = np.abs(mixed(p, ANYWHERE)[:, 0] - np.sin(2 * np.pi * f * ANYWHERE))
    assert off.max() < LENGTH
    assert found.reached <= 1.0


@pytest.mark.parametrize("turns", [20.0, -20.0, 6.4])
def test_that_a_rotor_turns_as_fast_as_it_does_and_the_right_way(turns) -> None:
    w = 2 * np.pi * turns
    _, _, Q = tracks_of(motion(angle=lambda t: w * t, rate=abs(w)))
    plain = mixed(Q, ANYWHERE)
    plain /= np.linalg.norm(plain, axis=-1, keepdims=True)
    assert turn_between(plain, about_z(w * ANYWHERE)).max() < ANGLE
    assert len(Q.times) < 25_000


def test_that_a_jump_is_two_samples_close_together_and_no_error() -> None:
    found, p, _ = tracks_of(motion(x=lambda t: np.where(t < np.pi, 0.0, 1.0)))
    assert found.jumps == 1
    assert found.reached <= 1.0
    k = int(np.argmax(np.diff(p.values[:, 0])))
    assert p.times[k] <= np.pi <= p.times[k + 1]
    assert p.times[k + 1] - p.times[k] < 1e-4
    assert len(p.times) < 60


def test_that_what_vanishes_does_so_at_its_time_and_is_nowhere_wrong_meanwhile() -> None:
    gone = motion(x=lambda t: np.where(t < 2.5, 5.0 * t, 0.0), is_seen=lambda t: t < 2.5)
    found, _, _ = tracks_of(gone)
    seen = found.states.is_seen[:, 0]
    assert found.times[seen].max() == pytest.approx(2.5, abs=1e-4)
    assert found.times[~seen].min() == pytest.approx(2.5, abs=1e-4)
    assert len(found.times) < 700


def test_that_few_samples_are_said_to_be_too_few() -> None:
    found = sample_motion(motion(x=lambda t: np.sin(300 * t)), np.linspace(0, 10, 65), ALLOWED, most=1500)
    assert len(found.times) <= 1500 + 4
    assert 100 < found.reached <= 2.5 / LENGTH


def test_that_a_few_samples_are_enough_for_what_goes_evenly() -> None:
    _, p, Q = tracks_of(motion(x=lambda t: 3.0 * t))
    assert len(p.times) == 17
    assert len(Q.times) == 1


def test_that_times_are_those_that_single_precision_can_tell() -> None:
    found = sample_motion(motion(x=np.sin), 1e6 + np.linspace(0.0, 7.0, 30), ALLOWED, 10_000)
    since = found.times - 1e6
    assert np.array_equal(since, since.astype(np.float32).astype(float))
    assert (np.diff(since) > 0).all()
