"""Storyboard of a lesson: what its film shows of each step, for how long, and what is said meanwhile."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.features.lessons.app.export.answers import RightAnswer, right_answer
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.plain_text import plain_text
from framescope.features.lessons.app.export.sketch_charts import SketchChart
from framescope.features.lessons.core.lesson import Lesson
from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, Sketch, Turn
from framescope.ui.formatting.item_names import unit_text

READ_PER_S = 14.0
"""Letters that are read in a second."""

LEAST, MOST = 4.0, 20.0
"""How long a caption stands, s; a text that takes longer to read is told in several."""

PAUSE = 5.0
"""To think, once a question is read, s."""

LETTERS = int(READ_PER_S * MOST)
"""Of a caption, at most."""

BY_HAND = {"turn": "Think where it comes to stand.", "point": "Think where it points.", "sketch": "Sketch it."}
_ANSWERS = "ABCDEFGH"
_WORD = 8
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class LessonCaption:
    """A caption: a title, and rows of words below it, each broken where it finds no room."""

    title: str
    rows: tuple[str, ...]

    @property
    def n_letters(self) -> int:
        """How many letters are read."""
        return len(self.title) + sum(map(len, self.rows))


@dataclass(frozen=True, eq=False)
class Shot:
    """Part of a film that shows one scene.

    Attributes
    ----------
    plan
        Of the scene.
    times : (n,)
        The moment of each frame, s.
    captions
        What is said, one after another, with the number of the frame from which on.
    chart, has_curve
        Axes that stand in the picture, and whether the curve is in them.
    """

    plan: Plan
    times: NDArray[np.float64]
    captions: tuple[tuple[int, LessonCaption], ...]
    chart: SketchChart | None = None
    has_curve: bool = False


def storyboard(lesson: Lesson, steps: tuple[DrawnStep, ...], fps: float) -> list[Shot]:
    """Return the shots of the film of a lesson, at so many frames a second."""
    shots = list[Shot]()
    if lesson.text:
        captions = _told(plain_text(lesson.title), plain_text(lesson.text))
        shots.append(_shot(steps[0].staged(), captions, fps, steps[0].staging.time))
    for step in steps:
        shots += _shots_of(step, fps)
    return shots


def reading_time(n_letters: int) -> float:
    """Return how long a caption of so many letters stands, s.

    >>> reading_time(10), reading_time(140), reading_time(1000)
    (4.0, 10.0, 20.0)
    """
    return min(max(n_letters / READ_PER_S, LEAST), MOST)


def pages_of(text: str, most: int = LETTERS) -> list[str]:
    """Return a text in parts of at most so many letters, as even as its sentences allow.

    >>> pages_of("One two three. Four five. Six seven.", 26)
    ['One two three.', 'Four five. Six seven.']
    """
    fair, pages = len(text) / math.ceil(len(text) / most or 1), list[str]()
    for sentence in _SENTENCE.split(text):
        joined = f"{pages[-1]} {sentence}" if pages else sentence
        if pages and len(joined) <= most and len(pages[-1]) + len(sentence) / 2 <= fair:
            pages[-1] = joined
        else:
            pages += _pieces(sentence, most)
    return [page for page in pages if page]


def _pieces(sentence: str, most: int) -> Iterator[str]:
    """Yield a sentence, in even parts where it is too long."""
    n = math.ceil(len(sentence) / most)
    while n > 1:
        room = min(math.ceil(len(sentence) / n) + _WORD, most)
        at = sentence.rfind(" ", 0, room)
        at = at if at > 0 else room
        yield sentence[:at]
        sentence = sentence[at:].lstrip()
        n = max(n - 1, math.ceil(len(sentence) / most))
    yield sentence


def _shots_of(step: DrawnStep, fps: float) -> Iterator[Shot]:
    staging = step.staging
    question, t, title = staging.question, staging.time, f"{step.number}  {plain_text(staging.step.title)}"
    told, plan = _told(title, plain_text(staging.step.text)), step.staged()
    if question is None:
        speed = 1.0 if staging.play is None else staging.play.speed
        yield _shot(plan, told, fps, t, step.end, speed)
        return
    answer = right_answer(question, step.plan)
    asked = _asked(question)
    captions = [*told, (asked, reading_time(asked.n_letters) + PAUSE)]
    yield _shot(plan, captions, fps, t, chart=answer.chart)
    yield _answer_shot(step, question, answer, fps)


def _answer_shot(step: DrawnStep, question: AnyQuestion, answer: RightAnswer, fps: float) -> Shot:
    """Return the shot of an answer, in which what comes is shown."""
    play, begin, end, speed = step.staging.play, step.staging.time, step.end, 1.0
    if play is not None:
        speed = play.speed
    match question:
        case Turn(at=at) if at is not None:
            end, speed = at.si("time", ("question", "at")), 1.0
        case Sketch():
            begin, end = (each.si("time", ("question",)) for each in (question.start, question.end))
            speed = 1.0
        case _:
            pass
    captions = _told(f"Answer: {plain_text(answer.text)}" if answer.text else "Answer", plain_text(answer.said))
    return _shot(step.answered(), captions, fps, begin, end, speed, chart=answer.chart, has_curve=True)


def _told(title: str, text: str) -> list[tuple[LessonCaption, float]]:
    """Return captions under a title, each with how long it stands, s."""
    captions = [LessonCaption(title, (page,)) for page in pages_of(text)] or [LessonCaption(title, ())]
    return [(caption, reading_time(caption.n_letters)) for caption in captions]


def _asked(question: AnyQuestion) -> LessonCaption:
    """Return a question as it is asked."""
    match question:
        case Choose():
            options = zip(_ANSWERS, question.options, strict=False)
            rows = tuple(f"{letter}   {plain_text(option.text)}" for letter, option in options)
        case NumberQuestion():
            unit = "degrees" if question.unit == "deg" else unit_text(question.unit)
            rows = (f"In {unit}.",) if unit else ()
        case _:
            rows = (BY_HAND[question.form],)
    return LessonCaption(plain_text(question.ask), rows)


def _shot(
    plan: Plan,
    captions: list[tuple[LessonCaption, float]],
    fps: float,
    begin: float,
    end: float | None = None,
    speed: float = 1.0,
    *,
    chart: SketchChart | None = None,
    has_curve: bool = False,
) -> Shot:
    """Return a shot in which time runs from `begin` to `end`, and then stands, for as long as its captions take."""
    end = begin if end is None else end
    starts, total = list[int](), 0.0
    for _, seconds in captions:
        starts.append(round(total * fps))
        total += seconds
    n = max(round(total * fps), math.ceil(abs(end - begin) / speed * fps) + 1 if end != begin else 1)
    forth = np.sign(end - begin) * speed / fps * np.arange(n)
    times = np.clip(begin + forth, min(begin, end), max(begin, end))
    said = tuple(zip(starts, (caption for caption, _ in captions), strict=True))
    return Shot(plan, times, said, chart, has_curve)
