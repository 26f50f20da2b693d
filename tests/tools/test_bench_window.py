"""Times from inputs to pictures are scaled to the same machine when idle."""

from __future__ import annotations

import random

import pytest

from tests.bench.bench_window import BOUNDS_MS, INPUTS, TimedInput, rows_of_inputs

IDLE = {"numpy kernel": 0.0035, "python loop": 0.008}
TRUE_MS = {name: 0.9 * bound for name, bound in BOUNDS_MS.items()}


@pytest.mark.parametrize("share", [0.0, 0.5, 0.8])
def test_that_others_who_share_the_machine_do_not_change_the_times(share: float) -> None:
    others = random.Random(1)
    turns: list[tuple[str, list[TimedInput]]] = []
    for name in [*BOUNDS_MS] * 6:
        # They come and go more slowly than inputs follow each other.
        slowness = 1.7 if others.random() < share else 1.0
        calibration = {kernel: slowness * seconds for kernel, seconds in IDLE.items()}
        turns.append((name, [TimedInput(slowness * TRUE_MS[name], calibration)] * INPUTS))
    for row, (name, ms) in zip(rows_of_inputs(turns), TRUE_MS.items(), strict=True):
        assert row.get("case") == f"{name} to picture, demo"
        assert row.get("ours") == pytest.approx(ms)
        assert row.get("raw", 0.0) >= ms - 1e-9
        assert row.get("ratio") == pytest.approx(1 / 0.9)


def test_that_a_slow_picture_on_an_idle_machine_stays_slow() -> None:
    turns = [(name, [TimedInput(2.0 * ms, IDLE)] * INPUTS) for name, ms in TRUE_MS.items()]
    assert [row.get("ratio") for row in rows_of_inputs(turns)] == pytest.approx([1 / 1.8] * len(BOUNDS_MS))
