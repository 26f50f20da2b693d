"""Staged rotation: an axis sequence shown one turn after another, at any progress.

Progress counts turns: 0 is the parent's orientation, 1.6 the whole first turn and six tenths of the second, 3 the
frame as it stands. After each turn the axes get one more prime: the turns of XYZ are about x, y′ and z″.

The same three angles about the axes of the parent, which stay, come to the same frame when they are taken the other
way round: R = Rx(α) Ry(β) Rz(γ) is γ about z, then β about y, then α about x.
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
from framescope.core.scene.schema.poses import Axes, Position
from framescope.core.snapshot import Snapshot

GREEK = ("α", "β", "γ")
PRIMES = ("", "′", "″", "‴")
N_TURNS = 3

NONE = math.radians(0.05)
"""A turn below this is none: it would be written 0.0, and takes no time to play."""

EXAMPLE = (0.6, 0.48, 0.64)
"""A unit vector fixed to the frame, in its coordinates, on which readings are shown: no axis, and of few digits."""

SETTLED = 1e-9
"""Progress this near to a whole number is there."""

TurnState = Literal["to come", "present", "done"]
TurnAxes = Literal["moving", "fixed"]
"""Whether the turns are about the axes of the frame, which move with it, or about those of its parent."""

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class StagedRotation:
    """A frame on its way from its parent's orientation to its own, turn by turn.

    Attributes
    ----------
    frame, parent : str
        Which frame turns, and in which.
    sequence : str
        One of the twelve, such as ``"ZYX"``.
    angles : tuple of float
        The three angles as set, rad.
    progress : float
        Turns so far, from 0 to 3.
    position : tuple of float, optional
        Where its origin stands in the parent, m; None where the scene says so apart from the orientation.
    turn_axes : str
        ``"moving"``: the first angle is turned first. ``"fixed"``: the last one is, about an axis of the parent.

    Turns are counted as they are done, from 0 to 2; `angles` and `turned` keep the order of the sequence.

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
        """Which angle of the sequence, 0 to 2, each of the three turns is."""
        return (0, 1, 2) if self.turn_axes == "moving" else (2, 1, 0)

    @property
    def axes(self) -> tuple[int, int, int]:
        """The axes of the three turns: 0, 1 or 2."""
        numbers = as_sequence(self.sequence)
        first, second, third = (numbers[k] - 1 for k in self.order)
        return first, second, third

    @property
    def turned(self) -> Triple:
        """The three angles of the sequence so far, rad."""
        # Both orders are their own inverse: the turn of an angle is the angle of that turn.
        first, second, third = (angle * self.share(turn) for angle, turn in zip(self.angles, self.order, strict=True))
        return first, second, third

    @property
    def turn(self) -> int:
        """Which turn goes on or has just ended: 0, 1 or 2; -1 at the start, before all of them."""
        return min(max(math.ceil(self.progress - SETTLED) - 1, -1), N_TURNS - 1)

    @property
    def is_at_end(self) -> bool:
        """Whether all three turns are done."""
        return self.progress >= N_TURNS

    @property
    def T(self) -> Array:
        """Rotation (3, 3) from the parent into the frame so far: v_F = T @ v_P."""
        return frames.axes_rotations(self.sequence, self.turned).T

    @property
    def stages(self) -> tuple[Array, Array, Array, Array]:
        """Rotations (3, 3) from the frame into the parent before all turns, and after each as far as it has come."""
        before, first, second, third = (self.at(min(float(count), self.progress)).T.T for count in range(N_TURNS + 1))
        return before, first, second, third

    def turn_axis(self, i: int) -> Array:
        """Return the unit vector (3,) that turn `i` is about, resolved in the parent."""
        R = self.stages[i] if self.turn_axes == "moving" else np.eye(3)
        return R[:, self.axes[i]]

    def whole(self, i: int) -> float:
        """Return the angle of turn `i` as set, rad."""
        return self.angles[self.order[i]]

    def so_far(self, i: int) -> float:
        """Return the angle of turn `i` so far, rad."""
        return self.turned[self.order[i]]

    def letter(self, i: int) -> str:
        """Return the letter of the angle of turn `i`: α, β or γ."""
        return GREEK[self.order[i]]

    def share(self, i: int) -> float:
        """Return how much of turn `i` is done, from 0 to 1."""
        return min(max(self.progress - i, 0.0), 1.0)

    def state(self, i: int) -> TurnState:
        """Return whether turn `i` is done, goes on, or is still to come."""
        if self.progress >= i + 1 - SETTLED:
            return "done"
        return "present" if i == self.turn else "to come"

    # In words

    def axis_name(self, i: int) -> str:
        """Return the axis of turn `i`, such as ``y′``; one of the parent has no primes."""
        return "xyz"[self.axes[i]] + (PRIMES[i] if self.turn_axes == "moving" else "")

    def about(self, i: int) -> str:
        """Return what turn `i` is about, such as ``about y′``."""
        return f"about {self.axis_name(i)}"

    # Steps

    def at(self, progress: float) -> StagedRotation:
        """Return the same rotation at another progress, held between 0 and 3."""
        return replace(self, progress=min(max(float(progress), 0.0), float(N_TURNS)))

    def next(self) -> StagedRotation:
        """Go to the end of the turn that goes on, or of the next one.

        >>> StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), 1.5).next().progress
        2.0
        """
        return self.at(math.floor(self.progress + SETTLED) + 1)

    def previous(self) -> StagedRotation:
        """Go back to the start of the turn that goes on, or of the one before."""
        return self.at(math.ceil(self.progress - SETTLED) - 1)

    def advance(self, dt: float, seconds_per_turn: float) -> StagedRotation:
        """Go on for `dt` seconds, up to the end; a turn about nothing takes no time.

        >>> StagedRotation("plane", "world", "XYZ", (0.4, 0.0, 0.2), 0.5).advance(1.5, 2.0).progress
        2.25
        """
        progress, left = self.progress, dt
        while left > 0.0 and progress < N_TURNS:
            i = int(progress)
            needed = 0.0 if abs(self.whole(i)) < NONE else (i + 1 - progress) * seconds_per_turn
            if needed > left:
                progress += left / seconds_per_turn
                break
            progress, left = float(i + 1), left - needed
        return self.at(progress)

    # In the scene

    def edit(self) -> Edit:
        """Return the edit that lets the frame stand where it is so far; made to be shown, not to be kept."""

        def apply(scene: Scene) -> Scene:
            authored = scene.frames[self.frame].orientation
            unit = authored.unit if isinstance(authored, Axes) and authored.unit else "rad"
            first, second, third = map(math.degrees, self.turned) if unit == "deg" else self.turned
            orientation = Axes(sequence=self.sequence, angles=(first, second, third), unit=unit)
            if self.position is None:
                return set_frame(scene, self.frame, orientation=orientation)
            position = Position(value=self.position, unit="m")
            return set_frame(scene, self.frame, orientation=orientation, position=position, motion=None)

        return Edit(f"Showed {self.frame} turn by turn", apply)


def staged_rotation_of(plan: Plan, snapshot: Snapshot, name: str, read_as: str = "XYZ") -> StagedRotation:
    """Return the rotation of a frame at the time of a snapshot, at its start.

    Parameters
    ----------
    plan, snapshot
        The scene as authored, and a scalar time of it.
    name
        The frame.
    read_as
        The sequence in which to read a frame that is authored in another form.

    Raises
    ------
    ValueError
        When the frame has no rotation that could be shown, with a sentence that says why.
    """
    if not name or name == WORLD:
        raise ValueError("Select a frame first, to see its rotation turn by turn")
    frame, row = plan.scene.frames[name], snapshot.index[name]
    if isinstance(frame.motion, Simulated):
        why = f"{name} is simulated. Select a frame that you place, to see its rotation turn by turn"
        raise ValueError(why)  # noqa: TRY004 - the scene has it so, no caller passes it
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
