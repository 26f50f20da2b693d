"""Picture of a scene at one time, drawn off screen like the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from framescope.app.exporters.camera_modes import CameraMode
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.layouts import scale_of
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import rendered_picture
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.request import unchecked_request
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.base.visual import VIDEO, Decorations
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit


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
) -> Pixels:
    """Draw a picture (height, width, 3), or with alpha (height, width, 4), top row first.

    Parameters
    ----------
    plan, t
        The plan of a document, and the time, s.
    size, theme, decorations
        Width and height in pixels, the colours, and the parts drawn besides the scene.
    is_transparent
        Whether to return alpha; `decorations` then lose their background.
    samples
        Samples per pixel.
    camera
        Camera to use; None for the scene's own.
    scale
        Device pixels per logical pixel; None to scale text with the shorter side.
    angles
        Unit of angles and their rates.
    """
    options = ExportOptions(moment=t, size=size, samples=samples, transparent=is_transparent)
    file_format = formats_by_suffix(is_still=True)[".png"]
    request = replace(
        unchecked_request(plan, Path("picture.png"), file_format, options),
        theme=theme,
        angles=angles,
        scale=scale_of(size) if scale is None else scale,
        seen_from=CameraMode(eye=camera),
    )
    return np.ascontiguousarray(rendered_picture(request, decorations=decorations))
