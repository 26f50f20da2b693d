"""The laboratories' arithmetic: runs against closed solutions, orders, written rates, and paths past the lock."""

from __future__ import annotations

import math

import numpy as np
import pytest

from framescope.core import frames, kinematics
from framescope.core.angle_branches import other_branch
from framescope.core.evaluation.compile.orientations import compile_orientation
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.integration_steps import METHODS
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.core.scene.schema.model import Scene
from framescope.features.laboratory.core.convergence_order import fit_order, study_order
from framescope.features.laboratory.core.drift import (
    DriftSettings,
    angle_rates,
    methods_of,
    rotation_vector_from_matrix,
    rotation_vector_rates,
    run_drift,
    within_half_turn,
)
from framescope.features.laboratory.core.gimbal import along_path, path_of_frame, path_past_lock
from framescope.features.laboratory.core.rate_expressions import derivative, rate_expressions
from framescope.features.laboratory.core.rate_presets import (
    PRESETS,
    LaboratoryError,
    OfFrame,
    RatePreset,
    Steady,
    attitude_error,
    make_rate,
)
from framescope.features.laboratory.core.to_scene import integrated_edit, on_path_edit
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
time: {start: 1 s, end: 6 s}
parameters: {k: 0.4}
frames:
  disc: {parent: world, orientation: {form: axis, axis: z, angle: "30*t + 5*sin(2*t)", unit: deg}}
  arm: {parent: disc, position: {value: [0.3, 0, 0], unit: m},
        orientation: {form: axes, sequence: ZYX, angles: ["30*t", "20*sin(k*t)", "10*t**2/(1 + t)"], unit: deg}}
  skew: {parent: world, orientation: {form: planar, axis: [0.6, 0.8, 0], angle: "exp(-t) + sqrt(t)", unit: rad}}
  still: {parent: arm, orientation: {form: axes, sequence: XYZ, angles: [10, 20, 30], unit: deg}}
  keyed: {parent: world, motion: {form: keyframes, keys: [
    {time: 1 s}, {time: 3 s, orientation: {form: axis, axis: x, angle: 50, unit: deg}},
    {time: 6 s, orientation: {form: axis, axis: y, angle: 70, unit: deg}}]}}
  drifted: {parent: world, orientation: {form: integrated, w: ["cos(t)", 0.5, "0.2*t"], unit: rad/s, equation: dcm,
            method: euler, step: 50 ms}}
  lost: {parent: world, orientation: {form: axis, axis: z, angle: "sqrt(2 - t)", unit: rad}}
  jerky: {parent: world, orientation: {form: axis, axis: z, angle: "abs(sin(t))", unit: rad}}
"""


@pytest.fixture(scope="module")
def plan():
    return compile_plan(scene_of(SCENE))


@pytest.fixture(scope="module")
def tumbling(plan):
    return make_rate(RatePreset("tumbling"), plan)


# --- Rates


@pytest.mark.parametrize(
    "choice", [Steady((0.3, -0.2, 0.9)), *map(RatePreset, PRESETS), OfFrame("arm"), OfFrame("keyed")]
)
def test_that_the_orientation_of_a_rate_is_what_the_rate_leads_to(plan, choice) -> None:
    rate = make_rate(choice, plan)
    t, h = np.linspace(1.1, 5.9, 23), 1e-5
    found = linear_algebra.velocity_from_columns(rate.T(t), (rate.T(t + h) - rate.T(t - h)) / (2.0 * h))
    np.testing.assert_allclose(
        linear_algebra.apply_matrix(rate.T(t), found), rate.w(t), atol=2e-4 * np.abs(rate.w(t)).max()
    )


def test_that_an_integrated_frame_is_measured_against_its_rate_not_against_itself(plan) -> None:
    rate = make_rate(OfFrame("drifted"), plan)
    run = run_drift(rate, DriftSettings("matrix", "euler", 0.05))
    own = evaluate(plan, 6.0)
    T_own = linear_algebra.transpose(own.R_WF[own.index["drifted"]])
    nearest = np.linalg.svd(T_own)
    by_hand = attitude_error((nearest[0] @ nearest[2])[np.newaxis], rate.T(np.array([6.0])))
    assert run.end_error == pytest.approx(float(by_hand[0]), rel=1e-9)
    assert run.end_error > 1e-2
    assert rate.doubt < 1e-11
    fine = np.linspace(1.0, 6.0, 20_001)
    start = frames.Orientation(np.eye(3), np.zeros(3))
    reference = kinematics.integrate(start, rate.w, fine, "munthe-kaas-4", "quaternion")
    np.testing.assert_allclose(rate.T(np.array([3.5, 6.0])), reference.T([3.5, 6.0]), atol=1e-11)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (OfFrame("world"), "world"),
        (OfFrame("nobody"), "nobody"),
        (OfFrame("lost"), "no orientation at t = "),
        (RatePreset("dancing"), "dancing"),
        (Steady((math.nan, 0.0, 0.0)), "finite"),
    ],
)
def test_that_what_cannot_be_integrated_is_refused_with_the_reason(plan, choice, told) -> None:
    with pytest.raises(LaboratoryError, match=told):
        make_rate(choice, plan)


# --- Runs


def test_that_euler_about_a_fixed_axis_has_its_closed_drift(plan) -> None:
    rate, h, n = make_rate(Steady((0.0, 0.0, 0.8)), plan), 0.05, 100
    run = run_drift(rate, DriftSettings("quaternion", "euler", h))
    assert run.end_error == pytest.approx(n * (0.8 * h - 2.0 * math.atan(0.4 * h)), rel=1e-9)
    assert run.largest_residue == pytest.approx((1.0 + (0.4 * h) ** 2) ** n - 1.0, rel=1e-9)
    run = run_drift(rate, DriftSettings("matrix", "euler", h))
    assert run.end_error == pytest.approx(n * (0.8 * h - math.atan(0.8 * h)), rel=1e-9)


@pytest.mark.parametrize("method", ["exponential", "munthe-kaas-4", "magnus-4", "magnus-6"])
def test_that_methods_that_turn_are_exact_for_a_constant_rate(plan, method) -> None:
    run = run_drift(make_rate(Steady((0.3, -0.7, 1.1)), plan), DriftSettings("quaternion", method, 0.5))
    assert run.end_error < 1e-13
    assert run.largest_residue < 1e-13


@pytest.mark.parametrize("equation", ["matrix", "quaternion"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("every", [0, 1])
def test_that_a_run_is_the_integration_of_a_scene(tumbling, equation, method, every) -> None:
    run = run_drift(tumbling, DriftSettings(equation, method, 0.02, every))
    of = "dcm" if equation == "matrix" else "quaternion"
    start = frames.Orientation(tumbling.T(run.t[:1])[0], np.zeros(3))
    by_core = kinematics.integrate(start, tumbling.w, run.t, method, of, renormalize=every == 1)
    T = by_core.orientations.T
    if of == "quaternion":
        T = linear_algebra.matrix_from_quaternion(
            by_core.states / np.linalg.norm(by_core.states, axis=1)[:, np.newaxis]
        )
    U, _, Vt = np.linalg.svd(T)
    np.testing.assert_allclose(run.error, attitude_error(U @ Vt, tumbling.T(run.t)), atol=1e-12)
    np.testing.assert_allclose(run.residue, np.abs(by_core.residues).max(axis=1), atol=1e-13)


def test_that_the_last_step_ends_with_the_time_range(tumbling) -> None:
    run = run_drift(tumbling, DriftSettings(step=0.3))
    assert run.t[0] == 1.0
    assert run.t[-1] == 6.0
    assert run.t[-2] == pytest.approx(5.8)
    assert len(run.t) == 18


@pytest.mark.parametrize("equation", ["matrix", "quaternion"])
def test_that_renormalising_now_and_then_holds_the_residue_between_never_and_always(tumbling, equation) -> None:
    never, always, some = (run_drift(tumbling, DriftSettings(equation, "euler", 0.01, every)) for every in (0, 1, 10))
    assert always.largest_residue < 1e-14
    assert 1e-5 < some.largest_residue < 0.1 * never.largest_residue
    assert some.residue[10::10].max() < 1e-14


def test_that_angles_run_out_in_the_lock_and_say_when(plan) -> None:
    rate = make_rate(Steady((0.0, 0.0, 1.0)), plan)
    run = run_drift(rate, DriftSettings("ZXZ", "rk4", 0.1))  # not turned is the lock of ZXZ
    assert np.argmax(~np.isfinite(run.error)) == 1
    assert math.isnan(run.end_error)
    assert study_order(rate, DriftSettings("ZXZ", "rk4")).fit.reason == "the numbers overflow with every step"


def test_that_a_rotation_vector_kept_short_passes_whole_turns(plan) -> None:
    rate = make_rate(RatePreset("spinning top"), plan)
    assert run_drift(rate, DriftSettings("rotation vector", "rk4", 0.01, 1)).end_error < 1e-5


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (DriftSettings(step=0.0), "longer than zero"),
        (DriftSettings(step=1e-7), "steps are more than"),
        (DriftSettings("ZYX", "exponential"), "three parameters"),
        (DriftSettings("ZZX"), "no equation"),
    ],
)
def test_that_settings_that_cannot_be_are_refused(tumbling, settings, told) -> None:
    with pytest.raises(LaboratoryError, match=told):
        run_drift(tumbling, settings)


def test_that_a_run_that_is_not_wanted_any_more_ends(tumbling) -> None:
    asked = iter([False, True])
    assert run_drift(tumbling, DriftSettings(step=0.01), lambda: next(asked)) is None
    assert study_order(tumbling, DriftSettings(), lambda: True) is None


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_rates_in_plain_numbers_are_those_of_the_core(sequence) -> None:
    angles, w = (0.7, 0.4, -1.9), [0.3, -1.2, 0.8]
    found = axis_rotations.euler_rates(as_sequence(sequence))(np.array(angles), np.array(w))
    np.testing.assert_allclose(angle_rates(sequence)(angles, w), found, rtol=1e-14)


@pytest.mark.parametrize("length", [0.0, 1e-9, 9e-3, 1.1e-2, 1.0, 3.0, 5.0])
def test_that_the_rate_of_a_rotation_vector_makes_the_angular_velocity(length) -> None:
    s, w = length * np.array([2.0, -1.0, 2.0]) / 3.0, [0.3, -1.2, 0.8]
    ds = np.array(rotation_vector_rates(tuple(s), w))
    np.testing.assert_allclose(rotation_vector_motion(s, ds, np.zeros(3))[0], w, rtol=1e-12)
    T = axis_rotations.matrix_from_rotation_vector(s)
    kept = np.array(within_half_turn(tuple(s)))
    assert np.linalg.norm(kept) <= math.pi
    np.testing.assert_allclose(axis_rotations.matrix_from_rotation_vector(kept), T, atol=1e-14)
    np.testing.assert_allclose(rotation_vector_from_matrix(T), kept, atol=1e-13)


# --- Orders

ORDERS = {"euler": 1, "rk4": 4, "exponential": 2, "munthe-kaas-4": 4, "magnus-4": 4, "magnus-6": 6}


@pytest.mark.long
@pytest.mark.parametrize(
    ("equation", "method"),
    [
        (equation, method)
        for equation in ("matrix", "quaternion", "rotation vector", "ZYX")
        for method in methods_of(equation)
    ],
)
def test_that_every_method_shows_its_order(tumbling, equation, method) -> None:
    study = study_order(tumbling, DriftSettings(equation, method))
    assert study.fit.order == pytest.approx(ORDERS[method], rel=0.04)
    line = study.fit.factor * study.steps**study.fit.order
    part = slice(study.fit.first, study.fit.last + 1)
    np.testing.assert_allclose(study.errors[part], line[part], rtol=0.5)


def test_that_rounding_alone_has_no_order(plan) -> None:
    fit = study_order(make_rate(Steady((0.2, 0.1, 0.4)), plan), DriftSettings("quaternion", "magnus-4")).fit
    assert fit.order is None
    assert fit.reason == "only rounding remains of the error"


def test_that_what_is_not_known_of_the_orientation_is_no_order(plan) -> None:
    # A corner of the rate: no method has its order there, and an even fall is not made up.
    study = study_order(make_rate(OfFrame("jerky"), plan), DriftSettings("quaternion", "magnus-6"))
    assert study.fit.order is None or study.fit.order < 3.0


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_that_only_the_straight_part_is_fitted(noise) -> None:
    h = 0.5 / 2.0 ** np.arange(12)
    errors = 2.0 * h**4 * (1.0 + noise * (-1.0) ** np.arange(12))
    errors[:2] = 3.0
    errors = np.maximum(errors, 1e-13)
    fit = fit_order(h, errors, 1e-14)
    assert fit.order == pytest.approx(4.0, abs=0.05)
    assert fit.first == 2
    assert errors[fit.last] > 3e-13


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (np.full(6, 2.0), "too large"),
        (np.full(6, 1e-3), "does not fall evenly"),
        (np.full(6, np.nan), "overflow"),
        (np.array([1e-9, 1e-15, 1e-15, 1e-15, 1e-15, 1e-15]), "rounding hides"),
    ],
)
def test_that_a_study_without_a_line_says_why(errors, told) -> None:
    fit = fit_order(0.1 / 2.0 ** np.arange(6), errors, 1e-16)
    assert fit.order is None
    assert told in fit.reason


# --- Into the scene


@pytest.mark.parametrize("name", ["disc", "arm", "skew", "still", "drifted"])
def test_that_a_written_rate_is_the_rate_of_the_frame(plan, name) -> None:
    w, unit = rate_expressions(OfFrame(name), plan.scene)
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "parameters": dict(plan.scene.parameters),
            "frames": {"a": {"parent": "world", "position": {"value": w, "unit": "m"}}},
        }
    )
    t = np.linspace(1.0, 6.0, 17)
    assert unit == "rad/s"
    found = evaluate(compile_plan(scene), t).p_WF[:, 1]
    np.testing.assert_allclose(found, plan.tree.motions[plan.index[name]].sample(t).w, atol=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
def test_that_a_preset_is_written_as_its_rate(plan, preset) -> None:
    edit = integrated_edit(plan, RatePreset(preset), DriftSettings("quaternion", "magnus-6", 0.01), "disc")
    changed = compile_plan(edit.apply(plan.scene))
    assert not changed.problems[len(plan.problems) :]
    ((_, name),) = edit.keys
    motion = compile_orientation(PRESETS[preset], (), plan.context)
    t = np.linspace(1.0, 6.0, 11)
    found = changed.tree.motions[changed.index[name]].sample(t)
    np.testing.assert_allclose(found.w, motion.sample(t).w, atol=1e-12)
    np.testing.assert_allclose(found.T, motion.sample(t).T, atol=1e-6)


def test_that_a_run_stands_beside_its_frame_in_the_scene_and_drifts_as_it_did(plan) -> None:
    settings = DriftSettings("quaternion", "euler", 0.05)
    edit = integrated_edit(plan, OfFrame("arm"), settings)
    scene = edit.apply(plan.scene)
    ((_, name),) = edit.keys
    frame = scene.frames[name]
    assert name == "arm by euler"
    assert edit.label == "Added arm by euler, integrated"
    assert frame.parent == "disc"
    assert frame.position.value[0] > 0.3
    changed = compile_plan(scene)
    T = changed.tree.motions[changed.index[name]].sample(np.array([6.0])).T
    U, _, Vt = np.linalg.svd(T)
    rate = make_rate(OfFrame("arm"), plan)
    error = attitude_error(U @ Vt, rate.T(np.array([6.0])))
    # A quaternion off unit length stands for a matrix whose nearest rotation is not quite that of the quaternion.
    assert float(error[0]) == pytest.approx(run_drift(rate, settings).end_error, rel=0.1)


@pytest.mark.parametrize(
    ("choice", "settings", "told"),
    [
        (OfFrame("arm"), DriftSettings("ZYX"), "angles ZYX"),
        (OfFrame("arm"), DriftSettings("rotation vector"), "rotation vector"),
        (OfFrame("arm"), DriftSettings(every=10), "each step or never"),
        (OfFrame("keyed"), DriftSettings(), "keyframes"),
        (OfFrame("jerky"), DriftSettings(), "derivative"),
    ],
)
def test_that_what_a_scene_cannot_say_is_refused_with_the_reason(plan, choice, settings, told) -> None:
    with pytest.raises(LaboratoryError, match=told):
        integrated_edit(plan, choice, settings)


@pytest.mark.parametrize(
    "text",
    ["3*t**2 - t/2", "-sin(2*t)*cos(t)", "exp(-t)/(1 + t)", "sqrt(1 + t**2) - (1 - t)", "log(t)*tan(0.1*t)", "2 - -t"],
)
def test_that_a_derivative_in_writing_is_the_derivative(text) -> None:
    from framescope.core.time_functions.expressions import parse_expression

    t = np.linspace(1.0, 3.0, 9)
    np.testing.assert_allclose(parse_expression(derivative(text))(t), parse_expression(text).jet(t).d, rtol=1e-12)


def test_that_a_place_on_a_path_is_shown_with_rings(plan) -> None:
    scene = on_path_edit("still", "ZXZ", np.array([0.1, 0.2, 0.3])).apply(plan.scene)
    changed = compile_plan(scene)
    assert changed.sequence("still") == "ZXZ"
    np.testing.assert_allclose(changed.angles("still", 0.0)[0], [0.1, 0.2, 0.3], atol=1e-9)
    assert [rings.frame for rings in scene.view.rings] == ["still"]
    again = on_path_edit("still", "ZXZ", np.zeros(3)).apply(scene)
    assert len(again.view.rings) == 1


# --- Paths past the lock


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("miss_deg", [0.01, 1.0, 25.0])
def test_that_a_path_misses_the_lock_by_what_is_asked(sequence, miss_deg) -> None:
    miss = math.radians(miss_deg)
    along = along_path(sequence, path_past_lock(sequence, miss, speed=0.5))
    i = along.nearest
    axes = as_sequence(sequence)
    e1_in_2 = along.path.T[:, :, axes[0] - 1]
    distance = np.arccos(np.clip(np.abs(e1_in_2[:, axes[2] - 1]), 0.0, 1.0))
    away = distance if axes[0] == axes[2] else np.abs(0.5 * np.pi - np.abs(along.continuous[:, 1]))
    assert along.path.x[i] == 0.0
    assert float(away[i]) == pytest.approx(miss, rel=1e-6)
    assert along.condition[i] == pytest.approx((1.0 + math.cos(miss)) / math.sin(miss), rel=1e-9)
    k_first, k_third = np.abs(along.ratio[i, [0, 2]])
    assert k_first == pytest.approx(1.0 / math.sin(miss), rel=1e-9)
    assert k_third == pytest.approx(math.cos(miss) / math.sin(miss), rel=1e-9)
    assert along.largest == (i, 0)
    assert along.ratio[i, 0] > 0.0  # angle 1 grows along every path


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("miss_deg", [0.0, 0.01, 5.0])
def test_that_all_branches_are_the_orientation_and_the_rates_its_velocity(sequence, miss_deg) -> None:
    path = path_past_lock(sequence, math.radians(miss_deg), speed=0.3, n=201)
    along = along_path(sequence, path)
    for angles in (along.first, along.second, along.continuous):
        np.testing.assert_allclose(frames.axes_rotations(sequence, angles).T, path.T, atol=1e-8)
    is_clear = along.condition < 1e6
    made = kinematics.angular_velocity_from_euler_rates(sequence, along.continuous[is_clear], along.rates[is_clear])
    np.testing.assert_allclose(made, path.w[is_clear], atol=1e-7)
    np.testing.assert_allclose(np.cos(other_branch(sequence, along.first) - along.second), 1.0, atol=1e-12)
    middle = along.first[:, 1]
    in_branch = (middle >= 0.0) if sequence[0] == sequence[2] else (np.abs(middle) <= 0.5 * np.pi + 1e-12)
    assert in_branch.all()


@pytest.mark.parametrize("sequence", ["XYZ", "ZXZ"])
def test_that_straight_through_the_lock_only_the_second_angle_turns(sequence) -> None:
    along = along_path(sequence, path_past_lock(sequence, 0.0, speed=1.0))
    assert np.abs(np.diff(along.continuous, axis=0)).max() < 0.05
    assert np.ptp(along.continuous[:, 1]) == pytest.approx(2.0 * math.pi / 3.0)
    assert along.largest is not None
    i, k = along.largest
    assert k == 1
    assert abs(along.ratio[i, k]) == pytest.approx(1.0, rel=1e-6)


def test_that_the_motion_of_a_frame_is_a_path_over_time(plan) -> None:
    path = path_of_frame(plan, "arm")
    along = along_path("ZYX", path)
    authored = np.array([plan.angles("arm", t)[0] for t in path.x[::100]])
    np.testing.assert_allclose(along.continuous[::100], authored, atol=1e-9)
    assert path.is_time
    with pytest.raises(LaboratoryError, match="no orientation"):
        path_of_frame(plan, "lost")


def test_that_a_fast_spin_is_no_jump_and_leaving_the_lock_is_one() -> None:
    text = """\
framescope: 1
frames:
  spun: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["80*t", "0.1*t", 0], unit: rad}}
  ring: {parent: world, orientation: {form: axes, sequence: XYZ, unit: deg,
    angles: ["80*smoothstep(t, 2, 5)", "90 - 40*smoothstep(t, 6, 8)", 0]}}
  held: {parent: world, orientation: {form: axes, sequence: XZY, unit: deg,
    angles: ["80*smoothstep(t, 2, 5)", 0, "90 - 40*smoothstep(t, 6, 8)"]}}
"""
    plan = compile_plan(scene_of(text))
    spun, ring, held = (along_path("XYZ", path_of_frame(plan, name)) for name in ("spun", "ring", "held"))
    assert np.abs(np.diff(spun.continuous[:, 0])).max() > 0.6
    assert not spun.jumps(spun.continuous).any()
    assert not ring.jumps(ring.continuous).any(), "authored angles are known even in the lock"
    # Otherwise only the sum of two angles is known in the lock: they are read off anew where it ends.
    (i,) = np.flatnonzero(held.jumps(held.continuous).any(axis=1))
    assert held.path.x[i] == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize(("sequence", "miss", "speed"), [("XXY", 0.1, 1.0), ("XYZ", 2.0, 1.0), ("XYZ", 0.1, 0.0)])
def test_that_a_path_that_cannot_be_is_refused(sequence, miss, speed) -> None:
    with pytest.raises(LaboratoryError):
        path_past_lock(sequence, miss, speed)


def test_that_the_rate_of_turns_about_fixed_axes_is_that_of_the_reversed_turns() -> None:
    fixed = {"form": "rpy", "angles": ["t", "0.3*t", 0.2], "unit": "rad"}
    moving = {"form": "axes", "sequence": "ZYX", "angles": [0.2, "0.3*t", "t"], "unit": "rad"}
    found = []
    for form in (fixed, moving):
        scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": form}}})
        found.append(rate_expressions(OfFrame("a"), scene))
    assert found[0] == found[1]
