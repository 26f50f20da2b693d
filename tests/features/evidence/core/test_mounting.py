"""What is said of mounts about some of whose directions any turn is as likely."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Mounting
from framescope.features.evidence.core.mounting import Turn, body_turn, unit_turn
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import Search
from framescope.features.evidence.core.states import UP
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated

UPSIDE_DOWN = Rotation.from_euler("ZYX", [90.0, 0.0, 180.0], degrees=True).as_matrix()


def test_that_a_turn_about_an_open_direction_is_stated_without_its_angle() -> None:
    words = Turn(UPSIDE_DOWN, np.diag([1e5, 1e5, 0.0])).words_if_open
    assert words == "mounted with its z along −z (±0.27°), its turn about z open"


def test_that_a_known_turn_needs_no_such_words() -> None:
    assert not Turn(UPSIDE_DOWN, 1e5 * np.eye(3)).words_if_open


@pytest.mark.parametrize(
    ("sigma", "is_known"), [(1.0, True), (19.0, True), (21.0, False), (180.0, False), (np.nan, False)]
)
def test_that_a_mount_with_an_open_direction_is_not_known(sigma: float, is_known: bool) -> None:
    covariance = np.diag(np.radians([0.2, 0.2, sigma]) ** 2)
    mounting = Mounting("imu", "base", np.array([0.0, 0.0, 0.0, 1.0]), None, covariance, "x y z")
    assert mounting.is_known is is_known


def _flight() -> SensorLog:
    """Return the readings of a body that tilts in order to accelerate, so that its force is along its z axis alone."""
    rng = np.random.default_rng(6)
    t, g = np.arange(0.0, 30.0, 0.02), np.array([0.0, 0.0, 9.80665])
    w, size, phase = np.array([1.1, 0.8, 0.6]), np.array([2.0, 2.5, 0.5]), np.array([0.0, 1.0, 2.0])
    p = size * np.sin(w * t[:, None] + phase)
    thrust = g - w**2 * p
    z = thrust / np.linalg.norm(thrust, axis=1, keepdims=True)
    y = np.cross(z, [1.0, 0.0, 0.0])
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    R = Rotation.from_matrix(np.stack([np.cross(y, z), y, z], axis=2)) * Rotation.from_euler("z", np.sin(t)[:, None])
    noise = Rotation.from_rotvec(1e-3 * rng.normal(size=p.shape))
    force = R.inv().apply(thrust) + 0.1 * rng.normal(size=p.shape)
    return SensorLog(
        (
            Readings("specific force of /imu", "/imu", "specific force", t, force, "base"),
            Readings("orientation of /vio", "/vio", "orientation", t, (R * noise).as_quat(), "base", "odom"),
            Readings("position of /vio", "/vio", "position", t, p + 2e-3 * rng.normal(size=p.shape), "base", "odom"),
        )
    )


def test_that_a_force_along_the_thrust_alone_leaves_the_turn_about_it_open() -> None:
    log = _flight()
    bodies = bodies_of(log)
    scope = Scope(tracks_of(log, bodies))
    search = Search(Evidence(scope, tuple(relations_of(scope))), bodies)
    explanation = search.explained(stated(scope), search.best_mounts(stated(scope)), (), 0.0)
    turn = unit_turn(search.evidence, explanation, (0,))
    assert turn is not None
    ((direction, sigma),) = turn.open_directions
    assert abs(direction @ UP) > np.cos(np.radians(5.0))
    assert sigma > np.radians(10.0)


@pytest.mark.parametrize(("tilt", "least", "most"), [(0.0, 0.45, 0.8), (0.02, 0.1, 0.35)])
def test_that_a_mount_by_an_odometry_in_the_plane_is_known_no_better_than_its_body_leans(
    tilt: float, least: float, most: float
) -> None:
    rng = np.random.default_rng(8)
    t = 0.02 * np.arange(4000)
    lean = [tilt * np.sin(1.1 * t), tilt * np.sin(1.7 * t)]
    turns = Rotation.from_euler("zyx", np.stack([1.5 * np.sin(0.6 * t), *lean], axis=1))
    still = Rotation.from_rotvec([0.0, 0.0, 0.7])
    orientation = still * turns * Rotation.from_rotvec(3e-4 * rng.normal(size=(4000, 3)))
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, turns.as_quat(), "base", "odom"),
            Readings("orientation of /imu", "/imu", "orientation", t, orientation.as_quat(), "imu"),
        )
    )
    bodies = bodies_of(log)
    scope = Scope(tracks_of(log, bodies))
    search = Search(Evidence(scope, tuple(relations_of(scope))), bodies)
    explanation = search.explained(stated(scope), search.best_mounts(stated(scope)), (), 0.0)
    turn = body_turn(search.evidence, explanation, 1)
    assert turn is not None
    sigma = np.degrees(np.sqrt(np.linalg.eigvalsh(turn.covariance)))
    assert least < sigma[0] < most
    assert (sigma[2] > 90.0) == (tilt == 0.0)
