"""Edits that add a run of the drift laboratory to the scene, and preview a point of a path."""

from __future__ import annotations

import numpy as np

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame, with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, free_name, taken_names
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Rings
from framescope.features.laboratory.core.drift import MATRIX, QUATERNION, DriftSettings
from framescope.features.laboratory.core.rate_expressions import rate_expressions
from framescope.features.laboratory.core.rate_presets import Choice, LaboratoryError, OfFrame, make_rate, motion_of

RINGS = 1.5
"""Radius of the rings of a preview, in lengths of the axes."""

BESIDE = 2.5
"""Distance of the new frame from the frame that it is compared with, in lengths of the axes."""


def integrated_edit(plan: Plan, choice: Choice, settings: DriftSettings, beside: str = "") -> ItemEdit:
    """Return the edit that adds a frame with the integrated orientation of a run.

    Parameters
    ----------
    plan
        Plan of the scene.
    choice
        Angular velocity.
    settings
        Equation, method, step and re-normalisation.
    beside
        Frame next to which the new frame is placed. An `OfFrame` choice uses its own frame instead.

    Raises
    ------
    LaboratoryError
        When a scene does not support the run: an equation of three parameters, re-normalisation every few steps, or a
        rate that is not an expression.

    Notes
    -----
    The new frame has the parent of the frame beside it, and the initial orientation of the rate.
    """
    if settings.equation not in (MATRIX, QUATERNION):
        message = f"A scene integrates matrices and quaternions, not {_equation_text(settings.equation)}."
        raise LaboratoryError(message, "Choose one of these equations.")
    if settings.every > 1:
        hint = "Choose one of these for the frame in the scene."
        raise LaboratoryError("A scene re-normalises after each step or never.", hint)
    scene = plan.scene
    name = choice.name if isinstance(choice, OfFrame) else beside
    w, unit = rate_expressions(choice, scene)
    start = np.array([plan.start])
    of_frame = isinstance(choice, OfFrame)
    T0 = motion_of(plan, name).sample(start).T[0] if of_frame else make_rate(choice, plan).T(start)[0]
    rows = [[float(x) for x in row] for row in T0.round(15) + 0.0]
    orientation = poses.Integrated.model_validate(
        {
            "w": w,
            "unit": unit,
            "equation": "dcm" if settings.equation == MATRIX else "quaternion",
            "method": settings.method,
            "step": Quantity(float(f"{settings.step * 1e3:.12g}"), "ms"),
            "renormalize": settings.every == 1,
            "start": {"form": "matrix", "rows": rows, "maps": "parent to frame"},
        }
    )
    template = scene.frames.get(name) if name != WORLD else None
    parent = template.parent if template is not None else WORLD
    frame = Frame(parent=parent, position=_beside(scene, template), orientation=orientation)
    base_name = f"{name if template is not None else 'run'} by {settings.method}"
    new = free_name(taken_names(scene, "frames"), base_name)

    def apply(scene: Scene) -> Scene:
        return check_sizes(with_item(scene, "frames", new, frame))

    apply(scene)
    return ItemEdit(f"Added {new}, integrated", apply, (("frames", new),))


def on_path_edit(name: str, sequence: str, angles: Array) -> Edit:
    """Return the edit that sets three angles (3,) of a frame, rad, and shows its rings, for a preview on a path."""
    a, b, c = (float(f"{np.degrees(angle):.9g}") for angle in angles)
    orientation = poses.Axes(sequence=sequence, angles=(a, b, c), unit="deg")

    def apply(scene: Scene) -> Scene:
        changed = set_frame(scene, name, orientation=orientation)
        if any(rings.frame == name for rings in scene.view.rings):
            return changed
        axes = scene.view.triad_length
        rings = Rings(frame=name, radius=Quantity(float(f"{RINGS * axes.value:.6g}"), axes.unit))
        view = changed.view.model_copy(update={"rings": (*changed.view.rings, rings)})
        return changed.model_copy(update={"view": view})

    return Edit(f"Turned {name} along a path", apply)


def _beside(scene: Scene, frame: Frame | None) -> poses.Position:
    axes = scene.view.triad_length
    offset = BESIDE * (axes.value if axes.unit in ("m", "mm", "cm", "km") else 0.2)
    unit = axes.unit if axes.unit in ("m", "mm", "cm", "km") else "m"
    position = None if frame is None or frame.motion is not None else frame.position
    if position is None:
        return poses.Position(value=(float(f"{offset:.6g}"), 0.0, 0.0), unit=unit)
    factors = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "km": 1e3}
    by = float(f"{offset * factors[unit] / factors.get(position.unit or 'm', 1.0):.6g}")
    x, y, z = position.value
    shifted = f"{x} + {by:g}" if isinstance(x, str) else float(f"{x + by:.12g}")
    return poses.Position(value=(shifted, y, z), unit=position.unit)


def _equation_text(equation: str) -> str:
    return f"the angles {equation}" if equation.isupper() else f"a {equation}"
