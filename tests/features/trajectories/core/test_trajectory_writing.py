"""Texts of trajectories: what is written reads back."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError
from framescope.features.trajectories.core.stream_reading import StreamChoice, read_stream
from framescope.features.trajectories.core.trajectory_writing import (
    WRITERS,
    columns_of_errors,
    format_of,
    stamp_texts,
    tum_text,
)
from tests.support.pose_streams import Plant, planted


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_that_a_written_trajectory_reads_back(tmp_path, name) -> None:
    stream = planted(Plant(n=30, outliers=0.0)).a
    path = tmp_path / f"a.{name}"
    path.write_text(WRITERS[name](stream), encoding="utf-8")
    back = read_stream(path, StreamChoice(format=name))
    assert np.abs(back.p_RF - stream.p_RF).max() < 1e-15
    assert np.abs(back.R_RF - stream.R_RF).max() < 1e-14
    if name == "tum":
        assert np.abs(back.t - stream.t).max() < 1e-9


def test_that_stamps_keep_nanoseconds_and_signs() -> None:
    q = np.tile([0.0, 0.0, 0.0, 1.0], (2, 1))
    stream = PoseStream("", np.array([-0.5, 0.000000001]), np.zeros((2, 3)), q)
    assert stamp_texts(stream) == ["-0.500000000", "0.000000001"]


def test_that_tum_needs_times_and_endings_are_checked() -> None:
    with pytest.raises(StreamError, match="no times"):
        tum_text(PoseStream("a", None, np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]])))
    with pytest.raises(StreamError, match="a trajectory is written as"):
        format_of("a.csv")


def test_that_a_pair_without_an_error_is_empty_in_the_table() -> None:
    columns = columns_of_errors(np.array([0.0, 1.0, 2.0]), {"e": (np.array([2]), np.array([5.0]))}, 3)
    assert np.isnan(columns["e"][:2]).all()
    assert columns["e"][2] == 5.0
