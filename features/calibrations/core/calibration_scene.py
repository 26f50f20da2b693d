"""Scene of a calibration: a tree of frames with their fixed poses, fields of view, and measured poses for loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.features.calibrations.core.calibration import Calibration, Edge, Lens

DEPTH = 0.1
"""Depth of the field of view of a camera, m."""


def tree_of(edges: Iterable[Edge]) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Return the edges that make a tree, each with its parent nearer the root, and the edges that close loops.

    An edge joins the tree if its frames are not connected yet, in the order of the edges. The root of a tree is the
    parent of its first edge, or the world.
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
    return tuple(_from_roots(kept)), tuple(loops)


def _from_roots(edges: list[Edge]) -> Iterator[Edge]:
    """Yield the edges of trees from their roots outward, turned round where the root is on the side of the child."""
    children = {edge.child for edge in edges}
    waiting = list(edges)
    reached = {WORLD}
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
    return Edge(edge.child, edge.parent, edge.X_file, edge.entry, not edge.is_inverse, edge.doubt)


def scene_of(calibration: Calibration, file: str) -> Scene:
    """Return the scene of a calibration read from a file.

    Roots of trees are frames in the world. An edge that closes a loop is a measured pose, which the scene compares with
    the tree.
    """
    tree, loops = tree_of(calibration.edges)
    frames: dict[str, Any] = {}
    for edge in tree:
        if edge.parent not in frames and edge.parent != WORLD:
            frames[edge.parent] = Frame(parent=WORLD)
        frames[edge.child] = Frame.model_validate({"parent": edge.parent, **pose_fields(edge, file)})
    for lens in calibration.lenses:
        frames.setdefault(lens.frame, Frame(parent=WORLD))
    measured = {
        f"{edge.child} from {edge.parent}": MeasuredPose.model_validate(
            {"form": "pose", "of": edge.child, "relative_to": edge.parent, **pose_fields(edge, file)}
        )
        for edge in loops
    }
    bodies = {f"view of {lens.frame}": field_of_view(lens) for lens in calibration.lenses if lens.size is not None}
    return Scene.model_validate({"frames": frames, "measured": measured, "bodies": bodies})


def pose_fields(edge: Edge, file: str) -> dict[str, Any]:
    """Return the fields of a frame or a measured pose: position, rotation as the file holds it, and its source."""
    maps = "parent to frame" if edge.is_inverse else "frame to parent"
    rows = (edge.X_file.R_AB + 0.0).tolist()
    return {
        "position": {"value": (edge.X_PC.p_AB + 0.0).tolist(), "unit": "m"},
        "orientation": {"form": "matrix", "rows": rows, "maps": maps},
        "source": {"file": file, "entry": edge.entry, "maps": maps},
    }


def field_of_view(lens: Lens) -> Body:
    """Return the field of view of a camera."""
    width, height = lens.size or (4, 3)
    size = {"width": DEPTH * width / lens.focal[0], "height": DEPTH * height / lens.focal[1]}
    shape = {"form": "frustum", "depth": f"{DEPTH} m", **{key: f"{value!r} m" for key, value in size.items()}}
    return Body.model_validate({"frame": lens.frame, "shape": shape})
