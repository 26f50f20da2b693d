"""Recording and smoothing of a table's samples before they are in a scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from framescope.core import quaternions
from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.core.recordings import pose_columns, row_cleaning
from framescope.core.recordings.pose_spline import MAX_SAMPLES, Recording, RecordingError
from framescope.core.recordings.smoothing import Smoothing, Stated, fit
from framescope.core.recordings.tables.numeric import Table
from framescope.features.table_import.core.choices import Choices, Group, columns_of


def recording_of(t: Array, position: Array, orientation: Array, choices: Choices) -> Recording | None:
    """Return a recording from samples of a table, sorted, with one sample per time; None for unusable samples.

    Parameters
    ----------
    t : (n,)
        Times, s.
    position : (n, 3) or (n, 0)
        Position, m.
    orientation : (n, k)
        Columns of the orientation, unchanged.
    choices
        Conventions of the columns.
    """
    t, rows = np.unique(t, return_index=True)
    if len(t) < row_cleaning.MIN_SAMPLES:
        return None
    p, q = position[rows], orientation[rows]
    xyz, turn = tuple("xyz"[: p.shape[1]]), tuple(f"q{i}" for i in range(q.shape[1]))
    group = Group(position=xyz or (None, None, None), orientation=turn)
    columns = columns_of(replace(choices, time=None, position_unit="m"), group)
    table = Table("", dict(zip((*xyz, *turn), (*p.T, *q.T), strict=True)))
    try:
        p_PF, Q_PF = pose_columns.rows_of(table, columns, ("normalise",))
    except FramescopeError:
        return None
    recording = Recording(t - t[0], p_PF, quaternions.continuous_signs(Q_PF))
    return row_cleaning.inverted(recording) if choices.pose == "parent in frame" else recording


def smoothing_of(t: Array, position: Array, orientation: Array, choices: Choices) -> Smoothing | None:
    """Return the smoothing of samples by the chosen bandwidths or by their noise; None without a recording."""
    recording = recording_of(t, position, orientation, choices)
    if recording is None or len(recording.t) > MAX_SAMPLES:
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers may be too large
            return fit(recording, Stated(choices.bandwidth_hz, choices.orientation_bandwidth_hz))[1]
    except RecordingError:
        return None
