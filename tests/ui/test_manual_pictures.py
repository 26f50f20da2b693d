"""Pictures of the manual: each page names those that exist, and the viewer shows that of its theme."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QImage, QTextDocument

from framescope import assets
from framescope.ui.help.manual_pictures import manual_picture, picture_path
from framescope.ui.theme import current_theme, markdown_pages
from framescope.ui.theme.tokens import DARK, LIGHT, THEMES

MAX_BYTES = 150_000
NAMED = re.compile(r"!\[([^\]]+)\]\(pictures/([a-z0-9-]+)-light\.png\)")


def named() -> dict[str, str]:
    """Return the pictures that pages name, with the words for those who do not see them."""
    pages = assets.path("manual").glob("*.md")
    return {name: words for page in pages for words, name in NAMED.findall(page.read_text("utf-8"))}


def test_that_each_named_picture_exists_in_each_theme_and_no_other() -> None:
    assert named()
    expected = {picture_path(name, theme) for name in named() for theme in THEMES}
    assert set(picture_path("x", "dark").parent.iterdir()) == expected
    for path in expected:
        assert path.stat().st_size <= MAX_BYTES


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_that_the_picture_has_the_ground_of_its_theme(qapp, theme) -> None:
    for name in named():
        with current_theme.painted_in(theme):
            image = manual_picture(f"pictures/{name}-light.png")
        lightness = image.pixelColor(image.width() // 2, 4).lightness()
        assert (lightness < 80) == theme.is_dark


def test_that_a_page_shows_it_with_its_words_and_other_images_stay_words(qapp) -> None:
    name = next(iter(named()))
    document = QTextDocument()
    text = (
        f"![A picture](pictures/{name}-light.png) and ![another](/etc/passwd.png) and ![far](https://example.org/a.png)"
    )
    markdown_pages.fill(document, text, pictures=manual_picture)
    images = [look.toImageFormat() for _, _, look in markdown_pages.fragments(document) if look.isImageFormat()]
    assert [image.name() for image in images] == [f"pictures/{name}-light.png"]
    assert images[0].width() < 700
    assert "another" in document.toPlainText()
    assert "far" in document.toPlainText()
    alone = QTextDocument()
    alone.setTextWidth(800.0)
    markdown_pages.fill(alone, f"![A picture](pictures/{name}-light.png)", pictures=manual_picture)
    height = manual_picture(f"pictures/{name}-light.png").deviceIndependentSize().height()
    assert height <= alone.size().height() <= height + 40, "a picture has no line of 135 % of its height"
    plain = QTextDocument()
    markdown_pages.fill(plain, text)
    assert not any(look.isImageFormat() for _, _, look in markdown_pages.fragments(plain))


@pytest.mark.parametrize(
    "other", ["", "pictures/none-light.png", "../pictures/which-way-light.png", "pictures/../x-light.png"]
)
def test_that_other_names_have_no_picture(qapp, other) -> None:
    assert manual_picture(other) is None
    assert QImage().isNull()
