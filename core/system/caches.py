"""Caches, each with a policy for keeping and dropping results.

============================ ============================================ ==========================================
policy                       keeps                                        drops
============================ ============================================ ==========================================
`functools.lru_cache`        the last n results, for small arguments      after n other calls
`cache_while_used`           results by equal arguments                   when unused and four others followed
`cache_per_owner`            results with the first argument, frozen      with that object
`FileCache`                  results by path and state of a file          when it changed and others followed
============================ ============================================ ==========================================

No cache needs explicit invalidation: results of a scene are dropped with the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Concatenate, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

P = ParamSpec("P")
K = TypeVar("K")
T = TypeVar("T")

N_LAST = 4
"""Number of unused results that `cache_while_used` keeps, so that undoing a step reuses them."""

FileState = tuple[int, int]
"""Modification time, ns, and size of a file, bytes. Cached contents of the file are valid while both are unchanged."""


class _Last(Generic[T]):
    """The last `n` results by key."""

    def __init__(self, n: int) -> None:
        self._n, self._results = n, dict[Hashable, T]()
        self._lock = Lock()  # a thread and the window may compile scenes at the same time

    def get(self, key: Hashable) -> T | None:
        """Return the result of a key, or None."""
        return self._results.get(key)

    def put(self, key: Hashable, value: T) -> tuple[Hashable, T] | None:
        """Store a result as the newest; return key and result of the oldest if it is dropped, else None."""
        with self._lock:
            self._results.pop(key, None)
            self._results[key] = value
            if len(self._results) <= self._n:
                return None
            oldest = next(iter(self._results))
            return oldest, self._results.pop(oldest)


def cache_while_used(make: Callable[P, T]) -> Callable[P, T]:
    """Cache the results of a function for equal arguments while they are in use, and the last few unused results.

    A cache of the last n results would hold megabytes of recordings long after their scene was closed. It would also
    drop recordings of an open scene with more than n recordings. Arguments must be hashable, and results must support
    weak references.

    Examples
    --------
    >>> class Fit: ...
    >>> fit_of = cache_while_used(lambda name: Fit())
    >>> fit = fit_of("arm")
    >>> fit_of("arm") is fit
    True
    """
    results: WeakValueDictionary[Hashable, T] = WeakValueDictionary()
    last = _Last[T](N_LAST)

    def keep(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(kwargs.items()))
        result = results.get(key)
        if result is None:
            results[key] = result = make(*args, **kwargs)
        last.put(key, result)
        return result

    return keep


def cache_per_owner(n: int) -> Callable[[Callable[Concatenate[K, P], T]], Callable[Concatenate[K, P], T]]:
    """Return a decorator that caches results per first argument: the last `n`, and others while they are in use.

    The first argument is a frozen object, and its results are dropped with it. The first argument and the results must
    support weak references, and the other arguments must be hashable.

    Examples
    --------
    >>> class Frame: ...
    >>> class Motion: ...
    >>> motion_of = cache_per_owner(1)(lambda frame, end: Motion())
    >>> frame = Frame()
    >>> first = motion_of(frame, 1.0)
    >>> other = motion_of(frame, 2.0)
    >>> motion_of(frame, 1.0) is first
    True
    """

    def decorate(make: Callable[Concatenate[K, P], T]) -> Callable[Concatenate[K, P], T]:
        last_of_owner: WeakKeyDictionary[K, _Last[T]] = WeakKeyDictionary()
        in_use: WeakKeyDictionary[K, WeakValueDictionary[Hashable, T]] = WeakKeyDictionary()

        def keep(owner: K, *args: P.args, **kwargs: P.kwargs) -> T:
            key = (args, tuple(kwargs.items()))
            last = last_of_owner.get(owner)
            if last is None:
                last = last_of_owner[owner] = _Last(n)
            result = last.get(key)
            if result is None:
                used = in_use.get(owner)
                result = None if used is None else used.get(key)
                if result is None:
                    result = make(owner, *args, **kwargs)
                dropped = last.put(key, result)
                if dropped is not None:
                    in_use.setdefault(owner, WeakValueDictionary())[dropped[0]] = dropped[1]
            return result

        return keep

    return decorate


class FileCache(Generic[T]):
    """Cache of the last `n` results of reading files; a result is valid while its file is unchanged.

    With `weigh`, more than `n` results are kept as long as their total weight is at most `most`.

    Examples
    --------
    >>> text_of = FileCache(Path.read_text, 1, len, 1000)
    """

    def __init__(
        self, read: Callable[[Path], T], n: int, weigh: Callable[[T], float] | None = None, most: float = 0.0
    ) -> None:
        self._read, self._n, self._weigh, self._most = read, n, weigh, most
        self._results = dict[Hashable, tuple[T, float]]()
        self._lock = Lock()

    def __call__(self, path: Path) -> T:
        """Return the result for a file, reading a changed or new file; errors are as in `read`."""
        try:
            key = _key_of(path)
        except (OSError, ValueError):
            return self._read(path)  # raises the error
        cached = self._results.get(key)
        if cached is not None:
            return cached[0]
        result = self._read(path)
        self._keep(key, result)
        return result

    def put(self, path: Path, result: T) -> None:
        """Store a result for a file without reading the file, for example after a copy."""
        self._keep(_key_of(path), result)

    def _keep(self, key: Hashable, result: T) -> None:
        """Store a result as the newest, and drop the oldest results beyond the limits of number and weight."""
        weight = 0.0 if self._weigh is None else self._weigh(result)
        with self._lock:
            self._results.pop(key, None)
            self._results[key] = result, weight
            total = sum(weight_of_result for _, weight_of_result in self._results.values())
            while len(self._results) > self._n and (self._weigh is None or total > self._most):
                _, dropped_weight = self._results.pop(next(iter(self._results)))
                total -= dropped_weight


def file_state(path: Path) -> FileState:
    """Return the state of a file, or raise `OSError`."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def _key_of(path: Path) -> tuple[Path, FileState]:
    """Return the resolved path of a file with its state, or raise `OSError`."""
    return path.resolve(), file_state(path)
