"""The viewer of a page: its template, its style and its scripts, which are ES modules.

Rooms of the scripts import only from those before them: `base` (mathematics, the scene, its motion and the camera),
`drawing` (the picture and the texts over it), `controls` (what the reader of a page operates). ``main.js`` puts a page
together. The entry modules ``played.js``, ``interactive.js`` and ``in_lesson.js`` name the parts of each kind of page.
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
    """Return the declaration of a scene's formulas: an object of functions, whose own names meet no others."""
    return f"const formulas = (() => {{\n{text}\nreturn formulas;\n}})();"


def formulas_module(text: str) -> dict[Path, ScriptModule]:
    """Return the module of a scene's formulas, by the file that it stands for."""
    module = ScriptModule({}, ("formulas",), frozenset({"formulas"}), f"{formulas_script(text)}\n")
    return {FOLDER / "base" / "formulas.js": module}


def script(formulas: str, *, is_alone: bool) -> str:
    """Return the script of a page, given the code of its scene's formulas or none.

    A page that is not alone is part of another page, such as that of a lesson.
    """
    if not formulas:
        return join_modules(FOLDER / "played.js")
    return join_modules(FOLDER / ("interactive.js" if is_alone else "in_lesson.js"), formulas_module(formulas))
