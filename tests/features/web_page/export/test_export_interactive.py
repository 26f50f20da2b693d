"""Pages with sliders, in Chromium with the network off: what a hand does there, and the numbers that it gives."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.core import frames
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

SIZE = (1100, 760)

SHORT = {"gimbal-lock": (0.0, 1.0), "pendulum": (0.0, 0.2), "spatial-velocity": (0.0, 2.0), "robot-arm": (0.0, 3.0)}
"""From when to when pages are made of scenes of which a part suffices, s."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Give the path of an example's page with sliders, its plan and scene; each is made once."""
    folder, made = tmp_path_factory.mktemp("interactive"), {}

    def page(name: str):
        if name not in made:
            scene, plan, _ = example(name)
            part = SHORT.get(name, (plan.start, plan.end))
            export(scene, plan, folder / f"{name}.html", interactive=True, accuracy=0.5, start=part[0], stop=part[1])
            made[name] = folder / f"{name}.html", plan, scene
        return made[name]

    return page


@pytest.fixture
def opened(browser, pages):
    """Open pages, which stand still; all are closed in the end."""
    found = []

    def open_page(name: str) -> Page:
        found.append(browser.open(pages(name)[0], SIZE, is_reduced=True))
        return found[-1]

    yield open_page
    for page in found:
        assert page.complaints == []
        assert len(page.requests) == 1
        page.close()


def numbers(page: Page, part: str) -> np.ndarray:
    """Return the numbers that are written in a part of the read-outs."""
    texts = page.evaluate(f"[...document.querySelectorAll('#{part} output')].map(each => each.textContent)")
    return np.array([float(text.replace("\u2212", "-")) for text in texts])


def choose(page: Page, box: str, value: str) -> None:
    """Choose an entry of a box."""
    done = (
        f"const box = document.getElementById('{box}'); box.value = '{value}'; box.dispatchEvent(new Event('change'))"
    )
    page.evaluate(f"{{ {done}; }}")
    page.next_picture()


def write(page: Page, label: str, text: str) -> None:
    """Type into the field beside a slider."""
    page.evaluate(f"document.querySelector('input[type=text][aria-label^=\"{label}\"]').focus()")
    page.send("Input.insertText", text=text)
    page.press("Enter")
    page.next_picture()


def test_that_read_outs_are_those_of_the_core_with_velocities(opened, pages) -> None:
    page, (_, plan, _) = opened("aircraft"), pages("aircraft")
    choose(page, "of", "aircraft")
    for t in (0.0, 2.1, 5.33, 12.25):
        page.follow(f"t={t}")
        for name in ("north-east-down", "aircraft"):
            choose(page, "resolved", name)
            expected = relation(evaluate(plan, t), "aircraft", "north-east-down", name)
            np.testing.assert_allclose(numbers(page, "position"), expected.p, atol=6e-5)
            np.testing.assert_allclose(numbers(page, "velocity"), expected.V[3:], atol=6e-5)
            np.testing.assert_allclose(numbers(page, "omega"), np.degrees(expected.V[:3]), atol=6e-3)
            np.testing.assert_allclose(numbers(page, "matrix"), expected.R.T.ravel(), atol=6e-5)


def test_that_sliders_turn_a_frame_and_another_sequence_keeps_its_orientation(opened) -> None:
    page = opened("gimbal-lock")
    choose(page, "of", "arrow")
    for label, text in (("angle 1", "40"), ("angle 2", "75"), ("angle 3", "-30.5")):
        write(page, label, text)
    T = frames.axes_rotations("XYZ", np.radians([40, 75, -30.5]), np.zeros(3)).T
    np.testing.assert_allclose(numbers(page, "matrix"), T.ravel(), atol=6e-5)
    assert (numbers(page, "omega") == 0.0).all()
    assert page.evaluate("document.getElementById('hand-note').hidden") is False
    choose(page, "hand-sequence", "ZYX")
    np.testing.assert_allclose(numbers(page, "matrix"), T.ravel(), atol=6e-5)
    page.evaluate("document.querySelector('input[type=range][aria-label=\"angle 2\"]').focus()")
    page.press("ArrowRight")
    page.next_picture()
    assert np.abs(numbers(page, "matrix") - T.ravel()).max() > 0.01
    page.evaluate("document.getElementById('hand-back').click()")
    page.next_picture()
    authored = frames.axes_rotations("XYZ", np.radians([0, 20, 0]), np.zeros(3)).T
    np.testing.assert_allclose(numbers(page, "matrix"), authored.ravel(), atol=6e-5)
    assert page.evaluate("document.getElementById('hand-note').hidden")
    assert page.evaluate("document.getElementById('hand-back').disabled")


def test_that_parameters_are_those_of_the_scene_and_can_be_given_back(opened, pages) -> None:
    page, (_, _, scene) = opened("spatial-velocity"), pages("spatial-velocity")
    choose(page, "of", "hub")
    page.follow("t=1.3")
    before = numbers(page, "omega")
    write(page, "spin", "-2")
    plan = compile_plan(scene.model_copy(update={"parameters": FrozenDict({"spin": -2.0})}))
    of, relative = (page.evaluate(f"document.getElementById('{each}').value") for each in ("of", "relative"))
    resolved = page.evaluate("document.getElementById('resolved').value")
    expected = relation(evaluate(plan, 1.3), of, relative, resolved)
    np.testing.assert_allclose(numbers(page, "omega"), np.degrees(expected.V[:3]), atol=6e-3)
    assert np.abs(numbers(page, "omega") - before).max() > 100.0
    page.evaluate("document.getElementById('parameters-reset').click()")
    page.next_picture()
    assert page.evaluate("document.getElementById('parameters-reset').disabled")
    np.testing.assert_array_equal(numbers(page, "omega"), before)


def test_that_a_link_leads_to_a_moment_and_a_state_and_nonsense_is_left_alone(opened) -> None:
    page = opened("aircraft")
    page.follow("t=3.2&yaw=90&turn:aircraft=XYZ,10,20,30")
    T = frames.axes_rotations("XYZ", np.radians([10, 20, 30]), np.zeros(3)).T
    np.testing.assert_allclose(numbers(page, "matrix"), T.ravel(), atol=6e-5)
    assert page.evaluate("document.getElementById('entry').value") == "3.20"
    page.wait_until("location.hash.includes('yaw=90') && location.hash.includes('XYZ%2C10%2C20%2C30')")
    page.follow("t=3.2")
    before = numbers(page, "matrix")
    assert page.evaluate("document.getElementById('hand-back').disabled"), "the address is the whole state"
    nonsense = "turn:nobody=XYZ,1,2,3&turn:aircraft=XXX,1,2,3&turn:aircraft=XYZ,1,2&turn:aircraft=constructor,1,2,3"
    page.follow(f"t=nonsense&yaw=&{nonsense}&pitch=1e999&__proto__=3&turn:world=XYZ,1,2,3")
    np.testing.assert_array_equal(numbers(page, "matrix"), before)


def test_that_what_is_simulated_keeps_its_parameters(opened) -> None:
    page = opened("pendulum")
    assert page.evaluate("[...document.querySelectorAll('#parameters input')].every(each => each.disabled)")
    assert page.evaluate("document.getElementById('fixed-note').hidden") is False


def test_that_a_lesson_with_sliders_is_within_its_size(pages) -> None:
    path, *_ = pages("aircraft")
    assert path.stat().st_size < 500_000


def test_that_the_path_of_a_frame_is_drawn_from_where_it_is_computed(opened) -> None:
    page = opened("robot-arm")
    assert page.evaluate("document.getElementById('no-picture').hidden")
    page.follow("t=2.0")
    before = page.picture()
    write(page, "angle 1", "15")
    page.next_picture()
    assert page.picture() != before
    assert page.evaluate("document.getElementById('hand-note').hidden"), "all is computed"
    assert page.complaints == []


def test_that_a_frame_is_turned_by_the_tip_of_an_axis(opened) -> None:
    page = opened("aircraft")
    page.follow("t=0")
    choose(page, "of", "aircraft")
    T = numbers(page, "matrix").reshape(3, 3)
    (x, y), box = letter(page, "x"), page.evaluate("document.getElementById('stage').getBoundingClientRect().toJSON()")
    for name, at in (("mousePressed", (x, y)), ("mouseMoved", (x, y - 30)), ("mouseMoved", (x, y - 60)),
                     ("mouseReleased", (x, y - 60))):  # fmt: skip
        buttons = {"button": "left", "buttons": 0 if name == "mouseReleased" else 1, "clickCount": 1}
        page.send("Input.dispatchMouseEvent", type=name, x=at[0] + box["x"], y=at[1] + box["y"], **buttons)
    page.next_picture()
    moved = letter(page, "x")
    turned = numbers(page, "matrix").reshape(3, 3)
    assert np.hypot(moved[0] - x, moved[1] - (y - 60)) < 30.0  # the letter stands beside the tip
    assert np.abs(turned - T).max() > 0.1
    np.testing.assert_allclose(turned @ turned.T, np.eye(3), atol=3e-4)
    assert page.evaluate("document.getElementById('hand-back').disabled") is False
    assert page.evaluate("document.getElementById('reset').disabled"), "the camera has stayed"


def letter(page: Page, axis: str) -> tuple[float, float]:
    """Return about where the tip of an axis of the aircraft is in the picture."""
    (x, y) = page.evaluate(f"""(() => {{
      const of = [...document.querySelectorAll('.tag .letter.{axis}')].filter(each => !each.parentNode.hidden);
      const box = of[of.length - 1].getBoundingClientRect();
      const stage = document.getElementById('stage').getBoundingClientRect();
      return [box.x + box.width / 2 - stage.x, box.y + box.height / 2 - stage.y];
    }})()""")
    return x, y


@pytest.mark.parametrize("sequence", ["ZYX", "XYX"])
def test_that_rates_of_angles_and_nearness_to_the_lock_are_those_of_the_core(opened, pages, sequence: str) -> None:
    page, (_, plan, _) = opened("aircraft"), pages("aircraft")
    choose(page, "of", "aircraft")
    choose(page, "hand-sequence", sequence)
    for t in (4.7, 11.9):
        page.follow(f"t={t}")
        words = f"of aircraft relative to north-east-down by {sequence}"
        signals = f"angle rates {words} in deg/s", f"singularity {words}", f"condition number {words}"
        found = [plot_curves(plan, parse_signal(each, plan.scene), np.array([t]))[0] for each in signals]
        np.testing.assert_allclose(np.abs(numbers(page, "angle-rates")), np.abs(found[0]), atol=6e-3)
        shown = "[...document.querySelectorAll('#gauge-value, #gauge-condition')].map(each => Number(each.textContent))"
        np.testing.assert_allclose(page.evaluate(shown), [found[1][0], found[2][0]], atol=6e-3)


ISLANDS = """
framescope: 1
frames:
  island: {parent: world, position: {value: [1, 0, 0], unit: m}, motion: {form: unconnected}}
  hut: {parent: island, position: {value: ["t", 2, 0], unit: m}, orientation: {form: axes, sequence: ZYX,
    angles: ["10*t", 0, 0], unit: deg}}
  boat: {parent: world}
"""


@pytest.mark.parametrize("interactive", [False, True])
def test_that_a_page_draws_trees_that_are_apart_and_has_no_numbers_between_them(
    browser, tmp_path, *, interactive: bool
) -> None:
    scene, _ = parse_scene(ISLANDS, "scene.yaml")
    path = tmp_path / "islands.html"
    export(scene, compile_plan(scene), path, interactive=interactive, start=1.0, stop=2.0)
    page = browser.open(path, SIZE, is_reduced=True)
    page.evaluate(
        "window.choose = (id, name) => { const list = document.getElementById(id); list.value = name;"
        " list.dispatchEvent(new Event('change')); }"
    )
    for of, relative, expected in (
        ("hut", "island", [1.0, 2.0, 0.0]),
        ("hut", "boat", None),
        ("boat", "world", [0, 0, 0]),
    ):
        for name, value in (("of", of), ("relative", relative), ("resolved", relative)):
            page.evaluate(f"choose('{name}', '{value}')")
        texts = page.evaluate("[...document.querySelectorAll('#position output')].map(each => each.textContent)")
        said = page.evaluate("document.querySelector('#said').textContent")
        if expected is None:
            assert texts == ["–"] * 3
            assert "not connected" in said
        else:
            assert [float(text.replace("−", "-")) for text in texts] == pytest.approx(expected)
            assert said == ""
    names = "[...document.querySelectorAll('.tag')].filter(e => e.checkVisibility()).map(e => e.textContent)"
    assert {"island", "hut", "boat"} <= set(page.evaluate(names))  # all are drawn
    assert page.complaints == []
    page.close()
