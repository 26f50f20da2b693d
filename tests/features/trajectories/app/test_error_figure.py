"""Figure of errors: vectors, embedded fonts, and what cannot be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.features.trajectories.app.error_figure import (
    DASHES,
    SHADES,
    FigureCurve,
    FigureWords,
    shades,
    write_figure,
)

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]

WORDS = FigureWords("APE of translation", "translation, m")


def curve(n: int = 50, name: str = "slam") -> FigureCurve:
    t = np.arange(float(n))
    path = np.stack([np.cos(t / 9), np.sin(t / 9), 0.0 * t], axis=1)
    return FigureCurve(name, t, 0.01 * t, path, path + 0.01, np.arange(n))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_that_a_pdf_has_its_fonts_and_no_pictures(tmp_path, n) -> None:
    path = tmp_path / "e.pdf"
    write_figure(path, [curve(name=f"estimate {k}") for k in range(n)], WORDS)
    content = path.read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/FontFile" in content
    assert b"/Subtype /Image" not in content


def test_that_an_svg_names_its_curves(tmp_path) -> None:
    path = tmp_path / "e.svg"
    write_figure(path, [curve(name="a & <b>"), curve()], WORDS)
    text = path.read_text(encoding="utf-8")
    assert "a &amp; &lt;b&gt;" in text
    assert "slam" in text


def test_that_shades_fall_in_lightness_and_dashes_differ() -> None:
    lightness = SHADES @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness) < -15.0).all()
    assert len(set(DASHES)) == len(DASHES)
    assert shades(np.array([5.0]), 0.0) == [tuple(SHADES[0].astype(int).tolist())]


@pytest.mark.parametrize(
    "made", [curve(1), curve(2), FigureCurve("still", *[np.zeros(3)] * 2, *[np.zeros((3, 3))] * 2, np.arange(3))]
)
def test_that_little_and_still_data_are_drawn(tmp_path, made) -> None:
    write_figure(tmp_path / "e.pdf", [made], WORDS)
    assert (tmp_path / "e.pdf").stat().st_size > 1000


def test_that_a_long_path_stays_small(tmp_path) -> None:
    write_figure(tmp_path / "e.pdf", [curve(100_000)], WORDS)
    assert (tmp_path / "e.pdf").stat().st_size < 1_000_000


def test_that_other_kinds_of_files_nothing_and_missing_folders_are_refused(tmp_path) -> None:
    with pytest.raises(FramescopeError, match=r"written as \.pdf or \.svg"):
        write_figure(tmp_path / "e.png", [curve()], WORDS)
    with pytest.raises(FramescopeError, match="no errors to draw"):
        write_figure(tmp_path / "e.pdf", [], WORDS)
    with pytest.raises(FramescopeError, match="cannot be written"):
        write_figure(tmp_path / "none" / "e.pdf", [curve()], WORDS)
