"""Under-constrained bodies: motions left free by their points, and edits that constrain them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

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
"""Largest number of points of a body whose kinds are tried, in all combinations."""

MAX_TRIED = 80
"""Largest number of edits tried for a body."""

MAX_BODIES = 20
"""Largest number of bodies for which a fix is searched, which takes time."""


def with_holding_fixes(plan: Plan, problems: list[Problem]) -> list[Problem]:
    """Add fixes to the problems about free motions."""
    free = [problem for problem in problems if problem.kind == "free-motion"][:MAX_BODIES]
    fixed = {id(problem): _with_fix(plan, problem) for problem in free}
    return [fixed.get(id(problem), problem) for problem in problems]


def _with_fix(plan: Plan, problem: Problem) -> Problem:
    """Add the smallest edit that constrains a body to the problem of its free motion, if there is one.

    First, as few of its points as needed become XYZ points, which transmit all three directions. Otherwise, copies of
    one of its springs connect it to the same partner at other places. A body that is only on velocity sources gets no
    springs: it may be a pendulum.
    """
    frame = str(problem.key_path[1])
    scene = plan.scene
    before = _serious(plan.problems)
    for text, new in islice(_candidates(scene, frame), MAX_TRIED):
        problems = compile_plan(new, access=plan.context.access, run=not_at_all).problems
        if not _serious(problems) <= before or any(_is_of(problem, frame) for problem in problems):
            continue
        changed = {(kind, name): item for kind in ("points", "elements") for name, item in _new_items(scene, new, kind)}
        label = f"Held {frame}"
        return problem.with_fix(text, Edit(label, lambda scene, changed=changed: _with_items(scene, changed)))
    return problem


def _candidates(scene: Scene, frame: str) -> Iterator[tuple[str, Scene]]:
    """Yield button labels with the scenes that their edits give, the smallest change first."""
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
    """Add `n` springs like a given one, at places of the body that are not in line with it."""
    point = scene.points[spring.point]
    at: Array = np.array(point.offset.value)
    length = float(np.sqrt((at**2).sum())) or 0.1
    along: Array = at / length if at.any() else np.array([1.0, 0.0, 0.0])
    skew = linear_algebra.skew(along)  # its columns are cross products with the axes
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
    """Skip a simulation: compiling suffices to see whether a body is constrained."""
