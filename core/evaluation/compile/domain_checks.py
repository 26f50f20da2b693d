"""Checks for times at which moving frames have no value, with many frames sampled together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from weakref import WeakKeyDictionary

import numpy as np

from framescope.core.errors import Problem
from framescope.core.evaluation.batched_frames import batches_of
from framescope.core.evaluation.local_motion import (
    AxesTurn,
    AxisTurn,
    JointValue,
    LocalMotion,
    MotionContext,
    MotionSignals,
    Sample,
)
from framescope.core.kernels.validation import Array
from framescope.core.time_functions.breakpoints import TooManyBreakpointsError, breakpoints
from framescope.core.time_functions.expression_tokens import quote
from framescope.core.time_functions.expressions import Expression
from framescope.core.time_functions.undefined_values import why_undefined

PROBES = 65
"""Number of times at which a moving frame is checked."""

BATCH = 1024
"""Number of frames checked together: about 15 MB."""

MOST_ROOTS = 1000
"""Largest number of zeros of the arguments of roots and powers; frames with more zeros are not checked at them."""

Authored = Mapping[str, Sequence[tuple[str, Expression | float]]]
"""Expressions and numbers of a frame with the words for them, by key: position, orientation."""

NOTHING: Authored = MappingProxyType({})

_cache: WeakKeyDictionary[LocalMotion, tuple[Problem, ...]] = WeakKeyDictionary()


def probe(motions: Mapping[int, LocalMotion], context: MotionContext) -> dict[int, tuple[Problem, ...]]:
    """Return the problems of authored motions by row; results are cached with the motions."""
    signals = {row: motion for row, motion in motions.items() if not motion.is_constant}
    authored = [row for row, motion in signals.items() if motion.position is not None or motion.joint is not None]
    new = [row for row in authored if motions[row] not in _cache]
    times = np.linspace(context.start, context.end, PROBES)
    for first in range(0, len(new), BATCH):
        for group in batches_of(new[first : first + BATCH], motions):
            with np.errstate(all="ignore"):
                sample = group.sample(times)
            is_well = np.ones(len(group.rows), dtype=np.bool_)
            for part in sample:
                is_well &= np.isfinite(part).all(axis=(0, *range(2, part.ndim)))
            bad = set(np.flatnonzero(~is_well).tolist())
            for k, row in enumerate(group.rows.tolist()):
                own = Sample(*(part[:, k] for part in sample))
                motion = motions[row]
                _cache[motion] = undefined(own.T, own.p, times, own, _authored_of(motion)) if k in bad else ()
        for row in new[first : first + BATCH]:
            if not _cache[motions[row]]:
                _cache[motions[row]] = _at_roots(motions[row], context)
    return {row: _cache[motions[row]] for row in authored}


def _at_roots(motion: LocalMotion, context: MotionContext) -> tuple[Problem, ...]:
    """Return the problems at the times when arguments of roots and powers in a motion reach zero."""
    angles, joint = motion.axes, motion.joint
    signals = [motion.position, None if angles is None else angles.angles, None if joint is None else joint.value]
    items = (item for signal in signals if signal is not None for item in signal.items)
    expressions = [item for item in items if isinstance(item, Expression) and item.has_roots]
    if not expressions:
        return ()
    try:
        pairs = breakpoints(expressions, context.start, context.end, MOST_ROOTS)
    except TooManyBreakpointsError:
        return ()
    if not len(pairs):
        return ()
    times = np.unique(np.concatenate((pairs.ravel(), pairs.mean(axis=1))))
    with np.errstate(all="ignore"):
        sample = motion.sample(times)
    return undefined(sample.T, sample.p, times, sample, _authored_of(motion))


def _authored_of(motion: LocalMotion) -> Authored:
    return authored_signals(motion.position, motion.axes, motion.about, motion.joint)


def undefined(
    T: Array, p: Array, times: Array, rates: Sample | None = None, authored: Authored = NOTHING
) -> tuple[Problem, ...]:
    """Return problems if matrices (n, 3, 3) or positions (n, 3) are not finite at some of the times (n,).

    With `rates`, also return problems if velocities or accelerations are not finite at a time with a pose. `authored`
    names the expressions, so that a problem says which has no value, and why.
    """
    problems = (*_gaps("position", p, times, authored=authored), *_gaps("orientation", T, times, authored=authored))
    if problems or rates is None:
        return problems
    return (
        *_gaps("position", rates.v, times, "velocity"),
        *_gaps("orientation", rates.w, times, "angular velocity"),
    ) or (
        *_gaps("position", rates.a, times, "acceleration"),
        *_gaps("orientation", rates.b, times, "angular acceleration"),
    )


def authored_signals(
    position: MotionSignals | None, axes: AxesTurn | None, about: AxisTurn | None, joint: JointValue | None = None
) -> Authored:
    """Return the expressions of a motion with the words for them, by the key of the frame."""
    value = [] if joint is None else [("the joint", item) for item in joint.value.items]
    items = () if axes is None else axes.angles.items[::-1] if axes.is_about_fixed else axes.angles.items
    turn = [(f"angle {i + 1}", item) for i, item in enumerate(items)]
    turn += [] if about is None else [("the angle", item) for item in about.angle.items]
    place = [] if position is None else [(axis, item) for axis, item in zip("xyz", position.items, strict=False)]
    return {"position": (*place, *value), "orientation": (*turn, *value)}


def _cause(key: str, authored: Authored, t: float) -> tuple[str, str, str]:
    """Return the words for the expression without a value at a time, why, and the likely fix; "it" if unknown."""
    for words, item in authored.get(key, ()):
        reason = why_undefined(item, t) if isinstance(item, Expression) else None
        if reason is not None and isinstance(item, Expression):
            return f"{words} = {quote(item.text)}", f": it {reason.what}", f"{reason.fix} "
    return "it", "", ""


def _gaps(key: str, values: Array, times: Array, of: str = "", authored: Authored = NOTHING) -> tuple[Problem, ...]:
    is_bad = ~np.isfinite(values.reshape(len(times), -1)).all(axis=1)
    if not is_bad.any():
        return ()
    what, why, fix = _cause(key, authored, float(times[is_bad.argmax()]))
    if is_bad.all() and not of:
        return (Problem((key,), f"{what} has no value at any time{why}.", f"{fix}The frame is not drawn."),)
    # Start of each gap.
    begins = tuple(times[np.diff(is_bad.astype(np.int8), prepend=0) > 0].tolist())
    message = f"{f'its {of}' if of else what} has no value at t = {begins[0]:.4g} s{why}."
    hint = (
        "Rates of this frame and of all frames below it have a gap there."
        if of
        else f"{fix}The frame is not drawn then."
    )
    return (Problem((key,), message, hint, "amber", time=begins[0], times=begins),)
