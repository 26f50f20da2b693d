"""Staging of a lesson: scene, time, camera and layout of each step, independent of the order of the visits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.compile.simulation_systems import SimulationJob, run_now
from framescope.core.evaluation.evaluate import Plan, Runner, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import are_known, relative_orientations, relative_position
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Arrow, Body
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes, Axis, OrientationForm, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Camera, FrameLook, Hidden
from framescope.core.system.file_access import Access
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.lesson import Lesson, Step
from framescope.features.lessons.core.picture import choose_start
from framescope.features.lessons.core.schema import AnyQuestion, Layout, Play, PointQuestion, Sketch, Staged, Turn

ANSWER = "your answer"
"""Name of the frame that the user rotates as the answer."""

GHOST = 0.35
"""Factor of the opacity of the bodies on the frame of the answer."""

LIT = 1.35
"""Factor by which the axes of highlighted frames are longer than the others."""

POINTER, POINTS_AT, YELLOW = 2.2, (40.0, -30.0, 0.0), "#f2c14e"
"""Arrow of a pointing question: length in axis lengths, initial orientation (ZYX, deg), and colour."""

OVERLAYS: dict[str, dict[str, Any]] = {
    "arcs": {"arcs": ()},
    "cards": {"answers": ()},
    "forces": {"forces": None},
    "torques": {"torques": None},
    "rings": {"rings": ()},
    "trails": {"trails": ()},
}
"""Parts of the picture that `hide` names by a word, with the values of the view that leave them out."""

DECIMALS = 9
"""Decimals of the initial pose of the answer, m and deg."""


@dataclass(frozen=True)
class Staging:
    """State of the window at a step.

    Attributes
    ----------
    step
        Step of the lesson.
    scene_name
        Name of the scene.
    scene
        Scene with the changes of this step and of the steps before, and with the frame of the answer if the user
        rotates one.
    time, play
        Time of the step, s, and the playback that follows.
    layout, select, staged
        Layout of the window, selected frame, and rotation shown turn by turn.
    answer
        Name of the frame that the user rotates. Empty where there is none.
    """

    step: Step
    scene_name: str
    scene: Scene
    time: float
    play: Play | None
    layout: Layout | None
    select: str
    staged: Staged | None
    answer: str = ""

    @property
    def question(self) -> AnyQuestion | None:
        """Question of the step."""
        return self.step.moment.question


@dataclass(frozen=True)
class _Carried:
    """Changes of a scene by the steps so far."""

    scene_name: str = ""
    time: float | None = None
    camera: Camera | None = None
    layout: Layout | None = None
    select: str = ""
    lit: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    parameters: FrozenDict[float] = field(default_factory=FrozenDict[float])
    orientations: FrozenDict[OrientationForm] = field(default_factory=FrozenDict[OrientationForm])
    frames: FrozenDict[Frame] = field(default_factory=FrozenDict[Frame])


def run_later(_job: SimulationJob) -> None:
    """Run no simulation: bodies stay where they start, until the window has simulated them."""


def stagings(lesson: Lesson, load: Callable[[str], tuple[Scene, Access]], run: Runner = run_now) -> tuple[Staging, ...]:
    """Return the stagings of the steps of a lesson.

    Parameters
    ----------
    lesson
        Lesson without faults, see `framescope.features.lessons.core.checking`.
    load
        Function that returns the scene of a name and the files that the scene may read. It raises a `SceneError` where
        there is no such scene.
    run
        Function that runs a simulation of bodies, where a step does not begin at the start of its scene.
    """
    carried, result = _Carried(), list[Staging]()
    for step in lesson.steps:
        staging, carried = _stage_step(step, carried, load, run)
        result.append(staging)
    return tuple(result)


def _stage_step(
    step: Step, before: _Carried, load: Callable[[str], tuple[Scene, Access]], run: Runner
) -> tuple[Staging, _Carried]:
    moment = step.moment
    if moment.scene and moment.scene != before.scene_name:
        before = _Carried(scene_name=moment.scene, layout=before.layout)
    scene, access = load(before.scene_name)
    start = scene.time.start.si("time", ("time", "start"))
    time = before.time if moment.time is None else moment.time.si("time", ("time",))
    now = _Carried(
        scene_name=before.scene_name,
        time=start if time is None else time,
        camera=moment.camera or before.camera,
        layout=moment.layout or before.layout,
        select=before.select if moment.select is None else moment.select,
        lit=before.lit if moment.lit is None else moment.lit,
        hide=before.hide if moment.hide is None else moment.hide,
        parameters=before.parameters | moment.parameters,
        orientations=FrozenDict({k: v for k, v in before.orientations.items() if k not in moment.frames})
        | moment.orientations,
        frames=before.frames | moment.frames,
    )
    at = start if now.time is None else now.time
    step_scene, select, answer = _change_scene(scene, now), now.select, ""
    step_scene = _select_plots(step_scene, moment.plots, moment.question)
    if isinstance(moment.question, Turn | PointQuestion):
        answer = select = ANSWER
        plan = compile_plan(step_scene, access=access, run=run if at > start else run_later)
        step_scene = _add_answer(step_scene, moment.question, plan, at)
    staging = Staging(step, now.scene_name, step_scene, at, moment.play, now.layout, select, moment.staged, answer)
    end = at if moment.play is None else moment.play.to.si("time", ("play", "to"))
    return staging, replace(now, time=end)


def _change_scene(scene: Scene, carried: _Carried) -> Scene:
    """Apply the changes of the steps so far to a scene."""
    frames = dict(scene.frames | carried.frames)
    for name, orientation in carried.orientations.items():
        frame = frames[name]
        other_keys = frame.model_dump(exclude_unset=True, exclude={"orientation", "motion"})
        frames[name] = Frame.model_validate({**other_keys, "orientation": orientation})
    looks = dict(scene.view.frames)
    if carried.lit:
        length = scene.view.triad_length
        for name in (WORLD, *scene.frames):
            own, update = looks.get(name, FrameLook()), {"label": False}
            if name in carried.lit:
                longer = own.length or length
                update = {"label": True, "length": Quantity(longer.value * LIT, longer.unit)}
            looks[name] = own.model_copy(update=update)
    hidden = scene.view.hidden
    if carried.hide:
        hidden = Hidden.model_validate({**hidden.model_dump(), **_hide_items(scene, carried.hide, hidden)})
    view = scene.view.model_copy(
        update={
            "frames": FrozenDict(looks),
            "hidden": hidden,
            **_leave_out(scene, carried.hide),
            **({} if carried.camera is None else {"camera": carried.camera, "camera_path": None}),
        }
    )
    parameters = scene.parameters | carried.parameters
    return scene.model_copy(update={"frames": FrozenDict(frames), "view": view, "parameters": parameters})


def _select_plots(scene: Scene, titles: tuple[str, ...], question: AnyQuestion | None) -> Scene:
    """Keep only the plots with these titles, less those that would reveal the curve to be sketched."""
    plots = tuple(plot for plot in scene.view.plots if plot.called in titles)
    if isinstance(question, Sketch):
        kind = question.signal.partition(" of ")[0]
        plots = tuple(plot for plot in plots if plot.signal not in (kind, "sensor"))
    return scene.model_copy(update={"view": scene.view.model_copy(update={"plots": plots})})


def _leave_out(scene: Scene, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the values of the view without the parts that words name. An item of the same name is hidden instead."""
    items = {name for kind in Hidden.model_fields for name in getattr(scene, kind)}
    return {key: value for word in words if word not in items for key, value in OVERLAYS.get(word, {}).items()}


def _hide_items(scene: Scene, names: tuple[str, ...], hidden: Hidden) -> dict[str, tuple[str, ...]]:
    """Sort names of items to hide by kind, and add them to the items that are hidden already."""
    result: dict[str, tuple[str, ...]] = {}
    for kind in Hidden.model_fields:
        more = tuple(name for name in names if name in getattr(scene, kind))
        result[kind] = tuple(dict.fromkeys([*getattr(hidden, kind), *more]))
    return result


def _add_answer(scene: Scene, question: Turn | PointQuestion, plan: Plan, t: float) -> Scene:
    """Add the frame that the user rotates: a ghost of the frame in question, or an arrow on it."""
    if isinstance(question, PointQuestion):
        length = scene.view.triad_length
        long = Quantity(length.value * POINTER, length.unit)
        thick = Quantity(length.value * POINTER * 0.03, length.unit)
        along_x = Axis(axis="y", angle=90.0, unit="deg")
        arrow = Body(frame=ANSWER, shape=Arrow(length=long, radius=thick), color=YELLOW, orientation=along_x)
        angles = _start_of_arrow(scene, question, plan, t)
        frame = Frame(parent=question.frame, orientation=Axes(sequence="ZYX", angles=angles, unit="deg"))
        bodies = {ANSWER: arrow}
        looks = scene.view.frames | {ANSWER: FrameLook(triad=False, label=False, link=False)}
        scene = scene.model_copy(update={"view": scene.view.model_copy(update={"frames": looks})})
    else:
        parent = WORLD if question.frame == WORLD else scene.frames[question.frame].parent
        snapshot = evaluate(plan, t)
        p = relative_position(snapshot, question.frame, parent, parent)
        R_WP, R_WF = relative_orientations(snapshot, question.frame, parent)
        if not (np.isfinite(p).all() and np.isfinite(R_WP).all() and np.isfinite(R_WF).all()):
            # The frame has no pose. `checking` reports this as a problem of the scene.
            p, R_WP, R_WF = np.zeros(3), np.eye(3), np.eye(3)
        sequence = question.by if question.by in SEQUENCES else answer_sequence(question, plan)
        angles = np.degrees(frames.axes_rotations_angles(Orientation((R_WP.T @ R_WF).T, np.zeros(3)), sequence))
        x, y, z = (round(float(part), DECIMALS) + 0.0 for part in p)
        a, b, c = (round(float(angle), DECIMALS) + 0.0 for angle in angles)
        frame = Frame(
            parent=parent,
            position=Position(value=(x, y, z), unit="m"),
            orientation=Axes(sequence=sequence, angles=(a, b, c), unit="deg"),
        )
        own = {name: body for name, body in scene.bodies.items() if body.frame == question.frame}
        bodies = {
            f"{ANSWER}: {name}": body.model_copy(update={"frame": ANSWER, "opacity": GHOST * body.opacity})
            for name, body in own.items()
        }
    return scene.model_copy(
        update={"frames": scene.frames | {ANSWER: frame}, "bodies": scene.bodies | FrozenDict(bodies)}
    )


def without_answer(scene: Scene) -> Scene:
    """Return a scene without the frame that the user rotates."""
    frames = {name: frame for name, frame in scene.frames.items() if name != ANSWER}
    bodies = {name: body for name, body in scene.bodies.items() if body.frame != ANSWER}
    return scene.model_copy(update={"frames": FrozenDict(frames), "bodies": FrozenDict(bodies)})


def _start_of_arrow(scene: Scene, question: PointQuestion, plan: Plan, t: float) -> tuple[float, float, float]:
    """Return the angles (ZYX, deg) of the arrow of a pointing question when the step begins."""
    if question.start is not None and any(question.start):
        x, y, z = question.start
        yaw, pitch = math.degrees(math.atan2(y, x)), math.degrees(math.atan2(-z, math.hypot(x, y)))
        return round(yaw, DECIMALS) + 0.0, round(pitch, DECIMALS) + 0.0, 0.0
    snapshot = evaluate(plan, t)
    names = (question.frame, question.resolved_in or question.frame)
    if not all(name in plan.index for name in names) or not bool(are_known(snapshot, WORLD, *names)):
        return POINTS_AT  # `checking` reports the missing frame or pose
    R_WF = relative_orientations(snapshot, question.frame, WORLD)[1]
    right = judging.direction_of(question, plan, t)[:, 0]
    wrong = [v for _, _, v in judging.thoughts_of(question, plan, t)]
    return choose_start(scene.view.camera, R_WF, POINTS_AT, right, wrong, is_line=question.either_way)


def answer_sequence(question: Turn, plan: Plan) -> str:
    """Return the axis sequence of the answer: another one than that of the angles which the user is given.

    The sequence of the frame is kept where no angles are given, as for a matrix.
    """
    own = plan.sequence(question.frame)
    given = question.angles.sequence if question.angles is not None else None if question.to is not None else own
    if given is None or given not in SEQUENCES:
        return own or "ZYX"
    return given[::-1] if given != given[::-1] else "XYZ"


def orientation_of(plan: Plan, name: str, relative_to: str, t: float) -> Array:
    """Return the orientation (3, 3) of a frame in another, ``v_other = R @ v_frame``."""
    R_WP, R_WF = relative_orientations(evaluate(plan, t), name, relative_to)
    return R_WP.T @ R_WF
