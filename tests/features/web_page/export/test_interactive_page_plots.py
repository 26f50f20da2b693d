"""Plots of a page: the curves of the core, also with what a hand has set, the cursor in them, and scrubbing."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.app.exporters.request import SceneSource
from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.ui.plots.plot_content import plot_contents, plot_in
from framescope.ui.widgets.angle_unit import DEG
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

SIZE = (1100, 760)
PARTS = {"aircraft": (0.0, 14.0), "gimbal-lock": (0.0, 9.0), "demo": (0.0, 2.0)}
LONG = ["sensor", "spatial-velocity", "robot-arm", "field", "drift", "keyframes", "pendulum", "three-springs",
        "recorded-camera", "tennis-racket"]  # fmt: skip
PART_S = 1.0


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Give the path of an example's page with sliders, and its plan; each is made once."""
    folder, made = tmp_path_factory.mktemp("plots"), {}

    def page(name: str):
        if name not in made:
            scene, plan, source = example(name)
            start, stop = PARTS.get(name, (plan.start, plan.start + PART_S))
            made[name] = folder / f"{name}.html", plan, (start, stop)
            options = {"interactive": True, "accuracy": 5.0, "start": start, "stop": stop}
            export(scene, plan, made[name][0], source=source, **options)
        return made[name]

    return page


@pytest.fixture
def opened(browser, pages):
    """Open pages, which stand still; all are closed in the end."""
    found = []

    def open_page(name: str) -> Page:
        found.append(browser.open(pages(name)[0], SIZE, is_reduced=True))
        found[-1].next_picture()
        return found[-1]

    yield open_page
    for page in found:
        assert page.complaints == []
        page.close()


def numbers(values) -> np.ndarray:
    """Return numbers that came as JSON, NaN where there were none."""
    return np.array([[np.nan if value is None else value for value in curve] for curve in values], float)


def expected_curves(plan: Plan, i: int, times) -> np.ndarray:
    """Return all curves (n, k) of a plot of the scene."""
    compiled = compile_plot(plot_in(plan.scene.view.plots[i], DEG), plan.scene, plan.index)
    return np.concatenate([plot_curves(plan, signal, np.array(times)) for signal in compiled.signals], axis=-1)


@pytest.mark.parametrize("name", [*PARTS, *(pytest.param(name, marks=pytest.mark.soak) for name in LONG)])
def test_that_curves_are_those_of_the_core(opened, pages, name) -> None:
    page, (_, plan, (start, stop)) = opened(name), pages(name)
    charts = plot_contents(plan, 2000, (start, stop), is_simulating=False)
    found = page.evaluate("framescope.plots()")
    assert [chart["title"] for chart in found] == [chart.title for chart in charts]
    for shown, chart in zip(found, charts, strict=True):
        times, curves = np.array(shown["times"]), numbers(shown["curves"])
        assert times[0] == pytest.approx(start, abs=1e-6)
        assert times[-1] == pytest.approx(stop, abs=1e-6)
        if shown["isComputed"]:
            expected = expected_curves(plan, chart.i_plot, times).T
            np.testing.assert_allclose(curves, expected, rtol=1e-10, atol=1e-10)
        else:
            expected = np.stack([np.interp(times, chart.t, y) for y in chart.ys])
            is_known = np.isfinite(curves) & np.isfinite(expected)
            assert is_known.mean() > 0.9 or not np.isfinite(expected).any()
            size = 1e-6 + np.nanmax(np.abs(expected), initial=0.0)
            assert np.abs(curves - expected)[is_known].max(initial=0.0) < 2e-3 * size


def test_that_curves_follow_a_parameter(opened, pages) -> None:
    page, (_, plan, _) = opened("aircraft"), pages("aircraft")
    page.follow("t=8&yaw=90&roll=-10")
    values = {**plan.scene.parameters, "yaw": 90.0, "roll": -10.0}
    other = compile_plan(plan.scene.model_copy(update={"parameters": FrozenDict(values)}))
    for i, shown in enumerate(page.evaluate("framescope.plots()")):
        assert shown["isComputed"]
        expected = expected_curves(other, i, shown["times"]).T
        np.testing.assert_allclose(numbers(shown["curves"]), expected, rtol=1e-10, atol=1e-10)
        texts = page.evaluate(
            f"[...document.querySelectorAll('#plots figure')[{i}].querySelectorAll('output')].map(e => e.textContent)"
        )
        now = expected_curves(other, i, [8.0])[0]
        np.testing.assert_allclose([float(text.replace("−", "-")) for text in texts], now, atol=6e-3)


def test_that_what_is_not_computed_is_pale_while_something_is_set(opened) -> None:
    page = opened("demo")
    stale = "[...document.querySelectorAll('#plots figure')].map(each => each.classList.contains('is-stale'))"
    assert page.evaluate(stale) == [False, False]
    page.evaluate("framescope.turn('inner ring', 'XYZ', [0.1, 0.2, 0.3])")
    page.next_picture()
    assert page.evaluate(stale) == [False, True]


def test_that_the_cursor_follows_the_time_and_a_drag_scrubs(opened) -> None:
    page = opened("aircraft")
    box = page.box("#plots figure > svg")
    left, right, y = box["x"] + 46, box["x"] + box["width"] - 8, box["y"] + 50
    page.drag((left + 20, y), (left + 0.25 * (right - left), y))
    assert page.evaluate("framescope.time()") == pytest.approx(3.5, abs=0.03)
    cursor = page.box("#plots .cursor")
    assert cursor["x"] == pytest.approx(left + 0.25 * (right - left), abs=2.0)
    page.drag((left + 20, y), (right + 300, y))
    assert page.evaluate("framescope.time()") == 14.0
    page.evaluate("framescope.seek(7)")
    page.next_picture()
    assert page.box("#plots .cursor")["x"] == pytest.approx(0.5 * (left + right), abs=2.0)


def test_that_plots_come_and_go_and_take_their_room(opened, browser, pages) -> None:
    page = opened("aircraft")
    high = page.box("#stage")["height"]
    page.press("p")
    assert page.box("#stage")["height"] > high + 100
    page.press("p")
    assert page.box("#stage")["height"] == high
    small = browser.open(pages("aircraft")[0], (390, 844), is_reduced=True)
    assert small.evaluate("document.getElementById('plots').checkVisibility()") is False
    small.click("#plots-shown")
    assert small.box("#plots figure > svg")["width"] > 280
    assert small.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small.close()


def test_that_signals_of_a_relation_are_computed_and_follow_a_parameter(browser, tmp_path) -> None:
    text = """
framescope: 1
time: {start: 0 s, end: 2 s}
parameters: {rate: 1.5}
frames:
  arm: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["rate*t", "0.4*t", 0.2], unit: rad}}
  tool: {parent: arm, orientation: {form: axes, sequence: XYX, angles: [0.3, "t**2", 1], unit: rad},
    position: {value: [1, "rate*t", "t**2"], unit: m}}
view:
  plots:
  - signal: rotation angle
    of: tool
    relative_to: world
    unit: deg
    also: [{signal: angle between axes, of: tool, relative_to: arm, unit: deg}]
  - {signal: angle between axes, of: arm, relative_to: world, unit: rad}
  - {signal: angle between axes, of: arm, relative_to: world, unit: deg, components: [z to x]}
  - {signal: range rate, of: tool, relative_to: world, unit: m/s}
  - {signal: principal angles, of: tool, relative_to: world, sequence: ZYX, unit: deg}
  - {signal: branch 2 angles, of: tool, relative_to: arm, sequence: ZXZ, unit: rad}
"""
    scene = parse_scene(text)[0]
    path = tmp_path / "angles.html"
    export(scene, compile_plan(scene), path, source=SceneSource("angles.yaml", text), interactive=True, accuracy=5.0)
    page = browser.open(path, SIZE, is_reduced=True)
    for query, rate in (("t=1", 1.5), ("t=1.2&rate=-0.7", -0.7)):
        page.follow(query)
        plan = compile_plan(scene.model_copy(update={"parameters": FrozenDict({"rate": rate})}))
        shown = page.evaluate("framescope.plots()")
        assert [chart["isComputed"] for chart in shown] == [True, True, False, True, True, True]
        for i in (0, 1, 3, 4, 5):
            chart = shown[i]
            expected = expected_curves(plan, i, chart["times"]).T
            np.testing.assert_allclose(numbers(chart["curves"]), expected, rtol=1e-10, atol=1e-9)
    assert page.complaints == []
    page.close()


def test_that_curves_have_the_dashes_of_the_window_and_names_that_cover_nothing(opened, pages) -> None:
    page, (_, plan, (start, stop)) = opened("aircraft"), pages("aircraft")
    charts = plot_contents(plan, 50, (start, stop), is_simulating=False)
    dashes = page.evaluate("""
        [...document.querySelectorAll("#plots figure")].map((figure) => [".legend line", ".curve"].map((kind) => (
          [...figure.querySelectorAll(kind)].map((line) => line.getAttribute("stroke-dasharray")))))
    """)
    for (legend, curves), chart in zip(dashes, charts, strict=True):
        assert legend == curves == [" ".join(f"{length:g}" for length in style.dash) for style in chart.styles]
    boxes = page.evaluate("""
        [...document.querySelectorAll("#plots figure > svg")].map((svg) => (
          [...svg.querySelectorAll(".end-name")].map((name) => {
            const { x, y, width, height } = name.getBBox();
            return [x, y, x + width, y + height, svg.clientWidth];
          })))
    """)
    assert any(boxes), "no plot has room for a name"
    for names in boxes:
        for i, (left, top, right, bottom, width) in enumerate(names):
            assert 0 <= left < right <= width
            for other_left, other_top, other_right, other_bottom, _ in names[:i]:
                is_beside = right <= other_left or other_right <= left
                assert is_beside or bottom <= other_top + 1.0 or other_bottom <= top + 1.0
