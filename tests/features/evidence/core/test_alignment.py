"""Correlations over short lags, by all frequencies and by sums of neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.fft import irfft, rfft
from scipy.ndimage import gaussian_filter1d

from framescope.features.evidence.core.alignment import FINE, coarse_delay, correlation, refine, slopes
from framescope.features.evidence.core.spectral_fit import Series, fit, spectra_of

DELAY = 0.35
"""Delay of the measured series, s."""


def _series(n: int, delay: float, seed: int = 3) -> Series:
    rng = np.random.default_rng(seed)
    width = 0.05
    t = width * np.arange(n)
    fine = gaussian_filter1d(rng.normal(size=(20 * n + 2000, 3)), 100.0, axis=0)
    at = 1000 + 20 * np.arange(n)
    Z = fine[at] / fine.std()
    y = fine[at - round(20 * delay / width)] / fine.std()
    noise = 0.02 * rng.normal(size=y.shape)
    return Series(t, y + noise, Z, np.zeros((n, 0)), np.zeros(0), np.ones(n, dtype=bool))


@pytest.mark.parametrize("n", [400, 30_000])
def test_that_a_delay_is_found_in_short_and_long_series(n: int) -> None:
    found = fit(_series(n, DELAY))
    assert found is not None
    delay, gain = coarse_delay(found, spectra_of(found.series))
    assert delay == pytest.approx(DELAY, abs=0.05 / FINE)
    assert gain > 10.0


def test_that_no_delay_is_found_where_there_is_none() -> None:
    found = fit(_series(30_000, 0.0))
    assert found is not None
    spectra = spectra_of(found.series)
    assert coarse_delay(found, spectra) == (0.0, 0.0)
    step = refine(found, found.theta, spectra)
    assert abs(step.delay) < 4.0 * np.sqrt(step.covariance[0, 0])


def test_that_sums_of_neighbouring_frequencies_keep_a_correlation() -> None:
    rng = np.random.default_rng(0)
    x = gaussian_filter1d(rng.normal(size=36_000), 6.0)
    products = (rfft(x).conj() * rfft(np.roll(x, 7)))[:, np.newaxis]
    steps = np.arange(-96, 97)
    exact = FINE * irfft(products, n=FINE * len(x), axis=0)[steps]
    quick = correlation(products, steps, len(x))
    assert quick == pytest.approx(exact, abs=2e-3 * np.abs(exact).max())
    assert np.argmax(quick) == np.argmax(exact)


def test_that_slopes_beside_a_gap_are_those_of_one_side() -> None:
    t = np.arange(6.0)
    x = np.array([0.0, 1.0, 4.0, 99.0, 16.0, 25.0])[:, None]
    is_good = np.array([True, True, True, False, True, False])
    assert slopes(x, t, is_good)[:, 0].tolist() == [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]


def test_that_the_units_of_features_do_not_matter_for_a_delay() -> None:
    rng = np.random.default_rng(4)
    t = 0.05 * np.arange(400)
    Z, N = (gaussian_filter1d(rng.normal(size=(400, 3)), 30.0, axis=0) for _ in range(2))
    Z /= Z.std()
    y = Z + 3.0 * N[:, :1] / N.std() + 0.02 * rng.normal(size=Z.shape)
    steps = []
    for size in (1.0, 1e-6):
        series = Series(t, size * y, size * Z, N, np.full(3, 1e-4 / size**2), np.ones(400, dtype=bool))
        found = fit(series)
        assert found is not None
        steps.append(refine(found, found.theta, spectra_of(found.series)))
    assert steps[1].delay == pytest.approx(steps[0].delay, abs=1e-4)
    assert abs(steps[1].delay) < 3.0 * np.sqrt(steps[1].covariance[0, 0])
