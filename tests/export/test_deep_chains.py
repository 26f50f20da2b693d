"""Scenes whose frames form one long chain: the work of an export grows in proportion to the frames."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.signal_curves import sample_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.scene.schema.model import Scene

SHORT, LONG = 200, 400
"""Numbers of frames in the chains."""

MAX_GROWTH = 2.8
"""Largest ratio of the work for both chains; 2 in proportion to the frames, 4 in proportion to their square."""

TRIES = 2, 8
"""Least and largest number of measurements of either chain, in turn; the fastest count, as others share the machine."""


RESTS, TURNS = "0", "20*t"
"""Angles of the first frame, in degrees."""

Work = Callable[[Scene, Plan], None]


def chain(n: int, angle: str) -> Scene:
    """Return a scene of n frames, each in the one before, of which the first turns by an angle in degrees."""
    names = ["world", *(f"c{i}" for i in range(n))]
    frames: dict[str, dict[str, object]] = {name: {"parent": above} for above, name in pairwise(names)}
    frames["c0"]["orientation"] = {"form": "axis", "axis": "z", "angle": angle, "unit": "deg"}
    return Scene.model_validate({"framescope": 1, "frames": frames})


def cpu_seconds(work: Work, n: int, angle: str) -> float:
    """Return the time of the processor for some work with a fresh plan of a chain, s."""
    scene = chain(n, angle)
    plan = compile_plan(scene)
    gc.collect()
    start = time.process_time()
    work(scene, plan)
    return time.process_time() - start


def assert_grows_in_proportion(work: Work, angle: str) -> None:
    small = chain(3, angle)
    work(small, compile_plan(small))  # imports modules and fills caches
    least, largest = TRIES
    short = long = np.inf
    for i in range(largest):
        short, long = min(short, cpu_seconds(work, SHORT, angle)), min(long, cpu_seconds(work, LONG, angle))
        if i + 1 >= least and long < MAX_GROWTH * short:
            return
    pytest.fail(f"{short:.2f} s for {SHORT} frames, {long:.2f} s for {LONG}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options", "angle"),
    [
        ("a.csv", {}, RESTS),
        ("a.csv", {}, TURNS),
        ("a.csv", {"long": True}, RESTS),
        ("a.usda", {}, RESTS),
        ("a.html", {"interactive": True}, RESTS),
    ],
)
def test_that_an_export_of_a_chain_grows_with_its_frames(tmp_path: Path, name: str, options: dict, angle: str) -> None:
    assert_grows_in_proportion(
        lambda scene, plan: export(scene, plan, tmp_path / name, start=0.0, stop=0.2, fps=10, **options), angle
    )


@pytest.mark.long
@pytest.mark.parametrize("angle", [RESTS, TURNS])
def test_that_many_signals_of_a_chain_grow_with_its_frames(angle: str) -> None:
    kinds = "velocity of {0} relative to world resolved in {0} in m/s", "angles of {0} relative to world by ZYX in deg"

    def sample(scene: Scene, plan: Plan) -> None:
        signals = [parse_signal(kind.format(name), scene) for name in scene.frames for kind in kinds]
        assert len(list(sample_curves(plan, signals, np.linspace(0.0, 1.0, 3)))) == len(signals)

    assert_grows_in_proportion(sample, angle)
