"""Tracing of formulas to straight-line code: a formula runs once on symbols, and a tape records its operations.

Formulas compute on floats, on arrays, or, here, on symbols, which record each operation on a `Tape`. Code made from the
tape does the same operations in the same order and gives the same bits. A formula that branches on values, as with
``if``, cannot be recorded and raises `UntraceableError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

Symbols = NDArray[np.object_]
"""Array of symbols and numbers, of any shape."""


class UntraceableError(Exception):
    """Error of a formula that branches on values or uses an operation that has no code."""


@dataclass(frozen=True)
class CodeStep:
    """Operation on the tape: its name and its operands, which are numbers or symbols of earlier steps."""

    name: str
    operands: tuple[Any, ...]


@dataclass(eq=False)
class Tape:
    """Record of the operations on symbols, in order, each different operation once.

    With `leaves_out_zeros`, sums and products with 0 and 1 are simplified, and ``x - x`` becomes 0. Results then differ
    in the signs of zeros, and where operands are not finite.
    """

    leaves_out_zeros: bool = False
    steps: list[CodeStep] = field(default_factory=list[CodeStep])
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict[tuple[Any, ...], int])

    def symbols(self, name: str, shape: tuple[int, ...] = ()) -> Any:
        """Return the symbols of an argument: an array, or a bare symbol for a scalar."""
        if not shape:
            return self.record("argument", (name, 0))
        n = math.prod(shape)
        symbols = np.empty(n, dtype=object)
        symbols[:] = [self.record("argument", (name, i)) for i in range(n)]
        return symbols.reshape(shape)

    def record(self, name: str, operands: tuple[Any, ...]) -> Any:
        """Return the symbol of an operation, which is recorded unless the tape has it already."""
        if self.leaves_out_zeros and (simpler := _simplify(name, operands)) is not None:
            return simpler
        # Numbers are compared by repr, so that 1.0 differs from True and −0.0 from 0.0.
        key = (
            name,
            *((operand.i, Symbol) if isinstance(operand, Symbol) else (repr(operand), str) for operand in operands),
        )
        i = self._known.get(key)
        if i is None:
            i = self._known[key] = len(self.steps)
            self.steps.append(CodeStep(name, operands))
        return Symbol(self, i)


def _simplify(name: str, operands: tuple[Any, ...]) -> Any:
    """Return the simplified result of a sum or product with 0 or 1, or None for any other operation."""
    numbers = [operand if isinstance(operand, float) else None for operand in operands]
    match name, numbers:
        case "*", [0.0, _] | [_, 0.0]:
            return 0.0
        case "-", _ if _is_same(*operands):
            return 0.0
        case ("+", [0.0, _]) | ("*", [1.0, _]):
            return operands[1]
        case ("+", [_, 0.0]) | ("-", [_, 0.0]) | ("*", [_, 1.0]):
            return operands[0]
        case _:
            return None


def _is_same(a: Any, b: Any) -> bool:
    """Return whether two operands are the same symbol."""
    return isinstance(a, Symbol) and isinstance(b, Symbol) and a.i == b.i


class Symbol(NDArrayOperatorsMixin):
    """Result of step `i` of a tape: a number or condition whose value is known only when the code runs."""

    __slots__ = ("i", "tape")

    def __init__(self, tape: Tape, i: int) -> None:
        self.tape, self.i = tape, i

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        name = UFUNCS.get(ufunc.__name__)
        if method != "__call__" or name is None or options.keys() - {"dtype"}:
            raise UntraceableError(f"there is no code for {ufunc.__name__}")
        if any(isinstance(operand, np.ndarray) and operand.ndim for operand in inputs):
            return np.frompyfunc(ufunc, ufunc.nin, 1)(*map(_to_object_array, inputs))
        return self.tape.record(name, tuple(_plain(operand) for operand in inputs))

    def __array_function__(self, function: Callable[..., Any], _types: object, args: Any, options: Any) -> Any:
        if function not in FUNCTIONS or options:
            raise UntraceableError(f"there is no code for {function.__name__}")
        return FUNCTIONS[function](self.tape, *args)

    def __abs__(self) -> Any:
        return self.tape.record("abs", (self,))

    def __bool__(self) -> bool:
        raise UntraceableError("it branches on a value")

    def __float__(self) -> float:
        raise UntraceableError("it needs the value of a symbol")

    def any(self) -> bool:
        """Return True, so that operations for a condition that holds somewhere are always recorded."""
        return True

    def all(self) -> bool:
        """Return False, so that a formula never takes a shortcut for conditions that hold everywhere."""
        return False

    def __getitem__(self, place: tuple[()]) -> Symbol:
        if place != ():
            raise UntraceableError("it indexes a number")
        return self

    def __repr__(self) -> str:
        return f"<symbol {self.i}>"


UFUNCS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "negative": "negative", "positive": "positive",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal": "===", "not_equal": "!==",
    "logical_and": "&&", "bitwise_and": "&&", "logical_or": "||", "bitwise_or": "||", "logical_not": "!", "invert": "!",
    "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "exp": "exp", "log": "log", "arctan2": "atan2",
    "absolute": "abs", "sign": "sign", "power": "pow", "remainder": "mod", "maximum": "max", "isnan": "isNaN",
    "isfinite": "isFinite", "floor": "floor", "copysign": "copysign", "rint": "rint", "minimum": "min",
}  # fmt: skip
"""Names in recorded steps of the supported numpy ufuncs."""


def _where(tape: Tape, condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, Symbol):
        return tape.record("where", (condition, _plain(a), _plain(b)))
    return a if condition else b


def _clip(tape: Tape, x: Any, low: Any, high: Any) -> Any:
    return tape.record("clip", (_plain(x), _plain(low), _plain(high)))


def _fill(_tape: Tape, _like: Any, value: Any) -> Any:
    return _plain(value)


def _constant(value: Any) -> Callable[..., Any]:
    def constant(_tape: Tape, _like: Any) -> Any:
        return value

    return constant


FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    np.where: _where,
    np.clip: _clip,
    np.full_like: _fill,
    np.zeros_like: _constant(0.0),
    np.ones_like: _constant(1.0),
    np.shape: _constant(()),
}
"""Replacements for numpy functions that are not ufuncs."""


def _plain(operand: Any) -> Any:
    """Convert an operand to a symbol, a float or a bool."""
    if isinstance(operand, Symbol):
        return operand
    value = cast("Any", operand.item() if isinstance(operand, (np.ndarray, np.generic)) else operand)
    return value if isinstance(value, Symbol | bool) else float(value)


def _to_object_array(operand: Any) -> Symbols:
    """Convert an operand to an array of objects, so that a ufunc can iterate over its elements."""
    if isinstance(operand, np.ndarray):
        return np.asarray(operand, dtype=object)
    array = np.empty((), dtype=object)
    array[()] = operand
    return array


@dataclass(frozen=True, eq=False)
class Code:
    """Code of a function without branches and loops.

    Attributes
    ----------
    arguments
        Shapes of the arguments by name; ``()`` is a scalar.
    steps
        Operations in order; operands are numbers and symbols of earlier steps.
    results
        Symbols or numbers, in order.
    """

    arguments: dict[str, tuple[int, ...]]
    steps: tuple[CodeStep, ...]
    results: tuple[Any, ...]


def code_of(
    function: Callable[..., Any], arguments: dict[str, tuple[int, ...]], *, leaves_out_zeros: bool = False
) -> Code:
    """Run a function on symbols and return its code.

    Parameters
    ----------
    function
        Function of positional arguments: arrays of objects, or a bare symbol for a scalar. It returns an array, a
        number, or a sequence of arrays or numbers.
    arguments
        Names and shapes of the arguments.
    leaves_out_zeros
        Whether to simplify sums and products with 0 and 1, see `Tape`.

    Raises
    ------
    UntraceableError
        When the function branches on values, or uses an operation that has no code.

    Examples
    --------
    >>> code = code_of(lambda a, b: a[0] * b + a[1], {"a": (2,), "b": ()})
    >>> [step.name for step in code.steps], code.results
    (['argument', 'argument', 'argument', '*', '+'], (<symbol 4>,))
    """
    tape = Tape(leaves_out_zeros)
    symbols = [tape.symbols(name, shape) for name, shape in arguments.items()]
    results = _flatten(function(*symbols))
    return Code(arguments, tuple(tape.steps), results)


class OnComponents(Protocol):
    """Formula on components, with the number of components of each argument."""

    @property
    def formula(self) -> Callable[..., Any]:
        """Function that takes a tuple of components for each argument, or a single component for a scalar argument."""
        ...

    @property
    def arguments(self) -> dict[str, tuple[int, ...]]:
        """Number of components of each argument, by name, as ``(n,)``; ``()`` is a scalar."""
        ...


def code_of_formula(formula: OnComponents) -> Code:
    """Return the code of a formula on components, with flat arguments."""
    return code_of(formula.formula, formula.arguments)


def _flatten(results: Any) -> tuple[Any, ...]:
    """Return the symbols and numbers of nested results as one flat tuple."""
    if isinstance(results, np.ndarray):
        return tuple(_plain(item) for item in cast("Symbols", results).ravel().tolist())
    if isinstance(results, tuple | list):
        return tuple(part for item in cast("Iterable[Any]", results) for part in _flatten(item))
    return (_plain(results),)


def needed_steps(code: Code) -> list[int]:
    """Return the indices of the steps that the results depend on, in order."""
    waiting = [operand.i for operand in code.results if isinstance(operand, Symbol)]
    numbers: set[int] = set()
    while waiting:
        i = waiting.pop()
        if i not in numbers:
            numbers.add(i)
            waiting += [operand.i for operand in code.steps[i].operands if isinstance(operand, Symbol)]
    return sorted(numbers)
