"""What a test leaves alive: top-level widgets of Qt, objects of VTK, and what holds on to them."""

from __future__ import annotations

import gc
import itertools
import sys
import time
from types import FrameType

import pytest

PATIENCE_S = 2.0
"""How long what works beside the window may take to end, and to let go of what it was given."""

MOST = 20_000
"""How many holders of holders are looked at."""


def hunt(widgets_before: set[int]) -> None:
    """Fail where a widget is alive that was not there before, or a VTK object that is not frozen."""
    end = time.monotonic() + PATIENCE_S
    while leaks := _leaks(widgets_before):
        if time.monotonic() > end:
            gc.unfreeze()  # what holds them may be older than the test
            told = [f"  {_name(leak)}, held by: {_holders(leak, leaks)}" for leak in itertools.islice(leaks, 10)]
            pytest.fail("\n".join(["The test leaves alive:", *told, _chain(leaks[0], leaks)]), pytrace=False)


def _leaks(widgets_before: set[int]) -> list:
    delete_what_qt_was_told_to()
    gc.collect()
    delete_what_qt_was_told_to()  # what the collection has set free
    widgets = [widget for widget in top_level_widgets() if address(widget) not in widgets_before]
    return widgets + _living_vtk_objects()


def top_level_widgets() -> list:
    widgets = sys.modules.get("PySide6.QtWidgets")
    return widgets.QApplication.topLevelWidgets() if widgets and widgets.QApplication.instance() else []


def address(widget) -> int:
    """Return where a widget of Qt's lies: Python's object around it may be another one each time it is asked for."""
    return sys.modules["shiboken6"].getCppPointer(widget)[0]


def delete_what_qt_was_told_to() -> None:
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
    """Return the shortest way from what is no part of the test, such as a module, down to a leak."""
    reached, below, seen = [leak], [-1], {id(leak)}
    ours = {id(leaks), id(reached)}
    for i, one in enumerate(reached):
        if _is_root(one):
            way, at = [], i
            while at >= 0:
                way.append(_told(reached[at]))
                at = below[at]
            return "  the first of them by: " + " -> ".join(way)
        for holder in gc.get_referrers(one):
            is_passing = isinstance(holder, FrameType) and holder.f_code.co_filename == __file__
            if id(holder) not in seen | ours and not is_passing and len(reached) < MOST:
                seen.add(id(holder))
                reached.append(holder)
                below.append(i)
    return "  the first of them by nothing that Python knows"


def _is_root(one: object) -> bool:
    """Return whether something lives on by itself: the names of a module, or a function at work."""
    return isinstance(one, FrameType) or (isinstance(one, dict) and "__spec__" in one)


def _told(one: object) -> str:
    if isinstance(one, FrameType):
        return f"{one.f_code.co_filename}:{one.f_lineno}"
    if isinstance(one, dict):
        keys = [str(key) for key in itertools.islice(one, 4)]
        return f"module {one['__name__']}" if "__spec__" in one else f"dict {keys}"
    return getattr(one, "__qualname__", None) or type(one).__qualname__
