"""The names, the place and the edit of a new thing on its mount."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from framescope.core import frames
from framescope.core.conventions.standard_axes import OPTICAL, axes_in_name, body_axes, body_rotation, words_of_name
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, taken_names
from framescope.core.scene.edits.new_items import Speeds, length_beside_axes, owner_of_kind
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.bodies import Box
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes, OrientationForm, Position
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.scene.schema.references import Key
from framescope.core.scene.schema.view import FrameLook

DISTANCE = 2.0
"""Distance of a new frame from the origin of its mount and from other frames, in lengths of the view's axes."""

NEAR = 1.2
"""Distance of new equipment from the origin of its mount and from other equipment, in lengths of the view's axes."""

CARRIES_NOTHING = {"cam", "camera", "gnss", "gps", "imu", "laser", "lidar", "optical", "propeller", "wheel"}
"""Words in names of equipment that usually does not carry other equipment."""

COMPASS = set("NEWS")
"""Letters that only axes of level frames have."""

MAX_PLACES = 100
"""Largest number of places that are tried for a new thing."""


@dataclass(frozen=True)
class Mount:
    """Frame that carries a new thing.

    Attributes
    ----------
    scene
        Scene without the thing.
    name
        Name of the frame.
    axes
        Letters of its axes, see `mount_axes`; empty if unknown.
    speeds
        Largest velocity, m/s, and angular velocity, rad/s, of the frame in the world; 0 if unknown.
    distance
        Distance of the thing from the origin and from other frames on the mount, in lengths of the view's axes.
    """

    scene: Scene
    name: str
    axes: str
    speeds: tuple[float, float] = (0.0, 0.0)
    distance: float = DISTANCE

    def length(self, share: float) -> Quantity:
        """Return a length in proportion to the axes of the view, in their unit."""
        return length_beside_axes(self.scene, share)

    def position(self, x: float, y: float, z: float) -> Position:
        """Return a position whose coordinates are multiples of the length of the view's axes."""
        return Position(value=self._lengths(x, y, z), unit=self.length(1.0).unit)

    def box(self, x: float, y: float, z: float) -> Box:
        """Return a box whose sizes are multiples of the length of the view's axes."""
        return Box(size=self._lengths(x, y, z), unit=self.length(1.0).unit)

    def _lengths(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        return self.length(x).value + 0.0, self.length(y).value + 0.0, self.length(z).value + 0.0

    def frame(self, orientation: OrientationForm) -> Frame:
        """Return a frame on the mount with an orientation in it, in front of its origin, where no other frame is."""
        to_mount = body_rotation("FLU", body_axes(self.axes))
        places = [to_mount @ (self.distance, self.distance * k, 0.0) for k in range(MAX_PLACES)]
        taken = _origins_on(self.scene, self.name) / self.length(1.0).si("length", ())
        gaps = (np.linalg.norm(taken - place, axis=1).min(initial=math.inf) for place in places)
        x, y, z = next((place for place, gap in zip(places, gaps, strict=True) if gap > 0.5 * self.distance), places[0])
        return Frame(parent=self.name, position=self.position(x, y, z), orientation=orientation)


def mount_of(scene: Scene, on: Sequence[Key], speeds: Speeds | None = None) -> Mount:
    """Return the frame that the selected item is or belongs to, as a mount; the world without a selection."""
    return mount_at(scene, _selected_frame(scene, on), speeds)


def mount_of_equipment(scene: Scene, on: Sequence[Key], speeds: Speeds | None = None) -> Mount:
    """Return the frame to put equipment on: the selected frame, or what carries it if it carries nothing itself.

    Cameras, antennas, wheels and the like that are fixed to their parent, or turn on it by a formula, carry nothing.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "drone": {"parent": "world"}, "camera": {"parent": "drone"}, "camera_optical": {"parent": "camera"}}})
    >>> mount_of_equipment(scene, (("frames", "camera_optical"),)).name
    'drone'
    """
    name = _selected_frame(scene, on)
    visited: set[str] = set()
    while name in scene.frames and name not in visited:  # frames may be each other's parents
        visited.add(name)
        frame = scene.frames[name]
        if frame.motion is not None or CARRIES_NOTHING.isdisjoint(words_of_name(name)):
            break
        name = frame.parent
    return mount_at(scene, name, speeds, NEAR)


def mount_of_base(scene: Scene, on: Sequence[Key], speeds: Speeds | None = None) -> Mount:
    """Return the frame to put a base frame on: the selected frame if its name says that it is level, else the world.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"ned": {"parent": "world"}, "a": {"parent": "ned"}}})
    >>> [mount_of_base(scene, (("frames", name),)).name for name in ("ned", "a")]
    ['ned', 'world']
    """
    name = _selected_frame(scene, on)
    is_level = not COMPASS.isdisjoint(axes_in_name(name))
    return mount_at(scene, name if is_level else WORLD, speeds)


def mount_at(scene: Scene, frame: str, speeds: Speeds | None = None, distance: float = DISTANCE) -> Mount:
    """Return a frame as a mount."""
    of_mount = (0.0, 0.0) if speeds is None else speeds(frame, WORLD)
    return Mount(scene, frame, mount_axes(scene, frame), of_mount, distance)


def _selected_frame(scene: Scene, on: Sequence[Key]) -> str:
    return (owner_of_kind(scene, on[0], "frames") if on else None) or WORLD


def mount_axes(scene: Scene, mount: str) -> str:
    """Return the letters of the axes of a frame; empty if no name shows them.

    The name of the frame decides, else that of the nearest ancestor whose name has such a word. An ancestor with
    *optical* in its name shows nothing.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "ned": {"parent": "world"}, "drone": {"parent": "ned"}, "cam_optical": {"parent": "drone"}}})
    >>> mount_axes(scene, "drone"), mount_axes(scene, "cam_optical"), mount_axes(scene, "world")
    ('NED', 'RDF', '')
    """
    if "optical" in mount.lower():
        return OPTICAL
    visited: set[str] = set()
    name = mount
    while name in scene.frames and name not in visited:  # frames may be each other's parents
        visited.add(name)
        if axes := axes_in_name(name):
            return axes
        name = scene.frames[name].parent
    return ""


def whole_degrees(T: Array) -> Axes:
    """Return a rotation by quarter turns as yaw, pitch and roll in degrees.

    >>> whole_degrees(body_rotation("FLU", OPTICAL)).angles
    (-90.0, 0.0, -90.0)
    """
    angles = frames.axes_rotations_angles(frames.from_T(T, np.zeros(3)), "ZYX")
    yaw, pitch, roll = np.degrees(angles).round().tolist()
    return Axes(sequence="ZYX", angles=(yaw + 0.0, pitch + 0.0, roll + 0.0), unit="deg")


@dataclass(frozen=True)
class Thing:
    """Items of a new thing by kind and name, the frame on the mount first, and the appearance of frames by name."""

    items: Mapping[Key, Item]
    looks: Mapping[str, FrameLook] = field(default_factory=dict[str, FrameLook])


def small_axes(mount: Mount, name: str) -> dict[str, FrameLook]:
    """Return the appearance of a frame whose axes are half as long as those of its mount."""
    return {name: FrameLook(length=mount.length(0.5))}


def add_thing(mount: Mount, stem: str, make: Callable[[str], Thing]) -> ItemEdit:
    """Return the edit that adds a thing and selects its first item.

    Parameters
    ----------
    mount
        Mount of the thing.
    stem
        Name of the thing, such as ``"camera"``. It gets a number if a name of the items is taken: ``"camera_2"``.
    make
        Function that takes the name and returns the thing. The names of its items begin with the name.

    Raises
    ------
    RefusedError
        When the scene would be too large.
    """
    scene = mount.scene
    taken = {(kind, name) for kind in ITEM_KINDS for name in taken_names(scene, kind)}
    stems = itertools.chain((stem,), (f"{stem}_{n}" for n in itertools.count(2)))
    name, thing = next((name, thing) for name in stems if taken.isdisjoint((thing := make(name)).items))

    def apply(scene: Scene) -> Scene:
        for (kind, own), item in thing.items.items():
            scene = with_item(scene, kind, own, item)
        if thing.looks:
            view = scene.view.model_copy(update={"frames": scene.view.frames | thing.looks})
            scene = scene.model_copy(update={"view": view})
        return check_sizes(scene)

    apply(scene)
    return ItemEdit(f"Added {name}", apply, (next(iter(thing.items)),))


def _origins_on(scene: Scene, mount: str) -> Array:
    """Return the constant origins (n, 3) of the frames on a mount, m."""
    places = (frame.position for frame in scene.frames.values() if frame.parent == mount)
    constant = [place for place in places if place is not None and not any(isinstance(x, str) for x in place.value)]
    known = [(place, UNITS["length"][place.unit]) for place in constant if place.unit in UNITS["length"]]
    return np.array([[factor * float(x) for x in place.value] for place, factor in known]).reshape(-1, 3)
