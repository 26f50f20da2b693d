"""Frames with standard axes to insert: of bodies, level frames, and a level frame on the Earth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from framescope.core.conventions.standard_axes import body_rotation, level_rotation
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.edits.new_items import FrameMotions
from framescope.core.scene.schema.bodies import Body, Sphere
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.poses import Axes
from framescope.core.scene.schema.references import Key
from framescope.core.scene.schema.view import FrameLook
from framescope.features.things.core.new_thing import Mount, Thing, add_thing, mount_of_standard, whole_degrees

EARTH_RADIUS = 2.0
"""Radius of the drawn Earth, in lengths of the view's axes."""

LATITUDE_DEG, LONGITUDE_DEG = 48.0, 11.0
"""Latitude and longitude of a new level frame on the Earth, degrees."""


def body_flu(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a body frame with x forward, y left and z up (REP 103).

    >>> list(body_flu(Scene(), ()).apply(Scene()).frames)
    ['body_flu']
    """
    mount = mount_of_standard(scene, on, motions)
    return _only_frame(mount, "body_flu", whole_degrees(body_rotation(mount.axes, "FLU")))


def body_frd(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a body frame with x forward, y right and z down (aerospace).

    >>> body_frd(Scene(), ()).apply(Scene()).frames["body_frd"].orientation.angles
    (0.0, 0.0, 180.0)
    """
    mount = mount_of_standard(scene, on, motions)
    return _only_frame(mount, "body_frd", whole_degrees(body_rotation(mount.axes, "FRD")))


def base_enu(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a level frame with x east, y north and z up (REP 103).

    >>> base_enu(Scene(), ()).apply(Scene()).frames["enu"].orientation.angles
    (0.0, 0.0, 0.0)
    """
    mount = mount_of_standard(scene, on, motions)
    return _only_frame(mount, "enu", whole_degrees(level_rotation(mount.axes, "ENU")))


def base_ned(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds a level frame with x north, y east and z down (aerospace).

    >>> base_ned(Scene(), ()).apply(Scene()).frames["ned"].orientation.angles
    (90.0, 0.0, 180.0)
    """
    mount = mount_of_standard(scene, on, motions)
    return _only_frame(mount, "ned", whole_degrees(level_rotation(mount.axes, "NED")))


def ecef_tangent(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> ItemEdit:
    """Return the edit that adds the Earth, and a level frame on it by latitude and longitude.

    The frame ``earth`` is fixed to the Earth (ECEF): z towards the north pole, x to latitude and longitude zero. Below
    it ``earth_lat_lon`` has its x axis to the zenith of the place: its first angle is the longitude, its second one the
    negative latitude. ``earth_enu`` is the level frame on the surface. The Earth is a sphere in the size of the scene.

    Examples
    --------
    >>> scene = ecef_tangent(Scene(), ()).apply(Scene())
    >>> list(scene.frames), scene.frames["earth_lat_lon"].orientation.angles
    (['earth', 'earth_lat_lon', 'earth_enu'], (11.0, -48.0, 0.0))
    """
    mount = mount_of_standard(scene, on, motions)
    upright = whole_degrees(body_rotation(mount.axes, "FLU"))
    place = Axes(sequence="ZYX", angles=(LONGITUDE_DEG, -LATITUDE_DEG, 0.0), unit="deg")
    globe = Sphere(radius=mount.length(EARTH_RADIUS))
    # x of the frame above points up, y east and z north.
    level = Axes(sequence="ZYX", angles=(90.0, 0.0, 90.0), unit="deg")

    def make(name: str) -> Thing:
        towards = f"{name}_lat_lon"
        return Thing(
            {
                ("frames", name): replace(mount, distance=2.0 * EARTH_RADIUS).frame(upright),
                ("frames", towards): Frame(parent=name, orientation=place),
                ("frames", f"{name}_enu"): Frame(
                    parent=towards, position=mount.position(EARTH_RADIUS, 0.0, 0.0), orientation=level
                ),
                ("bodies", f"{name}_globe"): Body(frame=name, shape=globe, opacity=0.3),
            },
            {towards: FrameLook(triad=False, label=False)},
        )

    return add_thing(mount, "earth", make)


def _only_frame(mount: Mount, name: str, orientation: Axes) -> ItemEdit:
    return add_thing(mount, name, lambda name: Thing({("frames", name): mount.frame(orientation)}))
