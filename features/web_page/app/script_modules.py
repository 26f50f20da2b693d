"""Join the ES modules of a page into one script, so that pages need no network and exports no build tool.

Modules follow a few conventions, so that Python can read them line by line:

- An import is a separate statement, ``import { a, b } from "./c.js";`` or ``import "./c.js";``, with relative paths.
- An export is a declaration, ``export const a = ...`` or ``export function a(...)``.
- A declaration at top level starts its line and declares one name.
- Doc comments, ``/** ... */``, hold types for the type checker, and other comments have lines of their own. Pages omit
  both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

_IMPORT = re.compile(r"^import\b(?:\s*\{(?P<names>[^{}]*)\}\s*from)?\s*\"(?P<path>\.[^\"]*)\";[ ]*\n", re.MULTILINE)
_DECLARATION = re.compile(
    r"^(?P<export>export )?(?:const|let|(?:async )?function\*?|class) (?P<name>[A-Za-z_$][\w$]*)", re.MULTILINE
)
_UNREADABLE = re.compile(r"^(?:import\b|export\b|var |(?:const|let) [\[{]).*", re.MULTILINE)
_COMMENT_LINE = re.compile(r"^[ ]*//.*\n", re.MULTILINE)
_DOC_COMMENT = re.compile(r"^[ ]*/\*\*(?:(?!\*/).)*\*/[ ]*\n|/\*\*.*?\*/[ ]?", re.MULTILINE | re.DOTALL)


class ScriptModuleError(ValueError):
    """Modules cannot be joined; the message names the file and its fault."""


@dataclass(frozen=True)
class ScriptModule:
    """An ES module.

    Attributes
    ----------
    imports
        Imported names by module, in the order of the import statements.
    names
        Names that the module declares at top level.
    exports
        Names among them that other modules may import.
    body
        Its code without import statements, the word ``export`` and comments.
    """

    imports: Mapping[Path, tuple[str, ...]]
    names: tuple[str, ...]
    exports: frozenset[str]
    body: str


@lru_cache
def read_module(path: Path) -> ScriptModule:
    """Return the module of a file."""
    return module_of(path, path.read_text(encoding="utf-8"))


def module_of(path: Path, text: str) -> ScriptModule:
    """Return the module of a text, whose imports are relative to a path."""
    imports: dict[Path, tuple[str, ...]] = {}
    for match in _IMPORT.finditer(text):
        names = tuple(name.strip() for name in (match["names"] or "").split(",") if name.strip())
        imported = (path.parent / match["path"]).resolve()
        imports[imported] = (*imports.get(imported, ()), *names)
    code = _COMMENT_LINE.sub("", _DOC_COMMENT.sub("", _IMPORT.sub("", text)))
    declarations = list(_DECLARATION.finditer(code))
    body = _DECLARATION.sub(lambda match: match[0].removeprefix("export "), code)
    if unreadable := _UNREADABLE.search(body):
        raise ScriptModuleError(f"{path.name}: a line that modules of pages do not use: {unreadable[0]!r}.")
    return ScriptModule(
        imports,
        tuple(match["name"] for match in declarations),
        frozenset(match["name"] for match in declarations if match["export"]),
        body.strip("\n") + "\n",
    )


def join_modules(entry: Path, replacements: Mapping[Path, ScriptModule] = MappingProxyType({})) -> str:
    """Return a module and all its imports as one script, in the order in which a browser would run them.

    Parameters
    ----------
    entry
        File of the first module.
    replacements
        Modules in place of the modules of these files.

    Raises
    ------
    ScriptModuleError
        If modules import each other in a circle, a module or an imported name does not exist, or two modules declare
        the same name at top level.
    """
    modules: dict[Path, ScriptModule] = {}
    _collect(entry.resolve(), {path.resolve(): module for path, module in replacements.items()}, modules, ())
    declared: dict[str, Path] = {}
    for path, module in modules.items():
        for imported, names in module.imports.items():
            for name in names:
                if name not in modules[imported].exports:
                    raise ScriptModuleError(f"{path.name} imports {name}, which {imported.name} does not export.")
        for name in module.names:
            if name in declared:
                files = f"{declared[name].name} and {path.name}" if declared[name] != path else path.name
                raise ScriptModuleError(f"{name} is declared twice, in {files}: joined modules share their names.")
            declared[name] = path
    joined = "\n".join(module.body for module in modules.values() if module.body.strip())
    return f'(() => {{\n"use strict";\n{joined}}})();\n'


def imports_under(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the importing and the imported file of each import in a folder and its subfolders."""
    for path in sorted(folder.resolve().rglob("*.js")):
        for imported in read_module(path).imports:
            yield path, imported


def _collect(
    path: Path,
    replacements: Mapping[Path, ScriptModule],
    modules: dict[Path, ScriptModule],
    importers: tuple[Path, ...],
) -> None:
    """Add a module to `modules`, after all its imports."""
    if path in importers:
        circle = " -> ".join(file.name for file in (*importers[importers.index(path) :], path))
        raise ScriptModuleError(f"Modules import each other in a circle: {circle}.")
    if path in modules:
        return
    try:
        module = replacements.get(path) or read_module(path)
    except FileNotFoundError:
        by = f"{importers[-1].name} imports {path.name}" if importers else path.name
        raise ScriptModuleError(f"{by}: there is no such file.") from None
    for imported in module.imports:
        _collect(imported, replacements, modules, (*importers, path))
    modules[path] = module
