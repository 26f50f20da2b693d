"""Writers of a rig by the suffix of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from framescope.core.errors import FramescopeError
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene
from framescope.features.calibrations.core.rig.rig import Rig


@dataclass(frozen=True)
class RigFormat:
    """Format of a rig: what it is, and its writer, which takes the rig, its scene, and the name of the file."""

    title: str
    write: Callable[[Rig, Scene, str], str]


def _scene(_rig: Rig, scene: Scene, _name: str) -> str:
    return scene_text(scene)


SCENE = RigFormat("a scene", _scene)

RIG_FORMATS: Mapping[str, RigFormat] = {".yaml": SCENE, ".yml": SCENE}
"""Formats by suffix."""


def rig_format(name: str) -> RigFormat:
    """Return the format of a file by its suffix.

    Raises
    ------
    FramescopeError
        When no format has the suffix.

    Examples
    --------
    >>> rig_format("rig.yaml").title
    'a scene'
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in RIG_FORMATS:
        known = ", ".join(f"{ending} ({format_.title})" for ending, format_ in RIG_FORMATS.items())
        raise FramescopeError(f"{name}: a rig is written by the suffix of the file. Use one of {known}.")
    return RIG_FORMATS[suffix]
