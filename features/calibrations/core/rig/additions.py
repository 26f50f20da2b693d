"""Adding of a calibration to an open scene: frames are matched by name, and a second way to a frame is measured.

A frame *has a place* unless it is at the origin of the world without a pose: there `calibration_scene` puts the roots
of trees, whose place in the world no calibration knows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from framescope.core.errors import RefusedError, counted
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.copies import add_part, lasting_as_long
from framescope.core.scene.edits.items import ItemEdit, check_sizes, free_name, taken_names
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.orientations import matrix_of
from framescope.core.scene.schema.measured import Measured, MeasuredPose
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.scene.schema.references import with_names
from framescope.core.scene.schema.sources import PoseSource
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.calibration_scene import loop_name
from framescope.features.calibrations.core.rig.coincidence import same_frame_questions
from framescope.features.calibrations.core.rig.names import NameQuestion
from framescope.features.calibrations.core.rig.sources import has_calibration
from framescope.features.causes.core.hypotheses_of_poses import orientation_like

Fields = dict[str, Any]
"""Position, orientation and source of a pose."""


def add_calibration(part: Scene, scene: Scene, verb: str = "Imported") -> Edit:
    """Return the edit that adds the scene of a calibration to a scene.

    Frames of equal names are one frame, if the scene has poses of calibrations or the links of a robot. A pose of a
    frame that has a place becomes a measured pose. Else the frames are copies. The scene lasts as long as the motions
    of a reconstruction.

    Raises
    ------
    RefusedError
        When there is nothing to add, or the scene would become too large.

    Examples
    --------
    >>> source = {"file": "a.yaml", "entry": "T", "maps": "frame to parent"}
    >>> frames = {"imu": {"parent": "world"}, "cam": {"parent": "imu", "source": source}}
    >>> scene = Scene.model_validate({"frames": frames})
    >>> other = {"cam": {"parent": "imu", "source": {**source, "file": "b"}}}
    >>> again = Scene.model_validate({"frames": {**frames, **other}})
    >>> added = add_calibration(again, scene).apply(scene)
    >>> list(added.frames), list(added.measured)
    (['imu', 'cam'], ['cam from imu'])
    """
    edit = _addition(part, scene, verb)
    if all(frame.motion is None for frame in part.frames.values()):
        return edit
    return ItemEdit(edit.label, lambda scene: lasting_as_long(edit.apply(scene), part), edit.keys)


def _addition(part: Scene, scene: Scene, verb: str) -> ItemEdit:
    is_known = has_calibration(scene) or bool(scene.robots)
    if not is_known or not set(part.frames) & set(scene.frames):
        return add_part(part, scene, verb=verb)
    joined = _Joined(scene)
    joined.add(part)
    keys = tuple(joined.added) or (("frames", next(iter(part.frames))),)

    def apply(scene: Scene) -> Scene:
        joined = _Joined(scene)
        joined.add(part)
        return check_sizes(joined.scene)

    apply(scene)
    return ItemEdit(f"{verb} {joined.words}", apply, keys)


@dataclass
class _Joined:
    """Scene to which poses are added one by one."""

    scene: Scene
    frames: dict[str, Frame] = field(init=False)
    measured: dict[str, Measured] = field(init=False)
    added: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    n_placed: int = 0

    def __post_init__(self) -> None:
        self.frames, self.measured = dict(self.scene.frames), dict(self.scene.measured)

    @property
    def words(self) -> str:
        """New items in words."""
        new = [name for kind, name in self.added if kind == "frames"]
        measured = [name for kind, name in self.added if kind == "measured"]
        parts = [counted(len(new), "frame")] if new else []
        parts += [counted(self.n_placed, "pose") + " of known frames"] if self.n_placed else []
        parts += [counted(len(measured), "measured pose")] if measured else []
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "the same poses again"

    def add(self, part: Scene) -> None:
        """Add the poses of a part, then its other items."""
        poses_of_part = {name: frame for name, frame in part.frames.items() if _is_pose(frame)}
        measured = {
            name: item for name, item in part.measured.items() if isinstance(item, MeasuredPose) and item.motion is None
        }
        for name, frame in part.frames.items():
            if name in poses_of_part:
                self.add_pose(frame.parent, name, _fields(frame))
        for item in measured.values():
            self.add_pose(item.relative_to, item.of, _fields(item))
        self._add_others(part, poses_of_part, measured)

    def add_pose(self, parent: str, child: str, fields: Fields) -> None:
        """Add the pose of a child in its parent: as a frame, or as a measured pose of two frames that are connected."""
        if self._replace(parent, child, fields):
            return
        if self._group(parent) == self._group(child):
            self._measure(parent, child, fields)
        elif self._is_loose(child):
            self._place(child, parent, fields)
        elif self._is_loose(parent):
            self._place(parent, child, self._turned(fields))
        elif self.hang_round(child):
            self._place(child, parent, fields)
        elif self.hang_round(parent):
            self._place(parent, child, self._turned(fields))
        else:
            self._measure(parent, child, fields)

    def _replace(self, parent: str, child: str, fields: Fields) -> bool:
        """Replace the pose of the same entry of the same file. Return whether there is one."""
        source: PoseSource | None = fields["source"]
        if source is None:
            return False
        for frame, other, its in ((child, parent, fields), (parent, child, self._turned(fields))):
            former = self.frames.get(frame)
            if former is not None and former.parent == other and _is_same_entry(former.source, its["source"]):
                self.frames[frame] = former.model_copy(update=its)
                return True
        for name, item in self.measured.items():
            if not isinstance(item, MeasuredPose) or (item.relative_to, item.of) != (parent, child):
                continue
            if _is_same_entry(item.source, source):
                self.measured[name] = item.model_copy(update=fields)
                return True
        return False

    def _is_loose(self, name: str) -> bool:
        """Return whether a frame is missing, or has no place."""
        return name != WORLD and (name not in self.frames or _has_no_place(self.frames[name]))

    def _group(self, name: str) -> str:
        """Return the frame without a place, or the world, that a frame is connected with."""
        for _ in range(len(self.frames) + 1):
            if self._is_loose(name) or name not in self.frames:
                return name
            name = self.frames[name].parent
        return name

    def _place(self, name: str, parent: str, fields: Fields) -> None:
        if parent != WORLD and parent not in self.frames:
            self._new_root(parent)
        if name in self.frames:
            self.n_placed += 1
        else:
            self.added.append(("frames", name))
        self.frames[name] = Frame(parent=parent, **fields)

    def _new_root(self, name: str) -> None:
        self.frames[name] = Frame(parent=WORLD)
        self.added.append(("frames", name))

    def _measure(self, parent: str, child: str, fields: Fields) -> None:
        name = free_name({*self.measured, *taken_names(self.scene, "measured")}, loop_name(child, parent))
        self.measured[name] = MeasuredPose(of=child, relative_to=parent, **fields)
        self.added.append(("measured", name))

    def hang_round(self, name: str) -> bool:
        """Make a frame the root of its tree, if the tree has no place in the world. Return whether it is now."""
        root = self._group(name)
        way = [name]
        while way[-1] != root:
            way.append(self.frames[way[-1]].parent)
        if root == WORLD or not all(_is_pose(self.frames[each]) for each in way[:-1]):
            return False
        former = {each: self.frames[each] for each in way}
        for child, parent in itertools.pairwise(way):
            self.frames[parent] = Frame(parent=child, **self._turned(_fields(former[child])))
        self.frames[name] = Frame(parent=WORLD)
        return True

    def _turned(self, fields: Fields) -> Fields:
        """Return the inverse pose. A matrix and the direction of the source keep their numbers."""
        R, p = self._pose(fields)
        form, source = fields["orientation"], fields["source"]
        orientation = None if form is None else _turned_form(form, R)
        position = poses.Position(value=tuple((-R.T @ p + 0.0).tolist()), unit="m")
        turned = None if source is None else source.model_copy(update={"maps": _OTHER[source.maps]})
        return {"position": position, "orientation": orientation, "source": turned}

    def _pose(self, fields: Fields) -> tuple[Array, Array]:
        R = matrix_of(fields["orientation"], 0.0, self.scene.parameters).T
        position = fields["position"]
        if position is None:
            return R, np.zeros(3)
        return R, unit_factor(position.unit, "length", ()) * np.array(position.value, dtype=float)

    # --- Other items

    def _add_others(self, part: Scene, placed: Mapping[str, Frame], measured: Mapping[str, MeasuredPose]) -> None:
        """Add the items of a part that are no fixed poses. Frames that only name a root are not added twice."""
        others: dict[tuple[str, str], Any] = {}
        for kind in ITEM_KINDS:
            for name, item in getattr(part, kind).items():
                is_placed = (kind == "frames" and name in placed) or (kind == "measured" and name in measured)
                is_root = kind == "frames" and name in self.frames and _has_no_place(item)
                if not is_placed and not is_root and not self._has(kind, name, item):
                    others[kind, name] = item
        names: dict[tuple[str, str], str] = {}
        for kind, name in others:
            taken = {*self._items(kind), *(new for (of, _), new in names.items() if of == kind)}
            names[kind, name] = free_name({*taken, *taken_names(self.scene, kind)}, name)
        renamed = with_names(part, lambda kind, name: names.get((kind, name), name))
        scene = self.joined()
        changes: dict[str, Any] = {}
        for (kind, name), new in names.items():
            changes.setdefault(kind, {})[new] = getattr(renamed, kind)[name]
            self.added.append((kind, new))
        update = {kind: getattr(scene, kind) | items for kind, items in changes.items()}
        parameters = {name: value for name, value in part.parameters.items() if name not in scene.parameters}
        if parameters:
            update["parameters"] = scene.parameters | parameters
        self.scene = scene.model_copy(update=update)

    def joined(self) -> Scene:
        """Return the scene with the poses added so far."""
        return self.scene.model_copy(update={"frames": FrozenDict(self.frames), "measured": FrozenDict(self.measured)})

    def _items(self, kind: str) -> Mapping[str, Any]:
        return self.frames if kind == "frames" else self.measured if kind == "measured" else getattr(self.scene, kind)

    def _has(self, kind: str, name: str, item: Any) -> bool:
        """Return whether the scene has the same item, such as the field of view of a camera that another file names."""
        own = self._items(kind).get(name)
        return own == item or (kind == "bodies" and own is not None and own.frame == item.frame)


_OTHER: Mapping[str | None, str] = {"parent to frame": "frame to parent", "frame to parent": "parent to frame"}


def _turned_form(form: Any, R: Array) -> Any:
    if isinstance(form, poses.MatrixForm):
        return form.model_copy(update={"maps": _OTHER[form.maps]})
    return orientation_like(form, R.T)


def _fields(item: Frame | MeasuredPose) -> Fields:
    return {"position": item.position, "orientation": item.orientation, "source": item.source}


def _has_no_place(frame: Frame) -> bool:
    return frame == Frame(parent=WORLD)


def _is_pose(frame: Frame) -> bool:
    """Return whether a frame has a constant pose from a calibration."""
    values = () if frame.position is None else frame.position.value
    is_constant = frame.motion is None and not frame.parent_keys and not any(isinstance(x, str) for x in values)
    return is_constant and frame.source is not None


def _is_same_entry(one: PoseSource | None, other: PoseSource | None) -> bool:
    return one is not None and one == other


def with_root(scene: Scene, root: str) -> Scene:
    """Return the scene with a frame as the root of its tree, if all poses above it come from calibrations.

    Examples
    --------
    >>> source = {"file": "a.yaml", "entry": "T", "maps": "frame to parent"}
    >>> frames = {"imu": {"parent": "world"}, "cam": {"parent": "imu", "source": source}}
    >>> turned = with_root(Scene.model_validate({"frames": frames}), "cam")
    >>> {name: frame.parent for name, frame in turned.frames.items()}
    {'imu': 'cam', 'cam': 'world'}
    """
    joined = _Joined(scene)
    is_turned = root in joined.frames and joined.hang_round(root)
    return joined.joined() if is_turned else scene


# --- Names that may mean one frame


def scene_questions(scene: Scene, edges: Sequence[Edge] = ()) -> tuple[NameQuestion, ...]:
    """Return the frames of different calibrations that may be the same, by their names and the poses in `edges`."""
    frames_by_file: dict[str, dict[str, None]] = {}
    for parent, child, source in _sources(scene):
        names = frames_by_file.setdefault(source.file, {})
        names.update(dict.fromkeys(name for name in (parent, child) if name in scene.frames))
    return same_frame_questions({file: tuple(names) for file, names in frames_by_file.items()}, edges)


def _sources(scene: Scene) -> Iterator[tuple[str, str, PoseSource]]:
    for name, frame in scene.frames.items():
        if frame.source is not None:
            yield frame.parent, name, frame.source
    for item in scene.measured.values():
        if isinstance(item, MeasuredPose) and item.source is not None:
            yield item.relative_to, item.of, item.source


def merge_frames(keep: str, gone: str) -> Edit:
    """Return the edit that makes one frame of two: all that names `gone` names `keep`.

    A second way to the frame becomes a measured pose.

    Examples
    --------
    >>> a, b = ({"file": file, "entry": "T", "maps": "frame to parent"} for file in "ab")
    >>> scene = Scene.model_validate({"frames": {"imu": {"parent": "world"}, "cam0": {"parent": "imu", "source": a},
    ...     "camera0": {"parent": "imu", "source": b}}})
    >>> merged = merge_frames("cam0", "camera0").apply(scene)
    >>> list(merged.frames), merged.measured["cam0 from imu"].source.file
    (['imu', 'cam0'], 'b')
    """

    def apply(scene: Scene) -> Scene:
        if keep not in scene.frames or gone not in scene.frames:
            raise RefusedError(f"there is no longer both {keep} and {gone}")
        if _is_below(scene, keep, gone):  # the upper one keeps its children
            merged = _without(scene, gone, keep)
            renamed = with_names(merged, lambda kind, name: keep if (kind, name) == ("frames", gone) else name)
            frames = {keep if name == gone else name: frame for name, frame in renamed.frames.items()}
            return check_sizes(renamed.model_copy(update={"frames": FrozenDict(frames)}))
        return check_sizes(_without(scene, keep, gone))

    return Edit(f"Merged {gone} into {keep}", apply)


def _without(scene: Scene, keep: str, gone: str) -> Scene:
    """Return a scene in which a frame is replaced by another that is not below it."""
    former = scene.frames[gone]
    renamed = with_names(scene, lambda kind, name: keep if (kind, name) == ("frames", gone) else name)
    measured = {
        name: item
        for name, item in renamed.measured.items()
        if not (isinstance(item, MeasuredPose) and item.of == item.relative_to)
    }
    update = {"frames": renamed.frames.without(gone), "measured": FrozenDict(measured)}
    joined = _Joined(renamed.model_copy(update=update))
    parent = keep if former.parent == gone else former.parent
    if not _has_no_place(former) and parent != keep and former.motion is None:
        joined.add_pose(parent, keep, _fields(former))
    return joined.joined()


def _is_below(scene: Scene, name: str, above: str) -> bool:
    for _ in range(len(scene.frames) + 1):
        if name == above:
            return True
        if name not in scene.frames:
            return False
        name = scene.frames[name].parent
    return False
