"""Report of ``framescope check --deep`` and ``--json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from framescope.app.cli.json_output import OtherMend, SceneProblem, json_text
from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.analysis.diagnostics.diagnose import without_consequences
from framescope.core.errors import FramescopeError, Problem, SceneError, counted
from framescope.core.evaluation.compile.instruments import CompiledSensor
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import describe
from framescope.core.recordings.smoothing import Smoothing, facts
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.poses import Axes, Extrinsic, Integrated
from framescope.core.system.features import entries


def all_problems(plan: Plan, *, deep: bool) -> tuple[Problem, ...]:
    """Return the problems of a plan and of the mesh files it draws; a deep check includes the quick checks."""
    meshes = (
        replace(problem, kind="file", title="picture" if problem.key_path[-1] == "picture" else "mesh file")
        for problem in mesh_problems(plan)
    )
    checks = entries(lambda feature: feature.slow_checks if deep else feature.quick_checks)
    found = (problem for check in checks for problem in check(plan))
    return tuple(without_consequences((*diagnose(plan, deep=deep), *meshes, *found)))


def in_file(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of a file of another kind, from which the scene is made, with kinds and titles."""
    return tuple(
        replace(problem, kind=problem.kind or "file", title=problem.kind or "in the file") for problem in problems
    )


def as_lines(loaded: LoadedScene, problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each problem, and one for its fix."""
    for problem in map(loaded.locate, problems):
        yield f"{loaded.path}: {problem.severity}: {problem.title}: {problem}"
        if problem.fix is not None:
            safe = ", changes nothing else" if problem.fix.is_safe else ""
            yield f"  fix: {problem.fix.text}{safe}"
        word = "or" if problem.fix is not None else "one of the fixes"
        for other in problem.others if not problem.choices else ():  # the hint lists them
            yield f"  {word}: {other.text}" + (f" ({other.effect.removesuffix('.')})" if other.effect else "")


def as_json_text(loaded: LoadedScene, problems: Iterable[Problem]) -> str:
    """Return the problems as a JSON list."""
    return json_text([_fields(loaded.locate(problem)) for problem in problems])


def as_json_of_error(error: FramescopeError) -> str:
    """Return the problems of a file that cannot be read, as a JSON list."""
    problems = error.problems if isinstance(error, SceneError) else (Problem((), str(error)),)
    return json_text([_fields(problem) for problem in in_file(problems)])


def _fields(problem: Problem) -> SceneProblem:
    return SceneProblem(
        kind=problem.kind,
        severity=problem.severity,
        title=problem.title,
        where=problem.where,
        line=problem.line,
        time=problem.time,
        times=problem.times,
        rows=problem.rows,
        message=problem.message,
        hint=problem.hint,
        mend=problem.fix_text or None,
        is_safe=problem.has_safe_fix,
        others=tuple(OtherMend(other.text, other.effect) for other in problem.others),
    )


MAX_LINES = 40
"""Largest number of listed items per kind."""


def contents(plan: Plan) -> Iterator[str]:
    """Yield a line for the time range, and lines for the items of the scene."""
    scene = plan.scene
    yield f"time {plan.start:g} to {plan.end:g} s"
    if scene.parameters:
        yield "parameters: " + ", ".join(f"{name} = {value:g}" for name, value in scene.parameters.items())
    yield from _list_items("frame", {name: _frame(name, frame) for name, frame in scene.frames.items()})
    yield from _list_items("recording", {
        name: "; ".join(facts(smoothing, start)) for name, smoothing, start in _smoothings(plan)
    })  # fmt: skip
    yield from _list_items("body", {
        name: f"{body.shape.form} on {body.frame}" + (f", {body.mass}" if body.mass else "")
        for name, body in scene.bodies.items()
    }, "bodies")  # fmt: skip
    yield from _list_items("point", {name: f"{point.kind} on {point.body}" for name, point in scene.points.items()})
    yield from _list_items("element", {
        name: f"{element.form} from {element.point} to {element.to or 'ground'}"
        for name, element in scene.elements.items()
    })  # fmt: skip
    yield from _list_items("sensor", {
        name: _sensor_text(sensor)
        for name, sensor in plan.instruments.sensors.items()
    })  # fmt: skip
    yield from _list_items("measurement", {
        name: f"{measurement.form} of {measurement.of} relative to {measurement.relative_to}"
        for name, measurement in scene.measured.items()
    })  # fmt: skip
    yield from _list_items("plot", {describe(plot): "" for plot in plan.view_data.plots})
    simulation = plan.instruments.simulation
    if simulation is not None:
        balance = simulation.balance
        momentum = max(balance.linear_momentum, balance.angular_momentum)
        yield f"simulation: {counted(simulation.n_steps, 'step')} to {simulation.t_end:g} s"
        yield f"  energy is off by {balance.energy:.1e}, momentum by {momentum:.1e} of the largest"
        if any(ELEMENT_KINDS.of(element).is_constraint for element in scene.elements.values()):
            yield f"  constraints are off by {balance.constraint_position:.1e} m, {balance.constraint_velocity:.1e} m/s"


def _smoothings(plan: Plan) -> Iterator[tuple[str, Smoothing, float]]:
    """Yield name, smoothing and time of the first sample, s, of each recording that a frame has."""
    for row, motion in plan.tree.motions.items():
        form = plan.scene.frames[plan.names[row]].motion
        if motion.smoothing is not None and isinstance(form, Recorded):
            yield plan.names[row], motion.smoothing, form.start.si("time", ())


def _list_items(singular: str, items: dict[str, str], plural: str = "") -> Iterator[str]:
    if not items:
        return
    n = len(items)
    yield f"{n} {singular if n == 1 else plural or singular + 's'}"
    for name, text in list(items.items())[:MAX_LINES]:
        yield f"  {name}: {text}" if text else f"  {name}"
    if n > MAX_LINES:
        yield f"  and {n - MAX_LINES} more"


def _frame(name: str, frame: Frame) -> str:
    form = frame.orientation
    if frame.motion is not None:
        how = MOTION_KINDS.of(frame.motion).text(frame.motion)
    elif isinstance(form, Integrated):
        how = f"integrated, {form.equation} by {form.method}"
    else:
        how = (
            "no rotation"
            if form is None
            else form.form + (f" {form.sequence}" if isinstance(form, Axes | Extrinsic) else "")
        )
    source = "" if frame.source is None else f"; {frame.source.words(name, frame.parent)}"
    return f"in {frame.parent}, {how}{source}"


def _sensor_text(compiled: CompiledSensor) -> str:
    sensor = compiled.sensor
    if isinstance(sensor, RecordedValues):
        where = f"{sensor.quantity} at {sensor.frame_a}: " if sensor.quantity else ""
        return f"recorded, {where}{', '.join(sensor.labels)}"
    return f"{', '.join(sensor.slices)} of {compiled.at} from {compiled.seen_from}, in {sensor.resolved_in}"
