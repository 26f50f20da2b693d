"""Exported pages before axe-core, which knows the rules of accessible pages: no violation, in any of their states."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.app.exporters.registry import export, write
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.lesson_lookup import lesson_paths, read_lesson
from framescope.ui.exports.options import ExportOptions
from tests.support import foreign
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

WIDE, PHONE = (1100, 760), (390, 844)

VIOLATIONS = """axe.run(document, { iframes: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) => (
  nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`))))"""


@pytest.fixture(scope="module")
def axe() -> str:
    """Give the code of axe-core."""
    path = foreign.INSTALLED / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("not run: axe-core is missing")
    return path.read_text(encoding="utf-8")


def violations(page: Page, axe: str) -> list[str]:
    """Return what axe-core finds fault with."""
    page.evaluate(f"{axe}; 0")
    return page.evaluate(VIOLATIONS)


@pytest.fixture(scope="module", params=[True, False], ids=["with sliders", "played"])
def scene_page(request, tmp_path_factory):
    """Give a page of the aircraft."""
    scene, plan, _ = example("aircraft")
    path = tmp_path_factory.mktemp("page") / "aircraft.html"
    export(scene, plan, path, interactive=request.param, accuracy=0.5, start=0.0, stop=2.0)
    return path


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_that_a_page_of_a_scene_has_no_violation(browser, axe, scene_page, size, theme) -> None:
    page = browser.open(scene_page, size, is_reduced=True)
    if size == PHONE:
        page.resize(size, 2.0, is_mobile=True)
    page.evaluate(f"framescope.setTheme('{theme}')")
    page.next_picture()
    assert violations(page, axe) == []
    page.evaluate("document.getElementById('large').click()")
    page.next_picture()
    assert violations(page, axe) == []
    page.press("s")  # turn by turn, where there are sliders
    assert violations(page, axe) == []
    page.evaluate("document.getElementById('keys').showModal()")
    page.next_picture()
    assert violations(page, axe) == []
    page.close()


def test_that_axe_sees_what_is_wrong(browser, axe, scene_page) -> None:
    page = browser.open(scene_page, WIDE, is_reduced=True)
    page.evaluate("document.getElementById('of').previousElementSibling.remove()")
    page.evaluate("document.getElementById('play').removeAttribute('aria-label')")
    page.evaluate("document.getElementById('play').title = ''")
    found = "\n".join(violations(page, axe))
    assert "select-name: #of" in found
    assert "button-name: #play" in found
    page.close()


@pytest.mark.parametrize(
    ("path", "count"),
    [(lesson_paths()[3], 1), *(pytest.param(path, 99, marks=pytest.mark.soak) for path in lesson_paths())],
    ids=lambda each: each.name.partition(".")[0] if isinstance(each, Path) else str(each),
)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_that_a_page_of_a_lesson_has_no_violation(browser, axe, tmp_path, path, count, size) -> None:
    read = read_lesson(path)
    out = tmp_path / "lesson.html"
    write(lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions()))
    page = browser.open(out, size, is_reduced=True)
    for i in range(min(len(read.stagings), count)):
        page.evaluate(f"lesson.go({i})")
        page.wait_until(f"lesson.step() === {i} && Boolean(lesson.scene())")
        assert violations(page, axe) == [], i
        page.evaluate("[...document.querySelectorAll('#show, #check')].find(e => e.checkVisibility())?.click()")
        page.next_picture()
        assert violations(page, axe) == [], i
    page.close()
