"""Tool docks: instruments that are created, with their controllers, when the user first sees them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

from framescope.core.orientation import QuaternionOrder
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.window.dock_table import DOCKS
from framescope.ui.window.main_window import MainWindow

TURN_MS = 60
"""Delay before an instrument is created, ms, so that the window can be laid out and drawn first."""

BASE = {"relation": "framescope.app.controllers.instruments.relation_controller:fill_relation"}
"""Functions that fill the docks of the base, by name of the dock."""


class _Closable(Protocol):
    """Controller with work to end when the window closes."""

    def close(self) -> None:
        """Wait for running work, and start no more."""
        ...


class ToolDocks(QObject):
    """Creates each instrument when its dock is first visible.

    The functions that fill docks are imported only then, so that a window opens fast.

    Parameters
    ----------
    window
        Window with the docks.
    fill
        Function that imports the filling function of a dock by its entry, and calls it with the wiring.
    """

    def __init__(self, window: MainWindow, fill: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._fill = window, fill
        self._followers: list[Callable[[AngleUnit], None]] = []
        self._order: QuaternionOrder = "xyzw"
        self._order_followers: list[Callable[[QuaternionOrder], None]] = []
        self._closing: list[_Closable] = []
        self._previews: list[Callable[[], None]] = []
        self._waiting: deque[str] = deque()
        self._after_filling: dict[str, list[Callable[[], None]]] = {}
        self.fill_timer = QTimer(self, interval=TURN_MS, singleShot=True)
        # Handle pending events first, since drawing a picture may take longer than the delay.
        self._after_all = QTimer(self, interval=0, singleShot=True)
        self.fill_timer.timeout.connect(self._after_all.start)
        self._after_all.timeout.connect(self._make_next)
        self._makers = BASE | {name: dock.maker for name, dock in DOCKS.items() if dock.maker}
        for name in filter(window.is_instrument_seen, self._makers):  # docks of the remembered layout
            self._on_seen(name)
        window.instrument_seen.connect(self._on_seen)
        window.place_changed.connect(self._on_place)
        window.scene_view.angle_unit_changed.connect(self._on_angle_unit)

    def set_quaternion_order(self, order: QuaternionOrder) -> None:
        """Change the shown order of quaternions."""
        self._order = order
        for set_order in self._order_followers:
            set_order(order)

    def close(self) -> None:
        """Close the controllers and create no more instruments."""
        self._makers.clear()
        self._waiting.clear()
        for controller in self._closing:
            controller.close()

    def stop_previews(self) -> None:
        """End the previews that instruments show in the scene."""
        for stop in self._previews:
            stop()

    # For the makers

    def follow_unit(self, set_unit: Callable[[str], None]) -> None:
        """Pass the unit of angles to a panel, now and whenever the user changes it."""
        self._followers.append(lambda unit: set_unit(unit.key))
        set_unit(self._window.scene_view.angle_unit.key)

    def follow_quaternion_order(self, set_order: Callable[[QuaternionOrder], None]) -> None:
        """Pass the shown order of quaternions to a panel, now and whenever the user changes it."""
        self._order_followers.append(set_order)
        set_order(self._order)

    def close_with_window(self, controller: _Closable) -> None:
        """Close a controller when the window closes."""
        self._closing.append(controller)

    def add_preview(self, stop: Callable[[], None]) -> None:
        """Call a function when previews in the scene must end: before undo, saving and closing."""
        self._previews.append(stop)

    def call_once_full(self, name: str, act: Callable[[], None]) -> None:
        """Call a function once a dock is filled: now, or after the turn of the dock."""
        if name in self._makers:
            self._after_filling.setdefault(name, []).append(act)
        else:
            act()

    # Turns

    def _on_seen(self, name: str) -> None:
        if name in self._makers and name not in self._waiting:
            self._waiting.append(name)
            self._wait_for_turn()

    def _on_place(self) -> None:
        if self._waiting:
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        # Start the delay after the current event, such as a change of layout and its picture.
        self.fill_timer.stop()
        self._after_all.stop()
        QTimer.singleShot(0, self.fill_timer, self.fill_timer.start)

    def _make_next(self) -> None:
        """Create one instrument. Others follow after delays of their own, since a layout may show several.

        An instrument that is hidden again by now waits until the user sees it.
        """
        name = self._waiting.popleft() if self._waiting else None
        if name is not None and self._window.is_instrument_seen(name):
            self._fill(self._makers.pop(name))
            for act in self._after_filling.pop(name, ()):
                act()
        if self._waiting:
            self._wait_for_turn()

    def _on_angle_unit(self) -> None:
        for follow in self._followers:
            follow(self._window.scene_view.angle_unit)
