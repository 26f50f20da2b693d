"""Edit that has the scene read a recorded frame in the conventions that were found."""

from __future__ import annotations

from framescope.core.analysis.detective.hypotheses import Hypothesis
from framescope.core.analysis.detective.interpretations import Interpretation
from framescope.core.analysis.detective.report_text import form_of
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema import motions
from framescope.core.scene.schema.model import Scene


def why_not_used(scene: Scene, frame: str, h: Hypothesis, columns: motions.PoseColumns | None) -> str:
    """Return why a recording cannot be read so, as a sentence; empty when it can.

    Parameters
    ----------
    frame
        The recorded frame.
    h
        What was found out about the numbers in its file, which are `a`.
    columns
        What it reads of its file now, as `framescope.core.evaluation.compile.recorded.table_of` gives it.
    """
    motion = scene.frames[frame].motion if frame in scene.frames else None
    if not isinstance(motion, motions.Recorded) or columns is None or columns.orientation is None:
        return f"{frame} is not recorded."
    if h.n_fitted:
        return "It has a fixed offset, which is a frame of its own: insert one in the recorded frame."
    if not h.is_plain:
        return "Its axes are changed, which no recording says: insert a frame with a fixed orientation for that."
    if h.interpretation_a.kind not in ("quaternion", "matrix", "angles"):
        return f"A recording cannot hold a {h.interpretation_a.kind}: convert the file with the code first."
    is_turned = motion.pose == "parent in frame"
    if h.interpretation_a.kind == "angles" and h.is_inverse != is_turned and columns.position is not None:
        return "Such angles need a recording without positions, as the whole pose would be turned round."
    if motion.times is not None:
        return "Its times stand in another file: import both as one table."
    if _used(motion, columns, h) == motion:
        return "The scene reads it so already."
    return ""


def use_for_recording(scene: Scene, frame: str, h: Hypothesis, columns: motions.PoseColumns | None) -> Edit:
    """Return the edit that makes a recorded frame read its columns by a hypothesis; see `why_not_used`.

    Raises
    ------
    ValueError
        When the recording cannot be read so.
    """
    why = why_not_used(scene, frame, h, columns)
    motion = scene.frames[frame].motion if not why else None
    if not isinstance(motion, motions.Recorded) or columns is None:
        raise ValueError(f"{frame}: {why}")
    new = _used(motion, columns, h)

    def apply(scene: Scene) -> Scene:
        if frame not in scene.frames:
            raise ValueError(f"there is no frame {frame} any more")
        return set_frame(scene, frame, motion=new)

    return Edit(f"Read the recording of {frame} as {form_of(h.interpretation_a)}", apply)


def _used(motion: motions.Recorded, columns: motions.PoseColumns, h: Hypothesis) -> motions.Recorded:
    names = () if columns.orientation is None else columns.orientation.columns
    is_turned = motion.pose == "parent in frame"
    orientation = _orientation(h.interpretation_a, names, maps_to_frame=h.is_inverse != is_turned)
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
    """Whether a format of its own reads the orientation so anyway."""
    match orientation:
        case motions.QuaternionColumns():
            order = {"tum": "xyzw", "euroc": "wxyz"}.get(format_name)
            return orientation.order == order and orientation.maps == "frame to parent"
        case motions.MatrixColumns():
            return format_name == "kitti" and orientation.maps == "frame to parent"
        case _:
            return False
