"""Measured poses as ghosts, and the gaps to where the tree has the frames."""

from __future__ import annotations

import numpy as np

from framescope.ui.scene_view.visuals.measured_ghosts import LENGTH, MeasuredGhosts
from framescope.ui.scene_view.visuals.triads import arrow_template
from tests.support.scenes import GOOD, HEAD
from tests.support.visuals import built, peak_of, plan_of, points, tick_of

MEASURED = (
    HEAD
    + """\
  base: {parent: world, orientation: {form: axis, axis: z, angle: "30*t", unit: deg}}
  camera: {parent: base, position: {value: [1, 0, 0.5], unit: m}}
measured:
  surveyed:
    form: pose
    of: camera
    relative_to: base
    position: {value: [1, 0.1, 0.5], unit: m}
    orientation: {form: axis, axis: x, angle: 10, unit: deg}
  by a formula:
    form: pose
    of: camera
    relative_to: world
    position: {value: ["sqrt(1 - t)", 0, 0], unit: m}
"""
)


def shown(text: str, t: float):
    plan = plan_of(text)
    visual, tick = built(MeasuredGhosts, plan), tick_of(plan, t)
    if visual.scene_actors:  # or it is left out
        visual.show(tick)
    return plan, visual, tick


def test_that_a_ghost_stands_at_the_measured_pose() -> None:
    _, visual, tick = shown(MEASURED, 0.5)
    measurement = tick.snapshot.measurements["surveyed"]
    template = arrow_template(is_fine=True)
    expected = LENGTH * 0.2 * template.points @ measurement.R_WM.T + measurement.p_WM
    ghosts = points(visual.scene_actors[0]).reshape(2, -1, 3)
    np.testing.assert_allclose(ghosts[0], expected, atol=1e-6)
    c, s = np.cos(np.pi / 12), np.sin(np.pi / 12)
    np.testing.assert_allclose(measurement.p_WM, (c - 0.1 * s, s + 0.1 * c, 0.5), atol=1e-12)


def test_that_the_gap_leads_from_the_measurement_to_the_frame_in_equal_dashes() -> None:
    plan, visual, tick = shown(MEASURED, 0.5)
    dashes = points(visual.scene_actors[1]).reshape(2, -1, 3)[0]
    measurement, p_WF = tick.snapshot.measurements["surveyed"], tick.snapshot.p_WF[plan.index["camera"]]
    np.testing.assert_allclose(dashes[[0, -1]], [measurement.p_WM, p_WF], atol=1e-6)
    steps = np.linalg.norm(np.diff(dashes, axis=0), axis=1)
    np.testing.assert_allclose(steps, 0.1 / 17, rtol=1e-3)


def test_that_nothing_is_drawn_where_nothing_is_measured() -> None:
    _, visual, _ = shown(MEASURED, 2.0)
    for actor in visual.scene_actors:
        first, second = points(actor).reshape(2, -1, 3)
        assert first.any()
        assert not second.any()
    assert shown(GOOD, 0.0)[1].scene_actors == []


def test_that_a_tick_makes_nothing_large() -> None:
    _, visual, tick = shown(MEASURED, 0.5)
    assert peak_of(lambda: visual.show(tick)) < 4096
