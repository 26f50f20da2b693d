"""YAML of calibrations as plain data, with the place of every entry in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from framescope.core.errors import KeyPath, SceneError, key_path_text
from framescope.core.scene.files.yaml_reading import YamlReader
from framescope.features.calibrations.core.calibration import CalibrationError


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
    """

    text: str
    data: Any
    lines: Mapping[KeyPath, int]

    @property
    def keys(self) -> Mapping[str, Any]:
        """Top level; empty unless it is a mapping."""
        return cast("Mapping[str, Any]", self.data) if isinstance(self.data, Mapping) else {}

    def place(self, path: KeyPath) -> int:
        """Return the offset of the value of a key in the text, behind its colon.

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
    reader = YamlReader(_DIRECTIVE.sub(r"\1#", text), name)
    try:
        return YamlText(text, reader.document(), reader.lines)
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
