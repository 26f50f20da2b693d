"""A learner with the lessons: each played to its end, with a wrong and a right answer to every question."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from framescope.app.session.recovery import find_recoveries, restore
from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.files.saving import scene_text
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import (
    find_lesson,
    lesson_paths,
    lesson_titles,
    next_lesson,
    read_lesson,
)
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.lesson import LessonError
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, POINTER, orientation_of
from framescope.ui.theme.tokens import contrast
from tests.support.hands import Key, pull, strike, type_in
from tests.support.whole_window import click, from_menu, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

HALF_TURN = np.diag([-1.0, -1.0, 1.0])

OWN = """
# Own

## Turn

It turns by $\\theta$.

```yaml
scene: aircraft
question:
  form: turn
  ask: Turn it by $\\theta$.
  frame: aircraft
  to: {form: axes, sequence: ZYX, angles: [60, 0, 0], unit: deg}
  if_right: Right so.
```
"""


@pytest.fixture
def wiring(open_window, monkeypatch):
    def refuse(*texts: object) -> None:
        raise AssertionError(f"asked: {texts}")

    monkeypatch.setattr(QMessageBox, "question", refuse)
    return open_window(example_path("keyframes"))


def begun(wiring, path):
    wiring.files.take(path)
    wait_for(lambda: lesson_player(wiring).is_on)
    wait_for(lambda: panel(wiring).isVisible())
    return lesson_player(wiring)


def panel(wiring):
    return lesson_player(wiring).panel


def reply(wiring) -> str:
    return panel(wiring).reply.label.text()


def next_step(wiring) -> None:
    click(panel(wiring).next)


def check(wiring) -> str:
    """Press Check, and return what is said then."""
    assert panel(wiring).check.isEnabled()
    click(panel(wiring).check)
    assert panel(wiring).reply.isVisible()
    return reply(wiring)


def turn_by_hand(wiring, R) -> None:
    """Turn the frame of the answer, as its rings and sliders do."""
    session = wiring.session
    moment = session.plan.moment(ANSWER, float(session.snapshot.t))
    session.commit(orient_frame(ANSWER, np.asarray(R).T, moment, "Turned"))


def answer_wrong(wiring, question) -> None:
    form = panel(wiring).form
    match question:
        case Choose():
            i = next(i for i, option in enumerate(question.options) if not option.right)
            click(form.options[i])
        case NumberQuestion():
            type_in(form.field, f"{question.value + 7.0 * question.tolerance + 1.0:.6g}")
        case Turn():
            turn_by_hand(wiring, judging.target_of(question, lesson_player(wiring).plan).R @ HALF_TURN)
        case PointQuestion():
            right = judging.direction_of(question, lesson_player(wiring).plan, lesson_player(wiring).staging.time)
            turn_by_hand(wiring, right @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]))
        case Sketch():
            right = judging.curve_of(question, lesson_player(wiring).plan, form.sketch.times)
            low, high = form.sketch.value_range
            form.sketch.set_curve(np.where(right > 0.5 * (low + high), low, high))


def answer_right(wiring, question) -> None:
    form = panel(wiring).form
    match question:
        case Choose():
            click(form.options[next(i for i, option in enumerate(question.options) if option.right)])
        case NumberQuestion():
            form.field.clear()
            type_in(form.field, f"{question.value:.9g}")
        case Turn():
            turn_by_hand(wiring, judging.target_of(question, lesson_player(wiring).plan).R)
        case PointQuestion():
            turn_by_hand(
                wiring, judging.direction_of(question, lesson_player(wiring).plan, lesson_player(wiring).staging.time)
            )
        case Sketch():
            form.sketch.set_curve(judging.curve_of(question, lesson_player(wiring).plan, form.sketch.times))


@pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.name.partition(".")[0])
def test_that_a_lesson_is_played_to_its_end_with_a_wrong_and_a_right_answer_to_every_question(wiring, path) -> None:
    before = wiring.session.document
    lessons = begun(wiring, path)
    n = len(lessons.read.stagings)
    n_asked, following = 0, next_lesson(path)
    last = "Finish" if following is None else "Next lesson"
    for i in range(n):
        staging = lessons.staging
        assert panel(wiring).count.text() == f"{i + 1} of {n}"
        assert staging.step.title in panel(wiring).text.toPlainText()
        assert not [each for each in wiring.session.plan.problems if each.severity == "red"]
        if staging.question is not None:
            n_asked += 1
            skip = "Answer" if staging.step.moment.pause else "Skip"
            assert panel(wiring).next.text() == skip
            if isinstance(staging.question, Sketch):
                wait_for(lambda: not lessons.plan.pending)
            answer_wrong(wiring, staging.question)
            said = check(wiring)
            assert said
            assert panel(wiring).next.text() == skip, said
            for hint in staging.question.hints:
                click(panel(wiring).hint)
                assert panel(wiring).tip.label.text() == hint
                assert reply(wiring) == said  # the hint does not take it away
            answer_right(wiring, staging.question)
            said = check(wiring)
            assert panel(wiring).next.text() == (last if i == n - 1 else "Next"), said
        if i < n - 1:
            next_step(wiring)
    assert n_asked >= 3
    strike(wiring.window.scene_view, Key.Key_PageDown)  # once too often
    assert lessons.i == n - 1
    assert panel(wiring).next.text() == last
    if following is not None:
        next_step(wiring)
        wait_for(lambda: lessons.read.path == following[1])
        assert lessons.i == 0
        click(panel(wiring).leave)
    else:
        next_step(wiring)
    assert not lessons.is_on
    assert wiring.session.document is before


def test_that_lessons_are_in_the_help_menu_and_a_step_is_the_same_from_wherever_one_comes(wiring) -> None:
    title, _ = lesson_titles()[0]
    from_menu(wiring, "Help", "Lessons", title)
    wait_for(lambda: lesson_player(wiring).is_on)
    lessons, session = lesson_player(wiring), wiring.session

    def state():
        return (
            scene_text(session.document.scene),
            float(session.playback.t),
            session.playback.part,
            session.selection,
            lessons.i,
        )

    forward = []
    for i in range(len(lessons.read.stagings)):
        lessons.go(i)
        session.pause()
        forward.append(state())
        if session.document.scene.frames:  # the learner tries something
            session.scrub(0.37)
            if ANSWER in session.document.scene.frames:
                turn_by_hand(wiring, HALF_TURN)
    for i in reversed(range(len(forward))):
        lessons.go(i)
        session.pause()
        assert state() == forward[i]


def test_that_a_step_shows_nothing_that_tells_its_answer_and_all_stands_as_before_afterwards(wiring) -> None:
    window, docks = wiring.window, wiring.window.docks

    def seen() -> set[str]:
        return {name for name, dock in docks.items() if not dock.isHidden()}

    before = seen()
    assert {"outline", "inspector", "plots"} <= before
    lessons = begun(wiring, lesson_paths()[0])
    for i, staging in enumerate(lessons.read.stagings):
        lessons.go(i)
        plots = {"plots"} if staging.scene.view.plots else set()
        assert seen() == {"lesson", "timeline", *plots}
        assert window.scene_view.manipulation.is_on == bool(staging.answer)
    window.show_dock("outline")  # whoever wants more opens it
    assert "outline" in seen()
    lessons.go(0)
    assert "outline" not in seen()
    window.set_place("Build")
    assert "outline" in seen()
    lessons.go(1)
    click(panel(wiring).leave)
    assert seen() == before


@pytest.mark.parametrize("is_playing", [True, False])
def test_that_time_and_selection_are_those_of_before_the_lesson(wiring, is_playing) -> None:
    session = wiring.session
    names = session.plan.names[1:]
    session.select(("frames", names[-1]))
    session.set_speed(0.5)
    session.pause()
    session.scrub(1.25)
    if is_playing:
        session.toggle_play()
    lessons = begun(wiring, lesson_paths()[0])
    lessons.go(1)
    session.pause()
    click(panel(wiring).leave)
    assert session.selection == ("frames", names[-1])
    assert session.playback.is_playing == is_playing
    assert session.playback.speed == 0.5
    session.pause()
    assert 1.25 <= session.playback.t < 3.0


def test_that_formulas_are_set_in_questions_and_replies(wiring, tmp_path) -> None:
    path = tmp_path / "own.lesson.md"
    path.write_text(
        OWN.replace("if_right: Right so.", "if_right: Right, $\\theta$ it is.\n  hints: [Look at $\\theta$.]")
    )
    lessons = begun(wiring, path)
    formula = "\ufffc"  # what stands for a picture in a text
    assert formula in panel(wiring).form.ask.toPlainText()
    click(panel(wiring).hint)
    assert formula in panel(wiring).tip.label.toPlainText()
    turn_by_hand(wiring, judging.target_of(lessons.staging.question, lessons.plan).R)
    check(wiring)
    assert formula in panel(wiring).reply.label.toPlainText()
    path.write_text(OWN.replace("if_right: Right so.", "if_right: Right, $\\begin{pmatrix}$."))
    with pytest.raises(LessonError, match="is no formula"):
        read_lesson(path)


def test_that_a_reply_goes_when_the_answer_is_another_one(wiring) -> None:
    lessons = begun(wiring, lesson_paths()[0])
    asked = [i for i, each in enumerate(lessons.read.stagings) if isinstance(each.question, Turn | Choose)]
    for i in asked[:3]:
        lessons.go(i)
        answer_wrong(wiring, lessons.staging.question)
        assert check(wiring)
        answer_right(wiring, lessons.staging.question)
        assert not panel(wiring).reply.isVisible()


def test_that_the_sliders_below_a_question_turn_the_answer(wiring) -> None:
    lessons, session = begun(wiring, lesson_paths()[0]), wiring.session
    i = next(i for i, each in enumerate(lessons.read.stagings) if isinstance(each.question, Turn))
    lessons.go(i)
    sliders, t = panel(wiring).form.sliders, float(session.snapshot.t)
    before = session.plan.angles(ANSWER, t)[0]
    type_in(sliders.rows[1].field, "31.5")
    expected = [before[0], np.radians(31.5), before[2]]
    np.testing.assert_allclose(session.plan.angles(ANSWER, t)[0], expected, atol=1e-9)
    type_in(sliders.rows[0].field, "12")
    session.undo()
    np.testing.assert_allclose([row.value_deg for row in sliders.rows], np.degrees(expected), atol=1e-6)
    turn_by_hand(wiring, judging.target_of(lessons.staging.question, lessons.plan).R)
    np.testing.assert_allclose(
        [row.value_deg for row in sliders.rows], np.degrees(session.plan.angles(ANSWER, t)[0]), atol=1e-6
    )


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_that_a_lesson_is_exported_from_the_window(wiring, tmp_path, monkeypatch, ending: str) -> None:
    path = tmp_path / "own.lesson.md"
    path.write_text(OWN)
    begun(wiring, path)
    out = tmp_path / f"own.{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    click(panel(wiring).export)
    wait_for(lambda: not wiring.exports.is_running, for_s=120.0)
    assert "Exported own" in wiring.window.status.message
    assert out.read_bytes().startswith(b"%PDF" if ending == "pdf" else b"<!DOCTYPE html")


def test_that_an_export_that_cannot_be_is_said(wiring, tmp_path, monkeypatch) -> None:
    begun(wiring, lesson_paths()[0])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.odt"), ""))
    click(panel(wiring).export)
    wait_for(lambda: not wiring.exports.is_running, for_s=120.0)
    assert "no format of lessons" in wiring.window.status.message


def test_that_a_lesson_goes_on_where_it_was_left(wiring) -> None:
    path, status = lesson_paths()[0], wiring.window.status
    lessons = begun(wiring, path)
    assert status.offer_button.isHidden()
    lessons.go(4)
    click(panel(wiring).leave)
    begun(wiring, path)
    assert lessons.i == 0
    assert status.offer_button.text() == "Go on at step 5"
    click(status.offer_button)
    assert lessons.i == 4
    lessons.go(len(lessons.read.stagings) - 1)
    next_step(wiring)  # that is its end
    wait_for(lambda: lessons.read.path != path)
    click(panel(wiring).leave)
    begun(wiring, path)
    assert status.offer_button.isHidden()


def test_that_a_speaker_has_the_notes_in_a_window_of_their_own(wiring) -> None:
    lessons = begun(wiring, lesson_paths()[0])
    stagings = lessons.read.stagings
    with_notes = next(i for i, each in enumerate(stagings) if each.step.moment.notes)
    click(panel(wiring).notes)
    view = lessons.speaker_view
    wait_for(view.isVisible)
    lessons.go(with_notes)
    assert view.title.text() == stagings[with_notes].step.title
    first = stagings[with_notes].step.moment.notes.split()[0]
    assert view.notes.toPlainText().startswith(first)
    assert stagings[with_notes + 1].step.title in view.following.text()
    assert view.clock.text().startswith("0:")
    click(view.next)
    assert lessons.i == with_notes + 1
    lessons.go(len(stagings) - 1)
    assert not view.next.isEnabled()
    assert "last step" in view.following.text()
    view.close()
    assert not panel(wiring).notes.isChecked()
    click(panel(wiring).notes)
    wait_for(view.isVisible)
    click(panel(wiring).leave)
    assert not view.isVisible()


def test_that_a_link_in_the_text_leads_to_another_lesson(wiring) -> None:
    lessons = begun(wiring, lesson_paths()[0])
    panel(wiring).text.anchorClicked.emit(QUrl("lesson:gimbal-lock"))
    wait_for(lambda: lessons.read.path == lesson_paths()[1])
    panel(wiring).text.anchorClicked.emit(QUrl("https://example.org"))
    panel(wiring).text.anchorClicked.emit(QUrl("lesson:nothing"))
    assert "no such lesson" in wiring.window.status.message
    assert lessons.read.path == lesson_paths()[1]


def test_that_a_presenter_goes_on_and_back_by_keys_and_blanks_the_screen(wiring) -> None:
    lessons = begun(wiring, lesson_paths()[0])
    wiring.window.activateWindow()
    strike(wiring.window.scene_view, Key.Key_PageDown)
    assert lessons.i == 1
    strike(wiring.window.scene_view, Key.Key_PageUp)
    strike(wiring.window.scene_view, Key.Key_PageUp)
    assert lessons.i == 0
    strike(wiring.window.scene_view, Key.Key_B)
    blank = wiring.window.blank_screen
    assert [cover.geometry() for cover in blank.covers] == [wiring.window.rect()]
    strike(wiring.window.scene_view, Key.Key_B)
    assert not blank.is_on

    strike_in(wiring, Key.Key_F11)
    wait_for(wiring.window.isFullScreen)
    assert panel(wiring).isVisible()
    strike(wiring.window.scene_view, Key.Key_PageDown)
    assert lessons.i == 1
    assert wiring.window.isFullScreen()
    strike_in(wiring, Key.Key_F11)

    click(panel(wiring).leave)
    assert not lessons.is_on
    strike(wiring.window.scene_view, Key.Key_B)
    assert not blank.is_on


def test_that_what_a_learner_tries_is_taken_back_by_going_on_and_asks_nothing(wiring) -> None:
    lessons = begun(wiring, lesson_paths()[0])
    session, text = wiring.session, scene_text(wiring.session.document.scene)
    session.select(("frames", "aircraft"))
    moment = session.plan.moment("aircraft", 0.0)
    session.commit(orient_frame("aircraft", HALF_TURN, moment, "Turned"))
    assert scene_text(session.document.scene) != text
    assert not session.document.is_dirty
    click(panel(wiring).restore)
    assert scene_text(session.document.scene) == text

    wiring.files.open(example_path("gimbal-lock"))  # another document ends the lesson
    wait_for(lambda: session.document.path == example_path("gimbal-lock"))
    assert not lessons.is_on
    assert "No lesson" in panel(wiring).text.toPlainText()
    assert not panel(wiring).next.isVisible()


def test_that_an_empty_panel_offers_the_lessons(wiring) -> None:
    wiring.window.show_dock("lesson")
    wait_for(lambda: panel(wiring) is not None)
    for title, path in lesson_titles():
        assert title in panel(wiring).text.toPlainText()
        assert f'href="lesson:{path.name.removesuffix(".lesson.md")}"' in panel(wiring).text.toHtml()
    panel(wiring).text.anchorClicked.emit(QUrl("lesson:2-gimbal-lock"))
    wait_for(lambda: lesson_player(wiring).is_on)
    assert panel(wiring).next.isVisible()


def test_that_an_answer_is_turned_by_the_sliders_and_shown_when_asked_for(wiring, tmp_path) -> None:
    path = tmp_path / "own.lesson.md"
    path.write_text(OWN)
    begun(wiring, path)
    field = wiring.window.inspector.orientation.rows[2].field  # XYZ, as the text has ZYX
    assert wiring.session.selected_frame() == ANSWER
    type_in(field, "-60")
    assert check(wiring).startswith("It is 120° off.")
    type_in(field, "58")
    assert check(wiring).startswith("It is 2° off. Right so.")
    click(panel(wiring).restore)
    click(panel(wiring).show_right)
    R = orientation_of(wiring.session.plan, ANSWER, "north-east-down", 0.0)
    assert pytest.approx(np.array([[0.5, -(0.75**0.5), 0], [0.75**0.5, 0.5, 0], [0, 0, 1]]), abs=1e-6) == R


def test_that_a_lesson_with_mistakes_is_not_opened_and_says_where(wiring, tmp_path) -> None:
    path = tmp_path / "bad.lesson.md"
    path.write_text("# Bad\n\n## One\n\n```yaml\nscene: aircrft\n```\n")
    wiring.files.take(path)
    wait_for(lambda: "not opened" in wiring.window.status.message)
    assert "line 6" in wiring.window.status.message
    assert not lesson_player(wiring).is_on


def test_that_a_curve_is_drawn_by_the_keys_alone(wiring) -> None:
    path = next(path for path in lesson_paths() if "form: sketch" in path.read_text())
    lessons = begun(wiring, path)
    i = next(i for i, each in enumerate(lessons.read.stagings) if isinstance(each.question, Sketch))
    lessons.go(i)
    sketch = panel(wiring).form.sketch
    assert not panel(wiring).check.isEnabled()
    sketch.setFocus()
    QTest.keyClick(sketch, Key.Key_Up)
    assert np.isfinite(sketch.values).all()
    assert panel(wiring).check.isEnabled()
    QTest.keyClick(sketch, Key.Key_Right)
    QTest.keyClick(sketch, Key.Key_Down)
    assert sketch.values[0] > sketch.values[-1] > sketch.values[len(sketch.values) // 8]
    QTest.keyClick(sketch, Key.Key_Delete)
    assert not sketch.is_drawn


def test_that_a_sketch_of_a_simulated_motion_waits_for_the_simulation(wiring) -> None:
    path = next(path for path in lesson_paths() if path.name.startswith("5-"))
    lessons = begun(wiring, path)
    i = next(i for i, each in enumerate(lessons.read.stagings) if isinstance(each.question, Sketch))
    lessons.go(i)
    sketch = panel(wiring).form.sketch
    if wiring.session.plan.pending:  # else another test has had it simulated
        sketch.set_curve(np.zeros_like(sketch.times))
        click(panel(wiring).check)
        assert not panel(wiring).reply.isVisible()
        assert "simulation" in panel(wiring).tip.label.text()
    wait_for(lambda: not wiring.session.plan.pending)
    assert sketch.value_range[1] > 40.0
    sketch.set_curve(judging.curve_of(lessons.staging.question, lessons.plan, sketch.times))
    assert "first" in check(wiring)
    assert panel(wiring).next.text() == "Next"


@pytest.mark.parametrize("scale", [1.0, 1.3, 1.5, 1.9])
def test_that_the_circles_of_a_choice_grow_with_its_text_and_stay_circles(wiring, scale) -> None:
    lessons = begun(wiring, lesson_paths()[1])
    lessons.go(1)
    wait_for(lambda: panel(wiring).form is not None and len(panel(wiring).form.options) > 1)
    wiring.window.resize(1900, 900)
    panel(wiring).set_scale(scale)
    first, second = panel(wiring).form.options[:2]
    click(first)
    for button in (first, second):
        wait_for(button.isVisible)
        image = button.grab().toImage()
        ground = image.pixelColor(image.width() - 1, 0)
        rows = [
            y for y in range(image.height()) if any(image.pixelColor(x, y) != ground for x in range(image.height()))
        ]
        side = rows[-1] - rows[0] + 1
        assert side == pytest.approx(16 * scale, abs=1.5)
        corners = [(x, y) for x in (0, side - 1) for y in (rows[0], rows[-1])]
        assert all(image.pixelColor(*corner) == ground for corner in corners)
        middle = image.pixelColor(side // 2, rows[0])
        assert contrast(middle.name(), ground.name()) > 3.0


def test_that_the_arrow_of_a_direction_is_dragged_by_its_tip(wiring) -> None:
    lessons = begun(wiring, find_lesson("gimbal-lock"))
    lessons.go(3)
    view, session = wiring.window.scene_view, wiring.session
    before = session.document.scene
    wait_for(lambda: session.plan.scene.frames.get(ANSWER) is not None)

    def tip() -> QPointF:
        i, projection = session.plan.index[ANSWER], view.renderer.projection()
        length = POINTER * session.plan.scene.view.triad_length.value
        x, y, _ = projection.project(session.snapshot.p_WF[i] + length * session.snapshot.R_WF[i][:, 0])
        ratio = view.devicePixelRatioF()
        return QPointF(x / ratio, view.height() - y / ratio)

    foot = view.position_of(ANSWER)
    up = QPointF(foot.x(), foot.y() - 150.0)
    pull(view, [tip(), tip() + 0.5 * (up - tip()), up])
    assert abs(tip().x() - up.x()) < 3.0
    assert session.document.scene != before
    assert check(wiring)
    assert panel(wiring).reply.label.text()
    assert "half a turn" not in reply(wiring)
    wiring.session.undo()
    assert session.document.scene == before  # one step of undo
    pull(view, [QPointF(12.0, 12.0), QPointF(60.0, 40.0)])  # elsewhere the camera turns
    assert session.document.scene == before


@pytest.mark.parametrize(("typed", "is_right"), [("5.76 deg/sec", True), ("0.1005 rad s^-1", True), ("5.76°/s", True)])
def test_that_a_number_takes_its_unit(wiring, typed: str, is_right: bool) -> None:
    lessons = begun(wiring, find_lesson("gimbal-lock"))
    lessons.go(9)
    type_in(panel(wiring).form.field, typed)
    check(wiring)
    assert panel(wiring).next.text() == ("Next" if is_right else "Skip")


def test_that_a_unit_that_does_not_fit_is_explained(wiring) -> None:
    lessons = begun(wiring, find_lesson("gimbal-lock"))
    lessons.go(9)
    type_in(panel(wiring).form.field, "5.76 kg")
    assert not panel(wiring).check.isEnabled()
    assert "kg is a unit of mass" in panel(wiring).form.fault.text()


def test_that_a_text_that_is_no_number_is_explained(wiring) -> None:
    lessons = begun(wiring, find_lesson("gimbal-lock"))
    lessons.go(9)
    form = panel(wiring).form
    type_in(form.field, "")
    QTest.keyClick(form.field, Key.Key_Return)
    assert form.fault.text() == ""
    QTest.keyClicks(form.field, "about 3")
    assert form.fault.text() == ""  # not while the user types
    QTest.keyClick(form.field, Key.Key_Return)
    assert "Try 0.5" in form.fault.text()
    QTest.keyClick(form.field, Key.Key_Backspace)
    assert form.fault.text() == ""


def test_that_a_step_is_played_when_its_simulation_is_ready(wiring, monkeypatch) -> None:
    lessons = begun(wiring, find_lesson("bodies-on-points"))
    session = wiring.session
    played: list[bool] = []
    monkeypatch.setattr(session, "toggle_play", lambda: played.append(bool(session.plan.pending)))
    lessons.go(6)  # three times the kick: another simulation
    wait_for(lambda: bool(played))
    assert played == [False]
    assert lessons.i == 6


def test_that_a_reply_stays_in_sight_while_its_page_grows(wiring) -> None:
    lessons = begun(wiring, find_lesson("gimbal-lock"))
    lessons.go(1)
    wiring.window.resize(1000, 640)
    wait_for(lambda: wiring.window.height() == 640)
    answer_wrong(wiring, lessons.staging.question)
    check(wiring)
    shown, before = panel(wiring).reply, 0

    def is_seen_whole() -> bool:
        return before < shown.height() == shown.visibleRegion().boundingRect().height()

    wait_for(is_seen_whole, 5.0)
    for scale in (1.3, 1.5):
        before = shown.height()
        panel(wiring).set_scale(scale)
        wait_for(is_seen_whole, 5.0)


def test_that_unsaved_work_waits_below_a_lesson_and_is_asked_about_once(wiring, monkeypatch) -> None:
    asked: list[str] = []

    def say(_parent: object, _title: str, text: str, *_: object) -> object:
        asked.append(text)
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", say)
    session = wiring.session
    session.commit(Edit("Title", lambda scene: scene.model_copy(update={"title": "Mine"})))
    mine = session.document
    lessons = begun(wiring, lesson_paths()[0])
    assert asked == [], "nothing is lost by a lesson"

    wiring.files.open(example_path("gimbal-lock"))
    assert len(asked) == 1
    assert session.document is mine, "the question is about the scene that one sees"
    assert not lessons.is_on

    begun(wiring, lesson_paths()[0])
    wiring.window.close()
    assert len(asked) == 2
    assert wiring.window.isVisible()
    assert session.document is mine
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)


def test_that_unsaved_work_below_a_lesson_is_kept_for_the_next_start(wiring) -> None:
    session = wiring.session
    session.commit(Edit("Title", lambda scene: scene.model_copy(update={"title": "Mine"})))
    mine = session.document.scene
    begun(wiring, lesson_paths()[0])
    wiring.end()
    (recovery,) = find_recoveries()
    assert restore(recovery).scene == mine
