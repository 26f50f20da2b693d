"""The page of a lesson around its scenes: its source, as it stands in every page that is exported."""

from __future__ import annotations

from importlib.resources import files

SCRIPTS = ("judge", "lesson")


def source(name: str) -> str:
    """Return the text of one of the files here."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def script() -> str:
    """Return all scripts as one."""
    joined = "\n".join(source(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{joined}}})();\n'
