"""Cards of bodies, points, elements, sensors and measurements: facts and current numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import conventions, frames
from framescope.core.evaluation.compile.gravity import gravity_of_specific_force
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.smoothing_notes import sensor_note
from framescope.core.frames import Orientation
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import ItemKey
from framescope.core.scene.schema.motions import Simulated
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.item_names import angle_letters, kind_and_name, sensor_frame, unit_text
from framescope.ui.formatting.sensor_values import sensor_parts

Array = NDArray[np.float64]
Read = Callable[[Snapshot], Array | None]
"""Function that reads numbers from a snapshot, or returns None if there are none."""


@dataclass(frozen=True)
class Number:
    """Numbers that change with time: quantity, description, unit, and a function that reads them."""

    title: str
    text: str
    unit: str
    letters: tuple[str, ...]
    read: Read
    decimals: int = 4


@dataclass(frozen=True)
class Card:
    """Facts of an item, its numbers, and links to related items: text of the button, and key."""

    subtitle: str
    facts: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Number, ...] = ()
    links: tuple[tuple[str, ItemKey], ...] = ()
    note: str = ""


def card_of(plan: Plan, key: ItemKey) -> Card | None:
    """Return the card of an item; None for frames and unknown names."""
    makers: dict[str, Callable[[Plan, str], Card]] = {
        "bodies": _body,
        "points": _point,
        "elements": _element,
        "sensors": _sensor,
        "measured": _measurement,
        "notes": _note,
    }
    kind, name = key
    if kind not in makers or name not in getattr(plan.scene, kind):
        return None
    return makers[kind](plan, name)


# --- Bodies


def _body(plan: Plan, name: str) -> Card:
    body = plan.scene.bodies[name]
    return Card(f"{body.shape.form} on {body.frame}", links=_links(plan, ("frames", body.frame)))


# --- Points and elements


def _point(plan: Plan, name: str) -> Card:
    point = plan.scene.points[name]
    directions = point.kind.lower()
    along = f"along {', '.join(directions)} of world"

    def read(quantity: str) -> Read:
        def of(snapshot: Snapshot) -> Array | None:
            port = snapshot.ports.get(name)
            return None if port is None else np.atleast_1d(getattr(port, quantity))

        return of

    def place(snapshot: Snapshot) -> Array | None:
        port = snapshot.ports.get(name)
        return None if port is None else port.p_W

    letters = tuple(directions)
    numbers = (
        Number("Force F", f"of all elements on {point.body}, {along}", "N", letters, read("F")),
        Number("Velocity v", f"relative to world, {along}", "m/s", letters, read("v")),
        Number("Displacement x", f"from rest, {along}", "m", letters, read("x")),
        Number("Position r", "from the origin of world, in axes of world", "m", tuple("xyz"), place),
    )
    return Card(f"on {point.body}", (), numbers, _links(plan, ("bodies", point.body)), _simulation_note(plan))


def _element(plan: Plan, name: str) -> Card:
    element = plan.scene.elements[name]
    point = plan.scene.points.get(element.point)
    letters = tuple(point.kind.lower()) if point is not None else tuple("xyz")

    def force(snapshot: Snapshot) -> Array | None:
        simulation = plan.instruments.simulation
        if simulation is None:
            return None
        forces = simulation.element_forces(np.reshape(snapshot.t, 1)).get(name)
        return None if forces is None else np.atleast_1d(forces[0])

    text = f"on the body at {element.point}, along {', '.join(letters)} of world"
    ends = [("points", end) for end in (element.point, element.to) if end is not None]
    numbers = (Number("Force F", text, "N", letters, force),)
    note = _simulation_note(plan)
    return Card(f"{element.point} to {element.to or 'ground'}", (), numbers, _links(plan, *ends), note)


def _simulation_note(plan: Plan) -> str:
    return "" if plan.instruments.simulation is not None else "Numbers come with the simulation."


# --- Sensors and measurements


def _sensor(plan: Plan, name: str) -> Card:
    item = plan.scene.sensors[name]
    staged = plan.instruments.sensors.get(name)
    frame = sensor_frame(item)
    links = _links(plan, ("frames", frame))
    if staged is None:
        return Card(f"on {frame}", (), (), links, "It has a problem, see the list.")
    # The facts apply to all vectors of the sensor. Only its angles need a text of their own.
    sensor = staged.sensor
    is_recorded = isinstance(sensor, RecordedValues)
    facts = (("of", staged.at), ("relative to", staged.seen_from), ("in axes of", sensor.resolved_in))

    def read(part_of: Callable[[Array], Array], place: slice) -> Read:
        def of(snapshot: Snapshot) -> Array | None:
            return part_of(snapshot.sensors[name][place]) if name in snapshot.sensors else None

        return of

    letters = sensor.labels if is_recorded and not sensor.quantity else tuple("xyz")
    numbers = tuple(
        Number(
            f"{part.title} {part.symbol}".strip(),
            part.text if part.sequence else _specific_force_text(plan) if part.letter == "s" else "",
            part.unit,
            angle_letters(part.sequence) if part.sequence else letters,
            read(part.in_unit, part.place),
            2 if part.unit.startswith("°") else 4,
        )
        for part in sensor_parts(staged)
    )
    note = sensor_note(plan, name)
    visible_facts = (("in axes of", frame),) if is_recorded and sensor.quantity else () if is_recorded else facts
    return Card(f"on {frame}", visible_facts, numbers, links, f"Rates are {note}." if note else "")


def _specific_force_text(plan: Plan) -> str:
    """Return the formula of a specific force, and the gravity in it."""
    g_W, origin = gravity_of_specific_force(plan.scene)
    size = float(np.linalg.norm(g_W))
    return f"a − g: {origin}" + (f", {size:.6g} m/s²" if size else "")


def _measurement(plan: Plan, name: str) -> Card:
    item = plan.scene.measured[name]
    staged = plan.instruments.measurements.get(name)
    numbers: tuple[Number, ...] = ()
    if isinstance(item, MeasuredVector):
        factor = 1.0 if staged is None else staged.factor

        def vector(snapshot: Snapshot) -> Array | None:
            measured = snapshot.measurements[name].vector if name in snapshot.measurements else None
            return None if measured is None else measured / factor

        title = f"Measured {item.form}"
        numbers = (Number(title, "", unit_text(item.unit or ""), tuple("xyz"), vector),)
    else:

        def position(snapshot: Snapshot) -> Array | None:
            return snapshot.measurements[name].p_WM if name in snapshot.measurements else None

        def gap(snapshot: Snapshot) -> Array | None:
            measured = position(snapshot)
            return None if measured is None else measured - snapshot.p_WF[snapshot.index[item.of]]

        numbers = (
            Number("Measured position r", "from the origin of world, in axes of world", "m", tuple("xyz"), position),
            Number("Gap", f"from {item.of} to where it is measured, in axes of world", "m", tuple("xyz"), gap),
        )
    source = None if isinstance(item, MeasuredVector) else item.source
    note = "" if source is None else f"{source.words(item.of, item.relative_to)}."
    note = note if staged is not None else "It has a problem, see the list."
    return Card(f"about {item.of}", (), numbers if staged else (), _links(plan, ("frames", item.of)), note)


# --- Small angles beside finite ones


def twin_card(plan: Plan, name: str) -> Card | None:
    """Return the difference between a simulated frame and its counterpart with another model, or None."""
    motions_of = {other: frame.motion for other, frame in plan.scene.frames.items()}
    mine = motions_of.get(name)
    if not isinstance(mine, Simulated):
        return None
    others = [other for other, motion in motions_of.items() if isinstance(motion, Simulated) and motion.like == name]
    other = mine.like or (others[0] if others else None)
    if other is None or other not in plan.index:
        return None

    def shift(snapshot: Snapshot) -> Array:
        return snapshot.p_WF[snapshot.index[name]] - snapshot.p_WF[snapshot.index[other]]

    def turn(snapshot: Snapshot) -> Array | None:
        R = snapshot.R_WF[snapshot.index[other]].T @ snapshot.R_WF[snapshot.index[name]]
        if not np.isfinite(R).all():
            return None
        return np.degrees(conventions.rotation_vector_from_quaternion(frames.to_Q(Orientation(R.T, np.zeros(3)))))

    numbers = (
        Number("Shift", f"from {other} to {name}, in axes of world", "m", tuple("xyz"), shift),
        Number("Turn", f"rotation vector from {other} to {name}, in axes of {other}", "°", tuple("xyz"), turn, 2),
    )
    return Card(f"beside {other}", (), numbers, _links(plan, ("frames", other)))


# --- Wording


def _links(plan: Plan, *keys: ItemKey) -> tuple[tuple[str, ItemKey], ...]:
    """Return the links to those items that exist."""
    links: dict[str, ItemKey] = {}
    for kind, name in keys:
        if name in (plan.index if kind == "frames" else getattr(plan.scene, kind)):
            links[f"Go to {kind_and_name(kind, name)}"] = (kind, name)
    return tuple(links.items())


# --- Notes


def _note(plan: Plan, name: str) -> Card:
    note = plan.scene.notes[name]
    if note.frame is None:
        return Card("on the picture")
    return Card(f"at {note.frame}", links=_links(plan, ("frames", note.frame)))
