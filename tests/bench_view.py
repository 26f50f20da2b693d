"""Drawing: 1 000 frames updated and rendered, against the usual pyvista scene with one actor per axis.

Both draw the same frames at 1280x720 from the same camera, without evaluating a scene. Figures are medians of one
update and one render; ours and the peers' take turns.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core import kernels
from framescope.core.evaluate import compile_plan, evaluate
from framescope.core.scene.model import Scene
from framescope.ui.theme import DARK
from framescope.ui.view import actors, triads
from framescope.ui.view.camera import CameraState
from framescope.ui.view.scene_renderer import SceneRenderer
from tests.bench_run import Row, row

COUNT = 1_000
SIZE = (1280, 720)
LENGTH = 0.2
REPEATS = 7
CAMERA = CameraState((6.0, -14.0, 9.0), (0.0, 0.0, 0.0))
Poses = tuple[np.ndarray, np.ndarray]


def poses(step: int) -> Poses:
    """Return rotations (n, 3, 3) and origins (n, 3) of frames that turn in place."""
    side = round(COUNT ** (1 / 3))
    p_WF = 0.6 * (np.stack(np.unravel_index(np.arange(COUNT), (side,) * 3), axis=-1) - (side - 1) / 2)
    axes = np.random.default_rng(0).normal(size=(COUNT, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return kernels.transpose(kernels.planar_matrix(axes, np.linspace(0.0, 3.0, COUNT) + 0.05 * step)), p_WF


def ours(*, are_lines: bool) -> Callable[[Poses], None]:
    """Return what draws one tick with our renderer, grid included."""
    frames = {f"f{i}": {"parent": "world"} for i in range(COUNT)}
    looks = {name: {"label": False, "link": False} for name in frames}
    view = {"frames": looks | {"world": {"triad": False, "label": False}}, "triad_length": f"{LENGTH} m"}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "view": view})
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.0)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    renderer = SceneRenderer(DARK)
    renderer.attach(window)
    limit, triads.ARROW_LIMIT = triads.ARROW_LIMIT, 0 if are_lines else triads.ARROW_LIMIT
    renderer.set_scene(scene, plan)
    triads.ARROW_LIMIT = limit
    renderer.set_camera(CAMERA)

    def tick(moved: Poses) -> None:
        R_WF, p_WF = (np.concatenate([old[:1], new]) for old, new in zip((snapshot.R_WF, snapshot.p_WF), moved))
        renderer.show(replace(snapshot, R_WF=R_WF, p_WF=p_WF))
        renderer.prepare()
        window.Render()

    return tick


def usual(*, are_lines: bool, has_defaults: bool = False) -> Callable[[Poses], None]:
    """Return what draws one tick with pyvista, an actor per axis moved by its user matrix."""
    plotter = pv.Plotter(off_screen=True, window_size=SIZE)
    if not has_defaults:
        plotter.disable_anti_aliasing()
        plotter.render_window.SetMultiSamples(0)
    matrices = [vtkMatrix4x4() for _ in range(COUNT)]
    for matrix in matrices:
        for axis, color in zip(np.eye(3), DARK.axes, strict=True):
            mesh = pv.Line((0, 0, 0), LENGTH * axis) if are_lines else pv.Arrow(direction=axis, scale=LENGTH)
            actor = plotter.add_mesh(mesh, color=color, render=False, reset_camera=False)
            actor.SetUserMatrix(matrix)
    plotter.camera.position, plotter.camera.focal_point = CAMERA.position, CAMERA.focal_point
    plotter.camera.up, plotter.camera.view_angle = CAMERA.up, np.degrees(CAMERA.view_angle)
    plotter.renderer.ResetCameraClippingRange()

    def tick(moved: Poses) -> None:
        for matrix, R, p in zip(matrices, *moved, strict=True):
            actors.set_pose(matrix, R, p)
        plotter.render_window.Render()

    return tick


def run() -> list[Row]:
    """Measure."""
    steps = [poses(step) for step in range(REPEATS + 1)]
    rows = []
    for name, are_lines in (("arrows", False), ("lines", True)):
        ways = {
            "ours": ours(are_lines=are_lines),
            "pyvista, an actor per axis, no samples": usual(are_lines=are_lines),
            "pyvista, an actor per axis, its defaults": usual(are_lines=are_lines, has_defaults=True),
        }
        times: dict[str, list[float]] = {way: [] for way in ways}
        for k, moved in enumerate(steps):
            for way, tick in ways.items():
                start = time.perf_counter()
                tick(moved)
                if k:  # the first one uploads everything
                    times[way].append(1e3 * (time.perf_counter() - start))
        mine, *peers = (statistics.median(of_way) for of_way in times.values())
        case = f"{COUNT} frames as {name}, update and render"
        rows += [row(case, mine, "ms", peer, value) for peer, value in zip(list(ways)[1:], peers, strict=True)]
        pv.close_all()
    return rows
