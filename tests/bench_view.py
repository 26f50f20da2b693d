"""Drawing: 1 000 frames updated and rendered, against the usual pyvista scene with one actor per axis.

Both draw the same frames at 1280x720 from the same camera, without evaluating a scene; ours has its grid, clock and
view cube besides. Figures are medians of one update and one render, done to the last pixel; ours and the peers' take
turns. The last rows set our lines against the usual arrows: what a scene of that size turns into here.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core import kernels, turns
from framescope.core.evaluate import compile_plan, evaluate
from framescope.core.scene.model import Scene
from framescope.ui.theme import DARK
from framescope.ui.view import triads
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
    return kernels.transpose(turns.planar_matrix(axes, np.linspace(0.0, 3.0, COUNT) + 0.05 * step)), p_WF


def ours(*, are_lines: bool) -> Callable[[Poses], None]:
    """Return what draws one tick with our renderer, grid included."""
    frames = {f"f{i}": {"parent": "world"} for i in range(COUNT)}
    looks = {name: {"label": False, "link": False} for name in frames}
    view = {"frames": looks | {"world": {"triad": False, "label": False}}, "triad_length": f"{LENGTH} m"}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "view": view})
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.0)
    still = snapshot.R_WF[:1], snapshot.p_WF[:1]
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
        R_WF, p_WF = (np.concatenate([world, new]) for world, new in zip(still, moved, strict=True))
        renderer.show(replace(snapshot, R_WF=R_WF, p_WF=p_WF))
        renderer.prepare()
        window.Render()
        window.WaitForCompletion()

    return tick


def usual(*, are_lines: bool, has_defaults: bool = False) -> Callable[[Poses], None]:
    """Return what draws one tick with pyvista, an actor per axis moved by its user matrix."""
    plotter = pv.Plotter(off_screen=True, window_size=SIZE)
    if not has_defaults:
        plotter.disable_anti_aliasing()
        plotter.render_window.SetMultiSamples(0)
    arms = []
    for _ in range(COUNT):
        for axis, color in zip(np.eye(3), DARK.axes, strict=True):
            mesh = pv.Line((0, 0, 0), LENGTH * axis) if are_lines else pv.Arrow(direction=axis, scale=LENGTH)
            arms.append(plotter.add_mesh(mesh, color=color, render=False, reset_camera=False))
    plotter.camera.position, plotter.camera.focal_point = CAMERA.position, CAMERA.focal_point
    plotter.camera.up, plotter.camera.view_angle = CAMERA.up, np.degrees(CAMERA.view_angle)
    plotter.renderer.ResetCameraClippingRange()

    def tick(moved: Poses) -> None:
        X_WF = np.tile(np.eye(4), (COUNT, 1, 1))
        X_WF[:, :3, :3], X_WF[:, :3, 3] = moved
        for k, actor in enumerate(arms):
            actor.user_matrix = X_WF[k // 3]
        plotter.render_window.Render()
        plotter.render_window.WaitForCompletion()

    return tick


def run() -> list[Row]:
    """Measure."""
    steps = [poses(step) for step in range(REPEATS + 1)]
    peers = {"pyvista, an actor per axis, no samples": False, "pyvista, an actor per axis, its defaults": True}
    rows: list[Row] = []
    usual_arrows: list[float] = []
    for name, are_lines in (("arrows", False), ("lines", True)):
        ticks = [ours(are_lines=are_lines)]
        ticks += [usual(are_lines=are_lines, has_defaults=has_defaults) for has_defaults in peers.values()]
        mine, *theirs = _medians(ticks, steps)
        case = f"{COUNT} frames as {name}, update and render"
        rows += [row(case, mine, "ms", peer, value) for peer, value in zip(peers, theirs, strict=True)]
        if are_lines:
            arrow_peers = [peer.replace("an actor", "an arrow") for peer in peers]
            rows += [row(case, mine, "ms", peer, value) for peer, value in zip(arrow_peers, usual_arrows, strict=True)]
        usual_arrows = theirs
        pv.close_all()
    return rows


def _medians(ticks: list[Callable[[Poses], None]], steps: list[Poses]) -> list[float]:
    """Return the median time of each way, ms, leaving out the first tick, which uploads everything."""
    times: list[list[float]] = [[] for _ in ticks]
    for moved in steps:
        for tick, of_way in zip(ticks, times, strict=True):
            start = time.perf_counter()
            tick(moved)
            of_way.append(1e3 * (time.perf_counter() - start))
    return [statistics.median(of_way[1:]) for of_way in times]
