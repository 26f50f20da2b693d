"""Votes for late sensors by the delays that relations show."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.evidence.core.alignment import Lag
from framescope.features.evidence.core.delays import Timed, vote
from framescope.features.evidence.core.readings import Quantity, Readings, SensorLog
from framescope.features.evidence.core.relations import Relation, Scope
from framescope.features.evidence.core.tracks import bodies_of, tracks_of

T = 0.02 * np.arange(500)


def _scope() -> Scope:
    quantities: tuple[Quantity, ...] = ("angular velocity", "orientation", "magnetic field")
    widths = {"orientation": 4}
    log = SensorLog(
        tuple(
            Readings(f"{q} of /{k}", f"/{k}", q, T, 0.5 * np.ones((len(T), widths.get(q, 3))), "base_link")
            for k, q in enumerate(quantities)
        ),
        (),
    )
    return Scope(tracks_of(log, bodies_of(log)))


def _timed(kind: str, first: int, second: int, delay: float, drift: float, half: float = 10.0) -> Timed:
    lag = Lag(delay, drift, np.diag([0.001**2, (0.0025 / half) ** 2]), half)
    return Timed(first, second, lag, Relation(kind, (first, second)), half)  # type: ignore[arg-type]


def _lags(delay: float, drift: float, half: float = 10.0) -> tuple[Timed, ...]:
    return (
        _timed("turn", 1, 0, 0.0002, 0.0, half),
        _timed("carried", 2, 0, delay, drift, half),
        _timed("carried", 2, 1, delay, drift, half),
    )


@pytest.mark.parametrize(("delay", "drift"), [(-0.0036, -0.0015), (-0.012, 0.003)])
def test_that_iron_near_a_magnetometer_is_no_drift_of_its_clock(delay: float, drift: float) -> None:
    assert vote(_scope(), _lags(delay, drift)).late == ()


def test_that_a_late_magnetometer_is_late() -> None:
    (late,) = vote(_scope(), _lags(0.08, 0.0)).late
    assert late.unit == (2,)
    assert late.delay == pytest.approx(0.08, abs=1e-3)


def test_that_a_drift_of_a_long_recording_is_found() -> None:
    lags = (_timed("turn", 1, 0, 0.0, 0.0012, 120.0), *_lags(0.0, 0.0, 120.0)[1:])
    (late,) = vote(_scope(), lags).late
    assert late.unit in ((0,), (1,))
    assert abs(late.drift) == pytest.approx(0.0012, rel=0.02)


def test_that_the_usual_error_of_a_drift_shrinks_with_the_length() -> None:
    short, long = (_timed("turn", 1, 0, 0.0, 0.0, half).covariance[1, 1] for half in (10.0, 100.0))
    assert short > 1.1 * long


def test_that_no_velocity_beside_a_pose_is_late_alone() -> None:
    lags = (_timed("turn", 0, 3, 0.0, 0.0), _timed("turn", 2, 3, 0.02, 0.0), _timed("turn", 2, 0, 0.02, 0.0))
    assert all(len(late.unit) > 1 for late in vote(_pose_scope(), lags).late)


def _pose_scope() -> Scope:
    """Return an odometry of 0 to 2 and a pose of 3 and 4, an orientation and a position, of another source."""
    kinds: tuple[tuple[Quantity, str], ...] = (
        ("orientation", "/odom"),
        ("position", "/odom"),
        ("angular velocity", "/odom"),
        ("orientation", "/tf"),
        ("position", "/tf"),
    )
    readings = [
        Readings(f"{q} of {s}", s, q, T, 0.5 * np.ones((len(T), 4 if q == "orientation" else 3)), "base_link", "odom")
        for q, s in kinds
    ]
    log = SensorLog(tuple(readings), ())
    return Scope(tracks_of(log, bodies_of(log)))


def test_that_no_part_of_a_pose_is_late_alone() -> None:
    # Positions on a circle do not show the delay: they agree with those that are turned.
    lags = (
        _timed("turn", 0, 3, 0.15, 0.0),
        _timed("turn", 3, 2, -0.15, 0.0),
        _timed("turn", 0, 2, 0.0, 0.0),
        _timed("travel", 1, 4, 0.01, 0.0),
    )
    (late,) = vote(_pose_scope(), lags).late
    assert late.unit in ((0, 1, 2), (3, 4))
    assert abs(late.delay) == pytest.approx(0.15, abs=2e-3)
