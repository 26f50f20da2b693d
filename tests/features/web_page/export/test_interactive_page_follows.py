"""What stands in a page while a hand has changed something: what follows other frames stays, what it touches is anew.

The picture is held against that of a page of the same scene with the change written into it.
"""

from __future__ import annotations

import io
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image

from framescope.app.exporters.registry import export
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import Axes
from framescope.features.lessons.app.lesson_lookup import lesson_paths
from framescope.features.web_page.app.page_follows import uses_of
from framescope.features.web_page.core.scene_code import scene_code
from tests.support.examples import example
from tests.support.scenes import HEAD
from tests.support.visuals import plan_of

pytestmark = pytest.mark.window

MEASURED = (
    HEAD
    + """\
  base: {parent: world, orientation: {form: axis, axis: z, angle: "30*t", unit: deg}}
  camera: {parent: base, position: {value: [1, 0, 0.5], unit: m}}
view:
  camera: {position: [3, -3, 2], focal_point: [0.4, 0, 0.3], unit: m}
measured:
  surveyed:
    form: pose
    of: camera
    relative_to: base
    position: {value: [1, 0.4, 0.5], unit: m}
    orientation: {form: axis, axis: x, angle: 10, unit: deg}
"""
)
POSITION = """\
  position alone: {form: pose, of: camera, relative_to: base, position: {value: [1, 0.4, 0.2], unit: m}}
"""

SIZE, T = (900, 560), 0.8
PLATE = lesson_paths()[0].parent / "plate.yaml"


def page_of(browser, tmp_path, scene: Scene):
    path = tmp_path / "page.html"
    export(scene, compile_plan(scene), path, interactive=True, accuracy=0.3, start=0.0, stop=2.0)
    return browser.open(path, SIZE, is_reduced=True)


def go(page, state: str) -> None:
    page.follow(f"t={T}&{state}")


def choose(page, name: str) -> None:
    go(page, "")
    page.evaluate(f"framescope.choose({name!r})")


def scene_picture(page) -> np.ndarray:
    """Return the picture of the scene, without the panel and the names: they stay where they are if they can."""
    page.evaluate("document.querySelectorAll('#tags, #leaders').forEach((e) => (e.style.display = 'none'))")
    page.next_picture()
    box = page.box("canvas")
    left, top = int(box["x"]), int(box["y"])
    picture = Image.open(io.BytesIO(page.picture())).convert("RGB")
    picture = picture.crop((left, top, left + int(box["width"]), top + int(box["height"])))
    return np.asarray(picture, dtype=int)


def said(page) -> str:
    return page.evaluate("(e => e.hidden ? '' : e.textContent)(document.getElementById('hand-note'))")


def turned(scene: Scene, name: str, sequence: str, angles: tuple[float, ...]) -> Scene:
    axes = Axes(form="axes", sequence=sequence, angles=angles, unit="deg")
    frame = scene.frames[name].model_copy(update={"orientation": axes})
    return scene.model_copy(update={"frames": FrozenDict({**scene.frames, name: frame})})


def differing(one: np.ndarray, other: np.ndarray) -> float:
    """Return the share of pixels that differ plainly, in what both show: below, the notes take room."""
    height = min(len(one), len(other))
    return float((np.abs(one[:height] - other[:height]).max(axis=2) > 40).mean())


def pictures(browser, tmp_path, scene: Scene, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Return the picture before, that of the frame turned by hand, that of the scene so written, and what was said."""
    page = page_of(browser, tmp_path, scene)
    choose(page, name)
    assert said(page) == ""
    before = scene_picture(page)
    go(page, f"turn:{quote(name)}=XYZ,10,-20,30")
    by_hand, words = scene_picture(page), said(page)
    page.close()
    page = page_of(browser, tmp_path, turned(scene, name, "XYZ", (10, -20, 30)))
    choose(page, name)
    written = scene_picture(page)
    page.close()
    return before, by_hand, written, words


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (PLATE, "A"),  # beside which a plate is simulated: its springs and forces stay
        (example_path("robot-arm"), "joint 2"),  # sensors and the position of one
        (example_path("spatial-velocity"), "turntable"),
        (example_path("sensor"), "arm"),
    ],
)
def test_that_a_frame_turned_by_hand_gives_the_picture_of_the_scene_so_written(browser, tmp_path, path, name):
    before, by_hand, written, words = pictures(browser, tmp_path, load_scene(path).scene, name)
    assert words == ""
    assert differing(by_hand, written) < max(0.0006, 0.25 * differing(before, written))


@pytest.mark.parametrize("name", ["base", "camera"])
def test_that_a_measured_pose_goes_with_the_frame_that_it_is_measured_in(browser, tmp_path, name):
    before, by_hand, written, words = pictures(browser, tmp_path, plan_of(MEASURED).scene, name)
    assert words == ""
    assert differing(by_hand, written) < max(0.0006, 0.25 * differing(before, written))


def test_that_what_cannot_be_computed_is_away_while_it_is_touched_and_said_by_name(browser, tmp_path):
    page = page_of(browser, tmp_path, plan_of(MEASURED + POSITION).scene)
    for name in ("base", "camera"):
        go(page, f"turn:{name}=XYZ,10,-20,30")
        assert said(page) == "Away while this is set: measured positions and orientations.", name
    go(page, "")
    assert said(page) == ""
    page.close()
    page = page_of(browser, tmp_path, load_scene(PLATE).scene)
    go(page, "turn:plate=XYZ,10,-20,30")
    assert said(page) == "Away while this is set: springs and other elements, connection points, forces and torques."
    go(page, "turn:A=XYZ,10,-20,30")
    assert said(page) == ""
    page.close()


def test_that_a_link_is_followed_though_the_page_writes_its_own_address_meanwhile(browser, tmp_path):
    """A page notes its state in the address a moment after a change; a link may be followed in that moment."""
    page = page_of(browser, tmp_path, plan_of(MEASURED).scene)
    page.evaluate(
        "new Promise(done => { addEventListener('hashchange', () => done(1), {once: true});"
        f" location.hash = 't={T}&turn:camera=XYZ,10,-20,30';"
        " history.replaceState(null, '', '#t=0.1'); })"
    )
    assert page.evaluate("framescope.time()") == T
    page.evaluate("framescope.choose('camera')")
    page.next_picture()
    assert page.evaluate("document.getElementById('hand-back').disabled") is False
    page.wait_until("decodeURIComponent(location.hash).includes('turn:camera')")
    page.close()


@pytest.mark.parametrize("name", ["aircraft", "field", "spatial-velocity", "three-springs"])
def test_that_all_frames_that_move_otherwise_by_a_parameter_are_known_to_be_touched(name):
    scene, own, _ = example(name)
    code, parents, order = scene_code(own), own.tree.parents, own.tree.order[1:]
    uses, places = uses_of(own, code), {name: k for k, name in enumerate(code.parameters)}
    for parameter, value in scene.parameters.items():
        touched = {row for row, used in enumerate(uses) if places[parameter] in used}
        for row in order:
            touched |= {int(row)} if int(parents[row]) in touched else set()
        other = scene.model_copy(update={"parameters": FrozenDict({**scene.parameters, parameter: value + 0.5})})
        moved = set()
        for t in np.linspace(own.start, own.end, 12)[1:]:
            one, two = (evaluate(plan, t) for plan in (own, compile_plan(other)))
            apart = np.abs(one.p_WF - two.p_WF).max(axis=1) + np.abs(one.R_WF - two.R_WF).max(axis=(1, 2))
            moved |= {int(row) for row in np.flatnonzero(apart > 1e-9)}
        if parameter not in code.sampled_parameters:
            assert moved <= touched < set(range(len(own.names))), parameter
            assert moved, parameter
