"""Signals of a plot: several in one, components and magnitudes, wrapped angles; and the edits that make them so."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.available_signals import short_name, signals_of_item, signals_of_scene
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import describe, labels, plot_curves, tabulate
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.plots import (
    MAX_PLOTS,
    CurveKey,
    add_plot,
    add_signal,
    can_join,
    move_plot,
    remove_curve,
    remove_plot,
    set_angle_wrap,
    set_unit,
    signals_of,
    split_plot,
)
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.signal_kinds import all_signals
from framescope.core.scene.schema.signals import components_of
from framescope.core.scene.schema.view import Plot
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of

TURNING = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  top: {parent: world, orientation: {form: axes, sequence: ZXZ, angles: ["200*t", 20, 0], unit: deg}}
  rim: {parent: top, position: {value: [3, 4, 0], unit: m}}
view:
  plots:
    - {signal: velocity, of: rim, relative_to: world, resolved_in: world, unit: m/s}
    - {signal: angles, of: top, relative_to: world, sequence: ZXZ, unit: deg}
"""
TIMES = np.linspace(0.0, 4.0, 41)


@pytest.fixture
def scene():
    return scene_of(TURNING)


def plot(**keys) -> Plot:
    return Plot.model_validate(keys)


RATE = {"signal": "angular velocity", "of": "top", "relative_to": "world", "resolved_in": "top", "unit": "rad/s"}
POSITION = {"signal": "position", "of": "rim", "relative_to": "world", "resolved_in": "world", "unit": "m"}
SLOW = {"signal": "velocity", "of": "top", "relative_to": "world", "resolved_in": "world", "unit": "mm/s"}


def faults(scene) -> list[str]:
    return [str(problem) for problem in compile_plan(scene).problems if problem.severity != "note"]


def test_that_the_magnitude_is_that_of_the_vector(scene) -> None:
    plan = compile_plan(scene)
    signal = parse_signal("position of rim relative to world resolved in world in mm: norm, y", plan.scene)
    assert labels(plan, signal) == ("norm", "y")
    norm, y = plot_curves(plan, signal, TIMES).T
    whole = plot_curves(plan, parse_signal("position of rim relative to world resolved in world in mm", scene), TIMES)
    np.testing.assert_allclose(norm, 5000.0, rtol=1e-12)
    np.testing.assert_array_equal(y, whole[:, 1])


def test_that_a_wrapped_angle_stays_within_half_a_turn_and_others_go_on(scene) -> None:
    plan = compile_plan(scene)
    words = "angles of top relative to world by ZXZ in deg (wrapped: angle 1)"
    signal = parse_signal(words, scene)
    assert describe(signal) == words
    wrapped = plot_curves(plan, signal, TIMES)
    on = plot_curves(plan, parse_signal(words.partition(" (")[0], scene), TIMES)
    assert on[:, 0].max() > 700
    assert np.abs(wrapped[:, 0]).max() <= 180 + 1e-9
    np.testing.assert_allclose(np.cos(np.radians(wrapped)), np.cos(np.radians(on)), atol=1e-12)
    np.testing.assert_array_equal(wrapped[:, 1:], on[:, 1:])


def test_that_every_component_of_every_signal_can_be_had_alone() -> None:
    plan = compile_plan(scene_of(PLATE))
    for staged in plan.view_data.plots:
        for name in components_of(staged, plan.scene).every:
            signal = parse_signal(f"{describe(staged)}: {name}", plan.scene)
            assert np.isfinite(plot_curves(plan, signal, np.array([0.0, 0.5]))).all(), describe(signal)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ("components: [q]", 'velocity has no component "q" here. Use one of: x, y, z, norm.'),
        ("wrapped: [x]", 'velocity has no component "x" here. Remove wrapped.'),
        ("also: [{signal: residues, of: top}]", "residues cannot be in a plot of velocity."),
        (
            "also: [{signal: velocity, of: top, relative_to: world, resolved_in: world, unit: mm/s}]",
            "view.plots[0].also[0].unit: a plot has one unit, and this one is in m/s. Use m/s.",
        ),
        (
            "also: [{signal: velocity, of: tpo, relative_to: world, resolved_in: world, unit: m/s}]",
            'view.plots[0].also[0].of: there is no frame "tpo". Did you mean "top"?',
        ),
    ],
)
def test_that_what_is_wrong_in_a_plot_is_a_problem_with_its_place(changes, said) -> None:
    (problem,) = faults(scene_of(TURNING.replace("unit: m/s}", f"unit: m/s, {changes}}}", 1)))
    assert said in problem


def test_that_a_signal_joins_in_the_unit_of_the_plot(scene) -> None:
    edited = add_signal(0, plot(**SLOW)).apply(scene)
    (added,) = edited.view.plots[0].also
    assert (added.of, added.unit) == ("top", "m/s")
    assert faults(edited) == []
    assert scene.view.plots[0].also == ()


def test_that_a_signal_that_is_there_gains_its_components(scene) -> None:
    norm = scene.view.plots[0].model_copy(update={"components": ("norm",)})
    edited = add_signal(0, norm).apply(scene)
    assert edited.view.plots[0].components == ("x", "y", "z", "norm")
    assert edited.view.plots[0].also == ()
    assert add_signal(0, norm).apply(edited) == edited


def test_that_another_dimension_cannot_join(scene) -> None:
    assert not can_join(scene.view.plots[0], plot(**POSITION))
    with pytest.raises(ValueError, match="cannot join"):
        add_signal(0, plot(**POSITION)).apply(scene)


def test_that_curves_go_one_by_one_and_the_last_takes_the_plot_along(scene) -> None:
    edited = add_signal(0, plot(**SLOW)).apply(scene)
    for part in "xyz":
        edited = remove_curve(0, CurveKey(0, part), "").apply(edited)
    # Now the other signal is the first.
    assert (edited.view.plots[0].of, edited.view.plots[0].also) == ("top", ())
    for part in "xyz":
        edited = remove_curve(0, CurveKey(0, part), "").apply(edited)
    assert [each.signal for each in edited.view.plots] == ["angles"]


def test_that_plots_come_where_they_are_put_and_move_and_go(scene) -> None:
    edited = add_plot(plot(**RATE), 1).apply(scene)
    assert [each.signal for each in edited.view.plots] == ["velocity", "angular velocity", "angles"]
    edited = move_plot(1, 0).apply(edited)
    assert [each.signal for each in edited.view.plots] == ["angular velocity", "velocity", "angles"]
    assert remove_plot(0, "").apply(edited) == scene


def test_that_a_plot_is_split_by_signals_and_then_by_curves(scene) -> None:
    edited = split_plot(0).apply(add_signal(0, plot(**SLOW)).apply(scene))
    assert [(each.signal, each.of) for each in edited.view.plots[:2]] == [("velocity", "rim"), ("velocity", "top")]
    edited = split_plot(0).apply(edited)
    assert [each.components for each in edited.view.plots[:3]] == [("x",), ("y",), ("z",)]
    assert faults(edited) == []


def test_that_unit_and_wrapping_change_and_change_back(scene) -> None:
    edited = set_unit(0, "mm/s").apply(add_signal(0, plot(**SLOW)).apply(scene))
    assert {signal.unit for signal in signals_of(edited.view.plots[0])} == {"mm/s"}
    key = CurveKey(0, "angle 1")
    wrapped = set_angle_wrap(1, key, True, "α").apply(scene)
    assert wrapped.view.plots[1].wrapped == ("angle 1",)
    assert set_angle_wrap(1, key, False, "α").apply(wrapped) == scene


def test_that_there_are_only_so_many_plots(scene) -> None:
    for _ in range(MAX_PLOTS - 2):
        scene = add_plot(plot(**RATE)).apply(scene)
    with pytest.raises(ValueError, match="at most 12 plots"):
        add_plot(plot(**RATE)).apply(scene)
    with pytest.raises(ValueError, match="at most 12 plots"):
        split_plot(0).apply(scene)


def test_that_an_edited_plot_is_saved_and_read_again(scene) -> None:
    edited = add_signal(0, plot(**SLOW, components=["norm"])).apply(scene)
    edited = set_angle_wrap(1, CurveKey(0, "angle 3"), True, "γ").apply(edited)
    again, _ = parse_scene(scene_text(edited))
    assert again.view.plots == edited.view.plots
    assert "null" not in scene_text(edited)


def test_that_a_table_has_every_signal_of_a_plot_and_only_its_components(scene) -> None:
    plan = compile_plan(add_signal(0, plot(**SLOW, components=["norm"])).apply(scene))
    names = list(tabulate(plan, plan.view_data.plots[:1], TIMES))
    assert [name.rpartition(": ")[2] for name in names] == ["t [s]", "x", "y", "z", "norm"]
    assert names[-1].startswith("velocity of top relative to world resolved in world in m/s: ")


def test_that_every_signal_of_every_item_can_be_plotted() -> None:
    lens = {"form": "camera", "resolution": [4, 3], "focal_lengths": [4, 4], "principal_point": [2, 1], "depth": "1 m"}
    scene = scene_of(PLATE)
    scene = with_item(scene, "bodies", "eye", Body.model_validate({"frame": next(iter(scene.frames)), "shape": lens}))
    found = [plot for kind in ("frames", "bodies", "points", "elements", "sensors", "measured")
             for name in getattr(scene, kind) for plot in signals_of_item(scene, kind, name)]  # fmt: skip
    found += signals_of_scene(scene)
    offered = {plot.signal for plot in found}
    assert offered == set(all_signals()) - {"constraint error"}, "give it an order in core/scene/schema/signal_kinds.py"
    for each in found:
        assert faults(add_plot(each).apply(remove_all(scene))) == [], each
        assert short_name(each)


def remove_all(scene):
    return scene.model_copy(update={"view": scene.view.model_copy(update={"plots": ()})})
