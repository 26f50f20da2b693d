"""Values of a joint compared with its values by transforms: the unit, sign, offset or delay that makes them agree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.account import FaultKind
from framescope.features.evidence.core.mean_squares import root_mean_square

SAME = {True: 5e-3, False: 1e-3}
"""Difference of two values of a joint that counts as none, by whether it is an angle: rad, m."""

SAME_PART = 0.02
"""Difference that counts as none, as a fraction of the motion of the joint; two sources sample at other times."""

FEWEST = 5
"""Fewest times of a comparison."""

LONGEST_STEP = {True: 0.5, False: 0.05}
"""Motion between two states above which nothing is interpolated, by whether the value is an angle: rad, m."""

FAST = 0.2
"""Part of steps beyond half a round from which they are those of a fast wheel, not of values from -pi to pi."""

MOVES = 10.0
"""Motion in multiples of `SAME` from which two faults at once are told apart."""

LONGEST_DELAY, LEAST_DELAY, DELAY_STEP = 0.5, 0.02, 0.01
"""Delays that are tried, and from which one is reported, and their step, s."""

FACTORS: dict[bool, dict[str, float]] = {
    True: {"in degrees": math.degrees(1.0)},
    False: {"in millimetres": 1e3, "in centimetres": 1e2},
}
"""Units by whether the value is an angle: words, and the factor by which a value reads too large."""


@dataclass(frozen=True)
class JointFault:
    """Fault of the values of a joint: kind, words that complete "… is", and size in SI units, as in `account.Fault`."""

    kind: FaultKind
    words: str
    value: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class JointFit:
    """Values that a state gives for the transforms of a joint, under the simplest faults that explain them.

    Attributes
    ----------
    faults
        The faults; empty if the values agree as stated.
    is_explained
        Whether the values agree once the faults are taken back.
    t : (n,)
        Times of the comparison, s.
    before, after : (n,)
        Differences as stated, and with the faults taken back, rad or m.
    apart
        Root mean square difference of the best rival, in multiples of that which counts as none.
    """

    faults: tuple[JointFault, ...]
    is_explained: bool
    t: Array
    before: Array
    after: Array
    apart: float


@dataclass(frozen=True)
class _Trial:
    factor: float
    faults: tuple[JointFault, ...]


def fit_joint(t_states: Array, states: Array, t_sent: Array, sent: Array, *, is_angle: bool) -> JointFit | None:
    """Return how the states of a joint fit its values by transforms; None if too few can be compared.

    Parameters
    ----------
    t_states, states : (n,)
        Times, s, which increase, and values by joint states, rad or m as stated.
    t_sent, sent : (m,)
        Times, s, and values by transforms, rad from -pi to pi, or m.
    is_angle
        Whether the value is an angle, which counts modulo a round.
    """
    compared = [(trial, *_differences(trial, t_states, states, t_sent, sent, is_angle)) for trial in _trials(is_angle)]
    plain_t, before = compared[0][1:]
    if max(len(t) for _, t, _ in compared) < FEWEST:
        return None
    spread = _spread(sent, is_angle)
    limit = SAME[is_angle] + SAME_PART * spread
    moves = spread > MOVES * SAME[is_angle]
    fits: list[tuple[int, float, tuple[JointFault, ...], Array, Array]] = []
    for trial, t, difference in compared:
        if len(t) < max(FEWEST, len(plain_t) // 2):
            continue
        offset = _center(difference, is_angle)
        shifted = _wrapped(difference - offset, is_angle)
        fits.append((len(trial.faults), root_mean_square(difference, np.inf), trial.faults, t, difference))
        if len(trial.faults) == 0 or moves:
            faults = (*trial.faults, _bias(-offset * trial.factor, is_angle))
            fits.append((len(faults), root_mean_square(shifted, np.inf), faults, t, shifted))
    for count in range(4):
        good = [fit for fit in fits if fit[0] == count and fit[1] <= limit]
        if good:
            _, rms, faults, t, after = min(good, key=lambda fit: (_is_offset(fit[2]), fit[1]))
            others = [fit[1] for fit in fits if fit[0] <= count and fit[2] != faults]
            is_same = len(before) == len(after)
            stated = before if is_same else _again(t, t_states, states, t_sent, sent, is_angle)
            return JointFit(faults, True, t, stated, after, max(min(others, default=np.inf), rms) / limit)
        if count == 1 and moves:
            late = _late(t_states, states, t_sent, sent, limit, is_angle)
            if late is not None:
                return late
    if len(before) < FEWEST:
        return None
    return JointFit((), False, plain_t, before, before, root_mean_square(before, np.inf) / limit)


def _trials(is_angle: bool) -> Iterator[_Trial]:
    sign = JointFault("sign", "of opposite sign")
    yield _Trial(1.0, ())
    yield _Trial(-1.0, (sign,))
    for words, factor in FACTORS[is_angle].items():
        unit = JointFault("unit", words, (factor,))
        yield _Trial(factor, (unit,))
        yield _Trial(-factor, (unit, sign))


def _bias(offset: float, is_angle: bool) -> JointFault:
    size = f"{offset:.3g} rad ({math.degrees(offset):.3g}°)" if is_angle else f"{offset:.3g} m"
    return JointFault("bias", f"off by {size.replace('-', '−')}", (offset,))


def _is_offset(faults: tuple[JointFault, ...]) -> bool:
    return any(fault.kind == "bias" for fault in faults)


def _differences(
    trial: _Trial, t_states: Array, states: Array, t_sent: Array, sent: Array, is_angle: bool
) -> tuple[Array, Array]:
    """Return times and the differences of transforms and states, each divided by a factor."""
    x = states / trial.factor
    good = np.isfinite(t_states) & np.isfinite(x)
    t_x, x = t_states[good], x[good]
    if len(x) < 2:
        return np.zeros(0), np.zeros(0)
    k = np.clip(np.searchsorted(t_x, t_sent, side="right") - 1, 0, len(x) - 2)
    is_inside = (t_sent >= t_x[0]) & (t_sent <= t_x[-1])
    step = x[k + 1] - x[k]
    if is_angle and np.mean(np.abs(step) > math.pi) < FAST:
        step = _wrapped(step, is_angle)
    part = np.clip((t_sent - t_x[k]) / (t_x[k + 1] - t_x[k]), 0.0, 1.0)
    is_near = (np.abs(step) <= LONGEST_STEP[is_angle]) | (np.abs(part - np.rint(part)) < 1e-6)
    rows = np.flatnonzero(is_inside & is_near & np.isfinite(sent))
    return t_sent[rows], _wrapped(sent[rows] - (x[k] + part * step)[rows], is_angle)


def _again(t: Array, t_states: Array, states: Array, t_sent: Array, sent: Array, is_angle: bool) -> Array:
    """Return the differences as stated at some times of transforms, by the nearest state."""
    rows = np.searchsorted(t_sent, t)
    near = np.clip(np.searchsorted(t_states, t), 0, len(states) - 1)
    return _wrapped(sent[rows] - states[near], is_angle)


def _wrapped(x: Array, is_angle: bool) -> Array:
    return np.arctan2(np.sin(x), np.cos(x)) if is_angle else x


def _center(x: Array, is_angle: bool) -> float:
    if not is_angle:
        return float(np.median(x))
    middle = math.atan2(float(np.sin(x).mean()), float(np.cos(x).mean()))
    return float(_wrapped(np.asarray(middle + np.median(_wrapped(x - middle, is_angle))), is_angle))


def _spread(x: Array, is_angle: bool) -> float:
    """Return the standard deviation of values; of angles that go round at most that of a full round."""
    return min(float(np.std(np.unwrap(x))), math.pi / math.sqrt(3.0)) if is_angle else float(np.std(x))


def _late(t_states: Array, states: Array, t_sent: Array, sent: Array, limit: float, is_angle: bool) -> JointFit | None:
    """Return the fit with a delay of the stamps of the states; None if none makes the values agree."""
    plain = _Trial(1.0, ())
    lags = np.arange(-LONGEST_DELAY, LONGEST_DELAY + 0.5 * DELAY_STEP, DELAY_STEP)

    def miss(lag: float) -> float:
        t, difference = _differences(plain, t_states - lag, states, t_sent, sent, is_angle)
        return root_mean_square(difference, np.inf) if len(t) >= FEWEST else np.inf

    misses = np.array([miss(float(lag)) for lag in lags])
    k = int(np.argmin(misses))
    if not 0 < k < len(lags) - 1 or not np.isfinite(misses[k - 1 : k + 2]).all():
        return None
    a, b, c = np.square(misses[k - 1 : k + 2])
    lag = float(lags[k] + (0.5 * DELAY_STEP * (a - c) / (a - 2 * b + c) if a - 2 * b + c > 0 else 0.0))
    t, after = _differences(plain, t_states - lag, states, t_sent, sent, is_angle)
    if root_mean_square(after, np.inf) > limit or abs(lag) < LEAST_DELAY:
        return None
    before = _again(t, t_states, states, t_sent, sent, is_angle)
    words = f"{abs(lag) * 1e3:.3g} ms {'late' if lag > 0 else 'early'}"
    return JointFit(
        (JointFault("delay", words, (lag,)),), True, t, before, after, root_mean_square(before, np.inf) / limit
    )
