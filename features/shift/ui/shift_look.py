"""Look of the terms of a shift: their colours, and the scale of their arrows. Imports no VTK."""

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
"""Symbols of the terms by quantity, as `core.analysis.shift_terms` has them; the last ones only of moving points."""
OF_MOVING = {"v_rel", "2ω×v_rel", "a_rel"}

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
"""Which colour of the theme a term has, in the scene and in the panel: Okabe and Ito's."""
TOTAL_ROLE = "sensor"

SAMPLES = 33
LENGTH = 1.6
"""In axes: how long the largest term is at its usual size, the median over the whole time."""
LONGEST = 5.0
"""In parts of that: how long it is at most."""
_SENSED = {"velocity": ("v", "m/s"), "acceleration": ("a", "m/s²")}


@dataclass(frozen=True)
class ShiftScales:
    """Scales of arrows, m for one unit: of the terms, and of a moment."""

    linear: float
    moment: float = 1.0


@dataclass(frozen=True)
class DrawnShift:
    """A shift and the length of its arrows: all that is drawn depends on."""

    key: ShiftKey
    scales: ShiftScales

    @property
    def look(self) -> tuple[str, ...]:
        """What of it decides on the actors."""
        return self.key.quantity, *symbols_of(self.key)


def _look_of(drawn: DrawnShift | None) -> tuple[str, ...] | None:
    return None if drawn is None else drawn.look


SHIFT = SceneOption[DrawnShift | None](None, _look_of, hides_values=True)
"""What is shown to be shifted, and to which point."""

SHIFT_LIT = SceneOption[bool](False, nothing, is_shared=False)
"""Whether the pointer is over the point of the shift."""


def symbols_of(key: ShiftKey) -> tuple[str, ...]:
    """Return the symbols of the terms of a shift, in the order in which they add up.

    >>> symbols_of(ShiftKey("body")), symbols_of(ShiftKey("body", other="bug"))
    (('v₀', 'ω×r'), ('v₀', 'ω×r', 'v_rel'))
    """
    return tuple(symbol for symbol in TERMS[key.quantity] if key.other or symbol not in OF_MOVING)


def scales_of(plan: Plan, key: ShiftKey) -> ShiftScales:
    """Return how long the arrows of a shift are: as those of the scene, or such that they can be seen at most times."""
    view_data = plan.view_data
    if key.quantity == "force":
        usual = math.hypot(*key.force)
        port = plan.instruments.simulation if key.point else None
        if port is not None:
            sizes = np.linalg.norm(port.port_forces(_times(plan))[key.point].reshape(SAMPLES, -1), axis=1)
            usual = _usual_of(sizes)
        lever = _lever(plan, key)
        linear = view_data.forces or rounded(LENGTH * usual_length(view_data) / (usual or 1.0))
        return ShiftScales(
            linear, view_data.torques or rounded(LENGTH * usual_length(view_data) / (usual * lever or 1.0))
        )
    arrow, _ = _SENSED[key.quantity]
    drawn = (compiled.arrows.get(arrow) for compiled in plan.instruments.sensors.values())
    own = next((length for length in drawn if length is not None), None)
    return ShiftScales(own or rounded(LENGTH * usual_length(view_data) / (_usual_size(plan, key) or 1.0)))


def scale_key(plan: Plan, key: ShiftKey) -> tuple[object, ...]:
    """Return what of a shift its scales depend on: a point that is dragged a little keeps them."""
    force = key.force if key.quantity == "force" else ()
    return key.frame, key.quantity, key.point, key.other, key.about, force, _lever(plan, key)


def rounded(value: float) -> float:
    """Return the number of 1, 2 and 5 times a power of ten that is nearest by its ratio.

    >>> rounded(0.034), rounded(8.0), rounded(1.0), rounded(0.0017)
    (0.05, 10.0, 1.0, 0.002)
    """
    power = math.floor(math.log10(value))
    step = min((1, 2, 5, 10), key=lambda step: abs(math.log(value / 10.0**power / step)))
    return float(f"{step}e{power}")


def scale_text(length: float, unit: str) -> str:
    """Write the scale of arrows.

    >>> scale_text(0.2, "m/s"), scale_text(0.05, "N")
    ('0.2 m per m/s', '50 mm per N')
    """
    return f"{length:.3g} m per {unit}" if length >= 0.1 else f"{1e3 * length:.3g} mm per {unit}"


def _usual_size(plan: Plan, key: ShiftKey) -> float:
    """Return how large the largest term is at most times."""
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
    """Return about how long the lever is, in powers of two of an axis."""
    length = usual_length(plan.view_data)
    far = 0.0 if key.other else float(linear_algebra.length(offset_of(plan, key)))
    return length * 2.0 ** math.ceil(math.log2(max(far / length, 1.0)))


def _times(plan: Plan) -> Array:
    return np.linspace(plan.start, plan.end, SAMPLES)


def _lengths(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1)


def _usual_of(sizes: Array) -> float:
    """Return the usual size of some over time: a kick makes the rest no dots, and is itself not without bounds."""
    finite = sizes[np.isfinite(sizes)]
    return max(median(finite), float(finite.max()) / LONGEST) if finite.size else 0.0
