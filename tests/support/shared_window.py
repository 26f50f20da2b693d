"""One whole window for the tests that follow each other: it is handed out again where all of it is as it was when new.

A scene is opened in it anew, as a person does all the time. What the next test would find otherwise than in a new
window, whatever it is, makes that test get a new one; so no test depends on what ran before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from framescope.app.controllers.wiring import Wiring
from framescope.app.storage.settings_store import Store
from framescope.core.scene.schema.model import ItemKey
from framescope.core.system.garbage_collection import set_aside
from framescope.ui.theme import current_theme
from framescope.ui.window.status_bar import StatusLine
from tests.support.leaks import address, delete_what_qt_was_told_to, hunt, top_level_widgets
from tests.support.whole_window import leave


@dataclass(frozen=True)
class State:
    """How a window looks, part by part, and what its parts remember, with how many of them do."""

    looks: dict[str, object]
    remembered: Counter[tuple[str, object]]


class SharedWindow:
    """Keeps a window from one test to the next."""

    def __init__(self) -> None:
        self._wiring: Wiring | None = None
        self._settings: dict[str, Any] = {}
        self._layout: QByteArray = QByteArray()
        self._widgets_before: set[int] = set()
        self._new: dict[tuple[str, str], State] = {}
        self._selected: dict[tuple[str, str], ItemKey] = {}

    def open(self, path: Path, make: Callable[[Path], Wiring]) -> Wiring:
        """Return the window on a scene, as if it was new; `make` makes one and shows it."""
        key = (path.name, path.read_text(encoding="utf-8", errors="replace"))
        if self._wiring is not None and not (key in self._new and self._opens(self._wiring, path, key)):
            self.leave()
        if self._wiring is None:
            self._widgets_before = {address(widget) for widget in top_level_widgets()}
            set_aside()
            self._wiring = wiring = make(path)
            self._settings = dict(wiring.settings.store.values)
            self._layout = wiring.window.saveState()
            self._selected[key] = wiring.session.selection
            self._new[key] = state(wiring)
        return self._wiring

    def leave(self, *, has_failed: bool = False) -> None:
        """Close the window, and look for what it and its tests leave alive, unless the last of them has failed."""
        wiring, self._wiring = self._wiring, None
        if wiring is None:
            return
        if isValid(wiring) and isValid(wiring.window):
            leave(wiring)
        del wiring
        if not has_failed:
            hunt(self._widgets_before)

    def _opens(self, wiring: Wiring, path: Path, key: tuple[str, str]) -> bool:
        """Open a scene in the window that is there; return whether all is as in a new one."""
        if not (isValid(wiring) and isValid(wiring.window) and wiring.window.isVisible()) or wiring.is_closed:
            return False
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return False
        wiring.session.pause()
        wiring.session.document.is_handed_back = True
        wiring.open(path)
        wiring.settings.store = Store()  # in the folder of this test
        wiring.settings.store.values.update(self._settings)
        if wiring.session.exists(self._selected[key]):
            wiring.session.select(self._selected[key])
        wiring.window.restoreState(self._layout)
        wiring.window.activateWindow()
        wiring.window.scene_view.setFocus()
        for _ in range(LOOKS):
            delete_what_qt_was_told_to()
            if is_new(state(wiring), self._new[key]):
                return True
        return False


SHARED = SharedWindow()

# What a window shows, and what stands behind it

LOOKS = 3
"""How often is looked whether all is laid out as it was."""

VOLATILE = {
    *(
        "Session._last_tick",
        "ProblemsController.pending_diagnosis",
        "EditorContext.snapshot",
        "Context.snapshot",
        "KeyRouter._left_at",
    ),
    *("FileCommands._reread", "Autosave._slot"),
    *("Store.values", "Store.values[recent-files]", "Store.values[recent-files][0]"),
    *("ValueGesture._value", "ValueGesture._start", "ValueGesture._has_moved"),
    *("AngleSlider._grip", "AngleSlider._axis", "AngleSlider._drag_turn"),
    *("PlotPanel._strip", "DropHint.text", "OutlineTree._place_for_row"),
}
"""What parts remember of a file, a moment or a gesture that is over, and what is made when it is needed."""


def state(wiring: Wiring) -> State:
    """Return all that tells a window from a new one: widgets, commands, the camera, what the parts remember."""
    window, view = wiring.window, wiring.window.scene_view
    looks: dict[str, object] = {name: _looks(widget) for name, widget in _widgets(window)}
    for action in window.findChildren(QAction):  # in an order that changes
        looks[f"action {action.text()}"] = action.isChecked(), action.isEnabled()
    looks["camera"] = repr(view.camera.state), view.camera.follow_mode
    looks["tools"] = view.manipulation.is_on, view.manipulation.axes_of, view.measuring.is_on
    looks["window"] = window.windowState(), window.windowTitle(), current_theme.current().is_dark
    looks["seen"] = sorted(type(each).__name__ for each in QApplication.topLevelWidgets() if each.isVisible())
    looks["keyboard"] = type(QApplication.focusWidget()).__name__
    return State(looks, _remembered(wiring))


def is_new(found: State, new: State) -> bool:
    """Return whether a window is as a new one; what was made when it was needed, and is put away, may be there."""
    looks = {name: each for name, each in found.looks.items() if name in new.looks or _is_seen(name, each)}
    return looks == new.looks and not new.remembered - found.remembered


def _is_seen(name: str, looks: Any) -> bool:
    return not name.startswith("/") or looks[0]


NOT_LOOKED_AT = StatusLine, QTabBar
"""Tells what happened last; tabs of docks, which come in any order."""


def _widgets(top: QWidget) -> Iterator[tuple[str, QWidget]]:
    """Yield every widget of a window under a name that a new window has for it, too."""
    rest = [("", top)]
    while rest:
        name, widget = rest.pop()
        yield name, widget
        if isinstance(widget, QDockWidget) and widget.x() < 0:  # behind another one
            continue
        counts: dict[str, int] = {}
        for child in widget.children():
            if isinstance(child, QWidget) and not isinstance(child, NOT_LOOKED_AT):
                kind = type(child).__name__ + child.objectName()
                counts[kind] = counts.get(kind, -1) + 1
                rest.append((f"{name}/{kind}{counts[kind]}", child))


def _looks(widget: QWidget) -> tuple:
    is_seen = widget.isVisible() and widget.x() >= 0
    looks = (is_seen, widget.isEnabled(), _place(widget) if is_seen else None)
    if isinstance(widget, QAbstractButton):
        return (*looks, widget.isChecked(), widget.text())
    if isinstance(widget, QLabel | QLineEdit):
        return (*looks, widget.text())
    if isinstance(widget, QComboBox):
        return (*looks, widget.currentIndex(), widget.count())
    if isinstance(widget, QAbstractSlider):
        return (*looks, widget.value())
    return looks


def _place(widget: QWidget) -> tuple:
    """Return where a widget stands in its window; where that stands is the platform's to say."""
    return widget.size().toTuple() if widget.isWindow() else widget.geometry().getRect()


def _remembered(root: object) -> Counter[tuple[str, object]]:
    """Return the plain values that are reached from the window's parts, each under its class and its name there."""
    found: Counter[tuple[str, object]] = Counter()
    rest, seen = [("", "", root)], set()
    while rest:
        owner, name, one = rest.pop()
        if one is None or isinstance(one, bool | int | float | str | bytes | Enum):
            plain = repr(one) if isinstance(one, float) else one  # as not a number is no equal of itself
            found[f"{owner}.{name}", plain] += 1
            continue
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, tuple | list) and len(one) < 30:
            found[f"{owner}.{name}", len(one)] += 1
            rest.extend((owner, f"{name}[{i}]", each) for i, each in enumerate(one))
        elif isinstance(one, dict) and len(one) < 100:
            found[f"{owner}.{name}", len(one)] += 1
            rest.extend((owner, f"{name}[{key}]", each) for key, each in one.items() if isinstance(key, str | Enum))
        elif _is_part(type(one).__module__) and hasattr(one, "__dict__"):
            of = type(one).__qualname__
            rest.extend((of, attribute, each) for attribute, each in vars(one).items() if attribute[:2] != "__")
    return Counter({known: times for known, times in found.items() if known[0] not in VOLATILE})


def _is_part(module: str) -> bool:
    """Return whether an object of a module is one of the window's parts, and none of what is drawn."""
    return module.startswith(("framescope.app.", "framescope.ui.")) and not module.startswith(
        "framescope.ui.scene_view."
    )
