"""Connection points: balls where they are, and arrows along what they pass on."""

from __future__ import annotations

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.visual_registry import looks_alike
from framescope.ui.scene_view.visuals.points import BALL, MANY, STUB, Points
from framescope.ui.theme.tokens import DARK, channels
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import GOOD
from tests.support.visuals import built, plan_of, points, tick_of


def shown(text: str, t: float = 0.4):
    plan = plan_of(text)
    visual, tick = built(Points, plan), tick_of(plan, t)
    if visual.scene_actors:  # or it is left out
        visual.show(tick)
    return plan, visual, tick


def test_that_balls_stand_where_the_points_are() -> None:
    plan, visual, tick = shown(MECHANICS)
    balls = points(visual.scene_actors[0]).reshape(5, -1, 3)
    radius = BALL * arrow_radius(plan.view_data)
    for ball, port in zip(balls, (tick.snapshot.ports[name] for name in "ABCXZ"), strict=True):
        np.testing.assert_allclose(np.linalg.norm(ball - port.p_W, axis=1), radius, rtol=1e-3)


def test_that_each_passed_direction_of_the_world_has_an_arrow_in_its_colour() -> None:
    plan, visual, tick = shown(MECHANICS)
    stubs = points(visual.scene_actors[2]).reshape(11, -1, 3)
    colors = vtk_to_numpy(visual.stubs.polydata.GetPointData().GetScalars()).reshape(11, -1, 4)[:, 0, :3] / 255
    expected = [(name, axis) for name in "ABC" for axis in range(3)] + [("X", 0), ("Z", 2)]
    reach = STUB * arrow_radius(plan.view_data)
    for stub, color, (name, axis) in zip(stubs, colors, expected, strict=True):
        at = stub - tick.snapshot.ports[name].p_W
        np.testing.assert_allclose((at[:, axis].min(), at[:, axis].max()), (-reach, reach), rtol=1e-4)
        assert np.abs(np.delete(at, axis, axis=1)).max() < 0.3 * reach
        np.testing.assert_allclose(color, channels(DARK.axes[axis]), atol=0.003)


def test_that_an_offset_may_change_without_new_geometry_and_a_kind_may_not() -> None:
    plan, visual, _ = shown(MECHANICS)
    moved = plan_of(MECHANICS.replace("offset: {value: [15, 0, 0]", "offset: {value: [15, 5, 0]"))
    assert looks_alike(plan, moved)
    tick = tick_of(moved, 0.4)
    visual.show(tick)
    center = points(visual.scene_actors[0]).reshape(5, -1, 3)[1].mean(axis=0)
    np.testing.assert_allclose(center, tick.snapshot.ports["B"].p_W, atol=2e-3)
    assert not looks_alike(plan, plan_of(MECHANICS.replace("kind: X,", "kind: Y,")))


def test_that_very_many_points_take_little_memory_and_stand_where_they_are() -> None:
    of_b = next(line for line in MECHANICS.splitlines() if line.startswith("  B:"))
    many = "".join(f"{of_b.replace('  B:', f'  more {i}:')}\n" for i in range(MANY))
    plan, visual, tick = shown(MECHANICS.replace(f"{of_b}\n", f"{of_b}\n{many}"))
    n = len(plan.instruments.points)
    assert n == 5 + MANY
    balls = points(visual.scene_actors[0]).reshape(n, -1, 3)
    stubs = points(visual.scene_actors[2])
    assert len(balls[0]) + len(stubs) / n < 120
    names = list(plan.instruments.points)
    for name in ("B", "more 7", "Z"):
        center = balls[names.index(name)].mean(axis=0)
        np.testing.assert_allclose(center, tick.snapshot.ports[name].p_W, atol=2e-3)
    reach = STUB * arrow_radius(plan.view_data)
    first = stubs.reshape(-1, len(visual.stubs.template.weights), 3)[0] - tick.snapshot.ports[names[0]].p_W
    np.testing.assert_allclose((first[:, 0].min(), first[:, 0].max()), (-reach, reach), rtol=1e-4)


def test_that_a_scene_without_points_has_none() -> None:
    assert shown(GOOD)[1].scene_actors == []
