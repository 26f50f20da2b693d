"""Ray casting: first intersection of a ray with a mesh, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.geometry.lathe_meshes import Mesh

Array = NDArray[np.float64]


def first_meeting(mesh: Mesh, start: Array, ray: Array) -> float | None:
    """Return the distance along a ray to its first intersection with a mesh, in mesh coordinates; None without one.

    References
    ----------
    Möller, Trumbore: Fast, Minimum Storage Ray/Triangle Intersection, 1997.
    """
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_low, to_high = (low - start) / ray, (high - start) / ray
    # If the ray is parallel to a face, 0/0 gives NaN, which is ignored.
    if np.nanmax(np.fmin(to_low, to_high)) > np.nanmin(np.fmax(to_low, to_high)):
        return None
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    ab, ac = b - a, c - a
    p = np.cross(ray, ac)
    volume = np.einsum("ij,ij->i", ab, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = start - a
        u = np.einsum("ij,ij->i", off, p) / volume
        q = np.cross(off, ab)
        v = q @ ray / volume
        far = np.einsum("ij,ij->i", ac, q) / volume
        is_hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (far > 0.0)
    return float(far[is_hit].min()) if is_hit.any() else None
