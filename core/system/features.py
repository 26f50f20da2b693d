"""Features: parts of the program that one can take out, and the record in which each lists its additions.

The base knows no feature. It asks `installed_features` where a feature may add something: a dock, a command, a check.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

PACKAGE = "framescope.features"
"""Package whose `FEATURES` lists the features of this installation."""


@dataclass(frozen=True)
class Dock:
    """Dock of a feature.

    Attributes
    ----------
    name
        Name in layouts, settings and tests.
    title
        Title in its header and in the menu *Window*.
    side
        Side of the window.
    maker
        Function that fills the dock when it is first seen.
    behind
        Dock whose place it shares as a tab; empty for a place of its own.
    tab
        Title of its tab, where it is shorter.
    width, height
        Least size, logical pixels.
    help_page
        Page of the manual that F1 opens, with an anchor.
    needs
        Predicate of a scene: the dock is hidden while the scene has no such data. Empty: never hidden.
    layouts
        Layouts that show the dock at first, such as ``"Debug"``.
    """

    name: str
    title: str
    side: Literal["left", "right", "bottom"]
    maker: str
    behind: str = ""
    tab: str = ""
    width: int = 0
    height: int = 0
    help_page: str = ""
    needs: str = ""
    layouts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feature:
    """Record of a feature: the objects that it adds to the base.

    Each entry names an object as ``"app.bag_reader:IMPORTER"``, relative to the package of the feature. The base
    imports it when it first needs it, so that a record costs no import.

    Attributes
    ----------
    name
        Name of its folder.
    docks
        Docks of the window.
    controllers
        Functions that take the wiring of a window and connect the controllers of the feature.
    importers
        Kinds of files that the program opens (`framescope.app.importers.registry.Importer`).
    formats
        Formats that the program exports (`framescope.ui.dialogs.export.format.Format`).
    commands
        Functions that take the command line and add commands to it.
    motions
        Compilers of motions, by the form of the motion in a scene file. Each takes the motion and its context
        (`framescope.core.evaluation.local_motion.MotionContext`) and returns the compiled motion.
    joint_logs
        Functions that take the path of a log and return its series of joint values, by topic and by joint.
    tables
        Readers of files of numbers (`framescope.core.recordings.tables.mixed.TableReader`).
    checks
        Functions that take a plan and yield diagnoses, for a deep check.
    explanations
        Functions that take diagnoses of a plan and its comparisons with measurements
        (`framescope.core.analysis.diagnostics.comparisons.Comparisons`), and return diagnoses with causes.
    formula_compilers
        Compilers of formulas (`framescope.core.kernels.code.formula_compilers.FormulaCompiler`).
    file_frames
        Functions that take a plan and return the names of frames that a file defines, such as links of a robot. No
        fix merges such frames.
    visuals
        Visuals of the scene, each with the name of the visual behind which it is drawn.
    manual
        Pages of the manual, by the names of their files.
    """

    name: str
    docks: tuple[Dock, ...] = ()
    controllers: tuple[str, ...] = ()
    importers: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    motions: dict[str, str] = field(default_factory=dict[str, str])
    joint_logs: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    explanations: tuple[str, ...] = ()
    formula_compilers: tuple[str, ...] = ()
    file_frames: tuple[str, ...] = ()
    visuals: tuple[tuple[str, str], ...] = ()
    manual: tuple[str, ...] = ()

    def load(self, entry: str) -> Any:
        """Return the object that an entry names, such as ``"core.bag_problems:bag_problems"``."""
        return load_entry(f"{PACKAGE}.{self.name}.{entry}")


def load_entry(entry: str) -> Any:
    """Import the module of ``"package.module:object"`` and return the object.

    Examples
    --------
    >>> load_entry("math:hypot")(3.0, 4.0)
    5.0
    """
    module, _, name = entry.partition(":")
    return getattr(importlib.import_module(module), name)


@cache
def installed_features() -> tuple[Feature, ...]:
    """Return the features of this installation; none where the package of features is missing."""
    try:
        return importlib.import_module(PACKAGE).FEATURES
    except ModuleNotFoundError as error:
        if error.name != PACKAGE:
            raise
        return ()


def entries(of: Callable[[Feature], tuple[str, ...]]) -> Iterator[Any]:
    """Import and yield the objects that the features list under a field, such as ``lambda feature: feature.checks``."""
    for feature in installed_features():
        for entry in of(feature):
            yield feature.load(entry)


def find_entry(name: str, of: Callable[[Feature], Mapping[str, str]]) -> Any:
    """Import and return the object that a feature lists by name under a field; None where no feature does.

    >>> find_entry("no such form", lambda feature: feature.motions)
    """
    return next((feature.load(of(feature)[name]) for feature in installed_features() if name in of(feature)), None)


def missing_feature_message(what: str, feature: str) -> str:
    """Return the message about data whose feature is missing.

    >>> missing_feature_message("bags are", "bags")
    'bags are read by the feature bags, which is not installed.'
    """
    return f"{what} read by the feature {feature}, which is not installed."
