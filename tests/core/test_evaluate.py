"""Evaluation: velocities are derivatives of poses, batches have the bits of single times, the tree is walked right."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope import assets
from framescope.core.evaluation import signal_curves
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_tree import evaluate_tree, poses_at, subtree
from framescope.core.evaluation.relative_motion import relation
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.integration_steps import EQUATIONS, METHODS
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from tests.support.scenes import GOOD, HEAD, scene_of

EXAMPLES = sorted(path.stem for path in assets.path("scenes").glob("*.yaml"))
ARRAYS = ("T_PF", "w_PF_F", "R_WF", "p_WF", "w_WF_F", "v_WF", "b_WF_F", "a_WF")


def example_plan(name: str):
    loaded = load_scene(assets.path(f"scenes/{name}.yaml"))
    return compile_plan(loaded.scene, loaded.path.parent)


TUMBLING = """\
  arm: {parent: world, position: {value: ["sin(t)", "0.3*t**2", 0.2], unit: m}, orientation: {form: axes, sequence: ZXY,
        angles: ["0.7*t", "0.4*sin(2*t)", "0.2*t**2"], unit: rad}}
  hand: {parent: arm, position: {value: [0.5, "0.2*cos(3*t)", "0.1*t"], unit: m}, orientation: {form: planar,
         axis: [0.6, 0, 0.8], angle: "1.1*t + 0.2*sin(t)", unit: rad}}
  tip: {parent: hand, position: {value: [0.1, 0.2, 0.3], unit: m}, orientation: {form: axis, axis: y, angle: "t**2",
        unit: rad}}
"""


def test_that_accelerations_add_up_along_moving_frames() -> None:
    plan = compile_plan(scene_of(HEAD + TUMBLING))
    assert plan.problems == ()
    t, h = np.linspace(0.1, 3.0, 40), 1e-4
    p = {s: evaluate(plan, t + s * h) for s in (-2, -1, 0, 1, 2)}
    der2_p = (-p[2].p_WF + 16 * p[1].p_WF - 30 * p[0].p_WF + 16 * p[-1].p_WF - p[-2].p_WF) / (12 * h * h)
    assert_allclose(p[0].a_WF, der2_p, atol=1e-5)
    der_R = (8 * (p[1].R_WF - p[-1].R_WF) - (p[2].R_WF - p[-2].R_WF)) / (12 * h)
    assert_allclose(der_R, linear_algebra.multiply_matrices(p[0].R_WF, linear_algebra.skew(p[0].w_WF_F)), atol=1e-8)
    der_w = (8 * (p[1].w_WF_F - p[-1].w_WF_F) - (p[2].w_WF_F - p[-2].w_WF_F)) / (12 * h)
    assert_allclose(p[0].b_WF_F, der_w, atol=1e-8)


def test_that_a_snapshot_has_the_shape_of_the_times_and_cannot_be_changed() -> None:
    snapshot = evaluate(compile_plan(scene_of(GOOD)), np.zeros((2, 5)))
    assert snapshot.R_WF.shape == (2, 5, 4, 3, 3)
    assert snapshot.is_posed.shape == (2, 5, 4)
    with pytest.raises(ValueError, match="read-only"):
        snapshot.p_WF[...] = 0.0


def test_that_poses_follow_the_tree() -> None:
    scene = scene_of(
        HEAD + "  hand: {parent: arm, position: {value: [2, 0, 0], unit: m}}\n"
        "  arm:\n    parent: world\n    position: {value: [1, 0, 0], unit: m}\n"
        '    orientation: {form: axis, axis: z, angle: "90*t", unit: deg}\n'
    )
    snapshot = evaluate(compile_plan(scene), 1.0)
    hand = snapshot.index["hand"]
    assert_allclose(snapshot.p_WF[hand], [1.0, 2.0, 0.0], atol=1e-15)
    assert_allclose(snapshot.v_WF[hand], [-np.pi, 0.0, 0.0], atol=1e-14)
    assert_allclose(snapshot.w_WF_F[hand], [0.0, 0.0, np.pi / 2])


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_that_any_tree_in_any_order_is_evaluated(n, random) -> None:
    names = [f"f{i}" for i in range(n)]
    frames = {
        name: {
            "parent": random.choice(["world", *names[:i]]),
            "position": {"value": [1, 0, 0], "unit": "m"},
            "orientation": {"form": "axis", "axis": "z", "angle": 10 * i, "unit": "deg"},
        }
        for i, name in enumerate(names)
    }
    shuffled = names[:]
    random.shuffle(shuffled)
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {name: frames[name] for name in shuffled}}))
    snapshot = evaluate(plan, 0.0)
    assert plan.problems == ()
    for name in names:
        R, p = np.eye(3), np.zeros(3)
        chain = []
        at = name
        while at != "world":
            chain.append(at)
            at = frames[at]["parent"]
        for link in reversed(chain):
            p = p + R @ [1.0, 0.0, 0.0]
            a = np.radians(frames[link]["orientation"]["angle"])
            R = R @ np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
        assert_allclose(snapshot.R_WF[snapshot.index[name]], R, atol=1e-12)
        assert_allclose(snapshot.p_WF[snapshot.index[name]], p, atol=1e-12)


def test_that_a_subtree_has_the_same_numbers() -> None:
    plan = example_plan("demo")
    whole, part = evaluate(plan, [1.0, 2.0]), evaluate_tree(subtree(plan.tree, ["rotor"]), [1.0, 2.0])
    assert set(part.index) == {"world", "stand", "inner ring", "rotor"}
    for array in ARRAYS:
        ours, theirs = getattr(part, array)[:, part.index["rotor"]], getattr(whole, array)[:, whole.index["rotor"]]
        assert_array_equal(ours, theirs)


def test_that_an_expression_without_a_value_leaves_the_frame_without_a_pose_for_that_time() -> None:
    scene = scene_of(HEAD + "  a: {parent: world, position: {value: [log(t), 0, 0], unit: m}}\n  b: {parent: a}\n")
    snapshot = evaluate(compile_plan(scene), [-1.0, 1.0])
    assert snapshot.is_posed.tolist() == [[True, False, False], [True, True, True]]


def test_that_angular_velocity_is_relative_and_resolved_as_named() -> None:
    snapshot = evaluate(compile_plan(scene_of(GOOD)), 2.0)
    index = snapshot.index
    angular_velocity = signal_curves.RELATIVE["angular velocity"]
    w = angular_velocity(snapshot, "top", "ring", "world")
    expected = snapshot.R_WF[index["top"]] @ [0.1, 0.6, 2.0]
    # The top's matrix has drifted by some 1e-7 from a rotation, and the way to world and back shows it.
    assert_allclose(w, expected, atol=1e-6)
    assert_allclose(angular_velocity(snapshot, "ring", "top", "world"), -w, atol=1e-15)


UNITS_OF = {
    "position": ("mm", 1e-3),
    "velocity": ("mm/s", 1e-3),
    "acceleration": ("m/s²", 1.0),
    "angular velocity": ("rpm", np.pi / 30.0),
    "angular acceleration": ("deg/s2", np.pi / 180.0),
}


@pytest.mark.parametrize("signal", signal_curves.RELATIVE)
def test_that_every_relative_signal_is_plotted_in_its_unit(signal) -> None:
    unit, factor = UNITS_OF[signal]
    view = f"view:\n  plots:\n    - {{signal: {signal}, of: tip, relative_to: arm, resolved_in: hand, unit: {unit}}}\n"
    plan = compile_plan(scene_of(HEAD + TUMBLING.lstrip("\n") + view))
    assert plan.problems == ()
    times = np.linspace(0.1, 2.0, 20)
    found = signal_curves.plot_curves(plan, plan.view_data.plots[0], times)
    motion = relation(evaluate(plan, times), "tip", "arm", "hand")
    expected = {
        "position": motion.p,
        "velocity": motion.V[:, 3:],
        "acceleration": motion.A[:, 3:],
        "angular velocity": motion.V[:, :3],
        "angular acceleration": motion.A[:, :3],
    }[signal]
    assert_allclose(found * factor, expected, atol=1e-12)
    assert np.abs(found).max() > 0.1


@pytest.mark.parametrize("signal", signal_curves.RELATIVE)
def test_that_a_signal_without_its_unit_is_a_problem(signal) -> None:
    view = f"view:\n  plots:\n    - {{signal: {signal}, of: tip, relative_to: arm, resolved_in: hand}}\n"
    plan = compile_plan(scene_of(HEAD + TUMBLING.lstrip("\n") + view))
    (problem,) = plan.problems
    assert "unit of this" in problem.message


def test_that_the_residues_of_the_coarse_integration_grow() -> None:
    plan = example_plan("drift")
    t = np.array([1.0, 6.0, 12.0])
    euler, rk4 = (signal_curves.plot_curves(plan, plot, t) for plot in plan.view_data.plots[:2])
    largest = np.abs(euler).max(axis=1)
    assert np.all(np.diff(largest) > 0.05)
    assert np.abs(rk4).max() < 1e-6 * largest[-1]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("{form: quaternion, value: [0, 0, 1, 1], order: xyzw}", "length of the quaternion is 1.41421"),
        ("{form: quaternion, value: [0, 0, 0, 1]}", "order of the quaternion is missing"),
        ("{form: matrix, rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}", "direction of the matrix is missing"),
        ("{form: matrix, rows: [[1, 0, 0], [0, 0, 1], [0, 1, 0]], maps: parent to frame}", "left-handed"),
        ("{form: matrix, rows: [[1, 0, 0], [0, 1.1, 0], [0, 0, 1]], maps: parent to frame}", "off the nearest"),
        ("{form: planar, axis: [0, 0, 2], angle: 1, unit: rad}", "unit length"),
        ("{form: axis, axis: w, angle: 1, unit: rad}", '"w" is no axis'),
        ("{form: axes, sequence: xyz, angles: [0, 0, 0], unit: deg}", "upper case"),
        ('{form: axes, sequence: XYZ, angles: [0, "sni(t)", 0], unit: deg}', 'Did you mean "sin"'),
    ],
)
def test_that_orientations_that_are_none_are_problems(form, expected) -> None:
    plan = compile_plan(scene_of(HEAD + f"  a: {{parent: world, orientation: {form}}}\n"))
    assert expected in str(plan.problems[0])


@pytest.mark.parametrize(
    "form",
    [
        "{form: quaternion, value: [0, 0, 0.70710678, 0.70710678], order: xyzw}",
        "{form: quaternion, value: [0.70710678, 0, 0, 0.70710678], order: wxyz}",
        "{form: matrix, rows: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], maps: parent to frame}",
        "{form: matrix, rows: [[0, -1, 0], [1, 0, 0], [0, 0, 1]], maps: frame to parent}",
        "{form: planar, axis: [0, 0, 1], angle: 90, unit: deg}",
        "{form: axis, axis: z, angle: 0.25, unit: turn}",
        "{form: axes, sequence: ZXZ, angles: [90, 0, 0], unit: deg}",
        "{form: nxy, n_x: [0, 1, 0], n_y: [-1, 0, 0]}",
        "{form: nxz, n_x: [0, 1, 0], n_z: [0, 0, 1]}",
    ],
)
def test_that_every_form_of_a_quarter_turn_about_z_takes_x_to_y(form) -> None:
    plan = compile_plan(scene_of(HEAD + f"  a: {{parent: world, orientation: {form}}}\n"))
    assert plan.problems == ()
    assert_allclose(evaluate(plan, 0.0).R_WF[1] @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-8)


def test_that_a_recording_that_changes_on_disk_is_read_again(tmp_path) -> None:
    def record(x: float) -> None:
        lines = (f"{0.1 * i} {x} 0 0 0 0 0 1" for i in range(200))
        (tmp_path / "walk.txt").write_text("\n".join(lines))

    motion = "{form: recorded, file: walk.txt, format: tum, bandwidth: 1 Hz}"
    scene = scene_of(HEAD + f"  walk: {{parent: world, motion: {motion}}}\n")
    record(1.0)
    assert evaluate(compile_plan(scene, tmp_path), 1.0).p_WF[1, 0] == pytest.approx(1.0)
    record(25.0)
    assert evaluate(compile_plan(scene, tmp_path), 1.0).p_WF[1, 0] == pytest.approx(25.0)
    (tmp_path / "walk.txt").unlink()
    assert "there is no file" in compile_plan(scene, tmp_path).problems[0].message


def test_that_a_body_with_an_orientation_that_is_none_is_a_problem() -> None:
    orientation = "{form: quaternion, value: [0, 0, 0, 7], order: xyzw}"
    body = f"{{frame: world, shape: {{form: sphere, radius: 1 m}}, orientation: {orientation}}}"
    (problem,) = compile_plan(scene_of(f"framescope: 1\nbodies:\n  ball: {body}\n")).problems
    assert problem.where == "bodies.ball.orientation.value"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("equation", EQUATIONS)
def test_that_an_orientation_is_integrated_by_any_method(method, equation) -> None:
    form = {
        "form": "integrated",
        "w": [0, 0, 2],
        "unit": "rad/s",
        "equation": equation,
        "method": method,
        "step": "1 ms",
    }
    scene = Scene.model_validate(
        {"framescope": 1, "time": {"end": "1 s"}, "frames": {"a": {"parent": "world", "orientation": form}}}
    )
    plan = compile_plan(scene)
    assert plan.problems == ()
    R_WF = evaluate(plan, 1.0).R_WF[plan.index["a"]]
    assert_allclose(R_WF[:, 0], [np.cos(2.0), np.sin(2.0), 0.0], atol=5e-3 if method == "euler" else 1e-10)


def test_that_what_is_computed_over_the_time_range_stands_still_beyond_it() -> None:
    plan = compile_plan(
        scene_of("""
framescope: 1
time: {start: 1 s, end: 3 s}
gravity: {value: [0, 0, -9.81], unit: m/s²}
frames:
  turned:
    parent: world
    orientation:
      {form: integrated, w: [0, 0, t], unit: rad/s, step: 300 ms, method: rk4, equation: dcm, renormalize: true}
  stone: {parent: world, motion: {form: simulated, model: finite}}
  written: {parent: world, position: {value: [t, 0, 0], unit: m}}
bodies:
  mass: {frame: stone, mass: 1 kg, inertia: {value: [1, 1, 1], unit: kg m²}, shape: {form: sphere, radius: 1 m}}
""")
    )
    assert plan.problems == ()
    ends, outside = evaluate(plan, [1.0, 3.0]), evaluate(plan, [0.5, 3.2])
    for name, moves in (("turned", True), ("stone", True), ("written", False)):
        i = plan.index[name]
        if not moves:
            assert_allclose(outside.v_WF[:, i], [[1.0, 0.0, 0.0]] * 2)
            continue
        assert_allclose(outside.R_WF[:, i], ends.R_WF[:, i], atol=1e-15)
        assert_allclose(outside.p_WF[:, i], ends.p_WF[:, i], atol=1e-15)
        assert max(np.abs(x[1, i]).max() for x in (ends.w_WF_F, ends.v_WF)) > 2.9
        for x in (outside.w_WF_F, outside.v_WF, outside.b_WF_F, outside.a_WF):
            assert_allclose(x[:, i], 0.0, atol=0.0)


@pytest.mark.parametrize("method", METHODS)
def test_that_no_step_of_an_integrated_orientation_goes_over_a_pulse(method) -> None:
    form = {
        "form": "integrated",
        "w": [0, 0, "200*pulse(t, 3.4567, 3.4572) + pulses(t, 5, 0)"],
        "unit": "rad/s",
        "equation": "quaternion",
        "method": method,
        "step": "100 ms",
    }
    scene = Scene.model_validate(
        {"framescope": 1, "time": {"end": "10 s"}, "frames": {"a": {"parent": "world", "orientation": form}}}
    )
    plan = compile_plan(scene)
    assert plan.problems == ()
    R_WF = evaluate(plan, 10.0).R_WF[plan.index["a"]]
    assert np.arctan2(R_WF[1, 0], R_WF[0, 0]) == pytest.approx(0.1, rel=1e-2 if method == "euler" else 1e-6)


def test_that_a_rate_of_turn_that_jumps_without_end_is_a_problem() -> None:
    form = {
        "form": "integrated",
        "w": [0, 0, "pulses(t, 1e-6, 5e-7)"],
        "unit": "rad/s",
        "equation": "dcm",
        "method": "rk4",
        "step": "10 ms",
    }
    scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": form}}})
    (problem,) = compile_plan(scene).problems
    assert problem.where == "frames.a.orientation.w"
    assert "bends or jumps more than" in problem.message


def test_that_what_a_drag_leaves_behind_is_let_go() -> None:
    scene = scene_of(GOOD.replace("value: [0, 0, 0.5]", "value: [0, 0, 0.123]"))
    frame = weakref.ref(scene.frames["stand"])
    plan = compile_plan(scene)
    assert compile_plan(scene).scene.frames["stand"] is frame()
    del scene, plan
    gc.collect()
    assert frame() is None


def test_that_a_frame_whose_parent_does_not_exist_has_no_angles() -> None:
    frame = {"parent": "wolrd", "orientation": {"form": "axis", "axis": "z", "angle": "t", "unit": "rad"}}
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"a": frame}}))
    angles, _ = plan.turn_angles("a", "ZYX", evaluate(plan, 0.5))
    assert np.isnan(angles).all()


@pytest.mark.parametrize("name", EXAMPLES)
def test_that_poses_alone_are_those_with_rates(name: str) -> None:
    plan = example_plan(name)
    times = np.linspace(plan.start - 1.0, plan.end + 1.0, 13)
    snapshot = evaluate(plan, times)
    for found, expected in zip(poses_at(plan.tree, times), (snapshot.R_WF, snapshot.p_WF), strict=True):
        assert_array_equal(found, expected)
