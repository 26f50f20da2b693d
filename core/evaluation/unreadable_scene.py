"""Further faults of a scene file that cannot be read: invalid parts are removed, and the remaining scene is checked."""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from framescope.core.errors import FramescopeError, KeyPath, NoSuchNameError, Problem, SceneError, did_you_mean
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import scene_file_text
from framescope.core.scene.files.migrations import migrate
from framescope.core.scene.files.validation_messages import faulty_parts, locate
from framescope.core.scene.files.yaml_reading import YamlReader
from framescope.core.scene.schema.model import ITEM_WORDS, Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.system.file_access import Access

_LOG = logging.getLogger(__name__)

MAX_ROUNDS = 30
"""Maximum number of rounds of removing invalid parts; removing a key may make its owner invalid."""

MAX_ERRORS = 1000
"""Number of errors above which the file is probably no scene at all."""

OWNERS = ("bodies", "points", "elements")
"""Kinds of items whose removal may cause false problems of simulated frames, points and elements."""

REFERENCES = {"parent": "frames", "frame": "frames", "frame_a": "frames", "body": "bodies", "point": "points"}
"""Keys that name other items, with the kind of the named item."""


def with_further_faults(path: Path, error: SceneError, access: Access | None = None) -> SceneError:
    """Return all faults of a scene file that can be found; `error` is the one that prevents reading it.

    A file that is no YAML, or no scene at all, has no further faults.
    """
    try:
        reader = YamlReader(scene_file_text(path), str(path))
        data = migrate(reader.document(), str(path))
        problems = tuple(_find_faults(data, access or Access(path.resolve().parent)))
    except FramescopeError:  # no text or no YAML, which is the fault itself
        return error
    except Exception:  # noqa: BLE001 - no failure here may hide the original error
        _LOG.info("no further faults of %s are looked for", path.name, exc_info=True)
        return error
    known = {problem.key_path for problem in error.problems}
    further = [locate(problem, reader.lines) for problem in problems if problem.key_path not in known]
    return SceneError(error.source, sorted([*error.problems, *further], key=lambda problem: problem.line or 0))


def _find_faults(whole: Mapping[str, Any], access: Access) -> Iterator[Problem]:
    data: Any = deepcopy(dict(whole))
    for _ in range(MAX_ROUNDS):
        try:
            scene = Scene.model_validate(data)
            break
        except ValidationError as error:
            if error.error_count() > MAX_ERRORS:
                return
            for part in faulty_parts(error, data):
                _remove_part(data, part)
    else:
        return
    removed = tuple(_removed_paths(whole, data))
    for part in removed:
        yield from _unknown_units(part, _at(whole, part))
        if len(part) == 2:
            yield from _unknown_names(part, _at(whole, part), whole)
    changed_items = {(part[0], str(part[1])) for part in removed if len(part) > 1}
    for problem in compile_plan(scene, access=access).problems:
        is_there = _at(data, problem.key_path[:-1]) is not None
        if problem.severity != "note" and is_there and not _may_follow(problem, changed_items):
            yield problem


def _may_follow(problem: Problem, changed: Collection[tuple[str | int, str]]) -> bool:
    """Return whether the removal of parts of some items may be the only cause of a problem."""
    path = problem.key_path
    names = {name for item in changed if item != path[:2] for name in item[1:]}
    is_of_owned = path[0] in ("points", "elements") or path[2:3] == ("motion",)
    owners = {kind for kind, _ in changed if kind in OWNERS}
    return any(f'"{name}"' in problem.message for name in names) or (is_of_owned and bool(owners))


def _unknown_names(path: KeyPath, item: Any, whole: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield references of a removed item to names that are not in the file."""
    for key, kind in REFERENCES.items():
        name = _at(item, (key,))
        known = [*(["world"] if kind == "frames" else []), *map(str, _at(whole, (kind,)) or ())]
        if isinstance(name, str) and name not in known:
            yield NoSuchNameError((*path, key), ITEM_WORDS[kind], name, known).problem(())


def _remove_part(data: Any, path: KeyPath) -> None:
    """Remove a part of plain data, or the nearest existing part above a missing path."""
    while path and _at(data, path) is None:
        path = path[:-1]
    holder: Any = _at(data, path[:-1])
    if path and isinstance(holder, dict):
        del holder[path[-1]]
    elif path and isinstance(holder, list) and isinstance(path[-1], int):
        # A list of numbers is invalid without one of them; a list of mappings stays valid.
        if isinstance(holder[path[-1]], dict) and len(holder) > 1:
            del holder[path[-1]]
        else:
            _remove_part(data, path[:-1])


def _removed_paths(whole: Any, data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the paths that exist in the whole but not in the data."""
    if not isinstance(whole, Mapping):
        return
    for key, part in whole.items():
        if key not in data:
            yield (*path, str(key))
        else:
            yield from _removed_paths(part, data[key], (*path, str(key)))


def _at(data: Any, path: KeyPath) -> Any:
    """Return the value at a path in plain data; None if there is none."""
    for part in path:
        if isinstance(data, list) and isinstance(part, int) and part < len(data):  # noqa: SIM114 - joined, neither branch has a type
            data = data[part]
        elif isinstance(data, Mapping) and part in data:
            data = data[part]
        else:
            return None
    return data


def _unknown_units(path: KeyPath, part: Any) -> Iterator[Problem]:
    """Yield units in a removed part that exist in no dimension."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            place = (*path, str(key))
            if (key == "unit" or str(key).endswith("_unit")) and isinstance(value, str):
                known = [unit for units in UNITS.values() for unit in units]
                if value not in known:
                    yield Problem(place, f'"{value[:40]}" is no unit.', did_you_mean(value[:40], known))
            else:
                yield from _unknown_units(place, value)
    elif isinstance(part, list):
        for i, value in enumerate(part):
            yield from _unknown_units((*path, i), value)
