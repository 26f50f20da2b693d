"""Forces at connection points and torques about centres of mass."""

from __future__ import annotations

import numpy as np

from framescope.core.evaluation.evaluate import compile_plan
from framescope.ui.scene_view.base.pick_ray import PickRay
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.visuals.force_arrows import ForceArrows
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import scene_of
from tests.support.visuals import CAMERA, built, peak_of, plan_of, points, tick_of


def shown(text: str = MECHANICS, t: float = 0.4):
    plan = plan_of(text)
    visual, tick = built(ForceArrows, plan), tick_of(plan, t)
    if visual.scene_actors:  # or it is left out
        visual.show(tick)
    return plan, visual, tick


def test_that_forces_stand_at_their_points_with_their_scale() -> None:
    _, visual, tick = shown()
    arrows = points(visual.forces.actors[0]).reshape(5, -1, 3)
    for arrow, name in zip(arrows, "ABCXZ", strict=True):
        port = tick.snapshot.ports[name]
        tip = port.p_W + 0.02 * port.force_W
        assert np.linalg.norm(port.force_W) > 0.1
        assert np.linalg.norm(arrow - tip, axis=1).min() < 1e-6
        assert ((arrow - tip) @ port.force_W).max() < 1e-5


def test_that_torques_stand_at_centres_of_mass_and_are_those_of_all_points() -> None:
    plan, visual, tick = shown()
    snapshot = tick.snapshot
    for k, (body, names) in enumerate((("left", "AB"), ("right", "CXZ"))):
        p_W = snapshot.p_WF[plan.index[body]]
        ports = [snapshot.ports[name] for name in names]
        torque = sum(np.cross(port.p_W - p_W, port.force_W) for port in ports)
        np.testing.assert_allclose(visual.torques.feet[k], p_W)
        np.testing.assert_allclose(visual.torques.vectors[k], 0.1 * torque, atol=1e-12)
        # Newton and Euler: it is what changes the spin.
        i, R = plan.index[body], snapshot.R_WF[plan.index[body]]
        J = np.diag([2 * (0.3**2 + 0.1**2) / 12, 2 * (0.3**2 + 0.1**2) / 12, 2 * (0.3**2 + 0.3**2) / 12])
        w, b = snapshot.w_WF_F[i], snapshot.b_WF_F[i]
        np.testing.assert_allclose(R.T @ torque, J @ b + np.cross(w, J @ w), atol=1e-9)


def test_that_the_lever_arms_of_the_small_angle_model_do_not_turn() -> None:
    text = MECHANICS.replace("model: finite", "model: small angle")
    _, visual, tick = shown(text)
    ports = tick.snapshot.ports
    torque = sum(np.cross((sign * 0.15, 0, 0), ports[name].force_W) for sign, name in ((-1, "A"), (1, "B")))
    np.testing.assert_allclose(visual.torques.vectors[0], 0.1 * torque, atol=1e-12)


def test_that_values_are_picked_as_points_and_bodies() -> None:
    _, visual, tick = shown()
    projection = Projection(CAMERA, 800, 600, 1.0)
    visual.occupy(projection)
    visual.place(projection)
    keys = [*(("points", name) for name in "ABCXZ"), ("frames", "left"), ("frames", "right")]
    is_shown = np.isfinite(visual.values.boxes).all(axis=1)
    assert is_shown[:5].any()
    assert is_shown[5:].any()
    for key, box in zip(keys, visual.values.boxes, strict=True):
        if np.isfinite(box).all():
            x, y = (box[:2] + box[2:]) / 2
            assert key in [hit.key for hit in visual.pick(PickRay(tick, projection, x, y))]


def test_that_few_forces_and_torques_tell_their_values() -> None:
    _, visual, tick = shown()
    projection = Projection(CAMERA, 800, 600, 1.0)
    visual.occupy(projection)
    visual.place(projection)
    ports = tick.snapshot.ports
    forces = [float(text) for text in visual.values.plates.texts[:5]]
    np.testing.assert_allclose(forces, [np.linalg.norm(ports[name].force_W) for name in "ABCXZ"], rtol=6e-3)
    torques = [float(text) for text in visual.values.plates.texts[5:]]
    np.testing.assert_allclose(torques, 10.0 * np.linalg.norm(visual.torques.vectors, axis=1), rtol=6e-3)
    assert np.ptp(visual.values.plates.corners()[:, 0, :, 0], axis=1).all()
    many = MECHANICS.replace(
        "elements:\n",
        "".join(f"  P{i}: {{body: one, kind: XYZ, offset: {{value: [0, 0, {i}], unit: cm}}}}\n" for i in range(2))
        + "elements:\n",
    )
    assert shown(many)[1].values is None


def test_that_there_are_none_unless_they_are_asked_for_and_have_been_computed() -> None:
    assert shown(MECHANICS.replace("  forces: 20 mm per N\n  torques: 0.1 m per N m\n", ""))[1].scene_actors == []
    _, visual, _ = shown(MECHANICS.replace("  torques: 0.1 m per N m\n", ""))
    assert visual.forces.actors
    assert not visual.torques.actors
    plan = compile_plan(scene_of(MECHANICS), run=lambda _job: None)
    visual = built(ForceArrows, plan)
    visual.show(tick_of(plan))
    assert not any(points(actor).any() for actor in visual.scene_actors)


def test_that_a_tick_makes_nothing_large() -> None:
    _, visual, tick = shown()
    assert peak_of(lambda: visual.show(tick)) < 4096
