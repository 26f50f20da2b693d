"""Texts of OpenCV's FileStorage, YAML or XML, as plain data with the place of every entry.

OpenCV's YAML is none that a YAML library reads: it begins with ``%YAML:1.0``, has tags such as ``!!opencv-matrix``, and
needs no blank behind the colon of a key. Its writers and the people who edit such files also leave tabs and forget
commas. A matrix is a mapping with ``rows``, ``cols``, ``dt`` and ``data``, in YAML and in XML.

References
----------
OpenCV 4.10, "XML/YAML/JSON file storages", and ``persistence_yml.cpp``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from framescope.core.errors import KeyPath, Problem, key_path_text
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.core.scene.schema.plain_scalars import plain_scalar
from framescope.core.system.xml_elements import Element, XmlError, read_elements
from framescope.features.calibrations.core.calibration import CalibrationError, ExcerptError, Fact
from framescope.features.calibrations.core.numbers_in_text import number_text, replace_numbers
from framescope.features.calibrations.core.yaml_texts import YamlText, floats, read_yaml

MAX_NUMBERS = 300_000
"""Largest count of numbers of an XML file."""

MAX_XML_DEPTH = 40
"""Largest depth of nested elements of an XML file."""

_TOKENS = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|$)|'[^']*(?:'|$)|(?:(?<=\s)|^)#.*|[^\"'#]+|.")
_TAG = re.compile(r"(?:(?<=[\s:\[{,-])|^)!\S*")
_BLOCK_KEY = re.compile(r"^(\s*(?:-\s+)*[A-Za-z_][\w.\-]*):(?=[^\s/]|/[^/])")
_FLOW_KEY = re.compile(r"([{,]\s*[A-Za-z_][\w.\-]*):(?=\S|\Z)|^(\s*[A-Za-z_][\w.\-]*):(?=\S|\Z)")
_BRACKETS = re.compile(r"(?:^|[:\-,])[ ]*([\[{])|[\[{]|[\]}]")
"""Brackets; the group is one that begins a value."""

_NOT_FINITE = re.compile(r"([-+]?)\.(nan|inf)\Z", re.IGNORECASE)
_SEVERAL = re.compile(r"[-+.\deE]+(?:\s+[-+.\deE]+)+\Z")
_XML_START = re.compile(r"\s*<")


@dataclass(frozen=True, eq=False)
class StoredText:
    """Content of a text.

    Attributes
    ----------
    text
        The text.
    data
        Its content: mappings, lists and scalars. The data of a matrix is a list of numbers.
    problems
        Faults that do not keep the text from being read, such as a missing comma.
    """

    text: str
    data: Any
    problems: tuple[Problem, ...] = ()
    yaml: YamlText | None = field(default=None, repr=False)
    places: Mapping[KeyPath, int] = field(default_factory=dict[KeyPath, int], repr=False)

    @property
    def keys(self) -> Mapping[str, Any]:
        """Top level; empty unless it is a mapping."""
        return cast("Mapping[str, Any]", self.data) if isinstance(self.data, Mapping) else {}

    def at(self, path: KeyPath) -> Any:
        """Return the value at a path of keys.

        Raises
        ------
        CalibrationError
            When there is none.
        """
        value = self.data
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                raise CalibrationError(f"the file has no {key_path_text(path)}.")
            value = cast("Mapping[str | int, Any]", value)[key]
        return value

    def place(self, path: KeyPath) -> int:
        """Return the offset of the value of a key in the text; raise a `CalibrationError` where it has no such key."""
        if self.yaml is not None:
            return self.yaml.place(path)
        if path not in self.places:
            raise CalibrationError(f"the file has no {key_path_text(path)}.")
        return self.places[path]

    def line(self, path: KeyPath) -> int | None:
        """Return the line of a key in the text, from 1; None where it has no such key."""
        if self.yaml is not None:
            return self.yaml.lines.get(path)
        return self.text.count("\n", 0, self.places[path]) + 1 if path in self.places else None


def read_storage(text: str, name: str) -> StoredText:
    r"""Read a text of OpenCV's FileStorage, or plain YAML or JSON.

    Raises
    ------
    CalibrationError
        When it is no such text, or exceeds a limit of size.

    Examples
    --------
    >>> stored = read_storage("%YAML:1.0\nT: !!opencv-matrix\n  rows: 1\n  cols: 2\n  dt: d\n  data:[1., .5]\n", "a")
    >>> stored.data
    {'T': {'rows': 1, 'cols': 2, 'dt': 'd', 'data': [1.0, 0.5]}}
    """
    if len(text) > MAX_FILE_BYTES:
        raise CalibrationError(f"{name} has more than {MAX_FILE_BYTES:,} characters.")
    if _XML_START.match(text):
        return _read_xml(text, name)
    document = read_yaml(plain_yaml(text), name)
    problems: list[Problem] = []
    data = _with_numbers(document.data, (), problems)
    problems = [_with_line(problem, document) for problem in problems]
    return StoredText(text, data, tuple(problems), YamlText(text, data, document.lines))


def _with_line(problem: Problem, document: YamlText) -> Problem:
    line = document.lines.get(problem.key_path[:-1])
    return Problem(problem.key_path[:-1], problem.message, problem.hint, "amber", line)


# --- YAML


def plain_yaml(text: str) -> str:
    r"""Return a text with OpenCV's spellings replaced by those of YAML, line by line.

    >>> plain_yaml("%YAML:1.0\nsize:\t[4,5]\npoint: !!map { x:1, y:2 }\n")
    '#YAML:1.0\nsize: [4,5]\npoint:  { x: 1, y: 2 }\n'
    """
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        if line.startswith("%") and depth == 0:
            lines.append(f"#{line[1:]}")
            continue
        parts: list[str] = []
        spaced = line if depth else _BLOCK_KEY.sub(r"\1: ", line)
        for token in _TOKENS.findall(spaced):
            if token[0] in "\"'#":
                parts.append(token)
                continue
            part = _TAG.sub("", token.replace("\t", " "))
            if depth or any(match[1] == "{" for match in _BRACKETS.finditer(part)):
                part = _FLOW_KEY.sub(lambda match: f"{match[1] or match[2]}: ", part)
            depth = _depth(part, depth)
            parts.append(part)
        lines.append("".join(parts))
    return "\n".join(lines)


def _depth(part: str, depth: int) -> int:
    """Return the depth of brackets after a part of a line, which outside of them open only where a value begins."""
    for match in _BRACKETS.finditer(part):
        if match[0] in "]}":
            depth = max(0, depth - 1)
        elif depth or match[1]:
            depth += 1
    return depth


def _with_numbers(value: Any, path: KeyPath, problems: list[Problem]) -> Any:
    """Return data with OpenCV's words for numbers that are not finite, and numbers between which a comma is missing."""
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return {key: _with_numbers(item, (*path, key), problems) for key, item in entries.items()}
    if isinstance(value, list):
        items: list[Any] = []
        for item in cast("list[Any]", value):
            if isinstance(item, str) and _SEVERAL.match(item):
                message = "a comma is missing between two numbers: OpenCV refuses the file."
                problems.append(Problem((*path, len(items)), message, "Add it."))
                items += [plain_scalar(word) for word in item.split()]
            else:
                items.append(_with_numbers(item, (*path, len(items)), problems))
        return items
    if isinstance(value, str) and (match := _NOT_FINITE.match(value)):
        return float(f"{match[1]}{match[2]}")
    return value


# --- XML


def _read_xml(text: str, name: str) -> StoredText:
    encoded = text.encode("utf-8", "replace")
    try:
        root = read_elements(encoded)
    except XmlError as error:
        raise CalibrationError(f"{name}: {error}") from None
    if root.tag != "opencv_storage":
        raise CalibrationError(f"{name}: expected the element opencv_storage, got {root.tag[:60]}.")
    reader = _XmlReader(name)
    data = reader.value(root, ())
    places = _character_places(encoded, text, reader.starts)
    return StoredText(text, data if isinstance(data, Mapping) else {}, places=places)


def _character_places(encoded: bytes, text: str, starts: Mapping[KeyPath, int]) -> dict[KeyPath, int]:
    """Return offsets in the text, behind each start tag, for offsets of the tags in its bytes."""
    places: dict[KeyPath, int] = {}
    at, count = 0, 0
    for path, start in sorted(starts.items(), key=lambda item: item[1]):
        count += len(encoded[at:start].decode("utf-8", "replace"))
        at = start
        places[path] = text.find(">", count) + 1
    return places


class _XmlReader:
    """Builds plain data from elements; `starts` has the byte offset of the tag of every key."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.starts: dict[KeyPath, int] = {}
        self.n_numbers = 0

    def value(self, element: Element, path: KeyPath) -> Any:
        """Return the value of an element."""
        self.starts[path] = element.start
        if len(path) > MAX_XML_DEPTH:
            raise CalibrationError(f"{self.name}: line {element.line}: nested more than {MAX_XML_DEPTH} levels deep.")
        if not element.children:
            is_data = element.tag == "data"
            return self._words(element, is_list=is_data)
        if all(child.tag == "_" for child in element.children):
            return [self.value(child, (*path, k)) for k, child in enumerate(element.children)]
        mapping: dict[str, Any] = {}
        for child in element.children:
            if child.tag in mapping:
                where = key_path_text((*path, child.tag))
                raise CalibrationError(f"{self.name}: line {child.line}: {where[:200]} is here a second time.")
            mapping[child.tag] = self.value(child, (*path, child.tag))
        return mapping

    def _words(self, element: Element, *, is_list: bool) -> Any:
        text = element.text.strip()
        if text.startswith('"') and text.endswith('"') and len(text) > 1 and not is_list:
            return text[1:-1]
        words = text.split()
        self.n_numbers += len(words)
        if self.n_numbers > MAX_NUMBERS:
            raise CalibrationError(f"{self.name}: line {element.line}: more than {MAX_NUMBERS:,} numbers.")
        values = [_with_numbers(plain_scalar(word), (), []) for word in words]
        if is_list or (len(values) > 1 and all(isinstance(value, int | float) for value in values)):
            return values
        return values[0] if len(values) == 1 else text


# --- Matrices


def is_matrix(value: Any) -> bool:
    """Return whether a value is a mapping with the rows, columns and data of a matrix."""
    return isinstance(value, Mapping) and {"rows", "cols", "data"} <= cast("Mapping[str, Any]", value).keys()


def matrix_of(value: Any, entry: str) -> Array:
    """Return a matrix (rows, columns) from a mapping with its rows, columns and data, or from a list of rows.

    Raises
    ------
    CalibrationError
        When it is none, or the counts disagree.

    Examples
    --------
    >>> matrix_of({"rows": 1, "cols": 2, "dt": "d", "data": [3, 4]}, "D")
    array([[3., 4.]])
    """
    if not isinstance(value, Mapping):
        numbers = floats(value, None, entry)
        n_rows = len(cast("Sequence[Any]", value)) if isinstance(value, list) else 0
        is_nested = n_rows > 0 and isinstance(value[0], list) and len(numbers) % n_rows == 0
        return np.reshape(numbers, (n_rows, -1)) if is_nested else np.reshape(numbers, (1, -1))
    mapping = cast("Mapping[str, Any]", value)
    if not is_matrix(mapping):
        raise CalibrationError(f"{entry}: expected a matrix with rows, cols and data.")
    if isinstance(mapping["data"], str):
        raise CalibrationError(f"{entry}: its data is no list of numbers. Save it without Base64.")
    rows, cols = (_count(mapping[key], f"{entry}.{key}") for key in ("rows", "cols"))
    numbers = floats(mapping["data"], None, entry)
    if rows * cols != len(numbers):
        raise CalibrationError(f"{entry}: expected {rows} x {cols} numbers, got {len(numbers)}.")
    return np.reshape(numbers, (rows, cols))


def pose_rows(value: Any, entry: str) -> Array:
    """Return a homogeneous matrix (3, 4) or (4, 4), also from 12 or 16 numbers in a row.

    Raises
    ------
    CalibrationError
        When it has another shape.
    """
    M = matrix_of(value, entry)
    if M.shape in ((3, 4), (4, 4)):
        return M
    if M.shape[0] == 1 and M.size in (12, 16) and not isinstance(value, Mapping):
        return M.reshape(-1, 4)
    raise CalibrationError(f"{entry}: expected a matrix 4 x 4 or 3 x 4, got {M.shape[0]} x {M.shape[1]}.")


def _count(value: Any, entry: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MAX_NUMBERS:
        raise CalibrationError(f"{entry}: expected a count, got {str(value)[:40]!r}.")
    return value


def number_at(keys: Mapping[str, Any], key: str) -> float:
    """Return the number of a key.

    Raises
    ------
    CalibrationError
        When it is missing or no finite number.
    """
    if key not in keys:
        raise CalibrationError(f"expected {key}.")
    value = keys[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e300:
        raise CalibrationError(f"{key}: expected a number, got {str(value)[:40]!r}.")
    return float(value)


def numbers_at(keys: Mapping[str, Any], names: Sequence[str]) -> tuple[float, ...]:
    """Return the numbers of several keys.

    Raises
    ------
    ExcerptError
        When two or more of them are missing: the file is an excerpt.
    CalibrationError
        When one is missing, or is no finite number.
    """
    missing = [name for name in names if name not in keys]
    if len(missing) > 1:
        raise ExcerptError(f"the file has no {', '.join(missing[:-1])} and {missing[-1]}.")
    return tuple(number_at(keys, name) for name in names)


def size_at(keys: Mapping[str, Any], width: str, height: str) -> tuple[int, int] | None:
    """Return the size of an image, pixels; None where a key is missing."""
    if width not in keys or height not in keys:
        return None
    return int(number_at(keys, width)), int(number_at(keys, height))


def facts_at(
    keys: Mapping[str, Any], wanted: Sequence[tuple[str, str, str]], prefix: str = ""
) -> tuple[list[Fact], list[Problem]]:
    """Return facts by their keys, labels and units as far as the file has them, and problems of those that are none."""
    facts: list[Fact] = []
    problems: list[Problem] = []
    for key, label, unit in wanted:
        if key in keys:
            try:
                facts.append(Fact(f"{prefix}{key}", label, number_at(keys, key), unit))
            except CalibrationError as error:
                problems.append(Problem((f"{prefix}{key}",), str(error), "It is left out.", "amber"))
    return facts, problems


def replace_entry(text: str, path: KeyPath, values: Sequence[float]) -> str:
    """Return a text with the numbers of an entry replaced, as many as the entry has; all else stays.

    Raises
    ------
    CalibrationError
        When the text has no such entry, or the entry has more numbers than `values`.
    """
    stored = read_storage(text, "the file")
    value = stored.at(path)
    inner = (*path, "data") if isinstance(value, Mapping) else path
    entry = key_path_text(path)
    old = floats(stored.at(inner), None, entry)
    if len(old) > len(values):
        raise CalibrationError(f"{entry}: expected {len(values)} numbers, the file has {len(old)}.")
    new = tuple(values)[: len(old)]
    changed = replace_numbers(text, stored.place(inner), new, entry)
    again = read_storage(changed, "the file")
    is_right = np.allclose(floats(again.at(inner), None, entry), new, rtol=1e-11, atol=1e-11)
    if not is_right or repr(_without(again.data, inner)) != repr(_without(stored.data, inner)):
        raise CalibrationError(f"{entry}: its numbers cannot be replaced in the way the file is written.")
    return changed


def _without(data: Any, path: KeyPath) -> Any:
    """Return data without the value at a path."""
    if not path:
        return None
    mapping = cast("Mapping[str | int, Any]", data)
    return {**mapping, path[0]: _without(mapping[path[0]], path[1:])}


# --- Writing


def matrix_lines(key: str, rows: Sequence[Sequence[float]], comment: str = "") -> Iterator[str]:
    """Yield the lines of a matrix in OpenCV's YAML, with a comment before it."""
    if comment:
        yield f"# {comment}"
    yield f"{key}: !!opencv-matrix"
    yield f"   rows: {len(rows)}"
    yield f"   cols: {len(rows[0])}"
    yield "   dt: d"
    lines = [", ".join(map(number_text, row)) for row in rows]
    joint = ",\n          "
    yield f"   data: [{joint.join(lines)}]"
