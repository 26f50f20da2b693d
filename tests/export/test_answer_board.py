"""Cards of answers in pictures and films: their numbers, their place, and what has none."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.app.exporters.registry import request_for
from framescope.app.exporters.rendering.answer_board import PAD, WIDTH, AnswerBoard
from framescope.app.exporters.rendering.headless import omitted_answers, rendered_picture
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.base.visual import BARE, VIDEO
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.command_line import CliRunner

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]

SCENE = """\
framescope: 1
frames:
  dial: {parent: world, orientation: {form: axis, axis: z, angle: "40*t", unit: deg}}
  tip: {parent: dial, position: {value: [2, 0, 0], unit: m}}
view:
  answers:
    - {signal: velocity, of: tip, relative_to: world, resolved_in: world, components: [norm], unit: m/s, form: number}
    - {signal: angular velocity, of: dial, relative_to: world, resolved_in: dial, unit: deg/s, form: number}
    - {signal: angular velocity, of: dial, relative_to: world, resolved_in: dial, unit: deg/s, form: sentence}
"""


@pytest.fixture(scope="module")
def plan():
    return compile_plan(parse_scene(SCENE)[0])


def texts_of(board: AnswerBoard, t: float = 1.0, size=(1280, 720)) -> list[str]:
    """Return the lines of the cards as a format with texts gets them."""
    texts = []
    board.draw_on(np.zeros((size[1], size[0], 3), np.uint8), t, texts)
    return ["".join(run for run, _ in text.runs).strip() for text in texts]


def test_that_the_lines_say_the_numbers_of_the_time(plan) -> None:
    board = AnswerBoard(plan, DARK, 1.0, (1280, 720), VIDEO)
    lines = texts_of(board)
    assert lines[:3] == ["speed of tip", f"{2 * np.radians(40):.4f} m/s", "relative to world"]
    assert lines[3:5] == ["ω of dial", "°/s"]
    assert lines[5].split() == ["x", "0.00", "y", "0.00", "z", "40.00"]
    assert " ".join(lines[7:]) == "dial turns at 40°/s relative to world, about +z of dial."
    assert texts_of(board, 2.0) == lines


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_that_cards_are_drawn_where_they_say_and_nowhere_else(plan, theme, channels, scale) -> None:
    width, height = round(1280 * scale), round(720 * scale)
    board = AnswerBoard(plan, theme, scale, (width, height), VIDEO)
    pixels = np.full((height, width, channels), 90, np.uint8)
    board.draw_on(pixels, 1.0)
    is_changed = (pixels != 90).any(axis=2)
    for x, y, w, h in board.areas(1.0):
        rows, columns = (slice(round(a * scale), round((a + b) * scale)) for a, b in ((y, h), (x, w)))
        assert is_changed[rows, columns].mean() > 0.9
        is_changed[rows, columns] = False
    assert not is_changed.any()


def test_that_cards_that_have_no_room_are_left_out(plan) -> None:
    assert len(AnswerBoard(plan, DARK, 1.0, (1280, 720), VIDEO).areas(0.0)) == 3
    assert len(AnswerBoard(plan, DARK, 1.0, (1280, 200), VIDEO).areas(0.0)) == 1
    small = AnswerBoard(plan, DARK, 1.0, (400, 720), VIDEO)
    assert small.areas(0.0) == ()
    pixels = np.zeros((720, 400, 3), np.uint8)
    small.draw_on(pixels, 0.0)
    assert not pixels.any()


@pytest.mark.parametrize("name", ["M" * 190, "∂ ω 轴 العربية", "a" * 30 + " " + "b" * 30])
def test_that_long_and_foreign_names_stay_in_their_card(name) -> None:
    scene = parse_scene(SCENE.replace("dial", f'"{name}"'))[0]
    board = AnswerBoard(compile_plan(scene), DARK, 1.0, (1280, 720), VIDEO)
    texts = []
    pixels = np.zeros((720, 1280, 3), np.uint8)
    board.draw_on(pixels, 0.0, texts)
    left = board.areas(0.0)[0][0]
    assert all(text.x >= left + PAD[0] - 1 for text in texts)
    for line in texts_of(board):
        assert len(line) < 60
    assert left + WIDTH < 1280


def test_that_pictures_have_the_cards_unless_they_are_bare(plan) -> None:
    without = compile_plan(parse_scene(SCENE[: SCENE.index("view:")])[0])
    for is_transparent in (False, True):
        pictures = [
            drawn_picture(each, 1.0, (900, 600), DARK, is_transparent=is_transparent) for each in (plan, without)
        ]
        is_different = (pictures[0] != pictures[1]).any(axis=2)
        assert is_different[60:110, 650:880].mean() > 0.5
    bare = [drawn_picture(each, 1.0, (900, 600), DARK, decorations=BARE) for each in (plan, without)]
    assert (bare[0] == bare[1]).all()


@pytest.mark.parametrize(("is_bare", "has_cards"), [(False, True), (True, False)])
def test_that_an_overlay_has_the_cards_unless_the_scene_alone_is_asked_for(plan, tmp_path, is_bare, has_cards) -> None:
    options = ExportOptions(transparent=True, bare=is_bare, size=(900, 600), moment=1.0)
    request = request_for(plan.scene, plan, tmp_path / "overlay.png", options, is_still=True)
    pixels = rendered_picture(request)
    cards = pixels[20:60, 700:860, 3]  # at the top, as there is no bar
    assert bool((cards > 200).all()) is has_cards
    assert (pixels[:, :200, 3] == 0).mean() > 0.5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": (1280, 720)}, ""),
        ({"size": (1280, 720), "transparent": True}, ""),
        ({"size": (1280, 720), "bare": True}, ""),
        ({"size": (640, 360), "text_size": 3.0}, "3 of 3 answers have no room here."),
        ({"size": (1080, 1080), "layout": "lecture"}, "3 of 3 answers have no room here."),
        ({"size": (1280, 260), "text_size": 2.77}, "1 of 3 answers has no room here."),
    ],
)
def test_that_answers_without_room_are_reported(plan, tmp_path, options, sentence) -> None:
    options = ExportOptions(moment=1.0, **options)
    request = request_for(plan.scene, plan, tmp_path / "picture.png", options, is_still=True)
    assert omitted_answers(request) == sentence


@pytest.mark.parametrize("command", [("picture", "small.png"), ("export", "small.gif", "--stop", "0.1")])
def test_that_commands_report_answers_without_room(tmp_path, command) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text(SCENE)
    name, out, *more = command
    given = [name, str(scene), str(tmp_path / out), "--size", "640x360", "--text-size", "3", *more]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 0, result.output
    assert "3 of 3 answers have no room here." in result.stderr


SEEN = "  camera: {position: [0.2, -6, -0.6], focal_point: [0.2, 0, -0.6], unit: m}\n  hidden: {frames: []}\n"
PATH = SEEN.replace("camera: {", "camera_path: {unit: m, keys: [{time: 0 s, ").replace(
    ", unit: m}", "}, {time: 9 s, position: [0.2, -6, -0.6], focal_point: [0.2, 0, -0.6]}]}"
)


@pytest.mark.parametrize("camera", [SEEN, PATH], ids=["camera", "path"])
@pytest.mark.parametrize("size", [(1080, 1080), (1080, 1350), (1080, 1920)])
def test_that_nothing_of_the_scene_is_below_a_card(size, camera, tmp_path) -> None:
    pictures = []
    for hidden in ("[]", "[dial, tip]"):
        plan = compile_plan(parse_scene(SCENE + camera.replace("[]", hidden))[0])
        assert plan.problems == ()
        options = ExportOptions(size=size, moment=0.5)
        request = request_for(plan.scene, plan, tmp_path / "picture.png", options, is_still=True)
        pictures.append(rendered_picture(request).astype(int))
    is_of_scene = np.abs(pictures[0] - pictures[1]).max(axis=2) > 2
    assert is_of_scene.any()
    board = AnswerBoard(plan, DARK, request.scale, size, VIDEO)
    for x, y, width, height in (np.array(board.areas(0.5)) * request.scale).astype(int).tolist():
        assert not is_of_scene[y : y + height, x : x + width].any()
