"""Outlook of a run: how long it still takes is told in time, and what makes it long."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.cli import common
from framescope.core.bodies import RigidBody
from framescope.core.evaluation.compile.simulation_systems import SimulationJob, run_now
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.simulation import simulate
from framescope.core.simulation.outlook import stiff_advice
from framescope.core.simulation.simulate import Cancelled
from framescope.core.simulation.system import Spring, System, SystemBody, SystemPoint
from framescope.core.system.cooperative_yield import report_progress_to
from framescope.core.system.time_left import time_left
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of


def system_of(stiffness: float, damping: float, end: float) -> System:
    pose = {"R_rest": np.eye(3), "p_rest": np.zeros(3), "R_start": np.eye(3), "p_start": np.zeros(3)}
    body = SystemBody("block", RigidBody(2.0, [1.0, 1.0, 1.0]), "finite", **pose, v_start=[0.0] * 3, w_start=[0.0] * 3)
    point = SystemPoint("A", "block", "XYZ", [0.1, 0.0, 0.0])
    return System([body], [point], [Spring("leg", "A", None, stiffness, damping)], [0.0, 0.0, -9.81], 0.0, end)


@pytest.mark.parametrize(
    ("share", "elapsed", "text"),
    [
        (0.5, 10.0, "about 10 s left"),
        (0.1, 20.0, "about 3 min left"),
        (0.001, 20.0, "about 6 h left"),
        (1e-6, 20.0, "more than a day left"),
        (0.999, 10.0, "about 1 s left"),
        (0.0, 100.0, ""),
        (1.0, 100.0, ""),
        (0.5, 1.0, ""),
    ],
)
def test_that_the_time_left_is_said_as_soon_as_it_is_known(share, elapsed, text) -> None:
    assert time_left(share, elapsed) == text


def test_that_a_stiff_spring_is_named_with_what_helps() -> None:
    advice = stiff_advice(system_of(1e3, 2e5, 100.0), "dop853")
    assert advice.startswith("element leg is stiff: its own time is 9.8e-06 s, which takes 3e+06 steps")
    assert "radau" in advice
    assert stiff_advice(system_of(1e12, 0.0, 100.0), "rk45").startswith("element leg is stiff")


def test_that_no_spring_is_blamed_for_a_run_that_is_not_long_for_it() -> None:
    assert stiff_advice(system_of(1e3, 1.0, 100.0), "dop853") == ""
    assert stiff_advice(system_of(1e3, 2e5, 0.01), "dop853") == ""
    assert stiff_advice(system_of(1e3, 2e5, 100.0), "radau") == ""
    assert stiff_advice(system_of(0.0, 0.0, 1e6), "dop853") == ""


def test_that_a_slow_run_tells_of_its_progress_by_the_clock(monkeypatch) -> None:
    now, shares = [0.0], []

    def clock() -> float:
        now[0] += 0.3
        return now[0]

    monkeypatch.setattr(simulate.time, "monotonic", clock)
    progress = simulate.Progress(shares.append, None)
    for i in range(10):
        progress(1e-6 * i)
    assert len(shares) == 5


def test_that_a_run_on_the_spot_is_heard() -> None:
    shares: list[float] = []
    run_now.cache_clear()
    with report_progress_to(lambda share: share is not None and shares.append(share)):
        compile_plan(scene_of(PLATE))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 10


def test_that_a_long_command_tells_how_far_it_is_and_what_makes_it_long(monkeypatch, tmp_path, capsys) -> None:
    stiff = PLATE.replace("stiffness: 200 N/m, damping: 0.5 N s/m", "stiffness: 1e4 N/m, damping: 1e3 N s/m")
    path = tmp_path / "stiff.yaml"
    path.write_text(stiff.replace("end: 1 s", "end: 1000 s"))
    monkeypatch.setattr(common, "PROGRESS_AFTER_S", 0.0)

    def run(self, on_progress, _is_cancelled=None):
        on_progress(0.25)
        raise Cancelled

    monkeypatch.setattr(SimulationJob, "run", run)
    run_now.cache_clear()
    with pytest.raises(Cancelled):
        common.read(str(path), allow_outside=False)
    said = capsys.readouterr().err
    assert "25 % is done after 0 s" in said
    assert "The element spring B is stiff" in said
    assert "radau" in said
