"""The three places of the window, and the full-screen presentation.

A place is a task with its panels: plain data. `Presentation` switches a window to full screen and back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow

from framescope.core.system.features import Side
from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.dock_state import restore_layout, save_layout
from framescope.ui.window.dock_table import DOCKS, feature_docks


@dataclass(frozen=True)
class Place:
    """Place of the window: a task with its panels. The table of docks lists the docks of each place.

    Attributes
    ----------
    name, purpose
        Its word, and one sentence that says what it is for.
    left, right, bottom
        Width or height of the docks there, logical pixels; the bottom includes the timeline.
    in_front
        Docks to raise among those that share a place.
    has_large_clock
        Whether the clock in the scene has its size for lectures.
    sides
        Sides of docks that are elsewhere than in the table.
    """

    name: str
    purpose: str
    left: int = METRICS.left
    right: int = METRICS.right
    bottom: int = METRICS.bottom
    in_front: tuple[str, ...] = ("readouts",)
    has_large_clock: bool = False
    sides: Mapping[str, Side] = field(default_factory=dict)

    def shows(self, dock: str) -> bool:
        """Return whether the place shows a dock at first."""
        return self.name in DOCKS[dock].layouts


PLACES: Mapping[str, Place] = {
    "Build": Place(
        "Build",
        "Make a scene of frames and things on them, and ask for numbers, curves and arrows.",
        bottom=METRICS.build_bottom,
    ),
    "Learn": Place(
        "Learn",
        "Follow a lesson, or teach one: all forms of a rotation side by side, with large numbers.",
        left=METRICS.teach_left,
        bottom=METRICS.teach_bottom,
        has_large_clock=True,
    ),
    "Check": Place(
        "Check",
        "Find what is wrong: problems with their causes and fixes, and two frames compared.",
        right=METRICS.debug_right,
        bottom=METRICS.debug_bottom,
        sides={"problems": "left"},
        in_front=("relation", "problems", *feature_docks("Check")),
    ),
}

READABLE = 0.02
"""Height of a digit that the last row of an audience can read, as a fraction of the screen height."""

DIGIT = 0.72
"""Height of a digit as a fraction of the font size."""


def readable_size(height: int) -> int:
    """Return the font size whose digits the last row can read, on a screen of this height, logical pixels.

    >>> readable_size(800), readable_size(1080)
    (23, 30)
    """
    # without the subtraction, rounding errors would give 31 for 1080
    return math.ceil(READABLE * height / DIGIT - 1e-9)


KEPT = ("timeline", "plots")
"""Docks that a presentation may keep open."""


class Presentation(QObject):
    """Switches a window to full screen with little but the scene, and restores it afterwards.

    Parameters
    ----------
    window
        Window with the docks.
    docks
        Docks by name.
    hold_picture
        Context that holds the scene's picture while docks change, and draws it once at the end.

    Signals
    -------
    begun(), changed(bool)
        The presentation is about to change; whether it is on then.
    """

    begun = Signal()
    changed = Signal(bool)

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        hold_picture: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._hold_picture = window, docks, hold_picture
        self._layout: QByteArray | None = None
        self._was_maximized = False
        self._place = QRect()
        self.keeps: tuple[str, ...] = ("timeline",)
        self._open: tuple[str, ...] = ()
        """Docks that were open before the presentation and stay open in it."""

    @property
    def is_on(self) -> bool:
        """Whether the window presents."""
        return self._layout is not None

    def set_kept_docks(self, docks: tuple[str, ...]) -> None:
        """Set the docks among timeline and plots that stay open, in this presentation and later ones."""
        self.keeps = tuple(name for name in docks if name in KEPT)
        if self.is_on:
            self._show_kept_docks()

    def toggle(self) -> None:
        """Enter or leave the presentation."""
        with self._hold_picture():
            if self.is_on:
                self.leave()
            else:
                self.enter()

    def enter(self) -> None:
        """Hide menu, status line and all docks except the kept ones, and show full screen."""
        if self.is_on:
            return
        self.begun.emit()
        window = self._window
        self._layout = save_layout(window, self._docks)
        self._was_maximized, self._place = window.isMaximized(), window.geometry()
        staying = (name for name, dock in DOCKS.items() if "presentation" in dock.stays_in and name in self._docks)
        self._open = tuple(name for name in staying if not self._docks[name].isHidden())
        self._show_bars(False)
        self._show_kept_docks()
        # Otherwise the first button would take the focus from a hidden widget and show a focus ring.
        scene = window.centralWidget()
        if scene is not None:
            scene.setFocus(Qt.FocusReason.OtherFocusReason)
        window.showFullScreen()
        window.installEventFilter(self)
        self.changed.emit(True)

    def leave(self) -> None:
        """Restore the window as it was."""
        if self._layout is None:
            return
        self.begun.emit()
        window, layout = self._window, self._layout
        self._layout = None
        window.removeEventFilter(self)
        self._show_bars(True)
        if self._was_maximized:
            window.showMaximized()
        else:
            window.showNormal()
            # Set the geometry without waiting for the window manager: a window that closes now is saved with it.
            window.setGeometry(self._place)
        self.changed.emit(False)  # docks that are larger in presentations shrink first
        restore_layout(window, self._docks, layout)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Escape that no widget has handled, and F11, whose action is hidden with the menu.
        if watched is not self._window or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)  # Shift+F11 shows the plots
        is_leaving = event.key() == Qt.Key.Key_Escape or (event.key() == Qt.Key.Key_F11 and not has_shift)
        if is_leaving:
            self.toggle()
        return is_leaving

    def _show_bars(self, is_shown: bool) -> None:
        bar = self._window.menuWidget()
        for widget in (bar if bar is not None else self._window.menuBar(), self._window.statusBar()):  # pyright: ignore[reportUnnecessaryComparison]
            widget.setVisible(is_shown)

    def _show_kept_docks(self) -> None:
        for name, dock in self._docks.items():
            dock.setVisible(name in self.keeps or name in self._open)
