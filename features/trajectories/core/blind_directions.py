"""Directions of an alignment of which the motion says nothing, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.conventions.axis_words import axis_name
from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.refinement import BLIND_PART, SLICES, Refined
from framescope.features.trajectories.core.rotation_maps import log_rotations

Part = Literal[
    "body rotation", "body position", "world rotation", "world position", "scale", "clock offset", "clock drift"
]

TURNS = 3.0
"""Size of a turning from which it counts, as a multiple of the noise of orientations."""

LEAST_TURN = 1e-7
"""Size of a turning from which it counts, rad."""

PARALLEL = float(np.cos(np.radians(3.0)))
"""Cosine from which a direction is called by the name of an axis alone."""


@dataclass(frozen=True, eq=False)
class BlindDirection:
    """A part of an alignment that stays unknown.

    Attributes
    ----------
    part
        The part.
    axes : (k, 3)
        Directions of the part that stay unknown, orthonormal: of positions of b in the axes of a; of the rotation of b
        in the axes of b; of the world in those of the reference of a, or of b for its rotation. Empty for a number.
    why
        How the body moves, such as ``"imu turns about one axis only (z of imu)"``.
    what
        The part and its direction in words.
    """

    part: Part
    axes: Array
    why: str
    what: str

    @property
    def text(self) -> str:
        """Sentence that names it."""
        return f"{self.why}: {self.what} stays unknown."


def blind_directions(fit: Refined, a: str, b: str) -> tuple[BlindDirection, ...]:
    """Return the parts that the motion leaves open, the body offset first.

    `a` and `b` are the names of the frames.
    """
    if not fit.blind.shape[1]:
        return ()
    why = motion_in_words(fit, a)
    out: list[BlindDirection] = []
    for part, place in SLICES.items():
        U, d, _ = np.linalg.svd(fit.blind[place], full_matrices=False)
        axes = U[:, d > BLIND_PART * 5].T
        if len(axes):
            what = _what(part, axes, visible_text(a), visible_text(b))
            out.append(BlindDirection(part, axes if len(U) == 3 else np.zeros((0, 3)), why, what))  # type: ignore[arg-type]
    return tuple(out)


def motion_in_words(fit: Refined, a: str) -> str:
    """Return how a moves, such as ``"imu turns about one axis only (+z of imu)"``."""
    name = visible_text(a)
    R = fit.m.R_A[fit.is_used]
    turned = log_rotations(np.swapaxes(R, 1, 2) @ R[len(R) // 2])
    values, axes = np.linalg.eigh(turned.T @ turned / len(R))
    threshold = max(TURNS * fit.noise_angle, LEAST_TURN)
    n = int((np.sqrt(np.maximum(values, 0.0)) > threshold).sum())
    if n == 0:
        p = fit.m.p_A[fit.is_used]
        spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov(p.T)), 0.0)) if len(p) > 1 else np.zeros(3)
        n_ways = int((spread > max(TURNS * fit.noise_position, 1e-9)).sum())
        path = ("and does not move", "and moves along a line", "and moves in a plane", "")[n_ways]
        return f"{name} does not turn {path}".rstrip()
    if n == 1:
        axis = axes[:, -1] * np.sign(axes[np.argmax(np.abs(axes[:, -1])), -1])
        return f"{name} turns about one axis only ({axis_words(axis)} of {name})"
    return f"the motion of {name} is too plain"


def axis_words(v: Array) -> str:
    """Return the name of a direction without its sign, or its components."""
    name = axis_name(v, PARALLEL)
    if len(name) == 2:
        return name[1]
    return "(" + ", ".join(f"{x:.2f}".replace("-", "\N{MINUS SIGN}") for x in v) + ")"


def _what(part: str, axes: Array, a: str, b: str) -> str:
    k = len(axes)
    match part:
        case "body position":
            along = (
                f" along {axis_words(axes[0])} of {a}"
                if k == 1
                else f" in two directions of {a}"
                if k == 2
                else f" on {a}"
            )
            return f"the position of {b}{along}"
        case "body rotation":
            about = f" about {axis_words(axes[0])} of {b}" if k == 1 else ""
            return f"the rotation of {b} on {a}{about}"
        case "world position":
            along = f" along {axis_words(axes[0])}" if k == 1 else " in two directions" if k == 2 else ""
            return f"the position of the world of {b} in that of {a}{along}"
        case "world rotation":
            about = f" about {axis_words(axes[0])}" if k == 1 else ""
            return f"the rotation of the world of {b} in that of {a}{about}"
        case "scale":
            return f"the scale of {b}"
        case "clock offset":
            return "the offset of the clocks"
        case _:
            return "the drift of the clocks"
