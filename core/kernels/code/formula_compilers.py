"""Interface to compilers that translate formulas with much computation to machine code.

The base has no compiler. A feature may list a compiler in `framescope.core.system.features.Feature.formula_compilers`.

The environment variable `MODE` decides when formulas are compiled. ``FRAMESCOPE_COMPILED=0``: never.
``FRAMESCOPE_COMPILED=1``: each formula at its first call, which waits for the compiler. Otherwise: formulas with much
computation, in a background thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

Shape = tuple[int, ...]

MODE = "FRAMESCOPE_COMPILED"


class MachineCode(NamedTuple):
    """Machine code of a formula, as numpy ufuncs.

    Attributes
    ----------
    ufunc
        Function that takes float64 arrays, broadcasts them, and returns one array or a tuple of arrays. Results without
        a shape are numpy scalars.
    in_parts
        The same function on all cores, for large batches.
    large
        Size of an argument above which a batch is large.
    nonfinite_counts
        Counts of calls with arguments that are not finite or whose sum is not finite. With ``tells_results``, calls
        with results that are not finite are counted, too.
    """

    ufunc: Callable[..., Any]
    in_parts: Callable[..., Any]
    large: int
    nonfinite_counts: memoryview


@dataclass(frozen=True)
class FormulaCompiler:
    """Compiler of formulas, as provided by a feature.

    Attributes
    ----------
    is_possible
        Function that returns whether formulas are compiled in this process.
    compile
        Function that returns the machine code of a formula: ``compile(name, code, takes, gives, tells_results=False)``.
        The code is `framescope.core.kernels.code.symbolic.Code`; `takes` and `gives` are the trailing shapes of
        arguments and results. When it raises `UntraceableError`, `ImportError`, `OSError` or `RuntimeError`, the
        formula stays in numpy.
    submit
        Function that queues work for the thread of the compiler.
    """

    is_possible: Callable[[], bool]
    compile: Callable[..., MachineCode]
    submit: Callable[[Callable[[], None]], None]


list_compilers: Callable[[], Iterable[FormulaCompiler]] = tuple
"""Function that returns the compilers of the features; the package `framescope.core` sets it."""


def find_compiler() -> FormulaCompiler | None:
    """Import and return the compiler of formulas; None if no feature has one."""
    return next(iter(list_compilers()), None)


def is_at_once() -> bool:
    """Return whether formulas are compiled at their first call."""
    return os.environ.get(MODE) == "1"
