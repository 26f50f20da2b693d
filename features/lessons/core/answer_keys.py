"""Answer keys: what judges the answers to a question elsewhere, such as in a page, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.features.lessons.core import judging, misconceptions
from framescope.features.lessons.core.schema import Choose, NumberQuestion, Point, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging

Json = dict[str, Any]

N_SAMPLES = 120
"""Times of a curve."""

LIMITS = {
    "close": float(misconceptions.CLOSE),
    "fits": float(misconceptions.FITS),
    "same": float(misconceptions.SAME),
}
"""What tells misconceptions apart, rad; see `framescope.features.lessons.core.misconceptions`."""


def key_of(staging: Staging, plan: Plan) -> Json | None:
    """Return what the question of a step needs to be asked and judged; None where it asks nothing.

    `plan` is the scene of the staging. Orientations are of the frame in its parent, ``v_parent = R @ v_frame``, by
    rows; angles are in rad.
    """
    question = staging.question
    if question is None:
        return None
    found: Json = {
        "form": question.form,
        "ask": question.ask,
        "hints": list(question.hints),
        "ifRight": question.if_right,
        "ifWrong": question.if_wrong,
    }
    match question:
        case Choose():
            options = [{"text": each.text, "right": each.right, "reply": each.reply} for each in question.options]
            return found | {"options": options}
        case NumberQuestion():
            return found | _number(question)
        case Turn():
            return found | _turn(question, staging, plan)
        case Point():
            return found | _point(question, staging, plan)
        case Sketch():
            return found | _sketch(question, plan)


def _number(question: NumberQuestion) -> Json:
    return {
        "value": question.value,
        "unit": question.unit,
        "tolerance": question.tolerance,
        "thoughts": [vars(thought) for thought in judging.thoughts_of_number(question)],
    }


def _turn(question: Turn, staging: Staging, plan: Plan) -> Json:
    target = judging.target_of(question, plan)
    return {
        "frame": ANSWER,
        "parent": plan.scene.frames[ANSWER].parent,
        "tolerance": question.tolerance.si("angle", ("question", "tolerance")),
        "right": target.R.ravel().tolist(),
        "thoughts": [{"name": each.name, "says": each.says, "R": each.R.ravel().tolist()} for each in target.thoughts],
        "limits": LIMITS,
        "from": staging.time,
        "at": None if question.at is None else question.at.si("time", ("question", "at")),
        **_shown(plan, target.R),
    }


def _point(question: Point, staging: Staging, plan: Plan) -> Json:
    R = judging.direction_of(question, plan, staging.time)
    return {
        "frame": ANSWER,
        "parent": question.frame,
        "tolerance": question.tolerance.si("angle", ("question", "tolerance")),
        "eitherWay": question.either_way,
        "right": R[:, 0].tolist(),
        "thoughts": [
            {"name": name, "says": says, "v": v.tolist()}
            for name, says, v in judging.thoughts_of(question, plan, staging.time)
        ],
        "limits": LIMITS,
        **_shown(plan, R),
    }


def _shown(plan: Plan, R: Array) -> Json:
    """Return the angles by which the answer is turned to where it is right, in the sequence that it has."""
    sequence = plan.sequence(ANSWER) or "ZYX"
    angles = frames.axes_rotations_angles(Orientation(R.T, np.zeros(3)), sequence)
    return {"sequence": sequence, "angles": angles.tolist()}


def _sketch(question: Sketch, plan: Plan) -> Json:
    span = question.start.si("time", ("question", "start")), question.end.si("time", ("question", "end"))
    times = np.linspace(*span, N_SAMPLES)
    right = judging.curve_of(question, plan, times)
    thoughts = judging.thoughts_of_curve(question, plan, times)
    low, high = judging.range_of(right)
    return {
        "start": span[0],
        "end": span[1],
        "low": low,
        "high": high,
        "unit": judging.unit_of(question, plan),
        "tolerance": question.tolerance,
        "right": right.tolist(),
        "thoughts": [{"name": each.name, "says": each.says, "values": each.curve.tolist()} for each in thoughts],
    }
