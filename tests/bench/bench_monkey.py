"""Random use: bounded random events over every widget of the window, for a while (``FRAMESCOPE_MONKEY_S``, 120 s).

Seeded (``FRAMESCOPE_MONKEY_SEED``), so that what is found can be found again. Reported are exceptions, pauses of the
window besides drawing, how the process grows after a warm-up, and the kinds of widgets that no event has reached.

Where there is a window manager to be had, the window has one, which maximises, moves and resizes it now and then; and
after each window the program is started as a process with the settings that are left, on other screens and at other
scales, left by keys, the button of its frame, a signal or a kill, and started again. Starts that fail are reported.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pkgutil
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.bench.bench_run import Row, calibrate, keep_settings_in, row, slowness
from tests.support.desktop import Desktop, desktop, is_managed, lacking, window_manager
from tests.support.restarts import SCREENS, Restarts

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.ui.window.main_window import MainWindow

SECONDS = float(os.environ.get("FRAMESCOPE_MONKEY_S", "120"))
SEED = int(os.environ.get("FRAMESCOPE_MONKEY_SEED", "1"))
WARM_UP = 0.3
"""Part of the time after which growth counts."""

WARM_UP_S = 600.0
"""Time after which the memory is to be flat, where it is played for longer."""

SCENES = (
    *("demo", "aircraft", "three-springs", "keyframes", "sensor", "recorded-camera", "robot-arm"),
    *("faulty/gyro-frame", "faulty/misspelt-parent", "pendulum", "drift", "faulty/shuffled-packets"),
    *("gimbal-lock", "spatial-velocity", "tennis-racket", "field"),
)
"""A round of documents; the next one is of the same."""

EVENTS_EACH = 400
"""How many events a window gets before the next one is opened."""

EVENTS_BETWEEN = 80
"""How many of them lie between two orders of the window manager."""

STARTS_EACH = 2
"""How often the program is started with what is left of each window."""


def run() -> list[Row]:
    """Play, and report."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        return [Row(case="left out: there is no display, start it under xvfb-run", ours=0.0, unit="-")]
    from tests.support.drawing_time import DRESSED_S
    from tests.support.monkey import PAUSE_S

    with managed_desktops() as desktops:
        restarts = Restarts(desktops, SEED)
        found, times, sizes, held = play(SECONDS, restarts=restarts if desktops else None)
    if not desktops:
        print(f"left out: starts of the program, {lacking()}", file=sys.stderr)
    for text in (restarts.errors + found.errors)[:20]:
        print(f"error: {text}", file=sys.stderr)
    usual = float(np.median(found.slownesses))
    for pause in sorted(found.pauses, key=lambda pause: -pause.cpu_s)[:40]:
        told = f"{pause.wall_s:.2f} s, {pause.cpu_s:.2f} s of work, {pause.at(usual):.2f} s at the median speed"
        print(f"pause: {pause.what}: {told}", file=sys.stderr)
    missed = sorted(f"{kind.__module__}.{kind.__qualname__}" for kind in widget_kinds() - set(found.reached))
    print(f"never reached: {', '.join(missed) or 'nothing'}", file=sys.stderr)
    growth = second_round(times, sizes)
    words = "not measured: play for longer" if growth is None else f"{growth:+.1f} MB"
    longest = max((pause.wall_s for pause in found.pauses), default=0.0)
    print(
        f"monkey: growth of the second round {words}, longest pause {1e3 * longest:.0f} ms, "
        f"exceptions {len(found.errors) + len(restarts.errors)}",
        file=sys.stderr,
    )
    slow = sum(pause.at(usual) > PAUSE_S for pause in found.pauses)
    return [
        Row(case="events", ours=found.events, unit=""),
        Row(case="exceptions nobody caught", ours=len(found.errors), unit=""),
        Row(case="starts of the program", ours=restarts.count, unit=""),
        Row(case="of them gone wrong", ours=len(restarts.errors), unit=""),
        Row(case=f"pauses over {1e3 * PAUSE_S:.0f} ms besides drawing", ours=len(found.pauses), unit=""),
        Row(case="of them at the machine's median speed", ours=slow, unit=""),
        row("longest pause", longest, "s"),
        Row(case="changes of theme", ours=len(DRESSED_S), unit=""),
        row("longest of them, work", max(DRESSED_S, default=0.0), "s"),
        Row(case="of them with so much work", ours=sum(pause.cpu_s > PAUSE_S for pause in found.pauses), unit=""),
        Row(case="kinds of widgets never reached", ours=len(missed), unit=""),
        *([] if growth is None else [Row(case="growth of the process by the second round", ours=growth, unit="MB")]),
        Row(case="growth of the process after the warm-up", ours=slope(times, sizes), unit="MB/min"),
        Row(case="growth of what it has allocated", ours=slope(times, held), unit="MB/min"),
    ]


def slope(times: list[float], sizes: list[float]) -> float:
    """Return how fast the process grows, MB/min: a straight line through what was measured after the warm-up."""
    kept = [(t, size) for t, size in zip(times, sizes, strict=True) if t > WARM_UP * times[-1]]
    return float(np.polyfit(*zip(*kept, strict=True), 1)[0]) * 60 if len(kept) > 2 else 0.0


def second_round(times: list[float], sizes: list[float]) -> float | None:
    """Return how much larger the process is after another round of the same documents, MB; None without one.

    The first round of the two ends after the warm-up, so that what is loaded once is there. Each document is compared
    with itself: some hold more than others.
    """
    n = len(SCENES)
    n_rounds = len(sizes) // n
    if n_rounds < 2:
        return None
    n_warm = sum(t < min(WARM_UP_S, WARM_UP * times[-1]) for t in times)
    first = n * min(-(-n_warm // n), n_rounds - 2)
    pairs = zip(sizes[first : first + n], sizes[first + n : first + 2 * n], strict=True)
    return float(np.median([after - before for before, after in pairs]))


def widget_kinds() -> set[type]:
    """Return every widget class of the program."""
    from PySide6.QtWidgets import QWidget

    import framescope.features
    import framescope.ui

    for package in (framescope.ui, framescope.features):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found: set[type] = set()
    open_kinds: list[type] = [QWidget]
    while open_kinds:
        below = open_kinds.pop().__subclasses__()
        open_kinds += below
        # What others build on is met in those.
        ours = ("framescope.ui", "framescope.features")
        found |= {kind for kind in below if kind.__module__.startswith(ours) and not kind.__subclasses__()}
    return found


def play(
    seconds: float, n_events: int | None = None, seed: int = SEED, restarts: Restarts | None = None
) -> tuple[Any, list[float], list[float], list[float]]:
    """Play for so long, or so many events; with `restarts` after each window, and a window manager meanwhile.

    Return the findings, times, s, with sizes of the process then, and how much of them is allocated, MB.
    """
    from PySide6.QtTest import QTest

    from framescope.app import startup
    from framescope.app.background import preload
    from framescope.app.session.scene_lookup import example_path
    from framescope.app.storage.log import Log
    from framescope.app.storage.settings_store import wait_until_written
    from framescope.ui.dialogs.recovery_dialog import RecoveryDialog
    from tests.support.drawing_time import drawing_timed
    from tests.support.monkey import Findings, Monkey
    from tests.support.reloading import resident_kb

    found, times, sizes, held = Findings(), [], [], []
    start, turn = time.perf_counter(), 0
    with drawing_timed() as watch, tempfile.TemporaryDirectory() as made:
        keep_settings_in(Path(made))
        startup.make_application()
        for module in preload.LATER:  # as at rest after every start
            importlib.import_module(module)
        log = Log()
        while time.perf_counter() - start < seconds and (n_events is None or found.events < n_events):
            folder = Path(made) / str(turn)
            folder.mkdir()
            keep_settings_in(folder)
            found.slownesses.append(slowness(calibrate()))
            path = example_path(SCENES[turn % len(SCENES)])
            wiring = startup.make_window(path)
            wiring.preferences.keep_log(log.feed)
            window = wiring.window
            window.show()
            QTest.qWait(100)
            wiring.preferences.offer_first_steps()
            if turn % 4 == 1:
                RecoveryDialog([("arm.yaml", "1 May, 12:00"), ("untitled.yaml", "1 May, 11:00")], window).open()
            if turn % 6 == 5:
                find_conventions(wiring.window)
            wiring.session.document.is_handed_back = True
            startup.control_garbage_collection(wiring)  # as at every start
            monkey = Monkey(window, seed + turn, watch.read, files=things_to_open(folder), folder=folder)
            monkey.findings = found
            with monkey.alone():
                look_at_everything(wiring)
            left = EVENTS_EACH if n_events is None else min(EVENTS_EACH, n_events - found.events)
            for i in range(0, left, EVENTS_BETWEEN):
                monkey.play(min(EVENTS_BETWEEN, left - i), until=lambda: time.perf_counter() - start > seconds)
                if restarts is not None:
                    order(window, random.Random(f"{seed + turn} {i}"))
            gc.unfreeze()
            wiring.session.document.is_handed_back = True
            wiring.exports.close()  # else closing asks, and nobody answers
            with monkey.alone():  # the scene that was open before a lesson is asked about
                window.close()
            window.deleteLater()
            del wiring, window, monkey
            QTest.qWait(20)
            if restarts is not None:
                wait_until_written()
                restarts.play(folder, STARTS_EACH, str(path))
            turn += 1
            times.append(time.perf_counter() - start)
            give_back()
            sizes.append(resident_kb() / 1e3)
            held.append(allocated_mb())
        log.close()
    return found, times, sizes, held


def look_at_everything(wiring: Wiring) -> None:
    """Select every item, show the selected frame turn by turn by its keys, and go to the full screen and back."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from framescope.core.scene.schema.model import ITEM_KINDS

    session, window = wiring.session, wiring.window
    subject = session.selection
    for kind in ITEM_KINDS:
        for name in getattr(session.plan.scene, kind):
            session.select((kind, name))
            QApplication.processEvents()
    session.select(subject)
    for _ in range(2):
        window.commands.staged.trigger()
        for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End):
            QTest.keyClick(window.scene_view, key)
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(window.scene_view, Qt.Key.Key_Escape)
        window.commands.present.trigger()
        QTest.qWait(30)
    QApplication.processEvents()


@contextmanager
def managed_desktops() -> Iterator[list[Desktop]]:
    """Give the display a window manager, and desktops to start the program on, where they are to be had."""
    with ExitStack() as held:
        if lacking() is not None:
            yield []
            return
        display = os.environ["DISPLAY"]
        if not is_managed(display):
            held.enter_context(window_manager(display))
        yield [held.enter_context(desktop(*size)) for size in SCREENS]


def order(window: MainWindow, choice: random.Random) -> None:
    """Have the window manager do something to the window, as a hand at its frame does."""
    from PySide6.QtTest import QTest

    handle, own = hex(window.winId()), Desktop(os.environ["DISPLAY"], 0, 0)
    sizes = ((900, 600), (1280, 800), (1500, 900))
    place = ",".join(map(str, ("0", choice.randrange(200), choice.randrange(100), *choice.choice(sizes))))
    maximised = ("-b", "toggle,maximized_vert,maximized_horz")
    own.manage(handle, *choice.choice((maximised, ("-b", "toggle,fullscreen"), ("-e", place), ("-e", place))))
    QTest.qWait(50)


def find_conventions(window: MainWindow) -> None:
    """Have the detective find something out: of what the monkey types it can make nothing."""
    from framescope.features.detective.core.interpretations import Interpretation
    from framescope.features.detective.ui.detective_panel import DetectivePanel
    from tests.support.detective_cases import as_text, random_matrices
    from tests.support.whole_window import wait_for

    window.show_dock("detective")
    wait_for(lambda: window.findChild(DetectivePanel) is not None, for_s=60.0)
    panel = window.findChild(DetectivePanel)
    R = random_matrices(np.random.default_rng(3), 20)
    panel.a.text.setPlainText(as_text(Interpretation("angles", "ZYX", "deg").numbers(R)))
    panel.b.text.setPlainText(as_text(Interpretation("quaternion", "xyzw").numbers(R)))
    wait_for(lambda: panel.comparison is not None, for_s=120.0)
    panel.show_findings()


def give_back() -> None:
    """Let the C library give back what it keeps for later: what is left is what the program holds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        gc.collect()
        trim(0)


def allocated_mb() -> float:
    """Return what is allocated from the C library, by Qt, VTK and numpy, MB; 0 where it does not tell."""
    told = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if told is None:
        return 0.0
    told.restype = _Mallinfo2
    found = told()
    return (found.hblkhd + found.uordblks) / 1e6


class _Mallinfo2(ctypes.Structure):
    """What glibc's `mallinfo2` returns; `hblkhd` is mapped and `uordblks` taken from its heaps, in bytes."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "top",
        )
    )


def things_to_open(folder: Path) -> list[Path]:
    """Return files to open, import and drop: scenes, one of which names a file outside its folder, and recordings."""
    from framescope.app.session.scene_lookup import example_path

    outside = folder / "outside"
    outside.mkdir()
    scene = outside / "asks.yaml"
    table = folder / "gyro.csv"
    table.write_text("t,wx,wy,wz\n" + "".join(f"{0.01 * i:.2f},0,0,{i % 7}\n" for i in range(400)))
    scene.write_text(
        "framescope: 1\nframes:\n  a: {parent: world}\nmeasured:\n  gyro: {form: angular velocity, of: a, "
        "relative_to: world, resolved_in: a, unit: deg/s, file: ../gyro.csv, time: t, time_unit: s, "
        "values: [wx, wy, wz]}\n"
    )
    recording = example_path("recorded-camera").parent / "freiburg1_xyz.txt"
    return [scene, table, recording, recording, folder / "missing.yaml"]
