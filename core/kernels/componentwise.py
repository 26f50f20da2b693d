"""Evaluation of formulas on components, for single items and for batches of any size.

A formula takes and returns tuples of components. For a single item, components are Python floats, and a call takes a
few microseconds. For a batch, components are contiguous rows of at most `BLOCK` numbers, which fit into the cache. Both
ways do the same IEEE operations in the same order: a batched call gives, row by row, the bits of single calls. Formulas
use the functions of this module, which give the same bits for floats and for arrays.

Formulas neither warn nor raise. Overflows give infinity, undefined results NaN.

If a feature has a compiler (`framescope.core.kernels.code.formula_compilers`), a formula that has processed many items
is compiled in a thread. The machine code does the same operations on the same numbers in the same order, so only the
speed changes.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
from numpy import ndarray  # a module global is faster than np.ndarray at each call
from numpy.typing import ArrayLike

from framescope.core.kernels.arguments import FLOAT64, Array, as_array
from framescope.core.kernels.code import formula_compilers
from framescope.core.kernels.code.formula_compilers import MachineCode
from framescope.core.kernels.code.symbolic import UntraceableError, code_of_formula

Component = Any
"""A float, or an array (n,) of floats; formulas work on both."""

Components = tuple[Component, ...]
Shape = tuple[int, ...]

BLOCK = 8192
"""Number of items processed at a time, chosen so that a formula on two matrices fills the second-level cache."""

FEW = 4
"""Largest number of items computed one by one."""

CALL = 50.0
"""Overhead of a call, as the number of items that take the same time."""

COMPILED_AFTER = 0.0 if formula_compilers.is_at_once() else 2e6
"""Number of processed items after which a formula is compiled: a tenth of a second of computing or more."""


class Formula:
    """Formula as a function of arrays, unchecked; arguments broadcast over their leading axes.

    Parameters
    ----------
    formula
        Function of a tuple of components for each argument (matrices row by row, a scalar as a bare component). It
        returns the components of all results in one tuple.
    takes
        Trailing shape of each argument, such as ``(3, 3)``; ``()`` for a scalar.
    gives
        Trailing shape of each result.
    tells_results
        Whether machine code reports results that are not finite.
    weight
        Cost of an item, relative to a usual formula.
    """

    def __init__(
        self,
        formula: Callable[..., Any],
        takes: tuple[Shape, ...],
        gives: tuple[Shape, ...],
        *,
        tells_results: bool = False,
        weight: float = 1.0,
    ) -> None:
        self.formula = formula
        self._weight = weight
        self._tells_results = tells_results
        self.takes, self.gives = takes, gives
        self.__doc__ = formula.__doc__
        self.__name__ = formula.__name__
        self._names = tuple(inspect.signature(formula).parameters)
        self._ndims = [len(shape) for shape in takes]
        self._takes = [math.prod(shape) for shape in takes]
        self._sizes = [math.prod(shape) for shape in gives]
        self.n_processed = 0.0
        self.machine_code: MachineCode | None = None

    @property
    def arguments(self) -> dict[str, Shape]:
        """Number of components of each argument, by name, as ``(n,)``; ``()`` is a scalar."""
        shapes = ((size,) if ndim else () for ndim, size in zip(self._ndims, self._takes, strict=True))
        return dict(zip(self._names, shapes, strict=True))

    def run(self, arrays: tuple[Array, ...], names: tuple[str, ...]) -> tuple[Array, ...]:
        """Return all results for float64 `arrays`; error messages use `names` for them."""
        if self.machine_code is not None:
            found = self._by_machine(self.machine_code, arrays)
            if found is not None:
                return found
        return self._in_python(arrays, names)

    def run_into(self, arrays: tuple[Array, ...], out: Array) -> None:
        """Compute the single result of one item into an array."""
        if self.machine_code is not None:
            self.machine_code.ufunc(*arrays, out)
        else:
            out[...] = self._in_python(arrays, ())[0]

    def run_checked(self, names: tuple[str, ...], values: tuple[Any, ...], n_trusted: int) -> tuple[Array, ...]:
        """Convert and check all values except the first `n_trusted`, and return all results.

        Raises
        ------
        ValueError
            When `as_array` rejects a value, or leading axes do not broadcast.
        """
        arrays = tuple(
            value if i < n_trusted else as_array(name, value, shape)
            for i, (name, value, shape) in enumerate(zip(names, values, self.takes, strict=True))
        )
        return self.run(arrays, names)

    def _by_machine(self, code: MachineCode, arrays: tuple[Array, ...]) -> tuple[Array, ...] | None:
        """Return all results by machine code, or None when the machine code does not take the arguments."""
        ufunc = code.ufunc
        for array in arrays:
            if array.size > code.large:
                ufunc = code.in_parts
        try:
            found = ufunc(*arrays)
        except (TypeError, ValueError):  # symbols, or shapes that do not fit
            return None
        if type(found) is ndarray:
            return (found,)
        # Results without a shape are arrays of no axes, not numpy scalars.
        several = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
        return tuple(map(np.asarray, several))

    # --- In Python

    def _in_python(self, arrays: tuple[Array, ...], names: tuple[str, ...]) -> tuple[Array, ...]:
        self._count(arrays)
        if self.machine_code is not None and formula_compilers.is_at_once():
            found = self._by_machine(self.machine_code, arrays)
            if found is not None:
                return found
        numbers: list[Component] = []
        for a, n in zip(arrays, self._ndims, strict=True):
            if a.ndim != n:
                return self._run_batch(arrays, names)
            numbers.append(a.item() if n == 0 else a.tolist() if n == 1 else a.ravel().tolist())
        return self._packed(self.formula(*numbers), ())

    def _count(self, arrays: tuple[Array, ...]) -> None:
        """Count the processed items, and request compilation when they exceed `COMPILED_AFTER`."""
        self.n_processed += CALL * self._weight
        for array, size in zip(arrays, self._takes, strict=True):
            if array.size > CALL:
                self.n_processed += array.size / size
        if self.n_processed > COMPILED_AFTER:
            self.n_processed = -math.inf
            compiler = formula_compilers.find_compiler()
            if compiler is None or not compiler.is_possible():
                return
            if formula_compilers.is_at_once():
                self.compile()
            else:
                compiler.submit(self.compile)

    def _nonfinite_count(self) -> int:
        """Return the number of reports of non-finite numbers by machine code; -1 without machine code."""
        return self.machine_code.nonfinite_counts[0] if self.machine_code else -1

    def compile(self) -> None:
        """Compile the formula; a formula with an unsupported operation stays in Python."""
        compiler = formula_compilers.find_compiler()
        if compiler is None:
            return
        with contextlib.suppress(UntraceableError, ImportError, OSError, RuntimeError):
            self.machine_code = compiler.compile(
                self.__name__, code_of_formula(self), self.takes, self.gives, tells_results=self._tells_results
            )

    def _run_batch(self, arrays: tuple[Array, ...], names: tuple[str, ...]) -> tuple[Array, ...]:
        leadings = [a.shape[: a.ndim - n] for a, n in zip(arrays, self._ndims, strict=True)]
        leading = leadings[0]
        if any(other != leading for other in leadings):
            leading = common_shape(names or self._names, leadings)
        n_items = math.prod(leading)
        rows = [_rows(a, own, leading, size) for a, own, size in zip(arrays, leadings, self._takes, strict=True)]
        if n_items == 1:
            return self._packed(self.formula(*rows), leading)
        if 0 < n_items <= FEW:
            return self._run_few(rows, n_items, leading)
        outs = [np.empty((n_items, size)) for size in self._sizes]
        with np.errstate(all="ignore"):
            for start in range(0, n_items, BLOCK):
                stop = start + BLOCK
                found = iter(self.formula(*[_block(row, start, stop) for row in rows]))
                for out in outs:
                    for column in out[start:stop].T:
                        column[...] = next(found)
        return tuple(out.reshape(leading + shape) for out, shape in zip(outs, self.gives, strict=True))

    def _packed(self, found: Components, leading: Shape) -> tuple[Array, ...]:
        """Return the results of a single item as arrays."""
        if len(self.gives) == 1:
            shape = leading + self.gives[0]
            result = np.array(found)
            return (result if len(shape) == 1 else result.reshape(shape),)
        results: list[Array] = []
        stop = 0
        for shape, size in zip(self.gives, self._sizes, strict=True):
            start, stop = stop, stop + size
            results.append(np.array(found[start:stop]).reshape(leading + shape))
        return tuple(results)

    def _run_few(self, rows: list[Any], n_items: int, leading: Shape) -> tuple[Array, ...]:
        listed = [row.tolist() if isinstance(row, np.ndarray) else [row] * n_items for row in rows]
        flat = np.array([self.formula(*numbers) for numbers in zip(*listed, strict=True)]).reshape(n_items, -1)
        stops = itertools.accumulate(self._sizes)
        pieces = [flat[:, stop - size : stop] for stop, size in zip(stops, self._sizes, strict=True)]
        return tuple(
            np.ascontiguousarray(piece).reshape(leading + shape)
            for piece, shape in zip(pieces, self.gives, strict=True)
        )


def common_shape(names: Iterable[str], shapes: Iterable[Shape]) -> Shape:
    """Return the common broadcast shape, or raise `ValueError` with the names of the arguments."""
    shapes = list(shapes)
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = dict.fromkeys(f"{name} {shape}" for name, shape in zip(names, shapes, strict=True))
        raise ValueError(f"leading shapes do not broadcast: {', '.join(listed)}") from None


class Kernel(Formula):
    """A formula with one result."""

    def __init__(self, *options: Any, **more: Any) -> None:
        super().__init__(*options, **more)
        self.checked = self.checked_in_python

    checked: Callable[..., Array]
    """Convert and check values, and return the result: ``checked(names, *values, n_trusted=0)``.

    `names` are the names of the arguments in error messages. The first `n_trusted` values are float64 arrays of the
    right shape.
    """

    def __call__(self, *arrays: Array, names: tuple[str, ...] = ()) -> Array:
        """Return the result; `names` are the names of the arguments in error messages."""
        return self.run(arrays, names)[0]

    def checked_with_doubt(self, names: tuple[str, ...], *values: ArrayLike) -> tuple[Array, bool]:
        """Return the result of `checked`, and whether the result may hold numbers that are not finite.

        Only kernels with `tells_results` can exclude such numbers.
        """
        before = self._nonfinite_count()
        found = self.checked(names, *values)
        return found, before < 0 or self._nonfinite_count() != before

    def checked_in_python(self, names: tuple[str, ...], *values: ArrayLike, n_trusted: int = 0) -> Array:
        """Convert and check values, and return the result; machine code computes it if there is any."""
        return self.run_checked(names, values, n_trusted)[0]

    def compile(self) -> None:
        """Compile the formula, and let single calls go to the machine code directly."""
        super().compile()
        if self.machine_code is not None:
            self.checked = quick_call(self.machine_code, self.checked_in_python)


def quick_call(code: MachineCode, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls machine code for float64 arrays, and `otherwise` for other arguments.

    Most of the time of a call with a single item is spent in this function, so it tests nothing twice.
    """
    ufunc, in_parts, large, nonfinite_counts = code

    def checked(names: tuple[str, ...], *values: Any, n_trusted: int = 0) -> Array:
        call = ufunc
        for value in values:
            if type(value) is not ndarray or value.dtype is not FLOAT64:
                break
            if value.size > large:
                call = in_parts
        else:
            before = nonfinite_counts[0]
            try:
                found = call(*values)
            except ValueError:  # shapes do not broadcast; the checks in `otherwise` report the cause
                found = None
            if found is not None and nonfinite_counts[0] == before:
                return found if type(found) is ndarray else _as_arrays(found)
        return otherwise(names, *values, n_trusted=n_trusted)

    return checked


def _as_arrays(found: Any) -> Any:
    """Convert numpy scalars, among one result or a tuple of results, to arrays without axes."""
    return tuple(map(np.asarray, cast("tuple[Any, ...]", found))) if type(found) is tuple else np.asarray(found)


class KernelOfTwo(Formula):
    """A formula with two results."""

    def __init__(self, *options: Any, **more: Any) -> None:
        super().__init__(*options, **more)
        self.checked = self.checked_in_python

    checked: Callable[..., tuple[Array, Array]]
    """Convert and check values, and return both results, see `Kernel.checked`."""

    def __call__(self, *arrays: Array, names: tuple[str, ...] = ()) -> tuple[Array, Array]:
        """Return both results; `names` are the names of the arguments in error messages."""
        first, second = self.run(arrays, names)
        return first, second

    def checked_with_doubt(self, names: tuple[str, ...], *values: ArrayLike) -> tuple[Array, Array, bool]:
        """Return both results, and whether a number in them may not be finite, see `Kernel.checked_with_doubt`."""
        before = self._nonfinite_count()
        first, second = self.checked(names, *values)
        return first, second, before < 0 or self._nonfinite_count() != before

    def checked_in_python(self, names: tuple[str, ...], *values: ArrayLike, n_trusted: int = 0) -> tuple[Array, Array]:
        """Convert and check values, and return both results; machine code computes them if there is any."""
        first, second = self.run_checked(names, values, n_trusted)
        return first, second

    def compile(self) -> None:
        """Compile the formula, and let single calls go to the machine code directly."""
        super().compile()
        if self.machine_code is not None:
            self.checked = quick_call(self.machine_code, self.checked_in_python)


class KernelOfThree(Formula):
    """A formula with three results."""

    def __call__(self, *arrays: Array, names: tuple[str, ...] = ()) -> tuple[Array, Array, Array]:
        """Return the results; `names` are the names of the arguments in error messages."""
        first, second, third = self.run(arrays, names)
        return first, second, third


def kernel(*takes: Shape, gives: Shape, tells_results: bool = False) -> Callable[[Callable[..., Any]], Kernel]:
    """Return a decorator that makes a formula with one result a function of arrays.

    >>> @kernel((3,), (3,), gives=())
    ... def product(a, b):
    ...     return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2],)
    >>> float(product(np.array([1.0, 2.0, 3.0]), np.ones(3))), product(np.ones((2, 3)), np.ones(3))
    (6.0, array([3., 3.]))
    """
    return lambda formula: Kernel(formula, takes, (gives,), tells_results=tells_results)


def kernel_of_two(
    *takes: Shape, gives: tuple[Shape, Shape], tells_results: bool = False
) -> Callable[[Callable[..., Any]], KernelOfTwo]:
    """Return a decorator for a formula that returns the components of two results in one tuple."""
    return lambda formula: KernelOfTwo(formula, takes, gives, tells_results=tells_results)


def kernel_of_three(*takes: Shape, gives: tuple[Shape, Shape, Shape]) -> Callable[[Callable[..., Any]], KernelOfThree]:
    """Return a decorator for a formula that returns the components of three results in one tuple."""
    return lambda formula: KernelOfThree(formula, takes, gives)


def sqrt(x: Component) -> Component:
    """Return the square root; NaN of a negative number."""
    if type(x) is float:
        return math.sqrt(x) if x >= 0.0 else math.nan
    return np.sqrt(x)


def sin(x: Component) -> Component:
    """Return the sine. Floats use numpy, too, because the C library may differ in the last bit."""
    if type(x) is float:
        return float(np.sin(x)) if math.isfinite(x) else math.nan
    return np.sin(x)


def cos(x: Component) -> Component:
    """Return the cosine."""
    if type(x) is float:
        return float(np.cos(x)) if math.isfinite(x) else math.nan
    return np.cos(x)


def atan2(y: Component, x: Component) -> Component:
    """Return the angle of the point (x, y) in [-pi, pi]."""
    return float(np.arctan2(y, x)) if type(y) is float and type(x) is float else np.arctan2(y, x)


def divide(a: Component, b: Component) -> Component:
    """Return ``a / b``; infinite or NaN where `b` is zero."""
    if type(a) is not float or type(b) is not float:
        return np.divide(a, b)
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def nearest_whole(x: Component) -> Component:
    """Return the nearest whole number; a half rounds to the even neighbour."""
    return math.copysign(round(x), x) if type(x) is float and math.isfinite(x) else np.rint(x)


def where(condition: Component, a: Component, b: Component) -> Component:
    """Return `a` where the condition holds, `b` elsewhere."""
    if type(condition) is bool:
        return a if condition else b
    return np.where(condition, a, b)  # pyright: ignore[reportUnknownVariableType]


def both(a: Component, b: Component) -> Component:
    """Return whether both conditions hold."""
    return a and b if type(a) is bool else np.logical_and(a, b)


def negate(a: Component) -> Component:
    """Return whether a condition does not hold."""
    return not a if type(a) is bool else np.logical_not(a)


def _rows(array: Array, own: Shape, leading: Shape, size: int) -> Array | list[float] | float:
    """Return an argument as rows (n, size), or as plain floats when it is the same for all items."""
    if math.prod(own) == 1:
        return array.ravel().tolist() if array.ndim > len(own) else array.item()
    if own != leading:
        array = np.broadcast_to(array, leading + array.shape[len(own) :])
    return array.reshape(-1, size) if array.ndim > len(leading) else array.reshape(-1)


def _block(rows: Array | list[float] | float, start: int, stop: int) -> Component:
    """Return the components of items `start` to `stop`, each component a contiguous row."""
    if not isinstance(rows, np.ndarray):
        return rows
    return np.ascontiguousarray(rows[start:stop].T)
