"""Pages on what they are looked at with: the viewer's own colour scheme, a phone, a finger, and paper."""

from __future__ import annotations

import base64

import pytest

from framescope.app.exporters.registry import export
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

PHONE = (390, 844)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Give the path of a page of the aircraft with sliders in a theme."""
    folder, made = tmp_path_factory.mktemp("media"), {}

    def page(theme: str | None = None):
        if theme not in made:
            scene, plan, _ = example("aircraft")
            made[theme] = folder / f"{theme}.html"
            export(scene, plan, made[theme], interactive=True, accuracy=0.5, start=0.0, stop=2.0, theme=theme)
        return made[theme]

    return page


def theme_of(page: Page) -> str:
    return page.evaluate("document.documentElement.dataset.theme")


def on_a_phone(browser, path) -> Page:
    page = browser.open(path, PHONE, is_reduced=True)
    page.resize(PHONE, 2.0, is_mobile=True)
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    page.send("Page.reload")
    page.wait_until("document.readyState === 'complete' && Boolean(window.framescope)")
    page.next_picture()
    return page


def test_that_a_page_has_the_scheme_of_its_viewer_until_another_is_chosen(browser, pages) -> None:
    for scheme in ("dark", "light"):
        page = browser.open(pages(), (640, 480), is_reduced=True, scheme=scheme)
        assert theme_of(page) == scheme
        other = {"dark": "light", "light": "dark"}[scheme]
        page.prefer(other, is_reduced=True)
        page.next_picture()
        assert theme_of(page) == other
        page.press("t")
        assert theme_of(page) == scheme
        page.prefer(scheme, is_reduced=True)
        page.prefer(other, is_reduced=True)
        page.next_picture()
        assert theme_of(page) == scheme, "it was chosen"
        assert page.complaints == []
        page.close()


@pytest.mark.parametrize("theme", ["light", "white"])
def test_that_a_light_page_that_was_asked_for_stays_light(browser, pages, theme) -> None:
    page = browser.open(pages(theme), (640, 480), is_reduced=True, scheme="dark")
    assert theme_of(page) == theme
    page.close()


def test_that_a_finger_hits_all_that_can_be_touched_on_a_phone(browser, pages) -> None:
    page = on_a_phone(browser, pages())
    seen = (
        "[...document.querySelectorAll('button, select, input')].filter(e => e.checkVisibility() && !e.closest('.tag'))"
    )
    for _ in range(2):
        small = page.evaluate(f"""{seen}.map(e => [e.id || e.ariaLabel, e.getBoundingClientRect()])
          .filter(([, box]) => box.height < 44 || box.width < 44 || box.left < 0 || box.right > innerWidth)
          .map(([name, box]) => [name, box.width, box.height, box.left])""")
        assert small == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click("#numbers-shown")
    tools, title = page.box("#tools"), page.box("h1")
    assert tools["bottom"] <= title["top"]
    page.close()


def test_that_a_printed_page_has_picture_and_numbers_on_light_ground_and_no_sliders(browser, pages) -> None:
    page = browser.open(pages(), (1100, 760), is_reduced=True)
    page.evaluate("""
      window.printed = null;
      addEventListener('beforeprint', () => {
        const isSeen = (id) => document.getElementById(id).checkVisibility();
        window.printed = {
          theme: document.documentElement.dataset.theme, picture: document.getElementById('printed').src,
          seen: ['stage', 'printed', 'position', 'matrix', 'quaternion', 'branch-1', 'of'].filter(isSeen),
          unseen: ['canvas', 'tools', 'timeline', 'gauge', 'hand-back'].filter(isSeen),
          ranges: [...document.querySelectorAll('input[type=range]')].filter(e => e.checkVisibility()).length,
          high: document.documentElement.scrollHeight,
        };
      });
    """)
    paper = base64.b64decode(page.send("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert paper.startswith(b"%PDF")
    printed = page.evaluate("window.printed")
    assert printed["theme"] == "light"
    assert printed["seen"] == ["stage", "printed", "position", "matrix", "quaternion", "branch-1", "of"]
    assert printed["unseen"] == []
    assert printed["ranges"] == 0
    assert printed["high"] < 1000, "one sheet of A4 has 1030 pixels between its margins"
    assert printed["picture"].startswith("data:image/png;base64,")
    assert len(printed["picture"]) > 20_000, "it is not empty"
    page.next_picture()
    assert theme_of(page) == "dark"
    assert page.evaluate("document.getElementById('canvas').checkVisibility()")
    assert page.complaints == []
    page.close()
