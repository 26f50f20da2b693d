"""Pictures drawn in parts: the overlay is prepared while the scene below it is drawn, and nothing looks different."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.base.layers import draw_in_parts
from framescope.ui.scene_view.base.scene_options import LARGE_CORNERS, SELECTED
from framescope.ui.scene_view.camera.camera import CameraState, orbit
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from tests.support.approval import SIZE, new_window
from tests.support.approved_scenes import Case, cases

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def window() -> Iterator[vtkRenderWindow]:
    window = new_window(samples=0)
    window.SetSize(*SIZE)
    yield window
    window.Finalize()


def pixels_of(window: vtkRenderWindow, draw: Callable[[], None]) -> np.ndarray:
    draw()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, SIZE[0] - 1, SIZE[1] - 1, 0, pixels, 0)
    return vtk_to_numpy(pixels).copy()


def draw_whole(renderer: SceneRenderer, window: vtkRenderWindow) -> None:
    renderer.prepare()
    window.Start()
    window.GetRenderers().Render()


def draw_parts(renderer: SceneRenderer, window: vtkRenderWindow) -> None:
    renderer.prepare_scene()
    window.Start()
    draw_in_parts(window, renderer.prepare_overlay)


@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_that_a_picture_drawn_in_parts_is_the_whole_picture(case: Case, window: vtkRenderWindow) -> None:
    scene, folder = case.scene()
    plan = compile_plan(scene, folder)
    renderer = SceneRenderer(case.theme, 0.7, case.decorations)
    renderer.layers.attach(window)
    try:
        renderer.set_plan(plan)
        renderer.set_problems(diagnose(plan) if case.is_faulty else ())
        renderer.set_option(SELECTED, case.selected or plan.names[-1])
        t = case.t if case.t >= 0.0 else 0.5 * (plan.start + plan.end)
        renderer.show(evaluate(plan, t), trails(plan, t))
        draw_whole(renderer, window)
        # What follows the camera in the scene, such as the width of an outline, follows it before the scene is drawn.
        moved: CameraState = orbit(renderer.camera(), 0.7, 0.2)
        renderer.set_camera(moved)
        renderer.set_option(LARGE_CORNERS, True)
        in_parts = pixels_of(window, lambda: draw_parts(renderer, window))
        whole = pixels_of(window, lambda: draw_whole(renderer, window))
    finally:
        renderer.detach()
    assert (in_parts == whole).all()
