"""Scene of a calibration: a tree of frames with their fixed poses, cameras, and measured poses for loops."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from framescope.core.errors import Problem
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.system.proportions import axes_length
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.frame_names import LONGEST, printable, with_scene_names
from framescope.features.calibrations.core.lens_bodies import DEPTH, body_of, is_drawable
from framescope.features.calibrations.core.reconstruction_scene import FindPicture, add_reconstruction, find_no_picture

AXES = 2.0
"""Factor by which the axes of frames are longer than usual in a scene of that size: a rig is axes and little else."""


def tree_of(edges: Iterable[Edge], roots: Collection[str] = ()) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Return the edges that make a tree, each with its parent nearer the root, and the edges that close loops.

    An edge joins the tree if its frames are not connected yet, in the order of the edges. The root of a tree is the
    world, a frame in `roots`, or the parent of its first edge.
    """
    kept: list[Edge] = []
    loops: list[Edge] = []
    group: dict[str, int] = {}
    for k, edge in enumerate(edges):
        a, b = (group.setdefault(name, 2 * k + i) for i, name in enumerate((edge.parent, edge.child)))
        if a == b:
            loops.append(edge)
            continue
        kept.append(edge)
        for name in [name for name, which in group.items() if which == b]:
            group[name] = a
    return tuple(_from_roots(kept, roots)), tuple(loops)


def _from_roots(edges: list[Edge], roots: Collection[str]) -> Iterator[Edge]:
    """Yield the edges of trees from their roots outward, turned round where the root is on the side of the child."""
    children = {edge.child for edge in edges}
    waiting = list(edges)
    reached = {WORLD, *roots}
    while waiting:
        if not any({edge.parent, edge.child} & reached for edge in waiting):
            first = next((edge.parent for edge in waiting if edge.parent not in children), waiting[0].parent)
            reached.add(first)
        for edge in list(waiting):
            if edge.parent in reached:
                yield edge
            elif edge.child in reached:
                yield turned_round(edge)
            else:
                continue
            reached |= {edge.parent, edge.child}
            waiting.remove(edge)


def turned_round(edge: Edge) -> Edge:
    """Return the same relation with parent and child exchanged."""
    return replace(edge, parent=edge.child, child=edge.parent, is_inverse=not edge.is_inverse)


def scene_of(calibration: Calibration, file: str, picture_of: FindPicture = find_no_picture) -> Scene:
    """Return the scene of a calibration read from a file.

    Roots of trees are frames in the world. An edge that closes a loop is a measured pose, which the scene compares with
    the tree. A list of poses becomes a moving frame, see `framescope.features.calibrations.core.reconstruction_scene`.
    Where a file leaves the direction of a pose open, a second frame has the pose in the other direction. `picture_of`
    returns the name of a picture beside the file by that of an image.
    """
    calibration = with_scene_names(calibration)
    tree, loops = tree_of(calibration.edges)
    frames: dict[str, Any] = {}
    for edge in tree:
        if edge.parent not in frames and edge.parent != WORLD:
            frames[edge.parent] = Frame(parent=WORLD)
        frames[edge.child] = Frame.model_validate({"parent": edge.parent, **pose_fields(edge, file)})
    for edge in tree:
        if edge.doubt:
            name = next(name for name in _other_names(edge.child) if name not in frames)
            fields = pose_fields(replace(edge, X_file=edge.X_file.inverse()), file)
            del fields["source"]  # the file does not say this
            frames[name] = Frame.model_validate({"parent": edge.parent, **fields})
    for name in (*(lens.frame for lens in calibration.lenses), *calibration.frames):
        frames.setdefault(name, Frame(parent=WORLD))
    measured: dict[str, MeasuredPose] = {}
    for edge in loops:
        item = {"form": "pose", "of": edge.child, "relative_to": edge.parent, **pose_fields(edge, file)}
        measured[free_name(measured, loop_name(edge.child, edge.parent))] = MeasuredPose.model_validate(item)
    bodies = {f"view of {lens.frame}": body_of(lens) for lens in calibration.lenses if is_drawable(lens)}
    view = {"triad_length": f"{axes_length(AXES * (extent_of(tree) + DEPTH))!r} m"}
    scene = Scene.model_validate({"frames": frames, "measured": measured, "bodies": bodies, "view": view})
    return add_reconstruction(scene, calibration, picture_of)


def loop_name(child: str, parent: str) -> str:
    """Return the name of a measured pose of a frame in another, such as ``"cam1 from cam0"``.

    >>> loop_name("cam1", "cam0"), len(loop_name("x" * 180, "y" * 180))
    ('cam1 from cam0', 180)
    """
    return printable(f"{child} from {parent}", LONGEST)


def extent_of(tree: Iterable[Edge]) -> float:
    """Return the diagonal of the box around the origins of a tree of frames, m; each root is at the origin.

    >>> extent_of([Edge("imu", "cam", Transform(np.eye(3), [0.0, 3.0, 4.0]), "X")])
    5.0
    """
    poses: dict[str, Transform] = {}
    for edge in tree:
        above = poses.setdefault(edge.parent, Transform(np.eye(3), np.zeros(3)))
        poses[edge.child] = above @ edge.X_PC
    if not poses:
        return 0.0
    origins = np.array([pose.p_AB for pose in poses.values()])
    return float(np.linalg.norm(np.ptp(origins, axis=0)))


def open_directions(edges: Iterable[Edge]) -> tuple[Problem, ...]:
    """Return a problem for each pose whose direction the file leaves open.

    >>> edge = Edge("imu", "cam", Transform(np.eye(3), np.zeros(3)), "X", doubt="the file states none.")
    >>> open_directions([edge])[0].message
    'the direction is open: the file states none.'
    """
    given = tuple(edges)
    loops = {edge.entry for edge in tree_of(given)[1]}
    drawn = "Both are drawn. Delete the frame that is wrong."
    measured = "It closes a loop, which is compared in the direction of the name."
    return tuple(
        Problem(
            (edge.entry,),
            f"the direction is open: {edge.doubt}",
            measured if edge.entry in loops else drawn,
            "amber",
            edge.line,
            kind="open-direction",
        )
        for edge in given
        if edge.doubt
    )


def _other_names(name: str) -> Iterator[str]:
    name = name[:LONGEST]
    yield f"{name}, other direction"
    yield from (f"{name}, other direction {n}" for n in itertools.count(2))


def pose_fields(edge: Edge, file: str) -> dict[str, Any]:
    """Return the fields of a frame or a measured pose: position, rotation as the file holds it, and its source."""
    maps = "parent to frame" if edge.is_inverse else "frame to parent"
    rows = (edge.X_file.R_AB + 0.0).tolist()
    return {
        "position": {"value": (edge.X_PC.p_AB + 0.0).tolist(), "unit": "m"},
        "orientation": {"form": "matrix", "rows": rows, "maps": maps},
        "source": {"file": printable(file, 500) or "file", "entry": edge.entry, "maps": maps},
    }
