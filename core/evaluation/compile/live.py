"""Growing series that a program feeds, made the motion of a frame."""

from __future__ import annotations

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample
from framescope.core.growing_series import GrowingSeries
from framescope.core.kernels.validation import NO_ROTATION, Array
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Live
from framescope.core.system.file_access import Access
from framescope.core.time_functions.keyframes import pose_keyframes

COLUMNS = ("x", "y", "z", "qx", "qy", "qz", "qw")
"""A row of a series: m; Hamilton's quaternion, scalar last, that takes the frame into its parent."""


def live_series(scene: Scene, access: Access) -> tuple[GrowingSeries, ...]:
    """Return the growing series that the frames of a scene read, each once."""
    named = (frame.motion.series for frame in scene.frames.values() if isinstance(frame.motion, Live))
    return tuple(access.live[name] for name in dict.fromkeys(named) if name in access.live)


def compile_live(form: Live, context: MotionContext) -> LocalMotion:
    """Make the motion through the rows that a series has whenever it is sampled; outside them the frame stands still.

    It is linear between rows, with slerp. Before the first row the frame has no pose. It is made anew each time, as
    what it gives is nothing that the scene says.
    """
    series, key = context.access.live.get(form.series), ("motion", "series")
    if series is None:
        hint = "A program hands it over, see framescope.app.show. The frame is not drawn."
        raise ItemError(key, f'nothing feeds the series "{form.series}".', hint)
    if series.n_values != len(COLUMNS):
        text = f"expected rows of {len(COLUMNS)} values, got {series.n_values}."
        raise ItemError(key, text, f"Append {', '.join(COLUMNS)}.")

    def sample(t: Array) -> Sample:
        times, rows = series.rows
        if not len(times):
            return Sample(*(np.full((len(t), *shape), np.nan) for shape in ((3, 3), *[(3,)] * 5)))
        # The rows about these times alone: a tick needs four of ten thousand. The last one has the rates before it.
        first, last = np.searchsorted(times, (t.min(), t.max()), side="right")
        part = slice(max(int(first) - 2, 0), int(last) + 1)
        Q = rows[part, 3:]
        length = np.linalg.norm(Q, axis=1, keepdims=True)
        Q = np.where((length > 0.0) & np.isfinite(length), Q / length, NO_ROTATION)  # what is none turns nothing
        return Sample(*pose_keyframes(times[part], rows[part, :3], Q, "linear").sample(t))

    return LocalMotion(sample, is_constant=False)
