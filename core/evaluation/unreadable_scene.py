"""Further faults of a scene file that cannot be read: what is at fault is left out, and the rest is examined."""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
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
"""How often parts are left out: a part without one of its keys is left out itself."""

MAX_ERRORS = 1000
"""Of more, the file is no scene but something else."""

OWNERS = ("bodies", "points", "elements")
"""Kinds of items without one of which simulated frames and what acts on them may look wrong that are not."""

REFERENCES = {"parent": "frames", "frame": "frames", "frame_a": "frames", "body": "bodies", "point": "points"}
"""Keys of items that name others, and of which kind."""


def with_further_faults(path: Path, error: SceneError, access: Access | None = None) -> SceneError:
    """Return what is wrong with a scene file, all that can be told of it; `error` is what keeps it from being read.

    A file whose text is no YAML, or no scene at all, has nothing further.
    """
    try:
        reader = YamlReader(scene_file_text(path), str(path))
        data = migrate(reader.document(), str(path))
        found = tuple(_further(data, access or Access(path.resolve().parent)))
    except FramescopeError:  # no text, no YAML: that is what is wrong
        return error
    except Exception:  # noqa: BLE001 - what keeps it from being read is known; whatever else fails must not hide that
        _LOG.info("no further faults of %s are looked for", path.name, exc_info=True)
        return error
    known = {problem.key_path for problem in error.problems}
    further = [locate(problem, reader.lines) for problem in found if problem.key_path not in known]
    return SceneError(error.source, sorted([*error.problems, *further], key=lambda problem: problem.line or 0))


def _further(whole: Mapping[str, Any], access: Access) -> Iterator[Problem]:
    data: Any = deepcopy(dict(whole))
    for _ in range(MAX_ROUNDS):
        try:
            scene = Scene.model_validate(data)
            break
        except ValidationError as error:
            if error.error_count() > MAX_ERRORS:
                return
            for part in faulty_parts(error, data):
                _leave_out(data, part)
    else:
        return
    left_out = tuple(_left_out(whole, data))
    for part in left_out:
        yield from _units(part, _at(whole, part))
        if len(part) == 2:
            yield from _names(part, _at(whole, part), whole)
    changed = {(part[0], str(part[1])) for part in left_out if len(part) > 1}
    for problem in compile_plan(scene, access=access).problems:
        is_there = _at(data, problem.key_path[:-1]) is not None
        if problem.severity != "note" and is_there and not _may_follow(problem, changed):
            yield problem


def _may_follow(problem: Problem, changed: Collection[tuple[str | int, str]]) -> bool:
    """Return whether a problem may be there only because parts of some items are left out."""
    path = problem.key_path
    names = {name for item in changed if item != path[:2] for name in item[1:]}
    is_of_owned = path[0] in ("points", "elements") or path[2:3] == ("motion",)
    owners = {kind for kind, _ in changed if kind in OWNERS}
    return any(f'"{name}"' in problem.message for name in names) or (is_of_owned and bool(owners))


def _names(path: KeyPath, item: Any, whole: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield names in an item that is left out and that are none of the file."""
    for key, kind in REFERENCES.items():
        name = _at(item, (key,))
        known = [*(["world"] if kind == "frames" else []), *map(str, _at(whole, (kind,)) or ())]
        if isinstance(name, str) and name not in known:
            yield NoSuchNameError((*path, key), ITEM_WORDS[kind], name, known).problem(())


def _leave_out(data: Any, path: KeyPath) -> None:
    """Take a part out of plain data; where there is nothing, what it would be in."""
    while path and _at(data, path) is None:
        path = path[:-1]
    holder: Any = _at(data, path[:-1])
    if path and isinstance(holder, dict):
        del holder[path[-1]]
    elif path and isinstance(holder, list) and isinstance(path[-1], int):
        # A list of numbers is none without one of them; of a list of mappings, the others stand.
        if isinstance(holder[path[-1]], dict) and len(holder) > 1:
            del holder[path[-1]]
        else:
            _leave_out(data, path[:-1])


def _left_out(whole: Any, data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the paths of what is there in the whole, and not in the data."""
    if not isinstance(whole, Mapping):
        return
    for key, part in whole.items():
        if key not in data:
            yield (*path, str(key))
        else:
            yield from _left_out(part, data[key], (*path, str(key)))


def _at(data: Any, path: KeyPath) -> Any:
    """Return what stands at a path in plain data, None where nothing does."""
    for part in path:
        if isinstance(data, list) and isinstance(part, int) and part < len(data):  # noqa: SIM114 - joined, neither branch has a type
            data = data[part]
        elif isinstance(data, Mapping) and part in data:
            data = data[part]
        else:
            return None
    return data


def _units(path: KeyPath, part: Any) -> Iterator[Problem]:
    """Yield units in a part that is left out and that are none of any dimension."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            place = (*path, str(key))
            if (key == "unit" or str(key).endswith("_unit")) and isinstance(value, str):
                known = [unit for units in UNITS.values() for unit in units]
                if value not in known:
                    yield Problem(place, f'"{value[:40]}" is no unit.', did_you_mean(value[:40], known))
            else:
                yield from _units(place, value)
    elif isinstance(part, list):
        for i, value in enumerate(part):
            yield from _units((*path, i), value)
