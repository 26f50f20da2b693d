"""Linear fits with coloured noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from framescope.features.evidence.core.spectral_fit import WRONG_STATEMENT, Series, bands_of, fit, spectra_of

RNG = np.random.default_rng(3)
N = 2000
T = 0.05 * np.arange(N)


def _smooth(count: int) -> np.ndarray:
    white = RNG.normal(size=(N, count))
    kernel = np.hanning(21) / np.hanning(21).sum()
    return np.stack([np.convolve(column, kernel, mode="same") for column in white.T], axis=1)


def _series(y: np.ndarray, Z: np.ndarray) -> Series:
    return Series(T, y, Z, np.ones((N, 1)), np.array([1.0]), np.ones(N, dtype=bool))


def test_that_the_coefficients_of_a_series_are_found() -> None:
    Z = _smooth(3)
    theta = np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 0.5], [0.3, 0.0, 1.0]])
    found = fit(_series(Z @ theta.T + 0.01 * RNG.normal(size=(N, 3)), Z))
    assert found is not None
    assert found.is_telling
    assert found.theta == pytest.approx(theta, abs=0.02)
    chi = found.chi_squares(np.stack([theta, theta + 0.5]))
    assert (chi[0] < 2.0 * found.n).all()
    assert (chi[1] > 10.0 * found.n).all()


def test_that_a_constant_channel_does_not_count() -> None:
    Z = _smooth(3)
    y = Z.copy()
    y[:, :2] = 0.0
    found = fit(_series(y, Z))
    assert found is not None
    assert found.n[:2].tolist() == [0.0, 0.0]
    assert found.chi_squares(np.eye(3))[:2].tolist() == [0.0, 0.0]


def test_that_a_motion_about_an_oblique_axis_is_one_piece_of_evidence() -> None:
    Z = np.hstack([_smooth(1), np.zeros((N, 2))])
    noise = 0.003 * RNG.normal(size=(N, 3))
    turn = np.linalg.qr(np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 1.0], [1.0, 0.0, -1.0]]))[0]
    along, oblique = fit(_series(Z + noise, Z)), fit(_series((Z + noise) @ turn.T, Z))
    assert along is not None
    assert oblique is not None
    assert oblique.unexplained == pytest.approx(along.unexplained, rel=0.1)


def test_that_readings_without_a_relation_do_not_tell() -> None:
    found = fit(_series(_smooth(3), _smooth(3)))
    assert found is not None
    assert found.unexplained > -20.0


def test_that_too_few_rows_give_no_fit() -> None:
    Z = _smooth(3)
    is_good = np.zeros(N, dtype=bool)
    is_good[:10] = True
    assert fit(Series(T, Z, Z, np.ones((N, 1)), np.array([1.0]), is_good)) is None


def test_that_bands_cover_all_frequencies_in_order() -> None:
    bands = bands_of(1000)
    assert len(bands) == 1000
    assert set(np.diff(bands)) == {0, 1}


def test_that_a_gap_is_filled_without_the_noise_of_single_rows_and_without_steps() -> None:
    from framescope.features.evidence.core.spectral_fit import bridges_over, joined

    is_good = np.ones(N, dtype=bool)
    is_good[1000:1040] = False
    bridges = bridges_over(is_good)
    noise = np.diff(np.random.default_rng(1).normal(size=(N + 1, 3)), axis=0)
    assert np.std(joined(noise, bridges)[~is_good]) < 0.5
    ramp = T[:, None] * np.ones(3)
    filled = joined(ramp, bridges)
    assert filled == pytest.approx(ramp, abs=0.11)  # two rows of the mean of five
    assert joined(noise @ np.eye(3)[[2, 0, 1]], bridges) == pytest.approx(joined(noise, bridges)[:, [1, 2, 0]])


@pytest.mark.parametrize(("length", "most"), [(2, 0.01), (7, 0.02), (40, 0.02)])
def test_that_motion_does_not_leak_from_a_gap_into_fast_frequencies(length: int, most: float) -> None:
    from framescope.features.evidence.core.spectral_fit import bridges_over, joined

    t = 0.05 * np.arange(3000)
    motion = 4.0 * np.sin(2.0 * np.pi * np.outer(t, [0.11, 0.47, 0.83]) + [0.3, 1.1, 2.0])
    is_good = np.ones(3000, dtype=bool)
    for start in (310, 1270, 1430, 2810):
        is_good[start : start + length] = False
    filled = joined(motion, bridges_over(is_good)) * np.blackman(3000)[:, None]
    fast = np.abs(np.fft.rfft(filled, axis=0))[np.fft.rfftfreq(3000, 0.05) > 4.0]
    assert np.max(fast) / np.sqrt(3000.0) < most  # white noise has its standard deviation there


@pytest.mark.parametrize("seed", [2, 3])
def test_that_an_offset_that_wanders_is_no_motion(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 5000
    turn = 2e-4 * rng.normal(size=(n, 3))
    walk = 0.05 * np.cumsum(1.3e-4 * np.sqrt(0.05) * rng.normal(size=(n, 3)), axis=0)  # as of a gyroscope, rad/s/√s
    Z = walk + 2e-4 * rng.normal(size=(n, 3))
    t, is_good, N, precision = 0.05 * np.arange(n), np.ones(n, dtype=bool), np.ones((n, 1)), np.array([1e4])
    costs = []
    for wander in (0.0, 0.001 * 0.05):
        found = fit(Series(t, turn, Z, N, precision, is_good, 2.6e-3, 1.0, 1, wander=wander))
        assert found is not None
        costs.append(float(found.cost(found.chi_squares(np.eye(3)))))
    assert costs[0] > 10.0
    assert costs[1] < 1.0


def test_that_noise_of_features_in_most_bands_leaves_the_fit_of_a_slow_motion() -> None:
    rng = np.random.default_rng(2)
    motion = np.sin(2.0 * np.pi * 0.4 * T)[:, None] * [1.0, 0.0, 0.0]
    y, Z = (motion + np.diff(0.03 * rng.normal(size=(N + 1, 3)), axis=0) for _ in range(2))
    found = fit(_series(y, Z))
    assert found is not None
    assert found.theta[0, 0] == pytest.approx(1.0, abs=0.01)
    assert found.unexplained < -100.0


def test_that_coefficients_of_nothing_cost_what_no_relation_does() -> None:
    Z = _smooth(3)
    found = fit(_series(Z + 0.001 * RNG.normal(size=(N, 3)), Z))
    assert found is not None
    costs = [float(found.cost(found.chi_squares(c * np.eye(3)))) for c in (1.0, 0.0, -1.0)]
    assert costs[0] == pytest.approx(found.unexplained, abs=30.0)
    assert costs[1] == pytest.approx(0.0, abs=0.05 * abs(found.unexplained))
    assert costs[2] > costs[1]


def test_that_noise_of_features_is_no_evidence() -> None:
    rng = np.random.default_rng(4)
    y, Z = 1e-3 * np.diff(rng.normal(size=(N + 2, 3)), 2, axis=0), 2e-3 * rng.normal(size=(N, 3))
    with_noise, without = (fit(replace(_series(y, Z), noise=noise)) for noise in (2e-3, 0.0))
    assert with_noise is not None
    assert without is not None
    costs = [float(found.cost(found.chi_squares(np.eye(3)))) for found in (with_noise, without)]
    assert costs[0] < 3.0
    assert costs[0] <= costs[1]


def _slow_motion(noise: float, of_features: float, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns of two sensors in a slow motion of a milliradian, whose angles have white noise."""
    rng = np.random.default_rng(seed)
    angles = 1e-3 * np.stack([np.sin(2.0 * np.pi * f * np.append(T, T[-1] + 0.05)) for f in (0.1, 0.14, 0.19)], axis=1)
    y, Z = (np.diff(angles + sigma * rng.normal(size=(N + 1, 3)), axis=0) for sigma in (noise, of_features))
    return y, Z


def test_that_a_motion_below_the_usual_error_counts_if_the_readings_show_that_they_do_not_have_it() -> None:
    y, Z = _slow_motion(3e-5, 3e-5)
    found = fit(replace(_series(y, Z), error=2.6e-3, memory=1.0, order=1))
    assert found is not None
    assert found.unexplained < -50.0
    assert found.cost(found.chi_squares(np.eye(3))) == pytest.approx(found.unexplained, abs=3.0)
    assert found.cost(found.chi_squares(np.diag([1.0, 1.0, -1.0]))) > found.unexplained + 10.0


def test_that_noise_of_features_at_high_frequencies_leaves_the_fit_of_a_motion_below_the_usual_error() -> None:
    y, Z = _slow_motion(3e-5, 1.2e-4)
    found = fit(replace(_series(y, Z), error=2.6e-3, memory=1.0, order=1))
    assert found is not None
    assert found.is_telling
    assert np.diag(found.theta) == pytest.approx(np.ones(3), abs=0.2)


def test_that_readings_without_a_relation_do_not_tell_below_the_usual_error() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y, Z = (np.diff(sigma * rng.normal(size=(N + 1, 3)), axis=0) for sigma in (3e-5, 3e-4))
        found = fit(replace(_series(y, Z), error=2.6e-3, memory=1.0, order=1))
        assert found is not None
        assert found.unexplained > -8.0


def test_that_a_slow_motion_counts_beside_many_coefficients() -> None:
    rng = np.random.default_rng(6)
    slow = np.sin(2.0 * np.pi * np.outer(T, 0.01 * np.arange(1, 11)) + rng.uniform(0.0, 6.0, 10))
    y = slow @ rng.normal(size=(10, 3)) + 0.02 * rng.normal(size=(N, 3))
    found = fit(Series(T, y, slow, np.ones((N, 1)), np.array([1.0]), np.ones(N, dtype=bool)))
    assert found is not None
    assert np.all(found.n > 15.0)


def test_that_the_bias_of_a_sensor_is_no_relation_with_another() -> None:
    rng = np.random.default_rng(7)
    y, Z = 0.01 + 1e-3 * rng.normal(size=(N, 3)), 1e-3 * rng.normal(size=(N, 3))
    apart = fit(replace(_series(y, Z), has_bias=True))
    assert apart is not None
    assert apart.unexplained == 0.0


@pytest.mark.parametrize("length", [1, 4, 46])
def test_that_noise_of_second_differences_is_no_slow_motion_in_a_gap(length: int) -> None:
    y = np.diff(np.random.default_rng(8).normal(size=(N + 2, 3)), 2, axis=0)
    is_good = np.ones(N, dtype=bool)
    is_good[1000 : 1000 + length] = False
    plain = replace(_series(y, y), is_blue=True)
    with_gap = replace(plain, is_good=is_good)
    slow = [np.sqrt(np.mean(np.abs(spectra_of(series).Y[1:40]) ** 2)) for series in (plain, with_gap)]
    assert slow[1] < 4.0 * slow[0]  # 50 times as large if the noise of single rows fills the gap


def test_that_many_coefficients_that_do_nearly_the_same_explain_no_more_than_few() -> None:
    rng = np.random.default_rng(9)
    t = 0.05 * np.arange(2 * N)
    waves = np.sin(2.0 * np.pi * np.outer(t, 0.002 * np.arange(1, 9)) + rng.uniform(0.0, 6.0, 8))
    slow = waves @ rng.normal(size=(8, 3))
    R = np.eye(3).ravel() + 1e-2 * gaussian_filter1d(rng.normal(size=(2 * N, 9)), 40.0, axis=0)
    many = (R[:, :, None] * slow[:, None, :]).reshape(2 * N, 27)
    plain = Series(
        t, slow + rng.normal(size=(2 * N, 3)), slow, np.ones((2 * N, 1)), np.ones(1), np.ones(2 * N, dtype=bool)
    )
    every = [plain, replace(plain, Z=many, sizes=np.ones(27)), replace(plain, Z=many)]
    few, bound, free = (found.unexplained for series in every if (found := fit(series)) is not None)
    assert bound == pytest.approx(few, rel=0.05)
    assert free < 1.15 * few


def test_that_a_stated_lever_arm_that_is_wrong_costs_no_more_than_its_improbability() -> None:
    rng = np.random.default_rng(10)
    Z, by_lever = _smooth(3), _smooth(3)
    N_lever = np.repeat(by_lever[:, None, :], 3, axis=1)
    y = Z + 0.5 * by_lever[:, :1] + 0.2 * rng.normal(size=(N, 3))
    costs = []
    for sigma, doubted in ((1.0, None), (0.03, np.ones(3)), (0.03, None)):
        precision = np.full(3, 1.0 / sigma**2)
        found = fit(Series(T, y, Z, N_lever, precision, np.ones(N, dtype=bool), doubted=doubted))
        assert found is not None
        costs.append(float(found.cost_of(np.eye(3), found.chi_squares(np.eye(3)))))
    assert costs[1] == pytest.approx(costs[0] + WRONG_STATEMENT, abs=5.0)
    assert costs[2] > costs[1] + 20.0


def test_that_a_knock_is_not_as_many_pieces_of_evidence_as_it_fills_frequencies() -> None:
    rng = np.random.default_rng(11)
    motion = 0.01 * np.sin(2.0 * np.pi * np.outer(T, [0.11, 0.17, 0.23]))
    y, Z = (motion + 0.01 * rng.normal(size=(N, 3)) for _ in range(2))
    plain = fit(_series(y, Z))
    y[700], Z[700] = [0.0, 3.0, 0.0], [2.0, 2.0, 0.0]
    knocked = fit(_series(y, Z))
    assert plain is not None
    assert knocked is not None
    costs = [float(found.cost(found.chi_squares(np.eye(3)))) for found in (plain, knocked)]
    assert costs[1] == pytest.approx(costs[0], abs=10.0)
    assert knocked.n == pytest.approx(plain.n, rel=0.1)
