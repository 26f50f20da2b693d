"""Pages, read as text and played in Chromium with the network off: what they ask for, show and say."""

from __future__ import annotations

import base64
import hashlib
import html.parser
import io
import itertools
import json
import re

import numpy as np
import pytest
from PIL import Image

from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.orientation import Orientation, orientation_of
from framescope.core.scene.schema.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.scene_view.camera.camera import CameraState, Projection, as_tuple
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.export.test_export_table import opened
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

SIGNS = """
framescope: 1
time: {start: 0 s, end: 10 s}
frames:
  base: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["200 + 50*t", 20, "30*t"], unit: deg}}
  spun: {parent: base, orientation: {form: axis, axis: y, angle: "170 - 100*t", unit: deg}}
  minus: {parent: world, orientation: {form: quaternion, value: [0, 0, 0.6, -0.8], order: xyzw}}
"""

EVIL = "</script><script>window.broken = 1</script><!--<script><img src=x onerror='window.broken = 2'>{{scene}}"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Give the path of an example's page, its plan and scene; each is made once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def page(name: str, **options):
        key = name, *options.items()
        if key not in made:
            scene, plan, _ = example(name)
            path = folder / f"{name}-{len(made)}.html"
            export(scene, plan, path, **options)
            made[key] = path, plan, scene
        return made[key]

    return page


SIZE = (1000, 620)


@pytest.fixture(scope="module")
def opened_demo(browser, pages):
    """The demo's first three seconds, standing still, opened once."""
    path, plan, _ = pages("demo", start=0.0, stop=3.0)
    page = browser.open(path, SIZE, is_reduced=True)
    page.plan = plan
    yield page
    page.close()


@pytest.fixture
def demo(opened_demo):
    """The demo as it is opened."""
    yield opened_demo
    opened_demo.resize(SIZE)
    opened_demo.evaluate(
        "document.activeElement.blur(); document.querySelector('[data-frame=\"inner ring\"] .name').click()"
    )
    opened_demo.press("Home")
    if not opened_demo.evaluate("document.getElementById('reset').disabled"):
        opened_demo.click("#reset")


def go_to(page: Page, time: float) -> None:
    page.evaluate("document.getElementById('entry').focus()")
    page.type(f"{time:g}")
    page.press("Enter")


def clock(page: Page) -> float:
    return float(page.evaluate("document.getElementById('clock').textContent"))


def anchors(page: Page) -> dict[str, tuple[float, float]]:
    """Return where the tags of names stand, in pixels of the page."""
    code = (
        "[...document.querySelectorAll('[data-frame]')].filter(tag => !tag.hidden).map(tag => "
        "[tag.dataset.frame, tag.getBoundingClientRect().x, tag.getBoundingClientRect().y])"
    )
    return {name: (x, y) for name, x, y in page.evaluate(code)}


def apart(found: dict[str, tuple[float, float]]) -> float:
    return float(np.hypot(*np.subtract(found["inner ring"], found["world"])))


def camera_at(plan: Plan, t: float) -> CameraState:
    staged = plan.view_data.camera if plan.view_data.camera_path is None else plan.view_data.camera_path.at(t)
    return CameraState(as_tuple(staged.position), as_tuple(staged.focal_point), as_tuple(staged.up), staged.view_angle)


def projected(page: Page, plan: Plan, t: float, names) -> dict[str, tuple[float, float]]:
    """Return where the core has the origins of frames, in pixels of the page."""
    stage, snapshot = page.box("#stage"), evaluate(plan, t)
    projection = Projection(camera_at(plan, t), int(stage["width"]), int(stage["height"]), 1.0)
    at = projection.project(np.array([snapshot.p_WF[plan.index[name]] for name in names]))
    return {name: (stage["x"] + x, stage["y"] + stage["height"] - y) for name, (x, y, _) in zip(names, at, strict=True)}


def pixels(page: Page) -> np.ndarray:
    """Return what is seen of the stage, as numbers from 0 to 255."""
    box = {key: int(value) for key, value in page.box("#stage").items()}
    image = Image.open(io.BytesIO(page.picture())).convert("RGB")
    return np.asarray(image, dtype=float)[box["top"] : box["bottom"], box["left"] : box["right"]]


def outputs(page: Page, selector: str) -> list[float]:
    code = f"[...document.querySelectorAll({json.dumps(selector + ' output')})].map(each => each.textContent)"
    return [float(text.replace("\u2212", "-")) for text in page.evaluate(code)]


class Tags(html.parser.HTMLParser):
    """All tags of a page, and the text of its title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.setdefault(self.tags[-1][0] if self.tags else "", data)


# As text


def test_that_a_page_is_one_small_file_that_names_no_other(pages) -> None:
    path, _, _ = pages("demo")
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1_500_000
    addresses = set(re.findall(r"\w+://[^\s\"'<>)]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a language, which nobody looks up
    attributes = [value for _, attrs in Tags(text).tags for key, value in attrs.items() if key in ("src", "href")]
    assert attributes == ["data:,"]


def test_that_the_policy_lets_nothing_run_but_the_pages_own_script(pages) -> None:
    path, _, _ = pages("demo")
    text = path.read_text(encoding="utf-8")
    tags = Tags(text).tags
    policy = next(attrs["content"] for tag, attrs in tags if attrs.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    for tag, name in (("<script>", "script-src"), ("<style>", "style-src")):
        inside = text.rsplit(tag, 1)[1].split(f"</{tag[1:]}", 1)[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert rules["frame-src"] == rules["object-src"] == "'none'"
    names = ("default", "script", "style", "img", "frame", "object")
    assert set(rules) == {"base-uri", "form-action", *(f"{name}-src" for name in names)}


def evil_page(tmp_path):
    frames = {EVIL: {"parent": "world", "position": {"value": [0.3, 0, 0], "unit": "m"}}}
    scene = Scene.model_validate({"framescope": 1, "title": EVIL, "source": EVIL, "frames": frames})
    path = tmp_path / "evil.html"
    export(scene, compile_plan(scene, tmp_path), path, start=0.0, stop=1.0, fps=2)
    return path


def test_that_texts_of_a_scene_stay_texts(tmp_path) -> None:
    text = evil_page(tmp_path).read_text(encoding="utf-8")
    found = Tags(text)
    assert found.texts["title"] == found.texts["h1"] == EVIL
    scripts = [attrs.get("type") for tag, attrs in found.tags if tag == "script"]
    assert scripts == ["application/json", "text/plain", None]
    assert not [tag for tag, _ in found.tags if tag == "img"]
    told = json.loads(re.search(r'id="scene">(.*?)</script>', text, re.DOTALL)[1])
    assert told["frames"][1]["name"] == EVIL


def test_that_texts_of_a_scene_run_nothing(tmp_path, browser) -> None:
    page = browser.open(evil_page(tmp_path), SIZE, is_reduced=True)
    assert page.evaluate("typeof window.broken") == "undefined"
    assert page.evaluate("document.querySelector('h1').textContent") == EVIL
    assert page.evaluate("document.querySelector('#source').textContent") == EVIL
    assert page.evaluate("[...document.querySelectorAll('.tag .name')].map(each => each.textContent)") == [
        "world",
        EVIL,
    ]
    assert page.complaints == []
    page.close()


def test_that_the_same_scene_gives_the_same_page_and_a_cancelled_one_leaves_none(tmp_path) -> None:
    scene, plan, _ = example("keyframes")
    made = []
    for name in ("a.html", "b.html"):
        export(scene, plan, tmp_path / name, start=0.0, stop=0.5)
        made.append((tmp_path / name).read_bytes())
        (tmp_path / name).unlink()
    assert made[0] == made[1]
    with pytest.raises(ExportCancelledError):
        export(scene, plan, tmp_path / "c.html", is_cancelled=lambda: True)
    assert not list(tmp_path.iterdir())


# As seen


def test_that_a_page_plays_and_asks_for_nothing(browser, pages) -> None:
    path, _, _ = pages("demo", start=0.0, stop=1.0)
    page = browser.open(path, (640, 400))
    first = pixels(page)
    # One picture may come a whole round later than another, and show the same.
    assert any(np.abs(pixels(page) - first).max() > 100 for _ in range(50))
    page.wait_until("Number(document.getElementById('clock').textContent) > 0.7")
    page.wait_until("Number(document.getElementById('clock').textContent) < 0.4")  # again, from the start
    assert page.requests == [path.as_uri()]
    assert page.complaints == []
    page.close()


def test_that_a_page_stands_still_for_those_who_ask_for_less_motion(demo) -> None:
    assert clock(demo) == 0.0
    assert demo.evaluate("document.getElementById('play').getAttribute('aria-label')") == "Play"


@pytest.mark.parametrize("t", [0.0, 1.3, 2.0, 3.0])
def test_that_names_stand_where_the_core_has_their_frames(demo, t) -> None:
    go_to(demo, t)
    found = anchors(demo)
    assert {"camera", "world", "inner ring"} <= found.keys()
    expected = projected(demo, demo.plan, t, list(found))
    for name, at in found.items():
        np.testing.assert_allclose(at, expected[name], atol=1.0, err_msg=name)


def test_that_the_view_follows_the_path_of_its_camera(browser, pages) -> None:
    path, plan, _ = pages("aircraft", start=1.0, stop=2.5)
    page = browser.open(path, SIZE, is_reduced=True)
    for t in (1.0, 2.4):
        go_to(page, t)
        found = anchors(page)
        expected = projected(page, plan, t, list(found))
        assert found
        for name, at in found.items():
            np.testing.assert_allclose(at, expected[name], atol=2.0, err_msg=name)
    # A hand takes the camera off its path, and a click puts it back.
    page.drag((300, 300), (380, 330))
    away = anchors(page)
    assert page.evaluate("document.getElementById('path').getAttribute('aria-pressed')") == "false"
    page.click("#path")
    assert anchors(page) == found != away
    page.close()


@pytest.mark.parametrize(("name", "start", "stop"), [("demo", 0.0, 3.0), ("three-springs", 1.9, 2.1)])
def test_that_the_picture_is_that_of_the_window(browser, pages, name, start, stop) -> None:
    path, plan, _scene = pages(name, start=start, stop=stop)
    page = browser.open(path, SIZE, is_reduced=True)
    go_to(page, 2.0)
    page.press("g")
    page.evaluate("document.querySelectorAll('#tags, #leaders, .corner').forEach(each => each.style.display = 'none')")
    page.evaluate("document.activeElement.blur()")
    page.next_picture()
    seen = pixels(page)
    page.close()
    height, width, _ = seen.shape
    # The window's own picture, of the same size; it holds names and values besides, which here are text.
    placed = plan.view_data.camera
    eye = CameraState(*map(as_tuple, (placed.position, placed.focal_point, placed.up)), placed.view_angle)
    drawn = drawn_picture(plan, 2.0, (width, height), DARK, decorations=BARE, scale=1.0, camera=eye)
    ours = np.abs(seen - _ground(height)).max(axis=-1) > 24
    theirs = np.abs(drawn - drawn[0, 0].astype(float)).max(axis=-1) > 24
    both = ours & theirs
    assert both.sum() > 0.03 * width * height
    assert both.sum() > 0.93 * ours.sum()
    assert both.sum() > 0.75 * (ours | theirs).sum()
    off = np.abs(seen - drawn)[both].max(axis=-1)
    assert np.median(off) < 3
    assert np.quantile(off, 0.9) < 16


def _ground(height: int) -> np.ndarray:
    """Return the colours of the ground from the top to the bottom, (height, 1, 3)."""
    ends = [np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) for color in (DARK.scene_top, DARK.scene_bottom)]
    share = (np.arange(height)[:, None, None] + 0.5) / height
    return ends[0] * (1 - share) + ends[1] * share


def choose(page: Page, **lists: str) -> None:
    """Choose an entry in each of some lists, and wait until what follows from it is drawn."""
    for name, value in lists.items():
        page.evaluate(
            f"{{const list = document.getElementById('{name}'); list.value = {json.dumps(value)};"
            "list.dispatchEvent(new Event('change')); 1}"
        )
    page.next_picture()


def relation(snapshot: Snapshot, of: str, to: str) -> tuple[np.ndarray, np.ndarray]:
    """Return T, `to` into `of`, and where `of` is in `to`."""
    R_WA, R_WB = snapshot.R_WF[snapshot.index[to]], snapshot.R_WF[snapshot.index[of]]
    return R_WB.T @ R_WA, relative_position(snapshot, of, to, to)


@pytest.mark.parametrize(("of", "to"), [("inner ring", "stand"), ("rotor", "camera"), ("camera", "world")])
def test_that_read_outs_are_the_numbers_of_the_core(demo, of, to) -> None:
    go_to(demo, 1.3)
    choose(demo, of=of, relative=to)
    T, p = relation(evaluate(demo.plan, 1.3), of, to)
    np.testing.assert_allclose(outputs(demo, "#position"), p, atol=1.5e-4)
    np.testing.assert_allclose(np.reshape(outputs(demo, "#matrix"), (3, 3)), T, atol=1.5e-4)
    Q = demo.plan.traces.quaternions(evaluate(demo.plan, 1.3), of, to)
    np.testing.assert_allclose(outputs(demo, "#quaternion"), Q, atol=1.5e-4)
    assert demo.evaluate("document.getElementById('direction').textContent") == f"{to} into {of}"


def test_that_quaternions_have_the_sign_that_goes_on_from_the_start_of_the_scene(browser, tmp_path) -> None:
    (tmp_path / "signs.yaml").write_text(SIGNS)
    scene, plan, _ = opened(tmp_path / "signs.yaml")
    export(scene, plan, tmp_path / "signs.html", start=3.0, stop=9.0)
    page = browser.open(tmp_path / "signs.html", SIZE, is_reduced=True)
    for t in (3.0, 8.0):
        go_to(page, t)
        snapshot = evaluate(plan, t)
        for of, to in itertools.permutations(("world", "base", "spun", "minus"), 2):
            choose(page, of=of, relative=to)
            Q = plan.traces.quaternions(snapshot, of, to)
            np.testing.assert_allclose(outputs(page, "#quaternion"), Q, atol=2e-4, err_msg=f"{of} in {to} at {t} s")
    page.close()


def test_that_angles_of_all_sequences_are_those_of_the_core(demo) -> None:
    go_to(demo, 1.3)
    T, _ = relation(evaluate(demo.plan, 1.3), "inner ring", "stand")
    for sequence in SEQUENCES:
        demo.evaluate(
            f"{{const list = document.getElementById('sequence'); list.value = '{sequence}';"
            "list.dispatchEvent(new Event('change')); 1}"
        )
        angles, mirrored = axes_rotations_angles_branches(orientation_of(T, np.zeros(3)), sequence)
        np.testing.assert_allclose(outputs(demo, "#branch-1"), np.degrees(angles), atol=0.011, err_msg=sequence)
        np.testing.assert_allclose(outputs(demo, "#branch-2"), np.degrees(mirrored), atol=0.011, err_msg=sequence)


def test_that_both_branches_are_those_of_the_program_wherever_the_frame_is_turned_to(browser, tmp_path) -> None:
    angles = ["2.9*sin(1.3*t + 1)", "2.9*sin(1.7*t)", "2.9*cos(1.9*t)"]
    turned = {"form": "axes", "sequence": "ZYX", "angles": angles, "unit": "rad"}
    scene = Scene.model_validate(
        {"framescope": 1, "time": {"end": "3 s"}, "frames": {"ship": {"parent": "world", "orientation": turned}}}
    )
    plan = compile_plan(scene, tmp_path)
    export(scene, plan, tmp_path / "ship.html")
    page = browser.open(tmp_path / "ship.html", SIZE, is_reduced=True)
    for t in (0.4, 1.1, 1.9, 2.6):
        go_to(page, t)
        R = Orientation(evaluate(plan, t).R_WF[1].T, np.zeros(3))
        for sequence in ("ZYX", "XZX", "YXZ"):
            page.evaluate(
                f"{{const list = document.getElementById('sequence'); list.value = '{sequence}';"
                "list.dispatchEvent(new Event('change')); 1}"
            )
            for row, found in enumerate(axes_rotations_angles_branches(R, sequence), start=1):
                off = np.array(outputs(page, f"#branch-{row}")) - np.degrees(found)
                np.testing.assert_allclose((off + 180) % 360 - 180, 0.0, atol=0.03, err_msg=f"{sequence} {row} {t}")
    page.close()


def test_that_angles_are_in_radians_for_those_who_ask(browser, pages) -> None:
    path, plan, _ = pages("gimbal-lock", start=1.8, stop=2.2, fps=4, angle_unit="rad")
    page = browser.open(path, SIZE, is_reduced=True)
    go_to(page, 2.0)
    name = page.evaluate("document.getElementById('of').value")
    angles, _ = plan.angles(name, 2.0)
    np.testing.assert_allclose(outputs(page, "#branch-1"), angles, atol=1e-4)
    assert "moving axes, rad" in page.evaluate("document.getElementById('panel').textContent")
    page.close()


def test_that_a_page_opens_on_the_frame_and_with_the_camera_of_the_window(browser, pages) -> None:
    eye = CameraState((3.0, 1.0, 2.0), (0.5, 0.25, 0.0), (0.0, 0.0, 1.0))
    path, _, _ = pages("demo", start=0.0, stop=1.0, frame="camera", eye=eye)
    page = browser.open(path, SIZE, is_reduced=True)
    assert page.evaluate("document.getElementById('of').value") == "camera"
    told = json.loads(re.search(r'id="scene">(.*?)</script>', path.read_text(), re.DOTALL)[1])
    assert told["chosen"] == "camera"
    stage, found = page.box("#stage"), anchors(page)
    projection = Projection(eye, int(stage["width"]), int(stage["height"]), 1.0)
    x, y = projection.project(np.zeros((1, 3)))[0, :2]
    assert found["world"] == pytest.approx((stage["x"] + x, stage["y"] + stage["height"] - y), abs=1.0)
    page.close()


def test_that_a_page_of_a_frame_that_is_not_there_is_refused(tmp_path) -> None:
    scene, plan, _ = example("demo")
    with pytest.raises(ExportError, match=r'frame: there is no frame "camra"\. Did you mean "camera"'):
        export(scene, plan, tmp_path / "demo.html", frame="camra")


def test_that_a_frame_without_a_pose_has_no_numbers(browser, tmp_path) -> None:
    late = {"parent": "world", "position": {"unit": "m", "value": ["0.1*sqrt(t - 1)", 0, 0]}}
    scene = Scene.model_validate({"framescope": 1, "time": {"end": "2 s"}, "frames": {"late": late}})
    export(scene, compile_plan(scene, tmp_path), tmp_path / "late.html", fps=4)
    page = browser.open(tmp_path / "late.html", SIZE, is_reduced=True)
    assert page.evaluate("document.querySelector('#position output').textContent") == "–"
    assert page.evaluate("document.getElementById('said').textContent") == "There is no pose at this time."
    assert set(anchors(page)) == {"world"}
    go_to(page, 1.5)
    assert outputs(page, "#position")[0] == pytest.approx(0.1 * np.sqrt(0.5), abs=1e-4)
    assert set(anchors(page)) == {"world", "late"}
    page.close()


def test_that_a_matrix_that_drifts_is_told(browser, pages) -> None:
    path, plan, _ = pages("drift", start=0.0, stop=10.0, fps=5)
    page = browser.open(path, SIZE, is_reduced=True)
    off = [name for name in plan.names[1:] if "euler" in name.lower()] or list(plan.names[1:])
    said = set()
    for name in off:
        choose(page, of=name)
        said.add(page.evaluate("document.getElementById('said').textContent").split(" by up to")[0])
    assert any("drifts off a rotation" in text for text in said)
    page.close()


# As used


def test_that_keys_play_step_and_jump(demo) -> None:
    demo.evaluate("document.getElementById('stage').focus()")
    demo.press(".")
    assert clock(demo) == pytest.approx(1 / 30, abs=0.006)
    demo.press(",")
    assert clock(demo) == 0.0
    demo.press("End")
    assert clock(demo) == 3.0
    demo.press("Home")
    assert clock(demo) == 0.0
    demo.press(" ")
    demo.wait_until("Number(document.getElementById('clock').textContent) > 0.1")
    demo.press(" ")
    held = clock(demo)
    demo.next_picture()
    assert clock(demo) == held
    assert demo.complaints == []


def test_that_all_controls_are_reached_by_tab_and_have_names(demo) -> None:
    seen = []
    demo.evaluate("document.getElementById('stage').focus(); document.getElementById('stage').blur()")
    for _ in range(40):
        demo.press("Tab")
        name = demo.evaluate(
            "{const e = document.activeElement; e === document.body ? '' : "
            "(e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent || '?')}"
        )
        if name and name in seen[:1]:
            break
        seen.append(name)
    tools = {"Names of frames", "Grid", "Large text", "Dark or light", "Read-outs", "Full screen", "Keys and mouse"}
    timeline = {"To the start", "Play", "To the end", "Time in seconds", "Time", "Speed", "Play again and again"}
    assert tools | timeline | {"Frame", "relative to", "Angles"} <= set(seen)
    assert "?" not in seen
    demo.press("Tab")
    assert any(name.startswith("3D view of Recorded camera and a gimbal") for name in seen)


def test_that_a_time_is_typed_with_point_or_comma_and_a_wrong_one_is_marked(demo) -> None:
    for text, expected in (("1,25", 1.25), ("0.5 s", 0.5), ("99", 3.0)):
        demo.evaluate("document.getElementById('entry').focus()")
        demo.type(text)
        demo.press("Enter")
        assert clock(demo) == expected
    demo.evaluate("document.getElementById('entry').focus()")
    demo.type("soon")
    demo.press("Enter")
    assert demo.evaluate("document.getElementById('entry').getAttribute('aria-invalid')") == "true"
    assert clock(demo) == 3.0
    demo.press("Escape")
    assert demo.evaluate("document.getElementById('entry').value") == "3.00"
    assert demo.evaluate("document.getElementById('entry').getAttribute('aria-invalid')") == "false"


def test_that_mouse_and_keys_turn_move_and_zoom_and_a_click_resets(demo) -> None:
    home = anchors(demo)
    middle = (380.0, 280.0)

    def moved(act) -> dict:
        act()
        demo.next_picture()
        found = anchors(demo)
        assert found != home
        demo.click("#reset")
        assert anchors(demo) == home
        return found

    moved(lambda: demo.drag(middle, (430, 300)))
    right = moved(lambda: demo.drag(middle, (420, 310), "right"))
    # What lies in the plane of the focal point goes with the hand, the rest nearly.
    np.testing.assert_allclose(np.subtract(right["inner ring"], home["inner ring"]), (40, 30), atol=6)
    near = moved(lambda: demo.mouse("mouseWheel", *middle, deltaX=0, deltaY=-60))
    assert apart(near) > 1.05 * apart(home)
    demo.evaluate("document.getElementById('stage').focus()")
    moved(lambda: (demo.evaluate("document.getElementById('stage').focus()"), demo.press("ArrowLeft")))
    moved(lambda: (demo.evaluate("document.getElementById('stage').focus()"), demo.press("+")))


def test_that_fingers_turn_and_zoom(demo) -> None:
    demo.resize((800, 620), is_mobile=True)
    demo.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    demo.next_picture()
    home = anchors(demo)
    demo.touch([(250, 300)], [(280, 310)], [(300, 320)])
    turned = anchors(demo)
    assert turned != home
    demo.click("#reset")
    demo.touch([(190, 300), (310, 300)], [(195, 300), (305, 300)], [(200, 300), (300, 300)])
    assert apart(anchors(demo)) < 0.88 * apart(home)
    demo.send("Emulation.setTouchEmulationEnabled", enabled=False)


def test_that_a_click_on_a_name_reads_out_its_frame(demo) -> None:
    demo.click("[data-frame=camera] .name")
    assert demo.evaluate("document.getElementById('of').value") == "camera"
    assert demo.evaluate("document.getElementById('relative').value") == "world"
    assert demo.evaluate("document.querySelector('.name.chosen').textContent") == "camera"


@pytest.mark.parametrize("theme", ["dark", "light", "white"])
def test_that_a_page_has_the_theme_it_was_asked_for_and_another(browser, pages, theme) -> None:
    path, _, _ = pages("keyframes", start=0.0, stop=0.5, theme=theme)
    page = browser.open(path, (640, 480), is_reduced=True)
    top = {"dark": DARK.scene_top, "light": LIGHT.scene_top, "white": "#FFFFFF"}[theme]
    ground = [int(top[k : k + 2], 16) for k in (1, 3, 5)]
    first = pixels(page)
    np.testing.assert_allclose(first[0, 3], ground, atol=1)
    page.press("t")
    second = pixels(page)
    other = LIGHT if theme == "dark" else DARK
    np.testing.assert_allclose(second[0, 3], [int(other.scene_top[k : k + 2], 16) for k in (1, 3, 5)], atol=1)
    shown = [int(other.axis_x[k : k + 2], 16) for k in (1, 3, 5)]
    # Lit faces are shades of the axis' colour: somewhere it is all but the colour itself.
    assert np.abs(second - shown).max(axis=-1).min() < 24
    page.press("t")
    np.testing.assert_array_equal(pixels(page), first)
    assert page.complaints == []
    page.close()


def test_that_a_lost_picture_comes_back(demo) -> None:
    go_to(demo, 1.0)
    before = pixels(demo)
    demo.evaluate(
        "window.loss = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');"
        "loss.loseContext(); new Promise(done => setTimeout(done, 50))"
    )
    demo.evaluate("loss.restoreContext(); new Promise(done => setTimeout(done, 50))")
    demo.next_picture()
    np.testing.assert_array_equal(pixels(demo), before)


def test_that_a_phone_shows_the_scene_and_the_numbers_on_demand(browser, pages) -> None:
    path, _, _ = pages("demo", start=0.0, stop=3.0)
    page = browser.open(path, (390, 780), is_reduced=True)
    assert page.evaluate("getComputedStyle(document.getElementById('panel')).display") == "none"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert {"camera", "world", "inner ring"} <= anchors(page).keys()
    page.click("#numbers-shown")
    assert page.box("#panel")["width"] == 390
    assert page.box("#stage")["height"] > 250
    page.close()
