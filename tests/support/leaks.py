"""What a test leaves alive: top-level widgets of Qt, objects of VTK, and what holds on to them."""

from __future__ import annotations

import gc
import itertools
import sys
import time
from collections import deque
from types import FrameType

import pytest

PATIENCE_S = 10.0
"""How long what works beside the window may take to end, and to let go of what it was given."""

DEPTH = 14
"""How far holders of holders are told."""


def hunt(widgets_before: set[int]) -> None:
    """Fail where a widget is alive that was not there before, or a VTK object that is not frozen."""
    end = time.monotonic() + PATIENCE_S
    while leaks := _leaks(widgets_before):
        if time.monotonic() > end:
            gc.unfreeze()  # what holds them may be older than the test
            told = [f"  {_name(leak)}, held by: {_holders(leak, leaks)}" for leak in itertools.islice(leaks, 10)]
            pytest.fail("\n".join(["The test leaves alive:", *told, _chain(leaks[0], leaks)]), pytrace=False)


def _leaks(widgets_before: set[int]) -> list:
    _delete_what_qt_was_told_to()
    gc.collect()
    _delete_what_qt_was_told_to()  # what the collection has set free
    widgets = [widget for widget in top_level_widgets() if address(widget) not in widgets_before]
    return widgets + _living_vtk_objects()


def top_level_widgets() -> list:
    widgets = sys.modules.get("PySide6.QtWidgets")
    return widgets.QApplication.topLevelWidgets() if widgets and widgets.QApplication.instance() else []


def address(widget) -> int:
    """Return where a widget of Qt's lies: Python's object around it may be another one each time it is asked for."""
    return sys.modules["shiboken6"].getCppPointer(widget)[0]


def _delete_what_qt_was_told_to() -> None:
    core = sys.modules.get("PySide6.QtCore")
    if core and core.QCoreApplication.instance():
        core.QCoreApplication.processEvents()
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)


def _living_vtk_objects() -> list:
    common = sys.modules.get("vtkmodules.vtkCommonCore")
    if not common:
        return []
    # By type(), as isinstance() would ask proxies for their __class__.
    return [thing for thing in gc.get_objects() if issubclass(type(thing), common.vtkObjectBase)]


def _name(leak: object) -> str:
    cls = type(leak)
    name = f"{cls.__module__}.{cls.__qualname__}"
    return f"{name} '{leak.objectName()}'" if hasattr(leak, "objectName") and leak.objectName() else name


def _holders(leak: object, leaks: list) -> str:
    holders = [holder for holder in gc.get_referrers(leak) if holder is not leaks]
    names = {type(holder).__qualname__ for holder in holders} - {"frame", "list_iterator"}
    return ", ".join(sorted(names)) or "Qt or VTK"


def _chain(leak: object, leaks: list) -> str:
    """Return the shortest way from what is not part of the test, such as a module, down to a leak."""
    ours = {id(leaks), id(sys._getframe())}
    ways: deque[tuple[object, ...]] = deque([(leak,)])
    seen = {id(leak)}
    while ways:
        way = ways.popleft()
        holders = [one for one in gc.get_referrers(way[-1]) if id(one) not in seen | ours]
        if len(way) == DEPTH or any(_is_root(holder) for holder in holders):
            way = (*way, *filter(_is_root, holders))
            return "  the first of them by: " + " <- ".join(_told(one) for one in way)
        for holder in holders:
            if not isinstance(holder, FrameType) and type(holder) not in (deque, list_iterator):
                seen.add(id(holder))
                ways.append((*way, holder))
    return "  the first of them by nothing that Python knows"


list_iterator = type(iter([]))


def _is_root(holder: object) -> bool:
    """Return whether something lives on by itself: the names of a module, or a function at work."""
    return (isinstance(holder, dict) and "__spec__" in holder) or (
        isinstance(holder, FrameType) and "leaks.py" not in holder.f_code.co_filename
    )


def _told(one: object) -> str:
    if isinstance(one, dict) and "__spec__" in one:
        return f"module {one['__name__']}"
    if isinstance(one, FrameType):
        return f"{one.f_code.co_filename}:{one.f_lineno}"
    return f"{type(one).__qualname__} {str(list(one))[:60]}" if isinstance(one, dict) else repr(one)[:80]
