"""The core: nanoseconds per item against scipy, pytransform3d, numpy-quaternion and plain numpy; integration methods.

Arrays in, arrays out, as a user who holds arrays calls each library; `(prepared)` is for one who holds scipy's
`Rotation` or our `Orientation`; where an `Orientation` gives an angular velocity besides, scipy turns that too. At 1
item calls have no leading axis. Before anything is timed, each peer must give our result to 1e-12; then all of an
operation take turns, and the least time of each counts. The matrix of an `Orientation` and the quaternion of a
`Rotation` have no prepared row: each is only handed out. The rows on integration, without a peer, are of a precessing
body, whose orientation is known exactly. Formulas are compiled before they are timed where llvmlite is installed. Of
those without sines a million items are laid against *copying*: what they read into memory that is there, what they
write into new memory, as a result is.
"""

from __future__ import annotations

import gc
import math
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from pytransform3d import batch_rotations as many
from pytransform3d import rotations as single
from scipy.spatial.transform import Rotation

from framescope.core import conventions, frames, kinematics, quaternions, spatial, transformation_matrices
from framescope.core.kernels.integration_steps import EQUATIONS, METHODS
from framescope.core.transform import Transform
from framescope.features.compiled.core import compilation
from tests.bench.bench_run import Row, row

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would be faster with numba in parts that are not timed here
    import quaternion as nq

SIZES = {1: "1", 1_000: "1e3", 100_000: "1e5", 1_000_000: "1e6"}
TOLERANCE = 1e-12
CHECKED = 1_000
"""Items that are compared; of very many some are ill-conditioned for a peer."""

SHARE_S = 0.25
"""Time for the turns of one operation at one size; there are two at least, and at most 25."""

SCIPY, PYTRANSFORM, QUATERNION, NUMPY, COPYING = "scipy", "pytransform3d", "numpy-quaternion", "numpy", "copying"
COPIED = 1_000_000
"""Items that are laid against copying: they are in no cache."""

Call = Callable[[], object]
Turning = tuple[Rotation | np.ndarray, np.ndarray]
"""A rotation or a transformation matrix, and an angular velocity."""


class Operation(NamedTuple):
    """One operation on given data: our call and the peers', none where a peer has no such function."""

    name: str
    gives: str
    """What the results are: ``"matrix"``, ``"quaternion"``, ``"angle"``, ``"orientation"``, a rotation and an angular
    velocity, or ``"plain"``, the same numbers everywhere."""
    ours: Call
    scipy: Call | None = None
    batch: Call | None = None
    """pytransform3d's function for many items."""
    single: Call | None = None
    """pytransform3d's function for one."""
    quaternion: Call | None = None
    numpy: Call | None = None
    reads: tuple[np.ndarray, ...] = ()
    """What a formula without sines reads."""

    def peers(self, n: int) -> dict[str, Call]:
        """Return the peers' calls for `n` items."""
        pytransform = self.single if n == 1 else self.batch
        found = {SCIPY: self.scipy, PYTRANSFORM: pytransform, QUATERNION: self.quaternion, NUMPY: self.numpy}
        if n == COPIED and self.reads:
            found[COPYING] = self.copying()
        return {name: call for name, call in found.items() if call is not None}

    def copying(self) -> Call:
        """Return what copies all that is read and written."""
        result = self.ours()
        written = (result.T, result.w) if isinstance(result, frames.Orientation) else np.atleast_1d(result)
        new = written if isinstance(result, frames.Orientation | tuple) else [written]
        targets = [np.empty_like(array) for array in self.reads]

        def copy() -> list[np.ndarray]:
            for target, array in zip(targets, self.reads, strict=True):
                np.copyto(target, array)
            return [array.copy() for array in new]

        return copy


class Data:
    """Rotations by 0.3 to 2.8 rad in all notations, with vectors; `n` items, or a single one without leading axis.

    `T`, `Q` are ours, `A` active matrices (their transposes), `P` scalar-first quaternions.
    """

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(0)

        def vectors(size: int = 3) -> np.ndarray:
            return rng.normal(size=(n, size))

        def stored(array: np.ndarray) -> np.ndarray:
            return np.array(array[0] if n == 1 else array, order="C")

        e = vectors()
        e /= np.linalg.norm(e, axis=1, keepdims=True)
        angle = rng.uniform(0.3, 2.8, n)
        second, first = Rotation.from_quat(vectors(4)), Rotation.from_rotvec(e * angle[:, np.newaxis])
        self.e, self.angle, self.rotvec = stored(e), stored(angle), stored(first.as_rotvec())
        self.axis_angle = stored(np.column_stack([e, angle]))
        self.angles = stored(rng.uniform(0.1, 1.4, (n, 3)))
        self.Q, self.Q2 = stored(first.as_quat()), stored(second.as_quat())
        self.P, self.P2 = stored(first.as_quat(scalar_first=True)), stored(second.as_quat(scalar_first=True))
        self.A, self.A2 = stored(first.as_matrix()), stored(second.as_matrix())
        self.T, self.T2 = (stored(r.as_matrix().swapaxes(-1, -2)) for r in (first, second))
        self.mrp, self.v, self.w = stored(first.as_mrp()), stored(vectors()), stored(vectors())
        self.drifted_T = self.T + 1e-3 * stored(vectors(9)).reshape(self.T.shape)
        self.drifted_A = np.array(self.drifted_T.swapaxes(-1, -2), order="C")


def turned(p: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return vectors turned one by one; numpy-quaternion's own function turns each by every quaternion."""
    return nq.as_vector_part(p * nq.from_vector_part(v) * p.conjugate())


def both_matrices(sequence: str, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a transformation matrix and the active one."""
    T = transformation_matrices.axes_rotations(sequence, angles)
    return T, np.array(T.swapaxes(-1, -2), order="C")


def on_quaternions(d: Data) -> list[Operation]:
    """Return the operations from quaternions to arrays."""
    Q, Q2, P, P2, v = d.Q, d.Q2, d.P, d.P2, d.v
    long_Q, long_P, one_Q, one_P = 1.3 * Q, 1.3 * P, Q.reshape(-1, 4)[0], P.reshape(-1, 4)[0]
    from_Q, as_nq, as_floats = Rotation.from_quat, nq.as_quat_array, nq.as_float_array
    return [
        Operation(
            "quaternion product",
            "quaternion",
            lambda: quaternions.absolute_rotation(Q, Q2),
            scipy=lambda: Rotation.as_quat(from_Q(Q) * from_Q(Q2)),
            batch=lambda: many.batch_concatenate_quaternions(P, P2),
            single=lambda: single.concatenate_quaternions(P, P2),
            quaternion=lambda: as_floats(as_nq(P) * as_nq(P2)),
            reads=(Q, Q2),
        ),
        Operation(
            "quaternion inverse",
            "quaternion",
            lambda: quaternions.inverse_rotation(Q),
            scipy=lambda: from_Q(Q).inv().as_quat(),
            batch=lambda: many.batch_q_conj(P),
            single=lambda: single.q_conj(P),
            quaternion=lambda: as_floats(as_nq(P).conjugate()),
            reads=(Q,),
        ),
        Operation(
            "quaternion normalised",
            "quaternion",
            lambda: quaternions.normalize_quaternion(long_Q),
            scipy=lambda: from_Q(long_Q).as_quat(),
            batch=lambda: many.norm_vectors(long_P),
            single=lambda: single.check_quaternion(long_P),
            quaternion=lambda: as_floats(np.normalized(as_nq(long_P))),  # numpy-quaternion put it there
            reads=(long_Q,),
        ),
        Operation(
            "quaternion to matrix",
            "matrix",
            lambda: quaternions.to_T(Q),
            scipy=lambda: from_Q(Q).as_matrix(),
            batch=lambda: many.matrices_from_quaternions(P),
            single=lambda: single.matrix_from_quaternion(P),
            quaternion=lambda: nq.as_rotation_matrix(as_nq(P)),
            reads=(Q,),
        ),
        Operation(
            "quaternion to axis and angle",
            "plain",
            lambda: conventions.axis_angle_from_quaternion(Q),
            batch=lambda: many.axis_angles_from_quaternions(P),
            single=lambda: single.axis_angle_from_quaternion(P),
        ),
        Operation(
            "quaternion to angle, ours with the axis",
            "angle",
            lambda: conventions.axis_angle_from_quaternion(Q),
            scipy=lambda: from_Q(Q).magnitude(),
        ),
        Operation(
            "quaternion to rotation vector",
            "plain",
            lambda: conventions.rotation_vector_from_quaternion(Q),
            scipy=lambda: from_Q(Q).as_rotvec(),
            single=lambda: single.compact_axis_angle_from_quaternion(P),
            quaternion=lambda: nq.as_rotation_vector(as_nq(P)),
        ),
        Operation(
            "quaternion to modified Rodrigues",
            "plain",
            lambda: conventions.modified_rodrigues_from_quaternion(Q),
            scipy=lambda: from_Q(Q).as_mrp(),
            single=lambda: single.mrp_from_quaternion(P),
            reads=(Q,),
        ),
        Operation(
            "vector by quaternion",
            "plain",
            lambda: quaternions.resolve1(Q, v),
            scipy=lambda: from_Q(Q).apply(v),
            single=lambda: single.q_prod_vector(P, v),
            quaternion=lambda: turned(as_nq(P), v),
            reads=(Q, v),
        ),
        Operation(
            "vectors by one quaternion",
            "plain",
            lambda: quaternions.resolve1(one_Q, v),
            scipy=lambda: from_Q(one_Q).apply(v),
            quaternion=lambda: nq.rotate_vectors(as_nq(one_P), v),
            reads=(v,),
        ),
    ]


def on_matrices(d: Data) -> list[Operation]:
    """Return the operations from matrices to arrays."""
    T, T2, A, A2, v = d.T, d.T2, d.A, d.A2, d.v
    (XYZ_T, XYZ_A), (ZXZ_T, ZXZ_A) = both_matrices("XYZ", d.angles), both_matrices("ZXZ", d.angles)
    from_A, angles_of = Rotation.from_matrix, transformation_matrices.axes_rotations_angles
    return [
        Operation(
            "matrix product",
            "matrix",
            lambda: transformation_matrices.absolute_rotation(T, T2),
            scipy=lambda: Rotation.as_matrix(from_A(A) * from_A(A2)),
            numpy=lambda: T2 @ T,
            reads=(T, T2),
        ),
        Operation(
            "matrix to quaternion",
            "quaternion",
            lambda: quaternions.from_T(T),
            scipy=lambda: from_A(A).as_quat(),
            batch=lambda: many.quaternions_from_matrices(A),
            single=lambda: single.quaternion_from_matrix(A),
            quaternion=lambda: nq.as_float_array(nq.from_rotation_matrix(A, nonorthogonal=False)),
            reads=(T,),
        ),
        Operation(
            "matrix to Euler XYZ",
            "plain",
            lambda: angles_of(XYZ_T, "XYZ"),
            scipy=lambda: from_A(XYZ_A).as_euler("XYZ"),
            single=lambda: single.intrinsic_euler_xyz_from_active_matrix(XYZ_A),
        ),
        Operation(
            "matrix to Euler ZXZ",
            "plain",
            lambda: angles_of(ZXZ_T, "ZXZ"),
            scipy=lambda: from_A(ZXZ_A).as_euler("ZXZ"),
            single=lambda: single.intrinsic_euler_zxz_from_active_matrix(ZXZ_A),
        ),
        Operation(
            "matrix to axis and angle, ours in two calls",
            "plain",
            lambda: conventions.axis_angle_from_quaternion(quaternions.from_T(T)),
            batch=lambda: many.axis_angles_from_matrices(A),
            single=lambda: single.axis_angle_from_matrix(A),
        ),
        Operation(
            "matrix to rotation vector",
            "plain",
            lambda: conventions.rotation_vector_from_T(T),
            scipy=lambda: from_A(A).as_rotvec(),
            single=lambda: single.compact_axis_angle_from_matrix(A),
        ),
        Operation(
            "vector by matrix",
            "plain",
            lambda: transformation_matrices.resolve2(T, v),
            scipy=lambda: from_A(T).apply(v),
            numpy=lambda: np.matvec(T, v),
            reads=(T, v),
        ),
        Operation(
            "nearest rotation",
            "matrix",
            lambda: transformation_matrices.project_to_rotation(d.drifted_T)[0],
            scipy=lambda: from_A(d.drifted_A).as_matrix(),
            reads=(d.drifted_T,),
        ),
    ]


def on_angles(d: Data) -> list[Operation]:
    """Return the operations from angles, axes and vectors of parameters to arrays."""
    e, angle, angles, rotvec = d.e, d.angle, d.angles, d.rotvec
    from_angles, axes = Rotation.from_euler, transformation_matrices.axes_rotations
    return [
        Operation(
            "Euler XYZ to matrix",
            "matrix",
            lambda: axes("XYZ", angles),
            scipy=lambda: from_angles("XYZ", angles).as_matrix(),
            batch=lambda: many.active_matrices_from_intrinsic_euler_angles(0, 1, 2, angles),
            single=lambda: single.active_matrix_from_intrinsic_euler_xyz(angles),
        ),
        Operation(
            "Euler ZXZ to matrix",
            "matrix",
            lambda: axes("ZXZ", angles),
            scipy=lambda: from_angles("ZXZ", angles).as_matrix(),
            batch=lambda: many.active_matrices_from_intrinsic_euler_angles(2, 0, 2, angles),
            single=lambda: single.active_matrix_from_intrinsic_euler_zxz(angles),
        ),
        Operation(
            "Euler XYZ to quaternion, ours in two calls",
            "quaternion",
            lambda: quaternions.from_T(axes("XYZ", angles)),
            scipy=lambda: from_angles("XYZ", angles).as_quat(),
            single=lambda: single.quaternion_from_euler(angles, 0, 1, 2, extrinsic=False),
        ),
        Operation(
            "turn about z to matrix",
            "matrix",
            lambda: transformation_matrices.axis_rotation(3, angle),
            scipy=lambda: from_angles("Z", angle[..., np.newaxis]).as_matrix(),
            batch=lambda: many.active_matrices_from_angles(2, angle),
            single=lambda: single.active_matrix_from_angle(2, angle),
        ),
        Operation(
            "axis and angle to matrix",
            "matrix",
            lambda: transformation_matrices.planar_rotation(e, angle),
            scipy=lambda: Rotation.from_rotvec(angle[..., np.newaxis] * e).as_matrix(),
            batch=lambda: many.matrices_from_compact_axis_angles(axes=e, angles=angle),
            single=lambda: single.matrix_from_axis_angle(d.axis_angle),
        ),
        Operation(
            "axis and angle to quaternion",
            "quaternion",
            lambda: conventions.quaternion_from_axis_angle(e, angle),
            scipy=lambda: Rotation.from_rotvec(angle[..., np.newaxis] * e).as_quat(),
            single=lambda: single.quaternion_from_axis_angle(d.axis_angle),
        ),
        Operation(
            "rotation vector to matrix",
            "matrix",
            lambda: conventions.T_from_rotation_vector(rotvec),
            scipy=lambda: Rotation.from_rotvec(rotvec).as_matrix(),
            batch=lambda: many.matrices_from_compact_axis_angles(rotvec),
            single=lambda: single.matrix_from_compact_axis_angle(rotvec),
        ),
        Operation(
            "rotation vector to quaternion",
            "quaternion",
            lambda: conventions.quaternion_from_rotation_vector(rotvec),
            scipy=lambda: Rotation.from_rotvec(rotvec).as_quat(),
            single=lambda: single.quaternion_from_compact_axis_angle(rotvec),
            quaternion=lambda: nq.as_float_array(nq.from_rotation_vector(rotvec)),
        ),
        Operation(
            "modified Rodrigues to quaternion",
            "quaternion",
            lambda: conventions.quaternion_from_modified_rodrigues(d.mrp),
            scipy=lambda: Rotation.from_mrp(d.mrp).as_quat(),
            single=lambda: single.quaternion_from_mrp(d.mrp),
            reads=(d.mrp,),
        ),
    ]


def prepared(d: Data) -> list[Operation]:
    """Return the operations for who holds orientations or scipy's rotations."""
    R, R2, v = frames.Orientation(d.T, d.w), frames.Orientation(d.T2, d.w), d.v
    r, r2, w = Rotation.from_quat(d.Q), Rotation.from_quat(d.Q2), d.w
    R_XYZ, r_XYZ = frames.axes_rotations("XYZ", d.angles), Rotation.from_euler("XYZ", d.angles)
    table: list[tuple[str, str, Call, Call]] = [
        (
            "composition, with angular velocities",
            "orientation",
            lambda: frames.absolute_rotation(R, R2),
            lambda: (r * r2, r2.inv().apply(w) + w),
        ),
        (
            "inverse, with the angular velocity",
            "orientation",
            lambda: frames.inverse_rotation(R),
            lambda: (r.inv(), -r.apply(w)),
        ),
        ("vector", "plain", lambda: frames.resolve1(R, v), lambda: r.apply(v)),
        ("to Euler XYZ", "plain", lambda: frames.axes_rotations_angles(R_XYZ), lambda: r_XYZ.as_euler("XYZ")),
        ("to rotation vector", "plain", lambda: conventions.rotation_vector_from_T(R.T), r.as_rotvec),
    ]
    return [Operation(f"{name} (prepared)", gives, ours, scipy=peer) for name, gives, ours, peer in table]


def operations(n: int) -> list[Operation]:
    """Return all operations that a peer has, on `n` items."""
    d = Data(n)
    found = [*on_quaternions(d), *on_matrices(d), *on_angles(d), *prepared(d)]
    return [operation for operation in found if operation.peers(n)]


# --- Whether they agree


def as_ours(result: object, gives: str, peer: str | None) -> np.ndarray:
    """Return a result as an array in our conventions."""
    if gives == "orientation":
        turn, w = (result.T, result.w) if isinstance(result, frames.Orientation) else cast("Turning", result)
        T = turn.inv().as_matrix() if isinstance(turn, Rotation) else turn
        return np.concatenate([T, w[..., np.newaxis, :]], axis=-2)
    if isinstance(result, tuple):
        axis, angle = result
        result = angle if gives == "angle" else np.concatenate([axis, angle[..., np.newaxis]], axis=-1)
    if isinstance(result, frames.Orientation):
        result = result.T
    if isinstance(result, Rotation):
        result = result.as_matrix()
    array = np.asarray(result)
    if gives == "matrix" and peer not in (None, NUMPY):
        array = array.swapaxes(-1, -2)
    if gives == "quaternion":
        if peer in (PYTRANSFORM, QUATERNION):
            array = conventions.scalar_last_from_scalar_first(array)
        array = np.where(array[..., 3:] < 0.0, -array, array)
    return array


def check(operation: Operation, n: int) -> None:
    """Raise where a peer's result is not ours."""
    ours = as_ours(operation.ours(), operation.gives, None)
    for peer, call in operation.peers(n).items():
        if peer == COPYING:
            continue
        theirs = as_ours(call(), operation.gives, peer)
        if ours.shape != theirs.shape:
            raise ValueError(f"{operation.name}, {n}: {peer} gives {theirs.shape}, ours {ours.shape}")
        worst = float(np.max(np.atleast_1d(np.abs(ours - theirs))[:: max(1, n // CHECKED)]))
        if not worst < TOLERANCE:
            raise ValueError(f"{operation.name}, {n}: {peer} is off by {worst:.3g}")


# --- Times


def least_times(calls: list[Call]) -> list[float]:
    """Return the least time of each call in seconds, all taking turns; each has been called before."""
    least = [timed(call, 1) for call in calls]
    loops = [max(1, math.ceil(1e-3 / once)) for once in least]
    turn_s = sum(count * once for count, once in zip(loops, least, strict=True))
    for _ in range(max(2, min(25, int(SHARE_S / turn_s)))):
        for i, (call, count) in enumerate(zip(calls, loops, strict=True)):
            least[i] = min(least[i], timed(call, count) / count)
    return least


def timed(call: Call, count: int) -> float:
    """Return the time of some calls in seconds."""
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def compile_all() -> None:
    """Have all that is measured compiled: call it often, and wait."""
    for _ in range(3):
        for operation in operations(COPIED):
            operation.ours()
        compilation.wait()


def against_peers(n: int) -> list[Row]:
    """Return all operations at one size."""
    rows: list[Row] = []
    for operation in operations(n):
        check(operation, n)
        peers = operation.peers(n)
        ours, *theirs = (1e9 / n * s for s in least_times([operation.ours, *peers.values()]))
        case = f"{operation.name}, {SIZES[n]}"
        rows += [row(case, ours, "ns", peer, value) for peer, value in zip(peers, theirs, strict=True)]
    return rows


def without_peers(n: int = 100_000) -> list[Row]:
    """Return the operations that no peer has."""
    d = Data(n)
    rng = np.random.default_rng(1)
    V_FA, A_FA, V_FB, A_FB = (rng.normal(size=(n, 6)) for _ in range(4))
    X_FA, X_FB = Transform(d.A, d.v), Transform(d.A2, d.w)
    calls: dict[str, Call] = {
        "find_relative_acceleration": lambda: spatial.find_relative_acceleration(X_FA, V_FA, A_FA, X_FB, V_FB, A_FB),
        "ddcm": lambda: kinematics.ddcm(d.T, d.w),
        "dquat": lambda: kinematics.dquat(d.Q, d.w),
    }
    times = least_times(list(calls.values()))
    return [row(f"{name}, {SIZES[n]}", 1e9 / n * s, "ns") for name, s in zip(calls, times, strict=True)]


# --- Integration: what an error costs

SPIN, TILT, PRECESSION = 1.3, 0.6, 0.9
SPAN_S = 10.0
GOAL = 1e-9
MOST_STEPS = 300_000
"""More are told from the order of the method instead of being done."""

ORDERS = {"euler": 1, "rk4": 4, "exponential": 2, "munthe-kaas-4": 4, "magnus-4": 4, "magnus-6": 6}


def precessing(t: np.ndarray) -> frames.Orientation:
    """Return the orientation of the precessing body, with its angular velocity."""
    angles = np.stack([PRECESSION * t, np.full_like(t, TILT), SPIN * t], axis=-1)
    return frames.axes_rotations("ZXZ", angles, [PRECESSION, 0.0, SPIN])


def integrated(method: str, of: str, n_steps: int) -> tuple[float, float]:
    """Return the largest error over the span, rad, and the time that the integration takes, s."""
    times = np.linspace(0.0, SPAN_S, n_steps + 1)
    exact = precessing(times)
    start = time.perf_counter()
    run = kinematics.integrate(precessing(times[0]), lambda t: precessing(t).w, times, method=method, of=of)
    elapsed = time.perf_counter() - start
    # For two rotations this is 2 sin(angle / 2); it measures the drift of what is no rotation any more, too.
    off = np.linalg.norm(run.orientations.T - exact.T, axis=(-1, -2)) / math.sqrt(2.0)
    return float(off.max()), elapsed


def steps_for_goal(method: str, of: str) -> tuple[int, float, bool]:
    """Return the steps for an error below the goal, their time in s, and whether they were done."""
    order, n_steps = ORDERS[method], 100
    for _ in range(8):
        error, elapsed = integrated(method, of, n_steps)
        wanted = math.ceil(n_steps * (1.002 * error / GOAL) ** (1.0 / order))
        if wanted > MOST_STEPS:
            error, elapsed = integrated(method, of, 10_000)
            wanted = math.ceil(10_000 * (error / GOAL) ** (1.0 / order))
            return wanted, elapsed * wanted / 10_000, False
        if error < GOAL and abs(wanted - n_steps) <= 1 + 0.01 * n_steps:
            return n_steps, min(elapsed, *(integrated(method, of, n_steps)[1] for _ in range(2))), True
        n_steps = wanted
    raise ValueError(f"{method} on {of}: no number of steps found for an error below {GOAL:g}")


def integrators() -> list[Row]:
    """Return steps and time for an error, and the error of a step size, of every method."""
    rows: list[Row] = []
    for method in METHODS:
        for of in EQUATIONS:
            n_steps, elapsed, is_done = steps_for_goal(method, of)
            name, goal = f"{method} on {of}", f"for an error below {GOAL:g} rad over {SPAN_S:g} s"
            told = "" if is_done else ", extrapolated"
            rows += [
                row(f"{name}: steps {goal}{told}", n_steps, "steps"),
                row(f"{name}: time {goal}{told}", 1e3 * elapsed, "ms"),
                row(
                    f"{name}: error and drift of steps of 0.1 s over {SPAN_S:g} s",
                    integrated(method, of, 100)[0],
                    "rad",
                ),
            ]
    return rows


def run() -> list[Row]:
    """Measure."""
    gc.disable()
    try:
        compile_all()
        rows = [found for n in SIZES for found in against_peers(n)]
        return rows + without_peers() + integrators()
    finally:
        gc.enable()
