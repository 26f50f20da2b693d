"""Lessons as pages, in Chromium with the network off: asked, answered wrong and right, judged as the program judges."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.errors import ExportCancelledError
from framescope.app.exporters.registry import write as write_request
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.lesson_lookup import lesson_paths, read_lesson
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.answer_keys import N_SAMPLES, key_of
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER
from framescope.ui.exports.options import ExportOptions
from framescope.ui.formatting.typed_quantities import number_in_unit

pytestmark = pytest.mark.window

SIZE = (1280, 800)

SMALL = r"""
# Small <b>lesson</b>

Before all of it.

## One {{script}}

Text with $\theta$, `code`, <i>no markup</i>.

```yaml
scene: sensor
time: 0 s
question:
  form: choose
  ask: Which $\theta$, and which <u>?
  options: [{text: a <b>, right: true, reply: "Yes, $x^2$."}, {text: "b $\\beta$", reply: That is the other.}]
  hints: [Look., Look *again*.]
```

## Two

```yaml
question: {form: number, ask: How many?, value: 3.5, unit: m/s, tolerance: 0.1, if_right: This is the right answer.,
  misreadings: [{value: 5, reply: That is the mass.}]}
```

## Three

```yaml
question: {form: turn, ask: Turn it., frame: arm, to: {form: axes, sequence: ZYX, angles: [50, 28, 40], unit: deg}}
```

## Four

```yaml
question: {form: point, ask: Point., frame: arm, axis: [0, 1, 0], resolved_in: world}
```

## Five

```yaml
play: {to: 1 s}
question:
  form: sketch
  ask: Draw.
  signal: velocity of tip relative to world resolved in world in m/s
  component: x
  start: 0 s
  end: 4 s
```
"""


def written(path, folder):
    read = read_lesson(path)
    out = folder / f"{path.name.partition('.')[0]}.html"
    access = [Access(read.folder_of(each.scene_name)) for each in read.stagings]
    write_request(
        lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions())
    )
    plans = [compile_plan(each.scene, access=may) for each, may in zip(read.stagings, access, strict=True)]
    return read, plans, out


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    path = folder / "small.lesson.md"
    path.write_text(SMALL)
    return written(path, folder)


@pytest.fixture
def opened(browser, small):
    page = browser.open(small[2], SIZE, is_reduced=True)
    page.wait_until("Boolean(lesson.scene())")
    yield page
    assert page.complaints == []
    assert len(page.requests) == 1
    page.close()


def go(page, i: int) -> None:
    page.evaluate(f"lesson.go({i})")
    page.wait_until(f"lesson.step() === {i} && Boolean(lesson.scene()) && lesson.scene().time() >= 0")


def said(page) -> tuple[str, str]:
    return page.evaluate("[document.getElementById('reply').textContent, document.getElementById('reply').className]")


def check(page) -> tuple[str, str]:
    page.evaluate("document.getElementById('check').click()")
    return said(page)


def judged(page, kind: str, key, answer) -> dict:
    return page.evaluate(f"judges.{kind}({json.dumps(key)}, {json.dumps(answer)})")


def same(verdict: judging.Verdict, found: dict) -> bool:
    return (verdict.is_right, verdict.text, list(verdict.misconceptions)) == (
        *(found["isRight"], found["text"]), found["misconceptions"],
    )  # fmt: skip


def test_that_units_are_written_as_in_the_window(browser, tmp_path) -> None:
    path = tmp_path / "angle.lesson.md"
    question = "{form: number, ask: How far?, value: 40, unit: deg, tolerance: 1}"
    path.write_text(f"# Angle\n\n## One\n\n```yaml\nscene: aircraft\nquestion: {question}\n```\n")
    page = browser.open(written(path, tmp_path)[2], SIZE, is_reduced=True)
    page.wait_until("Boolean(lesson.scene())")
    assert page.evaluate("document.querySelector('#answer .unit').textContent") == "°"
    page.close()


def test_that_texts_are_shown_as_they_are_and_formulas_set(opened) -> None:
    go(opened, 0)
    assert opened.evaluate("document.title") == "Small <b>lesson</b>"
    assert opened.evaluate("document.querySelector('h1').textContent") == "Small <b>lesson</b>"
    assert opened.evaluate("document.getElementById('title').textContent") == "One {{script}}"
    assert opened.evaluate("document.querySelectorAll('#text math').length") == 1
    assert opened.evaluate("document.querySelectorAll('#text i').length") == 0
    assert opened.evaluate("document.querySelector('#text').textContent").count("<i>no markup</i>") == 1
    assert opened.evaluate("document.querySelector('#answer label span').textContent") == "a <b>"
    assert opened.evaluate("document.querySelectorAll('#ask math').length") == 1
    assert "and which <u>?" in opened.evaluate("document.getElementById('ask').textContent")
    assert opened.evaluate("document.querySelectorAll('#answer math').length") == 1


def test_that_every_kind_of_question_is_answered_wrong_and_right(opened, small) -> None:
    read, plans, _ = small
    go(opened, 0)
    assert opened.evaluate("document.getElementById('next').textContent") == "Skip"
    assert opened.evaluate("document.getElementById('check').disabled")
    opened.click("#answer label:nth-of-type(2)")
    assert check(opened) == ["That is the other.", "is-wrong"]
    opened.click("#hint")
    opened.click("#hint")
    assert said(opened) == ["Look again.", ""]
    opened.click("#answer label:nth-of-type(1)")
    assert check(opened)[1] == "is-right"
    assert opened.evaluate("document.querySelectorAll('#reply math').length") == 1
    assert opened.evaluate("document.getElementById('next').textContent") == "Next"

    opened.click("#next")
    opened.wait_until("lesson.step() === 1")
    opened.click("#answer input")
    opened.type("5")
    opened.press("Enter")
    assert said(opened) == ["That is the mass.", "is-wrong"]
    opened.evaluate("document.querySelector('#answer input').select()")
    opened.type("3,52")
    opened.press("Enter")
    assert said(opened) == ["This is the right answer.", "is-right"]

    go(opened, 2)
    opened.wait_until("lesson.scene().orientation('your answer', 'world').length === 9")
    text, kind = check(opened)
    assert (kind, "° off" in text) == ("is-wrong", True)
    opened.evaluate(f"lesson.scene().turn('{ANSWER}', 'ZYX', {np.radians([50.0, 28.0, 41.0]).tolist()})")
    assert check(opened)[1] == "is-right"

    go(opened, 3)
    opened.wait_until("lesson.scene().orientation('your answer', 'arm').length === 9")
    assert check(opened)[1] == "is-wrong"
    opened.evaluate("document.getElementById('show').click()")
    assert said(opened)[1] == "is-right"
    assert check(opened)[1] == "is-right"  # what is shown is judged to be right

    go(opened, 4)
    assert opened.evaluate("document.getElementById('check').disabled")
    caption = opened.evaluate("document.querySelector('#answer .how').textContent")
    assert re.fullmatch(r"From 0 s to 4 s, between −([\d.]*[1-9]) and \1\u00a0m/s\.", caption)
    right = judging.curve_of(read.stagings[4].question, plans[4], np.linspace(0.0, 4.0, N_SAMPLES))
    opened.evaluate(f"lesson.field().set({(-right).tolist()})")
    assert "other sign" in check(opened)[0]
    opened.evaluate(f"lesson.field().set({right.tolist()})")
    assert check(opened)[1] == "is-right"
    opened.wait_until("lesson.scene().time() > 0.2")  # what was asked about is shown


def test_that_a_page_judges_as_the_program_does(opened, small) -> None:
    read, plans, _ = small
    random = np.random.default_rng(8)
    keys = [key_of(staging, plan) for staging, plan in zip(read.stagings, plans, strict=True)]
    choose, number, turn, point, sketch = (staging.question for staging in read.stagings)
    for i in range(2):
        assert same(judging.judge_choice(choose, i), judged(opened, "choose", keys[0], i))
    for value in [3.5, 3.6, -3.5, 5.02, 200.5, 0.061, 7.0, 1.75, 3500.0, 0.0035, *random.uniform(-9.0, 9.0, 20)]:
        assert same(judging.judge_number(number, value), judged(opened, "number", keys[1], value)), value
    target = judging.target_of(turn, plans[2])
    meant = [np.reshape(each["R"], (3, 3)) for each in keys[2]["thoughts"]]
    for k in range(80):
        R = meant[k % len(meant)] if k % 4 else target.R
        answer = R @ Rotation.from_rotvec(np.radians(random.normal(0.0, 8.0, 3))).as_matrix()
        found = judged(opened, "turn", keys[2], answer.ravel().tolist())
        assert same(judging.judge_turn(turn, target, answer), found), found
    for v in [*np.eye(3), *-np.eye(3), *random.normal(size=(40, 3))]:
        assert same(judging.judge_point(point, plans[3], 0.0, v), judged(opened, "point", keys[3], v.tolist())), v
        line, key = point.model_copy(update={"either_way": True}), {**keys[3], "eitherWay": True, "thoughts": []}
        if judging.judge_point(line, plans[3], 0.0, v).is_right:  # of the opposite direction, too
            assert same(judging.judge_point(line, plans[3], 0.0, v), judged(opened, "point", key, v.tolist())), v
    times = np.linspace(0.0, 4.0, N_SAMPLES)
    right, thoughts = judging.curve_of(sketch, plans[4], times), judging.thoughts_of_curve(sketch, plans[4], times)
    for curve in [
        right,
        *(thought.curve for thought in thoughts),
        *clumsy(right),
        np.where(times > 2.0, 0.8, 0.0),
        right + 0.1,
        0.0 * right,
        *random.normal(size=(10, N_SAMPLES)),
    ]:
        drawn = curve + 0.01 * random.normal(size=N_SAMPLES)
        found = judged(opened, "sketch", keys[4], drawn.tolist())
        assert same(judging.judge_sketch(sketch, right, drawn, thoughts), found), found


def clumsy(right) -> list:
    """Return curves that have all but one feature of the right one."""
    n = len(right)
    return [
        *(factor * right for factor in (0.5, 0.7, 1.4, 2.0)),
        *(np.interp(np.arange(n) - off, np.arange(n), right) for off in (-0.15 * n, -0.1 * n, 0.1 * n, 0.15 * n)),
        np.abs(right),
        np.linspace(right[0], right[-1], n),
        np.where(np.arange(n) % 40 < 3, np.nan, right),
        right[::-1],
    ]


def test_that_jumps_are_judged_in_a_page_as_by_the_program(opened, small) -> None:
    sketch, times = small[0].stagings[4].question, np.linspace(0.0, 4.0, N_SAMPLES)
    right = 80.0 * (times > 2.8)
    key = {"right": right.tolist(), "tolerance": 0.3, "thoughts": [], "ifRight": "", "ifWrong": ""}
    asked = sketch.model_copy(update={"tolerance": 0.3, "if_right": "", "if_wrong": ""})
    ramps = [
        80.0 * np.clip((times - begin) / width, 0.0, 1.0) for begin in (1.5, 2.4, 2.7) for width in (0.2, 0.6, 1.5)
    ]
    for curve in [*clumsy(right), *ramps, *(80.0 * (times > at) for at in (2.0, 2.5, 2.7, 2.9, 3.3))]:
        found = judged(opened, "sketch", key, [None if np.isnan(value) else value for value in curve.tolist()])
        assert same(judging.judge_sketch(asked, right, curve, []), found), found


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("3.5", 3.5), ("3,5", 3.5), ("\u22123.5 m/s", -3.5), ("350 cm/s", 3.5), ("12.6 km/h", 3.5), ("3.5 m s^-1", 3.5),
        ("3.5 m\u00b7s\u207b\u00b9", 3.5), ("3.5 metres per second", 3.5), ("7/2 m/s", 3.5), ("3.5 M/S", 3.5),
        ("3.5 kg", None), ("about 3", None), ("3.5 Mm/s", None),
    ],
)  # fmt: skip
def test_that_a_number_takes_its_unit_in_a_page_as_in_the_window(opened, typed: str, value: float | None) -> None:
    go(opened, 1)
    opened.evaluate(
        f"(() => {{ const e = document.querySelector('#answer input'); e.value = {json.dumps(typed)};"
        " e.dispatchEvent(new Event('input')); })()"
    )
    assert opened.evaluate("document.getElementById('check').disabled") == (value is None)
    if value is None:
        with pytest.raises(ValueError):  # noqa: PT011 (the window shows its own words)
            number_in_unit(typed, "m/s", "velocity")
    else:
        assert number_in_unit(typed, "m/s", "velocity") == pytest.approx(value)
        assert check(opened)[1] == ("is-right" if abs(value - 3.5) < 0.1 else "is-wrong")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("about 3", "That is no number. Type one, such as 0.5 or 1e-3."),
        ("12 34", "That is no number. Type one, such as 0.5 or 1e-3."),
        ("3.5 kg", "kg is no unit of this answer. Use m/s, mm/s, km/h, ft/s, cm/s, mph, kn."),
        ("", ""),
        ("3.5", ""),
    ],
)
def test_that_a_text_that_is_no_number_is_explained(opened, typed: str, message: str) -> None:
    go(opened, 1)
    opened.evaluate("document.querySelector('#answer input').focus()")
    opened.type(typed)
    fault = "document.querySelector('#answer .fault').textContent"
    assert opened.evaluate(fault) == ""  # not while the student types
    opened.press("Enter")
    assert opened.evaluate(fault) == message
    opened.type("x")
    assert opened.evaluate(fault) == ""


def test_that_a_sketch_has_scales(opened) -> None:
    go(opened, 4)
    labels = opened.evaluate("[...document.querySelectorAll('#answer .labels span')].map(e => e.textContent)")
    assert "4 s" in labels
    assert "0" in [label.rstrip("0").rstrip(".") or "0" for label in labels]
    assert any(label.endswith("m/s") for label in labels)


def test_that_a_lesson_is_gone_through_by_keys_and_a_link_leads_to_a_step(browser, small) -> None:
    link = small[2].parent / f"{small[2].name}"
    page = browser.open(link, SIZE, is_reduced=True)
    page.wait_until("Boolean(lesson.scene())")
    strike = "key => document.getElementById('step').dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
    page.evaluate(f"({strike})('PageDown')")
    page.wait_until("lesson.step() === 1")
    assert page.evaluate("location.hash") == "#step=2"
    page.evaluate(f"({strike})('b')")
    assert not page.evaluate("document.getElementById('blank').hidden")
    page.evaluate(f"({strike})('B')")
    assert page.evaluate("document.getElementById('blank').hidden")
    assert page.evaluate("document.activeElement.id") == "step"
    buttons = "[...document.querySelectorAll('button')].filter(e => e.checkVisibility())"
    sizes = page.evaluate(f"{buttons}.map(e => e.offsetHeight)")
    assert min(sizes) >= 44
    assert page.complaints == []
    page.close()


@pytest.mark.soak
@pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.name.partition(".")[0])
def test_that_a_shipped_lesson_is_played_to_its_end_in_a_page(browser, tmp_path, path) -> None:
    read, plans, out = written(path, tmp_path)
    assert out.stat().st_size < 1_000_000
    page = browser.open(out, SIZE, is_reduced=True)
    for i, (staging, plan) in enumerate(zip(read.stagings, plans, strict=True)):
        go(page, i)
        assert page.evaluate("document.getElementById('title').textContent") == staging.step.title
        assert bool(page.evaluate("lesson.scene().plots()")) == bool(staging.scene.view.plots)
        answer_wrong_and_right(page, staging, plan)
    assert page.complaints == []
    assert len(page.requests) == 1
    page.close()


def answer_wrong_and_right(page, staging, plan) -> None:
    question = staging.question
    if question is None:
        assert page.evaluate("document.getElementById('question').hidden")
        return
    match question:
        case Choose():
            wrong = next(i for i, option in enumerate(question.options) if not option.right)
            page.click(f"#answer label:nth-of-type({wrong + 1})")
        case NumberQuestion():
            page.click("#answer input")
            page.type(f"{question.value + 7.0 * question.tolerance + 1.0:.6g}")
        case Turn() | PointQuestion():
            key = key_of(staging, plan)
            page.wait_until(f"lesson.scene().orientation('{ANSWER}', '{key['parent']}').length === 9")
            away = (0.0, 0.0, np.pi) if isinstance(question, Turn) else (0.0, np.pi / 2, 0.0)
            angles = np.add(key["angles"], away).tolist()
            page.evaluate(f"lesson.scene().turn('{ANSWER}', '{key['sequence']}', {angles})")
        case Sketch():
            key = key_of(staging, plan)
            middle = 0.5 * (key["low"] + key["high"])
            far = [key["low"] if value > middle else key["high"] for value in key["right"]]
            page.evaluate(f"lesson.field().set({far})")
    assert check(page)[1] == "is-wrong", said(page)
    page.evaluate("document.getElementById('show').click()")
    assert said(page)[1] == "is-right"
    if not isinstance(question, Sketch):
        assert check(page)[1] == "is-right", said(page)


@pytest.mark.process
def test_that_the_page_of_a_lesson_is_written_with_progress_and_can_be_given_up(small, tmp_path) -> None:
    read = small[0]
    out = tmp_path / "page.html"
    request = lesson_request(
        read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions()
    )
    heard: list[tuple[int, int]] = []
    with pytest.raises(ExportCancelledError):
        write_request(replace(request, progress=lambda *said: heard.append(said), is_cancelled=lambda: len(heard) == 2))
    assert heard == [(1, 5), (2, 5)]
    assert list(tmp_path.iterdir()) == []
    done = CliRunner().invoke(app, ["lesson", "export", str(read.path), str(out)])
    assert done.exit_code == 0
    assert "page.html: 3 of 5" in done.stderr
    for option in ("--letter", "--size=640x480", "--fps=10"):
        done = CliRunner().invoke(app, ["lesson", "export", str(read.path), str(out), option])
        assert "a page takes no" in done.output
