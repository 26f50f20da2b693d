"""pyqtgraph as the plots import it: PySide's classes are made when they are asked for, and all of them are there."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

CODE = """
import PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets
sources = [getattr(PySide6, name) for name in ("QtCore", "QtGui", "QtWidgets")]
listed = [dir(source) for source in sources]
from framescope.ui.qt_support.lean_pyqtgraph import pg
made = sum(len(vars(source)) for source in sources)
assert made < 0.5 * sum(map(len, listed)), made
assert [sorted({*dir(source)}) for source in sources] == [sorted({*names}) for names in listed]
for source, names in zip(sources, listed):
    ours = getattr(pg.Qt, source.__name__.rpartition(".")[2])
    others = [name for name in names if name[:2] != "__" and getattr(ours, name) is not getattr(source, name)]
    assert not others, others
import pyqtgraph
from pyqtgraph.Qt import QtWidgets
from PySide6.QtOpenGLWidgets import QOpenGLWidget
assert pg is pyqtgraph and QtWidgets.QOpenGLWidget is QOpenGLWidget
assert not hasattr(QtWidgets, "QNothing")
"""


def test_that_pyqtgraph_finds_all_classes_of_qt_and_makes_none_that_is_not_asked_for() -> None:
    result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_that_pyqtgraph_is_taken_as_it_is_where_it_was_imported_before() -> None:
    code = "import pyqtgraph; from framescope.ui.qt_support.lean_pyqtgraph import pg; assert pg is pyqtgraph"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
