"""Draw the thumbnails of the example gallery: ``python -m tests.tools.make_gallery [NAME …]``. Needs no display.

Each is a picture of the real scene at its telling time, drawn at four times the pixels and reduced, then stored with as
many pixels and colours as its limit allows.
"""

from __future__ import annotations

import io
import sys

from PIL import Image

from framescope import assets
from framescope.app import platforms
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.app.session.scene_lookup import example_names, example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.theme.tokens import THEMES
from tests.support.approved_scenes import EXAMPLES_AT

PICTURE_SIZE = (416, 260)
"""Twice the size it is shown at, for screens with a scale factor."""

MAX_BYTES = 20_000
COLORS = (256, 192, 128, 96, 64)
SHARES = (1.0, 0.8, 0.65, 0.5)
"""Of the width; the gallery enlarges it again."""

FURNITURE = BARE


def make(name: str) -> None:
    """Draw one example in both themes."""
    path = example_path(name)
    scene = load_scene(path).scene
    # Names would cover half of so small a picture.
    scene = scene.model_copy(update={"view": scene.view.model_copy(update={"labels": False})})
    plan = compile_plan(scene, access=Access(path.parent))
    width, height = PICTURE_SIZE
    for theme in THEMES.values():
        t = min(max(EXAMPLES_AT.get(name, 0.5 * (plan.start + plan.end)), plan.start), plan.end)
        pixels = drawn_picture(plan, t, (2 * width, 2 * height), theme, decorations=FURNITURE, samples=8, scale=0.9)
        picture = Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS)
        target = assets.path("gallery") / f"{name}-{theme.name}.png"
        target.write_bytes(_small(picture))
        print(f"{target.name}: {target.stat().st_size} bytes")


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
    platforms.prepare_rendering(platforms.this_host())
    for example in sys.argv[1:] or example_names():
        make(example)
