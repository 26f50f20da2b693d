import re
import subprocess
import sys
from dataclasses import fields

import pytest
from PySide6.QtGui import QFontInfo, QIcon, QRawFont
from PySide6.QtWidgets import QPushButton, QWidget

from framescope import assets
from framescope.ui import appearance, fonts, icons, stylesheet, theme


@pytest.fixture(params=["dark", "light"])
def each_theme(request):
    return theme.THEMES[request.param]


@pytest.fixture
def dressed(qapp):
    """Apply a theme and put everything back afterwards."""
    yield lambda chosen: appearance.apply_theme(qapp, chosen)
    appearance.apply_theme(qapp, theme.DARK)


@pytest.mark.parametrize(("role", "ground"), theme.TEXT_PAIRS)
def test_that_text_stands_out_from_its_ground(each_theme, role, ground):
    assert theme.contrast(getattr(each_theme, role), getattr(each_theme, ground)) >= 4.5


def test_that_every_colour_is_written_alike(each_theme):
    colors = [getattr(each_theme, field.name) for field in fields(each_theme) if field.type in (str, "str")]

    assert all(re.fullmatch(r"#[0-9A-F]{6}", color) for color in colors if color != each_theme.name)


def test_that_the_table_needs_neither_qt_nor_vtk():
    code = (
        "import sys; from framescope.ui import theme, stylesheet, units, ticks, icon_svg; "
        "print([m for m in sys.modules if m.split('.')[0] in ('PySide6', 'vtkmodules', 'pyvista', 'shiboken6')])"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def test_that_the_stylesheet_has_no_token_left_and_only_colours_of_the_table(each_theme):
    sheet = stylesheet.stylesheet(each_theme)
    known = {getattr(each_theme, field.name) for field in fields(each_theme)}

    assert "$" not in sheet
    assert set(re.findall(r"#[0-9A-Fa-f]{6}", sheet)) <= known
    assert sheet.count("{") == sheet.count("}")


def test_that_qt_reads_the_stylesheet(each_theme, dressed, qtbot, capfd):
    dressed(each_theme)
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.grab()

    assert "parse" not in capfd.readouterr().err


@pytest.mark.parametrize("key", theme.FONT_FILES)
def test_that_each_bundled_font_is_found_and_small(key, qapp):
    family, weight = key
    file = assets.path(theme.FONT_FILES[key])
    font = fonts.text(weight=weight) if family == theme.TEXT_FAMILY else fonts.number(weight=weight)

    assert file.stat().st_size < 1_000_000
    assert QFontInfo(font).family() == family
    assert QFontInfo(font).weight() == weight


def test_that_the_fonts_have_the_signs_of_the_window(qapp):
    for font, signs in ((fonts.text(), "αβγω′″₁₂₃²½°·×−Ω"), (fonts.number(), "αβγω°−×0123456789½")):
        raw = QRawFont.fromFont(font)
        assert [sign for sign in signs if not raw.supportsCharacter(ord(sign))] == []


@pytest.mark.parametrize("file", sorted(assets.path("third_party/icons").glob("*.svg")), ids=lambda file: file.stem)
def test_that_each_icon_is_drawn_in_its_colour(file, qapp):
    image = icons.pixmap(file.stem, "#FF0000", 16, 2.0).toImage()
    drawn = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]

    assert (image.width(), image.devicePixelRatio()) == (32, 2.0)
    assert drawn
    assert all(color.red() > 240 and color.green() < 15 for color in drawn)


def test_that_an_icon_follows_a_change_of_theme(dressed, qtbot):
    dressed(theme.DARK)
    button = QPushButton()
    qtbot.addWidget(button)
    icons.dress(button, "play", "quiet", "accent_text")
    before = button.icon().pixmap(16, QIcon.Mode.Normal, QIcon.State.Off).toImage()

    dressed(theme.LIGHT)

    after = button.icon().pixmap(16, QIcon.Mode.Normal, QIcon.State.Off).toImage()
    assert before != after
    assert appearance.current() is theme.LIGHT


def test_that_a_change_of_theme_is_announced_and_reaches_the_palette(dressed, qtbot, qapp):
    with qtbot.waitSignal(appearance.signals.theme_changed) as announced:
        dressed(theme.LIGHT)

    assert announced.args == [theme.LIGHT]
    assert qapp.palette().window().color().name().upper() == theme.LIGHT.panel


def test_that_an_unknown_asset_is_named():
    with pytest.raises(FileNotFoundError, match="no/such"):
        assets.path("no/such")


def test_that_colours_are_mixed_and_split():
    assert theme.mix("#000000", "#FFFFFF", 0.25) == "#404040"
    assert theme.channels("#FF0080") == pytest.approx((1.0, 0.0, 128 / 255))
