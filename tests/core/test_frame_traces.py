"""Angles and quaternions over time: functions of the scene and the time, whichever way a time is reached."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames
from framescope.core.angle_branches import axes_rotations_angles_along, axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import frames_at, plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.kernels import attitude_trace
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.orientation import orientation_of
from framescope.core.scene.schema.model import Scene
from tests.support.scenes import scene_of
from tests.tools.test_examples import plan_of

SCENE = """
framescope: 1
time: {start: 0 s, end: 20 s}
frames:
  written: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [385.72, 100, 20], unit: deg}}
  spun: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["200*t", "70*sin(t)", "20*t"], unit: deg}}
  tool: {parent: spun, orientation: {form: axes, sequence: ZXZ, angles: ["300*sin(t)", "50*t", "-130*t"], unit: deg}}
  wheel: {parent: world, orientation: {form: axis, axis: y, angle: "360*t", unit: deg}}
  keyed:
    parent: world
    motion:
      form: keyframes
      keys:
        - {time: 1 s, orientation: {form: axis, axis: x, angle: 0, unit: deg}}
        - {time: 4 s, orientation: {form: axis, axis: y, angle: 170, unit: deg}}
        - {time: 9 s, orientation: {form: axis, axis: z, angle: 100, unit: deg}}
        - {time: 15 s, orientation: {form: axes, sequence: XYZ, angles: [200, 80, 10], unit: deg}}
  gyrating:
    parent: world
    orientation: {form: integrated, w: ["2*sin(t)", 3, 1], unit: rad/s, step: 10 ms, method: rk4, equation: dcm}
  gone: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["200*t", "30*sqrt(sin(t))", "t"], unit: deg}}
sensors:
  seen: {form: relative, frame_a: spun, frame_b: tool, get_angles: true, sequence: ZYX, guess_angle1: 170 deg}
"""

PAIRS = (
    ("spun", "world", "XYZ"),
    ("tool", "world", "ZYX"),
    ("tool", "spun", "ZXZ"),
    ("wheel", "world", "ZYX"),
    ("keyed", "tool", "YXZ"),
    ("gyrating", "world", "XYX"),
    ("gone", "world", "XYZ"),
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return compile_plan(scene_of(SCENE))


def axes(sequence: str, *angles: float | str, parent: str = "world") -> dict:
    return {"parent": parent, "orientation": {"form": "axes", "sequence": sequence, "angles": angles, "unit": "deg"}}


def plan_with(end: float = 10.0, **named: dict) -> Plan:
    time = {"start": "0 s", "end": f"{end} s"}
    return compile_plan(Scene.model_validate({"framescope": 1, "time": time, "frames": named}))


def angles_deg(plan: Plan, times, of: str, sequence: str, relative_to: str = "world") -> np.ndarray:
    snapshot = evaluate(plan, np.asarray(times, dtype=float))
    return np.degrees(plan.traces.angles(snapshot, of, relative_to, sequence))


@pytest.mark.parametrize(("of", "relative_to", "sequence"), PAIRS)
def test_that_angles_and_quaternions_depend_on_the_time_alone(plan, of, relative_to, sequence) -> None:
    angles = parse_signal(f"angles of {of} relative to {relative_to} by {sequence} in rad", plan.scene)
    quaternion = parse_signal(f"quaternion of {of} relative to {relative_to}", plan.scene)
    t = np.linspace(0.0, 20.0, 201)
    rng = np.random.default_rng(1)
    for signal, of_snapshot in (
        (angles, lambda fresh, s: fresh.traces.angles(s, of, relative_to, sequence)),
        (quaternion, lambda fresh, s: fresh.traces.quaternions(s, of, relative_to)),
    ):
        whole = plot_curves(plan, signal, t)
        assert np.isfinite(whole).any()
        assert_array_equal(plot_curves(plan, signal, t[::50]), whole[::50])  # at another rate
        fresh = compile_plan(plan.scene)
        for i in (160, 7, *rng.integers(0, 201, 6).tolist()):  # jumped to, one after another
            at_once = plot_curves(fresh, signal, t[[i]])[0]
            assert_allclose(at_once, whole[i], atol=1e-12)
            if np.isfinite(at_once).all():
                assert_allclose(of_snapshot(fresh, evaluate(fresh, float(t[i]))), at_once, atol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize(("of", "relative_to", "sequence"), PAIRS)
def test_that_what_goes_on_never_jumps(plan, of, relative_to, sequence) -> None:
    t = np.linspace(0.0, 20.0, 50_001)
    snapshot = frames_at(plan, {of, relative_to}, t)
    angles = plan.traces.angles(snapshot, of, relative_to, sequence)
    Q = plan.traces.quaternions(snapshot, of, relative_to)
    T = plan.traces.matrices(snapshot, of, relative_to)
    has_value = np.isfinite(T).all(axis=(1, 2))
    is_run = has_value[1:] & has_value[:-1]
    assert np.abs(np.diff(Q, axis=0))[is_run].max() < 0.01
    R = frames.axes_rotations(sequence, angles[has_value])
    off = np.abs(np.linalg.norm(T[has_value][:, 0], axis=-1) - 1.0).max()  # what is integrated drifts
    assert_allclose(R.T, T[has_value], atol=1e-9 + 3.0 * off)
    away = np.abs(np.sin(angles[:, 1]) if sequence[0] == sequence[2] else np.cos(angles[:, 1]))
    steps = np.abs(np.diff(angles, axis=0)).max(axis=1)
    reach = 20.0 * 4e-4 / np.maximum(np.minimum(away[1:], away[:-1]), 1e-12)  # 20 rad/s is more than any has
    assert (steps <= np.maximum(reach, 0.05))[is_run & (steps < 2.0)].all()
    assert (steps[is_run] < 3.14).all()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_that_they_are_those_of_a_path_sampled_so_finely_that_nothing_is_missed(seed) -> None:
    rng = np.random.default_rng(seed)

    def signal() -> str:
        a, b, c, d = rng.uniform([-200, 0.2, 0, -90], [200, 6, 6, 90]).tolist()
        return f"{a}*sin({b}*t + {c}) + {d}*t"

    one, two, three, by = rng.choice(SEQUENCES, 4).tolist()
    a, b, c = (axes(sequence, signal(), signal(), signal()) for sequence in (one, two, three))
    scene = plan_with(a=a, b={**b, "parent": "a"}, c=c)
    of, relative_to = (("b", "world"), ("b", "c"), ("a", "world"), ("c", "b"))[seed % 4]
    snapshot = frames_at(scene, {of, relative_to}, np.linspace(0.0, 10.0, 100_001))
    found = scene.traces.angles(snapshot, of, relative_to, by)
    T = scene.traces.matrices(snapshot, of, relative_to)
    assert_allclose(
        found, axes_rotations_angles_along(orientation_of(T, np.zeros(3)), by, float(found[0, 0])), atol=1e-6
    )


def test_that_the_start_has_the_authored_angles_or_else_branch_1(plan) -> None:
    assert_allclose(angles_deg(plan, 0.0, "written", "XYZ"), [385.72, 100.0, 20.0], atol=1e-9)
    first, second = axes_rotations_angles_branches(
        frames.axes_rotations("XYZ", np.radians([385.72, 100.0, 20.0])), "XYZ"
    )
    assert_allclose(np.degrees(first), [-154.28, 80.0, -160.0], atol=1e-9)
    assert_allclose(np.degrees(second), [25.72, 100.0, 20.0], atol=1e-9)
    snapshot = evaluate(plan, 7.0)
    first, _ = axes_rotations_angles_branches(
        orientation_of(plan.traces.matrices(snapshot, "written", "world"), np.zeros(3)), "ZYX"
    )
    assert_allclose(plan.traces.angles(snapshot, "written", "world", "ZYX"), first, atol=1e-12)
    # Away from the lock what is written goes on as it is written, over whole turns.
    assert_allclose(angles_deg(plan, 19.0, "spun", "ZYX"), [3800.0, 70.0 * np.sin(19.0), 380.0], atol=1e-6)


def test_that_branch_1_has_the_principal_second_angle() -> None:
    for sequence in SEQUENCES:
        R = frames.axes_rotations(sequence, np.random.default_rng(2).uniform(-7.0, 7.0, (500, 3)))
        first, second = axes_rotations_angles_branches(R, sequence)
        for angles in (first, second):
            assert_allclose(frames.axes_rotations(sequence, angles).T, R.T, atol=1e-12)
        middle = first[:, 1]
        is_principal = (middle >= 0.0) if sequence[0] == sequence[2] else (np.abs(middle) <= 0.5 * np.pi)
        assert is_principal.all()


def test_that_at_the_lock_the_first_angle_stays_as_it_was() -> None:
    example = plan_of("gimbal-lock")
    held = angles_deg(example, [3.5, 5.0, 6.5, 7.0], "arrow", "XYZ")
    assert_allclose(held, [[0.0, 90.0, 0.0]] * 4, atol=1e-6)
    after = angles_deg(example, [9.5, 10.0], "arrow", "XYZ")
    assert_allclose(after, [[80.0, 20.0, -80.0]] * 2, atol=1e-9)


def test_that_authored_angles_are_the_angles_even_at_the_lock() -> None:
    example = plan_of("gimbal-lock")
    at_the_lock = angles_deg(example, [3.5, 5.0, 6.5, 7.0], "arrow", "XYZ", "stand")
    assert_allclose(at_the_lock, [[0.0, 90.0, 0.0], [40.0, 90.0, -40.0], [80.0, 90.0, -80.0], [80.0, 90.0, -80.0]])


def test_that_a_way_out_of_the_lock_is_on_branch_1_where_the_other_is_as_near() -> None:
    for share in (-0.02, 0.0, 0.02):  # turns about y, nearly, which is a quarter of a turn from what ZXZ calls no turn
        leaving = plan_with(a=axes("YXZ", "20*t", f"{share}*20*t", 0))
        assert_allclose(angles_deg(leaving, 0.0, "a", "ZXZ"), 0.0, atol=1e-12)
        assert_allclose(angles_deg(leaving, 3.0, "a", "ZXZ"), [90.0, 60.0, -90.0], atol=3.0)


def test_that_the_lock_is_passed_in_a_moment_without_a_trace() -> None:
    straight = plan_with(a=axes("ZYX", 10, "20*t", 0, parent="world"), b=axes("ZYX", 0, 0, 0, parent="a"))
    assert_allclose(angles_deg(straight, [4.0, 4.5, 5.0, 9.0], "b", "ZYX")[:, 1], [80.0, 90.0, 100.0, 180.0], atol=1e-6)
    # With the same first and third axis: they turn on at the moment itself as before and after.
    through = plan_with(a=axes("ZXZ", "30*t", "20*(t - 5)", 0), b=axes("ZXZ", 0, 0, 0, parent="a"))
    found = angles_deg(through, [4.9, 5.0, 5.1], "b", "ZXZ")
    assert_allclose(np.diff(found[:, 0]), 3.0, atol=1e-3)


@pytest.mark.parametrize("miss_deg", [3.0, 0.1, 1e-3])
def test_that_the_side_on_which_the_lock_is_missed_is_found(miss_deg) -> None:
    passing = plan_with(
        a=axes("ZYX", 0, "18*t + 3*sin(t)", 0), b=axes("XZY", 0, miss_deg, 0, parent="a"), c=axes("XYZ", 0, 0, 0)
    )
    before, after = angles_deg(passing, [0.0, 10.0], "b", "ZYX", "c")
    assert abs(before[1]) < 1.0
    assert abs(after[1]) < 5.0  # not over the top, as when it is hit
    assert abs(abs(after[0] - before[0]) - 180.0) < 10.0


def test_that_fast_turns_are_counted_and_too_fast_ones_are_on_branch_1() -> None:
    fast = plan_with(
        60.0, a={"parent": "world", "orientation": {"form": "axis", "axis": "y", "angle": "7200*t", "unit": "deg"}}
    )
    for sequence, i in (("ZYX", 1), ("XYZ", 1), ("YXZ", 0), ("ZYZ", 1)):
        assert angles_deg(fast, 59.01, "a", sequence)[i] == pytest.approx(7200.0 * 59.01, abs=1e-4)
    faster = plan_with(
        60.0, a={"parent": "world", "orientation": {"form": "axis", "axis": "y", "angle": "1e7*t", "unit": "deg"}}
    )
    found = angles_deg(faster, [59.01, 3.2], "a", "YXZ")
    assert (np.abs(found) <= 180.0).all()


def test_that_a_motion_is_followed_beyond_the_time_range_too() -> None:
    going = plan_with(
        2.0, a={"parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": "100*t", "unit": "deg"}}
    )
    for t in (-500.0, -1.0, 0.0, 2.0, 2.1, 7.0, 1000.0):
        assert angles_deg(going, t, "a", "ZYX")[0] == pytest.approx(100.0 * t, abs=1e-6)


def test_that_the_sign_of_a_quaternion_is_that_of_the_start_or_as_authored() -> None:
    quaternion = {"form": "quaternion", "order": "xyzw", "value": [0, 0, 0.6, -0.8]}
    found = plan_with(
        a={"parent": "world", "orientation": quaternion},
        b={"parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": "90*t", "unit": "deg"}},
    )
    for t in (0.0, 5.0):
        snapshot = evaluate(found, t)
        assert_allclose(found.traces.quaternions(snapshot, "a", "world"), [0.0, 0.0, 0.6, -0.8])
        half = np.radians(45.0 * t)
        Q = found.traces.quaternions(snapshot, "b", "world")
        assert_allclose(Q, [0.0, 0.0, np.sin(half), np.cos(half)], atol=1e-12)
        assert_allclose(found.traces.quaternions(snapshot, "world", "b"), Q * [-1, -1, -1, 1], atol=1e-12)


def test_that_a_sensor_shows_at_a_moment_what_its_curve_has_there(plan) -> None:
    signal = parse_signal("sensor of seen", plan.scene)
    place = plan.instruments.sensors["seen"].sensor.slices["angles"]
    t = np.array([0.0, 3.3, 17.2])
    whole = plot_curves(plan, signal, t)
    for i in range(3):
        assert_allclose(evaluate(plan, t[i]).sensors["seen"], whole[i], atol=1e-12)
    first, second = whole[0, place], whole[0, place.start]
    assert abs(second - np.radians(170.0)) <= np.pi
    assert np.isfinite(first).all()


def test_that_an_edit_that_is_taken_back_leaves_no_trace(plan) -> None:
    t, shown = np.linspace(0.0, 20.0, 21), []
    for drag in (0.0, 170.0, 190.0, 0.0):
        data = plan.scene.model_dump(mode="json", exclude_unset=True)
        data["frames"]["written"]["orientation"]["angles"] = [385.72 + drag, 100, 20]
        edited = compile_plan(Scene.model_validate(data))
        shown.append((angles_deg(edited, t, "tool", "ZYX", "written"), angles_deg(edited, t, "written", "ZYX")))
    for before, after in zip(shown[0], shown[3], strict=True):
        assert_array_equal(before, after)


def test_that_knots_are_bounded_and_few_where_little_happens(plan) -> None:
    calm = attitude_trace.AttitudeTrace(
        lambda t: (np.broadcast_to(np.eye(3), (len(t), 3, 3)), np.zeros(len(t))), 0.0, 1.0
    )
    calm.angles(np.zeros(1), np.eye(3)[np.newaxis], (1, 2, 3))
    knots = calm.knots_to(0)
    assert knots is not None
    assert len(knots.times) == attitude_trace.N_EVEN + 1


def test_that_a_frame_whose_parent_is_not_there_is_still_turned_in_it() -> None:
    text = """
framescope: 1
frames:
  arm:
    parent: wrold
    orientation: {form: axes, sequence: XYZ, angles: [10, 40, 0], unit: deg}
  hand: {parent: arm, orientation: {form: quaternion, value: [0, 0, 0, -1], order: xyzw}}
  own: {parent: own, orientation: {form: axes, sequence: XYZ, angles: [10, 40, 0], unit: deg}}
  egg: {parent: hen, orientation: {form: axes, sequence: XYZ, angles: [10, 40, 0], unit: deg}}
  hen: {parent: egg}
"""
    plan = compile_plan(scene_of(text))
    snapshot = evaluate(plan, 2.0)
    assert_allclose(plan.traces.angles(snapshot, "arm", "wrold", "XYZ"), np.radians([10, 40, 0]), atol=1e-12)
    assert_allclose(plan.traces.quaternions(snapshot, "hand", "arm"), [0, 0, 0, -1])
    assert_allclose(plan.traces.quaternions(snapshot, "world", "world"), [0, 0, 0, 1])
    assert_allclose(plan.traces.angles(snapshot, "world", "world", "XYZ"), 0.0)
    assert_allclose(plan.traces.angles(snapshot, "own", "own", "XYZ"), np.radians([10, 40, 0]), atol=1e-12)
    assert_allclose(plan.traces.angles(snapshot, "egg", "hen", "XYZ"), np.radians([10, 40, 0]), atol=1e-12)
    assert np.isnan(plan.traces.angles(snapshot, "egg", "own", "XYZ")).all()


def test_that_frames_at_rest_have_the_numbers_that_they_have_as_moving_ones() -> None:
    # An angle of 0*t moves a frame by no bit, but its trace is followed over time.
    lock, half_turn = ("ZYX", 30, 90, 10), ("XYZ", 180, 0, 0)
    turns = [("ZYX", 30, 200, -10), lock, half_turn, ("ZXZ", 5, 0, 7), ("XYZ", 100, 20, 300)]
    rest = {f"f{i}": axes(*turn, parent=f"f{i - 1}" if i else "base") for i, turn in enumerate(turns)}
    beside = {"beside": axes("XYZ", 10, 20, 30, parent="f2")}
    resting = plan_with(base=axes("XYZ", 0, 0, 0), **rest, **beside)
    moving = plan_with(base=axes("XYZ", "0*t", 0, 0), **rest, **beside)
    times = np.linspace(-1.0, 11.0, 5)
    for of in resting.names:
        for relative_to in ("world", "f3", "beside"):
            snapshots = evaluate(resting, times), evaluate(moving, times)
            Q, Q_moving = (
                each.traces.quaternions(snapshot, of, relative_to)
                for each, snapshot in zip((resting, moving), snapshots, strict=True)
            )
            assert_array_equal(Q, Q_moving, f"{of} {relative_to}")
            for sequence in ("ZYX", "XYX"):
                angles, angles_moving = (
                    each.traces.angles(snapshot, of, relative_to, sequence)
                    for each, snapshot in zip((resting, moving), snapshots, strict=True)
                )
                assert_allclose(angles, angles_moving, rtol=0.0, atol=1e-12, err_msg=f"{of} {relative_to} {sequence}")


def test_that_frames_at_rest_below_another_without_a_pose_have_no_numbers() -> None:
    plan = plan_with(lost=axes("XYZ", 0, 0, 0, parent="nowhere"), below=axes("XYZ", 1, 2, 3, parent="lost"))
    snapshot = evaluate(plan, np.array([0.0, 1.0]))
    assert np.isnan(plan.traces.quaternions(snapshot, "below", "world")).all()


@pytest.mark.long
def test_that_traces_begin_with_the_numbers_that_they_would_compute(monkeypatch) -> None:
    begun: list[int] = []

    def compare(trace: attitude_trace.AttitudeTrace, T: np.ndarray, rates: np.ndarray) -> None:
        T_own, rates_own = trace.attitude(attitude_trace.first_knots(trace.start, trace.end))
        assert_array_equal(T, T_own)
        assert_allclose(rates, rates_own, rtol=1e-12)
        begun.append(len(T))

    monkeypatch.setattr(attitude_trace.AttitudeTrace, "begin_with", compare)
    drifting = """
  drifting:
    parent: tool
    orientation: {form: integrated, w: [1, 2, "t"], unit: rad/s, step: 200 ms, method: euler, equation: dcm}
  lower: {parent: drifting, position: {value: [1, 0, 0], unit: m}}
  deeper: {parent: gone, orientation: {form: axis, axis: x, angle: "30*t", unit: deg}}
sensors:"""
    plan = compile_plan(scene_of(SCENE.replace("\nsensors:", drifting)))
    snapshot = evaluate(plan, np.linspace(0.0, 20.0, 5))
    for of in plan.names:
        for relative_to in ("world", "lower", "keyed"):
            plan.traces.quaternions(snapshot, of, relative_to)
    assert len(begun) > 10


@pytest.mark.parametrize("t", [0.013, 0.7, 4.96, 10.0])
def test_that_authored_angles_are_those_of_the_formula_beside_a_pole(t) -> None:
    plan = compile_plan(
        scene_of("""
framescope: 1
frames:
  body: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["1/t", 0, 0], unit: deg}}
  other: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["50/(t - 5)", 10, 20], unit: deg}}
""")
    )
    for name, authored in (("body", [1 / t, 0.0, 0.0]), ("other", [50 / (t - 5), 10.0, 20.0])):
        assert_allclose(angles_deg(plan, [t], name, "ZYX")[0], authored, rtol=1e-9, atol=1e-9)
