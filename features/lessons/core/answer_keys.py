"""Answer keys: plain data with which a page judges the answers to a question."""

from __future__ import annotations

from typing import Any

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.quantities import UNIT_SPELLINGS, UNITS
from framescope.features.lessons.core import judging, misconceptions
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.spoken_values import known_unit
from framescope.features.lessons.core.staging import ANSWER, Staging

Json = dict[str, Any]

N_SAMPLES = 120
"""Number of samples of a curve."""

LIMITS = {
    "close": float(misconceptions.CLOSE),
    "fits": float(misconceptions.FITS),
    "same": float(misconceptions.SAME),
}
"""Angles that separate misconceptions, rad; see `framescope.features.lessons.core.misconceptions`."""


def key_of(staging: Staging, plan: Plan) -> Json | None:
    """Return the question of a step with its right and its wrong answers; None for a step without a question.

    `plan` is the compiled scene of the staging. Orientations map from the frame to its parent,
    ``v_parent = R @ v_frame``, row by row. Angles are in rad.
    """
    question = staging.question
    if question is None:
        return None
    key: Json = {
        "form": question.form,
        "ask": question.ask,
        "hints": list(question.hints),
        "ifRight": question.if_right,
        "ifWrong": question.if_wrong,
    }
    match question:
        case Choose():
            options = [{"text": o.text, "right": o.right, "reply": o.reply} for o in question.options]
            return key | {"options": options}
        case NumberQuestion():
            return key | _number(question)
        case Turn():
            return key | _turn(question, staging, plan)
        case PointQuestion():
            return key | _point(question, staging, plan)
        case Sketch():
            return key | _sketch(question, plan)


def _number(question: NumberQuestion) -> Json:
    return {
        "value": question.value,
        "unit": question.unit,
        "tolerance": question.tolerance,
        "units": _units_of(question),
        "thoughts": [
            {
                "name": thought.name,
                "value": thought.value,
                "within": thought.within,
                "says": thought.reply,
                "period": thought.period,
            }
            for thought in judging.thoughts_of_number(question)
        ],
    }


def _units_of(question: NumberQuestion) -> Json | None:
    """Return the units that a reader may type, each with its size in that of the question, and their spellings."""
    unit, dimension = known_unit(question.unit) if question.unit else ("", "")
    if not unit:
        return None
    sizes = UNITS[dimension]
    return {"factors": {name: size / sizes[unit] for name, size in sizes.items()}, "spellings": UNIT_SPELLINGS}


def _turn(question: Turn, staging: Staging, plan: Plan) -> Json:
    target = judging.target_of(question, plan)
    return {
        "frame": ANSWER,
        "parent": plan.scene.frames[ANSWER].parent,
        "tolerance": question.tolerance.si("angle", ("question", "tolerance")),
        "right": target.R.ravel().tolist(),
        "thoughts": [{"name": m.name, "says": m.clause, "R": m.R.ravel().tolist()} for m in target.thoughts],
        "limits": LIMITS,
        "from": staging.time,
        "at": None if question.at is None else question.at.si("time", ("question", "at")),
        **_right_angles(plan, target.R),
    }


def _point(question: PointQuestion, staging: Staging, plan: Plan) -> Json:
    R = judging.direction_of(question, plan, staging.time)
    return {
        "frame": ANSWER,
        "parent": question.frame,
        "tolerance": question.tolerance.si("angle", ("question", "tolerance")),
        "eitherWay": question.either_way,
        "right": R[:, 0].tolist(),
        "thoughts": [
            {"name": name, "says": clause, "v": v.tolist()}
            for name, clause, v in judging.thoughts_of(question, plan, staging.time)
        ],
        "limits": LIMITS,
        **_right_angles(plan, R),
    }


def _right_angles(plan: Plan, R: Array) -> Json:
    """Return the axis sequence of the answer and the angles, rad, that turn it to the right orientation."""
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
        "thoughts": [
            {"name": thought.name, "says": thought.reply, "values": thought.curve.tolist()} for thought in thoughts
        ],
    }
