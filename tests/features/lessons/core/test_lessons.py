"""Lessons: their files, what each step shows whichever way one comes, answers judged, and misconceptions named."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope import assets
from framescope.core.errors import Problem, SceneError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.core import judging, misconceptions
from framescope.features.lessons.core.checking import check_lesson
from framescope.features.lessons.core.judging import thoughts_of_curve as curves_of
from framescope.features.lessons.core.lesson import LessonError, parse_lesson
from framescope.features.lessons.core.schema import Choose, Misreading, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, orientation_of

SEQUENCES = ("ZYX", "XYZ", "ZXZ", "ZYZ", "YXZ")


@cache
def load(name: str):
    path = assets.path("scenes") / f"{name}.yaml"
    if not path.exists():
        raise SceneError(name, [Problem((), f'there is no example "{name}".')])
    return load_scene(path).scene, Access(path.parent)


def lesson_of(*blocks: str):
    steps = "\n".join(f"## Step {i}\n\nText {i}.\n\n```yaml\n{block.strip()}\n```\n" for i, block in enumerate(blocks))
    return parse_lesson(f"# A lesson\n\nIntroduction.\n\n{steps}")


def staged(*blocks: str):
    return check_lesson(lesson_of(*blocks), load)


# --- Files


def test_that_text_and_moment_are_parted() -> None:
    lesson = parse_lesson(
        "# T\n\nBefore.\n\n## One\n\nFirst\n\n```yaml\nscene: demo\n```\n\nlast\n\n```python\nx = 1\n```\n"
    )
    (step,) = lesson.steps
    assert (lesson.title, lesson.text, step.title) == ("T", "Before.", "One")
    assert step.text == "First\n\n\nlast\n\n```python\nx = 1\n```"
    assert (step.line, step.lines["scene",]) == (5, 10)


ASKS = "# A\n## One\n```yaml\nquestion: {form: "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected one title"),
        ("# A\n# B\n## One\n", "line 2: expected one title"),
        ("## One\n# Late\n", "expected one title before the first step"),
        ("# A\n", "there is no step"),
        ("# A\n## One\n```yaml\na: 1\n```\n```yaml\n```\n", "One (line 6): a step has one block"),
        ("# A\n## One\n```yaml\ntmie: 3 s\n```\n", 'One.tmie (line 4): unknown key. Did you mean "time"?'),
        ("# A\n## One\n```yaml\nquestion: {form: guess, ask: x}\n```\n", "is no form here"),
        ("# A\n## One\n```yaml\n- 1\n```\n", "expected keys with values"),
        ("# A\n## One\n```yaml\n\n[\n```\n", "the YAML is broken"),
        (
            "# A\n## One\n```yaml\nquestion: {form: choose, ask: x, options: [{text: a}, {text: b}]}\n```\n",
            "right: true",
        ),
        ("# A\n## One\n```yaml\nquestion: {form: turn, ask: x, frame: a}\n```\n", "either at, a time, or to"),
    ],
)
def test_that_what_is_wrong_with_a_file_is_said_with_its_line(text: str, said: str) -> None:
    with pytest.raises(LessonError) as error:
        parse_lesson(text)
    assert said in str(error.value)


SKETCH_IN = "scene: "
CURVE = (
    "\nquestion: {form: sketch, ask: x, start: 0 s, end: 4 s, component: x,"
    " signal: velocity of world relative to world resolved in world in m/s}"
)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("scene: aircrft", 'there is no example "aircrft"'),
        ("time: 3 s", "no scene is named"),
        ("scene: aircraft\nselect: arcraft", 'Did you mean "aircraft"?'),
        ("scene: aircraft\nlit: [nobody]", 'there is no frame "nobody"'),
        ("scene: aircraft\nhide: [nothing]", 'there is no item "nothing"'),
        ("scene: aircraft\nparameters: {yaww: 3}", 'there is no parameter "yaww"'),
        ("scene: aircraft\ntime: 99 s", "is outside of the scene"),
        ("scene: aircraft\ntime: 3", "unit"),
        ("scene: aircraft\nplay: {to: 1 km}", "no unit of time"),
        ("scene: aircraft\nquestion: {form: turn, ask: x, frame: world, at: 3 s}", "the world is not turned"),
        ("scene: aircraft\nquestion: {form: sketch, ask: x, signal: sped, start: 0 s, end: 3 s}", "is no signal"),
        (f"{SKETCH_IN}aircraft{CURVE.replace('component: x', 'component: q')}", 'there is no component "q"'),
    ],
)
def test_that_what_a_step_names_has_to_be_there(block: str, said: str) -> None:
    with pytest.raises(LessonError) as error:
        staged(block)
    assert said in str(error.value)
    assert "(line " in str(error.value)


# --- Stagings


BLOCKS = (
    "scene: aircraft\ntime: 3 s\nselect: aircraft\nlayout: Teach\nparameters: {yaw: 20}",
    "play: {to: 5 s}\nlit: [aircraft]",
    "parameters: {pitch: 10}",
    "scene: demo",
    "scene: aircraft",
)


def test_that_a_step_goes_on_from_the_one_before_and_another_scene_begins_anew() -> None:
    first, second, third, other, again = staged(*BLOCKS)
    assert (first.time, second.time, third.time) == (3.0, 3.0, 5.0)
    assert dict(third.scene.parameters) | {"yaw": 20.0, "pitch": 10.0} == dict(third.scene.parameters)
    assert third.scene.view.frames["aircraft"].label
    assert (other.scene_name, other.select, other.layout) == ("demo", "", "Learn")
    assert again.scene.parameters == load("aircraft")[0].parameters
    assert again.time == 0.0


def test_that_the_scene_itself_is_left_alone_and_orientations_take_the_place_of_motions() -> None:
    turned = "aircraft: {form: axes, sequence: ZYX, angles: [90, 0, 0], unit: deg}"
    (step,) = staged(f"scene: aircraft\norientations:\n  {turned}\nhide: [aircraft]")
    assert step.scene.frames["aircraft"].orientation.angles == (90.0, 0.0, 0.0)
    assert "aircraft" in step.scene.view.hidden.frames
    assert load("aircraft")[0].frames["aircraft"].orientation.angles != (90.0, 0.0, 0.0)


def test_that_the_ghost_of_a_question_begins_where_the_frame_is() -> None:
    (step,) = staged("scene: aircraft\ntime: 5 s\nquestion: {form: turn, ask: x, frame: aircraft, at: 10 s}")
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    assert step.answer == step.select == ANSWER
    own, ghost = (orientation_of(plan, name, "world", 5.0) for name in ("aircraft", ANSWER))
    assert own == pytest.approx(ghost, abs=1e-9)
    snapshot = evaluate(plan, 5.0)
    assert snapshot.p_WF[plan.index[ANSWER]] == pytest.approx(snapshot.p_WF[plan.index["aircraft"]], abs=1e-9)
    copies = [body for body in step.scene.bodies.values() if body.frame == ANSWER]
    assert len(copies) == sum(body.frame == "aircraft" for body in step.scene.bodies.values())
    assert all(body.opacity < 0.5 for body in copies)


# --- Answers


def test_that_a_choice_is_told_what_it_means() -> None:
    question = Choose.model_validate({
        "ask": "Which?", "if_wrong": "Look again.",
        "options": [{"text": "a", "right": True, "reply": "Yes."}, {"text": "b", "reply": "That is the parent's."}],
    })  # fmt: skip
    assert judging.judge_choice(question, 0) == judging.Verdict(True, "Yes.")
    assert judging.judge_choice(question, 1) == judging.Verdict(False, "That is the parent's. Look again.")


@pytest.mark.parametrize(
    ("answer", "is_right", "name"),
    [
        (3.7, True, ""), (3.75, True, ""), (-3.7, False, "other sign"), (7.4, False, "double"), (1.85, False, "half"),
        (3.7 * 180 / np.pi, False, "degrees for radians"), (3.7 * np.pi / 180, False, "radians for degrees"),
        (5.0, False, "misreading"), (100.0, False, ""), (3700.0, False, "a thousand times"),
    ],
)  # fmt: skip
def test_that_a_number_is_judged_and_its_misreading_named(answer: float, is_right: bool, name: str) -> None:
    question = NumberQuestion.model_validate({
        "ask": "How large?", "value": 3.7, "tolerance": 0.1, "unit": "rad/s",
        "misreadings": [{"value": 5, "reply": "That is the other."}],
    })  # fmt: skip
    verdict = judging.judge_number(question, answer)
    assert (verdict.is_right, verdict.misconceptions) == (is_right, (name,) if name else ())
    assert is_right or verdict.text


@pytest.mark.parametrize(
    ("axis", "either_way", "answer", "is_right", "name"),
    [
        ([0, 1, 0], False, [0.1, 1, 0], True, ""),
        ([0, 1, 0], False, [0, -1, 0], False, "other sign"),
        ([0, 1, 0], True, [0, -1, 0.05], True, ""),
        ([0, 1, 0], True, [1, 0.1, 0], False, "other axis"),
        ([0, 1, 0], False, [-0.77, -0.64, 0], False, ""),
    ],
)
def test_that_a_direction_is_judged(axis, either_way: bool, answer, is_right: bool, name: str) -> None:
    (step,) = staged(f"scene: aircraft\ntime: 3 s\nquestion: {{form: point, ask: x, frame: aircraft, axis: {axis}}}")
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    question = step.question.model_copy(update={"either_way": either_way})
    verdict = judging.judge_point(question, plan, 3.0, np.array(answer, float))
    assert (verdict.is_right, verdict.misconceptions) == (is_right, (name,) if name else ())
    assert (judging.OPPOSITE in verdict.text) == (is_right and answer[1] < 0)
    right = judging.direction_of(question, plan, 3.0)
    assert judging.judge_point(question, plan, 3.0, right[:, 0]).is_right
    assert right @ right.T == pytest.approx(np.eye(3))
    assert np.linalg.det(right) == pytest.approx(1.0)


def test_that_an_axis_of_the_parent_is_told_from_one_of_the_frame() -> None:
    (step,) = staged("scene: aircraft\ntime: 3 s\nquestion: {form: point, ask: x, frame: aircraft, axis: [0, 1, 0]}")
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    fixed = orientation_of(plan, "aircraft", "north-east-down", 3.0).T @ [0.0, 1.0, 0.0]
    verdict = judging.judge_point(step.question, plan, 3.0, fixed)
    assert verdict.misconceptions == ("fixed for moving",)
    assert "an axis of north-east-down" in verdict.text


def test_that_a_sketch_is_judged() -> None:
    (step,) = staged(f"{SKETCH_IN}sensor{CURVE.replace('velocity of world', 'velocity of tip')}")
    plan, question = compile_plan(step.scene, access=load("sensor")[1]), step.question
    times = np.linspace(0.0, 4.0, 200)
    right = judging.curve_of(question, plan, times)
    others = judging.thoughts_of_curve(question, plan, times)
    random = np.random.default_rng(3)
    shaky = right + 0.1 * np.ptp(right) * np.convolve(random.normal(size=200), np.ones(20) / 20, "same")
    assert judging.judge_sketch(question, right, shaky, others).is_right
    wrong = judging.judge_sketch(question, right, -right, others)
    assert (wrong.is_right, wrong.misconceptions) == (False, ("other sign",))
    meant = next(each.curve for each in others if "that of y" in each.reply)
    other = judging.judge_sketch(question, right, meant, others)
    assert (other.is_right, other.misconceptions) == (False, ("other curve",))
    assert "that of y" in other.text
    few = np.where(np.arange(200) < 60, right, np.nan)
    assert "whole time" in judging.judge_sketch(question, right, few, others).text


# --- Numbers


@pytest.mark.parametrize(
    ("unit", "value", "answer", "name"),
    [
        ("deg", 28.0, 0.4887, "radians for degrees"),  # and not the misreading 0, which is as near
        ("deg", 28.0, 0.02, "misreading"),
        ("rad", 0.5, 28.65, "degrees for radians"),
        ("deg", 152.0, -208.0, "full turn"),
        ("rad", -0.5, 2 * np.pi - 0.5, "full turn"),
        ("m/s", 1.05, 60.16, ""),  # no angle
        ("", 0.5, 0.5 * 180 / np.pi, ""),
        ("m/s", 2.0, 2000.0, "a thousand times"),
    ],
)
def test_that_a_number_is_read_as_what_it_can_be(unit: str, value: float, answer: float, name: str) -> None:
    zero = Misreading(value=0.0, reply="None.")
    tolerance = 0.5 if value > 1 else 0.01
    question = NumberQuestion(ask="x", value=value, unit=unit, tolerance=tolerance, misreadings=(zero,))
    verdict = judging.judge_number(question, answer)
    assert verdict.misconceptions == ((name,) if name else ())
    assert not verdict.is_right


@pytest.mark.parametrize(
    ("unit", "value", "answer", "says"),
    [
        ("deg", 30.0, 1718.9, "was in degrees already"),
        ("deg", 30.0, 0.5236, "in radians where degrees are asked for"),
        ("deg/s", 30.0, 1718.9, "was in degrees already"),
        ("rad", 0.5, 28.65, "in degrees where radians are asked for"),
        ("rad/s", 0.5, 0.008727, "was in radians already"),
        ("deg", 360.0, 0.0, "the angle of the whole turn"),
        ("deg", 540.0, 180.0, "the angle of the whole turn"),
        ("deg", 20.0, 380.0, "nearer to zero"),
        ("rad", -1.0, 2 * np.pi - 1.0, "nearer to zero"),
    ],
)
def test_that_a_reply_does_not_contradict_its_question(unit: str, value: float, answer: float, says: str) -> None:
    question = NumberQuestion(ask="x", value=value, unit=unit, tolerance=0.005 * abs(value))
    assert says in judging.judge_number(question, answer).text


# --- Misconceptions


def test_that_the_planted_misconception_is_named_through_the_noise_of_a_hand() -> None:
    """500 random wrong answers, each 5 degrees off by hand: rms about each axis."""
    random = np.random.default_rng(20)
    named = alone = first = 0
    for _ in range(500):
        sequence = str(random.choice(SEQUENCES))
        angles = np.radians(random.uniform(25.0, 80.0, 3) * random.choice([-1.0, 1.0], 3))
        thoughts = misconceptions.of_angles(sequence, angles)
        planted = thoughts[random.integers(len(thoughts))]
        answer = planted.R @ Rotation.from_rotvec(np.radians(random.normal(0.0, 5.0, 3))).as_matrix()
        right = misconceptions.matrix_of_angles(sequence, angles)
        found = misconceptions.nearest(answer, right, thoughts)
        same = [np.allclose(each.R, planted.R, atol=1e-9) for each in found]
        named += any(same)
        first += bool(same) and same[0]
        alone += len({each.clause for each in found}) == 1
        words = misconceptions.in_words(found)
        assert ("fit what you did" in words) == (len({each.clause for each in found}) > 1)
    assert named >= 0.95 * 500
    assert first >= 0.95 * 500
    assert alone >= 0.7 * 500


def test_that_fixed_axes_and_the_reverse_order_are_said_to_be_the_same() -> None:
    angles = np.radians([50.0, 28.0, 40.0])
    found = misconceptions.nearest(
        misconceptions.matrix_of_angles("zyx", angles),
        misconceptions.matrix_of_angles("ZYX", angles),
        misconceptions.of_angles("ZYX", angles),
    )
    assert [each.name for each in found] == ["fixed for moving", "other order"]
    assert "Both fit" in misconceptions.in_words(found)


def test_that_a_turn_is_judged_by_its_angle_and_its_misconception() -> None:
    (step,) = staged(
        "scene: aircraft\ntime: 0 s\nquestion: {form: turn, ask: x, frame: aircraft, at: 10 s, if_wrong: No.}"
    )
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    target = judging.target_of(step.question, plan)
    assert target.angles is not None
    assert np.degrees(target.angles[1]) == pytest.approx([50.0, 28.0, 40.0])
    assert judging.judge_turn(step.question, target, target.R).is_right
    off = target.R @ Rotation.from_rotvec([0.0, 0.0, np.radians(11.0)]).as_matrix()
    assert judging.judge_turn(step.question, target, off).is_right
    verdict = judging.judge_turn(step.question, target, target.R.T)
    assert (verdict.is_right, verdict.misconceptions) == (False, ("transpose",))
    assert verdict.text.endswith("No.")
    far = judging.judge_turn(step.question, target, target.R @ Rotation.from_rotvec([2.5, 0.0, 0.0]).as_matrix())
    assert not far.is_right


def test_that_an_orientation_can_be_asked_for_by_its_angles() -> None:
    (step,) = staged(
        "scene: aircraft\nquestion: {form: turn, ask: x, frame: aircraft,"
        " to: {form: axes, sequence: XYZ, angles: [30, 40, 50], unit: deg}}"
    )
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    target = judging.target_of(step.question, plan)
    assert pytest.approx(misconceptions.matrix_of_angles("XYZ", np.radians([30.0, 40.0, 50.0]))) == target.R
    assert target.angles is not None
    assert target.angles[0] == "XYZ"
    assert isinstance(step.question, Turn)
    assert not isinstance(step.question, PointQuestion | Sketch)
    assert replace(step, time=1.0).question is step.question


def test_that_an_orientation_without_angles_has_misconceptions_of_its_own() -> None:
    (step,) = staged(
        "scene: aircraft\nquestion: {form: turn, ask: x, frame: aircraft,"
        " to: {form: quaternion, value: [0, 0, 0.6, 0.8], order: xyzw}}"
    )
    plan = compile_plan(step.scene, access=load("aircraft")[1])
    target = judging.target_of(step.question, plan)
    names = {each.name: each.R for each in target.thoughts}
    assert set(names) == {"scalar first", "half the angle", "transpose", "not turned"}
    angle = 2.0 * np.arctan2(0.6, 0.8)
    assert pytest.approx(Rotation.from_rotvec([0.0, 0.0, angle]).as_matrix()) == target.R
    assert names["half the angle"] == pytest.approx(Rotation.from_rotvec([0.0, 0.0, angle / 2]).as_matrix())
    assert names["scalar first"] == pytest.approx(Rotation.from_quat([0.0, 0.6, 0.8, 0.0]).as_matrix())
    assert judging.judge_turn(step.question, target, names["scalar first"]).misconceptions == ("scalar first",)


def test_that_orders_that_differ_in_turns_of_zero_are_one() -> None:
    thoughts = misconceptions.of_angles("ZXZ", np.radians([60.0, 90.0, 0.0]))
    said = [each.clause for each in thoughts]
    assert len(said) == len(set(said))
    orders = [each for each in thoughts if each.name == "other order"]
    for i, one in enumerate(orders):
        assert all(not np.allclose(one.R, other.R, atol=1e-6) for other in orders[i + 1 :])


@pytest.mark.parametrize(
    "question",
    [
        "{form: turn, ask: x, frame: aircraft, at: 0 s}",
        "{form: point, ask: x, frame: aircraft, axis: [0.66, 0.56, 0.5], start: [0.6, 0.6, 0.5]}",
    ],
)
def test_that_an_answer_is_not_right_before_it_is_touched(question: str) -> None:
    with pytest.raises(LessonError, match="where the answer stands at first"):
        staged(f"scene: aircraft\nquestion: {question}")


def test_that_a_sketch_is_not_given_away_by_a_plot_and_names_components_as_plots_do() -> None:
    signal = "angles of aircraft relative to north-east-down by ZYX in deg"
    asked = f"{{form: sketch, ask: x, signal: {signal}, component: angle 2, start: 0 s, end: 9 s}}"
    (step,) = staged(f"scene: aircraft\nplots: [Angles, Angular velocity]\nquestion: {asked}")
    assert [plot.signal for plot in step.scene.view.plots] == ["angular velocity"]
    plan, times = compile_plan(step.scene, access=load("aircraft")[1]), np.linspace(0.0, 9.0, 50)
    assert judging.curve_of(step.question, plan, times)[-1] == pytest.approx(28.0)
    assert [each.reply.removeprefix("That is the curve if it ") for each in curves_of(step.question, plan, times)] == [
        "had the other sign.",
        "were that of angle 1 about z.",
        "were that of angle 3 about x.",
        "That has the shape of its sum over time.",
    ]
    flat = step.question.model_copy(
        update={"signal": "velocity of aircraft relative to world resolved in world in m/s"}
    )
    flat = flat.model_copy(update={"component": "norm"})
    assert [each.name for each in curves_of(flat, plan, times)] == []  # it stands where it is


def test_that_plots_are_seen_where_a_step_names_them() -> None:
    first, second, third = staged("scene: aircraft", "plots: [Angles]", "time: 2 s")
    assert [len(step.scene.view.plots) for step in (first, second, third)] == [0, 1, 0]
    with pytest.raises(LessonError, match=r'Did you mean "Angles"'):
        staged("scene: aircraft\nplots: [Angels]")


def test_that_wrong_curves_are_told_that_a_lesson_names() -> None:
    asked = (
        "{form: sketch, ask: x, signal: angles of aircraft relative to north-east-down by ZYX in deg,"
        " component: angle 2, start: 0 s, end: 9 s, misreadings: ["
        "{expression: 'yaw*t/9', reply: That is a ramp.},"
        "{signal: angular velocity of aircraft relative to world resolved in aircraft in deg/s,"
        " component: x, reply: That is a rate.}]}"
    )
    (step,) = staged(f"scene: aircraft\nquestion: {asked}")
    plan, times = compile_plan(step.scene, access=load("aircraft")[1]), np.linspace(0.0, 9.0, 50)
    right, thoughts = judging.curve_of(step.question, plan, times), curves_of(step.question, plan, times)
    assert judging.judge_sketch(step.question, right, 50.0 * times / 9.0, thoughts).text == "That is a ramp."
    assert judging.judge_sketch(step.question, right, thoughts[1].curve, thoughts).text == "That is a rate."
    for wrong in ("expression: 'yaw*q'", "signal: angels of aircraft"):
        with pytest.raises(LessonError, match="misreadings"):
            staged(f"scene: aircraft\nquestion: {asked}".replace("expression: 'yaw*t/9'", wrong))
