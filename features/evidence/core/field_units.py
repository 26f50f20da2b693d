"""Units of magnetic fields by their length: that of the Earth is known to a factor of three everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.features.evidence.core.account import Fault
from framescope.features.evidence.core.tracks import Track

WEAKEST, STRONGEST = 15e-6, 150e-6
"""Length of a field that a sensor on a body reads, T: that of the Earth with the iron of the body."""

UNITS: dict[str, float] = {"mT": 1e3, "G": 1e4, "µT": 1e6, "mG": 1e7, "nT": 1e9}
"""Units that occur in place of tesla: number of them in a tesla."""


def unit_of(field: np.ndarray) -> tuple[str, float]:
    """Return the unit of readings (n, 3) of a magnetic field, and the number of it in a tesla.

    It is tesla if the length is that of the Earth's field in tesla, or in no unit; of two units the more usual one.

    >>> unit_of(np.array([[0.0, 20.0, -44.0]]))
    ('µT', 1000000.0)
    """
    usual = float(np.median(lengths(field))) if len(field) else 0.0
    fitting = [(unit, factor) for unit, factor in (("T", 1.0), *UNITS.items()) if _is_usual(usual / factor)]
    order = ("T", "µT", "G", "mG", "mT", "nT")
    return min(fitting, key=lambda option: order.index(option[0]), default=("T", 1.0))


def _is_usual(length: float) -> bool:
    return WEAKEST <= length <= STRONGEST


def in_tesla(tracks: Sequence[Track]) -> tuple[tuple[Track, ...], dict[int, Fault]]:
    """Return tracks with magnetic fields in tesla, and by number of the track the unit that was another."""
    mended, faults = list(tracks), dict[int, Fault]()
    for k, track in enumerate(tracks):
        if track.quantity == "magnetic field":
            unit, factor = unit_of(track.x)
            if factor != 1.0:
                mended[k] = replace(track, x=track.x / factor)
                faults[k] = Fault("unit", track.name, f"in {unit}", (factor,))
    return tuple(mended), faults
