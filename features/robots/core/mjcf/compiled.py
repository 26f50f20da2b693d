"""A model as MuJoCo compiles it: bodies, joints, shapes and marks, with all defaults and units resolved.

Poses are position (3,), m, and unit quaternion (4,), scalar first, of a thing in the body that it hangs on.
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
    """A body: the index of its parent, and its mass; `inertia` are the moments about the axes of `center`."""

    name: str
    parent: int
    pose: Pose
    mass: float
    inertia: Triple
    center: Pose


class CompiledJoint(NamedTuple):
    """A joint of a body: ``free``, ``ball``, ``slide`` or ``hinge``, through a point of it.

    `zero` is its value where the body stands as it is written.
    """

    name: str
    body: int
    type: str
    position: Triple
    axis: Triple
    range: tuple[float, float] | None
    zero: float


class CompiledShape(NamedTuple):
    """A geom of a body.

    Of one that is a mesh `mesh` is the name of that, `scale` what its numbers are multiplied by, and `mesh_pose` where
    the compiler has moved its points from.
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
    """A site, or a camera, on a body."""

    name: str
    body: int
    pose: Pose


class CompiledCoupling(NamedTuple):
    """A joint that follows another, by their indices (-1 for none), with the coefficients of a polynomial."""

    joint: int
    leader: int
    coefficients: tuple[float, ...]


@dataclass(frozen=True)
class CompiledModel:
    """What a robot is made of; the first body is the world."""

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
    """The compiler refuses a model; the message is its own."""


Compile = Callable[[MjcfSource], CompiledModel]
"""What compiles a model; raises `CompileError`."""

OUT_OF_MEMORY = "it needs more memory than the compiler may use."
UNNAMED = "Caught an unknown exception"
"""What MuJoCo says of an exception of C++ that it does not name: that of a memory that is full."""

JOINTS = ("free", "ball", "slide", "hinge")
SHAPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
COUPLES_JOINTS = 2


def compile_here(source: MjcfSource) -> CompiledModel:
    """Return a model as MuJoCo compiles it, in this process.

    Raises
    ------
    CompileError
        When it is refused.
    FramescopeError
        When MuJoCo is not installed.
    """
    return model_of(described(source.text, source.assets))


def described(text: str, assets: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what MuJoCo makes of a model, in lists, numbers and texts; raise as `compile_here`."""
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


def model_of(found: Mapping[str, Any]) -> CompiledModel:
    """Return the model of what `described` found.

    >>> model_of({"name": "arm", "bodies": [], "joints": [], "shapes": [], "marks": [], "couplings": []}).name
    'arm'
    """

    def pose(values: Any) -> Pose:
        position, quaternion = values
        return Pose(tuple(position), tuple(quaternion))

    return CompiledModel(
        found["name"],
        tuple(CompiledBody(n, up, pose(at), m, tuple(i), pose(c)) for n, up, at, m, i, c in found["bodies"]),
        tuple(
            CompiledJoint(n, body, kind, tuple(at), tuple(axis), None if span is None else tuple(span), zero)
            for n, body, kind, at, axis, span, zero in found["joints"]
        ),
        tuple(
            CompiledShape(
                n, body, kind, tuple(size), pose(at), tuple(color), group, hits, mesh, tuple(scale), pose(raw)
            )
            for n, body, kind, size, at, color, group, hits, mesh, scale, raw in found["shapes"]
        ),
        tuple(CompiledMark(n, body, pose(at)) for n, body, at in found["marks"]),
        tuple(CompiledCoupling(joint, leader, tuple(c)) for joint, leader, c in found["couplings"]),
    )
