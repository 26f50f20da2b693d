"""Results that are kept as long as they are used: what a scene reads and computes once, and lets go with the scene."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

P = ParamSpec("P")
T = TypeVar("T")

N_LAST = 4
"""How many results wait although nobody uses them, for a step that is taken back."""


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
    last: dict[Hashable, T] = {}
    turn = Lock()  # a scene may be compiled in a thread while the window compiles another

    def keep(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(kwargs.items()))
        found = made.get(key)
        if found is None:
            made[key] = found = make(*args, **kwargs)
        with turn:
            last.pop(key, None)
            last[key] = found
            if len(last) > N_LAST:
                del last[next(iter(last))]
        return found

    return keep
