"""A picture in the scene: a rectangle with the pixels of an image."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor, vtkTexture

from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells


def picture_quad(corners: NDArray[np.float64], pixels: NDArray[np.uint8], opacity: float) -> vtkActor:
    """Return an unlit actor of a picture.

    Parameters
    ----------
    corners : (4, 3)
        Upper left, upper right, lower right and lower left corner of the picture, m.
    pixels : (h, w, 3)
        Colours, row by row from the top.
    opacity
        Opacity of the picture.
    """
    quad = pv.PolyData(corners.astype(np.float32), faces=pv_cells(np.array([[0, 1, 2, 3]])))
    places = numpy_to_vtk(np.array([(0, 1), (1, 1), (1, 0), (0, 0)], dtype=np.float32), deep=True)
    places.SetName("uv")
    quad.GetPointData().SetTCoords(places)
    actor = actors.flat(quad, "#ffffff", opacity=opacity)
    # Behind faces in the same plane, such as the image of the other camera of a stereo rig.
    actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, 4.0)
    actor.SetTexture(_texture(pixels))
    return actor


def _texture(pixels: NDArray[np.uint8]) -> vtkTexture:
    height, width, _ = pixels.shape
    data = vtkImageData()
    data.SetDimensions(width, height, 1)
    data.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(pixels[::-1]).reshape(-1, 3), deep=True))
    texture = vtkTexture()
    texture.InterpolateOn()
    texture.RepeatOff()
    texture.MipmapOn()
    texture.SetColorModeToDirectScalars()
    texture.SetInputData(data)
    return texture
