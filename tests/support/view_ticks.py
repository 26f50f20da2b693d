"""Ticks of the view of a thousand frames, and what they allocate: for a test and for a benchmark."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import HEAD, scene_of

FRAMES = 1_000
BLOCK = 4096
"""Bytes: what no single block of a tick may reach."""
GROWTH_KB = 64.0
"""What a thousand ticks may leave."""

SIZE = (480, 300)


def field(frames: int = FRAMES) -> str:
    """Return a scene with all that a tick may change: arrows with values, trails, the outline of a translucent body."""
    return (
        HEAD
        + "".join(
            f"  f{i}: {{parent: {'world' if i % 10 < 2 else f'f{i - 1}'}, position: {{value: [{0.3 * (i % 7)}, "
            f"{0.2 * (i % 5)}, 0.3], unit: m}}, "
            f'orientation: {{form: axis, axis: z, angle: "{i % 90}*t", unit: deg}}}}\n'
            for i in range(1, frames)
        )
        + """\
bodies:
  glass: {frame: f5, opacity: 0.5, shape: {form: cylinder, radius: 10 cm, height: 20 cm}}
sensors:
  one: {form: absolute, frame_a: f15, get_v: true, arrows: {v: 1 m per m/s, w: 1 m per rad/s}}
  two: {form: absolute, frame_a: f25, get_v: true, arrows: {v: 1 m per m/s, w: 1 m per rad/s}}
view:
  trails: [{frame: f5, duration: 2 s}, {frame: AT_THE_END, duration: 1 s}]
"""
    ).replace("AT_THE_END", f"f{frames // 10 * 7 + 5}")


def new_window() -> vtkRenderWindow:
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    return window


@contextmanager
def ticking(frames: int = FRAMES, moments: int = 10) -> Iterator[Callable[[int], None]]:
    """Give what does one tick of the view of the field, and nothing but the view, while allocations are traced.

    The ticks show some moments, over and over.
    """
    scene = scene_of(field(frames))
    plan = compile_plan(scene)
    if plan.problems:
        raise ValueError(plan.problems[0].message)
    window, renderer = new_window(), SceneRenderer(DARK)
    renderer.layers.attach(window)
    renderer.set_plan(plan)
    renderer.set_option(SELECTED, "f5")
    # Made before: that evaluating allocates its result is no part of the view.
    shown = [(evaluate(plan, t), trails(plan, t)) for t in np.linspace(0.0, 8.0, moments)]

    def tick(k: int) -> None:
        renderer.show(*shown[k % moments])
        renderer.prepare()
        window.Render()

    for k in range(moments + 2):
        tick(k)
    gc.collect()
    tracemalloc.start()
    try:
        yield tick
    finally:
        tracemalloc.stop()
        renderer.detach()
        window.Finalize()


@contextmanager
def largest_steps() -> Iterator[dict[str, int]]:
    """Collect, by place in the code, by how many bytes one step of the interpreter raised what is allocated.

    The peak within a step counts, so that nothing larger was ever allocated there, however short its life; steps
    below `BLOCK` are left out.
    """
    steps: dict[str, int] = {}
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        frame.f_trace_opcodes = True
        now, peak = tracemalloc.get_traced_memory()
        if peak - seen >= BLOCK:
            place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
            steps[place] = max(steps.get(place, 0), peak - seen)
        seen = now
        tracemalloc.reset_peak()
        return trace

    seen = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    former = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(former)


def growth_kb(tick: Callable[[int], None], ticks: int) -> float:
    """Return how much many ticks leave behind, KB."""
    tick(0)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for k in range(ticks):
        tick(k)
    gc.collect()
    return (tracemalloc.get_traced_memory()[0] - before) / 1024
