"""Errors that end an override of Qt's methods: told, and no end of the program."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest
from pyqtgraph import Point
from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from PySide6.QtWidgets import QWidget

import framescope.features
import framescope.ui
from framescope.ui.qt_support import exception_guard

PROGRAM = """
import sys
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from shiboken6 import delete

class Early(QWidget):
    def event(self, event):
        if event.type() == QEvent.Type.User:
            1 / 0
        return super().event(event)

from framescope.ui.qt_support.exception_guard import guard_overrides
guard_overrides()
guard_overrides()

class Late(QWidget):
    def event(self, event):
        if event.type() == QEvent.Type.User:
            [][3]
        return super().event(event)

class Later(Late):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.User:
            self.gone.text()
        return False

class Inner(QWidget):
    def sizeHint(self):
        return [][3]

class Outer(QWidget):
    def event(self, event):
        if event.type() == QEvent.Type.User:
            self.inner.adjustSize()  # Qt calls the override of the size within this one
        return super().event(event)

told = []
sys.excepthook = lambda kind, error, trace: told.append(f"{kind.__name__}: {error.args[0]}")
app = QApplication([])
early, late, later = Early(), Late(), Later()
later.gone = QLabel()
delete(later.gone)
late.installEventFilter(later)
outer = Outer()
outer.inner = Inner()
for widget in (early, late, outer):
    app.postEvent(widget, QEvent(QEvent.Type.User))
QTimer.singleShot(0, app.quit)
app.exec()
print("\\n".join(told))
print("went on")
"""


@pytest.mark.process
def test_that_an_error_of_c_in_an_override_is_told_and_ends_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in said] == [
        "ZeroDivisionError",
        "RuntimeError",
        "IndexError",
        "IndexError",
        "went on",
    ]
    assert "already deleted" in said[1]


@pytest.mark.skipif(not exception_guard.NEEDS_GUARD, reason="errors are whole from Python 3.12 on")
def test_that_every_override_of_the_program_is_guarded() -> None:
    for package in (framescope.ui, framescope.features):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    kinds = [kind for kind in _below(QWidget) if kind.__module__.startswith(("framescope.ui", "framescope.features"))]
    assert len(kinds) > 100
    bare = {
        f"{base.__module__}.{base.__qualname__}.{name}"
        for kind in kinds
        for base in kind.__mro__[: kind.__mro__.index(QWidget)]
        for name, function in vars(base).items()
        if callable(function) and hasattr(QWidget, name) and not name.startswith("__")
        if not hasattr(function, "__wrapped__") and not base.__module__.startswith("PySide6")
    }
    assert not bare


def test_that_a_guarded_override_keeps_its_name_and_its_words(qapp) -> None:
    class Said(QWidget):
        def event(self, event: QEvent) -> bool:
            """Say it."""
            return super().event(event) if event.type() != QEvent.Type.User else True

    assert (Said.event.__name__, Said.event.__doc__) == ("event", "Say it.")
    assert QCoreApplication.sendEvent(Said(), QEvent(QEvent.Type.User))


@pytest.mark.skipif(not exception_guard.NEEDS_GUARD, reason="nothing is guarded from Python 3.12 on")
def test_that_special_methods_which_python_alone_calls_stay_bare() -> None:
    class Place(QPointF):
        def __init__(self, x: float) -> None:
            super().__init__(x, x)

        def __add__(self, other: QPointF) -> Place:
            return Place(self.x() + other.x())

    assert not hasattr(Place.__init__, "__wrapped__")
    assert not hasattr(Place.__add__, "__wrapped__")
    assert not hasattr(Point.__init__, "__wrapped__")  # a plot makes more of these in a paint than Qt calls overrides


def _below(kind: type) -> list[type]:
    return [found for below in kind.__subclasses__() for found in (below, *_below(below))]
