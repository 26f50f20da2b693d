"""Reading scene files: YAML text to plain data with line numbers, and plain data to a `Scene`.

Scalars follow YAML 1.2 (``1e-3`` is a number, ``no`` is a string); what scenes do not need of YAML is refused, doubled
keys, anchors, aliases, merge keys and tags among it; nothing in a file is ever executed. A file comes from a stranger:
whatever it holds, it is read within bounds of time and memory, or refused with the place.
"""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from framescope.core.collector import collector_paused
from framescope.core.errors import KeyPath, Problem, SceneError, did_you_mean
from framescope.core.scene.migrations import migrate
from framescope.core.scene.model import Scene
from framescope.core.scene.scalars import plain_scalar

MAX_FILE_BYTES = 10_000_000
"""Size of a file: five times that of a scene with 10 000 frames."""

MAX_DEPTH = 40
"""Mappings and lists inside one another."""

MAX_NODES = 300_000
"""Keys, values, mappings and lists of a file; a scene with 10 000 turning frames has 260 000."""

MAX_ENTRIES = 12_000
"""Keys of one mapping, or items of one list."""

MAX_KEY_LENGTH = 200
"""Characters of a key, and so of a name."""

MAX_TEXT_LENGTH = 10_000
"""Characters of any other text."""

MAX_OPERATORS = 100_000
"""Signs, parentheses and commas in all texts of a file: what the expressions of a scene may cost to compute."""

MAX_PROBLEMS = 50
"""Problems that are told one by one."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NO_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OPERATORS = re.compile(r"[-+*/(,]")
_BROKEN = "Check the indentation, the colons after keys, and the brackets and quotes on the lines above."


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
    text = _decoded(_read_bytes(path, source), source)
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
    with collector_paused():
        reader = _Reader(text, source)
        data, lines = reader.document(), reader.lines
        if not isinstance(data, dict) or "framescope" not in data:
            message = "this is no scene file: the version is missing."
            raise SceneError(source, [Problem((), message, "Begin it with the line framescope: 1.")])
        try:
            data = migrate(data, source)
            return Scene.model_validate(data), lines
        except SceneError as error:
            raise SceneError(source, [locate(problem, lines) for problem in error.problems]) from None
        except ValidationError as error:
            raise SceneError(source, _problems_of(error, data, lines)) from None


def locate(problem: Problem, lines: Mapping[KeyPath, int]) -> Problem:
    """Return the problem with the line of its key, or of the nearest key above it."""
    path = problem.key_path
    while path and path not in lines:
        path = path[:-1]
    return replace(problem, line=lines.get(path, problem.line))


# --- Bytes and text


def _read_bytes(path: Path, source: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SceneError(source, [Problem((), "this is a folder, expected a file.", "Name a file in it.")])
        if not stat.S_ISREG(mode):  # opening a pipe would wait for its writer
            message = "this is no ordinary file."
            raise SceneError(source, [Problem((), message, "Copy what it gives into a file first.")])
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        siblings = [item.name for item in islice(path.parent.glob("*.yaml"), 1000)] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings) if siblings else "Check the path."
        raise SceneError(source, [Problem((), "there is no such file.", hint)]) from None
    except OSError as error:
        raise SceneError(source, [Problem((), f"the file cannot be read: {error.strerror}.")]) from None
    except ValueError:  # such as a NUL in the name
        raise SceneError(source, [Problem((), "this is no file name.")]) from None
    if len(data) > MAX_FILE_BYTES:
        raise SceneError(source, [_too_large()])
    return data


def _too_large() -> Problem:
    hint = "Put recordings and meshes into files of their own, which a scene names."
    return Problem((), f"the file is larger than {MAX_FILE_BYTES // 1_000_000} MB.", hint)


def _decoded(data: bytes, source: str) -> str:
    """Return the text of a file, with line feeds alone at the ends of its lines."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise SceneError(source, [Problem((), "the file is text in UTF-16 or UTF-32.", "Save it as UTF-8.", line=1)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 text: it holds the byte 0x{data[error.start]:02x}."
        raise SceneError(source, [Problem((), message, "Save it as UTF-8.", line=line)]) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89aAbB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


def _without_surrogates(text: str) -> str:
    """Return the text with the pairs of escapes that JSON has for characters beyond U+FFFF as one of YAML's.

    Only in JSON: elsewhere a backslash may stand for itself.
    """
    if not text.lstrip().startswith("{") or "\\u" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        high, low = int(match[2], 16), int(match[3], 16)
        return f"{match[1]}\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"

    return _PAIR.sub(one, text)


# --- YAML


class _Reader:
    """Builds plain data from the events of a YAML text, counting what it holds; `lines` has the line of every key."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.lines: dict[KeyPath, int] = {}
        self.n_nodes = 0
        self.n_operators = 0
        self.events: Iterator[Any] = iter(())  # PyYAML's events have no common type with their fields

    def document(self) -> Any:
        """Return the one document of the text, None for an empty one."""
        if len(self.text) > MAX_FILE_BYTES:
            raise SceneError(self.source, [_too_large()])
        if bad := _NO_TEXT.search(self.text):
            line = self.text.count("\n", 0, bad.start()) + 1
            message = f"the character U+{ord(bad.group()):04X} is no text."
            raise SceneError(self.source, [Problem((), message, "Remove it.", line=line)])
        self.events = yaml.parse(_without_surrogates(self.text), Loader=_Loader)
        try:
            data: Any = None
            for event in self.events:
                if isinstance(event, yaml.DocumentStartEvent):
                    if self.n_nodes:
                        raise self._refusal(event, (), "a second document begins here.", "A file holds one scene.")
                    data = self._value(next(self.events), ())
            return data
        except yaml.YAMLError as error:
            raise SceneError(self.source, [_from_yaml(error)]) from None

    def _refusal(self, event: Any, path: KeyPath, message: str, hint: str = "") -> SceneError:
        return SceneError(self.source, [Problem(path, message, hint, line=event.start_mark.line + 1)])

    def _value(self, event: Any, path: KeyPath) -> Any:
        """Return the value that an event begins."""
        self.lines.setdefault(path, event.start_mark.line + 1)
        self._check(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if len(path) >= MAX_DEPTH:
            raise self._refusal(event, (), "the file is nested too deeply.", f"At most {MAX_DEPTH} levels are read.")
        return self._mapping(path) if isinstance(event, yaml.MappingStartEvent) else self._list(path)

    def _check(self, event: Any, path: KeyPath) -> None:
        """Count a value or a key, and refuse what a scene does not need of YAML."""
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES:
            hint = "Put recordings and meshes into files of their own, which a scene names."
            raise self._refusal(event, path, f"the file holds more than {MAX_NODES} keys and values.", hint)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            message = "anchors (&name) and aliases (*name) are not used in scenes."
            raise self._refusal(event, path, message, "Write the value out.")
        if event.tag is not None:
            said = event.tag if len(event.tag) <= 60 else event.tag[:57] + "…"
            raise self._refusal(event, path, f"tags such as {said} are not used in scenes.", "Remove it.")

    def _mapping(self, path: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event, path)
            key_path, line = (*path, key), event.start_mark.line + 1
            if key in mapping:
                message = f'the key "{key}" stands here a second time, first on line {self.lines[key_path]}.'
                raise self._refusal(event, key_path, message, "Remove one.")
            if len(mapping) == MAX_ENTRIES:
                raise self._refusal(event, path, f"a mapping has at most {MAX_ENTRIES} keys.")
            self.lines[key_path] = line
            mapping[key] = self._value(next(self.events), key_path)
        return mapping

    def _key(self, event: Any, path: KeyPath) -> str:
        if isinstance(event, yaml.CollectionStartEvent):
            raise self._refusal(event, path, "a key must be plain text.")
        self._check(event, path)
        key: str = event.value
        if len(key) > MAX_KEY_LENGTH:
            raise self._refusal(event, path, f"a key has at most {MAX_KEY_LENGTH} characters.")
        if key == "<<" and not event.style:
            raise self._refusal(event, path, "merge keys (<<) are not used in scenes.", "Write the keys out.")
        return key

    def _list(self, path: KeyPath) -> list[Any]:
        items: list[Any] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            if len(items) == MAX_ENTRIES:
                raise self._refusal(event, path, f"a list has at most {MAX_ENTRIES} items.")
            items.append(self._value(event, (*path, len(items))))
        return items

    def _scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Any:
        text: str = event.value
        if len(text) > MAX_TEXT_LENGTH:
            raise self._refusal(event, path, f"a text has at most {MAX_TEXT_LENGTH} characters.")
        # Quoted and block text stays text.
        value = text if event.style else plain_scalar(text)
        if value is not text:
            return value
        self.n_operators += len(_OPERATORS.findall(text))
        if self.n_operators > MAX_OPERATORS:
            message = f"the expressions up to here have more than {MAX_OPERATORS} operators."
            raise self._refusal(event, path, message, "Use fewer, shorter ones, or record the motion in a file.")
        return text


def _from_yaml(error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or str(error)
    said = said.replace("could not find expected ':'", "a key without its colon")[:200]
    if mark is None:
        return Problem((), f"the YAML is broken: {said}.", _BROKEN)
    return Problem((), f"the YAML is broken at column {mark.column + 1}: {said}.", _BROKEN, line=mark.line + 1)


# --- The schema


def _problems_of(error: ValidationError, data: Mapping[str, Any], lines: Mapping[KeyPath, int]) -> list[Problem]:
    """Return the first problems, and how many there are besides."""
    n = error.error_count()
    if n > 20 * MAX_PROBLEMS:
        error = _of_a_part(error, data)
    found = error.errors(include_url=False)[:MAX_PROBLEMS]
    problems = [locate(_from_pydantic(e, data), lines) for e in found]
    if n > len(found):
        problems.append(Problem((), f"and {n - len(found)} more problems."))
    return problems


def _of_a_part(error: ValidationError, data: Mapping[str, Any]) -> ValidationError:
    """Return the errors of the first hundred items that have any: pydantic gives all at once, a kilobyte for each."""
    for section, items in data.items():
        if not isinstance(items, Mapping) or len(items) <= 100:
            continue
        pairs = iter(items.items())
        while part := dict(islice(pairs, 100)):
            try:
                Scene.model_validate({"framescope": data["framescope"], section: part})
            except ValidationError as of_part:
                return of_part
    return error


def _from_pydantic(error: Mapping[str, Any], data: Any) -> Problem:
    path = _path_in_data(error["loc"], data, keeps_last=error["type"] == "missing")
    context = error.get("ctx", {})
    match error["type"]:
        case "unknown_key":
            hint = did_you_mean(context["key"], context["known"])
            return Problem((*path, context["key"]), "unknown key.", hint)
        case "missing" if isinstance(error["loc"][-1], int):
            return Problem(path, f"the list is too short: item {error['loc'][-1] + 1} is missing.")
        case "missing":
            return Problem(path[:-1], f'the key "{path[-1]}" is missing.', f"Add {path[-1]}.")
        case "union_tag_invalid":
            expected = [word.strip(" '") for word in context["expected_tags"].split(",")]
            tag = context["tag"]
            return Problem((*path, "form"), f"{_shown(tag)} is no form here.", did_you_mean(tag[:100], expected))
        case "union_tag_not_found":
            return Problem(path, 'the key "form" is missing.', "It says which form follows, as in form: axes.")
        case "literal_error":
            expected = re.findall(r"'([^']*)'", context["expected"])
            hint = did_you_mean(str(error["input"])[:100], expected)
            return Problem(path, f"{_shown(error['input'])} is not allowed here.", hint)
        case "too_long" | "too_short":
            least_or_most = "at most" if error["type"] == "too_long" else "at least"
            n = context["max_length" if error["type"] == "too_long" else "min_length"]
            return Problem(path, f"expected {least_or_most} {n} items, got {context['actual_length']}.")
        case "string_too_long":
            return Problem(path, f"a text has at most {context['max_length']} characters here.")
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
