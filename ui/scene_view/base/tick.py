"""Tick: one moment as the visuals are shown it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.evaluate import Plan
from framescope.core.snapshot import Snapshot

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tick:
    """One moment: the snapshot (of a scalar time), the plan for authored angles, and the trails."""

    snapshot: Snapshot
    plan: Plan
    trails: Mapping[str, Array]
    staged_rotation: StagedRotation | None = None
    """How far the frame that is shown turn by turn has come."""
