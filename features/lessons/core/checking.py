"""Checks of a lesson against its scenes: every name exists, every time is valid, every question can be answered."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from framescope.core.errors import ExpressionError, ItemError, KeyPath, NoSuchNameError, Problem, SceneError
from framescope.core.evaluation.compile.simulation_systems import run_now
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_orientations
from framescope.core.evaluation.signal_parser import SignalTextError
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Scene
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.system.file_access import Access
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.lessons.core.judging import (
    component_names,
    direction_of,
    judge_point,
    judge_turn,
    misread_curve,
    target_of,
)
from framescope.features.lessons.core.leaks.find_leaks import leaks_of
from framescope.features.lessons.core.lesson import Lesson, LessonError, Step
from framescope.features.lessons.core.lights import light_problem
from framescope.features.lessons.core.misconceptions import matrix_of_angles
from framescope.features.lessons.core.picture import END_ON, NEAREST, angle_in_picture, length_in_picture
from framescope.features.lessons.core.schema import LessonMoment, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.spoken_values import known_unit, values_in
from framescope.features.lessons.core.staging import ANSWER, OVERLAYS, Staging, orientation_of, run_later, stagings
from framescope.features.lessons.core.subject import frames_out_of_picture

Load = Callable[[str], tuple[Scene, Access]]


def check_lesson(lesson: Lesson, load: Load, source: str = "lesson", *, simulates: bool = True) -> tuple[Staging, ...]:
    """Check a lesson and return the stagings of its steps.

    Parameters
    ----------
    lesson
        Lesson as parsed.
    load
        Function that returns the scene of a name and the files that the scene may read. It raises a `SceneError` where
        there is no such scene.
    source
        Name of the lesson in errors.
    simulates
        Whether bodies are simulated to find what is wrong with them. A window simulates each step when it shows it.

    Raises
    ------
    LessonError
        Where a step uses a name that does not exist, or cannot be shown or asked. It lists the problems of all steps.
    """
    problems = list(_missing_names(lesson, load))
    if problems:
        raise LessonError(source, problems)
    all_stagings = stagings(lesson, load)

    @cache
    def faults_of_file(name: str) -> frozenset[str]:
        scene, access = load(name)
        run = run_now if simulates else run_later
        return frozenset(map(str, compile_plan(scene, access=access, run=run).problems))

    problems = [
        problem
        for staging in all_stagings
        for problem in _staging_problems(staging, load, faults_of_file, simulates=simulates or _needs_poses(staging))
    ]
    if problems:
        raise LessonError(source, problems)
    return all_stagings


def _needs_poses(staging: Staging) -> bool:
    """Return whether a question asks for an orientation or a direction that a simulation may give."""
    return (
        isinstance(staging.question, Turn | PointQuestion)
        and staging.answer != ""
        and (staging.time > 0.0 or (isinstance(staging.question, Turn) and staging.question.at is not None))
    )


def advice(all_stagings: Iterable[Staging], load: Load) -> list[Problem]:
    """Return the parts of a valid lesson that its author should change. The lesson can be played all the same.

    They are cameras that miss what a step speaks of, answers that a step shows, arrows that begin too near to the
    answer, turns whose numbers can be copied from the text, and units in other spellings than those of scenes.
    """
    problems: list[Problem] = []
    for staging in all_stagings:
        question = staging.question
        run = run_later if question is None else run_now
        plan = compile_plan(staging.scene, access=load(staging.scene_name)[1], run=run)
        found = list(_camera_advice(staging, plan))
        if question is not None:
            found += [leak.problem() for leak in leaks_of(staging, plan)]
        match question:
            case PointQuestion():
                found += _start_advice(question, staging, plan)
            case Turn():
                found += _sequence_advice(question, staging, plan)
            case NumberQuestion():
                found += _unit_advice(question)
            case _:
                pass
        problems += (_at(staging.step, problem) for problem in found)
    return problems


def _camera_advice(staging: Staging, plan: Plan) -> Iterator[Problem]:
    if names := frames_out_of_picture(staging, plan):
        message = f"the camera does not show {', '.join(names)}, which the step speaks of."
        yield Problem(("camera",), message, "Fit the camera.", severity="amber")


def _start_advice(question: PointQuestion, staging: Staging, plan: Plan) -> Iterator[Problem]:
    """Yield a problem for an arrow that begins near the answer, or an answer that is seen end-on."""
    t, camera = staging.time, staging.scene.view.camera
    R_WF, R_WA = relative_orientations(evaluate(plan, t), ANSWER, question.frame)
    start, right = R_WA[:, 0], R_WF @ direction_of(question, plan, t)[:, 0]
    angle = angle_in_picture(camera, start, right, is_line=question.either_way)
    if angle < NEAREST:
        message = f"in the picture the arrow begins {math.degrees(angle):.0f}° from the answer, less than 40°."
        key, hint = ("start", "Leave start: out") if question.start is not None else ("axis", "Move the camera")
        yield Problem(("question", key), message, f"{hint}, so that nobody answers by chance.", severity="amber")
    if length_in_picture(camera, right) < END_ON:
        message = "the right direction points nearly at the camera, where it cannot be seen."
        yield Problem(("question", "axis"), message, "Move the camera.", severity="amber")


def _sequence_advice(question: Turn, staging: Staging, plan: Plan) -> Iterator[Problem]:
    """Yield a problem for a turn whose angles on the sliders are numbers of the text, in their order."""
    sequence = plan.sequence(ANSWER)
    if sequence is None:
        return
    right, tolerance = target_of(question, plan).R, question.tolerance.si("angle", ("question", "tolerance"))
    values = values_in(f"{staging.step.text} {question.ask}")
    given = [value.si for value in values if value.dimension == "angle"]
    copied = [[*given[i : i + n], 0.0, 0.0][:3] for n in (2, 3) for i in range(len(given) - n + 1)]
    if any(angles_between(matrix_of_angles(sequence, np.array(angles)), right) <= tolerance for angles in copied):
        message = f"the numbers of the text are those of the sliders, by {sequence}: they can be copied."
        yield Problem(("question",), message, "Add by: and another sequence, such as by: XYZ.", severity="amber")


def _unit_advice(question: NumberQuestion) -> Iterator[Problem]:
    unit, dimension = known_unit(question.unit) if question.unit else ("", "")
    if unit and question.unit not in UNITS[dimension]:
        yield Problem(
            ("question", "unit"), f'"{question.unit}" is written {unit}.', f"Write unit: {unit}.", severity="amber"
        )


def _at(step: Step, problem: Problem) -> Problem:
    """Add the step and the line to a problem of a moment."""
    path = problem.key_path
    while path and path not in step.lines:
        path = path[:-1]
    line = step.lines.get(path, step.line) if path else step.line
    return replace(problem, key_path=(step.title, *problem.key_path), line=line)


def _missing_names(lesson: Lesson, load: Load) -> Iterator[Problem]:
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
        yield from (_at(step, problem) for problem in _unit_problems(step.moment))
        if scene is not None:
            yield from (_at(step, problem) for problem in _missing_items(step, scene))


def _missing_items(step: Step, scene: Scene) -> Iterator[Problem]:
    yield from _missing_frames(step.moment, scene)
    moment = step.moment
    items = [name for kind in ITEM_KINDS for name in getattr(scene, kind)]
    titles = [plot.called for plot in scene.view.plots]
    references = [(("hide", i), "item", name, [*items, *OVERLAYS]) for i, name in enumerate(moment.hide or ())]
    references += [(("plots", i), "plot", title, titles) for i, title in enumerate(moment.plots)]
    references += [(("parameters", name), "parameter", name, [*scene.parameters]) for name in moment.parameters]
    for path, kind, name, known in references:
        if name not in known:
            yield NoSuchNameError(path, kind, name, known).problem(())


def _missing_frames(moment: LessonMoment, scene: Scene) -> Iterator[Problem]:
    frames = (WORLD, *scene.frames)
    references: list[tuple[KeyPath, str]] = []
    if moment.select:
        references.append((("select",), moment.select))
    references += [(("lit", i), name) for i, name in enumerate(moment.lit or ())]
    references += [((key, name), name) for key in ("orientations", "frames") for name in getattr(moment, key)]
    references += [] if moment.staged is None else [(("staged", "frame"), moment.staged.frame)]
    if isinstance(moment.question, Turn | PointQuestion):
        references.append((("question", "frame"), moment.question.frame))
    if isinstance(moment.question, PointQuestion):
        resolving: list[tuple[KeyPath, str]] = [(("question", "resolved_in"), moment.question.resolved_in)]
        for i, misreading in enumerate(moment.question.misreadings):
            resolving.append((("question", "misreadings", i, "resolved_in"), misreading.resolved_in))
        references += ((path, name) for path, name in resolving if name)
    for path, name in references:
        if name not in frames:
            yield NoSuchNameError(path, "frame", name, frames).problem(())


def _staging_problems(
    staging: Staging, load: Load, faults_of_file: Callable[[str], frozenset[str]], *, simulates: bool
) -> Iterator[Problem]:
    step = staging.step
    _, access = load(staging.scene_name)
    plan = compile_plan(staging.scene, access=access, run=run_now if simulates else run_later)
    for problem in (
        *_time_problems(staging, plan),
        *_question_problems(staging, plan),
        *_scene_problems(staging, plan, faults_of_file),
        *_light_problems(staging, plan),
    ):
        yield _at(step, problem)


def _light_problems(staging: Staging, plan: Plan) -> Iterator[Problem]:
    light = staging.step.moment.light
    problem = light_problem(light, plan) if light else None
    if problem is not None:
        yield problem


def _scene_problems(staging: Staging, plan: Plan, faults_of_file: Callable[[str], frozenset[str]]) -> Iterator[Problem]:
    """Yield the errors that the lesson's changes cause in the scene.

    Errors of the scene's file are no errors of the lesson, whose subject they may be.
    """
    for problem in plan.problems:
        if problem.severity == "red" and str(problem) not in faults_of_file(staging.scene_name):
            message = f"the changes of the step cause a problem in {staging.scene_name}: {problem}"
            yield Problem(("scene",), message)


def _time_problems(staging: Staging, plan: Plan) -> Iterator[Problem]:
    for path, quantity in _times_in(staging.step.moment):
        t = quantity.si("time", path)
        if not plan.start <= t <= plan.end:
            yield Problem(path, f"{quantity} is outside of the scene, {plan.start:g} to {plan.end:g} s.")


def _unit_problems(moment: LessonMoment) -> Iterator[Problem]:
    for path, quantity in _times_in(moment):
        try:
            quantity.si("time", path)
        except ItemError as error:
            yield error.problem(())
    if isinstance(moment.question, Turn | PointQuestion):
        try:
            moment.question.tolerance.si("angle", ("question", "tolerance"))
        except ItemError as error:
            yield error.problem(())


def _times_in(moment: LessonMoment) -> list[tuple[KeyPath, Quantity]]:
    """Return all times of a moment, with their key paths."""
    times: list[tuple[KeyPath, Quantity]] = []
    times += [] if moment.time is None else [(("time",), moment.time)]
    times += [] if moment.play is None else [(("play", "to"), moment.play.to)]
    if isinstance(moment.question, Turn) and moment.question.at is not None:
        times.append((("question", "at"), moment.question.at))
    if isinstance(moment.question, Sketch):
        times += [(("question", "start"), moment.question.start), (("question", "end"), moment.question.end)]
    return times


def _question_problems(staging: Staging, plan: Plan) -> Iterator[Problem]:
    question = staging.question
    try:
        if isinstance(question, Turn):
            yield from _turn_problems(question, plan, staging.time)
        if isinstance(question, PointQuestion):
            yield from _point_problems(question, plan, staging.time)
        if isinstance(question, Sketch):
            yield from _sketch_problems(question, plan)
    except ItemError as error:
        yield error.problem(())
    except SignalTextError as error:
        yield Problem(("question", "signal"), str(error))


def _sketch_problems(question: Sketch, plan: Plan) -> Iterator[Problem]:
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


def _turn_problems(question: Turn, plan: Plan, t: float) -> Iterator[Problem]:
    if question.frame == WORLD:
        yield Problem(("question", "frame"), "the world is not turned.", "Name another frame.")
        return
    axes = question.angles
    if axes is not None and axes.sequence not in SEQUENCES:
        yield Problem(("question", "to", "sequence"), f"{axes.sequence} is no axis sequence.", "Such as ZYX.")
        return
    if question.by and question.by not in SEQUENCES:
        yield Problem(("question", "by"), f"{question.by} is no axis sequence.", "Such as ZYX.")
        return
    parent = plan.scene.frames[question.frame].parent
    begin = orientation_of(plan, ANSWER, parent, t)
    if not np.isfinite(begin).all():
        yield Problem(("question", "frame"), f"{question.frame} has no pose at {t:g} s.")
    elif judge_turn(question, target_of(question, plan), begin).is_right:
        yield Problem(("question",), _RIGHT_AT_FIRST, "Ask for another one, or begin at another time.")


_RIGHT_AT_FIRST = "what is asked for is where the answer stands at first."


def _point_problems(question: PointQuestion, plan: Plan, t: float) -> Iterator[Problem]:
    if judge_point(question, plan, t, orientation_of(plan, ANSWER, question.frame, t)[:, 0]).is_right:
        yield Problem(("question",), _RIGHT_AT_FIRST, "Ask for another direction.")
