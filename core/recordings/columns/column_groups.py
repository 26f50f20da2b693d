"""Groups of columns: position and orientation of one frame, by their names or by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.choices import FORMS, Group, Reason
from framescope.core.recordings.columns.column_names import Named

Found: TypeAlias = tuple[str, tuple[Group, ...], Reason, Reason]
"""Form of the orientation, the groups, and the reasons for orientation and position."""

_ARRAYS = {
    "position": ("p", "t", "pos", "position", "translation", "trans", "xyz", "location", "origin"),
    "quaternion": ("q", "quat", "quaternion", "orientation", "rotation", "rot", "attitude"),
    "matrix": ("r", "rot", "rotation", "m", "matrix", "dcm", "rotmat", "c"),
    "axis angle": ("euler", "angles", "eul", "rotation", "rot", "attitude", "orientation"),
    "rpy": ("rpy",),
    "ypr": ("ypr",),
}
_SIZES = {"position": 3, "quaternion": 4, "matrix": 9, "axis angle": 3, "rpy": 3, "ypr": 3}
_NAMED_TURNS = (("yaw", "pitch", "roll"), ("first", "second", "third"), ("x", "y", "z"))
_MAX_OFF = 1e-2
"""How far columns may be off what they are taken for, in most rows."""


# --- By name


def grouped_by_name(columns: Sequence[str], named: Mapping[str, Named]) -> Found:
    """Return the groups that the names of columns tell; none where they tell nothing."""
    parts = _parts(columns, named)
    forms = {"quaternion": 0, "matrix": 0, "axes": 0}
    for known in parts.values():
        for form in forms:
            forms[form] += bool(_orientation(known, form, columns))
    form = max(forms, key=lambda form: forms[form])
    if not forms[form]:
        form = "none"
    groups: list[Group] = []
    for prefix, known in parts.items():
        group = Group(prefix, _position(known), _orientation(known, form, columns))
        if not group.is_empty:
            groups.append(group)
    groups = _merged(groups)
    if len(groups) == 1:
        groups = [replace(groups[0], name="")]
    shown = "the names of its columns say so"
    reason = Reason(shown) if form != "none" else Reason("no columns of an orientation were found", 0.4)
    return form, tuple(groups), reason, Reason(shown if any(g.has_position for g in groups) else "none was found", 0.9)


Parts: TypeAlias = dict[str, dict[str, dict[str, str]]]
"""Columns by prefix, kind and component."""


def _parts(columns: Sequence[str], named: Mapping[str, Named]) -> Parts:
    parts: Parts = {}
    arrays: dict[str, dict[int, str]] = {}
    for column in columns:
        name = named[column]
        if name.kind == "array":
            arrays.setdefault(name.prefix, {})[int(name.component)] = column
        elif name.kind in ("position", "quaternion", "matrix", "angle", "axis angle", "bare"):
            parts.setdefault(name.prefix, {}).setdefault(name.kind, {}).setdefault(name.component, column)
    for stem, members in arrays.items():
        before, _, last = stem.rpartition(".")
        ordered = [members[i] for i in sorted(members)]
        if last.lower() == "pose" and len(ordered) == 7:
            known = parts.setdefault(before, {})
            known["position"] = dict(zip("xyz", ordered, strict=False))
            known["quaternion"] = {str(i): column for i, column in enumerate(ordered[3:])}
            continue
        for kind, words in _ARRAYS.items():
            if last.lower() in words and len(ordered) == _SIZES[kind]:
                known = parts.setdefault(before.replace(".", "_"), {})
                known.update(_array_part(kind, ordered))
                break
    return parts


def _array_part(kind: str, ordered: Sequence[str]) -> dict[str, dict[str, str]]:
    if kind == "quaternion":
        return {kind: {str(i): column for i, column in enumerate(ordered)}}
    if kind == "matrix":
        return {kind: {f"{i // 3}{i % 3}": column for i, column in enumerate(ordered)}}
    if kind in ("rpy", "ypr"):
        turns = ("roll", "pitch", "yaw") if kind == "rpy" else ("yaw", "pitch", "roll")
        return {"angle": dict(zip(turns, ordered, strict=True))}
    return {kind: dict(zip("xyz", ordered, strict=True))}


def _position(known: Mapping[str, Mapping[str, str]]) -> tuple[str | None, ...]:
    for kind in ("position", "bare"):
        part = known.get(kind, {})
        if "w" not in part and all(letter in part for letter in "xyz"):
            return tuple(part[letter] for letter in "xyz")
    return (None, None, None)


def _orientation(known: Mapping[str, Mapping[str, str]], form: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of an orientation in the order of its convention; empty where they are not all there."""
    if form == "quaternion":
        part = known.get("quaternion", {})
        if len(part) != 4:
            part = known.get("bare", {})
        if set(part) == set("xyzw"):
            is_last = columns.index(part["w"]) > columns.index(part["x"])
            return tuple(part[letter] for letter in ("xyzw" if is_last else "wxyz"))
        return tuple(part[key] for key in sorted(part)) if len(part) == 4 and "w" not in part else ()
    if form == "matrix":
        part = known.get("matrix", {})
        first = "0" if any("0" in key for key in part) else "1"
        keys = [f"{i}{j}" for i in range(int(first), int(first) + 3) for j in range(int(first), int(first) + 3)]
        return tuple(part[key] for key in keys) if set(keys) <= set(part) else ()
    if form == "axes":
        part = {**known.get("axis angle", {}), **known.get("angle", {})}
        for turns in _NAMED_TURNS:
            if set(turns) <= set(part):
                return tuple(part[turn] for turn in turns)
    return ()


def _merged(groups: list[Group]) -> list[Group]:
    """Join a position and an orientation that have other prefixes, but can only belong together."""
    placed = [group for group in groups if group.has_position and not group.orientation]
    turned = [group for group in groups if group.orientation and not group.has_position]
    for group in turned:
        same = [
            other
            for other in placed
            if other.name.startswith(group.name + "_") or group.name.startswith(other.name + "_")
        ]
        partners = same or (placed if len(placed) == len(turned) == 1 else [])
        if len(partners) == 1:
            partner = partners[0]
            name = min(group.name, partner.name, key=len)
            at = groups.index(group)
            groups[at] = Group(name, partner.position, group.orientation)
            groups.remove(partner)
            placed.remove(partner)
    return groups


# --- By number


def grouped_by_number(
    columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array], known: Iterable[Group]
) -> Found:
    """Return the groups that the numbers in columns tell, with the position that is known already."""
    given = next((group.position for group in known if group.has_position), None)
    free = [column for column in columns if named[column].kind not in ("time", "other") and column not in (given or ())]
    for form, why in (("matrix", "nine columns of a rotation"), ("quaternion", "four columns of unit length")):
        windows = _windows(free, values, form)
        if windows:
            groups, reason = _with_positions(windows, FORMS[form], free, given)
            return form, groups, Reason(why, 0.9), reason
    if len(free) >= 6 and given is None and _are_angles(values, free[3:6]):
        group = Group("", tuple(free[:3]), tuple(free[3:6]))
        return "axes", (group,), Reason("three columns after the position", 0.35), Reason("the first three", 0.4)
    if given is None and len(free) < 3:
        return "none", (Group(),), Reason("no columns of an orientation were found", 0.3), Reason("none was found", 0.3)
    group = Group("", given or tuple(free[:3]))
    reason = Reason("the names of its columns say so") if given else Reason("the first three columns", 0.4)
    return "none", (group,), Reason("no columns of an orientation were found", 0.4), reason


def _windows(free: Sequence[str], values: Mapping[str, Array], form: str) -> list[int]:
    """Return where columns of an orientation begin, in the order of the table; the best fitting ones do not overlap."""
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
    taken = {i for start in starts for i in range(start, start + n)}
    groups: list[Group] = []
    for nth, start in enumerate(starts, 1):
        position: tuple[str | None, ...] = (None, None, None)
        if given is not None:
            position = given if nth == 1 else position
        else:
            for places in (range(start - 3, start), range(start + n, start + n + 3)):
                if places.start >= 0 and places.stop <= len(free) and not taken & set(places):
                    taken |= set(places)
                    position = tuple(free[i] for i in places)
                    break
        name = str(nth) if len(starts) > 1 else ""
        groups.append(Group(name, position, tuple(free[start : start + n])))
    if given is not None:
        return tuple(groups), Reason("the names of its columns say so")
    if not any(group.has_position for group in groups):
        return tuple(groups), Reason("no three columns are left for it", 0.5)
    return tuple(groups), Reason("the three columns beside the orientation", 0.7)


def quaternion_off(block: Array) -> Array:
    """Return how far rows (n, 4) miss unit length."""
    return np.abs(np.sqrt((block * block).sum(axis=-1)) - 1.0)


def matrix_off(block: Array) -> Array:
    """Return how far rows (n, 9) are from a rotation: the largest element of ``M @ M.T - 1``, more where it mirrors."""
    M = block.reshape(-1, 3, 3)
    with np.errstate(over="ignore", invalid="ignore"):
        miss = np.abs(M @ np.swapaxes(M, -1, -2) - np.eye(3)).max(axis=(-1, -2))
        mirrors = np.linalg.det(M) < 0.0
    found: Array = np.where(mirrors | ~np.isfinite(miss), 2.0, miss)
    return found


def _are_angles(values: Mapping[str, Array], columns: Sequence[str]) -> bool:
    return all(float(np.nanmax(np.abs(values[column]))) <= 720.0 for column in columns)
