"""Parameters that are the whole value of an angle: rotating the angle sets the parameter."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.scene.edits.base import DECIMALS, set_frame
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, authored_angles, with_angles
from framescope.core.scene.schema.model import Scene
from framescope.core.time_functions.expression_rewriting import split_constant


def driving_parameter(signal: float | str, parameters: Mapping[str, float]) -> str | None:
    """Return the parameter that is the whole signal, else None.

    >>> driving_parameter("alpha", {"alpha": 20.0}), driving_parameter("2*alpha", {"alpha": 20.0})
    ('alpha', None)
    """
    name = signal.strip() if isinstance(signal, str) else None
    return name if name in parameters else None


def rotate_by_parameters(before: Scene, after: Scene, name: str) -> Scene:
    """Return the scene after a rotation, with constants that it added to angles moved into the angles' parameters.

    Everything else that uses such a parameter then rotates, too. A parameter of two angles of the frame is unchanged.

    Examples
    --------
    >>> scenes = [Scene.model_validate({"framescope": 1, "parameters": {"alpha": 20}, "frames": {"a": {
    ...     "parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": angle, "unit": "deg"}}}})
    ...     for angle in ("alpha", "alpha + 15")]
    >>> rotated = rotate_by_parameters(*scenes, "a")
    >>> rotated.parameters, rotated.frames["a"].orientation.angle
    ({'alpha': 35.0}, 'alpha')
    """
    authored = authored_angles(before.frames[name].orientation)
    form = after.frames[name].orientation
    turns = None if form is None else ORIENTATION_KINDS.of(form).turns
    angles = list(authored_angles(form))
    if turns is None or len(angles) != len(authored):
        return after
    drivers = [driving_parameter(angle, before.parameters) for angle in authored]
    values: dict[str, float] = {}
    for i, driver in enumerate(drivers):
        rest, constant = split_constant(str(angles[i]))
        if driver is not None and drivers.count(driver) == 1 and rest == driver and constant:
            values[driver] = round(before.parameters[driver] + constant, DECIMALS) + 0.0
            angles[i] = authored[i]
    if not values:
        return after
    after = after.model_copy(update={"parameters": after.parameters | values})
    return set_frame(after, name, orientation=with_angles(form, turns, tuple(angles)))
