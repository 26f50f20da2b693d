"""The example gallery, what its cards say, its pictures; and the links of the first start."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from framescope import assets
from framescope.app.controllers.example_cards import example_cards, picture_path
from framescope.app.session.examples import examples
from framescope.app.session.scene_lookup import example_names, find_scene
from framescope.core.errors import SceneError
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.referenced_files import files_read
from framescope.core.system.features import Use
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.lesson_lookup import lesson_paths
from framescope.features.lessons.core import SUFFIX
from framescope.features.lessons.core.lesson import load_lesson
from framescope.ui.dialogs.example_gallery import CARD, CARD_ROLE, PICTURE, PURPOSES, Gallery, fit_text
from framescope.ui.dialogs.welcome import TOP, Door, Doors
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import DARK, LIGHT, METRICS, THEMES
from tests.support.cases import for_each
from tests.support.hands import PLAIN, Key, picture, strike
from tests.tools.make_gallery import PICTURE_SIZE

pytestmark = pytest.mark.window

MAX_BYTES = 20_000


NAMES = [example.name for example in examples()]
FOLDERS = ("scenes", "lessons")


def shipped_files() -> set[str]:
    """Return the files below the assets that a user can open, but for solutions and files that a scene reads."""
    files = {path for folder in FOLDERS for path in assets.path(folder).rglob("*") if path.is_file()}
    scenes = {path for path in files if path.suffix == ".yaml"}
    data = {read for path in scenes for read in files_read(load_scene(path).scene, Access(path.parent))}
    staged = {
        path.parent / step.moment.scene
        for path in files
        if path.name.endswith(SUFFIX)
        for step in load_lesson(path).steps
    }
    licences = {path for path in files if "LICENCE" in path.name}
    solutions = {path for path in files if path.name.endswith(".solution.yaml")}
    shown = files - data - staged - licences - solutions
    return {path.relative_to(assets.path("")).as_posix() for path in shown}


def test_that_every_shipped_file_has_a_card_in_exactly_one_use():
    files = [example.file for example in examples()]

    assert len(files) == len(set(files)) == len(set(NAMES))
    # The table is the recording of a scene besides.
    assert {*files} - {"scenes/freiburg1_xyz.txt"} == shipped_files()
    assert {path.name for path in lesson_paths()} <= {Path(file).name for file in files}
    assert {f"scenes/{name}.yaml" for name in example_names()} <= {*files}


def test_that_commands_take_the_names_of_all_examples_and_suggest_them():
    assert [find_scene(name) for name in NAMES] == [assets.path(example.file) for example in examples()]
    with pytest.raises(SceneError, match="trees-apart"):
        find_scene("bags/trees-appart.bag")
    with pytest.raises(SceneError, match="Check the folder"):
        find_scene("no such folder/scene.yaml")


@pytest.mark.parametrize("theme", THEMES)
@for_each("example", examples())
def test_that_every_example_has_a_small_picture_with_something_on_it(example, theme):
    path = picture_path(example, theme)

    assert path.stat().st_size <= MAX_BYTES
    with Image.open(path) as picture_:
        width, height = picture_.size
        assert abs(width / height - PICTURE_SIZE[0] / PICTURE_SIZE[1]) < 0.02
        assert len(picture_.convert("RGB").getcolors(1_000_000)) > 20


def test_that_no_picture_is_left_of_an_example_that_is_gone():
    paths = assets.path("gallery").iterdir()

    assert sorted(paths) == sorted(picture_path(example, theme) for example in examples() for theme in THEMES)


def test_that_every_card_has_a_title_and_one_sentence():
    cards = example_cards()

    assert [card.name for card in cards] == NAMES
    assert len({card.title + card.tag for card in cards}) == len(cards)
    for card in cards:
        assert card.title not in ("", card.name)
        assert card.teaches.endswith(".")
        assert card.teaches.count(". ") == 0
        assert 20 <= len(card.teaches) <= 110, card
        assert "`" not in card.teaches


def test_that_every_text_of_a_card_is_shown_whole(dark, qapp):
    width = CARD.width() - 20
    title, text = (
        QFontMetrics(fonts.text(*font)) for font in ((METRICS.base, QFont.Weight.DemiBold), (METRICS.caption,))
    )
    for card in example_cards():
        heading = title.boundingRect(QRect(0, 0, width, 999), int(Qt.TextFlag.TextWordWrap), card.title).height()
        below = CARD.height() - PICTURE.height() - METRICS.gap - heading - METRICS.inner // 2 - METRICS.inner
        assert heading <= 36
        assert fit_text(card.teaches, text, QRect(0, 0, width, below)) == card.teaches


def test_that_each_use_is_a_group_of_several_cards_and_each_example_selects_what_it_shows():
    uses = Counter(card.use for card in example_cards())
    assert tuple(PURPOSES) == tuple(uses) == get_args(Use)
    assert all(n > 1 for n in uses.values())
    for example in examples():
        assert (example.selected is None) == (example.kind in ("lesson", "table"))


@pytest.fixture
def gallery(qtbot, dark):
    gallery = Gallery(example_cards())
    qtbot.addWidget(gallery)
    gallery.requested = []
    gallery.example_requested.connect(gallery.requested.append)
    gallery.show()
    with qtbot.waitExposed(gallery):
        pass
    gallery.activateWindow()
    qtbot.waitUntil(gallery.isActiveWindow)
    return gallery


def rows_of(gallery) -> list[list[str]]:
    """Return the titles of the cards in the rows of the grid."""
    return [[index.data(CARD_ROLE).title for index in row] for row in gallery.grid.card_rows()]


def choose(gallery, use: str) -> None:
    button = next(button for button in gallery.uses.findChildren(QPushButton) if button.text() == use)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_that_cards_stand_in_line_with_what_is_above_them(gallery):
    grid = gallery.grid
    first, *_, last = (grid.visualRect(index) for index in grid.card_rows()[0])
    assert first.top() == last.top()
    left = grid.viewport().mapTo(gallery, first.topLeft()).x() + METRICS.gap
    right = grid.viewport().mapTo(gallery, last.topLeft()).x() + METRICS.gap + CARD.width()
    assert left == METRICS.padding == gallery.uses.geometry().left()
    assert right == gallery.search.geometry().right() + 1


def test_that_each_group_begins_a_row_below_its_heading(gallery):
    grid = gallery.grid
    indices = [grid.model().index(row, 0) for row in range(grid.model().rowCount())]
    headings = [index for index in indices if isinstance(index.data(CARD_ROLE), str)]

    assert gallery.headings() == [index.data(CARD_ROLE) for index in headings] == list(PURPOSES)
    for index in headings:
        first = grid.visualRect(grid.model().index(index.row() + 1, 0))
        assert first.top() == grid.visualRect(index).bottom() + 1
        assert first.left() == 0
    gallery.resize(gallery.width() - 2 * CARD.width(), gallery.height())
    QTest.qWait(50)
    assert all(len(row) <= 2 for row in rows_of(gallery))
    assert grid.horizontalScrollBar().maximum() == 0


def test_that_arrows_and_return_open_an_example(gallery):
    strike(gallery, Key.Key_Right)
    strike(gallery, Key.Key_Down)
    strike(gallery, Key.Key_Left)
    strike(gallery, Key.Key_Return)

    wanted = rows_of(gallery)[1][0]
    assert gallery.requested == [card.name for card in example_cards() if card.title == wanted and not card.tag]
    assert not gallery.isVisible()


def test_that_keys_reach_every_card_and_show_its_heading(gallery):
    titles = gallery.titles()
    seen = [gallery.current_title()]
    for _ in titles[1:]:
        strike(gallery, Key.Key_Right)
        seen.append(gallery.current_title())
    assert seen == titles
    strike(gallery, Key.Key_Right)
    assert gallery.current_title() == titles[-1]
    rows = rows_of(gallery)
    for _ in rows[1:]:
        strike(gallery, Key.Key_Up)
    assert gallery.current_title() in rows[0]
    strike(gallery, Key.Key_End)
    assert gallery.current_title() == titles[-1]
    strike(gallery, Key.Key_Home)
    assert gallery.current_title() == titles[0]
    assert gallery.grid.verticalScrollBar().value() == 0
    strike(gallery, Key.Key_PageDown)
    assert gallery.current_title() in rows[2]


def test_that_a_click_opens_and_escape_does_not(gallery):
    grid = gallery.grid
    place = grid.visualRect(grid.card_rows()[0][1]).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, PLAIN, place)
    assert gallery.requested == [example_cards()[1].name]

    gallery.show()
    heading = grid.visualRect(grid.model().index(0, 0)).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, PLAIN, heading)
    assert gallery.isVisible()
    strike(gallery, Key.Key_Escape)
    assert len(gallery.requested) == 1


def test_that_a_choice_shows_one_group_and_a_search_all_of_them(gallery):
    choose(gallery, "Film")
    assert gallery.headings() == ["Film"]
    assert gallery.titles() == [card.title for card in example_cards() if card.use == "Film"]
    gallery.grid.setFocus()
    for letter in "gimbal":
        strike(gallery, Key(ord(letter.upper())))
    assert gallery.search.text() == "gimbal"
    assert gallery.search.hasFocus()
    assert gallery.uses.choice == "All"
    assert gallery.headings() == ["Learn", "Build", "Film"]
    choose(gallery, "Build")
    assert gallery.titles() == ["Recorded camera and a gimbal"]
    choose(gallery, "Film")
    assert gallery.titles() == ["Gimbal lock, a film"]
    choose(gallery, "Check")
    assert gallery.titles() == []
    everything = next(button for button in gallery.findChildren(QPushButton) if button.text() == "Show all examples")
    QTest.mouseClick(everything, Qt.MouseButton.LeftButton)
    assert len(gallery.titles()) == len(example_cards())
    assert gallery.search.text() == ""
    assert gallery.uses.choice == "All"


def test_that_search_narrows_and_says_when_there_is_nothing(gallery):
    gallery.search.setFocus()
    QTest.keyClicks(gallery.search, "gimbal")
    assert gallery.titles().count("Gimbal lock") == 2  # the scene and the lesson
    assert "Two pendulums" not in gallery.titles()
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "zzzz")
    assert gallery.titles() == []
    strike(gallery, Key.Key_Return)
    assert gallery.requested == []
    strike(gallery, Key.Key_Escape)
    assert gallery.search.text() == ""
    assert gallery.isVisible()
    QTest.keyClicks(gallery.search, "springs")
    strike(gallery, Key.Key_Down)
    assert gallery.grid.hasFocus()
    strike(gallery, Key.Key_Return)
    assert gallery.requested == ["three-springs"]


@for_each(
    ("query", "title"),
    [
        ("slerp", "Three ways through five poses"),
        ("animation", "Three ways through five poses"),
        ("urdf", "An arm on a desk"),
        ("rosbag", "Look-ups that fail"),
        ("extrapolation into the future", "A drive that breaks off"),
        ("lesson book", "Intrinsic against extrinsic"),
        ("wxyz", "A calibration that does not fit"),
        ("tum", "A recorded path to import"),
        *(
            (query, "A rover that reads no signs")
            for query in ("rotated image", "picture on its side", "upside down", "sideways", "rolled mount")
        ),
    ],
)
def test_that_cards_are_found_by_topics_and_synonyms(gallery, query, title):
    gallery.search.clear()
    QTest.keyClicks(gallery.search, query)

    assert title in gallery.titles()
    assert len(gallery.titles()) < len(example_cards()) / 2


def test_that_words_come_before_runs_of_letters_inside_words(gallery):
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "ros")
    assert {"Look-ups that fail", "An arm on a desk"} <= set(gallery.titles())
    assert not any("gyroscope" in title.lower() for title in gallery.titles())
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "yroscop")  # no word begins so
    assert any("gyroscope" in title.lower() for title in gallery.titles())


SPOILERS = {
    "bags/two-parents.bag": ("two", "nodes", "parents"),
    "bags/clock-behind.bag": ("clock", "stamps", "late", "wheel"),
    "bags/trees-apart.bag": ("missing", "tree"),
    "bags/falls-silent.bag": ("node", "silent", "sent"),
    "bags/two-spellings.bag": ("spelling", "name"),
    "bags/turned-imu.bag": ("turned", "transform", "wrong"),
    "faulty/mirrored-matrix": ("mirror", "matrix", "left-handed"),
    "faulty/swapped-order": ("order", "quaternion"),
    "faulty/gyro-frame": ("frame in which", "resolved"),
    "faulty/shuffled-packets": ("order", "backward", "shuffled"),
    "faulty/rolled-camera": ("side", "turned", "roll", "rotated", "mount"),
}
"""Words by example that give its fault away."""


def test_that_no_card_gives_away_the_fault_that_is_to_be_found():
    cards = {card.name: card for card in example_cards()}
    assert SPOILERS.keys() <= cards.keys()
    for name, words in SPOILERS.items():
        text = f"{cards[name].title} {cards[name].teaches}".lower()
        assert not [word for word in words if word in text], text


def test_that_a_screen_reader_has_every_card_and_heading(gallery):
    model = gallery.grid.model()
    texts = [model.index(row, 0).data() for row in range(model.rowCount())]

    assert "Lesson: Gimbal lock. Predict which turn three rings lose, and where." in texts
    assert texts[0].startswith("Learn: ")
    names = {button.text(): button.accessibleName() for button in gallery.uses.findChildren(QPushButton)}
    assert names["Check"] == "show Check"
    assert gallery.grid.accessibleName() == "examples"


def test_that_cards_follow_the_theme(gallery, qapp):
    before = picture(gallery.grid.viewport())
    try:
        current_theme.apply_theme(qapp, LIGHT)
        after = picture(gallery.grid.viewport())
    finally:
        current_theme.apply_theme(qapp, DARK)

    assert after.pixelColor(20, 20).lightness() > before.pixelColor(20, 20).lightness() + 60


@pytest.fixture
def links(qtbot, dark):
    scene = QWidget()
    qtbot.addWidget(scene)
    scene.resize(800, 400)
    names = ("compare", "open", "new")
    links = Doors([Door(name, name.capitalize(), "search") for name in names], scene)
    links.requested, links.scene = [], scene
    links.opened.connect(links.requested.append)
    links.dismissed.connect(lambda: links.requested.append("dismissed"))
    scene.show()
    with qtbot.waitExposed(scene):
        pass
    scene.activateWindow()
    qtbot.waitUntil(scene.isActiveWindow)
    return links


def test_that_the_links_lead_where_they_say_by_mouse_and_by_key(links):
    QTest.mouseClick(links.buttons["compare"], Qt.MouseButton.LeftButton)
    links.buttons["open"].setFocus()
    strike(links, Key.Key_Space)
    strike(links, Key.Key_Tab)
    strike(links, Key.Key_Space)

    assert links.requested == ["compare", "open", "new"]


def resized_to(scene: QWidget, height: int) -> bool:
    """Ask for a height until the widget has it."""
    if scene.height() != height:
        scene.resize(scene.width(), height)
    return scene.height() == height


def test_that_a_low_scene_has_fewer_links_which_never_lie_on_each_other(links, qtbot):
    for height, names in ((400, ["compare", "open", "new"]), (TOP + 90, ["compare", "open"]), (TOP + 20, [])):
        links.scene.resize(800, height)
        QApplication.processEvents()
        # A window manager that is still placing the window may give it back its old size once.
        qtbot.waitUntil(lambda height=height: resized_to(links.scene, height))
        shown = [name for name, button in links.buttons.items() if button.isVisible()]
        assert shown == names[: len(shown)]
        assert len(shown) <= len(names)
        areas = [links.buttons[name].geometry() for name in shown]
        assert all(first.bottom() < second.top() for first, second in pairwise(areas))
        assert all(links.buttons[name].height() >= links.buttons[name].sizeHint().height() for name in shown)
    links.scene.resize(800, 400)
    links.offer("open", False)
    assert not links.buttons["open"].isVisible()
    assert links.buttons["new"].isVisible()


def test_that_the_cross_takes_them_away(links):
    QTest.mouseClick(links.dismiss, Qt.MouseButton.LeftButton)

    assert links.requested == ["dismissed"]
    assert not links.isVisible()


def test_that_they_stay_within_a_narrow_scene(links):
    links.scene.resize(300, 200)

    assert links.geometry().right() <= 300
