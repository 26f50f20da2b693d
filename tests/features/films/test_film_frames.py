"""Pictures of films: items fade, light up and grow; texts and insets keep apart; transitions are mixed exactly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import get_args

import numpy as np
import pytest
import yaml

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import request_for
from framescope.app.exporters.rendering.headless import FrameRenderer
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.films import FilmPanelName, FilmText
from framescope.core.scene.schema.model import Scene
from framescope.features.films.app.film_frames import FilmFrames, light_up, mix
from framescope.features.films.app.film_request import open_preview
from framescope.features.films.app.overlays import Canvas, text_picture
from framescope.features.films.core.moments import Moment, frame_moment, moment_at, shot_moment
from framescope.ui.exports.options import ExportOptions
from framescope.ui.theme.tokens import DARK
from framescope.ui.widgets.angle_unit import DEG
from tests.support.hostile_texts import TEXT

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = (320, 180)
SCENE = """\
framescope: 1
time: {end: 4 s}
frames:
  top: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["t", 0.3, 0.2], unit: rad}}
bodies:
  box: {frame: top, color: "#FF8800", shape: {form: box, size: [40, 30, 20], unit: cm}}
sensors:
  gyro: {form: absolute, frame_a: top, get_w: true, arrows: {w: 0.6 m per rad/s}}
view:
  camera: {position: [2, -3, 1.5], focal_point: [0, 0, 0], unit: m}
  triad_length: 50 cm
  plots: [{signal: position, of: top, relative_to: world, resolved_in: world, unit: m}]
film:
  f:
    fps: 10
    shots:
"""


@contextmanager
def frames(shots: str, more: str = "", *, scene: str = SCENE, **options) -> Iterator[FilmFrames]:
    indented = "\n".join(f"      {line}" for line in shots.strip("\n").splitlines())
    document = Scene.model_validate(yaml.safe_load(scene + indented + "\n" + more))
    plan = compile_plan(document)
    given = ExportOptions(film="f", **{"size": SIZE, **options})
    request = request_for(document, plan, "film.webm" if options.get("transparent") else "film.mp4", given)
    with closing(FilmFrames(request)) as drawer:
        yield drawer


def at(drawer: FilmFrames, t: float) -> np.ndarray:
    return drawer.frame(t).astype(float)


def test_that_an_item_fades_as_the_mean_of_the_pictures_with_and_without_it() -> None:
    shot = "- {duration: 4 s, items: [{look: hidden, bodies: [box], start: 1 s, fade: 2 s}]}"
    with frames(shot) as drawer:
        whole, half, gone = (at(drawer, t) for t in (0.5, 2.0, 3.5))
    assert np.abs(whole - gone).max() > 100
    assert np.abs(half - (whole + gone) / 2).max() <= 2.0


@pytest.mark.long
def test_that_items_of_several_opacities_each_have_their_own() -> None:
    shot = """
- duration: 1 s
  items:
    - {look: faint, bodies: [box], opacity: 0.25}
    - {look: faint, sensors: [gyro], opacity: 0.75}
- {duration: 1 s, items: [{look: hidden, bodies: [box], sensors: [gyro]}]}
- {duration: 1 s, items: [{look: hidden, bodies: [box]}]}
- {duration: 1 s}
"""
    with frames(shot) as drawer:
        mixed, none, arrow, both = (at(drawer, t) for t in (0.5, 1.5, 2.5, 3.5))
    assert np.abs(mixed - (0.25 * both + 0.5 * arrow + 0.25 * none)).max() <= 2.5


def test_that_a_single_axis_and_a_single_arrow_are_hidden() -> None:
    shot = """
- {duration: 1 s}
- {duration: 1 s, items: [{look: hidden, frames: [top, world], parts: [x]}]}
- {duration: 1 s, items: [{look: hidden, sensors: [gyro], parts: [w]}]}
- {duration: 1 s, items: [{look: hidden, frames: [top, world], parts: [triad, label, link]}]}
"""
    with frames(shot) as drawer:
        whole, no_x, no_arrow, no_axes = (at(drawer, t) for t in (0.5, 1.5, 2.5, 3.5))
    orange = np.array([213, 94, 0])

    def is_like(picture: np.ndarray) -> int:
        return int((np.abs(picture - orange).max(axis=-1) < 60).sum())

    assert is_like(whole) > is_like(no_x)
    assert (np.abs(whole - no_x).max(axis=-1) > 20).sum() < (np.abs(whole - no_axes).max(axis=-1) > 20).sum()
    assert (np.abs(whole - no_arrow).max(axis=-1) > 20).sum() > 50


def test_that_a_lit_item_stays_bright_and_all_else_dims() -> None:
    shot = "- {duration: 1 s}\n- {duration: 1 s, items: [{look: lit, bodies: [box]}]}\n"
    shot += "- {duration: 1 s, items: [{look: hidden, bodies: [box]}]}"
    with frames(shot) as drawer:
        usual, lit, without = (at(drawer, t) for t in (0.5, 1.5, 2.5))
    is_box = np.abs(usual - without).max(axis=-1) > 60
    assert np.median(np.abs(lit - usual)[is_box]) <= 3.0
    ground = np.array([int(DARK.scene_bottom[k : k + 2], 16) for k in (1, 3, 5)])
    is_bright = (usual.max(axis=-1) > 150) & ~is_box
    is_bright[is_box.nonzero()[0].min() : is_box.nonzero()[0].max(), :] = False  # beyond the halo
    if is_bright.any():
        assert np.abs(lit - ground)[is_bright].mean() < 0.7 * np.abs(usual - ground)[is_bright].mean()


def test_that_a_pulse_has_a_halo_and_dims_nothing() -> None:
    with frames("- {duration: 3 s, items: [{look: pulse, bodies: [box], fade: 0 s}]}") as drawer:
        dark, bright = at(drawer, 0.0), at(drawer, 0.6)
    assert (bright - dark)[..., 2].max() > 60
    assert np.abs(bright - dark)[:10].max() <= 1.0  # far from the box


def test_that_an_item_grows_from_its_origin() -> None:
    shot = "- {duration: 3 s, items: [{look: drawn on, sensors: [gyro], start: 1 s, fade: 1 s}]}"
    with frames(shot) as drawer:
        pictures = [at(drawer, t) for t in (0.5, 1.3, 1.5, 1.7, 2.5)]
    shown = [int((np.abs(picture - pictures[0]).max(axis=-1) > 20).sum()) for picture in pictures]
    assert shown[0] == 0
    assert shown == sorted(shown)
    assert 0 < shown[2] < shown[4]


def test_that_a_cross_fade_and_a_fade_are_mixed() -> None:
    shots = """
- {duration: 2 s}
- {duration: 2 s, camera: {form: pose, position: [-3, -2, 1], focal_point: [0, 0, 0], unit: m},
  transition: {form: cross-fade, duration: 1 s}}
- {duration: 2 s, transition: {form: fade, duration: 1 s}}
"""
    with frames(shots) as drawer:
        first, half, second, dark = (at(drawer, t) for t in (1.5, 2.5, 3.2, 4.0))
    assert np.abs(half - (first + second) / 2).max() <= 2.0
    assert np.ptp(dark.reshape(-1, 3), axis=0).max() == 0.0


@pytest.mark.parametrize(
    ("first", "second", "is_clear"),
    [
        ("One caption", "Another caption", True),
        ("The same", "The same", False),
        ("", "Another caption", False),
    ],
)
def test_that_texts_over_each_other_take_turns_in_a_cross_fade(first, second, is_clear) -> None:
    def shots(*captions: str) -> str:
        texts = [f"texts: [{{form: caption, text: {text}, fade: 0 s}}]" if text else "texts: []" for text in captions]
        second = f"- {{duration: 4 s, transition: {{form: cross-fade, duration: 2 s}}, {texts[1]}}}"
        return f"- {{duration: 3 s, {texts[0]}}}\n{second}"

    with frames(shots(first, second)) as drawer:
        before, middle, late = at(drawer, 3.0), at(drawer, 4.0), at(drawer, 4.8)
    with frames(shots("", "")) as drawer:
        bare = [at(drawer, t) for t in (3.0, 4.0, 4.8)]
    shown = [np.abs(a - b).max() for a, b in zip((before, middle, late), bare, strict=True)]
    assert (shown[0] > 50) == bool(first)
    assert (shown[1] < 2) == is_clear
    assert shown[2] > 50


def test_that_equal_moments_are_drawn_once(monkeypatch) -> None:
    drawn = []
    draw = FrameRenderer.picture
    monkeypatch.setattr(FrameRenderer, "picture", lambda self, moment: drawn.append(moment) or draw(self, moment))
    with frames("- {duration: 3 s}") as drawer:
        for i in range(30):
            drawer.frame(i / 10)
    assert len(drawn) == 1


@pytest.mark.long
def test_that_frames_depend_on_their_time_alone() -> None:
    shots = """
- {start: 0 s, end: 2 s, items: [{look: faint, bodies: [box], start: 1 s}]}
- {start: 2 s, end: 3 s, camera: {form: orbit, blend: 0.5 s}, staged: {frame: top}}
- {duration: 1 s, insets: [{plot: 1}], texts: [{text: "$x$"}]}
"""
    with frames(shots) as drawer:
        numbers = np.random.default_rng(1).permutation(drawer.film.count).tolist()
        shuffled = {i: drawer.frame(i / 10).copy() for i in numbers}
    with frames(shots) as drawer:
        for i in range(drawer.film.count):
            np.testing.assert_array_equal(drawer.frame(i / 10), shuffled[i])


def test_that_a_faint_frame_leaves_the_names_of_others_in_their_places() -> None:
    more = "  hidden: {frames: [world]}\n"
    names = "  bright name: {parent: top}\n  a frame with a long name: {parent: top}\n"
    scene = SCENE.replace("bodies:", f"{names}bodies:").replace("  triad_length", f"{more}  triad_length")
    faint = "- {duration: 1 s, items: [{look: hidden, frames: [top, a frame with a long name], parts: [label]}]}"
    with frames(faint, size=(1280, 720), scene=scene) as drawer:
        alone = at(drawer, 0.5)
    faint = "- {duration: 1 s, items: [{look: faint, frames: [top, a frame with a long name]}]}"
    with frames(faint, size=(1280, 720), scene=scene) as drawer:
        both = at(drawer, 0.5)
    is_white = [(picture.min(axis=-1) > 200).sum() for picture in (alone, both)]
    assert is_white[0] > 20
    assert is_white[1] > 0.8 * is_white[0]


def test_that_insets_cover_no_text_and_no_other_inset() -> None:
    shot = """
- duration: 3 s
  insets:
    - {plot: 1, place: upper left, width: 0.3}
    - {plot: 1, place: upper left, width: 0.3}
    - {answer: {signal: position, of: top, relative_to: world, resolved_in: world, unit: m}, place: upper left}
  texts:
    - {text: Here, place: upper left}
    - {text: There, place: upper left}
"""
    with frames(shot, size=(1280, 720)) as drawer:
        boxes = drawer.boxes(0)
        drawer.frame(1.0)
    assert len(boxes) == 5
    covered = np.zeros((720, 1280), int)
    for x, y, width, height in boxes:
        assert 0 <= x <= 1280 - width
        assert 0 <= y <= 720 - height
        covered[y : y + height, x : x + width] += 1
    assert covered.max() == 1


def overlap(boxes) -> int:
    """Return the largest number of boxes that cover one pixel of a picture of 1920 by 1920 pixels."""
    covered = np.zeros((1920, 1920), int)
    for x, y, width, height in boxes:
        assert x >= 0
        assert y >= 0
        covered[y : y + height, x : x + width] += 1
    return int(covered.max())


@pytest.mark.parametrize("size", [(1280, 720), (540, 960), (720, 720)])
@pytest.mark.parametrize(
    "texts",
    [
        "{form: lower third, text: Three rings, below: yaw about z}, {form: caption, text: A long caption of a shot}",
        "{form: caption, text: A rather long caption of a shot}, {form: formula, text: $$a = b + c$$}",
        "{form: formula, text: $$R_z R_y R_x R_z R_y R_x R_z$$, place: top}, {text: 'One turn is **lost**'}",
        "{form: title, text: A title, place: top}, {text: Here}, {text: There, place: upper right}",
    ],
)
def test_that_texts_at_different_places_do_not_cover_each_other(size, texts) -> None:
    with frames(f"- {{duration: 3 s, texts: [{texts}]}}", size=size) as drawer:
        boxes = drawer.boxes(0)
        assert overlap(boxes) == 1
        assert all(x + width <= size[0] and y + height <= size[1] for x, y, width, height in boxes)


def test_that_a_caption_stays_at_the_bottom_and_texts_at_other_times_do_not_move() -> None:
    texts = "{form: lower third, text: Three rings, below: a second line of the text that is rather long, end: 1 s}"
    texts += ", {form: caption, text: A caption of a shot about rings and turns, start: 1 s}"
    with frames(f"- {{duration: 3 s, texts: [{texts}]}}", size=(1280, 720)) as drawer:
        apart = drawer.boxes(0)
    with frames(f"- {{duration: 3 s, texts: [{texts.replace(', end: 1 s', '')}]}}", size=(1280, 720)) as drawer:
        together = drawer.boxes(0)
    assert apart[1] == together[1]
    assert {y + height for _, y, _, height in apart} == {720 - 36}
    assert together[0][1] + together[0][3] < together[1][1]


def test_that_texts_and_insets_leave_the_clock_free() -> None:
    shot = "- {duration: 3 s, texts: [{text: Here}], insets: [{plot: 1, place: upper left, width: 0.3}]}"
    size = (1280, 720)
    with frames(shot, "    clock: true\n", size=size) as drawer:
        boxes = drawer.boxes(0)
    with frames("- {duration: 3 s}", "    clock: true\n", size=size) as drawer:
        shown = drawer.frame(1.0).astype(int)
    with frames("- {duration: 3 s}", size=size) as drawer:
        rows, columns = np.nonzero(np.abs(shown - drawer.frame(1.0)).max(axis=-1) > 8)
    assert len(rows) > 20
    for x, y, width, height in boxes:
        assert not ((columns >= x) & (columns < x + width) & (rows >= y) & (rows < y + height)).any()


def test_that_an_inset_moves_off_a_caption_before_it_takes_another_corner() -> None:
    shot = """
- duration: 3 s
  insets: [{plot: 1, width: 0.3}, {plot: 1, place: lower right, width: 0.3}]
  texts: [{form: caption, text: A long caption that reaches the plots of this shot}]
"""
    with frames(shot, size=(1280, 720)) as drawer:
        boxes = drawer.boxes(0)
    assert overlap(boxes) == 1
    assert boxes[1][0] == boxes[2][0] > 640
    assert boxes[1][1] + boxes[1][3] < boxes[2][1]


def test_that_a_plot_rests_where_its_shot_continues_under_a_cross_fade() -> None:
    shots = """
- {start: 0 s, end: 1 s, insets: [{plot: 1, draws: true, width: 1, place: center, fade: 0 s}]}
- {start: 0 s, duration: 1 s, transition: {form: cross-fade, duration: 0.8 s}}
"""
    with frames(shots, size=(640, 360)) as drawer:
        film = drawer.film
        last, beyond = (drawer.picture(Moment(shot_moment(film, 0, t))).copy() for t in (1.0, 1.4))
        (x, y, width, height) = drawer.boxes(0)[0]
    part = slice(y + 40, y + height), slice(x, x + width)
    assert np.abs(last[part].astype(int) - beyond[part]).mean() < 3.0


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (64, 64), (1920, 200)])
@pytest.mark.parametrize("form", ["title", "lower third", "caption", "text", "formula"])
def test_that_any_text_fits_into_any_picture(size, form) -> None:
    canvas = Canvas(size, DARK, max(min(size) / 720, 0.25), DEG)
    for words in (TEXT, "x" * 2000, "word " * 400, "$$\\frac{1}{2}$$", "$\\broken", "\u202e\n\n\n", "日本語"):
        image = text_picture(FilmText(text=words, form=form, below=words), canvas)
        assert image.width <= size[0]
        assert image.height <= size[1]


@pytest.mark.long
def test_that_a_transparent_film_is_clear_where_nothing_is_drawn() -> None:
    shots = "- {duration: 1 s, texts: [{text: Over slides, place: bottom}]}\n"
    shots += "- {duration: 2 s, transition: {form: cross-fade, duration: 1 s}, items: [{look: lit, bodies: [box]}]}"
    with frames(shots, transparent=True) as drawer:
        for t in (0.5, 1.5, 2.5):
            frame = drawer.frame(t)
            assert frame.shape == (SIZE[1], SIZE[0], 4)
            assert frame[0, 0, 3] == 0
            assert frame[..., 3].max() == 255


def test_that_an_end_card_shows_its_texts_on_the_background() -> None:
    card = 'title: The end, text: "More $x$", licence: CC BY 4.0, duration: 1 s, transition: {form: cut}'
    with frames("- {duration: 1 s}", f"    end_card: {{{card}}}\n") as drawer:
        frame = at(drawer, 1.5)
    assert frame.max() > 200
    assert np.ptp(frame[0], axis=0).max() == 0.0


def test_that_unknown_films_and_foreign_options_are_refused() -> None:
    scene = Scene.model_validate(yaml.safe_load(SCENE + "      - {duration: 1 s}\n"))
    plan = compile_plan(scene)
    with pytest.raises(ExportError, match='no film "g"'):
        request_for(scene, plan, "a.mp4", ExportOptions(film="g"))
    for option in ({"start": 1.0}, {"layout": "plots"}, {"captions": ["a"]}, {"follow": "top"}, {"cluster": "tcp://x"}):
        with pytest.raises(ExportError):
            request_for(scene, plan, "a.mp4", ExportOptions(film="f", **option))


def test_that_a_moment_of_any_time_is_drawn_for_a_preview() -> None:
    with frames("- {start: 0 s, end: 2 s, camera: {form: orbit}}\n- {duration: 1 s}") as drawer:
        moment = frame_moment(drawer.film, 7)
        picture = drawer.picture(moment)
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        assert drawer.camera(moment).distance == pytest.approx(drawer.camera(frame_moment(drawer.film, 0)).distance)


def test_that_a_preview_of_any_size_shows_the_picture_of_the_film() -> None:
    scene = Scene.model_validate(yaml.safe_load(SCENE + "      - {start: 0 s, end: 2 s}\n"))
    with closing(open_preview(compile_plan(scene), "f", (161, 97), "light")) as preview:
        picture = preview.picture(moment_at(preview.film, 0.777))
    assert picture.shape == (97, 161, 3)
    assert picture.mean() > 150


def test_that_colours_are_mixed_by_their_alpha() -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 256, (4, 5, 4), dtype=np.uint8) for _ in "ab")
    half = mix(a, b, 0.3).astype(float)
    alpha = 0.7 * a[..., 3] + 0.3 * b[..., 3]
    np.testing.assert_allclose(half[..., 3], alpha, atol=0.51)
    weighted = [share * c[..., :3] * c[..., 3:].astype(float) for share, c in ((0.7, a), (0.3, b))]
    color = sum(weighted) / alpha[..., None]
    np.testing.assert_allclose(half[..., :3], color, atol=0.51)


def test_that_light_without_items_changes_nothing() -> None:
    from PIL import Image

    picture = np.random.default_rng(4).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    nothing = Image.new("L", (60, 40))
    np.testing.assert_array_equal(light_up(picture, nothing, nothing, 0.0, ("#000000", "#FFFFFF"), 1.0), picture)


@pytest.mark.parametrize("name", get_args(FilmPanelName))
def test_that_a_panel_follows_its_frame_beside_the_scene_or_fills_the_picture(name) -> None:
    panel = f"{{panel: {name}, of: top, fade: 0 s"
    shots = f"""
- {{end: 2 s, insets: [{panel}}}]}}
- {{start: 0 s, end: 2 s, insets: [{panel}, width: 1}}]}}
- {{start: 0 s, end: 2 s}}
"""
    with frames(shots, size=(640, 360)) as drawer:
        (beside,), (whole,) = drawer.boxes(0), drawer.boxes(1)
        assert whole == (0, 0, 640, 360)
        assert beside[0] > 0
        assert beside[0] + beside[2] < 640
        early, late, full, bare = (at(drawer, t) for t in (0.3, 1.7, 2.3, 4.3))
    x, y, width, height = beside
    inside = np.zeros(early.shape[:2], bool)
    inside[y : y + height, x : x + width] = True
    assert np.abs(early - bare)[~inside].max() < 60  # names keep off the panel
    assert np.abs(early - bare)[inside].mean() > 5
    assert np.abs(early - late)[inside].max() > 60  # its numbers, curves and pictures move
    assert len(np.unique(full.reshape(-1, 3), axis=0)) > 20
    assert np.abs(full[:8] - full[0, 0]).max() == 0.0


def test_that_a_panel_fits_an_upright_picture_and_a_small_one() -> None:
    shot = "- {duration: 1 s, insets: [{panel: quaternion ball, of: top}, {panel: gimbal, of: top, place: lower left}]}"
    for size in ((180, 320), (128, 72)):
        with frames(shot, size=size) as drawer:
            for x, y, width, height in drawer.boxes(0):
                assert 0 <= x < x + width <= size[0]
                assert 0 <= y < y + height <= size[1]
            assert at(drawer, 0.5).shape == (*size[::-1], 3)
