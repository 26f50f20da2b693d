"""The viewer that a page is made of: its source, as it stands in every page that is exported.

No library is used, and nothing is built: the scripts are joined in the order of `SCRIPTS`, inside one function.
"""

from __future__ import annotations

from importlib.resources import files

SCRIPTS = (
    *(
        "math",
        "scene",
        "motion",
        "measured",
        "camera",
        "drawing",
        "labels",
        "readouts",
        "timeline",
        "hand",
        "grab",
        "sliders",
        "plots",
        "staged_shapes",
        "staged_tags",
        "staged",
        "halves",
        "sensor_arrows",
        "main",
        "print",
    ),
)

OF_SLIDERS = frozenset({"measured", "grab", "staged_shapes", "staged_tags", "staged", "sensor_arrows"})
"""Those that a page without sliders has no use for."""

OF_WHOLE_PAGES = frozenset({"staged_tags", "staged", "print"})
"""Those that a page within another one has no use for."""


def source(name: str) -> str:
    """Return the text of one of the files here."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def formulas_script(text: str) -> str:
    """Return the script of a scene's formulas: an object of functions, whose own names meet no others."""
    return f"const formulas = (() => {{\n{text}\nreturn formulas;\n}})();"


def script(formulas: str, *, is_alone: bool) -> str:
    """Return all scripts as one that a page needs, after those of the scene's own formulas."""
    spared = (frozenset[str]() if formulas else OF_SLIDERS) | (frozenset[str]() if is_alone else OF_WHOLE_PAGES)
    names = (name for name in SCRIPTS if name not in spared)
    joined = "\n".join(source(f"{name}.js") for name in names)
    return f'(() => {{\n"use strict";\n{formulas}\n{joined}}})();\n'
