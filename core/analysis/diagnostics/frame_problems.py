"""Checks for frames without a path to the world, frames with an unknown pose, and frames at the same place."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import FrameTree
from framescope.core.scene.edits.base import Edit, without_item
from framescope.core.scene.edits.motion_kind import set_motion
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.references import with_names
from framescope.core.system.features import entries

DECIMALS = 9
"""Number of decimals to which matrices and positions of the same place agree."""

MAX_NAMED = 200
"""Largest number of frames with a kind of problem that are reported individually."""


def frame_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each frame that is unreachable, of unknown pose, or a duplicate of another one."""
    yield from _unreachable(plan)
    yield from _unconnected_roots(plan)
    yield from _duplicate_frames(plan)


def _unreachable(plan: Plan) -> Iterator[Problem]:
    """Yield the frames below a frame without a pose. The cause itself is already reported as a problem."""
    tree = plan.tree
    reached = set(tree.order.tolist())
    causes: dict[int, int] = {}
    n = 0
    for i, name in enumerate(tree.names):
        if i in reached or i not in tree.motions or int(tree.parents[i]) < 0:
            continue
        culprit = _cause(plan.tree, i, causes)
        why = "has no pose"
        if int(tree.parents[culprit]) < 0:
            is_in_circle = plan.scene.frames[tree.names[culprit]].parent in tree.index
            why = "is in a circle of parents" if is_in_circle else "has no parent"
        n += 1
        if n > MAX_NAMED:
            return
        message = f"it is not drawn: its ancestor {tree.names[culprit]} {why}."
        place, hint = ("frames", name, "parent"), f"Fix {tree.names[culprit]} first."
        yield make_problem(place, "unreachable", "not reached", message, hint)


def _cause(tree: FrameTree, i: int, causes: dict[int, int]) -> int:
    """Return the first row above another that has no motion or no parent, as frames in a circle have none.

    Results are cached in `causes`, so that each frame is visited once.
    """
    path: list[int] = []
    row = i
    while row not in causes and row in tree.motions and int(tree.parents[row]) >= 0:
        path.append(row)
        row = int(tree.parents[row])
    cause = causes.get(row, row)
    causes |= dict.fromkeys(path, cause)
    return cause


def _unconnected_roots(plan: Plan) -> Iterator[Problem]:
    """Yield the roots of unconnected trees, each with an edit that makes its drawn pose its actual one."""
    tree = plan.tree
    for i in map(int, tree.unconnected[:MAX_NAMED]):
        name, parent = tree.names[i], tree.names[int(tree.parents[i])]
        message = f"nothing says where it is in {parent}: it is drawn, and there are no numbers between the two trees."
        hint = "If you know where it is, move it there, and take that for known."
        problem = make_problem(
            ("frames", name, "motion"), "unconnected", "not connected", message, hint, severity="note"
        )
        moment = plan.moment(name, plan.start)
        yield problem.with_fix(
            "Take its place for known", set_motion(name, "", moment, f"Connected {name} to {parent}")
        )


def _duplicate_frames(plan: Plan) -> Iterator[Problem]:
    tree, scene = plan.tree, plan.scene
    defined = frozenset[str]().union(*(names(plan) for names in entries(lambda feature: feature.file_frames)))
    first: dict[Hashable, str] = {}
    n = 0
    for i, name in enumerate(tree.names):
        if i == 0 or i not in tree.motions or i in tree.unconnected:
            continue
        frame, still = scene.frames[name], tree.motions[i].still
        if still is not None:
            T, p = (np.round(x, DECIMALS) + 0.0 for x in still)
            place: Hashable = (frame.parent, T.tobytes(), p.tobytes())
        elif isinstance(frame.motion, Simulated):
            continue  # its motion depends on its forces, too
        else:
            place = frame  # pyright: ignore[reportAssignmentType] - frozen models are hashable
        other = first.setdefault(place, name)
        if other == name or (name in defined and other in defined) or _separates_later(scene, name, other):
            continue
        n += 1
        if n > MAX_NAMED:
            return
        what = "the same pose in" if still is not None else "the same motion in"
        message = f"it has {what} {frame.parent} as {other}."
        problem = make_problem(
            ("frames", name), "doubled-frame", "doubled frame", message, "That may be meant.", severity="note"
        )
        yield problem if name in defined else problem.with_fix(f"Merge into {other}", _merge(name, other))


def _separates_later(scene: Scene, name: str, other: str) -> bool:
    """Return whether frames at the same place separate when parameters change, as the fingers of a closed gripper."""
    frames = scene.frames[name], scene.frames[other]
    return frames[0] != frames[1] and any(words_in(frame) & scene.parameters.keys() for frame in frames)


def _merge(name: str, other: str) -> Edit:
    def apply(scene: Scene) -> Scene:
        def new_name(kind: str, old: str) -> str:
            return other if kind == "frames" and old == name else old

        return without_item(with_names(scene, new_name), "frames", name)

    return Edit(f"Merged {name} into {other}", apply)
