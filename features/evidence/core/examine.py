"""Search for the faults that make the readings of a recording agree."""

from __future__ import annotations

from framescope.features.evidence.core.account import Account
from framescope.features.evidence.core.readings import SensorLog


def examine(log: SensorLog) -> Account:
    """Return the account of the evidence in a recording.

    May be called on any thread; it asks `framescope.core.system.cooperative_yield.checkpoint` between its steps.
    """
    return Account(log, (), ())
