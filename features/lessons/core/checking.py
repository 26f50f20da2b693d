"""Checks of a lesson against its scenes: whether all that it names is there, and every question can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from framescope.core.errors import ExpressionError, ItemError, KeyPath, NoSuchNameError, Problem, SceneError
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.signal_parser import SignalTextError
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.system.file_access import Access
from framescope.features.lessons.core.judging import component_names, judge_point, judge_turn, misread_curve, target_of
from framescope.features.lessons.core.lesson import Lesson, LessonError, Step
from framescope.features.lessons.core.schema import Moment, Point, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging, orientation_of, stagings

Load = Callable[[str], tuple[Scene, Access]]


def checked(lesson: Lesson, load: Load, source: str = "lesson") -> tuple[Staging, ...]:
    """Return what each step of a lesson shows.

    Parameters
    ----------
    lesson
        As it was read.
    load
        Gives the scene of a name, and which files it may read; it raises a `SceneError` where there is none.
    source
        What the lesson is called in errors.

    Raises
    ------
    LessonError
        Where a step names what is not there, or cannot be shown or asked; it tells of all of them.
    """
    problems = list(_names_that_are_not_there(lesson, load))
    if problems:
        raise LessonError(source, problems)
    found = stagings(lesson, load)
    problems = [problem for staging in found for problem in _of_staging(staging, load)]
    if problems:
        raise LessonError(source, problems)
    return found


def _at(step: Step, problem: Problem) -> Problem:
    """Return a problem of a moment with its step and its line."""
    path = problem.key_path
    while path and path not in step.lines:
        path = path[:-1]
    line = step.lines.get(path, step.line) if path else step.line
    return replace(problem, key_path=(step.title, *problem.key_path), line=line)


def _names_that_are_not_there(lesson: Lesson, load: Load) -> Iterator[Problem]:
    scene_name, scene = "", None
    for step in lesson.steps:
        if step.moment.scene:
            scene_name = step.moment.scene
            try:
                scene, _ = load(scene_name)
            except SceneError as error:
                scene = None
                yield _at(step, Problem(("scene",), error.problems[0].message, error.problems[0].hint))
        if not scene_name:
            yield _at(step, Problem((), "no scene is named.", "Add scene: to the first step, such as scene: aircraft."))
            return
        yield from (_at(step, problem) for problem in _units(step.moment))
        if scene is not None:
            yield from (_at(step, problem) for problem in _names_of(step, scene))


def _names_of(step: Step, scene: Scene) -> Iterator[Problem]:
    yield from _frames_of(step.moment, scene)
    moment = step.moment
    items = [each for kind in ITEM_KINDS for each in getattr(scene, kind)]
    titles = [plot.called for plot in scene.view.plots]
    named = [(("hide", i), "item", name, items) for i, name in enumerate(moment.hide or ())]
    named += [(("plots", i), "plot", title, titles) for i, title in enumerate(moment.plots)]
    named += [(("parameters", name), "parameter", name, [*scene.parameters]) for name in moment.parameters]
    for path, kind, name, known in named:
        if name not in known:
            yield NoSuchNameError(path, kind, name, known).problem(())


def _frames_of(moment: Moment, scene: Scene) -> Iterator[Problem]:
    frames = (WORLD, *scene.frames)
    asked: list[tuple[KeyPath, str]] = []
    if moment.select:
        asked.append((("select",), moment.select))
    asked += [(("lit", i), name) for i, name in enumerate(moment.lit or ())]
    asked += [((key, name), name) for key in ("orientations", "frames") for name in getattr(moment, key)]
    asked += [] if moment.staged is None else [(("staged", "frame"), moment.staged.frame)]
    if isinstance(moment.question, Turn | Point):
        asked.append((("question", "frame"), moment.question.frame))
    if isinstance(moment.question, Point) and moment.question.resolved_in:
        asked.append((("question", "resolved_in"), moment.question.resolved_in))
    for path, name in asked:
        if name not in frames:
            yield NoSuchNameError(path, "frame", name, frames).problem(())


def _of_staging(staging: Staging, load: Load) -> Iterator[Problem]:
    step = staging.step
    _, access = load(staging.scene_name)
    plan = compile_plan(staging.scene, access=access)
    for found in (*_times(staging, plan), *_question(staging, plan), *_scene(staging, plan)):
        yield _at(step, found)


def _scene(staging: Staging, plan: Plan) -> Iterator[Problem]:
    """Yield what is wrong with the scene as the step has it."""
    for problem in plan.problems:
        if problem.severity == "red":
            yield Problem(("scene",), f"{staging.scene_name} has a problem: {problem}")


def _times(staging: Staging, plan: Plan) -> Iterator[Problem]:
    for path, quantity in _times_in(staging.step.moment):
        t = quantity.si("time", path)
        if not plan.start <= t <= plan.end:
            yield Problem(path, f"{quantity} is outside of the scene, {plan.start:g} to {plan.end:g} s.")


def _units(moment: Moment) -> Iterator[Problem]:
    for path, quantity in _times_in(moment):
        try:
            quantity.si("time", path)
        except ItemError as error:
            yield error.problem(())


def _times_in(moment: Moment) -> list[tuple[KeyPath, Quantity]]:
    """Return all times of a moment, with their places."""
    asked: list[tuple[KeyPath, Quantity]] = []
    asked += [] if moment.time is None else [(("time",), moment.time)]
    asked += [] if moment.play is None else [(("play", "to"), moment.play.to)]
    if isinstance(moment.question, Turn) and moment.question.at is not None:
        asked.append((("question", "at"), moment.question.at))
    if isinstance(moment.question, Sketch):
        asked += [(("question", "start"), moment.question.start), (("question", "end"), moment.question.end)]
    return asked


def _question(staging: Staging, plan: Plan) -> Iterator[Problem]:
    question = staging.question
    try:
        if isinstance(question, Turn | Point):
            question.tolerance.si("angle", ("question", "tolerance"))
        if isinstance(question, Turn):
            yield from _turn(question, plan, staging.time)
        if isinstance(question, Point):
            yield from _point(question, plan, staging.time)
        if isinstance(question, Sketch):
            yield from _sketch(question, plan)
    except ItemError as error:
        yield error.problem(())
    except SignalTextError as error:
        yield Problem(("question", "signal"), str(error))


def _sketch(question: Sketch, plan: Plan) -> Iterator[Problem]:
    names = component_names(question, plan)
    if question.component and question.component not in names:
        yield NoSuchNameError(("question", "component"), "component", question.component, names).problem(())
        return
    times = np.array([question.start.si("time", ("question", "start")), question.end.si("time", ("question", "end"))])
    for i, misreading in enumerate(question.misreadings):
        path = ("question", "misreadings", i, "expression" if misreading.expression else "signal")
        try:
            misread_curve(misreading, plan, times)
        except (ExpressionError, SignalTextError) as error:
            yield Problem(path, str(error))


def _turn(question: Turn, plan: Plan, t: float) -> Iterator[Problem]:
    if question.frame == WORLD:
        yield Problem(("question", "frame"), "the world is not turned.", "Name another frame.")
        return
    axes = question.angles
    if axes is not None and axes.sequence not in SEQUENCES:
        yield Problem(("question", "to", "sequence"), f"{axes.sequence} is no axis sequence.", "Such as ZYX.")
        return
    parent = plan.scene.frames[question.frame].parent
    begin = orientation_of(plan, ANSWER, parent, t)
    if not np.isfinite(begin).all():
        yield Problem(("question", "frame"), f"{question.frame} has no pose at {t:g} s.")
    elif judge_turn(question, target_of(question, plan), begin).is_right:
        yield Problem(("question",), _RIGHT_AT_FIRST, "Ask for another one, or begin at another time.")


_RIGHT_AT_FIRST = "what is asked for is where the answer stands at first."


def _point(question: Point, plan: Plan, t: float) -> Iterator[Problem]:
    if judge_point(question, plan, t, orientation_of(plan, ANSWER, question.frame, t)[:, 0]).is_right:
        yield Problem(("question",), _RIGHT_AT_FIRST, "Ask for another direction.")
