"""Checks of numbers that should be a rotation matrix, and the smallest change that makes them one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.kinds.orientations import ROTATION_TOLERANCE

DECIMALS = 12
"""Decimals of a matrix that is computed."""


@dataclass(frozen=True, eq=False)
class MatrixProblem:
    """Problem of a matrix.

    Attributes
    ----------
    kind, title, message, hint
        As of a diagnosis.
    mended : (3, 3)
        The matrix that is proposed; None where there is none.
    button
        The words for it.
    angle
        The largest angle by which it turns an axis, rad.
    """

    kind: str
    title: str
    message: str
    hint: str
    mended: Array | None
    button: str
    angle: float


def matrix_problem(M: Array) -> MatrixProblem | None:
    """Return what is wrong with a matrix (3, 3), None of a rotation to rounding.

    Notes
    -----
    A mirrored rotation becomes one by any exchange of two rows or columns, and by any change of their signs: of those,
    the one that leaves the frame turned least is proposed. One wrong sign of a single number, or two numbers that
    stand in each other's places, are told for what they are.

    Examples
    --------
    >>> problem = matrix_problem(np.eye(3)[[1, 0, 2]])
    >>> problem.kind, problem.message, problem.button
    ('left-handed', 'rows 1 and 2 are swapped; the determinant is -1.0000.', 'Swap rows')
    """
    nearest, distance = (x[0] for x in nearest_rotation(M[np.newaxis]))
    if distance <= ROTATION_TOLERANCE:
        return None
    det = float(np.linalg.det(M))
    kind = "left-handed" if det < 0.0 else "sheared-matrix"
    fixes = list(_fixes(M))
    if fixes:
        _, _, what, button, mended = min(fixes, key=lambda fix: fix[:2])
        title = "left-handed matrix" if det < 0.0 else "not a rotation"
        others = len(fixes) - 1
        hint = f"Of {len(fixes)} such changes this one leaves it turned least." if others else ""
        return MatrixProblem(kind, title, f"{what}; the determinant is {det:.4f}.", hint, mended, button, np.pi)
    size = np.cbrt(abs(det))
    if det > 0.0 and size > 0.0 and _distance(M / size) <= ROTATION_TOLERANCE:
        message = f"all its numbers are {size:.6g} times those of a rotation."
        return MatrixProblem("scaled-matrix", "scaled matrix", message, "", _near(M / size), "Take the scale off", 0.0)
    lengths = np.sqrt((M * M).sum(axis=0))
    if det <= 0.0 or not (lengths > 0.0).all():
        message = f"it is far from a rotation; the determinant is {det:.4f}."
        return MatrixProblem(kind, "not a rotation", message, "Check every number of it.", None, "", np.pi)
    cosines = (M / lengths * nearest).sum(axis=0)
    angle = float(np.arccos(np.clip(cosines, -1.0, 1.0)).max())
    message = (
        f"its axes are not at right angles or not of length 1: it is {distance:.4g} off the nearest rotation, which "
        f"turns them by up to {np.degrees(angle):.3g}°."
    )
    return MatrixProblem(kind, "sheared matrix", message, "", nearest.round(DECIMALS), "Use nearest rotation", angle)


def _fixes(M: Array) -> Iterator[tuple[float, int, str, str, Array]]:
    """Yield changes that make a matrix a rotation: the angle left, how many numbers change, words, button, matrix."""
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
