"""Guard for exceptions in Qt overrides, which catches and re-raises them where PySide would misread them.

On Python 3.11 an error raised by C code (division by zero, index out of range, deleted widget) is not yet an exception
object while it propagates: it is a type and a text until it is caught. If such an error ends an override of a virtual
method, such as `paintEvent`, PySide mistakes the text for the exception. The process then crashes and loses unsaved
work (seen with PySide6 6.8 to 6.12). Caught once and raised again, the error is a proper exception, is reported and
logged, and the window keeps running. From Python 3.12 on errors are exception objects from the start.

The guard stands where C++ calls Python, at the edge of each override. Special methods, such as `__init__`, are called
from Python alone and stay bare: pyqtgraph makes more points in a paint than Qt calls overrides.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

NEEDS_GUARD = sys.version_info < (3, 12)


def guard_overrides() -> None:
    """Guard every override of a Qt method, in existing and future classes, including those of other libraries."""
    if not NEEDS_GUARD or "__init_subclass__" in vars(Shiboken.Object):
        return
    for kind in _kinds_below(Shiboken.Object):
        _guard(kind)

    def guard_new(cls: Any, **options: Any) -> None:
        super(Shiboken.Object, cls).__init_subclass__(**options)
        _guard(cls)

    Shiboken.Object.__init_subclass__ = classmethod(guard_new)  # type: ignore[assignment]


def overrides_of(kind: type) -> dict[str, FunctionType]:
    """Return the functions of a class, by name, that override a Qt method, special methods left out."""
    qt_kinds = [base for base in kind.__mro__ if _is_of_qt(base)]
    return {
        name: function
        for name, function in vars(kind).items()
        if isinstance(function, FunctionType) and not name.startswith("__")
        if any(name in vars(base) for base in qt_kinds)
    }


def _guard(kind: type) -> None:
    if not _is_of_qt(kind):
        for name, function in overrides_of(kind).items():
            setattr(kind, name, _normalize_errors(function))


def _normalize_errors(function: FunctionType) -> Callable[..., Any]:
    @functools.wraps(function)
    def call_function(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except BaseException:  # noqa: TRY203 - catching it creates the exception object
            raise

    return call_function


def _is_of_qt(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("PySide6", "Shiboken", "shiboken6")


def _kinds_below(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds_below(below)
