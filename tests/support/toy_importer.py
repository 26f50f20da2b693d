"""A toy importer: frames by name and place, a line each, below the word toy."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.errors import FramescopeError, Problem
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import Scene


def recognizes(head: bytes, _size: int) -> bool:
    return head.startswith(b"toy\n")


def read(path: Path) -> Contents:
    frames, problems = {}, []
    for line in path.read_text().splitlines()[1:]:
        name, *place = line.split()
        if len(place) == 3:
            frames[name] = {"parent": "world", "position": {"value": [float(x) for x in place], "unit": "m"}}
        else:
            problems.append(Problem((), f"{name} has no place, and is left out."))
    if not frames:
        raise FramescopeError(f"{path.name} holds no toys.")
    return Contents(LoadedScene(Scene.model_validate({"frames": frames}), path, "", {}), problems=tuple(problems))
