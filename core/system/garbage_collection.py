"""Pauses of Python's garbage collector while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_aside: list[bool] = []
"""Not empty once objects are set aside: `gc.get_freeze_count` looks through all of them, which takes 20 ms."""


@contextmanager
def collector_paused() -> Generator[None]:
    """Keep the garbage collector from looking, again and again, through hundreds of thousands of new objects.

    Reading a scene takes a third of the time so, and starting the window a fifth of a second less. Also a decorator.

    Examples
    --------
    >>> import gc
    >>> with collector_paused():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not _aside:
                # At once among the old objects: else the first collection would look through all of them.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


N_SCENES = 8
"""After how many scenes it is looked through what was set aside: half a megabyte of each may lie in cycles."""

_n_since_look: list[int] = [0]


def set_aside() -> None:
    """Move all objects that there are to where the garbage collector does not look."""
    _aside[:] = [True]
    gc.freeze()


def set_scene_aside() -> None:
    """Set aside what there is with another scene, and now and then free what the scenes before have left in cycles.

    The snapshot that is shown holds what makes its sensors' values, and those hold the snapshot: with its plan it would
    stay for ever once it was set aside. To look through all objects takes a fifth of a second, a little longer than to
    open a scene.
    """
    _n_since_look[0] += 1
    if _n_since_look[0] >= N_SCENES:
        _n_since_look[0] = 0
        gc.unfreeze()
        gc.collect()
    set_aside()
