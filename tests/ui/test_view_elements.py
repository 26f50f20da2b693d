"""Springs, dampers and sources: they end at their points, and at the ground."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.geometry.element_shapes import COIL_RADIUS, FREE_LENGTH, HOUSING_RADIUS, PLATE_RADIUS
from framescope.ui.scene_view.visual_registry import looks_alike
from framescope.ui.scene_view.visuals.elements import Elements
from framescope.ui.scene_view.visuals.points import Points
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import GOOD, scene_of
from tests.support.visuals import built, peak_of, plan_of, points, tick_of

COILS, DAMPERS, VELOCITIES, RODS, COLLARS, GROUNDS = range(6)


def shown(text: str = MECHANICS, t: float = 0.4):
    plan = plan_of(text)
    visual, tick = built(Elements, plan), tick_of(plan, t)
    visual.show(tick)
    return plan, visual, tick


def items(visual: Elements, k: int) -> np.ndarray:
    shape = visual.shapes[k]
    return np.asarray(shape.mesh.polydata.points).reshape(len(shape.rows), -1, 3)


def span(mesh: np.ndarray, start, end) -> tuple[float, float, float]:
    """Return from where to where a mesh reaches along the line between two points, and how far aside."""
    d = (end - start) / np.linalg.norm(end - start)
    along = (mesh - start) @ d
    aside = np.linalg.norm(mesh - start - along[:, None] * d, axis=1)
    return along.min(), along.max(), aside.max()


@pytest.mark.parametrize("t", [0.0, 0.3, 0.9])
def test_that_springs_and_dampers_end_at_their_points(t) -> None:
    plan, visual, tick = shown(t=t)
    ports, r = tick.snapshot.ports, arrow_radius(plan.view_data)
    ground = np.array([-0.65, 0.0, 0.5 - FREE_LENGTH * r])
    pairs = [(ground, ports["A"].p_W), (ports["C"].p_W, ports["B"].p_W)]
    for k, radius in ((COILS, COIL_RADIUS), (DAMPERS, HOUSING_RADIUS)):
        for mesh, (start, end) in zip(items(visual, k), pairs, strict=False):
            low, high, aside = span(mesh, start, end)
            assert low == pytest.approx(0.0, abs=r)  # the thickness of the wire
            assert high == pytest.approx(np.linalg.norm(end - start), abs=r)
            assert aside == pytest.approx(radius * r, abs=r)


def test_that_the_ground_of_one_direction_glides_along_in_the_others() -> None:
    plan, visual, tick = shown()
    r, p = arrow_radius(plan.view_data), tick.snapshot.ports["Z"].p_W
    floor = items(visual, GROUNDS)[2]
    assert (floor[:, :2].min(axis=0) + floor[:, :2].max(axis=0)) / 2 == pytest.approx(p[:2], abs=0.3 * r)
    assert np.hypot(*(floor[:, :2] - p[:2]).T).max() == pytest.approx(PLATE_RADIUS * r, rel=0.01)
    assert floor[:, 2].max() == pytest.approx(0.45 - FREE_LENGTH * r)  # its height is that of rest


def test_that_sources_stand_at_their_points() -> None:
    plan, visual, tick = shown()
    ports, r = tick.snapshot.ports, arrow_radius(plan.view_data)
    np.testing.assert_allclose(items(visual, COLLARS)[0].mean(axis=0), ports["B"].p_W, atol=r)
    low, high, _ = span(items(visual, RODS)[0], ports["C"].p_W, ports["B"].p_W)
    assert (low, high) == pytest.approx((0.0, np.linalg.norm(ports["B"].p_W - ports["C"].p_W)), abs=1e-6)
    wall = items(visual, VELOCITIES)[0]
    assert wall[:, 0].min() == pytest.approx(0.65 - FREE_LENGTH * r, abs=1e-6)
    assert wall[:, 0].max() == pytest.approx(0.65, abs=r)


def test_that_everything_is_drawn_before_a_simulation_has_been_run() -> None:
    plan = compile_plan(scene_of(MECHANICS), run=lambda _job: None)
    assert plan.pending
    for kind in (Elements, Points):
        visual = built(kind, plan)
        visual.show(tick_of(plan, 0.5))
        assert all(points(actor).any() for actor in visual.scene_actors)


def test_that_what_has_no_place_vanishes() -> None:
    _, visual, tick = shown()
    snapshot = tick.snapshot
    for array in (snapshot.p_WF, snapshot.R_WF):
        array.flags.writeable = True
        array[snapshot.index["right"]] = np.nan
    visual.show(tick)
    is_drawn = [[bool(mesh.any()) for mesh in items(visual, k)] for k in range(6)]
    assert is_drawn == [[True, False, False], [True, False], [False], [False], [True], [True, False, False]]


def test_that_a_stiffness_may_change_without_new_geometry_and_the_presence_of_a_damper_may_not() -> None:
    plan = plan_of(MECHANICS)
    assert looks_alike(plan, plan_of(MECHANICS.replace("300 N/m", "310 N/m")))
    assert not looks_alike(plan, plan_of(MECHANICS.replace(", damping: 2 N s/m", "")))
    assert built(Elements, plan_of(GOOD)).scene_actors == []


def test_that_a_tick_makes_nothing_large() -> None:
    _, visual, tick = shown()
    assert peak_of(lambda: visual.show(tick)) < 4096
