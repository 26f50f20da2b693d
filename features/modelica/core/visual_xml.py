"""Shapes beside a result of OpenModelica: ``Model_visual.xml`` has the variables or numbers of their poses."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from framescope.core.errors import Problem, counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables.limits import TableError, quoted
from framescope.core.system.xml_elements import Element, XmlError, read_elements
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_shapes import ResultShape, directions

MAX_SHAPES = 20_000
MAX_BYTES = 20_000_000
"""Limit of the size of the file, bytes."""

UNDRAWN = {"vector": "an arrow", "surface": "a surface"}
"""Elements other than shapes, with their names in a message."""


def visual_file(result: Path) -> Path:
    """Return the path of OpenModelica's file of the shapes of a result.

    >>> visual_file(Path("runs/Pendulum_res.mat")).name
    'Pendulum_visual.xml'
    """
    return result.with_name(f"{result.stem.removesuffix('_res')}_visual.xml")


def shapes_in(data: bytes, result: ResultFile) -> Iterator[ResultShape | Problem]:
    """Yield the shapes of a file, and problems with lines for undrawable ones; raise `XmlError` if it is not XML."""
    if len(data) > MAX_BYTES:
        raise XmlError(1, f"it has {len(data):,} bytes, more than {MAX_BYTES:,}.")
    waiting = deque([read_elements(data)])
    n = 0
    while waiting:
        element = waiting.popleft()
        if element.tag == "shape":
            n += 1
            if n > MAX_SHAPES:
                raise XmlError(element.line, f"it has more than {MAX_SHAPES:,} shapes.")
            yield _shape_or_problem(element, result)
        elif element.tag in UNDRAWN:
            message = f"{_ident(element)} is {UNDRAWN[element.tag]}."
            yield _problem(element, message, "Arrows and surfaces of a model are not drawn.")
        else:
            waiting += element.children


def _shape_or_problem(element: Element, result: ResultFile) -> ResultShape | Problem:
    try:
        return _shape(element, result)
    except (TableError, _UnreadError) as error:
        return _problem(element, f"{_ident(element)}: {error}", "It is left out.")


class _UnreadError(Exception):
    """An element of a shape has unexpected contents."""


def _shape(element: Element, result: ResultFile) -> ResultShape:
    n = len(result.times)

    def values(key: str, count: int, *, default: float | None = None) -> Array:
        """Return the values (n, count) of an element's children."""
        holder = element.first(key)
        if holder is None or not holder.children:
            if default is None:
                raise _UnreadError(f"it has no <{key}>.")
            return np.full((n, count), default)
        if len(holder.children) < count:
            raise _UnreadError(f"<{key}> has {counted(len(holder.children), 'value')}, expected {count}.")
        columns = [np.broadcast_to(_value(child, result, 0), n) for child in holder.children[:count]]
        return np.stack(columns, axis=1)

    with np.errstate(all="ignore"):
        T = values("T", 9).reshape(n, 3, 3)
        own = directions(values("lengthDir", 3), values("widthDir", 3))
        r = values("r", 3) + np.einsum("nji,nj->ni", T, values("r_shape", 3, default=0.0))
        size = np.concatenate([values(key, 1) for key in ("length", "width", "height")], axis=1)
        extra = values("extra", 1, default=0.0)[:, 0]
        color = values("color", 3, default=math.nan)[0]
    kind = (element.first("type") or element).text.strip()
    if not kind:
        raise _UnreadError("it has no <type>.")
    if not all(np.isfinite(part).all() for part in (T, own, r, size)):
        raise _UnreadError("its place or its size is no number.")
    return ResultShape(_ident(element), kind, own @ T, r, size, extra, _hex(color))


def _value(element: Element, result: ResultFile, depth: int) -> Array:
    """Return the values (n,) or (1,) of an expression: a number, a variable, or an operation."""
    if depth > 50:
        raise _UnreadError("its expressions stand too deep in each other.")
    match element.tag:
        case "exp":
            try:
                return np.array([float(element.text)])
            except ValueError:
                raise _UnreadError(f"<exp> is {quoted(element.text.strip())}, expected a number.") from None
        case "cref":
            return result.values(element.text.strip())
        case _:
            parts = [_value(child, result, depth + 1) for child in element.children]
            operation = OPERATIONS.get((_operator(element), len(parts)))
            if operation is None:
                raise _UnreadError(f"<{element.tag[:40]}> is no expression that is known.")
            return operation(*parts)


def _operator(element: Element) -> str:
    """Return the sign of an operation, from an attribute of its element or from its tag."""
    for key in ("op", "operator", "name"):
        if (sign := element.get(key)) is not None:
            return SIGNS.get(sign, sign)
    return SIGNS.get(element.tag, element.tag)


SIGNS: Mapping[str, str] = {
    "add": "+",
    "plus": "+",
    "sub": "-",
    "minus": "-",
    "neg": "-",
    "uminus": "-",
    "mul": "*",
    "times": "*",
    "div": "/",
    "divide": "/",
    "pow": "^",
    "power": "^",
}

OPERATIONS: Mapping[tuple[str, int], Callable[..., Array]] = {
    ("+", 2): np.add,
    ("-", 2): np.subtract,
    ("-", 1): np.negative,
    ("+", 1): np.positive,
    ("*", 2): np.multiply,
    ("/", 2): np.divide,
    ("^", 2): np.power,
    ("abs", 1): np.abs,
    ("sqrt", 1): np.sqrt,
    ("sin", 1): np.sin,
    ("cos", 1): np.cos,
}
"""Functions of operations, by sign and number of operands."""


def _ident(element: Element) -> str:
    ident = element.first("ident")
    text = "" if ident is None else " ".join(ident.text.split())
    return "".join(char for char in text if char.isprintable())[:190] or f"the shape in line {element.line}"


def _hex(color: Array) -> str | None:
    if not np.isfinite(color).all():
        return None
    red, green, blue = (int(min(max(part, 0.0), 255.0)) for part in color)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _problem(element: Element, message: str, hint: str) -> Problem:
    return Problem((), message, hint, "note", element.line, kind="modelica-shape")
