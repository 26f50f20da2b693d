"""Large batches in parts, one for each core; no number depends on how many there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shape = tuple[int, ...]

LARGE = 200_000
"""Numbers of an argument above which a batch is worth a second core."""


def is_large(arrays: Sequence[Array]) -> bool:
    """Return whether one of the arrays is.

    >>> is_large([np.zeros((100_000, 4)), np.zeros(4)]), is_large([np.zeros(9)])
    (True, False)
    """
    for array in arrays:  # a plain loop is quicker here than any
        if array.size > LARGE:
            return True
    return False


def in_parts(ufunc: Callable[..., Any], arrays: Sequence[Array], takes: Sequence[Shape], gives: Sequence[Shape]) -> Any:
    """Return what a generalized ufunc gives for arrays that broadcast, computed along their first axis in parts.

    Parameters
    ----------
    takes, gives
        Trailing shapes of its arguments and results.

    Raises
    ------
    ValueError
        When the arrays do not fit.

    Examples
    --------
    >>> in_parts(np.add, [np.arange(4.0), np.array(1.0)], ((), ()), ((),))
    array([1., 2., 3., 4.])
    """
    n_cores = cores()
    leadings = [array.shape[: array.ndim - len(shape)] for array, shape in zip(arrays, takes, strict=True)]
    leading = np.broadcast_shapes(*leadings)
    n_parts = min(n_cores, leading[0]) if leading else 1
    if n_parts < 2:
        return ufunc(*arrays)
    outs = tuple(np.empty(leading + shape) for shape in gives)
    stops = [leading[0] * i // n_parts for i in range(n_parts + 1)]

    def compute(start: int, stop: int) -> None:
        own = (
            array[start:stop] if len(its) == len(leading) and its[0] > 1 else array
            for array, its in zip(arrays, leadings, strict=True)
        )
        ufunc(*own, out=tuple(out[start:stop] for out in outs))

    waiting = [_pool().submit(compute, *ends) for ends in zip(stops[1:-1], stops[2:], strict=True)]
    compute(stops[0], stops[1])
    for each in waiting:
        each.result()
    return outs if len(outs) > 1 else outs[0]


@cache
def cores() -> int:
    """Return how many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores() - 1, "formulas")
