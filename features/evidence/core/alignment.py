"""Delay and clock drift between the two sides of a relation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.linear_systems import pinv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.spectral_fit import Flags, Spectra, SpectralFit, inverse
from framescope.features.evidence.core.transforms import series_of_spectrum, transform_length

LARGEST_DELAY = 1.2
"""Largest delay that is searched, s."""

SIGNIFICANT = 30.0
"""Decrease of chi-square above which a delay is taken back before a comparison."""

FINE = 4
"""Delays that are tried in the width of a window."""

SLOW = 0.1
"""Least ratio of chi-square explained by a delay to that of the whole relation, for a delay to be told."""


FOLDED = 32.0
"""Length of a correlation, in its largest lag, beyond which it may fold."""


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


def coarse_delay(fit: SpectralFit, spectra: Spectra) -> tuple[float, float]:
    """Return the likeliest delay, s, and the decrease of chi-square by it.

    The noise that a fit leaves at no delay is mostly the motion that a large delay displaces, so that its weights would
    hide this delay: all frequencies count alike.
    """
    series = fit.series
    n, width = len(series.t), series.width
    reach = min(max(LARGEST_DELAY, 2.0 * width), n * width / 8.0)
    steps = int(reach / width * FINE)
    lags = np.arange(-steps, steps + 1)
    q = series.Z.shape[-1]
    gain = np.zeros(len(lags))
    n_good = np.count_nonzero(series.is_good)
    for c, (Y, F) in enumerate(spectra.channels()):
        w = fit.even_weights[:, c]
        crossed = n_good * correlation(F.conj() * (w * Y)[:, None], lags, transform_length(n))
        A = (F.conj().T @ (F * (fit.bins * w)[:, None])).real
        A[range(q, len(A)), range(q, len(A))] += series.precision
        gain += np.einsum("lp,pq,lq->l", crossed, inverse(A), crossed)
    best = int(np.argmax(gain))
    return float(lags[best] * width / FINE), float(gain[best] - gain[steps])


def correlation(products: NDArray[np.complex128], steps: NDArray[np.int64], length: int) -> Array:
    """Return a correlation (l, q) at lags of some steps, by its cross-spectrum (f, q) over a transform of a length.

    Over lags that are short beside the series, neighbouring frequencies have nearly one phase, and are summed first.
    """
    half = max(int(FINE * length / (FOLDED * max(int(steps.max()), 1))) - 1, 0) // 2
    if half == 0:
        return FINE * series_of_spectrum(products, FINE * length)[steps]
    block = 2 * half + 1
    both = np.concatenate([products[half:0:-1].conj(), products])
    count = len(both) // block
    sums = both[: count * block].reshape(count, block, -1).sum(axis=1)
    turns = 2.0 * np.pi / (FINE * length) * steps
    shape = np.where(steps == 0, block, np.sin(0.5 * block * turns) / np.sin(0.5 * turns + (steps == 0))) / block
    phases = np.exp(1j * np.outer(turns, block * np.arange(count)))
    phases[:, 1:] *= 2.0
    return np.real(phases @ sums) / np.asarray(length * shape[:, None], dtype=np.float64)


def slopes(x: Array, t: Array, is_good: Flags) -> Array:
    """Return the rates (n, k) of change of series by the good neighbours of each row; zero without any.

    Beside a gap that of one side counts: a slope that is missing there would hold a delay at zero.
    """
    both = (is_good[1:] & is_good[:-1])[:, None]
    step = np.where(both, np.diff(x, axis=0) / np.diff(t)[:, None], 0.0)
    before, after = ((1, 0), (0, 0)), ((0, 1), (0, 0))
    total = np.pad(step, before) + np.pad(step, after)
    count = np.pad(both.astype(float), before) + np.pad(both.astype(float), after)
    return total / np.maximum(count, 1.0)


def refine(fit: SpectralFit, theta: Array, spectra: Spectra) -> Lag:
    """Return the small delay and drift that remain, with the relation free; `theta` (c, q) predicts the rates."""
    series = fit.series
    middle = 0.5 * float(series.t[0] + series.t[-1])
    predicted = series.predict(theta)
    slope = slopes(predicted, series.t, series.is_good)
    n_features = series.Z.shape[-1]
    q = n_features + series.N.shape[-1]
    H, b = np.zeros((2, 2)), np.zeros(2)
    for c, (Y, base) in enumerate(spectra.channels()):
        extra = fit.spectrum(np.stack([slope[:, c], slope[:, c] * (series.t - middle)], axis=1))
        w = fit.bins * fit.weights[:, c]
        used = w > 0.0
        F, w = np.hstack([base[used], extra[used]]), w[used]
        A = (F.conj().T @ (F * w[:, None])).real
        B = (F.conj().T @ (w * Y[used])).real
        A[range(n_features, q), range(n_features, q)] += series.precision
        solve = A[q:, :q] @ inverse(A[:q, :q])
        H += A[q:, q:] - solve @ A[:q, q:]
        b += B[q:] - solve @ B[:q]
    covariance = pinv(H, 1e-12)
    delay, drift = -covariance @ b
    return Lag(float(delay), float(drift), covariance, middle)
