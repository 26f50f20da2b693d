"""Edit that applies found conventions to a recorded frame or a recorded measurement of the scene."""

from __future__ import annotations

from typing import Literal

from framescope.core.scene.edits.base import Edit, set_frame, with_item
from framescope.core.scene.schema import motions
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Frame, Scene
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.report_text import form_of

Section = Literal["frames", "measured"]


def recorded_motion(scene: Scene, name: str, section: Section = "frames") -> motions.Recorded | None:
    """Return the recorded motion of a frame or of a measured pose; None without a recording."""
    item = scene.frames.get(name) if section == "frames" else scene.measured.get(name)
    motion = item.motion if isinstance(item, Frame | MeasuredPose) else None
    return motion if isinstance(motion, motions.Recorded) else None


def reason_against_use(
    scene: Scene, name: str, h: Hypothesis, columns: motions.PoseColumns | None, section: Section = "frames"
) -> str:
    """Return a sentence on why a recording cannot use a hypothesis; empty if it can.

    Parameters
    ----------
    name, section
        Recorded frame or measurement.
    h
        Hypothesis about the numbers of its file, side `a`.
    columns
        Columns that it reads now, as `framescope.core.evaluation.compile.recorded.table_of` returns them.
    """
    motion = recorded_motion(scene, name, section)
    if motion is None or columns is None or columns.orientation is None:
        return f"{name} is not recorded."
    if h.n_fitted:
        return "It has a fixed offset, which is a frame of its own: insert one in the recorded frame."
    if not h.is_plain:
        return "Its axes are changed, which no recording says: insert a frame with a fixed orientation for that."
    if h.interpretation_a.kind not in ("quaternion", "matrix", "angles"):
        return f"A recording cannot hold a {h.interpretation_a.kind}: convert the file with the code first."
    is_inverted = motion.pose == "parent in frame"
    if h.interpretation_a.kind == "angles" and h.is_inverse != is_inverted and columns.position is not None:
        return "Such angles need a recording without positions, as the whole pose would be turned round."
    if motion.times is not None:
        return "Its times stand in another file: import both as one table."
    if _motion_with(motion, columns, h) == motion:
        return "The scene reads it so already."
    return ""


def use_for_recording(
    scene: Scene, name: str, h: Hypothesis, columns: motions.PoseColumns | None, section: Section = "frames"
) -> Edit:
    """Return the edit that makes a recording read its columns by a hypothesis; see `reason_against_use`.

    Raises
    ------
    ValueError
        When the recording cannot use the hypothesis.
    """
    why = reason_against_use(scene, name, h, columns, section)
    motion = recorded_motion(scene, name, section) if not why else None
    if motion is None or columns is None:
        raise ValueError(f"{name}: {why}")
    new = _motion_with(motion, columns, h)

    def apply(scene: Scene) -> Scene:
        if section == "frames":
            if name not in scene.frames:
                raise ValueError(f"there is no frame {name} any more")
            return set_frame(scene, name, motion=new)
        item = scene.measured.get(name)
        if item is None:
            raise ValueError(f"there is no measurement {name} any more")
        return with_item(scene, "measured", name, item.model_copy(update={"motion": new}))

    return Edit(f"Read the recording of {name} as {form_of(h.interpretation_a)}", apply)


def _motion_with(motion: motions.Recorded, columns: motions.PoseColumns, h: Hypothesis) -> motions.Recorded:
    names = () if columns.orientation is None else columns.orientation.columns
    is_inverted = motion.pose == "parent in frame"
    orientation = _orientation(h.interpretation_a, names, maps_to_frame=h.is_inverse != is_inverted)
    pose = motion.pose
    if h.interpretation_a.kind == "angles":
        pose = "parent in frame" if h.is_inverse else "frame in parent"
    changes: dict[str, object] = {"pose": pose}
    if motion.columns is None and _is_fixed(motion.format, orientation):
        return motion.model_copy(update=changes)
    new = columns.model_copy(update={"orientation": orientation})
    return motion.model_copy(update={**changes, "format": "table", "columns": new})


def _orientation(
    interpretation: Interpretation, names: tuple[str, ...], *, maps_to_frame: bool
) -> motions.OrientationColumns:
    maps = "parent to frame" if maps_to_frame else "frame to parent"
    match interpretation.kind:
        case "quaternion":
            keys = {"columns": names, "order": interpretation.choice, "maps": maps}
            return motions.QuaternionColumns.model_validate(keys)
        case "matrix":
            return motions.MatrixColumns.model_validate({"columns": names, "maps": maps})
        case _:
            keys = {"columns": names, "sequence": interpretation.choice, "unit": interpretation.unit}
            return motions.AngleColumns.model_validate(keys)


def _is_fixed(format_name: str, orientation: motions.OrientationColumns) -> bool:
    """Return whether a known format has these conventions of the orientation already."""
    match orientation:
        case motions.QuaternionColumns():
            order = {"tum": "xyzw", "euroc": "wxyz"}.get(format_name)
            return orientation.order == order and orientation.maps == "frame to parent"
        case motions.MatrixColumns():
            return format_name == "kitti" and orientation.maps == "frame to parent"
        case _:
            return False
