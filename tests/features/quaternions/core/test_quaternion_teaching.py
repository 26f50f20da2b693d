"""Quaternions as they are taught: half angles, sandwich products, two ways, two turns, and the belt."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.quaternions import planar_rotation
from framescope.features.quaternions.core.belt import Belt, belt_of_turn, belt_of_two_turns
from framescope.features.quaternions.core.half_angle import rotation_vectors, turn_of
from framescope.features.quaternions.core.sandwich import sandwich
from framescope.features.quaternions.core.two_turns import two_turns
from framescope.features.quaternions.core.ways import ways

RANDOM = Rotation.random(200, random_state=7).as_quat() * np.where(np.arange(200) % 2, 1.0, -1.0)[:, np.newaxis]
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def test_that_axis_and_angle_of_a_quaternion_keep_its_sign() -> None:
    for q in RANDOM:
        axis, angle = turn_of(q)
        assert 0.0 <= angle <= 2.0 * np.pi
        np.testing.assert_allclose(planar_rotation(axis, angle), q, atol=1e-12)


def test_that_places_in_the_ball_are_rotation_vectors_and_forget_the_sign() -> None:
    expected = Rotation.from_quat(RANDOM).as_rotvec()
    np.testing.assert_allclose(rotation_vectors(RANDOM), expected, atol=1e-12)
    np.testing.assert_allclose(rotation_vectors(-RANDOM), expected, atol=1e-12)
    tiny = np.array([1e-14, 0.0, 0.0, 1.0])
    np.testing.assert_allclose(rotation_vectors(tiny), [2e-14, 0.0, 0.0], rtol=1e-9)


def test_that_a_sandwich_turns_a_vector_in_products_and_in_terms() -> None:
    vectors = np.random.default_rng(1).normal(size=(200, 3))
    for q, v in zip(RANDOM, vectors, strict=True):
        found, expected = sandwich(q, v), Rotation.from_quat(q).apply(v)
        np.testing.assert_allclose(found.whole, [*expected, 0.0], atol=1e-12)
        np.testing.assert_allclose(found.along_v + found.along_u + found.across, expected, atol=1e-12)
        assert found.half[3] == pytest.approx(-q[:3] @ v)
        np.testing.assert_allclose(sandwich(-q, v).whole, found.whole, atol=1e-12)


def test_that_both_ways_lead_to_the_same_attitude_and_make_a_full_turn_together() -> None:
    for begin, end in zip(RANDOM[:100], RANDOM[100:], strict=True):
        short, long = ways(begin, end)
        assert short.angle <= np.pi + 1e-12
        assert short.angle + long.angle == pytest.approx(2.0 * np.pi)
        np.testing.assert_allclose(short.axis, -long.axis, atol=1e-9)
        for way in (short, long):
            np.testing.assert_allclose(way.at(0.0), begin, atol=1e-12)
            assert abs(way.at(1.0) @ end) == pytest.approx(1.0)
            quarter = Rotation.from_quat(begin).inv() * Rotation.from_quat(way.at(0.25))
            assert quarter.magnitude() == pytest.approx(0.25 * way.angle)


def test_that_two_turns_turn_by_the_same_angle_in_both_orders() -> None:
    for p, q in zip(RANDOM[:100], RANDOM[100:], strict=True):
        found = two_turns(p, q)
        moving = Rotation.from_quat(p) * Rotation.from_quat(q)
        fixed = Rotation.from_quat(q) * Rotation.from_quat(p)
        assert abs(found.moving @ moving.as_quat()) == pytest.approx(1.0)
        assert abs(found.fixed @ fixed.as_quat()) == pytest.approx(1.0)
        assert found.scalars.sum() == pytest.approx(found.moving[3])
        assert found.scalars.sum() == pytest.approx(found.fixed[3])
        assert found.apart == pytest.approx((moving.inv() * fixed).magnitude(), abs=1e-7)


def is_smooth(belt: Belt) -> bool:
    """Whether neighbours of a belt have nearly the same quaternion, sign and all."""
    return bool((np.sum(belt.q[1:] * belt.q[:-1], axis=1) > 0.99).all())


def test_that_a_belt_of_two_turns_is_loosened_with_its_ends_held_and_one_of_one_turn_ends_at_minus_one() -> None:
    np.testing.assert_allclose(belt_of_turn(2.0 * np.pi).q[-1], -IDENTITY, atol=1e-12)
    np.testing.assert_allclose(belt_of_turn(4.0 * np.pi).q, belt_of_two_turns(0.0).q, atol=1e-12)
    before = belt_of_two_turns(0.0)
    for share in np.linspace(0.0, 1.0, 101):
        belt = belt_of_two_turns(float(share))
        for end in (0, -1):
            np.testing.assert_allclose(belt.q[end], IDENTITY, atol=1e-12)  # and not its opposite, on the whole way
        assert is_smooth(belt)
        assert np.abs(belt.q - before.q).max() < 0.13  # nothing jumps while it is loosened
        lengths = np.linalg.norm(np.diff(belt.centre, axis=0), axis=1)
        assert lengths.sum() == pytest.approx(1.0, rel=2e-3)  # it is not stretched
        np.testing.assert_allclose(np.linalg.norm(belt.across, axis=1), 1.0)
        before = belt
    np.testing.assert_allclose(before.q, np.broadcast_to(IDENTITY, before.q.shape), atol=1e-12)
