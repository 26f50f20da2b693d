"""Sensors, points and measurements of a scene give in a snapshot what their definitions say."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import frames, spatial
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.orientation import Orientation
from framescope.core.points import PointXYZ, PointZ
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.sensors import AbsoluteSensor, RelativeSensor
from framescope.core.transform import Transform
from tests.support.laws_of_elements import SpringDamper
from tests.support.whole import WHOLE, write_whole

TIMES = np.array([0.2, 0.71, 1.33, 1.9])
GRAVITY_W = (0.0, 0.0, -9.81)


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    folder = tmp_path_factory.mktemp("instruments")
    return compile_plan(load_scene(write_whole(folder, WHOLE)).scene, folder)


def of(snapshot, name: str):
    i = snapshot.index[name]
    R = Orientation(np.swapaxes(snapshot.R_WF[..., i, :, :], -1, -2), snapshot.w_WF_F[..., i, :])
    return R, snapshot.p_WF[..., i, :], snapshot.v_WF[..., i, :], snapshot.a_WF[..., i, :], snapshot.b_WF_F[..., i, :]


def _turned(snapshot) -> tuple[Orientation, np.ndarray, Orientation]:
    R, _, _, _, b = of(snapshot, "tip")
    return R, frames.resolve1(R, b), of(snapshot, "base")[0]


def test_that_an_absolute_sensor_shows_what_its_measure_gives(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    R, p, v, a, b = of(snapshot, "tip")
    base = of(snapshot, "base")[0]
    sensor = AbsoluteSensor("tip", True, True, True, True, True, True, frame_resolve="base", sequence="ZXZ",
                            guess_angle1=np.radians(10.0), get_s=True, gravity_W=GRAVITY_W)  # fmt: skip
    expected = sensor.measure(p, v, a, R, frames.resolve1(R, b), base)
    shown, place = snapshot.sensors["on tip"], sensor.slices["angles"]
    np.testing.assert_allclose(np.delete(shown, place, axis=-1), np.delete(expected, place, axis=-1), atol=1e-12)
    # Angles go on from the start of the scene, where the guess picks them.
    turned = (frames.axes_rotations("ZXZ", angles[..., place]).T for angles in (shown, expected))
    np.testing.assert_allclose(*turned, atol=1e-12)
    start = evaluate(plan, plan.start)
    measured = sensor.measure(*of(start, "tip")[1:4], *_turned(start))[place]
    np.testing.assert_allclose(start.sensors["on tip"][place], measured, atol=1e-12)


def test_that_a_relative_sensor_shows_the_spatial_velocity_of_its_frames(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    found = []
    for name in ("arm", "plate"):
        R, p, v, _, _ = of(snapshot, name)
        found += [Transform.from_orientation(R, p), np.concatenate([frames.resolve1(R, R.w), v], axis=-1)]
    V_in_arm = spatial.find_relative_velocity(*found)
    R_arm = of(snapshot, "arm")[0]
    expected = [frames.resolve1(R_arm, V_in_arm[..., half]) for half in (slice(3, 6), slice(0, 3))]
    shown = snapshot.sensors["between"]
    np.testing.assert_allclose(shown[:, 3:6], expected[0], atol=1e-12)
    np.testing.assert_allclose(shown[:, 6:9], expected[1], atol=1e-12)
    assert plan.instruments.sensors["between"].sensor.labels[3].startswith("v_rel_x [m/s] of plate seen from arm")


def test_that_arrows_stand_on_the_frame_and_are_in_world(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    R, p, v, a, b = of(snapshot, "tip")
    arrows = snapshot.arrows["on tip"]
    np.testing.assert_array_equal(arrows["v"].p_W, p)
    np.testing.assert_allclose(arrows["v"].vector_W, v, atol=1e-12)
    np.testing.assert_allclose(arrows["z"].vector_W, frames.resolve1(R, b), atol=1e-12)
    np.testing.assert_allclose(arrows["a"].vector_W, a, atol=1e-12)
    np.testing.assert_allclose(arrows["s"].vector_W, a - GRAVITY_W, atol=1e-12)
    lengths = {"v": 0.2, "a": 0.1, "w": 0.1, "z": 0.05, "s": 0.02}
    assert plan.instruments.sensors["on tip"].arrows == pytest.approx(lengths)
    assert "between" not in snapshot.arrows


def test_that_a_relative_sensor_on_its_own_agrees_with_measure_for_every_resolving_frame(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    for resolve_in in (None, "arm", "plate", "world", "tip"):
        sensor = RelativeSensor("arm", "plate", True, True, True, True, True, True, resolve_in=resolve_in)
        poses = []
        for name in ("arm", "plate"):
            R, p, v, a, b = of(snapshot, name)
            V, A = (np.concatenate([frames.resolve1(R, x), y], axis=-1) for x, y in ((R.w, v), (b, a)))
            poses += [Transform.from_orientation(R, p), V, A]
        R_resolve = of(snapshot, "tip")[0] if resolve_in == "tip" else None
        np.testing.assert_allclose(sensor.output(snapshot), sensor.measure(*poses, R_resolve), atol=1e-11)


def test_that_ports_carry_the_forces_of_their_elements_and_move_with_the_body(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    R, p, v, _, _ = of(snapshot, "plate")
    offset = np.array([0.3, 0.0, 0.0])
    port = snapshot.ports["A"]
    lever = frames.resolve1(R, offset)
    np.testing.assert_allclose(port.p_W, p + lever, atol=1e-12)
    velocity = PointXYZ(*lever.T).velocity_in(np.concatenate([v, frames.resolve1(R, R.w)], axis=-1))
    np.testing.assert_allclose(port.v, velocity, atol=1e-12)
    np.testing.assert_allclose(port.x, port.p_W - [0.3, 0.0, 0.5], atol=1e-12)
    force, _ = SpringDamper(1000.0, 5.0).forces(port.x, port.v)
    np.testing.assert_allclose(port.F, force, atol=1e-9)
    np.testing.assert_array_equal(port.force_W, port.F)


def test_that_a_point_of_one_direction_carries_one_number(plan) -> None:
    snapshot = evaluate(plan, 0.7)  # while the pulse is on
    port = snapshot.ports["C up"]
    assert port.F.shape == ()
    np.testing.assert_array_equal(port.force_W, [0.0, 0.0, port.F])
    assert float(port.F) == pytest.approx(0.3)
    R, _, v, _, _ = of(snapshot, "plate")
    x, y, _ = frames.resolve1(R, [-0.3, -0.2, 0.0])
    assert float(port.v) == pytest.approx(
        float(PointZ(x, y).velocity_in(np.concatenate([v, frames.resolve1(R, R.w)]))), abs=1e-12
    )


def test_that_the_hinge_holds_its_point_and_carries_the_weight(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    port = snapshot.ports["pivot"]
    np.testing.assert_allclose(port.p_W, np.broadcast_to([0.0, 1.0, 0.4], (4, 3)), atol=1e-9)
    np.testing.assert_allclose(port.F, np.broadcast_to([0.0, 0.0, 2.0 * 9.81], (4, 3)), atol=1e-7)


def test_that_measurements_are_poses_in_world_and_vectors_as_they_are_resolved(plan) -> None:
    snapshot = evaluate(plan, TIMES)
    survey = snapshot.measurements["survey"]
    c, s = np.cos(np.radians(5)), np.sin(np.radians(5))
    np.testing.assert_allclose(survey.R_WM[2], [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-12)
    np.testing.assert_array_equal(survey.p_WM[1], [1.5, 0.0, 0.0])
    np.testing.assert_allclose(snapshot.measurements["gyro"].vector[:, 2], np.radians(143.2 + TIMES), rtol=1e-9)
    walked = snapshot.measurements["walked"]
    np.testing.assert_allclose(walked.p_WM[:, 0], TIMES, atol=1e-3)


def test_that_what_has_no_pose_shows_nan_and_nothing_else() -> None:
    scene = Scene.model_validate(
        {
            "frames": {"lost": {"parent": "nowhere"}, "here": {"parent": "world"}},
            "sensors": {
                "a": {"form": "absolute", "frame_a": "lost", "get_angles": True, "arrows": {"v": "1 m per m/s"}},
                "b": {"form": "relative", "frame_a": "here", "frame_b": "lost", "get_a_rel": True},
                "c": {"form": "absolute", "frame_a": "here", "frame_resolve": "lost"},
            },
            "measured": {"d": {"form": "pose", "of": "here", "relative_to": "lost"}},
        }
    )
    snapshot = evaluate(compile_plan(scene), [0.0, 1.0])
    for name in "abc":
        assert np.isnan(snapshot.sensors[name]).all()
    assert np.isnan(snapshot.arrows["a"]["v"].vector_W).all()
    assert np.isnan(snapshot.measurements["d"].p_WM).all()


def test_that_instruments_cost_nothing_until_they_are_asked_for(plan, monkeypatch) -> None:
    def fails(*_args: object) -> None:
        raise AssertionError

    monkeypatch.setattr(AbsoluteSensor, "output", fails)
    monkeypatch.setattr(type(plan.instruments.simulation), "port_forces", fails)
    snapshot = evaluate(plan, 0.5)
    assert len(snapshot.sensors) == 2
    assert set(snapshot.ports) == {"A", "B", "C", "C up", "pivot"}
