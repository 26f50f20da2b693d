"""The viewer of a page: its template, its style and its scripts, which are ES modules.

The scripts are in three folders: `base` (mathematics, the scene, its motion, the camera), `drawing` (the picture and
the texts over it) and `controls` (timeline, sliders, plots, read-outs, mouse and keys). Each imports only from itself
and the folders before it. ``main.js`` puts a page together. The entry modules ``played.js``, ``interactive.js`` and
``in_lesson.js`` name the parts of each kind of page. ``types.d.ts`` has types for the type checker alone.
"""

from __future__ import annotations

from pathlib import Path

from framescope.features.web_page.app.script_modules import ScriptModule, join_modules

FOLDER = Path(__file__).parent
"""The folder of the template, the style and the modules."""


def source(name: str) -> str:
    """Return the text of one of the files here."""
    return (FOLDER / name).read_text(encoding="utf-8")


def formulas_script(text: str) -> str:
    """Return the declaration of a scene's formulas: an object of functions in a scope of its own."""
    return f"const formulas = (() => {{\n{text}\nreturn formulas;\n}})();"


def formulas_module(text: str) -> dict[Path, ScriptModule]:
    """Return the module of a scene's formulas, keyed by the file that it replaces."""
    module = ScriptModule({}, ("formulas",), frozenset({"formulas"}), f"{formulas_script(text)}\n")
    return {FOLDER / "base" / "formulas.js": module}


def script(formulas: str, *, is_alone: bool) -> str:
    """Return the script of a page, given the code of its scene's formulas or none.

    A page that is not alone is part of another page, such as that of a lesson.
    """
    if not formulas:
        return join_modules(FOLDER / "played.js")
    return join_modules(FOLDER / ("interactive.js" if is_alone else "in_lesson.js"), formulas_module(formulas))
