"""Unchecked kernels of cameras: points to pixels, and pixels to rays.

The axes of a camera are those of its image: x right, y down, z forward. `f` are the focal lengths and `c` is the
principal point, both in pixels. `k` are the coefficients of the distortion in the order of OpenCV.

>>> import numpy as np
>>> f, c, k = np.array([400.0, 420.0]), np.array([320.0, 240.0]), np.zeros(8)
>>> project_rational(np.array([0.5, -0.25, 2.0]), f, c, k, np.array(np.inf))
array([420. , 187.5])
"""

from __future__ import annotations

import math

from framescope.core.kernels.componentwise import (
    Component,
    Components,
    atan2,
    both,
    cos,
    divide,
    kernel,
    sin,
    sqrt,
    where,
)

BISECTIONS = 24
"""Number of halvings that narrow a radius down before Newton's iteration, which then converges from nearby."""

NEWTON_STEPS = 8
"""Number of steps of Newton's iteration; each doubles the number of correct digits."""

RESIDUAL = 1e-11
"""Largest distance of a result from the solution, in the image at distance 1, that counts as solved."""


@kernel((3,), (2,), (2,), (8,), (), gives=(2,))
def project_rational(r: Components, f: Components, c: Components, k: Components, limit: Component) -> Components:
    """Return the pixel of a point for the model of Brown and Conrady with a rational radial part.

    `k` is ``k1 k2 p1 p2 k3 k4 k5 k6``. The pixel is NaN for a point that is not in front of the camera, and for a ray
    that is `limit` or more from the optical axis, as distance in the image at distance 1.
    """
    x, y, z = r
    a, b = divide(x, z), divide(y, z)
    u, v = _distort(a, b, k)
    is_seen = both(z > 0.0, sqrt(a * a + b * b) < limit)
    return where(is_seen, f[0] * u + c[0], math.nan), where(is_seen, f[1] * v + c[1], math.nan)


@kernel((2,), (2,), (2,), (8,), (), (), gives=(3,))
def unproject_rational(
    pixel: Components, f: Components, c: Components, k: Components, limit: Component, is_bounded: Component
) -> Components:
    """Return the unit vector of the ray of a pixel, the inverse of `project_rational`; NaN without such a ray.

    `is_bounded` is 1 for a finite limit, and 0 for an infinite one, whose `limit` is then 1.
    """
    u, v = divide(pixel[0] - c[0], f[0]), divide(pixel[1] - c[1], f[1])
    rho = sqrt(u * u + v * v)
    open_end = 1.0 - is_bounded
    low, high = 0.0 * rho, 0.0 * rho + 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        radius = divide(limit * middle, 1.0 - open_end * middle)
        is_beyond = radius * _radial(radius * radius, k)[0] > rho
        low, high = where(is_beyond, low, middle), where(is_beyond, middle, high)
    middle = 0.5 * (low + high)
    radius = divide(limit * middle, 1.0 - open_end * middle)
    scale = where(rho > 0.0, divide(radius, rho), 1.0)
    x, y = scale * u, scale * v
    for _ in range(NEWTON_STEPS):
        dx, dy = _newton_step(x, y, u, v, k)
        x, y = x - dx, y - dy
    x2, y2 = _distort(x, y, k)
    off = sqrt((x2 - u) * (x2 - u) + (y2 - v) * (y2 - v))
    squared = x * x + y * y
    is_inside = where(is_bounded > 0.5, sqrt(squared) < limit, squared >= 0.0)
    is_solved = both(off <= RESIDUAL * (1.0 + rho), is_inside)
    length = sqrt(squared + 1.0)
    return tuple(where(is_solved, divide(part, length), math.nan) for part in (x, y, 1.0))


@kernel((3,), (2,), (2,), (4,), (), gives=(2,))
def project_equidistant(r: Components, f: Components, c: Components, k: Components, limit: Component) -> Components:
    """Return the pixel of a point for the equidistant model of Kannala and Brandt, OpenCV's fisheye.

    The pixel is NaN for a point that is not in front of the camera, and for a ray that is `limit` (rad) or more from
    the optical axis.
    """
    x, y, z = r
    a, b = divide(x, z), divide(y, z)
    radius = sqrt(a * a + b * b)
    angle = atan2(radius, 0.0 * radius + 1.0)
    scale = where(radius > 0.0, divide(_bend(angle, k), radius), 1.0)
    is_seen = both(z > 0.0, angle < limit)
    return where(is_seen, f[0] * (scale * a) + c[0], math.nan), where(is_seen, f[1] * (scale * b) + c[1], math.nan)


@kernel((2,), (2,), (2,), (4,), (), gives=(3,))
def unproject_equidistant(
    pixel: Components, f: Components, c: Components, k: Components, limit: Component
) -> Components:
    """Return the unit vector of the ray of a pixel, the inverse of `project_equidistant`; NaN without such a ray."""
    u, v = divide(pixel[0] - c[0], f[0]), divide(pixel[1] - c[1], f[1])
    rho = sqrt(u * u + v * v)
    low, high = 0.0 * rho, 0.0 * rho + limit
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        is_beyond = _bend(middle, k) > rho
        low, high = where(is_beyond, low, middle), where(is_beyond, middle, high)
    angle = 0.5 * (low + high)
    for _ in range(NEWTON_STEPS):
        s = angle * angle
        slope = 1.0 + s * (3.0 * k[0] + s * (5.0 * k[1] + s * (7.0 * k[2] + s * (9.0 * k[3]))))
        angle = angle - where(slope > 0.0, divide(_bend(angle, k) - rho, slope), 0.0)
    off = _bend(angle, k) - rho
    is_solved = both(both(off <= RESIDUAL, -off <= RESIDUAL), angle < limit)
    across = where(rho > 0.0, divide(sin(angle), rho), 1.0)
    return tuple(where(is_solved, part, math.nan) for part in (across * u, across * v, cos(angle)))


def _radial(s: Component, k: Components) -> tuple[Component, Component]:
    """Return the radial factor for a squared radius, and its derivative by the squared radius."""
    k1, k2, _, _, k3, k4, k5, k6 = k
    over, under = 1.0 + s * (k1 + s * (k2 + s * k3)), 1.0 + s * (k4 + s * (k5 + s * k6))
    d_over, d_under = k1 + s * (2.0 * k2 + s * (3.0 * k3)), k4 + s * (2.0 * k5 + s * (3.0 * k6))
    return divide(over, under), divide(d_over * under - over * d_under, under * under)


def _distort(x: Component, y: Component, k: Components) -> tuple[Component, Component]:
    """Return the distorted place in the image at distance 1."""
    p1, p2 = k[2], k[3]
    s = x * x + y * y
    radial = _radial(s, k)[0]
    u = x * radial + 2.0 * p1 * (x * y) + p2 * (s + 2.0 * (x * x))
    return u, y * radial + p1 * (s + 2.0 * (y * y)) + 2.0 * p2 * (x * y)


def _newton_step(x: Component, y: Component, u: Component, v: Component, k: Components) -> tuple[Component, Component]:
    """Return the step of Newton's iteration to the place whose distorted place is (u, v); zero where it is singular."""
    p1, p2 = k[2], k[3]
    radial, slope = _radial(x * x + y * y, k)
    x2, y2 = _distort(x, y, k)
    a = radial + 2.0 * slope * (x * x) + 2.0 * p1 * y + 6.0 * p2 * x
    b = 2.0 * slope * (x * y) + 2.0 * p1 * x + 2.0 * p2 * y
    d = radial + 2.0 * slope * (y * y) + 6.0 * p1 * y + 2.0 * p2 * x
    det = a * d - b * b
    ex, ey = x2 - u, y2 - v
    is_regular = det * det > 0.0
    return (
        where(is_regular, divide(d * ex - b * ey, det), 0.0),
        where(is_regular, divide(a * ey - b * ex, det), 0.0),
    )


def _bend(angle: Component, k: Components) -> Component:
    """Return the radius in the image at distance 1 for an angle from the optical axis, rad."""
    s = angle * angle
    return angle * (1.0 + s * (k[0] + s * (k[1] + s * (k[2] + s * k[3]))))
