"""Reading scene files: YAML text to plain data with line numbers, and plain data to a `Scene`.

Scalars follow YAML 1.2 (``1e-3`` is a number, ``no`` is a string); doubled keys, aliases and tags are
refused; nothing in a file is ever executed.
"""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from framescope.core.errors import KeyPath, Problem, SceneError, did_you_mean
from framescope.core.scene.model import Scene

MAX_FILE_BYTES = 20_000_000
MAX_DEPTH = 40

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}


@dataclass(frozen=True)
class LoadedScene:
    """A scene with where it came from: the file's text, and the line of every key path in it."""

    scene: Scene
    path: Path
    text: str
    lines: Mapping[KeyPath, int]

    def locate(self, problem: Problem) -> Problem:
        """Return the problem with its line in the file."""
        return locate(problem, self.lines)


def load_scene(path: str | Path) -> LoadedScene:
    """Read a scene file.

    Raises
    ------
    SceneError
        When the file is missing, unreadable or no scene; it names every place and how to mend it.
    """
    path = Path(path)
    source = str(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SceneError(source, [Problem((), f"the file is larger than {MAX_FILE_BYTES // 1_000_000} MB.")])
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        siblings = [item.name for item in path.parent.glob("*.yaml")] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings) if siblings else "Check the path."
        raise SceneError(source, [Problem((), "there is no such file.", hint)]) from None
    except UnicodeDecodeError:
        raise SceneError(source, [Problem((), "the file is not UTF-8 text.", "Save it as UTF-8.")]) from None
    except OSError as error:
        raise SceneError(source, [Problem((), f"the file cannot be read: {error.strerror}.")]) from None
    except ValueError:  # such as a NUL in the name
        raise SceneError(source, [Problem((), "this is no file name.")]) from None
    scene, lines = parse_scene(text, source)
    return LoadedScene(scene, path, text, lines)


def parse_scene(text: str, source: str = "scene") -> tuple[Scene, dict[KeyPath, int]]:
    r"""Read the text of a scene file; return the scene and the line of every key path.

    Raises
    ------
    SceneError
        When the text is no scene.

    Examples
    --------
    >>> scene, lines = parse_scene("framescope: 1\ntitle: Two frames\n")
    >>> scene.title, lines[("title",)]
    ('Two frames', 2)
    """
    data, lines = _read_yaml(text, source)
    if not isinstance(data, dict) or "framescope" not in data:
        message = "this is no scene file: the version is missing."
        raise SceneError(source, [Problem((), message, "Begin it with the line framescope: 1.")])
    try:
        return Scene.model_validate(data), lines
    except ValidationError as error:
        raise SceneError(source, [locate(_from_pydantic(e, data), lines) for e in error.errors()]) from None


def locate(problem: Problem, lines: Mapping[KeyPath, int]) -> Problem:
    """Return the problem with the line of its key, or of the nearest key above it."""
    path = problem.key_path
    while path and path not in lines:
        path = path[:-1]
    return replace(problem, line=lines.get(path, problem.line))


def _read_yaml(text: str, source: str) -> tuple[Any, dict[KeyPath, int]]:
    lines: dict[KeyPath, int] = {}
    try:
        _refuse_unsafe(text, source)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise SceneError(source, [_from_yaml(error)]) from None
    return (None if node is None else _plain(node, (), lines, source)), lines


def _refuse_unsafe(text: str, source: str) -> None:
    """Refuse aliases and deep nesting while they are still a flat stream of events."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            problem = Problem((), "aliases (*name) are not used in scenes.", "Write the value out.", line=line)
            raise SceneError(source, [problem])
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise SceneError(source, [Problem((), "the file is nested too deeply.", line=line)])


def _plain(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], source: str) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(path, line)
    if node.tag.startswith("!") and node.tag != "!":
        raise SceneError(source, [Problem(path, f"tags such as {node.tag} are not used in scenes.", line=line)])
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            key_line = key_node.start_mark.line + 1
            if key is None:
                raise SceneError(source, [Problem(path, "a key must be plain text.", line=key_line)])
            if key in mapping:
                first = lines[(*path, key)]
                message = f'the key "{key}" stands here a second time, first on line {first}.'
                raise SceneError(source, [Problem((*path, key), message, "Remove one.", line=key_line)])
            lines[(*path, key)] = key_line
            mapping[key] = _plain(value_node, (*path, key), lines, source)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, i), lines, source) for i, item in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: yaml.Node) -> Any:
    text: str = node.value
    if getattr(node, "style", None) in ("'", '"', "|", ">"):  # quoted and block text stays text
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text) and len(text) < 20:
        return int(text)
    return float(text) if _FLOAT.match(text) else text


def _from_yaml(error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or str(error)
    said = said.replace("could not find expected ':'", "a key without its colon")
    hint = "Check the indentation, the colons after keys, and the brackets and quotes on the lines above."
    if mark is None:
        return Problem((), f"the YAML is broken: {said}.", hint)
    return Problem((), f"the YAML is broken at column {mark.column + 1}: {said}.", hint, line=mark.line + 1)


def _from_pydantic(error: Mapping[str, Any], data: Any) -> Problem:
    path = _path_in_data(error["loc"], data, keeps_last=error["type"] == "missing")
    context = error.get("ctx", {})
    match error["type"]:
        case "unknown_key":
            return Problem((*path, context["key"]), "unknown key.", context["hint"])
        case "missing" if isinstance(error["loc"][-1], int):
            return Problem(path, f"the list is too short: item {error['loc'][-1] + 1} is missing.")
        case "missing":
            return Problem(path[:-1], f'the key "{path[-1]}" is missing.', f"Add {path[-1]}.")
        case "union_tag_invalid":
            expected = [word.strip(" '") for word in context["expected_tags"].split(",")]
            return Problem(
                (*path, "form"), f'"{context["tag"]}" is no form here.', did_you_mean(context["tag"], expected)
            )
        case "union_tag_not_found":
            return Problem(path, 'the key "form" is missing.', "It says which form follows, as in form: axes.")
        case "literal_error" if path == ("framescope",):
            message = f"version {_shown(error['input'])} of the file format is not known to this Framescope."
            return Problem(path, message, "Expected framescope: 1.")
        case "literal_error":
            expected = re.findall(r"'([^']*)'", context["expected"])
            hint = did_you_mean(str(error["input"]), expected)
            return Problem(path, f"{_shown(error['input'])} is not allowed here.", hint)
        case "name":
            return Problem(path, f"{_shown(error['input'])} is no name: {error['msg']}.")
        case _:
            return Problem(path, f"{_said(error['msg'])}, got {_shown(error['input'])}.")


def _path_in_data(loc: tuple[str | int, ...], whole: object, *, keeps_last: bool) -> KeyPath:
    """Return pydantic's location less the parts that are not keys of the file, such as union tags.

    The last part of a missing key is no key of the file either, but stays.
    """
    path: list[str | int] = []
    data: Any = whole
    for i, part in enumerate(loc):
        is_last = i == len(loc) - 1
        is_mapping = isinstance(data, Mapping)
        is_item = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if is_item or (is_mapping and part in data):
            parent: Any = data
            data = parent[part]
        elif not (keeps_last and is_last and is_mapping):
            continue
        path.append(part)
    return tuple(path)


def _said(message: str) -> str:
    plain = {
        "Input should be a valid dictionary": "expected a mapping of keys and values",
        "Input should be a valid string": "expected text",
        "Input should be a valid boolean": "expected true or false",
        "Input should be a valid tuple": "expected a list",
    }
    return plain.get(message, message[:1].lower() + message[1:] if message.startswith("Input") else message)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 60 else text[:57] + "…"
