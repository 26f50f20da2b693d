"""Simplified versions of fine meshes and clouds of points, drawn on software GL while something moves.

A scene of some hundred thousand triangles takes software GL most of the time of a picture. While something moves, each
fine mesh is replaced by a simplified mesh in the same place and material, and each large cloud by some of its points.
Once everything is still, the originals return.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkPolyDataNormals, vtkQuadricClustering
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from framescope.ui.scene_view.geometry.point_clouds import is_cloud, keep_depth, thin_points

MANY = 100_000
"""Total number of triangles up to which bodies are always drawn in full."""

FINE = 600
"""Number of triangles above which a mesh gets a simplified version."""

AT_ONCE = 12_000
"""Number of triangles simplified in one step: some milliseconds of work."""

SHARE = 0.2
"""Approximate fraction of a mesh's triangles that its simplified version keeps."""

PER_CELL = 6.0
"""Triangles of a simplified closed surface per squared number of cells along a side."""


MANY_POINTS = 20_000
"""Total number of points of clouds that are drawn while something moves."""


class Placed(Protocol):
    """A body of several actors, with simplified versions of some of them."""

    @property
    def actors(self) -> list[vtkActor]:
        """The original actors."""
        ...

    @property
    def lights(self) -> dict[vtkActor, vtkActor]:
        """The simplified actors by the originals."""
        ...

    def add_light(self, actor: vtkActor, light: vtkActor) -> None:
        """Add the simplified version of an actor."""
        ...

    def set_light(self, is_light: bool) -> None:
        """Draw the simplified or the original actors."""
        ...


class LightBodies:
    """Simplified versions of placed bodies, computed a few at a time when idle."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        counts = {actor: triangles_of(actor) for body in placed for actor in body.actors}
        is_needed = sum(counts.values()) > MANY
        self._waiting = [
            (body, actor)
            for body in placed
            for actor in body.actors
            if is_needed and counts[actor] > FINE and actor.GetProperty().GetRepresentation() == 2
        ]
        for body, actor in self._waiting:
            body.add_light(actor, light_actor(actor))
        self._clouds = _with_thinned_clouds(placed)
        clouds = set(map(id, self._clouds))
        self._placed = [body for body in placed if id(body) not in clouds] if self._waiting else []

    @property
    def is_ready(self) -> bool:
        """Whether all have been computed, or none is needed."""
        return not self._waiting

    def make_some(self) -> None:
        """Compute further ones, about `AT_ONCE` triangles, if any remain."""
        n_triangles = 0
        while self._waiting and n_triangles < AT_ONCE:
            body, actor = self._waiting.pop()
            polydata = actor.GetMapper().GetInput()
            body.lights[actor].GetMapper().SetInputDataObject(simplify(polydata))
            n_triangles += polydata.GetNumberOfPolys()

    def set_moving(self, is_moving: bool) -> None:
        """Draw fewer points while something moves, and simplified meshes once all of them are ready."""
        for body in self._clouds:
            body.set_light(is_moving)
        for body in self._placed:
            body.set_light(is_moving and self.is_ready)


def _with_thinned_clouds(placed: Sequence[Placed]) -> list[Placed]:
    """Add a thinned version to each cloud, if together they have too many points; return these bodies."""
    clouds = [(body, actor) for body in placed for actor in body.actors if is_cloud(actor.GetMapper().GetInput())]
    total = sum(actor.GetMapper().GetInput().GetNumberOfPoints() for _, actor in clouds)
    if total <= MANY_POINTS:
        return []
    for body, actor in clouds:
        polydata = actor.GetMapper().GetInput()
        light = light_actor(actor)
        count = max(1, polydata.GetNumberOfPoints() * MANY_POINTS // total)
        light.GetMapper().SetInputDataObject(thin_points(polydata, count))
        keep_depth(light.GetMapper())
        body.add_light(actor, light)
    return [body for body, _ in clouds]


def triangles_of(actor: vtkActor) -> int:
    """Return the number of triangles that an actor draws."""
    return int(actor.GetMapper().GetInput().GetNumberOfPolys())


def light_actor(actor: vtkActor) -> vtkActor:
    """Return an empty actor in the material of another one."""
    light, mapper, whole = vtkActor(), vtkPolyDataMapper(), actor.GetMapper()
    mapper.SetScalarVisibility(whole.GetScalarVisibility())
    mapper.SetScalarMode(whole.GetScalarMode())
    mapper.SetColorMode(whole.GetColorMode())
    mapper.SetInputData(vtkPolyData())
    light.SetMapper(mapper)
    light.SetProperty(actor.GetProperty())
    light.VisibilityOff()
    return light


def simplify(polydata: vtkPolyData) -> vtkPolyData:
    """Return a simpler surface, with about the fraction `SHARE` of the original triangles, and its normals."""
    target = SHARE * polydata.GetNumberOfPolys()
    cells = max(4, round(math.sqrt(target / PER_CELL)))
    clustering, normals = vtkQuadricClustering(), vtkPolyDataNormals()
    clustering.SetInputData(polydata)
    clustering.AutoAdjustNumberOfDivisionsOff()
    clustering.SetNumberOfDivisions(cells, cells, cells)
    clustering.CopyCellDataOn()  # colours of the faces
    normals.SetInputConnection(clustering.GetOutputPort())
    normals.SplittingOff()
    normals.ConsistencyOff()
    normals.Update()
    return normals.GetOutput()
