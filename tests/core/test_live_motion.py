"""Frames that a growing series moves: their poses, rates and angles, and what is said where nothing feeds them."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate, extend_plan
from framescope.core.system.file_access import Access
from framescope.core.system.growing_series import GrowingSeries
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
frames:
  cart: {parent: world, motion: {form: live, series: cart}}
  tip: {parent: cart, position: {value: [1, 0, 0], unit: m}}
"""


def pose_at(t: float) -> list[float]:
    """Return a row of a cart that goes along x and turns about z, by a turn in four seconds."""
    angle = 0.5 * np.pi * t
    return [t, 0.0, 0.0, 0.0, 0.0, np.sin(angle / 2.0), np.cos(angle / 2.0)]


def fed(*times: float) -> GrowingSeries:
    series = GrowingSeries(7)
    for t in times:
        series.append(t, pose_at(t))
    return series


def plan_on(series: GrowingSeries):
    return compile_plan(scene_of(SCENE), access=Access(live={"cart": series}))


def test_that_a_frame_is_where_its_rows_are_and_moves_evenly_between() -> None:
    plan = plan_on(fed(*np.arange(0.0, 4.05, 0.1)))
    assert plan.problems == ()
    times = np.linspace(0.05, 3.95, 40)
    now = evaluate(plan, times)
    i = plan.index["tip"]
    angles = 0.5 * np.pi * times
    np.testing.assert_allclose(now.p_WF[:, i, 0], times + np.cos(angles), atol=1e-9)
    np.testing.assert_allclose(now.p_WF[:, i, 1], np.sin(angles), atol=1e-9)
    np.testing.assert_allclose(now.w_WF_F[:, i], [[0, 0, 0.5 * np.pi]] * 40, atol=1e-9)
    at_rows = evaluate(plan, [0.0, 0.1, 4.0])
    np.testing.assert_allclose(at_rows.w_WF_F[:, i], [[0, 0, 0.5 * np.pi]] * 3, atol=1e-9)  # at both ends, too
    np.testing.assert_array_equal(evaluate(plan, times[7]).p_WF, now.p_WF[7])  # one or many, to the bit


def test_that_data_that_come_are_there_without_compiling_again() -> None:
    series = fed(10.0, 11.0)
    plan = plan_on(series)
    assert (plan.start, plan.end) == (10.0, 11.0)
    i = plan.index["cart"]
    held = evaluate(plan, 12.5)
    np.testing.assert_allclose(held.p_WF[i], [11.0, 0, 0])
    assert not held.v_WF[i].any()
    angles_before = plan.traces.angles(evaluate(plan, 11.0), "cart", "world", "XYZ")
    series.append([12.0, 13.0], [pose_at(12.0), pose_at(13.0)])
    longer = extend_plan(plan)
    assert (longer.start, longer.end) == (10.0, 13.0)
    assert longer.tree is plan.tree
    for each in (plan, longer):  # whoever holds the one that was compiled sees the same
        np.testing.assert_allclose(evaluate(each, 12.5).p_WF[i], [12.5, 0, 0])
        angles = each.traces.angles(evaluate(each, [11.0, 13.0]), "cart", "world", "XYZ")
        np.testing.assert_allclose(angles[0], angles_before)
        np.testing.assert_allclose(angles[1, 2] - angles[0, 2], np.pi, atol=1e-9)  # they go on


def test_that_a_frame_has_no_pose_before_there_is_a_row_and_stands_at_a_single_one() -> None:
    series = GrowingSeries(7)
    plan = plan_on(series)
    assert plan.problems == ()
    assert (plan.start, plan.end) == (0.0, 10.0)
    assert evaluate(plan, [0.0, 1.0]).is_posed[:, plan.index["tip"]].tolist() == [False, False]
    series.append(5.0, [1, 2, 3, 0, 0, 0, 0])  # a quaternion that is none turns nothing
    now = evaluate(extend_plan(plan), 7.0)
    np.testing.assert_allclose(now.p_WF[now.index["tip"]], [2, 2, 3])
    assert (extend_plan(plan).start, extend_plan(plan).end) == (0.0, 10.0)


@pytest.mark.parametrize(
    ("live", "told"),
    [({}, 'nothing feeds the series "cart"'), ({"cart": GrowingSeries(3)}, "expected rows of 7 values, got 3")],
)
def test_that_a_series_that_is_not_there_or_is_no_pose_is_a_problem_of_the_frame(live, told) -> None:
    plan = compile_plan(scene_of(SCENE), access=Access(live=live))
    (problem,) = plan.problems
    assert problem.key_path == ("frames", "cart", "motion", "series")
    assert told in problem.message
    assert plan.live == tuple(live.values())
