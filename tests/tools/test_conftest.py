"""The habits of conftest.py are themselves tested: a small suite of offenders, run in a process of its own."""

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

OFFENDERS = """
import socket
import subprocess
import sys
import weakref

import pytest
from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtWidgets import QComboBox, QLabel, QWidget
from vtkmodules.vtkFiltersSources import vtkSphereSource

from tests.support import leaks

leaks.PATIENCE_S = 0.1  # what leaks here never goes
kept = {}


def test_leaves_a_widget(qapp):
    kept["widget"] = QWidget(objectName="forgotten")


def test_leaves_a_vtk_object():
    kept["sphere"] = vtkSphereSource()


def test_leaves_nothing(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    sphere = vtkSphereSource()
    sphere.itself = sphere  # a cycle that the garbage collector can free


def test_after_a_leak_is_not_blamed_for_it(qapp):
    pass


def test_fails_and_is_not_blamed_twice():
    sphere = vtkSphereSource()
    raise ValueError


def test_fails_with_a_window_that_has_a_popup(qapp):
    box = QComboBox()
    box.addItems(["a", "b"])
    box.view()  # Qt makes a window of its own for the list
    kept["box"] = box
    raise ValueError


def test_after_a_failure_is_not_blamed_for_what_qt_made(qapp):
    kept["fillers"] = [QObject() for _ in range(100)]  # so that the popup's next Python object lies elsewhere


def test_raises_in_a_slot(qtbot):
    def slot():
        raise ValueError("in a slot")

    QTimer.singleShot(0, slot)
    qtbot.wait(10)


def test_uses_the_network():
    socket.create_connection(("192.0.2.1", 80), timeout=1)


def test_saves_a_setting():
    settings = QSettings("framescope-tests", "framescope-tests")
    settings.setValue("key", "value")
    settings.sync()


def test_finds_no_setting():
    assert QSettings("framescope-tests", "framescope-tests").value("key") is None


def test_starts_a_process():
    subprocess.run([sys.executable, "-c", ""])


@pytest.mark.process
def test_starts_a_process_and_says_so():
    subprocess.run([sys.executable, "-c", ""])


def test_that_uses_qt_is_marked(request, qtbot):
    assert request.node.get_closest_marker("window")
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("offenders")
    shutil.copy(Path(__file__).parents[1] / "conftest.py", folder)
    (folder / "test_offenders.py").write_text(OFFENDERS)
    (folder / "pytest.ini").write_text("[pytest]\nqt_api = pyside6\nmarkers =\n    window\n    process\n")
    command = [sys.executable, "-m", "pytest", "-rA", "--no-xvfb", "-p", "no:cacheprovider", "--tb=short", str(folder)]
    found = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}  # where `tests.support` is
    return subprocess.run(command, cwd=folder, env=found, capture_output=True, text=True, check=False).stdout


def summary(report: str) -> set[str]:
    """Return lines such as `FAILED test_uses_the_network`."""
    lines = report.partition("short test summary info")[2].splitlines()
    words = [line.replace("test_offenders.py::", "").split() for line in lines if "test_offenders.py::" in line]
    return {f"{outcome} {name}" for outcome, name, *_ in words}


@pytest.mark.process
def test_that_offenders_fail_and_others_pass(report):
    assert summary(report) == {
        "PASSED test_leaves_a_widget",  # the call passes; what follows it does not:
        "ERROR test_leaves_a_widget",
        "PASSED test_leaves_a_vtk_object",
        "ERROR test_leaves_a_vtk_object",
        "PASSED test_leaves_nothing",
        "PASSED test_after_a_leak_is_not_blamed_for_it",
        "FAILED test_fails_and_is_not_blamed_twice",
        "FAILED test_fails_with_a_window_that_has_a_popup",
        "PASSED test_after_a_failure_is_not_blamed_for_what_qt_made",
        "FAILED test_raises_in_a_slot",
        "FAILED test_uses_the_network",
        "PASSED test_saves_a_setting",
        "PASSED test_finds_no_setting",
        "FAILED test_starts_a_process",
        "PASSED test_starts_a_process_and_says_so",
        "PASSED test_that_uses_qt_is_marked",
    }, report


@pytest.mark.process
def test_that_a_leak_is_named(report):
    assert "PySide6.QtWidgets.QWidget 'forgotten', held by: dict" in report
    assert "vtkSphereSource, held by: dict" in report


@pytest.mark.process
def test_that_an_exception_in_a_slot_is_shown(report):
    assert "ValueError: in a slot" in report


BEYOND_THE_CORE = ("framescope.app", "framescope.ui", "PySide6", "pyqtgraph", "pyvista", "vtk", "vtkmodules")


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a test imports when it is loaded, and those that the helpers among them import."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names}
    for name in [name for name in found if name.startswith("tests.")]:
        files = [ROOT.joinpath(*name.split(".")[:n]).with_suffix(".py") for n in range(2, 7)]
        for file in filter(Path.is_file, files):
            found |= imported(file)
    return frozenset(found)


def is_beyond_the_core(name: str) -> bool:
    """Return whether a module may use Qt or VTK: the layers above the core, those of features, and what they use."""
    return name.startswith(BEYOND_THE_CORE) or re.match(r"framescope\.features\.\w+\.(app|ui)\b", name) is not None


def test_that_tests_of_the_core_use_nothing_else() -> None:
    """Leaks are looked for, and settings of its own given, only where Qt or VTK may be used."""
    files = [*(ROOT / "tests" / "core").glob("test_*.py"), *(ROOT / "tests" / "features").glob("*/core/test_*.py")]
    assert len(files) > 80
    others = {f"{file.name}: {name}" for file in files for name in imported(file) if is_beyond_the_core(name)}
    assert not others
