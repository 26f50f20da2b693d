"""Edits of the kind of motion of a frame, keeping its present pose."""

from __future__ import annotations

from framescope.core.errors import ItemError, RefusedError
from framescope.core.scene.edits.base import DECIMALS, Edit, set_frame, with_item
from framescope.core.scene.edits.new_items import add_item
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.bodies import Body, Inertia
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment
from framescope.core.scene.schema.kinds.orientations import (
    IN_FORMULA,
    angle_factor,
    authored_angles,
    axis_letters,
    conversion_key,
    conversions,
    sequence_key,
    still_form,
)
from framescope.core.scene.schema.kinds.shapes import uniform_inertia
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Unconnected
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.time_functions.expression_rewriting import with_constant

TABLES = (".csv", ".npz", ".parquet")
"""Endings of files of poses whose columns are named."""


def set_motion(name: str, form: str, moment: Moment, label: str, file: str = "") -> Edit:
    """Return the edit that gives a frame another form of motion, or none.

    Parameters
    ----------
    name
        The frame.
    form
        A name of `MOTION_KINDS`, or the empty string for no motion.
    moment
        Present pose of the frame, which becomes the first key, the start of a simulated body, or the pose without a
        motion. A pose that is not finite is ignored.
    label
        Label of the step of undo.
    file
        File of a motion that is in one.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"frames": {"a": {"parent": "world", "position": {"value": [1, 0, 0],
    ...     "unit": "m"}}}})
    >>> now = Moment(2.0, 0.0, np.eye(3), np.array([1.0, 0.0, 0.0]))
    >>> frame = set_motion("a", "keyframes", now, "").apply(scene).frames["a"]
    >>> frame.position is None, frame.motion.keys[0].position
    (True, (1.0, 0.0, 0.0))
    """

    def apply(scene: Scene) -> Scene:
        frame = scene.frames[name]
        if form == (frame.motion.form if frame.motion is not None else ""):
            return scene
        pose: dict[str, object] = {}
        if frame.motion is not None and not isinstance(frame.motion, Unconnected) and moment.is_finite:
            pose = {"position": _position(moment), "orientation": still_form(f"axes:{moment.sequence}", moment.T_PF)}
        if not form:
            return _without_field(set_frame(scene, name, **pose), name, "motion")
        kind = MOTION_KINDS.named(form)
        keys: dict[str, object] = {"file": file} if file else {}
        if file.lower().endswith(TABLES) and "format" in kind.model.model_fields:
            keys["format"] = "table"
        motion = kind.model.model_validate({**kind.start, **kind.start_at(moment), **keys})
        if not kind.gives_pose:
            return set_frame(scene, name, motion=motion, **pose)
        scene = _without_field(set_frame(scene, name, motion=motion), name, "position")
        return _without_field(scene, name, "orientation")

    return Edit(label, apply)


RATE_DEG = 36
"""Rate of the rotation that a frame gets with a formula, degrees per second."""

START_DECIMALS = 1
"""Decimals of the start of the time range in a formula, s."""


def stop_frame(name: str, moment: Moment, label: str) -> Edit:
    """Return the edit that stops a frame in its present pose: no motion, and numbers in place of expressions.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": ["90*t", 0, 0], "unit": "deg"}}}})
    >>> T = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    >>> stop_frame("a", Moment(1.0, 0.0, T, np.zeros(3)), "").apply(scene).frames["a"].orientation.angles
    (90.0, 0.0, 0.0)
    """

    def apply(scene: Scene) -> Scene:
        scene = set_motion(name, "", moment, label).apply(scene)
        frame = scene.frames[name]
        if not moment.is_finite:
            return scene
        pose: dict[str, object] = {}
        if frame.position is not None and any(isinstance(value, str) for value in frame.position.value):
            pose["position"] = _position(moment)
        form = frame.orientation
        if isinstance(form, poses.Integrated) or (form is not None and _has_expression(form)):
            pose["orientation"] = still_form(_axes_key(form, moment), moment.T_PF)
        return set_frame(scene, name, **pose)

    return Edit(label, apply)


def turn_by_formula(name: str, moment: Moment, label: str) -> Edit:
    """Return the edit that makes a frame turn at a steady rate by a formula of t, from the start of the time range on.

    At the start the frame has its present orientation, whatever the present time is, so that the formula is as short
    as a person would type it.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"frames": {"a": {"parent": "world"}}})
    >>> edit = turn_by_formula("a", Moment(4.7641, 0.0, np.eye(3), np.zeros(3)), "")
    >>> edit.apply(scene).frames["a"].orientation.angles
    (0.0, 0.0, '36*t')
    """

    def apply(scene: Scene) -> Scene:
        scene = stop_frame(name, moment, label).apply(scene)
        form = scene.frames[name].orientation
        if not isinstance(form, poses.ThreeAngles) or form.unit != "deg":
            if not moment.is_finite:
                raise RefusedError(f"{name} has no pose from which it could turn")
            form = still_form(_axes_key(form, moment), moment.T_PF)
        letters = axis_letters(sequence_key(form))
        i = letters.find("Z") if letters.count("Z") == 1 else 2
        constant = IN_FORMULA.of_angle(float(form.angles[i]), angle_factor("deg"))
        formula = with_constant(f"{RATE_DEG}*{_time_since(moment.start)}", constant)
        angles = tuple(formula if k == i else angle for k, angle in enumerate(form.angles))
        return set_frame(scene, name, orientation=form.model_copy(update={"angles": angles}))

    return Edit(label, apply)


def _time_since(start: float) -> str:
    """Return the time since the start of the time range, s, as a factor of a formula.

    >>> _time_since(0.0), _time_since(5.0), _time_since(-2.5)
    ('t', '(t - 5)', '(t + 2.5)')
    """
    since = with_constant("t", -round(start, START_DECIMALS))
    return since if since == "t" else f"({since})"


def _axes_key(form: poses.OrientationForm | None, moment: Moment) -> str:
    key = conversion_key(form) if isinstance(form, poses.ThreeAngles) else ""
    return key if key in conversions() else f"axes:{moment.sequence}"


def _has_expression(form: poses.OrientationForm) -> bool:
    return any(isinstance(angle, str) for angle in authored_angles(form))


def _position(moment: Moment) -> poses.Position:
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in moment.p_PF)
    return poses.Position(value=(x, y, z), unit="m")


def _without_field(scene: Scene, name: str, key: str) -> Scene:
    scene = set_frame(scene, name, **{key: None})
    scene.frames[name].__pydantic_fields_set__.discard(key)
    return scene


FIRST_MASS = Quantity(1.0, "kg")
"""Mass of a body that gets one without a number."""

FIRST_INERTIA = Inertia(value=(0.01, 0.01, 0.01), unit="kg m²")
"""Inertia about the frame's origin of a body of no evenly filled shape about it."""


def give_mass(name: str) -> Edit:
    """Return the edit that gives a body of a frame a mass and an inertia, for a simulation; a box if it has no body.

    The mass fills the shape evenly if its centre is the frame's origin.

    Examples
    --------
    >>> scene = give_mass("a").apply(Scene.model_validate({"frames": {"a": {"parent": "world"}}}))
    >>> scene.bodies["box"].mass, scene.bodies["box"].inertia
    (Quantity(value=1.0, unit='kg'), 'uniform')
    """

    def apply(scene: Scene) -> Scene:
        if not any(body.frame == name for body in scene.bodies.values()):
            scene = add_item(scene, "box", [("frames", name)]).apply(scene)
        bodies = {key: body for key, body in scene.bodies.items() if body.frame == name}
        chosen = next((key for key, body in bodies.items() if _can_be_uniform(body)), next(iter(bodies)))
        inertia = bodies[chosen].inertia or ("uniform" if _can_be_uniform(bodies[chosen]) else FIRST_INERTIA)
        heavy = bodies[chosen].model_copy(update={"mass": FIRST_MASS, "inertia": inertia})
        return with_item(scene, "bodies", chosen, heavy)

    return Edit(f"Gave {name} a mass of {FIRST_MASS}", apply)


def _can_be_uniform(body: Body) -> bool:
    """Return whether a mass can fill the shape of a body evenly about the origin of its frame."""
    try:
        uniform_inertia(body.shape, 1.0)
    except ItemError:
        return False
    return body.position is None
