"""Moments of inertia of evenly filled shapes."""

from __future__ import annotations

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import bodies as shapes
from framescope.core.scene.schema.quantities import unit_factor


def uniform_inertia(shape: shapes.Shape, mass: float) -> Array:
    """Return the inertia matrix (3, 3) of an evenly filled shape about its centre, in its own axes, kg m².

    Parameters
    ----------
    shape
        A box, a cylinder or a sphere.
    mass
        Mass, kg.

    Raises
    ------
    ItemError
        When the shape has no inside, or its centre of mass is not its origin.

    References
    ----------
    D. T. Greenwood, "Principles of Dynamics", 1988, appendix A.

    Examples
    --------
    >>> from framescope.core.scene.schema.quantities import Quantity
    >>> sphere = shapes.Sphere(form="sphere", radius=Quantity(0.5, "m"))
    >>> uniform_inertia(sphere, 10.0).diagonal()
    array([1., 1., 1.])
    """
    match shape:
        case shapes.Box():
            factor = unit_factor(shape.unit, "length", ("shape", "unit"))
            x2, y2, z2 = (factor * np.array(shape.size)) ** 2
            return mass / 12.0 * np.diag([y2 + z2, z2 + x2, x2 + y2])
        case shapes.Cylinder():
            r, h = (getattr(shape, key).si("length", ("shape", key)) for key in ("radius", "height"))
            across = mass * (3.0 * r**2 + h**2) / 12.0
            return np.diag([across, across, 0.5 * mass * r**2])
        case shapes.Sphere():
            return 0.4 * mass * shape.radius.si("length", ("shape", "radius")) ** 2 * np.eye(3)
        case _:
            raise ItemError(
                ("inertia",),
                f"a {shape.form} has no uniform inertia about its origin.",
                "Give three moments with their unit.",
            )
