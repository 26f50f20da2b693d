"""Readings of a stream: each undoes the writing in its convention."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.pose_stream import rotations
from framescope.features.trajectories.core.stream_readings import PLAIN, READINGS, StreamReading
from tests.support.pose_streams import Plant, planted, written_as


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.words("a", "b"))
def test_that_a_reading_undoes_its_writing(reading) -> None:
    stream = planted(Plant(n=20)).b
    p, q = reading.of_poses(*written_as(reading, stream.p_RF, stream.q_RF))
    assert np.abs(p - stream.p_RF).max() < 1e-12
    assert np.abs(rotations(q) - stream.R_RF).max() < 1e-12


def test_that_each_reading_has_words_of_its_own_and_the_plain_one_costs_nothing() -> None:
    words = [reading.words("a", "b") for reading in READINGS]
    assert len(set(words)) == len(words)
    assert PLAIN.is_plain
    assert all(reading.cost > 0.0 for reading in READINGS if reading is not PLAIN)


def test_that_axes_of_positions_alone_change_no_orientation() -> None:
    stream = planted(Plant(n=20)).b
    reading = StreamReading(axes=((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)), axes_text="y, x, −z")
    read = reading.of(stream)
    assert (read.q_RF == stream.q_RF).all()
    assert np.abs(read.p_RF - stream.p_RF[:, [1, 0, 2]] * [1.0, 1.0, -1.0]).max() == 0.0
    assert "y, x, −z" in reading.words("a", "b")
