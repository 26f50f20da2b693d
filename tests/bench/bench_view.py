"""Drawing: 10 to 100 000 frames updated and rendered, against the usual ways to draw frames with Python.

All draw the same frames at 1280x720 from the same camera, without samples unless a row says so; frames fill one cube,
an axis is a third as long as the distance between two of them. Ours is measured alone (triads on a plain ground, as
the peers draw them) and as the whole picture with grid, view cube and texts. Figures are medians of one update and one
render, done to the last pixel; ours and the peers' take turns. Peers that would take minutes are left out, and said so.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.scene.schema.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.visual import BARE, WINDOW, Decorations
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals import triads
from framescope.ui.theme.tokens import DARK
from tests.bench.bench_run import Row, row
from tests.support.reloading import reloader, resident_kb
from tests.support.view_ticks import BLOCK, FRAMES, GROWTH_KB, growth_kb, largest_steps, ticking

COUNTS = (10, 100, 1_000, 10_000, 100_000)
SIZE = (1280, 720)
CUBE = 5.4
"""Edge of the cube that the frames fill, m."""
CAMERA = CameraState((6.0, -14.0, 9.0), (0.0, 0.0, 0.0))
REPEATS, TURN_MS = 5, 60.0
RELOADS = 200
TICKS = 1_000

Poses = tuple[np.ndarray, np.ndarray]
Step = Callable[[Poses], None]
Way = tuple[Step, Step]
"""What updates, and what renders."""


def axis_length(count: int) -> float:
    """Return how long axes are, m."""
    return CUBE / max(9, _side(count) - 1) / 3


def _side(count: int) -> int:
    return int(np.ceil(round(count ** (1 / 3), 6)))


def poses(count: int, step: int) -> Poses:
    """Return rotations (n, 3, 3) and origins (n, 3) of frames that turn in place."""
    side = _side(count)
    at = np.stack(np.unravel_index(np.arange(count), (side,) * 3), axis=-1)
    p_WF = 3 * axis_length(count) * (at - (side - 1) / 2)
    axes = np.random.default_rng(0).normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return linear_algebra.transpose(
        axis_rotations.planar_matrix(axes, np.linspace(0.0, 3.0, count) + 0.05 * step)
    ), p_WF


def check_drawn(kind: str, made: triads.Triads | None) -> None:
    """Raise an error where frames are not drawn as what is measured."""
    corners = {"lines": 2, "points": 1, "arrows": 3}.get(kind)
    polydata = None if made is None else made.triads.polydata
    counts = () if polydata is None else (polydata.GetNumberOfVerts(), polydata.GetNumberOfLines(), polydata.n_cells)
    drawn = next((k for k, count in enumerate(counts, 1) if count), 0)
    if corners is not None and drawn != corners:
        raise AssertionError(f"frames are to be drawn as {kind}, and have cells of {drawn} corners")


def ours(count: int, kind: str, decorations: Decorations = BARE) -> Way:
    """Return our renderer; `kind` is a level of detail, or "as chosen"."""
    frames = {f"f{i}": {"parent": "world"} for i in range(count)}
    looks = {name: {"label": False, "link": False} for name in frames}
    view = {"frames": looks | {"world": {"triad": False, "label": False}}, "triad_length": f"{axis_length(count)} m"}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "view": view})
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.0)
    still = snapshot.R_WF[:1], snapshot.p_WF[:1]
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    renderer = SceneRenderer(DARK, decorations=decorations)
    renderer.layers.attach(window)
    most = 10 * count
    forced = {
        "lines": triads.Limits(0, 0, 0, most),
        "points": triads.Limits(0, 0, 0, 0),
        "arrows": replace(triads.SOFTWARE, arrows=most, lines=most),
    }
    usual, triads.SOFTWARE = triads.SOFTWARE, forced.get(kind, triads.SOFTWARE)
    renderer.set_plan(plan)
    renderer.show(snapshot)
    made = renderer.visual(triads.Triads)  # while the limits are those: visuals are made when they are asked for
    triads.SOFTWARE = usual
    check_drawn(kind, made)
    renderer.set_camera(CAMERA)

    snapshots: dict[int, Snapshot] = {}

    def update(moved: Poses) -> None:
        if id(moved) not in snapshots:  # making them is evaluation, which is no part of drawing
            R_WF, p_WF = (np.concatenate([world, new]) for world, new in zip(still, moved, strict=True))
            snapshots[id(moved)] = replace(snapshot, R_WF=R_WF, p_WF=p_WF)
        renderer.show(snapshots[id(moved)])
        renderer.prepare()

    def render(_: Poses) -> None:
        window.Render()
        window.WaitForCompletion()

    return update, render


def usual(count: int, *, are_lines: bool, has_defaults: bool = False) -> Way:
    """Return pyvista, an actor per axis moved by its user matrix."""
    plotter = pv.Plotter(off_screen=True, window_size=SIZE)
    if not has_defaults:
        plotter.disable_anti_aliasing()
        plotter.render_window.SetMultiSamples(0)
    arms, length = [], axis_length(count)
    for _ in range(count):
        for axis, color in zip(np.eye(3), DARK.axes, strict=True):
            mesh = pv.Line((0, 0, 0), length * axis) if are_lines else pv.Arrow(direction=axis, scale=length)
            arms.append(plotter.add_mesh(mesh, color=color, render=False, reset_camera=False))
    plotter.camera.position, plotter.camera.focal_point = CAMERA.position, CAMERA.focal_point
    plotter.camera.up, plotter.camera.view_angle = CAMERA.up, np.degrees(CAMERA.view_angle)
    plotter.renderer.ResetCameraClippingRange()

    def update(moved: Poses) -> None:
        for k, X in enumerate(_matrices(moved)):
            for actor in arms[3 * k : 3 * k + 3]:
                actor.user_matrix = X

    def render(_: Poses) -> None:
        plotter.render_window.Render()
        plotter.render_window.WaitForCompletion()

    return update, render


def vedo_way(count: int, *, are_lines: bool) -> Way:
    """Return vedo, an object per axis."""
    vedo: Any = importlib.import_module("vedo")
    vedo.settings.multi_samples = 0
    plotter = vedo.Plotter(offscreen=True, size=SIZE)
    plotter.window.SetMultiSamples(0)
    arms, length = [], axis_length(count)
    make = vedo.Line if are_lines else vedo.Arrow
    for _ in range(count):
        arms += [make((0, 0, 0), length * axis, c=color) for axis, color in zip(np.eye(3), DARK.axes, strict=True)]
    plotter.show(*arms, resetcam=False, interactive=False)
    camera = plotter.camera
    camera.SetPosition(CAMERA.position)
    camera.SetFocalPoint(CAMERA.focal_point)
    camera.SetViewUp(CAMERA.up)
    camera.SetViewAngle(np.degrees(CAMERA.view_angle))
    plotter.renderer.ResetCameraClippingRange()
    former = [np.eye(4)]

    def update(moved: Poses) -> None:
        # vedo applies transformations on top of each other: from the former pose to the new one.
        new = _matrices(moved)
        steps = new @ np.linalg.inv(former[0])
        former[0] = new
        for k, X in enumerate(steps):
            for arm in arms[3 * k : 3 * k + 3]:
                arm.apply_transform(X)

    def render(_: Poses) -> None:
        plotter.window.Render()
        plotter.window.WaitForCompletion()

    return update, render


def matplotlib_way(count: int) -> Way:
    """Return pytransform3d's frames in matplotlib, drawn by Agg; always lines."""
    matplotlib: Any = importlib.import_module("matplotlib")
    matplotlib.use("Agg")
    plt: Any = importlib.import_module("matplotlib.pyplot")
    visualizer: Any = importlib.import_module("pytransform3d.plot_utils")
    figure = plt.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    axes = figure.add_subplot(projection="3d")
    half = CUBE / 2
    axes.set(xlim=(-half, half), ylim=(-half, half), zlim=(-half, half))
    axes.set_axis_off()
    frames = [visualizer.Frame(np.eye(4), s=axis_length(count)) for _ in range(count)]
    for frame in frames:
        frame.add_frame(axes)

    def update(moved: Poses) -> None:
        for frame, X in zip(frames, _matrices(moved), strict=True):
            frame.set_data(X)

    def render(_: Poses) -> None:
        figure.canvas.draw()

    return update, render


def _matrices(moved: Poses) -> np.ndarray:
    X_WF = np.tile(np.eye(4), (len(moved[0]), 1, 1))
    X_WF[:, :3, :3], X_WF[:, :3, 3] = moved
    return X_WF


PEERS: tuple[tuple[str, str, int, Callable[[int], Way], Callable[[int], Way]], ...] = (
    (
        "pyvista, an actor per axis, no samples",
        "pyvista",
        1_000,
        lambda n: usual(n, are_lines=False),
        lambda n: usual(n, are_lines=True),
    ),
    (
        "pyvista, an actor per axis, its defaults",
        "pyvista",
        1_000,
        lambda n: usual(n, are_lines=False, has_defaults=True),
        lambda n: usual(n, are_lines=True, has_defaults=True),
    ),
    (
        "vedo, an object per axis, no samples",
        "vedo",
        1_000,
        lambda n: vedo_way(n, are_lines=False),
        lambda n: vedo_way(n, are_lines=True),
    ),
    ("pytransform3d in matplotlib, lines", "pytransform3d", 100, matplotlib_way, matplotlib_way),
)
"""What it is called, its package, the largest number of frames it is measured with, and it with arrows and lines."""


def run() -> list[Row]:
    """Measure."""
    rows: list[Row] = []
    for count in COUNTS:
        rows += _rows_of(count)
        pv.close_all()
    return rows + _reloads() + _ticks()


def _rows_of(count: int) -> list[Row]:
    steps = _steps(count)
    rows: list[Row] = []
    kinds = ("arrows", "lines") if count <= 10_000 else ("lines",)
    for kind in kinds:
        (alone,) = _measured([ours(count, kind)], steps)
        rows += _both(f"{count} frames as {kind}", alone)
        for i, (name, package, most, arrows, lines) in enumerate(PEERS):
            if importlib.util.find_spec(package) is None:
                rows.append(_left_out(count, kind, f"{name}: not installed: python3 -m pip install {package}"))
            elif count > most:
                rows.append(_left_out(count, kind, f"{name}: left out, measured up to {most}"))
            else:
                rows.append(_apart(count, kind, i, kind == "lines", name))
                if kind == "lines" and arrows is not lines:
                    rows.append(_apart(count, kind, i, False, f"{name}, arrows"))
    (whole,) = _measured([ours(count, "as chosen", WINDOW)], steps)
    level = {3: "arrows", 2: "lines", 1: "points"}[triads.template_for(count).cells.shape[1]]
    rows += _both(f"{count} frames as chosen ({level}), whole picture", whole)
    rows.append(Row(case=f"{count} frames as chosen ({level}), whole picture", ours=1e3 / sum(whole), unit="fps"))
    if count == 10_000:
        (whole,) = _measured([ours(count, "lines", WINDOW)], steps)
        rows.append(Row(case=f"{count} frames as lines, whole picture", ours=1e3 / sum(whole), unit="fps"))
    return rows


def _steps(count: int) -> list[Poses]:
    return [poses(count, step) for step in range((REPEATS if count <= 10_000 else 2) + 1)]


def _apart(count: int, kind: str, i_peer: int, are_lines: bool, name: str) -> Row:
    """Measure ours and one peer in turns, in a process of their own: what others leave in memory weighs on both."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        mine, theirs = pool.submit(_pair, count, kind, i_peer, are_lines).result()
    return row(f"{count} frames as {kind}, both", mine, "ms", name, theirs)


def _pair(count: int, kind: str, i_peer: int, are_lines: bool) -> tuple[float, float]:
    make = PEERS[i_peer][4 if are_lines else 3]
    mine, theirs = _measured([ours(count, kind), make(count)], _steps(count))
    return sum(mine), sum(theirs)


def _left_out(count: int, kind: str, why: str) -> Row:
    return Row(case=f"{count} frames as {kind}: {why}", ours=0.0, unit="-", peer=None)


def _both(case: str, times: tuple[float, float]) -> list[Row]:
    return [row(f"{case}, {part}", value, "ms") for part, value in zip(("update", "render"), times, strict=True)]


def _measured(ways: list[Way], steps: list[Poses]) -> list[tuple[float, float]]:
    """Return the median times of update and render of each, ms.

    The ways take turns. A turn is two ticks or more, for `TURN_MS`, of which the first half is not measured: it finds
    caches and GL context as another way has left them, which no window does between two of its own pictures. Before
    all turns each way draws every step once.
    """
    for way in ways:
        for moved in steps:
            _tick(way, moved)
    times: list[list[tuple[float, float]]] = [[] for _ in ways]
    for moved in pairwise(steps):
        for k, way in enumerate(ways):
            turn = [_tick(way, moved[0]), _tick(way, moved[1])]
            while sum(map(sum, turn)) < TURN_MS:
                turn.append(_tick(way, moved[len(turn) % 2]))
            times[k] += turn[len(turn) // 2 :]
    parts = [tuple(map(statistics.median, zip(*of_way, strict=True))) for of_way in times]
    return [(update, render) for update, render in parts]


def _tick(way: Way, moved: Poses) -> tuple[float, float]:
    """Update and render, and return how long each took, ms."""
    update, render = way
    start = time.perf_counter()
    update(moved)
    middle = time.perf_counter()
    render(moved)
    return 1e3 * (middle - start), 1e3 * (time.perf_counter() - middle)


def _reloads() -> list[Row]:
    """Return by how much the process has grown when scenes have been opened many times."""
    if sys.platform != "linux":
        return []
    reload, close = reloader()
    for _ in range(20):
        reload()
    before = resident_kb()
    for _ in range(RELOADS):
        reload()
    grown = (resident_kb() - before) / 1e3
    close()
    return [Row(case=f"growth over {RELOADS} scene reloads", ours=grown, unit="MB")]


def _ticks() -> list[Row]:
    """Return what many ticks of the view of a large scene leave behind, and the largest block that one allocates."""
    with ticking() as tick:
        grown = growth_kb(tick, TICKS)
        with largest_steps() as steps:
            tick(0)
    largest = max(steps.values(), default=0) / 1024
    return [
        Row(case=f"{FRAMES} frames, left by {TICKS} ticks (at most {GROWTH_KB:.0f})", ours=grown, unit="KB"),
        Row(case=f"{FRAMES} frames, largest block of a tick, if {BLOCK // 1024} KB or more", ours=largest, unit="KB"),
    ]
