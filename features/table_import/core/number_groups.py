"""Groups of columns by their numbers: unit quaternions, rotation matrices, and the positions beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import Named
from framescope.core.recordings.columns.reasons import Reason
from framescope.features.table_import.core.choices import FORMS, Group
from framescope.features.table_import.core.column_groups import Found

_MAX_OFF = 1e-2
"""Largest deviation from unit length or orthogonality in most rows."""

_BY_ROWS = ((0, 1, 2, 4, 5, 6, 8, 9, 10), (3, 7, 11), (12, 13, 14))
_BY_COLUMNS = ((0, 4, 8, 1, 5, 9, 2, 6, 10), (12, 13, 14), (3, 7, 11))
"""Indices of rotation, translation and three zeros among the sixteen numbers of a 4x4 matrix."""


def group_by_number(
    columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array], known: Iterable[Group]
) -> Found:
    """Return the groups of columns that their numbers define, with a position known by name."""
    given = next((group.position for group in known if group.has_position), None)
    free = [column for column in columns if named[column].kind not in ("time", "other") and column not in (given or ())]
    if given is None and (matrices := _pose_matrices(free, values)) is not None:
        return matrices
    for form, why in (("matrix", "nine columns of a rotation"), ("quaternion", "four columns of unit length")):
        windows = _windows(free, values, form)
        if windows:
            groups, reason = _with_positions(windows, FORMS[form], free, given)
            return form, groups, Reason(why, 0.9), reason
    if len(free) >= 6 and given is None and _are_angles(values, free[3:6]):
        group = Group("", tuple(free[:3]), tuple(free[3:6]))
        return "axes", (group,), Reason("three columns after the position", 0.35), Reason("the first three", 0.4)
    if given is None and len(free) == 3 and _is_heading(values, free):
        group = Group("", (free[0], free[1], None), (free[2],))
        why = Reason("the third column may be a heading, or z", 0.35)
        return "heading", (group,), why, Reason("the first two columns", 0.4)
    if given is None and len(free) < 3:
        return "none", (Group(),), Reason("no columns of an orientation were found", 0.3), Reason("none was found", 0.3)
    group = Group("", given or tuple(free[:3]))
    reason = Reason("the names of its columns say so") if given else Reason("the first three columns", 0.4)
    return "none", (group,), Reason("no columns of an orientation were found", 0.4), reason


def without_quaternions(named: Mapping[str, Named], values: Mapping[str, Array]) -> dict[str, Named]:
    """Return the read names, without quaternions that the numbers refute.

    Refuted are a w beside x, y, z without unit length, and quaternions that are all zero.
    """
    refuted: dict[str, Named] = {}
    fours: dict[tuple[str, str], list[str]] = {}
    for column, name in named.items():
        if name.kind in ("bare", "quaternion") and column in values:
            fours.setdefault((name.kind, name.prefix), []).append(column)
    for (kind, _), columns in fours.items():
        if len(columns) != 4:
            continue
        q = np.stack([values[column] for column in columns], axis=-1)
        q = q[np.isfinite(q).all(axis=1)]
        if kind == "quaternion" and not q.any():
            refuted |= {column: Named("other") for column in columns}
        elif kind == "bare" and len(q) and np.quantile(quaternion_off(q), 0.2) > _MAX_LOOSE:
            refuted |= {column: Named("") for column in columns if named[column].component == "w"}
    return {**named, **refuted}


_MAX_LOOSE = 0.2
"""Largest deviation from unit length of scaled or rounded quaternions."""


def rotations_in(columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array]) -> tuple[Group, ...]:
    """Return the matrices and quaternions among columns of numbers; with the position of a 4x4 matrix."""
    free = [column for column in columns if named[column].kind not in ("time", "other")]
    if (matrices := _pose_matrices(free, values)) is not None:
        return matrices[1]
    for form in ("matrix", "quaternion"):
        if starts := _windows(free, values, form):
            return tuple(Group("", orientation=tuple(free[i : i + FORMS[form]])) for i in starts)
    return ()


def _pose_matrices(free: Sequence[str], values: Mapping[str, Array]) -> Found | None:
    """Return the groups of 4x4 and 3x4 pose matrices, by rows or by columns; None for none."""
    groups: list[Group] = []
    reason = Reason("")
    i = 0
    while i + 12 <= len(free):
        match = _pose_matrix(free[i : i + 16], values)
        if match is None:
            i += 1
            continue
        group, why, n = match
        reason = reason if groups and reason.confidence < why.confidence else why
        groups.append(group)
        i += n
    if len(groups) > 1:
        groups = [Group(str(i), group.position, group.orientation) for i, group in enumerate(groups, 1)]
    return ("matrix", tuple(groups), reason, Reason("the last column of the matrix", 0.97)) if groups else None


def _pose_matrix(free: Sequence[str], values: Mapping[str, Array]) -> tuple[Group, Reason, int] | None:
    """Return the pose matrix that begins with the first of some columns, its reason and its number of columns."""
    block = np.stack([values[column] for column in free], axis=-1)
    block = block[np.isfinite(block).all(axis=1)]
    if not len(block):
        return None

    def group(places: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]) -> Group:
        return Group("", tuple(free[i] for i in places[1]), tuple(free[i] for i in places[0]))

    def is_rotation(places: tuple[int, ...]) -> bool:
        return bool(np.quantile(matrix_off(block[:, places]), 0.8) < _MAX_OFF)

    if len(free) == 16 and bool((np.abs(block[:, 15] - 1.0) < 1e-9).mean() > 0.8):
        fits = [bool((np.abs(block[:, layout[2]]) < 1e-9).mean() > 0.8) for layout in (_BY_ROWS, _BY_COLUMNS)]
        for places, fit, name in ((_BY_ROWS, fits[0], "row"), (_BY_COLUMNS, fits[1], "column")):
            if fit and is_rotation(places[0]):
                why = Reason(f"sixteen numbers of a 4x4 matrix, {name} by {name}", 0.45 if all(fits) else 0.97)
                return group(places), why, 16
    if is_rotation(_BY_ROWS[0]):
        return group(_BY_ROWS), Reason("twelve numbers of a 3x4 matrix, row by row", 0.95), 12
    return None


def _is_heading(values: Mapping[str, Array], columns: Sequence[str]) -> bool:
    """Return whether the third of three columns may be an angle while the others are a path."""
    x, y, angle = (values[column] for column in columns)
    if not (len(x) > 1 and all(np.isfinite(numbers).any() for numbers in (x, y, angle))):
        return False
    with np.errstate(all="ignore"):
        direction = np.arctan2(np.gradient(y), np.gradient(x))
        spread = [np.abs(np.nanmean(np.exp(1j * (direction - yaw)))) for yaw in (angle, np.radians(angle))]
    return bool(np.nanmax(spread) > 0.8) or bool(np.nanmax(np.abs(angle)) <= 2.0 * np.pi < np.nanmax(np.abs([x, y])))


_FAR_OFF = 1e6
"""Deviation reported for rows far from an orientation, such as numbers whose squares overflow."""


def _windows(free: Sequence[str], values: Mapping[str, Array], form: str) -> list[int]:
    """Return the first index of each orientation's columns, in order; of overlapping ones the best fit."""
    n = FORMS[form]
    off = quaternion_off if form == "quaternion" else matrix_off
    fits: list[tuple[float, int]] = []
    for i in range(len(free) - n + 1):
        block = np.stack([values[column] for column in free[i : i + n]], axis=-1)
        block = block[np.isfinite(block).all(axis=1)]
        if len(block):
            fits.append((float(np.quantile(off(block), 0.8)), i))
    chosen: list[int] = []
    for miss, i in sorted(fits):
        if miss < _MAX_OFF and all(abs(i - other) >= n for other in chosen):
            chosen.append(i)
    return sorted(chosen)


def _with_positions(
    starts: Sequence[int], n: int, free: Sequence[str], given: tuple[str | None, ...] | None
) -> tuple[tuple[Group, ...], Reason]:
    """Return a group for each orientation of `n` columns, with the three columns before it, else behind it."""
    used = {i for start in starts for i in range(start, start + n)}
    groups: list[Group] = []
    is_one_of_two = False
    for nth, start in enumerate(starts, 1):
        position: tuple[str | None, ...] = (None, None, None)
        if given is not None:
            position = given if nth == 1 else position
        else:
            for places in (range(start - 3, start), range(start + n, start + n + 3)):
                if places.start >= 0 and places.stop <= len(free) and not used & set(places):
                    used |= set(places)
                    position = tuple(free[i] for i in places)
                    others = range(places.stop, places.stop + 3)
                    is_one_of_two |= places.start > start and others.stop <= len(free) and not used & set(others)
                    break
        name = str(nth) if len(starts) > 1 else ""
        groups.append(Group(name, position, tuple(free[start : start + n])))
    if given is not None:
        return tuple(groups), Reason("the names of its columns say so")
    if not any(group.has_position for group in groups):
        return tuple(groups), Reason("no three columns are left for it", 0.5)
    if is_one_of_two:
        return tuple(groups), Reason("three of the columns behind the orientation, others may be rates or forces", 0.45)
    return tuple(groups), Reason("the three columns beside the orientation", 0.7)


def quaternion_off(block: Array) -> Array:
    """Return the deviation of rows (n, 4) from unit length."""
    with np.errstate(over="ignore"):
        return np.minimum(np.abs(np.sqrt((block * block).sum(axis=-1)) - 1.0), _FAR_OFF)


def matrix_off(block: Array) -> Array:
    """Return the deviation of rows (n, 9) from a rotation: the largest element of ``M @ M.T - 1``; 2 for a mirror."""
    M = block.reshape(-1, 3, 3)
    with np.errstate(all="ignore"):
        miss = np.abs(M @ np.swapaxes(M, -1, -2) - np.eye(3)).max(axis=(-1, -2))
        mirrors = np.linalg.det(M) < 0.0
    off: Array = np.where(mirrors | ~np.isfinite(miss), 2.0, miss)
    return off


def _are_angles(values: Mapping[str, Array], columns: Sequence[str]) -> bool:
    return all(float(np.nanmax(np.abs(values[column]), initial=0.0)) <= 720.0 for column in columns)
