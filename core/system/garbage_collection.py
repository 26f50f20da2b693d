"""Pauses of Python's garbage collector while many permanent objects are created."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_has_frozen: list[bool] = []
"""Not empty once objects are frozen; `gc.get_freeze_count` iterates over all of them, which takes 20 ms."""


@contextmanager
def pause_collector() -> Generator[None]:
    """Pause the garbage collector, which would otherwise scan hundreds of thousands of new objects repeatedly.

    This reduces the time to read a scene to a third, and the start of the window by a fifth of a second. It can be used
    as a decorator, too.

    Examples
    --------
    >>> import gc
    >>> with pause_collector():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not _has_frozen:
                # This moves all objects to the oldest generation, which the next collections do not scan.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


N_SCENES = 8
"""Number of scenes after which frozen objects are scanned; cycles of each may hold half a megabyte."""

_n_since_scan: list[int] = [0]


def set_aside() -> None:
    """Exclude all existing objects from garbage collection."""
    _has_frozen[:] = [True]
    gc.freeze()


def set_scene_aside() -> None:
    """Freeze the objects of another scene, and occasionally free cycles left by earlier scenes.

    The displayed snapshot refers to functions that compute sensor values, and these refer to the snapshot. Once frozen,
    such a cycle would never be freed, nor would its plan. Scanning all objects takes a fifth of a second, a little
    longer than opening a scene.
    """
    _n_since_scan[0] += 1
    if _n_since_scan[0] >= N_SCENES:
        _n_since_scan[0] = 0
        gc.unfreeze()
        gc.collect()
    set_aside()
