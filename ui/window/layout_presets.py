"""Layout presets: the three presets, and the full screen of a presentation.

The presets are plain descriptions; `Presentation` takes a window to the full screen and back as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow

from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.dock_state import restore_layout, saved_layout
from framescope.ui.window.dock_table import DOCKS, feature_docks


@dataclass(frozen=True)
class LayoutPreset:
    """Layout preset: how large the sides are, and which docks stand in front. The table of docks says which it shows.

    Attributes
    ----------
    left, right, bottom
        Width or height of the docks there, logical pixels; the bottom with the timeline.
    in_front
        Which of the docks that share a place are in front.
    has_large_clock
        Whether the clock in the scene has the size for a lecture.
    """

    name: str
    left: int = METRICS.left
    right: int = METRICS.right
    bottom: int = METRICS.bottom
    in_front: tuple[str, ...] = ("readouts",)
    has_large_clock: bool = False

    def shows(self, dock: str) -> bool:
        """Return whether a dock is seen."""
        return self.name in DOCKS[dock].layouts


PRESETS: Mapping[str, LayoutPreset] = {
    "Explore": LayoutPreset("Explore"),
    "Teach": LayoutPreset(
        "Teach",
        left=METRICS.teach_left,
        bottom=METRICS.teach_bottom,
        has_large_clock=True,
    ),
    "Debug": LayoutPreset(
        "Debug",
        right=METRICS.debug_right,
        bottom=METRICS.debug_bottom,
        in_front=("relation", "problems", *feature_docks("Debug")),
    ),
}

READABLE = 0.02
"""Height of a digit that is read from the last row, parts of the whole height of the screen."""

DIGIT = 0.72
"""Height of a digit, parts of its font's size."""


def readable_size(height: int) -> int:
    """Return the size of a font whose digits are read from the last row, on a screen so high, logical pixels.

    >>> readable_size(800), readable_size(1080)
    (23, 30)
    """
    return math.ceil(READABLE * height / DIGIT - 1e-9)  # 1080 is a whole number of pixels, but for rounding


KEPT = ("timeline", "plots")
"""Docks that a presentation may keep."""


class Presentation(QObject):
    """Takes a window to the full screen with the scene almost alone, and back to exactly what it was.

    Parameters
    ----------
    window
        With its docks.
    docks
        By name.
    held
        Keeps what the scene shows while docks come and go one by one, and draws it once then.

    Signals
    -------
    changed(bool)
        Whether the presentation is on.
    """

    changed = Signal(bool)

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        held: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._held = window, docks, held
        self._layout: QByteArray | None = None
        self._was_maximized = False
        self._place = QRect()
        self.keeps: tuple[str, ...] = ("timeline",)
        self._open: tuple[str, ...] = ()
        """Docks that were open before and stay so."""

    @property
    def is_on(self) -> bool:
        """Whether the window presents."""
        return self._layout is not None

    def set_kept(self, docks: tuple[str, ...]) -> None:
        """Say which of timeline and plots stay, now and the next time."""
        self.keeps = tuple(name for name in docks if name in KEPT)
        if self.is_on:
            self._show_kept()

    def toggle(self) -> None:
        """Begin or leave."""
        with self._held():
            if self.is_on:
                self.leave()
            else:
                self.enter()

    def enter(self) -> None:
        """Begin: menu, status line and all docks but the kept ones are hidden."""
        if self.is_on:
            return
        window = self._window
        self._layout = saved_layout(window, self._docks)
        self._was_maximized, self._place = window.isMaximized(), window.geometry()
        staying = (name for name, dock in DOCKS.items() if "presentation" in dock.stays_in and name in self._docks)
        self._open = tuple(name for name in staying if not self._docks[name].isHidden())
        self._show_bars(False)
        self._show_kept()
        # What had the keyboard may be hidden now: else the first button had it, with a ring around it.
        scene = window.centralWidget()
        if scene is not None:
            scene.setFocus(Qt.FocusReason.OtherFocusReason)
        window.showFullScreen()
        window.installEventFilter(self)
        self.changed.emit(True)

    def leave(self) -> None:
        """Go back to the window as it was."""
        if self._layout is None:
            return
        window, layout = self._window, self._layout
        self._layout = None
        window.removeEventFilter(self)
        self._show_bars(True)
        if self._was_maximized:
            window.showMaximized()
        else:
            window.showNormal()
            # At once, and not when the window manager says so: a window that is closed by now is remembered like this.
            window.setGeometry(self._place)
        self.changed.emit(False)  # docks that are larger for it are so no more
        restore_layout(window, self._docks, layout)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Escape that nothing inside the window has taken, and F11 while its action hides with the menu.
        if watched is not self._window or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        is_leaving = event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F11)
        if is_leaving:
            self.toggle()
        return is_leaving

    def _show_bars(self, is_shown: bool) -> None:
        bar = self._window.menuWidget()
        for widget in (bar if bar is not None else self._window.menuBar(), self._window.statusBar()):  # pyright: ignore[reportUnnecessaryComparison]
            widget.setVisible(is_shown)

    def _show_kept(self) -> None:
        for name, dock in self._docks.items():
            dock.setVisible(name in self.keeps or name in self._open)
