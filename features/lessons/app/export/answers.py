"""Right answers to the questions of a lesson as text, with the replies of the lesson."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.orientation import Orientation
from framescope.features.lessons.app.export.sketch_charts import SketchChart, chart_of
from framescope.features.lessons.core.judging import judge_choice, target_of
from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.number_text import MINUS


@dataclass(frozen=True, eq=False)
class RightAnswer:
    """Right answer to a question.

    Attributes
    ----------
    text
        The answer as text; empty for a sketch.
    reply
        Reply of the lesson to the right answer.
    chart
        Curve of a sketch.
    """

    text: str
    reply: str
    chart: SketchChart | None = None


def right_answer(question: AnyQuestion, plan: Plan) -> RightAnswer:
    """Return the right answer to a question; `plan` is the compiled scene of its step."""
    match question:
        case Choose():
            i = next(i for i, option in enumerate(question.options) if option.right)
            return RightAnswer(question.options[i].text, judge_choice(question, i).text)
        case NumberQuestion():
            return RightAnswer(with_unit(question.value, question.unit), question.if_right)
        case Turn():
            return RightAnswer(_turn_text(question, plan), question.if_right)
        case PointQuestion():
            return RightAnswer(_point_text(question), question.if_right)
        case Sketch():
            return RightAnswer("", question.if_right, chart_of(question, plan))


def with_unit(value: float, unit: str) -> str:
    """Return a number with its unit, formatted as in the window.

    >>> with_unit(-0.25, "m"), with_unit(30, "deg"), with_unit(2, "")
    ('−0.25 m', '30°', '2')
    """
    words = unit_text(unit)
    return f"{number_text(value)}{'' if words.startswith('°') else ' '}{words}".strip()


def number_text(value: float) -> str:
    """Return a number with a typographic minus sign; zero has none."""
    return f"{value + 0.0:.6g}".replace("-", MINUS)


def _turn_text(question: Turn, plan: Plan) -> str:
    target = target_of(question, plan)
    if target.angles is None:
        sequence = plan.sequence(question.frame) or "ZYX"
        angles = np.asarray(frames.axes_rotations_angles(Orientation(target.R.T, np.zeros(3)), sequence))
    else:
        sequence, angles = target.angles
    degrees = ", ".join(f"{number_text(round(float(angle), 1))}°" for angle in np.degrees(angles))
    return f"{question.frame} in {plan.scene.frames[question.frame].parent}: {sequence} {degrees}"


def _point_text(question: PointQuestion) -> str:
    components = ", ".join(number_text(part) for part in question.axis)
    other = ", or the other way round" if question.either_way else ""
    return f"({components}), resolved in {question.resolved_in or question.frame}{other}"
