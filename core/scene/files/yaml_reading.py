"""Reader of YAML to plain data with line numbers, within limits of time and memory.

Scalars follow YAML 1.2 (``1e-3`` is a number, ``no`` is a string). YAML features that scenes do not need are rejected,
including duplicate keys, anchors, aliases, merge keys and tags. The reader never executes anything in a text.
"""

# The events of PyYAML have no types; they are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import yaml

from framescope.core.errors import KeyPath, Problem, SceneError
from framescope.core.scene.schema.plain_scalars import plain_scalar
from framescope.core.system.cooperative_yield import checkpoint

MAX_FILE_BYTES = 10_000_000
"""Maximum size of a file, bytes: five times a scene with 10 000 frames."""

MAX_DEPTH = 40
"""Maximum nesting depth of mappings and lists."""

MAX_NODES = 300_000
"""Maximum number of keys, values, mappings and lists of a file; 10 000 rotating frames have 260 000."""

MAX_ENTRIES = 12_000
"""Maximum number of keys of a mapping, or items of a list."""

MAX_KEY_LENGTH = 200
"""Maximum number of characters of a key, and so of a name."""

MAX_TEXT_LENGTH = 10_000
"""Maximum number of characters of any other text."""

MAX_OPERATORS = 100_000
"""Maximum number of signs, parentheses and commas in all texts, which limits the cost of a scene's expressions."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NO_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OPERATORS = re.compile(r"[-+*/(,]")
_BROKEN = "Check the indentation, the colons after keys, and the brackets and quotes on the lines above."

_ESCAPED = "In double quotes, write two backslashes for one. In single quotes, a backslash stays one."


Span = tuple[int, int]
"""First and last offset of a value in a text."""


class YamlReader:
    """Builds plain data from the events of a YAML text, counting nodes.

    Attributes
    ----------
    text, source
        The text, and its name in errors.
    lines
        Line of every key path, from 1.
    spans
        Spans of all scalar values in the text by their key paths, quotes included; empty unless they are asked for.
    """

    def __init__(self, text: str, source: str, *, has_spans: bool = False) -> None:
        self.text = text
        self.source = source
        self.lines: dict[KeyPath, int] = {}
        self.spans: dict[KeyPath, Span] = {}
        self._has_spans = has_spans
        self._shortened: list[int] = []  # offsets behind pairs of escapes that were read as one, shorter by two marks
        self.n_nodes = 0
        self.n_operators = 0
        self.events: Iterator[Any] = iter(())  # PyYAML's events have no common type with their fields

    def document(self) -> Any:
        """Return the only document of the text; None for an empty text."""
        if len(self.text) > MAX_FILE_BYTES:
            raise SceneError(self.source, [too_large()])
        if bad := _NO_TEXT.search(self.text):
            line = self.text.count("\n", 0, bad.start()) + 1
            message = f"the character U+{ord(bad.group()):04X} is no text."
            raise SceneError(self.source, [Problem((), message, "Remove it.", line=line)])
        text = _without_surrogates(self.text)
        if self._has_spans and text is not self.text:
            self._shortened = [pair.end() - 2 * k for k, pair in enumerate(_PAIR.finditer(self.text), 1)]
        self.events = yaml.parse(text, Loader=_Loader)
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
        """Return the value that starts with an event."""
        checkpoint()
        self.lines.setdefault(path, event.start_mark.line + 1)
        self._check(event, path)
        if isinstance(event, yaml.ScalarEvent):
            if self._has_spans:
                self.spans.setdefault(path, (self._offset(event.start_mark), self._offset(event.end_mark)))
            return self._scalar(event, path)
        if len(path) >= MAX_DEPTH:
            raise self._refusal(event, (), "the file is nested too deeply.", f"At most {MAX_DEPTH} levels are read.")
        return self._mapping(path) if isinstance(event, yaml.MappingStartEvent) else self._list(path)

    def _offset(self, mark: Any) -> int:
        """Return the offset of a mark in the text as it is written."""
        return mark.index + 2 * bisect_right(self._shortened, mark.index)

    def _check(self, event: Any, path: KeyPath) -> None:
        """Count a value or a key, and reject YAML features that scenes do not need."""
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES:
            hint = "Put recordings and meshes into files of their own, which a scene names."
            raise self._refusal(event, path, f"the file holds more than {MAX_NODES} keys and values.", hint)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            message = "anchors (&name) and aliases (*name) are not used in scenes."
            raise self._refusal(event, path, message, "Write the value out.")
        if event.tag is not None:
            text = event.tag if len(event.tag) <= 60 else event.tag[:57] + "…"
            raise self._refusal(event, path, f"tags such as {text} are not used in scenes.", "Remove it.")

    def _mapping(self, path: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event, path)
            key_path, line = (*path, key), event.start_mark.line + 1
            if key in mapping:
                message = f'the key "{key}" is here a second time, first on line {self.lines[key_path]}.'
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
        # Only a scalar without quotes may be a number or a word such as true; quoted and block scalars are texts.
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
    message = getattr(error, "problem", None) or str(error)
    message = message.replace("could not find expected ':'", "a key without its colon")[:200]
    hint = _ESCAPED if "escape character" in message else _BROKEN
    if mark is None:
        return Problem((), f"the YAML is broken: {message}.", hint)
    return Problem((), f"the YAML is broken at column {mark.column + 1}: {message}.", hint, line=mark.line + 1)


def too_large() -> Problem:
    """Return the problem of a file that is too large."""
    hint = "Put recordings and meshes into files of their own, which a scene names."
    return Problem((), f"the file is larger than {MAX_FILE_BYTES // 1_000_000} MB.", hint)


_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89aAbB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


def _without_surrogates(text: str) -> str:
    """Return the text with JSON's pairs of escapes for characters above U+FFFF replaced by YAML's escapes.

    Only in JSON: elsewhere a backslash may be literal.
    """
    if not text.lstrip().startswith("{") or "\\u" not in text:
        return text

    def escape(match: re.Match[str]) -> str:
        high, low = int(match[2], 16), int(match[3], 16)
        return f"{match[1]}\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"

    return _PAIR.sub(escape, text)
