"""Draw the pictures of the manual: ``python -m tests.tools.make_manual_pictures``. Needs no display.

Each is drawn by the program's own renderer in both themes, and stored with as many colours as its limit allows. Pages
name the light one; the manual of the program shows that of its theme.
"""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from framescope import assets
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.view import FrameLook
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.ui.help.manual_pictures import picture_path
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.theme.tokens import FONT_FILES, TEXT_FAMILY, THEMES, Theme

MAX_BYTES = 150_000
COLORS = (256, 192, 128, 96, 64)

READING = (640, 440)
"""Size of the picture of one reading, pixels: twice the size it is shown at."""

HEAD, GAP, LETTERS = 72, 16, 26
"""Height of the line above a reading, gap between two, and size of its letters, pixels."""

SCALE = 2.0
CAMERA = CameraState((-0.27, -0.46, 0.27), (0.06, -0.02, -0.015))


def readings() -> tuple[tuple[str, Scene], ...]:
    """Return the two readings of the matrix of the first example on the page, with the direction of each."""
    calibration = KALIBR.read(Source("camchain.yaml", KALIBR.example.encode()))
    (edge,) = calibration.edges
    right = scene_of(calibration, "camchain.yaml")
    look = right.view.model_copy(update={"frames": FrozenDict({WORLD: FrameLook(label=False)})})
    right = right.model_copy(update={"view": look})
    X = edge.X_PC.inverse()
    pose = {
        "position": {"value": (X.p_AB + 0.0).tolist(), "unit": "m"},
        "orientation": {"form": "matrix", "rows": (X.R_AB + 0.0).tolist(), "maps": "frame to parent"},
    }
    frames = {**right.frames, edge.child: {"parent": edge.parent, **pose}}
    wrong = Scene.model_validate({name: getattr(right, name) for name in right.model_fields_set} | {"frames": frames})
    words = "takes points of {} to {}"
    return (words.format(edge.parent, edge.child), right), (words.format(edge.child, edge.parent), wrong)


def which_way(theme: Theme) -> Image.Image:
    """Draw the two readings of one matrix side by side."""
    width, height = READING
    picture = Image.new("RGB", (2 * width + GAP, height + HEAD), theme.panel)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.truetype(str(assets.path(FONT_FILES[TEXT_FAMILY, 500])), LETTERS)
    for k, (words, scene) in enumerate(readings()):
        pixels = drawn_picture(compile_plan(scene), 0.0, READING, theme, decorations=BARE, camera=CAMERA, scale=SCALE)
        left = k * (width + GAP)
        picture.paste(Image.fromarray(np.ascontiguousarray(pixels)), (left, HEAD))
        pen.text((left + 8, HEAD // 2), words, theme.text, font, anchor="lm")
    return picture


def packed(picture: Image.Image) -> bytes:
    """Return a picture as a PNG of at most `MAX_BYTES` bytes."""
    for colors in COLORS:
        stored = io.BytesIO()
        picture.quantize(colors, dither=Image.Dither.NONE).save(stored, "PNG", optimize=True)
        if stored.tell() <= MAX_BYTES:
            return stored.getvalue()
    raise ValueError(f"the picture takes more than {MAX_BYTES:,} bytes")


PICTURES = {"which-way": which_way}
"""Function that draws each picture in a theme, by name."""


def main() -> None:
    """Draw all pictures."""
    for name, draw in PICTURES.items():
        for theme in THEMES.values():
            path = picture_path(name, theme.name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(packed(draw(theme)))
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
