"""Process-wide settings of a window's process: each with what it gains.

Each has a name. Those that the environment variable `WITHOUT` names, with commas between, are left as Python and the
system have them: ``FRAMESCOPE_WITHOUT=garbage,turns framescope``.
"""

from __future__ import annotations

import builtins
import ctypes
import gc
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING

from framescope.app import platforms
from framescope.core.system.garbage_collection import set_aside, set_scene_aside

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

WITHOUT = "FRAMESCOPE_WITHOUT"

NAMES = ("blas", "garbage", "heaps", "imports", "turns", "vtk")

PERIOD_MS = 250
"""How often the window looks for garbage."""

TURN_S = 1e-4


def is_on(name: str) -> bool:
    """Return whether a setting is made."""
    return name not in os.environ.get(WITHOUT, "").replace(" ", "").split(",")


def one_blas_thread() -> dict[str, str]:
    """Return the variables (``blas``) that keep linear algebra in the thread that calls it, before numpy is imported.

    Matrices here are small: 40 links took 24 s with many threads and 4 with one. And no number may depend on how many
    cores a machine has.
    """
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    return dict.fromkeys(names, "1") if is_on("blas") else {}


def share_heaps() -> None:
    """Let threads share one heap of the C library (``heaps``); before there are any.

    glibc gives each its own, up to eight per core, and trims the top of none of them but the first: each work beside
    the window that took 20 MB for a moment left them behind, in one heap after another.
    """
    has_heaps = platforms.this_host().is_linux and is_on("heaps")
    keep = getattr(ctypes.CDLL(None), "mallopt", None) if has_heaps else None
    if keep is not None:
        arena_max = -8  # M_ARENA_MAX of malloc.h
        keep(arena_max, 1)


def import_plainly() -> None:
    """Import as Python does (``imports``): PySide's own import reads the source of every module, for unused features.

    That took a tenth of the time to the first picture.
    """
    if is_on("imports"):
        builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


@cache
def list_vtk_once() -> None:
    """List the folder of VTK's libraries once (``vtk``), in which its import looks anew for each of forty modules.

    It went through three hundred names each time: a fiftieth of the time to the first picture.
    """
    import vtkmodules

    look: Callable[[list[str], str], str | None] | None = getattr(vtkmodules, "find_lib_path", None)
    if look is None or not is_on("vtk"):
        return
    files = {file.name: file for folder in reversed(vtkmodules.__path__) for file in Path(folder).iterdir()}

    def found(paths: list[str], module: str) -> str | None:
        file = next((files[module + suffix] for suffix in EXTENSION_SUFFIXES if module + suffix in files), None)
        return look(paths, module) if file is None else str(file.resolve())

    vtkmodules.__dict__["find_lib_path"] = found


def take_short_turns() -> None:
    """Have threads pass Python's lock on fifty times as often as by default (``turns``).

    The window gives the lock away with most calls of Qt, and waits a whole turn to have it back: 5 ms each, by which
    an edit took 2 s while a thread was at work.
    """
    if is_on("turns"):
        sys.setswitchinterval(TURN_S)


def keep_what_stands() -> None:
    """Set what there is by now aside, where the garbage collector does not look (``garbage``).

    A window and a scene of a thousand frames are 350 000 objects: to look through them takes a quarter of a second, at
    any time, and finds nothing. What of them goes is freed as ever, unless it is part of a cycle.

    Examples
    --------
    >>> import gc
    >>> keep_what_stands()
    >>> gc.get_freeze_count() > 0
    True
    """
    if is_on("garbage"):
        set_aside()


def keep_what_stands_of_scene() -> None:
    """Set aside what there is with another scene (``garbage``)."""
    if is_on("garbage"):
        set_scene_aside()


def collect_between_events(window: QObject) -> Callable[[], None]:
    """Look for garbage when Python would, but between the events of a window (``garbage``), as long as it is there.

    Python looks for garbage in whichever thread has just made many objects. What it finds may be widgets, timers and
    items of plots that were part of a cycle, and Qt does not survive that these go in another thread than their own.
    Return what leaves it to Python again: the window is closed, and its program goes on.
    """
    from PySide6.QtCore import QTimer

    if not is_on("garbage"):
        return _nothing
    was_on = gc.isenabled()
    if was_on:
        gc.disable()
        window.destroyed.connect(_enable)
    timer = QTimer(window, interval=PERIOD_MS)
    timer.timeout.connect(collect_what_is_due)
    timer.start()

    def end() -> None:
        timer.stop()
        if was_on:
            gc.enable()

    return end


def collect_what_is_due() -> None:
    """Look through the generations of objects that have grown beyond their thresholds."""
    due = [i for i, (n, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if n > limit > 0]
    if due:
        gc.collect(due[-1])


def _enable() -> None:
    gc.enable()


def _nothing() -> None:
    pass
