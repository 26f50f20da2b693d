"""Ray casting: where a ray first meets a mesh, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.geometry.lathe_meshes import Mesh

Array = NDArray[np.float64]


def first_meeting(mesh: Mesh, start: Array, ray: Array) -> float | None:
    """Return how far along a ray it first meets a mesh, both in the mesh's coordinates; None when it never does.

    References
    ----------
    Möller, Trumbore: Fast, Minimum Storage Ray/Triangle Intersection, 1997.
    """
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_low, to_high = (low - start) / ray, (high - start) / ray
    # Where the ray runs along a face, 0/0 says nothing.
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
