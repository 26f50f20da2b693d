"""The manual in the window: contents, links, search; which page helps where; and that nothing in it leads nowhere."""

from __future__ import annotations

import re

import pytest
import yaml
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QRawFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from framescope import assets
from framescope.app.session.examples import examples
from framescope.core.time_functions.jets import FUNCTIONS
from framescope.features.lessons.app.lesson_lookup import lesson_paths, lesson_titles
from framescope.features.lessons.core import SUFFIX
from framescope.ui.help.manual_index import FIRST, ORDER, TOPIC, TOPICS, anchor_of, help_page_of, manual_pages, search
from framescope.ui.help.manual_viewer import ManualViewer
from framescope.ui.theme import current_theme, markdown_pages
from framescope.ui.theme.tokens import DARK, FONT_FILES, LIGHT, NUMBER_FAMILY, TEXT_FAMILY
from framescope.ui.window.dock_table import DOCKS
from tests.support.hands import PLAIN, Key, picture, strike
from tests.tools import make_manual

PAGES = manual_pages()
LESSONS = [path.name.removesuffix(SUFFIX) for path in lesson_paths()]
ANCHORS = {page.target: {heading.anchor for heading in page.headings} for page in PAGES}


def leads_somewhere(target: str) -> bool:
    name, _, anchor = target.partition("#")
    return name in ANCHORS and (not anchor or anchor in ANCHORS[name])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_every_link_leads_to_a_page_a_heading_or_an_example(page):
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", page.text.replace("\n", " "))
    links = re.findall(r"\]\(([^)]*)\)", text)
    wrong = [
        link
        for link in links
        if not (
            link.partition(":")[2] in {example.name for example in examples()}
            if link.startswith(("scene:", "lesson:"))
            else leads_somewhere(page.target + link if link.startswith("#") else link)
        )
    ]

    assert wrong == []


def test_that_the_page_of_keys_is_the_one_of_the_schema():
    """After a change of the schema, of settings or of navigation: python -m tests.tools.make_manual."""
    for name, text in make_manual.PAGES.items():
        assert next(one for one in PAGES if one.name == name).text == text()


def test_that_the_examples_of_the_page_of_keys_are_what_they_are_said_to_be():
    found = make_manual.examples()

    assert len(found) > 40
    for item in found.values():
        assert type(item).model_validate(yaml.safe_load(make_manual.example_text(item))) == item


def test_that_the_pages_are_all_there_in_their_order():
    assert tuple(page.name for page in PAGES) == ORDER
    assert {path.stem for path in assets.path("manual").glob("*.md")} == set(ORDER)
    assert all(len({h.anchor for h in page.headings}) == len(page.headings) for page in PAGES)


def test_that_every_topic_of_a_panel_is_in_the_manual():
    topics = [*TOPICS.values(), *(dock.help_page for dock in DOCKS.values())]
    assert [topic for topic in topics if not leads_somewhere(topic)] == []


def test_that_the_pages_list_all_lessons_and_examples():
    page = next(page for page in PAGES if page.name == "lessons")
    assert re.findall(r"\[([^\]]*)\]\(lesson:", page.text) == [title for title, _ in lesson_titles()]
    assert set(re.findall(r"\(lesson:([^)]*)\)", page.text)) == set(LESSONS)
    scenes = [example.name for example in examples() if example.kind not in ("lesson", "bag")]
    assert sorted(re.findall(r"\(scene:([^)]*)\)", PAGES[0].text)) == sorted(scenes)
    for name, dock in (("bags", "recording"), ("evidence", "evidence")):
        page = next(page for page in PAGES if page.name == name)
        assert re.findall(r"\(scene:([^)]*)\)", page.text) == [one.name for one in examples() if one.dock == dock]


def test_that_every_function_of_expressions_is_explained():
    page = next(page for page in PAGES if page.name == "expressions").text

    assert [name for name in FUNCTIONS if f"`{name}(" not in page] == []


def test_that_the_bundled_fonts_have_every_sign_of_the_manual(qapp):
    files = [FONT_FILES[family, 400] for family in (TEXT_FAMILY, NUMBER_FAMILY)]
    faces = [QRawFont(str(assets.path(file)), 13.0) for file in files]
    signs = {sign for page in PAGES for sign in page.text if sign.isprintable()}

    assert {sign for sign in signs if not any(face.supportsCharacter(ord(sign)) for face in faces)} == set()


def test_that_search_finds_headings_first_and_words_in_the_text():
    hits = search(PAGES, "gimbal laboratory")

    assert hits[0].target == "laboratory.md#gimbal-laboratory"
    assert search(PAGES, "Wörter die es nicht gibt") == []
    assert any(hit.target == "conventions.md#quaternions" for hit in search(PAGES, "hamilton scalar last"))
    assert search(PAGES, "") == []


@pytest.fixture
def viewer(qtbot, dark):
    requested = []
    viewer = ManualViewer(links={"scene": requested.append})
    qtbot.addWidget(viewer)
    viewer.requested = requested
    viewer.open_at(FIRST)
    with qtbot.waitExposed(viewer):
        pass
    qtbot.waitUntil(viewer.isActiveWindow)
    return viewer


def place_of_link(viewer, href: str) -> QPoint:
    """Return where a link is in the page."""
    browser = viewer.browser
    block = browser.document().begin()
    while block.isValid():
        it = block.begin()
        while not it.atEnd():
            part = it.fragment()
            if part.charFormat().anchorHref() == href:
                cursor = browser.textCursor()
                cursor.setPosition(part.position() + 2)
                browser.setTextCursor(cursor)
                browser.ensureCursorVisible()
                return browser.cursorRect(cursor).center()
            it += 1
        block = block.next()
    raise AssertionError(f"no link {href}")


def click(viewer, href: str) -> None:
    place = place_of_link(viewer, href)
    QTest.mouseMove(viewer.browser.viewport(), place)
    QTest.mouseClick(viewer.browser.viewport(), Qt.MouseButton.LeftButton, PLAIN, place)


def top_line(viewer) -> str:
    browser = viewer.browser
    return browser.cursorForPosition(QPoint(4, 6)).block().text()


def test_that_the_first_page_begins_at_its_top(viewer, qapp):
    qapp.processEvents()
    assert viewer.browser.verticalScrollBar().maximum() > 0
    assert viewer.browser.verticalScrollBar().value() == 0
    assert viewer.browser.textCursor().atStart()


def test_that_links_lead_to_pages_and_back(viewer):
    click(viewer, "expressions.md")
    assert viewer.target == "expressions.md"
    assert viewer.windowTitle() == "Manual: Expressions"
    strike(viewer, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert viewer.target == FIRST
    QTest.mouseClick(viewer.forward, Qt.MouseButton.LeftButton)
    assert viewer.target == "expressions.md"
    assert not viewer.forward.isEnabled()


def test_that_a_link_to_a_scene_asks_for_the_example(viewer):
    click(viewer, "scene:gimbal-lock")

    assert viewer.requested == ["gimbal-lock"]
    assert viewer.target == FIRST


def test_that_a_link_to_the_outside_is_shown_and_copied_and_not_followed(viewer):
    markdown_pages.fill(viewer.browser.document(), "See [there](https://example.org/page?a=1).")
    click(viewer, "https://example.org/page?a=1")

    assert QGuiApplication.clipboard().text() == "https://example.org/page?a=1"
    assert viewer.note.isVisible()
    assert "https://example.org/page?a=1" in viewer.note.text()
    assert viewer.target == FIRST


def test_that_pictures_are_not_loaded_from_anywhere(viewer, tmp_path):
    (tmp_path / "a.txt").write_text("secret")
    assert viewer.browser.loadResource(2, (tmp_path / "a.txt").as_uri()) is None


def test_that_a_heading_is_at_the_top_also_after_the_window_was_resized(viewer, qapp):
    viewer.show_page("window.md#timeline")
    qapp.processEvents()
    assert top_line(viewer) == "Timeline"
    viewer.resize(700, 500)
    qapp.processEvents()
    assert top_line(viewer) == "Timeline"


def test_that_the_contents_follow_the_page_and_a_click_there_leads(viewer):
    viewer.show_page("conventions.md#singularity")
    assert viewer.contents.currentItem().text(0) == "Singularity"
    item = viewer.contents.topLevelItem(1)
    viewer.contents.scrollToItem(item)
    place = viewer.contents.visualItemRect(item).center()
    QTest.mouseClick(viewer.contents.viewport(), Qt.MouseButton.LeftButton, PLAIN, place)
    assert viewer.target == "lessons.md"


def test_that_search_lists_places_and_return_goes_to_the_first(viewer):
    strike(viewer, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert viewer.search.hasFocus()
    QTest.keyClicks(viewer.search, "smoothstep")
    strike(viewer, Key.Key_Return)
    assert viewer.target.startswith("expressions.md")
    viewer.search.clear()
    QTest.keyClicks(viewer.search, "zzzz")
    assert "Nothing found" in viewer.contents.topLevelItem(0).text(0)
    strike(viewer, Key.Key_Escape)
    assert viewer.search.text() == ""
    strike(viewer, Key.Key_Escape)
    assert not viewer.isVisible()


def test_that_a_page_that_is_not_there_is_told(viewer):
    assert viewer.show_page("nothing.md") is False
    assert viewer.target == FIRST
    assert viewer.note.isVisible()


def test_that_headings_are_larger_and_the_page_follows_the_theme(viewer, qapp):
    heading = viewer.browser.document().begin().begin().fragment()
    assert heading.charFormat().font().pixelSize() > 16
    dark = picture(viewer.browser.viewport())
    try:
        current_theme.apply_theme(qapp, LIGHT)
        light = picture(viewer.browser.viewport())
    finally:
        current_theme.apply_theme(qapp, DARK)
    at = (4, 4)
    assert light.pixelColor(*at).lightness() > dark.pixelColor(*at).lightness() + 60


def test_that_the_topic_of_a_widget_is_the_nearest_around_it(qtbot):
    outer = QWidget()
    qtbot.addWidget(outer)
    inner, field = QWidget(outer), QLineEdit()
    field.setParent(inner)

    assert help_page_of(field) == FIRST
    assert help_page_of(None) == FIRST
    outer.setProperty(TOPIC, DOCKS["outline"].help_page)
    assert help_page_of(field) == "window.md#outline"
    inner.setProperty(TOPIC, DOCKS["plots"].help_page)
    assert help_page_of(field) == "window.md#plots"


def test_that_anchors_are_those_of_github():
    assert anchor_of("Resolved in, and relative to") == "resolved-in-and-relative-to"
