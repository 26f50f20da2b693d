"""Question of a step as the search for leaks sees it: its right answer, and the texts that the user reads anyway."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.relative_motion import are_known, relative_orientations
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.signal_kinds import ANGLE_SIGNALS
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.leaks.words import sentences_of, stems, words_of
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Question, Sketch
from framescope.features.lessons.core.spoken_values import SpokenValue, known_unit, plain_of, values_in
from framescope.features.lessons.core.staging import Staging

N_TIMES = 241
"""Number of times at which curves are compared."""


@dataclass(frozen=True)
class Leak:
    """Part of a step that tells the answer.

    Attributes
    ----------
    where
        The part, such as ``"note locked"``.
    what
        What it tells, as the end of a sentence.
    fix
        How the author removes it.
    """

    where: str
    what: str
    fix: str

    def problem(self) -> Problem:
        """Return the leak as a problem of the question of its step."""
        return Problem(("question",), f"{self.where} {self.what}.", self.fix, severity="amber", kind="answer-shown")


@dataclass(frozen=True, eq=False)
class Subject:
    """Question of a step, its scene, and the texts that the user reads anyway."""

    staging: Staging
    plan: Plan
    question: Question

    @cached_property
    def read_before(self) -> str:
        """Text of the step, the question and the wrong options."""
        step, options = self.staging.step, getattr(self.question, "options", ())
        wrong = (option.text for option in options if not option.right)
        return plain_of(" ".join((step.title, step.text, self.question.ask, *wrong)))

    @cached_property
    def asked(self) -> set[str]:
        """Words of the question, without those of grammar."""
        return words_of(self.question.ask)

    @cached_property
    def options(self) -> tuple[str, list[str]]:
        """Text of the right option, and texts of the wrong ones; both empty for a question without options."""
        options = getattr(self.question, "options", ())
        right = next((option.text for option in options if option.right), "")
        return right, [option.text for option in options if not option.right]

    @cached_property
    def only_asked(self) -> set[str]:
        """Words of the question that distinguish no options."""
        right, wrong = self.own_words
        return self.asked - right - wrong

    @cached_property
    def own_words(self) -> tuple[set[str], set[str]]:
        """Words that only the right option has, and words that only wrong options have; both empty without options."""
        right, wrong = stems(self.options[0]), stems(" ".join(self.options[1]))
        return right - wrong, wrong - right

    @cached_property
    def reply(self) -> str:
        """Text that explains the right answer."""
        options = getattr(self.question, "options", ())
        right = (f"{option.text} {option.reply}" for option in options if option.right)
        return plain_of(" ".join((*right, self.question.if_right)))

    @cached_property
    def reply_sentences(self) -> list[str]:
        """Sentences that explain the right answer."""
        replies = [option.reply for option in getattr(self.question, "options", ()) if option.right]
        return [sentence for text in (*replies, self.question.if_right) for sentence in sentences_of(text)]

    @cached_property
    def value(self) -> SpokenValue | None:
        """The right number with its tolerance as rounding; None for a question with another answer."""
        question = self.question
        if isinstance(question, NumberQuestion):
            unit, dimension = known_unit(question.unit) if question.unit else ("", "")
            return SpokenValue(question.value, question.tolerance, 2, unit, dimension, "")
        if isinstance(question, Choose):
            text = next(option.text for option in question.options if option.right)
            others = values_in(" ".join(option.text for option in question.options if not option.right))
            for value in values_in(text):
                if value.unit and not any(is_value(other, value) for other in others):
                    return replace(value, rounding=max(value.rounding, 0.01 * abs(value.value)))
        return None

    @cached_property
    def is_about_angles(self) -> bool:
        """Whether the answer is an angle of a sequence or its curve."""
        if isinstance(self.question, Sketch):
            return judging.parse_signal(self.question.signal, self.plan.scene).signal in {"angles", *ANGLE_SIGNALS}
        return self.value is not None and self.value.dimension == "angle"

    @cached_property
    def times(self) -> Array:
        """Times of the whole scene, then the time of the step and the end of its playback."""
        play, t = self.staging.play, self.staging.time
        end = t if play is None else play.to.si("time", ("play", "to"))
        return np.array([*np.linspace(self.plan.start, self.plan.end, N_TIMES), t, end])

    @cached_property
    def span(self) -> tuple[Array, Array]:
        """Times of a sketch and its right values."""
        question = self.question
        if not isinstance(question, Sketch):
            return np.zeros(0), np.zeros(0)
        start, end = (limit.si("time", ("question",)) for limit in (question.start, question.end))
        times = np.linspace(start, end, N_TIMES)
        return times, judging.curve_of(question, self.plan, times)

    @cached_property
    def directions(self) -> dict[str, Array]:
        """Right direction (3,) in each frame that a text may mean: its own, the resolving one, its parent, world."""
        question, plan, t = self.question, self.plan, self.staging.time
        if not isinstance(question, PointQuestion):
            return {}
        frame = plan.scene.frames.get(question.frame)
        names = (question.frame, question.resolved_in, "" if frame is None else frame.parent, WORLD)
        snapshot, right = evaluate(plan, t), judging.direction_of(question, plan, t)[:, 0]
        result: dict[str, Array] = {}
        for name in dict.fromkeys(filter(None, names)):
            if bool(are_known(snapshot, question.frame, name)):
                R_WF, R_WN = relative_orientations(snapshot, name, question.frame)
                result[name] = R_WN.T @ R_WF @ right
        return result

    def is_along(self, v: Array, name: str = WORLD) -> bool:
        """Return whether a vector (3,) in a frame is along the right direction, within the tolerance."""
        question, right = self.question, self.directions.get(name)
        size = float(np.linalg.norm(v))
        if right is None or not isinstance(question, PointQuestion) or not np.isfinite(size) or size < 1e-9:
            return False
        angle = math.acos(max(-1.0, min(1.0, float(right @ v) / size)))
        tolerance = question.tolerance.si("angle", ("question", "tolerance"))
        return angle <= tolerance or (question.either_way and math.pi - angle <= tolerance)


def is_value(value: SpokenValue, right: SpokenValue, *, has_sign: bool = False) -> bool:
    """Return whether a number in a text is the right one, rounded as it is written; by default with either sign."""
    if value.unit and right.unit and value.dimension == right.dimension:
        size = UNITS[right.dimension][right.unit]
        factor = UNITS[value.dimension][value.unit] / size
    elif (value.unit and value.unit != right.unit) or (right.unit and value.digits < 2):
        return False
    else:
        factor = 1.0
    rounding = value.rounding * factor if value.digits > 1 or value.unit else 0.0
    is_zero = abs(right.value) <= right.rounding
    if is_zero and not value.unit and right.unit:
        return False
    within = max(right.rounding, 0.0 if is_zero else rounding) * (1.0 + 1e-9)
    given = value.value * factor
    other = given if has_sign else -given
    return min(abs(given - right.value), abs(other - right.value)) <= within
