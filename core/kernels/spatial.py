"""Unchecked kernels of the spatial algebra in `framescope.core.spatial`."""

from __future__ import annotations

from framescope.core.kernels.components import applied_to, cross_of, minus, negated, plus, scaled, transpose_of
from framescope.core.kernels.componentwise import Components, kernel


def _apply_transposed_to_both(M: Components, V: Components) -> Components:
    """Return a spatial vector with both halves multiplied by ``Mᵀ``."""
    M_T = transpose_of(M)
    return (*applied_to(M_T, V[:3]), *applied_to(M_T, V[3:]))


@kernel((3,), (6,), (6,), gives=(6,))
def relative_velocity_in_F(p: Components, V_FA: Components, V_FB: Components) -> Components:
    """Return the velocity of B relative to A, resolved in F, for positions and velocities resolved in F."""
    w_FA, der_p = V_FA[:3], minus(V_FB[3:], V_FA[3:])
    return (*minus(V_FB[:3], w_FA), *minus(der_p, cross_of(w_FA, p)))


@kernel((3, 3), (3,), (6,), (3,), (6,), gives=(6,))
def relative_velocity(
    R_FA: Components, p_FA: Components, V_FA: Components, p_FB: Components, V_FB: Components
) -> Components:
    """Return the velocity of B relative to A, resolved in A."""
    return _apply_transposed_to_both(R_FA, relative_velocity_in_F.formula(minus(p_FB, p_FA), V_FA, V_FB))


@kernel((3,), (6,), (6,), (6,), (6,), gives=(6,))
def relative_acceleration_in_F(
    p: Components, V_FA: Components, A_FA: Components, V_FB: Components, A_FB: Components
) -> Components:
    """Return the acceleration of B relative to A, resolved in F."""
    w_FA, b_FA = V_FA[:3], A_FA[:3]
    der_p, der2_p = minus(V_FB[3:], V_FA[3:]), minus(A_FB[3:], A_FA[3:])
    b = minus(minus(A_FB[:3], b_FA), cross_of(w_FA, minus(V_FB[:3], w_FA)))
    turning = plus(cross_of(b_FA, p), scaled(2.0, cross_of(w_FA, der_p)))
    return (*b, *minus(der2_p, minus(turning, cross_of(w_FA, cross_of(w_FA, p)))))


@kernel((3, 3), (3,), (6,), (6,), (3,), (6,), (6,), gives=(6,))
def relative_acceleration(
    R_FA: Components,
    p_FA: Components,
    V_FA: Components,
    A_FA: Components,
    p_FB: Components,
    V_FB: Components,
    A_FB: Components,
) -> Components:
    """Return the acceleration of B relative to A, resolved in A."""
    in_F = relative_acceleration_in_F.formula(minus(p_FB, p_FA), V_FA, A_FA, V_FB, A_FB)
    return _apply_transposed_to_both(R_FA, in_F)


@kernel((3,), (6,), gives=(6,))
def reverse_velocity_in_A(p_AB: Components, V_AB: Components) -> Components:
    """Return the velocity of A relative to B, resolved in A."""
    w = V_AB[:3]
    return (*negated(w), *minus(cross_of(w, p_AB), V_AB[3:]))


@kernel((3, 3), (3,), (6,), gives=(6,))
def reverse_velocity(R_AB: Components, p_AB: Components, V_AB: Components) -> Components:
    """Return the velocity of A relative to B, resolved in B."""
    return _apply_transposed_to_both(R_AB, reverse_velocity_in_A.formula(p_AB, V_AB))


@kernel((6,), (3,), gives=(6,))
def shift_velocity(V: Components, r: Components) -> Components:
    """Return ``[w, v + w × r]``."""
    w = V[:3]
    return (*w, *plus(V[3:], cross_of(w, r)))


@kernel((6,), (3,), (3,), gives=(6,))
def shift_velocity_from_to(V: Components, from_P: Components, to_Q: Components) -> Components:
    """Return the velocity shifted from point P to point Q."""
    return shift_velocity.formula(V, minus(to_Q, from_P))


@kernel((6,), (3,), gives=(6,))
def shift_force(F: Components, r: Components) -> Components:
    """Return ``[m - r × f, f]``."""
    f = F[3:]
    return (*minus(F[:3], cross_of(r, f)), *f)


@kernel((6,), (3,), (3,), gives=(6,))
def shift_force_from_to(F: Components, from_P: Components, to_Q: Components) -> Components:
    """Return the force shifted from point P to point Q."""
    return shift_force.formula(F, minus(to_Q, from_P))


@kernel((6,), (3,), (3,), gives=(6,))
def shift_acceleration(A: Components, w: Components, r: Components) -> Components:
    """Return ``[b, a + b × r + w × (w × r)]``."""
    b = A[:3]
    return (*b, *plus(plus(A[3:], cross_of(b, r)), cross_of(w, cross_of(w, r))))


@kernel((6,), (3,), (3,), (3,), gives=(6,))
def shift_acceleration_from_to(A: Components, w: Components, from_P: Components, to_Q: Components) -> Components:
    """Return the acceleration shifted from point P to point Q."""
    return shift_acceleration.formula(A, w, minus(to_Q, from_P))
