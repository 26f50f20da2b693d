"""All leaks of a step."""

from __future__ import annotations

from framescope.core.evaluation.evaluate import Plan
from framescope.features.lessons.core.leaks.numbers import numbers_that_tell
from framescope.features.lessons.core.leaks.pictures import pictures_that_tell
from framescope.features.lessons.core.leaks.subject import Leak, Subject
from framescope.features.lessons.core.leaks.texts import texts_that_tell
from framescope.features.lessons.core.staging import Staging


def leaks_of(staging: Staging, plan: Plan) -> list[Leak]:
    """Return the parts of a step that tell the answer to its question; none for a step without a question.

    `plan` is the compiled scene of the staging.
    """
    question = staging.question
    if question is None:
        return []
    subject = Subject(staging, plan, question)
    leaks = [*texts_that_tell(subject), *numbers_that_tell(subject), *pictures_that_tell(subject)]
    return list({leak.where: leak for leak in reversed(leaks)}.values())[::-1]
