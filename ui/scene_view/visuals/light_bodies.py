"""Light stand-ins of fine meshes: drawn by software while something moves, where all of them would take too long.

A scene of some hundred thousand triangles costs software GL most of a picture. While it moves each fine mesh has a
stand-in of fewer triangles, at the same place and in the same material; once all stands still the mesh itself is back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkPolyDataNormals, vtkQuadricClustering
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

MANY = 100_000
"""Triangles of all bodies up to which they are drawn as they are, moving or not."""

FINE = 600
"""Triangles from which a mesh gets a stand-in."""

AT_ONCE = 12_000
"""Triangles that are simplified at once: some milliseconds of work."""

SHARE = 0.2
"""Of the triangles of a mesh, what its stand-in has, about."""

PER_CELL = 6.0
"""Triangles that a closed surface has, of each square of the cells on a side that it is simplified by."""


class Placed(Protocol):
    """A body of some actors, which has stand-ins for some of them."""

    @property
    def actors(self) -> list[vtkActor]:
        """What it is drawn by."""
        ...

    @property
    def lights(self) -> dict[vtkActor, vtkActor]:
        """The stand-ins by what they stand for."""
        ...

    def add_light(self, actor: vtkActor, light: vtkActor) -> None:
        """Take a stand-in."""
        ...

    def set_light(self, is_light: bool) -> None:
        """Draw the stand-ins, or no longer."""
        ...


class LightBodies:
    """The stand-ins of placed bodies; made a few at a time, when there is time."""

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
        self._placed = placed if self._waiting else ()

    @property
    def is_ready(self) -> bool:
        """Whether all have been made, or none is needed."""
        return not self._waiting

    def make_some(self) -> None:
        """Make some more, of about `AT_ONCE` triangles, as long as there are any to make."""
        n_triangles = 0
        while self._waiting and n_triangles < AT_ONCE:
            body, actor = self._waiting.pop()
            polydata = actor.GetMapper().GetInput()
            body.lights[actor].GetMapper().SetInputDataObject(simplified(polydata))
            n_triangles += polydata.GetNumberOfPolys()

    def set_moving(self, is_moving: bool) -> None:
        """Draw what moves lightly, and as it is once it stands; nothing before all stand-ins are made."""
        for body in self._placed:
            body.set_light(is_moving and self.is_ready)


def triangles_of(actor: vtkActor) -> int:
    """Return how many triangles an actor draws."""
    return int(actor.GetMapper().GetInput().GetNumberOfPolys())


def light_actor(actor: vtkActor) -> vtkActor:
    """Return an actor of nothing yet, in the material of another one."""
    light, mapper, whole = vtkActor(), vtkPolyDataMapper(), actor.GetMapper()
    mapper.SetScalarVisibility(whole.GetScalarVisibility())
    mapper.SetScalarMode(whole.GetScalarMode())
    mapper.SetColorMode(whole.GetColorMode())
    mapper.SetInputData(vtkPolyData())
    light.SetMapper(mapper)
    light.SetProperty(actor.GetProperty())
    light.VisibilityOff()
    return light


def simplified(polydata: vtkPolyData) -> vtkPolyData:
    """Return a surface of about `SHARE` of the triangles, with normals."""
    wanted = SHARE * polydata.GetNumberOfPolys()
    cells = max(4, round(math.sqrt(wanted / PER_CELL)))
    clustering, normals = vtkQuadricClustering(), vtkPolyDataNormals()
    clustering.SetInputData(polydata)
    clustering.AutoAdjustNumberOfDivisionsOff()
    clustering.SetNumberOfDivisions(cells, cells, cells)
    clustering.CopyCellDataOn()  # the colours of faces
    normals.SetInputConnection(clustering.GetOutputPort())
    normals.SplittingOff()
    normals.ConsistencyOff()
    normals.Update()
    return normals.GetOutput()
