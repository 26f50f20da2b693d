"""The window: what a tick costs beside drawing, and how long a slider takes to the picture.

The scene has 100 frames in a tree ten deep, all of them turning, and four plots of 10 000 points a curve. Drawing is
the render of the 3D view and the painting of the widgets; everything else that a tick does is ours. Slider to picture
is from the mouse event to the end of the render of the frame that shows it, on whatever GL the machine has. A long drag
sends the next movement as soon as the last one is drawn: numbers and curves come along in between, and the time of a
frame has all that the window does for it. CPU is that of the thread of the window, which a busy machine leaves alone.

Then the demo at 1440 × 900: from each kind of input to its picture. A selection, a change of place and a resize are
measured until the whole window is painted. The kinds take turns. Each input is scaled by the calibrations before and
after it to the same machine when idle, which is the fastest tenth of all calibrations of the run: other users of the
machine come and go within a second, and times scaled so scatter half as much from turn to turn.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from framescope.core.scene.schema.model import Scene
from tests.bench.bench_run import BOUND, Row, calibrate, row, slowness

FRAMES, DEPTH, PLOTS, POINTS = 100, 10, 4, 10_000
TICKS, DRAGS, SETTLED = 60, 40, 4
TICK_BOUND_MS, SLIDER_BOUND_MS = 16.0, 25.0
"""Bounds of a tick, as DESIGN has it, and of a slider on two idle cores."""

DEMO_SIZE, INPUTS, ROUNDS = (1440, 900), 12, 6
"""Size of the window with the demo, number of inputs of each kind in a turn, and number of turns."""

BOUNDS_MS = {
    "slider": 20.0,
    "orbit": 16.0,
    "scrub": 20.0,
    "selection": 40.0,
    "change of place": 120.0,
    "resize": 100.0,
}
"""Bounds from an input to its picture on two idle cores."""


def scene_of(n_frames: int) -> Scene:
    """Return a scene of turning frames, the first of which has constant angles to be dragged."""
    frames: dict[str, Any] = {"hand": {"parent": "world", "orientation": _axes(10.0, 20.0, 30.0)}}
    for i in range(1, n_frames):
        parent = f"f{i - 1}" if i % DEPTH > 1 else "hand"
        angles = (f"40*sin(0.{i % 9 + 1}*t)", f"30*cos(0.{i % 7 + 1}*t)", f"{i}*t")
        position = {"value": [0.3, 0.05 * (i // DEPTH), 0.0], "unit": "m"}
        frames[f"f{i}"] = {"parent": parent, "position": position, "orientation": _axes(*angles)}
    plots = [
        {"signal": signal, "of": f"f{n_frames - 1 - i}", "relative_to": "world"}
        | ({"resolved_in": "world"} if signal != "quaternion" else {})
        for i, signal in enumerate(("angular velocity", "velocity", "position", "quaternion"))
    ]
    units = {"angular velocity": "deg/s", "velocity": "m/s", "position": "m"}
    for plot in plots:
        if plot["signal"] in units:
            plot["unit"] = units[plot["signal"]]
    return Scene.model_validate({"framescope": 1, "time": {"end": "20 s"}, "frames": frames, "view": {"plots": plots}})


def _axes(*angles: float | str) -> dict[str, Any]:
    return {"form": "axes", "sequence": "XYZ", "angles": angles, "unit": "deg"}


def run() -> list[Row]:
    """Measure."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        return [Row(case="left out: there is no display, start it under xvfb-run", ours=0.0, unit="-")]
    from PySide6.QtTest import QTest

    from framescope.app import startup
    from framescope.app.session.document import Document
    from framescope.ui.plots.plot_content import plot_contents

    startup.make_application()
    scene = scene_of(FRAMES)
    wiring = startup.window_on(Document(scene, is_handed_back=True))
    window, session = wiring.window, wiring.session
    window.resize(1280, 800)
    window.show()
    QTest.qWait(500)
    session.select(("frames", "hand"))
    window.plots.set_plots(plot_contents(session.plan, POINTS), (session.plan.start, session.plan.end))
    curves = sum(len(plot.curves.styles) for plot in window.plots.plots if plot.curves is not None)
    rows = [Row(case=f"curves of {POINTS} points in {len(window.plots.plots)} plots", ours=curves, unit="")]
    rows.append(row("tick beside drawing", _tick_ms(wiring), "ms", BOUND, TICK_BOUND_MS))
    picture = _slider_ms(wiring, rests=True)
    rows.append(row("slider to picture", picture.wall, "ms", BOUND, SLIDER_BOUND_MS))
    rows.append(row("slider to picture, CPU", picture.cpu, "ms CPU"))
    drag = _slider_ms(wiring, rests=False)
    rows.append(row("a frame of a long drag", drag.frame, "ms"))
    rows.append(row("a frame of a long drag, CPU", drag.frame_cpu, "ms CPU"))
    window.close()
    return rows + _demo_rows()


def _demo_rows() -> list[Row]:
    """Return the times from inputs to their pictures in a window with the demo."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    from framescope.app import startup
    from framescope.app.session.document import Document
    from framescope.app.session.scene_lookup import DEMO, find_scene
    from framescope.ui.window.places import PLACES

    wiring = startup.window_on(Document.open(find_scene(DEMO)))
    wiring.session.document.is_handed_back = True  # no question at the end
    window = wiring.window
    window.resize(*DEMO_SIZE)
    window.show()
    QTest.qWait(500)
    wiring.session.select(("frames", "inner ring"))
    QTest.qWait(200)
    view, track, tree = window.scene_view, window.timeline.track, window.outline.tree
    slider = window.inspector.orientation.rows[0].slider
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    def measure(act: Callable[[int], object], *, is_whole: bool = False) -> list[TimedInput]:
        return [
            TimedInput(_ms_to_picture(wiring, partial(act, i), is_whole=is_whole), calibrate(repeats=1))
            for i in range(INPUTS)
        ]

    def drag(widget: Any, start: QPoint, step: QPoint) -> list[TimedInput]:
        QTest.mousePress(widget, left, plain, start)
        inputs = measure(lambda i: QTest.mouseMove(widget, start + step * (2 + i)))
        QTest.mouseRelease(widget, left, plain, start + step * (2 + INPUTS))
        return inputs

    def row_of(name: str) -> QPoint:
        return tree.visualRect(tree.index_of(("frames", name))).center()

    def select(i: int) -> None:
        QTest.mouseClick(tree.viewport(), left, plain, row_of(("camera", "inner ring")[i % 2]))

    def change_place(i: int) -> None:
        window.commands.places[list(PLACES)[(i + 1) % len(PLACES)]].trigger()

    def resize(i: int) -> None:
        window.resize(DEMO_SIZE[0] - 40 * (i % 2), DEMO_SIZE[1] - 30 * (i % 2))

    track_start = QPoint(track.width() // 4, track.height() // 2)
    toward = itertools.cycle([1, -1])  # there and back, so that no drag comes to its end
    kinds: dict[str, Callable[[], list[TimedInput]]] = {
        "slider": lambda: drag(slider, QPoint(round(slider.knob_x()), slider.height() // 2), QPoint(next(toward), 0)),
        "orbit": lambda: drag(view, view.rect().center(), QPoint(4, 1)),
        "scrub": lambda: drag(track, track_start, QPoint(5, 0)),
        "selection": lambda: measure(select, is_whole=True),
        "change of place": lambda: measure(change_place, is_whole=True),
        "resize": lambda: measure(resize, is_whole=True),
    }
    turns = [(name, turn()) for _ in range(ROUNDS) for name, turn in kinds.items()]
    window.close()
    return rows_of_inputs(turns)


class TimedInput(NamedTuple):
    """Time from an input to its picture, ms, and the calibration after it."""

    ms: float
    calibration: dict[str, float]


def rows_of_inputs(turns: list[tuple[str, list[TimedInput]]]) -> list[Row]:
    """Return the median time of each kind of input, as measured and as on the same machine when idle."""
    calibrations = [timed.calibration for _, inputs in turns for timed in inputs]
    idle = {
        kernel: statistics.quantiles((each[kernel] for each in calibrations), n=10)[0] for kernel in calibrations[0]
    }
    raw: dict[str, list[float]] = {name: [] for name in BOUNDS_MS}
    at_idle: dict[str, list[float]] = {name: [] for name in BOUNDS_MS}
    for name, inputs in turns:
        for before, timed in itertools.pairwise(inputs[SETTLED - 1 :]):
            factor = (slowness(before.calibration, idle) + slowness(timed.calibration, idle)) / 2
            raw[name].append(timed.ms)
            at_idle[name].append(timed.ms / factor)
    return [
        Row(
            **row(f"{name} to picture, demo", statistics.median(at_idle[name]), "ms", BOUND, bound),
            raw=statistics.median(raw[name]),
        )
        for name, bound in BOUNDS_MS.items()
    ]


def _ms_to_picture(wiring: Any, act: Callable[[], object], *, is_whole: bool = False) -> float:
    """Return the time from an input to the end of the render that follows, or of all painting; ms."""
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()
    while wiring.is_behind:
        QApplication.processEvents()
    QApplication.processEvents()
    drawn: list[float] = []
    connection = wiring.window.scene_view.frameSwapped.connect(lambda: drawn.append(time.perf_counter()))
    start = time.perf_counter()
    act()
    while not drawn and time.perf_counter() - start < 2.0:
        QApplication.processEvents()
    end = drawn[0]
    if is_whole:
        while wiring.is_behind:
            QApplication.processEvents()
        QApplication.processEvents()
        end = time.perf_counter()
    wiring.window.scene_view.disconnect(connection)
    return 1e3 * (end - start)


def _tick_ms(wiring: Any) -> float:
    """Return the median time of what a tick does before anything is drawn; drawing is done between the ticks."""
    from PySide6.QtWidgets import QApplication

    times = []
    for i in range(TICKS):
        start = time.perf_counter()
        wiring.session.scrub(0.1 + 0.05 * i)
        times.append(1e3 * (time.perf_counter() - start))
        QApplication.processEvents()
    return statistics.median(times[5:])


class Drag(NamedTuple):
    """Drag of a slider, ms: from a movement to its picture, and all that there is to do for one."""

    wall: float
    cpu: float
    frame: float
    frame_cpu: float


def _slider_ms(wiring: Any, *, rests: bool) -> Drag:
    """Return the median times of movements of a slider; a hand that `rests` waits until all has followed."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    view = wiring.window.scene_view
    slider = wiring.window.inspector.orientation.rows[0].slider
    middle = slider.height() // 2
    x = round(slider.knob_x())
    drawn: list[tuple[float, float]] = []
    view.frameSwapped.connect(lambda: drawn.append((time.perf_counter(), time.thread_time())))
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, middle))
    times: list[tuple[float, float]] = []
    begun = 0.0, 0.0
    for i in range(DRAGS):
        QApplication.processEvents()
        while rests and wiring.is_behind:
            QApplication.processEvents()
        QApplication.processEvents()
        if i == SETTLED:
            begun = time.perf_counter(), time.thread_time()
        drawn.clear()
        start = time.perf_counter(), time.thread_time()
        QTest.mouseMove(slider, QPoint(x + 3 + i % 2, middle))
        while not drawn and time.perf_counter() - start[0] < 2.0:
            QApplication.processEvents()
        times.append((drawn[0][0] - start[0], drawn[0][1] - start[1]))
    frame, frame_cpu = time.perf_counter() - begun[0], time.thread_time() - begun[1]
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, middle))
    wall, cpu = (statistics.median(each) for each in zip(*times[SETTLED:], strict=True))
    n = DRAGS - SETTLED
    return Drag(*(1e3 * each for each in (wall, cpu, frame / n, frame_cpu / n)))
