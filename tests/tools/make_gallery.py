"""Draw the thumbnails of the example gallery: ``python -m tests.tools.make_gallery [NAME …]``. Needs no display.

A scene, a robot and a step of a lesson are drawn at a telling time, a table as the path in it, and a bag as the bars of
its frames with their faults. Each is drawn at four times the pixels and reduced, then stored with as many pixels and
colours as its limit allows.
"""

from __future__ import annotations

import io
import os
import sys

import numpy as np
from PIL import Image

from framescope import assets
from framescope.app import platforms
from framescope.app.controllers.example_cards import picture_path
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.app.session.document import Document
from framescope.app.session.examples import examples
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import Example
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.theme.tokens import THEMES, Theme
from tests.support.approved_scenes import EXAMPLES_AT

PICTURE_SIZE = (416, 260)
"""Twice the size it is shown at, for screens with a scale factor."""

BARS_SIZE, ABOVE = (336, 210), 22
"""Size of the picture with the bars of a bag, and the room in it for the tag, logical pixels."""

MAX_BYTES = 20_000
COLORS = (256, 192, 128, 96, 64)
SHARES = (1.0, 0.8, 0.65, 0.5)
"""Of the width; the gallery enlarges it again."""

FURNITURE = BARE

STEPS = {
    "1-angles-and-sequences": (3, 1.0),
    "2-gimbal-lock": (2, 1.0),
    "3-angular-velocity-and-resolved-in": (2, 1.0),
    "4-active-and-passive": (2, 1.0),
    "5-bodies-on-points": (1, 0.5),
    "6-quaternions-and-the-double-cover": (1, 1.0),
    "7-intrinsic-against-extrinsic": (1, 1.0),
    "8-what-a-gyroscope-integrates": (2, 1.0),
    "9-velocities-at-other-points-of-a-body": (1, 1.0),
}
"""Telling step of a lesson, from 0, and the part of its playback after which it is drawn."""

DRAWN_INSTEAD = {"faulty/shuffled-packets": "scenes/faulty/shuffled-packets.solution.yaml"}
"""Scene that is drawn of an example whose own scene shows nothing."""

PATH = """\
framescope: 1
time: {end: 10 s}
frames:
  camera: {parent: world, motion: {form: recorded, file: FILE, format: tum, bandwidth: 4 Hz}}
bodies:
  lens: {frame: camera, color: frame, shape: {form: frustum, depth: 10 cm, width: 8 cm, height: 6 cm}}
view:
  triad_length: 0.12 m
  links: false
  trails: [{frame: camera, duration: 10 s}]
  camera: {position: [1.85, -0.15, 1.8], focal_point: [1.27, 0.6, 1.55], unit: m}
"""


def make(example: Example) -> None:
    """Draw one example in both themes."""
    for theme in THEMES.values():
        picture = Image.fromarray(_pixels(example, theme)).resize(PICTURE_SIZE, Image.Resampling.LANCZOS)
        target = picture_path(example, theme.name)
        target.write_bytes(_small(picture))
        print(f"{target.name}: {target.stat().st_size} bytes")


def _pixels(example: Example, theme: Theme) -> np.ndarray:
    if example.kind == "bag":
        return _bars(example, theme)
    plan, t = _moment(example)
    t = min(max(t, plan.start), plan.end)
    size = (2 * PICTURE_SIZE[0], 2 * PICTURE_SIZE[1])
    return drawn_picture(plan, t, size, theme, decorations=FURNITURE, samples=8, scale=0.9)


def _moment(example: Example) -> tuple[Plan, float]:
    """Return the plan that is drawn of an example, and the time, s."""
    path = assets.path(example.file)
    if example.kind == "lesson":
        from framescope.features.lessons.app.lesson_lookup import read_lesson

        read = read_lesson(path)
        i, part = STEPS.get(example.name, (0, 1.0))
        staging = read.stagings[i]
        end = staging.time if staging.play is None else staging.play.to.si("time", ())
        plan = compile_plan(_bare(staging.scene), access=Access(read.folder_of(staging.scene_name)))
        return plan, staging.time + part * (end - staging.time)
    if example.kind == "table":
        plan = compile_plan(_bare(parse_scene(PATH.replace("FILE", path.name))[0]), access=Access(path.parent))
        return plan, plan.end
    document = Document.open(assets.path(DRAWN_INSTEAD.get(example.name, example.file)))
    plan = compile_plan(_bare(document.scene), access=document.access)
    return plan, EXAMPLES_AT.get(example.name, 0.5 * (plan.start + plan.end))


def _bare(scene: Scene) -> Scene:
    """Return a scene without names and notes, which would cover half of so small a picture."""
    looks = {name: look.model_copy(update={"label": None}) for name, look in scene.view.frames.items()}
    view = scene.view.model_copy(update={"labels": False, "frames": FrozenDict(looks)})
    return scene.model_copy(update={"view": view, "notes": FrozenDict()})


def _bars(example: Example, theme: Theme) -> np.ndarray:
    """Draw the bars of the frames of a bag, with their faults."""
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QColor, QImage
    from PySide6.QtWidgets import QApplication

    from framescope.features.bags.app.recording_controller import frame_bars
    from framescope.features.bags.ui.frame_canvas import FrameCanvas
    from framescope.ui.theme import current_theme

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    current_theme.apply_theme(app, theme)
    document = Document.open(assets.path(example.file))
    plan = compile_plan(document.scene, access=document.access)
    canvas = FrameCanvas()
    canvas.resize(BARS_SIZE[0], BARS_SIZE[1] - ABOVE)
    canvas.set_frames(tuple(frame_bars(plan, diagnose(plan))))
    canvas.set_range(plan.start, plan.end)
    image = QImage(2 * PICTURE_SIZE[0], 2 * PICTURE_SIZE[1], QImage.Format.Format_RGB888)
    image.setDevicePixelRatio(image.width() / BARS_SIZE[0])
    image.fill(QColor(theme.panel))
    canvas.render(image, QPoint(0, ABOVE))
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


def _small(picture: Image.Image) -> bytes:
    """Return the PNG with the most pixels, then the most colours, that the limit allows."""
    for share in SHARES:
        size = (round(share * picture.width), round(share * picture.height))
        smaller = picture.resize(size, Image.Resampling.LANCZOS)
        for n_colors in COLORS:
            buffer = io.BytesIO()
            reduced = smaller.quantize(n_colors, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            reduced.save(buffer, "PNG", optimize=True)
            if buffer.tell() <= MAX_BYTES:
                return buffer.getvalue()
    raise SystemExit(f"no way to store this picture in {MAX_BYTES} bytes")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    platforms.prepare_rendering(platforms.this_host())
    for one in examples():
        if one.name in sys.argv[1:] or not sys.argv[1:]:
            make(one)
