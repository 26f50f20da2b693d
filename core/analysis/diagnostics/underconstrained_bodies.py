"""Under-constrained bodies: the motions that their points leave free, and what would hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis
from framescope.core.errors import Problem
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.edits.items import free_name, taken_names
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.points import ForceElement, SpringElement

MAX_POINTS = 6
"""Points of a body whose kinds are tried, in all combinations."""

MAX_TRIED = 80
"""Edits that are tried for a body."""

MAX_BODIES = 20
"""Bodies for which a mend is looked for: that takes its time."""


def with_holding_mends(plan: Plan, problems: list[Diagnosis]) -> list[Diagnosis]:
    """Return problems, those about free motions with their mends."""
    free = [problem for problem in problems if problem.kind == "free-motion"][:MAX_BODIES]
    mended = {id(problem): _with_mend(plan, problem) for problem in free}
    return [mended.get(id(problem), problem) for problem in problems]


def _with_mend(plan: Plan, error_text: Diagnosis) -> Diagnosis:
    """Return a problem of a body that moves freely with the least edit that holds it, where there is one.

    First its points pass on all three directions, as few of them as do; else springs like one that it has join it to
    the same thing at other places. A body that hangs on sources of velocity alone is let be: it may well be a pendulum.
    """
    frame = str(error_text.problem.key_path[1])
    scene = plan.scene
    before = _serious(plan.problems)
    for text, new in islice(_candidates(scene, frame), MAX_TRIED):
        problems = compile_plan(new, access=plan.context.access, run=not_at_all).problems
        if not _serious(problems) <= before or any(_is_of(problem, frame) for problem in problems):
            continue
        changed = {(kind, name): item for kind in ("points", "elements") for name, item in _new_items(scene, new, kind)}
        label = f"Held {frame}"
        return error_text.with_mend(text, Edit(label, lambda scene, changed=changed: _with_items(scene, changed)))
    return error_text


def _candidates(scene: Scene, frame: str) -> Iterator[tuple[str, Scene]]:
    """Yield words for a button and the scene that its edit makes, the least change first."""
    bodies = {name for name, body in scene.bodies.items() if body.frame == frame}
    joins = {name: item for name, item in scene.elements.items() if not isinstance(item, ForceElement)}
    joined = {point for item in joins.values() for point in (item.point, item.to)}
    points = [name for name, point in scene.points.items() if point.body in bodies and name in joined]
    narrow = [name for name in points if scene.points[name].kind != "XYZ"][:MAX_POINTS]
    for n in range(1, len(narrow) + 1):
        for chosen in combinations(narrow, n):
            new = scene
            for name in chosen:
                new = with_item(new, "points", name, scene.points[name].model_copy(update={"kind": "XYZ"}))
            yield f"{chosen[0]} as XYZ" if n == 1 else f"{n} points as XYZ", new
    springs = [(name, item) for name, item in joins.items() if isinstance(item, SpringElement) and item.point in points]
    for name, spring in springs:
        for n in (1, 2):
            yield f"Add {n} spring{'s' * (n > 1)}", _with_springs(scene, name, spring, n)


def _with_springs(scene: Scene, name: str, spring: SpringElement, n: int) -> Scene:
    """Return a scene in which some springs like one join the body at places that are not on a line with its own."""
    point = scene.points[spring.point]
    at: Array = np.array(point.offset.value)
    length = float(np.sqrt((at**2).sum())) or 0.1
    along: Array = at / length if at.any() else np.array([1.0, 0.0, 0.0])
    skew = linear_algebra.skew(along)  # its columns are crosses with the axes
    aside: Array = skew[:, int(np.argmin(np.abs(along)))]
    aside = aside / np.sqrt((aside**2).sum())
    across = skew @ aside
    new = scene
    for direction in (aside, across)[:n]:
        far: Array = -0.5 * at + np.sqrt(0.75) * length * direction
        place = tuple(round(x, 6) + 0.0 for x in far.tolist())
        offset = point.offset.model_copy(update={"value": place})
        point_name = free_name(taken_names(new, "points"), spring.point)
        new = with_item(new, "points", point_name, point.model_copy(update={"kind": "XYZ", "offset": offset}))
        update = {"point": point_name}
        called = free_name(taken_names(new, "elements"), name)
        new = with_item(new, "elements", called, spring.model_copy(update=update))
    if point.kind != "XYZ":
        new = with_item(new, "points", spring.point, point.model_copy(update={"kind": "XYZ"}))
    return new


def _new_items(scene: Scene, new: Scene, kind: str) -> Iterator[tuple[str, Item]]:
    old = getattr(scene, kind)
    for name, item in getattr(new, kind).items():
        if old.get(name) != item:
            yield name, item


def _with_items(scene: Scene, items: dict[tuple[str, str], Item]) -> Scene:
    for (kind, name), item in items.items():
        scene = with_item(scene, kind, name, item)
    return scene


def _serious(problems: tuple[Problem, ...]) -> set[tuple[object, ...]]:
    return {(problem.key_path, problem.message) for problem in problems if problem.severity != "note"}


def _is_of(problem: Problem, frame: str) -> bool:
    return problem.kind == "free-motion" and problem.key_path[1] == frame


def not_at_all(_job: SimulationJob) -> None:
    """Leave a simulation undone: whether a body is held is seen without."""
