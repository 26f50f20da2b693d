"""Large batches in parts, one for each core; no number depends on how many there are."""

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
"""Numbers read and written above which a batch is worth a second core: a tenth of a millisecond, where asking another
thread takes a third of that."""

LARGE_IN_MEMORY = 12_500_000
"""The same of formulas of less than an operation a number, which wait for the memory whichever core asks for it. From
here on half of what they wait for is that new pages are zeroed, which two cores do at once: measured, 3 million
conjugates took 2.5 ns each in place of 3.1, a million as long as before."""

CALL = 20
"""What a sine or an arc tangent takes, in numbers."""

PARTS = 4
"""Parts for each core: whichever is free takes the next, so that a busy machine costs no more than its share."""


def in_parts(ufunc: Callable[..., Any], takes: Sequence[Shape], gives: Sequence[Shape], *arrays: Array) -> Any:
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

    helping: list[Future[None]] = []
    with contextlib.suppress(RuntimeError):  # no more threads, as when the program ends
        helping += [_pool().submit(compute) for _ in range(cores() - 1)]
    compute()
    for each in helping:
        if not each.cancel():  # one that has not begun by now has nothing left to do
            each.result()
    return outs[0] if len(outs) == 1 else outs


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores() - 1, "formulas")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child has none of the threads
