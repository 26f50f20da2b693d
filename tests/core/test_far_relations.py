"""Relations of frames that are far out, as on the earth: their digits are those of their own distance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from framescope.core.evaluation import forward_kinematics
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_tree import evaluate_tree
from framescope.core.evaluation.relative_motion import (
    pose,
    relation,
    relative_acceleration,
    relative_position,
    relative_velocity,
)
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.kernels import spatial
from framescope.core.kernels.rounding import product_with_rest
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import Scene
from framescope.core.sensors import RelativeSensor
from framescope.core.snapshot import moments

EARTH = {"form": "axes", "sequence": "ZYX", "angles": [33.0, -21.0, 71.0], "unit": "deg"}
TURNED = {"form": "axes", "sequence": "XYZ", "angles": ["20*t", 11.0, "-7*t"], "unit": "deg"}
FAR = [3_912_345.678, -1_234_567.89, 4_512_345.123]
SCENE = Scene.model_validate({"framescope": 1, "frames": {
    "earth": {"parent": "world", "orientation": EARTH},
    "site": {"parent": "earth", "position": {"value": FAR, "unit": "m"}, "orientation": TURNED},
    "arm": {"parent": "site", "position": {"value": ["0.3*t", 0.17, -0.4], "unit": "m"}, "orientation": TURNED},
    "tool": {"parent": "arm", "position": {"value": [0.11, "0.01*t", 0.23], "unit": "m"}},
    "mast": {"parent": "site", "position": {"value": [1.25, -0.7, 0.9], "unit": "m"}},
}})  # fmt: skip
NEAR = SCENE.model_copy(
    update={"frames": SCENE.frames | {"site": SCENE.frames["site"].model_copy(update={"position": None})}}
)
T = np.linspace(0.0, 9.7, 31)


@pytest.mark.parametrize(
    ("of", "relative_to", "resolved_in"),
    [("tool", "arm", "arm"), ("tool", "site", "site"), ("mast", "tool", "tool"), ("site", "tool", "world"),
     ("tool", "tool", "earth")],
)  # fmt: skip
def test_that_a_relation_far_out_is_as_exact_as_one_at_the_origin(of: str, relative_to: str, resolved_in: str) -> None:
    far, near = (evaluate_tree(compile_plan(scene).tree, T) for scene in (SCENE, NEAR))
    expected = relative_position(near, of, relative_to, resolved_in)
    assert np.abs(relative_position(far, of, relative_to, resolved_in) - expected).max() < 3e-15
    assert np.abs(relation(far, of, relative_to, resolved_in).p - expected).max() < 3e-15
    for k, moment in enumerate(moments(far)):
        assert relative_position(moment, of, relative_to, resolved_in) == pytest.approx(expected[k], abs=3e-15)


def test_that_a_pose_and_a_signal_far_out_keep_their_digits() -> None:
    far, near = (compile_plan(scene) for scene in (SCENE, NEAR))
    at, there = evaluate(far, 3.3), evaluate(near, 3.3)
    assert np.abs(pose(at, "tool", "mast").p_AB - pose(there, "tool", "mast").p_AB).max() < 3e-15
    for through in ("", " through site 0.5 s before"):
        words = f"position of tool relative to mast resolved in mast{through} in m"
        curves = [plot_curves(plan, parse_signal(words, plan.scene), T) for plan in (far, near)]
        assert np.abs(curves[0] - curves[1]).max() < 3e-15


def test_that_two_frames_side_by_side_far_out_differ_by_what_is_written() -> None:
    x = [4_512_345.625, 4_512_347.375]
    places = {name: {"parent": "earth", "position": {"value": [x[i], 3.0e6, -1.5e6 - i], "unit": "m"}} for i, name in
              enumerate(("a", "b"))}  # fmt: skip
    scene = {"framescope": 1, "frames": {"earth": {"parent": "world", "orientation": EARTH}, **places}}
    snapshot = evaluate(compile_plan(Scene.model_validate(scene)), 0.0)
    apart = relative_position(snapshot, "b", "a", "earth")
    R = [[Fraction(value) for value in row] for row in snapshot.R_WF[snapshot.index["earth"]].tolist()]
    step = (Fraction(x[1]) - Fraction(x[0]), Fraction(0), Fraction(-1))
    in_world = [sum(a * b for a, b in zip(row, step, strict=True)) for row in R]
    assert snapshot.offset_W("b", "a") == pytest.approx([float(each) for each in in_world], abs=2e-15)
    assert apart == pytest.approx([1.75, 0.0, -1.0], abs=2e-15)


def test_that_a_sensor_far_out_shows_what_one_at_the_origin_shows() -> None:
    sensor = RelativeSensor("arm", "tool", get_r_rel=True, get_v_rel=True, get_a_rel=True)
    far, near = (sensor.output(evaluate_tree(compile_plan(scene).tree, T)) for scene in (SCENE, NEAR))
    assert np.abs(far[:, :3] - near[:, :3]).max() < 3e-15


def count_rest_products(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that takes the number of products whose rest is computed, call by call."""
    sizes: list[int] = []

    def product(a: Array, b: Array) -> tuple[Array, Array]:
        sizes.append(a.size)
        return product_with_rest(a, b)

    monkeypatch.setattr(forward_kinematics, "product_with_rest", product)
    return sizes


def test_that_frames_straight_in_the_world_cost_no_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = count_rest_products(monkeypatch)
    frames = {name: {"parent": "world", "position": {"value": [place, "0.1*t", 2.0e6], "unit": "m"},
                     "orientation": TURNED} for name, place in (("a", 4.5e6), ("b", 4.5e6 + 0.125))}  # fmt: skip
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    snapshot = evaluate_tree(plan.tree, T)
    assert (snapshot.offset_W("b", "a") == [0.125, 0.0, 0.0]).all()
    assert sizes == []
    snapshot = evaluate_tree(compile_plan(SCENE).tree, T)  # earth is in the world, the four others are below it
    snapshot.offset_W("tool", "mast")
    assert sum(sizes) == 9 * 4 * len(T)


def test_that_rates_relative_to_the_world_need_no_rests_and_have_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = count_rest_products(monkeypatch)
    snapshot = evaluate_tree(compile_plan(SCENE).tree, T)
    V, A = (rates(snapshot, "tool", "world", "world") for rates in (relative_velocity, relative_acceleration))
    assert sizes == []
    p_W = snapshot.offset_W("tool", "world")
    assert sum(sizes)
    i = snapshot.index["tool"]
    w_W, b_W = ((snapshot.R_WF[:, i] @ rate[:, i, :, None])[..., 0] for rate in (snapshot.w_WF_F, snapshot.b_WF_F))
    V_W, A_W = np.hstack([w_W, snapshot.v_WF[:, i]]), np.hstack([b_W, snapshot.a_WF[:, i]])
    still = np.zeros_like(V_W)
    assert (V[:, 3:] == spatial.relative_velocity_in_F(p_W, still, V_W)[:, 3:]).all()
    assert (A[:, 3:] == spatial.relative_acceleration_in_F(p_W, still, still, V_W, A_W)[:, 3:]).all()
