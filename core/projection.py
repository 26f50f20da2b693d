"""Projection of points into the image of a camera, and of pixels back into space.

The axes of a camera's optical frame are those of its image: x right, y down, z forward (REP 103). Pixels are counted
as in OpenCV: ``(0, 0)`` is the centre of the upper left pixel, so that an image of W x H pixels reaches from -0.5 to
W - 0.5 and from -0.5 to H - 0.5.

References
----------
OpenCV documentation, "Camera Calibration and 3D Reconstruction" and "Fisheye camera model".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import projection as kernels
from framescope.core.kernels.validation import Array, as_array

Distortion = Literal["none", "radtan", "equidistant", "rational"]

N_COEFFICIENTS: dict[str, tuple[int, ...]] = {
    "none": (0,),
    "radtan": (4, 5),
    "rational": (8,),
    "equidistant": (4,),
}
"""Possible numbers of coefficients of each model."""

REAL = 1e-9
"""Imaginary part, relative to the size of a root, up to which a root counts as real."""


@dataclass(frozen=True)
class CameraModel:
    """Intrinsics of a camera.

    Parameters
    ----------
    focal_lengths
        Focal lengths along x and y, pixels.
    principal_point
        Pixel of the optical axis.
    distortion
        Model of the lens: ``"none"`` (pinhole), ``"radtan"`` (plumb bob), ``"rational"``, or ``"equidistant"``
        (fisheye).
    coefficients
        Coefficients in the order of OpenCV: ``k1 k2 p1 p2 [k3]`` of radtan, ``k1 k2 p1 p2 k3 k4 k5 k6`` of rational,
        ``k1 k2 k3 k4`` of equidistant.

    Raises
    ------
    ValueError
        When a number is not finite, a focal length is not positive, the model is unknown, or the number of coefficients
        does not fit the model.

    Notes
    -----
    With ``a = x / z`` and ``b = y / z`` a pixel is ``(fx a' + cx, fy b' + cy)``. Without distortion ``a' = a``. With
    ``s = a² + b²``, radtan and rational have

    ``a' = a (1 + k1 s + k2 s² + k3 s³) / (1 + k4 s + k5 s² + k6 s³) + 2 p1 a b + p2 (s + 2 a²)``

    and the same for b with a and b as well as p1 and p2 exchanged. The equidistant model has ``a' = a θd / √s`` with
    ``θ = atan √s`` and ``θd = θ (1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸)``.

    Examples
    --------
    >>> camera = CameraModel((400.0, 400.0), (319.5, 239.5), "radtan", (-0.3, 0.0, 0.0, 0.0))
    >>> round(camera.range_deg, 1)
    46.5
    """

    focal_lengths: tuple[float, float]
    principal_point: tuple[float, float]
    distortion: Distortion = "none"
    coefficients: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        f = as_array("focal_lengths", self.focal_lengths, (2,))
        c = as_array("principal_point", self.principal_point, (2,))
        if f.shape != (2,) or not (f > 0.0).all():
            raise ValueError(f"focal_lengths: expected two numbers of more than zero, got {self.focal_lengths}")
        counts = N_COEFFICIENTS.get(self.distortion)
        if counts is None:
            raise ValueError(f"distortion: expected one of {', '.join(N_COEFFICIENTS)}, got {self.distortion!r}")
        k = as_array("coefficients", np.asarray(self.coefficients, dtype=float))
        if k.ndim != 1 or len(k) not in counts:
            expected = " or ".join(map(str, counts))
            raise ValueError(f"coefficients of {self.distortion}: expected a number of {expected}, got {k.size}")
        for name, value in (("focal_lengths", f), ("principal_point", c), ("coefficients", k)):
            object.__setattr__(self, name, tuple(map(float, value.ravel())))

    @cached_property
    def range(self) -> float:
        """Distance from the optical axis at which the model ends, in the image at distance 1; it may be infinite.

        Beyond it, the distorted radius shrinks again, so that rays far outside the image would fall into it.
        """
        angle = self.limit
        return math.tan(angle) if self.distortion == "equidistant" else angle

    @property
    def range_deg(self) -> float:
        """Angle from the optical axis at which the model ends, degrees, at most 90."""
        return math.degrees(self.limit if self.distortion == "equidistant" else math.atan(self.limit))

    @cached_property
    def limit(self) -> float:
        """Smallest radius, or angle of the equidistant model (rad), at which the distorted radius stops growing."""
        k = self.coefficients
        if self.distortion == "equidistant":
            powers = (1.0, 3.0 * k[0], 5.0 * k[1], 7.0 * k[2], 9.0 * k[3])
            return min(_smallest_root(powers), 0.5 * math.pi)
        k1, k2, _, _, k3, k4, k5, k6 = self.rational_coefficients
        over, under = np.array([1.0, k1, k2, k3]), np.array([1.0, k4, k5, k6])
        slopes = [np.append(part[1:] * (1.0, 2.0, 3.0), 0.0) for part in (over, under)]
        rising = np.convolve(over, under)
        rising[1:] += 2.0 * (np.convolve(slopes[0], under) - np.convolve(over, slopes[1]))[:-1]
        return min(_smallest_root(rising), _smallest_root(under))

    @property
    def rational_coefficients(self) -> tuple[float, ...]:
        """Coefficients of the rational model with zeros for those that the model lacks."""
        return (*self.coefficients, *(0.0,) * (8 - len(self.coefficients)))


def _smallest_root(powers: ArrayLike) -> float:
    """Return the square root of the smallest positive root of a polynomial, from its constant on; infinity without."""
    coefficients = np.trim_zeros(np.asarray(powers, dtype=float), "b")
    if len(coefficients) < 2:
        return math.inf
    try:
        with np.errstate(all="ignore"):
            roots = np.polynomial.polynomial.polyroots(coefficients)
    except np.linalg.LinAlgError:  # coefficients so different in size that their ratios overflow
        return math.inf
    is_real = np.abs(roots.imag) <= REAL * np.abs(roots)
    positive = roots.real[is_real & (roots.real > 0.0)]
    return math.sqrt(positive.min()) if len(positive) else math.inf


def project(camera: CameraModel, r_C: ArrayLike) -> Array:
    """Return the pixels of points.

    Parameters
    ----------
    camera
        Intrinsics of the camera.
    r_C : (..., 3)
        Points in the optical frame of the camera, m.

    Returns
    -------
    (..., 2)
        Pixels, which may be outside the image; NaN for a point that is not in front of the camera, or beyond the range
        of the model (`CameraModel.range`).

    Raises
    ------
    ValueError
        When the points have a wrong shape or are not finite.

    Examples
    --------
    >>> camera = CameraModel((400.0, 420.0), (320.0, 240.0))
    >>> project(camera, [[0.5, -0.25, 2.0], [0.0, 0.0, -1.0]])
    array([[420. , 187.5],
           [  nan,   nan]])
    """
    return project_unchecked(camera, as_array("r_C", r_C, (3,)))


def project_unchecked(camera: CameraModel, r_C: Array) -> Array:
    """Return the pixels of points as `project`, NaN for points that are not finite."""
    f, c = np.array(camera.focal_lengths), np.array(camera.principal_point)
    limit = np.array(camera.limit)
    if camera.distortion == "equidistant":
        return kernels.project_equidistant(r_C, f, c, np.array(camera.coefficients), limit)
    return kernels.project_rational(r_C, f, c, np.array(camera.rational_coefficients), limit)


def unproject(camera: CameraModel, pixel: ArrayLike) -> Array:
    """Return the directions of pixels: the inverse of `project`, by Newton's iteration.

    Parameters
    ----------
    camera
        Intrinsics of the camera.
    pixel : (..., 2)
        Pixels.

    Returns
    -------
    (..., 3)
        Unit vectors in the optical frame; NaN for a pixel that no ray within the range of the model reaches.

    Raises
    ------
    ValueError
        When the pixels have a wrong shape or are not finite.

    Examples
    --------
    >>> camera = CameraModel((400.0, 400.0), (320.0, 240.0), "equidistant", (0.01, -0.002, 0.0, 0.0))
    >>> project(camera, 3.0 * unproject(camera, [100.0, 400.0])).round(9)
    array([100., 400.])
    """
    p = as_array("pixel", pixel, (2,))
    f, c = np.array(camera.focal_lengths), np.array(camera.principal_point)
    limit = camera.limit
    if camera.distortion == "equidistant":
        return kernels.unproject_equidistant(p, f, c, np.array(camera.coefficients), np.array(limit))
    is_bounded = math.isfinite(limit)
    bounds = np.array(limit if is_bounded else 1.0), np.array(float(is_bounded))
    return kernels.unproject_rational(p, f, c, np.array(camera.rational_coefficients), *bounds)
