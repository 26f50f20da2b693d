"""Visuals made without a window, for the tests of the 3D view."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.visuals.gimbal_rings import Rings
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import HEAD, scene_of

CAMERA = CameraState((2.0, -3.0, 1.5), (0.0, 0.0, 0.4))
GIMBAL = (
    HEAD
    + """\
  base:
    parent: world
    position: {{value: [0.1, -0.2, 0.5], unit: m}}
    orientation: {{form: axis, axis: z, angle: 25, unit: deg}}
  ring:
    parent: base
    orientation: {{form: axes, sequence: {sequence}, angles: {angles}, unit: deg}}
view:
  rings: [{{frame: ring, radius: 0.4 m}}]
"""
)


def plan_of(text: str):
    return compile_plan(scene_of(text))


def tick_of(plan, t: float = 0.0) -> Tick:
    return Tick(evaluate(plan, t), plan, trails(plan, t))


def built(visual, plan, scale: float = 1.0):
    """Return a visual of a scene, ready to be placed."""
    sheet = SpriteSheet(scale)
    made = visual(ViewContext(plan, DARK, scale, sheet))
    sheet.pack()
    return made


def give(visual, option, value) -> None:
    """Give a visual another value of an option."""
    visual.context.options[option] = value
    visual.apply_option(option)


def in_place(visuals, plan, scale: float = 1.0):
    """Return some visuals of a scene that share a picture, and what they were made from."""
    context = ViewContext(plan, DARK, scale, SpriteSheet(scale))
    made = [visual(context) for visual in visuals]
    context.sheet.pack()
    return made, context


def points(actor) -> np.ndarray:
    return vtk_to_numpy(actor.GetMapper().GetInput().GetPoints().GetData())


def pose(actor) -> np.ndarray:
    matrix = actor.GetUserMatrix()
    return np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])


def looks_outward(corners, cells, outward) -> bool:
    """Return whether all triangles that have an area turn the way their corners say: the back is not drawn."""
    a, b, c = (corners[cells[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    has_area = np.linalg.norm(n, axis=1) > 1e-9
    return bool((np.einsum("ij,ij->i", n, outward[cells].mean(axis=1))[has_area] > 0).all())


def gimbal(sequence: str, angles) -> tuple[Rings, Tick]:
    plan = plan_of(GIMBAL.format(sequence=sequence, angles=list(angles)))
    assert not plan.problems
    rings, tick = built(Rings, plan), tick_of(plan)
    rings.show(tick)
    return rings, tick


def peak_of(act: Callable[[], object]) -> int:
    """Return how many bytes an action has at a time, once everything it keeps is made: the least of a few tries."""
    act()
    peaks: list[int] = []
    for _ in range(3):
        tracemalloc.start()
        try:
            act()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return min(peaks)
