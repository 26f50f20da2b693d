"""The viewer that a page is made of: its source, as it stands in every page that is exported.

No library is used, and nothing is built: the scripts are joined in the order of `SCRIPTS`, inside one function.
"""

from __future__ import annotations

from importlib.resources import files

SCRIPTS = ("math", "scene", "camera", "drawing", "labels", "readouts", "timeline", "hand", "main")


def source(name: str) -> str:
    """Return the text of one of the files here."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def script() -> str:
    """Return all scripts as one."""
    joined = "\n".join(source(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{joined}}})();\n'
