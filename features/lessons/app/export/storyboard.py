"""Storyboard of a lesson: the shots of its film, with times and captions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.features.lessons.app.export.answers import RightAnswer, right_answer
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.plain_text import MarkedFormulas
from framescope.features.lessons.app.export.sketch_charts import SketchChart
from framescope.features.lessons.core.lesson import Lesson
from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, Sketch, Turn
from framescope.ui.formatting.item_names import unit_text

READ_PER_S = 14.0
"""Reading speed, letters per second."""

LEAST, MOST = 4.0, 20.0
"""Shortest and longest duration of a caption, s. A longer text is split into several captions."""

PAUSE = 5.0
"""Time to think after a question has been read, s."""

LETTERS = int(READ_PER_S * MOST)
"""Largest number of letters of a caption."""

BY_HAND = {"turn": "Think where it will end.", "point": "Think where it points.", "sketch": "Sketch it."}
_ANSWERS = "ABCDEFGH"
_WORD = 8
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class LessonCaption:
    """Caption with a title and rows of text, which are wrapped to the width of the film.

    `formulas` has those of all captions. A private character in a text is one of them.
    """

    title: str
    rows: tuple[str, ...]
    formulas: MarkedFormulas = field(default_factory=MarkedFormulas, compare=False)

    @property
    def n_letters(self) -> int:
        """Number of letters, for the reading time."""
        return sum(len(self.formulas.plain(text)) for text in (self.title, *self.rows))


@dataclass(frozen=True, eq=False)
class Shot:
    """Part of a film that shows one scene.

    Attributes
    ----------
    plan
        Plan of the scene.
    times : (n,)
        Time of each frame, s.
    captions
        Captions with the number of their first frame.
    chart, has_curve
        Chart in the picture, and whether the right curve is in it.
    """

    plan: Plan
    times: NDArray[np.float64]
    captions: tuple[tuple[int, LessonCaption], ...]
    chart: SketchChart | None = None
    has_curve: bool = False


def storyboard(lesson: Lesson, steps: tuple[DrawnStep, ...], fps: float) -> list[Shot]:
    """Return the shots of the film of a lesson at a frame rate, 1/s."""
    shots, marks = list[Shot](), MarkedFormulas()
    if lesson.text:
        captions = _text_captions(marks.text_of(lesson.title), lesson.text, marks)
        shots.append(_shot(steps[0].staged_plan(), captions, fps, steps[0].staging.time))
    for step in steps:
        shots += _shots_of(step, fps, marks)
    return shots


def reading_time(n_letters: int) -> float:
    """Return the duration of a caption, s, from its number of letters.

    >>> reading_time(10), reading_time(140), reading_time(1000)
    (4.0, 10.0, 20.0)
    """
    return min(max(n_letters / READ_PER_S, LEAST), MOST)


def pages_of(text: str, most: int = LETTERS) -> list[str]:
    """Split a text into parts of at most `most` letters, as even as its sentences allow.

    >>> pages_of("One two three. Four five. Six seven.", 26)
    ['One two three.', 'Four five. Six seven.']
    """
    fair, pages = len(text) / math.ceil(len(text) / most or 1), list[str]()
    for sentence in _SENTENCE.split(text):
        joined = f"{pages[-1]} {sentence}" if pages else sentence
        if pages and len(joined) <= most and len(pages[-1]) + len(sentence) / 2 <= fair:
            pages[-1] = joined
        else:
            pages += _split_sentence(sentence, most)
    return [page for page in pages if page]


def _split_sentence(sentence: str, most: int) -> Iterator[str]:
    """Yield a sentence, split into even parts if it is too long."""
    n = math.ceil(len(sentence) / most)
    while n > 1:
        room = min(math.ceil(len(sentence) / n) + _WORD, most)
        end = sentence.rfind(" ", 0, room)
        end = end if end > 0 else room
        yield sentence[:end]
        sentence = sentence[end:].lstrip()
        n = max(n - 1, math.ceil(len(sentence) / most))
    yield sentence


def _shots_of(step: DrawnStep, fps: float, marks: MarkedFormulas) -> Iterator[Shot]:
    staging = step.staging
    question, t, title = staging.question, staging.time, f"{step.number}  {marks.text_of(staging.step.title)}"
    text_captions, plan = _text_captions(title, staging.step.text, marks), step.staged_plan()
    if question is None:
        speed = 1.0 if staging.play is None else staging.play.speed
        yield _shot(plan, text_captions, fps, t, step.end, speed)
        return
    answer = right_answer(question, step.plan)
    question_caption = _question_caption(question, marks)
    captions = [*text_captions, (question_caption, reading_time(question_caption.n_letters) + PAUSE)]
    yield _shot(plan, captions, fps, t, chart=answer.chart)
    yield _answer_shot(step, question, answer, fps, marks)


def _answer_shot(
    step: DrawnStep, question: AnyQuestion, answer: RightAnswer, fps: float, marks: MarkedFormulas
) -> Shot:
    """Return the shot of an answer, which plays the motion that follows."""
    play, begin, end, speed = step.staging.play, step.staging.time, step.end, 1.0
    if play is not None:
        speed = play.speed
    match question:
        case Turn(at=at) if at is not None:
            end, speed = at.si("time", ("question", "at")), 1.0
        case Sketch():
            begin, end = (time.si("time", ("question",)) for time in (question.start, question.end))
            speed = 1.0
        case _:
            pass
    captions = _text_captions(f"Answer: {marks.text_of(answer.text)}" if answer.text else "Answer", answer.reply, marks)
    return _shot(step.answered_plan(), captions, fps, begin, end, speed, chart=answer.chart, has_curve=True)


def _text_captions(title: str, text: str, marks: MarkedFormulas) -> list[tuple[LessonCaption, float]]:
    """Return the captions of a text in Markdown under a title, with their durations, s."""
    pages = pages_of(marks.text_of(text))
    captions = [LessonCaption(title, (page,), marks) for page in pages] or [LessonCaption(title, (), marks)]
    return [(caption, reading_time(caption.n_letters)) for caption in captions]


def _question_caption(question: AnyQuestion, marks: MarkedFormulas) -> LessonCaption:
    """Return the caption of a question."""
    match question:
        case Choose():
            options = zip(_ANSWERS, question.options, strict=False)
            rows = tuple(f"{letter}   {marks.text_of(option.text)}" for letter, option in options)
        case NumberQuestion():
            unit = "degrees" if question.unit == "deg" else unit_text(question.unit)
            rows = (f"In {unit}.",) if unit else ()
        case _:
            rows = (BY_HAND[question.form],)
    return LessonCaption(marks.text_of(question.ask), rows, marks)


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
    """Return a shot that plays from `begin` to `end`, s, and holds the last frame until its captions end."""
    end = begin if end is None else end
    starts, total = list[int](), 0.0
    for _, seconds in captions:
        starts.append(round(total * fps))
        total += seconds
    n = max(round(total * fps), math.ceil(abs(end - begin) / speed * fps) + 1 if end != begin else 1)
    elapsed = np.sign(end - begin) * speed / fps * np.arange(n)
    times = np.clip(begin + elapsed, min(begin, end), max(begin, end))
    timed_captions = tuple(zip(starts, (caption for caption, _ in captions), strict=True))
    return Shot(plan, times, timed_captions, chart, has_curve)
