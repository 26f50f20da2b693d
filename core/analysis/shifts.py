"""Shift of a velocity, an acceleration or a force at a point of a scene, term by term, with a check of the sum.

The point is fixed in the frame of a body, a connection point, or the origin of another frame, which may move relative
to the body. Quantities are relative to the world and resolved in world. Velocities and accelerations are shifted in the
smoothed motion of a snapshot, with its lever arms. Forces need no rates and are shifted in the unsmoothed motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core import spatial
from framescope.core.analysis import shift_terms
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.instruments import CompiledPoint
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.points import PointXYZ
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Simulated
from framescope.core.snapshot import Snapshot

Quantity = Literal["velocity", "acceleration", "force"]
Vector = tuple[float, float, float]

STEP_S = 5e-4
"""Time between the five nodes of a numerical derivative, s."""

MOST_ANGLE = 3.0
"""Largest angle of a small-angle body, rad. From half a turn on, its angles are ambiguous in the displayed rotation."""

_CENTRAL = (np.arange(-2.0, 3.0), np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0)
_AHEAD = (np.arange(5.0), np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / 12.0)
_BEHIND = (-_AHEAD[0], -_AHEAD[1])


@dataclass(frozen=True)
class ShiftKey:
    """Key of a shift: the quantity, and the point to which it is shifted.

    Attributes
    ----------
    frame
        Frame of the body.
    quantity
        Shifted quantity.
    r : (3,)
        Point, from the origin of the frame and resolved in it, m.
    point
        Connection point of the body that replaces `r`; empty for none.
    other
        Frame whose origin replaces `r`; empty for none.
    about
        Frame to whose origin a force is shifted; empty for the body's frame.
    force : (3,)
        Force at the point, resolved in world, N; ignored at a connection point, whose own force is used.
    """

    frame: str
    quantity: Quantity = "velocity"
    r: Vector = (0.0, 0.0, 0.0)
    point: str = ""
    other: str = ""
    about: str = ""
    force: Vector = (0.0, 0.0, 0.0)

    @property
    def frames(self) -> set[str]:
        """Frames that the shift depends on."""
        return {name for name in (self.frame, self.other, self.about) if name}


@dataclass(frozen=True, eq=False)
class Shift:
    """Shift at a time; vectors are resolved in world, in SI units.

    Attributes
    ----------
    p_W, foot_W : (3,)
        The point, and the origin at which `r_W` starts.
    r_W : (3,)
        Vector from `foot_W` to `p_W`.
    w_W, b_W : (3,)
        Angular velocity and angular acceleration of the body.
    terms
        Terms whose sum is the velocity or acceleration; for a force, the force and its moment.
    total : (3,)
        Velocity or acceleration of the point, or moment about `foot_W`.
    model : (3,) or None
        Counterpart of `total` in the small-angle model, for a point fixed in a body of that model.
    """

    p_W: Array
    foot_W: Array
    r_W: Array
    w_W: Array
    b_W: Array
    terms: tuple[shift_terms.Term, ...]
    total: Array
    model: Array | None = None

    @property
    def unit(self) -> str:
        """Unit of the total."""
        return self.terms[-1].unit


@dataclass(frozen=True, eq=False)
class Check:
    """Comparison of the total with an independent computation.

    Attributes
    ----------
    words
        Name of the computation.
    residue
        Difference from the total, in its unit.
    """

    words: str
    residue: float


def shift_at(plan: Plan, snapshot: Snapshot, key: ShiftKey) -> Shift | None:
    """Return a shift at the time of a snapshot; None if a value is missing.

    Parameters
    ----------
    plan
        Compiled scene.
    snapshot
        Its state at a time.
    key
        Quantity and point.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.schema.model import Scene
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"disc": {"parent": "world",
    ...     "orientation": {"form": "axis", "axis": "z", "angle": "2*t", "unit": "rad"}}}}))
    >>> shift = shift_at(plan, evaluate(plan, 0.0), ShiftKey("disc", "acceleration", (0.5, 0.0, 0.0)))
    >>> [(term.symbol, term.vector.tolist()) for term in shift.terms][-1], shift.total.round(12).tolist()
    (('ω×(ω×r)', [-2.0, 0.0, 0.0]), [-2.0, 0.0, 0.0])
    """
    if not all(name in snapshot.index for name in key.frames):
        return None
    snapshot = motion_of(snapshot, key)
    with np.errstate(invalid="ignore", over="ignore"):
        p_W = place_of(plan, snapshot, key)
        foot_W = _origin(snapshot, key.about or key.frame if key.quantity == "force" else key.frame)
        i = snapshot.index[key.frame]
        R_WB = snapshot.R_WF[i]
        w_W, b_W = (linear_algebra.apply_matrix(R_WB, values[i]) for values in (snapshot.w_WF_F, snapshot.b_WF_F))
        needed = [p_W, foot_W, R_WB, w_W, b_W, snapshot.v_WF[i], snapshot.a_WF[i]]
        of = [snapshot.index[key.other]] if key.other else []
        needed += [values[k] for k in of for values in (snapshot.v_WF, snapshot.a_WF, snapshot.w_WF_F, snapshot.b_WF_F)]
        force_W = force_of(snapshot, key)
        if force_W is None or not all(np.isfinite(values).all() for values in (*needed, force_W)):
            return None
        r_W = p_W - foot_W
        terms = _terms(snapshot, key, (r_W, w_W, b_W, force_W))
        sum_W = terms[1].vector if key.quantity == "force" else shift_terms.total(terms)
        model = None if key.other else _model(plan, snapshot, key, terms)
    return Shift(p_W, foot_W, r_W, w_W, b_W, terms, sum_W, model)


def motion_of(snapshot: Snapshot, key: ShiftKey) -> Snapshot:
    """Return the motion used for a shift: smoothed for a velocity or an acceleration, unsmoothed for a force."""
    return snapshot if key.quantity == "force" else snapshot.smoothed


def _terms(snapshot: Snapshot, key: ShiftKey, of: tuple[Array, Array, Array, Array]) -> tuple[shift_terms.Term, ...]:
    r_W, w_W, b_W, force_W = of
    i = snapshot.index[key.frame]
    if key.quantity == "force":
        return shift_terms.force_terms(force_W, r_W)
    v_rel = relative_motion.relative_velocity(snapshot, key.other, key.frame, WORLD)[3:] if key.other else None
    if key.quantity == "velocity":
        return shift_terms.velocity_terms(snapshot.v_WF[i], w_W, r_W, v_rel)
    a_rel = relative_motion.relative_acceleration(snapshot, key.other, key.frame, WORLD)[3:] if key.other else None
    return shift_terms.acceleration_terms(snapshot.a_WF[i], b_W, w_W, r_W, v_rel, a_rel)


def place_of(plan: Plan, snapshot: Snapshot, key: ShiftKey) -> Array:
    """Return the point (..., 3) of a shift in world, m."""
    if key.other:
        return _origin(snapshot, key.other)
    i = snapshot.index[key.frame]
    return _origin(snapshot, key.frame) + linear_algebra.apply_matrix(snapshot.R_WF[..., i, :, :], offset_of(plan, key))


def offset_of(plan: Plan, key: ShiftKey) -> Array:
    """Return the point (3,) of a shift from the origin of its frame, resolved in the frame, m; not for `key.other`."""
    staged = _point(plan, key)
    return np.array(key.r) if staged is None else staged.offset


def force_of(snapshot: Snapshot, key: ShiftKey) -> Array | None:
    """Return the force (3,) at the point, resolved in world, N; None at a connection point without simulation."""
    if not key.point or key.quantity != "force":
        return np.array(key.force)
    port = snapshot.ports.get(key.point)
    return None if port is None else port.force_W


def points_on(plan: Plan, frame: str) -> tuple[CompiledPoint, ...]:
    """Return the connection points of a simulated frame."""
    return tuple(point for point in plan.instruments.points.values() if point.frame == frame)


def check_of(plan: Plan, snapshot: Snapshot, key: ShiftKey, shift: Shift) -> Check | None:
    """Compare the total of a shift with an independent computation; None if there is none.

    The velocity of a connection point is compared with its port, and the motion of another frame's origin with that
    frame. For a point fixed in the body, its path is differentiated numerically. A moment is compared with the
    connector's equations or Simbody's shift.
    """
    if key.quantity == "force":
        return _check_of_force(plan, key, shift)
    if key.other:
        k = snapshot.index[key.other]
        direct = (snapshot.v_WF if key.quantity == "velocity" else snapshot.a_WF)[k]
        return Check(f"the motion of {key.other}", _length(shift.total - direct))
    staged = _point(plan, key)
    port = snapshot.ports.get(key.point) if staged is not None and key.quantity == "velocity" else None
    if staged is not None and port is not None and (shift.model is not None or rest_of(plan, key.frame) is None):
        sum_W = shift.total if shift.model is None else shift.model
        axes = _axes(staged)
        of = "its port" if shift.model is None else "its port, small angles"
        return Check(of, _length(sum_W[axes] - np.atleast_1d(port.v)))
    der = _derivative(plan, float(snapshot.t), key)
    words = "d(position)/dt" if key.quantity == "velocity" else "d(velocity)/dt"
    return None if der is None else Check(words, _length(shift.total - der))


def rest_of(plan: Plan, frame: str) -> Array | None:
    """Return the rest orientation (3, 3) of a body of the small-angle model, B into world; None for other bodies."""
    authored = plan.scene.frames.get(frame)
    motion = None if authored is None else authored.motion
    if not isinstance(motion, Simulated) or motion.model != "small angle" or plan.instruments.simulation is None:
        return None
    bodies = plan.instruments.simulation.system.bodies
    return next((body.R_rest for body in bodies if body.name == (motion.like or frame)), None)


def _model(plan: Plan, snapshot: Snapshot, key: ShiftKey, terms: tuple[shift_terms.Term, ...]) -> Array | None:
    """Return the counterpart of the total in the small-angle model."""
    R_rest = rest_of(plan, key.frame)
    if R_rest is None or _small_angle(plan, key.frame, float(snapshot.t)) > MOST_ANGLE:
        return None
    i = snapshot.index[key.frame]
    rates = shift_terms.small_angle_rates(R_rest, snapshot.R_WF[i], snapshot.w_WF_F[i], snapshot.b_WF_F[i])
    r_rest = R_rest @ offset_of(plan, key)
    if key.quantity == "force" and key.about and key.about != key.frame:
        r_rest = r_rest + _origin(snapshot, key.frame) - _origin(snapshot, key.about)
    model_terms = shift_terms.small_angle_terms(terms, *rates, r_rest)
    return model_terms[1].vector if key.quantity == "force" else shift_terms.total(model_terms)


def _small_angle(plan: Plan, frame: str, t: float) -> float:
    """Return the rotation of a small-angle body from its rest, rad; 0 for a body that copies another body."""
    simulation = plan.instruments.simulation
    body = None if simulation is None else next((b for b in simulation.mechanism.bodies if b.name == frame), None)
    if simulation is None or body is None:
        return 0.0
    return _length(simulation.states(np.array([t]))[0, body.at + 3 : body.at + 6])


def _check_of_force(plan: Plan, key: ShiftKey, shift: Shift) -> Check:
    f = shift.terms[0].vector
    staged = _point(plan, key)
    if staged is None or (key.about and key.about != key.frame):
        moment = spatial.shift_force_by(np.concatenate([np.zeros(3), f]), -shift.r_W)[:3]
        return Check("Simbody's shift", _length(moment - shift.total))
    R_rest = rest_of(plan, key.frame)
    r_W = shift.r_W if R_rest is None or shift.model is None else R_rest @ staged.offset
    moment = PointXYZ(r_W[0], r_W[1], r_W[2]).force_out(f)[3:]
    words = "the 3D-point" if shift.model is None else "the 3D-point, small angles"
    return Check(words, _length(moment - (shift.total if shift.model is None else shift.model)))


def _derivative(plan: Plan, t: float, key: ShiftKey) -> Array | None:
    """Differentiate the position or velocity of a point in the body numerically, from the plan alone."""
    reach = 2.0 * STEP_S
    nodes, weights = _AHEAD if t - reach < plan.start else _BEHIND if t + reach > plan.end else _CENTRAL
    around = evaluate_tree(subtree(plan.tree, key.frames), t + STEP_S * nodes).smoothed
    with np.errstate(invalid="ignore", over="ignore"):
        if key.quantity == "velocity":
            values = place_of(plan, around, key)
        else:
            i = around.index[key.frame]
            R_WB = around.R_WF[:, i]
            r_W = linear_algebra.apply_matrix(R_WB, np.broadcast_to(offset_of(plan, key), (len(nodes), 3)))
            w_W = linear_algebra.apply_matrix(R_WB, around.w_WF_F[:, i])
            values = around.v_WF[:, i] + linear_algebra.cross(w_W, r_W)
    der = weights @ values / STEP_S
    return der if np.isfinite(der).all() else None


def _point(plan: Plan, key: ShiftKey) -> CompiledPoint | None:
    staged = plan.instruments.points.get(key.point) if key.point else None
    return staged if staged is not None and staged.frame == key.frame else None


def _axes(point: CompiledPoint) -> list[int]:
    return ["XYZ".index(letter) for letter in point.kind]


def _origin(snapshot: Snapshot, name: str) -> Array:
    return snapshot.p_WF[..., snapshot.index[name], :]


def _length(v: Array) -> float:
    return float(np.linalg.norm(v))
