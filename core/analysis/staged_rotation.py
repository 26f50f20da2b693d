"""Staged rotation: the rotations of an axis sequence, shown one after another at any progress.

Progress counts rotations: 0 is the parent's orientation, 1.6 the complete first rotation and six tenths of the second,
3 the frame's orientation. After each rotation, the axes get another prime: the rotations of XYZ are about x, y′ and z″.

The same three angles about the fixed axes of the parent give the same orientation in the opposite order:
R = Rx(α) Ry(β) Rz(γ) is γ about z, then β about y, then α about x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from framescope.core import frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.frames import Orientation
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.poses import Axes, Position, ThreeAngles
from framescope.core.snapshot import Snapshot

GREEK = ("α", "β", "γ")
PRIMES = ("", "′", "″", "‴")
N_TURNS = 3

NONE = math.radians(0.05)
"""Rotation below which an angle would be written 0.0 and takes no time to play, rad."""

EXAMPLE = (0.6, 0.48, 0.64)
"""Unit vector fixed to the frame, in its coordinates, for showing readings: along no axis, with few digits."""

SETTLED = 1e-9
"""Distance of the progress from a whole number up to which a rotation counts as complete."""

TurnState = Literal["to come", "present", "done"]
TurnAxes = Literal["moving", "fixed"]
"""Axes of the rotations: axes of the frame, which move with the frame, or fixed axes of its parent."""

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class StagedRotation:
    """Frame on its way from its parent's orientation to its own, rotation by rotation.

    Attributes
    ----------
    frame, parent : str
        The rotating frame, and its parent.
    sequence : str
        One of the twelve sequences, such as ``"ZYX"``.
    angles : tuple of float
        Complete angles, rad.
    progress : float
        Number of rotations so far, from 0 to 3.
    position : tuple of float, optional
        Position of the frame's origin in the parent, m; None if the scene states the position separately from the
        orientation.
    turn_axes : str
        ``"moving"``: the first angle is applied first. ``"fixed"``: the last angle is applied first, about an axis of
        the parent.

    Rotations are numbered from 0 to 2 as they are performed; `angles` and `turned` are in the order of the sequence.

    Examples
    --------
    >>> step = StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), 1.5)
    >>> step.turned, step.turn, step.about(1)
    ((0.4, 0.3, 0.0), 1, 'about y′')
    >>> step = replace(step, turn_axes="fixed")
    >>> step.turned, step.order, step.about(0)
    ((0.0, 0.3, 0.2), (2, 1, 0), 'about z')
    """

    frame: str
    parent: str
    sequence: str
    angles: Triple
    progress: float = 0.0
    position: Triple | None = None
    turn_axes: TurnAxes = "moving"

    @property
    def order(self) -> tuple[int, int, int]:
        """Index in the sequence, 0 to 2, of the angle of each rotation."""
        return (0, 1, 2) if self.turn_axes == "moving" else (2, 1, 0)

    @property
    def axes(self) -> tuple[int, int, int]:
        """Axes of the three rotations: 0, 1 or 2."""
        numbers = as_sequence(self.sequence)
        first, second, third = (numbers[k] - 1 for k in self.order)
        return first, second, third

    @property
    def turned(self) -> Triple:
        """Angles of the sequence so far, rad."""
        # Both orders are their own inverses, so `order` also gives the rotation of each angle.
        first, second, third = (angle * self.share(turn) for angle, turn in zip(self.angles, self.order, strict=True))
        return first, second, third

    @property
    def turn(self) -> int:
        """Rotation in progress or just completed: 0, 1 or 2; -1 at the start."""
        return min(max(math.ceil(self.progress - SETTLED) - 1, -1), N_TURNS - 1)

    @property
    def is_at_end(self) -> bool:
        """Whether all three rotations are complete."""
        return self.progress >= N_TURNS

    @property
    def T(self) -> Array:
        """Rotation (3, 3) from the parent into the frame so far: v_F = T @ v_P."""
        return frames.axes_rotations(self.sequence, self.turned).T

    @property
    def stages(self) -> tuple[Array, Array, Array, Array]:
        """Rotations (3, 3) from the frame into the parent: before all rotations, and after each rotation so far."""
        before, first, second, third = (self.at(min(float(count), self.progress)).T.T for count in range(N_TURNS + 1))
        return before, first, second, third

    def turn_axis(self, i: int) -> Array:
        """Return the axis (3,) of rotation `i` as a unit vector in the parent."""
        R = self.stages[i] if self.turn_axes == "moving" else np.eye(3)
        return R[:, self.axes[i]]

    def whole(self, i: int) -> float:
        """Return the complete angle of rotation `i`, rad."""
        return self.angles[self.order[i]]

    def so_far(self, i: int) -> float:
        """Return the current angle of rotation `i`, rad."""
        return self.turned[self.order[i]]

    def letter(self, i: int) -> str:
        """Return the letter of the angle of rotation `i`: α, β or γ."""
        return GREEK[self.order[i]]

    def share(self, i: int) -> float:
        """Return the completed fraction of rotation `i`, from 0 to 1."""
        return min(max(self.progress - i, 0.0), 1.0)

    def state(self, i: int) -> TurnState:
        """Return whether rotation `i` is done, present or to come."""
        if self.progress >= i + 1 - SETTLED:
            return "done"
        return "present" if i == self.turn else "to come"

    # In words

    def axis_name(self, i: int) -> str:
        """Return the axis of rotation `i`, such as ``y′``; axes of the parent have no primes."""
        return "xyz"[self.axes[i]] + (PRIMES[i] if self.turn_axes == "moving" else "")

    def about(self, i: int) -> str:
        """Return the axis of rotation `i` in words, such as ``about y′``."""
        return f"about {self.axis_name(i)}"

    # Steps

    def at(self, progress: float) -> StagedRotation:
        """Return the rotation at another progress, clamped to 0 to 3."""
        return replace(self, progress=min(max(float(progress), 0.0), float(N_TURNS)))

    def next(self) -> StagedRotation:
        """Advance to the end of the rotation in progress, or of the next rotation.

        >>> StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), 1.5).next().progress
        2.0
        """
        return self.at(math.floor(self.progress + SETTLED) + 1)

    def previous(self) -> StagedRotation:
        """Go back to the start of the rotation in progress, or of the previous rotation."""
        return self.at(math.ceil(self.progress - SETTLED) - 1)

    def advance(self, dt: float, seconds_per_turn: float) -> StagedRotation:
        """Advance by `dt` seconds, up to the end; a rotation by a zero angle takes no time.

        >>> StagedRotation("plane", "world", "XYZ", (0.4, 0.0, 0.2), 0.5).advance(1.5, 2.0).progress
        2.25
        """
        progress, remaining = self.progress, dt
        while remaining > 0.0 and progress < N_TURNS:
            i = int(progress)
            needed = 0.0 if abs(self.whole(i)) < NONE else (i + 1 - progress) * seconds_per_turn
            if needed > remaining:
                progress += remaining / seconds_per_turn
                break
            progress, remaining = float(i + 1), remaining - needed
        return self.at(progress)

    # In the scene

    def edit(self) -> Edit:
        """Return a temporary edit that shows the frame at its current progress."""

        def apply(scene: Scene) -> Scene:
            authored = scene.frames[self.frame].orientation
            unit = authored.unit if isinstance(authored, ThreeAngles) and authored.unit else "rad"
            first, second, third = map(math.degrees, self.turned) if unit == "deg" else self.turned
            orientation = Axes(sequence=self.sequence, angles=(first, second, third), unit=unit)
            if self.position is None:
                return set_frame(scene, self.frame, orientation=orientation)
            position = Position(value=self.position, unit="m")
            return set_frame(scene, self.frame, orientation=orientation, position=position, motion=None)

        return Edit(f"Showed {self.frame} turn by turn", apply)


def staged_rotation_of(plan: Plan, snapshot: Snapshot, name: str, read_as: str = "XYZ") -> StagedRotation:
    """Return the staged rotation of a frame at the time of a snapshot, at progress 0.

    Parameters
    ----------
    plan, snapshot
        Unchanged scene, and its snapshot at a scalar time.
    name
        Frame.
    read_as
        Sequence for a frame whose orientation is not an axis sequence.

    Raises
    ------
    ValueError
        When the rotation of the frame cannot be shown; the message states the reason.
    """
    if not name or name == WORLD:
        raise ValueError("Select a frame first, to see its rotation turn by turn")
    frame, row = plan.scene.frames[name], snapshot.index[name]
    if isinstance(frame.motion, Simulated):
        why = f"{name} is simulated. Select a frame that you place, to see its rotation turn by turn"
        raise ValueError(why)  # noqa: TRY004 - a fault of the scene, not of the caller's type
    T = snapshot.T_PF[row]
    if not np.isfinite(T).all():
        raise ValueError(f"{name} has no orientation at this time. Choose a time at which it is in the scene")
    sequence, authored = plan.sequence(name), plan.angles(name, float(snapshot.t))
    if sequence is not None and authored is not None:
        angles = authored[0]
    else:
        sequence, angles = read_as, frames.axes_rotations_angles(Orientation(T, np.zeros(3)), read_as)
    i_parent = int(plan.tree.parents[row])
    p_PF = snapshot.R_WF[i_parent].T @ (snapshot.p_WF[row] - snapshot.p_WF[i_parent])
    position = None if frame.motion is None else _triple(p_PF)
    return StagedRotation(name, frame.parent, sequence, _triple(angles), position=position)


def _triple(v: Array) -> Triple:
    return float(v[0]), float(v[1]), float(v[2])
