"""Problems of bags: faults in the transforms that a scene uses, with their fixes, and faults of the other topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import Fix, FramescopeError, ItemError, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.referenced_files import BAG_FILES
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import BagParent, Transforms, Unconnected
from framescope.core.scene.schema.stamps import NS, stamp_of, stamp_text
from framescope.core.system.caches import cache_while_used
from framescope.core.system.file_access import resolve_named
from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.bag_autopsy import faults_of_topics
from framescope.features.bags.core.autopsy.fault import LogChange, TfFault
from framescope.features.bags.core.bag_runs import run_problems, with_time
from framescope.features.bags.core.compile_transforms import choice_of, zero_of
from framescope.features.bags.core.kept_transforms import other_topics_of, transforms_of
from framescope.features.bags.core.tf_log import TfLog
from framescope.features.bags.core.tf_path import TfChoice, normalize_rows, taken_rows
from framescope.features.bags.core.tf_tracks import Tracks

MAX_TIMES = 1000


@dataclass(frozen=True)
class _Part:
    """Frames of a scene that use one namespace of a bag: their names in the scene, and their motions."""

    motions: tuple[tuple[str, Transforms], ...]

    @property
    def first(self) -> Transforms:
        return self.motions[0][1]

    def scene_name(self, name: str) -> str:
        """Return the scene's name of a frame of the bag; empty if the scene lacks it."""
        for scene_name, motion in self.motions:
            if name in (motion.frame, *motion.also):
                return scene_name
        parents = (parent for _, motion in self.motions for parent in motion.parents)
        return next((parent.frame for parent in parents if parent.name == name), "")


@dataclass(frozen=True, eq=False)
class _Examined:
    log: TfLog
    faults: tuple[TfFault, ...]


def bag_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of the bags that a scene uses; may be called on any thread.

    They are the faults of the transforms of its frames, those of the other topics, and unreadable parts.
    """
    yield from transform_problems(plan)
    yield from _problems_of_bags(plan)


def transform_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of recorded transforms used by the frames of a scene; may be called on any thread."""
    for part in _parts(plan.scene):
        try:
            file = resolve_named(part.first.file, plan.context.access, (), BAG_FILES)
            tracks = transforms_of(file).tracks(part.first.namespace)
            choices = tuple(choice_of(motion) for _, motion in part.motions)
            zero = zero_of(part.first, tracks)
        except (ItemError, FramescopeError, OSError):
            continue  # compiling the motion reports this
        examined = _examine(tracks, choices)
        for fault in examined.faults:
            yield _problem_of(plan, part, fault, examined.log, zero)
        yield from run_problems(part.motions[0], tracks, zero)


def damage_problem(text: str) -> Problem:
    """Return the problem of an unreadable part of a bag."""
    hint = "The rest is shown."
    return make_problem((), "bag-damaged", "damaged", f"the bag is damaged: {text}.", hint)


def _problems_of_bags(plan: Plan) -> Iterator[Problem]:
    """Yield the unreadable parts of each bag, and the faults of its topics other than transforms, once per bag."""
    parts: dict[str, list[tuple[str, Transforms]]] = {}
    for name, frame in plan.scene.frames.items():
        if isinstance(frame.motion, Transforms):
            parts.setdefault(frame.motion.file, []).append((name, frame.motion))
    for named, motions in parts.items():
        part = _Part(tuple(motions))
        try:
            file = resolve_named(named, plan.context.access, (), BAG_FILES)
            topics, transforms = other_topics_of(file), transforms_of(file)
            logs = [transforms.tracks(name).log for name in topics.namespaces]
            own = transforms.tracks(part.first.namespace, part.first.topic)
            zero = zero_of(part.first, own)
        except (ItemError, FramescopeError, OSError):
            continue  # compiling the motion reports this
        damages = (*topics.damages, *(text for log in (*logs, own.log) for text in log.damages))
        yield from map(damage_problem, dict.fromkeys(damages))
        for fault in faults_of_topics(topics.contents, logs, plan.scene.frames):  # also frames that the user added
            yield _problem_of(plan, part, fault, own.log, zero, ("bag", fault.frame or named))


def _parts(scene: Scene) -> Iterator[_Part]:
    groups: dict[tuple[str, str], list[tuple[str, Transforms]]] = {}
    for name, frame in scene.frames.items():
        if isinstance(frame.motion, Transforms) and not frame.motion.topic:
            groups.setdefault((frame.motion.file, frame.motion.namespace), []).append((name, frame.motion))
    return (_Part(tuple(motions)) for motions in groups.values())


@cache_while_used
def _examine(tracks: Tracks, choices: tuple[TfChoice, ...]) -> _Examined:
    """Return the faults of the rows of a log used by some frames, with their renamed frames and fixed quaternions."""
    log = tracks.log
    names, quaternion = list(log.names), log.quaternion.copy()
    rows = np.zeros(len(log), bool)
    for choice in choices:
        own = taken_rows(tracks, replace(choice, parents=_with_refused(tracks, choice)), with_refused=True)
        rows |= own
        if choice.normalize:
            quaternion = normalize_rows(quaternion, own)
        for other in choice.names[1:]:
            names = [choice.names[0] if name.removeprefix("/") == other else name for name in names]
    chosen = replace(log, names=tuple(names), quaternion=quaternion).rows(rows)
    return _Examined(chosen, examine(chosen))


def _with_refused(tracks: Tracks, choice: TfChoice) -> tuple[str, ...]:
    """Return the parents of a choice, and all parents without accepted rows, so that refused rows are reported."""
    if not choice.parents:
        return ()
    own = [i for i, name in enumerate(tracks.names) if name in choice.names]
    good = set(tracks.parent[np.isin(tracks.child, own) & (tracks.refused == 0)].tolist())
    return (*choice.parents, *(name for i, name in enumerate(tracks.names) if i not in good))


def _problem_of(plan: Plan, part: _Part, fault: TfFault, log: TfLog, zero: int, other_place: KeyPath = ()) -> Problem:
    """Return the problem of a fault, at its frame in the scene, else at `other_place` or the first frame."""
    name = part.scene_name(fault.frame)
    other_place = other_place or ("frames", part.motions[0][0], "motion")
    place = ("frames", name, "motion") if name in plan.scene.frames else other_place
    times = _times(fault, log, zero)
    hint = f"tf2 answered: {fault.answer}" if fault.answer else ""
    cause = f'"{fault.frame}"{fault.cause.removeprefix(fault.frame)}' if _begins_with_name(fault) else fault.cause
    problem = make_problem(
        place, f"tf {fault.kind}", fault.title.lower(), cause, hint, severity=fault.severity, times=times
    )
    edit = None if fault.fix is None else _edit(plan.scene, part, fault.fix)
    if fault.fix is None or edit is None:
        return problem
    if fault.fix.change.log_ns is not None:
        edit = _shorten_scene(plan, edit, log.rows(log.log_ns < fault.fix.change.log_ns), zero)
    return problem.with_fix(fault.fix.text, edit)


def _begins_with_name(fault: TfFault) -> bool:
    """Return whether a cause begins with the frame's name, which must not be capitalized."""
    return bool(fault.frame) and fault.cause.startswith(f"{fault.frame} ")


def _times(fault: TfFault, log: TfLog, zero: int) -> tuple[float, ...]:
    """Return the times of a fault in the scene, s: stamps of its rows, else estimates from the time of reception."""
    if len(fault.rows):
        stamps = np.unique(log.stamp_ns[fault.rows])
        if log.is_static[fault.rows].all():
            stamps = np.unique(log.log_ns[fault.rows]) + _lag(log)
    else:
        stamps = np.array([fault.first_ns]) + _lag(log)
    return tuple(((stamps[:MAX_TIMES] - zero) / NS).tolist())


def _lag(log: TfLog) -> int:
    """Return the median difference of stamp and time of reception, ns."""
    moving = ~log.is_static
    return int(np.median((log.stamp_ns - log.log_ns)[moving])) if moving.any() else 0


# --- Fixes


def _edit(scene: Scene, part: _Part, fix: Fix[LogChange]) -> Edit | None:
    """Return the edit of a scene that corresponds to a fix of a log; None if there is none."""
    change, label = fix.change, _past_tense(fix.text)
    if change.kind == "take name":
        return _merge_spellings(part, change, label)
    names = {
        name: motion
        for name, motion in part.motions
        if not change.child or change.child in (motion.frame, *motion.also)
    }
    changed = {name: new for name, motion in names.items() if (new := _apply_to_motion(motion, change)) is not None}
    if not changed or any(name not in scene.frames for name in changed):
        return None

    def apply(scene: Scene) -> Scene:
        return _with_motions(scene, changed)

    return Edit(label, apply)


def _shorten_scene(plan: Plan, edit: Edit, remaining: TfLog, zero: int) -> Edit:
    """Return an edit that also ends the scene at the last stamp of the remaining log."""
    stamps = remaining.stamp_ns[~remaining.is_static]
    begin = zero + round(plan.start * NS)
    if not len(stamps) or int(stamps.max()) <= begin:
        return edit
    return Edit(edit.label, lambda scene: with_time(edit.apply(scene), begin, int(stamps.max()), zero))


def _apply_to_motion(motion: Transforms, change: LogChange) -> Transforms | None:
    if change.kind == "normalize":
        return motion.model_copy(update={"normalize": True})
    if change.log_ns is not None:
        until = change.log_ns if motion.received_until is None else min(change.log_ns, stamp_of(motion.received_until))
        return motion.model_copy(update={"received_until": stamp_text(until)})
    if change.stamps_ns:
        without = {*motion.without, *map(stamp_text, change.stamps_ns)}
        return motion.model_copy(update={"without": tuple(sorted(without, key=stamp_of))})
    parents = tuple(parent for parent in motion.parents if parent.name != change.parent)
    return motion.model_copy(update={"parents": parents}) if parents and parents != motion.parents else None


def _with_motions(scene: Scene, changed: Mapping[str, Transforms]) -> Scene:
    """Return a scene with other motions of some frames, each with a parent that its motion still has."""
    frames = dict(scene.frames)
    for name, motion in changed.items():
        frame = frames[name]
        known = {parent.frame for parent in motion.parents}
        parent = frame.parent if frame.parent in known or not motion.parents else motion.parents[0].frame
        frames[name] = frame.model_copy(update={"motion": motion, "parent": parent})
    return scene.model_copy(update={"frames": FrozenDict(frames)})


def _merge_spellings(part: _Part, change: LogChange, label: str) -> Edit | None:
    """Return the edit that merges a frame in a wrong spelling into the frame that was meant."""
    bad, good = part.scene_name(change.child), part.scene_name(change.name)
    if not bad or not good or bad == good:
        return None

    def apply(scene: Scene) -> Scene:
        source = scene.frames[bad]
        frames = {name: _replace_parent(frame, bad, good) for name, frame in scene.frames.items() if name != bad}
        target = frames[good]
        if isinstance(target.motion, Transforms):
            frames[good] = target.model_copy(
                update={"motion": target.motion.model_copy(update={"also": (*target.motion.also, change.child)})}
            )
        elif isinstance(source.motion, Transforms):
            frames[good] = source
        elif isinstance(target.motion, Unconnected) and source.motion is None:
            frames[good] = source  # this frame is placed in the world
        return scene.model_copy(update={"frames": FrozenDict(frames)})

    return Edit(label, apply)


def _replace_parent(frame: Frame, bad: str, good: str) -> Frame:
    update: dict[str, object] = {"parent": good} if frame.parent == bad else {}
    if isinstance(frame.motion, Transforms) and any(parent.frame == bad for parent in frame.motion.parents):
        parents = (
            BagParent(name=parent.name, frame=good if parent.frame == bad else parent.frame)
            for parent in frame.motion.parents
        )
        update["motion"] = frame.motion.model_copy(update={"parents": tuple(parents)})
    return frame.model_copy(update=update) if update else frame


def _past_tense(text: str) -> str:
    """Return the text of a fix in the past tense."""
    first, _, remainder = text.partition(" ")
    past = {"Leave": "Left", "Take": "Took", "Make": "Made", "Keep": "Kept"}
    return f"{past.get(first, first)} {remainder}"
