"""Sensors to insert: camera, inertial measurement unit, satellite antenna and laser scanner."""

from __future__ import annotations

import math
from collections.abc import Sequence

from framescope.core.conventions.standard_axes import OPTICAL, body_rotation, usual_body_axes
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.edits.new_items import SHARE_PER_RATE, SHARE_PER_SPEED, FrameMotions, arrow_length
from framescope.core.scene.schema.bodies import Body, Cylinder, Frustum
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.references import Key
from framescope.core.scene.schema.sensors import AbsoluteSensor, Arrows
from framescope.features.things.core.new_thing import (
    Mount,
    Place,
    Thing,
    add_thing,
    mount_of_equipment,
    small_axes,
    whole_degrees,
)

FIELD_OF_VIEW_DEG = (60.0, 45.0)
"""Horizontal and vertical field of view of a new camera, degrees."""

VIEW_DEPTH = 1.5
"""Depth of the drawn field of view, in lengths of the view's axes."""

IMU_PLACES = ((0.0, 0.0, 0.0), (0.0, 0.42, 0.0), (0.0, -0.42, 0.0), (-0.55, 0.0, 0.0))
CAMERA_PLACES = ((0.9, 0.0, 0.3), (0.9, 0.32, 0.3), (0.9, -0.32, 0.3))
GNSS_PLACES = ((-0.5, 0.0, 0.65), (-0.5, 0.85, 0.65), (-0.5, -0.85, 0.65))
LIDAR_PLACES = ((0.35, 0.0, 0.65), (0.35, 0.75, 0.65), (0.35, -0.75, 0.65))
"""Places on a body: an inertial measurement unit at the origin, cameras in front, antennas and scanners on top."""

ACCELERATION_SHARE = 0.5
"""Length of the arrow of an acceleration of 1 m/s², in lengths of the view's axes."""

SPECIFIC_FORCE_SHARE = 0.1
"""Length of the arrow of a specific force of 1 m/s², in lengths of the view's axes: that of gravity is an axis long."""


def camera(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a camera: a frame with the axes of a body, its optical frame, and a field of view.

    Both frames are in the middle of the front of the camera's case.

    Examples
    --------
    >>> scene = camera(Scene(), ()).apply(Scene())
    >>> list(scene.frames), scene.frames["camera_optical"].orientation.angles
    (['camera', 'camera_optical'], (-90.0, 0.0, -90.0))
    """
    mount = mount_of_equipment(scene, on, motions)
    optical = whole_degrees(body_rotation(usual_body_axes(mount.axes), OPTICAL))
    width, height = (2.0 * VIEW_DEPTH * math.tan(math.radians(angle) / 2.0) for angle in FIELD_OF_VIEW_DEG)
    view = Frustum(depth=mount.length(VIEW_DEPTH), width=mount.length(width), height=mount.length(height))

    case = mount.box(0.08, 0.06, 0.06)

    def make(name: str) -> Thing:
        in_image = f"{name}_optical"
        return Thing(
            {
                ("frames", name): body_frame(mount, CAMERA_PLACES),
                ("frames", in_image): Frame(parent=name, orientation=optical),
                ("bodies", f"{name}_view"): Body(frame=in_image, shape=view, color="frame"),
                ("bodies", f"{name}_case"): Body(frame=name, shape=case, position=mount.place(-0.04, 0.0, 0.0)),
            },
            small_axes(mount, name, in_image),
        )

    return add_thing(mount, "camera", make)


def imu(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds an inertial measurement unit, which resolves its vectors in its own frame (REP 145).

    Its specific force is what an accelerometer measures: the acceleration of the frame less gravity.

    Examples
    --------
    >>> sensor = imu(Scene(), ()).apply(Scene()).sensors["imu_data"]
    >>> sensor.get_w, sensor.get_a, sensor.get_s, sensor.resolve_in_frame_a
    (True, True, True, True)
    """
    mount = mount_of_equipment(scene, on, motions)
    arrows = Arrows(
        a=arrow_length(scene, "m/s²", math.nan, ACCELERATION_SHARE),
        s=arrow_length(scene, "m/s²", math.nan, SPECIFIC_FORCE_SHARE),
        w=arrow_length(scene, "rad/s", mount.speeds[1], SHARE_PER_RATE),
    )

    def make(name: str) -> Thing:
        sensor = AbsoluteSensor(
            frame_a=name, get_r=False, get_a=True, get_w=True, get_s=True, resolve_in_frame_a=True, arrows=arrows
        )
        return Thing(
            {
                ("frames", name): body_frame(mount, IMU_PLACES),
                ("bodies", f"{name}_case"): Body(frame=name, shape=mount.box(0.04, 0.04, 0.015)),
                ("sensors", f"{name}_data"): sensor,
            },
            small_axes(mount, name),
        )

    return add_thing(mount, "imu", make)


def gnss_antenna(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds an antenna for satellite navigation: its position and velocity, resolved in world.

    Examples
    --------
    >>> sensor = gnss_antenna(Scene(), ()).apply(Scene()).sensors["gnss_fix"]
    >>> sensor.get_r, sensor.get_v, sensor.resolve_in_frame_a
    (True, True, False)
    """
    mount = mount_of_equipment(scene, on, motions)
    arrows = Arrows(v=arrow_length(scene, "m/s", mount.speeds[0], SHARE_PER_SPEED))
    disc = Cylinder(radius=mount.size(0.075), height=mount.size(0.03))

    def make(name: str) -> Thing:
        return Thing(
            {
                ("frames", name): body_frame(mount, GNSS_PLACES),
                ("bodies", f"{name}_antenna"): Body(frame=name, shape=disc),
                ("sensors", f"{name}_fix"): AbsoluteSensor(frame_a=name, get_v=True, arrows=arrows),
            },
            small_axes(mount, name),
        )

    return add_thing(mount, "gnss", make)


def lidar(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a laser scanner whose z is its axis of rotation.

    Examples
    --------
    >>> list(lidar(Scene(), ()).apply(Scene()).bodies)
    ['lidar_case']
    """
    mount = mount_of_equipment(scene, on, motions)
    case = Cylinder(radius=mount.size(0.05), height=mount.size(0.07))

    def make(name: str) -> Thing:
        items = {
            ("frames", name): body_frame(mount, LIDAR_PLACES),
            ("bodies", f"{name}_case"): Body(frame=name, shape=case),
        }
        return Thing(items, small_axes(mount, name))

    return add_thing(mount, "lidar", make)


def body_frame(mount: Mount, places: Sequence[Place]) -> Frame:
    """Return the frame of equipment: its x is forward, and its z is up or down as on the mount."""
    return mount.frame(whole_degrees(body_rotation(mount.axes, usual_body_axes(mount.axes))), places)
