"""The names, the place and the edit of a new thing on its mount."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from framescope.core import frames
from framescope.core.conventions.standard_axes import OPTICAL, axes_in_name, body_axes, body_rotation, words_of_name
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, gap_before_number, taken_names, without_items
from framescope.core.scene.edits.new_items import FrameMotions, length_beside_axes, owner_of_kind, untouched_first_frame
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
"""Distance of new equipment from the origin of the world or a level frame, in lengths of the view's axes."""

APART = 0.3
"""Smallest distance of new equipment from other equipment on a body, in `USUAL_AXES`."""

ROUND = 2.0
"""Distance to the left of a place that is taken, if all places are, in `USUAL_AXES`."""

ORIGIN = Position(value=(0.0, 0.0, 0.0), unit="m")
"""Position of a frame without one."""

Place = tuple[float, float, float]
"""Position on a body: forward, left and up, in `USUAL_AXES` of a scene with usual sizes, see `Mount.size`."""

USUAL_AXES = 0.5
"""Length of the view's axes of a new scene, m."""

REAL_SIZES = 0.1, 2.0
"""Lengths of the view's axes, m, between which equipment has its usual size. Beyond, it is in proportion."""

CARRIES_NOTHING = {
    *("antenna", "cam", "camera", "gnss", "gps", "imu", "laser", "lidar", "optical", "propeller", "radar", "rotor"),
    "wheel",
}
"""Words in names of equipment, or of its bodies, that usually does not carry other equipment."""

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
    replaced
        Item that the thing replaces: the untouched frame of a new scene. `scene` is without it.
    """

    scene: Scene
    name: str
    axes: str
    speeds: tuple[float, float] = (0.0, 0.0)
    distance: float = DISTANCE
    replaced: Key | None = None

    def length(self, share: float) -> Quantity:
        """Return a length in proportion to the axes of the view, in their unit."""
        return length_beside_axes(self.scene, share)

    def position(self, x: float, y: float, z: float) -> Position:
        """Return a position whose coordinates are multiples of the length of the view's axes."""
        return Position(value=self._lengths(x, y, z), unit=self.length(1.0).unit)

    def size(self, usual: float) -> Quantity:
        """Return the size of equipment that usually is `usual` m, in the unit of the view's axes.

        In a scene that is much larger or smaller than a robot it is in proportion to the axes.
        """
        one = self.length(1.0)
        if not REAL_SIZES[0] <= one.si("length", ()) <= REAL_SIZES[1]:
            return self.length(usual / USUAL_AXES)
        return Quantity(float(f"{usual / UNITS['length'][one.unit or 'm']:.9g}"), one.unit)

    def box(self, x: float, y: float, z: float) -> Box:
        """Return a box whose usual sizes are in m, see `size`."""
        return Box(size=self._sizes(x, y, z), unit=self.length(1.0).unit)

    def place(self, x: float, y: float, z: float) -> Position:
        """Return a position on equipment whose usual coordinates are in m, see `size`."""
        return Position(value=self._sizes(x, y, z), unit=self.length(1.0).unit)

    def _sizes(self, *usual: float) -> tuple[float, float, float]:
        x, y, z = (math.copysign(self.size(abs(size)).value, size) + 0.0 for size in usual)
        return x, y, z

    def _lengths(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        return self.length(x).value + 0.0, self.length(y).value + 0.0, self.length(z).value + 0.0

    def frame(self, orientation: OrientationForm, on_body: Sequence[Place] = ()) -> Frame:
        """Return a frame on the mount with an orientation in it, where no other thing is.

        Equipment of a body is at the first free place of `on_body`. Other frames, and equipment of the world or of a
        level frame, are in a row in front of the origin. The first frame of a scene is at the origin.
        """
        if on_body and self.name != WORLD and not is_level(self.name):
            rounds = range(MAX_PLACES // len(on_body))
            places = [(x, y + ROUND * k, z) for k in rounds for x, y, z in on_body]
            unit = self.size(USUAL_AXES)
            return self._frame_at(places, orientation, APART, unit, lambda name: is_equipment(self.scene, name))
        if not on_body and not self.scene.frames:
            return Frame(parent=self.name, position=self.position(0.0, 0.0, 0.0), orientation=orientation)
        places = [(self.distance, self.distance * k, 0.0) for k in range(MAX_PLACES)]
        return self._frame_at(places, orientation, 0.5 * self.distance, self.length(1.0), lambda _: True)

    def forward_left_up(self, v: Place) -> Place:
        """Return a vector of the mount, resolved in the directions forward, left and up."""
        x, y, z = (self._to_mount.T @ v).tolist()
        return x, y, z

    @property
    def _to_mount(self) -> Array:
        """Rotation of the directions forward, left and up into the axes of the mount."""
        return body_rotation("FLU", body_axes(self.axes))

    def _frame_at(
        self,
        places: Sequence[Place],
        orientation: OrientationForm,
        apart: float,
        unit: Quantity,
        is_thing: Callable[[str], bool],
    ) -> Frame:
        """Return a frame at the first place, in multiples of `unit`, that is not near a thing on the mount."""
        names = (name for name, frame in self.scene.frames.items() if frame.parent == self.name and is_thing(name))
        taken = _origins(self.scene, names) / unit.si("length", ())
        on_mount = [self._to_mount @ place for place in places]
        gaps = (np.linalg.norm(taken - place, axis=1).min(initial=math.inf) for place in on_mount)
        x, y, z = next((place for place, gap in zip(on_mount, gaps, strict=True) if gap > apart), on_mount[0])
        lengths = [float(f"{unit.value * coordinate:.3g}") + 0.0 for coordinate in (x, y, z)]
        position = Position(value=(lengths[0], lengths[1], lengths[2]), unit=unit.unit)
        return Frame(parent=self.name, position=position, orientation=orientation)


def mount_of_equipment(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> Mount:
    """Return the frame to put equipment on: the selected frame, or what carries it if it carries nothing itself.

    Cameras, antennas, wheels and the like that are fixed to their parent, or turn on it by a formula, carry nothing.
    Without a selection it is the only body of the scene, or the world if there is none or several.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "drone": {"parent": "world"}, "camera": {"parent": "drone"}, "camera_optical": {"parent": "camera"}}})
    >>> mount_of_equipment(scene, (("frames", "camera_optical"),)).name
    'drone'
    >>> mount_of_equipment(scene, ()).name
    'drone'
    """
    selected = _selected_frame(scene, on)
    carriers = (name for name in _with_ancestors(scene, selected) if _carries(scene, name))
    return mount_at(scene, next(carriers, WORLD) if on else _only_body(scene), motions, NEAR)


def mount_of_standard(scene: Scene, on: Sequence[Key], motions: FrameMotions | None = None) -> Mount:
    """Return the frame to put a standard frame on: the nearest level one among the selected and its ancestors.

    Without a level frame it is the world. The untouched frame of a new scene is replaced.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "ned": {"parent": "world"}, "a": {"parent": "ned"}, "b": {"parent": "world"}}})
    >>> [mount_of_standard(scene, (("frames", name),)).name for name in ("ned", "a", "b")]
    ['ned', 'ned', 'world']
    """
    replaced = untouched_first_frame(scene)
    if replaced is not None:
        return Mount(without_items(scene, {replaced}), WORLD, "", replaced=replaced)
    name = next((name for name in _with_ancestors(scene, _selected_frame(scene, on)) if is_level(name)), WORLD)
    return mount_at(scene, name, motions)


def mount_at(scene: Scene, frame: str, motions: FrameMotions | None = None, distance: float = DISTANCE) -> Mount:
    """Return a frame as a mount, with axes by its names or by its motion in the world."""
    if motions is None:
        return Mount(scene, frame, mount_axes(scene, frame), distance=distance)
    axes = mount_axes(scene, frame) or motions.axes(frame)
    return Mount(scene, frame, axes, motions.speeds(frame, WORLD), distance)


def is_level(name: str) -> bool:
    """Return whether the name of a frame states that its axes point north, east and so on.

    >>> is_level("map_enu"), is_level("body_frd")
    (True, False)
    """
    return not COMPASS.isdisjoint(axes_in_name(name))


def is_equipment(scene: Scene, name: str) -> bool:
    """Return whether a frame is equipment: its name says so, or it has a body."""
    return _is_named_so(name) or any(body.frame == name for body in scene.bodies.values())


def _carries(scene: Scene, name: str) -> bool:
    """Return whether a frame may carry equipment: neither its name nor those of all its bodies say otherwise."""
    if scene.frames[name].motion is not None:
        return True
    own = [body_name for body_name, body in scene.bodies.items() if body.frame == name]
    return not _is_named_so(name) and not (own and all(map(_is_named_so, own)))


def _is_named_so(name: str) -> bool:
    return not CARRIES_NOTHING.isdisjoint(words_of_name(name))


def _only_body(scene: Scene) -> str:
    """Return the frame that is no level frame, can carry equipment and is on no other such frame, if there is one."""
    bodies = {name for name in scene.frames if _carries(scene, name) and not is_level(name)}
    outer = [name for name in bodies if bodies.isdisjoint(itertools.islice(_with_ancestors(scene, name), 1, None))]
    return outer[0] if len(outer) == 1 else WORLD


def _with_ancestors(scene: Scene, name: str) -> Iterator[str]:
    """Yield a frame and its ancestors below the world; frames may be each other's parents."""
    visited: set[str] = set()
    while name in scene.frames and name not in visited:
        visited.add(name)
        yield name
        name = scene.frames[name].parent


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
    return next((axes for name in _with_ancestors(scene, mount) if (axes := axes_in_name(name))), "")


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


def small_axes(mount: Mount, *names: str) -> dict[str, FrameLook]:
    """Return the appearance of frames whose axes are a third as long as those of their mount."""
    return {name: FrameLook(length=mount.length(0.3)) for name in names}


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
    stems = itertools.chain((stem,), (f"{stem}{gap_before_number(stem)}{n}" for n in itertools.count(2)))
    name, thing = next((name, thing) for name in stems if taken.isdisjoint((thing := make(name)).items))

    def apply(scene: Scene) -> Scene:
        if mount.replaced is not None:
            scene = without_items(scene, {mount.replaced})
        for (kind, own), item in thing.items.items():
            scene = with_item(scene, kind, own, item)
        if thing.looks:
            view = scene.view.model_copy(update={"frames": scene.view.frames | thing.looks})
            scene = scene.model_copy(update={"view": view})
        return check_sizes(scene)

    apply(scene)
    instead = "" if mount.replaced is None else f" in place of {mount.replaced[1]}"
    return ItemEdit(f"Added {name}{instead}", apply, (next(iter(thing.items)),))


def _origins(scene: Scene, names: Iterable[str]) -> Array:
    """Return the constant origins (n, 3) of frames in their parents, m."""
    places = [scene.frames[name].position or ORIGIN for name in names]
    constant = [place for place in places if not any(isinstance(x, str) for x in place.value)]
    known = [(place, UNITS["length"][place.unit]) for place in constant if place.unit in UNITS["length"]]
    return np.array([[factor * float(x) for x in place.value] for place, factor in known]).reshape(-1, 3)
