"""Text of the hover card: an item's name, kind and numbers, with units and frames."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.relative_motion import are_known, relative_position
from framescope.core.frames import Orientation
from framescope.core.scene.schema.model import WORLD, ItemKey
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.item_names import element_text, frame_kind, frame_of, sensor_frame
from framescope.ui.scene_view.visuals.measure_line import Row, turn_rows, vector_text
from framescope.ui.widgets.angle_unit import DEG, AngleUnit


class ItemText(NamedTuple):
    """A title, a secondary text, and rows of caption and numbers."""

    title: str
    kind: str
    rows: list[Row]


def item_text(key: ItemKey, plan: Plan, snapshot: Snapshot, angles: AngleUnit = DEG) -> ItemText:
    """Return the hover text of an item at the time of a snapshot, with angles in a unit."""
    kind, name = key
    scene = plan.scene
    match kind:
        case "frames" if name == WORLD:
            return ItemText(name, "root of all frames", [])
        case "frames" if name in scene.frames:
            return ItemText(name, frame_kind(scene.frames[name]), _pose_rows(plan, snapshot, name, angles))
        case "bodies" if name in scene.bodies:
            return ItemText(name, f"{scene.bodies[name].shape.form} on {scene.bodies[name].frame}", [])
        case "points" if name in scene.points:
            return ItemText(name, f"point of {frame_of(scene, key)}", _point_rows(plan, snapshot, name))
        case "elements" if name in scene.elements:
            return ItemText(name, scene.elements[name].form, [("", element_text(scene.elements[name]))])
        case "sensors" if name in scene.sensors:
            return ItemText(
                name, f"sensor on {sensor_frame(scene.sensors[name])}", _sensor_rows(plan, snapshot, name, angles)
            )
        case "measured" if name in scene.measured:
            measurement = scene.measured[name]
            return ItemText(
                name,
                f"measured {measurement.form}",
                [("", f"of {measurement.of}, relative to {measurement.relative_to}")],
            )
        case "notes" if name in scene.notes:
            return ItemText(name, "note", [])
        case _:
            return ItemText(name, "", [])


def _pose_rows(plan: Plan, snapshot: Snapshot, name: str, angles: AngleUnit) -> list[Row]:
    row = plan.index[name]
    parent_row = int(plan.tree.parents[row])
    if row in plan.tree.unconnected:
        return [("", f"not connected to {plan.names[parent_row]}: its pose is unknown")]
    if parent_row < 0 or not are_known(snapshot, name, plan.names[parent_row]):
        return [("", "no pose at this time")]
    parent = plan.names[parent_row]
    p_PF = relative_position(snapshot, name, parent, parent)
    R_PF = Orientation(snapshot.T_PF[row], np.zeros(3))
    return [
        (f"position from {parent}, in axes of {parent}", f"{vector_text(p_PF)} m"),
        *turn_rows(R_PF, parent, angles),
    ]


def _point_rows(plan: Plan, snapshot: Snapshot, name: str) -> list[Row]:
    point = plan.instruments.points.get(name)
    if point is None:
        return []
    rows = [(f"offset, in axes of {point.frame}", f"{vector_text(point.offset)} m")]
    port = snapshot.ports.get(name)
    if port is not None:
        rows.append(("position from world, in axes of world", f"{vector_text(port.p_W)} m"))
    return rows


_ARROWS = {
    "v": ("velocity", "m/s"),
    "a": ("acceleration", "m/s²"),
    "w": ("angular velocity", "rad/s"),
    "z": ("angular acceleration", "rad/s²"),
    "s": ("specific force", "m/s²"),
    "f": ("force", "N"),
    "t": ("torque", "N m"),
}


def _sensor_rows(plan: Plan, snapshot: Snapshot, name: str, angles: AngleUnit) -> list[Row]:
    compiled = plan.instruments.sensors.get(name)
    if compiled is None or name not in snapshot.arrows:
        return []
    rows: list[Row] = []
    axes = compiled.sensor.resolved_in
    R_WR = snapshot.R_WF[snapshot.index[axes]]
    for key, arrow in snapshot.arrows[name].items():
        quantity, unit = _ARROWS[key]
        unit, factor = angles.shown(unit)
        numbers = vector_text(factor * (R_WR.T @ arrow.vector_W))
        relation = "" if isinstance(compiled.sensor, RecordedValues) else f" relative to {compiled.seen_from}"
        rows.append((f"{quantity}{relation}, in axes of {axes}", f"{numbers} {unit}"))
    return rows
