"""Doubts about the direction of poses and of orientations, by the motion that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import FramescopeError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.pose_columns import DIRECTIONS, rows_of
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core.choices import Choices, Group, columns_of
from framescope.features.table_import.core.guess_conventions import MATRIX_ALONE

LOOKED_AT = 2000
"""Largest number of rows from which the motion is taken."""

STEPS, LEAST_STEPS = 200, 20
"""Largest and smallest number of steps of the motion."""

BLOCKS = 10
"""Number of stretches of which each is left out once for the standard error."""

CARRIED, OFF_CARRIED = 0.5, 0.25
"""Part of the lever from which positions are carried by the rotation, and how far from all of it that part may be."""

SIGMAS = 2.0
"""Standard errors by which positions are carried by more than `CARRIED`."""

LEAST_OTHER = 0.02
"""Squared steps of the inverse poses, as a fraction of those of the poses, below which the frame only orbits."""

AHEAD, AHEAD_OTHERWISE = 0.45, 0.6
"""Deviation of the travel from one direction of the frame up to which it moves ahead, rad: as it is read, and as read
otherwise."""

STEADIER, STEADIER_THAN_PATH = 1.6, 1.25
"""Factors by which the other reading must hold its direction better than the assumed one, and than the path does."""

LEAST_GAIN = 0.2
"""Least difference of these deviations, rad."""

MORE_THAN_NOISE = 1.5
"""Factor by which the rotation over half the rows must exceed that between neighbours to be more than noise."""

JUMP = 4.0
"""Size of a step, as a multiple of the upper quartile, from which it is a jump."""

MOVING = 0.2
"""Fraction of a fast step from which a step has a direction."""

_NEEDED = ("position", "form", "order", "major", "sequence", "counts", "angle_unit")
"""Decisions without which the poses are not known."""


def doubt_directions(table: MixedTable, choices: Choices, reasons: dict[str, Reason]) -> None:
    """Make the assumed direction of the poses or orientations open if their motion contradicts it.

    Parameters
    ----------
    table, choices
        The table, and the choices for reading it.
    reasons
        Reasons of the choices, in which that of ``"pose"`` or ``"maps"`` is replaced.

    Notes
    -----
    Positions of the parent in the frame are carried by the rotation: with c the position before the rotation,
    ``p = R c``, a step is ``(R₂ - R₁) c + R (c₂ - c₁)``, and the first part has the factor 1 if c does not depend on R,
    but 0 if p does not. A frame that orbits the origin, or that moves ahead in a direction of its own, is no evidence.
    An orientation of the other direction is assumed if the frame would otherwise hold one direction of its own along a
    path that does not.
    """
    if choices.names is not None or len(choices.groups) != 1:
        return
    group = choices.groups[0]
    if not (group.has_position and group.orientation) or any(_is_unknown(reasons, key) for key in _NEEDED):
        return
    motion = _motion(table, choices, group)
    if motion is None:
        return
    if _is_assumed(reasons, "pose") and motion.is_carried:
        other = "parent in frame" if choices.pose == "frame in parent" else "frame in parent"
        reasons["pose"] = _doubted(reasons["pose"], f"perhaps {other}: the rotation carries the positions")
    elif _is_assumed(reasons, "maps") or reasons.get("maps") == MATRIX_ALONE:
        other = next(word for word in DIRECTIONS if word != choices.maps)
        turned = _motion(table, replace(choices, maps=other), group)
        if turned is not None and turned.is_ahead_of(motion):
            reasons["maps"] = _doubted(reasons["maps"], f"perhaps {other}: the frame then points along its path")
        elif turned is not None and reasons["maps"] == MATRIX_ALONE and motion.is_ahead_of(turned):
            reasons["maps"] = Reason("usual, and so the frame points along its path", 0.7)


def _is_unknown(reasons: Mapping[str, Reason], key: str) -> bool:
    return key in reasons and reasons[key].is_doubtful


def _is_assumed(reasons: Mapping[str, Reason], key: str) -> bool:
    return key in reasons and reasons[key].certainty == "assumed"


def _doubted(reason: Reason, evidence: str) -> Reason:
    """Return a reason against which there is evidence."""
    return Reason(f"{evidence}; without that, {reason.text.removesuffix('; numbers cannot tell')}", 0.4)


@dataclass(frozen=True, eq=False)
class _Motion:
    """Poses of a frame: positions p (n, 3), and rotations R (n, 3, 3) into the parent."""

    p: Array
    R: Array

    @property
    def is_carried(self) -> bool:
        """Whether the rotation carries the positions along, as those of the parent in a frame."""
        half = len(self.R) // 2
        if not _median_step(self.R, half) > MORE_THAN_NOISE * _median_step(self.R, 1):
            return False
        c = np.einsum("nji,nj->ni", self.R, self.p)
        steps, own = np.diff(self.p, axis=0), np.diff(c, axis=0)
        lever = np.einsum("nij,nj->ni", np.diff(self.R, axis=0), 0.5 * (c[1:] + c[:-1]))
        is_usual = _are_usual(steps) & _are_usual(own)
        steps, own, lever = steps[is_usual], own[is_usual], lever[is_usual]
        along, size = (_of_blocks((steps * lever).sum(axis=1)), _of_blocks((lever * lever).sum(axis=1)))
        is_orbit = float((own * own).sum()) < LEAST_OTHER * float((steps * steps).sum())
        if is_orbit or not size.sum() - size.max() > 0.0:
            return False
        part = float(along.sum() / size.sum())
        without = (along.sum() - along) / (size.sum() - size)
        error = float(np.sqrt((BLOCKS - 1) / BLOCKS * ((without - without.mean()) ** 2).sum()))
        if not (part - SIGMAS * error >= CARRIED and abs(part - 1.0) <= OFF_CARRIED):
            return False
        inverse = _Motion(-c, linear_algebra.transpose(self.R))
        return self.off_ahead > min(AHEAD, inverse.off_ahead)

    @property
    def off_ahead(self) -> float:
        """RMS deviation of the travel from one direction in the frame, rad."""
        return _spread(np.einsum("nji,nj->ni", self.R[1:-1], self.p[2:] - self.p[:-2]))

    @property
    def off_straight(self) -> float:
        """RMS deviation of the travel from one direction in the parent, rad."""
        return _spread(self.p[2:] - self.p[:-2])

    def is_ahead_of(self, other: _Motion) -> bool:
        """Return whether the frame moves ahead in a direction of its own, and under the other reading does not."""
        off = self.off_ahead
        return (
            off < AHEAD_OTHERWISE
            and other.off_ahead > max(STEADIER * off, off + LEAST_GAIN)
            and self.off_straight > STEADIER_THAN_PATH * off
        )


def _median_step(R: Array, n: int) -> float:
    """Return the median change of rotation matrices over n rows."""
    return median(np.linalg.norm(R[n:] - R[:-n], axis=(1, 2)))


def _are_usual(steps: Array) -> NDArray[np.bool_]:
    """Return flags (n,) of the steps (n, 3) that are no jumps."""
    size = np.linalg.norm(steps, axis=1)
    return size <= JUMP * float(np.quantile(size, 0.75))


def _of_blocks(values: Array) -> Array:
    return np.array([block.sum() for block in np.array_split(values, BLOCKS)])


def _spread(steps: Array) -> float:
    """Return the RMS angle of steps (n, 3) from their mean direction, rad, those that hardly move left out."""
    size = np.linalg.norm(steps, axis=1)
    is_moving = size > max(MOVING * float(np.quantile(size, 0.9)), 1e-12)
    if is_moving.sum() < LEAST_STEPS // 2:
        return np.inf
    mean = np.linalg.norm((steps[is_moving] / size[is_moving, np.newaxis]).mean(axis=0))
    return float(np.sqrt(2.0 * max(1.0 - float(mean), 0.0)))


def _motion(table: MixedTable, choices: Choices, group: Group) -> _Motion | None:
    """Return the motion of the frame in the parent under the choices; None if there are too few poses."""
    names = [column for column in (*group.position, *group.orientation) if column]
    if any(column not in table.numbers for column in names):
        return None
    rows = table.whole_rows(names)[:LOOKED_AT]
    rows = rows[:: max(len(rows) // STEPS, 1)]
    if len(rows) <= LEAST_STEPS:
        return None
    columns = columns_of(choices, group)
    try:
        p, q = rows_of(table.table(names, rows), columns, ("normalise",))
    except FramescopeError:
        return None
    R = linear_algebra.transpose(linear_algebra.matrix_from_quaternion(q))
    if choices.pose == "parent in frame":
        R = linear_algebra.transpose(R)
        p = -np.einsum("nij,nj->ni", R, p)
    return _Motion(p, R) if np.isfinite(p).all() and np.isfinite(R).all() else None
