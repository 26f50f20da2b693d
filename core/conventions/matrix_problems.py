"""Faults of matrices that should be rotations: swapped rows, wrong signs, mirrored axes, scales, shear."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE
from framescope.core.errors import Fix, Problem
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array

SAFE_ANGLE = math.radians(0.1)
"""Rotation of an axis by the nearest rotation, up to which the difference is rounding, rad."""

DECIMALS = 12
"""Number of decimals of numbers for a file."""


def matrix_problem(M: Array) -> Problem | None:
    """Return the problem of a matrix (3, 3), whose fix has the rotation to write; None for a rotation, up to rounding.

    Notes
    -----
    A mirrored rotation becomes a rotation by exchanging any two rows or columns, or by changing the sign of any of
    them. The proposal is the change that leaves the smallest rotation. A wrong sign of a single number and two swapped
    numbers are reported as such.

    Examples
    --------
    >>> problem = matrix_problem(np.eye(3)[[1, 0, 2]])
    >>> problem.kind, problem.message, problem.fix_text
    ('left-handed', 'rows 1 and 2 are swapped; the determinant is -1.0000.', 'Swap rows')
    """
    nearest, distance = (x[0] for x in nearest_rotation(M[np.newaxis]))
    if distance <= ROTATION_TOLERANCE:
        return None
    det = float(np.linalg.det(M))
    kind = "left-handed" if det < 0.0 else "sheared-matrix"
    fixes = list(_fixes(M))
    if fixes:
        _, _, what, button, rotation = min(fixes, key=lambda fix: fix[:2])
        title = "left-handed matrix" if det < 0.0 else "not a rotation"
        others = len(fixes) - 1
        hint = f"Of {len(fixes)} such changes this one leaves it turned least." if others else ""
        message = f"{what}; the determinant is {det:.4f}."
        return Problem((), message, hint, kind=kind, title=title, fix=Fix(button, rotation))
    size = np.cbrt(abs(det))
    if det > 0.0 and size > 0.0 and _distance(M / size) <= ROTATION_TOLERANCE:
        message = f"all its numbers are {size:.6g} times those of a rotation."
        fix = Fix("Take the scale off", _near(M / size), is_safe=True)
        return Problem((), message, kind="scaled-matrix", title="scaled matrix", fix=fix)
    lengths = np.sqrt((M * M).sum(axis=0))
    if det <= 0.0 or not (lengths > 0.0).all():
        message = f"it is far from a rotation; the determinant is {det:.4f}."
        return Problem((), message, "Check every number of it.", kind=kind, title="not a rotation")
    cosines = (M / lengths * nearest).sum(axis=0)
    angle = float(np.arccos(np.clip(cosines, -1.0, 1.0)).max())
    message = (
        f"its axes are not at right angles or not of length 1: it is {distance:.4g} off the nearest rotation, which "
        f"turns them by up to {np.degrees(angle):.3g}°."
    )
    fix = Fix("Use nearest rotation", nearest.round(DECIMALS), is_safe=angle <= SAFE_ANGLE)
    return Problem((), message, kind=kind, title="sheared matrix", fix=fix)


def _fixes(M: Array) -> Iterator[tuple[float, int, str, str, Array]]:
    """Yield changes that give a rotation: its angle, the number of changed numbers, text, button and matrix."""
    changes = [*_single_numbers(M), *_lines(M)]
    distances = nearest_rotation(np.stack([changed for _, _, changed in changes]))[1]
    for (what, button, changed), distance in zip(changes, distances.tolist(), strict=True):
        if distance <= ROTATION_TOLERANCE:
            angle = float(np.arccos(np.clip(0.5 * (np.trace(changed) - 1.0), -1.0, 1.0)))
            yield round(angle, 6), int((changed != M).sum()), what, button, changed


def _single_numbers(M: Array) -> Iterator[tuple[str, str, Array]]:
    places = list(itertools.product(range(3), range(3)))
    for i, k in places:
        if M[i, k] != 0.0:
            changed = M.copy()
            changed[i, k] *= -1.0
            yield f"row {i + 1}, column {k + 1} has the wrong sign", "Change sign", changed
    for (i, k), (m, n) in itertools.combinations(places, 2):
        if M[i, k] != M[m, n]:
            changed = M.copy()
            changed[i, k], changed[m, n] = M[m, n], M[i, k]
            what = f"the numbers in row {i + 1}, column {k + 1} and row {m + 1}, column {n + 1} are swapped"
            yield what, "Swap numbers", changed


def _lines(M: Array) -> Iterator[tuple[str, str, Array]]:
    for words, button, axis in (("row", "rows", 0), ("column", "columns", 1)):
        for i, k in ((0, 1), (0, 2), (1, 2)):
            order = [0, 1, 2]
            order[i], order[k] = k, i
            yield f"{words}s {i + 1} and {k + 1} are swapped", f"Swap {button}", np.take(M, order, axis=axis)
        for i in range(3):
            signs = np.ones(3)
            signs[i] = -1.0
            changed = M * (signs[:, np.newaxis] if axis == 0 else signs)
            yield f"{words} {i + 1} has the wrong sign", f"Turn {words} {i + 1} round", changed + 0.0


def _distance(M: Array) -> float:
    return float(nearest_rotation(M[np.newaxis])[1][0])


def _near(M: Array) -> Array:
    return nearest_rotation(M[np.newaxis])[0][0].round(DECIMALS) + 0.0
