"""Edits of joints: their values by frame, stored in the joint or in a parameter."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.errors import RefusedError
from framescope.core.scene.edits.base import DECIMALS, Edit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Joint, JointRecording
from framescope.core.scene.schema.quantities import UNITS, Quantity


def joint_of(frame: Frame | None) -> Joint | None:
    """Return the joint whose child is the frame; None if there is none."""
    return frame.motion if frame is not None and isinstance(frame.motion, Joint) else None


def is_set_by_hand(scene: Scene, joint: Joint) -> bool:
    """Return whether the value of a joint is a number or a parameter, which the user can set.

    Otherwise an expression or a recording drives it.
    """
    if joint.recording is not None:
        return False
    return not isinstance(joint.value, str) or joint.value.strip() in scene.parameters


def joint_title(frame: Frame, name: str) -> str:
    """Return the name of the joint of a frame; the name of the frame if the joint has none."""
    joint = joint_of(frame)
    return name if joint is None else joint.name or name


def unit_size(joint: Joint) -> float:
    """Return the size of the unit of a joint's value, rad or m; an unknown unit counts as SI."""
    return UNITS["angle" if joint.type == "revolute" else "length"].get(joint.unit or "", 1.0)


def joint_units(scene: Scene) -> dict[str, tuple[str, str]]:
    """Return the unit, and what it measures, of each parameter that is the value of a joint; none if two differ.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Frame, Scene
    >>> joint = Joint(type="revolute", value="elbow", unit="rad")
    >>> joint_units(Scene(parameters=FrozenDict(elbow=0.0), frames=FrozenDict(arm=Frame(parent="world", motion=joint))))
    {'elbow': ('rad', 'angle')}
    """
    units: dict[str, set[tuple[str, str]]] = {}
    for frame in scene.frames.values():
        joint = joint_of(frame)
        if joint is not None and isinstance(joint.value, str) and joint.value.strip() in scene.parameters:
            measured, usual = ("angle", "rad") if joint.type == "revolute" else ("length", "m")
            units.setdefault(joint.value.strip(), set()).add((joint.unit or usual, measured))
    return {name: found.pop() for name, found in units.items() if len(found) == 1}


def set_joint(name: str, value: float, label: str) -> Edit:
    """Return the edit that sets the joint of one frame, rad or m; applying it raises `RefusedError` for a driven joint.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Frame, Scene
    >>> follower = Joint(type="revolute", value="2*elbow", unit="rad")
    >>> scene = Scene(parameters=FrozenDict(elbow=0.0), frames=FrozenDict(arm=Frame(parent="world", motion=follower)))
    >>> set_joint("arm", 0.5, "Set wrist").apply(scene)
    Traceback (most recent call last):
      ...
    framescope.core.errors.RefusedError: its joint follows others: it is 2*elbow
    """
    edit = set_joints({name: value}, label)

    def apply(scene: Scene) -> Scene:
        joint = joint_of(scene.frames.get(name))
        if joint is None:
            raise RefusedError("no joint moves it")
        if not is_set_by_hand(scene, joint):
            if joint.recording is not None:
                raise RefusedError(f"its joint is recorded in {joint.recording.file}")
            raise RefusedError(f"its joint follows others: it is {joint.value}")
        return edit.apply(scene)

    return Edit(label, apply)


def record_joints(recordings: Mapping[str, JointRecording], label: str, end_s: float | None = None) -> Edit:
    """Return the edit that drives joints by recordings, keyed by frame; `end_s` is the new end of the scene.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Frame, Scene
    >>> arm = Frame(parent="world", motion=Joint(type="revolute", value=0.0, unit="rad"))
    >>> recording = JointRecording(file="walk.csv", column="elbow", time="t", time_unit="s")
    >>> scene = record_joints({"arm": recording}, "Played walk.csv").apply(Scene(frames=FrozenDict(arm=arm)))
    >>> scene.frames["arm"].motion.recording.column
    'elbow'
    """

    def apply(scene: Scene) -> Scene:
        frames = dict[str, Frame]()
        for name, recording in recordings.items():
            joint = joint_of(scene.frames.get(name))
            if joint is not None:
                driven = joint.model_copy(update={"recording": recording})
                frames[name] = scene.frames[name].model_copy(update={"motion": driven})
        update: dict[str, object] = {"frames": scene.frames | FrozenDict(frames)}
        if end_s is not None:
            update["time"] = scene.time.model_copy(update={"end": Quantity(end_s, "s")})
        return scene.model_copy(update=update)

    return Edit(label, apply)


def free_joints(values: Mapping[str, float]) -> Edit:
    """Return the edit that removes the recordings of joints, keyed by frame, and sets their values, rad or m."""
    set_values = set_joints(values, "")

    def apply(scene: Scene) -> Scene:
        frames = dict[str, Frame]()
        for name in values:
            joint = joint_of(scene.frames.get(name))
            if joint is not None and joint.recording is not None:
                freed = joint.model_copy(update={"recording": None})
                freed.__pydantic_fields_set__.discard("recording")
                frames[name] = scene.frames[name].model_copy(update={"motion": freed})
        return set_values.apply(scene.model_copy(update={"frames": scene.frames | FrozenDict(frames)}))

    return Edit("Freed the joints of their recording", apply)


def set_joints(values: Mapping[str, float], label: str) -> Edit:
    """Return the edit that sets the values of joints, rad or m, keyed by frame; driven joints are skipped.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Frame, Scene
    >>> joint = Joint(type="revolute", value="elbow", unit="deg")
    >>> scene = Scene(parameters=FrozenDict(elbow=0.0), frames=FrozenDict(arm=Frame(parent="world", motion=joint)))
    >>> set_joints({"arm": 0.5235987755982988}, "Set elbow").apply(scene).parameters
    {'elbow': 30.0}
    """

    def apply(scene: Scene) -> Scene:
        parameters, frames = dict[str, float](), dict[str, Frame]()
        for name, value in values.items():
            joint = joint_of(scene.frames.get(name))
            if joint is None or not is_set_by_hand(scene, joint):
                continue
            number = round(value / unit_size(joint), DECIMALS) + 0.0
            if isinstance(joint.value, str):
                parameters[joint.value.strip()] = number
            else:
                changed = joint.model_copy(update={"value": number})
                frames[name] = scene.frames[name].model_copy(update={"motion": changed})
        update = {"parameters": scene.parameters | FrozenDict(parameters), "frames": scene.frames | FrozenDict(frames)}
        return scene.model_copy(update=update)

    return Edit(label, apply)
