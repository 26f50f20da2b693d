"""Shapes in a result of Dymola: variables of a visualizer component, with the kind of shape as a number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.errors import Problem
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_shapes import ResultShape, directions

_KIND = ".Form"

FORMS = {
    101: "box",
    102: "sphere",
    103: "cylinder",
    104: "cone",
    105: "pipe",
    106: "beam",
    108: "gearwheel",
    110: "pipecylinder",
    111: "spring",
}
"""Kinds of shapes by number."""

_FORM_UNIT, _FORM_ZERO = 1e20, 987_000


def shapes_of(result: ResultFile) -> Iterator[ResultShape | Problem]:
    """Yield the shapes of a result, and problems for shapes that cannot be drawn."""
    for key in result.places:
        if not key.endswith(_KIND):
            continue
        name = key[: -len(_KIND)]
        if not all(result.has_vector(f"{name}.{part}") for part in ("rxvisobj", "ryvisobj", "rvisobj", "size")):
            continue
        number = round(float(result.values(key)[0]) / _FORM_UNIT) - _FORM_ZERO
        kind = FORMS.get(number)
        if kind is None:
            message = f"{name} is drawn from a file, or has a form that is not known ({number})."
            yield Problem((), message, "It is left out.", "note", kind="modelica-shape")
            continue
        x, y = result.vector(f"{name}.rxvisobj"), result.vector(f"{name}.ryvisobj")
        extra = result.values(f"{name}.Extra") if f"{name}.Extra" in result.places else np.zeros(len(x))
        yield ResultShape(
            name, kind, directions(x, y), result.vector(f"{name}.rvisobj"), result.vector(f"{name}.size"), extra
        )
