"""Variants of a scene in which some items, or parts of them, are hidden."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.scene.schema.sensors import RecordedSensor, Sensor
from framescope.core.scene.schema.view import FrameLook, Hidden
from framescope.features.films.core.compiled_film import Item

AXES = "xyz"
LOOKS = ("triad", "label", "link")
MARKS = ("rings", "arcs", "stages", "trails")

UNNAMED = ("triad", "link", "rings", "arcs", "stages", "trail")
"""Parts of a frame without its name."""


def hidden_variant(scene: Scene, hidden: Collection[Item]) -> Scene:
    """Return the scene with exactly these items and parts hidden; single axes are those of `hidden_axes`.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> variant = hidden_variant(scene, [("frames", "a", "label"), ("frames", "world", "")])
    >>> variant.view.hidden.frames, variant.view.frames["a"].label
    (('world',), False)
    """
    whole = {kind: tuple(name for k, name, part in sorted(hidden) if k == kind and not part) for kind in ITEM_KINDS}
    parts = [(kind, name, part) for kind, name, part in sorted(hidden) if part]
    view = scene.view
    changes: dict[str, Any] = {"hidden": Hidden(**whole)}
    looks: dict[str, FrameLook] = dict(view.frames)
    for _, name, part in (entry for entry in parts if entry[0] == "frames" and entry[2] in LOOKS):
        looks[name] = looks.get(name, FrameLook()).model_copy(update={part: False})
    if looks != view.frames:
        changes["frames"] = FrozenDict(looks)
    for marks in MARKS:
        names = {name for kind, name, part in parts if kind == "frames" and part in (marks, marks.removesuffix("s"))}
        if names:
            changes[marks] = tuple(mark for mark in getattr(view, marks) if mark.frame not in names)
    sensors: dict[str, Sensor] = dict(scene.sensors)
    for _, name, part in (entry for entry in parts if entry[0] == "sensors"):
        sensors[name] = _without_arrow(sensors[name], part)
    update: dict[str, Any] = {"view": view.model_copy(update=changes)}
    if sensors != scene.sensors:
        update["sensors"] = FrozenDict(sensors)
    return scene.model_copy(update=update)


def _without_arrow(sensor: Sensor, part: str) -> Sensor:
    """Return a sensor without the arrow of a quantity."""
    if isinstance(sensor, RecordedSensor):
        return sensor.model_copy(update={"arrow": None})
    if part not in type(sensor.arrows).model_fields:
        return sensor
    return sensor.model_copy(update={"arrows": sensor.arrows.model_copy(update={part: None})})


def hidden_axes(hidden: Collection[Item]) -> frozenset[tuple[str, int]]:
    """Return the single axes among hidden parts: name of the frame, and 0, 1 or 2."""
    return frozenset(
        (name, AXES.index(part)) for kind, name, part in hidden if kind == "frames" and part in ("x", "y", "z")
    )
