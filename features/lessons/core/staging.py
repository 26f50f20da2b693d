"""Staging of a lesson: the scene, the time and what else is shown at each step, whichever way one came there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_orientations, relative_position
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Arrow, Body
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes, Axis, OrientationForm, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Camera, FrameLook, Hidden
from framescope.core.system.file_access import Access
from framescope.features.lessons.core.lesson import Lesson, Step
from framescope.features.lessons.core.schema import AnyQuestion, Layout, Play, Point, Sketch, Staged, Turn

ANSWER = "your answer"
"""What the frame is called that a hand turns."""

GHOST = 0.35
"""Opacity of the bodies that the answer carries."""

LIT = 1.35
"""How many times as long as the others the axes of a frame are that decides."""

POINTER, POINTS_AT, YELLOW = 2.2, (40.0, -30.0, 0.0), "#f2c14e"
"""The arrow that a hand turns: how many axes long, where it points at first (ZYX, deg), and its colour."""

DECIMALS = 9


@dataclass(frozen=True)
class Staging:
    """What a step shows.

    Attributes
    ----------
    step
        The step, whose text is read beside it.
    scene_name
        Which scene it is.
    scene
        With all that this and the steps before change of it, and the frame of the answer where a hand gives it.
    time, play
        The moment, s; and to when time then runs, and how fast.
    layout, select, staged
        The layout of the window, the frame that is chosen, and the rotation that is shown turn by turn.
    answer
        The frame that is turned by hand; empty where none is.
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
        """What the step asks."""
        return self.step.moment.question


@dataclass(frozen=True)
class _Carried:
    """What the steps before have changed of a scene."""

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


def stagings(lesson: Lesson, load: Callable[[str], tuple[Scene, Access]]) -> tuple[Staging, ...]:
    """Return what each step of a lesson shows.

    Parameters
    ----------
    lesson
        One without mistakes, see `framescope.features.lessons.core.checking`.
    load
        Gives the scene of a name, and which files it may read; it raises a `SceneError` where there is none.
    """
    carried, found = _Carried(), list[Staging]()
    for step in lesson.steps:
        staging, carried = _staged(step, carried, load)
        found.append(staging)
    return tuple(found)


def _staged(step: Step, before: _Carried, load: Callable[[str], tuple[Scene, Access]]) -> tuple[Staging, _Carried]:
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
    shown, select, answer = _changed(scene, now), now.select, ""
    shown = _with_plots(shown, moment.plots, moment.question)
    if isinstance(moment.question, Turn | Point):
        answer = select = ANSWER
        shown = _with_answer(shown, moment.question, compile_plan(shown, access=access), at)
    staging = Staging(step, now.scene_name, shown, at, moment.play, now.layout, select, moment.staged, answer)
    end = at if moment.play is None else moment.play.to.si("time", ("play", "to"))
    return staging, replace(now, time=end)


def _changed(scene: Scene, carried: _Carried) -> Scene:
    """Return a scene as the steps so far have it."""
    frames = dict(scene.frames | carried.frames)
    for name, orientation in carried.orientations.items():
        frame = frames[name]
        said = frame.model_dump(exclude_unset=True, exclude={"orientation", "motion"})
        frames[name] = Frame.model_validate({**said, "orientation": orientation})
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
        hidden = Hidden.model_validate({**hidden.model_dump(), **_by_kind(scene, carried.hide, hidden)})
    view = scene.view.model_copy(
        update={
            "frames": FrozenDict(looks),
            "hidden": hidden,
            **({} if carried.camera is None else {"camera": carried.camera, "camera_path": None}),
        }
    )
    parameters = scene.parameters | carried.parameters
    return scene.model_copy(update={"frames": FrozenDict(frames), "view": view, "parameters": parameters})


def _with_plots(scene: Scene, titles: tuple[str, ...], question: AnyQuestion | None) -> Scene:
    """Return a scene with the plots of these titles, but for those that would show what is to be drawn."""
    plots = tuple(plot for plot in scene.view.plots if plot.called in titles)
    if isinstance(question, Sketch):
        kind = question.signal.partition(" of ")[0]
        plots = tuple(plot for plot in plots if plot.signal not in (kind, "sensor"))
    return scene.model_copy(update={"view": scene.view.model_copy(update={"plots": plots})})


def _by_kind(scene: Scene, names: tuple[str, ...], hidden: Hidden) -> dict[str, tuple[str, ...]]:
    """Return names of items to hide by their kind, besides those that are hidden."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in Hidden.model_fields:
        more = tuple(name for name in names if name in getattr(scene, kind))
        found[kind] = tuple(dict.fromkeys([*getattr(hidden, kind), *more]))
    return found


def _with_answer(scene: Scene, question: Turn | Point, plan: Plan, t: float) -> Scene:
    """Return a scene with the frame that a hand turns: a ghost of the frame in question, or an arrow on it."""
    if isinstance(question, Point):
        length = scene.view.triad_length
        long = Quantity(length.value * POINTER, length.unit)
        thick = Quantity(length.value * POINTER * 0.03, length.unit)
        along_x = Axis(axis="y", angle=90.0, unit="deg")
        arrow = Body(frame=ANSWER, shape=Arrow(length=long, radius=thick), color=YELLOW, orientation=along_x)
        frame = Frame(parent=question.frame, orientation=Axes(sequence="ZYX", angles=POINTS_AT, unit="deg"))
        bodies = {ANSWER: arrow}
        looks = scene.view.frames | {ANSWER: FrameLook(triad=False, label=False, link=False)}
        scene = scene.model_copy(update={"view": scene.view.model_copy(update={"frames": looks})})
    else:
        parent = WORLD if question.frame == WORLD else scene.frames[question.frame].parent
        snapshot = evaluate(plan, t)
        p = relative_position(snapshot, question.frame, parent, parent)
        R_WP, R_WF = relative_orientations(snapshot, question.frame, parent)
        if not (np.isfinite(p).all() and np.isfinite(R_WP).all() and np.isfinite(R_WF).all()):
            # The frame has no pose: a problem of the scene, which `checking` reports.
            p, R_WP, R_WF = np.zeros(3), np.eye(3), np.eye(3)
        sequence = plan.sequence(question.frame) or "ZYX"
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


def orientation_of(plan: Plan, name: str, relative_to: str, t: float) -> Array:
    """Return the orientation (3, 3) of a frame in another, ``v_other = R @ v_frame``."""
    R_WP, R_WF = relative_orientations(evaluate(plan, t), name, relative_to)
    return R_WP.T @ R_WF
