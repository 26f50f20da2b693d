"""New items with default values in proportion to the axes of the view."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from numpy.typing import ArrayLike

from framescope.core.errors import ItemError, RefusedError
from framescope.core.kernels.round_numbers import round_down
from framescope.core.kernels.validation import USUAL_SEQUENCE, as_array
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, new_name, taken_names
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS, ElementKind
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, authored_angles, no_rotation
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS, ShapeKind
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.points import Offset, Point
from framescope.core.scene.schema.poses import Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.references import Key, item_of, keys_of, owner_of, without_references
from framescope.core.scene.schema.sensors import AbsoluteSensor, Arrows, RelativeArrows, RelativeSensor
from framescope.core.scene.schema.view import Note
from framescope.core.system.features import find_insertion

MIN_SPEED = 1e-9
"""Speed below which a frame counts as at rest, m/s or rad/s."""

LONGEST_ARROW = 3.0
"""Largest length of a new sensor's arrows, as a multiple of the length of the view's axes."""

SHARE_PER_SPEED, SHARE_PER_RATE = 2.5, 1.0
"""Lengths of arrows of 1 m/s and of 1 rad/s if the speeds are unknown, in lengths of the view's axes."""

FIRST_FRAME = "frame 1"
"""Name of the frame of a new scene."""


class FrameMotions(Protocol):
    """Motions of the frames of a scene, as far as new items depend on them."""

    def speeds(self, of: str, relative_to: str) -> tuple[float, float]:
        """Return the largest velocity, m/s, and angular velocity, rad/s, of a frame relative to another."""
        ...

    def axes(self, frame: str) -> str:
        """Return the letters of the axes of a frame (`framescope.core.conventions.standard_axes`); empty if unknown."""
        ...


@dataclass(frozen=True)
class ItemTemplate:
    """Template of new items: kind, menu text, first name, icon, and a function that makes an item for a selection."""

    kind: str
    text: str
    name: str
    icon: str
    make: Callable[[Scene, Sequence[Key]], Item]


def add_item(
    scene: Scene,
    template: str,
    on: Sequence[Key] = (),
    motions: FrameMotions | None = None,
    sequence: str = USUAL_SEQUENCE,
) -> ItemEdit:
    """Return the edit that adds an item to the selected items.

    Parameters
    ----------
    scene
        Scene to add the item to.
    template
        A key of `templates`.
    on
        Selected items: the owner of the new item, and the other end of relative sensors and elements. If the owner must
        be of another kind than the selected item, it is the frame, body or point to which the item belongs. Without a
        selection the owner is the world.
    motions
        Motions of the frames, from which a sensor's arrows get a visible length.
    sequence
        Axis sequence of the rotation of a new frame or measured pose.

    Raises
    ------
    RefusedError
        When the selected items cannot own the new item.

    Examples
    --------
    >>> edit = add_item(Scene(), "frame")
    >>> edit.keys, edit.apply(Scene()).frames["frame"].position.value
    ((('frames', 'frame'),), (0.4, 0.0, 0.0))
    """
    chosen = templates()[template]
    item = chosen.make(scene, on)
    if motions is not None and isinstance(item, AbsoluteSensor | RelativeSensor):
        item = item.model_copy(update={"arrows": _arrows_for(scene, item, motions)})
    if getattr(item, "orientation", None) == no_rotation():
        item = item.model_copy(update={"orientation": no_rotation(sequence)})
    name = new_name(taken_names(scene, chosen.kind), chosen.name)

    def apply(scene: Scene) -> Scene:
        return check_sizes(with_item(scene, chosen.kind, name, item))

    apply(scene)
    return ItemEdit(f"Added {name}", apply, ((chosen.kind, name),))


def insert_items(
    scene: Scene,
    name: str,
    on: Sequence[Key] = (),
    motions: FrameMotions | None = None,
    sequence: str = USUAL_SEQUENCE,
) -> ItemEdit:
    """Return the edit that adds an item of a template, or the items of a feature's insertion, to the selected items.

    Parameters and errors are those of `add_item`; `name` is a key of `templates` or the name of an insertion.
    """
    make = find_insertion(name)
    return add_item(scene, name, on, motions, sequence) if make is None else make(scene, on, motions)


def untouched_first_frame(scene: Scene) -> Key | None:
    """Return the frame of a new scene if it is as in a new scene and nothing names it; None otherwise.

    Examples
    --------
    >>> new = Frame(parent="world", orientation=no_rotation("ZYX"))
    >>> untouched_first_frame(Scene(frames={"frame 1": new}))
    ('frames', 'frame 1')
    >>> untouched_first_frame(Scene(frames={"frame 1": new, "arm": Frame(parent="frame 1")}))
    """
    key = ("frames", FIRST_FRAME)
    if tuple(keys_of(scene)) != (key,) or without_references(scene.view, {key}) is not scene.view:
        return None
    frame = scene.frames[FIRST_FRAME]
    form = frame.orientation
    is_new = isinstance(form, poses.Axes) and frame == Frame(parent=WORLD, orientation=no_rotation(form.sequence))
    return key if is_new else None


def owner_of_kind(scene: Scene, key: Key, kind: str) -> str | None:
    """Return the nearest item of a kind among an item and its owners; None if there is none.

    For a frame or a body without such an owner, return the only body or point on it.
    """
    above: Key | None = key
    visited: set[Key] = set()
    while above is not None and above not in visited:  # frames may be each other's parents
        if above[0] == kind:
            return above[1] if above == ("frames", WORLD) or item_of(scene, above) is not None else None
        visited.add(above)
        item = item_of(scene, above)
        above = None if item is None else owner_of(item)
    return _only_one_on(scene, key, kind)


def _only_one_on(scene: Scene, key: Key, kind: str) -> str | None:
    names = [name for name, item in getattr(scene, kind).items() if owner_of(item) == key]
    return names[0] if len(names) == 1 else None


def _frame(scene: Scene, on: Sequence[Key]) -> str:
    return (owner_of_kind(scene, on[0], "frames") if on else None) or WORLD


def _require(scene: Scene, on: Sequence[Key], kind: str, what: str) -> list[str]:
    names = [name for key in on if (name := owner_of_kind(scene, key, kind)) is not None]
    if not names:
        raise RefusedError(f"select {what} first")
    return list(dict.fromkeys(names))


def length_beside_axes(scene: Scene, share: float) -> Quantity:
    """Return a length in proportion to the axes of the view, in their unit."""
    of_axes = scene.view.triad_length
    try:
        usable = of_axes.si("length", ()) > 0.0
    except ItemError:
        usable = False
    value, unit = (of_axes.value, of_axes.unit) if usable else (0.2, "m")
    return Quantity(float(f"{share * value:.3g}"), unit)


def _new_frame(scene: Scene, on: Sequence[Key]) -> Item:
    beside = length_beside_axes(scene, 2.0)
    return Frame(
        parent=_frame(scene, on),
        position=poses.Position(value=(beside.value, 0.0, 0.0), unit=beside.unit),
        orientation=no_rotation(),
    )


def _bodies() -> Iterator[tuple[str, ItemTemplate]]:
    def make(kind: ShapeKind[Any], scene: Scene, on: Sequence[Key]) -> Item:
        return Body(frame=_frame(scene, on), shape=kind.in_proportion(partial(length_beside_axes, scene)))

    for kind in SHAPE_KINDS:
        if kind.title:
            name = kind.template or kind.form
            yield name, ItemTemplate("bodies", kind.title, kind.title.lower(), kind.icon, partial(make, kind))


def _point(scene: Scene, on: Sequence[Key]) -> Item:
    body = _require(scene, on, "bodies", "the body that the point is to be on")[0]
    return Point(body=body, kind="XYZ", offset=Offset(value=(0.0, 0.0, 0.0), unit=length_beside_axes(scene, 1.0).unit))


def _elements() -> Iterator[tuple[str, ItemTemplate]]:
    def make(kind: ElementKind[Any], values: Mapping[str, Any], scene: Scene, on: Sequence[Key]) -> Item:
        point, to = _ends(scene, on)
        if "signal" in values and scene.points[point].kind == "XYZ":
            values = {**values, "signal": (values["signal"],) * 3}
        return kind.model.model_validate({"point": point, **to, **values})

    for kind in ELEMENT_KINDS:
        for name, title in kind.titles.items():
            values = kind.offers.get(name, kind.start)
            yield name, ItemTemplate("elements", title, name, kind.icon, partial(make, kind, values))


def _ends(scene: Scene, on: Sequence[Key]) -> tuple[str, dict[str, str]]:
    points = _require(scene, on, "points", "the point that it acts on, and a second one that it goes to, if any,")
    return points[0], {"to": points[1]} if len(points) > 1 else {}


def arrow_length(scene: Scene, unit: str, largest: float, share: float = LONGEST_ARROW) -> Quantity:
    """Return the length of an arrow per unit of its vector: a round number, with the longest arrow a few axes long.

    Parameters
    ----------
    scene
        Scene in whose unit the arrow gets its length.
    unit
        SI unit of the vector.
    largest
        Largest magnitude of the vector over time, in this unit; zero or NaN if it is unknown.
    share
        Length of the arrow of a vector of magnitude 1 if the largest one is unknown, in lengths of the view's axes.

    Examples
    --------
    >>> arrow_length(Scene(), "m/s", 3.0), arrow_length(Scene(), "m/s", 0.0, 2.5)
    (Quantity(value=0.2, unit='m per m/s'), Quantity(value=0.5, unit='m per m/s'))
    """
    axes = length_beside_axes(scene, 1.0)
    length_unit, factor = ("mm", 1e3) if axes.unit == "mm" else ("m", 1.0)
    per_unit = LONGEST_ARROW / largest if MIN_SPEED < largest < math.inf else share
    return Quantity(round_down(per_unit * factor * axes.si("length", ())), f"{length_unit} per {unit}")


def _arrows(scene: Scene, v_largest: float = 0.0, w_largest: float = 0.0) -> dict[str, Quantity]:
    """Return the lengths of a sensor's arrows for the largest velocity, m/s, and angular velocity, rad/s."""
    v = arrow_length(scene, "m/s", v_largest, SHARE_PER_SPEED)
    return {"v": v, "w": arrow_length(scene, "rad/s", w_largest, SHARE_PER_RATE)}


def _arrows_for(scene: Scene, sensor: AbsoluteSensor | RelativeSensor, motions: FrameMotions) -> RelativeArrows:
    is_absolute = isinstance(sensor, AbsoluteSensor)
    of, relative_to = (sensor.frame_a, WORLD) if is_absolute else (sensor.frame_b, sensor.frame_a)
    return type(sensor.arrows).model_validate(_arrows(scene, *motions.speeds(of, relative_to)))


def _absolute(scene: Scene, on: Sequence[Key]) -> Item:
    return AbsoluteSensor(frame_a=_frame(scene, on), get_v=True, get_w=True, arrows=Arrows(**_arrows(scene)))


def _relative(scene: Scene, on: Sequence[Key]) -> Item:
    (of, seen_from), arrows = _two_frames(scene, on), RelativeArrows(**_arrows(scene))
    return RelativeSensor(frame_a=seen_from, frame_b=of, get_v_rel=True, get_w_rel=True, arrows=arrows)


def _measurement(scene: Scene, on: Sequence[Key]) -> Item:
    of, relative_to = _two_frames(scene, on)
    frame = scene.frames.get(of)
    # A measurement of a frame at rest in its parent starts with the pose in the scene.
    is_still = frame is not None and frame.parent == relative_to and frame.motion is None
    position = frame.position if frame is not None and is_still else None
    orientation = frame.orientation if frame is not None and is_still else None
    if position is None or any(isinstance(value, str) for value in position.value):
        position = poses.Position(value=(0.0, 0.0, 0.0), unit=length_beside_axes(scene, 1.0).unit)
    is_moving = any(isinstance(angle, str) for angle in authored_angles(orientation))
    if orientation is None or is_moving or ORIENTATION_KINDS.of(orientation).fixed:
        orientation = no_rotation()
    pose = {"position": position, "orientation": orientation}
    return MeasuredPose.model_validate({"form": "pose", "of": of, "relative_to": relative_to, **pose})


def _note(scene: Scene, on: Sequence[Key]) -> Item:
    """Return a note at the selected frame, or at the top of the picture without a selection."""
    frame = next((name for key in on if (name := owner_of_kind(scene, key, "frames")) is not None), None)
    return Note(text="A note", frame=None if frame == WORLD else frame)


def _two_frames(scene: Scene, on: Sequence[Key]) -> tuple[str, str]:
    """Return the selected frame, and its reference frame: the other selected frame, or its parent."""
    names = list(dict.fromkeys(name for key in on if (name := owner_of_kind(scene, key, "frames")) is not None))
    of = next((name for name in names if name != WORLD), None)
    if of is None:
        raise RefusedError("select a frame first, and a second one that it is seen from, if that is not its parent")
    others = [name for name in names if name != of]
    return of, others[0] if others else scene.frames[of].parent


def templates() -> dict[str, ItemTemplate]:
    """Return the templates of all items that can be added, in the order of menus.

    >>> [name for name, template in templates().items() if template.kind == "elements"]
    ['spring', 'damper', 'force', 'velocity']
    """
    return {
        "frame": ItemTemplate("frames", "Frame", "frame", "axis-3d", _new_frame),
        **dict(_bodies()),
        "absolute sensor": ItemTemplate("sensors", "Absolute sensor", "sensor", "radar", _absolute),
        "relative sensor": ItemTemplate("sensors", "Relative sensor", "relative sensor", "radar", _relative),
        "point": ItemTemplate("points", "Connection point", "point", "pin", _point),
        **dict(_elements()),
        "measurement": ItemTemplate("measured", "Measured pose", "measurement", "ruler", _measurement),
        "note": ItemTemplate("notes", "Note", "note", "message-square-text", _note),
    }


DECIMALS = 6
"""Decimals of a coordinate, in the unit of the scene's axes."""


def keep_as_frame(scene: Scene, frame: str, r: ArrayLike) -> ItemEdit:
    """Return the edit that adds a frame at a point of another frame, with its rotation.

    Parameters
    ----------
    scene
        Scene to add the item to.
    frame
        The frame in which the point is fixed.
    r : (3,)
        The point, from the origin of the frame and resolved in it, m.

    Raises
    ------
    RefusedError
        When there is no such frame.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> edit = keep_as_frame(scene, "arm", (0.1, 0.0, 0.25))
    >>> edit.label, edit.apply(scene).frames["point"].position.value
    ('Kept a point of arm as the frame point', (0.1, 0.0, 0.25))
    """
    if frame != WORLD and frame not in scene.frames:
        raise RefusedError(f"there is no frame {frame} any more")
    unit, factor = ("mm", 1e3) if scene.view.triad_length.unit == "mm" else ("m", 1.0)
    x, y, z = (round(factor * float(part), DECIMALS) + 0.0 for part in as_array("r", r, (3,)))
    item = Frame(parent=frame, position=Position(value=(x, y, z), unit=unit))
    name = new_name(taken_names(scene, "frames"), "point")

    def apply(scene: Scene) -> Scene:
        return check_sizes(with_item(scene, "frames", name, item))

    apply(scene)
    return ItemEdit(f"Kept a point of {frame} as the frame {name}", apply, (("frames", name),))
