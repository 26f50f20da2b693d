"""Compilation and evaluation of a scene: `compile_plan` once per edit, then `evaluate(plan, t)` at any times.

Both are pure functions: scrubbing, playing and exporting give identical results, and a batch of times gives the same
bits as single times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.errors import ExpressionError, ItemError, NoSuchNameError, Problem, add_problem
from framescope.core.evaluation.compile.domain_checks import probe
from framescope.core.evaluation.compile.instruments import Instruments, compile_instruments, read_out
from framescope.core.evaluation.compile.motions import compile_motion, live_series
from framescope.core.evaluation.compile.orientations import MAX_STEPS
from framescope.core.evaluation.compile.parent_changes import compile_switches
from framescope.core.evaluation.compile.renumbered_frames import renumbered_frames
from framescope.core.evaluation.compile.simulated import motions_of, problems_of
from framescope.core.evaluation.compile.simulated_bodies import idle_mass_problems
from framescope.core.evaluation.compile.simulation_systems import SimulationJob, assemble, run_now
from framescope.core.evaluation.compile.view_data import DrawnBefore, ViewData, compile_view_data
from framescope.core.evaluation.frame_traces import FrameTraces, live_range
from framescope.core.evaluation.frame_tree import (
    FrameTree,
    build_tree,
    evaluate_tree,
    find_cycles,
    moves_alike,
    rings_of,
    subtree,
    with_motions,
    without_rings,
)
from framescope.core.evaluation.local_motion import AxesTurn, LocalMotion, MotionContext
from framescope.core.kernels import axis_rotations
from framescope.core.kernels.validation import USUAL_SEQUENCE, Array, as_sequence
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.poses import Integrated
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.snapshot import Snapshot
from framescope.core.system.cooperative_yield import checkpoint
from framescope.core.system.features import installed_features, missing_feature_message
from framescope.core.system.file_access import Access
from framescope.core.system.growing_series import GrowingSeries
from framescope.core.time_functions.expressions import check_parameter_name

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation


@dataclass(frozen=True, eq=False)
class Plan:
    """A scene compiled for evaluation and display.

    Attributes
    ----------
    scene
        Scene from which the plan was compiled.
    start, end
        The time range, s.
    tree
        The frames by row, the world first.
    trail_trees
        For each frame with a trail, the part of the tree that determines its path; a part is enough for evaluation at
        every tick.
    view_data
        Visible items and plots, in SI units (see `framescope.core.evaluation.compile.view_data`).
    instruments
        Sensors, connection points and measurements.
    pending
        Simulations that have not run yet; until then simulated frames rest at their start.
    known_problems
        The problems without those of the positions and orientations of the rows in `unchecked`.
    context
        Context in which the items were compiled: time range, access to files, and parameters.
    traces
        Continuous angles and quaternions of the frames.
    simulations
        Finished simulations, each with its job.
    live
        Growing series that motions read; `extend_plan` applies the time range of appended data.
    unchecked
        Rows whose motions changed during a drag; they are checked once `problems` are needed.
    """

    scene: Scene
    start: float
    end: float
    tree: FrameTree
    trail_trees: Mapping[str, FrameTree]
    view_data: ViewData
    instruments: Instruments
    pending: tuple[SimulationJob, ...]
    known_problems: tuple[Problem, ...]
    context: MotionContext
    traces: FrameTraces
    simulations: tuple[tuple[SimulationJob, Simulation], ...] = ()
    live: tuple[GrowingSeries, ...] = ()
    unchecked: frozenset[int] = frozenset()

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, in the order of the file."""
        if not self.unchecked:
            return self.known_problems
        motions = {i: self.tree.motions[i] for i in sorted(self.unchecked)}
        return _in_file_order(self.scene, [*self.known_problems, *_problems_of(motions, self.names, self.context)])

    @property
    def names(self) -> tuple[str, ...]:
        """Frame names by row."""
        return self.tree.names

    @property
    def index(self) -> Mapping[str, int]:
        """Row of each frame name."""
        return self.tree.index

    def sequence(self, name: str) -> str | None:
        """Return the axis sequence of a frame; None if it has none."""
        axes = self._axes(name)
        return None if axes is None else "".join(" XYZ"[axis] for axis in axes.sequence)

    def angles(self, name: str, t: float) -> tuple[Array, Array] | None:
        """Return the authored angles (3,) of a frame with an axis sequence at time `t`, rad, and their rates, rad/s.

        None for a frame without a sequence.
        """
        axes = self._axes(name)
        if axes is None:
            return None
        angles, rates, _ = axes.angles(np.array([t]))
        return angles[0], rates[0]

    def turn_angles(self, name: str, sequence: str, snapshot: Snapshot) -> tuple[Array, Array]:
        """Return the angles (..., 3) of a frame in its parent at the times of a snapshot, rad, and their rates, rad/s.

        They are the authored angles of a frame with an axis sequence. Those of other frames are computed from its
        poses, and followed from the start of the scene. Angles are NaN without a pose, and rates at gimbal lock.
        """
        axes = self._axes(name)
        if axes is not None:
            angles, rates, _ = axes.angles(np.atleast_1d(snapshot.t))
            return angles.reshape(*snapshot.t.shape, 3), rates.reshape(*snapshot.t.shape, 3)
        parent = self.names[int(self.tree.parents[self.index[name]])]  # that of the file may not exist
        angles = self.traces.angles(snapshot, name, parent, sequence)
        w = snapshot.w_PF_F[..., snapshot.index[name], :]
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = axis_rotations.euler_rates(as_sequence(sequence))(angles, w, names=("angles", "w"))
        return angles, rates

    def moment(self, name: str, t: float, sequence: str = USUAL_SEQUENCE) -> Moment:
        """Return the pose of a frame in its parent at time `t`; NaN if it has none.

        Edits of it write rotations of a frame without a rotation in an axis sequence.
        """
        row = self.index.get(name, -1)
        motion = self.tree.motions.get(row)
        if motion is None:
            return Moment(t, self.start, np.full((3, 3), np.nan), np.full(3, np.nan), sequence=sequence)
        switch = self.tree.switches.get(row)
        with np.errstate(all="ignore"):
            T, p = motion.pose(np.array([t]))
        is_carried = switch is not None and int(switch.at(np.array([t]))[0]) > 0
        return Moment(t, self.start, T[0], p[0], is_carried=is_carried, sequence=sequence)

    def _axes(self, name: str) -> AxesTurn | None:
        motion = self.tree.motions.get(self.index[name])
        return None if motion is None else motion.axes


POSE_KEYS = frozenset({"position", "orientation"})
"""Keys of the pose of a frame in its parent."""

Runner = Callable[[SimulationJob], "Simulation | None"]
"""Function that returns the simulation of a job, or None if the job has not run yet."""


def compile_plan(
    scene: Scene,
    folder: Path | None = None,
    access: Access | None = None,
    run: Runner = run_now,
    gesture: Plan | None = None,
) -> Plan:
    """Return a scene compiled for evaluation; a faulty item becomes a problem, and the others still work.

    Parameters
    ----------
    scene
        Scene to compile.
    folder
        Folder of the files that the scene names; None if the scene has not been saved yet.
    access
        Access to files, also outside the folder; replaces `folder`.
    run
        Function that runs a simulation of bodies. The default runs it immediately; the window passes a function that
        looks up the result of a worker, see `Plan.pending`.
    gesture
        The previous plan during a drag: what is unchanged is copied from it, and its files are checked again after the
        drag.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "wolrd"}}})
    >>> print(compile_plan(scene).problems[0])
    frames.a.parent: there is no frame "wolrd". Did you mean "world"?
    """
    access = access or Access(folder)
    plan = None if gesture is None else _with_other_numbers(gesture, scene, access)
    if plan is not None:
        return plan
    problems: list[Problem] = []
    live = live_series(scene, access)
    start, end = live_range(live) or _time_range(scene, problems)
    parameters = usable_parameters(scene, problems)
    context = MotionContext(start, end, access, parameters)
    names = (WORLD, *(name for name in scene.frames if name != WORLD))
    index = {name: i for i, name in enumerate(names)}
    parents = np.array([0, *(_parent_row(scene, name, index, problems) for name in names[1:])])
    rings = rings_of(parents)
    problems += find_cycles(names, rings)
    ring_parents = {i: int(parents[i]) for ring in rings for i in ring}
    parents = without_rings(parents, rings)
    assembly = assemble(scene, context, problems)
    simulations = tuple(run(job) for job in assembly.jobs)
    problems += problems_of(assembly, simulations)
    kept = {} if gesture is None else _unchanged_motions(gesture, scene, context)
    motions = _motions(scene, names, context, kept | motions_of(assembly, simulations), problems)
    switches = compile_switches(scene, names, parents, motions, problems)
    tree = build_tree(names, parents, motions, switches, ring_parents)
    simulation = simulations[0] if simulations else None
    instruments = compile_instruments(scene, index, assembly, simulation, context, problems)
    before = None if gesture is None else _previous_bodies(gesture)
    view_data = compile_view_data(scene, tree.index, context, problems, before)
    problems += idle_mass_problems(scene)
    if scene.film and all(feature.name != "films" for feature in installed_features()):
        message = missing_feature_message("films are", "films")
        problems += (Problem(("film", name), message, severity="note") for name in scene.film)
    trail_trees = {trail.frame: _trail_tree(tree, trail.frame, gesture) for trail in view_data.trails}
    runs = list(zip(assembly.jobs, simulations, strict=True))
    pending = tuple(job for job, simulation in runs if simulation is None)
    ordered = _in_file_order(scene, problems)
    traces = FrameTraces(tree, start, end, live)
    parts = (scene, start, end, tree, trail_trees, view_data, instruments, pending, ordered, context, traces)
    return Plan(*parts, tuple((job, simulation) for job, simulation in runs if simulation is not None), live)


def _with_other_numbers(plan: Plan, scene: Scene, access: Access) -> Plan | None:
    """Return a plan for a scene in which frames have other numbers alone; None if there is more to compile."""
    names = renumbered_frames(plan.scene, scene)
    tree, context = plan.tree, plan.context
    has_history = bool(plan.live or plan.simulations or plan.pending or tree.switches)
    if names is None or has_history or context.access != access:
        return None
    if any(tree.index[name] not in tree.motions for name in names):
        return None
    try:
        motions = {tree.index[name]: compile_motion(name, scene.frames[name], context, {}) for name in names}
    except ItemError:
        return None  # compiling the scene as a whole reports it
    if any(motion.is_connected != tree.motions[i].is_connected for i, motion in motions.items()):
        return None
    tree = with_motions(tree, motions)
    own = {("frames", name) for name in names}
    trail_trees = {
        name: before if names.isdisjoint(before.names) else subtree(tree, [name])
        for name, before in plan.trail_trees.items()
    }
    return replace(
        plan,
        scene=scene,
        tree=tree,
        trail_trees=trail_trees,
        known_problems=tuple(
            p for p in plan.known_problems if p.item not in own or POSE_KEYS.isdisjoint(p.key_path[2:3])
        ),
        unchecked=plan.unchecked | motions.keys(),
        traces=FrameTraces(tree, plan.start, plan.end, plan.live),
    )


def _trail_tree(tree: FrameTree, frame: str, gesture: Plan | None) -> FrameTree:
    """Return the frames of a trail; the tree of a previous plan if it has the same motions, as the path stays then."""
    trail_tree = subtree(tree, [frame])
    before = None if gesture is None else gesture.trail_trees.get(frame)
    return before if before is not None and moves_alike(before, trail_tree) else trail_tree


def _previous_bodies(plan: Plan) -> DrawnBefore:
    wrong = {problem.key_path[1] for problem in plan.problems if problem.key_path[:1] == ("bodies",)}
    return DrawnBefore(plan.scene, {body.name: body for body in plan.view_data.bodies if body.name not in wrong})


def _unchanged_motions(plan: Plan, scene: Scene, context: MotionContext) -> dict[str, LocalMotion]:
    """Return the motions of a previous plan, by name, whose frames and context have not changed."""
    if plan.context != context:
        return {}
    rows, before = plan.tree.motions, plan.scene.frames
    return {
        name: rows[i]
        for name, i in plan.tree.index.items()
        if i in rows
        and name in before
        and before[name] is scene.frames.get(name)
        and not isinstance(before[name].motion, Simulated)
    }


def extend_plan(plan: Plan) -> Plan:
    """Return a plan over the present time range of its growing series, without compiling again."""
    start, end = live_range(plan.live) or (plan.start, plan.end)
    return replace(plan, start=start, end=end)


def evaluate(plan: Plan, t: ArrayLike) -> Snapshot:
    """Return the state of a scene at time `t`, scalar or array of any shape, in seconds.

    Poses of all frames are computed immediately. Velocities, accelerations, and the values of sensors, points and
    measurements are computed on request.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {
    ...     "parent": "world", "position": {"value": [1, 0, 0], "unit": "m"},
    ...     "orientation": {"form": "axis", "axis": "z", "angle": "90*t", "unit": "deg"}}}})
    >>> snapshot = evaluate(compile_plan(scene), 1.0)
    >>> snapshot.R_WF[snapshot.index["arm"]][:, 0].round(12)
    array([0., 1., 0.])
    """
    return read_out(plan.instruments, evaluate_tree(plan.tree, t), plan.traces)


def _time_range(scene: Scene, problems: list[Problem]) -> tuple[float, float]:
    values = {"start": 0.0, "end": 10.0}
    for key in values:
        quantity = getattr(scene.time, key)
        try:
            values[key] = quantity.value * unit_factor(quantity.unit, "time", ("time", key))
        except ItemError as problem:
            add_problem(problems, (), problem)
    if not values["end"] > values["start"]:
        message, hint = "the time range is empty or ends before it starts.", "Use an end after the start."
        problems.append(Problem(("time", "end"), message, hint))
        values["end"] = values["start"] + 10.0
        if not values["end"] > values["start"]:  # so large that ten seconds are below rounding
            values = {"start": 0.0, "end": 10.0}
    return values["start"], values["end"]


def _parent_row(scene: Scene, name: str, index: Mapping[str, int], problems: list[Problem]) -> int:
    parent = scene.frames[name].parent
    if parent in index:
        return index[parent]
    add_problem(problems, ("frames", name), NoSuchNameError(("parent",), "frame", parent, index))
    return -1


def _motions(
    scene: Scene,
    names: tuple[str, ...],
    context: MotionContext,
    known: Mapping[str, LocalMotion],
    problems: list[Problem],
) -> dict[int, LocalMotion]:
    if WORLD in scene.frames:
        message = '"world" is the root frame itself.'
        problems.append(Problem(("frames", WORLD), message, "Give this frame another name."))
    motions: dict[int, LocalMotion] = {}
    work = n_samples = 0
    for i, name in enumerate(names[1:], start=1):
        checkpoint()
        if isinstance(scene.frames[name].motion, Simulated) and name not in known:
            continue  # already reported as a problem
        try:
            if work + _least_work(scene.frames[name], context) > MAX_WORK:
                raise ItemError((), _TOO_MUCH, "Use longer steps.")  # noqa: TRY301
            motion = scene.frames[name].motion
            if n_samples >= MAX_SAMPLES_IN_ALL and motion is not None and MOTION_KINDS.of(motion).is_costly:
                raise ItemError((), _TOO_MANY, 'Take every n-th row of long recordings: "every: 2".')  # noqa: TRY301
            motions[i] = compile_motion(name, scene.frames[name], context, known)
            work += motions[i].work
            n_samples += motions[i].n_samples
        except ItemError as problem:
            add_problem(problems, ("frames", name), problem)
    problems += _problems_of(motions, names, context)
    return motions


def _problems_of(
    motions: Mapping[int, LocalMotion], names: tuple[str, ...], context: MotionContext
) -> Iterator[Problem]:
    """Yield the problems of motions by row."""
    probed = probe(motions, context)
    for i, motion in motions.items():
        for problem in (*motion.problems, *probed.get(i, ())):
            yield replace(problem, key_path=("frames", names[i], *problem.key_path))


MAX_WORK = 300_000
"""Largest number of steps of all integrated orientations of a scene, which take a few seconds."""

MAX_SAMPLES_IN_ALL = 5_000_000
"""Number of samples after which no further recording of a scene is read; they take half a minute and 2 GB."""

_TOO_MUCH = f"the frames before it take all of the {MAX_WORK} steps that a scene may ask for."
_TOO_MANY = f"the recordings before it hold all of the {MAX_SAMPLES_IN_ALL} samples that a scene may have."


def _least_work(frame: Frame, context: MotionContext) -> float:
    """Return a lower bound of the steps that a frame needs."""
    if frame.motion is not None or not isinstance(frame.orientation, Integrated):
        return -math.inf
    try:
        step = frame.orientation.step.si("time", ("orientation", "step"))
    except ItemError:
        return -math.inf  # compiling the frame reports the invalid step
    steps = (context.end - context.start) / step if step > 0.0 else math.inf
    return math.ceil(steps) if steps <= MAX_STEPS else -math.inf


def _in_file_order(scene: Scene, problems: list[Problem]) -> tuple[Problem, ...]:
    items = [(kind, name) for kind in ITEM_KINDS for name in getattr(scene, kind)]
    order = {item: i for i, item in enumerate(items)}
    return tuple(sorted(problems, key=lambda problem: order.get(problem.item or ("", ""), len(order))))


def usable_parameters(scene: Scene, problems: list[Problem]) -> FrozenDict[float]:
    """Return the parameters that expressions may use; those with invalid names are added to `problems`."""
    bad: set[str] = set()
    for name in scene.parameters:
        try:
            check_parameter_name(name)
        except ExpressionError as error:
            problems.append(Problem(("parameters", name), error.message, error.hint))
            bad.add(name)
    return FrozenDict({name: value for name, value in scene.parameters.items() if name not in bad})
