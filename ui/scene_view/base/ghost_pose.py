"""Ghost pose of a finding: the pose of the frame if the finding were true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.base.scene_options import SceneOption


@dataclass(frozen=True, eq=False)
class Candidate:
    """Candidate orientations to be drawn beside a frame.

    Attributes
    ----------
    label
        Text beside the ghost: ``#1``, or ``B`` for the measurements of side B.
    frame
        Frame at whose origin the ghost is drawn.
    relative_to
        Frame in which the orientations are expressed.
    R : (n, 3, 3)
        Active orientations of the candidate in `relative_to`.
    times : (n,), optional
        Scene times of the samples, s. Without times, `sample` is shown all the time.
    sample
        Index of the sample to draw if there are no times.
    turn_to
        Label of another candidate at the same frame; an arc shows the turn from this one to it. Empty for none.
    """

    label: str
    frame: str
    relative_to: str
    R: Array
    times: Array | None = None
    sample: int = 0
    turn_to: str = ""

    def at(self, t: float) -> Array:
        """Return the orientation (3, 3) of the sample nearest to time t, s."""
        if self.times is None or len(self.times) == 0:
            return self.R[self.sample]
        after = int(np.searchsorted(self.times, t))
        near = [k for k in (after - 1, after) if 0 <= k < len(self.times)]
        return self.R[min(near, key=lambda k: abs(float(self.times[k]) - t))]  # type: ignore[index]


CANDIDATES = SceneOption[tuple[Candidate, ...]]((), is_shared=False)
"""Candidates found by the convention detective, shown in the view that displays them."""
