"""Frames as they were some time ago, seen through one that stands still between: tf's look-up with two times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.evaluation.delayed_frames import Delay
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import describe, plot_curves
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_path import first_stamp_ns
from tests.support.bag_scenes import buffer_of, scene_plan
from tests.support.bags import START_NS, drive, write_ros1

AXES = {"form": "axes", "sequence": "ZYX", "angles": ["40*t", "9*sin(t)", "20*t"], "unit": "deg"}
PLACE = {"value": ["sin(2*t)", "0.3*t", "cos(t)"], "unit": "m"}
TURNING = Scene.model_validate({"framescope": 1, "frames": {
    "odom": {"parent": "world", "position": PLACE, "orientation": AXES},
    "base": {"parent": "odom", "position": PLACE, "orientation": AXES},
    "cup": {"parent": "base", "position": PLACE, "orientation": AXES},
}})  # fmt: skip


def test_that_a_frame_as_it_was_is_seen_through_another_as_the_full_look_up_has_it(tmp_path: Path) -> None:
    write_ros1(tmp_path / "drive.bag", drive(seconds=14.0, hz=10.0))
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    buffer, zero = buffer_of(tracks), first_stamp_ns(tracks)
    words = "position of camera relative to base_link resolved in base_link through odom 0.5 s before in m"
    signal = parse_signal(words, plan.scene)
    times = np.array([1.0, 3.33, 12.5])
    found = plot_curves(plan, signal, times)

    assert describe(signal) == words.replace(
        "base_link resolved in base_link", "base_link now resolved in base_link now"
    )
    for t, p in zip(times.tolist(), found, strict=True):
        now = zero + round(t * NS)
        expected, _ = buffer.look_up_full("base_link", now, "camera", now - NS // 2, "odom")
        assert p == pytest.approx(expected, abs=1e-8)


def test_that_the_velocity_of_a_delayed_frame_is_the_derivative_of_its_place() -> None:
    plan, h, t = compile_plan(TURNING), 1e-5, np.array([1.0, 2.0, 5.0])

    def curves(kind: str, at: np.ndarray) -> np.ndarray:
        words = f"{kind} of cup relative to base resolved in base through odom 300 ms before"
        return plot_curves(plan, parse_signal(f"{words} in {UNIT[kind]}", TURNING), at)

    for kind, rate in (("position", "velocity"), ("velocity", "acceleration")):
        difference = (curves(kind, t + h) - curves(kind, t - h)) / (2 * h)
        assert curves(rate, t) == pytest.approx(difference, abs=1e-7)
    difference = (curves("angular velocity", t + h) - curves("angular velocity", t - h)) / (2 * h)
    assert curves("angular acceleration", t) == pytest.approx(difference, abs=1e-7)


UNIT = {
    "position": "m", "velocity": "m/s", "acceleration": "m/s²",
    "angular velocity": "rad/s", "angular acceleration": "rad/s²",
}  # fmt: skip


def test_that_a_frame_relative_to_itself_is_as_far_as_it_has_come_since() -> None:
    frames_of_cart = {"cart": {"parent": "world", "position": {"value": ["2*t", 0, 0], "unit": "m"},
        "orientation": {"form": "axis", "axis": "z", "angle": "60*t", "unit": "deg"}}}  # fmt: skip
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames_of_cart}))
    t = np.array([1.5, 3.0])

    def curves(words: str) -> np.ndarray:
        return plot_curves(plan, parse_signal(words, plan.scene), t)

    in_world = curves("position of cart relative to cart resolved in world through world 0.5 s before in m")
    in_cart = curves("position of cart relative to cart resolved in cart through world 0.5 s before in m")
    angles = curves("angles of cart relative to cart through world 0.5 s before by ZYX in deg")
    turned = curves("angular velocity of cart relative to cart resolved in cart through world 0.5 s before in deg/s")

    assert in_world == pytest.approx(np.tile([-1.0, 0.0, 0.0], (2, 1)), abs=1e-12)
    assert in_cart == pytest.approx(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]), abs=1e-12)
    assert angles == pytest.approx(np.tile([-30.0, 0.0, 0.0], (2, 1)), abs=1e-9)
    assert turned == pytest.approx(np.zeros((2, 3)), abs=1e-9)


@pytest.mark.long
def test_that_any_pair_of_frames_at_two_times_is_as_the_full_look_up_has_it(tmp_path: Path) -> None:
    write_ros1(tmp_path / "drive.bag", drive(seconds=14.0, hz=10.0))
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    buffer, zero = buffer_of(tracks), first_stamp_ns(tracks)
    rng = np.random.default_rng(7)
    names = [name for name in plan.names if name in buffer.frames]
    pairs = [(a, b) for a in names for b in names]
    chosen = [*((a, a) for a in names), *(pairs[k] for k in rng.choice(len(pairs), 12, replace=False))]
    t = np.array([4.4, 12.5])
    for source, target in chosen:
        fixed, delay_ns = str(rng.choice(names)), int(rng.integers(-9, 10)) * NS // 10
        words = f"{source} relative to {target} {{}}through {fixed} {delay_ns / NS} s before"
        words = words.replace("-", "").replace("before", "after" if delay_ns < 0 else "before")
        position = parse_signal(f"position of {words.format(f'resolved in {target} ')} in m", plan.scene)
        quaternion = parse_signal(f"quaternion of {words.format('')}", plan.scene)
        places, Q = plot_curves(plan, position, t), plot_curves(plan, quaternion, t)
        for k, now in enumerate(zero + round(moment * NS) for moment in t.tolist()):
            place, xyzw = buffer.look_up_full(target, now, source, now - delay_ns, fixed)
            assert places[k] == pytest.approx(place, abs=1e-8), (source, target, fixed, delay_ns)
            assert abs(np.dot(Q[k], xyzw)) == pytest.approx(1.0, abs=1e-9), (source, target, fixed, delay_ns)


KINDS = {
    "position": (" resolved in a", " in m"), "velocity": (" resolved in a", " in m/s"),
    "acceleration": (" resolved in a", " in m/s²"), "angular velocity": (" resolved in a", " in rad/s"),
    "angular acceleration": (" resolved in a", " in rad/s²"), "quaternion": ("", ""), "angles": ("", " by ZYX in rad"),
    "angle rates": ("", " by ZYX in rad/s"), "singularity": ("", " by ZYX"), "condition number": ("", " by ZYX"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_kind_of_signal_takes_a_frame_for_another_when_it_is_compared_with_itself(kind: str) -> None:
    """A frame `b` that moves as `a` does has the numbers of `a`: whatever is relative to `a`, or in its axes."""
    motion = {"parent": "odom", "position": PLACE, "orientation": AXES}
    frames_there = {"odom": {"parent": "world", "position": PLACE, "orientation": AXES}, "a": motion, "b": motion}
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames_there}))
    resolved, unit = KINDS[kind]
    own, twin = (
        plot_curves(plan, parse_signal(f"{kind} of {of} relative to a{resolved} through world 400 ms before{unit}",
            plan.scene), np.linspace(0.0, 9.0, 19)) for of in "ab"
    )  # fmt: skip

    assert own == pytest.approx(twin, abs=1e-9, nan_ok=True)
    assert np.abs(own[:, 0]).max() > 0.01


@pytest.mark.parametrize("name", ["b", "b now"])
def test_that_now_is_a_word_after_a_frame_and_may_end_a_name(name: str) -> None:
    scene = Scene.model_validate({"framescope": 1, "frames": {each: {"parent": "world"} for each in ("a", name)}})
    for through in ("", " through world 1 s before"):
        signal = parse_signal(f"position of a relative to {name} resolved in {name}{through} in m", scene)
        assert (signal.relative_to, signal.resolved_in) == (name, name)
        assert parse_signal(describe(signal), scene) == signal


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("energy through c 1 s before in J", "takes no delay"),
        ("residues of a through c 1 s before", "takes no delay"),
        ("position of a relative to b resolved in b through x 1 s before in m", 'no frame "x"'),
        (
            "position of a relative to b resolved in b through c in m",
            "say how long before, as in: through c 0.2 s before",
        ),
        ("quaternion of a relative to b through c", "say how long before"),
        ("position of a relative to b resolved in b through c -0.2 s before in m", "meant as 0.2 s after"),
    ],
)
def test_that_what_cannot_be_delayed_is_said(words: str, said: str) -> None:
    scene = Scene.model_validate({"framescope": 1, "frames": {name: {"parent": "world"} for name in "abc"}})
    with pytest.raises(SignalTextError, match=said):
        parse_signal(words, scene)


def test_that_a_later_time_is_said_with_after_and_read_again() -> None:
    scene = Scene.model_validate({"framescope": 1, "frames": {name: {"parent": "world"} for name in "abc"}})
    signal = parse_signal("position of a relative to b resolved in b through c 0.2 s after in m", scene)
    assert signal.delay == pytest.approx(-0.2)
    assert str(Delay("c", signal.delay)) == "through c 0.2 s after"
    assert parse_signal(describe(signal), scene) == signal


@pytest.mark.parametrize("ends_s", [20.0, 10.0], ids=["localized", "world unknown"])
def test_that_a_delayed_orientation_is_that_of_the_full_look_up(tmp_path: Path, ends_s: float) -> None:
    sent = [each for each in drive() if each.child != "odom" or each.stamp_ns - START_NS < ends_s * NS]
    write_ros1(tmp_path / "drive.bag", sent)
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    buffer, zero = buffer_of(tracks), first_stamp_ns(tracks)
    times = np.array([0.2, 3.33, 12.5, 15.03])
    words = "of wheel_left relative to base_link through odom 500 ms before"
    Q = plot_curves(plan, parse_signal(f"quaternion {words}", plan.scene), times)
    angles = plot_curves(plan, parse_signal(f"angles {words} by ZYX in rad", plan.scene), times)
    p = plot_curves(plan, parse_signal(f"position {words.replace(' through', ' resolved in odom through')} in m",
        plan.scene), times)  # fmt: skip

    assert np.isnan(Q[0]).all()
    assert np.isnan(angles[0]).all()
    assert np.isnan(p[0]).all()
    for k, t in enumerate(times.tolist()[1:], start=1):
        now = zero + round(t * NS)
        place, xyzw = buffer.look_up_full("base_link", now, "wheel_left", now - NS // 2, "odom")
        assert abs(np.dot(Q[k], xyzw)) == pytest.approx(1.0, abs=1e-9)
        assert np.linalg.norm(p[k]) == pytest.approx(np.linalg.norm(place), abs=1e-8)
        T = frames.axes_rotations("ZYX", angles[k]).T
        x, y, z, w = xyzw
        assert T[0] == pytest.approx([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], abs=1e-8)


def test_that_delayed_angles_go_on_and_their_rates_are_their_derivative() -> None:
    plan, h, t = compile_plan(TURNING), 1e-5, np.linspace(0.0, 9.9, 1201)
    words = "of cup relative to base through odom 300 ms before by ZYX in"
    angles, rates = (parse_signal(f"{kind} {words} {unit}", TURNING) for kind, unit in
        (("angles", "rad"), ("angle rates", "rad/s")))  # fmt: skip
    found = plot_curves(plan, angles, t)
    difference = (plot_curves(plan, angles, t + h) - plot_curves(plan, angles, t - h)) / (2 * h)

    assert np.abs(np.diff(found, axis=0)).max() < 0.2
    assert plot_curves(plan, rates, t) == pytest.approx(difference, abs=1e-6)
    alone = np.concatenate([plot_curves(plan, angles, t[k : k + 1]) for k in (0, 300, 1200)])
    assert (alone == found[[0, 300, 1200]]).all()


def test_that_a_delay_of_nothing_changes_nothing() -> None:
    plan, t = compile_plan(TURNING), np.linspace(0.0, 9.9, 31)
    for kind, unit in (("angles", " by ZXZ in deg"), ("quaternion", ""), ("singularity", " by ZXZ")):
        words = f"{kind} of cup relative to base"
        told = [plot_curves(plan, parse_signal(f"{words}{through}{unit}", TURNING), t)
            for through in ("", " through odom 0 s before")]  # fmt: skip
        assert told[1] == pytest.approx(told[0], abs=1e-12)
