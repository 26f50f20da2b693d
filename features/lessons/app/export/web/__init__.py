"""The page of a lesson around its scenes: its template, its style and its scripts, which are ES modules."""

from __future__ import annotations

from pathlib import Path

from framescope.features.web_page.app.script_modules import join_modules

FOLDER = Path(__file__).parent
"""The folder of the template, the style and the modules."""


def source(name: str) -> str:
    """Return the text of one of the files here."""
    return (FOLDER / name).read_text(encoding="utf-8")


def script() -> str:
    """Return the script of the page."""
    return join_modules(FOLDER / "lesson.js")
