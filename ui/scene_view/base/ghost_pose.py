"""Ghost pose of a finding: where the frame would stand if it were so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.base.scene_options import SceneOption


@dataclass(frozen=True, eq=False)
class Candidate:
    """Orientations that are to be drawn beside a frame.

    Attributes
    ----------
    label
        What is written at it: ``#1``, or ``B`` for what the numbers of the other side say.
    frame
        At whose origin it stands.
    relative_to
        In which frame the orientations are given.
    R : (n, 3, 3)
        Active: of the candidate in `relative_to`.
    times : (n,), optional
        Scene times of the samples, s; without, `sample` stands all the time.
    sample
        Which one is drawn where there are no times.
    """

    label: str
    frame: str
    relative_to: str
    R: Array
    times: Array | None = None
    sample: int = 0

    def at(self, t: float) -> Array:
        """Return the orientation (3, 3) at a time: that of the nearest sample."""
        if self.times is None or len(self.times) == 0:
            return self.R[self.sample]
        after = int(np.searchsorted(self.times, t))
        near = [k for k in (after - 1, after) if 0 <= k < len(self.times)]
        return self.R[min(near, key=lambda k: abs(float(self.times[k]) - t))]  # type: ignore[index]


CANDIDATES = SceneOption[tuple[Candidate, ...]]((), is_shared=False)
"""What the convention detective has found, where it is looked at."""
