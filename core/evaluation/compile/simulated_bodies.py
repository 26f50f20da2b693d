"""Compilation of the rigid body of a simulated frame, from the frame and the bodies on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from framescope.core.bodies import RigidBody
from framescope.core.errors import ItemError, KeyPath, Problem, did_you_mean
from framescope.core.evaluation.compile.orientations import constant_orientation, constant_position
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import bodies as shapes
from framescope.core.scene.schema.bounds import broken_bound
from framescope.core.scene.schema.kinds.shapes import uniform_inertia
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.simulation.system import SystemBody

NOT_IN_WORLD = "the parent of a simulated frame is the world, where Newton's law holds."

NO_MASS = "mass-missing"
"""Kind of the problem of a simulated frame without a body with a mass."""


def compile_body(scene: Scene, name: str, motion: Simulated, context: MotionContext) -> SystemBody:
    """Return the body of a simulated frame."""
    frame = scene.frames[name]
    if frame.parent != WORLD:
        raise ItemError(("parent",), NOT_IN_WORLD, "Use world.")
    p = constant_position(frame.position, ("position",), context)
    T, problems = np.eye(3), tuple[Problem, ...]()
    if frame.orientation is not None:
        if frame.orientation.form == "integrated":
            raise ItemError(("orientation",), "a simulated frame starts from a constant orientation.")
        T, problems = constant_orientation(frame.orientation, ("orientation",), context)
    _require_rotation(problems)
    p_rest, T_rest = p, T
    if motion.rest is not None:
        p_rest = constant_position(motion.rest.position, ("motion", "rest", "position"), context)
        T_rest, problems = constant_orientation(motion.rest.orientation, ("motion", "rest", "orientation"), context)
        _require_rotation(problems)
    try:
        body, v, w = _rigid_body(scene, name, context), _velocity(motion), _angular_velocity(motion, T)
        rest, start = (T_rest.T, p_rest), (T.T, p, v, w)
        return SystemBody(name, body, motion.model, *rest, *start)
    except ValueError as error:
        raise ItemError(("motion",), f"{error}.") from None


def _require_rotation(problems: tuple[Problem, ...]) -> None:
    if problems:
        raise ItemError(problems[0].key_path, problems[0].message, "A body needs a rotation.")


def _velocity(motion: Simulated) -> Array:
    if motion.velocity is None:
        return np.zeros(3)
    key: KeyPath = ("motion", "velocity", "unit")
    return unit_factor(motion.velocity.unit, "velocity", key) * np.array(motion.velocity.value)


def _angular_velocity(motion: Simulated, T: Array) -> Array:
    """Return the angular velocity at the start, resolved in the frame."""
    authored = motion.angular_velocity
    if authored is None:
        return np.zeros(3)
    key: KeyPath = ("motion", "angular_velocity")
    w = unit_factor(authored.unit, "angular velocity", (*key, "unit")) * np.array(authored.value)
    if authored.resolved_in not in ("world", "frame"):
        message = "is missing" if authored.resolved_in is None else f'is "{authored.resolved_in}"'
        raise ItemError((*key, "resolved_in"), f"where it is resolved {message}.", "Use world or frame.")
    return w if authored.resolved_in == "frame" else T @ w


def _rigid_body(scene: Scene, frame: str, context: MotionContext) -> RigidBody:
    heavy = [name for name, body in scene.bodies.items() if body.frame == frame and body.mass is not None]
    if len(heavy) != 1:
        message = "no body on it has a mass" if not heavy else f"{' and '.join(heavy[:2])} both give it a mass"
        hint = "Give one body on it a mass and an inertia."
        kind = "" if heavy else NO_MASS
        raise ItemError(("motion",), f"{message}; a simulated frame has one.", hint, kind=kind)
    name = heavy[0]
    try:
        return _with_mass(scene.bodies[name], context)
    except ItemError as problem:
        where = problem.problem(("bodies", name)).where
        raise ItemError(("motion",), f"its body cannot be used: {where}: {problem.message}", problem.hint) from None
    except ValueError as error:
        raise ItemError(("motion",), f"its body cannot be used: bodies.{name}: {error}.") from None


def idle_mass_problems(scene: Scene) -> Iterator[Problem]:
    """Yield faults in mass and inertia of bodies whose frame is not simulated, which nothing else checks."""
    for name, body in scene.bodies.items():
        frame = scene.frames.get(body.frame)
        if frame is not None and isinstance(frame.motion, Simulated):
            continue
        checks = [partial(_mass, body.mass)] if body.mass is not None else []
        checks += [partial(_moments, body.inertia)] if isinstance(body.inertia, shapes.Inertia) else []
        for check in checks:
            try:
                check()
            except ItemError as problem:
                yield problem.problem(("bodies", name))


def _mass(authored: Quantity) -> float:
    """Return a mass, kg."""
    mass = authored.si("mass", ("mass",))
    if not mass > 0.0:
        raise ItemError(("mass",), f"expected more than zero, got {authored}.")
    return mass


def _moments(authored: shapes.Inertia) -> Array:
    """Return moments of inertia (3,) or an inertia matrix (3, 3), kg m²."""
    factor = unit_factor(authored.unit, "moment of inertia", ("inertia", "unit"))
    if broken_bound(shapes.Inertia.model_fields["value"].metadata, authored.value) is not None:
        raise ItemError(("inertia", "value"), "expected moments of more than zero.")
    return factor * np.array(authored.value)


def _with_mass(body: shapes.Body, context: MotionContext) -> RigidBody:
    mass = _mass(Quantity(0.0, "kg") if body.mass is None else body.mass)
    return RigidBody(np.array(mass), _inertia(body, mass, context))


def _inertia(body: shapes.Body, mass: float, context: MotionContext) -> Array:
    if body.inertia is None:
        raise ItemError(("inertia",), "the inertia is missing.", "Give three moments with their unit, or uniform.")
    if body.inertia == "uniform":
        if body.position is not None and np.any(constant_position(body.position, ("position",), context)):
            raise ItemError(("inertia",), "uniform is about the centre of the shape, which is not the frame's origin.")
        T, _ = constant_orientation(body.orientation, ("orientation",), context)
        return T.T @ uniform_inertia(body.shape, mass) @ T
    return _moments(body.inertia)


def compile_twin(scene: Scene, name: str, motion: Simulated, bodies: Mapping[str, SystemBody]) -> str:
    """Check a frame that is `like` another simulated frame, and return the name of that frame."""
    frame, like = scene.frames[name], motion.like or ""
    if like not in bodies:
        raise ItemError(("motion", "like"), f'"{like}" is no simulated frame of its own.', did_you_mean(like, bodies))
    if frame.parent != WORLD:
        raise ItemError(("parent",), NOT_IN_WORLD, "Use world.")
    for key in ("position", "orientation"):
        if getattr(frame, key) is not None:
            raise ItemError((key,), f"it starts where {like} does.", f"Remove {key}.")
    for key in ("velocity", "angular_velocity", "rest"):
        if getattr(motion, key) is not None:
            raise ItemError(("motion", key), f"it starts as {like} does.", f"Remove {key}.")
    if any(body.frame == name and body.mass is not None for body in scene.bodies.values()):
        raise ItemError(("motion", "like"), f"it has the mass of {like}.", "Remove the mass of its body.")
    if motion.model == bodies[like].model:
        raise ItemError(("motion", "model"), f"{like} has this model already.", "Use the other one.")
    try:
        replace(bodies[like], model=motion.model)
    except ValueError as error:
        raise ItemError(("motion", "model"), f"{error}.") from None
    return like
