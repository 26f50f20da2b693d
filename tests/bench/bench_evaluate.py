"""Evaluation: a tick of large trees and of the field, and curves over time; single ticks by process time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from framescope import assets
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from tests.bench.bench_run import Row, row

DEPTH, WIDTH = 100, 100
REPEATS = 40


def tree() -> Plan:
    """Return chains of frames beside each other, the first of each chain moved by expressions of t."""
    still = {"form": "axes", "sequence": "ZYX", "angles": [1, 2, 3], "unit": "deg"}
    frames: dict[str, object] = {}
    for i in range(WIDTH):
        moving = {**still, "angles": [f"{1 + i}*sin({1 + 0.01 * i}*t)", "2*t", 3]}
        for k in range(DEPTH):
            parent = f"f{i} {k - 1}" if k else "world"
            position = {"value": [0.1, 0, 0.02], "unit": "m"}
            frames[f"f{i} {k}"] = {"parent": parent, "position": position, "orientation": still if k else moving}
    return compile_plan(Scene.model_validate({"frames": frames}))


def median_ms(tick: Callable[[float], object]) -> float:
    """Return the median time of a tick, ms, after a first one."""
    tick(0.0)
    times: list[float] = []
    for i in range(REPEATS):
        start = time.process_time()
        tick(0.05 * i)
        times.append(1e3 * (time.process_time() - start))
    return statistics.median(times)


def run() -> list[Row]:
    """Measure."""
    plan = tree()
    case = f"{DEPTH * WIDTH} frames of depth {DEPTH}"

    def everything(t: float) -> None:
        snapshot = evaluate(plan, t)
        _ = snapshot.v_WF, snapshot.a_WF

    rows = [
        row(f"{case}: poses", median_ms(lambda t: evaluate(plan, t)), "ms"),
        row(f"{case}: poses, velocities and accelerations", median_ms(everything), "ms"),
    ]
    path = assets.path("scenes/field.yaml")
    start = time.perf_counter()
    scene = load_scene(path).scene
    field = compile_plan(scene)
    rows.append(row("field of 1000 frames: load and compile", 1e3 * (time.perf_counter() - start), "ms"))
    name, value = next(iter(scene.parameters.items()))
    other = scene.model_copy(update={"parameters": scene.parameters | {name: value + 0.01}})
    start = time.perf_counter()
    compile_plan(other)
    rows.append(row("field of 1000 frames: compile with another parameter", 1e3 * (time.perf_counter() - start), "ms"))
    rows.append(row("field of 1000 frames: poses", median_ms(lambda t: evaluate(field, t)), "ms"))
    times = np.linspace(field.start, field.end, 10_000)
    start = time.perf_counter()
    plot_curves(field, field.view_data.plots[1], times)
    rows.append(row("one plot of 10 000 samples", 1e3 * (time.perf_counter() - start), "ms"))
    return rows
