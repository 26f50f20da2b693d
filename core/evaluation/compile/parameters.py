"""Compilation of the named parameters of a scene."""

from __future__ import annotations

from framescope.core.errors import ExpressionError, Problem
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.time_functions.expressions import check_parameter_name


def usable_parameters(scene: Scene, problems: list[Problem]) -> FrozenDict[float]:
    """Return the parameters that expressions may use; one whose name cannot be used is added to `problems`."""
    bad: set[str] = set()
    for name in scene.parameters:
        try:
            check_parameter_name(name)
        except ExpressionError as error:
            problems.append(Problem(("parameters", name), error.message, error.hint))
            bad.add(name)
    return FrozenDict({name: value for name, value in scene.parameters.items() if name not in bad})
