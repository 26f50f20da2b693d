"""Bundles of arrows: straight ones for linear quantities, ones with a curl about the shaft for angular quantities.

An arrow is as long as its vector. The head has a constant size; a short arrow is scaled as a whole, so that it still
looks like an arrow. A body often surrounds the foot of an arrow, especially of forces and velocities, so a pale copy of
the arrow shows through it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.ui.scene_view.geometry import actors, instanced_mesh
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, lathe, merge
from framescope.ui.scene_view.geometry.tubes import tube

Array = NDArray[np.float64]

FOOT, NECK, TIP = range(3)

# Sizes in radii of the shaft.
HEAD_LENGTH, HEAD_RADIUS = 8.5, 3.2
FULL_LENGTH, FULL_LENGTH_WITH_CURL = 11.0, 19.0
"""Lengths at which an arrow is not yet scaled down."""
CURL_RADIUS, CURL_TUBE, CURL_BELOW_NECK = 5.6, 0.72, 2.6
CURL_HEAD_LENGTH, CURL_HEAD_RADIUS = 4.6, 2.1
CURL_SWEEP = math.radians(285.0)

SIDES, HEAD_SIDES = 12, 16
CURL_SIDES, CURL_STEPS = 6, 30
"""Sides of shafts, heads and curls: each triangle costs software GL a tenth of a microsecond in every picture."""

THROUGH_OPACITY = 0.32


class ArrowBundle:
    """Arrows in one mesh: write `feet` and `vectors` (count, 3), in world and m, then call `update`."""

    def __init__(
        self, colors: Sequence[str], radius: float, *, has_curl: bool = False, through: float = THROUGH_OPACITY
    ) -> None:
        """Take a colour for each arrow, the radius of the shafts, m, and their opacity when seen through bodies."""
        count = len(colors)
        self.feet, self.vectors = np.zeros((count, 3)), np.zeros((count, 3))
        self.actors: list[vtkActor] = []
        self._radius, self._full = radius, FULL_LENGTH_WITH_CURL if has_curl else FULL_LENGTH
        if not count:
            return
        self._along = instanced_mesh.AxesAlong(count)
        self.mesh = instanced_mesh.LinearMesh(arrow_template(has_curl=has_curl), instanced_mesh.colors_of(colors))
        self.actors.append(actors.surface(self.mesh.polydata))
        if through:
            self.actors.append(actors.through(self.mesh.polydata, through))

    @property
    def tips(self) -> Array:
        """Tips of the arrows at the last `update` (count, 3), in world, m."""
        return self.mesh.stations[TIP]

    def update(self) -> None:
        """Draw the arrows; an arrow of zero or NaN length is invisible."""
        if not self.actors:
            return
        self._write_places(self.feet, self.vectors, self._along, self.mesh)
        self.mesh.update()

    def places(self, feet: Array, vectors: Array) -> instanced_mesh.ItemPlaces:
        """Return the places of k arrows of this kind from feet and vectors (k, 3), without drawing them."""
        places = instanced_mesh.ItemPlaces.of(len(feet))
        self._write_places(feet, vectors, instanced_mesh.AxesAlong(len(feet)), places)
        return places

    def _write_places(
        self,
        feet: Array,
        vectors: Array,
        along: instanced_mesh.AxesAlong,
        out: instanced_mesh.ItemPlaces | instanced_mesh.LinearMesh,
    ) -> None:
        along.turn(vectors)
        with np.errstate(invalid="ignore", over="ignore"):
            np.multiply(along.lengths, 1.0 / self._full, out=out.sizes)
            np.minimum(out.sizes, self._radius, out=out.sizes)
            foot, neck, tip = out.stations
            np.copyto(foot, feet)
            np.add(feet, vectors, out=tip)
            np.einsum("ij,i->ij", along.axes[2], out.sizes, out=neck)
            np.multiply(neck, -HEAD_LENGTH, out=neck)
            np.add(neck, tip, out=neck)
        np.copyto(out.axes, along.axes)
        np.isfinite(tip[:, 0], out=out.is_shown)  # NaN occurs in all three coordinates at once
        np.logical_and(out.is_shown, along.is_given, out=out.is_shown)


@cache
def arrow_template(*, has_curl: bool) -> instanced_mesh.MeshTemplate:
    """Return an arrow with its shaft between foot and neck and its head between neck and tip."""
    shaft = instanced_mesh.stretch(lathe([(1.0, 0.0), (1.0, 1.0)], SIDES), FOOT, NECK)
    bottom = instanced_mesh.place(lathe([(0.0, 0.0), (1.0, 0.0)], SIDES), FOOT)
    head = instanced_mesh.place(lathe([(0.0, 0.0), (HEAD_RADIUS, 0.0), (0.0, HEAD_LENGTH)], HEAD_SIDES), NECK)
    parts = [shaft, bottom, head]
    if has_curl:
        parts.append(instanced_mesh.place(curl_mesh().transform(p=(0.0, 0.0, -CURL_BELOW_NECK)), NECK))
    return instanced_mesh.join(parts)


@cache
def curl_mesh() -> Mesh:
    """Return an arc arrow about z, right-handed: from x through y."""
    phi = np.linspace(0.0, CURL_SWEEP, CURL_STEPS + 1)
    zeros = np.zeros_like(phi)
    path = CURL_RADIUS * np.stack([np.cos(phi), np.sin(phi), zeros], axis=-1)
    outward = path / CURL_RADIUS
    arc = tube(path, outward, np.stack([zeros, zeros, zeros + 1.0], axis=-1), CURL_TUBE, CURL_SIDES)
    # The head begins at the end of the arc and leans inwards, so that its tip is on the circle again.
    lean = CURL_SWEEP + 0.5 * CURL_HEAD_LENGTH / CURL_RADIUS
    ahead = np.array([-math.sin(lean), math.cos(lean), 0.0])
    turn = np.stack([np.cross((0.0, 0.0, 1.0), ahead), (0.0, 0.0, 1.0), ahead], axis=-1)
    turn[:, 0] = np.cross(turn[:, 1], turn[:, 2])
    head = lathe([(0.0, 0.0), (CURL_HEAD_RADIUS, 0.0), (0.0, CURL_HEAD_LENGTH)], SIDES).transform(turn, path[-1])
    return merge([arc, head])
