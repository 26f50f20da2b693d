"""Approved pictures: how they are drawn, and when a new one counts as the same.

A picture is the same when, both blurred by a box of 7 pixels, no pixel differs by more than `TOLERANCE` of 255 in any
channel. Blurring takes out what rasterisers are free to differ in: where within a pixel an edge falls. Measured over
all pictures as the largest difference that is left, on llvmpipe:

==================================================  ==============================================
the same picture again                              0
drawn two or three times as large and then shrunk   4 to 13 (texts left out: Pillow draws them)
with its 256 colours                                3 to 8; both pictures get them
without its visual                                  18 (grid), 26 (links), 45 (trails) and more
without samples, which nobody draws approved ones   3 to 46
==================================================  ==============================================

``python -m tests.tools.approve`` draws them all, and lays old, new and difference side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view import visual_registry as of_view
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from tests.support.approved_scenes import Case
from tests.support.examples import example

FOLDER = Path(__file__).parents[1] / "approved"
SIZE = (400, 225)
SCALE = 0.7
"""Pixels for each logical pixel: texts are small in a small picture."""
SAMPLES = 4
COLORS, STEP = 256, 8
"""Of an approved picture, and how fine its colours are: its file is a third as large so."""

BLUR = 3
TOLERANCE = 16
CELL = 25
"""Differences are told by squares of so many pixels."""

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Difference:
    """Where a picture differs: a square, with how much."""

    left: int
    top: int
    most: int

    def __str__(self) -> str:
        return f"{self.most} of 255 at x {self.left} to {self.left + CELL}, y {self.top} to {self.top + CELL}"


def path_of(name: str) -> Path:
    """Return where the approved picture is."""
    return FOLDER / f"{name}.png"


def new_window(samples: int = SAMPLES) -> vtkRenderWindow:
    """Return a window off screen; let go of it by `Finalize`."""
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(samples)
    return window


@cache
def _plan_of(case: Case) -> Plan:
    if case.path is not None:
        return example(case.path.stem)[1]
    scene, folder = case.scene()
    return compile_plan(scene, folder)


def drawn(
    case: Case,
    *,
    samples: int = SAMPLES,
    enlarged: int = 1,
    visuals: Sequence[Callable[[ViewContext], Visual]] | None = None,
    window: vtkRenderWindow | None = None,
) -> Pixels:
    """Draw a case (225, 400, 3), top row first; `enlarged`, it is drawn so many times as large and then shrunk.

    To make a window and what it compiles takes longer than to draw: `window` is one that draws many, see `new_window`.
    """
    plan = _plan_of(case)
    faults = [problem for problem in plan.problems if problem.severity != "note"]
    if faults and not case.is_faulty:
        raise ValueError(f"{case.name}: {faults[0]}")
    t = case.t if case.t >= 0.0 else 0.5 * (plan.start + plan.end)
    is_own = window is None
    window = new_window(samples) if window is None else window
    width, height = SIZE[0] * enlarged, SIZE[1] * enlarged
    window.SetSize(width, height)
    all_visuals = of_view.VISUALS
    renderer = SceneRenderer(case.theme, SCALE * enlarged, case.decorations)
    renderer.layers.attach(window)
    try:
        if visuals is not None:
            of_view.VISUALS = tuple(visuals)
        renderer.set_plan(plan)
        if case.is_faulty:
            renderer.set_problems(diagnose(plan))
        renderer.show(evaluate(plan, t), trails(plan, t))
        renderer.set_option(SELECTED, case.selected)
        renderer.prepare()
        window.Render()
        pixels = vtkUnsignedCharArray()
        window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        picture = vtk_to_numpy(pixels).reshape(height, width, 3)[::-1].copy()
    finally:
        of_view.VISUALS = all_visuals
        renderer.detach()
        if is_own:
            window.Finalize()
    return picture if enlarged == 1 else np.asarray(Image.fromarray(picture).resize(SIZE, Image.Resampling.BOX))


def difference(old: Pixels, new: Pixels) -> NDArray[np.int64]:
    """Return how much two pictures differ (h, w), after blurring both: the largest of the three channels."""
    box = ImageFilter.BoxBlur(BLUR)
    a, b = (np.asarray(Image.fromarray(picture).filter(box)).astype(int) for picture in (old, new))
    return np.abs(a - b).max(axis=-1)


def differences(old: Pixels, new: Pixels) -> list[Difference]:
    """Return the squares in which two pictures differ by more than rasterisers may, the worst first."""
    if old.shape != new.shape:
        return [Difference(0, 0, 255)]
    field = difference(old, new)
    found = [
        Difference(left, top, int(most))
        for top in range(0, field.shape[0], CELL)
        for left in range(0, field.shape[1], CELL)
        if (most := field[top : top + CELL, left : left + CELL].max()) > TOLERANCE
    ]
    return sorted(found, key=lambda one: -one.most)


def approved(name: str) -> Pixels | None:
    """Return the approved picture, None when there is none yet."""
    path = path_of(name)
    return np.asarray(Image.open(path).convert("RGB")) if path.is_file() else None


def reduced(picture: Pixels) -> Image.Image:
    """Return a picture with few colours, the way approved ones are kept."""
    coarse = np.clip((picture.astype(int) + STEP // 2) // STEP * STEP, 0, 255).astype(np.uint8)
    return Image.fromarray(coarse).quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)


def defects(case: Case, picture: Pixels) -> list[str]:
    """Return in words what keeps a picture from being the approved one."""
    old = approved(case.name)
    if old is None:
        return ["there is no approved picture yet"]
    return [str(one) for one in differences(old, np.asarray(reduced(picture).convert("RGB")))]
