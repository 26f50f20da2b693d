"""Checks for frames that stand in the same place twice, and for those that no path from the world reaches or places."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import FrameTree
from framescope.core.scene.edits.base import Edit, without_item
from framescope.core.scene.edits.motion_kind import set_motion
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.references import with_names
from framescope.core.system.features import entries

SAME = 9
"""Decimals to which matrices and metres of one place agree."""

MAX_NAMED = 200
"""Frames of one kind of problem that are told one by one."""


def frame_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield a problem for each frame that nothing reaches or places, or that doubles another one."""
    yield from _unreachable(plan)
    yield from _unconnected(plan)
    yield from _doubled(plan)


def _unreachable(plan: Plan) -> Iterator[Diagnosis]:
    """Yield what hangs on a frame without a pose; why that has none is said already."""
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
            why = "is in a circle of parents" if is_in_circle else "hangs on nothing"
        n += 1
        if n > MAX_NAMED:
            return
        message = f"it is not drawn: {tree.names[culprit]}, which it hangs on, {why}."
        place, hint = ("frames", name, "parent"), f"Fix {tree.names[culprit]} first."
        yield found(place, "unreachable", "not reached", message, hint)


def _cause(tree: FrameTree, i: int, causes: dict[int, int]) -> int:
    """Return the row above another that has no pose of its own, or no parent, as frames in a circle have none.

    What is found on the way is kept in `causes`: each frame is passed once.
    """
    path: list[int] = []
    row = i
    while row not in causes and row in tree.motions and int(tree.parents[row]) >= 0:
        path.append(row)
        row = int(tree.parents[row])
    cause = causes.get(row, row)
    causes |= dict.fromkeys(path, cause)
    return cause


def _unconnected(plan: Plan) -> Iterator[Diagnosis]:
    """Yield the roots of trees whose place nobody knows, with the edit by which where they are drawn is their place."""
    tree = plan.tree
    for i in map(int, tree.unconnected[:MAX_NAMED]):
        name, parent = tree.names[i], tree.names[int(tree.parents[i])]
        message = f"nothing says where it is in {parent}: it is drawn, and there are no numbers between the two trees."
        hint = "If you know where it is, move it there, and take that for known."
        one = found(("frames", name, "motion"), "unconnected", "not connected", message, hint, severity="note")
        moment = plan.moment(name, plan.start)
        yield one.with_mend("Take its place for known", set_motion(name, "", moment, f"Connected {name} to {parent}"))


def _doubled(plan: Plan) -> Iterator[Diagnosis]:
    tree, scene = plan.tree, plan.scene
    defined = frozenset[str]().union(*(names(plan) for names in entries(lambda feature: feature.file_frames)))
    first: dict[Hashable, str] = {}
    n = 0
    for i, name in enumerate(tree.names):
        if i == 0 or i not in tree.motions or i in tree.unconnected:
            continue
        frame, still = scene.frames[name], tree.motions[i].still
        if still is not None:
            T, p = (np.round(x, SAME) + 0.0 for x in still)
            place: Hashable = (frame.parent, T.tobytes(), p.tobytes())
        elif isinstance(frame.motion, Simulated):
            continue  # what it does is said by its forces, too
        else:
            place = frame  # pyright: ignore[reportAssignmentType] - frozen models are hashable
        other = first.setdefault(place, name)
        if other == name or (name in defined and other in defined) or _parts_later(scene, name, other):
            continue
        n += 1
        if n > MAX_NAMED:
            return
        what = "the same pose in" if still is not None else "the same motion in"
        message = f"it has {what} {frame.parent} as {other}."
        one = found(("frames", name), "doubled-frame", "doubled frame", message, "That may be meant.", severity="note")
        yield one if name in defined else one.with_mend(f"Merge into {other}", _merge(name, other))


def _parts_later(scene: Scene, name: str, other: str) -> bool:
    """Return whether two frames that stand in one place part with parameters, as two fingers that are closed."""
    one, two = scene.frames[name], scene.frames[other]
    return one != two and any(words_in(frame) & scene.parameters.keys() for frame in (one, two))


def _merge(name: str, other: str) -> Edit:
    def apply(scene: Scene) -> Scene:
        def new_name(kind: str, old: str) -> str:
            return other if kind == "frames" and old == name else old

        return without_item(with_names(scene, new_name), "frames", name)

    return Edit(f"Merged {name} into {other}", apply)
