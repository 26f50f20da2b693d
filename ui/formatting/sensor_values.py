"""Sensor values, quantity by quantity, in words and in the units of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.evaluation.compile.instruments import CompiledSensor
from framescope.core.evaluation.compile.recordings.sensors import SLICE, RecordedValues
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.scene.schema.signals import SENSED

_SHOWN = {
    "r": ("r", "m"),
    "v": ("v", "m/s"),
    "a": ("a", "m/s²"),
    "angles": ("", "°"),
    "w": ("ω", "°/s"),
    "z": ("z", "°/s²"),
    "s": ("f", "m/s²"),
}
"""Symbol and display unit of each quantity."""


@dataclass(frozen=True)
class SensorPart:
    """One quantity of a sensor.

    Attributes
    ----------
    place
        Its slice of the sensor's values.
    letter
        The reference's letter for the quantity.
    title, symbol, unit
        Name, symbol and unit; `symbol` is empty for angles.
    text
        Frame measured, frame it is relative to, and frame it is resolved in.
    sequence
        Axis sequence of angles; empty for other quantities.
    """

    place: slice
    letter: str
    title: str
    symbol: str
    unit: str
    text: str
    sequence: str = ""

    def in_unit(self, values: Array) -> Array:
        """Convert values of the quantity from the sensor's radians to its unit."""
        return np.degrees(values) if self.unit.startswith("°") else values


def sensor_parts(compiled: CompiledSensor) -> Iterator[SensorPart]:
    """Yield the quantities that a sensor measures."""
    sensor = compiled.sensor
    if isinstance(sensor, RecordedValues):
        yield _recorded_part(sensor)
        return
    for name, place in sensor.slices.items():
        letter = name.removesuffix("_rel")
        title = SENSED[letter].capitalize()
        symbol, unit = _SHOWN[letter]
        if name == "angles":
            sequence = "".join(" XYZ"[axis] for axis in as_sequence(sensor.sequence))
            text = f"{compiled.seen_from} into {compiled.at}, {sequence} about moving axes"
            yield SensorPart(place, letter, title, symbol, unit, text, sequence)
        else:
            text = f"{compiled.at} relative to {compiled.seen_from}, in axes of {sensor.resolved_in}"
            yield SensorPart(place, letter, title, symbol, unit, text)


def _recorded_part(sensor: RecordedValues) -> SensorPart:
    quantity, columns = sensor.quantity, ", ".join(sensor.labels)
    title, symbol = (quantity.capitalize(), {"force": "F", "torque": "M"}[quantity]) if quantity else ("Recorded", "")
    text = f"recorded at {sensor.frame_a}, in its axes" if quantity else columns
    return SensorPart(sensor.slices[SLICE], SLICE, title, symbol, sensor.unit, text)
