"""Edits that change the owner of items: a frame gets another parent, a body another frame.

With ``local`` the numbers stay as authored and the item jumps; with ``world`` the item keeps its pose in the world. A
constant pose is then recomputed in its own form. A pose that depends on time keeps its motion as authored: a new frame
is inserted with the pose of the old parent in the new parent, so that the motion is not rewritten. The result is exact
at all times if the parents do not move relative to each other, otherwise at the present time, which the label states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core import conventions
from framescope.core.errors import ItemError, RefusedError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import set_frame, with_item
from framescope.core.scene.edits.items import (
    ItemEdit,
    check_sizes,
    free_name,
    remove_items,
    selection_label,
    taken_names,
)
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import (
    ORIENTATION_KINDS,
    Digits,
    Now,
    authored_angles,
    axis_of,
    matrix_of,
    with_orientation,
)
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.scene.schema.references import Key, item_of, owner_field, owner_of
from framescope.core.snapshot import Snapshot

Keep = Literal["world", "local"]


def rehang(scene: Scene, keys: Sequence[Key], target: Key, keep: Keep, snapshot: Snapshot | None = None) -> ItemEdit:
    """Return the edit that moves items to another frame, or points to another body.

    Sensors and measurements then refer to the other frame.

    Parameters
    ----------
    scene
        The scene.
    keys, target
        The items, and their new frame or body.
    keep
        ``world`` keeps their poses in the world, ``local`` keeps the numbers of their poses in the parent.
    snapshot
        Snapshot of the scene at the present time; needed for ``world``.

    Raises
    ------
    RefusedError
        When frames would form a cycle, or a pose cannot be kept.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> rehang(scene, [("frames", "b")], ("frames", "world"), "local").apply(scene).frames["b"].parent
    'world'
    """
    chosen = [key for key in dict.fromkeys(keys) if item_of(scene, key) is not None or key == ("frames", WORLD)]
    if not chosen:
        raise RefusedError("nothing that could be moved is selected")
    changed, notes = scene, list[str]()
    for key in chosen:
        changed, note = _reparent(changed, key, target, keep, snapshot)
        notes += [note] if note else []
    if changed is scene:
        raise RefusedError(f"{target[1]} is the parent of {selection_label(chosen)} already")
    note = f", {notes[0]}" if notes and all(note == notes[0] for note in notes) else ", see each" if notes else ""
    kept_pose = "its pose in the parent as it was" if keep == "local" else "its place in the world kept"
    has_pose = any(kind in ("frames", "bodies") for kind, _ in chosen)
    label = f"Moved {selection_label(chosen)} to {target[1]}{note or (', ' + kept_pose if has_pose else '')}"

    def apply(scene: Scene) -> Scene:
        for key in chosen:
            scene = _reparent(scene, key, target, keep, snapshot)[0]
        return check_sizes(scene)

    return ItemEdit(label, apply, tuple(chosen))


def remove_keeping_children(scene: Scene, name: str, snapshot: Snapshot | None) -> ItemEdit:
    """Return the edit that deletes a frame and moves its child frames to its parent without moving them."""
    frame = scene.frames.get(name)
    if frame is None:
        raise RefusedError("only a frame has children that could stay")
    children = [("frames", child) for child, frame in scene.frames.items() if frame.parent == name]
    if not children:
        raise RefusedError(f"{name} has no child frames")
    reparent = rehang(scene, children, ("frames", frame.parent), "world", snapshot)
    remove = remove_items(reparent.apply(scene), [("frames", name)])
    count = f"{len(children)} child frame{'s' * (len(children) > 1)}"
    label = f"{remove.label}; {count} went to {frame.parent}"

    def apply(scene: Scene) -> Scene:
        return remove.apply(reparent.apply(scene))

    return ItemEdit(label, apply, tuple(children))


# --- One item


def _reparent(scene: Scene, key: Key, target: Key, keep: Keep, snapshot: Snapshot | None) -> tuple[Scene, str]:
    """Return the scene with one item moved to another owner, and a note for the label."""
    kind, name = key
    owner_kind = "bodies" if kind == "points" else "frames"
    if target[0] != owner_kind:
        word = "body" if owner_kind == "bodies" else "frame"
        raise RefusedError(f"{name} needs a {word} as its owner, not {target[1]}")
    if kind == "frames":
        return _reparent_frame(scene, name, target[1], keep, snapshot)
    item = item_of(scene, key)
    if isinstance(item, Body):
        return _reparent_body(scene, name, item, target[1], keep, snapshot), ""
    notes = {
        "points": "its offset as it was",
        "sensors": f"and measures {target[1]} now",
        "measured": f"and measures something of {target[1]} now",
    }
    if item is None or kind not in notes:
        raise RefusedError(f"{name} joins points: choose its ends in the inspector")
    if owner_of(item) == target:
        return scene, notes[kind]
    return with_item(scene, *key, item.model_copy(update={owner_field(type(item)): target[1]})), notes[kind]


def _reparent_frame(scene: Scene, name: str, parent: str, keep: Keep, snapshot: Snapshot | None) -> tuple[Scene, str]:
    if name == WORLD:
        raise RefusedError("the world has no parent")
    frame = scene.frames[name]
    if parent != WORLD and parent not in scene.frames:
        raise RefusedError(f'there is no frame "{parent}"')
    if name in _ancestors(scene, parent):
        is_same = name == parent
        problem = "be its own parent" if is_same else f"have the parent {parent}, which is below it"
        raise RefusedError(f'"{name}" cannot {problem}')
    if frame.parent == parent:
        return scene, ""
    bound = "" if frame.motion is None else MOTION_KINDS.of(frame.motion).bound_to_world
    if bound:
        raise RefusedError(f"{name} {bound}")
    if frame.source is not None:  # a file states the pose in the former parent
        scene = set_frame(scene, name, source=None)
    if keep == "local":
        return set_frame(scene, name, parent=parent), ""
    change, when = _change(scene, frame.parent, parent, snapshot)
    if change.is_none and not when:
        return set_frame(scene, name, parent=parent), ""
    if frame.motion is None and _is_still(frame):
        changes, note = _recompute_pose(frame, change, scene)
        return set_frame(scene, name, parent=parent, **changes), ", ".join(filter(None, (note, when)))
    return _with_frame_between(scene, name, frame, parent, change, when)


def _with_frame_between(
    scene: Scene, name: str, frame: Frame, parent: str, change: Change, when: str
) -> tuple[Scene, str]:
    between = free_name(taken_names(scene, "frames"), f"{frame.parent} in {parent}"[:190])
    orientation, _ = recompute_orientation(None, change, scene.parameters)
    stand_in = {"parent": parent, "position": recompute_position(None, change), "orientation": orientation}
    fields = {field: value for field, value in stand_in.items() if value is not None}
    scene = with_item(scene, "frames", between, Frame.model_validate(fields))
    scene = set_frame(scene, name, parent=between)
    return scene, ", ".join(filter(None, (f"its motion as authored, under the new frame {between}", when)))


def _reparent_body(scene: Scene, name: str, body: Body, frame: str, keep: Keep, snapshot: Snapshot | None) -> Scene:
    if frame != WORLD and frame not in scene.frames:
        raise RefusedError(f'there is no frame "{frame}"')
    if body.frame == frame:
        return scene
    changes: dict[str, object] = {}
    if keep == "world":
        change, _ = _change(scene, body.frame, frame, snapshot)
        changes, _ = _recompute_pose(body, change, scene)
    changed = body.model_copy(update={"frame": frame, **changes})
    return scene.model_copy(update={"bodies": scene.bodies | {name: changed}})


# --- Poses


def _change(scene: Scene, old: str, new: str, snapshot: Snapshot | None) -> tuple[Change, str]:
    """Return the present pose of the old parent in the new parent, and words for its time; empty if constant."""
    if snapshot is None or np.ndim(snapshot.t) or old not in snapshot.index or new not in snapshot.index:
        raise RefusedError(f"the pose of {old} is not known: keep the local pose")
    i, k = snapshot.index[old], snapshot.index[new]
    R_WP, R_WN = snapshot.R_WF[i], snapshot.R_WF[k]
    for frame, R in ((old, R_WP), (new, R_WN)):
        if not np.isfinite(R).all() or np.abs(R @ R.T - np.eye(3)).max() > 1e-9 or np.linalg.det(R) < 0.0:
            raise RefusedError(f"{frame} has no pose at this time that a child could keep: keep the local pose")
    R_NP, p_NP = R_WN.T @ R_WP, R_WN.T @ snapshot.offset_W(old, new)
    # Frames below the nearest common ancestor.
    above_old, above_new = _ancestors(scene, old), _ancestors(scene, new)
    apart = [frame for frame in (*above_old, *above_new) if (frame in above_old) != (frame in above_new)]
    moves = any(not _is_still(scene.frames[frame]) for frame in apart if frame in scene.frames)
    return Change(R_NP, p_NP), f"its place in the world as at t = {float(snapshot.t):.4g} s" if moves else ""


def _recompute_pose(item: Frame | Body, change: Change, scene: Scene) -> tuple[dict[str, object], str]:
    try:
        position = recompute_position(item.position, change)
        orientation, is_other = recompute_orientation(item.orientation, change, scene.parameters)
    except (ItemError, RefusedError) as error:
        message = getattr(error, "message", f"{error}.")
        raise RefusedError(f"its pose is not known: {message} Keep the local pose") from None
    new: dict[str, object] = {"position": position, "orientation": orientation}
    changes = {key: value for key, value in new.items() if value is not getattr(item, key)}
    return changes, "its one axis became three angles XYZ" if is_other else ""


def _ancestors(scene: Scene, name: str) -> dict[str, None]:
    """Return a frame with all its ancestors, from itself to the world, as far as they are known."""
    ancestors: dict[str, None] = {}
    while name not in ancestors:
        ancestors[name] = None
        frame = scene.frames.get(name)
        if name == WORLD or frame is None:
            break
        name = frame.parent
    return ancestors


def _is_still(frame: Frame) -> bool:
    """Return whether a frame's pose in its parent consists of numbers only."""
    form = frame.orientation
    if frame.motion is not None or (form is not None and ORIENTATION_KINDS.of(form).fixed):
        return False
    signals = (*(() if frame.position is None else frame.position.value), *authored_angles(form))
    return not any(isinstance(signal, str) for signal in signals)


SAME = 1e-12
"""Difference below which matrices, and positions in m, count as equal."""

DIGITS = Digits(11, 13, tolerance=1e-11)
"""Decimals of angles in their unit, and of all other numbers: below the resolution of any measurement."""

Form = poses.OrientationForm


@dataclass(frozen=True, eq=False)
class Change:
    """Change of parent: `R_NP` (3, 3) and `p_NP` (3,), m, are the pose of the old parent in the new parent."""

    R_NP: Array
    p_NP: Array

    @property
    def is_turned(self) -> bool:
        """Whether the parents are rotated relative to each other."""
        return bool(np.abs(self.R_NP - np.eye(3)).max() > SAME)

    @property
    def is_none(self) -> bool:
        """Whether the parents have the same pose."""
        return not self.is_turned and bool(np.abs(self.p_NP).max() <= SAME)


def recompute_position(position: poses.Position | None, change: Change) -> poses.Position | None:
    """Return a constant position in the new parent, in its own unit; None stays None if possible.

    >>> there = Change(np.eye(3), np.array([0.5, 0.0, 0.0]))
    >>> recompute_position(poses.Position(value=(1.0, 2.0, 3.0), unit="cm"), there).value
    (51.0, 2.0, 3.0)
    """
    if change.is_none or (position is None and np.abs(change.p_NP).max() <= SAME):
        return position
    position = position or poses.Position(value=(0.0, 0.0, 0.0), unit="m")
    factor = unit_factor(position.unit, "length", ("position", "unit"))
    p_P = np.array(position.value, dtype=float)
    x, y, z = DIGITS.of_numbers(change.R_NP @ p_P + change.p_NP / factor)
    return position.model_copy(update={"value": (x, y, z)})


def recompute_orientation(form: Form | None, change: Change, parameters: FrozenDict[float]) -> tuple[Form | None, bool]:
    """Return a constant orientation in the new parent, and whether its form had to change.

    Parameters
    ----------
    form
        The orientation as authored.
    change
        Pose of the old parent in the new parent.
    parameters
        Parameters of the scene.

    Raises
    ------
    RefusedError
        When the orientation is not known.
    """
    if not change.is_turned:
        return form, False
    now = Now(0.0, parameters, DIGITS)
    T_NF = matrix_of(form, now.t, parameters) @ change.R_NP.T
    try:
        return with_orientation(form, T_NF, now), False
    except RefusedError:
        if isinstance(form, poses.Planar):
            axis = DIGITS.of_numbers(_axis_of(T_NF, axis_of(form)))
            return with_orientation(form.model_copy(update={"axis": axis}), T_NF, now), False
        if isinstance(form, poses.Axis):
            axes = poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit=form.unit)
            return with_orientation(axes, T_NF, now), True
        raise


def _axis_of(T: Array, like: Array) -> Array:
    """Return the rotation axis of a matrix, a unit vector on the side of another vector."""
    axis, _ = conventions.axis_angle_from_quaternion(linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN))
    return axis if axis @ like >= 0.0 else -axis
