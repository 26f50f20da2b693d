"""Computation of large batches in parts on all cores; the results do not depend on the number of parts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.machine_share import cores

Array = NDArray[np.float64]
Shape = tuple[int, ...]

LARGE = 1_250_000
"""Count of numbers read and written above which a batch is worth a second core: a tenth of a millisecond of work,
compared with a third of that for handing work to another thread."""

LARGE_IN_MEMORY = 12_500_000
"""Threshold like `LARGE` for formulas with less than one operation per number, which wait for memory on any core. Above
it, half of the time is zeroing of new pages, which two cores do in parallel: measured, 3 million conjugates took 2.5 ns
each instead of 3.1; a million took as long as before."""

CALL = 20
"""Cost of a sine or an arc tangent, in numbers read or written."""

PARTS = 4
"""Number of parts per core. Each free core takes the next part, so that a busy core delays the others little."""


def in_parts(ufunc: Callable[..., Any], takes: Sequence[Shape], gives: Sequence[Shape], *arrays: Array) -> Any:
    """Call a generalized ufunc on arrays that broadcast, in parts along their first axis.

    Parameters
    ----------
    takes, gives
        Trailing shapes of its arguments and results.

    Raises
    ------
    ValueError
        When the shapes of the arrays do not broadcast.

    Examples
    --------
    >>> in_parts(np.add, ((), ()), ((),), np.arange(4.0), np.array(1.0))
    array([1., 2., 3., 4.])
    """
    leadings: list[Shape] = [array.shape[: array.ndim - len(shape)] for array, shape in zip(arrays, takes, strict=True)]
    leading: Shape = np.broadcast_shapes(*leadings)
    n = (*leading, 1)[0]
    n_parts = min(PARTS * cores(), n) if cores() > 1 else 1
    if n_parts < 2:
        return ufunc(*arrays)
    outs = tuple(np.empty(leading + shape) for shape in gives)
    parts = iter(range(n_parts))

    def compute() -> None:
        for i in parts:
            start, stop = n * i // n_parts, n * (i + 1) // n_parts
            own = (
                array[start:stop] if len(its) == len(leading) and its[0] > 1 else array
                for array, its in zip(arrays, leadings, strict=True)
            )
            ufunc(*own, out=tuple(out[start:stop] for out in outs))

    tasks: list[Future[None]] = []
    with contextlib.suppress(RuntimeError):  # no more threads, as when the program ends
        tasks += [shared_pool().submit(compute) for _ in range(cores() - 1)]
    compute()
    for task in tasks:
        if not task.cancel():  # a task that has not started has no parts left
            task.result()
    return outs[0] if len(outs) == 1 else outs


@cache
def shared_pool() -> ThreadPoolExecutor:
    """Return the threads that compute formulas in parts, created on first use."""
    return ThreadPoolExecutor(cores() - 1, "formulas")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared_pool.cache_clear)  # a child has none of the threads
