"""Guard for exceptions in Qt overrides, raised again whole where PySide would mistake them.

On Python 3.11 an error that C code raises, of a division by zero, an index out of range or a deleted widget, is no
exception yet while it goes up: it is a kind and a text, until somebody catches it. PySide takes that text for the
exception when the error ends an override of a virtual method, as of `paintEvent`, and the process dies of it, with
whatever is not saved (seen with PySide6 6.8 to 6.12). Caught once and raised again it is an exception, is told and
logged, and the window goes on. From Python 3.12 on errors are whole from the start.
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
    """Guard every override of a method of Qt's, in the classes there are and those to come, other libraries' too."""
    if not NEEDS_GUARD or "__init_subclass__" in vars(Shiboken.Object):
        return
    for kind in _kinds_below(Shiboken.Object):
        _guard(kind)

    def guard_new(cls: Any, **options: Any) -> None:
        super(Shiboken.Object, cls).__init_subclass__(**options)
        _guard(cls)

    Shiboken.Object.__init_subclass__ = classmethod(guard_new)  # type: ignore[assignment]


def overrides_of(kind: type) -> dict[str, FunctionType]:
    """Return the functions of a class, by name, that stand in place of a method of Qt's."""
    qt_kinds = [base for base in kind.__mro__ if _is_of_qt(base)]
    return {
        name: function
        for name, function in vars(kind).items()
        if isinstance(function, FunctionType) and any(name in vars(base) for base in qt_kinds)
    }


def _guard(kind: type) -> None:
    if not _is_of_qt(kind):
        for name, function in overrides_of(kind).items():
            setattr(kind, name, _with_whole_errors(function))


def _with_whole_errors(function: FunctionType) -> Callable[..., Any]:
    @functools.wraps(function)
    def guarded(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except BaseException:  # noqa: TRY203 - caught, it is made whole
            raise

    return guarded


def _is_of_qt(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("PySide6", "Shiboken", "shiboken6")


def _kinds_below(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds_below(below)
