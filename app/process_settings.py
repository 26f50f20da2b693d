"""Process-wide settings of the window's process, each with its benefit.

Each has a name. The environment variable `WITHOUT` lists settings to leave at their defaults, separated by commas:
``FRAMESCOPE_WITHOUT=garbage,turns framescope``.
"""

from __future__ import annotations

import builtins
import ctypes
import gc
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING

from framescope.app import platforms
from framescope.core.system.garbage_collection import set_aside, set_scene_aside

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

WITHOUT = "FRAMESCOPE_WITHOUT"

NAMES = ("blas", "garbage", "heaps", "imports", "pages", "turns", "vtk")

PERIOD_MS = 250
"""Interval at which the window checks for garbage, ms."""

TURN_S = 1e-4

KEPT_BYTES, LARGEST_KEPT_BYTES = 64 << 20, 32 << 20
"""Freed memory that the C library keeps, and size of a block above which it does not, as glibc's own largest values."""


def is_on(name: str) -> bool:
    """Return whether a setting is active."""
    return name not in os.environ.get(WITHOUT, "").replace(" ", "").split(",")


def one_blas_thread() -> dict[str, str]:
    """Return variables (``blas``) that keep linear algebra in the calling thread; set them before numpy is imported.

    Matrices here are small: 40 links took 24 s with many threads and 4 s with one. Results must not depend on the
    number of cores either.
    """
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    return dict.fromkeys(names, "1") if is_on("blas") else {}


def share_heaps() -> None:
    """Let threads share one heap of the C library (``heaps``); call before threads are started.

    glibc gives each thread its own heap, up to eight per core, and shrinks only the first. Each background task that
    briefly took 20 MB kept them, in one heap after another.
    """
    arena_max = -8  # M_ARENA_MAX of malloc.h
    _set_heaps("heaps", {arena_max: 1})


def keep_freed_pages() -> None:
    """Let the C library keep some freed memory for the next picture (``pages``).

    glibc returns it to the system at once until the program has freed a large block. Each picture of software GL then
    took 370 page faults, which was a fifth of the time to draw it.
    """
    trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
    _set_heaps("pages", {trim_threshold: KEPT_BYTES, mmap_threshold: LARGEST_KEPT_BYTES})


def _set_heaps(setting: str, values: Mapping[int, int]) -> None:
    """Set parameters of the C library's heaps, by their numbers, where there is glibc and the setting is active."""
    is_set = platforms.this_host().is_linux and is_on(setting)
    keep = getattr(ctypes.CDLL(None), "mallopt", None) if is_set else None
    if keep is not None:
        for parameter, value in values.items():
            keep(parameter, value)


def restore_import() -> None:
    """Restore Python's own import (``imports``): PySide's reads the source of every module for features unused here.

    It took a tenth of the time to the first picture.
    """
    if is_on("imports"):
        builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


@cache
def list_vtk_once() -> None:
    """List the folder of VTK's libraries once (``vtk``); VTK's import lists it anew for each of forty modules.

    Reading three hundred names each time took a fiftieth of the time to the first picture.
    """
    import vtkmodules

    look: Callable[[list[str], str], str | None] | None = getattr(vtkmodules, "find_lib_path", None)
    if look is None or not is_on("vtk"):
        return
    files = {file.name: file for folder in reversed(vtkmodules.__path__) for file in Path(folder).iterdir()}

    def find_library(paths: list[str], module: str) -> str | None:
        file = next((files[module + suffix] for suffix in EXTENSION_SUFFIXES if module + suffix in files), None)
        return look(paths, module) if file is None else str(file.resolve())

    vtkmodules.__dict__["find_lib_path"] = find_library


def shorten_switch_interval() -> None:
    """Have threads release Python's lock fifty times as often as by default (``turns``).

    The window releases the lock in most calls of Qt, and waits a whole switch interval of 5 ms to get it back: an edit
    took 2 s while a thread was computing.
    """
    if is_on("turns"):
        sys.setswitchinterval(TURN_S)


def freeze_objects() -> None:
    """Exclude all present objects from garbage collection (``garbage``).

    A window and a scene of a thousand frames are 350 000 objects. Searching them takes a quarter of a second, at any
    time, and finds nothing. Unused objects are still freed, except those in reference cycles.

    Examples
    --------
    >>> import gc
    >>> freeze_objects()
    >>> gc.get_freeze_count() > 0
    True
    """
    if is_on("garbage"):
        set_aside()


def freeze_scene_objects() -> None:
    """Exclude the objects of another scene from garbage collection (``garbage``)."""
    if is_on("garbage"):
        set_scene_aside()


def collect_between_events(window: QObject) -> Callable[[], None]:
    """Collect garbage when Python would, but between a window's events (``garbage``), until it is destroyed.

    Python collects garbage in whichever thread has just created many objects. Widgets, timers and plot items in
    reference cycles would be destroyed there, and destroying them off the GUI thread crashes Qt. Return a function that
    restores Python's collection, for a program that continues after the window.
    """
    from PySide6.QtCore import QTimer

    if not is_on("garbage"):
        return _nothing
    was_on = gc.isenabled()
    if was_on:
        gc.disable()
        window.destroyed.connect(_enable)
    timer = QTimer(window, interval=PERIOD_MS)
    timer.timeout.connect(collect_due_generations)
    timer.start()

    def end() -> None:
        timer.stop()
        if was_on:
            gc.enable()

    return end


def collect_due_generations() -> None:
    """Collect the generations of objects that have exceeded their thresholds."""
    due = [i for i, (n, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if n > limit > 0]
    if due:
        gc.collect(due[-1])


def _enable() -> None:
    gc.enable()


def _nothing() -> None:
    pass
