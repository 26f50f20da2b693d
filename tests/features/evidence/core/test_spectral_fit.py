"""Linear fits with coloured noise."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.evidence.core.spectral_fit import Series, bands_of, fit

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
