"""The angular velocity of an authored orientation, written as expressions of t again."""

from __future__ import annotations

import ast
import math

from framescope.core.analysis.laboratory.rate_presets import PRESETS, Choice, LaboratoryError, RatePreset, Steady
from framescope.core.errors import ExpressionError
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expressions import parse_expression

Signal = float | str

_OTHERWISE = "Run it here all the same: only the frame for the scene cannot be written."


def written_rate(choice: Choice, scene: Scene) -> tuple[tuple[Signal, Signal, Signal], str | None]:
    """Return the three components of an angular velocity, resolved in the frame, as a scene writes them, with the unit.

    Raises
    ------
    LaboratoryError
        When it cannot be written: of what is recorded, simulated or given by keyframes, and of angles whose functions
        have no derivative that could be written.

    Examples
    --------
    >>> written_rate(RatePreset("coning"), Scene())[0][0]
    'cos(-6*t)*(-sin(0.1)*6)'
    """
    match choice:
        case Steady():
            return choice.w, "rad/s"
        case RatePreset():
            return _of_axes(PRESETS[choice.name], FrozenDict()), "rad/s"
        case _:
            frame = scene.frames.get(choice.name)
            if frame is None:
                raise LaboratoryError(f'There is no frame "{choice.name}".')
            return _of_frame(choice.name, frame, scene.parameters)


def _of_frame(
    name: str, frame: Frame, parameters: FrozenDict[float]
) -> tuple[tuple[Signal, Signal, Signal], str | None]:
    if frame.motion is not None:
        how = {"recorded": "recorded", "keyframes": "given by keyframes", "simulated": "simulated"}[frame.motion.form]
        raise LaboratoryError(f"{name} is {how}: its rate is no expression that could be written.", _OTHERWISE)
    form = frame.orientation
    match form:
        case poses.Integrated():
            return form.w, form.unit
        case poses.Axes():
            return _of_axes(form, parameters), "rad/s"
        case poses.Planar() | poses.Axis():
            rate = _scaled(unit_factor(form.unit, "angle", ("unit",)), derivative(form.angle))
            if isinstance(form, poses.Axis):
                e = tuple(float(letter == form.axis) for letter in "xyz")
            else:
                length = math.sqrt(sum(x * x for x in form.axis))
                e = tuple(x / length for x in form.axis)
            x, y, z = (_checked(_scaled(part, rate), parameters) for part in e)
            return (x, y, z), "rad/s"
        case _:
            return (0.0, 0.0, 0.0), "rad/s"


def _of_axes(form: poses.Axes, parameters: FrozenDict[float]) -> tuple[Signal, Signal, Signal]:
    """Return ``e3 d3 + T3 (e2 d2 + T2 e1 d1)`` in writing."""
    factor = unit_factor(form.unit, "angle", ("unit",))
    axes = as_sequence(form.sequence)
    w = ["0", "0", "0"]
    for axis, angle in zip(axes, form.angles, strict=True):
        turned = _scaled(factor, angle if isinstance(angle, str) else number_text(angle))
        c, s = f"cos({turned})", f"sin({turned})"
        if not isinstance(angle, str) and angle == 0.0:
            c, s = "1", "0"
        j, k = axis % 3, (axis + 1) % 3
        w[j], w[k] = _plus(_times(c, w[j]), _times(s, w[k])), _minus(_times(c, w[k]), _times(s, w[j]))
        w[axis - 1] = _plus(w[axis - 1], _scaled(factor, derivative(angle)))
    x, y, z = (_checked(part, parameters) for part in w)
    return x, y, z


def _checked(text: str, parameters: FrozenDict[float]) -> Signal:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        parse_expression(text, parameters)
    except ExpressionError as error:
        raise LaboratoryError(f"Its rate is too long to be written: {error.message}", _OTHERWISE) from None
    return text


# --- Derivatives in writing


def derivative(signal: Signal) -> str:
    """Return the derivative of a number or an expression by t, in writing.

    Raises
    ------
    LaboratoryError
        When it holds a function whose derivative cannot be written (abs, min, max, pulse and the like).

    Examples
    --------
    >>> derivative("0.3*sin(2*t) + 5*t"), derivative("t**3"), derivative(4.0)
    ('0.3*(cos(2 * t)*2) + 5', '3*(t)**2', '0')
    """
    if not isinstance(signal, str):
        return "0"
    try:
        return _d(ast.parse(signal.strip(), mode="eval").body)
    except SyntaxError:
        raise LaboratoryError(f"{signal} cannot be read.") from None


def _d(node: ast.expr) -> str:
    if not any(isinstance(part, ast.Name) and part.id == "t" for part in ast.walk(node)):
        return "0"
    match node:
        case ast.Name():
            return "1"
        case ast.UnaryOp(op=op, operand=x):
            return _minus("0", _d(x)) if isinstance(op, ast.USub) else _d(x)
        case ast.BinOp(left=a, op=op, right=b):
            return _d_of_two(node, a, op, b)
        case ast.Call(func=ast.Name(id=name), args=[x]) if name in _OUTER:
            return _times(_OUTER[name].format(ast.unparse(x)), _d(x))
        case _:
            raise _unwritten(node)


def _d_of_two(node: ast.expr, a: ast.expr, op: ast.operator, b: ast.expr) -> str:
    f, g = ast.unparse(a), ast.unparse(b)
    match op:
        case ast.Add():
            return _plus(_d(a), _d(b))
        case ast.Sub():
            return _minus(_d(a), _d(b))
        case ast.Mult():
            return _plus(_times(_d(a), g), _times(f, _d(b)))
        case ast.Div() if _d(b) == "0":
            return f"({_d(a)})/({g})"
        case ast.Div():
            return f"({_minus(_times(_d(a), g), _times(f, _d(b)))})/({g})**2"
        case ast.Pow() if isinstance(b, ast.Constant) and isinstance(b.value, int | float):
            less = number_text(float(b.value) - 1.0)
            lowered = {"0": "1", "1": f"({f})"}.get(less, f"({f})**{less}")
            return _times(_times(number_text(float(b.value)), lowered), _d(a))
        case _:
            raise _unwritten(node)


def _unwritten(node: ast.expr) -> LaboratoryError:
    return LaboratoryError(f"{ast.unparse(node)} has no derivative that could be written.", _OTHERWISE)


_OUTER = {
    "sin": "cos({0})",
    "cos": "(-sin({0}))",
    "tan": "(1 + tan({0})**2)",
    "exp": "exp({0})",
    "log": "(1/({0}))",
    "sqrt": "(0.5/sqrt({0}))",
}


def _scaled(factor: float, text: str) -> str:
    return _times(number_text(factor), text)


def _times(a: str, b: str) -> str:
    if "0" in (a, b):
        return "0"
    if a == "1" or b == "1":
        return b if a == "1" else a
    return f"{_as_factor(a)}*{_as_factor(b, is_second=True)}"


def _plus(a: str, b: str) -> str:
    if "0" in (a, b):
        return b if a == "0" else a
    return f"{a} + {_as_term(b)}"


def _minus(a: str, b: str) -> str:
    if b == "0":
        return a
    return f"-{_as_factor(b)}" if a == "0" else f"{a} - {_as_factor(b)}"


def _as_factor(text: str, *, is_second: bool = False) -> str:
    """Put parentheses around what would not stay together beside a product or a minus; second, a product too."""
    node = ast.parse(text, mode="eval").body
    is_sum = isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub))
    is_product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
    return f"({text})" if is_sum or (is_second and is_product) else text


def _as_term(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
