"""Storyboard of a lesson: the shots of its film, with motions, lights, plots and captions.

A step is one shot, or with a question two, before and after the answer. Each shot has the scene of its step, which is a
film of this shot (`framescope.core.scene.schema.films`). Steps may change the scene in any way, so that a lesson is no
single film of one scene.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import get_args

from framescope.core.errors import ItemError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.films import (
    Cue,
    Film,
    FilmPanelName,
    Inset,
    PathCamera,
    Place,
    Shot,
    ShotCameraKey,
    StagedTurns,
    Transition,
)
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import Camera
from framescope.core.system.features import missing_film_panel
from framescope.features.lessons.app.export.answers import RightAnswer, right_answer
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.plain_text import MarkedFormulas
from framescope.features.lessons.app.export.sketch_charts import SketchChart
from framescope.features.lessons.core.lesson import Lesson
from framescope.features.lessons.core.lights import AXES
from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, Sketch, Turn
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS

READ_PER_S = 14.0
"""Reading speed, letters per second."""

LEAST, MOST = 4.0, 20.0
"""Shortest and longest duration of a caption, s. A longer text is split into several captions."""

PAUSE = 5.0
"""Time to think after a question has been read, s."""

LETTERS = int(READ_PER_S * MOST)
"""Largest number of letters of a caption."""

FILM = "lesson"
"""Name of the film in the scene of each shot."""

CAMERA_S, LIGHT_S, FADE_S = 2.0, 1.0, 1.0
"""Durations of the way from the camera of the previous step, of the wait for a light, and of the fade between scenes,
s."""

TURN_S, REST_S = 2.0, 0.5
"""Duration of a turn of a rotation shown turn by turn, and of the rest between two turns, s."""

PLOT_WIDTH, PANEL_WIDTH = 0.3, 0.4
"""Widths of a plot and of a panel beside the scene, as fractions of the width of the picture."""

PLACES: tuple[Place, ...] = ("upper right", "lower right", "upper left", "lower left")
"""Places of plots and cards, in turn."""

MOST_INSETS = 12

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
class LessonShot:
    """Shot of the film of a lesson.

    Attributes
    ----------
    plan
        Plan of the scene, whose film `FILM` has this shot alone.
    count
        Number of frames.
    captions
        Captions with the number of their first frame.
    title
        Title of the step that begins with this shot; empty if it continues a step.
    chart, has_curve
        Chart in the picture, and whether the right curve is in it.
    """

    plan: Plan
    count: int
    captions: tuple[tuple[int, LessonCaption], ...]
    title: str = ""
    chart: SketchChart | None = None
    has_curve: bool = False

    @property
    def shot(self) -> Shot:
        """The shot."""
        return self.plan.scene.film[FILM].shots[0]


def storyboard(lesson: Lesson, steps: tuple[DrawnStep, ...], fps: float) -> list[LessonShot]:
    """Return the shots of the film of a lesson at a frame rate, 1/s."""
    shots, marks, before = list[LessonShot](), MarkedFormulas(), None
    if lesson.text:
        shots.append(_title_shot(lesson, steps[0], fps, marks))
    for step in steps:
        shots += _shots_of(step, before, fps, marks)
        before = step
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


def _title_shot(lesson: Lesson, step: DrawnStep, fps: float, marks: MarkedFormulas) -> LessonShot:
    """Return the shot of the text before the first step, which shows its scene before it has moved."""
    title, begin, staged = marks.text_of(lesson.title), _within(step.plan, step.staging.time), step.staging.staged
    captions = _text_captions(title, lesson.text, marks)
    shot, count = _timed(captions, fps, begin, begin, 1.0)
    turns = None if staged is None else StagedTurns(frame=staged.frame, turns=(0.0, 0.0), axes=staged.axes)
    shot = shot.model_copy(update={"insets": _insets(step.plan, shot), "staged": turns})
    return _lesson_shot(step.plan, shot, count, captions, fps, title=marks.plain(title))


def _shots_of(step: DrawnStep, before: DrawnStep | None, fps: float, marks: MarkedFormulas) -> Iterator[LessonShot]:
    staging, opening = step.staging, _Opening(step, before, fps)
    question, title = staging.question, f"{step.number}  {marks.text_of(staging.step.title)}"
    text_captions = _text_captions(title, staging.step.text, marks)
    if question is None:
        yield opening.shot(text_captions, title=marks.plain(title), end=step.end, speed=_speed(step))
        return
    answer = right_answer(question, step.plan)
    question_caption = _question_caption(question, marks)
    captions = [*text_captions, (question_caption, reading_time(question_caption.n_letters) + PAUSE)]
    yield opening.shot(captions, title=marks.plain(title), chart=answer.chart)
    yield _answer_shot(step, question, answer, fps, marks)


def _answer_shot(
    step: DrawnStep, question: AnyQuestion, answer: RightAnswer, fps: float, marks: MarkedFormulas
) -> LessonShot:
    """Return the shot of an answer, which plays the motion that follows."""
    begin, end, speed = step.staging.time, step.end, _speed(step)
    match question:
        case Turn(at=at) if at is not None:
            end, speed = at.si("time", ("question", "at")), 1.0
        case Sketch():
            begin, end = (time.si("time", ("question",)) for time in (question.start, question.end))
            speed = 1.0
        case _:
            pass
    captions = _text_captions(f"Answer: {marks.text_of(answer.text)}" if answer.text else "Answer", answer.reply, marks)
    plan = step.answered_plan()
    shot, count = _timed(captions, fps, _within(plan, begin), _within(plan, end), speed)
    insets = () if answer.chart is not None else (*_panel(step), *_insets(plan, shot))[:MOST_INSETS]
    shot = shot.model_copy(update={"items": _lights(step, 0.0), "insets": insets})
    return _lesson_shot(plan, shot, count, captions, fps, chart=answer.chart, has_curve=True)


def _within(plan: Plan, t: float) -> float:
    """Return a time within the range of a scene, s."""
    return min(max(t, plan.start), plan.end)


def _speed(step: DrawnStep) -> float:
    return 1.0 if step.staging.play is None else step.staging.play.speed


@dataclass(frozen=True, eq=False)
class _Opening:
    """First shot of a step: the camera comes from the step before, and the rotation turns from there on."""

    step: DrawnStep
    before: DrawnStep | None
    fps: float

    def shot(
        self,
        captions: list[tuple[LessonCaption, float]],
        *,
        title: str,
        end: float | None = None,
        speed: float = 1.0,
        chart: SketchChart | None = None,
    ) -> LessonShot:
        """Return the shot that plays to `end`, s; without `end` time stands."""
        step, plan = self.step, self.step.plan
        begin = _within(plan, step.staging.time)
        turns = self._turns()
        turning = 0.0 if turns is None else _turning_time(turns)
        end = begin if end is None else _within(plan, end)
        shot, count = _timed(captions, self.fps, begin, end, speed, turning)
        insets = () if chart is not None else (*_panel(step), *_insets(plan, shot))[:MOST_INSETS]
        changes: dict[str, object] = {
            "items": _lights(step, LIGHT_S),
            "insets": insets,
            "staged": turns,
            "camera": self._camera(),
        }
        if self.before is not None and self.before.staging.scene_name != step.staging.scene_name:
            changes["transition"] = Transition(form="fade", duration=Quantity(FADE_S, "s"))
        return _lesson_shot(plan, shot.model_copy(update=changes), count, captions, self.fps, title=title, chart=chart)

    def _turns(self) -> StagedTurns | None:
        """Return the turns of the step, from those of the step before if it turns the same frame, too."""
        staged = self.step.staging.staged
        if staged is None:
            return None
        before = None if self.before is None else self.before.staging.staged
        is_same = before is not None and (before.frame, before.axes) == (staged.frame, staged.axes)
        first = before.turns if before is not None and is_same and self._is_same_scene else 0.0
        rest = Quantity(REST_S, "s")
        return StagedTurns(frame=staged.frame, turns=(first, staged.turns), axes=staged.axes, pause=rest)

    @property
    def _is_same_scene(self) -> bool:
        return self.before is not None and self.before.staging.scene_name == self.step.staging.scene_name

    def _camera(self) -> PathCamera | None:
        """Return the way from the camera of the step before; None for the scene's own camera."""
        if self.before is None or not self._is_same_scene:
            return None
        views = self.before.staging.scene.view, self.step.staging.scene.view
        first, last = (view.camera for view in views)
        if first is None or last is None or first == last or any(view.camera_path is not None for view in views):
            return None
        try:
            return PathCamera(keys=(_camera_key(0.0, first), _camera_key(CAMERA_S, last)), unit="m")
        except ItemError:  # a camera without a unit is a problem of the scene
            return None


def _camera_key(t: float, camera: Camera) -> ShotCameraKey:
    factor = unit_factor(camera.unit, "length", ("unit",))
    x, y, z = (factor * value for value in camera.position)
    fx, fy, fz = (factor * value for value in camera.focal_point)
    return ShotCameraKey(
        time=Quantity(t, "s"), position=(x, y, z), focal_point=(fx, fy, fz), up=camera.up, view_angle=camera.view_angle
    )


def _turning_time(turns: StagedTurns) -> float:
    first, last = turns.turns
    inner = sum(min(first, last) < n < max(first, last) for n in range(4))
    return TURN_S * abs(last - first) + REST_S * inner


def _lights(step: DrawnStep, start: float) -> tuple[Cue, ...]:
    """Return the light on an axis or an arrow, such as ``"z of arrow"``, which comes after a while, s."""
    letter, _, name = step.staging.step.moment.light.partition(" of ")
    is_axis = letter in AXES
    parts = [letter] if is_axis else [key for key, symbol in SYMBOLS.items() if symbol == letter]
    if not name or not parts:
        return ()
    items = {"frames" if is_axis else "sensors": (name,), "parts": tuple(parts[:1])}
    return (Cue.model_validate({"look": "lit", **items, **({"start": Quantity(start, "s")} if start else {})}),)


def _panel(step: DrawnStep) -> tuple[Inset, ...]:
    """Return the panel of the step's stage, on the selected frame; panels that films do not show are left out."""
    moment, frame = step.staging.step.moment, step.staging.select
    if moment.panel not in get_args(FilmPanelName) or missing_film_panel(moment.panel) or not frame:
        return ()
    width = 1.0 if moment.stage == "panel" else PANEL_WIDTH
    values = {"panel": moment.panel, "of": frame, "width": width, "place": "right"}
    return (Inset.model_validate(values),)


def _insets(plan: Plan, shot: Shot) -> tuple[Inset, ...]:
    """Return the plots and the cards of a scene as insets; curves grow while time runs."""
    view, moves = plan.scene.view, shot.end is not None
    shown = [*({"curves": plot, "draws": moves} for plot in view.plots), *({"answer": card} for card in view.answers)]
    return tuple(
        Inset.model_validate({**what, "width": PLOT_WIDTH, "place": PLACES[i % len(PLACES)]})
        for i, what in enumerate(shown[:MOST_INSETS])
    )


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


def _timed(
    captions: list[tuple[LessonCaption, float]],
    fps: float,
    begin: float,
    end: float,
    speed: float,
    turning: float = 0.0,
) -> tuple[Shot, int]:
    """Return a shot that plays from `begin` to `end`, s, or turns for a while, s, and its number of frames.

    It rests until its captions end.
    """
    moving = abs(end - begin) / speed if end != begin else turning
    n = max(round(sum(seconds for _, seconds in captions) * fps), math.ceil(moving * fps) + 1 if moving else 1)
    rest = Quantity(n / fps - moving, "s")
    if end != begin:
        return Shot(start=Quantity(begin, "s"), end=Quantity(end, "s"), speed=speed, freeze=rest), n
    return Shot(start=Quantity(begin, "s"), duration=Quantity(n / fps, "s"), freeze=rest if turning else None), n


def _lesson_shot(
    plan: Plan,
    shot: Shot,
    count: int,
    captions: list[tuple[LessonCaption, float]],
    fps: float,
    *,
    title: str = "",
    chart: SketchChart | None = None,
    has_curve: bool = False,
) -> LessonShot:
    film = FrozenDict({FILM: Film(shots=(shot,), clock=True)})
    plan = replace(plan, scene=plan.scene.model_copy(update={"film": film}))
    starts, total = list[int](), 0.0
    for _, seconds in captions:
        starts.append(round(total * fps))
        total += seconds
    timed_captions = tuple(zip(starts, (caption for caption, _ in captions), strict=True))
    return LessonShot(plan, count, timed_captions, title, chart, has_curve)
