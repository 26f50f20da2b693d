"""Kinds of shapes: their sizes in SI units, initial values, and moments of inertia."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from framescope.core.errors import ItemError, KeyPath
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import bodies
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.registry import Kind, Kinds, M
from framescope.core.scene.schema.quantities import Quantity, unit_factor

Sizes = Mapping[str, float]
"""Dimensions of a shape by name, m."""


def positive(quantity: Quantity, key_path: KeyPath, dimension: str = "length") -> float:
    """Return a quantity in SI units; raise `ItemError` if it is not positive."""
    value = quantity.si(dimension, key_path)
    if not value > 0.0:
        raise ItemError(key_path, f"expected more than zero, got {quantity}.")
    return value


def _sizes(shape: Item) -> Sizes:
    quantities = {key: getattr(shape, key) for key in type(shape).model_fields}
    return {key: positive(q, ("shape", key)) for key, q in quantities.items() if isinstance(q, Quantity)}


@dataclass(frozen=True, kw_only=True)
class ShapeKind(Kind[M]):
    """Properties of a kind of shape.

    Attributes
    ----------
    title
        Entry in the menu for a new shape; empty if the menu has none.
    template
        Name of the entry among the templates of new items. Empty: the form.
    shares
        Dimensions of a new shape, as multiples of the axes' length in the view.
    sizes
        Function that returns the dimensions of a shape, m, or raises `ItemError`. The default returns all quantities.
    inertia
        Function that returns the moments of inertia (3,) about the centre, kg m², of a mass, kg, that fills the shape
        evenly. None for a shape without an interior or with a centre of mass that is not its origin.
    needs_files
        Whether a shape without its files is not drawn.
    """

    icon: str = "box"
    title: str = ""
    template: str = ""
    shares: Sizes = field(default_factory=dict[str, float])
    sizes: Callable[[M], Sizes] = _sizes
    inertia: Callable[[Sizes, float], Array] | None = None
    needs_files: bool = True

    def in_proportion(self, length: Callable[[float], Quantity]) -> M:
        """Return a new shape; `length` returns a multiple of the axes' length in the view."""
        return self.model.model_validate({key: length(share) for key, share in self.shares.items()})


@dataclass(frozen=True, kw_only=True)
class _BoxKind(ShapeKind[bodies.Box]):
    def in_proportion(self, length: Callable[[float], Quantity]) -> bodies.Box:
        x, y, z = (length(share) for share in self.shares.values())
        return bodies.Box(size=(x.value, y.value, z.value), unit=x.unit)


@dataclass(frozen=True, kw_only=True)
class _EllipsoidKind(ShapeKind[bodies.Ellipsoid]):
    def in_proportion(self, length: Callable[[float], Quantity]) -> bodies.Ellipsoid:
        x, y, z = (length(share) for share in self.shares.values())
        return bodies.Ellipsoid(radii=(x.value, y.value, z.value), unit=x.unit)


@dataclass(frozen=True, kw_only=True)
class _CameraKind(ShapeKind[bodies.CameraShape]):
    def in_proportion(self, length: Callable[[float], Quantity]) -> bodies.CameraShape:
        return self.model.model_validate({**self.start, "depth": length(self.shares["depth"])})


def _of_box(shape: bodies.Box) -> Sizes:
    factor = unit_factor(shape.unit, "length", ("shape", "unit"))
    if not min(shape.size) > 0.0:
        raise ItemError(("shape", "size"), "expected three sizes of more than zero.")
    return dict(zip("xyz", (factor * size for size in shape.size), strict=True))


def _of_ellipsoid(shape: bodies.Ellipsoid) -> Sizes:
    factor = unit_factor(shape.unit, "length", ("shape", "unit"))
    if not min(shape.radii) > 0.0:
        raise ItemError(("shape", "radii"), "expected three radii of more than zero.")
    return dict(zip("xyz", (factor * radius for radius in shape.radii), strict=True))


def _of_torus(shape: bodies.Torus) -> Sizes:
    sizes = _sizes(shape)
    if sizes["tube_radius"] > sizes["ring_radius"]:
        what = f"expected at most the ring radius, {shape.ring_radius}, got {shape.tube_radius}."
        raise ItemError(("shape", "tube_radius"), what)
    return sizes


def _of_camera(shape: bodies.CameraShape) -> Sizes:
    """Return the distance of the drawn image, and the places of its edges in the plane of the image, m.

    The centres of the outermost pixels are half a pixel inside the edges.
    """
    for key in ("resolution", "focal_lengths"):
        if not min(getattr(shape, key)) > 0:
            raise ItemError(("shape", key), "expected two numbers of more than zero.")
    depth = positive(shape.depth, ("shape", "depth"))
    edges: dict[str, float] = {}
    for i, (low, high) in enumerate((("left", "right"), ("top", "bottom"))):
        per_pixel = depth / shape.focal_lengths[i]
        edges[low] = (-0.5 - shape.principal_point[i]) * per_pixel
        edges[high] = (shape.resolution[i] - 0.5 - shape.principal_point[i]) * per_pixel
    return {"depth": depth, **edges}


def _of_mesh(shape: bodies.MeshFile) -> Sizes:
    """Return the factor of the mesh's coordinates along each axis."""
    factor = unit_factor(shape.unit, "length", ("shape", "unit"))
    if 0.0 in shape.scale:
        raise ItemError(("shape", "scale"), "a scale of zero leaves no surface.", "Use [1, 1, 1].")
    return dict(zip("xyz", (factor * scale for scale in shape.scale), strict=True))


def _of_points(shape: bodies.PointsFile) -> Sizes:
    """Return the factor of the coordinates of points along each axis."""
    return dict.fromkeys("xyz", unit_factor(shape.unit, "length", ("shape", "unit")))


def _box_inertia(size: Sizes, mass: float) -> Array:
    x2, y2, z2 = (size[key] ** 2 for key in "xyz")
    return mass / 12.0 * np.array([y2 + z2, z2 + x2, x2 + y2])


def _cylinder_inertia(size: Sizes, mass: float) -> Array:
    r, h = size["radius"], size["height"]
    across = mass * (3.0 * r**2 + h**2) / 12.0
    return np.array([across, across, 0.5 * mass * r**2])


def _ellipsoid_inertia(size: Sizes, mass: float) -> Array:
    x2, y2, z2 = (size[key] ** 2 for key in "xyz")
    return mass / 5.0 * np.array([y2 + z2, z2 + x2, x2 + y2])


def _capsule_inertia(size: Sizes, mass: float) -> Array:
    """Return the sum of the moments of inertia of the cylinder and of the two hemispheres at its ends."""
    r, h = size["radius"], size["length"]
    ball = mass * 4.0 * r / (4.0 * r + 3.0 * h)
    tube = mass - ball
    along = 0.5 * tube * r**2 + 0.4 * ball * r**2
    across = tube * (3.0 * r**2 + h**2) / 12.0 + ball * (0.4 * r**2 + 0.375 * r * h + 0.25 * h**2)
    return np.array([across, across, along])


def _torus_inertia(size: Sizes, mass: float) -> Array:
    ring2, tube2 = size["ring_radius"] ** 2, size["tube_radius"] ** 2
    across = mass * (0.5 * ring2 + 0.625 * tube2)
    return np.array([across, across, mass * (ring2 + 0.75 * tube2)])


SHAPE_KINDS: Kinds[ShapeKind[Any]] = Kinds(
    _BoxKind(
        model=bodies.Box,
        title="Box",
        start={"size": (0.2, 0.2, 0.2), "unit": "m"},
        shares={"x": 1.0, "y": 0.6, "z": 0.4},
        sizes=_of_box,
        inertia=_box_inertia,
    ),
    ShapeKind(
        model=bodies.Cylinder,
        title="Cylinder",
        start={"radius": "0.1 m", "height": "0.2 m"},
        shares={"radius": 0.25, "height": 1.0},
        inertia=_cylinder_inertia,
    ),
    ShapeKind(
        model=bodies.Sphere,
        title="Sphere",
        start={"radius": "0.1 m"},
        shares={"radius": 0.4},
        inertia=lambda size, mass: np.full(3, 0.4 * mass * size["radius"] ** 2),
    ),
    ShapeKind(
        model=bodies.Cone,
        title="Cone",
        start={"radius": "0.1 m", "height": "0.2 m"},
        shares={"radius": 0.35, "height": 0.9},
    ),
    _EllipsoidKind(
        model=bodies.Ellipsoid,
        title="Ellipsoid",
        start={"radii": (0.15, 0.1, 0.05), "unit": "m"},
        shares={"x": 0.6, "y": 0.4, "z": 0.25},
        sizes=_of_ellipsoid,
        inertia=_ellipsoid_inertia,
    ),
    ShapeKind(
        model=bodies.Capsule,
        title="Capsule",
        start={"radius": "0.05 m", "length": "0.2 m"},
        shares={"radius": 0.2, "length": 0.6},
        inertia=_capsule_inertia,
    ),
    ShapeKind(
        model=bodies.Torus,
        title="Torus",
        start={"ring_radius": "0.1 m", "tube_radius": "0.02 m"},
        shares={"ring_radius": 0.5, "tube_radius": 0.1},
        sizes=_of_torus,
        inertia=_torus_inertia,
    ),
    ShapeKind(
        model=bodies.Frustum,
        title="Field of view",
        icon="camera",
        start={"depth": "0.3 m", "width": "0.3 m", "height": "0.2 m"},
        shares={"depth": 1.0, "width": 1.0, "height": 0.75},
    ),
    _CameraKind(
        model=bodies.CameraShape,
        title="Calibrated camera",
        template="calibrated camera",
        icon="camera",
        start={
            "resolution": (640, 480),
            "focal_lengths": (500.0, 500.0),
            "principal_point": (319.5, 239.5),
            "depth": "0.3 m",
        },
        shares={"depth": 1.0},
        files=("picture",),
        needs_files=False,
        sizes=_of_camera,
    ),
    ShapeKind(
        model=bodies.Arrow,
        title="Arrow",
        start={"length": "0.3 m", "radius": "0.02 m"},
        shares={"length": 1.5, "radius": 0.05},
    ),
    ShapeKind(
        model=bodies.MeshFile,
        files=("file",),
        start={"file": "mesh.stl", "unit": "mm"},
        sizes=_of_mesh,
    ),
    ShapeKind(
        model=bodies.PointsFile,
        icon="scan",
        files=("file",),
        start={"file": "points.ply", "unit": "m"},
        sizes=_of_points,
    ),
)


def uniform_inertia(shape: bodies.Shape, mass: float) -> Array:
    """Return the inertia matrix (3, 3) of an evenly filled shape about its centre, in its own axes, kg m².

    Parameters
    ----------
    shape
        A box, a cylinder, a sphere, an ellipsoid, a capsule or a torus.
    mass
        Mass, kg.

    Raises
    ------
    ItemError
        When the shape has no interior, or its centre of mass is not its origin.

    References
    ----------
    D. T. Greenwood, "Principles of Dynamics", 1988, appendix A.

    Examples
    --------
    >>> uniform_inertia(bodies.Sphere(radius=Quantity(0.5, "m")), 10.0).diagonal()
    array([1., 1., 1.])
    """
    kind = SHAPE_KINDS.of(shape)
    if kind.inertia is None:
        what = f"a {kind.form} has no uniform inertia about its origin."
        raise ItemError(("inertia",), what, "Give three moments with their unit.")
    return np.diag(kind.inertia(kind.sizes(shape), mass))
