"""Self-test of machine code: a few formulas, compared with numpy bit by bit before any other formula is compiled."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from framescope.core.kernels.code.formula_compilers import MachineCode, Shape
from framescope.core.kernels.code.symbolic import code_of
from framescope.core.kernels.componentwise import atan2, cos, divide, sin, sqrt, where
from framescope.features.compiled.core import machine

_LOG = logging.getLogger(__name__)

ROWS = 37
"""Number of items of a batch: several vectors of any processor, and a remainder."""


class SampleFormula(NamedTuple):
    """Formula of the self-test, with the trailing shapes of its arguments and results."""

    formula: Callable[..., Any]
    takes: dict[str, Shape]
    gives: tuple[Shape, ...]


def _product(p: Any, q: Any) -> tuple[Any, ...]:
    return (
        p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
        p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
        p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
        p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
    )


def _polar(p: Any) -> tuple[Any, ...]:
    length, angle = sqrt(p[0] * p[0] + p[1] * p[1]), atan2(p[1], p[0])
    return length * cos(angle), length * sin(angle), angle


def _choice(a: Any, b: Any) -> tuple[Any, ...]:
    return (where(a < b, divide(a, b), a - b),)


FORMULAS = (
    SampleFormula(_product, {"p": (4,), "q": (4,)}, ((4,),)),
    SampleFormula(_polar, {"p": (2,)}, ((2,), ())),
    SampleFormula(_choice, {"a": (), "b": ()}, ((),)),
)
"""Formulas with arithmetic, with numpy's own loops and two results, and with a condition and a division by zero."""


@cache
def is_sound() -> bool:
    """Return whether machine code gives the same bits as numpy; a difference is logged with the formula's name.

    Raises
    ------
    UntraceableError, ImportError, OSError, RuntimeError
        When a formula of the test cannot be compiled.
    """
    for sample in FORMULAS:
        code = machine.machine_code(f"self-test {sample.formula.__name__}", code_of(sample.formula, sample.takes),
            tuple(sample.takes.values()), sample.gives)  # fmt: skip
        if not gives_same_bits(sample, code):
            _LOG.error("machine code differs from numpy in %s: formulas are not compiled", sample.formula.__name__)
            return False
    return True


def gives_same_bits(sample: SampleFormula, code: MachineCode) -> bool:
    """Return whether machine code gives the bits of a formula, and counts calls with numbers that are not finite."""
    before = code.nonfinite_counts[0]
    for arguments in _batches(sample):
        wanted = _in_numpy(sample, arguments)
        for call in (code.ufunc, code.in_parts):
            outcome = call(*arguments)
            results = cast("tuple[Any, ...]", outcome if isinstance(outcome, tuple) else (outcome,))
            if not all(np.array_equal(*map(_bits, pair)) for pair in zip(results, wanted, strict=True)):
                return False
    is_quiet = code.nonfinite_counts[0] == before
    code.ufunc(*(np.full(shape, np.inf) for shape in sample.takes.values()))
    return is_quiet and code.nonfinite_counts[0] > before


def _batches(sample: SampleFormula) -> Iterator[tuple[Any, ...]]:
    """Yield arguments: a batch, the reversed batch with a single last argument, and a single item."""
    shapes = tuple(sample.takes.values())
    sizes = [math.prod(shape) for shape in shapes]
    rows = 3.0 * np.sin(np.arange(1.0, 1.0 + ROWS * sum(sizes))).reshape(ROWS, -1)
    columns = np.split(rows, np.cumsum(sizes)[:-1], axis=1)
    batch = [part.reshape(ROWS, *shape) for part, shape in zip(columns, shapes, strict=True)]
    yield tuple(map(np.ascontiguousarray, batch))
    *others, last = (part[::-1] for part in batch)
    yield (*others, last[0] if others else last)
    yield tuple(part[0] for part in batch)


def _in_numpy(sample: SampleFormula, arguments: tuple[Any, ...]) -> list[Any]:
    """Compute the results of a formula with numpy; each has the shape of the items followed by its own."""
    shapes = tuple(sample.takes.values())
    pairs = list(zip(arguments, shapes, strict=True))
    leading = np.broadcast_shapes(*(np.shape(argument)[: np.ndim(argument) - len(shape)] for argument, shape in pairs))
    components: list[Any] = []
    for argument, shape in pairs:
        rows = np.broadcast_to(argument, leading + shape).reshape(-1, *shape)
        components.append(list(np.ascontiguousarray(rows.T)) if shape else np.ascontiguousarray(rows))
    with np.errstate(all="ignore"):
        columns = np.stack([*sample.formula(*components)], axis=-1)
    sizes = [math.prod(shape) for shape in sample.gives]
    parts = np.split(columns, np.cumsum(sizes)[:-1], axis=-1)
    return [part.reshape(leading + shape) for part, shape in zip(parts, sample.gives, strict=True)]


def _bits(values: Any) -> Any:
    return np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
