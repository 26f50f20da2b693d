"""Rotations in a text: quaternions, matrices, and angles about axes, in plain text and in TeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation, to_T_inv
from framescope.features.lessons.core.spoken_values import plain_of, values_in

NEARLY = 0.03
"""Deviation of rounded numbers from a unit quaternion and from an orthogonal matrix."""

_ENVIRONMENT = re.compile(r"\\begin\{([pbvBV]?matrix|array)\}(?:\{[lcr|]*\})?(.*?)\\end\{\1\}", re.DOTALL)
_BRACKETS = re.compile(r"\[\s*\[(.*?)\]\s*\]", re.DOTALL)
_TUPLE = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_ABOUT = re.compile(
    r"\b(?:about|around|on)\s+(?:the\s+|its\s+(?:own\s+)?|fixed\s+|moving\s+|new\s+)*([-−+]?)([xyz])(?![\w])"
)
_CLAUSE = re.compile(r"(?<=[a-z°′″'0-9])[.;](?:\s|\Z)|,?\s+(?:then|and then|and)\s+|,\s+")


def rotations_in(text: str) -> list[tuple[str, Array]]:
    r"""Return the rotations (3, 3) that a text may mean, ``v_parent = R @ v_frame``, each with its form.

    A quaternion is read with the scalar last and first, a matrix in both directions, and turns one after another about
    moving and about fixed axes.

    >>> [(form, R[1].tolist()) for form, R in rotations_in("90° about x")]
    [('turn', [0.0, 0.0, -1.0])]
    >>> len(rotations_in(r"$q = (0.5, 0.5, 0.5, 0.5)$")), len(rotations_in("(1, 2, 3)"))
    (2, 0)
    """
    forms = {
        "quaternion": _from_quaternions(text),
        "matrix": _from_matrices(text),
        "turn": _from_turns(plain_of(text)),
    }
    return [(form, R) for form, rotations in forms.items() for R in rotations]


def _numbers(cells: list[str]) -> list[float]:
    """Return the numbers of the cells of a table; none if a cell is no single number."""
    values = [values_in(cell) for cell in cells]
    return [found[0].value for found in values] if all(len(found) == 1 for found in values) else []


def _rows_of(text: str) -> Iterator[list[str]]:
    """Yield the cells of each table of a text, row by row."""
    for match in _ENVIRONMENT.finditer(text):
        yield [cell for row in re.split(r"\\\\(?:\[[^\]]*\])?", match[2]) if row.strip() for cell in row.split("&")]
    for match in _BRACKETS.finditer(text):
        yield re.split(r"[\s,\[\]]+", match[1])


def _from_quaternions(text: str) -> Iterator[Array]:
    plain = plain_of(text)
    tuples = [re.split(r"\s*[,;]\s*", match[1].strip()) for match in _TUPLE.finditer(plain)]
    for cells in (*tuples, *_rows_of(text)):
        numbers = _numbers(cells) if len(cells) == 4 else []
        size = float(np.linalg.norm(numbers)) if numbers else 0.0
        if abs(size - 1.0) < NEARLY:
            for Q in (np.array(numbers), np.roll(numbers, -1)):
                yield to_T_inv(Q / size)


def _from_matrices(text: str) -> Iterator[Array]:
    for cells in _rows_of(text):
        numbers = _numbers(cells) if len(cells) == 9 else []
        if numbers:
            R = np.array(numbers).reshape(3, 3)
            if np.allclose(R @ R.T, np.eye(3), atol=NEARLY) and np.linalg.det(R) > 0.0:
                yield from (R, R.T)


def _from_turns(text: str) -> Iterator[Array]:
    turns: list[Array] = []
    for clause in _CLAUSE.split(text):
        axes = list(_ABOUT.finditer(clause))
        angles = [value for value in values_in(clause) if value.dimension == "angle"]
        if len(axes) != 1 or len(angles) != 1:
            continue
        sign = -1.0 if axes[0][1] in ("-", "−") else 1.0
        turns.append(to_T_inv(planar_rotation(np.array(_AXES[axes[0][2]]), sign * angles[0].si)))
    products = [turns, turns[::-1]] if len(turns) > 1 else [turns] if turns else []
    yield from (np.round(reduce(np.matmul, product), 12) + 0.0 for product in products)
