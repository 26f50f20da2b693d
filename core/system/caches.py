"""Caches: the policies by which results are kept, each with when they are thrown away.

============================ ============================================ ==========================================
policy                       kept                                         thrown away
============================ ============================================ ==========================================
`functools.lru_cache`        the last so many, of small plain arguments   when so many others were asked for
`kept_while_used`            by equal arguments                           when nobody holds it and four came after it
`kept_beside`                with its first argument, a frozen object     with that object
`KeptOfFile`                 by place and state of a file                 when it has changed and others came after it
============================ ============================================ ==========================================

Nothing is asked to let go: what a scene reads and computes once goes with the scene.
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
"""How many results of `kept_while_used` wait although nobody uses them, for a step that is taken back."""

FileState = tuple[int, int]
"""Time of change and size of a file: while they stay, what was read of it holds."""


class _Last(Generic[T]):
    """The last `n` results by their keys."""

    def __init__(self, n: int) -> None:
        self._n, self._found = n, dict[Hashable, T]()
        self._turn = Lock()  # a scene may be compiled in a thread while the window compiles another

    def get(self, key: Hashable) -> T | None:
        """Return what is kept for a key."""
        return self._found.get(key)

    def put(self, key: Hashable, value: T) -> tuple[Hashable, T] | None:
        """Keep a result as the last; return what has to go for it with its key."""
        with self._turn:
            self._found.pop(key, None)
            self._found[key] = value
            if len(self._found) <= self._n:
                return None
            oldest = next(iter(self._found))
            return oldest, self._found.pop(oldest)


def kept_while_used(make: Callable[P, T]) -> Callable[P, T]:
    """Return what makes the result for equal arguments once, as long as anybody holds it.

    A cache of the last so many would hold recordings of megabytes long after their scene, and yet lose those of a
    scene with more of them. Arguments are hashable; results are objects that can be referred to weakly.

    Examples
    --------
    >>> class Fit: ...
    >>> fit_of = kept_while_used(lambda name: Fit())
    >>> fit = fit_of("arm")
    >>> fit_of("arm") is fit
    True
    """
    made: WeakValueDictionary[Hashable, T] = WeakValueDictionary()
    last = _Last[T](N_LAST)

    def keep(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(kwargs.items()))
        found = made.get(key)
        if found is None:
            made[key] = found = make(*args, **kwargs)
        last.put(key, found)
        return found

    return keep


def kept_beside(n: int) -> Callable[[Callable[Concatenate[K, P], T]], Callable[Concatenate[K, P], T]]:
    """Return a decorator that keeps the last `n` results of a first argument with that, and others while they are used.

    The first argument is frozen, and it and the results can be referred to weakly; the other arguments are hashable.

    Examples
    --------
    >>> class Frame: ...
    >>> class Motion: ...
    >>> motion_of = kept_beside(1)(lambda frame, end: Motion())
    >>> frame = Frame()
    >>> first = motion_of(frame, 1.0)
    >>> other = motion_of(frame, 2.0)
    >>> motion_of(frame, 1.0) is first
    True
    """

    def decorated(make: Callable[Concatenate[K, P], T]) -> Callable[Concatenate[K, P], T]:
        kept: WeakKeyDictionary[K, _Last[T]] = WeakKeyDictionary()
        in_use: WeakKeyDictionary[K, WeakValueDictionary[Hashable, T]] = WeakKeyDictionary()

        def keep(owner: K, *args: P.args, **kwargs: P.kwargs) -> T:
            key = (args, tuple(kwargs.items()))
            last = kept.get(owner)
            if last is None:
                last = kept[owner] = _Last(n)
            found = last.get(key)
            if found is None:
                used = in_use.get(owner)
                found = None if used is None else used.get(key)
                if found is None:
                    found = make(owner, *args, **kwargs)
                gone = last.put(key, found)
                if gone is not None:
                    in_use.setdefault(owner, WeakValueDictionary())[gone[0]] = gone[1]
            return found

        return keep

    return decorated


class KeptOfFile(Generic[T]):
    """What `read` makes of a file, as long as the file is as it was; the last `n` of them.

    With `weigh` there are more, as long as all of them together weigh no more than `most`.

    Examples
    --------
    >>> text_of = KeptOfFile(Path.read_text, 1, len, 1000)
    """

    def __init__(
        self, read: Callable[[Path], T], n: int, weigh: Callable[[T], float] | None = None, most: float = 0.0
    ) -> None:
        self._read, self._n, self._weigh, self._most = read, n, weigh, most
        self._found = dict[Hashable, tuple[T, float]]()
        self._turn = Lock()

    def __call__(self, path: Path) -> T:
        """Return what is made of a file, which is read when it has not been, or has changed; raise as `read`."""
        try:
            key = _key_of(path)
        except (OSError, ValueError):
            return self._read(path)  # which says why
        kept = self._found.get(key)
        if kept is not None:
            return kept[0]
        found = self._read(path)
        self._keep(key, found)
        return found

    def hand_over(self, path: Path, found: T) -> None:
        """Take what a file holds that has just been copied, say: it is not read."""
        self._keep(_key_of(path), found)

    def _keep(self, key: Hashable, found: T) -> None:
        """Keep a result as the last, and throw away the oldest that are too many, or too heavy."""
        weight = 0.0 if self._weigh is None else self._weigh(found)
        with self._turn:
            self._found.pop(key, None)
            self._found[key] = found, weight
            total = sum(each for _, each in self._found.values())
            while len(self._found) > self._n and (self._weigh is None or total > self._most):
                _, gone = self._found.pop(next(iter(self._found)))
                total -= gone


def file_state(path: Path) -> FileState:
    """Return the state of a file, or raise `OSError`."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def _key_of(path: Path) -> tuple[Path, FileState]:
    return path.resolve(), file_state(path)
