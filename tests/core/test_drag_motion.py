"""The record of a hand: its angular velocity, and the keyframes that are made of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from framescope.core.analysis.drag_motion import (
    RATE_SHARE,
    RATE_TOLERANCE,
    TOLERANCE,
    DragRecord,
    as_keyframes,
    drag_velocity,
    thin_samples,
)
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_velocity
from framescope.core.frames import axes_rotations
from framescope.core.kernels import linear_algebra
from tests.support.scenes import scene_of

SCENE = "framescope: 1\nframes:\n  arm: {parent: world, orientation: {form: axis, axis: z, angle: 30, unit: deg}}\n"


def swung(times):
    """Return orientations and angular velocity of a hand that swings about two axes."""
    angles = np.stack([np.sin(times), 0.5 * np.cos(2 * times), 0.3 * times], axis=-1)
    rates = np.stack([np.cos(times), -np.sin(2 * times), np.full_like(times, 0.3)], axis=-1)
    R = [axes_rotations("XYZ", a, r) for a, r in zip(angles, rates, strict=True)]
    return np.stack([each.T for each in R]), np.stack([each.w for each in R])


def record_of(times, T, capacity=4096) -> DragRecord:
    record = DragRecord(capacity)
    for t, each in zip(times, T, strict=True):
        record.append(t, each)
    return record


def test_that_the_angular_velocity_is_found_at_uneven_times() -> None:
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.uniform(0.004, 0.02, 400))
    T, w = swung(times)
    found = drag_velocity(times, T)
    np.testing.assert_allclose(found[1:-1], w[1:-1], atol=5e-4)
    # Twice as many samples, a quarter of the error: second order in the inner ones.
    fine = np.sort(np.concatenate([times, (times[1:] + times[:-1]) / 2]))
    T_fine, w_fine = swung(fine)
    coarse_error = np.abs(found[1:-1] - w[1:-1]).max()
    assert np.abs(drag_velocity(fine, T_fine)[1:-1] - w_fine[1:-1]).max() < 0.4 * coarse_error


def test_that_the_record_keeps_the_newest_and_leaves_out_what_is_none() -> None:
    times = 0.05 * np.arange(10.0)
    T, _ = swung(times)
    record = record_of(times, T, capacity=4)
    np.testing.assert_array_equal(record.times, times[6:])
    np.testing.assert_array_equal(record.T, T[6:])
    record.append(0.25, T[0])
    record.append(np.nan, T[0])
    record.append(0.5, np.full((3, 3), np.nan))
    np.testing.assert_array_equal(record.times, times[6:])
    record.append(times[9], T[0])  # at the time of the last one
    np.testing.assert_array_equal(record.T, T[6:])


def test_that_keyframes_are_few_and_near_the_hand() -> None:
    times = np.linspace(0.0, 6.0, 500)
    T, _ = swung(times)
    edit = as_keyframes(record_of(times + 100.0, T), "arm", 1.0, np.array([0.1, 0.0, 0.0]))
    scene = edit.apply(scene_of(SCENE))
    plan = compile_plan(scene)
    assert [p for p in plan.problems if p.severity != "note"] == []
    assert len(scene.frames["arm"].motion.keys) < 60
    snapshot = evaluate(plan, times + 1.0)
    off = linear_algebra.angles_between(snapshot.T_PF[:, plan.index["arm"]], T)
    assert np.abs(off).max() < TOLERANCE + 1e-4
    np.testing.assert_allclose(snapshot.p_WF[:, plan.index["arm"]], [[0.1, 0.0, 0.0]] * 500, atol=1e-12)


def turned_about_z(angles):
    return np.stack([axes_rotations("XYZ", [0.0, 0.0, angle], [0.0, 0.0, 0.0]).T for angle in angles])


@example(seed=0, acceleration=0.0, rate=1.0, before=0.0, after=0.01)  # one corner is no trembling
@settings(max_examples=10, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(-25.0, 25.0),
    st.floats(-4.0, 4.0),
    st.sampled_from([0.0, 0.01, 0.2, 0.7, 3.0]),
    st.sampled_from([0.0, 0.01, 0.2, 0.7, 3.0]),
)
def test_that_keyframes_have_the_rates_of_the_hand_at_their_ends(seed, acceleration, rate, before, after) -> None:
    rng = np.random.default_rng(seed)
    moving = np.cumsum(rng.uniform(0.006, 0.02, 60))
    angles = rate * moving + 0.5 * acceleration * np.sin(moving) ** 2
    # A pause before or after the motion is one sample more, long before or after.
    times = np.concatenate([[0.0] * (before > 0), before + moving, [moving[-1] + before + after] * (after > 0)])
    T = turned_about_z(np.concatenate([angles[:1][: before > 0], angles, angles[-1:][: after > 0]]))
    record = record_of(times, T)
    hand = drag_velocity(record.times, record.T)
    plan = compile_plan(as_keyframes(record, "arm", 1.0, np.zeros(3)).apply(scene_of(SCENE)))
    keys = plan.scene.frames["arm"].motion.keys
    inside = np.array([keys[0].time.value + 1e-9, keys[-1].time.value - 1e-9])
    w = relative_velocity(evaluate(plan, inside), "arm", "world", "arm")[:, :3]
    # The rate of a sample is the mean of its interval, in which it changes by so much.
    allowed = max(RATE_TOLERANCE, RATE_SHARE * np.abs(hand).max()) + 0.01 * abs(acceleration) + 1e-3
    assert np.abs(w - hand[[0, -1]]).max() <= allowed


def test_that_a_hand_that_pauses_stands_still_in_its_keyframes() -> None:
    times = np.concatenate([[0.0], 1.0 + 0.015 * np.arange(20), 3.0 + 0.015 * np.arange(20)])
    T = turned_about_z(np.concatenate([[0.0], 0.02 * np.arange(20), 0.38 + 0.02 * np.arange(20)]))
    record = record_of(times, T)
    is_still = (record.times < 0.85) | ((record.times > 1.4) & (record.times < 2.85))
    assert is_still.sum() > 5
    np.testing.assert_allclose(drag_velocity(record.times, record.T)[is_still], 0.0, atol=1e-12)
    plan = compile_plan(as_keyframes(record, "arm", 0.0, np.zeros(3)).apply(scene_of(SCENE)))
    still = np.concatenate([np.linspace(0.0, 0.85, 40), np.linspace(1.4, 2.85, 60)])
    snapshot = evaluate(plan, still)
    R = snapshot.R_WF[:, snapshot.index["arm"]]
    angle = np.arctan2(R[:, 1, 0], R[:, 0, 0])
    assert np.abs(angle - np.where(still < 1.2, 0.0, 0.38)).max() < 3 * TOLERANCE


@pytest.mark.parametrize(
    ("step_deg", "trembling_deg", "within_deg"), [(2.5, 0.0, 3.0), (0.0, 0.15, 0.7), (0.0, 0.0, 0.5)]
)
def test_that_a_motion_by_pixels_or_a_trembling_one_becomes_a_few_keys_and_their_distance_is_told(
    step_deg, trembling_deg, within_deg
) -> None:
    rng = np.random.default_rng(7)
    times = np.cumsum(rng.uniform(0.02, 0.06, 80))
    meant = 60.0 * np.sin(1.4 * times)
    angles = meant + trembling_deg * rng.normal(size=80)
    if step_deg:
        angles = step_deg * np.round(angles / step_deg)
    record = record_of(times, turned_about_z(np.radians(angles)))
    edit = as_keyframes(record, "arm", 0.0, np.zeros(3))
    scene = edit.apply(scene_of(SCENE))
    keys = scene.frames["arm"].motion.keys
    assert len(keys) <= 14
    plan = compile_plan(scene)
    R = evaluate(plan, times - times[0]).R_WF[:, plan.index["arm"]]
    found = np.degrees(np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0])))
    off = np.abs(found - angles)
    assert off.max() < within_deg
    assert f": {len(keys)} keys, at most {off.max():.1f}° from the hand" in edit.label
    assert off[[0, -1]].max() < 0.2 + trembling_deg  # it begins and ends where the hand has it
    if step_deg:
        assert np.abs(found - meant).max() < np.abs(angles - meant).max() + 0.8  # and no worse than the pixels


def test_that_a_hand_at_rest_needs_two_keys() -> None:
    times = np.linspace(0.0, 1.0, 50)
    np.testing.assert_array_equal(thin_samples(times, np.broadcast_to(np.eye(3), (50, 3, 3))), [0, 49])


def test_that_one_sample_is_no_motion() -> None:
    with pytest.raises(ValueError, match="not moved"):
        as_keyframes(record_of([0.0], [np.eye(3)]), "arm", 0.0, np.zeros(3)).apply(scene_of(SCENE))


@pytest.mark.parametrize(
    "orientation",
    ["{form: axes, sequence: ZYX, angles: [10, '20*t', 30], unit: deg}", "{form: axis, axis: z, angle: 0}"],
)
def test_that_the_keys_of_a_frame_with_an_axis_sequence_have_it_and_its_rings_stay(orientation) -> None:
    scene = scene_of(f"""
framescope: 1
frames: {{a: {{parent: world, orientation: {orientation}}}}}
view: {{rings: [{{frame: a, radius: 1 m}}], arcs: [{{frame: a, radius: 1 m}}]}}
""")
    times = np.linspace(0.0, 2.0, 60)
    R = axes_rotations("ZYX", np.stack([2.0 * times, 0.3 + 0.5 * times, -0.4 + 0.0 * times], axis=-1))
    kept = as_keyframes(record_of(times, R.T), "a", 1.0, np.zeros(3)).apply(scene)
    plan = compile_plan(kept)
    first = kept.frames["a"].motion.keys[0].orientation
    if "ZYX" not in orientation:
        assert first.form == "quaternion"
        assert plan.view_data.rings == ()
        return
    assert (first.form, first.sequence) == ("axes", "ZYX")
    assert np.radians(first.angles) == pytest.approx([0.0, 0.3, -0.4], abs=1e-9)
    assert [rings.sequence for rings in (*plan.view_data.rings, *plan.view_data.arcs)] == ["ZYX", "ZYX"]
    assert plan.problems == ()
    snapshot = evaluate(plan, 1.0 + times)
    angles, rates = plan.turn_angles("a", "ZYX", snapshot)
    np.testing.assert_allclose(axes_rotations("ZYX", angles).T, snapshot.T_PF[:, snapshot.index["a"]], atol=1e-9)
    assert np.abs(np.diff(angles, axis=0)).max() < 0.2  # past half a turn, too
    np.testing.assert_allclose(rates[5:-5], np.gradient(angles, times, axis=0)[5:-5], atol=0.05)
