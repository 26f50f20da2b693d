"""Mends of a scene: edits that give wrong entries the poses that were meant, and their poses before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from framescope.core.errors import Fix, ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.features.calibrations.core.rig.ghost_pose import GhostPose
from framescope.features.calibrations.core.rig.hypotheses import Kind
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import Cause
from framescope.features.causes.core.hypotheses_of_poses import orientation_like

BUTTONS: Mapping[Kind, tuple[str, str]] = {
    "inverted": ("Invert the pose", "Inverted the pose"),
    "transposed": ("Transpose the rotation", "Transposed the rotation"),
    "position inverted": ("Correct the position", "Corrected the position"),
    "other order": ("Read in the other order", "Read the rotation in the other order"),
    "other unit of angles": ("Read in the other unit", "Read the angles in the other unit"),
    "millimetres": ("Scale the position", "Scaled the position"),
    "centimetres": ("Scale the position", "Scaled the position"),
    "mirrored": ("Mirror back", "Mirrored the pose back"),
    "other axes": ("Change the axes", "Changed the axes"),
    "names swapped": ("Swap the poses", "Swapped the poses"),
}
"""Texts of buttons, and beginnings of the labels that undo shows, by the kind of the fault."""


def fix_of(cause: Cause, edges: Sequence[RigEdge], effect: str = "") -> Fix[Edit] | None:
    """Return the fix of a cause in the scene of its edges; None if the scene has no place for one of its poses.

    The entry keeps its source: the place in the file and the direction of the numbers there.
    """
    if cause.renamed or any(edges[k].item is None for k in cause.edges):
        return None
    kinds = dict.fromkeys(BUTTONS[kind] for kind in cause.kinds)
    names = " and ".join(dict.fromkeys(edges[k].edge.child for k in cause.edges))
    button, label = next(iter(kinds)) if len(kinds) == 1 else ("Correct both", "Corrected the poses")
    meant = [(edges[k].item, fault.R, fault.p) for k, fault in cause.faults]

    def apply(scene: Scene) -> Scene:
        for item, R, p in meant:
            if item is not None:
                scene = with_pose(scene, item, R, p)
        return scene

    return Fix(button, Edit(f"{label} of {names}", apply), effect)


def with_pose(scene: Scene, item: tuple[str, str], R: Array, p: Array) -> Scene:
    """Return the scene with another constant pose of a frame or a measured pose, in the form and unit it has.

    Parameters
    ----------
    item
        Kind and name of the item.
    R : (3, 3)
        Rotation of the child in the parent.
    p : (3,)
        Position, m.
    """
    kind, name = item
    former = getattr(scene, kind)[name]
    position = former.position
    unit = "m" if position is None else position.unit
    try:
        factor = unit_factor(unit, "length", ())
    except ItemError:
        unit, factor = "m", 1.0
    changes: dict[str, Any] = {
        "position": poses.Position(value=_numbers(np.asarray(p) / factor), unit=unit),
        "orientation": _orientation(former.orientation, R),
    }
    return with_item(scene, kind, name, former.model_copy(update=changes))


def _orientation(form: Any, R: Array) -> Any:
    """Return a rotation in the form of another; a matrix keeps all digits and its direction."""
    if not isinstance(form, poses.MatrixForm):
        return orientation_like(form, R)
    rows = R if form.maps == "frame to parent" else R.T
    return form.model_copy(update={"rows": tuple(_numbers(row) for row in rows)})


def _numbers(values: Array) -> tuple[float, float, float]:
    x, y, z = (np.asarray(values, dtype=float) + 0.0).tolist()
    return x, y, z


def ghosts_of(cause: Cause, edges: Sequence[RigEdge]) -> tuple[GhostPose, ...]:
    """Return the poses of the wrong entries as they are written and as they were meant, labelled before and after."""
    ghosts: list[GhostPose] = []
    for k, fault in cause.faults:
        edge = edges[k].edge
        X = edge.X_PC
        ghosts.append(GhostPose("before", edge.parent, edge.child, X.R_AB, X.p_AB))
        ghosts.append(GhostPose("after", edge.parent, edge.child, fault.R, fault.p))
    return tuple(ghosts)
