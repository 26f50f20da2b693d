"""Growing time series: what may be appended, what readers have, and what goes when there is no more room."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.system.growing_series import GrowingSeries


def counted(n: int, capacity: int | None = None) -> GrowingSeries:
    series = GrowingSeries(2, capacity)
    for i in range(n):
        series.append(0.1 * i, [i, -i])
    return series


def test_that_rows_are_kept_in_order_and_sampled_between() -> None:
    series = counted(1000)
    times, values = series.rows
    np.testing.assert_array_equal(values[:, 0], np.arange(1000))
    np.testing.assert_allclose(series.sample([-1.0, 0.05, 99.9, 200.0])[:, 0], [0.0, 0.5, 999.0, 999.0])
    assert (len(series), series.revision) == (1000, 1000)
    with pytest.raises(ValueError, match="read-only"):
        times[0] = 1.0


def test_that_a_series_without_rows_has_no_values() -> None:
    series = GrowingSeries(3)
    assert (len(series), series.revision, series.times.shape) == (0, 0, (0,))
    assert np.isnan(series.sample([0.0, 1.0])).all()
    assert series.sample(0.0).shape == (3,)


@pytest.mark.parametrize(
    ("t", "values", "told"),
    [
        (0.9, [0, 0], "expected a time after 0.9"),
        (0.5, [0, 0], "expected a time after 0.9"),
        ([1.0, 1.0], [[0, 0], [0, 0]], "expected a time after 1.0 s, got 1.0 s"),
        (np.nan, [0, 0], "finite"),
        (1.0, [0, np.inf], "finite"),
        (1.0, [0, 0, 0], "shape"),
        ([1.0, 2.0], [0, 0], "shape"),
    ],
)
def test_that_what_does_not_go_on_is_refused_and_adds_nothing(t, values, told) -> None:
    series = counted(10)
    with pytest.raises(FramescopeError, match=told):
        series.append(t, values)
    assert (len(series), series.revision) == (10, 10)


def test_that_a_bounded_series_keeps_the_newest_and_leaves_what_readers_have() -> None:
    series = counted(5, capacity=300)
    held = series.rows[1]
    for i in range(5, 5000):
        series.append(0.1 * i, [i, -i])
        assert len(series) == min(i + 1, 300)
    np.testing.assert_array_equal(series.rows[1][:, 0], np.arange(4700, 5000))
    np.testing.assert_array_equal(held[:, 0], np.arange(5))
    series.append(1000.0 + np.arange(1000.0), np.ones((1000, 2)))
    assert (len(series), series.times[0]) == (300, 1700.0)


def test_that_a_copy_in_another_process_has_the_rows_of_the_moment() -> None:
    series = counted(7, capacity=5)
    copy = pickle.loads(pickle.dumps(series))
    series.append(10.0, [0, 0])
    np.testing.assert_array_equal(copy.rows[1][:, 0], np.arange(2, 7))
    copy.append(11.0, [0, 0])
    assert (len(copy), len(series)) == (5, 5)


def test_that_threads_append_whole_rows_while_others_read() -> None:
    series, has_ended, torn = GrowingSeries(8, capacity=500), threading.Event(), []

    def read() -> None:
        while not has_ended.is_set():
            times, values = series.rows
            torn.extend(i for i in range(len(times)) if (values[i] != times[i]).any())

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(5000):
        series.append(float(i), np.full(8, float(i)))
    has_ended.set()
    reader.join()
    assert torn == []
    assert len(series) == 500
