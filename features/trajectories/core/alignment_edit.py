"""Edit that moves a recorded frame of a scene to the reference of another one, by their alignment."""

from __future__ import annotations

import numpy as np

from framescope.core.errors import RefusedError, visible_text
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.edits.base import set_frame, with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, free_name, taken_names
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import PoseColumns, QuaternionColumns, Recorded
from framescope.core.scene.schema.poses import Position, QuaternionForm
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.transform import Transform
from framescope.features.trajectories.core.alignment_study import AlignmentStudy
from framescope.features.trajectories.core.stream_readings import StreamReading

DIGITS = 12
"""Digits of the components of quaternions and positions."""

SAME = 1e-7
"""Largest difference of the elements of two poses that count as one."""


def aligning_edit(plan: Plan, study: AlignmentStudy) -> ItemEdit:
    """Return the edit that moves frame b to the reference of a.

    A frame with the world offset becomes the parent of b, a frame on a has the mounting, and the recording of b starts
    at the time that the clocks say. What the poses leave open is applied with the value that was found.

    Raises
    ------
    RefusedError
        When a scene cannot say it: a scale, a drift of the clock, a convention that no recording has, or a parent that
        moves. When nothing is left to be done.
    """
    scene = plan.scene
    answer, pair = study.alignment, study.pair
    b = visible_text(pair.b)
    if answer.scale != 1.0:
        raise RefusedError(
            f"The positions of {b} need a scale of {answer.scale:.6g}, which a scene does not have. Choose no scale if"
            " the path has none of its own, or write the aligned path with framescope align --save, and open that."
        )
    if answer.clocks.drift:
        raise RefusedError(
            f"The clock of {b} drifts, which a scene cannot say. Write the aligned path into a file with framescope"
            " align --save, and open that."
        )
    read = pair.a if answer.reading.side == "a" else pair.b
    motions: dict[str, Recorded] = _read_anew(scene, read, answer.reading)
    if answer.clocks.offset_s:
        motions[pair.b] = _later(motions.get(pair.b) or _recorded(scene, pair.b), answer.clocks.offset_s, b)
    taken = set(taken_names(scene, "frames"))
    added: dict[str, Frame] = {}
    parent = scene.frames[pair.b].parent
    world = answer.world.compose(_fixed_pose(plan, parent, study.reference_b, b))
    is_placed = _is_same(answer.world, Transform(np.eye(3), np.zeros(3)))
    if not is_placed:
        parent = free_name(taken, f"{pair.b} reference")
        added[parent] = _fixed(study.reference_a, world)
    if answer.choice.form != "same frame" and not _has_mount(scene, pair.a, answer.body):
        mount = free_name({*taken, *added}, f"{pair.b} mount")
        added[mount] = _fixed(pair.a, answer.body)
    if not added and not motions:
        raise RefusedError(f"{b} is aligned with {visible_text(pair.a)} already.")

    def apply(scene: Scene) -> Scene:
        for name, frame in added.items():
            scene = with_item(scene, "frames", name, frame)
        for name, motion in motions.items():
            scene = set_frame(scene, name, motion=motion)
        return check_sizes(set_frame(scene, pair.b, parent=parent))

    apply(scene)
    return ItemEdit(f"Aligned {pair.b} with {pair.a}", apply, (("frames", pair.b),))


def _fixed_pose(plan: Plan, frame: str, reference: str, of: str) -> Transform:
    """Return the pose of a frame in a reference, in which it does not move."""
    if frame == reference:
        return Transform(np.eye(3), np.zeros(3))
    row, base = plan.index[frame], plan.index[reference]
    poses: list[Transform] = []
    for t in np.linspace(plan.start, plan.end, 3):
        moment = evaluate(plan, float(t))
        X_WA, X_WB = (Transform(moment.R_WF[k], moment.p_WF[k]) for k in (base, row))
        poses.append(X_WA.inverse().compose(X_WB))
    if not all(_is_same(poses[0], X) for X in poses[1:]):
        raise RefusedError(f"The parent of {of} moves, so that no fixed frame aligns it.")
    return poses[0]


def _has_mount(scene: Scene, parent: str, X: Transform) -> bool:
    """Return whether a frame is fixed on another at a pose already."""
    made = _fixed(parent, X)
    return any(frame == made for frame in scene.frames.values())


def _is_same(X: Transform, Y: Transform) -> bool:
    return np.allclose(X.R_AB, Y.R_AB, atol=SAME) and np.allclose(X.p_AB, Y.p_AB, atol=SAME)


def _fixed(parent: str, X: Transform) -> Frame:
    x, y, z, w = (round(part, DIGITS) + 0.0 for part in X.to_quaternion(order="xyzw").tolist())
    position = tuple(round(part, DIGITS) + 0.0 for part in X.p_AB.tolist())
    turn = QuaternionForm(value=(x, y, z, w), order="xyzw")
    return Frame(parent=parent, position=Position(value=position, unit="m"), orientation=turn)


def _recorded(scene: Scene, name: str) -> Recorded:
    motion = scene.frames[name].motion
    if not isinstance(motion, Recorded):
        raise RefusedError(
            f"{visible_text(name)} is no recording of a file, so that its times and its numbers stay as they are."
        )
    return motion


def _later(motion: Recorded, by_s: float, name: str) -> Recorded:
    try:
        factor = unit_factor(motion.start.unit, "time", ("start",))
    except ValueError as error:
        raise RefusedError(f"the start of {name} has no unit of time") from error
    return motion.model_copy(
        update={"start": Quantity(round(motion.start.value + by_s / factor, 9), motion.start.unit)}
    )


def _read_anew(scene: Scene, name: str, reading: StreamReading) -> dict[str, Recorded]:
    """Return the motion of a frame whose file is read in another convention; nothing if it is read as it should be."""
    if reading.is_plain:
        return {}
    motion = _recorded(scene, name)
    changes: dict[str, object] = {}
    if reading.is_inverse:
        is_inverse = motion.pose == "parent in frame"
        changes["pose"] = "frame in parent" if is_inverse else "parent in frame"
    columns = motion.columns
    if (reading.is_scalar_first or reading.is_turned_round) and columns is not None:
        changes["columns"] = _read_quaternion(columns, reading)
    can_say = columns is not None or not (reading.is_scalar_first or reading.is_turned_round)
    if reading.is_mirrored or reading.axes or not can_say or changes.get("columns") is columns is not None:
        words = reading.words(name, name)
        raise RefusedError(f"{words[:1].upper()}{words[1:]}, which its recording cannot say. Import the file anew so.")
    return {name: motion.model_copy(update=changes)}


def _read_quaternion(columns: PoseColumns, reading: StreamReading) -> PoseColumns:
    turn = columns.orientation
    if not isinstance(turn, QuaternionColumns):
        return columns
    changes: dict[str, object] = {}
    if reading.is_scalar_first:
        changes["order"] = "xyzw" if turn.order == "wxyz" else "wxyz"
    if reading.is_turned_round:
        changes["maps"] = "frame to parent" if turn.maps == "parent to frame" else "parent to frame"
    return columns.model_copy(update={"orientation": turn.model_copy(update=changes)})
