"""Edits that set the whole orientation of a frame, convert its authored form, or add a rotation offset.

`orient_frame` keeps the authored form and all numbers that need not change. Only `convert_form` changes the form.
"""

from __future__ import annotations

from typing import Any

from framescope.core.errors import RefusedError
from framescope.core.kernels.validation import USUAL_SEQUENCE, Array
from framescope.core.scene.edits.base import DECIMALS, Edit, set_frame
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.edits.pose import Moment, angle_names, movable, set_orientation, shift_frame
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import (
    ORIENTATION_KINDS,
    RPY,
    Now,
    authored_angles,
    axis_letters,
    conversion_key,
    is_about_fixed,
    matrix_of,
    moving_sequence,
    no_rotation,
    still_form,
    three_angles,
    with_orientation,
)
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.sensors import Sensor
from framescope.core.time_functions.expressions import parse_expression


def orient_frame(name: str, T_PF: Array, moment: Moment, label: str, *, is_new: bool = False) -> Edit:
    """Return the edit that gives a frame the orientation `T_PF` (3, 3), parent into frame, at a moment.

    Parameters
    ----------
    name
        The frame.
    T_PF : (3, 3)
        Rotation; a matrix within 1e-3 of a rotation is projected.
    moment
        Its present pose.
    label
        Text that undo shows.
    is_new
        Whether the orientation has nothing to do with the present one: constant angles are then those of branch 1.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` if the authored form cannot express the orientation.

    Notes
    -----
    Three angles take the values nearest to the present angles, on either branch and with any full turns. A constant is
    added to expressions of t, so that they are right at this time. A quaternion keeps its order and takes the nearer
    sign, a matrix keeps its direction, and two directions keep their lengths. With keyframes, the key at this time
    changes, or a key is added.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axis", "axis": "z", "angle": 350, "unit": "deg"}}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    >>> orient_frame("a", np.eye(3), now, "").apply(scene).frames["a"].orientation.angle
    360.0
    """

    def apply(scene: Scene) -> Scene:
        now = Now(moment.t, scene.parameters)

        def change(form: poses.OrientationForm) -> Any:
            if is_new and isinstance(form, poses.ThreeAngles) and not any(isinstance(a, str) for a in form.angles):
                return still_form(conversion_key(form), T_PF, form.unit or "rad")
            return with_orientation(form, T_PF, now)

        return set_orientation(scene, name, moment, change)

    return Edit(label, apply)


def pose_frame(name: str, T_PF: Array, p_PF: Array, moment: Moment, label: str, *, is_new: bool = False) -> Edit:
    """Return the edit that gives a frame an orientation, as `orient_frame` does, and a position (3,), m, in its parent.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "position": {
    ...     "value": [1, 2, 3], "unit": "mm"}}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.array([1e-3, 2e-3, 3e-3]))
    >>> pose_frame("a", np.eye(3), np.array([0.5, 0.002, 0.0]), now, "").apply(scene).frames["a"].position.value
    (500.0, 2.0, 0.0)
    """
    orient = orient_frame(name, T_PF, moment, label, is_new=is_new)
    shift = shift_frame(name, p_PF - moment.p_PF, moment, label, decimals=DECIMALS)
    return Edit(label, lambda scene: shift.apply(orient.apply(scene)))


def refusal_of(edit: Edit, scene: Scene) -> str:
    """Return the reason why an edit cannot be applied to a scene; empty if it can."""
    try:
        edit.apply(scene)
    except ValueError as error:  # a refusal is one
        return str(error)
    return ""


def convert_form(name: str, kind: str, moment: Moment, label: str, *, freezes: bool = False) -> Edit:
    """Return the edit that writes the orientation of a frame in another form.

    Parameters
    ----------
    name
        The frame.
    kind
        ``"axes:ZYX"`` and the other sequences, ``"rpy"``, ``"extrinsic:xyz"`` and the other sequences,
        ``"quaternion:xyzw"``, ``"quaternion:wxyz"``, ``"matrix"``, ``"planar"``, ``"nxy"`` or ``"nxz"``.
    moment
        Its present pose.
    label
        Text that undo shows.
    freezes
        Whether a frame that moves with t may lose its motion and keep its present pose.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` if it would lose a motion without consent; see `conversion_loss`.

    Notes
    -----
    All keys of keyframes are converted, since each is constant. For a simulated frame the initial orientation is
    converted. A rotation about x, y or z becomes three angles at all times, and so do three angles about moving axes
    the same angles in reverse order about fixed axes.
    """

    def apply(scene: Scene) -> Scene:
        frame = _convertible(scene, name)
        if isinstance(frame.motion, motions.Keyframes):
            keys = tuple(_convert_key(key, kind, scene) for key in frame.motion.keys)
            return set_frame(scene, name, motion=frame.motion.model_copy(update={"keys": keys}))
        loss = _warning_of(frame.orientation, kind, moment.t, scene.parameters)
        if loss and not freezes:
            raise RefusedError(f"{name} is not converted: {loss}")
        form = frame.orientation
        if form is not None and ORIENTATION_KINDS.of(form).fixed:
            form = with_orientation(None, moment.T_PF, Now(moment.t, scene.parameters))
        return set_frame(scene, name, orientation=_convert(form, kind, moment.t, scene.parameters))

    return Edit(label, apply)


def conversion_loss(scene: Scene, name: str, kind: str, t: float) -> str:
    """Return, as a sentence, the motion that converting a frame's form would lose; empty if nothing is lost."""
    frame = scene.frames[name]
    return "" if frame.motion is not None else _warning_of(frame.orientation, kind, t, scene.parameters)


def _convertible(scene: Scene, name: str) -> Frame:
    if name == WORLD or name not in scene.frames:
        raise RefusedError("the world stays where it is" if name == WORLD else f'there is no frame "{name}"')
    frame = scene.frames[name]
    why = "" if frame.motion is None else MOTION_KINDS.of(frame.motion).why_not_converted(frame.motion)
    if why:
        raise RefusedError(why)
    return frame


def _convert_key(key: motions.Key, kind: str, scene: Scene) -> motions.Key:
    if key.orientation is None:
        return key
    form = _convert(key.orientation, kind, 0.0, scene.parameters)
    return key.model_copy(update={"orientation": form})


def _convert(form: poses.OrientationForm | None, key: str, t: float, parameters: FrozenDict[float]) -> Any:
    """Return the orientation of a form at time `t` in the form of a conversion key.

    A rotation about x, y or z becomes three angles with the same motion, and three angles those of the same turns about
    fixed or moving axes. All other forms become constant.

    Raises
    ------
    ValueError
        When there is no such form.
    RefusedError
        When the form has no orientation at this time.

    Examples
    --------
    >>> _convert(poses.Axis(axis="z", angle="5*t", unit="deg"), "axes:XYZ", 0.0, FrozenDict()).angles
    (0.0, 0.0, '5*t')
    >>> _convert(poses.Axes(sequence="ZYX", angles=(1.0, 2.0, "t"), unit="deg"), "rpy", 0.0, FrozenDict()).angles
    ('t', 2.0, 1.0)
    """
    if key == conversion_key(form) and form is not None:
        return form
    sequence = _sequence_in(key)
    if isinstance(form, poses.Axis) and _is_exact(form, key):
        angles: list[float | str] = [0.0, 0.0, 0.0]
        angles[axis_letters(sequence).lower().index(form.axis)] = form.angle
        return three_angles(sequence, (angles[0], angles[1], angles[2]), form.unit)
    if isinstance(form, poses.ThreeAngles) and _is_exact(form, key):
        a, b, c = poses.as_moving(form).angles
        return three_angles(sequence, (c, b, a) if is_about_fixed(sequence) else (a, b, c), form.unit)
    unit: str | None = getattr(form, "unit", None) if authored_angles(form) else None
    return still_form(key, matrix_of(form, t, parameters), unit or "deg")


def _is_exact(form: poses.OrientationForm | None, key: str) -> bool:
    """Return whether `_convert` keeps a motion that depends on t."""
    sequence = _sequence_in(key)
    if isinstance(form, poses.ThreeAngles):
        return bool(sequence) and poses.as_moving(form).sequence == moving_sequence(sequence)
    return isinstance(form, poses.Axis) and form.axis in axis_letters(sequence).lower()


def _sequence_in(key: str) -> str:
    """Return the sequence of three angles that a conversion key names; empty for other forms.

    >>> _sequence_in("extrinsic:zxz"), _sequence_in("rpy"), _sequence_in("matrix")
    ('zxz', 'rpy', '')
    """
    form, _, sequence = key.partition(":")
    return RPY if form == RPY else sequence if form in ("axes", "extrinsic") else ""


def _warning_of(form: poses.OrientationForm | None, key: str, t: float, parameters: FrozenDict[float]) -> str:
    """Return, as a sentence, the motion that converting a form would lose; empty if nothing is lost."""
    consequence = f"converted, it stands still as it is at {t:.2f} s."
    if form is not None and ORIENTATION_KINDS.of(form).fixed:
        return f"{ORIENTATION_KINDS.of(form).fixed.replace('its orientation', 'It', 1)}; {consequence}"
    running = _running_angles(form, parameters)
    if not running or _is_exact(form, key):
        return ""
    verb = "run" if " and " in running else "runs"
    subject = "The angle" if running == "its angle" else running
    return f"{subject} {verb} with t; {consequence}"


def _running_angles(form: poses.OrientationForm | None, parameters: FrozenDict[float]) -> str:
    """Return the names of a form's angles that depend on t, such as ``"α and γ"``; empty if it is constant.

    >>> _running_angles(poses.Axes(sequence="XYZ", angles=("t", 1.0, "2*t"), unit="rad"), FrozenDict())
    'α and γ'
    """
    angles = authored_angles(form)
    names = angle_names(form) if len(angles) > 1 else ("its angle",)
    return " and ".join(name for name, angle in zip(names, angles, strict=False) if _runs(angle, parameters))


def _runs(signal: float | str, parameters: FrozenDict[float]) -> bool:
    if not isinstance(signal, str):
        return False
    try:
        return "t" in parse_expression(signal, parameters).mentions
    except ValueError:
        return True  # unknown, so ask before freezing it


# --- Rotation by a constant offset


def offset_name(scene: Scene, name: str) -> str:
    """Return a free name for the frame that `fix_offset` adds.

    >>> offset_name(Scene(), "camera")
    'camera offset'
    """
    return free_name(scene.frames, f"{name} offset")


def fix_offset(name: str, label: str, sequence: str = USUAL_SEQUENCE) -> Edit:
    """Return the edit that moves the contents of a frame to a new child frame, which can be rotated.

    The frame itself keeps its pose, which comes from a recording, an integration or a simulation. Frames, bodies and
    sensors on it become children of the new frame, named by `offset_name`. The new frame has no rotation yet, so the
    picture does not change. Bodies that a simulation needs stay on the frame.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> changed = fix_offset("a", "").apply(scene)
    >>> changed.frames["a offset"].parent, changed.frames["b"].parent
    ('a', 'a offset')
    """

    def apply(scene: Scene) -> Scene:
        if name not in scene.frames:
            raise RefusedError(f'there is no frame "{name}"')
        new = offset_name(scene, name)
        still = no_rotation(sequence)
        frames: dict[str, Frame] = {}
        for other, frame in scene.frames.items():
            frames[other] = frame.model_copy(update={"parent": new}) if frame.parent == name else frame
            if other == name:
                frames[new] = Frame(parent=name, orientation=still)
        on_points = {point.body for point in scene.points.values()}
        bodies = {
            other: body.model_copy(update={"frame": new})
            if body.frame == name and not _is_simulated(scene, body) and other not in on_points
            else body
            for other, body in scene.bodies.items()
        }
        sensors: dict[str, Sensor] = {}
        for other, sensor in scene.sensors.items():
            ends = {key: new for key in ("frame_a", "frame_b") if getattr(sensor, key, None) == name}
            sensors[other] = sensor.model_copy(update=ends)
        changed: dict[str, dict[str, Any]] = {"frames": frames, "bodies": bodies, "sensors": sensors}
        return scene.model_copy(update={kind: FrozenDict(items) for kind, items in changed.items()})

    return Edit(label, apply)


def _is_simulated(scene: Scene, body: Body) -> bool:
    return body.mass is not None and isinstance(scene.frames[body.frame].motion, motions.Simulated)


# --- Whether a user can edit


def why_read_only(scene: Scene, name: str, moment: Moment) -> str:
    """Return the reason why the user cannot set the orientation of a frame at a moment; empty if possible.

    >>> import numpy as np
    >>> why_read_only(Scene(), "world", Moment(0.0, 0.0, np.eye(3), np.zeros(3)))
    'the world stays where it is'
    """
    try:
        frame = movable(scene, name, moment)
    except RefusedError as error:
        return str(error)
    return "" if frame.orientation is None else ORIENTATION_KINDS.of(frame.orientation).fixed
