"""Linear fit of one series by others with coloured noise: normal equations over frequencies, weighted by the noise.

A measured series ``y`` (n, c) is ``y[:, c] = Z_c @ theta[c] + N_c @ nu[c] + noise``. The noise is stationary with an
unknown spectrum for each channel, which bands of the residual's periodogram estimate. A hypothesis fixes ``theta``. Its
residual follows from the normal equations, without the series.

Only bands count in which the features explain a good part of the series, under whichever coefficients, and the lowest
ones. Elsewhere both sides are noise, and would prove that they have nothing in common. The features are noisy, too:
that makes the free fit too small and its residual smaller than that of the truth, at most by the explained part of the
power.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.linear_systems import pinv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.transforms import series_of_spectrum, spectrum_of, transform_length

Flags = NDArray[np.bool_]

FIRST_BAND, GROWTH = 10, 1.35
"""Bins of the narrowest band of a spectrum, and the growth of the bands with frequency."""

COHERENT = 0.4
"""Explained part of the power of a band from which it counts."""

SIGNIFICANT = 3.5
"""Explained part from which a band counts, in standard deviations of its logarithm by chance."""

MODEL_ERROR = 0.004
"""Least noise, as a fraction of the measured series in a band."""

OUTLIER, MOST_OUTLIERS = 7.0, 0.05
"""Whitened residual of a row that is left out, in standard deviations, and largest fraction of such rows."""

SPIKE, LONGEST_SPIKE, MOST_SPIKES = 20.0, 3, 0.003
"""Size of a spike in the median of the whitened series, its largest number of rows, and largest part of all rows."""

LEAST_BEND = 8.0
"""Largest second difference of a series with a spike, in their root mean square."""

TAPER = 0.06
"""Part of a series at each end whose weight falls to zero, so that a step between the ends is not taken for motion."""

LOW = 0.4
"""Frequency below which a band always counts, Hz."""

WANDERING = 100.0
"""Correlation time of offsets that change with the temperature of a sensor, s."""

QUIET = 0.15
"""Weight of such a band if the features explain nothing of it: they, too, have noise there."""

SLOW = 2.0
"""Frequency of fast motion, Hz."""

TURNING = 2.0
"""Time over which turns are a motion, s."""

GAP_ENDS = 5
"""Largest number of rows whose lines are the ends of a short gap."""

SHORT_GAP, FADING, MOST_FADED = 10, 20, 50
"""Rows of a gap up to which it is short, rows in which motion fades at the ends of a longer one, and most of those."""

UNMEASURED = 1e-9
"""Range of a channel, as a part of the largest value, up to which it is constant and counts as not measured."""

FEWEST_ROWS = 24
"""Fewest good rows of a fit."""

GUESSED = 2.0
"""Degrees of freedom of the usual error of sensors: it is a guess, and right up to a factor of three of its power."""

LEAST_PART = 1e-3
"""Least weight of a band whose series the features do not explain, in the fit that measures the noise."""

MOST_TAKEN = 0.95
"""Largest part of the degrees of freedom of a band that coefficients take."""

WRONG_STATEMENT = 12.0
"""Improbability of a stated lever arm that is wrong, and of its three numbers."""

MOST_INDEPENDENT = 1000.0
"""Log-likelihood of one relation beyond which errors of the model are no longer independent."""

PASSES = 3
"""Estimates of the noise in turn with the fit."""


@dataclass(frozen=True, eq=False)
class Fading:
    """Rows at a gap that fade to a line between the means of the good rows `around` (g,) it, from `first` on.

    `kept` (m, 1) is the part of each row that is kept, and `weights` (m, g) give what takes the place of the rest.
    """

    first: int
    around: NDArray[np.int64]
    kept: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class Bridges:
    """Interpolation of bad rows: weights (b, 2 g) of the good rows (b, 2 g) before and after each bad row (b,).

    At the ends of long gaps, motion fades.
    """

    bad: NDArray[np.int64]
    rows: NDArray[np.int64]
    weights: Array
    fadings: tuple[Fading, ...] = ()


@dataclass(frozen=True, eq=False)
class Series:
    """Series of one comparison.

    Attributes
    ----------
    t : (n,)
        Middles of the windows, s.
    y : (n, c)
        Measured series.
    Z : (n, q) or (n, c, q)
        Features, the same for all channels or not.
    N : (n, m) or (n, c, m)
        Features with free coefficients in each channel, such as a bias.
    precision : (m,)
        Inverse variances of the coefficients of `N`, which are zero on average.
    is_good : (n,)
        Rows without gaps.
    error, memory
        Usual error of the sensors that no fit explains, such as that of a filter, and its correlation time, s.
    order
        Number of differences between windows in `y`.
    noise
        Standard deviation of white noise of the features, as their true coefficients bring it into a row.
    wander
        Usual change of a row, over some minutes, of what `N` takes for constant.
    has_bias
        Whether the measured series itself has an unknown constant, so that its mean tells nothing of a relation.
    is_blue
        Whether the noise grows with the frequency, as that of second differences does. A line through some noisy rows
        would fill a gap with more slow motion than the series has.
    sizes : (q,), optional
        Usual sizes of coefficients that are so many that they would explain narrow bands, or a single step, by chance.
    doubted : (m,), optional
        Inverse variances of the coefficients of `N` if what the recording states of them, such as a lever arm, is
        wrong.
    absorbs
        Whether the residual does not measure the error: free coefficients absorb it, or the series has no part in it.
    """

    t: Array
    y: Array
    Z: Array
    N: Array
    precision: Array
    is_good: Flags
    error: float = 0.0
    memory: float = 1.0
    order: int = 0
    noise: float = 0.0
    wander: float = 0.0
    has_bias: bool = False
    is_blue: bool = False
    sizes: Array | None = None
    doubted: Array | None = None
    absorbs: bool = False

    @property
    def width(self) -> float:
        """Width of a window, s."""
        return float(self.t[-1] - self.t[0]) / (len(self.t) - 1)

    @cached_property
    def bridges(self) -> Bridges:
        """Values of bad rows by good ones."""
        return bridges_over(self.is_good, 1 if self.is_blue else SHORT_GAP)

    def features(self, c: int) -> Array:
        """Return the features (n, q + m) of a channel."""
        Z = self.Z if self.Z.ndim == 2 else self.Z[:, c]
        N = self.N if self.N.ndim == 2 else self.N[:, c]
        return np.hstack([Z, N]) if N.shape[1] else Z

    def predict(self, theta: Array) -> Array:
        """Return the series (n, c) by coefficients (c, q)."""
        return self.Z @ theta.T if self.Z.ndim == 2 else np.einsum("ncq,cq->nc", self.Z, theta)


class Spectra(NamedTuple):
    """Spectra of a measured series (f, c), and of the features (f, p) of each channel, or once those of all."""

    Y: NDArray[np.complex128]
    F: list[NDArray[np.complex128]]

    def channels(self) -> Iterator[tuple[NDArray[np.complex128], NDArray[np.complex128]]]:
        """Yield the spectra of each channel: of the measured series (f,), and of its features (f, p)."""
        for c in range(self.Y.shape[1]):
            yield self.Y[:, c], self.F[min(c, len(self.F) - 1)]


@dataclass(frozen=True, eq=False)
class SpectralFit:
    """Normal equations of a `Series`, free of the nuisances, and the noise that the free fit leaves.

    Attributes
    ----------
    A : (c, q, q), B : (c, q), C : (c,)
        Weighted sums: ``C - 2 B @ theta + theta @ A @ theta`` is the chi-square of a channel.
    theta : (c, q)
        Free fit.
    n : (c,)
        Degrees of freedom of the bands that count.
    left_open
        Half the sum over these bands of the logarithm of the part of the power that no ``theta`` explains.
    explained, without : (c,)
        The same sum of each channel, positive, and what the chi-squares of no relation would lose.
    series
        The series, without outliers.
    weights : (f, c)
        Inverse noise by frequency; zero where nothing is explained.
    even_weights : (f, c)
        Inverse power by frequency, less where motion is fast: weights that do not depend on the fit.
    nuisance_information, nuisance_inverse : (c, m, m), nuisance_B : (c, m), nuisance_A : (c, m, q)
        Parts of the normal equations that give the nuisances.
    loosened : (c, m, m), optional
        What the inverse of the nuisances' information gains if what the recording states of them is wrong.
    is_telling
        Whether the features explain a good part of the series in any band.
    """

    A: Array
    B: Array
    C: Array
    theta: Array
    n: Array
    left_open: float
    explained: Array
    without: Array
    series: Series
    weights: Array
    even_weights: Array
    nuisance_information: Array
    nuisance_inverse: Array
    nuisance_B: Array
    nuisance_A: Array
    loosened: Array | None
    is_telling: bool

    @property
    def unexplained(self) -> float:
        """Least cost of any coefficients, see `cost`."""
        return float(bounded(np.asarray(self.left_open)))

    def chi_squares(self, theta: Array) -> Array:
        """Return the chi-squares (..., c) of coefficients (..., c, q)."""
        A_theta = np.squeeze(self.A @ theta[..., None], -1)
        return np.maximum(self.C + np.sum(theta * (A_theta - 2.0 * self.B), axis=-1), 0.0)

    def cost_of(self, theta: Array, chi_squares: Array, more: Array | float = 0.0) -> Array:
        """Return negative log-likelihoods of coefficients (..., c, q) with given chi-squares (..., c), see `cost`.

        What the recording states of the nuisances may be wrong, which is improbable.
        """
        cost = self.cost(chi_squares, more)
        if self.loosened is None:
            return cost
        rest = self.nuisance_B - np.einsum("cmq,...cq->...cm", self.nuisance_A, theta)
        gain = np.einsum("...cm,cmn,...cn->...c", rest, self.loosened, rest)
        return np.minimum(cost, self.cost(np.maximum(chi_squares - gain, 0.0), more) + WRONG_STATEMENT)

    def cost(self, chi_squares: Array, more: Array | float = 0.0) -> Array:
        """Return negative log-likelihoods of chi-squares (..., c), relative to no relation between the series.

        `more` (..., c) is the chi-square that further errors of the model explain.
        """
        ratio = np.maximum(chi_squares / np.maximum(self.n + more, 1.0), 1.0)
        loss = 0.5 * self.n * np.log(ratio)
        # The noise is one for all bands here: no relation at all would lose more than it does band by band.
        half = 0.5 * self.explained
        slope = half / np.maximum(self.without - half, 1e-9)
        bent = half + (np.minimum(loss, self.without) - half) * slope + np.maximum(loss - self.without, 0.0)
        losses = np.where((loss > half) & (self.without > self.explained), bent, loss)
        return bounded(self.left_open + np.sum(losses, axis=-1))

    def nuisances(self, theta: Array) -> Array:
        """Return the coefficients (c, m) of the nuisances for coefficients (c, q) of the features."""
        rest = self.nuisance_B - np.einsum("cmq,cq->cm", self.nuisance_A, theta)
        return np.einsum("cmn,cn->cm", self.nuisance_inverse, rest)

    def residual(self, theta: Array) -> Array:
        """Return the residual (n, c) of coefficients (c, q)."""
        nu, N = self.nuisances(theta), self.series.N
        by_nuisances = N @ nu.T if N.ndim == 2 else np.einsum("ncm,cm->nc", N, nu)
        return self.series.y - self.series.predict(theta) - by_nuisances

    @cached_property
    def moving(self) -> tuple[Array, Array]:
        """Mean (q,) of the features that all channels share, and the covariance (q, q) of their changes over time.

        Of features that are turns of windows it is that of turns over two seconds.
        """
        series = self.series
        Z = series.Z[series.is_good]
        if series.order:
            steps = max(int(TURNING / float(np.median(np.diff(series.t)))), 1)
            turns = np.cumsum(Z, axis=0)
            moved = turns[steps:] - turns[:-steps] if len(turns) > 2 * steps else turns
        else:
            moved = Z
        return Z.mean(axis=0), np.cov(moved, rowvar=False)

    @property
    def theta_covariance(self) -> Array:
        """Covariance (c, q, q) of the free fit."""
        return inverse(self.A)

    @property
    def bins(self) -> Array:
        """Degrees of freedom of each frequency (f,)."""
        return _bins(len(self.series.t), int(np.count_nonzero(self.series.is_good)))

    def spectrum(self, x: Array) -> NDArray[np.complex128]:
        """Return the spectrum of the good rows of series (n, k)."""
        return _spectrum(x, self.series)

    def whiten(self, x: Array) -> Array:
        """Return series (n, c) divided by the noise, which makes the noise white with unit variance.

        At both ends the series fade: a step between them would be taken for the largest motion of all.
        """
        n = transform_length(len(x))
        X = spectrum_of(joined(x, self.series.bridges) * _taper(len(x))[:, None], n)
        return series_of_spectrum(X * np.sqrt(self.weights), n)[: len(x)]


def bounded(cost: Array) -> Array:
    """Return negative log-likelihoods that fall with the logarithm beyond `MOST_INDEPENDENT`.

    The errors of the model are no noise: two copies of ten thousand poses do not prove a part in a thousand of what
    they would prove if each had an error of its own.

    Examples
    --------
    >>> bounded(np.array([30.0, -1000.0, -57618.0, -57702.0])).round(1).tolist()
    [30.0, -1000.0, -5053.8, -5055.3]
    """
    size = np.maximum(-cost / MOST_INDEPENDENT, 1.0)
    return np.where(size > 1.0, -MOST_INDEPENDENT * (1.0 + np.log(size)), cost)


def bands_of(count: int) -> NDArray[np.int64]:
    """Return the number of the band of each of some frequencies, from the lowest."""
    edges, width = [0], float(FIRST_BAND)
    while edges[-1] + 2 * width < count:
        edges.append(edges[-1] + int(width))
        width = max(FIRST_BAND, (GROWTH - 1.0) * edges[-1])
    bands = np.zeros(count, dtype=np.int64)
    bands[edges[1:]] = 1
    return np.cumsum(bands)


def fit(series: Series) -> SpectralFit | None:
    """Return the fit of a series without its outliers; None if too few rows are good."""
    found = fit_with_spectra(series)
    return None if found is None else found[0]


def fit_with_spectra(series: Series) -> tuple[SpectralFit, Spectra] | None:
    """Return the fit of a series without its outliers, and the spectra of that; None if too few rows are good."""
    if np.count_nonzero(series.is_good) < FEWEST_ROWS:
        return None
    spectra = spectra_of(series)
    is_spike = _is_spike(series, spectra.Y)
    if np.any(is_spike):
        series = replace(series, is_good=series.is_good & ~is_spike)
        spectra = spectra_of(series)
    first, white = _fit(series, spectra)
    usual = np.median(white[series.is_good], axis=0) / 0.6745
    is_wild = series.is_good & np.any(white > OUTLIER * usual, axis=1)
    if not np.any(is_wild) or np.mean(is_wild) > MOST_OUTLIERS:
        return first, spectra
    tame = replace(series, is_good=series.is_good & ~is_wild)
    spectra = spectra_of(tame)
    return _fit(tame, spectra)[0], spectra


def _is_spike(series: Series, Y: NDArray[np.complex128]) -> Flags:
    """Return the rows (n,) of single spikes of the measured series, such as knocks.

    They fill all frequencies, and would count as that many pieces of evidence, though each is one.
    """
    n = len(series.t)
    good = series.is_good
    bends = np.abs(np.diff(series.y, 2, axis=0))[good[2:] & good[1:-1] & good[:-2]]
    if len(bends) == 0 or np.all(bends.max(axis=0) < LEAST_BEND * np.sqrt(np.mean(bends**2, axis=0))):
        return np.zeros(n, dtype=bool)
    bands = bands_of(len(Y))
    power = _band_sums(bands, np.abs(Y) ** 2) / np.bincount(bands)[:, None]
    white = np.abs(series_of_spectrum(Y / np.sqrt(power + 1e-300)[bands], transform_length(n))[:n])
    usual = np.median(white[series.is_good], axis=0)
    is_large = series.is_good & np.any(white > SPIKE * usual, axis=1)
    starts, ends = (np.flatnonzero(np.diff(np.r_[False, is_large, False].astype(np.int8)) == k) for k in (1, -1))
    is_short = ends - starts <= LONGEST_SPIKE
    if not np.any(is_short) or np.sum((ends - starts)[is_short]) > MOST_SPIKES * n:
        return np.zeros(n, dtype=bool)
    edges = np.zeros(n + 1, dtype=np.int64)
    np.add.at(edges, np.maximum(starts[is_short] - 1, 0), 1)
    np.add.at(edges, np.minimum(ends[is_short] + 1, n), -1)
    is_spike: Flags = np.cumsum(edges[:-1]) > 0
    return is_spike


def spectra_of(series: Series) -> Spectra:
    """Return the spectra of the good rows of a series and its features."""
    is_shared = series.Z.ndim == 2 and series.N.ndim == 2
    F = [_spectrum(series.features(c), series) for c in range(1 if is_shared else series.y.shape[1])]
    return Spectra(_spectrum(series.y, series), F)


def _fit(series: Series, spectra: Spectra) -> tuple[SpectralFit, Array]:
    """Return the fit of the good rows, and the absolute values of its whitened residual (n, c)."""
    n, n_good, q = len(series.t), int(np.count_nonzero(series.is_good)), series.Z.shape[-1]
    Y, F = spectra
    bins, bands = _bins(n, n_good), bands_of(len(Y))
    # All that the noise of a band weighs: sums over its frequencies of products.
    FF, FY, YY = _products(Y, F, bins, bands)
    in_band = np.asarray(np.bincount(bands, bins), dtype=np.float64)[:, None]
    moving = _spectrum(series.y - series.y[series.is_good].mean(axis=0), series)
    moved = _band_sums(bands, bins[:, None] * np.abs(moving) ** 2)
    power = (moved if series.has_bias else YY) / in_band
    frequency = np.bincount(bands, np.arange(len(Y)) * bins)[:, None] / in_band / (transform_length(n) * series.width)
    every = np.arange(len(Y)) / (transform_length(n) * series.width)
    least = MODEL_ERROR**2 * power + 1e-18 * power.max(initial=0.0) + 1e-300 + series.noise**2
    usual = np.broadcast_to(np.bincount(bands, bins * _usual_error(series, every))[:, None] / in_band, power.shape)
    if series.absorbs:
        least, usual = least + usual, np.zeros_like(usual)
    loose = series.precision if series.doubted is None else series.doubted
    ridge = np.diag(np.concatenate([np.zeros(q) if series.sizes is None else series.sizes**-2.0, loose]))
    # Motion is slow: the first fit begins there, where the features are least noisy.
    slow = 1.0 + (frequency / SLOW) ** 4
    start = power + least + usual
    full, left, taken, S = _first_fit(start * slow, FF, FY, YY, in_band, least, usual, ridge)
    # Where noise of the features fills most bands it makes that fit too small; one by the strongest bands is right.
    other = _first_fit(np.mean(start, axis=0) * slow, FF, FY, YY, in_band, least, usual, ridge)
    gains = [np.sum(in_band * np.minimum(np.log(each / start), 0.0), axis=0) for each in (S, other[3])]
    is_better = gains[1] < gains[0]
    full = np.where(is_better[:, None], other[0], full)
    left, taken, S = (np.where(is_better, b, a) for a, b in zip((left, taken, S), other[1:], strict=True))
    R = Y - np.stack([features @ full[c] for c, (_, features) in enumerate(spectra.channels())], axis=1)
    white = np.abs(series_of_spectrum(R / np.sqrt(S[bands]), transform_length(n))[:n])
    explained = 1.0 - left / np.maximum(power, 1e-300)
    by_chance = np.sqrt(2.0 * taken / (in_band + 2.0) / np.maximum(in_band - taken, 1e-9))
    least = least + _usual_if_guessed(usual, left, in_band - taken)
    is_measured = _is_measured(series)
    # What is left is a part of the power, whose logarithm spreads by chance.
    counts = (explained > np.maximum(COHERENT, 1.0 - np.exp(-SIGNIFICANT * by_chance))) & is_measured
    # At low frequencies a relation that predicts much where nothing is measured counts, too. The noise of the series is
    # measured there, and that of the features is not, so that the usual error stays.
    is_slow = (frequency < LOW) & is_measured
    S_true = np.where(counts, S / np.maximum(explained, COHERENT), np.maximum(S, usual)).astype(np.float64)
    part = np.where(counts, 1.0, np.where(is_slow, QUIET, 0.0))
    weights = np.asarray(part / S_true, dtype=np.float64)
    A, B = _weighted(weights, FF, FY)
    C = np.sum(weights * YY, axis=0)
    nuisance_inverse = inverse(A[:, q:, q:] + np.diag(series.precision))
    drop = A[:, :q, q:] @ nuisance_inverse
    A_z = A[:, :q, :q] - drop @ A[:, q:, :q]
    B_z = B[:, :q] - np.einsum("cqn,cn->cq", drop, B[:, q:])
    C_z = C - np.einsum("cm,cmn,cn->c", B[:, q:], nuisance_inverse, B[:, q:])
    theta = np.einsum("cpq,cq->cp", inverse(A_z), B_z)
    explained_c = -0.5 * np.sum(np.where(counts, in_band * np.log(S_true / (power + least)), 0.0), axis=0)
    unexplained = -float(np.sum(explained_c)) + _counted_twice(Y, bins, bands, counts, power + least)
    n_c = np.sum(part * in_band, axis=0)
    C_moving = np.sum(weights * moved, axis=0)
    without = 0.5 * n_c * np.log(np.maximum(C_moving / np.maximum(n_c, 1.0), 1.0))
    return SpectralFit(
        A_z,
        B_z,
        C_z,
        theta,
        n_c,
        min(unexplained, 0.0),
        np.maximum(explained_c, 0.0),
        without,
        series,
        weights[bands],
        (1.0 / ((power + least) * slow))[bands],
        A[:, q:, q:],
        nuisance_inverse,
        B[:, q:],
        A[:, q:, :q],
        None if series.doubted is None else inverse(A[:, q:, q:] + np.diag(series.doubted)) - nuisance_inverse,
        bool(np.any(counts)),
    ), white


def _first_fit(
    S: Array, FF: Array, FY: Array, YY: Array, in_band: Array, least: Array, usual: Array, ridge: Array
) -> tuple[Array, Array, Array, Array]:
    """Return the coefficients (c, p) of all features by a first noise (b, c), and by bands what they leave.

    The other three (b, c) are the power that is left, the degrees of freedom that are taken, and the noise: what is
    left, and at least a part of the series and the `usual` error, as far as what is left allows.
    """
    left = taken = np.zeros_like(YY)
    full = np.zeros(FY.shape[1:])
    part = np.ones_like(YY)
    for _ in range(PASSES):
        A, B = _weighted(part / S, FF, FY)
        A_inverse = inverse(A + ridge)
        full = np.squeeze(A_inverse @ B[..., None], -1)
        rest = YY - 2.0 * np.sum(FY * full, axis=-1) + np.squeeze(_quadratic(FF, full), -1)
        taken = np.minimum(np.sum(FF * A_inverse, axis=(-1, -2)) * part / S, MOST_TAKEN * in_band)
        left = np.maximum(rest, 0.0) / (in_band - taken)
        S = np.maximum(left, least + _usual_if_guessed(usual, left, in_band - taken))
        # Where the features explain nothing they are noise, which makes the coefficients too small.
        part = np.clip(1.0 - left * in_band / np.maximum(YY, 1e-300), LEAST_PART, 1.0)
    return full, left, taken, S


def _usual_if_guessed(usual: Array, left: Array, freedom: Array) -> Array:
    """Return the usual error (b, c) after a measurement of the noise, by the degrees of freedom of both.

    A band with many degrees of freedom says itself how large the noise is: readings that agree to a tenth of the usual
    error do not have it. The mean of both is one of logarithms, as a power is known up to a factor.
    """
    share = GUESSED / (freedom + GUESSED)
    return np.minimum(usual, np.maximum(left, 1e-300) ** (1.0 - share) * usual**share)


def _counted_twice(Y: NDArray[Any], bins: Array, bands: NDArray[np.int64], counts: Flags, power: Array) -> float:
    """Return what channels have in common: half the logarithm of their powers over the determinant of their covariance.

    A motion about one axis that is oblique to the channels is one piece of evidence, and not one in each channel.
    """
    starts = np.flatnonzero(np.diff(bands, prepend=-1))
    products: Array = np.real(Y.conj()[:, :, None] * Y[:, None, :]) * bins[:, None, None]
    in_band = np.bincount(bands, bins)
    covariance = np.add.reduceat(products, starts, axis=0) / in_band[:, None, None]
    both = counts[:, :, None] & counts[:, None, :]
    scale = np.sqrt(power[:, :, None] * power[:, None, :]) + 1e-300
    correlation = np.where(both, covariance / scale, 0.0)
    c = Y.shape[1]
    correlation[:, range(c), range(c)] = 1.0
    k = np.sum(counts, axis=1)
    common = -0.5 * in_band * np.log(np.maximum(np.linalg.det(correlation), 1e-12))
    return float(np.sum(np.maximum(common - 0.5 * k * (k - 1.0), 0.0)))


def _is_measured(series: Series) -> Flags:
    """Return the channels (c,) that are measured: a planar odometry, for one, sends exact zeros for what it lacks."""
    y = series.y[series.is_good]
    spread = np.ptp(y, axis=0)
    return spread > UNMEASURED * np.maximum(spread.max(), np.abs(y).max())


def _products(
    Y: NDArray[Any], F: list[NDArray[Any]], bins: Array, bands: NDArray[np.int64]
) -> tuple[Array, Array, Array]:
    """Return sums over b bands: of features (b, 1 or c, p, p), with the series (b, c, p), of the series (b, c).

    `F` are the features (f, p) of each channel, or once those of all.
    """
    edges = np.flatnonzero(np.diff(bands, prepend=-1, append=bands[-1] + 1))
    FF, FY = list[Array](), list[Array]()
    root = np.sqrt(bins)[:, None]
    for k, features in enumerate(F):
        p = features.shape[1]
        parts = np.hstack([features, Y if len(F) == 1 else Y[:, k : k + 1]]) * root
        both: Array = np.stack([np.real(parts), np.imag(parts)])
        sums: Array = np.stack(
            [np.sum(np.swapaxes(x, -1, -2) @ x, axis=0) for x in (both[:, i:j] for i, j in itertools.pairwise(edges))]
        )
        FF.append(sums[:, None, :p, :p])
        FY.append(np.swapaxes(sums[:, :p, p:], -1, -2))
    YY = _band_sums(bands, bins[:, None] * np.abs(Y) ** 2)
    return np.concatenate(FF, axis=1), np.concatenate(FY, axis=1), YY


def _weighted(weights: Array, FF: Array, FY: Array) -> tuple[Array, Array]:
    """Return the normal equations (c, p, p) and (c, p) by the weights (b, c) of bands."""
    if FF.shape[1] == 1:
        b, _, p, _ = FF.shape
        A = (weights.T @ FF.reshape(b, p * p)).reshape(-1, p, p)
    else:
        A = np.einsum("bc,bcpq->cpq", weights, FF)
    return A, np.einsum("bc,bcp->cp", weights, FY)


def _quadratic(FF: Array, theta: Array) -> Array:
    """Return the power (b, c, 1) of each band that coefficients (c, p) give."""
    return np.sum((FF @ theta[..., None]) * theta[..., None], axis=-2)


def _usual_error(series: Series, frequency: Array) -> Array:
    """Return the spectrum (f,) of the usual error at frequencies: exponentially correlated, and differenced."""
    turns = 2.0 * np.pi * frequency
    level = series.error**2 * 2.0 * series.memory / series.width / (1.0 + (turns * series.memory) ** 2)
    slow = series.wander**2 * 2.0 * WANDERING / series.width / (1.0 + (turns * WANDERING) ** 2)
    return slow + level * (2.0 * np.sin(0.5 * np.minimum(turns * series.width, np.pi))) ** (2 * series.order)


def _bins(n: int, n_good: int) -> Array:
    length = transform_length(n)
    bins = np.full(length // 2 + 1, 2.0)
    bins[0] = 1.0
    if length % 2 == 0:
        bins[-1] = 1.0
    return bins * (n_good / length)


def _spectrum(x: Array, series: Series) -> NDArray[np.complex128]:
    """Return the spectrum of the good rows; white noise of variance 1 has the power 1 at each frequency."""
    taper = _taper(len(x))
    share = np.count_nonzero(series.is_good) / len(x)
    taper /= np.sqrt(share * np.sum(taper**2))
    return spectrum_of(joined(x, series.bridges) * taper[:, None], transform_length(len(x)))


def _taper(n: int) -> Array:
    """Return weights (n,) that fall smoothly to zero at both ends."""
    k = max(int(TAPER * n), 3)
    rise = 0.5 - 0.5 * np.cos(np.pi * (np.arange(k) + 0.5) / k)
    return np.concatenate([rise, np.ones(n - 2 * k), rise[::-1]])


def joined(x: Array, bridges: Bridges) -> Array:
    """Return series (n, k) with bad rows interpolated by bridges, which keeps linear relations between series.

    With zeros in place of them, a constant would leak into all frequencies. So does motion if a gap begins with a step
    or a kink: the few numbers that it has would count as all the frequencies that it fills.
    """
    if len(bridges.bad) == 0:
        return x
    whole = np.array(x, dtype=float)
    whole[bridges.bad] = (bridges.weights[:, None, :] @ x[bridges.rows])[:, 0]
    for fading in bridges.fadings:
        _fade(whole, fading)
    return whole


def _fade(x: Array, fading: Fading) -> None:
    """Let series (n, k) fade to a line at the ends of a gap."""
    line = fading.weights @ x[fading.around]
    rows = x[fading.first : fading.first + len(fading.kept)]
    rows *= fading.kept
    rows += line


@lru_cache(maxsize=64)
def _smooth_weights(n: int) -> Array:
    """Return the weights (n,) of a mean that rise from zero and fall to it.

    In a mean with even weights the noise of second differences is that of the first and last few rows: it would be
    taken for motion in all rows of a gap.
    """
    w: Array = np.sin(np.pi * np.arange(1, n + 1) / (n + 1)) ** 2
    return w / np.sum(w)


def bridges_over(is_good: Flags, short: int = SHORT_GAP) -> Bridges:
    """Return the bridges over the gaps of good rows.

    Gaps of up to `short` rows are cubic polynomials that go on as lines through some rows at their ends do. The noise
    of these rows would be taken for a slow motion of the length of a long gap, at whose ends the motion fades to a line
    between means over many rows. Beyond the first and last good row the series is constant.
    """
    rows, bad = np.flatnonzero(is_good), np.flatnonzero(~is_good)
    k = np.clip(np.searchsorted(rows, bad, side="right") - 1, 0, len(rows) - 2)
    length = rows[k + 1] - rows[k]
    part = np.clip((bad - rows[k]) / length, 0.0, 1.0)[:, None]
    rest, chord = 1.0 - part, (2.0 * part - 1.0) * part * (1.0 - part)
    rows_before, value_before, slope_before = _line(rows, k, -1, length)
    rows_after, value_after, slope_after = _line(rows, k + 1, 1, length)
    before = (rest - chord) * value_before + length[:, None] * part * rest**2 * slope_before
    after = (part + chord) * value_after - length[:, None] * part**2 * rest * slope_after
    weights = np.concatenate([before, after], axis=1)
    return Bridges(
        bad, np.concatenate([rows_before, rows_after], axis=1), weights, tuple(_fadings(is_good, rows, short))
    )


def _line(
    rows: NDArray[np.int64], k: NDArray[np.int64], way: int, length: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array, Array]:
    """Return good rows (b, g) on one side of bad ones, and their weights in the value and slope of a line at the first.

    It is a line through as many rows as the gap is long, within limits.
    """
    steps = np.arange(GAP_ENDS)
    at = k[:, None] + way * steps
    is_inside = (at >= 0) & (at < len(rows))
    at = np.clip(at, 0, len(rows) - 1)
    p = rows[at] - rows[k][:, None]
    w = (is_inside & (steps < np.maximum(length, 2)[:, None]) & (np.abs(p) < 2 * GAP_ENDS)).astype(float)
    n: Array = np.sum(w, axis=1, keepdims=True)
    P: Array = np.sum(w * p, axis=1, keepdims=True)
    PP: Array = np.sum(w * p * p, axis=1, keepdims=True)
    slope = w * (n * p - P) / np.maximum(n * PP - P * P, 1e-9)
    return rows[at], w / n - slope * P / n, slope


def _fadings(is_good: Flags, rows: NDArray[np.int64], short: int) -> Iterator[Fading]:
    """Yield the fadings at the ends of the longest gaps between good rows."""
    k = np.flatnonzero(np.diff(rows) > short)
    longest = k[np.argsort(-np.diff(rows)[k], kind="stable")][:MOST_FADED]
    for start, end in zip(rows[longest].tolist(), rows[longest + 1].tolist(), strict=True):
        first, last = max(start - FADING, 0), min(end + FADING, len(is_good) - 1)
        before, after = (
            first + np.flatnonzero(is_good[first : start + 1]),
            end + np.flatnonzero(is_good[end : last + 1]),
        )
        row = np.arange(first, last + 1, dtype=np.float64)
        away = np.clip(np.maximum(start - row, row - end) / (FADING + 1.0), 0.0, 1.0)
        kept = (0.5 - 0.5 * np.cos(np.pi * away))[:, None]
        w_before, w_after = _smooth_weights(len(before)), _smooth_weights(len(after))
        middle = float(w_before @ before)
        part = ((row - middle) / (float(w_after @ after) - middle))[:, None]
        weights = (1.0 - kept) * np.hstack([(1.0 - part) * w_before, part * w_after])
        yield Fading(first, np.concatenate([before, after]), kept, weights)


def _band_sums(bands: NDArray[np.int64], x: Array) -> Array:
    sums: Array = np.stack([np.bincount(bands, column) for column in x.T], axis=1).astype(float)
    return sums


def inverse(A: Array) -> Array:
    """Return the inverses of symmetric matrices (..., q, q), with zeros for what they leave open."""
    if A.shape[-1] == 0:
        return A
    size = np.sqrt(np.maximum(np.einsum("...qq->...q", A), 1e-300))
    size = np.maximum(size, 1e-9 * size.max(axis=-1, keepdims=True))
    scaled = A / size[..., :, None] / size[..., None, :]
    return pinv(scaled, 1e-9) / size[..., :, None] / size[..., None, :]
