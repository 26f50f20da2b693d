"""What the inspector says of bodies, points, elements, sensors and claims: facts, and numbers of the moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluate import Plan
from framescope.core.scene import bodies as shapes
from framescope.core.scene.bodies import Body
from framescope.core.scene.measured import MeasuredVector
from framescope.core.scene.motions import Recorded
from framescope.core.scene.points import Element, SpringElement
from framescope.core.scene.quantities import Quantity
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.wording import ItemKey, angle_letters, body_kind, frame_of, sensor_frame, unit_text
from framescope.ui.sensed import sensor_parts

Array = NDArray[np.float64]
Read = Callable[[Snapshot], Array | None]
"""Takes the numbers of the moment from a snapshot; None where there are none."""


@dataclass(frozen=True)
class Number:
    """Numbers that change with time, with what they need: what, of which and where unless the facts say so, unit."""

    title: str
    text: str
    unit: str
    letters: tuple[str, ...]
    read: Read
    decimals: int = 4


@dataclass(frozen=True)
class Card:
    """What there is to know of an item, and the items it leads to: the words of each button, and its key."""

    subtitle: str
    facts: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Number, ...] = ()
    links: tuple[tuple[str, ItemKey], ...] = ()
    note: str = ""


def card_of(plan: Plan, key: ItemKey) -> Card | None:
    """Return what is said of an item; None when the plan has none of that name, and for frames."""
    makers: dict[str, Callable[[Plan, str], Card]] = {
        "bodies": _body,
        "points": _point,
        "elements": _element,
        "sensors": _sensor,
        "measured": _claim,
    }
    kind, name = key
    if kind not in makers or name not in getattr(plan.scene, kind):
        return None
    return makers[kind](plan, name)


# --- Bodies


def _body(plan: Plan, name: str) -> Card:
    body = plan.scene.bodies[name]
    facts = [("shape", body_kind(body)), *_sizes(body.shape)]
    if body.opacity != 1.0:
        facts.append(("opacity", f"{body.opacity:g}"))
    if body.mass is not None:
        facts.append(("mass", str(body.mass)))
    facts += _inertia(body)
    return Card(f"on {body.frame}", tuple(facts), links=_links(plan, ("frames", body.frame)))


def _sizes(shape: shapes.Shape) -> list[tuple[str, str]]:
    match shape:
        case shapes.Box(size=size, unit=unit):
            return [("size", _numbers(size, unit, " × "))]
        case shapes.MeshFile(file=file, unit=unit):
            return [("file", file), ("its unit", unit or "missing")]
        case _:
            keys = [key for key in type(shape).model_fields if key != "form"]
            return [(key, str(getattr(shape, key))) for key in keys]


def _inertia(body: Body) -> list[tuple[str, str]]:
    if body.inertia is None:
        return []
    if body.inertia == "uniform":
        return [("inertia", "of the shape, filled evenly")]
    value, unit = body.inertia.value, body.inertia.unit
    rows = [row for row in value if isinstance(row, tuple)]
    text = "; ".join(_numbers(row) for row in rows) if rows else _numbers(value)
    about = f"about the origin of {body.frame}, in its axes"
    return [("inertia", f"{text} {unit_text(unit or '')}".strip()), ("", about)]


# --- Points and elements


def _point(plan: Plan, name: str) -> Card:
    point = plan.scene.points[name]
    frame = frame_of(plan.scene, ("points", name))
    directions = point.kind.lower()
    along = f"along {', '.join(directions)} of world"
    facts = (
        ("passes on", along),
        ("offset", _numbers(point.offset.value, point.offset.unit)),
        ("", f"from the origin of {frame or point.body}, in its axes"),
    )

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
        Number("Position r", "from the origin of world, resolved in world", "m", tuple("xyz"), place),
    )
    return Card(f"on {point.body}", facts, numbers, _links(plan, ("bodies", point.body)), _unsimulated(plan))


def _element(plan: Plan, name: str) -> Card:
    element = plan.scene.elements[name]
    point = plan.scene.points.get(element.point)
    letters = tuple(point.kind.lower()) if point is not None else tuple("xyz")
    facts = (("form", element.form), ("from", element.point), ("to", element.to or "ground"), *_laws(element))

    def force(snapshot: Snapshot) -> Array | None:
        simulation = plan.instruments.simulation
        if simulation is None:
            return None
        found = simulation.element_forces(np.reshape(snapshot.t, 1)).get(name)
        return None if found is None else np.atleast_1d(found[0])

    text = f"on the body at {element.point}, along {', '.join(letters)} of world"
    ends = [("points", end) for end in (element.point, element.to) if end is not None]
    numbers = (Number("Force F", text, "N", letters, force),)
    return Card(f"{element.point} to {element.to or 'ground'}", facts, numbers, _links(plan, *ends), _unsimulated(plan))


def _laws(element: Element) -> list[tuple[str, str]]:
    if isinstance(element, SpringElement):
        return [("stiffness", _per_direction(element.stiffness)), ("damping", _per_direction(element.damping))]
    signal = element.signal if isinstance(element.signal, tuple) else (element.signal,)
    words = ", ".join(each if isinstance(each, str) else f"{each:g}" for each in signal)
    return [(element.form, f"{words} {unit_text(element.unit or '')}".strip())]


def _per_direction(value: Quantity | tuple[Quantity, ...]) -> str:
    return str(value) if isinstance(value, Quantity) else ", ".join(map(str, value))


def _unsimulated(plan: Plan) -> str:
    return "" if plan.instruments.simulation is not None else "Numbers come with the simulation."


# --- Sensors and claims


def _sensor(plan: Plan, name: str) -> Card:
    item = plan.scene.sensors[name]
    staged = plan.instruments.sensors.get(name)
    frame = sensor_frame(item)
    links = _links(plan, ("frames", frame))
    if staged is None:
        return Card(f"on {frame}", (("form", f"{item.form} sensor"),), (), links, "It has a problem, see the list.")
    # Said once for all vectors of the sensor; only its angles need more.
    facts = [("form", f"{item.form} sensor"), ("of", staged.at), ("relative to", staged.seen_from)]
    facts.append(("resolved in", staged.sensor.resolved_in))

    def read(part_of: Callable[[Array], Array], place: slice) -> Read:
        def of(snapshot: Snapshot) -> Array | None:
            return part_of(snapshot.sensors[name][place]) if name in snapshot.sensors else None

        return of

    numbers = tuple(
        Number(
            f"{part.title} {part.symbol}".strip(),
            part.text if part.sequence else "",
            part.unit,
            angle_letters(part.sequence) if part.sequence else tuple("xyz"),
            read(part.in_unit, part.place),
            2 if part.unit.startswith("°") else 4,
        )
        for part in sensor_parts(staged)
    )
    return Card(f"on {frame}", tuple(facts), numbers, links)


def _claim(plan: Plan, name: str) -> Card:
    item = plan.scene.measured[name]
    staged = plan.instruments.claims.get(name)
    facts = [("claims", item.form), ("of", item.of), ("relative to", item.relative_to)]
    numbers: tuple[Number, ...] = ()
    if isinstance(item, MeasuredVector):
        facts += [("resolved in", item.resolved_in), ("file", item.file), ("columns", ", ".join(item.values))]
        factor = 1.0 if staged is None else staged.factor

        def vector(snapshot: Snapshot) -> Array | None:
            found = snapshot.claims[name].vector if name in snapshot.claims else None
            return None if found is None else found / factor

        title = f"Claimed {item.form}"
        numbers = (Number(title, "", unit_text(item.unit or ""), tuple("xyz"), vector),)
    else:
        facts += [("file", item.motion.file)] if isinstance(item.motion, Recorded) else []

        def position(snapshot: Snapshot) -> Array | None:
            return snapshot.claims[name].p_WM if name in snapshot.claims else None

        def gap(snapshot: Snapshot) -> Array | None:
            found = position(snapshot)
            return None if found is None else found - snapshot.p_WF[snapshot.index[item.of]]

        numbers = (
            Number("Claimed position r", "from the origin of world, resolved in world", "m", tuple("xyz"), position),
            Number("Gap", f"from {item.of} to where it is claimed, resolved in world", "m", tuple("xyz"), gap),
        )
    note = "" if staged is not None else "It has a problem, see the list."
    return Card(f"about {item.of}", tuple(facts), numbers if staged else (), _links(plan, ("frames", item.of)), note)


# --- Wording


def _links(plan: Plan, *keys: ItemKey) -> tuple[tuple[str, ItemKey], ...]:
    """Return a button for each item that there is."""
    words = {"frames": "frame", "bodies": "body", "points": "point"}
    found: dict[str, ItemKey] = {}
    for kind, name in keys:
        if name in (plan.index if kind == "frames" else getattr(plan.scene, kind)):
            found[f"Go to {words[kind]} {name}"] = (kind, name)
    return tuple(found.items())


def _numbers(values: tuple[object, ...], unit: str | None = None, between: str = ", ") -> str:
    text = between.join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    return f"{text} {unit_text(unit)}" if unit else text
