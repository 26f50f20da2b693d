"""Angular velocity and acceleration of a changing rotation vector of any length."""

from __future__ import annotations

from framescope.core.kernels.components import cross_of, dot_of, minus, plus, scaled
from framescope.core.kernels.componentwise import Component, Components, cos, kernel_of_two, sin, sqrt, where


@kernel_of_two((3,), (3,), (3,), gives=((3,), (3,)))
def rotation_vector_motion(s: Components, ds: Components, dds: Components) -> Components:
    """Return the angular velocity and acceleration of a rotation vector, both resolved in the moving frame."""
    x = dot_of(s, s)
    a, b, a_x, b_x = series_factors(x)
    across, across2 = cross_of(s, ds), cross_of(s, dds)
    twice, twice2 = cross_of(s, across), cross_of(s, across2)
    x_rate = 2.0 * dot_of(s, ds)
    w = plus(minus(ds, scaled(a, across)), scaled(b, twice))
    der_w = plus(minus(dds, scaled(a, across2)), scaled(b, plus(twice2, cross_of(ds, across))))
    return (*w, *plus(der_w, scaled(x_rate, minus(scaled(b_x, twice), scaled(a_x, across)))))


def series_factors(x: Component) -> tuple[Component, Component, Component, Component]:
    """Return ``a = (1 - cos r)/r²``, ``b = (r - sin r)/r³`` and their derivatives by ``x = r²``.

    For ``x < 1`` series are summed, because the closed formulas lose digits by cancellation there. The truncation error
    of the series is below rounding.
    """
    is_small = x < 1.0
    y = where(is_small, x, 0.0)
    z = where(is_small, 1.0, x)
    r = sqrt(z)
    c, ratio = cos(r), sin(r) / r
    half = sin(0.5 * r)
    a, b = 2.0 * half * half / z, (1.0 - ratio) / z
    a_x = (0.5 * ratio - a) / z
    b_x = (0.5 * (ratio - c) / z - b) / z
    return (
        where(is_small, _series(_A, y), a),
        where(is_small, _series(_B, y), b),
        where(is_small, _series(_A_X, y), a_x),
        where(is_small, _series(_B_X, y), b_x),
    )


def _series(coefficients: tuple[float, ...], x: Component) -> Component:
    """Evaluate a polynomial at `x` by Horner's rule; `coefficients` begin with the constant term."""
    value = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = coefficient + x * value
    return value


def _alternating(first: int) -> tuple[float, ...]:
    """Return ``(-1)^n / (2 n + first)!`` for n from 0 to 9."""
    inverse_factorials = [1.0]
    for n in range(1, 20 + first):
        inverse_factorials.append(inverse_factorials[-1] / n)
    return tuple((-1.0) ** n * inverse_factorials[2 * n + first] for n in range(10))


_A, _B = _alternating(2), _alternating(3)
_A_X, _B_X = (tuple(n * c for n, c in enumerate(series))[1:] for series in (_A, _B))
