"""Angular velocity of an authored orientation, as expressions of t."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from framescope.core.errors import ExpressionError
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import axis_of
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_parser import Parser
from framescope.core.time_functions.expression_tokens import Token
from framescope.core.time_functions.expressions import parse_expression
from framescope.features.laboratory.core.rate_presets import PRESETS, Choice, LaboratoryError, RatePreset, Steady

Signal = float | str

_OTHERWISE = "It can run here, but it cannot become a frame of the scene."


def rate_expressions(choice: Choice, scene: Scene) -> tuple[tuple[Signal, Signal, Signal], str | None]:
    """Return the components of an angular velocity, resolved in the frame, as expressions of a scene, and their unit.

    Raises
    ------
    LaboratoryError
        When there is no such expression: for recorded, simulated or keyframed motions, and for angles whose functions
        have no derivative in closed form.

    Examples
    --------
    >>> rate_expressions(RatePreset("coning"), Scene())[0][0]
    'cos((-6)*t)*(-sin(0.1)*6)'
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
        kind = MOTION_KINDS.of(frame.motion)
        why = f"{name} is {kind.moved or kind.form}: its rate is no expression that could be written."
        raise LaboratoryError(why, _OTHERWISE)
    form = frame.orientation
    match form:
        case poses.Integrated():
            return form.w, form.unit
        case poses.Axes() | poses.Extrinsic() | poses.Rpy():
            return _of_axes(poses.as_moving(form), parameters), "rad/s"
        case poses.Planar() | poses.Axis():
            rate = _times(_number(unit_factor(form.unit, "angle", ("unit",))), _differentiate(form.angle).derivative)
            x, y, z = (_check_expression(_times(_number(part), rate), parameters) for part in axis_of(form).tolist())
            return (x, y, z), "rad/s"
        case _:
            return (0.0, 0.0, 0.0), "rad/s"


def _of_axes(form: poses.Axes, parameters: FrozenDict[float]) -> tuple[Signal, Signal, Signal]:
    """Return ``e3 d3 + T3 (e2 d2 + T2 e1 d1)`` as expressions."""
    factor = _number(unit_factor(form.unit, "angle", ("unit",)))
    w = [_ZERO] * 3
    for axis, angle in zip(as_sequence(form.sequence), form.angles, strict=True):
        part = _differentiate(angle)
        angle_text = _times(factor, part.value).text
        c, s = RateWriting(f"cos({angle_text})"), RateWriting(f"sin({angle_text})")
        if angle_text == "0":
            c, s = _ONE, _ZERO
        j, k = axis % 3, (axis + 1) % 3
        w[j], w[k] = _plus(_times(c, w[j]), _times(s, w[k])), _minus(_times(c, w[k]), _times(s, w[j]))
        w[axis - 1] = _plus(w[axis - 1], _times(factor, part.derivative))
    x, y, z = (_check_expression(part, parameters) for part in w)
    return x, y, z


def _check_expression(written: RateWriting, parameters: FrozenDict[float]) -> Signal:
    try:
        return float(written.text)
    except ValueError:
        pass
    try:
        parse_expression(written.text, parameters)
    except ExpressionError as error:
        raise LaboratoryError(f"Its rate is too long to be written: {error.message}", _OTHERWISE) from None
    return written.text


# --- Symbolic derivatives

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


@dataclass(frozen=True)
class RateWriting:
    """Text of an expression, and the precedence (`rank`) of its outermost operator."""

    text: str
    rank: int = _ATOM


_ZERO, _ONE = RateWriting("0"), RateWriting("1")


@dataclass(frozen=True)
class _Part:
    """Part of an expression and its derivative by t."""

    value: RateWriting
    derivative: RateWriting = _ZERO


def derivative(signal: Signal) -> str:
    """Return the derivative of a number or an expression by t, as text.

    Raises
    ------
    LaboratoryError
        When a function has no derivative in closed form (abs, min, max, pulse and the like).

    Examples
    --------
    >>> derivative("0.3*sin(2*t) + 5*t"), derivative("t**3"), derivative(4.0)
    ('0.3*(cos(2*t)*2) + 5', '3*t**2', '0')
    """
    return _differentiate(signal).derivative.text


def _differentiate(signal: Signal) -> _Part:
    if not isinstance(signal, str):
        return _Part(_number(signal))
    try:
        return _Derivation(signal.strip()).parse()
    except ExpressionError:
        raise LaboratoryError(f"{signal} cannot be read.") from None


class _Derivation(Parser[_Part]):
    """Parser that builds the text of each part and of its derivative."""

    def number(self, token: Token) -> _Part:
        return _Part(RateWriting(token.text))

    def variable(self, token: Token) -> _Part:
        return _Part(RateWriting(token.text), _ONE if token.text == "t" else _ZERO)

    def unknown_function(self, token: Token) -> Exception:
        return _no_derivative(token.text)

    def chain(self, first: _Part, others: Sequence[tuple[str, _Part]]) -> _Part:
        for sign, other in others:
            first = _OPERATIONS[sign](first, other)
        return first

    def negative(self, inner: _Part) -> _Part:
        return _Part(_minus(_ZERO, inner.value), _minus(_ZERO, inner.derivative))

    def power(self, base: _Part, exponent: _Part) -> _Part:
        value = _to_power(base.value, exponent.value)
        if base.derivative == exponent.derivative == _ZERO:
            return _Part(value)
        try:
            n = float(exponent.value.text)
        except ValueError:
            raise _no_derivative(value.text) from None
        outer = _times(_number(n), _to_power(base.value, _number(n - 1.0)))
        return _Part(value, _times(outer, base.derivative))

    def function_call(self, name: str, args: Sequence[_Part]) -> _Part:
        value = RateWriting(f"{name}({', '.join(arg.value.text for arg in args)})")
        if all(arg.derivative == _ZERO for arg in args):
            return _Part(value)
        if name not in _OUTER:
            raise _no_derivative(value.text)
        return _Part(value, _times(RateWriting(_OUTER[name].format(args[0].value.text)), args[0].derivative))


def _sum(a: _Part, b: _Part) -> _Part:
    return _Part(_plus(a.value, b.value), _plus(a.derivative, b.derivative))


def _difference(a: _Part, b: _Part) -> _Part:
    return _Part(_minus(a.value, b.value), _minus(a.derivative, b.derivative))


def _product(a: _Part, b: _Part) -> _Part:
    f, g = a.value, b.value
    return _Part(_times(f, g), _plus(_times(a.derivative, g), _times(f, b.derivative)))


def _quotient(a: _Part, b: _Part) -> _Part:
    f, g = a.value, b.value
    if b.derivative == _ZERO:
        return _Part(_over(f, g), _over(a.derivative, g))
    change = _minus(_times(a.derivative, g), _times(f, b.derivative))
    return _Part(_over(f, g), _over(change, _to_power(g, RateWriting("2"))))


_OPERATIONS = {"+": _sum, "-": _difference, "*": _product, "/": _quotient}

_OUTER: Mapping[str, str] = {
    "sin": "cos({0})",
    "cos": "(-sin({0}))",
    "tan": "(1 + tan({0})**2)",
    "exp": "exp({0})",
    "log": "(1/({0}))",
    "sqrt": "(0.5/sqrt({0}))",
}


def _no_derivative(text: str) -> LaboratoryError:
    return LaboratoryError(f"{text} has no derivative that could be written.", _OTHERWISE)


def _number(value: float) -> RateWriting:
    return RateWriting(number_text(value), _SUM if value < 0.0 else _ATOM)


def _plus(a: RateWriting, b: RateWriting) -> RateWriting:
    if _ZERO in (a, b):
        return b if a == _ZERO else a
    return RateWriting(f"{a.text} + {f'({b.text})' if b.text.startswith('-') else b.text}", _SUM)


def _minus(a: RateWriting, b: RateWriting) -> RateWriting:
    if b == _ZERO:
        return a
    return RateWriting(f"-{_enclose(b, _PRODUCT)}" if a == _ZERO else f"{a.text} - {_enclose(b, _PRODUCT)}", _SUM)


def _times(a: RateWriting, b: RateWriting) -> RateWriting:
    if _ZERO in (a, b):
        return _ZERO
    if _ONE in (a, b):
        return b if a == _ONE else a
    return RateWriting(f"{_enclose(a, _PRODUCT)}*{_enclose(b, _POWER)}", _PRODUCT)


def _over(a: RateWriting, b: RateWriting) -> RateWriting:
    return _ZERO if a == _ZERO else RateWriting(f"{_enclose(a, _PRODUCT)}/{_enclose(b, _POWER)}", _PRODUCT)


def _to_power(base: RateWriting, exponent: RateWriting) -> RateWriting:
    if exponent == _ONE:
        return base
    return _ONE if exponent == _ZERO else RateWriting(f"{_enclose(base, _ATOM)}**{_enclose(exponent, _ATOM)}", _POWER)


def _enclose(written: RateWriting, rank: int) -> str:
    """Put parentheses around a text whose precedence is below `rank`."""
    return written.text if written.rank >= rank else f"({written.text})"
