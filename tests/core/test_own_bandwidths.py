"""Bandwidths of recordings: one for positions and one for orientations, by the noise of each where none is stated."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.kernels.validation import Array
from framescope.core.recordings import outliers
from framescope.core.recordings.pose_spline import Bandwidths, Recording, smooth
from framescope.core.recordings.smoothing import Stated, facts, fit
from framescope.core.scene.schema.model import Scene
from framescope.features.causes.core.rate_checks import rate_problems
from tests.support.noisy_motions import (
    NOISY,
    Motion,
    NoisyMotion,
    boat,
    rate_errors,
    record,
    times_the_best,
    true_rates,
    wrist,
)

MOST = 1.3
"""How much larger an error may be than with the best bandwidth."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "spiked"),
    [
        *(pytest.param(case, 0.0, id=f"{case}-noise") for case in NOISY),
        *(pytest.param(case, 0.005, id=f"{case}-noise and spikes") for case in NOISY[::2]),
        *(pytest.param(case, 0.005, id=f"{case}-noise and spikes", marks=pytest.mark.soak) for case in NOISY[1::2]),
    ],
)
def test_that_rates_are_as_good_as_with_the_best_bandwidth_of_each(case: NoisyMotion, spiked: float) -> None:
    v, w = times_the_best(case, 3, spiked)
    assert max(v, w) < MOST


def burst(first: float, last: float) -> Motion:
    """Return a motion that moves in a part of the time alone."""

    def motion(t: Array) -> tuple[Array, Array]:
        u = np.clip((t - first) / 0.5, 0.0, 1.0) * np.clip((last - t) / 0.5, 0.0, 1.0)
        p, angles = wrist(t)
        u = (u * u * (3.0 - 2.0 * u))[:, np.newaxis]
        return u * p, u * angles

    return motion


@pytest.mark.parametrize("during", [(0.0, 6.0), (28.0, 32.0), (55.0, 60.0)])
def test_that_a_movement_counts_wherever_in_the_recording_it_is(during: tuple[float, float]) -> None:
    assert max(times_the_best(NoisyMotion(burst(*during), 100.0, 60.0, 1e-3, 2e-3), 1)) < MOST


@pytest.mark.parametrize("case", NOISY[:4], ids=str)
def test_that_the_expected_error_is_what_it_is(case: NoisyMotion) -> None:
    recording = record(case, 8)
    accuracy = fit(recording, Stated())[1].accuracy
    v, w = rate_errors(case, recording, None)
    assert 0.5 * accuracy.velocity_error < v < 1.1 * accuracy.velocity_error
    assert 0.5 * accuracy.angular_velocity_error < w < 1.1 * accuracy.angular_velocity_error


# --- Stated bandwidths


def plan_of(folder: Path, recording: Recording, measured: dict[str, object] | None = None, **motion: object) -> Plan:
    np.savetxt(folder / "a.txt", np.column_stack([recording.t, recording.p_PF, recording.Q_PF]), fmt="%.12g")
    recorded = {"form": "recorded", "file": "a.txt", "format": "tum", **motion}
    scene = {"framescope": 1, "time": {"start": "0 s", "end": "29 s"}, "measured": measured or {},
             "frames": {"f": {"parent": "world", "motion": recorded}}}  # fmt: skip
    return compile_plan(Scene.model_validate(scene), folder)


@pytest.mark.parametrize(
    ("stated", "words", "expected"),
    [
        ({"bandwidth": "2 Hz"}, "rates: smoothed at 2 Hz, as stated", Bandwidths(2.0, 2.0)),
        (
            {"bandwidth": "2 Hz", "orientation_bandwidth": "3 Hz"},
            "rates: smoothed at 2 Hz in position and 3 Hz in orientation, as stated",
            Bandwidths(2.0, 3.0),
        ),
    ],
)
def test_that_one_bandwidth_is_of_both_and_another_of_the_orientation(
    tmp_path: Path, stated: dict[str, str], words: str, expected: Bandwidths
) -> None:
    smoothing = plan_of(tmp_path, record(NOISY[3], 1), **stated).tree.motions[1].smoothing
    assert smoothing.bandwidths == expected
    assert words in facts(smoothing)


def test_that_the_position_keeps_the_bandwidth_of_its_noise_where_that_of_the_orientation_is_stated(tmp_path) -> None:
    recording = record(NOISY[3], 1)
    usual = plan_of(tmp_path, recording).tree.motions[1].smoothing.bandwidths
    smoothing = plan_of(tmp_path, recording, orientation_bandwidth="3 Hz").tree.motions[1].smoothing
    assert smoothing.bandwidths == replace(usual, orientation_hz=3.0)
    assert smoothing.is_estimated


# --- Spikes and jumps


def test_that_a_spike_is_in_the_pose_and_makes_no_rate(tmp_path: Path) -> None:
    recording = record(NOISY[0], 4)
    p = recording.p_PF.copy()
    p[[1200, 1201, 2500]] += [0.3, -0.2, 0.1]
    spiked = replace(recording, p_PF=p)
    usual, found = (smooth(each, 1.2).sample(recording.t)[3] for each in (recording, spiked))
    assert np.abs(found - usual).max() < 1e-3
    motion = plan_of(tmp_path, spiked).tree.motions[1]
    assert motion.own_pose(recording.t[1200:1201])[1][0] == pytest.approx(p[1200], abs=1e-8)


def test_that_rates_do_not_know_of_a_jump() -> None:
    t = np.arange(0.0, 10.0, 0.02)
    place = np.stack([0.5 * t, np.sin(t), 0.0 * t], axis=-1)
    place[t >= 5.0] += [3.0, 1.0, 0.0]
    spline = smooth(Recording(t, place, np.tile([0.0, 0.0, 0.0, 1.0], (len(t), 1))), 3.0)
    _, p, _, v, *_ = spline.sample(np.array([4.95, 4.99, 5.0, 5.05]))
    assert v[:, 0] == pytest.approx(0.5, abs=1e-9)
    assert v[:, 1] == pytest.approx(math.cos(5.0), abs=0.1)
    assert p[:, 0] == pytest.approx([2.475, 2.495, 5.5, 5.525], abs=1e-9)


@pytest.mark.parametrize(
    "shape",
    [np.abs, np.sign, np.floor, lambda x: np.maximum(x, 0.0), lambda x: np.where(x < 0.0, 0.0, x**2), np.sin,
     lambda x: np.clip(40.0 * x, -1.0, 1.0)],
    ids=["corner", "step", "steps", "start", "push", "sine", "quick move"],
)  # fmt: skip
@pytest.mark.parametrize("noise", [0.0, 1e-4])
def test_that_kinks_steps_and_quick_moves_are_no_spikes(shape, noise: float) -> None:
    x = np.linspace(-3.03, 3.0, 300)
    y = np.stack([shape(x), 0.3 * shape(x), 0.0 * x], axis=-1)
    y += np.random.default_rng(2).normal(0.0, noise, y.shape)
    assert outliers.spikes(x, y).size == 0


@pytest.mark.parametrize("together", [(0,), (0, 1), (0, 2), (0, 1, 3)])
def test_that_spikes_are_found_however_they_stand_together(together: tuple[int, ...]) -> None:
    case = NoisyMotion(boat, 50.0, 20.0, 2e-3, 1e-3)
    recording = record(case, 5)
    rows = 400 + np.array(together)
    p = recording.p_PF.copy()
    p[rows] += [0.1, 0.0, -0.05]
    assert outliers.spikes(recording.t, p).tolist() == rows.tolist()
    turned = p @ np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]) + 7.0
    assert outliers.spikes(recording.t, turned).tolist() == rows.tolist()


# --- Alarms


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("bandwidth", [None, "36 Hz"], ids=["by the noise", "far too large"])
def test_that_what_is_below_the_stated_noise_is_no_alarm(tmp_path: Path, seed: int, bandwidth: str | None) -> None:
    case = NoisyMotion(boat, 100.0, 30.0, 0.0, 1e-3)
    t = np.arange(1.0, 29.0, 0.005)
    w = true_rates(case, t)[1]
    w = w + np.random.default_rng(seed).normal(0.0, 0.003, w.shape)
    np.savetxt(tmp_path / "g.csv", np.column_stack([t, w]), header="t,x,y,z", comments="", delimiter=",", fmt="%.7f")
    gyro = {"form": "angular velocity", "of": "f", "relative_to": "world", "resolved_in": "f", "unit": "rad/s",
            "file": "g.csv", "time": "t", "time_unit": "s", "values": ["x", "y", "z"], "start": "1 s"}  # fmt: skip
    motion = {} if bandwidth is None else {"bandwidth": bandwidth}
    plan = plan_of(tmp_path, record(case, seed), {"gyro": gyro}, **motion)
    assert list(rate_problems(plan)) == []
