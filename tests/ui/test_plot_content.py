"""Plots of a scene: each has its curves, its words and its unit, and says everything a number needs."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.available_signals import signals_of_item, signals_of_scene
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.edits.plots import add_plot
from framescope.core.scene.schema.model import Scene
from framescope.ui.plots.curves import xyz_styles
from framescope.ui.plots.plot_content import PlotContents, plot_contents
from framescope.ui.plots.ranges import value_range
from framescope.ui.theme.tokens import DARK, LIGHT, contrast
from framescope.ui.widgets.angle_unit import RAD
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of


@pytest.fixture(scope="module")
def plan():
    plan = compile_plan(scene_of(PLATE))
    assert {problem.severity for problem in plan.problems} <= {"note"}
    return plan


@pytest.fixture(scope="module")
def contents(plan):
    return plot_contents(plan, 50)


def test_that_every_plot_says_what_it_is_of_and_in_which_unit(contents) -> None:
    said = [(curves.title, curves.subtitle, curves.unit) for curves in contents]
    assert said == [
        ("Energy", "all simulated bodies; work is that of sources since the start", "J"),
        ("Port force", "A on slab, along the axes of world", "N"),
        ("Port velocity", "B relative to world, along its axes", "mm/s"),
        ("Port displacement", "B from rest, along the axes of world", "mm"),
        ("Element force", "spring A on A, from ground, along the axes of world", "N"),
        ("Position", "gyro: corner relative to world, in axes of corner", "m"),
        ("Angles", "gyro: world into corner, XYZ about moving axes", "°"),
        ("Angular velocity", "gyro: corner relative to world, in axes of corner", "°/s"),
        ("Angles", "arm relative to world, ZXZ about moving axes", "°"),
        ("Quaternion", "world into arm", ""),
        ("Measured position", "survey: corner relative to world, in axes of world", "m"),
    ]


def test_that_a_plot_of_a_frame_as_it_was_says_so() -> None:
    about = {"of": "arm", "relative_to": "arm", "through": "world", "delay": "0.25 s"}
    plots = [{"signal": "position", **about, "resolved_in": "arm", "unit": "m"}, {"signal": "quaternion", **about}]
    frames = {"arm": {"parent": "world", "position": {"value": ["2*t", 0, 0], "unit": "m"}}}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "view": {"plots": plots}})
    position, quaternion = plot_contents(compile_plan(scene), 5)
    before = "arm 0.25 s before (through world)"
    assert position.subtitle == f"{before} relative to arm now, in axes of arm now"
    assert quaternion.subtitle == f"arm now into {before}"
    assert position.ys[0] == pytest.approx(-0.5)


def test_that_curves_are_told_apart_in_both_themes(contents) -> None:
    for curves in contents:
        looks = [(style.color, style.dash) for style in curves.styles]
        assert len({dash for _, dash in looks}) == len(looks), curves.title
        for theme in (DARK, LIGHT):
            for color, _ in looks:
                assert contrast(getattr(theme, color), theme.plot_ground) > 3.0, (curves.title, color, theme.name)


def test_that_what_is_computed_has_the_dashes_of_the_axes_and_what_is_measured_others(contents) -> None:
    styles = contents[-1].styles
    assert [style.dash for style in styles[3:]] == [style.dash for style in xyz_styles()]
    assert not {style.dash for style in styles[:3]} & {style.dash for style in styles[3:]}
    assert [style.color for style in styles[:3]] == [style.color for style in styles[3:]]


def test_that_the_values_are_those_of_the_core(plan, contents) -> None:
    sensor = next(plot for plot in plan.view_data.plots if plot.signal == "sensor")
    values = plot_curves(plan, sensor, contents[5].t)
    np.testing.assert_array_equal(contents[5].ys, values[:, :3].T)
    np.testing.assert_array_equal(contents[7].ys, np.degrees(values[:, 6:]).T)
    assert [len(curves.ys) for curves in contents] == [5, 3, 1, 1, 3, 3, 3, 3, 3, 4, 6]


def test_that_before_a_simulation_its_plots_are_there_without_values() -> None:
    waiting = compile_plan(scene_of(PLATE), run=lambda _job: None)
    contents = plot_contents(waiting, 10)
    assert np.isnan(contents[0].ys).all()
    assert len(contents) == 11


def test_that_a_sensor_with_a_problem_has_a_plot_without_values() -> None:
    plan = compile_plan(scene_of(PLATE.replace("frame_a: corner, get_angles", "frame_a: crner, get_angles")))
    (curves,) = (curves for curves in plot_contents(plan, 10) if curves.title == "Sensor")
    assert curves.subtitle == "gyro"
    assert np.isnan(curves.ys).all()


TURNING = """\
framescope: 1
time: {end: "4"}
frames:
  mast:
    parent: world
    orientation: {form: axis, axis: z, angle: "0.9*t", unit: rad}
    position: {value: [0.3, "0.2*t", 0.1], unit: m}
  arm:
    parent: mast
    position: {value: [0.2, 0.1, 0.9], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["0.9*t", "0.7*t", "sin(t)"], unit: rad}
  tip: {parent: arm, position: {value: [0.7, 0.3, 0.1], unit: m}}
  mite:
    parent: arm
    position: {value: ["1e-9*sin(t)", 0, 0], unit: m}
sensors:
  on the arm: {form: relative, frame_a: arm, frame_b: tip, resolve_in: world, get_r_rel: false, get_v_rel: true}
view:
  plots:
  - {signal: velocity, of: tip, relative_to: arm, resolved_in: world, unit: mm/s}
  - {signal: acceleration, of: tip, relative_to: arm, resolved_in: world, unit: m/s²}
  - {signal: sensor, of: on the arm}
  - {signal: velocity, of: mite, relative_to: arm, resolved_in: arm, unit: m/s}
  - {signal: residues, of: arm}
  - {signal: velocity, of: tip, relative_to: world, resolved_in: world, unit: m/s}
"""


def test_that_what_is_zero_but_for_rounding_has_the_range_of_zero_and_what_is_small_its_own() -> None:
    contents = plot_contents(compile_plan(scene_of(TURNING)), 240)
    largest = [float(np.abs(curves.ys).max()) for curves in contents]
    assert all(0 < most < 1e-12 for most in largest[:3]), largest  # there is rounding to be seen
    ranges = [value_range(curves.ys_in_view) for curves in contents]
    assert ranges[:3] == [(-1.0, 1.0)] * 3
    assert ranges[3][1] < 2e-9
    assert ranges[4][1] < 1e-14
    assert 0.1 < ranges[5][1] < 10.0


def test_that_every_signal_that_is_offered_has_its_words_and_curves() -> None:
    scene = scene_of(PLATE)
    kinds = ("frames", "bodies", "points", "elements", "sensors", "measured")
    found = [one for kind in kinds for name in getattr(scene, kind) for one in signals_of_item(scene, kind, name)]
    empty = scene.model_copy(update={"view": scene.view.model_copy(update={"plots": ()})})
    for signal in {plot.signal: plot for plot in (*found, *signals_of_scene(scene))}.values():
        plan = compile_plan(add_plot(signal).apply(empty))
        assert plot_contents(plan, 5), f"{signal.signal}: words and styles in core/scene/schema/signal_kinds.py"


CHAIN = """\
framescope: 1
time: {start: 0 s, end: 2 s}
parameters: {k: 2.0}
frames:
  base: {parent: world, position: {value: [1, 0, 0], unit: m}}
  arm: {parent: base, orientation: {form: axes, sequence: XYZ, angles: ["k*t", 0.3, 0], unit: rad}}
  tip: {parent: arm, position: {value: [0.5, 0, 0], unit: m}}
  aside:
    parent: world
    orientation: {form: integrated, w: [0, 0, 1], unit: rad/s, equation: dcm, method: rk4, step: 0.1 s}
sensors:
  gyro: {form: absolute, frame_a: tip, get_w: true}
view:
  plots:
    - {signal: velocity, of: tip, relative_to: world, resolved_in: base, unit: m/s}
    - {signal: position, of: tip, relative_to: arm, resolved_in: base, unit: m}
    - {signal: angles, of: arm, relative_to: base, sequence: XYZ, unit: deg}
    - {signal: quaternion, of: aside, relative_to: world}
    - {signal: residues, of: aside}
    - {signal: sensor, of: gyro}
"""

EDITS = {
    "base moved": ("value: [1, 0, 0]", "value: [1, 2, 0]"),
    "base turned": ("unit: m}}\n  arm", "unit: m}, orientation: {form: axis, axis: x, angle: 20, unit: deg}}\n  arm"),
    "arm turned": ('"k*t", 0.3, 0', '"k*t", 0.5, 0'),
    "arm read off by another sequence": ("relative_to: base, sequence: XYZ", "relative_to: base, sequence: ZYX"),
    "arm authored by another sequence": ("form: axes, sequence: XYZ", "form: axes, sequence: ZXY"),
    "arm on world": ("arm: {parent: base", "arm: {parent: world"),
    "tip on base": ("tip: {parent: arm", "tip: {parent: base"),
    "parameter": ("k: 2.0", "k: 2.5"),
    "aside faster": ("w: [0, 0, 1]", "w: [0, 0.2, 1]"),
    "aside by longer steps": ("step: 0.1 s", "step: 0.2 s"),
    "longer": ("end: 2 s", "end: 3 s"),
    "later": ("start: 0 s", "start: 0.5 s"),
    "unit": ("unit: m/s}", "unit: mm/s}"),
    "resolved elsewhere": ("resolved_in: base, unit: m/s", "resolved_in: tip, unit: m/s"),
    "of another": ("velocity, of: tip", "velocity, of: arm"),
    "a plot less": ("    - {signal: residues, of: aside}\n", ""),
    "a frame before": ("frames:\n", "frames:\n  new: {parent: world}\n"),
    "renamed": ("gyro", "spin"),
    "measured by the sensor elsewhere": ("frame_a: tip", "frame_a: base"),
    "broken": ('"k*t", 0.3, 0', '"k*q", 0.3, 0'),
    "circle": ("base: {parent: world", "base: {parent: tip"),
    "gone": ("of: arm, relative_to: base, seq", "of: arm, relative_to: nobody, seq"),
}


def same_curves(found, expected) -> None:
    assert len(found) == len(expected)
    for curves, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(curves.t, other.t)
        np.testing.assert_array_equal(curves.ys, other.ys)
        for name in ("styles", "title", "subtitle", "unit", "decimals", "i_plot", "note", "rule", "keys", "y_zero"):
            assert getattr(curves, name) == getattr(other, name), name


@pytest.mark.parametrize("edit", EDITS)
def test_that_curves_that_are_kept_over_an_edit_are_those_that_would_be_made_anew(edit) -> None:
    old, new = EDITS[edit]
    assert old in CHAIN
    contents = PlotContents()
    for text in (CHAIN, CHAIN.replace(old, new), CHAIN):
        plan = compile_plan(scene_of(text))
        same_curves(contents.of(plan, 40), plot_contents(plan, 40))


def test_that_kept_curves_are_of_the_samples_window_and_unit_that_are_asked_for() -> None:
    plan, contents = compile_plan(scene_of(CHAIN)), PlotContents()
    for n, window, asked in ((40, None, {}), (60, None, {}), (60, (0.5, 1.0), {}), (60, None, {"angles": RAD})):
        same_curves(contents.of(plan, n, window, **asked), plot_contents(plan, n, window, **asked))


def test_that_only_curves_of_frames_that_an_edit_moves_are_made_anew() -> None:
    contents, scene = PlotContents(), scene_of(CHAIN)
    plan, frames = compile_plan(scene), dict(scene.frames)
    before = contents.of(plan, 40)
    # The same objects as far as the edit leaves them alone, as in a gesture.
    frames["tip"] = scene_of(CHAIN.replace("[0.5, 0, 0]", "[0.7, 0, 0]")).frames["tip"]
    moved = compile_plan(scene.model_copy(update={"frames": type(scene.frames)(frames)}))
    after = contents.of(moved, 40)
    kept = [a is b for a, b in zip(before, after, strict=True)]
    assert kept == [False, False, True, True, True, False, False]  # a sensor is always read anew
    same_curves(after, plot_contents(moved, 40))


def test_that_plots_that_nobody_sees_keep_their_curves_until_all_are_asked_for() -> None:
    contents = PlotContents()
    contents.of(compile_plan(scene_of(CHAIN)), 40)
    plan = compile_plan(scene_of(CHAIN.replace("[1, 0, 0]", "[1, 2, 0]").replace("k: 2.0", "k: 3.0")))
    seen = contents.of(plan, 20, i_plots={1})
    assert [len(curves.t) for curves in seen] == [40, 20, 40, 40, 40, 40, 40]
    same_curves(contents.of(plan, 40), plot_contents(plan, 40))
