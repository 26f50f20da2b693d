"""Tick: one moment as passed to the visuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.snapshot import Snapshot

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tick:
    """One moment: the snapshot (of a scalar time), the plan for authored angles, and the trails.

    In `snapshot` unconnected frames have the poses at which they are drawn. Values that a user reads come from `known`.
    """

    snapshot: Snapshot
    plan: Plan
    trails: Mapping[str, Array]
    staged_rotation: StagedRotation | None = None
    """Progress of the rotation that is shown turn by turn."""
    known: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", self.snapshot)
        object.__setattr__(self, "snapshot", drawn_frames(self.plan.tree, self.snapshot))
