"""Rendering without a window: the same drawing as in the window, read back as pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.alpha import with_alpha
from framescope.app.exporters.request import ExportRequest
from framescope.core.curves import trails
from framescope.core.evaluate import evaluate
from framescope.ui.view.context import BARE, VIDEO
from framescope.ui.view.scene_renderer import SceneRenderer

REFERENCE_HEIGHT = 720
"""Text and lines have their sizes in the window at this height, and grow with the picture."""

MIN_SCALE = 0.25
"""No text is drawn smaller than that: fonts have no size below one pixel."""

SAMPLES = 4
"""Nobody waits for a single frame of a video, so that edges are smoothed even in software."""


def rendered_frames(request: ExportRequest, times: NDArray[np.float64] | None = None) -> Iterator[NDArray[np.uint8]]:
    """Yield the frame at each of `times`, or all of the request's (height, width, 3), top row first.

    With alpha they are (height, width, 4). Without, each is a view that the next one overwrites.
    """
    width, height = request.size
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(SAMPLES)
    window.SetSize(width, height)
    furniture = BARE if request.is_bare else VIDEO
    furniture = replace(furniture, ground=furniture.ground and not request.is_transparent)
    renderer = SceneRenderer(request.theme, max(height / REFERENCE_HEIGHT, MIN_SCALE), furniture)
    renderer.set_angle_unit(request.angles)
    renderer.attach(window)
    on_colors = [_buffer(width, height) for _ in range(2 if request.is_transparent else 1)]

    def read(pixels: vtkUnsignedCharArray) -> NDArray[np.uint8]:
        window.Render()
        # The front buffer is read a tenth faster than the back one, where edges are smoothed a little otherwise.
        window.GetPixelData(0, 0, width - 1, height - 1, 1, pixels, 0)
        data: NDArray[np.uint8] = np.asarray(vtk_to_numpy(pixels), dtype=np.uint8)
        return data.reshape(height, width, 3)[::-1]

    try:
        renderer.set_scene(request.scene, request.plan)
        for t in request.times if times is None else times:
            renderer.show(evaluate(request.plan, t), trails(request.plan, float(t)))
            renderer.prepare()
            if not request.is_transparent:
                yield read(on_colors[0])
                continue
            pictures: list[NDArray[np.uint8]] = []
            for level, pixels in zip((0.0, 1.0), on_colors, strict=True):
                renderer.clear_with((level, level, level))
                pictures.append(read(pixels))
            yield with_alpha(*pictures)
    finally:
        renderer.detach()
        window.Finalize()


def _buffer(width: int, height: int) -> vtkUnsignedCharArray:
    pixels = vtkUnsignedCharArray()
    pixels.SetNumberOfComponents(3)
    pixels.SetNumberOfTuples(width * height)
    return pixels
