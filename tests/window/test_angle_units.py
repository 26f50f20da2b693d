"""One unit of angles for the whole window: panels, plots, the scene, and what is written from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.plots.export import PlotPicture, columns_of
from framescope.ui.plots.plot_content import plot_contents, plot_in
from framescope.ui.scene_view.interaction.hover_text import item_text
from framescope.ui.scene_view.visuals.arrow_legend import scale_text
from framescope.ui.scene_view.visuals.measure_line import measure_rows
from framescope.ui.scene_view.visuals.sensor_arrows import SensorArrows
from framescope.ui.widgets.angle_unit import DEG, RAD
from tests.support.scenes import scene_of
from tests.support.whole_window import from_menu, windows

MIXED = """
framescope: 1
frames:
  arm:
    parent: world
    orientation: {form: axes, sequence: ZYX, angles: ["100*t", 20, 0], unit: deg}
sensors:
  gyro: {form: absolute, frame_a: arm, get_w: true, get_angles: true, sequence: ZYX}
view:
  plots:
    - {signal: angles, of: arm, relative_to: world, sequence: ZYX, unit: deg}
    - {signal: angular velocity, of: arm, relative_to: world, resolved_in: arm, unit: rad/s}
    - {signal: angles, of: arm, relative_to: world, sequence: ZYX, unit: turn}
    - {signal: position, of: arm, relative_to: world, resolved_in: world, unit: mm}
    - {signal: sensor, of: gyro}
"""


@pytest.fixture(scope="module")
def plan():
    plan = compile_plan(scene_of(MIXED))
    assert {problem.severity for problem in plan.problems} <= {"note"}, plan.problems
    return plan


def test_that_degrees_and_radians_of_a_scene_are_shown_in_the_unit_of_the_window(plan) -> None:
    shown = {angles.key: [curves.unit for curves in plot_contents(plan, 20, angles=angles)] for angles in (DEG, RAD)}
    assert shown["deg"] == ["°", "°/s", "turn", "mm", "m", "°", "°/s"]
    assert shown["rad"] == ["rad", "rad/s", "turn", "mm", "m", "rad", "rad/s"]


def test_that_the_values_of_plots_are_the_same_in_both_units(plan) -> None:
    for in_deg, in_rad in zip(plot_contents(plan, 50), plot_contents(plan, 50, angles=RAD), strict=True):
        factor = math.radians(1.0) if in_deg.unit.startswith("°") else 1.0
        np.testing.assert_allclose(in_rad.ys, factor * in_deg.ys, rtol=1e-12, atol=1e-15)
        assert in_rad.keys == in_deg.keys


def test_that_a_table_of_a_plot_is_in_the_unit_that_the_plot_shows(plan) -> None:
    for angles in (DEG, RAD):
        curves = plot_contents(plan, 20, angles=angles)[0]
        columns = columns_of(PlotPicture(curves, (plan.start, plan.end), (-1.0, 1.0)), plan, angles)
        names = [name for name in columns if name != "t [s]"]
        assert all(name.partition(":")[0].endswith(f"in {angles.key}") for name in names), names
        np.testing.assert_allclose([columns[name] for name in names], curves.ys, rtol=1e-12, atol=1e-15)


def test_that_a_plot_keeps_what_has_nothing_to_do_with_degrees(plan) -> None:
    plots = plan.scene.view.plots
    assert plot_in(plots[0], DEG) is plots[0]
    assert plot_in(plots[2], RAD) is plots[2]
    assert plot_in(plots[3], RAD) is plots[3]
    assert plot_in(plots[1], DEG).unit == "deg/s"


def test_that_cards_in_the_scene_say_the_same_in_both_units(plan) -> None:
    snapshot = evaluate(plan, 0.3)
    for rows_in in (
        lambda angles: item_text(("frames", "arm"), plan, snapshot, angles).rows,
        lambda angles: measure_rows(snapshot, "arm", "world", angles),
    ):
        texts = [next(text for caption, text in rows_in(angles) if "turned" in caption) for angles in (DEG, RAD)]
        assert texts[0].endswith("°")
        assert texts[1].endswith(" rad")
        in_deg, in_rad = float(texts[0][:-1]), float(texts[1][:-4])
        assert in_rad == pytest.approx(math.radians(in_deg), abs=2e-4)


def test_that_the_scale_of_arrows_is_that_of_their_values() -> None:
    assert scale_text("0.2 m per rad/s", DEG) == "3.49 mm per °/s"
    assert scale_text("0.2 m per rad/s", RAD) == "0.2 m per rad/s"
    assert scale_text("20 m per rad/s²", DEG) == "0.349 m per °/s²"
    assert scale_text("100 mm per m/s²", DEG) == "100 mm per m/s²"


def test_that_the_whole_window_goes_to_radians_and_back(qtbot) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("robot-arm"))
        window, session = wiring.window, wiring.session
        session.scrub(3.0)
        session.select(("sensors", "tool from the base"))

        def texts() -> tuple[list[str], list[str], str, str]:
            arrows = next(v for v in window.scene_view.renderer.visuals if isinstance(v, SensorArrows))
            units = [plot.curves.unit for plot in window.plots.plots if plot.curves is not None]
            card = [row.accessibleName().rpartition(", ")[2] for row in window.inspector.card.rows]
            return units, card, arrows.values.plates.texts[0], arrows.shown_units["w"][0]

        from_menu(wiring, "Edit", "Angles in degrees")
        before = texts()
        hand = window.scene_view.manipulation
        assert before[0] == ["mm", "°", "°/s"]
        from_menu(wiring, "Edit", "Angles in radians")
        in_rad = texts()
        assert in_rad[0] == ["mm", "rad", "rad/s"]
        assert {unit.partition("/")[0] for unit in in_rad[1]} & {"°", "rad"} == {"rad"}
        assert float(in_rad[2]) == pytest.approx(math.radians(float(before[2])), rel=5e-3)
        assert in_rad[3] == "rad/s"
        assert hand is window.scene_view.manipulation
        from_menu(wiring, "Edit", "Angles in degrees")
        assert texts() == before
