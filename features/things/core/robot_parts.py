"""Parts of robots and vehicles to insert: wheel, propeller and gripper."""

from __future__ import annotations

from collections.abc import Sequence

from framescope.core.conventions.standard_axes import body_axes, body_rotation
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.edits.new_items import FrameMotions
from framescope.core.scene.schema.bodies import Body, Cylinder
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.poses import Axes, Axis
from framescope.core.scene.schema.references import Key
from framescope.features.things.core.new_thing import Mount, Thing, add_thing, mount_of_equipment, small_axes

WHEEL_RATE = 90
"""Angular velocity of a new wheel about the axis to the left of its mount, deg/s: it rolls forward."""

PROPELLER_RATE = 360
"""Angular velocity of a new propeller about its z axis, deg/s."""

WHEEL_PLACES = ((0.7, 0.75, -0.5), (0.7, -0.75, -0.5), (-0.7, 0.75, -0.5), (-0.7, -0.75, -0.5))
PROPELLER_PLACES = ((0.65, 0.65, 0.25), (0.65, -0.65, 0.25), (-0.65, 0.65, 0.25), (-0.65, -0.65, 0.25))
"""Places on a body: wheels and propellers in the corners, front left first."""

SPIN_SEQUENCES = {"x": "XYZ", "y": "YXZ", "z": "ZYX"}
"""Sequences that begin with an axis, so that the angle of a spin is the first of the panel."""

NO_ROTATION = Axes(sequence="ZYX", angles=(0.0, 0.0, 0.0), unit="deg")
"""Orientation without a rotation, whose angles the user can change."""


def wheel(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a wheel, which turns by a formula so that it rolls forward.

    Examples
    --------
    >>> turn = wheel(Scene(), ()).apply(Scene()).frames["wheel"].orientation
    >>> turn.sequence, turn.angles, turn.unit
    ('YXZ', ('90*t', 0.0, 0.0), 'deg')
    """
    mount = mount_of_equipment(scene, on, motions)
    axis, sign = _left_of(mount)
    turn = _spin(axis, sign * WHEEL_RATE)
    disc = Cylinder(radius=mount.size(0.1), height=mount.size(0.04))
    # A cylinder has its axis along z.
    lying = Axis(axis="x" if axis == "y" else "y", angle=90.0, unit="deg")

    def make(name: str) -> Thing:
        body = Body(frame=name, shape=disc, orientation=lying)
        return Thing(
            {("frames", name): mount.frame(turn, WHEEL_PLACES), ("bodies", f"{name}_tyre"): body},
            small_axes(mount, name),
        )

    return add_thing(mount, "wheel", make)


def propeller(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a propeller, which turns about its z axis by a formula.

    Examples
    --------
    >>> propeller(Scene(), ()).apply(Scene()).frames["propeller"].orientation.angles
    ('360*t', 0.0, 0.0)
    """
    mount = mount_of_equipment(scene, on, motions)
    turn = _spin("z", PROPELLER_RATE)

    def make(name: str) -> Thing:
        blade = Body(frame=name, shape=mount.box(0.25, 0.025, 0.006))
        return Thing(
            {("frames", name): mount.frame(turn, PROPELLER_PLACES), ("bodies", f"{name}_blade"): blade},
            small_axes(mount, name),
        )

    return add_thing(mount, "propeller", make)


def gripper(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a gripper: a palm, two fingers along z, and the tool's frame between their tips.

    The gripper is at the origin of its mount, or one axis outward if there is equipment already. It has the axes of its
    mount, such as the flange of an arm, whose z points outward.

    Examples
    --------
    >>> scene = gripper(Scene(), ()).apply(Scene())
    >>> list(scene.frames), list(scene.bodies)
    (['gripper', 'gripper_tool'], ['gripper_palm', 'gripper_left_finger', 'gripper_right_finger'])
    """
    mount = mount_of_equipment(scene, on, motions)
    outward = mount.forward_left_up((0.0, 0.0, 1.0))
    palm, finger = mount.box(0.04, 0.12, 0.03), mount.box(0.03, 0.02, 0.09)

    def make(name: str) -> Thing:
        return Thing(
            {
                ("frames", name): mount.frame(NO_ROTATION, ((0.0, 0.0, 0.0), outward)),
                ("frames", f"{name}_tool"): Frame(
                    parent=name, position=mount.place(0.0, 0.0, 0.12), orientation=NO_ROTATION
                ),
                ("bodies", f"{name}_palm"): Body(frame=name, shape=palm, position=mount.place(0.0, 0.0, 0.015)),
                ("bodies", f"{name}_left_finger"): Body(
                    frame=name, shape=finger, position=mount.place(0.0, 0.045, 0.075)
                ),
                ("bodies", f"{name}_right_finger"): Body(
                    frame=name, shape=finger, position=mount.place(0.0, -0.045, 0.075)
                ),
            },
            small_axes(mount, name),
        )

    return add_thing(mount, "gripper", make)


def _spin(axis: str, rate: int) -> Axes:
    """Return a rotation about an axis with a constant rate, deg/s."""
    return Axes(sequence=SPIN_SEQUENCES[axis], angles=(f"{rate}*t", 0.0, 0.0), unit="deg")


def _left_of(mount: Mount) -> tuple[str, int]:
    """Return the axis of the mount that points left, and its sign."""
    left = body_rotation("FLU", body_axes(mount.axes))[:, 1]
    k = int(abs(left).argmax())
    return "xyz"[k], int(left[k])
