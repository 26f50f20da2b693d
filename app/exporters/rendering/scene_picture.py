"""Pictures of the scene at a time, drawn off screen, and where they stand among what is composed with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.camera_modes import for_narrow
from framescope.app.exporters.layouts import Arrangement, arranged, scale_of
from framescope.app.exporters.rendering.alpha import Pixels, with_alpha
from framescope.app.exporters.rendering.headless import LECTURE
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.base.visual import BARE, VIDEO, Decorations
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry.sprites import PlacedText
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit


def place_of(request: ExportRequest) -> Arrangement:
    """Return where everything stands in a composed picture."""
    composed = request.composed
    place = arranged(composed.layout, request.size, len(composed.plots), request.scale)
    if place is None:
        raise ExportError("layout: the plots find no room.")
    return place


def scene_picture(
    request: ExportRequest,
    t: float,
    samples: int,
    size: tuple[int, int] | None = None,
    zoom: float = 1.0,
    texts: list[PlacedText] | None = None,
) -> Pixels:
    """Return the picture of the scene alone, as large as asked for or `size`, and that many times larger."""
    width, height = size or request.size
    is_lecture = request.composed.layout == "lecture"
    decorations = BARE if request.is_bare else LECTURE if is_lecture else VIDEO
    return drawn_picture(
        *(request.plan, t, (round(zoom * width), round(zoom * height)), request.theme),
        decorations=decorations,
        is_transparent=request.is_transparent,
        samples=samples,
        camera=request.seen_from.eye,
        scale=zoom * request.scale,
        angles=request.angles,
        is_lecture=is_lecture,
        texts=texts,
    )


def drawn_picture(
    plan: Plan,
    t: float,
    size: tuple[int, int],
    theme: Theme,
    *,
    decorations: Decorations = VIDEO,
    is_transparent: bool = False,
    samples: int = SAMPLES,
    camera: CameraState | None = None,
    scale: float | None = None,
    angles: AngleUnit = DEG,
    is_lecture: bool = False,
    texts: list[PlacedText] | None = None,
) -> Pixels:
    """Return a picture (height, width, 3), or with alpha (height, width, 4), top row first.

    Parameters
    ----------
    plan, t
        The plan of a document, and the moment, s.
    size, theme, decorations
        Width and height in pixels, the colours, and what is drawn besides the scene.
    is_transparent
        Give alpha; the decorations needs a plain ground.
    samples
        For each pixel.
    camera
        Where the scene is seen from; its own camera when left out.
    scale
        Pixels for each logical pixel; when left out text grows with the shorter side.
    angles
        What angles and their rates are written in.
    is_lecture
        Make title and clock large.
    texts
        Gets the texts that are left out of the picture then, each with its place.
    """
    renderer_name()  # raises when nothing can be drawn
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(samples)
    window.SetSize(*size)
    scale = scale_of(size) if scale is None else scale
    renderer = SceneRenderer(theme, scale, replace(decorations, ground=decorations.ground and not is_transparent))
    renderer.set_angle_unit(angles)
    renderer.set_lecture(is_lecture)
    renderer.layers.attach(window)
    try:
        renderer.set_plan(plan)
        renderer.show(evaluate(plan, t), trails(plan, t))
        if camera is not None:
            renderer.set_camera(camera)
        elif plan.view_data.camera is not None or renderer.is_on_path:
            renderer.set_camera(for_narrow(renderer.camera(), size[0] / size[1]))
        renderer.prepare()
        if texts is not None:
            texts += renderer.lift_texts()
        if not is_transparent:
            return _read(window)
        on_color: list[Pixels] = []
        for level in (0.0, 1.0):
            renderer.layers.clear_with((level, level, level))
            on_color.append(_read(window))
        return with_alpha(*on_color)
    finally:
        renderer.detach()
        window.Finalize()


def _read(window: vtkRenderWindow) -> Pixels:
    window.Render()
    width, height = window.GetSize()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
    data: Pixels = np.asarray(vtk_to_numpy(pixels), dtype=np.uint8)
    return data.reshape(height, width, 3)[::-1].copy()
