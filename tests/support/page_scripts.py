"""Modules of a page, run on their own over a scene that a test makes up."""

from __future__ import annotations

import json
from typing import Any

from framescope.features.web_page.app.script_modules import join_modules, module_of
from framescope.features.web_page.app.web import FOLDER, formulas_module

SCENE = """
export const file = {file};
export const ORIGIN = {{ q: [0, 0, 0, 1], p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] }};
export const sizeBetween = null;
let samples = null;
export const setSamples = (values) => {{ samples = values; }};
export const valueAt = (index) => samples[index];
"""
"""A module in place of ``base/scene.js``: its tracks have the values that a test sets."""


def run_over_scene(file: dict[str, Any], formulas: str, code: str) -> str:
    """Return a script that runs a module's code on the modules of a page; the code sets ``result``.

    The module stands in the folder of the page's modules and imports from there.
    """
    entry, scene = FOLDER / "test.js", FOLDER / "base" / "scene.js"
    text = f"{code}\nwindow.result = result;\n"
    replacements = {
        entry: module_of(entry, text),
        scene: module_of(scene, SCENE.format(file=json.dumps(file))),
        **formulas_module(formulas),
    }
    return f"(() => {{ {join_modules(entry, replacements)} return window.result; }})()"
