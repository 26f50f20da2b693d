"""All plots of a window painted at once, with everything else that has changed."""

from __future__ import annotations

from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QGraphicsView, QWidget
from shiboken6 import isValid


def paint_together(view: QGraphicsView) -> None:
    """Paint a view with the others of its window, once it is in one."""
    window = view.window()
    found = window.findChild(PaintTogether, options=Qt.FindChildOption.FindDirectChildrenOnly)
    (found or PaintTogether(window)).add(view)


class PaintTogether(QObject):
    """Has the scenes of plots tell what has changed in them before their window is painted.

    A `QGraphicsScene` that processes its changes paints the whole window there and then. With two plots in view a tick
    would paint it twice, with the 3D scene put together anew each time, and the second plot would lag behind.

    Parameters
    ----------
    window
        The top-level widget that is painted.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._views: WeakSet[QGraphicsView] = WeakSet()
        self._is_gathering = False
        window.installEventFilter(self)

    def add(self, view: QGraphicsView) -> None:
        """Paint a view along, as long as it is in the window."""
        self._views.add(view)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._is_gathering:
            return True  # what asks for it is painted in a moment
        self._is_gathering = True
        try:
            for view in list(self._views):
                if isValid(view) and view.isVisible() and view.window() is watched:
                    QCoreApplication.sendPostedEvents(view.scene(), QEvent.Type.MetaCall.value)
        finally:
            self._is_gathering = False
        return False
