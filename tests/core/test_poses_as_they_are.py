"""The pose of a recording is its samples; what has a rate in it is of one smoothed motion, and says so."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope import assets
from framescope.core.analysis.shifts import ShiftKey, check_of, shift_at
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.evaluation.smoothing_notes import signal_note
from framescope.core.kernels import linear_algebra
from framescope.core.recordings.pose_spline import Bandwidths, Recording, clean, smooth
from framescope.core.recordings.sample_noise import accuracy_at, best_bandwidths, spectra_of
from framescope.core.recordings.sampled_poses import deviation, through
from framescope.core.recordings.smoothing import usual_bandwidths
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.sensors import AbsoluteSensor, RelativeSensor
from framescope.core.snapshot import moments
from tests.support.trajectories import read_tum

RECORDINGS = ["scenes/freiburg1_xyz.txt", "scenes/faulty/shuffled-packets.txt"]


def turned(angle: np.ndarray, axis: int) -> np.ndarray:
    Q = np.zeros((len(angle), 4))
    Q[:, axis], Q[:, 3] = np.sin(0.5 * angle), np.cos(0.5 * angle)
    return Q


class Truth:
    """A motion whose rates are known: sums of sines of position, and of turns about z, then y of the frame."""

    def __init__(self, t: np.ndarray, hz: list[float], metres: list[float], radians: list[float]) -> None:
        def sums(size: list[float], shift: float) -> tuple[np.ndarray, np.ndarray]:
            angles = [2.0 * np.pi * f * t + shift + 1.7 * k for k, f in enumerate(hz)]
            value = sum(a * np.sin(angle) for a, angle in zip(size, angles, strict=True))
            rate = sum(2.0 * np.pi * f * a * np.cos(angle) for f, a, angle in zip(hz, size, angles, strict=True))
            return value, rate

        self.t = t
        p, v = zip(*(sums(metres, shift) for shift in (0.0, 0.9, 2.0)), strict=True)
        self.p, self.v = np.stack(p, axis=-1), np.stack(v, axis=-1)
        (yaw, dyaw), (pitch, dpitch) = sums(radians, 0.4), sums(radians, 1.1)
        self.Q = linear_algebra.multiply_quaternions(turned(yaw, 2), turned(pitch, 1))
        self.w = np.stack([-np.sin(pitch) * dyaw, dpitch, np.cos(pitch) * dyaw], axis=-1)

    def samples(self, metres: float, radians: float, seed: int = 0) -> Recording:
        rng = np.random.default_rng(seed)
        error = np.hstack([0.5 * radians * rng.normal(size=(len(self.t), 3)), np.ones((len(self.t), 1))])
        error /= np.linalg.norm(error, axis=1, keepdims=True)
        return Recording(
            self.t,
            self.p + metres * rng.normal(size=self.p.shape),
            linear_algebra.multiply_quaternions(self.Q, error),
        )


def seconds(rate: float, length: float) -> np.ndarray:
    return np.arange(round(rate * length)) / rate


TRUTHS = {
    "euroc": (200.0, 20.0, [0.1, 0.3, 0.8, 2.0, 5.0], [1.5, 0.8, 0.2, 0.05, 0.005], [0.4, 0.2, 0.15, 0.08, 0.03], 1e-3),
    "mocap": (100.0, 20.0, [0.15, 0.5, 1.3, 3.0, 6.0], [0.8, 0.3, 0.1, 0.02, 0.004], [0.5, 0.3, 0.2, 0.08, 0.02], 3e-4),
    "robot": (10.0, 60.0, [0.05, 0.12, 0.3, 0.8], [3.0, 1.5, 0.5, 0.1], [0.6, 0.4, 0.3, 0.2], 2e-3),
}


def truth_of(name: str) -> tuple[Truth, Recording]:
    rate, length, hz, metres, radians, noise = TRUTHS[name]
    truth = Truth(seconds(rate, length), hz, metres, radians)
    return truth, truth.samples(noise, math.radians(0.1))


def rms(x: np.ndarray) -> float:
    return float(np.sqrt((x**2).sum(axis=-1).mean()))


# --- Poses


@pytest.mark.parametrize("start", [0.0, 0.1, -3.7, 1234.567891])
def test_that_a_recorded_pose_is_its_sample_to_the_last_bit(start) -> None:
    path = assets.path("scenes/freiburg1_xyz.txt")
    recording = read_tum(path)[0]
    motion = {"form": "recorded", "file": path.name, "format": "tum", "bandwidth": "1.5 Hz", "start": f"{start!r} s"}
    plan = compile_plan(
        Scene.model_validate({"frames": {"camera": {"parent": "world", "motion": motion}}}), path.parent
    )
    t = start + recording.t
    snapshot = evaluate(plan, t)
    assert_array_equal(snapshot.p_WF[:, 1], recording.p_PF)
    assert_array_equal(snapshot.T_PF[:, 1], linear_algebra.matrix_from_quaternion(recording.Q_PF))
    for i in (0, 1, 777, len(t) - 1):
        one = evaluate(plan, t[i])
        assert_array_equal(one.p_WF[1], recording.p_PF[i])
        assert_array_equal(one.T_PF[1], snapshot.T_PF[i, 1])


@pytest.mark.parametrize("name", list(TRUTHS))
def test_that_a_made_recording_is_its_samples_whatever_its_bandwidth(name) -> None:
    recording = truth_of(name)[1]
    T, p = through(recording).poses(recording.t)
    assert_array_equal(p, recording.p_PF)
    assert_array_equal(T, linear_algebra.matrix_from_quaternion(recording.Q_PF))


def test_that_every_recording_of_the_examples_is_its_samples() -> None:
    for name in ("demo", "recorded-camera"):
        path = assets.path(f"scenes/{name}.yaml")
        plan = compile_plan(load_scene(path).scene, path.parent)
        recording = read_tum(path.parent / "freiburg1_xyz.txt")[0]
        recorded = [i for i, motion in plan.tree.motions.items() if motion.smoothing is not None]
        assert recorded
        for i in recorded:
            assert_array_equal(plan.tree.motions[i].pose(recording.t)[1], recording.p_PF)


def test_that_poses_between_samples_are_near_the_motion_and_do_not_ring() -> None:
    truth, _ = truth_of("robot")
    clean = Recording(truth.t, truth.p, truth.Q)
    between = Truth(truth.t[5:-5] + 0.05, *TRUTHS["robot"][2:5])
    T, p = through(clean).poses(between.t)
    assert rms(p - between.p) < 3e-4  # a straight line is off by 4 mm
    assert np.abs(T - linear_algebra.matrix_from_quaternion(between.Q)).max() < 2e-3
    step = np.zeros((20, 3))
    step[10:] = 1.0
    found = through(Recording(np.arange(20.0), step, np.tile([0.0, 0.0, 0.0, 1.0], (20, 1)))).poses(
        np.linspace(0.0, 19.0, 500)
    )[1]
    assert -0.08 < found.min() < found.max() < 1.08
    assert set(found[np.abs(np.linspace(0.0, 19.0, 500) - 9.5) > 2.0].ravel()) == {0.0, 1.0}


def test_that_poses_between_samples_do_not_depend_on_the_frames_they_are_taken_in() -> None:
    recording = truth_of("robot")[1]
    A, B = np.array([0.1, -0.5, 0.7, 0.5]), np.array([0.3, 0.3, -0.9, 0.1])
    A, B = A / np.linalg.norm(A), B / np.linalg.norm(B)
    both = linear_algebra.multiply_quaternions(A, linear_algebra.multiply_quaternions(recording.Q_PF, B))
    t = np.linspace(0.0, 59.0, 333)
    T = through(recording).poses(t)[0]
    T_A, T_B = linear_algebra.matrix_from_quaternion(A), linear_algebra.matrix_from_quaternion(B)
    found = through(Recording(recording.t, recording.p_PF, both)).poses(t)[0]
    expected = linear_algebra.multiply_matrices(T_B, linear_algebra.multiply_matrices(T, T_A))
    assert_allclose(found, expected, atol=1e-12)


def test_that_a_gap_is_crossed_all_but_straight() -> None:
    t = np.concatenate([0.01 * np.arange(100), 5.0 + 0.01 * np.arange(100)])
    rng = np.random.default_rng(1)
    p = 1e-3 * rng.normal(size=(200, 3)) + t[:, np.newaxis]
    inside = np.linspace(1.0, 4.99, 50)
    found = through(Recording(t, p, np.tile([0.0, 0.0, 0.0, 1.0], (200, 1)))).poses(inside)[1]
    assert np.abs(found - inside[:, np.newaxis]).max() < 6e-3


# --- Rates


@pytest.mark.parametrize("name", list(TRUTHS))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_that_rates_are_within_what_is_stated_of_them(name, seed) -> None:
    rate, length, hz, metres, radians, noise = TRUTHS[name]
    truth = Truth(seconds(rate, length), hz, metres, radians)
    recording = truth.samples(noise, math.radians(0.1), seed)
    spectra = spectra_of(clean(recording))
    bandwidths = best_bandwidths(spectra)
    accuracy = accuracy_at(spectra, bandwidths)
    assert accuracy.position_noise == pytest.approx(noise, rel=0.15)
    assert accuracy.angle_noise == pytest.approx(math.radians(0.1), rel=0.15)
    _, _, w, v, *_ = smooth(recording, bandwidths).sample(recording.t)
    inside = slice(round(rate / bandwidths.least_hz), -round(rate / bandwidths.least_hz))
    assert 0.5 * accuracy.velocity_error < rms((v - truth.v)[inside]) < accuracy.velocity_error
    assert 0.5 * accuracy.angular_velocity_error < rms((w - truth.w)[inside]) < accuracy.angular_velocity_error
    for hz in (0.3 * bandwidths.least_hz, min(3.0 * bandwidths.largest_hz, 0.4 * rate), 0.05 * rate, 0.1 * rate):
        _, _, w_other, v_other, *_ = smooth(recording, hz).sample(recording.t)
        assert rms((w - truth.w)[inside]) < 1.2 * rms((w_other - truth.w)[inside])
        assert rms((v - truth.v)[inside]) < 1.2 * rms((v_other - truth.v)[inside])


def test_that_a_bandwidth_that_is_left_out_comes_from_the_noise_and_is_said(tmp_path) -> None:
    plan = plan_of(tmp_path, truth_of("robot")[1])
    smoothing = plan.tree.motions[1].smoothing
    assert smoothing.is_estimated
    assert 1.0 < smoothing.bandwidths.least_hz < smoothing.bandwidths.largest_hz < 4.0
    assert plan.problems == ()


def test_that_a_short_recording_has_a_bandwidth_of_its_rate(tmp_path) -> None:
    recording = truth_of("robot")[1]
    short = Recording(recording.t[:6], recording.p_PF[:6], recording.Q_PF[:6])
    smoothing = plan_of(tmp_path, short).tree.motions[1].smoothing
    assert (smoothing.is_estimated, smoothing.accuracy) == (True, None)
    assert smoothing.bandwidths == Bandwidths(pytest.approx(1.0), pytest.approx(1.0))


def test_that_what_stands_still_has_a_bandwidth_too(tmp_path) -> None:
    n = 100
    still = Recording(0.01 * np.arange(n), np.zeros((n, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (n, 1)))
    plan = plan_of(tmp_path, still)
    assert plan.problems == ()
    assert_array_equal(evaluate(plan, 0.5).v_WF[1], 0.0)


# --- Smoothing that is asked for, and how far it is off


def test_that_a_pose_is_smoothed_where_that_is_asked_for_and_how_far_is_said(tmp_path) -> None:
    recording = truth_of("robot")[1]
    exact = plan_of(tmp_path, recording, bandwidth="0.5 Hz")
    smoothed = plan_of(tmp_path, recording, bandwidth="0.5 Hz", smooth="pose")
    off = smoothed.tree.motions[1].smoothing.deviation
    assert off == exact.tree.motions[1].smoothing.deviation
    p = evaluate(smoothed, recording.t).p_WF[:, 1]
    distance = np.linalg.norm(p - recording.p_PF, axis=1)
    assert (off.position_rms, off.position_most) == pytest.approx((rms(p - recording.p_PF), distance.max()))
    assert off.position_time == pytest.approx(recording.t[distance.argmax()])
    T = smoothed.tree.motions[1].pose(recording.t)[0]
    cos = 0.5 * (np.einsum("nij,nij->n", T, linear_algebra.matrix_from_quaternion(recording.Q_PF)) - 1.0)
    angle = np.arccos(np.clip(cos, -1.0, 1.0))
    assert (off.angle_rms, off.angle_most) == pytest.approx((np.sqrt((angle**2).mean()), angle.max()), rel=1e-6)
    (note,), (amber,) = exact.problems, smoothed.problems
    assert (note.kind, note.severity, note.where) == ("smoothed-motion", "note", "frames.f.motion.bandwidth")
    assert (amber.kind, amber.severity, amber.where) == ("smoothed-motion", "amber", "frames.f.motion.smooth")
    assert amber.time in (off.position_time, off.angle_time)


def test_that_a_pose_smoothed_within_its_noise_is_a_note(tmp_path) -> None:
    (problem,) = plan_of(tmp_path, truth_of("mocap")[1], smooth="pose").problems
    assert problem.severity == "note"


# --- One motion


def write(folder, recording: Recording, name: str = "a.txt") -> str:
    rows = np.column_stack([recording.t, recording.p_PF, recording.Q_PF])
    (folder / name).write_text("\n".join(" ".join(map(repr, row)) for row in rows.tolist()) + "\n")
    return name


def plan_of(folder, recording: Recording, frames: dict | None = None, **motion: str) -> Plan:
    given = {"form": "recorded", "file": write(folder, recording), "format": "tum", **motion}
    time = {"start": "0 s", "end": f"{float(recording.t[-1])!r} s"}
    scene = {"time": time, "frames": {"f": {"parent": "world", "motion": given}, **(frames or {})}}
    return compile_plan(Scene.model_validate(scene), folder)


@pytest.fixture
def two(tmp_path) -> Plan:
    """Return a frame on a recorded frame, and another recorded one, much smoothed both."""
    other = Truth(seconds(10.0, 60.0), *TRUTHS["robot"][2:5]).samples(2e-3, 2e-3, 9)
    write(tmp_path, Recording(other.t, -other.p_PF[:, ::-1], other.Q_PF), "b.txt")
    hand = {"form": "recorded", "file": "b.txt", "format": "tum", "bandwidth": "0.6 Hz"}
    frames = {
        "tip": {"parent": "f", "position": {"value": [0.5, "0.1*t", 0.2], "unit": "m"}},
        "hand": {"parent": "world", "motion": hand},
    }
    return plan_of(tmp_path, truth_of("robot")[1], frames, bandwidth="0.5 Hz")


TIMES = np.linspace(1.03, 58.03, 77)  # between samples: at them the third derivative jumps
H = 1e-4


def test_that_a_relative_velocity_is_the_derivative_of_the_smoothed_position_in_the_other_frame(two) -> None:
    at, after, before = (evaluate(two, TIMES + h) for h in (0.0, H, -H))
    frames = ("tip", "hand", "hand")
    V = relative_motion.relative_velocity(at, *frames)
    A = relative_motion.relative_acceleration(at, *frames)
    p1, p0 = (relative_motion.relative_position(each.smoothed, *frames) for each in (after, before))
    assert_allclose((p1 - p0) / (2 * H), V[:, 3:], atol=1e-5)
    V1, V0 = (relative_motion.relative_velocity(each, *frames) for each in (after, before))
    assert_allclose((V1 - V0)[:, 3:] / (2 * H), A[:, 3:], atol=1e-4)
    shown = relative_motion.relative_position(at, *frames)
    assert np.abs(shown - relative_motion.relative_position(at.smoothed, *frames)).max() > 0.01


def test_that_no_number_depends_on_the_way_one_came(two) -> None:
    many, alone = evaluate(two, TIMES), evaluate(two, float(TIMES[30]))
    other_way = evaluate(two, float(TIMES[30]))
    _ = other_way.smoothed.a_WF, other_way.a_WF, other_way.p_WF
    row = list(moments(many))[30]
    for name in ("R_WF", "p_WF", "w_WF_F", "v_WF", "b_WF_F", "a_WF"):
        for each in (row, other_way):
            assert_array_equal(getattr(each, name), getattr(alone, name))
            assert_array_equal(getattr(each.smoothed, name), getattr(alone.smoothed, name))
    assert_array_equal(
        relative_motion.relation(row, "tip", "hand", "f").V, relative_motion.relation(alone, "tip", "hand", "f").V
    )
    assert alone.smoothed.smoothed is alone.smoothed


def test_that_sensors_show_poses_of_the_samples_and_rates_of_the_smoothed_motion(two) -> None:
    at = evaluate(two, TIMES)
    switches = {"get_r_rel": True, "get_v_rel": True, "get_a_rel": True, "get_w_rel": True, "get_z_rel": True}
    shown = RelativeSensor("hand", "tip", **switches).output(at)
    assert_allclose(shown[:, :3], relative_motion.relative_position(at, "tip", "hand", "hand"), atol=1e-12)
    V = relative_motion.relative_velocity(at, "tip", "hand", "hand")
    A = relative_motion.relative_acceleration(at, "tip", "hand", "hand")
    assert_allclose(shown[:, 3:], np.hstack([V[:, 3:], A[:, 3:], V[:, :3], A[:, :3]]), atol=1e-9)
    absolute = AbsoluteSensor("tip", get_v=True, get_w=True, frame_resolve="hand").output(at)
    in_hand = relative_motion.relative_velocity(at, "tip", "world", "hand")
    assert_allclose(absolute[:, 3:], np.hstack([in_hand[:, 3:], in_hand[:, :3]]), atol=1e-9)


def test_that_a_shift_is_of_one_motion_and_its_check_agrees(two) -> None:
    for t in (3.21, 40.03):
        snapshot = evaluate(two, t)
        for quantity in ("velocity", "acceleration"):
            key = ShiftKey("f", quantity, (0.5, 0.1 * t, 0.2))
            shift = shift_at(two, snapshot, key)
            assert check_of(two, snapshot, key, shift).residue < 1e-5
            through_tip = shift_at(two, snapshot, ShiftKey("f", quantity, other="tip"))
            tip = two.index["tip"]
            assert_allclose(
                through_tip.total, (snapshot.v_WF if quantity == "velocity" else snapshot.a_WF)[tip], atol=1e-9
            )


def test_that_what_depends_on_the_smoothing_says_so(two) -> None:
    def note(text: str) -> str:
        return signal_note(two, parse_signal(text, two.scene))

    assert note("position of tip relative to world resolved in world in mm") == ""
    assert note("velocity of tip relative to f resolved in f in m/s") == ""
    assert note("velocity of f relative to world resolved in world in m/s").startswith(
        "of the motion smoothed at 0.5 Hz, "
    )
    itself = "velocity of f relative to f resolved in f through world 0.2 s before in m/s"
    assert note(itself).startswith("of the motion smoothed at 0.5 Hz, ")
    both = note("angular velocity of tip relative to hand resolved in hand in rad/s")
    assert "f: of the motion smoothed at 0.5 Hz" in both
    assert "hand: of the motion smoothed at 0.6 Hz" in both


def test_that_a_deviation_is_none_of_an_exact_spline() -> None:
    t = 0.1 * np.arange(50)
    line = Recording(t, np.stack([t, 2 * t, 0 * t], axis=-1), np.tile([0.0, 0.0, 0.0, 1.0], (50, 1)))
    off = deviation(line, smooth(line, 1.0))
    assert max(off.position_most, off.angle_most) < 1e-12


def test_that_a_few_wild_samples_do_not_change_what_the_noise_is() -> None:
    recording = truth_of("mocap")[1]
    p = recording.p_PF.copy()
    p[[300, 700, 1500]] += 2.0
    usual = usual_bandwidths(recording)
    assert usual_bandwidths(replace(recording, p_PF=p)).position_hz == pytest.approx(usual.position_hz, rel=0.05)


def test_that_noise_is_told_of_times_that_jitter_too() -> None:
    rate, length, hz, metres, radians, noise = TRUTHS["mocap"]
    t = seconds(rate, length)
    t[1:-1] += np.random.default_rng(4).uniform(-0.2, 0.2, len(t) - 2) / rate
    recording = Truth(t, hz, metres, radians).samples(noise, math.radians(0.1))
    accuracy = accuracy_at(spectra_of(clean(recording)), Bandwidths(10.0, 10.0))
    assert accuracy.position_noise == pytest.approx(noise, rel=0.2)
