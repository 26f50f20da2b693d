"""Rendering without a window: the same drawing as in the window, read back as pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.request import ExportRequest
from framescope.core.curves import trails
from framescope.core.evaluate import evaluate
from framescope.ui.view.context import VIDEO
from framescope.ui.view.scene_renderer import SceneRenderer

REFERENCE_HEIGHT = 720
"""Text and lines have their sizes in the window at this height, and grow with the picture."""

SAMPLES = 4
"""Nobody waits for a single frame of a video, so that edges are smoothed even in software."""


def rendered_frames(request: ExportRequest) -> Iterator[NDArray[np.uint8]]:
    """Yield every frame (height, width, 3), top row first; each is a view that the next one overwrites."""
    width, height = request.size
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(SAMPLES)
    window.SetSize(width, height)
    renderer = SceneRenderer(request.theme, scale=height / REFERENCE_HEIGHT, furniture=VIDEO)
    renderer.attach(window)
    pixels = vtkUnsignedCharArray()
    pixels.SetNumberOfComponents(3)
    pixels.SetNumberOfTuples(width * height)
    try:
        renderer.set_scene(request.scene, request.plan)
        for t in request.times:
            renderer.show(evaluate(request.plan, t), trails(request.plan, float(t)))
            renderer.prepare()
            window.Render()
            window.GetPixelData(0, 0, width - 1, height - 1, 1, pixels, 0)
            yield vtk_to_numpy(pixels).reshape(height, width, 3)[::-1]
    finally:
        renderer.detach()
        window.Finalize()
