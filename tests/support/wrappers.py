"""What Python knows of things that Qt has thrown away."""

from __future__ import annotations

from collections.abc import Iterator

import shiboken6
from PySide6.QtGui import QOffscreenSurface, QSurface
from PySide6.QtWidgets import QLayout, QLayoutItem, QSpacerItem, QWidgetItem


def outlived_items() -> list[QLayoutItem]:
    """Return the wrappers of items that are in no layout any more.

    Such a wrapper is taken for whatever Qt makes next at the same place in memory: a new action is a `QWidgetItem`
    then. They are made by `QLayout.itemAt`, and by PySide itself for what is in a layout that is put into another.
    """
    wrappers = shiboken6.getAllValidWrappers()
    items = [item for item in wrappers if type(item) in (QWidgetItem, QSpacerItem)]
    real = {place for layout in wrappers if isinstance(layout, QLayout) for place in _places(layout)}
    return [item for item in items if shiboken6.getCppPointer(item)[0] not in real]


def outlived_surfaces() -> list[QSurface]:
    """Return the wrappers of what OpenGL contexts drew on; Python is not told when these go."""
    return [wrapper for wrapper in shiboken6.getAllValidWrappers() if type(wrapper) in (QSurface, QOffscreenSurface)]


def _places(layout: QLayout) -> Iterator[int]:
    """Yield where in memory the items of a layout are."""
    for i in range(layout.count()):
        item = layout.itemAt(i)
        if item is not None and not isinstance(item, QLayout):
            yield shiboken6.getCppPointer(item)[0]
