"""Drag of a frame: which axis, by how much, as which edit, in which words. Knows neither Qt nor VTK."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.pose import shift_frame, turn_frame
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.number_text import MINUS, fixed
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.drag_geometry import Handle, ShiftDrag, TurnDrag, snapped
from framescope.ui.theme.tokens import AXIS_LETTERS
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]
AxesOf = Literal["own", "parent", "world"]
AXES_OF: tuple[AxesOf, ...] = ("own", "parent", "world")

FINE_TURN, COARSE_TURN = math.radians(5.0), math.radians(15.0)
FINE_SHIFT, COARSE_SHIFT = 0.01, 0.10
"""Steps while Shift (fine) or Ctrl (coarse) is held, rad and m."""

KEY_TURN, KEY_SHIFT = math.radians(1.0), 0.001
"""Of one stroke of an arrow key, rad and m."""

TRIAL_TURN, TRIAL_SHIFT = 1e-3, 1e-3


def axes_in_world(plan: Plan, snapshot: Snapshot, name: str, axes_of: AxesOf) -> Array:
    """Return the unit axes that a frame is turned about, as the columns of (3, 3), resolved in world."""
    row = plan.index[name]
    if axes_of == "world":
        return np.eye(3)
    R = snapshot.R_WF[row if axes_of == "own" else plan.tree.parents[row]]
    return R / np.linalg.norm(R, axis=0)


def runs_with_time(plan: Plan, name: str) -> bool:
    """Whether time moves a frame in the world, by itself or by one that it hangs on."""
    row = plan.index[name]
    while row > 0:
        motion = plan.tree.motions.get(row)
        if motion is None or not motion.is_constant:
            return True
        row = int(plan.tree.parents[row])
    return False


class FrameDrag:
    """A turn or a move of one frame about or along one axis, from the pose it has when the gesture begins."""

    def __init__(
        self,
        plan: Plan,
        snapshot: Snapshot,
        name: str,
        axes_of: AxesOf,
        handle: Handle,
        angles: AngleUnit = DEG,
    ) -> None:
        row = plan.index[name]
        parent = int(plan.tree.parents[row])
        self.name, self.handle, self._angles = name, handle, angles
        self.center_W: Array = snapshot.p_WF[row].copy()
        self.e_W: Array = axes_in_world(plan, snapshot, name, axes_of)[:, handle.axis].copy()
        self.amount = 0.0
        self.pauses = runs_with_time(plan, name)
        self.start_W: Array | None = None
        R_WP = snapshot.R_WF[parent]
        e_P = R_WP.T @ self.e_W if np.isfinite(R_WP).all() else self.e_W
        self._e_P = e_P / max(float(np.linalg.norm(e_P)), 1e-12)
        self._moment = plan.moment(name, float(snapshot.t))
        letter = AXIS_LETTERS[handle.axis]
        owner = plan.names[parent] if axes_of == "parent" else WORLD
        self._axis = f"its own {letter}" if axes_of == "own" else f"{letter} of {owner}"
        self._pointer: TurnDrag | ShiftDrag | None = None
        self._scene = plan.scene

    @property
    def refusal(self) -> str:
        """Why the frame cannot be turned or moved so; empty when it can."""
        try:
            self.edit_by(TRIAL_TURN if self.handle.kind == "turn" else TRIAL_SHIFT).apply(self._scene)
        except RefusedError as error:
            verb = "turned" if self.handle.kind == "turn" else "moved"
            return f"{self.name} cannot be {verb} by hand here: {error}"
        return ""

    def press(self, projection: Projection, x: float, y: float) -> None:
        """Begin at a pixel; the camera is held to be as it is until the end."""
        drag = TurnDrag if self.handle.kind == "turn" else ShiftDrag
        self._pointer = drag(projection, self.center_W, self.e_W, x, y)
        if isinstance(self._pointer, TurnDrag):
            self.start_W = self._pointer.start_W

    def move(self, x: float, y: float, *, is_fine: bool = False, is_coarse: bool = False) -> None:
        """Follow the pointer, in steps on demand."""
        if isinstance(self._pointer, TurnDrag):
            step = COARSE_TURN if is_coarse else FINE_TURN if is_fine else 0.0
            self.amount = snapped(self._pointer.angle(x, y), step)
        elif isinstance(self._pointer, ShiftDrag):
            step = COARSE_SHIFT if is_coarse else FINE_SHIFT if is_fine else 0.0
            self.amount = snapped(self._pointer.distance(x, y), step)

    def stroke(self, n: int, *, is_fine: bool = False, is_coarse: bool = False) -> None:
        """Go on by some strokes of a key."""
        is_turn = self.handle.kind == "turn"
        steps = (KEY_TURN, FINE_TURN, COARSE_TURN) if is_turn else (KEY_SHIFT, FINE_SHIFT, COARSE_SHIFT)
        self.amount += n * steps[2 if is_coarse else 1 if is_fine else 0]

    def edit_by(self, amount: float) -> Edit:
        """Return the edit of an amount, rad or m."""
        if self.handle.kind == "turn":
            label = f"Turned {self.name} by {self._number(amount)} about {self._axis}"
            return turn_frame(self.name, self._e_P, amount, self._moment, label)
        label = f"Moved {self.name} by {self._number(amount)} along {self._axis}"
        return shift_frame(self.name, amount * self._e_P, self._moment, label)

    @property
    def edit(self) -> Edit:
        """The edit as it stands."""
        return self.edit_by(self.amount)

    @property
    def texts(self) -> tuple[str, str]:
        """The amount with its sign and unit, and what it is about."""
        sign = "" if fixed(self.amount, 9).startswith(MINUS) else "+"
        preposition = "about" if self.handle.kind == "turn" else "along"
        return sign + self._number(self.amount), f"{preposition} {self._axis}"

    def _number(self, amount: float) -> str:
        if self.handle.kind == "turn":
            return self._angles.text(amount, self._angles.decimals)
        return f"{fixed(amount, 4)} m"
