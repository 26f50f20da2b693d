"""Conversions in other languages, run here: what they consist of is put into Python, expression by expression.

This knows the notation of each language and nothing of what is computed: assignments, matrices row by row, elements,
products, transposes and functions. Only what gives angles is read; the rest is in
`tests.features.detective.core.test_detective_code`.
"""

from __future__ import annotations

import math
import re

import numpy as np

_ASSIGNMENTS = {
    "matlab": r"    (\w+) = (.*);",
    "julia": r"    (?:(\w+) = |return )(.*)",
    "modelica": r"    (\w+) := (.*);",
    "eigen": r"    (?:const (?:double|Eigen::Matrix3d) (\w+) = |return )(.*);",
    "ros-tf2": r"    (?:const (?:double|tf2::Matrix3x3) (\w+) = |return )(.*);",
}


class _Matrix:
    """A matrix whose ``*`` is the product, as in all of these languages."""

    def __init__(self, cells: np.ndarray) -> None:
        self.cells = cells

    def __mul__(self, other: _Matrix) -> _Matrix:
        return _Matrix(self.cells @ other.cells)

    def __getitem__(self, place: tuple[int, int]) -> float:
        return float(self.cells[place])

    @property
    def T(self) -> _Matrix:
        return _Matrix(self.cells.T)


def _matrix(*cells: float) -> _Matrix:
    return _Matrix(np.reshape(cells, (3, 3)).astype(float))


def _elements(text: str, name: str, brackets: str, first: int) -> str:
    """Put the elements of a row or a matrix into Python's notation."""
    opens, closes = map(re.escape, brackets)
    text = re.sub(rf"\b{name}{opens}(\d){closes}", lambda at: f"{name}[{int(at[1]) - first}]", text)
    pair = rf"\b{name}{opens}(\d), (\d){closes}"
    return re.sub(pair, lambda at: f"{name}[{int(at[1]) - first}, {int(at[2]) - first}]", text)


def _expression(text: str, target: str) -> str:
    if target in ("eigen", "ros-tf2"):
        text = re.sub(r"\(Eigen::Matrix3d\(\) << (.*?)\)\.finished\(\)", r"matrix(\1)", text)
        text = text.replace("tf2::Matrix3x3(", "matrix(").replace("std::", "").replace("M_PI", "pi")
        text = re.sub(r"(\w+)\.transpose\(\)", r"\1.T", text)
        text = re.sub(r"\bM\[(\d)\]\[(\d)\]", r"M[\1, \2]", text)
        text = _elements(text, "M", "()", 0)
        return f"[{text[1:-1]}]" if text.startswith("{") else text
    if target == "julia":
        text = text.replace("atan(", "atan2(").replace("'", ".T")
        text = _elements(_elements(text, "M", "[]", 1), "a", "[]", 1)
        cells = re.fullmatch(r"\[(\(.*\))\]", text)
        return f"matrix({cells[1].replace('; ', ' ').replace(') (', '), (')})" if cells else text
    if target == "matlab":
        text = _elements(_elements(text.replace("'", ".T"), "M", "()", 1), "a", "()", 1)
        return f"matrix({text[1:-1].replace(';', ',')})" if ";" in text else text
    text = text.replace("Modelica.Constants.pi", "pi")
    text = re.sub(r"transpose\((\w+)\)", r"\1.T", text)
    text = _elements(_elements(text, "M", "[]", 1), "a", "[]", 1)
    if text.startswith("{{"):
        return f"matrix({text.replace('{', '').replace('}', '')})"
    return f"[{text[1:-1]}]" if text.startswith("{") else text


def run(code: str, target: str, row: np.ndarray) -> np.ndarray:
    """Return what a conversion in another language than Python makes of a row."""
    space = {name: getattr(math, name) for name in ("sin", "cos", "atan2", "sqrt", "pi")}
    space |= {"max": max, "matrix": _matrix, "a": row.tolist()}
    result = None
    for line in code.splitlines():
        found = re.fullmatch(_ASSIGNMENTS[target], line)
        if found is not None:
            result = eval(_expression(found[2], target), space)
            space[found[1] or "b"] = result
    return np.array(space["b"], dtype=float)
