"""Films: ours against the least that rendering and encoding take, and against pyvista's `open_movie` and `open_gif`.

*The least* is `1/(1/r + 1/e)` frames a second, where `r` is our rendering alone and `e` ffmpeg alone with the very same
frames and settings; it can be passed, as both go on at once. The whole picture of the demo is drawn for it. Against
pyvista both draw the same frames as arrows on a plain ground, each with its own way to smooth edges, and pyvista writes
frames as its documentation shows. Who is measured takes turns; figures are medians of the turns.

*The share of ideal scaling* on eight cores is counted, not timed: of two films of different length the CPU seconds are
measured of a process that starts, of a frame and its encoding, and of what the one process does that hands all frames
on. Eight processes then draw a film of `SCALED` frames, limited by the cores or by that one; ideal is what one process
takes for a frame, on all cores all the time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np
import pyvista as pv

from framescope.app.exporters.encoding.ffmpeg import ffmpeg_command
from framescope.app.exporters.films import video
from framescope.app.exporters.registry import export, request_for
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.kernels.code.formula_compilers import MODE
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.films import Film
from framescope.core.scene.schema.model import Scene
from framescope.features.films.app import kept_parts
from framescope.ui.exports.options import ExportOptions
from framescope.ui.theme.tokens import DARK
from tests.bench.bench_run import Row
from tests.support.reloading import resident_kb

SIZES = ((1280, 720), (1920, 1080))
TURNS, FRAMES = 5, 90
GIF_FRAMES, GIF_FPS = 100, 25
ARROWS, LENGTH = 20, 0.35
"""Frames of the scene that both draw, and how long their axes are, m."""
FILM_S, SHOTS, SAMPLED_S = 120.0, 6, 10.0
"""Duration of the film of several shots, its number of shots, and the distance of the seconds that are drawn and
encoded alone, s."""
SHORT, LONG = 100, 10_000
"""Frames of the films whose memory is compared; they are small, as only their number counts."""

SHORTER, LONGER = 60, 240
"""Frames of the films whose CPU seconds are compared."""

SCALED, SCALED_CORES = (600, 6000), 8
"""Frames of the films, and cores of the machine, whose share of ideal scaling is counted."""

Opened = tuple[Scene, Plan]


def demo() -> Opened:
    """Return the demo: what it shows is a usual film."""
    path = example_path("demo")
    scene = load_scene(path).scene
    return scene, compile_plan(scene, path.parent)


def turning() -> Opened:
    """Return frames in a grid that turn, and nothing else."""
    frames = {
        f"f{i}": {
            "parent": "world",
            "position": {"value": [i % 5 - 2, 0.8 * (i // 5) - 1.2, 0.0], "unit": "m"},
            "orientation": {
                "form": "axes",
                "sequence": "ZYX",
                "angles": [f"{0.2 + 0.05 * i}*t", f"0.5*sin(0.7*t + {i})", 0.0],
                "unit": "rad",
            },
        }
        for i in range(ARROWS)
    }
    looks = {name: {"label": False, "link": False} for name in frames}
    view = {
        "frames": looks | {"world": {"triad": False, "label": False}},
        "triad_length": f"{LENGTH} m",
        "camera": {"position": [2.0, -6.0, 5.0], "focal_point": [0.0, 0.0, 0.0], "unit": "m"},
    }
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "view": view})
    return scene, compile_plan(scene)


def request_of(opened: Opened, path: Path, size: tuple[int, int], count: int, fps: int, **options) -> ExportRequest:
    """Return the request for a film of so many frames."""
    asked = {"size": size, "fps": fps, "start": 0.0, "stop": count / fps, **options}
    return request_for(*opened, path, ExportOptions(**asked))


def ours(opened: Opened, path: Path, size: tuple[int, int], count: int, fps: int, **options) -> None:
    """Export."""
    export(*opened, path, size=size, fps=fps, start=0.0, stop=count / fps, **options)


def usual(opened: Opened, path: Path, size: tuple[int, int], count: int, fps: int) -> None:
    """Write the same frames as users of pyvista do: an actor per axis, moved; `write_frame` after each step."""
    _, plan = opened
    plotter = pv.Plotter(off_screen=True, window_size=size)
    plotter.set_background(DARK.scene_bottom, top=DARK.scene_top)
    arms = [
        plotter.add_mesh(pv.Arrow(direction=axis, scale=LENGTH), color=color, render=False, reset_camera=False)
        for _ in range(ARROWS)
        for axis, color in zip(np.eye(3), DARK.axes, strict=True)
    ]
    plotter.camera.position, plotter.camera.focal_point, plotter.camera.up = (2, -6, 5), (0, 0, 0), (0, 0, 1)
    plotter.renderer.ResetCameraClippingRange()
    if path.suffix == ".mp4":
        plotter.open_movie(str(path), framerate=fps)
    else:
        plotter.open_gif(str(path), fps=fps)
    for i in range(count):
        snapshot = evaluate(plan, i / fps)
        X_WF = np.tile(np.eye(4), (ARROWS, 1, 1))
        X_WF[:, :3, :3], X_WF[:, :3, 3] = snapshot.R_WF[1:], snapshot.p_WF[1:]
        for k, X in enumerate(X_WF):
            for actor in arms[3 * k : 3 * k + 3]:
                actor.user_matrix = X
        plotter.write_frame()
    plotter.close()


def run() -> list[Row]:
    """Measure."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            rows += _against_the_least(Path(folder), size)
            rows += _against_pyvista(Path(folder), size)
        rows.append(film_of_shots(Path(folder)))
        rows += _memory(Path(folder))
        rows += _processes(Path(folder))
    return rows


def _against_the_least(folder: Path, size: tuple[int, int]) -> list[Row]:
    opened, path = demo(), folder / "clip.mp4"
    request = request_of(opened, path, size, FRAMES, 30)
    with _parts_of(request, request.times, folder) as parts:
        r, e, whole = (FRAMES / t for t in _in_turns([*parts, lambda: ours(opened, path, size, FRAMES, 30)]))
    said = f"{size[1]}p, MP4"
    return [
        Row(case=f"{said}, rendering alone", ours=r, unit="fps"),
        Row(case=f"{said}, encoding alone", ours=e, unit="fps"),
        _faster(f"{said} of the demo (at least 0.8)", whole, "1/(1/r + 1/e)", least(r, e)),
    ]


def least(r: float, e: float) -> float:
    """Return the frames a second of drawing and then encoding each frame, from those of each alone."""
    return 1 / (1 / r + 1 / e)


@contextlib.contextmanager
def _parts_of(
    request: ExportRequest, times: np.ndarray, folder: Path
) -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """Give what draws the frames of some times, and what encodes the very same frames, each alone."""
    raw, (width, height) = folder / "frames.rgb", request.size
    with raw.open("wb") as file:
        for frame in rendered_frames(request, times):
            file.write(np.ascontiguousarray(frame).data)
    film = video.film_of(request)
    encoding = [
        *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "30", "-i", str(raw), "-an"),
        *(*film.arguments, *film.joining, str(folder / "alone.mp4")),
    ]

    def draw() -> None:
        for _ in rendered_frames(request, times):
            pass

    def encode() -> None:
        subprocess.run(ffmpeg_command(encoding), check=True)

    try:
        yield draw, encode
    finally:
        raw.unlink()


def with_film(opened: Opened, seconds: float) -> Opened:
    """Return a scene with a film of six shots of equal duration: looks, texts, a plot and transitions."""
    scene, plan = opened
    each = seconds / SHOTS
    shown = {"start": "0 s", "end": f"{plan.end} s", "duration": f"{each} s"}
    lit = {"look": "lit", "bodies": [next(iter(scene.bodies))], "end": f"{0.2 * each} s"}
    shots = [
        {**shown, "texts": [{"form": "title", "text": "Six shots"}]},
        {**shown, "camera": {"form": "orbit", "angle": "30 deg"}},
        {**shown, "items": [lit]},
        {**shown, "transition": {"form": "cross-fade", "duration": f"{0.1 * each} s"}},
        {**shown, "insets": [{"plot": 1, "draws": True}]},
        {**shown, "texts": [{"form": "caption", "text": "A caption"}]},
    ]
    film = Film.model_validate({"shots": shots, "fps": 30})
    scene = scene.model_copy(update={"film": scene.film | {"bench": film}})
    return scene, compile_plan(scene, access=plan.context.access)


def film_of_shots(folder: Path, seconds: float = FILM_S) -> Row:
    """Return how fast a film of several shots is, without parts from an earlier export.

    Drawing alone and encoding alone are measured on every tenth second of it, and the whole film once.
    """
    opened, path, size = with_film(demo(), seconds), folder / "shots.mp4", SIZES[1]
    request = request_for(*opened, path, ExportOptions(film="bench", size=size))
    times = request.times
    some = times[(times % SAMPLED_S) < 1.0] if seconds > SAMPLED_S else times
    with _parts_of(request, some, folder) as parts:
        r, e = (len(some) / t for t in _in_turns(list(parts), turns=2))
    start = time.perf_counter()
    with mock.patch.object(kept_parts, "kept_folder", return_value=None):
        export(*opened, path, film="bench", size=size)
    own = len(times) / (time.perf_counter() - start)
    return _faster(f"1080p, MP4 of six shots, {seconds:g} s (at least 0.91)", own, "1/(1/r + 1/e)", least(r, e))


def _against_pyvista(folder: Path, size: tuple[int, int]) -> list[Row]:
    rows: list[Row] = []
    for name, peer, count, fps, least in (
        ("clip.mp4", "open_movie", FRAMES, 30, 1.8),
        ("clip.gif", "open_gif", GIF_FRAMES, GIF_FPS, 3.0 if size[1] == 720 else 2.5),
    ):
        case = f"{size[1]}p, {name[5:].upper()} of {ARROWS} frames as arrows (at least {least:g})"
        if importlib.util.find_spec("imageio") is None:
            rows.append(Row(case=f"{case}: not run: imageio is missing", ours=0.0, unit="-", peer=None))
            continue
        opened, path = turning(), folder / name
        ways = [
            partial(ours, opened, path, size, count, fps, bare=True),
            partial(usual, opened, path, size, count, fps),
        ]
        own, other = (count / t for t in _in_turns(ways))
        rows.append(_faster(case, own, f"pyvista, {peer}", other))
    return rows


def _in_turns(ways: list[Callable[[], None]], turns: int = TURNS) -> list[float]:
    """Return the median time of each, s."""
    times: list[list[float]] = [[] for _ in ways]
    for turn in range(turns + 1):
        for way, taken in zip(ways, times, strict=True):
            start = time.perf_counter()
            way()
            if turn > 0:  # the first finds caches
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def _faster(case: str, own: float, peer: str, other: float) -> Row:
    """Return a row in frames a second, of which more is better."""
    return Row(case=case, ours=own, unit="fps", peer=peer, peer_value=other, ratio=own / other)


def _processes(folder: Path) -> list[Row]:
    """Return how one process and two compare here, and the share of ideal scaling on eight cores."""
    if sys.platform != "linux":
        return []
    opened, size = demo(), SIZES[0]

    def way(count: int, jobs: int | None, name: str = "clip.mp4") -> Callable[[], None]:
        def make() -> None:
            for path in folder.iterdir():  # pictures of a row are kept otherwise
                path.unlink()
            ours(opened, folder / name, size, count, 30, jobs=jobs)

        return make

    rows: list[Row] = []
    for name, count, jobs, drawn_by in (
        ("clip.mp4", LONGER, 2, "two processes"),
        ("%04d.png", SHORTER, None, "as many processes as are worth it"),
    ):
        alone, several = _in_turns([way(count, n, name) for n in (1, jobs)], turns=2)
        case = f"720p, {count} frames of the demo, {name[-3:].upper()}, {drawn_by}"
        rows.append(_faster(case, count / several, "one process", count / alone))
    two, one = ([_cpu_of(way(count, jobs)) for count in (SHORTER, LONGER)] for jobs in (2, 1))
    drawing, handing = ((longer - shorter) / (LONGER - SHORTER) for shorter, longer in zip(*two, strict=True))
    start = (two[0][0] - SHORTER * drawing) / 2
    frame = (sum(one[1]) - sum(one[0])) / (LONGER - SHORTER)
    rows += [
        Row(case="720p, a frame drawn and encoded by one process, CPU", ours=1e3 * frame, unit="ms CPU"),
        Row(case="720p, a process that draws: its start, CPU", ours=1e3 * start, unit="ms CPU"),
        Row(case="720p, a frame of it, with its encoding, CPU", ours=1e3 * drawing, unit="ms CPU"),
        Row(case="720p, to hand it on, CPU", ours=1e3 * handing, unit="ms CPU"),
    ]
    for n in SCALED:
        taken = start + n * max((drawing + handing) / SCALED_CORES, handing)
        case = f"share of ideal scaling, {n} frames on {SCALED_CORES} cores, counted"
        share = n * frame / SCALED_CORES / taken
        rows.append(Row(case=case, ours=share, unit="of 1", peer="ideal", peer_value=1.0, ratio=share))
    return rows


def _cpu_of(call: Callable[[], None]) -> tuple[float, float]:
    """Return the CPU seconds of the processes that a call starts and ends, and of this one."""
    before = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    call()
    after = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    children, own = (b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after, strict=True))
    return children, own


def _memory(folder: Path) -> list[Row]:
    """Return by how much more memory a long film takes than a short one, each in a process of its own.

    The compiler of formulas takes 41 MB once, in the long one alone: it would hide what grows.
    """
    if sys.platform != "linux":
        return []
    peaks = [_peak_of_export(folder / "clip.mp4", count) for count in (SHORT, LONG)]
    case = f"{LONG} frames, memory beyond that of {SHORT}, without the compiler of formulas (at most 50)"
    return [Row(case=case, ours=(peaks[1] - peaks[0]) / 1e3, unit="MB")]


def _peak_of_export(path: Path, count: int) -> float:
    with (
        mock.patch.dict(os.environ, {MODE: "0"}),
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool,
    ):
        return pool.submit(_exported, path, count).result()


def _exported(path: Path, count: int) -> float:
    """Export a small film; return the most memory, KB, in use at its frames, ours and the encoders' together."""
    most = 0.0

    def look(done: int, _total: int) -> None:
        nonlocal most
        if done % 20 == 0:
            most = max(most, resident_kb() + _children_kb())

    export(*demo(), path, size=(160, 90), fps=count / 30, start=0.0, stop=30.0, jobs=1, progress=look)
    return most


def _children_kb() -> int:
    """Return the memory of the processes that this one has started, and they, KB."""
    waiting, total = _children_of("self"), 0
    while waiting:
        pid = waiting.pop()
        waiting += _children_of(pid)
        try:
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        except OSError:  # it has just ended
            continue
        total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return total


def _children_of(pid: str) -> list[str]:
    """Return the processes that any thread of another has started."""
    found: list[str] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += file.read_text(encoding="ascii").split()
    return found
