"""Moving frames tried at times over the whole range, many of them together: where they have no value."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from framescope.core.arrays import Array
from framescope.core.compiling.local_motion import Context, LocalMotion
from framescope.core.compiling.moving import group_moving
from framescope.core.errors import Problem

PROBES = 65
"""At how many times a moving frame is tried for a value."""

BATCH = 1024
"""How many frames are tried together: some 15 MB."""

_found: WeakKeyDictionary[LocalMotion, tuple[Problem, ...]] = WeakKeyDictionary()


def probe(motions: Mapping[int, LocalMotion], context: Context) -> dict[int, tuple[Problem, ...]]:
    """Return by row what the authored motions lack; each is tried once, as motions are kept."""
    authored = [row for row, motion in motions.items() if motion.position is not None and not motion.is_constant]
    new = [row for row in authored if motions[row] not in _found]
    times = np.linspace(context.start, context.end, PROBES)
    for first in range(0, len(new), BATCH):
        for group in group_moving(new[first : first + BATCH], motions):
            with np.errstate(all="ignore"):
                T, p, *_ = group.sample(times)
            is_well = np.isfinite(T).all(axis=(0, 2, 3)) & np.isfinite(p).all(axis=(0, 2))
            bad = set(np.flatnonzero(np.logical_not(is_well)).tolist())
            for k, row in enumerate(group.rows.tolist()):
                _found[motions[row]] = undefined(T[:, k], p[:, k], times) if k in bad else ()
    return {row: _found[motions[row]] for row in authored}


def undefined(T: Array, p: Array, times: Array) -> tuple[Problem, ...]:
    """Return problems when matrices (n, 3, 3) or positions (n, 3) are not numbers at some of the times (n,)."""
    return (*_gaps("position", p, times), *_gaps("orientation", T, times))


def _gaps(key: str, values: Array, times: Array) -> tuple[Problem, ...]:
    is_bad = ~np.isfinite(values.reshape(len(times), -1)).all(axis=1)
    if not is_bad.any():
        return ()
    if is_bad.all():
        return (Problem((key,), "it has no value at any time.", "The frame is not drawn."),)
    # Where it begins to have none, each time.
    begins = tuple(times[np.diff(is_bad.astype(np.int8), prepend=0) > 0].tolist())
    message = f"it has no value at t = {begins[0]:.4g} s."
    hint = "The frame is not drawn then."
    return (Problem((key,), message, hint, "amber", time=begins[0], times=begins),)
