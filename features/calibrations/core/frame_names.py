"""Names of frames of a calibration: other names for some of them, and names that a scene can have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from framescope.core.scene.edits.items import free_name
from framescope.core.scene.schema.model import WORLD
from framescope.features.calibrations.core.calibration import Calibration

LONGEST, LONGEST_ENTRY = 180, 300
"""Largest numbers of characters of the name of a frame, and of the entry of a pose, in a scene."""


def with_frame_names(calibration: Calibration, names: Mapping[str, str]) -> Calibration:
    """Return a calibration with other names of some frames."""
    if not names:
        return calibration

    def new(name: str) -> str:
        return names.get(name, name)

    return replace(
        calibration,
        edges=tuple(replace(edge, parent=new(edge.parent), child=new(edge.child)) for edge in calibration.edges),
        lenses=tuple(replace(lens, frame=new(lens.frame)) for lens in calibration.lenses),
        pose_lists=tuple(
            replace(poses, parent=new(poses.parent), child=new(poses.child)) for poses in calibration.pose_lists
        ),
        clouds=tuple(replace(cloud, frame=new(cloud.frame)) for cloud in calibration.clouds),
        frames=tuple(map(new, calibration.frames)),
    )


def with_scene_names(calibration: Calibration) -> Calibration:
    r"""Return a calibration whose names of frames and entries a scene can have.

    Names that are usable stay. Two frames stay two.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.core.transform import Transform
    >>> from framescope.features.calibrations.core.calibration import Edge
    >>> X = Transform(np.eye(3), np.zeros(3))
    >>> edges = Edge("a", "left\ncam", X, "T"), Edge("a", "left cam", X, "T")
    >>> [edge.child for edge in with_scene_names(Calibration("x", edges)).edges]
    ['left cam 2', 'left cam']
    """
    frames = [name for edge in calibration.edges for name in (edge.parent, edge.child)]
    frames += [lens.frame for lens in calibration.lenses]
    frames += [name for poses in calibration.pose_lists for name in (poses.parent, poses.child)]
    frames += [*(cloud.frame for cloud in calibration.clouds), *calibration.frames]
    renamed = with_frame_names(calibration, scene_names(frames))
    entries = [printable(edge.entry, LONGEST_ENTRY) or "pose" for edge in renamed.edges]
    edges = (replace(edge, entry=entry) for edge, entry in zip(renamed.edges, entries, strict=True))
    return replace(renamed, edges=tuple(edges))


def scene_names(frames: Iterable[str]) -> dict[str, str]:
    """Return the names to replace, each with a name that a scene can have and that no other frame has.

    >>> scene_names(["cam", " cam", "x" * 300])[" cam"]
    'cam_2'
    """
    names = dict.fromkeys(frames)
    taken = {WORLD, *(name for name in names if name and printable(name, LONGEST) == name)}
    new: dict[str, str] = {}
    for name in names:
        if name not in taken:
            new[name] = free_name(taken, printable(name, LONGEST) or "frame")
            taken.add(new[name])
    return new


def printable(text: str, most: int) -> str:
    r"""Return a text of at most some characters on one line, with spaces for those that cannot be seen.

    >>> printable("left\n\u202ecam ", 200)
    'left cam'
    """
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:most].rstrip()
