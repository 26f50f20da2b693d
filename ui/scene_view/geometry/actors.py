"""Actors from meshes: lit surface, plain lines, or a surface of the overlay."""

from __future__ import annotations

from typing import cast

import numpy as np
import pyvista as pv
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - actors have no shader properties without it
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from framescope.ui.scene_view.geometry.point_clouds import keep_depth
from framescope.ui.theme.tokens import channels


def surface(polydata: pv.PolyData, color: str | None = None, *, opacity: float = 1.0) -> vtkActor:
    """Return a lit actor, in one colour or, without a colour, in the colours of its vertices."""
    actor = _actor(polydata)
    prop = actor.GetProperty()
    # The one light is at the camera: the ambient share keeps the colour of surfaces that face away.
    prop.SetAmbient(0.34)
    prop.SetDiffuse(0.78)
    prop.SetSpecular(0.12)
    prop.SetSpecularPower(24.0)
    # All surfaces are closed, so half of their triangles need not be drawn, which matters to software GL.
    prop.BackfaceCullingOn()
    prop.SetOpacity(opacity)
    if color is not None:
        prop.SetColor(*channels(color))
    return actor


def color_faces(actor: vtkActor, colors: NDArray[np.uint8]) -> None:
    """Give each triangle of an actor its own colour (n, 3)."""
    array = numpy_to_vtk(np.ascontiguousarray(colors), deep=True)
    array.SetName("colors")
    mapper = actor.GetMapper()
    mapper.GetInput().GetCellData().SetScalars(array)
    mapper.SetScalarModeToUseCellData()
    mapper.SetColorModeToDirectScalars()
    mapper.ScalarVisibilityOn()


def flat(polydata: pv.PolyData, color: str, *, opacity: float = 1.0) -> vtkActor:
    """Return an unlit actor whose pixels have exactly the given colour."""
    actor = _actor(polydata)
    prop = actor.GetProperty()
    prop.LightingOff()
    prop.SetOpacity(opacity)
    prop.SetColor(*channels(color))
    return actor


def lines(polydata: pv.PolyData, width: float, color: str | None = None, *, opacity: float = 1.0) -> vtkActor:
    """Return an unlit actor of lines `width` device pixels wide."""
    actor = _actor(polydata)
    prop = actor.GetProperty()
    prop.LightingOff()
    prop.SetLineWidth(max(1.0, width))
    prop.SetOpacity(opacity)
    if color is not None:
        prop.SetColor(*channels(color))
    return actor


def points(polydata: vtkPolyData, size: float, color: str, *, opacity: float = 1.0) -> vtkActor:
    """Return an unlit actor of points `size` device pixels wide, in their own colours, or else in one colour."""
    actor = _actor(polydata)
    keep_depth(actor.GetMapper())
    prop = actor.GetProperty()
    prop.LightingOff()
    prop.SetPointSize(max(1.0, size))
    prop.SetOpacity(opacity)
    prop.SetColor(*channels(color))
    return actor


def through(polydata: pv.PolyData, opacity: float) -> vtkActor:
    """Return a pale lit copy of a surface that shows through everything in front of it.

    Its depths are compressed to the front in their order, so only other such surfaces can hide it.
    """
    actor = surface(polydata, opacity=opacity)
    actor.GetShaderProperty().AddFragmentShaderReplacement(
        "//VTK::Depth::Impl", True, "//VTK::Depth::Impl\n  gl_FragDepth = 0.01 * gl_FragCoord.z;\n", False
    )
    actor.ForceTranslucentOn()
    return actor


def overlay_surface(polydata: pv.PolyData, texture: vtkTexture | None = None) -> vtkActor:
    """Return an unlit actor in pixels; the overlay draws its actors in the order in which they were added."""
    actor = _actor(polydata)
    actor.GetProperty().LightingOff()
    # Translucent actors are drawn in order and write no depth.
    actor.ForceTranslucentOn()
    if texture is not None:
        actor.SetTexture(texture)
    return actor


def _actor(polydata: vtkPolyData) -> vtkActor:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(polydata)
    mapper.StaticOn()  # the data have no pipeline that would have to be asked for news at each tick
    if polydata.GetPointData().GetScalars() is None:
        mapper.ScalarVisibilityOff()
    else:
        mapper.SetColorModeToDirectScalars()
    # Points are single precision and near the origin; looking for a shift would read them all at each tick.
    mapper.SetVBOShiftScaleMethod(0)
    actor = vtkActor()
    actor.SetMapper(mapper)
    # Clipping planes come from the scene, not from bounds, which VTK would recompute at each tick.
    actor.UseBoundsOff()
    actor.PickableOff()
    return actor


def points_of(polydata: pv.PolyData) -> NDArray[np.float32]:
    """Return the points as an array that shares VTK's memory; call `touch` after writing to it."""
    return cast(NDArray[np.float32], vtk_to_numpy(polydata.GetPoints().GetData()))


def touch(polydata: pv.PolyData) -> None:
    """Notify VTK that the points changed."""
    polydata.GetPoints().Modified()


def turn_round(actor: vtkActor) -> None:
    """Reverse the orientation of an actor's triangles, which a mirroring pose would show from inside."""
    polys = actor.GetMapper().GetInput().GetPolys()
    if polys.GetNumberOfCells():
        corners = vtk_to_numpy(polys.GetConnectivityArray()).reshape(-1, 3)
        corners[:] = corners[:, ::-1].copy()
        polys.GetConnectivityArray().Modified()
        polys.Modified()


def set_pose(matrix: vtkMatrix4x4, R: NDArray[np.float64], p: NDArray[np.float64]) -> None:
    """Write a pose into the user matrix of an actor."""
    matrix.DeepCopy((*R[0], p[0], *R[1], p[1], *R[2], p[2], 0.0, 0.0, 0.0, 1.0))
