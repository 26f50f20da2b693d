"""Hypotheses with the other order of quaternions, which say the same of all numbers.

Numbers ``x y z w`` read as ``w x y z`` are another quaternion, ``a conj(q) b`` with fixed ``a`` and ``b``: reading both
sides in the other order exchanges the offsets of the parent and of the frame, and reading one side so exchanges active
and passive.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import IDENTITY, AxisChange
from framescope.features.detective.core.hypotheses import Hypothesis, Offset, angles_between, turns_of
from framescope.features.detective.core.interpretations import Interpretation

SAME = 1e-6
"""Largest angle up to which two rotations are equal, rad, and difference of elements from whole numbers."""


def in_other_orders(h: Hypothesis, numbers_a: Array) -> tuple[Hypothesis, ...]:
    """Return the hypotheses that are equivalent to one and read quaternions of a side, or of both, in the other order.

    `numbers_a` are a few generic rows of `a`.

    >>> order, turn = Interpretation("quaternion", "xyzw"), ((0.0, -0.6, 0.8), (0.0, 0.8, 0.6), (-1.0, 0.0, 0.0))
    >>> h = Hypothesis(order, order, False, IDENTITY, IDENTITY, frame_offset=turn)
    >>> rows = np.random.default_rng(0).normal(size=(8, 4))
    >>> both = in_other_orders(h, rows)[-1]
    >>> both.interpretation_a.choice, both.interpretation_b.choice, both.frame_offset is None
    ('wxyz', 'wxyz', True)
    """
    return tuple(_in_other_orders(h, numbers_a))


def _in_other_orders(h: Hypothesis, numbers_a: Array) -> Iterator[Hypothesis]:
    numbers_b = h.interpretation_b.numbers(h.predicted_b(numbers_a))
    choices = ((each, _other(each)) for each in (h.interpretation_a, h.interpretation_b))
    for a, b in itertools.product(*choices):
        if a is None or b is None or (a, b) == (h.interpretation_a, h.interpretation_b):
            continue
        is_one = (a == h.interpretation_a) != (b == h.interpretation_b)
        base = Hypothesis(a, b, h.is_inverse != is_one, IDENTITY, IDENTITY)
        A, B = base.matrices_a(numbers_a), b.matrices(numbers_b)
        # The turns since the first row are those of the other side, resolved in axes that the right factor turns.
        turns = [turns_of(np.swapaxes(M[:1], 1, 2) @ M[1:]) for M in (A, B)]
        right = _rotation_between(turns[1], turns[0])
        left = A[0] @ right @ B[0].T
        if angles_between(left @ B @ right.T, A).max() < SAME:
            yield _with_factors(base, left, right)


def _other(interpretation: Interpretation) -> Interpretation | None:
    """Return the other order of a quaternion; None for other forms, which stay as they are."""
    if interpretation.kind != "quaternion":
        return None
    return replace(interpretation, choice="wxyz" if interpretation.choice == "xyzw" else "xyzw")


def _rotation_between(first: Array, second: Array) -> Array:
    """Return the rotation (3, 3) that turns vectors (n, 3) into others, in the sense of least squares."""
    U, _, Vt = np.linalg.svd(second.T @ first)
    return np.asarray(U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt)


def _with_factors(h: Hypothesis, left: Array, right: Array) -> Hypothesis:
    """Return a hypothesis with left and right factors of `b`, as changes of axes where they are some."""
    parent, parent_offset = _axes_or_offset(left)
    frame, frame_offset = _axes_or_offset(right)
    # The right factor of a hypothesis is its frame's axes times its offset, transposed.
    turned = None if frame_offset is None else tuple(zip(*frame_offset, strict=True))
    return replace(
        h,
        parent_axes=parent,
        frame_axes=frame,
        parent_offset=parent_offset,
        frame_offset=turned,  # type: ignore[arg-type]
    )


def _axes_or_offset(R: Array) -> tuple[AxisChange, Offset | None]:
    whole = np.round(R)
    if np.abs(R - whole).max() < SAME:
        places = np.abs(whole).argmax(axis=1)
        signs = whole[range(3), places].astype(int)
        return AxisChange(tuple(places.tolist()), tuple(signs.tolist())), None
    return IDENTITY, tuple(tuple(row) for row in R.tolist())
