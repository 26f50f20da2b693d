"""YAML of calibrations as plain data, with the place of every entry in the text, and numbers replaced in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from framescope.core.errors import KeyPath, SceneError, key_path_text
from framescope.core.scene.files.yaml_reading import Span, YamlReader
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.numbers_in_text import new_number


@dataclass(frozen=True, eq=False)
class YamlText:
    """Document of a text.

    Attributes
    ----------
    text
        The text.
    data
        Its content: mappings, lists and scalars.
    lines
        Line of every key path, from 1.
    spans
        Spans of all scalar values in the text by their key paths. Empty for a text that was not read as it stands.
    """

    text: str
    data: Any
    lines: Mapping[KeyPath, int]
    spans: Mapping[KeyPath, Span] = field(default_factory=dict[KeyPath, Span])

    @property
    def keys(self) -> Mapping[str, Any]:
        """Top level; empty unless it is a mapping."""
        return cast("Mapping[str, Any]", self.data) if isinstance(self.data, Mapping) else {}

    def place(self, path: KeyPath) -> int:
        """Return the offset of the value of a key in the text, behind its colon, by its line.

        It serves texts that are read with other spellings of the same lines, as those of OpenCV.

        Raises
        ------
        CalibrationError
            When the document has no such key.
        """
        if path not in self.lines:
            raise CalibrationError(f"the file has no {key_path_text(path)}.")
        starts = [0]
        for line in self.text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        start = starts[self.lines[path] - 1]
        key = re.compile(rf"(?<![\w.]){re.escape(str(path[-1]))}[\"']?\s*:").search(self.text, start)
        return start if key is None else key.end()


_DIRECTIVE = re.compile(r"\A((?:[ \t]*(?:#[^\n]*)?\n)*)%")


def read_yaml(text: str, name: str) -> YamlText:
    r"""Read a text in YAML, also one that begins with ``%YAML:1.0``, which is OpenCV's spelling of its directive.

    Raises
    ------
    CalibrationError
        When it is no valid YAML, or exceeds a limit of size.

    Examples
    --------
    >>> read_yaml("cam0:\n  resolution: [640, 480]\n", "camchain.yaml").data
    {'cam0': {'resolution': [640, 480]}}
    """
    reader = YamlReader(_DIRECTIVE.sub(r"\1#", text), name, has_spans=True)
    try:
        return YamlText(text, reader.document(), reader.lines, reader.spans)
    except SceneError as error:
        first = error.problems[0]
        line = "" if first.line is None else f"line {first.line}: "
        raise CalibrationError(f"{name}: {line}{first.message} {first.hint}".rstrip()) from None


def floats(value: Any, count: int | None, entry: str) -> tuple[float, ...]:
    """Return a list of numbers, also a nested one such as rows of a matrix.

    Raises
    ------
    CalibrationError
        When an item is no finite number, or their count differs from `count`.

    Examples
    --------
    >>> floats([[1, 2], [3, 4.5]], 4, "T")
    (1.0, 2.0, 3.0, 4.5)
    """
    numbers: list[float] = []
    for item in _flat(value):
        if isinstance(item, bool) or not isinstance(item, int | float) or not abs(item) < 1e300:
            raise CalibrationError(f"{entry}: expected numbers, got {str(item)[:40]!r}.")
        numbers.append(float(item))
    if count is not None and len(numbers) != count:
        raise CalibrationError(f"{entry}: expected {count} numbers, got {len(numbers)}.")
    return tuple(numbers)


def _flat(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        return [value]
    return [inner for item in cast("list[Any]", value) for inner in (_flat(item) if isinstance(item, list) else [item])]


# --- Replacing


def scalar_paths(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    """Yield the key paths of the scalars in a value, such as those of the rows of a matrix, in their order.

    >>> list(scalar_paths([[1, 2], [3]], ("T",)))
    [('T', 0, 0), ('T', 0, 1), ('T', 1, 0)]
    """
    if not isinstance(value, list):
        yield path
        return
    for i, item in enumerate(cast("list[Any]", value)):
        yield from scalar_paths(item, (*path, i))


def replace_scalars(text: str, changes: Sequence[tuple[KeyPath, float]], what: str) -> str:
    """Return a text whose numbers at some key paths have other values; equal numbers stay as they are written.

    Raises
    ------
    CalibrationError
        When the text has no number at a path.

    Examples
    --------
    >>> replace_scalars("p: {x: 0.50, y: 1}  # m", [(("p", "x"), 0.5), (("p", "y"), 1.25)], "p")
    'p: {x: 0.50, y: 1.25}  # m'
    """
    spans = read_yaml(text, "the file").spans
    edits: list[tuple[Span, str]] = []
    for path, value in changes:
        if path not in spans:
            raise CalibrationError(f"{what}: the file has no {key_path_text(path)}.")
        start, end = spans[path]
        edits.append(((start, end), new_number(text[start:end], value, what)))
    return replace_spans(text, edits)


def replace_spans(text: str, edits: Sequence[tuple[Span, str]]) -> str:
    """Return a text with other texts at some spans, which do not overlap."""
    for (start, end), new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
