"""Default values of a new part of a scene, or of a part that changes its form: complete, with explicit units."""

from __future__ import annotations

from typing import Any

from framescope.core.errors import KeyPath
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.films import (
    DollyCamera,
    FollowCamera,
    OrbitCamera,
    PathCamera,
    PoseCamera,
    ShotCamera,
)
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import BagParent
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.scene.schema.view import Camera
from framescope.ui.panels.inspector.editors.fields import Field, dimension_of, fields_of

STARTS: dict[str, dict[str, Any]] = {
    "Position": {"value": (0, 0, 0), "unit": "m"},
    "Inertia": {"value": (0.01, 0.01, 0.01), "unit": "kg m²"},
    "Offset": {"value": (0, 0, 0), "unit": "m"},
    "Velocity": {"value": (0, 0, 0), "unit": "m/s"},
    "AngularVelocity": {"value": (0, 0, 0), "unit": "rad/s", "resolved_in": "world"},
    "Rest": {"position": {"value": (0, 0, 0), "unit": "m"}},
    "Gravity": {"value": (0, 0, -9.81), "unit": "m/s²"},
    "Camera": {
        "position": (2, -3, 2),
        "focal_point": (0, 0, 0),
        "up": (0, 0, 1),
        "unit": "m",
        "view_angle": "30 deg",
    },
    "CameraPath": {
        "keys": (
            {"time": "0 s", "position": (2, -3, 2), "focal_point": (0, 0, 0)},
            {"time": "10 s", "position": (3, -2, 2), "focal_point": (0, 0, 0)},
        ),
        "unit": "m",
    },
    "CameraKey": {"time": "0 s", "position": (2, -3, 2), "focal_point": (0, 0, 0)},
    "PoseCamera": {"position": (2, -3, 2), "focal_point": (0, 0, 0), "unit": "m"},
    "PathCamera": {
        "keys": (
            {"time": "0 s", "position": (2, -3, 2), "focal_point": (0, 0, 0)},
            {"time": "5 s", "position": (3, -2, 2), "focal_point": (0, 0, 0)},
        ),
        "unit": "m",
    },
    "ShotCameraKey": {"time": "0 s", "position": (2, -3, 2), "focal_point": (0, 0, 0)},
    "Cue": {"look": "lit"},
    "Inset": {"plot": 1},
    "FilmText": {"text": "Text"},
    "Key": {"time": "0 s"},
    "ParentKey": {"time": "0 s"},
    "BagParent": {"name": "odom"},
    "PackageFolder": {"name": "my_robot_description", "folder": "my_robot_description"},
    "RowsWhere": {"column": "name", "value": "frame"},
    "PoseColumns": {
        "time": "t",
        "time_unit": "s",
        "position": ("x", "y", "z"),
        "position_unit": "m",
        "orientation": {"form": "quaternion", "columns": ("qx", "qy", "qz", "qw"), "order": "xyzw"},
    },
    "QuaternionColumns": {"columns": ("qx", "qy", "qz", "qw"), "order": "xyzw"},
    "MatrixColumns": {
        "columns": tuple(f"r{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)),
        "maps": "parent to frame",
    },
    "AngleColumns": {"columns": ("a", "b", "c"), "sequence": "XYZ", "unit": "deg"},
    "HeadingColumn": {"column": "yaw", "unit": "deg"},
    "RotationVectorColumns": {"columns": ("rx", "ry", "rz"), "unit": "rad"},
    "RadtanDistortion": {"k1": 0.0, "k2": 0.0, "p1": 0.0, "p2": 0.0},
    "RationalDistortion": dict.fromkeys(("k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"), 0.0),
    "EquidistantDistortion": dict.fromkeys(("k1", "k2", "k3", "k4"), 0.0),
    "Rings": {"radius": "0.3 m"},
    "Arcs": {"radius": "0.25 m"},
    "Trail": {"duration": "2 s"},
    "Note": {"text": "A note"},
    "RecordedSensor": {
        "file": "recorded.csv",
        "time": "t",
        "time_unit": "s",
        "values": ("value",),
        "start": "0 s",
    },
    "MeasuredVector": {
        "resolved_in": "world",
        "file": "measured.csv",
        "time": "t",
        "time_unit": "s",
        "values": ("x", "y", "z"),
        "start": "0 s",
    },
}
"""Values of a new item, by model. Features add those of their models."""


def default_item(model: type[Item], scene: Scene, path: KeyPath, form: str = "", before: object = None) -> Item:
    """Return a complete item of a model, for a place in a scene.

    Parameters
    ----------
    model, form
        Model and form of the item.
    scene, path
        Place of the item. Required names become those of the first suitable items.
    before
        Previous item at this place. The fields that both forms share keep their values.

    Examples
    --------
    >>> from framescope.core.scene.schema.bodies import Cylinder, Sphere
    >>> sphere = Sphere(radius=Quantity(3, "cm"))
    >>> str(default_item(Cylinder, Scene(), ("bodies", "a", "shape"), before=sphere).radius)
    '3 cm'
    """
    families = (MOTION_KINDS, ORIENTATION_KINDS, SHAPE_KINDS, ELEMENT_KINDS)
    kind = next((kind for kinds in families for kind in kinds if kind.model is model), None)
    values = dict(STARTS.get(model.__name__, {}) if kind is None else kind.start)
    if form:
        values["form"] = form
    common = _common_values(model, form, before) if isinstance(before, Item) else {}
    values |= common | _camera_values(model, before)
    for field in fields_of(model):
        if field.kind == "name" and field.default is None and not field.is_optional and field.key not in values:
            values[field.key] = _first(scene, field, path)
    if "unit" in model.model_fields and values.get("unit") is None and form in UNITS:
        values["unit"] = next(iter(UNITS[form]))
    return model.model_validate(values)


def _camera_values(model: type[Item], before: object) -> dict[str, Any]:
    """Return the values with which a camera of a shot begins where another form of camera begins."""
    match before:
        case PoseCamera():
            pose = Camera.model_validate({key: getattr(before, key) for key in Camera.model_fields})
        case PathCamera():
            key = {name: getattr(before.keys[0], name) for name in Camera.model_fields if name != "unit"}
            pose = Camera.model_validate({**key, "unit": before.unit})
        case OrbitCamera() | FollowCamera() | DollyCamera():
            pose = before.pose
        case _:
            pose = None
    if pose is None or not issubclass(model, ShotCamera):
        return {}
    values: dict[str, Any] = {key: getattr(pose, key) for key in Camera.model_fields}
    if "pose" in model.model_fields:
        return {"pose": pose}
    if model is PathCamera and not isinstance(before, PathCamera):
        unit = values.pop("unit")
        return {"keys": ({"time": "0 s", **values},), "unit": unit}
    return values if model is PoseCamera else {}


def _common_values(model: type[Item], form: str, before: Item) -> dict[str, Any]:
    """Return the values that an item shares with another form: equal field names and, with units, equal dimensions."""
    old = type(before)
    values: dict[str, Any] = {}
    kinds = {field.key: field for field in fields_of(model)}
    for field in fields_of(old):
        new = kinds.get(field.key)
        if field.key not in before.model_fields_set or new is None or new.kind != field.kind:
            continue
        if (new.shapes, new.forms, new.cell) != (field.shapes, field.forms, field.cell):
            continue
        if field.kind == "unit":
            units = UNITS.get(dimension_of(model, field.key) or form, {})
            if getattr(before, field.key) not in units:
                continue
        elif field.unit_key and dimension_of(old, "unit") != dimension_of(model, "unit"):
            continue
        value = getattr(before, field.key)
        if isinstance(value, Quantity) and dimension_of(old, field.key) != dimension_of(model, field.key):
            continue
        values[field.key] = value
    return values


def _first(scene: Scene, field: Field, path: KeyPath) -> str:
    if path[0] == "frames" and len(path) > 1:
        name = str(path[1])
        is_parent = field.key == "parent" or field.owner is BagParent
        return scene.frames[name].parent if is_parent and name in scene.frames else name
    names = [name for kind in field.references if kind != "world" for name in getattr(scene, kind)]
    return names[0] if names else "world"
