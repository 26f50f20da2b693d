"""Colours of the terms of a shift, and scales of their arrows. Imports no VTK."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.shifts import ShiftKey, offset_of
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.round_numbers import round_by_ratio
from framescope.core.kernels.validation import median
from framescope.core.scene.schema.model import WORLD
from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.geometry.default_sizes import usual_length

Array = NDArray[np.float64]

TERMS = {
    "velocity": ("v₀", "ω×r", "v_rel"),
    "acceleration": ("a₀", "b×r", "ω×(ω×r)", "2ω×v_rel", "a_rel"),
    "force": ("f", "r×f"),
}
"""Symbols of the terms by quantity, as in `core.analysis.shift_terms`."""
OF_MOVING = {"v_rel", "2ω×v_rel", "a_rel"}
"""Symbols of the terms that only moving points have."""

UNITS = {"velocity": "m/s", "acceleration": "m/s²", "force": "N"}
MOMENT = "N m"
TOTALS = {"velocity": "v", "acceleration": "a", "force": "M"}

ROLES = {
    "v₀": "text",
    "a₀": "text",
    "ω×r": "omega",
    "b×r": "omega",
    "ω×(ω×r)": "good",
    "2ω×v_rel": "force",
    "v_rel": "frame_a",
    "a_rel": "frame_a",
    "f": "force",
    "r×f": "omega",
}
"""Colour roles of the terms, in the scene and in the panel: the palette of Okabe and Ito."""
TOTAL_ROLE = "sensor"
"""Colour role of the sum."""

SAMPLES = 33
"""Number of times at which the size of terms is evaluated."""
LENGTH = 1.6
"""Length of the largest term at its usual size, the median over the time range, in lengths of the axes."""
LONGEST = 5.0
"""Largest length of a term, relative to its usual length."""
_SENSED = {"velocity": ("v", "m/s"), "acceleration": ("a", "m/s²")}


@dataclass(frozen=True)
class ShiftScales:
    """Scales of the arrows of terms and of moments, m per unit."""

    linear: float
    moment: float = 1.0


@dataclass(frozen=True)
class DrawnShift:
    """Shift and scales of its arrows, which determine the drawing."""

    key: ShiftKey
    scales: ShiftScales

    @property
    def look(self) -> tuple[str, ...]:
        """Properties that determine the actors."""
        return self.key.quantity, *symbols_of(self.key)


def _look_of(drawn: DrawnShift | None) -> tuple[str, ...] | None:
    return None if drawn is None else drawn.look


SHIFT = SceneOption[DrawnShift | None](None, _look_of, hides_values=True)
"""Shift that the scene shows; None for none."""

SHIFT_LIT = SceneOption[bool](False, nothing, is_shared=False)
"""Whether the pointer is over the point of the shift."""


def symbols_of(key: ShiftKey) -> tuple[str, ...]:
    """Return the symbols of the terms of a shift, in the order of the sum.

    >>> symbols_of(ShiftKey("body")), symbols_of(ShiftKey("body", other="bug"))
    (('v₀', 'ω×r'), ('v₀', 'ω×r', 'v_rel'))
    """
    return tuple(symbol for symbol in TERMS[key.quantity] if key.other or symbol not in OF_MOVING)


def scales_of(plan: Plan, key: ShiftKey) -> ShiftScales:
    """Return the scales of a shift's arrows: the scales of the scene, or scales at which they are usually visible."""
    view_data = plan.view_data
    if key.quantity == "force":
        usual = math.hypot(*key.force)
        port = plan.instruments.simulation if key.point else None
        if port is not None:
            sizes = np.linalg.norm(port.port_forces(_times(plan))[key.point].reshape(SAMPLES, -1), axis=1)
            usual = _usual_of(sizes)
        lever = _lever(plan, key)
        linear = view_data.forces or round_by_ratio(LENGTH * usual_length(view_data) / (usual or 1.0))
        return ShiftScales(
            linear, view_data.torques or round_by_ratio(LENGTH * usual_length(view_data) / (usual * lever or 1.0))
        )
    arrow, _ = _SENSED[key.quantity]
    drawn = (compiled.arrows.get(arrow) for compiled in plan.instruments.sensors.values())
    own = next((length for length in drawn if length is not None), None)
    return ShiftScales(own or round_by_ratio(LENGTH * usual_length(view_data) / (_usual_size(plan, key) or 1.0)))


def scale_key(plan: Plan, key: ShiftKey) -> tuple[object, ...]:
    """Return the properties of a shift that determine its scales. A short drag of the point does not change them."""
    force = key.force if key.quantity == "force" else ()
    return key.frame, key.quantity, key.point, key.other, key.about, force, _lever(plan, key)


def scale_text(length: float, unit: str) -> str:
    """Format the scale of arrows.

    >>> scale_text(0.2, "m/s"), scale_text(0.05, "N")
    ('0.2 m per m/s', '50 mm per N')
    """
    return f"{length:.3g} m per {unit}" if length >= 0.1 else f"{1e3 * length:.3g} mm per {unit}"


def _usual_size(plan: Plan, key: ShiftKey) -> float:
    """Return the usual size of the largest term over time."""
    frames = {name for name in key.frames if name in plan.index}
    if key.frame not in frames:
        return 0.0
    snapshot = evaluate_tree(subtree(plan.tree, frames), _times(plan))
    i, lever = snapshot.index[key.frame], _lever(plan, key)
    with np.errstate(invalid="ignore", over="ignore"):
        w = _lengths(snapshot.w_WF_F[:, i])
        moving = key.other in frames
        if key.quantity == "velocity":
            sizes = [_lengths(snapshot.v_WF[:, i]), w * lever]
            if moving:
                sizes.append(_lengths(relative_motion.relative_velocity(snapshot, key.other, key.frame, WORLD)[:, 3:]))
        else:
            sizes = [_lengths(snapshot.a_WF[:, i]), _lengths(snapshot.b_WF_F[:, i]) * lever, w**2 * lever]
            if moving:
                sizes.append(
                    _lengths(relative_motion.relative_acceleration(snapshot, key.other, key.frame, WORLD)[:, 3:])
                )
    return _usual_of(np.max(sizes, axis=0))


def _lever(plan: Plan, key: ShiftKey) -> float:
    """Return the length of the lever, m, rounded up to a power of two of the length of an axis."""
    length = usual_length(plan.view_data)
    far = 0.0 if key.other else float(linear_algebra.length(offset_of(plan, key)))
    return length * 2.0 ** math.ceil(math.log2(max(far / length, 1.0)))


def _times(plan: Plan) -> Array:
    return np.linspace(plan.start, plan.end, SAMPLES)


def _lengths(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1)


def _usual_of(sizes: Array) -> float:
    """Return the median of sizes over time, but at least the maximum divided by `LONGEST`, which bounds a peak."""
    finite = sizes[np.isfinite(sizes)]
    return max(median(finite), float(finite.max()) / LONGEST) if finite.size else 0.0
