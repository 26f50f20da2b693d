"""Colours that can be read, icons and fonts that are there, and a theme that reaches every pixel."""

import ast
import functools
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from dataclasses import asdict, fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QFile, QObject, QRect, Qt
from PySide6.QtGui import QColor, QFontDatabase, QFontInfo, QImage, QPalette, QRawFont
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

import framescope.app
import framescope.features
import framescope.ui
from framescope import assets
from framescope.ui.dialogs.question_buttons import give_buttons_room
from framescope.ui.theme import current_theme, fonts, icons
from framescope.ui.theme.stylesheet import IMAGE_SCHEME, images, stylesheet
from framescope.ui.theme.tokens import (
    AXIS_LETTERS,
    DARK,
    FONT_FILES,
    LIGHT,
    METRICS,
    NUMBER_FAMILY,
    TEXT_FAMILY,
    THEMES,
    Theme,
    channels,
    contrast,
    mix,
)
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.gauge import GaugeBar
from framescope.ui.widgets.inline_message import InlineMessage
from tests.support.colour_vision import MACHADO, VIENOT, ciede2000, difference_seen
from tests.support.hands import show

READABLE = 4.5
both_themes = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))

ROLES = {field.name for field in fields(Theme)} - {"name", "is_dark"}
SOURCES = sorted(
    path
    for package in (framescope.ui, framescope.app, framescope.features)
    for path in Path(package.__path__[0]).rglob("*.py")
)
# Where a call names an icon: the place of that argument.
ICON_ARGUMENTS = {
    "IconButton": 0,
    "EmptyState": 0,
    "set_icon": 0,
    "icon": 0,
    "pixmap": 0,
    "tint_icon": 0,
    "push_button": 1,
    "dress": 1,
}
COLOR_CALLS = {"color", "qcolor"}

# Every text role with the grounds it may stand on, held to 4.5:1 by a test. Disabled text is exempt.
_GROUNDS = ("window", "panel", "field", "raised", "hover", "selected_row", "plot_ground", "scene_top")
TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *(("text", ground) for ground in (*_GROUNDS, "scene_bottom", "amber_ground", "red_ground")),
    *(("quiet", ground) for ground in _GROUNDS),
    *(("accent_text", ground) for ground in ("panel", "field", "raised", "selected_row", "scene_top")),
    *(
        (f"axis_{letter}_text", ground)
        for letter in AXIS_LETTERS
        for ground in ("panel", "field", "selected_row", "scene_top")
    ),
    *(("good", ground) for ground in ("panel", "field", "selected_row")),
    *(("amber", ground) for ground in ("panel", "field", "selected_row", "amber_ground")),
    *(("red", ground) for ground in ("panel", "field", "selected_row", "red_ground")),
    ("on_accent", "accent"),
)


APART = 20.0
"""CIEDE2000 difference from which on two colours are told apart at a glance, in a legend or across a lecture room."""


@pytest.fixture(autouse=True)
def dark_again(qapp):
    """Leave the theme as other tests expect it."""
    current_theme.apply_theme(qapp, DARK)
    yield
    if current_theme.current() is not DARK:
        current_theme.apply_theme(qapp, DARK)


NAMING = re.compile(rf"\b(?:{'|'.join({*ICON_ARGUMENTS, *COLOR_CALLS})})\(|_icon\(|ICONS\b")
"""What stands in a source that names icons or colours."""


@functools.cache
def nodes() -> list[ast.AST]:
    texts = (path.read_text(encoding="utf-8") for path in SOURCES)
    return [node for text in texts if NAMING.search(text) for node in ast.walk(ast.parse(text))]


def called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def choices(argument: ast.expr) -> set[str]:
    """Return the texts an argument may be, as far as they stand there: `"a"`, `"a" if x else "b"`, `*("a", 1)`."""
    match argument:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return choices(body) | choices(orelse)
        case ast.Starred(value=value) | ast.Tuple(elts=[value, *_]):
            return choices(value)
    return set()


def icons_in_code() -> set[str]:
    """Collect the icons that calls, tables `..._ICONS` and functions `..._icon` name."""
    found = set()
    for node in nodes():
        if isinstance(node, ast.Call) and called(node) in ICON_ARGUMENTS:
            place = ICON_ARGUMENTS[called(node)]
            for argument in node.args[place : place + 1]:
                found |= choices(argument) - {""}
        elif isinstance(node, ast.FunctionDef) and node.name.endswith("_icon"):
            returns = (n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value)
            found |= {name for value in returns for name in choices(value)}
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id.endswith("ICONS") for target in targets):
                for value in node.value.values:
                    found |= choices(value)
    return found


def roles_in_code() -> set[str]:
    """Collect the plain roles that are asked for by name."""
    found = set()
    for node in nodes():
        if isinstance(node, ast.Call) and called(node) in COLOR_CALLS and node.args:
            found |= choices(node.args[0])
    return {role for role in found if not role.startswith("#")}


def rules(sheet: str) -> list[tuple[str, dict[str, str]]]:
    """Split a stylesheet into selectors and their declarations."""
    found = []
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        pairs = (part.split(":", 1) for part in body.split(";") if part.strip())
        found.append((selector.strip(), {name.strip(): value.strip() for name, value in pairs}))
    return found


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def colors_of(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}


# --- The table


@both_themes
@pytest.mark.parametrize("simulation", [MACHADO, VIENOT], ids=["Machado", "Vienot"])
def test_that_what_is_told_by_colour_is_told_to_eyes_that_lack_green_too(theme, simulation) -> None:
    pairs = [("amber", "red")]
    for suffix in ("", "_text"):
        pairs += combinations([f"axis_{letter}{suffix}" for letter in AXIS_LETTERS], 2)
    seen = {pair: difference_seen(*(getattr(theme, role) for role in pair), simulation) for pair in pairs}
    assert {pair: round(found, 1) for pair, found in seen.items() if found < APART} == {}


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_that_differences_of_colours_are_those_of_the_published_pairs(first, second, difference) -> None:
    assert ciede2000(np.array(first), np.array(second)) == pytest.approx(difference, abs=5e-5)


@both_themes
def test_that_every_role_is_a_colour(theme) -> None:
    values = {role: value for role, value in asdict(theme).items() if role in ROLES}
    assert set(values) == ROLES
    assert [role for role, value in values.items() if not re.fullmatch("#[0-9A-F]{6}", value)] == []


@pytest.mark.process
def test_that_the_table_needs_neither_qt_nor_vtk() -> None:
    code = (
        "import sys; from framescope.ui.theme import icon_svg, stylesheet, tokens as theme; "
        "from framescope.ui.formatting import ticks, number_text as units; "
        "print({m.partition('.')[0] for m in sys.modules} & {'PySide6', 'shiboken6', 'vtkmodules', 'pyvista'})"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_that_the_themes_are_known_by_their_names() -> None:
    assert {name: theme.name for name, theme in THEMES.items()} == {"dark": "dark", "light": "light"}
    assert DARK.is_dark
    assert not LIGHT.is_dark
    assert contrast(DARK.window, "#000000") < contrast(LIGHT.window, "#000000")


@both_themes
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS, ids=lambda role: role)
def test_that_text_can_be_read_on_its_ground(theme, text, ground) -> None:
    assert contrast(getattr(theme, text), getattr(theme, ground)) >= READABLE


@pytest.mark.parametrize(
    "pair",
    [
        *((f"axis_{letter}_text", ground) for letter in AXIS_LETTERS for ground in ("panel", "field")),
        ("quiet", "panel"),
        ("on_accent", "accent"),
        ("amber", "amber_ground"),
        ("red", "red_ground"),
        ("text", "amber_ground"),
        ("text", "red_ground"),
        ("quiet", "plot_ground"),
    ],
    ids="-on-".join,
)
def test_that_the_pairs_that_matter_most_are_held_to_it(pair) -> None:
    assert pair in TEXT_PAIRS


@both_themes
def test_that_the_stylesheet_sets_no_text_that_cannot_be_read(theme) -> None:
    faint = []
    for selector, style in rules(stylesheet(theme)):
        for text, ground in (("color", "background"), ("selection-color", "selection-background-color")):
            pair = style.get(text, ""), style.get(ground, "")
            is_live = all(value.startswith("#") for value in pair) and ":disabled" not in selector
            if is_live and contrast(*pair) < READABLE:
                faint.append((selector, *pair))
    assert faint == []


@both_themes
def test_that_the_axes_are_told_apart_from_the_ground_and_from_each_other(theme) -> None:
    for mark in theme.axes:
        assert contrast(mark, theme.scene_top) >= 3.0
        assert contrast(mark, theme.plot_ground) >= 3.0
    assert len(set(theme.axes)) == len(set(theme.axis_texts)) == 3


SEEN = 3.0
"""Contrast from which on a mark or an outline is seen on its ground."""


@pytest.mark.parametrize("ground", ["field", "panel", "raised"])
def test_that_the_outline_of_a_field_is_seen_in_the_light_theme(ground) -> None:
    assert contrast(LIGHT.field_border, getattr(LIGHT, ground)) >= SEEN
    assert LIGHT.field_border != LIGHT.border, "menus, buttons and cards keep a quieter line"


@both_themes
@pytest.mark.parametrize("ground", ["scene_top", "scene_bottom"])
@pytest.mark.parametrize("role", ["sensor", "force", "omega", "frame_a"])
def test_that_arrows_are_seen_against_the_scene(theme, role, ground) -> None:
    assert contrast(getattr(theme, role), getattr(theme, ground)) >= SEEN


@both_themes
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_that_the_hint_in_an_empty_field_can_be_read(qapp, qtbot, theme, kind) -> None:
    current_theme.apply_theme(qapp, theme)
    field = kind()
    qtbot.addWidget(field)
    field.setPlaceholderText("Numbers in question")
    show(field, qtbot)
    color = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert color.alphaF() == 1.0
    for ground in (theme.field, theme.raised, theme.panel):
        assert contrast(color.name(), ground) >= READABLE


def test_that_contrast_agrees_with_the_known_values() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=1e-3)
    assert contrast("#336699", "#336699") == 1.0
    assert contrast("#112233", "#AABBCC") == contrast("#AABBCC", "#112233")


def test_that_a_mix_begins_and_ends_at_its_colours() -> None:
    assert mix("#102030", "#A0B0C0", 0.0) == "#102030"
    assert mix("#102030", "#A0B0C0", 1.0) == "#A0B0C0"
    assert channels("#00FF80") == pytest.approx((0.0, 1.0, 128 / 255))


def test_that_every_role_that_is_asked_for_exists() -> None:
    asked = roles_in_code()
    assert len(asked) >= 10
    assert asked - ROLES == set()


def test_that_a_plain_colour_is_handed_through_and_opacity_kept() -> None:
    assert current_theme.color("#12AB34") == "#12AB34"
    assert current_theme.color("accent") == DARK.accent
    assert current_theme.qcolor("accent", 0.5).alphaF() == pytest.approx(0.5, abs=0.01)


# --- Files


def test_that_every_icon_named_in_code_exists() -> None:
    named = icons_in_code()
    assert {"play", "pause", "chevron-up", "octagon-x", "chart-line", "rotate-3d", "sun", "moon"} <= named
    for name in named:
        assert assets.path(f"third_party/icons/{name}.svg").is_file()


def test_that_every_icon_takes_the_colour_it_is_given(qapp) -> None:
    for path in sorted(assets.path("third_party/icons").glob("*.svg")):
        image = icons.pixmap(path.stem, "#FF0000", 16, 2.0).toImage()
        painted = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 250]
        assert painted, path.stem
        assert {color.name() for color in painted} == {"#ff0000"}, path.stem


def test_that_an_icon_that_does_not_exist_is_refused(qapp) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-icon"):
        icons.pixmap("no-such-icon")


@pytest.mark.parametrize(("family", "weight"), FONT_FILES)
def test_that_every_font_file_exists_and_is_that_family(qapp, family, weight) -> None:
    path = assets.path(FONT_FILES[family, weight])
    face = QRawFont(str(path), 13.0)
    assert face.isValid()
    assert face.familyName().startswith(family)
    font = fonts.text(weight=weight) if family == TEXT_FAMILY else fonts.number(weight=weight)
    assert QFontInfo(font).weight() == weight


def test_that_the_fonts_come_with_their_licences() -> None:
    folder = assets.path("third_party/fonts")
    assert len(list(folder.glob("*LICENSE*"))) == len({family for family, _ in FONT_FILES})


def test_that_text_is_drawn_in_the_bundled_fonts(qapp) -> None:
    assert {TEXT_FAMILY, NUMBER_FAMILY} <= set(QFontDatabase.families())
    assert QFontInfo(fonts.text()).family() == TEXT_FAMILY
    assert QFontInfo(fonts.number()).family() == NUMBER_FAMILY
    assert fonts.text().pixelSize() == METRICS.base
    assert qapp.font().family() == TEXT_FAMILY


def test_that_numbers_are_tabular_and_no_ligature_changes_them(qapp) -> None:
    font = fonts.number()
    assert len({fonts.width(font, digit) for digit in "0123456789-−. "}) == 1
    assert fonts.width(font, "->") == 2 * fonts.width(font, "0")


def test_that_a_font_can_be_changed_by_who_asked_for_it(qapp) -> None:
    fonts.text().setPixelSize(40)
    assert fonts.text().pixelSize() == METRICS.base


def test_that_the_fonts_have_every_sign_that_the_window_shows(qapp) -> None:
    faces = [QRawFont(str(assets.path(FONT_FILES[family, 400])), 13.0) for family in (TEXT_FAMILY, NUMBER_FAMILY)]
    docstrings = {id(node.value) for node in nodes() if isinstance(node, ast.Expr)}
    texts = (node.value for node in nodes() if isinstance(node, ast.Constant) and id(node) not in docstrings)
    shown = {sign for text in texts if isinstance(text, str) for sign in text if ord(sign) > 127}
    # Marks of private use, and the controls and surrogates that patterns look for, are never shown.
    shown = {sign for sign in shown if unicodedata.category(sign) not in ("Co", "Cc", "Cs", "Cn", "Zl", "Zp")}
    assert "°" in shown
    assert {sign for sign in shown if not any(face.supportsCharacter(ord(sign)) for face in faces)} == set()


# --- The stylesheet


@both_themes
def test_that_the_stylesheet_is_filled_in_completely(theme) -> None:
    sheet = stylesheet(theme)
    assert "$" not in sheet
    assert sheet.count("{") == sheet.count("}")
    assert theme.accent in sheet


@both_themes
def test_that_every_colour_of_the_stylesheet_is_of_the_theme(theme) -> None:
    own = {value for role, value in asdict(theme).items() if role in ROLES}
    assert set(re.findall("#[0-9A-Fa-f]{6}", stylesheet(theme))) <= own


@both_themes
def test_that_every_image_of_the_stylesheet_is_written_in_its_colour(qapp, theme) -> None:
    current_theme.apply_theme(qapp, theme)
    named = set(re.findall(rf'url\("{IMAGE_SCHEME}:([^"]+)"\)', qapp.styleSheet()))
    assert named == set(images(theme))
    for file, (_, role) in images(theme).items():
        written = QFile(f"{IMAGE_SCHEME}:{file}")
        assert written.open(QFile.OpenModeFlag.ReadOnly)
        assert getattr(theme, role) in bytes(written.readAll().data()).decode()
        written.close()


@both_themes
def test_that_a_checked_box_shows_its_tick(qapp, qtbot, theme) -> None:
    current_theme.apply_theme(qapp, theme)
    box = QCheckBox()
    qtbot.addWidget(box)
    box.setChecked(True)
    seen = [QColor(name) for name in colors_of(picture(box))]
    wanted = QColor(theme.on_accent)
    nearest = min(
        max(abs(c.red() - wanted.red()), abs(c.green() - wanted.green()), abs(c.blue() - wanted.blue())) for c in seen
    )
    assert theme.accent in {c.name().upper() for c in seen}
    assert nearest < 40  # the stroke is thin and antialiased


# --- The theme on widgets


@pytest.fixture
def panel(qtbot):
    """Give a panel with one of each kind: styled, painted, and built from pixmaps."""
    panel = QWidget()
    qtbot.addWidget(panel)
    panel.setProperty("role", "panel")
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    panel.label = QLabel("text")
    panel.button = IconButton("play", "play")
    panel.gauge = GaugeBar()
    panel.gauge.set_value(0.5)
    panel.message = InlineMessage()
    panel.message.set_message("mend it")
    row = QHBoxLayout(panel)
    for widget in (panel.label, panel.button, panel.gauge, panel.message):
        row.addWidget(widget)
    panel.resize(400, 60)
    panel.show()
    with qtbot.waitExposed(panel):
        pass
    return panel


def test_that_a_switch_of_theme_changes_every_widget(qapp, panel) -> None:
    parts = (panel, panel.label, panel.button, panel.gauge, panel.message.icon_label)
    dark = [picture(part) for part in parts]
    current_theme.apply_theme(qapp, LIGHT)
    light = [picture(part) for part in parts]
    assert [a != b for a, b in zip(dark, light, strict=True)] == [True] * len(parts)
    assert dark[0].pixelColor(1, 1) == QColor(DARK.panel)
    assert light[0].pixelColor(1, 1) == QColor(LIGHT.panel)
    for theme, image in ((DARK, dark[3]), (LIGHT, light[3])):
        assert image.pixelColor(20, image.height() // 2) == QColor(theme.good)


def test_that_switching_there_and_back_leaves_no_trace(qapp, panel) -> None:
    before = picture(panel)
    current_theme.apply_theme(qapp, LIGHT)
    current_theme.apply_theme(qapp, DARK)
    assert picture(panel) == before


def test_that_a_switch_dresses_no_widget_again_for_each_of_its_ancestors(qapp, panel) -> None:
    class Ear(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.StyleChange:
                dressed[id(watched)] += 1
            return False

    dressed: Counter[int] = Counter()
    deep = panel
    for _ in range(6):
        deep = QWidget(deep)
    label = QLabel("deep", deep)
    deep.window().show()
    label.ensurePolished()
    ear = Ear()
    qapp.installEventFilter(ear)
    current_theme.apply_theme(qapp, LIGHT)
    qapp.removeEventFilter(ear)
    assert dressed[id(label)] == dressed[id(panel)] == 2  # the old clothes off, the new ones on


def test_that_a_change_of_theme_is_said_once(qapp, qtbot) -> None:
    heard = []
    current_theme.signals.theme_changed.connect(heard.append)
    current_theme.apply_theme(qapp, LIGHT)
    current_theme.signals.theme_changed.disconnect(heard.append)
    assert heard == [LIGHT]
    assert current_theme.current() is LIGHT
    assert qapp.palette().window().color() == QColor(LIGHT.panel)


def test_that_a_button_deleted_by_qt_does_not_disturb_a_switch(qapp, qtbot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    button = IconButton("play", "play", parent=holder)
    button.deleteLater()
    with qtbot.waitSignal(button.destroyed):
        pass
    current_theme.apply_theme(qapp, LIGHT)
    assert current_theme.current() is LIGHT


def test_that_a_toggle_shows_its_state_in_the_icon(qapp, qtbot) -> None:
    button = IconButton("repeat", "loop", checked_color="accent_text")
    qtbot.addWidget(button)
    off = picture(button)
    button.setChecked(True)
    assert picture(button) != off
    assert button.accessibleName() == button.toolTip() == "loop"


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_that_boxes_in_lists_and_tables_are_seen_and_quiet_ones_are_no_accent(qapp, qtbot, theme) -> None:
    current_theme.apply_theme(qapp, theme)
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    item = QTableWidgetItem("run")
    item.setCheckState(Qt.CheckState.Unchecked)
    table.setItem(0, 0, item)
    table.resize(200, 100)
    show(table, qtbot)
    assert QColor(theme.quiet).name().upper() in colors_of(picture(table.viewport()))
    item.setCheckState(Qt.CheckState.Checked)
    assert QColor(theme.accent).name().upper() in colors_of(picture(table.viewport()))
    box = QCheckBox("quiet")
    qtbot.addWidget(box)
    box.setChecked(True)
    box.setEnabled(False)
    show(box, qtbot)
    assert QColor(theme.accent).name().upper() not in colors_of(picture(box))


def test_that_the_corner_between_scroll_bars_is_of_the_panel(qapp, qtbot) -> None:
    current_theme.apply_theme(qapp, LIGHT)
    text = QPlainTextEdit("wide " * 100 + "\n" * 60)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    qtbot.addWidget(text)
    text.resize(200, 120)
    show(text, qtbot)
    qtbot.waitUntil(text.horizontalScrollBar().isVisible)  # it comes when the lines have been measured
    corner = picture(text).pixelColor(text.width() - 4, text.height() - 4)
    assert corner == QColor(LIGHT.panel)


@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("n_words", [1, 5, 8, 12, 25, 60])
def test_that_a_question_is_shown_whole(qapp, qtbot, n_words, is_named) -> None:
    current_theme.apply_theme(qapp, DARK)
    icon = QMessageBox.Icon.Question if is_named else QMessageBox.Icon.NoIcon
    text = " ".join(["unsaved"] * n_words) + ". Save it?"
    box = QMessageBox(
        icon, "Unsaved changes", text, QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel
    )
    qtbot.addWidget(box)
    box.show()
    with qtbot.waitExposed(box):
        pass
    label = box.findChild(QLabel, "qt_msgbox_label")
    flags = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag.TextSingleLine
    needed = label.fontMetrics().boundingRect(QRect(0, 0, label.width(), 2000), flags, text)
    assert needed.width() <= label.width()
    assert needed.height() <= label.height()


@pytest.mark.parametrize(
    "texts", [("Go on",), ("Write into a-robot-with-a-long-name.urdf", "Save as a scene", "Wait"), ()]
)
def test_that_a_question_has_room_for_its_buttons(qapp, qtbot, texts) -> None:
    current_theme.apply_theme(qapp, DARK)
    box = QMessageBox(QMessageBox.Icon.Question, "Save the scene", "Save it?")
    qtbot.addWidget(box)
    for text in texts:
        box.addButton(text, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Discard)
    box.addButton(QMessageBox.StandardButton.Cancel)
    give_buttons_room(box)
    box.show()
    with qtbot.waitExposed(box):
        pass
    for button in box.buttons():
        assert button.width() >= button.sizeHint().width(), button.text()
