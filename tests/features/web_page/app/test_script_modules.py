"""Modules of pages: how they are joined into one script, and which may import which."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from framescope.features.lessons.app.export import web as lesson_web
from framescope.features.web_page.app import web
from framescope.features.web_page.app.script_modules import (
    ScriptModuleError,
    imports_under,
    join_modules,
    module_of,
    read_module,
)

ROOMS = ("base", "drawing", "controls", "")
"""Rooms of a page's scripts: each may import from itself and those before it; the last is the folder itself."""


def write_modules(folder: Path, **texts: str) -> Path:
    """Write modules to a folder; return the file of `main`."""
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "main.js"


def test_that_modules_are_joined_in_the_order_in_which_a_browser_runs_them(tmp_path):
    main = write_modules(
        tmp_path,
        main='// The page.\n\nimport "./late.js";\nimport {\n  first,\n  second,\n} from "./early.js";\nfirst();\n',
        late='import { second } from "./early.js";\nexport function late() {\n  return second;\n}\n',
        early="export const second = 2;\nexport async function first() {}\n",
    )

    assert join_modules(main) == (
        '(() => {\n"use strict";\n'
        "const second = 2;\nasync function first() {}\n\n"
        "function late() {\n  return second;\n}\n\n"
        "first();\n})();\n"
    )


def test_that_a_module_imported_twice_is_there_once(tmp_path):
    main = write_modules(
        tmp_path,
        main='import { a } from "./a.js";\nimport { b } from "./b.js";\na(b);\n',
        a='import { b } from "./b.js";\nexport const a = () => b;\n',
        b="export const b = 1;\n",
    )

    assert join_modules(main).count("const b = 1;") == 1


def test_that_types_and_comments_are_left_out(tmp_path):
    text = """/** @param {number} x */
export function f(x) {
  /** @type {any} */ (x).y = 1;
  return /** @type {any} */ (x);
}

/**
 * @typedef {object} Z
 */
// f
"""
    body = "function f(x) {\n  (x).y = 1;\n  return (x);\n}\n"

    assert module_of(tmp_path / "a.js", text).body == body


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"main": 'import { a } from "./a.js";\na();\n'}, "main.js imports a.js: there is no such file."),
        (
            {"main": 'import { b } from "./a.js";\nb();\n', "a": "const b = 1;\nexport const a = b;\n"},
            "main.js imports b, which a.js does not export.",
        ),
        (
            {"main": 'import { a } from "./a.js";\nconst b = a;\n', "a": "const b = 1;\nexport const a = b;\n"},
            "b is declared twice, in a.js and main.js: joined modules share their names.",
        ),
        (
            {"main": 'import "./a.js";\n', "a": 'import "./b.js";\n', "b": 'import "./a.js";\n'},
            "Modules import each other in a circle: a.js -> b.js -> a.js.",
        ),
        (
            {"main": 'import * as a from "./a.js";\n', "a": ""},
            "main.js: a line that modules of pages do not use: 'import * as a from \"./a.js\";'.",
        ),
        (
            {"main": 'import { a as b } from "./a.js";\n', "a": "export const a = 1;\n"},
            "main.js imports a as b, which a.js does not export.",
        ),
        ({"main": "export default 1;\n"}, "main.js: a line that modules of pages do not use: 'export default 1;'."),
        (
            {"main": "export const { a } = window;\n"},
            "main.js: a line that modules of pages do not use: 'export const { a } = window;'.",
        ),
    ],
)
def test_that_modules_that_cannot_be_joined_are_reported(tmp_path, texts, message):
    main = write_modules(tmp_path, **texts)

    with pytest.raises(ScriptModuleError, match=re.escape(message)):
        join_modules(main)


def test_that_a_module_can_stand_for_that_of_a_file(tmp_path):
    main = write_modules(tmp_path, main='import { a } from "./a.js";\na();\n', a="export const a = null;\n")
    other = module_of(tmp_path / "a.js", "export const a = () => 2;\n")

    assert "const a = () => 2;" in join_modules(main, {tmp_path / "a.js": other})


@pytest.mark.parametrize(("formulas", "is_alone"), [("", True), ("return 1;", True), ("return 1;", False)])
def test_that_no_page_has_a_word_of_modules(formulas, is_alone):
    script = web.script(web.formulas_script(formulas) if formulas else "", is_alone=is_alone)

    assert re.findall(r"^(?:import|export)\b.*|/\*\*", script, re.MULTILINE) == []


def test_that_a_page_has_the_controls_of_its_kind_alone():
    played, interactive, in_lesson = (
        web.script(formulas, is_alone=is_alone) for formulas, is_alone in (("", True), ("x", True), ("x", False))
    )
    scripts = {"played": played, "interactive": interactive, "in_lesson": in_lesson}
    controls = ("makePlots", "makeSliders", "makeGrab", "makeStaged", "makeMessages", "beforeprint")
    found = {
        kind: [name for name in controls if f"function {name}(" in text or f'"{name}"' in text]
        for kind, text in scripts.items()
    }

    assert found == {
        "played": ["makePlots", "makeMessages", "beforeprint"],
        "interactive": [*controls],
        "in_lesson": ["makePlots", "makeSliders", "makeGrab", "makeStaged"],
    }


def test_that_rooms_import_only_from_those_before_them():
    rooms = {
        path: path.relative_to(web.FOLDER).parts[0] if path.parent != web.FOLDER else "" for path in files_of_page()
    }
    upward = [
        f"{importer.name} imports {imported.name}"
        for importer, imported in imports_under(web.FOLDER)
        if ROOMS.index(rooms[importer]) < ROOMS.index(rooms[imported])
    ]

    assert upward == []
    assert set(rooms.values()) == set(ROOMS)


def test_that_scripts_of_lessons_take_only_the_base_of_a_page():
    folder = lesson_web.FOLDER.resolve()
    others = {imported for _, imported in imports_under(folder) if folder not in imported.parents}

    assert {path.parent for path in others} == {(web.FOLDER / "base").resolve()}


def test_that_every_module_belongs_to_a_page():
    pages = [web.FOLDER / f"{name}.js" for name in ("played", "interactive", "in_lesson")]
    lesson = lesson_web.FOLDER / "lesson.js"
    both = {*files_of_page(), *lesson_web.FOLDER.resolve().rglob("*.js")}

    assert set(itertools.chain.from_iterable(map(reached_from, (*pages, lesson)))) == both


def test_that_nothing_is_exported_that_no_module_imports():
    modules = {path: read_module(path) for path in (*files_of_page(), *lesson_web.FOLDER.resolve().rglob("*.js"))}
    imported = {(path, name) for module in modules.values() for path, names in module.imports.items() for name in names}
    types = "".join(path.read_text(encoding="utf-8") for path in web.FOLDER.glob("*.d.ts"))
    imported |= {
        ((web.FOLDER / path).resolve(), name) for path, name in re.findall(r'import\("([^"]+)"\)\.(\w+)', types)
    }
    exported = {(path, name) for path, module in modules.items() for name in module.exports}

    assert sorted(f"{path.name}: {name}" for path, name in exported - imported) == []


def files_of_page() -> list[Path]:
    return sorted(web.FOLDER.resolve().rglob("*.js"))


def reached_from(entry: Path) -> set[Path]:
    """Return a module and all that it imports."""
    reached, waiting = set(), [entry.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += read_module(path).imports
    return reached
