"""Answers by hand in pages of lessons: on phones, without read-outs, and the verdict on a former answer."""

from __future__ import annotations

import pytest

from framescope.app.exporters.registry import write
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.lesson_lookup import read_lesson
from framescope.features.lessons.core.staging import ANSWER
from framescope.ui.exports.options import ExportOptions
from tests.support.browser import Page

pytestmark = pytest.mark.window

PHONES = [(390, 844), (844, 390)]

LESSON = """
# By hand

## Number

```yaml
scene: aircraft
time: 1 s
plots: [Angles]
question: {form: number, ask: How many?, value: 3, tolerance: 0.1}
```

## Turn

The aircraft is turned by 50° about z, then by 28° about its own y, then by 40° about its own x.

```yaml
question: {form: turn, ask: Turn it., frame: aircraft, to: {form: axes, sequence: ZYX, angles: [50, 28, 40], unit: deg}}
```

## Point

```yaml
question: {form: point, ask: Point., frame: aircraft, axis: [0, 1, 0], hints: [Think.]}
```

## Two turns

```yaml
time: 10 s
select: north-east-down
staged: {frame: aircraft, turns: 2}
```

## Fixed axes

```yaml
staged: {frame: aircraft, turns: 1.5, axes: fixed}
```

## No turns

The angle is $\\psi$, with $\\cos\\psi$.

```yaml
select: aircraft
```

## A high arrow

```yaml
scene: sensor
time: 1 s
lit: [world, tip]
hide: [bench, plank]
camera: {position: [1.75, -3.3, 2.35], focal_point: [0.3, 0.25, 0.5], unit: m}
```
"""

SCENE = "document.getElementById('frame').contentDocument"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    path, out = folder / "hand.lesson.md", folder / "hand.html"
    path.write_text(LESSON)
    read = read_lesson(path)
    write(lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions()))
    return out


@pytest.fixture
def opened(browser, lesson):
    pages: list[Page] = []

    def open_lesson(size=(1280, 800), *, is_mobile: bool = False) -> Page:
        page = browser.open(lesson, size, is_reduced=True)
        if is_mobile:
            page.send("Emulation.setTouchEmulationEnabled", enabled=True)
            page.resize(size, 2.0, is_mobile=True)
        page.wait_until("Boolean(lesson.scene())")
        pages.append(page)
        return page

    yield open_lesson
    for page in pages:
        assert page.complaints == []
        page.close()


def go(page: Page, step: int) -> None:
    page.evaluate(f"lesson.go({step})")
    page.wait_until(f"lesson.step() === {step} && Boolean(lesson.scene()) && lesson.scene().time() >= 0")
    page.next_picture()


@pytest.mark.parametrize("size", PHONES, ids=["upright", "across"])
def test_that_the_numbers_of_arrows_keep_off_the_title(opened, size) -> None:
    page = opened(size, is_mobile=True)
    go(page, 6)
    box_of = "(e) => (({left, right, top, bottom}) => [left, right, top, bottom])(e.getBoundingClientRect())"
    title, values = page.evaluate(
        f"[[...{SCENE}.querySelectorAll('header.corner')].map({box_of})[0], "
        f"[...{SCENE}.querySelectorAll('.value')].filter((e) => e.checkVisibility()).map({box_of})]"
    )
    assert len(values) == 3
    for left, right, top, bottom in values:
        assert right <= title[0] or left >= title[1] or bottom <= title[2] or top >= title[3]


def test_that_letters_of_formulas_are_drawn_without_a_font_of_formulas(opened) -> None:
    page = opened()
    go(page, 5)
    names = page.evaluate(
        "[...document.querySelectorAll('#text mi')].map((e) => [e.textContent, getComputedStyle(e).fontStyle,"
        " getComputedStyle(e).textTransform])"
    )
    assert names == [["ψ", "italic", "none"], ["cos", "normal", "none"], ["ψ", "italic", "none"]]


def is_seen(page: Page, selector: str) -> bool:
    return page.evaluate(f"{SCENE}.querySelector('{selector}').checkVisibility()")


def reply(page: Page) -> list[str]:
    return page.evaluate("[document.getElementById('reply').textContent, document.getElementById('reply').className]")


def check(page: Page) -> str:
    page.evaluate("document.getElementById('check').click()")
    return reply(page)[1]


@pytest.mark.parametrize("size", PHONES, ids=["upright", "across"])
@pytest.mark.parametrize("step", [1, 2], ids=["turn", "point"])
def test_that_a_phone_shows_more_than_half_of_its_height_as_picture_and_all_sliders(opened, size, step) -> None:
    page = opened(size, is_mobile=True)
    go(page, step)
    height = page.evaluate(f"{SCENE}.getElementById('stage').clientHeight")
    assert height >= 0.55 * size[1]
    whole = "({top, bottom}) => top >= 0 && bottom <= frames[0].innerHeight"
    ranges = f"[...{SCENE}.querySelectorAll('#hand-angles input')]"
    assert page.evaluate(f"{ranges}.map(each => ({whole})(each.getBoundingClientRect()))") == [True] * 6
    assert min(page.evaluate(f"{ranges}.map(each => each.getBoundingClientRect().height)")) >= 44
    check_box = page.box("#check")
    assert check_box["bottom"] <= size[1], "the buttons are in sight without scrolling"
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("size", [(360, 640), (760, 480)], ids=str)
def test_that_a_small_page_has_picture_sliders_text_and_buttons(opened, size) -> None:
    page = opened(size)
    go(page, 2)
    assert page.evaluate(f"{SCENE}.getElementById('stage').clientHeight") >= 0.4 * size[1]
    assert page.box("#step")["height"] >= 120
    assert page.box("#check")["bottom"] <= page.box("#next")["top"]
    assert page.box("#next")["bottom"] <= size[1]
    assert page.box("#next")["top"] == page.box("#back")["top"]


def test_that_an_answer_can_be_checked_in_a_lesson_that_opens_at_its_step(browser, lesson) -> None:
    page = browser.open(lesson, (1280, 800), is_reduced=True)
    page.follow("step=2")
    page.reload()
    page.wait_until("window.lesson?.step() === 1 && Boolean(lesson.scene())")
    page.wait_until("document.getElementById('check')?.disabled === false")
    page.close()


def test_that_a_finger_turns_the_answer_by_its_tip_and_by_a_slider(opened) -> None:
    page = opened((390, 844), is_mobile=True)
    go(page, 1)
    before = page.evaluate(f"lesson.scene().orientation('{ANSWER}', 'world')")
    box = page.evaluate(f"{SCENE}.querySelector('#hand-angles input[type=range]').getBoundingClientRect().toJSON()")
    y = box["y"] + box["height"] / 2
    page.touch([(box["x"] + 0.5 * box["width"], y)], [(box["x"] + 0.8 * box["width"], y)])
    assert page.evaluate(f"lesson.scene().orientation('{ANSWER}', 'world')") != before


def test_that_a_question_puts_the_read_outs_away_and_an_answer_by_hand_has_its_sliders_alone(opened) -> None:
    page = opened()
    page.evaluate(f"{SCENE}.getElementById('numbers-shown').click()")
    assert is_seen(page, "#matrix")
    go(page, 0)
    assert [is_seen(page, each) for each in ("#matrix", "#hand-angles", "#plots", "#timeline")] == [
        False,
        False,
        True,
        True,
    ]
    go(page, 1)
    assert [is_seen(page, each) for each in ("#matrix", "#hand-angles", "#timeline")] == [False, True, True]
    page.evaluate(f"{SCENE}.getElementById('numbers-shown').click()")
    go(page, 2)
    assert [is_seen(page, each) for each in ("#matrix", "#hand-angles")] == [False, True]


def test_that_a_verdict_goes_when_the_answer_changes(opened) -> None:
    page = opened()
    go(page, 0)
    page.click("#answer input")
    page.type("3")
    assert check(page) == "is-right"
    page.type("x")
    assert reply(page) == ["", ""]
    assert page.evaluate("document.getElementById('check').disabled")
    go(page, 1)
    assert check(page) == "is-wrong"
    page.evaluate(f"{SCENE}.querySelector('#hand-angles input').dispatchEvent(new Event('input'))")
    assert reply(page) == ["", ""]


def test_that_a_step_is_shown_turn_by_turn(opened) -> None:
    page = opened()
    state = "decodeURIComponent(lesson.scene().state())"
    go(page, 3)
    assert page.evaluate(state) == "t=10.00&staged=ZYX,2,moving,active"
    assert is_seen(page, "#staged-bar")
    go(page, 4)
    assert page.evaluate(state) == "t=10.00&staged=ZYX,1.5,fixed,active"
    go(page, 5)
    assert page.evaluate(state) == "t=10.00"
    assert not is_seen(page, "#staged-bar")
    go(page, 3)
    assert is_seen(page, "#staged-bar")
