"""Syntax of target languages: matrices, elements, functions, and the quaternion of a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """Syntax of a target language for conversion code.

    `opens` and `closes` are the lines around the body. `let` declares a variable with its name, value and kind: ``n``
    (number) or ``m`` (matrix). `element` takes indices from 0. `gives` writes the return of a list of numbers.
    """

    comment: str
    opens: tuple[str, ...]
    closes: tuple[str, ...]
    row: Callable[[int], str]
    let: Callable[[str, str, str], str]
    matrix: Callable[[Sequence[Sequence[str]]], str]
    element: Callable[[str, int, int], str]
    product: Callable[[Sequence[str]], str]
    transpose: Callable[[str], str]
    call: Callable[[str, str], str]
    gives: Callable[[Sequence[str]], str]
    quaternion: Callable[[], tuple[list[str], tuple[str, str, str, str]]]
    pi: str


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number; 0.0 for -0.0."""
    return repr(float(value) + 0.0)


def _numpy(n: int) -> Dialect:  # noqa: ARG001 - all dialects take the length of the result
    names = {"atan2": "np.arctan2", "max": "max"}
    return Dialect(
        "#",
        ("import numpy as np", "", "", "def b_from_a(a):", '    """Return a row of b of a row of a."""'),
        (),
        lambda i: f"a[{i}]",
        lambda name, value, _: f"{name} = {value}",
        lambda rows: "np.array([" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "])",
        lambda M, i, j: f"{M}[{i}, {j}]",
        " @ ".join,
        lambda M: f"{M}.T",
        lambda name, of: f"{names.get(name, f'np.{name}')}({of})",
        lambda values: f"return np.array([{', '.join(values)}])",
        lambda: (
            [
                "N = np.array(["
                + ", ".join(f"[{', '.join(row)}]" for row in _outer(lambda i, j: f"M[{i}, {j}]"))
                + "])",
                "q = N[np.argmax(np.diag(N))]",
                "q = q / np.linalg.norm(q) * (1.0 if q[3] >= 0.0 else -1.0)",
            ],
            ("q[0]", "q[1]", "q[2]", "q[3]"),
        ),
        "np.pi",
    )


def _outer(m: Callable[[int, int], str]) -> list[list[str]]:
    """Return four times the products of a quaternion's components x y z w, in terms of its matrix.

    The row of the largest diagonal element is a multiple of the quaternion. There are no special cases.
    """
    d = [
        f"1.0 + {m(0, 0)} - {m(1, 1)} - {m(2, 2)}",
        f"1.0 - {m(0, 0)} + {m(1, 1)} - {m(2, 2)}",
        f"1.0 - {m(0, 0)} - {m(1, 1)} + {m(2, 2)}",
        f"1.0 + {m(0, 0)} + {m(1, 1)} + {m(2, 2)}",
    ]
    xy, xz, yz = (f"{m(i, j)} + {m(j, i)}" for i, j in ((0, 1), (0, 2), (1, 2)))
    xw, yw, zw = (f"{m(i, j)} - {m(j, i)}" for i, j in ((2, 1), (0, 2), (1, 0)))
    return [[d[0], xy, xz, xw], [xy, d[1], yz, yw], [xz, yz, d[2], zw], [xw, yw, zw, d[3]]]


def _matlab(n: int) -> Dialect:  # noqa: ARG001
    def element(M: str, i: int, j: int) -> str:
        return f"{M}({i + 1}, {j + 1})"

    rows = "; ".join(", ".join(row) for row in _outer(lambda i, j: element("M", i, j)))
    return Dialect(
        "%",
        ("function b = b_from_a(a)",),
        ("end",),
        lambda i: f"a({i + 1})",
        lambda name, value, _: f"{name} = {value};",
        lambda rows: "[" + "; ".join(", ".join(row) for row in rows) + "]",
        element,
        " * ".join,
        lambda M: f"{M}'",
        lambda name, of: f"{name}({of})",
        lambda values: f"b = [{', '.join(values)}];",
        lambda: (
            [f"N = [{rows}];", "[~, i] = max(diag(N));", "q = N(i, :) / norm(N(i, :));", "if q(4) < 0, q = -q; end"],
            ("q(1)", "q(2)", "q(3)", "q(4)"),
        ),
        "pi",
    )


def _julia(n: int) -> Dialect:  # noqa: ARG001
    def element(M: str, i: int, j: int) -> str:
        return f"{M}[{i + 1}, {j + 1}]"

    rows = "; ".join(" ".join(f"({cell})" for cell in row) for row in _outer(lambda i, j: element("M", i, j)))
    names = {"atan2": "atan"}
    return Dialect(
        "#",
        ("function b_from_a(a)",),
        ("end",),
        lambda i: f"a[{i + 1}]",
        lambda name, value, _: f"{name} = {value}",
        lambda rows: "[" + "; ".join(" ".join(f"({cell})" for cell in row) for row in rows) + "]",
        element,
        " * ".join,
        lambda M: f"{M}'",
        lambda name, of: f"{names.get(name, name)}({of})",
        lambda values: f"return [{', '.join(values)}]",
        lambda: (
            [
                f"N = [{rows}]",
                "q = N[argmax([N[i, i] for i in 1:4]), :]",
                "q = q / sqrt(sum(q .^ 2)) * (q[4] < 0 ? -1 : 1)",
            ],
            ("q[1]", "q[2]", "q[3]", "q[4]"),
        ),
        "pi",
    )


def _cpp(
    matrix: str, element: Callable[[str, int, int], str], rows: Callable[[Sequence[str]], str], n: int, **given: str
) -> Dialect:
    cells = ",\n        ".join(", ".join(row) for row in _outer(lambda i, j: element("M", i, j)))
    return Dialect(
        "//",
        (*given["includes"].split("|"), f"std::array<double, {n}> b_from_a(const std::vector<double>& a) {{"),
        ("}",),
        lambda i: f"a[{i}]",
        lambda name, value, kind: f"const {'double' if kind == 'n' else matrix} {name} = {value};",
        lambda m: rows([cell for row in m for cell in row]),
        element,
        " * ".join,
        lambda M: f"{M}.transpose()",
        lambda name, of: f"std::{name}({of})",
        lambda values: f"return {{{', '.join(values)}}};",
        lambda: (
            [
                f"const double N[4][4] = {{{cells}}};",
                "int i = 0;",
                "for (int j = 1; j < 4; ++j) if (N[j][j] > N[i][i]) i = j;",
                "const double* q = N[i];",
                "const double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];",
                "const double u = (q[3] < 0.0 ? -1.0 : 1.0) / std::sqrt(n2);",
            ],
            ("u * q[0]", "u * q[1]", "u * q[2]", "u * q[3]"),
        ),
        "M_PI",
    )


def _eigen(n: int) -> Dialect:
    return _cpp(
        "Eigen::Matrix3d",
        lambda M, i, j: f"{M}({i}, {j})",
        lambda cells: f"(Eigen::Matrix3d() << {', '.join(cells)}).finished()",
        n,
        includes="#include <algorithm>|#include <array>|#include <cmath>|#include <vector>|#include <Eigen/Dense>|",
    )


def _tf2(n: int) -> Dialect:
    return _cpp(
        "tf2::Matrix3x3",
        lambda M, i, j: f"{M}[{i}][{j}]",
        lambda cells: f"tf2::Matrix3x3({', '.join(cells)})",
        n,
        includes="#include <algorithm>|#include <array>|#include <cmath>|#include <vector>|"
        "#include <tf2/LinearMath/Matrix3x3.h>|",
    )


def _modelica(n: int) -> Dialect:
    def element(M: str, i: int, j: int) -> str:
        return f"{M}[{i + 1}, {j + 1}]"

    cells = ", ".join("{" + ", ".join(row) + "}" for row in _outer(lambda i, j: element("M", i, j)))
    numbers = "n, h, k, x, y, z, w, c1, s1, c2, s2, c3, s3, qx, qy, qz, qw, m, turn, angle, f"
    angles = "first, cf, sf, angle1, angle2, angle3"
    matrices = ("A", "A1", "A2", "A3", "L", "R", "M")
    return Dialect(
        "//",
        (
            "function b_from_a",
            "  input Real a[:];",
            f"  output Real b[{n}];",
            "protected",
            f"  Real {numbers}, {angles};",
            f"  Real {', '.join(f'{name}[3, 3]' for name in matrices)}, N[4, 4], q[4];",
            "  Integer i;",
            "algorithm",
        ),
        ("end b_from_a;",),
        lambda i: f"a[{i + 1}]",
        lambda name, value, _: f"{name} := {value};",
        lambda rows: "{" + ", ".join("{" + ", ".join(row) + "}" for row in rows) + "}",
        element,
        " * ".join,
        lambda M: f"transpose({M})",
        lambda name, of: f"{name}({of})",
        lambda values: f"b := {{{', '.join(values)}}};",
        lambda: (
            [
                f"N := {{{cells}}};",
                "i := 1;",
                "for j in 2:4 loop if N[j, j] > N[i, i] then i := j; end if; end for;",
                "q := N[i, :] / sqrt(N[i, :] * N[i, :]);",
                "q := if q[4] < 0 then -q else q;",
            ],
            ("q[1]", "q[2]", "q[3]", "q[4]"),
        ),
        "Modelica.Constants.pi",
    )


DIALECTS: dict[str, Callable[[int], Dialect]] = {
    "numpy": _numpy,
    "matlab": _matlab,
    "julia": _julia,
    "modelica": _modelica,
    "eigen": _eigen,
    "ros-tf2": _tf2,
}
"""Dialect by target, from the number of numbers in a row of `b`."""
