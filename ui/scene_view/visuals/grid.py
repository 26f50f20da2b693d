"""Ground grid: lines at the authored spacing and at fifths of it, fading out with distance."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells

LINES, FIFTHS = 9, 5
"""Number of lines on each side of the origin, and of steps between them."""

FIFTHS_REACH = 5
"""Number of squares from the origin within which lines at fifths fade out; farther away they would only be dense."""


class Grid(Visual):
    """A grid in the world's ground plane, centred on its origin."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        if not context.decorations.grid:
            return
        theme = context.theme
        color, alpha_major, alpha_minor = ("#8FA0B4", 0.34, 0.13) if theme.is_dark else ("#5B6F86", 0.42, 0.17)
        at = np.arange(-LINES * FIFTHS, LINES * FIFTHS + 1) / FIFTHS
        is_major = at == np.round(at)
        for chosen, reach, strength in ((~is_major, FIFTHS_REACH, alpha_minor), (is_major, LINES, alpha_major)):
            lines = actors.lines(
                _crossed_lines(at[chosen] / reach, _visible_radius(strength)), context.px(1), color, opacity=strength
            )
            lines.SetScale(reach * context.view_data.grid)
            _fade(lines)
            self.scene_actors.append(lines)


def _visible_radius(strength: float) -> float:
    """Return the radius beyond which the fading is invisible in eight bits; pixels beyond would only cost time."""
    radius = np.linspace(0.0, 1.0, 1001)
    fade = 1.0 - radius * radius * (3.0 - 2.0 * radius)
    return float(radius[fade * strength > 0.5 / 255].max())


def _crossed_lines(at: NDArray[np.floating], radius: float) -> pv.PolyData:
    """Return lines along x and y at the given offsets, within a circle."""
    at = at[np.abs(at) < radius]
    half = np.sqrt(radius * radius - at * at)
    ends = np.zeros((2, len(at), 2, 3))
    ends[0, ..., 0] = ends[1, ..., 1] = np.stack([-half, half], axis=-1)
    ends[0, ..., 1] = ends[1, ..., 0] = at[:, None]
    points = ends.reshape(-1, 3)
    return pv.PolyData(points.astype(np.float32), lines=pv_cells(np.arange(len(points)).reshape(-1, 2)))


def _fade(actor: vtkActor) -> None:
    """Fade the lines of an actor from the origin of their coordinates to the unit circle.

    Fading is done per pixel: colours at vertices would need thousands of short line segments, at half the cost of a
    whole picture.
    """
    shaders = actor.GetShaderProperty()
    position, color = "//VTK::PositionVC", "//VTK::Color"
    # VTK widens lines in a geometry shader, where it renames VSOut to GSOut, in the fragment shader as well.
    shaders.AddVertexShaderReplacement(f"{position}::Dec", True, f"{position}::Dec\nout vec2 groundVSOut;\n", False)
    shaders.AddVertexShaderReplacement(
        f"{position}::Impl", True, f"{position}::Impl\n  groundVSOut = vertexMC.xy;\n", False
    )
    shaders.AddGeometryShaderReplacement(
        f"{position}::Dec", True, f"{position}::Dec\nin vec2 groundVSOut[];\nout vec2 groundGSOut;\n", False
    )
    shaders.AddGeometryShaderReplacement(
        f"{position}::Impl", True, f"{position}::Impl\n  groundGSOut = groundVSOut[i];\n", False
    )
    shaders.AddFragmentShaderReplacement(f"{color}::Dec", True, f"{color}::Dec\nin vec2 groundVSOut;\n", False)
    fading = "  opacity *= 1.0 - smoothstep(0.0, 1.0, length(groundVSOut));\n"
    shaders.AddFragmentShaderReplacement(f"{color}::Impl", True, f"{color}::Impl\n{fading}", False)


def grid_note(spacing: float) -> str:
    """Return the text with the side length of a grid square.

    >>> grid_note(0.5), grid_note(0.002)
    ('grid 0.5 m', 'grid 2 mm')
    """
    return f"grid {spacing * 1000:g} mm" if spacing < 0.01 else f"grid {spacing:g} m"
