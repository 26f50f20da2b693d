"""Scale: how time and memory grow with frames, samples, plots, triangles and bags, as exponents.

Each quantity is measured at sizes a factor of ten apart; the exponent of growth is that between the two largest, where
what is the same for all sizes counts least: 1 is in proportion, 0 not at all. docs/scale.md quotes them.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.features.bags.core.bag_file import open_bag
from tests.bench.bench_run import Row
from tests.support.bags import drive, write_ros1

FRAMES = (1_000, 10_000, 100_000)
SAMPLES = (100_000, 1_000_000, 10_000_000)
FITTED = 1_000_000
"""Samples that are fitted at most: of more every second, third and so on."""
CURVES = (1, 10, 100)
TRANSFORMS_S = (20.0, 200.0, 2000.0)

RECORDED = """\
framescope: 1
frames:
  hand:
    parent: world
    motion:
      form: recorded
      file: samples.npz
      format: table
      bandwidth: 4 Hz
      every: EVERY
      columns: {time: t, time_unit: s, position: [x, y, z], position_unit: m}
view:
  plots: [{signal: position, of: hand, relative_to: world, resolved_in: world, unit: m}]
"""


def run() -> list[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_frames(), *_samples(Path(folder)), *_plots(), *_bags(Path(folder))]


def grown(case: str, sizes: tuple[float, ...], seconds: list[float]) -> list[Row]:
    """Return the rows of one quantity: its time at the largest size, and the exponent.

    >>> [row["ours"] for row in grown("a", (10, 100), [0.5, 5.0])]
    [5000.0, 1.0]
    """
    exponent = math.log(seconds[-1] / seconds[-2]) / math.log(sizes[-1] / sizes[-2])
    largest = f"{case}, {sizes[-1]:g}"
    return [
        Row(case=largest, ours=1e3 * seconds[-1], unit="ms"),
        Row(case=f"{largest}: exponent of growth", ours=round(exponent, 2), unit=""),
    ]


def timed(call: Callable[[], object], repeats: int = 3) -> float:
    """Return the least time of a call, s."""
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def scene_of(n: int) -> Scene:
    """Return so many frames in chains of a hundred, the first of each moved by expressions."""
    still = {"form": "axes", "sequence": "ZYX", "angles": [1, 2, 3], "unit": "deg"}
    moving = {**still, "angles": ["20*sin(t)", "2*t", 3]}
    frames = {
        f"f{i}": {
            "parent": f"f{i - 1}" if i % 100 else "world",
            "position": {"value": [0.1, 0, 0.02], "unit": "m"},
            "orientation": still if i % 100 else moving,
        }
        for i in range(n)
    }
    return Scene.model_validate({"frames": frames})


def _frames() -> list[Row]:
    compiling, ticks = [], []
    for n in FRAMES:
        scene = scene_of(n)
        start = time.perf_counter()
        plan = compile_plan(scene)
        compiling.append(time.perf_counter() - start)
        ticks.append(timed(lambda plan=plan: evaluate(plan, 0.7)))
    return [*grown("frames: compile", FRAMES, compiling), *grown("frames: a tick", FRAMES, ticks)]


def _samples(folder: Path) -> list[Row]:
    reading, ticks, curves = [], [], []
    for n in SAMPLES:
        t = np.linspace(0.0, 0.01 * n, n)
        np.savez(folder / "samples.npz", t=t, x=np.sin(t), y=np.cos(t), z=0.1 * t)
        (folder / "scene.yaml").write_text(RECORDED.replace("EVERY", str(max(1, n // FITTED))), encoding="utf-8")
        scene = load_scene(folder / "scene.yaml").scene
        start = time.perf_counter()
        plan = compile_plan(scene, folder)
        reading.append(time.perf_counter() - start)
        assert not plan.problems, plan.problems
        ticks.append(timed(lambda plan=plan: evaluate(plan, 3.3)))
        curves.append(timed(lambda plan=plan: plot_curves(plan, plan.view_data.plots[0], _grid(plan))))
    return [
        *grown("samples: read and fit", SAMPLES, reading),
        *grown("samples: a tick", SAMPLES, ticks),
        *grown("samples: a plot of 1000 points", SAMPLES, curves),
    ]


def _grid(plan: Plan) -> np.ndarray:
    return np.linspace(plan.start, plan.end, 1000)


def _plots() -> list[Row]:
    plots = [{"signal": "position", "of": "f999", "relative_to": "world", "resolved_in": "world", "unit": "m"}]
    plan = compile_plan(
        scene_of(1000).model_copy(update={"view": Scene.model_validate({"view": {"plots": plots}}).view})
    )
    spec = plan.view_data.plots[0]
    times = [timed(lambda n=n: [plot_curves(plan, spec, _grid(plan)) for _ in range(n)]) for n in CURVES]
    return grown("plots of 1000 points", CURVES, times)


def _bags(folder: Path) -> list[Row]:
    listing, sizes = [], []
    for seconds in TRANSFORMS_S:
        path = write_ros1(folder / f"{seconds:g}.bag", drive(seconds=seconds))
        listing.append(timed(lambda path=path: open_bag(path)))
        sizes.append(path.stat().st_size / 1e6)
    return grown("bags, MB: list the topics", tuple(round(size, 2) for size in sizes), listing)
