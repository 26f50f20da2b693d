"""Pauses of Python's garbage collector while many permanent objects are created."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_has_frozen: list[bool] = []
"""Not empty after objects have been frozen. `gc.get_freeze_count` takes 20 ms, because it counts all frozen objects."""


@contextmanager
def pause_collector() -> Generator[None]:
    """Pause the garbage collector while hundreds of thousands of objects are created; usable as a decorator, too.

    Without the repeated scans of the new objects, reading a scene takes a third of the time, and the window starts a
    fifth of a second earlier.

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
                # All objects move to the oldest generation, which the next collections do not scan.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


N_SCENES = 8
"""Number of scenes after which frozen objects are scanned. Reference cycles of each scene may hold half a megabyte."""

n_since_scan: list[int] = [0]


def set_aside() -> None:
    """Exclude all existing objects from garbage collection."""
    _has_frozen[:] = [True]
    gc.freeze()


def set_scene_aside() -> None:
    """Freeze the objects of another scene, and free reference cycles of earlier scenes after every `N_SCENES` scenes.

    The displayed snapshot refers to functions that compute sensor values, and these refer to the snapshot. A frozen
    cycle and its plan would never be freed. Scanning all objects takes a fifth of a second, a little longer than
    opening a scene.
    """
    n_since_scan[0] += 1
    if n_since_scan[0] >= N_SCENES:
        n_since_scan[0] = 0
        gc.unfreeze()
        gc.collect()
    set_aside()
