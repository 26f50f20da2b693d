"""Miss: by how much something measured misses the motion that a scene gives its frames."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.core.errors import KeyPath


@dataclass(frozen=True)
class Miss:
    """How far something measured is off, in SI units.

    Attributes
    ----------
    key
        The place in the scene of what is measured.
    what
        What of it is missed: ``"angular velocity"``, ``"position"``, ``"orientation"`` and so on.
    rms
        Root mean square of the length of the miss, wild rows left out.
    noise
        What the noise of the data alone gives in the same statistic.
    floor
        What is allowed on top of it.
    worst, time
        The largest miss, wild rows left out, and when it is, s.
    unit, factor
        As it is shown: ``rms / factor`` in `unit`.
    n
        How many independent values there are.
    """

    key: KeyPath
    what: str
    rms: float
    noise: float
    floor: float
    worst: float
    time: float
    unit: str
    factor: float
    n: int
