"""LLVM assembly of straight-line code: the inner loop of a generalized numpy ufunc, with the bits of the formula.

Each operation is an IEEE operation, in the order of the tape, without contraction. Sines, cosines and arc tangents call
numpy's own loops on a chunk of items. The operations before and after these calls are loops of their own, called stages
here.

Besides its results, the loop reports whether all its numbers were finite: ``0 (x + y + ...)`` is 0 for finite numbers,
unless the sum overflows, which only causes a false alarm. The loop preserves the floating-point exception flags, so
that numpy neither warns nor raises.

References
----------
NumPy, "UFunc API" and "Generalized universal function API": ``PyUFuncGenericFunction``. LLVM Language Reference.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from framescope.core.kernels.code.symbolic import Code, CodeStep, Symbol, UntraceableError, needed_steps

Shape = tuple[int, ...]

CHUNK = 256
"""Number of items between two calls of a numpy loop, whose intermediate numbers fit the first-level cache."""

AHEAD = 64
"""Number of items prefetched into the cache while the items before them are computed, for operands with long items."""

LINE = 64
"""Number of bytes prefetched at once. Items of this length or more are read with gaps, which the processor does not
predict: measured, a million vectors times matrices took five times as long."""

LONG = 600
"""Number of steps from which one loop serves all array layouts. Three loops are faster, but LLVM optimizes each."""

MOST = 20_000
"""Largest number of steps of a compiled formula: each takes a tenth of a millisecond, and memory."""

FOREIGN = {"sin": "sin", "cos": "cos", "atan2": "arctan2"}
"""Operations computed by numpy's own loops, with their numpy names."""

WIDE = '"prefer-vector-width"="512"'
"""Attribute for the widest vectors of the machine: measured, 10 to 30 % faster than LLVM's default."""

_FETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"

_BINARY = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "===": "oeq", "!==": "une"}
_LOGICAL = {"&&": "and", "||": "or"}
_INTRINSICS = {"sqrt": "sqrt", "abs": "fabs", "rint": "rint", "floor": "floor"}
_CONDITIONS = {*_COMPARISONS, *_LOGICAL, "!"}

FLAGS = {
    "x86_64": (
        "declare void @llvm.x86.sse.stmxcsr(ptr)\ndeclare void @llvm.x86.sse.ldmxcsr(ptr)",
        "  %flags = alloca i32\n  call void @llvm.x86.sse.stmxcsr(ptr %flags)",
        "  call void @llvm.x86.sse.ldmxcsr(ptr %flags)",
    ),
    "aarch64": (
        "declare i64 @llvm.aarch64.get.fpsr()\ndeclare void @llvm.aarch64.set.fpsr(i64)",
        "  %flags = call i64 @llvm.aarch64.get.fpsr()",
        "  call void @llvm.aarch64.set.fpsr(i64 %flags)",
    ),
}
"""Declarations, saving and restoring of the floating-point exception flags, by machine."""


@dataclass(frozen=True)
class Loop:
    """Inner loop of a generalized ufunc.

    Attributes
    ----------
    text
        LLVM assembly, with the function `name`.
    foreign
        Ufuncs of numpy whose loops it calls. Their addresses and data follow the count of non-finite calls in the data
        that its last argument points to.
    n_operations, n_calls
        Number of operations per item, and of calls of numpy loops among them.
    signature
        Signature as a generalized ufunc.
    is_long
        Whether it has one loop for all layouts, and gains nothing from more optimization passes.
    """

    name: str
    text: str
    foreign: tuple[str, ...]
    n_operations: int
    n_calls: int
    signature: str
    is_long: bool


def loop_of(
    code: Code, takes: tuple[Shape, ...], gives: tuple[Shape, ...], machine: str, *, tells_results: bool = False
) -> Loop:
    """Return the loop of the code of a formula. Its name is a hash, since many formulas are called ``formula``.

    Parameters
    ----------
    takes, gives
        Trailing shapes of arguments and results.
    machine
        ``"x86_64"`` or ``"aarch64"``.
    tells_results
        Whether results that are not finite are counted, too, like arguments.

    Raises
    ------
    UntraceableError
        When an operation or the machine is unknown, or there are more than `MOST` operations.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> code = code_of(lambda a, t: [a[0] + a[1] * t], {"a": (2,), "t": ()})
    >>> loop = loop_of(code, ((2,), ()), ((),), "x86_64")
    >>> loop.signature, "fmul double" in loop.text
    ('(2),()->()', True)
    """
    if machine not in FLAGS:
        raise UntraceableError(f"there is no code for {machine}")
    n_steps = len(needed_steps(code))
    if n_steps > MOST:
        raise UntraceableError(f"{n_steps} operations take too long to compile")
    operands = (*takes, *gives)
    stages = _stages_of(code)
    foreign = tuple(sorted({FOREIGN[code.steps[i].name] for stage in stages for i in stage.calls}))
    declarations, save, restore = FLAGS[machine]
    function = _Function(code, tuple(stages), _slots_of(code, stages), takes, gives, foreign, tells_results)
    intrinsics = [_FETCH, *(f"declare double @llvm.{intrinsic}.f64(double)" for intrinsic in _INTRINSICS.values())]
    is_long = n_steps >= LONG
    entry = _entry_of_one if is_long else _entry
    lines = "\n".join([*entry(operands, save, restore), *function.lines()])
    name = f"loop_{hashlib.sha256(lines.encode()).hexdigest()[:32]}"
    text = "\n".join([declarations, *intrinsics, lines.replace("@loop", f"@{name}"), ""])
    shapes = ["(" + ",".join(map(str, shape)) + ")" for shape in operands]
    n_calls = sum(len(stage.calls) for stage in stages)
    n_operations = sum(code.steps[i].name != "argument" for i in needed_steps(code))
    signature = f"{','.join(shapes[: len(takes)])}->{','.join(shapes[len(takes) :])}"
    return Loop(name, text, foreign, n_operations, n_calls, signature, is_long)


# --- Stages


@dataclass(frozen=True)
class _Stage:
    """Steps computed item by item, then numpy steps computed on the whole chunk."""

    steps: tuple[int, ...]
    calls: tuple[int, ...]


@dataclass(frozen=True)
class _Constant:
    """Constant argument of a numpy loop."""

    value: float


def _stages_of(code: Code) -> list[_Stage]:
    level: dict[int, int] = {}
    for i in needed_steps(code):
        level[i] = max((_first_usable_stage(code, level, symbol.i) for symbol in _symbols(code.steps[i])), default=0)
    n_stages = max((_first_usable_stage(code, level, i) for i in level), default=0) + 1
    stages: list[_Stage] = []
    for number in range(n_stages):
        here = [i for i in level if level[i] == number]
        calls = tuple(i for i in here if code.steps[i].name in FOREIGN)
        stages.append(_Stage(tuple(i for i in here if i not in calls), calls))
    return stages


def _first_usable_stage(code: Code, level: dict[int, int], i: int) -> int:
    """Return the first stage that can use the result of a step."""
    return level[i] + (code.steps[i].name in FOREIGN)


def _symbols(step: CodeStep) -> list[Symbol]:
    return [operand for operand in step.operands if isinstance(operand, Symbol)]


def _slots_of(code: Code, stages: list[_Stage]) -> dict[int | _Constant, int]:
    """Assign memory slots to the steps, and constants of calls, that are stored for a chunk."""
    stage_of = {i: number for number, stage in enumerate(stages) for i in stage.steps}
    stored: dict[int | _Constant, None] = {}
    for number, stage in enumerate(stages):
        for i in stage.calls:
            stored.update(dict.fromkeys(_key(operand) for operand in code.steps[i].operands))
            stored[i] = None
        used = [operand.i for i in stage.steps for operand in _symbols(code.steps[i])]
        if stage is stages[-1]:
            used += [operand.i for operand in code.results if isinstance(operand, Symbol)]
        stored.update(dict.fromkeys(i for i in used if _is_from_before(code, stage_of, i, number)))
    return {key: slot for slot, key in enumerate(stored)}


def _is_from_before(code: Code, stage_of: dict[int, int], i: int, stage: int) -> bool:
    """Return whether a stage reads a number from memory; arguments are loaded again."""
    return code.steps[i].name != "argument" and stage_of.get(i, -1) < stage


def _key(operand: Any) -> int | _Constant:
    return operand.i if isinstance(operand, Symbol) else _Constant(float(operand))


# --- Entry: constant strides allow a fast loop


def _entry(operands: tuple[Shape, ...], save: str, restore: str) -> list[str]:
    """Return the function called by numpy, with variants: packed arrays, a shared first argument, and any strides."""
    lines = _begin(operands, save)
    known: list[int] = []
    for k, shape in enumerate(operands):
        for j, step in enumerate(_steps_of(shape)):
            lines.append(f"  %eq{len(known)} = icmp eq i64 %s{k}.{j}, {step}")
            if known:  # all but the first, which is checked separately
                before = f"%is{len(known) - 1}" if len(known) > 1 else "true"
                lines.append(f"  %is{len(known)} = and i1 {before}, %eq{len(known)}")
            known.append(step)
    lines.append(f"  br i1 %is{len(known) - 1}, label %steady, label %general")
    variants = {
        "packed": [str(step) for step in known],
        "shared": ["0", *(str(step) for step in known[1:])],
        "general": _step_names(operands),
    }
    lines += [
        "steady:",
        "  %is.shared = icmp eq i64 %s0.0, 0",
        "  br i1 %eq0, label %packed, label %other",
        "other:",
        "  br i1 %is.shared, label %shared, label %general",
    ]
    for label, steps in variants.items():
        lines += [f"{label}:", _run(operands, steps), "  br label %end"]
    return [*lines, "end:", restore, "  ret void", "}"]


def _entry_of_one(operands: tuple[Shape, ...], save: str, restore: str) -> list[str]:
    """Return the function called by numpy, with a single loop for all arrays."""
    return [*_begin(operands, save), _run(operands, _step_names(operands)), restore, "  ret void", "}"]


def _begin(operands: tuple[Shape, ...], save: str) -> list[str]:
    """Return the start of the function called by numpy: number of items, pointers, and strides."""
    lines = [
        f"define void @loop(ptr %args, ptr %dims, ptr %steps, ptr %data) {WIDE} {{",
        "entry:",
        save,
        "  %n = load i64, ptr %dims",
    ]
    i_core = len(operands)
    for k, shape in enumerate(operands):
        lines += _load(f"p{k}", "ptr", "args", k)
        for j in range(len(shape) + 1):
            lines += _load(f"s{k}.{j}", "i64", "steps", k if j == 0 else i_core + j - 1)
        i_core += len(shape)
    return lines


def _run(operands: tuple[Shape, ...], steps: list[str]) -> str:
    """Return the call of the loop for operands with given strides."""
    values = ["i64 %n", *(f"ptr %p{k}" for k in range(len(operands))), *(f"i64 {step}" for step in steps), "ptr %data"]
    return f"  call void @loop.run({', '.join(values)})"


def _load(variable: str, kind: str, array: str, i: int) -> list[str]:
    return [
        f"  %{variable}.at = getelementptr i64, ptr %{array}, i64 {i}",
        f"  %{variable} = load {kind}, ptr %{variable}.at",
    ]


def _steps_of(shape: Shape) -> list[int]:
    """Return the strides of a packed array, in bytes: from item to item, and along the axes of an item."""
    return [8 * math.prod(shape[i:]) for i in range(len(shape) + 1)]


def _step_names(operands: tuple[Shape, ...]) -> list[str]:
    return [f"%s{k}.{j}" for k, shape in enumerate(operands) for j in range(len(shape) + 1)]


# --- The loop itself


@dataclass(frozen=True)
class _Function:
    """Function that computes the results, given the strides of its operands in bytes."""

    code: Code
    stages: tuple[_Stage, ...]
    slots: dict[int | _Constant, int]
    takes: tuple[Shape, ...]
    gives: tuple[Shape, ...]
    foreign: tuple[str, ...]
    tells_results: bool

    def lines(self) -> list[str]:
        """Return its assembly."""
        operands, last = (*self.takes, *self.gives), len(self.stages) - 1
        pointers = [f"ptr noalias {'readonly ' * (k < len(self.takes))}%p{k}" for k in range(len(operands))]
        parameters = ", ".join(["i64 %n", *pointers, *(f"i64 {step}" for step in _step_names(operands)), "ptr %data"])
        chunk = CHUNK if last else AHEAD if self._long_operands() else 1 << 62
        lines = [f"define internal void @loop.run({parameters}) alwaysinline {WIDE} {{", "entry:"]
        lines += [f"  %slot{slot} = alloca [{CHUNK} x double], align 64" for slot in self.slots.values()]
        if self.slots:
            lines += ["  %call.args = alloca [3 x ptr]", "  %call.steps = alloca [3 x i64]", "  %call.n = alloca i64"]
            lines += [line for i in range(3) for line in _store(f"step{i}", "i64 8", "call.steps", i)]
        lines += [
            "  %is.any = icmp sgt i64 %n, 0",
            "  br i1 %is.any, label %chunk, label %return",
            "chunk:",
            f"  %first = phi i64 [0, %entry], [%first.next, %stage{last}.end]",
            *(
                f"  %{total}.before = phi double [0.0, %entry], [%{total}.out, %stage{last}.end]"
                for total in self._sums()
            ),
            "  %left = sub i64 %n, %first",
            f"  %is.last = icmp sle i64 %left, {chunk}",
            f"  %m = select i1 %is.last, i64 %left, i64 {chunk}",
            "  %first.next = add i64 %first, %m",
            *self._prefetch(),
            "  br label %stage0",
        ]
        for n in range(last + 1):
            lines += self._stage(n)
        return [
            *lines,
            "  br i1 %is.last, label %done, label %chunk",
            "done:",
            f"  %is.bad = fcmp uno double %{self._sums()[0]}.out, %{self._sums()[-1]}.out",
            "  br i1 %is.bad, label %bad, label %return",
            "bad:",
            "  %counted = atomicrmw add ptr %data, i64 1 monotonic",
            "  br label %return",
            "return:",
            "  ret void",
            "}",
        ]

    def _long_operands(self) -> list[int]:
        """Return the operands whose items have at least the length of a cache line."""
        operands = (*self.takes, *self.gives)
        return [k for k, shape in enumerate(operands) if _steps_of(shape)[0] >= LINE]

    def _prefetch(self) -> list[str]:
        """Return code that prefetches the next chunk of long operands, from within a block to another label.

        For items that are not contiguous, only the first is prefetched.
        """
        operands, lines, before = (*self.takes, *self.gives), list[str](), "chunk"
        for k in self._long_operands():
            at, to_write = f"%ahead{k}", int(k >= len(self.takes))
            lines += [
                f"  {at}.start = mul i64 %first.next, %s{k}.0",
                f"  {at}.is.packed = icmp eq i64 %s{k}.0, {_steps_of(operands[k])[0]}",
                f"  {at}.all = mul i64 %m, %s{k}.0",
                f"  {at}.size = select i1 {at}.is.packed, i64 {at}.all, i64 0",
                f"  {at}.stop = add i64 {at}.start, {at}.size",
                f"  br label %fetch{k}",
                f"fetch{k}:",
                f"  {at} = phi i64 [{at}.start, %{before}], [{at}.next, %fetch{k}]",
                f"  {at}.pointer = getelementptr i8, ptr %p{k}, i64 {at}",
                f"  call void @llvm.prefetch.p0(ptr {at}.pointer, i32 {to_write}, i32 3, i32 1)",
                f"  {at}.next = add i64 {at}, {LINE}",
                f"  {at}.more = icmp slt i64 {at}.next, {at}.stop",
                f"  br i1 {at}.more, label %fetch{k}, label %fetch{k}.end",
                f"fetch{k}.end:",
            ]
            before = f"fetch{k}.end"
        return [*lines, "  br label %near", "near:"]

    def _stage(self, n: int) -> list[str]:
        """Return a stage, from its label to within its last block."""
        stage, is_last = self.stages[n], n == len(self.stages) - 1
        before = f"stage{n - 1}.end" if n else "near"
        lines = [f"stage{n}:", f"  %i{n} = phi i64 [0, %{before}], [%i{n}.next, %stage{n}]"]
        sums = {"given": n == 0, "told": is_last and self.tells_results}
        lines += [
            f"  %{total} = phi double [%{total}.before, %{before}], [%{total}.out, %stage{n}]"
            for total in sums
            if sums[total]
        ]
        lines.append(f"  %item{n} = add nuw nsw i64 %first, %i{n}")
        names: dict[int, str] = {}
        for i in self._steps_in(stage):
            names[i] = f"%v{n}.{i}"
            step = self.code.steps[i]
            if i in stage.steps and step.name != "argument":
                lines.append(f"  {names[i]} = {_operation(step, names, self._is_condition)}")
            elif step.name == "argument":
                lines += self._load_argument(names[i], n, i)
            else:
                lines += self._from_slot(names[i], n, i)
        if n == 0:
            lines += _finite_sum("given", [names[i] for i in names if self.code.steps[i].name == "argument"])
        lines += self._into_slots(n, names)
        if is_last:
            lines += self._results(n, names)
        if sums["told"]:
            lines += _finite_sum("told", [_text(result, names) for result in self.code.results])
        lines += [
            f"  %i{n}.next = add nuw nsw i64 %i{n}, 1",
            f"  %is.more{n} = icmp slt i64 %i{n}.next, %m",
            f"  br i1 %is.more{n}, label %stage{n}, label %stage{n}.end",
            f"stage{n}.end:",
        ]
        lines += [line for i in stage.calls for line in self._call(i)]
        return lines if is_last else [*lines, f"  br label %stage{n + 1}"]

    def _steps_in(self, stage: _Stage) -> list[int]:
        """Return the steps whose numbers a stage computes or loads, in order; the first stage has all arguments."""
        indices = {symbol.i for i in (*stage.steps, *stage.calls) for symbol in _symbols(self.code.steps[i])}
        indices.update(stage.steps)
        if stage is self.stages[0]:
            indices.update(i for i, step in enumerate(self.code.steps) if step.name == "argument")
        if stage is self.stages[-1]:
            indices.update(symbol.i for symbol in self.code.results if isinstance(symbol, Symbol))
        return sorted(indices)

    def _is_condition(self, operand: Any) -> bool:
        return self._gives_condition(operand.i) if isinstance(operand, Symbol) else isinstance(operand, bool)

    def _gives_condition(self, i: int) -> bool:
        step = self.code.steps[i]
        return step.name in _CONDITIONS or (step.name == "where" and self._is_condition(step.operands[1]))

    # --- Memory

    def _load_argument(self, name: str, n: int, i: int) -> list[str]:
        argument, component = self.code.steps[i].operands
        k = list(self.code.arguments).index(argument)
        at = _address(f"{name}.at", k, self.takes[k], component, n)
        return [*at, f"  {name} = load double, ptr {name}.at, align 8"]

    def _results(self, n: int, names: dict[int, str]) -> list[str]:
        lines: list[str] = []
        results = iter(self.code.results)
        for k, shape in enumerate(self.gives, len(self.takes)):
            for component in range(math.prod(shape)):
                at = f"%out{k}.{component}"
                lines += _address(at, k, shape, component, n)
                lines.append(f"  store double {_text(next(results), names)}, ptr {at}, align 8")
        return lines

    def _slot(self, name: str, slot: int, n: int) -> str:
        return f"  {name} = getelementptr double, ptr %slot{slot}, i64 %i{n}"

    def _from_slot(self, name: str, n: int, i: int) -> list[str]:
        lines = [self._slot(f"{name}.at", self.slots[i], n)]
        if not self._gives_condition(i):
            return [*lines, f"  {name} = load double, ptr {name}.at, align 8"]
        return [
            *lines,
            f"  {name}.kept = load double, ptr {name}.at, align 8",
            f"  {name} = fcmp one double {name}.kept, 0.0",
        ]

    def _into_slots(self, n: int, names: dict[int, str]) -> list[str]:
        """Return code that stores the numbers of a stage for other stages."""
        lines: list[str] = []
        for key, slot in self.slots.items():
            at = f"%kept{n}.{slot}"
            if isinstance(key, _Constant):
                value = _number(key.value)
            elif key in self.stages[n].steps or (n == 0 and self.code.steps[key].name == "argument"):
                value = names[key]
                if self._gives_condition(key):
                    lines.append(f"  {at}.number = select i1 {value}, double 1.0, double 0.0")
                    value = f"{at}.number"
            else:
                continue
            lines += [self._slot(at, slot, n), f"  store double {value}, ptr {at}, align 8"]
        return lines

    def _call(self, i: int) -> list[str]:
        """Return the call of numpy's loop for a step on the whole chunk."""
        step = self.code.steps[i]
        used = [self.slots[_key(operand)] for operand in step.operands] + [self.slots[i]]
        k = self.foreign.index(FOREIGN[step.name])
        lines = [
            line
            for at, slot in enumerate(used)
            for line in _store(f"call{i}.{at}", f"ptr %slot{slot}", "call.args", at)
        ]
        return [
            *lines,
            "  store i64 %m, ptr %call.n",
            *_load(f"call{i}.loop", "ptr", "data", 1 + 2 * k),
            *_load(f"call{i}.data", "ptr", "data", 2 + 2 * k),
            f"  call void %call{i}.loop(ptr %call.args, ptr %call.n, ptr %call.steps, ptr %call{i}.data)",
        ]

    def _sums(self) -> list[str]:
        return ["given", "told"] if self.tells_results else ["given"]


def _finite_sum(name: str, terms: list[str]) -> list[str]:
    """Return code that adds 0 to a sum for an item of finite numbers, and NaN for any other item."""
    lines: list[str] = []
    while len(terms) > 1:
        a, b, pair = terms.pop(0), terms.pop(0), f"%{name}{len(lines)}"
        lines.append(f"  {pair} = fadd double {a}, {b}")
        terms.append(pair)
    return [
        *lines,
        f"  %{name}.zero = fmul double {terms[0]}, 0.0",
        f"  %{name}.out = fadd reassoc nsz double %{name}, %{name}.zero",
    ]


def _address(name: str, k: int, shape: Shape, component: int, n: int) -> list[str]:
    """Return code for the address of a component of operand `k` of the current item."""
    places = np.unravel_index(component, shape) if shape else ()
    lines = [f"  {name}.s0 = mul nsw i64 %item{n}, %s{k}.0"]
    for j, place in enumerate(places, 1):
        lines.append(f"  {name}.d{j} = mul nsw i64 %s{k}.{j}, {place}")
        lines.append(f"  {name}.s{j} = add nsw i64 {name}.s{j - 1}, {name}.d{j}")
    return [*lines, f"  {name} = getelementptr inbounds i8, ptr %p{k}, i64 {name}.s{len(places)}"]


def _store(name: str, value: str, array: str, i: int) -> list[str]:
    return [f"  %{name}.at = getelementptr i64, ptr %{array}, i64 {i}", f"  store {value}, ptr %{name}.at"]


# --- Operations


def _operation(step: CodeStep, names: dict[int, str], is_condition: Callable[[Any], bool]) -> str:
    parts = [_text(operand, names) for operand in step.operands]
    if step.name in _BINARY:
        return f"{_BINARY[step.name]} double {parts[0]}, {parts[1]}"
    if step.name in _COMPARISONS:
        return f"fcmp {_COMPARISONS[step.name]} double {parts[0]}, {parts[1]}"
    if step.name in _LOGICAL:
        return f"{_LOGICAL[step.name]} i1 {parts[0]}, {parts[1]}"
    if step.name in _INTRINSICS:
        return f"call double @llvm.{_INTRINSICS[step.name]}.f64(double {parts[0]})"
    match step.name:
        case "negative":
            return f"fneg double {parts[0]}"
        case "!":
            return f"xor i1 {parts[0]}, true"
        case "where":
            kind = "i1" if is_condition(step.operands[1]) else "double"
            return f"select i1 {parts[0]}, {kind} {parts[1]}, {kind} {parts[2]}"
        case _:
            raise UntraceableError(f"there is no code for {step.name}")


def _text(operand: Any, names: dict[int, str]) -> str:
    if isinstance(operand, Symbol):
        return names[operand.i]
    return str(operand).lower() if isinstance(operand, bool) else _number(operand)


def _number(value: float) -> str:
    """Return a number as LLVM text, by its bits."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
