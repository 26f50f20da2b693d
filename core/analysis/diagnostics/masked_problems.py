"""Problems of an item that another problem of the same item masks, so that all faults of a file are listed at once.

Compiling an item stops at its first fault. Wrong units, numbers and axis sequences of a scene are replaced by any valid
ones, and the scene is compiled again to find the faults behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from framescope.core.errors import KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.fields import RefusedValueError, value_at, with_value
from framescope.core.scene.schema.miscounted import Miscounted
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity

MAX_ROUNDS = 4
"""Largest number of masked faults that are found behind one another."""

MAX_FRAMES = 1000
"""Number of frames up to which masked faults are looked for, since the scene is compiled again after each edit."""


def masked_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of items that compiling does not reach because of other problems of these items."""
    scene, problems = plan.scene, plan.problems
    if len(scene.frames) > MAX_FRAMES:
        return
    filled, known = list[KeyPath](), {problem.key_path for problem in problems}
    for _ in range(MAX_ROUNDS):
        before = len(filled)
        for problem in problems:
            with suppress(RefusedValueError, KeyError, AttributeError, TypeError, IndexError):
                filled_scene = _with_fault_filled(scene, problem)
                if filled_scene is not None:
                    scene = filled_scene
                    filled.append(problem.key_path)
        if len(filled) == before:
            return
        compiled = compile_plan(scene, access=plan.context.access, run=lambda _job: None)
        problems = tuple(p for p in compiled.problems if p.key_path not in known and _is_masked(p, filled))
        known |= {problem.key_path for problem in problems}
        yield from problems


def _with_fault_filled(scene: Scene, problem: Problem) -> Scene | None:
    """Return a scene with any valid unit, number or axis sequence at the place of a problem, else None."""
    path = problem.key_path
    value = value_at(scene, path)
    if problem.choices:
        unit = problem.choices[0]
        return with_value(scene, path, str(Quantity(value.value, unit)) if isinstance(value, Quantity) else unit)
    if isinstance(value, Miscounted) and not any(isinstance(entry, tuple) for entry in value):
        numbers = (0.0 if entry != entry else entry for entry in value)  # noqa: PLR0124 - NaN
        return with_value(scene, path, tuple(numbers))
    if path[-1] == "sequence":
        return with_value(scene, path, USUAL_SEQUENCE)
    return None


def _is_masked(problem: Problem, filled: list[KeyPath]) -> bool:
    """Return whether a problem is of an item with a filled fault, and is no consequence of the filling."""
    path = problem.key_path
    is_of_item = any(path[:2] == other[:2] for other in filled)
    return is_of_item and not any(_is_within(path, other) or _is_within(other, path) for other in filled)


def _is_within(path: KeyPath, other: KeyPath) -> bool:
    return path[: len(other)] == other
