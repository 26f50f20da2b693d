"""Parameters that drive an angle by themselves: whoever turns the angle sets the parameter."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.scene.edits.base import DECIMALS, set_frame
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, authored_angles, with_angles
from framescope.core.scene.schema.model import Scene
from framescope.core.time_functions.expression_rewriting import split_constant


def driving_parameter(signal: float | str, parameters: Mapping[str, float]) -> str | None:
    """Return the parameter that a signal is and nothing else, else None.

    >>> driving_parameter("alpha", {"alpha": 20.0}), driving_parameter("2*alpha", {"alpha": 20.0})
    ('alpha', None)
    """
    name = signal.strip() if isinstance(signal, str) else None
    return name if name in parameters else None


def turned_by_parameters(before: Scene, after: Scene, name: str) -> Scene:
    """Return the scene after a turn of a frame, with what was added to an angle that is a parameter in the parameter.

    So everything that the parameter drives turns along. A parameter that is two angles of the frame stays.

    Examples
    --------
    >>> scenes = [Scene.model_validate({"framescope": 1, "parameters": {"alpha": 20}, "frames": {"a": {
    ...     "parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": angle, "unit": "deg"}}}})
    ...     for angle in ("alpha", "alpha + 15")]
    >>> turned = turned_by_parameters(*scenes, "a")
    >>> turned.parameters, turned.frames["a"].orientation.angle
    ({'alpha': 35.0}, 'alpha')
    """
    authored = authored_angles(before.frames[name].orientation)
    form = after.frames[name].orientation
    turns = None if form is None else ORIENTATION_KINDS.of(form).turns
    angles = list(authored_angles(form))
    if turns is None or len(angles) != len(authored):
        return after
    drivers = [driving_parameter(angle, before.parameters) for angle in authored]
    moved: dict[str, float] = {}
    for i, driver in enumerate(drivers):
        rest, constant = split_constant(str(angles[i]))
        if driver is not None and drivers.count(driver) == 1 and rest == driver and constant:
            moved[driver] = round(before.parameters[driver] + constant, DECIMALS) + 0.0
            angles[i] = authored[i]
    if not moved:
        return after
    after = after.model_copy(update={"parameters": after.parameters | moved})
    return set_frame(after, name, orientation=with_angles(form, turns, tuple(angles)))
