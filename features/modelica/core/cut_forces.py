"""Cut forces and torques of connectors in a result of a Modelica tool, as recorded sensors of a scene."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_frames import ResultFrame

VARIABLES: Mapping[Literal["force", "torque"], tuple[str, str]] = {"force": ("f", "N"), "torque": ("t", "N m")}
"""What a connector calls them, and their units; both are resolved in its frame, and act on what it belongs to."""

MOST = 400
"""Sensors that are made of one result."""

SHORTEST, LONGEST = 1e-99, 1e99
"""Between what lengths of 1 N a scene can have, m; damaged results have forces and sizes beyond them."""

SHARE = 0.3
"""How long the longest arrow is, as a part of the size of the scene."""


@dataclass(frozen=True)
class CutForce:
    """A force or a torque: its sensor without an arrow, and the largest magnitude that it has, N or N m."""

    name: str
    sensor: RecordedSensor
    largest: float


def cut_forces(
    result: ResultFile, frames: Iterable[ResultFrame], names: Mapping[str, str], file: str
) -> Iterator[CutForce]:
    """Yield the forces and torques in a result that are not zero all the time, of one connector in each place.

    Parameters
    ----------
    result, frames
        The result, and the places of its connectors.
    names
        Names of frames in the scene by those in the result.
    file
        What the scene writes for the file.
    """
    for frame in frames:
        for quantity, (letter, unit) in VARIABLES.items():
            for connector in frame.names:
                x, y, z = (f"{connector}.{letter}[{i}]" for i in (1, 2, 3))
                if not all(name in result.places for name in (x, y, z)):
                    continue
                vectors = np.stack([result.values(name) for name in (x, y, z)], axis=-1)
                largest = float(np.nanmax(np.linalg.norm(vectors, axis=-1), initial=0.0))
                if not largest > 0.0:
                    continue
                sensor = RecordedSensor(
                    frame_a=names[frame.name],
                    quantity=quantity,
                    unit=unit,
                    file=file,
                    time=result.time_name,
                    time_unit="s",
                    values=(x, y, z),
                    start=Quantity(float(result.times[0]), "s"),
                )
                yield CutForce(f"{connector}.{letter}", sensor, largest)
                break


def with_arrows(found: Iterable[CutForce], size: float) -> dict[str, RecordedSensor]:
    """Return sensors by their names, with one length of 1 N and one of 1 N m by which all arrows suit a scene.

    `size` is that of the scene, m.
    """
    sensors = list(found)
    lengths = dict[str | None, Quantity]()
    for quantity in VARIABLES:
        largest = max((each.largest for each in sensors if each.sensor.quantity == quantity), default=0.0)
        if largest > 0.0 and SHORTEST < (length := SHARE * size / largest) < LONGEST:
            lengths[quantity] = Quantity(round_down(length), "m")
    return {each.name: each.sensor.model_copy(update={"arrow": lengths.get(each.sensor.quantity)}) for each in sensors}


def round_down(value: float) -> float:
    """Return the largest number with one digit 1, 2 or 5 that is no larger.

    >>> round_down(0.37), round_down(0.0061), round_down(1.0)
    (0.2, 0.005, 1.0)
    """
    power = math.floor(math.log10(value) + 1e-12)
    digit = max(each for each in (1, 2, 5) if each <= value / 10.0**power * (1.0 + 1e-12))
    return float(f"{digit}e{power}")
