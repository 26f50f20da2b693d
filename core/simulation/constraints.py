"""Constraints of a mechanism: independent rows, and the projection of states onto the constraints.

The projection is the nearest state, weighted by masses: ``δ = -M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ e`` for positions, and the same for
velocities.

References
----------
E. Hairer, C. Lubich, G. Wanner, "Geometric Numerical Integration", 2006, sections IV.4 and VII.1.
E. Eich-Soellner, C. Führer, "Numerical Methods in Multibody Dynamics", 1998, section 5.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.components import applied_to, cross_of, plus, quaternion_product_of, scaled, transpose_of
from framescope.core.kernels.componentwise import Component, Components, divide, sqrt, where
from framescope.core.kernels.validation import Array
from framescope.core.simulation.body_kinematics import Kinematics, difference, lever_of, move, turning_of
from framescope.core.simulation.dynamics import reluctance, reluctance_rows, solve_held_rows
from framescope.core.simulation.mechanism import Mechanism, sides_of

RANK_TOLERANCE = 1e-6
"""Singular value of constraint rows, relative to the largest, below which it counts as zero."""

SINGULAR = 1e-12
"""Eigenvalue of ``A M⁻¹ Aᵀ``, scaled to a diagonal of 1, below which it is singular."""

MAX_ITERATIONS = 6
ROUNDING = 1e-13

Pushes = dict[int, tuple[Components, Components]]
"""Linear and angular part, for each body by index."""


class SingularMechanismError(Exception):
    """Error of constraint rows that have become dependent; `i_row` is the row that contributes most."""

    def __init__(self, i_row: int) -> None:
        self.i_row = i_row
        super().__init__(f"row {i_row}")


@dataclass(frozen=True)
class Dependence:
    """A constraint row that is the sum of factors times other rows."""

    row: int
    others: tuple[int, ...]
    factors: tuple[float, ...]


def constraint_matrix(mechanism: Mechanism, kinematics: Kinematics) -> Array:
    """Return A (m, 6 n) of all constraint rows and n bodies, with moments divided by the lever."""
    A = np.zeros((len(mechanism.constraints), 6 * len(mechanism.bodies)))
    for i, row in enumerate(mechanism.constraints):
        for body, port, axis, sign in sides_of(mechanism, row):
            A[i, 6 * body + axis] += sign
            c = np.array(lever_of(kinematics.ports[port].r, axis))
            A[i, 6 * body + 3 : 6 * body + 6] += sign * c / mechanism.lever
    return A


def independent_rows(A: Array) -> tuple[tuple[int, ...], tuple[Dependence, ...]]:
    """Return the rows of A that do not depend on the rows before them, and the dependences of the others.

    >>> independent_rows(np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]))
    ((0, 2), (Dependence(row=1, others=(0,), factors=(2.0,)),))
    """
    independent: list[int] = []
    dependent: list[Dependence] = []
    for i, row in enumerate(A):
        sizes = np.linalg.svd(A[[*independent, i]], compute_uv=False)
        if len(sizes) > len(independent) and sizes[0] > 0.0 and sizes[-1] > RANK_TOLERANCE * sizes[0]:
            independent.append(i)
            continue
        factors = _factors(A[independent], row) if independent else []
        used = [n for n, factor in enumerate(factors) if abs(factor) > RANK_TOLERANCE]
        dependent.append(Dependence(i, tuple(independent[n] for n in used), tuple(round(factors[n], 12) for n in used)))
    return tuple(independent), tuple(dependent)


def _factors(rows: Array, row: Array) -> list[float]:
    """Return the factors with which rows add up to a row that depends on them."""
    return np.asarray(np.linalg.lstsq(rows.T, row, rcond=None)[0], dtype=np.float64).tolist()


def project_positions(mechanism: Mechanism, y: list[float]) -> list[float]:
    """Return the state with its bodies moved onto the held constraints, and unit quaternions.

    Raises
    ------
    SingularMechanismError
        When the rows have become dependent.
    """
    y = normalize(mechanism, y)
    if not mechanism.held:
        return y
    error, size, kinematics = math.inf, 1.0, move(mechanism, y)
    for _ in range(MAX_ITERATIONS):
        kinematics = move(mechanism, y)
        e = np.array([difference(kinematics.ports, mechanism.constraints[i])[0] for i in mechanism.held])
        e -= np.array([y[mechanism.goals_at + i] for i in mechanism.held])
        size = mechanism.lever + max(abs(x) for port in kinematics.ports for x in port.x)
        error, before = float(np.abs(e).max()), error
        # At the level of rounding another step brings no improvement.
        if error <= ROUNDING * size or error > 0.5 * before:
            break
        check_rank(mechanism, reluctance(mechanism, kinematics)[0])
        shifts = impulses(mechanism, kinematics, solve_held_rows(mechanism, kinematics, (-e).tolist()))
        y = normalize(mechanism, _shift_bodies(mechanism, kinematics, y, shifts))
    if not error <= RANK_TOLERANCE * size:
        raise SingularMechanismError(weakest_row(mechanism, reluctance(mechanism, kinematics)[0])[1])
    return y


def project_velocities(
    mechanism: Mechanism, y: list[float], values: list[float], impact: float = math.inf
) -> list[float]:
    """Return the state with velocities that satisfy the held constraints; `values` has all signals.

    If the velocity of a row changes by more than `impact`, m/s, the reason is a jump of a signal and not rounding. The
    impulses are then added to work and impulse in the state, as for forces.
    """
    if not mechanism.held:
        return y
    kinematics = move(mechanism, y)
    rows = [mechanism.constraints[i] for i in mechanism.held]
    e = np.array([difference(kinematics.ports, row)[1] - values[row.channel] for row in rows])
    check_rank(mechanism, reluctance(mechanism, kinematics)[0])
    forces = solve_held_rows(mechanism, kinematics, (-e).tolist())
    y = list(y)
    if float(np.abs(e).max()) > impact:
        _book_impact(mechanism, kinematics, y, forces, e)
    return _apply_impulses(mechanism, kinematics, y, forces)


def _apply_impulses(
    mechanism: Mechanism, kinematics: Kinematics, y: Sequence[Component], forces: Sequence[Component]
) -> list[Component]:
    """Return the state after impulses at the held rows."""
    y = list(y)
    for i, (dv, dw) in impulses(mechanism, kinematics, forces).items():
        body, motion = mechanism.bodies[i], kinematics.bodies[i]
        at = body.at + (7 if body.is_finite else 6)
        if body.is_finite:
            dw = applied_to(transpose_of(motion.R), dw)  # noqa: PLW2901
        for k in range(3):
            y[at + k] = y[at + k] + dv[k]
            y[at + 3 + k] = y[at + 3 + k] + dw[k]
    return y


def position_step(mechanism: Mechanism, y: Sequence[Component]) -> list[Component]:
    """Return a state with unit quaternions, its projection by one step, and the errors of the constraints.

    The result is one list of components: the two states, the errors of the held rows, their scale, and the result of
    `determinant`.
    """
    y = normalize(mechanism, y)
    kinematics = move(mechanism, y)
    e = [difference(kinematics.ports, mechanism.constraints[i])[0] - y[mechanism.goals_at + i] for i in mechanism.held]
    size: Component = 0.0
    for port in kinematics.ports:
        for x in port.x:
            size = where(abs(x) > size, abs(x), size)
    forces = solve_held_rows(mechanism, kinematics, [-error for error in e])
    shifted = normalize(mechanism, _shift_bodies(mechanism, kinematics, y, impulses(mechanism, kinematics, forces)))
    return [*y, *shifted, *e, mechanism.lever + size, determinant(reluctance_rows(mechanism, kinematics))]


def velocity_step(mechanism: Mechanism, y: Sequence[Component], values: Sequence[Component]) -> list[Component]:
    """Return a state with velocities that satisfy the held constraints, the errors before, and `determinant`.

    The result is one list of components.
    """
    kinematics = move(mechanism, y)
    rows = [mechanism.constraints[i] for i in mechanism.held]
    e = [difference(kinematics.ports, row)[1] - values[row.channel] for row in rows]
    forces = solve_held_rows(mechanism, kinematics, [-error for error in e])
    corrected = _apply_impulses(mechanism, kinematics, y, forces)
    return [*corrected, *e, determinant(reluctance_rows(mechanism, kinematics))]


def determinant(W: Sequence[Sequence[Component]]) -> Component:
    """Return the determinant of a symmetric positive definite matrix scaled to a diagonal of 1, in components.

    The eigenvalues add up to `m`, so none is smaller than the determinant over ``m^(m-1)``.

    >>> determinant([[4.0, 0.0], [0.0, 9.0]]), determinant([[1.0, 0.5], [0.5, 1.0]])
    (1.0, 0.75)
    """
    m = len(W)
    L: list[list[Component]] = [list(row) for row in W]
    product: Component = 1.0
    for j in range(m):
        pivot = L[j][j]
        product = product * divide(pivot, W[j][j])
        for i in range(j + 1, m):
            factor = divide(L[i][j], pivot)
            for k in range(j + 1, i + 1):
                L[i][k] = L[i][k] - factor * L[k][j]
    return product


def is_far_from_singular(determinant: float, m: int) -> bool:
    """Return whether a determinant is large enough to skip `weakest_row`."""
    return determinant > 1e3 * SINGULAR * float(m) ** (m - 1)


def check_rank(mechanism: Mechanism, W: Array) -> None:
    """Raise `SingularMechanismError` if ``A M⁻¹ Aᵀ`` has lost its rank."""
    size, i_row = weakest_row(mechanism, W)
    if not size > SINGULAR:
        raise SingularMechanismError(i_row)


def weakest_row(mechanism: Mechanism, W: Array) -> tuple[float, int]:
    """Return the smallest eigenvalue of ``A M⁻¹ Aᵀ`` with a diagonal of 1, and the row that contributes most to it."""
    diagonal = np.diagonal(W)
    if not (np.isfinite(W).all() and (diagonal > 0.0).all()):
        return 0.0, mechanism.held[int(np.argmin(np.nan_to_num(diagonal)))]
    scale = 1.0 / np.sqrt(diagonal)
    sizes, vectors = np.linalg.eigh(W * scale * scale[:, np.newaxis])
    # Among dependent rows choose the last row.
    share = np.abs(vectors[:, 0])
    return float(sizes[0]), mechanism.held[int(np.flatnonzero(share > 0.5 * share.max())[-1])]


def _book_impact(mechanism: Mechanism, kinematics: Kinematics, y: list[float], forces: list[float], e: Array) -> None:
    """Add impulses at the held rows, which change their velocities by `-e`, to work and impulse in the state."""
    at = mechanism.totals_at
    before = [difference(kinematics.ports, mechanism.constraints[i])[1] for i in mechanism.held]
    y[at] += float(np.sum(np.array(forces) * (np.array(before) - 0.5 * e)))
    for i, (f, m) in _pushes(mechanism, kinematics, forces).items():
        p = plus(kinematics.bodies[i].u, mechanism.bodies[i].p_rest)
        for k, x in enumerate((*f, *plus(m, cross_of(p, f)))):
            y[at + 2 + k] += x


def impulses(mechanism: Mechanism, kinematics: Kinematics, forces: Sequence[Component]) -> Pushes:
    """Return the change of velocity and angular velocity, in world axes, of each body by impulses at the held rows."""
    return {
        i: (scaled(1.0 / mechanism.bodies[i].mass, f), applied_to(turning_of(mechanism, kinematics, i), m))
        for i, (f, m) in _pushes(mechanism, kinematics, forces).items()
    }


def _pushes(mechanism: Mechanism, kinematics: Kinematics, forces: Sequence[Component]) -> Pushes:
    """Return force and moment about the centre of mass, in world axes, on each body, from forces at the held rows."""
    zero = (0.0, 0.0, 0.0)
    totals: Pushes = dict.fromkeys(mechanism.held_bodies, (zero, zero))
    for i, F in zip(mechanism.held, forces, strict=True):
        for body, port, axis, sign in sides_of(mechanism, mechanism.constraints[i]):
            f, m = totals[body]
            total = list(f)
            total[axis] = total[axis] + sign * F
            totals[body] = (tuple(total), plus(m, scaled(sign * F, lever_of(kinematics.ports[port].r, axis))))
    return totals


def normalize(mechanism: Mechanism, y: Sequence[Component]) -> list[Component]:
    """Return the state with unit quaternions."""
    y = list(y)
    for body in mechanism.bodies:
        if body.is_finite:
            at = body.at + 3
            q = y[at : at + 4]
            norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            norm = where(norm > 0.0, norm, 1.0)
            y[at : at + 4] = [divide(x, norm) for x in q]
    return y


def _shift_bodies(
    mechanism: Mechanism, kinematics: Kinematics, y: Sequence[Component], shifts: Pushes
) -> list[Component]:
    y = list(y)
    for i, (du, turn) in shifts.items():
        body, motion = mechanism.bodies[i], kinematics.bodies[i]
        at = body.at
        y[at : at + 3] = plus(tuple(y[at : at + 3]), du)
        if not body.is_finite:
            y[at + 3 : at + 6] = plus(tuple(y[at + 3 : at + 6]), turn)
            continue
        half = scaled(0.5, applied_to(transpose_of(motion.R), turn))
        y[at + 3 : at + 7] = quaternion_product_of(tuple(y[at + 3 : at + 7]), (*half, 1.0))
    return y
