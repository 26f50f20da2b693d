"""Each feature can be taken out: with its line and its folder deleted the program starts, works and names it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import framescope.features
from framescope.core.system.features import Feature, installed_features
from tests.support.cases import for_each

PLACE = Path(framescope.features.__path__[0])
NAMES = sorted(path.parent.name for path in PLACE.glob("*/feature.py"))

PROGRAM = """
import importlib, pkgutil, sys
from importlib.util import spec_from_file_location
from pathlib import Path

PLACE, GONE = Path(sys.argv[1]), sys.argv[2]

class Finder:
    "Finds the features in a copy, in which one is missing."
    def find_spec(self, name, path=None, target=None):
        if name == "framescope.features":
            return spec_from_file_location(name, PLACE / "__init__.py", submodule_search_locations=[str(PLACE)])

sys.meta_path.insert(0, Finder())
import framescope.features
from framescope.core.system.features import installed_features
names = {feature.name for feature in installed_features()}
assert GONE not in names, names
for feature in installed_features():
    package = importlib.import_module(f"framescope.features.{feature.name}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

from typer.testing import CliRunner
from framescope.app.cli.main import app as commands
for words in (["--help"], ["check", "demo"], ["evaluate", "demo", "--stop", "0.1", "--rate", "10"]):
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 0, (words, result.output, result.exception)

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.window import dock_table
from tests.app.test_window_records import dead_entries

application = QApplication([])
current_theme.apply_theme(application, DARK)
wiring = startup.make_window(find_scene("demo"))
wiring.window.show()
for name in dock_table.DOCKS:
    wiring.window.show_dock(name)
    for _ in range(5):
        QCoreApplication.processEvents()
assert dead_entries(wiring.window) == [], dead_entries(wiring.window)
gone_docks = {dock for dock in sys.argv[3].split(",") if dock}
assert gone_docks.isdisjoint(dock_table.DOCKS)
wiring.window.close()
print("works without", GONE)
"""


def without(name: str, place: Path) -> None:
    """Copy the features, delete the folder of one, and its lines in the list."""
    shutil.copytree(PLACE, place, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(place / name)
    listed = place / "__init__.py"
    kept = [line for line in listed.read_text("utf-8").splitlines() if not re.search(rf"\b{name.upper()}\b", line)]
    listed.write_text("\n".join(kept), "utf-8")


def test_that_each_folder_is_a_feature_in_the_list() -> None:
    folders = sorted(path.name for path in PLACE.iterdir() if any(path.rglob("*.py")) and path.name != "__pycache__")
    assert folders == NAMES == sorted(feature.name for feature in framescope.features.FEATURES)


@pytest.mark.long
@for_each("feature", framescope.features.FEATURES)
def test_that_a_record_requires_the_features_that_its_modules_import(feature: Feature) -> None:
    imported: set[str] = set()
    for path in (PLACE / feature.name).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("framescope.features."):
                imported.add((node.module or "").split(".")[2])
    assert imported - {feature.name} == {*feature.requires}


@pytest.mark.process
@pytest.mark.window
@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_that_the_program_works_without_a_feature(name: str, tmp_path: Path) -> None:
    without(name, tmp_path / "features")
    docks = ",".join(dock.name for feature in installed_features() if feature.name == name for dock in feature.docks)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path / "features", name, docks],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, [f"works without {name}"]), done.stderr[-3000:]
