"""Judging of answers: whether an answer is right, its error, and the misconception that explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import are_known, relative_orientations
from framescope.core.evaluation.signal_curves import labels, plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import QuaternionForm
from framescope.core.scene.schema.signals import components_of
from framescope.core.time_functions.expressions import parse_expression
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.lessons.core import misconceptions
from framescope.features.lessons.core.curve_features import fill_gaps, find_fault, range_scale
from framescope.features.lessons.core.misconceptions import FITS, SAME, Misconception
from framescope.features.lessons.core.schema import (
    Choose,
    CurveMisreading,
    NumberQuestion,
    PointQuestion,
    Question,
    Sketch,
    Turn,
)
from framescope.features.lessons.core.spoken_values import known_unit

FLAT = 1e-9
"""Range below which a curve counts as constant, in the unit of its signal."""

CLEAR_FIT = 0.4
"""Distance from a wrong curve, as a fraction of the tolerance and of the error, below which no feature can differ."""

ROOM = 0.12
"""Margin above and below a curve that is to be sketched, as a fraction of its range."""


@dataclass(frozen=True)
class Verdict:
    """Result of judging an answer.

    Attributes
    ----------
    is_right
        Whether the answer is within the tolerance.
    text
        Sentences with the error, the likeliest misconception, and the reply of the lesson.
    misconceptions
        Names of the misconceptions that fit, the likeliest first. Empty where none fits.
    """

    is_right: bool
    text: str
    misconceptions: tuple[str, ...] = ()


def judge_choice(question: Choose, chosen: int) -> Verdict:
    """Return the verdict on an option; options count from 0."""
    option = question.options[chosen]
    return Verdict(option.right, _join(option.reply, _reply(question, is_right=option.right)))


def judge_number(question: NumberQuestion, answer: float) -> Verdict:
    """Return the verdict on a number in the unit of the question."""
    if abs(answer - question.value) <= question.tolerance:
        return Verdict(True, _reply(question, is_right=True))
    for thought in thoughts_of_number(question):
        off = answer - thought.value
        turns = round(off / thought.period) if thought.period else 0
        if abs(off - turns * thought.period) <= thought.within:
            return Verdict(False, _join(thought.reply, _reply(question, is_right=False)), (thought.name,))
    return Verdict(False, _join(_far_off(answer, question.value), _reply(question, is_right=False)))


@dataclass(frozen=True)
class NumberThought:
    """Wrong number, the largest distance from it that still matches, and the reply to it.

    With a `period`, numbers that differ from the value by whole periods match as well.
    """

    name: str
    value: float
    within: float
    reply: str
    period: float = 0.0


def thoughts_of_number(question: NumberQuestion) -> list[NumberThought]:
    """Return the wrong numbers that have an explanation. The first that matches an answer is reported.

    Confusions of radians and degrees apply only to questions about angles. They precede the misreadings of the lesson:
    few wrong numbers are as close to another one as half a degree is to half a radian.
    """
    right, tolerance = question.value, question.tolerance
    unit = known_unit(question.unit)[0] or question.unit
    angular = ANGULAR.get(unit, ())
    thoughts = [*_scaled_numbers(question, angular)]
    thoughts += [NumberThought(MISREADING, wrong.value, tolerance, wrong.reply) for wrong in question.misreadings]
    thoughts += _scaled_numbers(question, FACTORS)
    if period := PERIODS.get(unit):
        reply = SAME_ANGLE if abs(right) < 0.5 * period else WHOLE_TURNS_COUNT
        thoughts.append(NumberThought("full turn", right, tolerance, reply, period))
    return thoughts


def _scaled_numbers(question: NumberQuestion, factors: tuple[tuple[str, float, str], ...]) -> Iterator[NumberThought]:
    for name, factor, reply in factors:
        wrong = factor * question.value
        if wrong != question.value:
            yield NumberThought(name, wrong, max(question.tolerance * abs(factor), abs(wrong) * 0.01), reply)


PERIODS = {"deg": 360.0, "rad": math.tau}
SAME_ANGLE = "That is the same attitude, whole turns away: give the angle that is nearer to zero."
WHOLE_TURNS_COUNT = "That is the same attitude, whole turns away: this question asks for the angle of the whole turn."
_IN_DEGREES = (
    ("radians for degrees", math.pi / 180.0, "That is in radians where degrees are asked for."),
    ("degrees for radians", 180.0 / math.pi, "You converted to degrees a number that was in degrees already."),
)
_IN_RADIANS = (
    ("degrees for radians", 180.0 / math.pi, "That is in degrees where radians are asked for."),
    ("radians for degrees", math.pi / 180.0, "You converted to radians a number that was in radians already."),
)
ANGULAR = {
    **dict.fromkeys(("deg", "deg/s"), _IN_DEGREES),
    **dict.fromkeys(("rad", "rad/s"), _IN_RADIANS),
}
"""Confusions of degrees and radians, by the unit of the question: name, factor and reply."""
FACTORS = (
    ("other sign", -1.0, "The magnitude is right, but the sign is wrong."),
    ("half", 0.5, "That is half of it."),
    ("double", 2.0, "That is twice as much."),
    ("a thousand times", 1e3, "That is a thousand times as much: look at the unit."),
    ("a thousandth", 1e-3, "That is a thousandth of it: look at the unit."),
)


def _far_off(answer: float, value: float) -> str:
    return "It is less than that." if answer > value else "It is more than that."


@dataclass(frozen=True, eq=False)
class Target:
    """Orientation that a question asks for.

    Attributes
    ----------
    R : (3, 3)
        Orientation of the frame in its parent, ``v_parent = R @ v_frame``.
    angles
        Axis sequence and angles (3,), rad. None where the orientation has no angles.
    quaternion
        Quaternion (4,) by which the lesson gives the orientation, scalar last. None where it uses another form.
    """

    R: Array
    angles: tuple[str, Array] | None
    quaternion: Array | None = None

    @property
    def thoughts(self) -> tuple[Misconception, ...]:
        """Misconceptions that lead to other orientations."""
        if self.angles is not None:
            return misconceptions.of_angles(*self.angles)
        return misconceptions.of_orientation(self.R, self.quaternion)


def target_of(question: Turn, plan: Plan) -> Target:
    """Return the right orientation; `plan` is the compiled scene of the step."""
    frame = plan.scene.frames[question.frame]
    t = plan.start if question.at is None else question.at.si("time", ("question", "at"))
    parent = frame.parent
    if question.to is not None:
        alone = Frame(parent=WORLD, orientation=question.to)
        scene = Scene(frames=FrozenDict({question.frame: alone}), parameters=plan.scene.parameters)
        plan, parent = compile_plan(scene), WORLD
    R_WP, R_WF = relative_orientations(evaluate(plan, t), question.frame, parent)
    sequence, motion = plan.sequence(question.frame), plan.angles(question.frame, t)
    angles = None if sequence is None or motion is None else (sequence, motion[0])
    quaternion = None
    if isinstance(question.to, QuaternionForm):
        quaternion = np.array(question.to.value if question.to.order == "xyzw" else np.roll(question.to.value, -1))
    return Target(R_WP.T @ R_WF, angles, quaternion)


def judge_turn(question: Turn, right: Target, answer: Array) -> Verdict:
    """Return the verdict on an orientation (3, 3) of the frame in its parent, ``v_parent = R @ v_frame``."""
    error = float(angles_between(right.R, answer))
    tolerance = question.tolerance.si("angle", ("question", "tolerance"))
    if error <= tolerance:
        return Verdict(True, _join(_error_text(error), _reply(question, is_right=True)))
    matches = misconceptions.nearest(answer, right.R, right.thoughts)
    sentence = misconceptions.in_words(matches)
    return Verdict(
        False,
        _join(_error_text(error), sentence, _reply(question, is_right=False)),
        _names(matches),
    )


def judge_point(question: PointQuestion, plan: Plan, t: float, answer: Array) -> Verdict:
    """Return the verdict on a direction (3,), of any length, with components in the frame of the question."""
    right = _in_frame(question, plan, t, question.resolved_in or question.frame)
    if right is None:
        return Verdict(False, "The frame has no pose at this time.")
    tolerance = question.tolerance.si("angle", ("question", "tolerance"))
    error = angle_apart(question, right, answer)
    if error <= tolerance:
        opposite = OPPOSITE if question.either_way and float(right @ answer) < 0.0 else ""
        return Verdict(True, _join(_error_text(error), opposite, _reply(question, is_right=True)))
    thoughts = thoughts_of(question, plan, t)
    best = min(angle_apart(question, direction, answer) for _, _, direction in thoughts)
    if best > min(FITS, error):
        return Verdict(False, _join(_error_text(error), _reply(question, is_right=False)))
    # The first match wins: a reversed arrow is reported as reversed, not as one of the three axes backwards.
    label, clause, _ = next(thought for thought in thoughts if angle_apart(question, thought[2], answer) <= best + SAME)
    sentence = clause if label == MISREADING else f"That is where it would point if {clause}."
    return Verdict(False, _join(_error_text(error), sentence, _reply(question, is_right=False)), (label,))


def _in_frame(question: PointQuestion, plan: Plan, t: float, resolved_in: str) -> Array | None:
    """Return the axis of a question in the frame of the question, with its components read in `resolved_in`.

    None where the relative orientation is unknown.
    """
    snapshot = evaluate(plan, t)
    if not bool(are_known(snapshot, resolved_in, question.frame)):
        return None
    R_WF, R_WC = relative_orientations(snapshot, resolved_in, question.frame)
    return R_WF.T @ R_WC @ np.array(question.axis)


def thoughts_of(question: PointQuestion, plan: Plan, t: float) -> list[tuple[str, str, Array]]:
    """Return the wrong directions that have an explanation: name, clause after "if" or whole reply, direction (3,)."""
    right = _in_frame(question, plan, t, question.resolved_in or question.frame)
    if right is None:
        return []
    tolerance = question.tolerance.si("angle", ("question", "tolerance"))
    candidates = [*_misread_directions(question, plan, t), *_wrong_directions(question, plan, t, right)]
    return [(name, clause, v) for name, clause, v in candidates if angle_apart(question, v, right) > tolerance]


def _misread_directions(question: PointQuestion, plan: Plan, t: float) -> Iterator[tuple[str, str, Array]]:
    """Yield the wrong directions that the lesson names, with their replies."""
    for misreading in question.misreadings:
        meant = question.model_copy(update={"axis": misreading.axis})
        v = _in_frame(meant, plan, t, misreading.resolved_in or question.frame)
        if v is not None:
            yield MISREADING, misreading.reply, v


OPPOSITE = "Your arrow points the other way along the same line, which is right, too."
"""Reply to the opposite of a direction, where a question accepts both."""

MISREADING = "misreading"
"""Name of a wrong answer that the lesson itself explains; its text is a whole reply."""


def direction_of(question: PointQuestion, plan: Plan, t: float) -> Array:
    """Return an orientation (3, 3) in the frame of the question whose x axis is the right direction."""
    right = _in_frame(question, plan, t, question.resolved_in or question.frame)
    x = np.array([1.0, 0.0, 0.0]) if right is None else right / np.linalg.norm(right)
    y = np.cross(np.eye(3)[int(np.argmin(np.abs(x)))], x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _wrong_directions(question: PointQuestion, plan: Plan, t: float, right: Array) -> Iterator[tuple[str, str, Array]]:
    """Yield wrong directions that have an explanation: name, clause after "if", and direction in the frame."""
    if not question.either_way:
        yield "other sign", "it went the other way", -right
    frame = plan.scene.frames.get(question.frame)
    resolved_in = question.resolved_in or question.frame
    if frame is not None and frame.parent != resolved_in:
        fixed = _in_frame(question, plan, t, frame.parent)
        if fixed is not None:
            yield "fixed for moving", f"it were an axis of {frame.parent}, and not of {resolved_in}", fixed
    for letter, axis in zip("xyz", np.eye(3), strict=True):
        yield "other axis", f"it were the {letter} axis of {question.frame}", axis
        if not question.either_way:
            yield "other axis", f"it were the {letter} axis of {question.frame}, backwards", -axis


def curve_of(question: Sketch, plan: Plan, times: Array) -> Array:
    """Return the values (n,) of the signal of a question, in its unit."""
    signal = parse_signal(question.signal, plan.scene)
    return _component(signal, _own_component(question, signal, plan), plan, times)


def _component(signal: CompiledPlot, name: str, plan: Plan, times: Array) -> Array:
    return plot_curves(plan, replace(signal, components=(name,)), times)[:, 0]


def _own_component(question: Sketch, signal: CompiledPlot, plan: Plan) -> str:
    named = (question.component, *signal.components, *components_of(signal, plan.scene).every)
    return next(name for name in named if name)


def range_of(curve: Array) -> tuple[float, float]:
    """Return the lowest and highest value of the canvas of a curve (n,).

    The range is symmetric about zero and has a margin, so that it does not reveal the curve.
    """
    low, high = float(np.nanmin(curve)), float(np.nanmax(curve))
    room = ROOM * (high - low) or 1.0
    return min(low, -high) - room, max(high, -low) + room


@dataclass(frozen=True, eq=False)
class CurveThought:
    """Wrong curve (n,), the name of its misconception, and the reply to it."""

    name: str
    reply: str
    curve: Array


def thoughts_of_curve(question: Sketch, plan: Plan, times: Array) -> list[CurveThought]:
    """Return the wrong curves that have an explanation.

    They are the misreadings of the lesson, the other sign, the magnitude, other components that are not constant, the
    rate of change and the sum.
    """
    signal = parse_signal(question.signal, plan.scene)
    own = _own_component(question, signal, plan)
    right = _component(signal, own, plan, times)
    thoughts = [CurveThought(MISREADING, m.reply, misread_curve(m, plan, times)) for m in question.misreadings]
    thoughts.append(CurveThought("other sign", "That is the curve if it had the other sign.", -right))
    thoughts.append(CurveThought("magnitude", "That is its magnitude: where is it negative?", np.abs(right)))
    for name in component_names(question, plan):
        curve = _component(signal, name, plan, times)
        if name != own and np.isfinite(curve).any() and float(np.nanmax(curve) - np.nanmin(curve)) > FLAT:
            label = labels(plan, replace(signal, components=(name,)))[0]
            thoughts.append(CurveThought("other curve", f"That is the curve if it were that of {label}.", curve))
    thoughts += _rates_and_sums(right)
    return _distinct(thoughts, right, question.tolerance)


def _rates_and_sums(right: Array) -> Iterator[CurveThought]:
    """Yield the curve of the rate of change and of the sum over time, as high as the right curve."""
    known = np.isfinite(right)
    if not known.all() or float(np.ptp(right)) <= FLAT:
        return
    middle = 0.5 * float(right.max() + right.min())
    rate, total = np.gradient(right), np.cumsum(right - middle)
    half = 0.5 * float(np.ptp(right))
    for name, curve, reply in (
        ("rate", rate, "That has the shape of its rate of change."),
        ("sum", total - 0.5 * (total.max() + total.min()), "That has the shape of its sum over time."),
    ):
        if float(np.abs(curve).max()) > FLAT and not _has_peak(curve):
            yield CurveThought(name, reply, half / float(np.abs(curve).max()) * curve)


def _has_peak(curve: Array) -> bool:
    """Return whether a curve is small nearly everywhere, as the rate of a jump is."""
    return float(np.median(np.abs(curve))) < PEAK * float(np.abs(curve).max())


PEAK = 0.05
"""Median of a curve as a fraction of its largest value, below which it is a peak that nobody draws."""


def _distinct(thoughts: list[CurveThought], right: Array, tolerance: float) -> list[CurveThought]:
    """Drop wrong curves that cannot be told apart by hand from the right one, or from an earlier one."""
    scale = range_scale(right[np.isfinite(right)]) if np.isfinite(right).any() else 1.0
    distinct: list[CurveThought] = []
    for thought in thoughts:
        others = [right, *(other.curve for other in distinct)]
        if thought.name == MISREADING or all(_distance(thought.curve, other) > tolerance * scale for other in others):
            distinct.append(thought)
    return distinct


def _distance(a: Array, b: Array) -> float:
    known = np.isfinite(a) & np.isfinite(b)
    return float(np.sqrt(np.mean(np.square(a[known] - b[known])))) if known.any() else 0.0


def misread_curve(misreading: CurveMisreading, plan: Plan, times: Array) -> Array:
    """Return the values (n,) of a wrong curve that a lesson defines.

    Raises
    ------
    ExpressionError, SignalTextError
        When its expression or signal is invalid.
    """
    if misreading.expression:
        expression = parse_expression(misreading.expression, plan.scene.parameters)
        return np.broadcast_to(expression(times), times.shape)
    signal = parse_signal(misreading.signal, plan.scene)
    named = (misreading.component, *signal.components, *components_of(signal, plan.scene).every)
    return _component(signal, next(name for name in named if name), plan, times)


def unit_of(question: Sketch, plan: Plan) -> str:
    """Return the unit of the signal of a question."""
    return parse_signal(question.signal, plan.scene).unit or ""


def component_names(question: Sketch, plan: Plan) -> tuple[str, ...]:
    """Return the names of the components of a question's signal."""
    return components_of(parse_signal(question.signal, plan.scene), plan.scene).every


def judge_sketch(question: Sketch, right: Array, answer: Array, thoughts: Sequence[CurveThought]) -> Verdict:
    """Return the verdict on a curve.

    Parameters
    ----------
    question
        Question of the step.
    right, answer : (n,)
        Values at the same times. The answer is NaN where nothing is drawn.
    thoughts
        Wrong curves that have an explanation, see `thoughts_of_curve`.
    """
    drawn = np.isfinite(answer) & np.isfinite(right)
    if np.count_nonzero(drawn) < 0.6 * np.count_nonzero(np.isfinite(right)):
        return Verdict(False, "Draw it over the whole time.")
    scale = range_scale(right[np.isfinite(right)])

    def miss(curve: Array) -> float:
        return float(np.sqrt(np.nanmean(np.square(curve[drawn] - answer[drawn])))) / scale

    error = miss(right)
    filled = fill_gaps(answer)
    fault = find_fault(fill_gaps(right), filled, question.tolerance, scale)
    if error <= question.tolerance and fault is None:
        return Verdict(True, _reply(question, is_right=True))
    near = [thought for thought in thoughts if miss(thought.curve) <= min(question.tolerance, error)]
    near.sort(key=lambda thought: miss(thought.curve))
    alike = (
        thought
        for thought in near
        if miss(thought.curve) <= CLEAR_FIT * min(question.tolerance, error)
        or find_fault(fill_gaps(thought.curve), filled, question.tolerance, scale) is None
    )
    best = next(alike, near[0] if near and fault is None else None)
    if best is not None:
        return Verdict(False, _join(best.reply, _reply(question, is_right=False)), (best.name,))
    if fault is not None:
        return Verdict(False, _join(fault.text, _reply(question, is_right=False)), (fault.name,))
    error_text = f"On average it is {error:.0%} of the height of the curve away from it."
    return Verdict(False, _join(error_text, _reply(question, is_right=False)))


def _names(matches: tuple[Misconception, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(misconception.name for misconception in matches))


def _reply(question: Question, *, is_right: bool) -> str:
    return question.if_right if is_right else question.if_wrong


def _error_text(error: float) -> str:
    whole = round(math.degrees(error))
    return f"It is {whole}° off." if whole else ""


def _join(*texts: str) -> str:
    return " ".join(text for text in texts if text)


def angle_apart(question: PointQuestion, a: Array, b: Array) -> float:
    """Return the angle between two directions, rad; between two lines if the question accepts both directions."""
    angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    return min(angle, math.pi - angle) if question.either_way else angle
