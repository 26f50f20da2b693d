"""Random rigs with a wrong entry: how many are right, open and wrong, and the time for each; healthy rigs are silent.

Then a drive of 12 cameras with 2,000 poses around 500,000 points: a picture of 1280x720 in software GL while the view
turns, and the whole one at rest, in time of all processors, which other programs do not change.

More of them, or others: ``python -m tests.bench.bench_rigs COUNT SEED`` in the folder of the repository.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.camera.camera import orbit
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import DARK
from tests.bench.bench_run import Row, row
from tests.support.planted_rigs import planted_rig
from tests.support.reconstructions import write_drive
from tests.support.rig_trials import outcome_of

COUNT, HEALTHY = 200, 50
SIZE, TURNS = (1280, 720), 20


def run() -> list[Row]:
    """Return the outcomes, and the median time of a search."""
    counts, times = outcomes(COUNT, 0)
    rows = [
        Row(case=f"rigs: {outcome} of {COUNT}", ours=counts[outcome], unit="", peer=None)
        for outcome in ("right", "open", "out of sight", "missed", "wrong")
    ]
    healthy = Counter(outcome_of(planted_rig(10_000 + seed, n_faults=0)) for seed in range(HEALTHY))
    rows.append(Row(case=f"healthy rigs: alarms of {HEALTHY}", ours=HEALTHY - healthy["silent"], unit="", peer=None))
    return [*rows, row("search in a rig", 1e3 * statistics.median(times), "ms"), *_pictures()]


def _pictures() -> list[Row]:
    """Return the times of processors for pictures of a drive around a cloud, while it turns and at rest."""
    with tempfile.TemporaryDirectory() as folder:
        loaded = load_scene(write_drive(Path(folder)))
        plan = compile_plan(loaded.scene, access=Access(Path(folder)))
        window = vtkRenderWindow()
        window.SetOffScreenRendering(True)
        window.SetMultiSamples(0)
        window.SetSize(*SIZE)
        renderer = SceneRenderer(DARK)
        renderer.set_live(True)
        renderer.layers.attach(window)
        renderer.set_plan(plan)
        renderer.show(evaluate(plan, 1.0), {})
        first = renderer.camera()

        def draw(k: int, *, is_moving: bool) -> float:
            renderer.set_moving(is_moving)
            renderer.layers.smooth_edges(not is_moving)
            renderer.set_camera(orbit(first, 0.02 * k, 0.0))
            start = time.process_time()
            renderer.prepare()
            window.Render()
            window.WaitForCompletion()
            return 1e3 * (time.process_time() - start)

        turning, whole = ([draw(k, is_moving=is_moving) for k in range(TURNS)] for is_moving in (True, False))
        renderer.detach()
        window.Finalize()
    case = "12 cameras, 2,000 poses, 500,000 points"
    return [
        row(f"{case}: a picture while turning", statistics.median(turning[1:]), "ms"),
        row(f"{case}: the whole picture at rest", statistics.median(whole[1:]), "ms"),
    ]


def outcomes(count: int, seed: int) -> tuple[Counter[str], list[float]]:
    """Return the outcomes of so many rigs, and the time for each, s."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    for k in range(seed, seed + count):
        rig = planted_rig(k)
        start = time.perf_counter()
        counts[outcome_of(rig)] += 1
        times.append(time.perf_counter() - start)
    return counts, times


if __name__ == "__main__":
    counted, seconds = outcomes(int(sys.argv[1]), int(sys.argv[2]))
    print(dict(counted), f"{1e3 * statistics.median(seconds):.1f} ms each, at most {1e3 * max(seconds):.0f} ms")
