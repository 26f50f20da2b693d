"""Gravity of a scene: the one that moves simulated bodies, and the one that accelerometers do not measure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.sensors.absolute import STANDARD_GRAVITY_W


class Gravity(NamedTuple):
    """Acceleration of free fall (3,), resolved in world, m/s², and its origin in words."""

    g_W: Array
    origin: str


def authored_gravity(scene: Scene) -> Array:
    """Return the gravity (3,) of simulated bodies, resolved in world, m/s²: that of the scene, by default none.

    Raises
    ------
    ItemError
        When it has no usable unit.
    """
    if scene.gravity is None:
        return np.zeros(3)
    return unit_factor(scene.gravity.unit, "acceleration", ("gravity", "unit")) * np.array(scene.gravity.value)


def gravity_of_specific_force(scene: Scene) -> Gravity:
    """Return the gravity that a specific force does not contain.

    It is the gravity of simulated bodies, so that the specific force of a falling body is zero. A scene without
    simulated bodies and without a gravity of its own has standard gravity along -z of the world.

    Examples
    --------
    >>> gravity_of_specific_force(Scene())
    Gravity(g_W=array([ 0.     ,  0.     , -9.80665]), origin='standard gravity along −z of world')
    >>> gravity_of_specific_force(Scene.model_validate({"gravity": {"value": [0, 0, 9.81], "unit": "m/s²"}})).origin
    'gravity of the scene'
    """
    if scene.gravity is not None:
        try:
            return Gravity(authored_gravity(scene), "gravity of the scene")
        except ItemError:
            return Gravity(np.zeros(3), "no gravity, because that of the scene has no usable unit")
    if any(isinstance(frame.motion, Simulated) for frame in scene.frames.values()):
        return Gravity(np.zeros(3), "no gravity, as for the simulated bodies")
    return Gravity(np.array(STANDARD_GRAVITY_W), "standard gravity along −z of world")
