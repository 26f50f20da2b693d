"""Groups of columns by name: the position and orientation of each frame."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from framescope.core.recordings.columns.column_names import Named
from framescope.core.recordings.columns.reasons import Reason
from framescope.features.table_import.core.choices import Group

Found: TypeAlias = tuple[str, tuple[Group, ...], Reason, Reason]
"""Form of the orientation, groups of columns, and the reasons for orientation and position."""

_ARRAYS = {
    "position": ("p", "t", "pos", "position", "translation", "trans", "xyz", "location", "origin", "tvec"),
    "quaternion": ("q", "quat", "quaternion", "orientation", "rotation", "rot", "attitude"),
    "matrix": ("r", "rot", "rotation", "m", "matrix", "dcm", "rotmat", "c"),
    "axis angle": ("euler", "angles", "eul", "rotation", "rot", "attitude", "orientation"),
    "rotation vector": ("rvec", "rotvec", "rodrigues", "axisangle", "axis_angle", "rotation_vector"),
    "rpy": ("rpy",),
    "ypr": ("ypr",),
}
_SIZES = {"position": 3, "quaternion": 4, "matrix": 9, "axis angle": 3, "rotation vector": 3,
          "rpy": 3, "ypr": 3}  # fmt: skip
_NAMED_TURNS = (("yaw", "pitch", "roll"), ("first", "second", "third"), ("x", "y", "z"))
_PART = re.compile(r"(^|[^a-z])q(uat(ernion)?)?[._ \[]?[xyz]", re.IGNORECASE)
_ONE_TURN = (("yaw",), ("z",))
"""Names of a single angle that is a heading: theta, too, where phi and psi are missing."""


def group_by_name(columns: Sequence[str], named: Mapping[str, Named]) -> Found:
    """Return the groups of columns that their names define."""
    parts = {prefix: _with_scalar(_with_headings(known)) for prefix, known in _parts(columns, named).items()}
    forms = {"quaternion": 0, "matrix": 0, "axes": 0, "rotation vector": 0, "heading": 0}
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
    groups = _join_groups(groups)
    if len(groups) == 1:
        groups = [replace(groups[0], name="")]
    by_names = "the names of its columns say so"
    reason = Reason(by_names) if form != "none" else Reason("no columns of an orientation were found", 0.4)
    return (
        form,
        tuple(groups),
        reason,
        (Reason(by_names) if any(g.has_position for g in groups) else Reason("none was found", 0.9)),
    )


Parts: TypeAlias = dict[str, dict[str, dict[str, str]]]
"""Columns by prefix, kind and component of their names."""


def _parts(columns: Sequence[str], named: Mapping[str, Named]) -> Parts:
    parts: Parts = {}
    arrays: dict[str, dict[int, str]] = {}
    for column in columns:
        name = named[column]
        if name.kind == "array":
            arrays.setdefault(name.prefix, {})[int(name.component)] = column
        elif name.kind in ("position", "quaternion", "matrix", "angle", "axis angle", "rotation vector", "bare"):
            parts.setdefault(name.prefix, {}).setdefault(name.kind, {}).setdefault(name.component, column)
    if compass := _of_compass(columns):
        known = parts.setdefault("", {})
        if not known.get("position") and not known.get("bare"):
            known["position"] = compass
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


_DIRECTIONS = {"e": "e", "east": "e", "easting": "e", "n": "n", "north": "n", "northing": "n", "u": "u", "up": "u",
               "alt": "u", "altitude": "u", "height": "u",
               "d": "d", "down": "d"}  # fmt: skip


def _of_compass(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns of a position named east, north and up, or north, east and down.

    >>> _of_compass(["t", "East [m]", "North [m]"]), _of_compass(["n", "e", "d"])
    ({'x': 'East [m]', 'y': 'North [m]'}, {'x': 'n', 'y': 'e', 'z': 'd'})
    """
    by_letter: dict[str, str] = {}
    for column in columns:
        word = re.sub(r"\s*[\[(].*$|_m$", "", column.strip().lower()).rpartition("_")[2]
        if word in _DIRECTIONS:
            by_letter.setdefault(_DIRECTIONS[word], column)
    is_short = any(len(column) == 1 for column in by_letter.values())
    if not {"e", "n"} <= set(by_letter) or (is_short and len(by_letter) < 3):
        return {}
    order = "ned" if "d" in by_letter else "enu"
    return {axis: by_letter[letter] for axis, letter in zip("xyz", order, strict=True) if letter in by_letter}


def _with_headings(known: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the columns of a frame with a lone angle theta, read as pitch, as its heading."""
    angles = known.get("angle", {})
    return known if set(angles) != {"pitch"} else {**known, "angle": {"yaw": angles["pitch"]}}


def _with_scalar(known: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the columns of a frame with rx, ry, rz beside rw as its quaternion."""
    if set(known.get("quaternion", {})) != {"w"} or not set("xyz") <= set(known.get("axis angle", {})):
        return known
    others = {kind: part for kind, part in known.items() if kind != "axis angle"}
    return {**others, "quaternion": {**known["axis angle"], **known["quaternion"]}}


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
    part = known.get("matrix", {})
    first = _first_of(part)
    keys = [f"{i}{first + 3}" for i in range(first, first + 3)]
    if set(keys) <= set(part):
        return tuple(part[key] for key in keys)
    for kind in ("position", "bare"):
        part = known.get(kind, {})
        if "z" not in part and "w" not in part and "x" in part and "y" in part:
            return (part["x"], part["y"], None)
    return (None, None, None)


def _first_of(part: Mapping[str, str]) -> int:
    """Return the index of a matrix's first row in the names of its elements: 0 or 1."""
    return 0 if any("0" in key for key in part) else 1


def _orientation(known: Mapping[str, Mapping[str, str]], form: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of an orientation in the order of its convention; empty unless all are present."""
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
        places = range(_first_of(part), _first_of(part) + 3)
        keys = [f"{i}{j}" for i in places for j in places]
        return tuple(part[key] for key in keys) if set(keys) <= set(part) else ()
    if form == "rotation vector":
        part = known.get("rotation vector", {})
        return tuple(part[letter] for letter in "xyz") if set("xyz") <= set(part) else ()
    if form == "heading":
        part = {**known.get("axis angle", {}), **known.get("angle", {})}
        headings = [turns for turns in _ONE_TURN if set(turns) == set(part)]
        return (part[headings[0][0]],) if headings else ()
    if form == "axes":
        three = known.get("quaternion", {})
        is_part = any(_PART.search(column) for column in three.values())  # of a quaternion without its scalar
        no_scalar: Mapping[str, str] = three if set(three) == set("xyz") and not is_part else {}  # about x, y and z
        part = {**no_scalar, **known.get("axis angle", {}), **known.get("angle", {})}
        for turns in _NAMED_TURNS:
            if set(turns) <= set(part):
                return tuple(part[turn] for turn in turns)
    return ()


def _join_groups(groups: list[Group]) -> list[Group]:
    """Join a position and an orientation of different prefixes that can only belong together."""
    placed = [group for group in groups if group.has_position and not group.orientation]
    turned = [group for group in groups if group.orientation and not group.has_position]
    for group in turned:
        related = [
            other
            for other in placed
            if other.name.startswith(group.name + "_") or group.name.startswith(other.name + "_")
        ]
        partners = related or (placed if len(placed) == len(turned) == 1 else [])
        if len(partners) == 1:
            partner = partners[0]
            name = min(group.name, partner.name, key=len)
            at = groups.index(group)
            groups[at] = Group(name, partner.position, group.orientation)
            groups.remove(partner)
            placed.remove(partner)
    return groups
