"""Composed films: plots with a moving cursor and the numbers of a frame, read back and looked at pixel by pixel."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QColor, QImage, QPainter
from scipy.ndimage import uniform_filter
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.layouts import MIN_SCALE, PixelBox, arrange_parts
from framescope.app.exporters.registry import export
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest, checked_request
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import Scene
from framescope.ui.exports.options import ExportOptions
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import DARK, LIGHT
from framescope.ui.widgets.angle_unit import DEG, RAD
from tests.export.test_export import decoded
from tests.support.films import write_picture

# What is composed is painted by the application there is: without one, an export makes one without a display, and every
# other test of this run would have that.
pytestmark = [pytest.mark.process, pytest.mark.usefixtures("qapp")]

SIZE = (640, 360)

SCENE = """
framescope: 1
title: A turn in front of a mast
time: {start: 0 s, end: 4 s}
frames:
  arm:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: ["20*t", "10*t", 0], unit: deg}
  still: {parent: world}
view:
  camera: {position: [2, -3, 1.5], focal_point: [0, 0, 0], unit: m}
  plots:
    - {signal: angles, of: arm, relative_to: world, sequence: XYZ, unit: deg, title: First}
    - {signal: angular velocity, of: arm, relative_to: world, resolved_in: arm, unit: deg/s, title: Second}
"""


def read(text: str) -> Scene:
    return parse_scene(text)[0]


@pytest.fixture(scope="module")
def scene():
    found = read(SCENE)
    return found, compile_plan(found)


def request_for(scene, **options) -> ExportRequest:
    options = {"size": SIZE, "fps": 10, **options}
    path = Path("film.mp4")
    return checked_request(*scene, path, formats_by_suffix()[".mp4"], ExportOptions(**options))


def frames_at(request: ExportRequest, times) -> list[np.ndarray]:
    return [frame.copy() for frame in rendered_frames(request, np.asarray(times, dtype=float))]


def digest(frame: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(frame)).hexdigest()


def part(frame: np.ndarray, box: PixelBox) -> np.ndarray:
    return frame[box.y : box.y + box.height, box.x : box.x + box.width]


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def cursor_column(plot: np.ndarray, theme=DARK) -> int:
    """Return the column of a plot in which the line of the cursor stands: bright nearly from top to bottom."""
    lower = plot[plot.shape[0] // 2 : -plot.shape[0] // 7].astype(int)
    ground = rgb(theme.plot_ground)
    far = np.abs(lower - ground).max(axis=-1) > 60  # the grid and axes are nearer to the ground
    counts = far.sum(axis=0)
    column = int(counts.argmax())
    assert counts[column] > 0.9 * len(lower), "no line goes through the plot"
    return column


# The pictures


def test_that_the_cursor_of_each_plot_in_a_film_moves_with_its_time(scene, tmp_path) -> None:
    path = tmp_path / "film.mp4"
    export(*scene, path, size=SIZE, fps=2, layout="plots")
    frames, said = decoded(path)
    assert frames.shape == (8, 360, 640, 3)
    assert "2 fps" in said
    boxes = arrange_parts("plots", SIZE, 2).plots
    for box in boxes:
        columns = np.array([cursor_column(part(frame, box)) for frame in frames[1:]])  # at 0 it is on the edge
        steps = np.diff(columns)
        assert steps.min() > 20
        assert np.ptp(steps) <= 2  # evenly, to a pixel
        scale = SIZE[1] / 720
        # The area of the curves, as in the window, between what is said of the two axes.
        left, right = (55 + 14) * scale, box.width - (17 + 22) * scale
        expected = left + np.arange(1, 8) / 8 * (right - left)
        assert np.abs(columns - expected).max() <= 3


def test_that_the_curves_stay_while_cursor_and_numbers_change(scene) -> None:
    request = request_for(scene, layout="plots")
    early, late = frames_at(request, [1.0, 3.0])
    box = arrange_parts("plots", SIZE, 2).plots[0]
    a, b = part(early, box), part(late, box)
    changed = (a != b).any(axis=-1)
    top = round(0.25 * box.height)
    assert changed[:top].any(), "the legend shows the same numbers"
    columns = {cursor_column(a), cursor_column(b)}
    near = np.zeros(box.width, dtype=bool)
    for column in columns:
        near[max(column - 4, 0) : column + 5] = True
    assert not changed[top:][:, ~near].any()


def test_that_a_lecture_shows_the_numbers_of_its_frame_as_they_change(scene) -> None:
    request = request_for(scene, layout="lecture", frame="arm")
    place = arrange_parts("lecture", SIZE, 2)
    start, early, late = frames_at(request, [0.0, 1.0, 3.0])
    assert place.panel is not None
    panels = [part(frame, place.panel) for frame in (start, early, late)]
    for a, b in ((0, 1), (1, 2)):
        rows = (panels[a] != panels[b]).any(axis=(1, 2))
        # Angles, singularity, matrix, quaternion, axis and branches, one below the other: most of the height changes.
        assert 0.15 < rows.mean() < 0.9
    still = frames_at(request_for(scene, layout="lecture", frame="still"), [1.0, 3.0])
    assert digest(part(still[0], place.panel)) == digest(part(still[1], place.panel))


def test_that_a_frame_is_the_same_alone_and_in_a_chunk(scene) -> None:
    for options in ({"layout": "plots"}, {"layout": "lecture", "camera": "turntable"}, {"layout": "scene"}):
        request = request_for(scene, size=(320, 180), fps=1, **options)
        times = request.times
        whole = [digest(frame) for frame in rendered_frames(request)]
        assert len(set(whole)) == len(whole) == 4
        assert [digest(frame) for frame in rendered_frames(request, times[2:])] == whole[2:]
        assert digest(frames_at(request, times[[1]])[0]) == whole[1]


def test_that_a_camera_that_nobody_placed_is_the_same_in_every_chunk() -> None:
    found = read(
        "framescope: 1\ntime: {start: 0 s, end: 2 s}\n"
        "frames:\n  far: {parent: world, position: {value: ['3*t', 0, 0], unit: m}}\n"
    )
    request = request_for((found, compile_plan(found)))
    assert digest(frames_at(request, [0.0, 1.5])[1]) == digest(frames_at(request, [1.5])[0])


def test_that_the_theme_of_the_window_stays_its_own(scene, qapp) -> None:
    before = current_theme.current()
    other = LIGHT if before is DARK else DARK
    generator = rendered_frames(request_for(scene, layout="plots", theme=other.name), np.array([1.0]))
    frame = next(generator)
    assert current_theme.current() is before
    box = arrange_parts("plots", SIZE, 2).plots[0]
    assert np.abs(part(frame, box)[-2, box.width // 2].astype(int) - rgb(other.panel)).max() < 3
    generator.close()


def test_that_chosen_plots_stand_in_the_order_named(scene) -> None:
    by_title = request_for(scene, layout="plots", plots=["second", 1])
    assert by_title.composed.plots == (1, 0)
    assert request_for(scene, layout="plots", plots=["2"]).composed.plots == (1,)
    one = frames_at(request_for(scene, layout="plots", plots=[1]), [2.0])[0]
    other = frames_at(request_for(scene, layout="plots", plots=[2]), [2.0])[0]
    box = arrange_parts("plots", SIZE, 1).plots[0]
    assert box.width == SIZE[0]
    assert (part(one, box) != part(other, box)).any()
    assert (one[: box.y] == other[: box.y]).all()


def test_that_radians_stand_in_the_plots_and_the_numbers(scene) -> None:
    deg, rad = (
        frames_at(request_for(scene, layout="lecture", frame="arm", angle_unit=unit), [2.0])[0]
        for unit in ("deg", "rad")
    )
    place = arrange_parts("lecture", SIZE, 2)
    for box in (place.panel, *place.plots):
        assert (part(deg, box) != part(rad, box)).any()


@pytest.mark.parametrize("layout", ["plots", "lecture"])
@pytest.mark.parametrize(
    "size", [(1280, 720), (1920, 1080), (1080, 1080), (1080, 1920), (642, 358), (320, 180), (3840, 2160)]
)
def test_that_the_parts_of_a_picture_cover_it_once(layout, size) -> None:
    place = arrange_parts(layout, size, 2)
    covered = np.zeros(size[::-1], dtype=int)
    for box in (place.scene, *place.plots, *([place.panel] if place.panel else [])):
        covered[box.y : box.y + box.height, box.x : box.x + box.width] += 1
    assert (covered == 1).all()
    assert place.scale >= MIN_SCALE
    assert place.scene.width * place.scene.height >= 0.2 * size[0] * size[1]


@pytest.mark.parametrize("size", [(160, 90), (90, 160)])
@pytest.mark.parametrize("layout", ["plots", "lecture"])
def test_that_a_tiny_picture_is_drawn_too(scene, layout, size) -> None:
    (frame,) = frames_at(request_for(scene, layout=layout, size=size, plots=[1]), [1.0])
    assert frame.shape == (size[1], size[0], 3)


def test_that_a_plot_without_values_says_why() -> None:
    text = SCENE.replace("of: arm, relative_to: world, sequence", "of: nobody, relative_to: world, sequence")
    found = read(text)
    pair = found, compile_plan(found)
    (frame,) = frames_at(request_for(pair, layout="plots"), [1.0])
    box = arrange_parts("plots", SIZE, 2).plots[0]
    words = part(frame, box)[box.height // 2 : 3 * box.height // 4]
    assert (np.abs(words.astype(int) - rgb(DARK.plot_ground)).max(axis=-1) > 60).sum() > 20


# Where there is no display, and no main thread


def test_that_it_is_composed_without_a_display_and_off_the_main_thread(tmp_path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE)
    code = """
import sys, threading
from framescope.app import platforms
platforms.prepare_rendering(platforms.this_host())
from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
scene = load_scene("scene.yaml").scene
plan = compile_plan(scene)
def write(name):
    export(scene, plan, name, size=(320, 180), fps=4, stop=0.5, layout="lecture")
if sys.argv[1] == "threads":
    for name in ("a.gif", "b.gif"):
        thread = threading.Thread(target=write, args=(name,))
        thread.start()
        thread.join()
else:
    write("c.gif")
"""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    runs = [
        subprocess.Popen([sys.executable, "-c", code, how], cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
        for how in ("threads", "main")
    ]
    for run in runs:
        _, said = run.communicate(timeout=60)
        assert (run.returncode, said.decode()) == (0, "")
    made = [(tmp_path / name).read_bytes() for name in ("a.gif", "b.gif", "c.gif")]
    assert made[0] == made[1] == made[2]


# What cannot be met


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "plot"}, 'layout: expected scene, plots or lecture, got "plot". Did you mean "plots"?'),
        ({"layout": "plots", "plots": ["Frist"]}, 'plots: there is no plot "Frist". Did you mean "First"?'),
        ({"layout": "plots", "plots": [3]}, 'plots: there is no plot "3".*Or a number from 1 to 2.'),
        ({"layout": "plots", "plots": []}, "plots: none is named"),
        ({"plots": [1]}, "plots: the scene alone shows no plots. Add layout"),
        ({"layout": "lecture", "frame": "amr"}, 'frame: there is no frame "amr". Did you mean "arm"?'),
        ({"layout": "plots", "frame": "arm"}, "frame: only the layout lecture"),
        ({"layout": "plots", "bare": True}, "bare: the layout plots has more than the scene"),
        ({"path": "film.webm", "layout": "lecture", "transparent": True}, "transparent: the layout lecture has more"),
    ],
)
def test_that_what_cannot_be_composed_says_why_and_leaves_no_file(scene, tmp_path, options, message) -> None:
    path = tmp_path / options.pop("path", "film.mp4")
    with pytest.raises(ExportError, match=message):
        export(*scene, path, **options)
    assert list(tmp_path.iterdir()) == []


def test_that_a_scene_without_plots_or_with_too_many_says_so(tmp_path) -> None:
    bare = read("framescope: 1\nframes:\n  arm: {parent: world}\n")
    with pytest.raises(ExportError, match="layout: the scene has no plots"):
        export(bare, compile_plan(bare), tmp_path / "film.mp4", layout="plots")
    many = SCENE + "    - {signal: angles, of: arm, relative_to: world, sequence: XYZ, unit: deg}\n" * 8
    found = read(many)
    with pytest.raises(ExportError, match=r"plots: 10 do not fit into 720x720. Choose up to \d of them."):
        export(found, compile_plan(found), tmp_path / "film.mp4", layout="plots", size=(720, 720))


def test_that_the_numbers_of_a_legend_are_those_of_the_moment(scene) -> None:
    from framescope.app.exporters.rendering.plot_pane import charts_of

    request = request_for(scene, layout="plots", fps=7)
    curves = charts_of(request)[0]
    for t in request.times[[0, 5, 13]]:
        angles, _ = request.plan.angles("arm", float(t))
        assert curves.at(float(t)) == pytest.approx(np.degrees(angles), abs=1e-9)
        assert evaluate(request.plan, t).t == t


# Still pictures


@pytest.mark.parametrize("layout", ["plots", "lecture"])
@pytest.mark.parametrize("unit", [DEG, RAD])
def test_that_a_picture_is_composed_as_the_frame_of_a_film(scene, tmp_path, layout, unit) -> None:
    path = tmp_path / "a.png"
    write_picture(*scene, path, time=2.0, size=SIZE, layout=layout, plots=["second"], angle_unit=unit.key)
    with Image.open(path) as picture:
        drawn = np.asarray(picture).astype(int)
    (frame,) = frames_at(request_for(scene, layout=layout, plots=[2], angle_unit=unit.key, fps=30), [2.0])
    place = arrange_parts(layout, SIZE, 1)
    for box in (*place.plots, *([place.panel] if place.panel else [])):
        assert (part(drawn, box) == part(frame, box)).all()
    # Lines and letters of the scene are smoothed in another way, and no line is thinner than a pixel.
    blurred = [uniform_filter(part(pixels, place.scene).astype(float), (9, 9, 0)) for pixels in (drawn, frame)]
    assert np.abs(np.subtract(*blurred)).mean() < 3.0


def test_that_the_command_composes_a_picture_and_says_what_cannot_be(tmp_path) -> None:
    path, out = tmp_path / "scene.yaml", tmp_path / "a.png"
    path.write_text(SCENE)
    asked = ["picture", str(path), str(out), "--size", "640x360", "--layout", "lecture", "--frame"]
    result = CliRunner().invoke(app, [*asked, "still", "--plots", "1; Second", "--angle-unit", "rad"])
    assert (result.exit_code, result.output.strip()) == (0, str(out))
    with Image.open(out) as picture:
        assert picture.size == SIZE
    out.unlink()
    for options, message in (
        (["nobody"], 'frame: there is no frame "nobody"'),
        (["still", "--bare"], "bare: the layout lecture has more than the scene"),
        (["still", "--angle-unit", "grad"], 'angle_unit: expected deg or rad, got "grad"'),
    ):
        result = CliRunner().invoke(app, [*asked, *options])
        assert (result.exit_code, list(tmp_path.iterdir())) == (2, [path])
        assert message in result.output


# What is said beside the curves


def texts_painted(monkeypatch, request: ExportRequest) -> list[str]:
    """Return all texts that Qt paints into the first picture of an export."""
    said: list[str] = []
    draw = QPainter.drawText

    def drawn(self, *arguments):
        said.extend(part for part in arguments if isinstance(part, str))
        return draw(self, *arguments)

    monkeypatch.setattr(QPainter, "drawText", drawn)
    frames_at(request, [1.0])
    return said


def test_that_a_long_title_stands_whole_in_two_rows_and_axes_say_what_they_are(monkeypatch) -> None:
    title = "How the arm turns before the mast while the mast stands as still as it ever can with and without wind"
    found = read(SCENE.replace("title: First", f"title: {title}"))
    said = texts_painted(monkeypatch, request_for((found, compile_plan(found)), layout="plots"))
    assert not [text for text in said if "…" in text]
    assert title in " ".join(said)
    assert title not in said  # it had no room in one row
    assert "arm relative to world, in axes of arm · °/s" in said  # and the other plot has it in one
    assert {"Angles, °", "Angular velocity, °/s"} <= set(said)
    assert said.count("t, s") == 2


@pytest.mark.parametrize("title", ["W" * 40, "A title " * 25, "short", ""])
def test_that_rows_hold_a_text_and_find_room(title, qapp) -> None:
    font = fonts.text(13, 600)
    rows = rows_of(title, partial(fonts.width, font), 280.0)
    assert "".join(rows).replace(" ", "") == title.replace(" ", "")
    assert all(fonts.width(font, row) <= 280.0 for row in rows)


# What is said instead of curves


def test_that_the_note_of_a_plot_stands_in_its_middle(scene, qtbot) -> None:
    from framescope.app.exporters.rendering.plot_pane import PlotPane, charts_of

    curves = charts_of(request_for(scene, layout="plots"))[0]
    pane = PlotPane(1.0)
    empty = replace(curves, ys=curves.ys[:0], styles=(), note="nothing to be seen")
    images = []
    for shown in (empty, replace(empty, note=" ")):
        pane.show(shown, (0.0, 4.0), 400.0, 240.0)
        pane.set_lines(1)
        image = QImage(400, 240, QImage.Format.Format_RGB32)
        image.fill(QColor("black"))
        painter = QPainter(image)
        pane.paint_ground(painter)
        painter.end()
        images.append(image)
    rows = [y for y in range(240) if any(images[0].pixel(x, y) != images[1].pixel(x, y) for x in range(400))]
    area = pane.canvas.area
    middle = pane.header.height() + area.center().y()
    pane.close()
    assert rows
    assert abs((rows[0] + rows[-1]) / 2 - middle) < 4
