"""A tick of the view allocates nothing large and keeps nothing, and neither do scenes that come and go."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.curves import trails
from framescope.core.evaluate import compile_plan, evaluate
from framescope.ui.theme import DARK
from framescope.ui.view.scene_renderer import SceneRenderer
from tests.reloading import reloader, resident_kb
from tests.scenes import HEAD, scene_of

FRAMES = 1_000
BLOCK = 4096
"""Bytes: what no single block of a tick may reach."""

FIELD = (
    HEAD
    + "".join(
        f"  f{i}: {{parent: {'world' if i % 10 < 2 else f'f{i - 1}'}, position: {{value: [{0.3 * (i % 7)}, "
        f"{0.2 * (i % 5)}, 0.3], unit: m}}, "
        f'orientation: {{form: axis, axis: z, angle: "{i % 90}*t", unit: deg}}}}\n'
        for i in range(1, FRAMES)
    )
    + """\
view:
  trails: [{frame: f5, duration: 2 s}, {frame: f705, duration: 1 s}]
"""
)


SIZE = (480, 300)


def new_window() -> vtkRenderWindow:
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    return window


@pytest.fixture
def tick() -> Iterator[Callable[[int], None]]:
    """Return what does one tick of the view of the field, and nothing but the view."""
    scene = scene_of(FIELD)
    plan = compile_plan(scene)
    assert not plan.problems
    window, renderer = new_window(), SceneRenderer(DARK)
    renderer.attach(window)
    renderer.set_scene(scene, plan)
    renderer.set_selection("f5")
    # Made before: that evaluating allocates its result is no part of the view.
    moments = [(evaluate(plan, t), trails(plan, t)) for t in np.linspace(0.0, 8.0, 10)]

    def one_tick(k: int) -> None:
        renderer.show(*moments[k % len(moments)])
        renderer.prepare()
        window.Render()

    for k in range(12):
        one_tick(k)
    gc.collect()
    tracemalloc.start()
    yield one_tick
    tracemalloc.stop()
    renderer.detach()
    window.Finalize()


@contextmanager
def largest_steps() -> Iterator[dict[str, int]]:
    """Collect, by place in the code, by how many bytes one step of the interpreter raised what is allocated.

    The peak within a step counts, so that nothing larger was ever allocated there, however short its life.
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


def test_that_a_tick_of_a_thousand_frames_allocates_no_large_block(tick) -> None:
    for k in range(3):
        tick(k)
    with largest_steps() as steps:
        tick(3)
    assert not steps


def test_that_large_blocks_would_be_found() -> None:
    tracemalloc.start()
    try:
        with largest_steps() as steps:
            np.ones(BLOCK // 8 + 1).sum()
    finally:
        tracemalloc.stop()
    assert len(steps) == 1


TICKS = 300


def test_that_many_ticks_leave_nothing_behind(tick) -> None:
    """Of a thousand, 64 KB may stay; these are fewer, since tracing makes them slow, and so may leave less."""
    tick(0)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for k in range(TICKS):
        tick(k)
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 64 * 1024 * TICKS / 1_000


def test_that_evaluating_leaves_nothing_behind() -> None:
    plan = compile_plan(scene_of(FIELD))
    times = np.linspace(0.0, 8.0, 20)
    for t in times[:5]:
        evaluate(plan, t)
    gc.collect()
    tracemalloc.start()
    try:
        for t in times:
            evaluate(plan, t)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 64 * 1024
    finally:
        tracemalloc.stop()


RELOADS = 20
RELOADS_KB = 10_000 * RELOADS / 200
"""In `run.py bench view` it is 200 of them, and 10 MB."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_that_scenes_that_come_and_go_leave_nothing_behind() -> None:
    reload, close = reloader()
    for _ in range(10):
        reload()
    before = resident_kb()
    for _ in range(RELOADS):
        reload()
    grown = resident_kb() - before
    close()
    assert grown < RELOADS_KB
