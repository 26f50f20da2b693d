"""Growing time series, such as live measurements: one thread appends rows of numbers, other threads read them."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array, as_array, read_only

_FIRST_ROOM = 256
_APPENDING = Lock()


class GrowingSeries:
    """Rows of numbers at strictly increasing times, to which a thread can append.

    Parameters
    ----------
    n_values
        Numbers in a row.
    capacity
        Largest number of rows; the oldest are dropped. None keeps all.

    Notes
    -----
    Any thread may append, and any thread may read. Returned arrays never change, so each reader has a consistent state.
    On average, the time of an append is proportional to the number of new rows.

    Examples
    --------
    >>> series = GrowingSeries(2)
    >>> series.append(0.0, [1.0, 10.0])
    >>> series.append([1.0, 2.0], [[3.0, 30.0], [5.0, 50.0]])
    >>> series.sample(0.5), series.revision
    (array([ 2., 20.]), 2)
    >>> series.append(2.0, [0.0, 0.0])
    Traceback (most recent call last):
        ...
    framescope.core.errors.FramescopeError: append: expected a time after 2.0 s, got 2.0 s.
    """

    def __init__(self, n_values: int, capacity: int | None = None) -> None:
        self.n_values = n_values
        self._capacity = capacity
        # Rows with the time in column 0, then `first` and `end` of the valid rows. Replacing the whole tuple keeps
        # readers consistent.
        self._state = np.empty((_FIRST_ROOM, 1 + n_values)), 0, 0, 0

    @property
    def revision(self) -> int:
        """Number of appends so far; equal revisions mean equal rows."""
        return self._state[3]

    @property
    def rows(self) -> tuple[Array, Array]:
        """Times (n,), s, and values (n, n_values) of one state, read-only."""
        rows, first, end, _ = self._state
        valid_rows = read_only(rows[first:end])
        return valid_rows[:, 0], valid_rows[:, 1:]

    @property
    def times(self) -> Array:
        """Times (n,), s."""
        return self.rows[0]

    def __len__(self) -> int:
        _, first, end, _ = self._state
        return end - first

    def append(self, t: ArrayLike, values: ArrayLike) -> None:
        """Add a row (n_values,) at a time, s, or rows (n, n_values) at times (n,).

        Raises
        ------
        FramescopeError
            When times do not increase, a number is not finite, or the shape is wrong. No row is added then.
        """
        try:
            times = np.atleast_1d(as_array("t", t))
            new = as_array("values", values, (*np.shape(t), self.n_values)).reshape(len(times), self.n_values)
        except ValueError as error:
            raise FramescopeError(f"append: {error}.") from None
        with _APPENDING:
            rows, first, end, revision = self._state
            before = np.concatenate([rows[end - 1 : end, 0] if end > first else [-np.inf], times[:-1]])
            late = np.flatnonzero(times <= before)
            if len(late):
                i = int(late[0])
                raise FramescopeError(f"append: expected a time after {before[i]} s, got {times[i]} s.")
            if end + len(times) > len(rows):
                valid_rows = rows[self._first(first, end, len(times)) : end]
                rows = np.empty((2 * (len(valid_rows) + len(times)) + _FIRST_ROOM, 1 + self.n_values))
                rows[: len(valid_rows)] = valid_rows
                first, end = 0, len(valid_rows)
            rows[end : end + len(times), 0], rows[end : end + len(times), 1:] = times, new
            end += len(times)
            self._state = rows, self._first(first, end, 0), end, revision + 1

    def _first(self, first: int, end: int, n_more: int) -> int:
        """Return the first valid row after `n_more` rows are appended."""
        return first if self._capacity is None else min(max(first, end + n_more - self._capacity), end)

    def sample(self, t: ArrayLike) -> Array:
        """Return values (..., n_values) at times (...), s: linear between rows, constant outside, NaN without rows."""
        time = as_array("t", t)
        times, values = self.rows
        if not len(times):
            return np.full((*time.shape, self.n_values), np.nan)
        columns: list[Array] = [np.interp(time, times, values[:, i]) for i in range(self.n_values)]
        return np.stack(columns, axis=-1)
