"""Drag of a frame: its axis, amount, edit and texts. Knows neither Qt nor VTK."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import JointValue
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.joints import joint_title, set_joint
from framescope.core.scene.edits.pose import shift_frame, turn_frame
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.number_text import MINUS, fixed
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.drag_geometry import JOINT, Handle, HandleAxes, ShiftDrag, TurnDrag, snap
from framescope.ui.theme.tokens import AXIS_LETTERS
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]
AxesOf = Literal["own", "parent", "world"]
AXES_OF: tuple[AxesOf, ...] = ("own", "parent", "world")

FINE_TURN, COARSE_TURN = math.radians(5.0), math.radians(15.0)
FINE_SHIFT, COARSE_SHIFT = 0.01, 0.10
"""Steps while Shift (fine) or Ctrl (coarse) is pressed, rad and m."""

KEY_TURN, KEY_SHIFT = math.radians(1.0), 0.001
"""Step of one press of an arrow key, rad and m."""

TRIAL_TURN, TRIAL_SHIFT = 1e-3, 1e-3

AT_BOUND = 1e-9
"""Distance below which a joint counts as at its bound, rad or m."""

NumberText = Callable[[float], str]
"""Function that formats an amount with its unit."""


def axes_in_world(plan: Plan, snapshot: Snapshot, name: str, axes_of: AxesOf) -> Array:
    """Return the unit axes about which a frame is turned, as columns (3, 3), in world."""
    row = plan.index[name]
    if axes_of == "world":
        return np.eye(3)
    R = snapshot.R_WF[row if axes_of == "own" else plan.tree.parents[row]]
    return R / np.linalg.norm(R, axis=0)


def runs_with_time(plan: Plan, name: str) -> bool:
    """Return whether time moves a frame in the world, by its own motion or by an ancestor's."""
    row = plan.index[name]
    while row > 0:
        motion = plan.tree.motions.get(row)
        if motion is None or not motion.is_constant:
            return True
        row = int(plan.tree.parents[row])
    return False


def handle_axes(plan: Plan, snapshot: Snapshot, name: str, axes_of: AxesOf) -> HandleAxes:
    """Return the axes about and along which a frame is dragged: x, y and z, or its joint's axis alone."""
    joint = _joint_of(plan, name)
    if joint is None:
        xyz = axes_in_world(plan, snapshot, name, axes_of)
        can = np.array([True, True, True, False])
        return HandleAxes(np.column_stack([xyz, xyz[:, 2]]), can, can)
    e_W = snapshot.R_WF[plan.index[name]] @ joint.axis  # the same coordinates before and after the joint
    can = np.arange(JOINT + 1) == JOINT
    axes = np.column_stack([np.eye(3), e_W / np.linalg.norm(e_W)])
    return HandleAxes(axes, can & joint.is_revolute, can & (not joint.is_revolute))


def joint_handle(plan: Plan, name: str) -> Handle | None:
    """Return the one handle of a frame that a joint moves; None without a joint."""
    joint = _joint_of(plan, name)
    return None if joint is None else Handle("turn" if joint.is_revolute else "shift", JOINT)


def _joint_of(plan: Plan, name: str) -> JointValue | None:
    motion = plan.tree.motions.get(plan.index[name])
    return None if motion is None else motion.joint


class PoseChange:
    """A turn or move of a frame within its parent, by an amount about or along an axis."""

    def __init__(
        self, plan: Plan, snapshot: Snapshot, name: str, axes_of: AxesOf, handle: Handle, sequence: str
    ) -> None:
        parent = int(plan.tree.parents[plan.index[name]])
        self._name, self._is_turn = name, handle.kind == "turn"
        R_WP, e_W = snapshot.R_WF[parent], axes_in_world(plan, snapshot, name, axes_of)[:, handle.axis]
        e_P = R_WP.T @ e_W if np.isfinite(R_WP).all() else e_W
        self._e_P: Array = e_P / max(float(np.linalg.norm(e_P)), 1e-12)
        self._moment = plan.moment(name, float(snapshot.t), sequence)
        letter, owner = AXIS_LETTERS[handle.axis], plan.names[parent] if axes_of == "parent" else WORLD
        self._axis = f"its own {letter}" if axes_of == "own" else f"{letter} of {owner}"

    def within(self, amount: float) -> float:
        """Return the amount unchanged: the frame has no bounds."""
        return amount

    def edit(self, amount: float, text: NumberText) -> Edit:
        """Return the edit for an amount, rad or m."""
        if self._is_turn:
            label = f"Turned {self._name} by {text(amount)} about {self._axis}"
            return turn_frame(self._name, self._e_P, amount, self._moment, label)
        label = f"Moved {self._name} by {text(amount)} along {self._axis}"
        return shift_frame(self._name, amount * self._e_P, self._moment, label)

    def about(self, _amount: float, _text: NumberText) -> str:
        """Return the axis in words: "about …" or "along …"."""
        return f"{'about' if self._is_turn else 'along'} {self._axis}"


class JointChange:
    """A turn or move of a joint's child, by an amount of the joint's value, within its bounds."""

    def __init__(self, plan: Plan, name: str, joint: JointValue, t: float) -> None:
        self._name, self._joint, self._title = name, joint, joint_title(plan.scene.frames[name], name)
        self._begin = joint.at(t)

    def within(self, amount: float) -> float:
        """Clamp an amount to the joint's bounds; a joint already outside moves no further out."""
        least, most = min(self._joint.lower - self._begin, 0.0), max(self._joint.upper - self._begin, 0.0)
        return min(max(amount, least), most)

    def edit(self, amount: float, text: NumberText) -> Edit:
        """Return the edit for an amount, rad or m."""
        value = self._begin + amount
        return set_joint(self._name, value, f"Set joint {self._title} to {text(value)}")

    def about(self, amount: float, text: NumberText) -> str:
        """Return the joint's title and value, and its bound if it is at one."""
        value = self._begin + amount
        ends = ((self._joint.upper, "upper"), (self._joint.lower, "lower"))
        bound = next((f", its {side} bound" for end, side in ends if abs(value - end) < AT_BOUND), "")
        return f"{self._title} at {text(value)}{bound}"


class FrameDrag:
    """A turn or move of one frame about or along one axis, from its pose at the start of the gesture."""

    def __init__(
        self,
        plan: Plan,
        snapshot: Snapshot,
        name: str,
        axes_of: AxesOf,
        handle: Handle,
        angles: AngleUnit = DEG,
        sequence: str = USUAL_SEQUENCE,
    ) -> None:
        self.name, self.handle, self._angles = name, handle, angles
        self.center_W: Array = snapshot.p_WF[plan.index[name]].copy()
        self.e_W: Array = handle_axes(plan, snapshot, name, axes_of).e_W[:, handle.axis].copy()
        self.amount = 0.0
        self.pauses = runs_with_time(plan, name)
        self.start_W: Array | None = None
        joint = _joint_of(plan, name)
        self._change: PoseChange | JointChange = (
            PoseChange(plan, snapshot, name, axes_of, handle, sequence)
            if joint is None
            else JointChange(plan, name, joint, float(snapshot.t))
        )
        self._pointer: TurnDrag | ShiftDrag | None = None
        self._scene = plan.scene

    @property
    def refusal(self) -> str:
        """Reason why the frame cannot be turned or moved this way; empty if it can."""
        try:
            self.edit_by(TRIAL_TURN if self.handle.kind == "turn" else TRIAL_SHIFT).apply(self._scene)
        except RefusedError as error:
            verb = "turned" if self.handle.kind == "turn" else "moved"
            return f"{self.name} cannot be {verb} by hand here: {error}"
        return ""

    def press(self, projection: Projection, x: float, y: float) -> None:
        """Begin at a pixel; the camera must stay unchanged until the end."""
        drag = TurnDrag if self.handle.kind == "turn" else ShiftDrag
        self._pointer = drag(projection, self.center_W, self.e_W, x, y)
        if isinstance(self._pointer, TurnDrag):
            self.start_W = self._pointer.start_W

    def move(self, x: float, y: float, *, is_fine: bool = False, is_coarse: bool = False) -> None:
        """Follow the pointer, in fine or coarse steps on request."""
        if isinstance(self._pointer, TurnDrag):
            step = COARSE_TURN if is_coarse else FINE_TURN if is_fine else 0.0
            self.amount = self._change.within(snap(self._pointer.angle(x, y), step))
        elif isinstance(self._pointer, ShiftDrag):
            step = COARSE_SHIFT if is_coarse else FINE_SHIFT if is_fine else 0.0
            self.amount = self._change.within(snap(self._pointer.distance(x, y), step))

    def stroke(self, n: int, *, is_fine: bool = False, is_coarse: bool = False) -> None:
        """Change the amount by n presses of a key."""
        is_turn = self.handle.kind == "turn"
        steps = (KEY_TURN, FINE_TURN, COARSE_TURN) if is_turn else (KEY_SHIFT, FINE_SHIFT, COARSE_SHIFT)
        self.amount = self._change.within(self.amount + n * steps[2 if is_coarse else 1 if is_fine else 0])

    def edit_by(self, amount: float) -> Edit:
        """Return the edit for an amount, rad or m."""
        return self._change.edit(amount, self._number)

    @property
    def edit(self) -> Edit:
        """The edit for the current amount."""
        return self.edit_by(self.amount)

    @property
    def texts(self) -> tuple[str, str]:
        """The amount with sign and unit, and the axis or joint in words."""
        sign = "" if fixed(self.amount, 9).startswith(MINUS) else "+"
        return sign + self._number(self.amount), self._change.about(self.amount, self._number)

    def _number(self, amount: float) -> str:
        if self.handle.kind == "turn":
            return self._angles.text(amount, self._angles.decimals)
        return f"{fixed(amount, 4)} m"
