"""Delay and clock drift between the two sides of a relation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_systems import pinv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.spectral_fit import Flags, SpectralFit, transform_length

LARGEST_DELAY = 1.2
"""Largest delay that is searched, s."""

SIGNIFICANT = 30.0
"""Decrease of chi-square above which a delay is taken back before a comparison."""

FINE = 4
"""Delays that are tried in the width of a window."""

SLOW = 0.1
"""Least ratio of chi-square explained by a delay to that of the whole relation, for a delay to be told."""


@dataclass(frozen=True)
class Lag:
    """Delay of the first member of a relation behind the others, and its rate.

    Attributes
    ----------
    delay, drift
        Delay at the middle of the series, s, and its change per second.
    covariance : (2, 2)
        Covariance of both.
    middle
        Middle of the series, s.
    """

    delay: float
    drift: float
    covariance: Array
    middle: float


def coarse_delay(fit: SpectralFit) -> tuple[float, float]:
    """Return the likeliest delay, s, and the decrease of chi-square by it."""
    series = fit.series
    n, width = len(series.t), series.width
    reach = min(max(LARGEST_DELAY, 2.0 * width), n * width / 8.0)
    steps = int(reach / width * FINE)
    lags = np.arange(-steps, steps + 1)
    q = series.Z.shape[-1]
    gain = np.zeros(len(lags))
    Y = fit.spectrum(series.y) * np.sqrt(np.count_nonzero(series.is_good))
    F, covariance = None, fit.theta_covariance
    for c in range(Y.shape[1]):
        if F is None or series.Z.ndim == 3 or series.N.ndim == 3:
            F = fit.spectrum(series.features(c)) * np.sqrt(np.count_nonzero(series.is_good))
        crossed = (
            np.fft.irfft(F.conj() * (fit.weights[:, c] * Y[:, c])[:, None], n=FINE * transform_length(n), axis=0)[lags]
            * FINE
        )
        b = crossed[:, :q] - crossed[:, q:] @ fit.nuisance_inverse[c] @ fit.nuisance_A[c]
        gain += np.einsum("lp,pq,lq->l", b, covariance[c], b)
    best = int(np.argmax(gain))
    return float(lags[best] * width / FINE), float(gain[best] - gain[steps])


def refine(fit: SpectralFit, theta: Array) -> Lag:
    """Return the small delay and drift that remain, with the relation free; `theta` (c, q) predicts the rates."""
    series = fit.series
    middle = 0.5 * float(series.t[0] + series.t[-1])
    predicted = series.predict(theta)
    slope = np.gradient(predicted, series.t, axis=0)
    is_good: Flags = series.is_good & np.roll(series.is_good, 1) & np.roll(series.is_good, -1)
    slope = np.where(is_good[:, None], slope, 0.0)
    n_features = series.Z.shape[-1]
    q = n_features + series.N.shape[-1]
    H, b = np.zeros((2, 2)), np.zeros(2)
    Y, base = fit.spectrum(series.y), None
    for c in range(Y.shape[1]):
        extra = fit.spectrum(np.stack([slope[:, c], slope[:, c] * (series.t - middle)], axis=1))
        if base is None or series.Z.ndim == 3 or series.N.ndim == 3:
            base = fit.spectrum(series.features(c))
        F = np.hstack([base, extra])
        w = fit.bins * fit.weights[:, c]
        A = (F.conj().T @ (F * w[:, None])).real
        B = (F.conj().T @ (w * Y[:, c])).real
        A[range(n_features, q), range(n_features, q)] += series.precision
        solve = A[q:, :q] @ pinv(A[:q, :q], 1e-10)
        H += A[q:, q:] - solve @ A[:q, q:]
        b += B[q:] - solve @ B[:q]
    covariance = pinv(H, 1e-12)
    delay, drift = -covariance @ b
    return Lag(float(delay), float(drift), covariance, middle)
