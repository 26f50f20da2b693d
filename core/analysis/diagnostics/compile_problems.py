"""Problems found by compiling a scene, with titles, and with a fix where one is obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from framescope.core.analysis.diagnostics.masked_problems import masked_problems
from framescope.core.analysis.diagnostics.similar_names import SimilarNames
from framescope.core.conventions.matrix_problems import DECIMALS, matrix_problem
from framescope.core.errors import Fix, KeyPath, Problem, near_miss
from framescope.core.evaluation.compile.simulated_bodies import NO_MASS
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import RefusedValueError, set_values, value_at, with_value
from framescope.core.scene.edits.motion_kind import give_mass
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.miscounted import Miscounted
from framescope.core.scene.schema.model import ITEM_WORDS, WORLD, Scene
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.scene.schema.references import own_references
from framescope.core.system.file_access import MISSING

MAX_SEARCHED = 100
"""Largest number of problems for which all names are searched for a similar one, which takes time."""

LONG_ENOUGH = 4
"""Length of a name from which it can be recognised with one wrong letter."""

UNIT_KEYS = ("unit", "time_unit", "position_unit")

KNOWN_UNITS = frozenset(unit for units in UNITS.values() for unit in units)

TITLES = {
    "cycle": "parents in a circle",
    "time-gap": "time gap",
    "smoothed-motion": "motion smoothed away",
    "duplicate-sample": "two samples of one time",
    "simulation-stopped": "simulation stopped",
    "simulation": "simulation",
    "large-angle": "large angle",
    "free-motion": "free motions",
    "file": "file",
    MISSING: "file not found",
    "value": "cannot be used",
    "joint-limit": "beyond its limit",
    NO_MASS: "no mass",
    "not-defined": "no value",
}


def known_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems found by compiling, in the order of the file."""
    problems = (*plan.problems, *masked_problems(plan))
    faulty_paths = {problem.key_path for problem in problems}
    names = _Names(plan.scene)
    for i, problem in enumerate(_merge_file_problems(problems)):
        yield _diagnose_problem(names, problem, faulty_paths, is_searched=i < MAX_SEARCHED)


def _merge_file_problems(problems: Sequence[Problem]) -> list[Problem]:
    """Merge the problems that many items have with the same file, at the first of these items."""

    def file_of(problem: Problem) -> str:
        return problem.message if problem.key_path and problem.key_path[-1] in ("file", "times") else ""

    counts = Counter(map(file_of, problems))
    merged: dict[object, Problem] = {}
    for problem in problems:
        n = counts[file_of(problem)] - 1
        if not file_of(problem) or not n:
            merged[id(problem)] = problem
        elif file_of(problem) not in merged:
            others = f"{n} other item{'s' * (n > 1)} {'need' if n > 1 else 'needs'} it, too."
            merged[file_of(problem)] = replace(problem, message=f"{problem.message} {others}")
    return list(merged.values())


class _Names:
    """Names of a scene, with expensive results computed when first requested."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._similar: dict[str, SimilarNames] = {}

    def similar(self, kind: str) -> SimilarNames:
        """Return the search for similar names of a kind of item."""
        if kind not in self._similar:
            items = getattr(self.scene, kind)
            self._similar[kind] = SimilarNames([*dict.fromkeys([WORLD, *items])] if kind == "frames" else [*items])
        return self._similar[kind]

    @cached_property
    def spans(self) -> dict[str, tuple[int, int]]:
        """Entry and exit of each frame in a depth-first walk from the frames whose parent is no frame."""
        children: dict[str, list[str]] = {}
        for child, frame in self.scene.frames.items():
            children.setdefault(frame.parent, []).append(child)
        begun: dict[str, int] = {}
        spans: dict[str, tuple[int, int]] = {}
        todo = [(name, False) for name, frame in self.scene.frames.items() if frame.parent not in self.scene.frames]
        while todo:
            name, is_left = todo.pop()
            if is_left:
                spans[name] = begun[name], len(begun)
            elif name not in begun:
                begun[name] = len(begun)
                todo.append((name, True))
                todo += ((child, False) for child in children.get(name, ()))
        return spans

    def is_below(self, name: str, above: str) -> bool:
        """Return whether a frame is another one or its descendant, and so cannot be its parent."""
        if name == above or name not in self.spans or above not in self.spans:
            return name == above
        begin, end = self.spans[above]
        return begin <= self.spans[name][0] < end


def _diagnose_problem(names: _Names, problem: Problem, culprit: Collection[KeyPath], *, is_searched: bool) -> Problem:
    scene = names.scene
    try:
        owner, value = value_at(scene, problem.key_path[:-1]), value_at(scene, problem.key_path)
    except (KeyError, AttributeError, TypeError, IndexError):
        return _plain(problem, problem.kind or "value")
    key = problem.key_path[-1] if problem.key_path else ""
    if problem.kind == "cycle":
        return _cycle(problem)
    if problem.kind == "joint-limit":
        return _joint_limit(scene, problem, value)
    if problem.kind == NO_MASS:
        return _plain(problem, NO_MASS).with_fix("Give it a mass", give_mass(str(problem.key_path[1])))
    if problem.kind:
        return _plain(problem, problem.kind)
    kind = _referenced_kind(owner, key)
    if kind and isinstance(value, str):
        return _no_such_name(names, problem, kind, value, is_searched=is_searched)
    if key in UNIT_KEYS or (
        isinstance(value, Quantity) and (value.unit is None or value.unit not in KNOWN_UNITS or problem.meant)
    ):
        return _unit(scene, problem, value, culprit)
    if isinstance(value, Miscounted):
        is_short = len(value.authored) < len(value)
        return _plain(problem, "value", "numbers missing" if is_short else "too many numbers")
    return _diagnose_field(problem, owner, key)


def _diagnose_field(problem: Problem, owner: Any, key: str | int) -> Problem:
    """Return a problem with a form of orientation, or with another field, with its title and fix."""
    match owner:
        case poses.QuaternionForm() if key == "value":
            return _quaternion(problem, owner)
        case poses.Planar() if key == "axis":
            return _axis(problem, owner)
        case poses.MatrixForm() if key == "rows":
            return _matrix(problem, owner)
        case poses.Axes() | poses.Extrinsic() if key == "sequence":
            return _plain(problem, "sequence-unknown", "no axis sequence")
        case poses.QuaternionForm() | poses.MatrixForm() if key in ("order", "maps"):
            return _plain(problem, "convention-missing", f"{'order' if key == 'order' else 'direction'} missing")
        case _:
            is_of_file = key in ("file", "times")
            return _plain(problem, "file") if is_of_file else _plain(problem, "value", _field_title(problem))


def _field_title(problem: Problem) -> str:
    """Return the title of a problem with a field, which names the field as in the file."""
    words = [key for key in problem.key_path[2:] if isinstance(key, str)]
    field = words[-1].replace("_", " ") if words else ""
    return f"{field} {TITLES['value']}".strip()


def _plain(problem: Problem, kind: str, title: str = "") -> Problem:
    times = problem.times or (() if problem.time is None else (problem.time,))
    return replace(problem, kind=kind, title=title or TITLES.get(kind, TITLES["value"]), times=times)


def _referenced_kind(owner: Any, key: str | int) -> str | None:
    """Return the kind of item that a field refers to; None if it refers to none."""
    if isinstance(owner, Item):
        return dict(own_references(owner)).get(str(key))
    return None


# --- Names


def _no_such_name(names: _Names, problem: Problem, kind: str, name: str, *, is_searched: bool) -> Problem:
    is_parent = problem.key_path[0] == "frames" and problem.key_path[2:] == ("parent",)
    if name in getattr(names.scene, kind) or (kind == "frames" and name == WORLD):
        return _plain(problem, "value")
    word = ITEM_WORDS.get(kind, kind)
    what = "parent" if is_parent else word
    plain = _plain(problem, "parent-missing" if is_parent else "name-missing", f"{what} missing")

    def possible(others: Iterable[str]) -> list[str]:
        owner = str(problem.key_path[1])
        return [other for other in others if not (is_parent and names.is_below(other, owner))]

    similar = names.similar(kind)
    near = possible(similar.near(name))
    others = near or (possible(similar.names) if is_searched else ())
    meant = near[0] if len(near) == 1 else near_miss(name, others)
    if meant is None:
        edit = set_values({problem.key_path: WORLD}, f"Set parent of {problem.key_path[1]} to world")
        return plain.with_fix("Set parent to world", edit) if is_parent else plain
    away = "one letter away" if meant in near else "the nearest name"
    if name.casefold() == meant.casefold():
        away = "the same but for capitals"
    elif meant in near and sorted(name) == sorted(meant):
        away = "the same with two letters swapped"
    message = f'"{name}" is no {word}; "{meant}" is {away}.'
    edit = set_values({problem.key_path: meant}, f"{problem.key_path[1]}: used {meant}")
    named = replace(plain, message=message, hint="")
    return named.with_fix(f"Use {meant}", edit, is_safe=near == [meant] and _is_typing_error(name, meant))


def _is_typing_error(written: str, meant: str) -> bool:
    """Return whether names differ by a typing error, not by a digit: ``link 3`` and ``link 2`` are different frames."""
    digits = ([letter for letter in text if letter.isdigit()] for text in (written, meant))
    return len(meant) >= LONG_ENOUGH and next(digits) == next(digits)


def _cycle(problem: Problem) -> Problem:
    name = str(problem.key_path[1])
    edit = set_values({problem.key_path: WORLD}, f"Set parent of {name} to world")
    return _plain(problem, "cycle").with_fix(f"Set parent of {name} to world", edit)


# --- Joints


def _joint_limit(scene: Scene, problem: Problem, value: Any) -> Problem:
    """Return the problem of a joint beyond a limit, with the edit of its value or of the parameter for it."""
    plain, limit = replace(_plain(problem, "joint-limit"), fix=None), problem.fix
    path = ("parameters", value) if isinstance(value, str) else problem.key_path
    if limit is None or (isinstance(value, str) and value not in scene.parameters):
        return plain
    return plain.with_fix(limit.text, set_values({path: limit.change}, f"Set {problem.key_path[1]} to its limit"))


# --- Units


def _unit(scene: Scene, problem: Problem, value: Any, culprit: Collection[KeyPath]) -> Problem:
    path = problem.key_path
    written = value.unit if isinstance(value, Quantity) else value
    if written is None:
        plain = _plain(problem, "unit-missing", "unit missing")
    elif problem.meant and written in KNOWN_UNITS:
        plain = _plain(problem, "unit-wrong", "wrong unit")  # a valid unit that is unlikely for these numbers
    else:
        plain = _plain(problem, "unit-unknown", "no unit")
    if isinstance(written, str):
        is_of_another = written in KNOWN_UNITS
        meant = problem.meant or (None if is_of_another else near_miss(written, problem.choices))
        is_safe = bool(problem.meant) and plain.kind == "unit-unknown"
    else:
        meant, is_safe = _unit_of_all_others(scene, path, culprit), False
    fixes = {unit: fix for unit in problem.choices if (fix := _unit_fix(scene, path, value, unit)) is not None}
    fix = None if meant is None else _unit_fix(scene, path, value, meant, is_safe=is_safe)
    plain = replace(plain, fix=fix, others=tuple(other for unit, other in fixes.items() if unit != meant or not fix))
    if written is None and fix is not None:
        message = f"All others of its kind in this scene are in {meant}."
        plain = replace(plain, hint=f"{problem.hint} {message}".strip())
    return plain


def _unit_fix(scene: Scene, path: KeyPath, value: Any, unit: str, *, is_safe: bool = False) -> Fix[Edit] | None:
    """Return the fix that sets a unit, or None if the field cannot have it."""
    new = str(replace(value, unit=unit)) if isinstance(value, Quantity) else unit
    try:
        with_value(scene, path, new)
    except (RefusedValueError, KeyError):
        return None
    return Fix(f"Use {unit}", set_values({path: new}, f"{path[1]}: {unit}"), is_safe=is_safe)


def _unit_of_all_others(scene: Scene, path: KeyPath, culprit: Collection[KeyPath]) -> str | None:
    """Return the unit that all other items of a scene have in the same field; None if their units differ.

    Items with a problem in this field are ignored.
    """
    if len(path) < 3:
        return None
    units: set[str] = set()
    for name in getattr(scene, str(path[0])):
        place = (path[0], name, *path[2:])
        if name != path[1] and place not in culprit:
            try:
                other = value_at(scene, place)
            except (KeyError, AttributeError, TypeError, IndexError):
                continue
            unit = other.unit if isinstance(other, Quantity) else other
            units |= {unit} if isinstance(unit, str) else set()
    return units.pop() if len(units) == 1 else None


# --- Numbers that are no rotation


def _quaternion(problem: Problem, form: poses.QuaternionForm) -> Problem:
    norm = float(np.sqrt((np.array(form.value) ** 2).sum()))
    if norm == 0.0:
        return _plain(problem, "not-normalised", "zero quaternion")
    message = f"its length is {norm:.6g}, over the 1e-3 that is taken as rounding."
    plain = _plain(replace(problem, message=message), "not-normalised", "not a unit quaternion")
    value = _clean(np.array(form.value) / norm)
    edit = set_values({problem.key_path: value}, f"Normalised the quaternion of {problem.key_path[1]}")
    return plain.with_fix("Normalise", edit, is_safe=True)


def _axis(problem: Problem, form: poses.Planar) -> Problem:
    norm = float(np.sqrt((np.array(form.axis) ** 2).sum()))
    plain = _plain(problem, "not-normalised", "axis not of unit length")
    if norm == 0.0:
        return plain
    edit = set_values({problem.key_path: _clean(np.array(form.axis) / norm)}, f"Normalised {problem.key_path[1]}")
    return plain.with_fix("Normalise", edit, is_safe=True)


def _matrix(problem: Problem, form: poses.MatrixForm) -> Problem:
    of_matrix = matrix_problem(np.array(form.rows))
    if of_matrix is None:
        return _plain(problem, "value")
    hint = f"{of_matrix.hint} It is drawn as it stands.".strip()
    plain = _plain(replace(problem, message=of_matrix.message, hint=hint), of_matrix.kind, of_matrix.title)
    if of_matrix.fix is None:
        return plain
    rows = tuple(_clean(row) for row in of_matrix.fix.change)
    edit = set_values({problem.key_path: rows}, f"{of_matrix.fix.text} of {problem.key_path[1]}")
    return plain.with_fix(of_matrix.fix.text, edit, is_safe=of_matrix.fix.is_safe)


def _clean(values: Array) -> tuple[float, ...]:
    """Round numbers for a file."""
    return tuple((np.round(values, DECIMALS) + 0.0).tolist())
