"""Formulas in captions of films and pictures are set, and are nowhere shown as TeX."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.captions import (
    Caption,
    band_height,
    caption_rows,
    caption_style,
    caption_with_formulas,
    row_height,
)
from framescope.app.exporters.registry import request_for
from framescope.app.exporters.rendering.caption_band import CaptionBand
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.geometry.sprites import text_width
from tests.support.examples import example
from tests.support.films import write_picture

SIZE, SCALE = (640, 360), 1.0
FRACTION = r"The rate is $\dot\psi = \frac{r}{\cos\theta}$, at once"


def height_of(text: str) -> int:
    return band_height([Caption(0.0, text)], SIZE, SCALE)


def test_that_a_caption_of_words_is_laid_out_in_rows() -> None:
    text = "It costs 5 $ and 6 $, and `$x$` is code"
    assert caption_with_formulas(text, SIZE, SCALE, "#FFFFFF") is None
    assert height_of(text) - height_of("One row") == (len(caption_rows(text, SIZE, SCALE)) - 1) * row_height(SCALE)


def test_that_a_formula_is_set_and_a_caption_is_broken_between_words() -> None:
    picture = caption_with_formulas(FRACTION, SIZE, SCALE, "#FFFFFF")
    assert picture is not None
    assert 0 < picture.width < 0.7 * text_width(FRACTION, caption_style("#FFFFFF"), SCALE)
    assert np.asarray(picture)[..., 3].any()
    assert height_of(FRACTION) > height_of("One row")
    long = caption_with_formulas(f"{FRACTION}, " * 4, SIZE, SCALE, "#FFFFFF")
    assert long is not None
    assert long.width <= SIZE[0]
    assert long.height > 1.8 * picture.height


@pytest.mark.parametrize("options", [{}, {"transparent": True}], ids=["opaque", "transparent"])
def test_that_the_band_of_a_film_has_the_formula_in_its_middle(options) -> None:
    scene, plan, _ = example("aircraft")
    path = "film.webm" if options else "film.mp4"
    request = request_for(scene, plan, path, ExportOptions(size=SIZE, captions=[f"0: {FRACTION}"], **options))
    band = CaptionBand(request)
    height = band.above(request).size[1]
    frame = band.below(np.zeros((height, SIZE[0], 4 if options else 3), np.uint8), 1.0)
    strip = frame[height:].astype(int)
    columns = np.flatnonzero(np.abs(strip - strip[:, :1]).max(axis=(0, 2)))
    assert abs(columns[0] + columns[-1] - SIZE[0]) < 6


@pytest.mark.window
def test_that_a_vector_picture_has_no_tex(qapp, tmp_path) -> None:
    scene, plan, _ = example("aircraft")
    write_picture(scene, plan, tmp_path / "still.svg", size=SIZE, captions=[f"0: {FRACTION}"], time=1.0)
    text = (tmp_path / "still.svg").read_text(encoding="utf-8")
    assert "frac" not in text
    assert "$" not in text
    assert text.count("<image") == 2
