"""Random use: bounded random events over every widget of the window, for a while (``FRAMESCOPE_MONKEY_S``, 120 s).

Seeded, so that what is found can be found again. Reported are exceptions, pauses of the window besides drawing, and how
much the process has grown after a warm-up.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from tests.bench_run import Row, row

SECONDS = float(os.environ.get("FRAMESCOPE_MONKEY_S", "120"))
SEED = int(os.environ.get("FRAMESCOPE_MONKEY_SEED", "1"))
WARM_UP = 0.25
"""Part of the time after which growth counts."""

SCENES = ("demo", "aircraft", "three-springs", "keyframes", "sensor")
EVENTS_EACH = 400


def run() -> list[Row]:
    """Play, and report."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        return [Row(case="left out: there is no display, start it under xvfb-run", ours=0.0, unit="-")]
    from tests.monkey import PAUSE_S

    found, sizes = play(SECONDS)
    for kind, told in (("error", found.errors), ("pause", [f"{what}: {s:.2f} s" for what, s in found.pauses])):
        for text in told[:20]:
            print(f"{kind}: {text}", file=sys.stderr)
    longest = max((s for _, s in found.pauses), default=0.0)
    return [
        Row(case="events", ours=found.events, unit=""),
        Row(case="exceptions nobody caught", ours=len(found.errors), unit=""),
        Row(case=f"pauses over {1e3 * PAUSE_S:.0f} ms besides drawing", ours=len(found.pauses), unit=""),
        row("longest of them", longest, "s"),
        Row(case="growth after the warm-up", ours=sizes[-1] - sizes[0], unit="MB"),
    ]


def play(seconds: float, n_events: int | None = None, seed: int = SEED) -> tuple[Any, list[float]]:
    """Play for so long, or so many events; return the findings and sizes of the process, MB, after the warm-up."""
    from PySide6.QtTest import QTest

    from framescope.app import startup
    from framescope.app.scenes import example_path
    from framescope.ui.view.scene_view import SceneView
    from tests.monkey import Findings, Monkey
    from tests.reloading import resident_kb

    drawn = [0.0]
    usual_paint = SceneView.paintGL

    def timed(view: SceneView) -> None:
        start = time.perf_counter()
        usual_paint(view)
        drawn[0] += time.perf_counter() - start

    SceneView.paintGL = timed
    startup.make_application()
    found, sizes = Findings(), []
    start = time.perf_counter()
    turn = 0
    try:
        while time.perf_counter() - start < seconds and (n_events is None or found.events < n_events):
            wiring = startup.make_window(example_path(SCENES[turn % len(SCENES)]))
            window = wiring.window
            window.show()
            QTest.qWait(100)
            wiring.session.document.is_handed_back = True
            monkey = Monkey(window, seed + turn, lambda: drawn[0])
            monkey.findings = found
            left = EVENTS_EACH if n_events is None else min(EVENTS_EACH, n_events - found.events)
            monkey.play(left, until=lambda: time.perf_counter() - start > seconds)
            wiring.session.document.is_handed_back = True
            window.close()
            window.deleteLater()
            QTest.qWait(20)
            turn += 1
            if time.perf_counter() - start > WARM_UP * seconds:
                sizes.append(resident_kb() / 1e3)
    finally:
        SceneView.paintGL = usual_paint
    return found, sizes or [0.0]
