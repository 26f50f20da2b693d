"""Scenes that come and go in one view, and how much memory the process holds: for a test and for a benchmark."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import DARK

EXAMPLES = ("demo", "robot-arm")


def reloader() -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what opens the next example in one and the same view and draws it, and what takes the view down."""
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(640, 360)
    renderer = SceneRenderer(DARK)
    renderer.layers.attach(window)
    names = cycle(EXAMPLES)

    def reload() -> None:
        path = example_path(next(names))
        scene = Document.open(path).scene
        plan = compile_plan(scene, path.parent)
        renderer.set_plan(plan)
        renderer.show(evaluate(plan, plan.start), trails(plan, plan.start))
        renderer.prepare()
        window.Render()

    def close() -> None:
        renderer.detach()
        window.Finalize()

    return reload, close


def resident_kb() -> int:
    """Return the memory of this process that is in use, KB, after a collection; Linux only."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
