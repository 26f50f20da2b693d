"""Pages within a page of a course: their form, the wheel, the address, and messages in both directions."""

from __future__ import annotations

import json
import re

import pytest

from framescope import assets
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import export, write
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.lesson_lookup import read_lesson
from framescope.ui.exports.options import ExportOptions
from tests.support import foreign
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

COURSE, PAGES = "https://course.example", "https://pages.course.example"
SIZES = [(760, 480), (360, 640)]

LESSON = """
# Course

## One

```yaml
scene: aircraft
time: 0 s
question: {form: number, ask: How many?, value: 3, tolerance: 0.1, misreadings: [{value: 5, reply: No.}]}
```

## Two

Text.
"""

LISTEN = "<script>window.heard = []; addEventListener('message', event => heard.push(event.data))</script>"


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> dict[str, str]:
    """Give the texts of pages by name: with sliders, of a course alone, and of a lesson."""
    folder = tmp_path_factory.mktemp("pages")
    scene, plan, _ = example("aircraft")
    for name, hosts in (("aircraft", None), ("closed", ["https://other.example"])):
        export(scene, plan, folder / f"{name}.html", interactive=True, accuracy=0.5, stop=4.0, hosts=hosts)
    path = folder / "course.lesson.md"
    path.write_text(LESSON)
    read, out = read_lesson(path), folder / "lesson.html"
    write(lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions()))
    return {name: (folder / f"{name}.html").read_text(encoding="utf-8") for name in ("aircraft", "closed", "lesson")}


@pytest.fixture
def course(browser, texts):
    """Open a course around a page; all are closed in the end."""
    opened: list[Page] = []

    def open_course(source: str, size=(760, 480), *, origin=COURSE, room=200) -> Page:
        text = (
            f"<!DOCTYPE html><html lang=en><title>Course</title><body style='margin:0'>{LISTEN}<main><h1>Course</h1>"
            f"<iframe title='A scene' width={size[0]} height={size[1]} style='border:0' src='{source}'></iframe>"
            "<p style='height:3000px'>Text.</p></main>"
        )
        site = {f"{origin}/": text} | {f"{PAGES}/{name}.html": page for name, page in texts.items()}
        page = browser.open_site(site, (size[0], size[1] + room))
        page.wait_until("Boolean(window.framescope || window.lesson?.scene())", is_in_frame=True)
        opened.append(page)
        return page

    yield open_course
    for page in opened:
        assert page.complaints == []
        assert len([each for each in page.requests if each.endswith(".html")]) == 1
        page.close()


def say(page: Page, kind: str, **content: object) -> None:
    message = json.dumps({"framescope": 1, "type": kind, **content})
    page.evaluate(f"document.querySelector('iframe').contentWindow.postMessage({message}, '*')")
    page.next_picture()


def heard(page: Page, kind: str) -> list[dict]:
    return page.evaluate(f"heard.filter(each => each.type === '{kind}')")


def state(page: Page) -> str:
    return page.evaluate_in_frame("decodeURIComponent(framescope.state())")


def height(page: Page, selector: str) -> float:
    return page.evaluate_in_frame(f"document.querySelector('{selector}').getBoundingClientRect().height")


# The form


@pytest.mark.parametrize("size", [*SIZES, (320, 300)], ids=str)
def test_that_a_page_shows_the_picture_and_the_chosen_controls_alone(course, size) -> None:
    page = course(f"{PAGES}/aircraft.html#panel=0", size)
    assert height(page, "#stage") == size[1]
    seen = (
        "['#tools', '#panel', '#timeline', '#plots', '#whole'].filter(s => document.querySelector(s).checkVisibility())"
    )
    assert page.evaluate_in_frame(seen) == ["#whole"]
    page = course(f"{PAGES}/aircraft.html#controls=time,parameters,nonsense", size)
    assert page.evaluate_in_frame(seen) == ["#panel", "#timeline", "#whole"]
    entries = "[...document.querySelectorAll('#panel input[type=text]')].filter(e => e.checkVisibility())"
    assert page.evaluate_in_frame(f"{entries}.map(e => e.ariaLabel)") == ["yaw", "pitch", "roll"]
    assert height(page, "#stage") >= 0.44 * size[1]
    assert page.evaluate_in_frame("document.documentElement.scrollWidth") == size[0]
    assert page.evaluate_in_frame("document.querySelector('#timeline').getBoundingClientRect().bottom") == size[1]


def test_that_the_wheel_scrolls_the_course_until_the_picture_is_clicked(course) -> None:
    page = course(f"{PAGES}/aircraft.html#panel=0")
    middle = page.box("iframe")["x"] + 400, page.box("iframe")["y"] + 300

    def turn_wheel() -> float:
        before = page.evaluate("scrollY")
        page.mouse("mouseWheel", *middle, deltaX=0, deltaY=40)
        page.evaluate("new Promise(done => setTimeout(done, 300))")
        return page.evaluate("scrollY") - before

    assert turn_wheel() == 40
    page.mouse("mousePressed", *middle, button="left", clickCount=1)
    page.mouse("mouseReleased", *middle, button="left", clickCount=1)
    assert turn_wheel() == 0
    assert "camera=" in state(page)
    page.press("Escape")
    assert turn_wheel() == 40
    page.mouse("mousePressed", *middle, button="left", clickCount=1)
    page.mouse("mouseReleased", *middle, button="left", clickCount=1)
    page.evaluate("scrollTo(0, 0)")
    page.mouse("mouseMoved", 400, 5)
    page.next_picture()
    assert turn_wheel() == 40


def test_that_a_page_within_a_course_opens_as_a_whole_page_with_its_state(course) -> None:
    page = course(f"{PAGES}/aircraft.html#controls=time&host={COURSE}&t=1")
    say(page, "parameter", name="yaw", value=12)
    page.evaluate_in_frame("document.getElementById('whole').addEventListener('click', e => e.preventDefault())")
    page.evaluate_in_frame("document.getElementById('whole').click()")
    assert page.evaluate_in_frame("document.getElementById('whole').href") == f"{PAGES}/aircraft.html#t=1.00&yaw=12"


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("part", ["panel=0", "controls=time,parameters,angles,plots", "controls=view,time,readouts"])
def test_that_axe_finds_nothing_wrong_with_a_page_in_a_course(course, size, part) -> None:
    path = foreign.INSTALLED / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("not run: axe-core is missing")
    page = course(f"{PAGES}/aircraft.html#{part}", size)
    axe = path.read_text(encoding="utf-8")
    run = (
        "axe.run(document, {iframes: false})"
        ".then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes[0].target}`))"
    )
    for evaluate in (page.evaluate, page.evaluate_in_frame):
        evaluate(f"{axe}; 0")
        assert evaluate(run) == []


# Messages


def test_that_the_course_of_the_manual_drives_the_page(browser, texts) -> None:
    manual = assets.path("manual/export.md").read_text(encoding="utf-8")
    text = re.search(r"```html\n(.*?)```", manual, re.DOTALL)[1]
    page = browser.open_site({f"{COURSE}/": text, f"{PAGES}/aircraft.html": texts["aircraft"]}, (800, 700))
    page.wait_until("Boolean(window.framescope)", is_in_frame=True)
    page.next_picture()
    page.evaluate("say('seek', { time: 2.5 })")
    page.wait_until("document.getElementById('time').value === '2.5'")
    page.click("#yaw")
    page.wait_until("framescope.state() === 't=2.50&yaw=90'", is_in_frame=True)
    assert page.complaints == []
    page.close()


def test_that_messages_set_time_parameter_frame_camera_and_state(course) -> None:
    page = course(f"{PAGES}/aircraft.html#controls=time&host={COURSE}")
    assert heard(page, "ready") == [{"framescope": 1, "type": "ready"}]
    say(page, "seek", time=1)
    assert heard(page, "time") == [], "nobody has said hello"
    say(page, "hello", events=["time", "state"])
    (welcome,) = heard(page, "welcome")
    assert (welcome["frames"], welcome["stop"]) == (["world", "north-east-down", "aircraft"], 4)
    assert welcome["parameters"] == {"yaw": 50, "pitch": 28, "roll": 40}
    say(page, "seek", time=2)
    say(page, "parameter", name="yaw", value=-20)
    say(page, "select", frame="north-east-down", relative="aircraft")
    say(page, "camera", position=[3, 2, 1], focal=[0, 0, 0])
    page.wait_until("heard.some(each => each.type === 'state' && each.state.includes('camera'))")
    expected = "t=2.00&frame=north-east-down&relative=aircraft&camera=3,2,1,0,0,0,0,0,1&yaw=-20"
    assert state(page) == expected
    assert page.evaluate("decodeURIComponent(heard.findLast(each => each.type === 'state').state)") == expected
    say(page, "camera", position=None)
    say(page, "state", state="t=3&staged=ZYX,2,fixed,passive")
    assert state(page) == "t=3.00&frame=north-east-down&relative=aircraft&staged=ZYX,2,fixed,passive"
    say(page, "play", **{"from": 1, "speed": 0.5})
    page.evaluate("new Promise(done => setTimeout(done, 1000))")
    say(page, "pause")
    assert 1.1 < page.evaluate_in_frame("framescope.time()") < 2.5
    times = [each for each in heard(page, "time") if each["isPlaying"]]
    assert 3 <= len(times) <= 14, "at most ten a second"
    page.wait_until("heard.findLast(each => each.type === 'time').isPlaying === false")


HOSTILE = [
    {"framescope": 2, "type": "seek", "time": 3},
    {"type": "seek", "time": 3},
    {"framescope": 1, "type": "constructor"},
    {"framescope": 1, "type": "__proto__", "time": 3},
    {"framescope": 1, "type": ["seek"], "time": 3},
    {"framescope": 1, "type": "seek", "time": "3"},
    {"framescope": 1, "type": "seek", "time": None},
    {"framescope": 1, "type": "seek"},
    {"framescope": 1, "type": "play", "from": {}, "speed": []},
    {"framescope": 1, "type": "parameter", "name": "__proto__", "value": 3},
    {"framescope": 1, "type": "parameter", "name": "yaw", "value": "alert(1)"},
    {"framescope": 1, "type": "select", "frame": "nobody"},
    {"framescope": 1, "type": "select", "frame": {"toString": 1}},
    {"framescope": 1, "type": "camera", "position": [0, 0, 1], "focal": [0, 0, 0], "up": [0, 0, 1]},
    {"framescope": 1, "type": "camera", "position": ["a", 0, 1], "focal": [0, 0, 0]},
    {"framescope": 1, "type": "camera", "position": [1e300, 0, 1], "focal": [0, 0, 0]},
    {"framescope": 1, "type": "camera"},
    {"framescope": 1, "type": "state", "state": 7},
    {"framescope": 1, "type": "hello", "events": "time"},
    {"framescope": 1, "type": "hello", "events": [1, None]},
    "seek",
    None,
    7,
    [1],
]


def test_that_malformed_messages_are_ignored(course) -> None:
    page = course(f"{PAGES}/aircraft.html#t=1&host={COURSE}")
    before = state(page)
    for message in HOSTILE:
        page.evaluate(f"document.querySelector('iframe').contentWindow.postMessage({json.dumps(message)}, '*')")
    page.next_picture()
    assert state(page) == before == "t=1.00"
    say(page, "seek", time=2)
    assert state(page) == "t=2.00"


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        ("aircraft.html", COURSE),
        ("aircraft.html#host=https://other.example", COURSE),
        ("aircraft.html#host=null", COURSE),
        ("aircraft.html#host=*", COURSE),
        (f"aircraft.html#host={COURSE}/", COURSE),
        (f"aircraft.html#host={COURSE}", "https://evil.course.example"),
        (f"closed.html#host={COURSE}", COURSE),
    ],
)
def test_that_a_course_of_another_origin_is_not_heard(course, source, origin) -> None:
    page = course(f"{PAGES}/{source}", origin=origin)
    say(page, "hello", events=["time", "state"])
    say(page, "seek", time=2)
    say(page, "parameter", name="yaw", value=1)
    assert "yaw" not in state(page)
    assert page.evaluate("heard") == []


def test_that_a_course_of_the_same_origin_is_heard(course) -> None:
    page = course(f"{PAGES}/aircraft.html", origin=PAGES)
    say(page, "seek", time=2)
    assert state(page) == "t=2.00"


def test_that_only_the_page_around_is_heard(course) -> None:
    page = course(f"{PAGES}/aircraft.html#t=1", origin=PAGES)
    page.evaluate("document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: 'x'}))")
    message = json.dumps({"framescope": 1, "type": "seek", "time": 2})
    page.evaluate(f"window[1].eval('parent[0].postMessage({message}, \"*\")')")
    page.next_picture()
    assert state(page) == "t=1.00"


@pytest.mark.parametrize("host", ["course.example", "https://course.example/", "ftp://a", "https://a b", "null", "*"])
def test_that_the_option_takes_origins_alone(host, tmp_path) -> None:
    scene, plan, _ = example("aircraft")
    with pytest.raises(ExportError, match="expected an origin such as"):
        export(scene, plan, tmp_path / "page.html", hosts=[host])


# The page of a lesson


def test_that_answers_are_sent_where_the_course_asks_and_the_student_sees_it(course) -> None:
    page = course(f"{PAGES}/lesson.html#host={COURSE}&step=1")
    is_seen = "document.getElementById('sent').checkVisibility() && document.getElementById('sent').textContent"
    answer = (
        "(text) => { const entry = document.querySelector('#answer input'); entry.value = text;"
        " entry.dispatchEvent(new Event('input', {bubbles: true})); document.getElementById('check').click(); }"
    )
    say(page, "hello", events=["step"])
    assert heard(page, "welcome") == [{"framescope": 1, "type": "welcome", "title": "Course", "steps": 2, "step": 1}]
    assert page.evaluate_in_frame(is_seen) is False
    page.evaluate_in_frame(f"({answer})('5')")
    page.next_picture()
    assert heard(page, "answer") == []
    say(page, "hello", events=["step", "answer"])
    assert page.evaluate_in_frame(is_seen) == f"Your answers are sent to {COURSE}."
    page.evaluate_in_frame(f"({answer})('5')")
    page.evaluate_in_frame(f"({answer})('3')")
    page.evaluate_in_frame("document.getElementById('show').click()")
    page.next_picture()
    common = {"framescope": 1, "type": "answer", "step": 1, "title": "One", "form": "number", "hints": 0}
    assert heard(page, "answer") == [
        common | {"isRight": False, "misconceptions": ["misreading"], "isShown": False},
        common | {"isRight": True, "misconceptions": [], "isShown": False},
        common | {"isRight": False, "misconceptions": [], "isShown": True},
    ]
    say(page, "step", number=2)
    say(page, "step", number="x")
    say(page, "step", number=9)
    assert page.evaluate_in_frame("[lesson.step(), location.hash]") == [1, "#host=https%3A%2F%2Fcourse.example&step=2"]
    assert [each["step"] for each in heard(page, "step")] == [2]


def test_that_the_wheel_scrolls_past_the_scene_of_a_lesson_in_a_course(course) -> None:
    page = course(f"{PAGES}/lesson.html", (760, 480))
    waits = "document.getElementById('frame').contentDocument.getElementById('stage').classList.contains('waits')"
    assert page.evaluate_in_frame(waits) is True
    page.mouse("mouseWheel", 200, page.box("iframe")["y"] + 200, deltaX=0, deltaY=40)
    page.wait_until("scrollY === 40")


def test_that_a_finger_turns_a_tip_and_scrolls_beside_it(course) -> None:
    page = course(f"{PAGES}/aircraft.html#panel=0&t=0", (360, 640))
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    top = page.box("iframe")["y"]
    box = page.evaluate_in_frame("[...document.querySelectorAll('.tag .letter')][3].getBoundingClientRect().toJSON()")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2  # the letter x of the aircraft
    page.touch([(x, top + y)], [(x, top + y - 20)], [(x + 10, top + y - 50)])
    assert "turn:aircraft" in state(page)
    assert page.evaluate("scrollY") == 0
    page.touch([(30, top + 600)], [(30, top + 550)], [(30, top + 480)], [(30, top + 400)])
    page.wait_until("scrollY > 20")
