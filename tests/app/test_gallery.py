"""The example gallery, what its cards say, its pictures; and the links of the first start."""

from __future__ import annotations

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from framescope import assets
from framescope.app.controllers.example_cards import example_cards, picture_path
from framescope.app.session.scene_lookup import example_names
from framescope.ui.dialogs.example_gallery import CARD, Gallery
from framescope.ui.dialogs.welcome import Door, Doors
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT, METRICS, THEMES
from tests.support.hands import PLAIN, Key, picture, strike
from tests.tools.make_gallery import PICTURE_SIZE

pytestmark = pytest.mark.window

MAX_BYTES = 20_000


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", example_names())
def test_that_every_example_has_a_small_picture_with_something_on_it(name, theme):
    path = picture_path(name, theme)

    assert path.stat().st_size <= MAX_BYTES
    with Image.open(path) as picture_:
        width, height = picture_.size
        assert abs(width / height - PICTURE_SIZE[0] / PICTURE_SIZE[1]) < 0.02
        assert len(picture_.convert("RGB").getcolors(1_000_000)) > 20


def test_that_no_picture_is_left_of_an_example_that_is_gone():
    names = {path.name for path in assets.path("gallery").iterdir()}

    assert names == {f"{name}-{theme}.png" for name in example_names() for theme in THEMES}


def test_that_every_card_has_a_title_and_one_sentence():
    cards = example_cards()

    assert cards[0].name == "demo"
    assert {card.name for card in cards} == set(example_names())
    for card in cards:
        assert card.title
        assert card.teaches.endswith((".", "!", "?")), card
        assert 20 <= len(card.teaches) <= 180, card
        assert "`" not in card.teaches


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


def test_that_cards_stand_in_line_with_what_is_above_them(gallery):
    grid = gallery.grid
    first, third = (grid.visualRect(grid.model().index(i, 0)) for i in (0, 2))
    assert first.top() == third.top()
    left = grid.viewport().mapTo(gallery, first.topLeft()).x() + METRICS.gap
    right = grid.viewport().mapTo(gallery, third.topLeft()).x() + METRICS.gap + CARD.width()
    assert left == METRICS.padding
    assert right == gallery.search.geometry().right() + 1


def test_that_arrows_and_return_open_an_example(gallery):
    strike(gallery, Key.Key_Right)
    strike(gallery, Key.Key_Down)
    strike(gallery, Key.Key_Left)
    strike(gallery, Key.Key_Return)

    cards = example_cards()
    assert gallery.requested == [cards[3].name]
    assert not gallery.isVisible()


def test_that_a_click_opens_and_escape_does_not(gallery):
    grid = gallery.grid
    place = grid.visualRect(grid.model().index(1, 0)).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, PLAIN, place)
    assert gallery.requested == [example_cards()[1].name]

    gallery.show()
    strike(gallery, Key.Key_Escape)
    assert len(gallery.requested) == 1


def test_that_search_narrows_and_says_when_there_is_nothing(gallery):
    gallery.search.setFocus()
    QTest.keyClicks(gallery.search, "gimbal")
    assert "Gimbal lock" in gallery.titles()
    assert "Two pendulums" not in gallery.titles()
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "zzzz")
    assert gallery.titles() == []
    strike(gallery, Key.Key_Return)
    assert gallery.requested == []
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "springs")
    strike(gallery, Key.Key_Return)
    assert gallery.requested == ["three-springs"]


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


def test_that_the_cross_takes_them_away(links):
    QTest.mouseClick(links.dismiss, Qt.MouseButton.LeftButton)

    assert links.requested == ["dismissed"]
    assert not links.isVisible()


def test_that_they_stay_within_a_narrow_scene(links):
    links.scene.resize(300, 200)

    assert links.geometry().right() <= 300
