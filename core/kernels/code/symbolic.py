"""Formulas as straight-line code: a formula runs on symbols once, and what it does is written down.

The functions of this program compute on floats and on arrays alike. Here they get symbols instead, which note each
operation on a `Tape`: the same operations in the same order, so that code made of it gives the same bits. What a
formula decides by the values themselves, as with ``if``, cannot be written down, and is told.
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
"""Symbols and numbers in an array of any shape."""


class UntraceableError(Exception):
    """A formula decides by values, or does what there is no code for."""


@dataclass(frozen=True)
class Step:
    """One operation: its name, and its operands, which are numbers or the symbols of earlier steps."""

    name: str
    operands: tuple[Any, ...]


@dataclass(eq=False)
class Tape:
    """The operations that were done on the symbols made by `symbols`, each once, in their order.

    With `leaves_out_zeros` sums and products with 0 and 1 are no operations, and what is taken from itself is 0: the
    numbers are the same but for signs of zero, and for what is not finite.
    """

    leaves_out_zeros: bool = False
    steps: list[Step] = field(default_factory=list[Step])
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict[tuple[Any, ...], int])

    def symbols(self, name: str, shape: tuple[int, ...] = ()) -> Any:
        """Return the symbols of an argument, an array of them; a bare symbol where it is a scalar."""
        if not shape:
            return self.noted("argument", (name, 0))
        n = math.prod(shape)
        made = np.empty(n, dtype=object)
        made[:] = [self.noted("argument", (name, i)) for i in range(n)]
        return made.reshape(shape)

    def noted(self, name: str, operands: tuple[Any, ...]) -> Any:
        """Return the symbol of an operation."""
        if self.leaves_out_zeros and (found := _shorter(name, operands)) is not None:
            return found
        # By their types too, and with their signs: 1.0 is no True, and −0.0 no 0.0.
        key = (name, *((each.i, Symbol) if isinstance(each, Symbol) else (repr(each), str) for each in operands))
        i = self._known.get(key)
        if i is None:
            i = self._known[key] = len(self.steps)
            self.steps.append(Step(name, operands))
        return Symbol(self, i)


def _shorter(name: str, operands: tuple[Any, ...]) -> Any:
    """Return what a sum or product with 0 or 1 is; None of what is no such."""
    numbers = [each if isinstance(each, float) else None for each in operands]
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
    return isinstance(a, Symbol) and isinstance(b, Symbol) and a.i == b.i


class Symbol(NDArrayOperatorsMixin):
    """A number, or a condition, that is known when the code runs: the result of step `i` of a tape."""

    __slots__ = ("i", "tape")

    def __init__(self, tape: Tape, i: int) -> None:
        self.tape, self.i = tape, i

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        name = UFUNCS.get(ufunc.__name__)
        if method != "__call__" or name is None or options.keys() - {"dtype"}:
            raise UntraceableError(f"there is no code for {ufunc.__name__}")
        if any(isinstance(each, np.ndarray) and each.ndim for each in inputs):
            return np.frompyfunc(ufunc, ufunc.nin, 1)(*map(_boxed, inputs))
        return self.tape.noted(name, tuple(_plain(each) for each in inputs))

    def __array_function__(self, function: Callable[..., Any], _types: object, args: Any, options: Any) -> Any:
        if function not in FUNCTIONS or options:
            raise UntraceableError(f"there is no code for {function.__name__}")
        return FUNCTIONS[function](self.tape, *args)

    def __abs__(self) -> Any:
        return self.tape.noted("abs", (self,))

    def __bool__(self) -> bool:
        raise UntraceableError("it decides by a value")

    def __float__(self) -> float:
        raise UntraceableError("it asks for a value")

    def any(self) -> bool:
        """Return that a condition may hold: what is only done where it does is written down."""
        return True

    def all(self) -> bool:
        """Return that a condition may not hold: a shorter way, for where it does, is not taken."""
        return False

    def __getitem__(self, place: tuple[()]) -> Symbol:
        if place != ():
            raise UntraceableError("it takes a number apart")
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
"""Operations of numpy, by what they are called here."""


def _where(tape: Tape, condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, Symbol):
        return tape.noted("where", (condition, _plain(a), _plain(b)))
    return a if condition else b


def _clip(tape: Tape, x: Any, low: Any, high: Any) -> Any:
    return tape.noted("clip", (_plain(x), _plain(low), _plain(high)))


def _filled(_tape: Tape, _like: Any, value: Any) -> Any:
    return _plain(value)


def _constant(value: Any) -> Callable[..., Any]:
    def constant(_tape: Tape, _like: Any) -> Any:
        return value

    return constant


FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    np.where: _where,
    np.clip: _clip,
    np.full_like: _filled,
    np.zeros_like: _constant(0.0),
    np.ones_like: _constant(1.0),
    np.shape: _constant(()),
}
"""Functions of numpy that are not operations element by element."""


def _plain(operand: Any) -> Any:
    """Return an operand as a symbol, a float or a bool."""
    if isinstance(operand, Symbol):
        return operand
    value = cast("Any", operand.item() if isinstance(operand, (np.ndarray, np.generic)) else operand)
    return value if isinstance(value, Symbol | bool) else float(value)


def _boxed(operand: Any) -> Symbols:
    if isinstance(operand, np.ndarray):
        return np.asarray(operand, dtype=object)
    box = np.empty((), dtype=object)
    box[()] = operand
    return box


@dataclass(frozen=True, eq=False)
class Code:
    """Straight-line code of a function.

    Attributes
    ----------
    arguments
        Its arguments, by name, and their shapes; ``()`` is a scalar.
    steps
        What is done, each with the numbers of earlier steps.
    results
        What comes out, one after the other: symbols or numbers.
    """

    arguments: dict[str, tuple[int, ...]]
    steps: tuple[Step, ...]
    results: tuple[Any, ...]


def code_of(
    function: Callable[..., Any], arguments: dict[str, tuple[int, ...]], *, leaves_out_zeros: bool = False
) -> Code:
    """Run a function on symbols and return its code.

    Parameters
    ----------
    function
        Takes the arguments by position, arrays of objects (a bare symbol for a scalar one), and returns an array,
        a number or a sequence of such.
    arguments
        Names and shapes.
    leaves_out_zeros
        As for a `Tape`.

    Raises
    ------
    UntraceableError
        When it decides by values.

    Examples
    --------
    >>> code = code_of(lambda a, b: a[0] * b + a[1], {"a": (2,), "b": ()})
    >>> [step.name for step in code.steps], code.results
    (['argument', 'argument', 'argument', '*', '+'], (<symbol 4>,))
    """
    tape = Tape(leaves_out_zeros)
    given = [tape.symbols(name, shape) for name, shape in arguments.items()]
    results = _listed(function(*given))
    return Code(arguments, tuple(tape.steps), results)


class OnComponents(Protocol):
    """A formula on components."""

    @property
    def formula(self) -> Callable[..., Any]:
        """Takes one tuple of components for each argument, a bare component for a scalar one."""
        ...

    @property
    def arguments(self) -> dict[str, tuple[int, ...]]:
        """How many components each argument has in a row, by name; ``()`` is a scalar."""
        ...


def code_of_formula(formula: OnComponents) -> Code:
    """Return the code of a formula on components, its arguments with their numbers in a row."""
    return code_of(formula.formula, formula.arguments)


def _listed(found: Any) -> tuple[Any, ...]:
    if isinstance(found, np.ndarray):
        return tuple(_plain(each) for each in cast("Symbols", found).ravel().tolist())
    if isinstance(found, tuple | list):
        return tuple(part for each in cast("Iterable[Any]", found) for part in _listed(each))
    return (_plain(found),)


def needed(code: Code) -> list[int]:
    """Return the numbers of the steps that the results depend on, in their order."""
    waiting = [each.i for each in code.results if isinstance(each, Symbol)]
    found: set[int] = set()
    while waiting:
        i = waiting.pop()
        if i not in found:
            found.add(i)
            waiting += [each.i for each in code.steps[i].operands if isinstance(each, Symbol)]
    return sorted(found)
