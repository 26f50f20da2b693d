"""A tick of the view allocates nothing large and keeps nothing, and neither do scenes that come and go."""

from __future__ import annotations

import gc
import sys
import tracemalloc

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from tests.support.reloading import reloader, resident_kb
from tests.support.scenes import scene_of
from tests.support.view_ticks import BLOCK, GROWTH_KB, field, growth_kb, largest_steps, ticking

pytestmark = [pytest.mark.window, pytest.mark.soak]


MANY = 600
"""Frames of which an array of one number each is larger than a block may be."""


def test_that_a_tick_of_many_frames_allocates_no_large_block() -> None:
    assert 8 * MANY > BLOCK
    found = []
    with ticking(MANY, moments=4) as tick:
        for _ in range(2):
            for k in range(3):
                tick(k)
            with largest_steps() as steps:
                tick(3)
            found.append(steps.keys())
    assert not found[0] & found[1]  # what a thread that a former test has left allocates is not there twice


def test_that_large_blocks_would_be_found() -> None:
    tracemalloc.start()
    try:
        with largest_steps() as steps:
            np.ones(BLOCK // 8 + 1).sum()
    finally:
        tracemalloc.stop()
    assert len(steps) == 1


TICKS, A_FEW = 100, 100
"""Ticks and frames: fewer than in `run.py bench view`, since tracing makes them slow; so they may leave less."""
LEFT_KB = 2 * GROWTH_KB * TICKS / 1_000
"""Twice its share, as the first ticks leave the most."""


def test_that_many_ticks_leave_nothing_behind() -> None:
    with ticking(A_FEW) as tick:
        # What tests before have left behind is still cleared at times; a leak is there both times.
        assert min(growth_kb(tick, TICKS) for _ in range(2)) < LEFT_KB


def test_that_evaluating_leaves_nothing_behind() -> None:
    plan = compile_plan(scene_of(field(MANY)))
    times = np.linspace(0.0, 8.0, 6)
    for t in times[:2]:
        evaluate(plan, t)
    gc.collect()
    tracemalloc.start()
    try:
        for t in times:
            evaluate(plan, t)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 32 * MANY  # a snapshot has twice as much
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
