"""Problems of bags whose clock jumps back: the run that a scene shows, and the edit that shows the next run."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import Problem
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene, TimeRange
from framescope.core.scene.schema.motions import Transforms
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.stamps import NS, stamp_of, stamp_text
from framescope.features.bags.core.autopsy.fault import TITLES
from framescope.features.bags.core.autopsy.wording import span
from framescope.features.bags.core.clock_jumps import ClockRun, runs_of
from framescope.features.bags.core.tf_tracks import Tracks

LEAST_S = 1.0
"""Duration of the scene of a run without extent, s."""


def run_problems(first: tuple[str, Transforms], tracks: Tracks, zero: int) -> Iterator[Problem]:
    """Yield the problem of a scene that shows one of several runs; `first` is one of its frames and its motion."""
    name, motion = first
    if motion.received_from is None and motion.received_until is None:
        return
    runs = runs_of(tracks)
    shown = next((k for k, run in enumerate(runs) if _bounds(run) == _bounds_of(motion)), None)
    if shown is None or len(runs) == 1:
        return
    after = (shown + 1) % len(runs)
    run, other = runs[shown], runs[after]
    message = (
        f"the stamps of all frames jump back, as where a simulation or a bag is started again: the recording has"
        f" {len(runs)} runs, and this is run {shown + 1}, {span(run.last_ns - run.first_ns)} long."
    )
    at = run.last_ns if run.until_ns is not None else run.first_ns
    place = ("frames", name, "motion")
    title = TITLES["clock jump"].lower()
    problem = make_problem(place, "tf clock jump", title, message, severity="amber", times=((at - zero) / NS,))
    text = f"Show run {after + 1}, {span(other.last_ns - other.first_ns)} long"
    yield problem.with_fix(text, Edit(text.replace("Show", "Showed", 1), lambda scene: _show_run(scene, motion, other)))


def with_time(scene: Scene, first_ns: int, last_ns: int, zero: int) -> Scene:
    """Return a scene whose time range spans two stamps; `zero` is the stamp of its time 0, ns."""
    start, end = (first_ns - zero) / NS, (last_ns - zero) / NS
    end = end if end > start else start + LEAST_S
    time = TimeRange(start=Quantity(round(start, 9), "s"), end=Quantity(round(end, 9), "s"))
    return scene.model_copy(update={"time": time})


def _show_run(scene: Scene, shown: Transforms, run: ClockRun) -> Scene:
    """Return a scene in which the frames of one motion's run show another run, with time 0 at its first stamp."""
    frames = dict(scene.frames)
    for name, frame in scene.frames.items():
        motion = frame.motion
        if not isinstance(motion, Transforms) or motion.file != shown.file:
            continue
        if _bounds_of(motion) == _bounds_of(shown):
            frames[name] = frame.model_copy(update={"motion": _of_run(motion, run)})
    scene = scene.model_copy(update={"frames": FrozenDict(frames)})
    return with_time(scene, run.first_ns, run.last_ns, run.first_ns)


def _of_run(motion: Transforms, run: ClockRun) -> Transforms:
    unbounded = motion.model_dump(exclude_unset=True, exclude={"received_from", "received_until"})
    bounds = {key: stamp_text(ns) for key, ns in _bounds(run).items()}
    return Transforms.model_validate({**unbounded, **bounds, "zero": stamp_text(run.first_ns)})


def _bounds(run: ClockRun) -> dict[str, int]:
    bounds = {"received_from": run.from_ns, "received_until": run.until_ns}
    return {key: ns for key, ns in bounds.items() if ns is not None}


def _bounds_of(motion: Transforms) -> dict[str, int]:
    bounds = {"received_from": motion.received_from, "received_until": motion.received_until}
    return {key: stamp_of(text) for key, text in bounds.items() if text is not None}
