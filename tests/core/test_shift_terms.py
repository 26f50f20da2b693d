"""Terms of a shift: their sums are derivatives of positions, and small angles leave out what their ports do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from framescope.core import spatial
from framescope.core.analysis import shifts
from framescope.core.analysis.shift_terms import (
    acceleration_terms,
    force_terms,
    small_angle_rates,
    small_angle_terms,
    total,
    velocity_terms,
)
from framescope.core.analysis.shifts import ShiftKey, check_of, points_on, rest_of, shift_at
from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.new_items import keep_as_frame
from framescope.core.scene.schema.model import Scene
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import HEAD, scene_of
from tests.support.strategies import sequences, vectors
from tests.tools.test_examples import NAMES, derivative, drift_of, loaded, plan_of, sample_times, tolerance_of

R = (0.3, -0.2, 0.15)

MOVING = (
    HEAD
    + """\
  body:
    parent: world
    position: {value: ["0.2*t", "sin(t)", "0.1*t**2"], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["0.07*t**2", "sin(2*t)", "0.4*t"], unit: rad}
  bug:
    parent: body
    position: {value: ["0.3*cos(t)", "0.1*t", 0.2], unit: m}
    orientation: {form: axis, axis: x, angle: t, unit: rad}
  elsewhere: {parent: world, position: {value: [1, "0.3*t", 0], unit: m}}
  lost: {parent: world, position: {value: ["1/0", 0, 0], unit: m}}
"""
)

SMALL = MECHANICS.replace("model: finite", "model: small angle")


@cache
def mechanics(text: str = SMALL) -> Plan:
    """Return the plan of a scene that is simulated, once for all tests."""
    return compile_plan(scene_of(text))


def symbols(shift) -> list[str]:
    return [term.symbol for term in shift.terms]


@pytest.fixture(scope="module")
def moving():
    return compile_plan(scene_of(MOVING))


# --- Formulas


@given(vectors(6))
def test_that_sums_are_the_shifts_of_spatial_algebra(drawn) -> None:
    v, a, w, b, r, f = drawn
    V, A = np.concatenate([w, v], axis=-1), np.concatenate([b, a], axis=-1)
    F = np.concatenate([np.zeros_like(f), f], axis=-1)
    close = {"rtol": 1e-12, "atol": 1e-9}
    assert_allclose(total(velocity_terms(v, w, r)), spatial.shift_velocity_by(V, r)[..., 3:], **close)
    assert_allclose(total(acceleration_terms(a, b, w, r)), spatial.shift_acceleration_by(A, w, r)[..., 3:], **close)
    assert_allclose(force_terms(f, r)[1].vector, spatial.shift_force_by(F, -r)[..., :3], **close)


def test_that_bad_input_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="w: expected shape"):
        velocity_terms([0, 0, 0], [0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="a_rel: expected finite"):
        acceleration_terms(*[[0, 0, 0]] * 4, [0, 0, 0], [0, 0, np.nan])
    with pytest.raises(ValueError, match="expected both"):
        acceleration_terms(*[[0, 0, 0]] * 4, v_rel=[0, 0, 0])


def test_that_each_term_is_the_one_of_its_name() -> None:
    w, b, r, v_rel = np.array([0, 0, 2.0]), np.array([0, 3.0, 0]), np.array([0.5, 0, 0]), np.array([1.0, 0, 0])
    found = {t.symbol: t.vector.tolist() for t in acceleration_terms([7, 0, 0], b, w, r, v_rel, [0, 0, 9])}
    assert found == {
        "a₀": [7, 0, 0],
        "b×r": [0, 0, -1.5],
        "ω×(ω×r)": [-2, 0, 0],
        "2ω×v_rel": [0, 4, 0],
        "a_rel": [0, 0, 9],
    }


# --- In scenes


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_that_sums_are_derivatives_of_the_path_in_every_example(name) -> None:
    plan, scene = plan_of(name), loaded(name).scene
    times = sample_times(name)
    frames = plan.names[1:] if len(plan.names) < 12 else plan.names[1 : -1 : len(plan.names) // 6]
    t = times[:: max(1, len(times) // 3)]
    for frame in frames:
        i = plan.index[frame]
        all_of = evaluate(plan, t)
        drift = drift_of(scene, frame, all_of.w_WF_F[:, i], all_of.b_WF_F[:, i])
        key = ShiftKey(frame, "velocity", R)
        der_p = derivative(lambda t, key=key: shifts.place_of(plan, evaluate(plan, t).smoothed, key), t)
        for quantity in ("velocity", "acceleration"):
            asked = replace(key, quantity=quantity)
            found = [shift_at(plan, evaluate(plan, float(each)), asked) for each in t]
            shown = np.array([shift.total for shift in found])
            if quantity == "velocity":
                expected = der_p
            else:

                def velocity(at, plan=plan, key=key):
                    return np.array([shift_at(plan, evaluate(plan, float(each)), key).total for each in at])

                expected = derivative(velocity, t)
            size = max(1.0, float(np.abs(expected).max()), float(np.abs(shown).max()))
            atol = (tolerance_of(scene, frame) + 10 * drift) * size
            assert_allclose(shown, expected, rtol=0, atol=atol, err_msg=f"{quantity} of {frame}")
            check = check_of(plan, evaluate(plan, float(t[0])), asked, found[0])
            assert check is not None
            assert check.residue < max(atol, 1e-7 * size)


@settings(max_examples=15)
@given(t=st.floats(0.01, 9.9), r=st.tuples(*[st.floats(-2, 2)] * 3))
def test_that_the_terms_of_a_moving_frame_add_up_to_its_own_motion(moving, t, r) -> None:
    now = evaluate(moving, t)
    for other in ("bug", "elsewhere"):
        for quantity, own in (("velocity", now.v_WF), ("acceleration", now.a_WF)):
            key = ShiftKey("body", quantity, r, other=other)
            shift = shift_at(moving, now, key)
            scale = max(1.0, *(float(np.abs(term.vector).max()) for term in shift.terms))
            assert_allclose(shift.total, own[moving.index[other]], rtol=0, atol=1e-13 * scale)
            assert check_of(moving, now, key, shift).residue < 1e-12 * scale
    assert symbols(shift) == ["a₀", "b×r", "ω×(ω×r)", "2ω×v_rel", "a_rel"]


numbers = st.floats(-2.0, 2.0).map(lambda x: round(x, 3))


@settings(max_examples=20)
@given(
    sequences, st.lists(numbers, min_size=18, max_size=18), st.tuples(numbers, numbers, numbers), st.floats(0.1, 0.9)
)
def test_that_sums_are_derivatives_of_the_path_on_random_frames(sequence, c, r, t) -> None:
    p, angles = (
        [f"{a} + {b}*t + {k}*sin(t)" for a, b, k in zip(*[iter(part)] * 3, strict=True)] for part in (c[:9], c[9:])
    )
    frame = {
        "parent": "world",
        "position": {"value": p, "unit": "m"},
        "orientation": {"form": "axes", "sequence": sequence, "angles": angles, "unit": "rad"},
    }
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"body": frame}}))
    key, at = ShiftKey("body", "velocity", r), np.array([t])
    now = evaluate(plan, t)

    def velocity(times: np.ndarray) -> np.ndarray:
        return np.array([shift_at(plan, evaluate(plan, float(each)), key).total for each in times])

    v = derivative(lambda times: shifts.place_of(plan, evaluate(plan, times), key), at)[0]
    a = derivative(velocity, at)[0]
    assert_allclose(shift_at(plan, now, key).total, v, atol=1e-8)
    assert_allclose(shift_at(plan, now, replace(key, quantity="acceleration")).total, a, atol=1e-7)


def test_that_the_check_works_at_both_ends_of_time(moving) -> None:
    for t in (moving.start, moving.end):
        for quantity in ("velocity", "acceleration"):
            key, now = ShiftKey("body", quantity, R), evaluate(moving, t)
            shift = shift_at(moving, now, key)
            assert check_of(moving, now, key, shift).residue < 1e-6 * max(1.0, np.abs(shift.total).max())


def test_that_the_check_sees_a_wrong_sum(moving) -> None:
    key, now = ShiftKey("body", "velocity", R), evaluate(moving, 1.0)
    shift = shift_at(moving, now, key)
    wrong = replace(shift, total=shift.total + np.array([0, 0.25, 0]))
    assert check_of(moving, now, key, wrong).residue == pytest.approx(0.25, abs=1e-8)


def test_that_there_is_no_shift_where_there_is_no_value(moving) -> None:
    now = evaluate(moving, 1.0)
    assert shift_at(moving, now, ShiftKey("lost")) is None
    assert shift_at(moving, now, ShiftKey("body", other="lost")) is None
    assert shift_at(moving, now, ShiftKey("nowhere")) is None


def test_that_a_force_is_shifted_to_any_origin(moving) -> None:
    now = evaluate(moving, 0.7)
    f = (1.0, -2.0, 0.5)
    for about in ("", "elsewhere"):
        key = ShiftKey("body", "force", R, about=about, force=f)
        shift = shift_at(moving, now, key)
        i = moving.index["body"]
        lever = now.p_WF[i] + now.R_WF[i] @ R - now.p_WF[moving.index[about or "body"]]
        assert symbols(shift) == ["f", "r×f"]
        assert_allclose(shift.total, np.cross(lever, f), atol=1e-14)
        assert check_of(moving, now, key, shift).residue < 1e-14


# --- Connection points


@pytest.mark.long
@pytest.mark.parametrize("text", [MECHANICS, SMALL], ids=["finite", "small angle"])
def test_that_connection_points_move_and_push_as_their_ports_say(text) -> None:
    plan = mechanics(text)
    is_small = text is SMALL
    for t in (0.05, 0.15, 0.25) if is_small else (0.05, 0.4, 0.9):
        now = evaluate(plan, t)
        for frame, names in (("left", ["A", "B"]), ("right", ["C", "X", "Z"])):
            assert [point.name for point in points_on(plan, frame)] == names
            assert (rest_of(plan, frame) is not None) is is_small
            for name in names:
                port, kind = now.ports[name], plan.instruments.points[name].kind
                key = ShiftKey(frame, "velocity", point=name)
                shift = shift_at(plan, now, key)
                passed = ["XYZ".index(letter) for letter in kind]
                seen = shift.model if is_small else shift.total
                assert_allclose(seen[passed], np.atleast_1d(port.v), atol=1e-9)
                check = check_of(plan, now, key, shift)
                assert check.words.startswith("its port")
                assert check.residue < 1e-9
                key = replace(key, quantity="force")
                shift = shift_at(plan, now, key)
                assert_allclose(shift.terms[0].vector, port.force_W)
                assert check_of(plan, now, key, shift).residue < 1e-12
                key = replace(key, quantity="acceleration")
                assert check_of(plan, now, key, shift_at(plan, now, key)).residue < 1e-4


def test_that_the_small_angle_model_is_the_derivative_of_its_own_displacement() -> None:
    plan = mechanics()
    simulation, t = plan.instruments.simulation, np.array([0.1, 0.25])
    x = derivative(lambda at: simulation.displacements(at)["B"], t)
    v = derivative(lambda at: simulation.port_velocities(at)["B"], t)
    for k, each in enumerate(t):
        now = evaluate(plan, float(each))
        assert_allclose(shift_at(plan, now, ShiftKey("left", "velocity", point="B")).model, x[k], atol=1e-6)
        shift = shift_at(plan, now, ShiftKey("left", "acceleration", point="B"))
        assert_allclose(shift.model, v[k], atol=1e-4 * np.abs(v).max())
        centripetal = shift.terms[2].vector
        assert np.abs(shift.total - shift.model).max() > 0.1 * np.abs(centripetal).max() > 0  # it is left out


def test_that_a_small_angle_body_far_beyond_its_model_is_taken_as_it_is_drawn() -> None:
    plan = mechanics()
    now = evaluate(plan, 0.9)
    for quantity in ("velocity", "acceleration", "force"):
        key = ShiftKey("left", quantity, point="B")
        shift = shift_at(plan, now, key)
        assert shift.model is None
        assert check_of(plan, now, key, shift).residue < 1e-4 * np.abs(shift.total).max()


def test_that_small_angles_leave_out_the_turning_of_the_lever() -> None:
    plan = mechanics()
    now, key = evaluate(plan, 0.2), ShiftKey("left", "force", (0.1, 0.2, 0.3), force=(1.0, 2.0, 3.0))
    i = plan.index["left"]
    turned = (now.R_WF[i] - rest_of(plan, "left")) @ key.r
    for about in ("", "right"):
        shift = shift_at(plan, now, replace(key, about=about))
        assert_allclose(shift.total - shift.model, np.cross(turned, key.force), atol=1e-14)


@given(vectors(3))
def test_that_rates_of_small_angles_give_back_the_motion_they_are_of(drawn) -> None:
    from framescope.core.conventions import T_from_rotation_vector
    from framescope.core.kernels.rotation_vectors import rotation_vector_motion

    theta, rate, rate2 = 0.1 * drawn[0], drawn[1], drawn[2]
    w, b = rotation_vector_motion(theta, rate, rate2)
    R_rest = T_from_rotation_vector([0.3, -1.0, 0.2])
    T_CB = R_rest.T
    R_WB = np.swapaxes(T_CB @ T_from_rotation_vector(theta), -1, -2)
    found = small_angle_rates(R_rest, R_WB, w @ T_CB.T, b @ T_CB.T)
    assert_allclose(found[0], rate, atol=1e-9)
    assert_allclose(found[1], rate2, atol=1e-7)


def test_that_the_small_angle_terms_have_no_centripetal_one() -> None:
    exact = acceleration_terms([1, 0, 0], [0, 0, 2], [0, 0, 1], [0, 1, 0])
    assert [term.symbol for term in small_angle_terms(exact, [0, 0, 1], [0, 0, 2], [0, 1, 0])] == ["a₀", "θ″×r"]


# --- Kept


def test_that_a_point_is_kept_as_a_frame_where_it_was(moving) -> None:
    scene = moving.scene
    edit = keep_as_frame(scene, "body", R)
    after = compile_plan(edit.apply(scene))
    assert edit.keys == (("frames", "point"),)
    now = evaluate(after, 1.3)
    assert_allclose(
        now.p_WF[after.index["point"]],
        shifts.place_of(moving, evaluate(moving, 1.3), ShiftKey("body", r=R)),
        atol=1e-6,
    )
    assert keep_as_frame(edit.apply(scene), "body", R).keys == (("frames", "point_2"),)
    with pytest.raises(RefusedError, match="no frame gone"):
        keep_as_frame(scene, "gone", R)


def test_that_a_point_is_kept_in_the_unit_of_the_axes() -> None:
    scene = scene_of(MOVING + "view: {triad_length: 200 mm}\n")
    position = keep_as_frame(scene, "body", R).apply(scene).frames["point"].position
    assert (position.value, position.unit) == ((300.0, -200.0, 150.0), "mm")
