"""A model compiled by MuJoCo: bodies, joints, shapes and marks, with all defaults and units resolved.

Poses have a position (3,), m, and a unit quaternion (4,), scalar first, relative to the body of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import MUJOCO
from framescope.features.robots.core.mjcf.source import MjcfSource
from framescope.features.robots.core.robot import Triple

Quadruple = tuple[float, float, float, float]


class Pose(NamedTuple):
    """Position, m, and unit quaternion, scalar first."""

    position: Triple
    quaternion: Quadruple


class CompiledBody(NamedTuple):
    """Body: index of its parent, pose, mass, and moments of inertia about the axes of `center`."""

    name: str
    parent: int
    pose: Pose
    mass: float
    inertia: Triple
    center: Pose


class CompiledJoint(NamedTuple):
    """Joint of a body through a point of it: ``free``, ``ball``, ``slide`` or ``hinge``.

    `zero` is its value in the pose written in the file.
    """

    name: str
    body: int
    type: str
    position: Triple
    axis: Triple
    range: tuple[float, float] | None
    zero: float


class CompiledShape(NamedTuple):
    """Geom of a body.

    For a mesh, `mesh` is its name, `scale` the factors of its coordinates, and `mesh_pose` the pose that the compiler
    has removed from its points.
    """

    name: str
    body: int
    type: str
    size: Triple
    pose: Pose
    color: Quadruple
    group: int
    collides: bool
    mesh: str
    scale: Triple
    mesh_pose: Pose


class CompiledMark(NamedTuple):
    """Site or camera on a body."""

    name: str
    body: int
    pose: Pose


class CompiledCoupling(NamedTuple):
    """Joint that follows another, by their indices (-1 for none), with the coefficients of a polynomial."""

    joint: int
    leader: int
    coefficients: tuple[float, ...]


@dataclass(frozen=True)
class CompiledModel:
    """Compiled parts of a robot. The first body is the world."""

    name: str
    bodies: tuple[CompiledBody, ...]
    joints: tuple[CompiledJoint, ...]
    shapes: tuple[CompiledShape, ...]
    marks: tuple[CompiledMark, ...]
    couplings: tuple[CompiledCoupling, ...]

    def shapes_of(self, body: int) -> tuple[CompiledShape, ...]:
        """Return the shapes of a body, by its index."""
        return tuple(shape for shape in self.shapes if shape.body == body)


class CompileError(FramescopeError):
    """The compiler rejects a model. The message is the compiler's."""


Compile = Callable[[MjcfSource], CompiledModel]
"""Function that compiles a model; raises `CompileError`."""

OUT_OF_MEMORY = "it needs more memory than the compiler may use."
UNNAMED = "Caught an unknown exception"
"""Message of MuJoCo for an unnamed C++ exception, such as running out of memory."""

JOINTS = ("free", "ball", "slide", "hinge")
SHAPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
COUPLES_JOINTS = 2


def compile_here(source: MjcfSource) -> CompiledModel:
    """Return a model compiled by MuJoCo in this process.

    Raises
    ------
    CompileError
        When the compiler rejects the model.
    FramescopeError
        When MuJoCo is not installed.
    """
    return model_of(describe_model(source.text, source.assets))


def describe_model(text: str, assets: Mapping[str, bytes]) -> dict[str, Any]:
    """Return a model compiled by MuJoCo as lists, numbers and texts; raise as `compile_here`."""
    try:
        mujoco = MUJOCO.part()
    except ImportError:
        raise FramescopeError(MUJOCO.reason) from None
    try:
        model = mujoco.MjModel.from_xml_string(text, dict(assets))
    except MemoryError:
        raise CompileError(OUT_OF_MEMORY) from None
    except (ValueError, RuntimeError) as error:
        text = str(error).strip()
        raise CompileError(OUT_OF_MEMORY if UNNAMED in text else text) from None

    def name(kind: str, i: int) -> str:
        return mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind}"), i) or ""

    def pose(kind: str, i: int) -> list[list[float]]:
        return [getattr(model, f"{kind}pos")[i].tolist(), getattr(model, f"{kind}quat")[i].tolist()]

    bodies = [
        [
            name("BODY", i), int(model.body_parentid[i]), pose("body_", i), float(model.body_mass[i]),
            model.body_inertia[i].tolist(), pose("body_i", i),
        ]
        for i in range(model.nbody)
    ]  # fmt: skip
    joints: list[Any] = [
        [
            name("JOINT", i), int(model.jnt_bodyid[i]), JOINTS[int(model.jnt_type[i])], model.jnt_pos[i].tolist(),
            model.jnt_axis[i].tolist(), model.jnt_range[i].tolist() if model.jnt_limited[i] else None,
            float(model.qpos0[model.jnt_qposadr[i]]),
        ]
        for i in range(model.njnt)
    ]  # fmt: skip
    return {
        "name": model.names.split(b"\0", 1)[0].decode("utf-8", "replace"),
        "bodies": bodies,
        "joints": joints,
        "shapes": [_shape(model, i, name, pose) for i in range(model.ngeom)],
        "marks": [
            *([name("SITE", i), int(model.site_bodyid[i]), pose("site_", i)] for i in range(model.nsite)),
            *([name("CAMERA", i), int(model.cam_bodyid[i]), pose("cam_", i)] for i in range(model.ncam)),
        ],
        "couplings": [
            [int(model.eq_obj1id[i]), int(model.eq_obj2id[i]), model.eq_data[i][:5].tolist()]
            for i in range(model.neq)
            if model.eq_type[i] == COUPLES_JOINTS and model.eq_active0[i]
        ],
    }


def _shape(model: Any, i: int, name: Callable[[str, int], str], pose: Callable[[str, int], Any]) -> list[Any]:
    kind, mesh, material = SHAPES[int(model.geom_type[i])], int(model.geom_dataid[i]), int(model.geom_matid[i])
    is_mesh = kind in ("mesh", "sdf") and mesh >= 0
    own = model.geom_rgba[i].tolist()
    color = own if material < 0 or own != [0.5, 0.5, 0.5, 1.0] else model.mat_rgba[material].tolist()
    return [
        name("GEOM", i), int(model.geom_bodyid[i]), kind, model.geom_size[i].tolist(), pose("geom_", i), color,
        int(model.geom_group[i]), bool(model.geom_contype[i] or model.geom_conaffinity[i]),
        name("MESH", mesh) if is_mesh else "", model.mesh_scale[mesh].tolist() if is_mesh else [1.0] * 3,
        pose("mesh_", mesh) if is_mesh else [[0.0] * 3, [1.0, 0.0, 0.0, 0.0]],
    ]  # fmt: skip


def model_of(description: Mapping[str, Any]) -> CompiledModel:
    """Return the model from the result of `describe_model`.

    >>> model_of({"name": "arm", "bodies": [], "joints": [], "shapes": [], "marks": [], "couplings": []}).name
    'arm'
    """

    def pose(values: Any) -> Pose:
        position, quaternion = values
        return Pose(tuple(position), tuple(quaternion))

    return CompiledModel(
        description["name"],
        tuple(CompiledBody(n, up, pose(at), m, tuple(i), pose(c)) for n, up, at, m, i, c in description["bodies"]),
        tuple(
            CompiledJoint(n, body, kind, tuple(at), tuple(axis), None if span is None else tuple(span), zero)
            for n, body, kind, at, axis, span, zero in description["joints"]
        ),
        tuple(
            CompiledShape(
                n, body, kind, tuple(size), pose(at), tuple(color), group, hits, mesh, tuple(scale), pose(raw)
            )
            for n, body, kind, size, at, color, group, hits, mesh, scale, raw in description["shapes"]
        ),
        tuple(CompiledMark(n, body, pose(at)) for n, body, at in description["marks"]),
        tuple(CompiledCoupling(joint, leader, tuple(c)) for joint, leader, c in description["couplings"]),
    )
