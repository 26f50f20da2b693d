"""Arrows of sensors in a page, also with what a hand has set: as long as what the core measures."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from tests.support.examples import example

pytestmark = pytest.mark.window

T = 2.0


def shown(page) -> dict[tuple[str, str], float]:
    """Return the numbers at the tips of arrows, by their names and symbols."""
    parts = ("of", "symbol", "number")
    texts = ", ".join(f"e.querySelector('.{part}').textContent" for part in parts)
    values = "[...document.querySelectorAll('.tag:not([hidden]) .value')].filter(e => e.querySelector('.of'))"
    return {(of, symbol): float(number) for of, symbol, number in page.evaluate(f"{values}.map(e => [{texts}])")}


def test_that_arrows_of_sensors_follow_what_a_hand_sets(browser, tmp_path) -> None:
    scene, own, _ = example("spatial-velocity")
    path = tmp_path / "page.html"
    export(scene, own, path, interactive=True, accuracy=0.5, start=0.0, stop=4.0)
    page = browser.open(path, (1100, 760), is_reduced=True)
    pictures = []
    for spin in (scene.parameters["spin"], 1.6, -2.5):
        page.follow(f"t={T}&spin={spin}")
        plan = compile_plan(scene.model_copy(update={"parameters": FrozenDict({"spin": spin})}))
        expected = {}
        for name, arrows in evaluate(plan, T).arrows.items():
            for key, arrow in arrows.items():
                size = np.linalg.norm(arrow.vector_W)
                expected[name, "ω" if key == "w" else key] = np.degrees(size) if key == "w" else size
        found = shown(page)
        assert len(found) >= 4
        assert found == pytest.approx({key: expected[key] for key in found}, rel=6e-3)
        pictures.append(page.picture())
    assert len(set(pictures)) == 3
    page.evaluate("framescope.turn('turntable', 'XYZ', [0, 0, 1])")  # it no longer turns, but the wheel on it does
    page.next_picture()
    assert shown(page).keys() <= expected.keys()
    assert page.complaints == []
    page.close()


IMU = """
framescope: 1
time: {end: 4 s}
parameters: {tilt: 0.5}
frames:
  cart: {parent: world, position: {value: ["0.2*t**2", 0, 0], unit: m}}
  imu: {parent: cart, orientation: {form: axis, axis: y, angle: "tilt*t", unit: rad}}
sensors:
  data: {form: absolute, frame_a: imu, get_s: true, get_a: true, arrows: {s: 50 mm per m/s², a: 200 mm per m/s²}}
view:
  camera: {position: [0.8, -4, 0.5], focal_point: [0.8, 0, 0.3], unit: m}
  plots:
    - {signal: specific force, of: imu, resolved_in: imu, unit: m/s²}
    - {signal: sensor, of: data}
"""


def test_that_a_page_shows_specific_forces_also_after_a_change(browser, tmp_path) -> None:
    scene = parse_scene(IMU)[0]
    path = tmp_path / "page.html"
    export(scene, compile_plan(scene), path, interactive=True, accuracy=0.5, start=0.0, stop=4.0)
    page = browser.open(path, (1100, 760), is_reduced=True)
    for tilt in (0.5, -0.25):
        page.follow(f"t={T}&tilt={tilt}")
        found = shown(page)
        assert found["data", "f"] == pytest.approx(np.hypot(9.80665, 0.4), rel=6e-3)
        assert found["data", "a"] == pytest.approx(0.4, rel=6e-3)
    assert "pecific force" in page.evaluate("document.body.innerText")
    assert page.complaints == []
    page.close()
