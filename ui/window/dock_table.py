"""Table of all docks, of the base and of features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from framescope.core.system.features import Dock, Feature, installed_features, put_after

BASE = (
    Dock("outline", "Outline", "left", help_page="window.md#outline", layouts=("Build",)),
    Dock("inspector", "Inspector", "left", help_page="window.md#inspector", layouts=("Build", "Learn", "Check")),
    Dock(
        "relation",
        "Relation",
        "left",
        behind="inspector",
        answers="framescope.ui.panels.relation.relation_block:is_relation",
        help_page="window.md#relation",
        layouts=("Check",),
        place="Check",
    ),
    Dock("readouts", "Read-outs", "right", help_page="window.md#read-outs", place="Check"),
    Dock(
        "problems",
        "Problems",
        "right",
        behind="readouts",
        place="Check",
        help_page="window.md#problems",
        layouts=("Check",),
    ),
    Dock(
        "manual",
        "Manual beside the scene",
        "right",
        behind="readouts",
        tab="Manual",
        width=340,
        place="Learn",
        help_page="window.md#the-manual",
        stays_in=("layouts",),
    ),
    Dock(
        "question",
        "Question",
        "bottom",
        has_header=False,
        help_page="window.md#questions",
        layouts=("Build", "Check"),
        words="ask signal number curve arrow sentence pin plot sensor",
    ),
    Dock(
        "timeline",
        "Timeline",
        "bottom",
        has_header=False,
        help_page="window.md#timeline",
        layouts=("Build", "Learn", "Check"),
    ),
    Dock(
        "plots",
        "Plots",
        "bottom",
        share=530,
        has_header=False,
        help_page="window.md#plots",
        layouts=("Build", "Learn", "Check"),
    ),
)
"""Docks of the base."""

FURNISHED = ("outline", "inspector", "readouts", "problems", "question", "timeline", "plots")
"""Docks that the window fills itself."""


def _feature_docks(feature: Feature) -> list[Dock]:
    """Return the docks of a feature, with the full names of their functions."""
    return [
        replace(
            dock,
            maker=feature.full(dock.maker),
            needs=dock.needs and feature.full(dock.needs),
            answers=dock.answers and feature.full(dock.answers),
        )
        for dock in feature.docks
    ]


def _all_docks() -> dict[str, Dock]:
    additions = [dock for feature in installed_features() for dock in _feature_docks(feature)]
    docks = {dock.name: dock for dock in (*BASE, *additions)}
    names = put_after((dock.name for dock in BASE), ((dock.name, dock.after) for dock in additions))
    return {name: docks[name] for name in names}


DOCKS: Mapping[str, Dock] = _all_docks()
"""Docks by name, in the order of the menu *Window* and of tabs."""

INSTRUMENTS = tuple(name for name in DOCKS if name not in FURNISHED)
"""Docks that are filled when the user first sees them."""

STACK = ("question", "timeline")
"""Docks at the bottom that have the whole width, from top to bottom."""

BOTTOM_ROW = tuple(n for n, dock in DOCKS.items() if dock.side == "bottom" and not dock.behind and n not in STACK)
"""Docks in the row below the timeline, from left to right."""


def feature_docks(layout: str) -> tuple[str, ...]:
    """Return the docks of features that a layout shows by default."""
    base = {dock.name for dock in BASE}
    return tuple(name for name, dock in DOCKS.items() if layout in dock.layouts and name not in base)
