"""Schema of bodies: rigid shapes attached to frames."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from framescope.core.scene.schema.base import Item, Number, Unit, Vector3, check_number
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.poses import ConstantOrientation, Position
from framescope.core.scene.schema.quantities import Quantity


class Box(Item):
    """A box, centred; `size` along x, y and z."""

    form: Literal["box"] = "box"
    size: Annotated[tuple[Number, Number, Number], POSITIVE]
    unit: Unit = None


class Cylinder(Item):
    """A cylinder along z, centred."""

    form: Literal["cylinder"] = "cylinder"
    radius: Annotated[Quantity, POSITIVE]
    height: Annotated[Quantity, POSITIVE]


class Sphere(Item):
    """A sphere, centred."""

    form: Literal["sphere"] = "sphere"
    radius: Annotated[Quantity, POSITIVE]


class Ellipsoid(Item):
    """An ellipsoid, centred; `radii` along x, y and z."""

    form: Literal["ellipsoid"] = "ellipsoid"
    radii: Annotated[tuple[Number, Number, Number], POSITIVE]
    unit: Unit = None


class Capsule(Item):
    """A cylinder along z with round ends, centred; `length` excludes the ends."""

    form: Literal["capsule"] = "capsule"
    radius: Annotated[Quantity, POSITIVE]
    length: Annotated[Quantity, POSITIVE]


class Torus(Item):
    """A ring around z, centred; `ring_radius` is that of its circular axis, `tube_radius` that of its section."""

    form: Literal["torus"] = "torus"
    ring_radius: Annotated[Quantity, POSITIVE]
    tube_radius: Annotated[Quantity, POSITIVE]


class Cone(Item):
    """A cone along z, its base centred at the origin."""

    form: Literal["cone"] = "cone"
    radius: Annotated[Quantity, POSITIVE]
    height: Annotated[Quantity, POSITIVE]


class Frustum(Item):
    """A camera's field of view: apex at the origin, looking along z, x right and y down."""

    form: Literal["frustum"] = "frustum"
    depth: Annotated[Quantity, POSITIVE]
    width: Annotated[Quantity, POSITIVE]
    height: Annotated[Quantity, POSITIVE]


class RadtanDistortion(Item):
    """Radial and tangential distortion of a lens, plumb bob: k1, k2, k3 radial, p1, p2 tangential, as in OpenCV."""

    form: Literal["radtan"] = "radtan"
    k1: Number = 0.0
    k2: Number = 0.0
    p1: Number = 0.0
    p2: Number = 0.0
    k3: Number = 0.0


class RationalDistortion(Item):
    """Distortion of a lens with a fraction as its radial part: k4, k5, k6 are below the line, as in OpenCV."""

    form: Literal["rational"] = "rational"
    k1: Number = 0.0
    k2: Number = 0.0
    p1: Number = 0.0
    p2: Number = 0.0
    k3: Number = 0.0
    k4: Number = 0.0
    k5: Number = 0.0
    k6: Number = 0.0


class EquidistantDistortion(Item):
    """Distortion of a fisheye lens, OpenCV's: the angle from the optical axis is a distance in the image."""

    form: Literal["equidistant"] = "equidistant"
    k1: Number = 0.0
    k2: Number = 0.0
    k3: Number = 0.0
    k4: Number = 0.0


Distortion = Annotated[
    RadtanDistortion | RationalDistortion | EquidistantDistortion,
    Field(discriminator="form"),
]


class CameraShape(Item):
    """A camera with its calibration: apex at the origin, looking along z, x right and y down in the image.

    `resolution`, `focal_lengths` and `principal_point` are in pixels, across and down. The centre of the upper left
    pixel is ``[0, 0]``, as in OpenCV. Without a `distortion` the camera is a pinhole.

    The image is drawn at the distance `depth`, without its distortion, with the `picture` on it: a PNG or JPEG file
    beside the scene.
    """

    form: Literal["camera"] = "camera"
    resolution: Annotated[tuple[int, int], POSITIVE]
    focal_lengths: Annotated[tuple[Number, Number], POSITIVE]
    principal_point: tuple[Number, Number]
    distortion: Distortion | None = None
    depth: Annotated[Quantity, POSITIVE]
    picture: str | None = None


class Arrow(Item):
    """An arrow along z, its foot at the origin."""

    form: Literal["arrow"] = "arrow"
    length: Annotated[Quantity, POSITIVE]
    radius: Annotated[Quantity, POSITIVE]


class MeshFile(Item):
    """The surface in a file beside the scene: STL, OBJ, PLY, GLB or COLLADA; `unit` is the unit of the file's numbers.

    GLB and COLLADA are read in m, whatever unit the file declares. The axes of a COLLADA file are used unchanged.

    `scale` stretches the surface along x, y and z; negative values mirror it.
    """

    form: Literal["mesh"] = "mesh"
    file: str
    unit: Unit = None
    scale: Vector3 = (1.0, 1.0, 1.0)


class PointsFile(Item):
    """The points in a file beside the scene, such as of a scan; `unit` is the unit of the file's numbers.

    The file is PLY, or ``points3D.txt`` or ``points3D.bin`` of COLMAP. Of more than 500 000 points, evenly chosen ones
    are drawn. Points have no surface: they cannot be clicked, and models and pages leave them out.
    """

    form: Literal["points"] = "points"
    file: str
    unit: Unit = None


Shape = Annotated[
    Box
    | Cylinder
    | Sphere
    | Cone
    | Ellipsoid
    | Capsule
    | Torus
    | Frustum
    | CameraShape
    | Arrow
    | MeshFile
    | PointsFile,
    Field(discriminator="form"),
]

Role = Literal["visual", "collision", "inertia"]
"""Purpose of a robot's shape: display, collision, or distribution of mass."""


class Inertia(Item):
    """Principal moments or rows of the inertia matrix, about the frame's origin and resolved in the frame."""

    value: Annotated[Vector3 | tuple[Vector3, Vector3, Vector3], POSITIVE]
    unit: Unit = None


class Body(Item):
    """A shape attached to a frame, optionally at a constant offset.

    `color` is ``neutral``, ``frame``, ``x``, ``y``, ``z`` (colours of the theme), ``#rrggbb``, or ``own``. With ``own``
    a COLLADA mesh and points have the colours of their file, and any other shape is neutral. `opacity` is from 0 to 1.
    `edges` draws lines along the sharp edges. A simulated frame has the `mass` and `inertia` of its body, about the
    frame's origin. With the inertia ``uniform``, the mass fills the shape evenly.

    `role` is the purpose of a robot's shape; shapes of one role are shown or hidden together.
    """

    frame: str
    shape: Shape
    color: Annotated[str, Field(pattern=r"^(neutral|own|frame|x|y|z|#[0-9a-fA-F]{6})$")] = "neutral"
    position: Position | None = None
    orientation: ConstantOrientation | None = None
    opacity: Annotated[float, BeforeValidator(check_number), Field(ge=0.0, le=1.0)] = 1.0
    edges: bool = False
    mass: Annotated[Quantity | None, POSITIVE] = None
    inertia: Inertia | Literal["uniform"] | None = None
    role: Role | None = None
