"""Cut forces and torques of connectors in a result of a Modelica tool, as recorded sensors of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.kernels.round_numbers import round_down
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_frames import ResultFrame

VARIABLES: Mapping[Literal["force", "torque"], tuple[str, str]] = {"force": ("f", "N"), "torque": ("t", "N m")}
"""Name and unit of each quantity in a connector. Both are resolved in its frame and act on its component."""

MOST = 400
"""Limit of sensors from one result."""

SHORTEST, LONGEST = 1e-99, 1e99
"""Bounds of the length of 1 N in a scene, m. Damaged results have forces and sizes beyond them."""

SHARE = 0.3
"""Length of the longest arrow as a fraction of the size of the scene."""


@dataclass(frozen=True)
class CutForce:
    """Force or torque: its sensor without an arrow, and its largest magnitude, N or N m."""

    name: str
    sensor: RecordedSensor
    largest: float


def cut_forces(
    result: ResultFile, frames: Iterable[ResultFrame], names: Mapping[str, str], file: str
) -> Iterator[CutForce]:
    """Yield the forces and torques in a result that are not always zero, from one connector for each frame.

    Parameters
    ----------
    result, frames
        The result, and the frames of its connectors.
    names
        Names of frames in the scene by their names in the result.
    file
        Path of the file as written in the scene.
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


def with_arrows(forces: Iterable[CutForce], size: float) -> dict[str, RecordedSensor]:
    """Return sensors by name, with the arrow lengths of 1 N and of 1 N m that suit the scene.

    `size` is the extent of the scene, m.
    """
    sensors = list(forces)
    lengths = dict[str | None, Quantity]()
    for quantity in VARIABLES:
        largest = max((force.largest for force in sensors if force.sensor.quantity == quantity), default=0.0)
        if largest > 0.0 and SHORTEST < (length := SHARE * size / largest) < LONGEST:
            lengths[quantity] = Quantity(round_down(length), "m")
    return {
        force.name: force.sensor.model_copy(update={"arrow": lengths.get(force.sensor.quantity)}) for force in sensors
    }
