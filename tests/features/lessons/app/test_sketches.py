"""Curves drawn by hand: right ones through the noise of a hand, and wrong ones by their features and misreadings."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.lesson_lookup import lesson_paths, read_lesson
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.picture import angle_in_picture
from framescope.features.lessons.core.schema import PointQuestion, Sketch
from framescope.features.lessons.core.staging import ANSWER, orientation_of

N = 200


@cache
def questions(kind):
    """Return the questions of a kind in the shipped lessons, with their stagings and plans."""
    found = []
    for path in lesson_paths():
        read = read_lesson(path)
        for staging in read.stagings:
            if isinstance(staging.question, kind):
                plan = compile_plan(staging.scene, access=Access(read.folder_of(staging.scene_name)))
                found.append((staging, plan))
    return found


@cache
def sketches():
    result = []
    for staging, plan in questions(Sketch):
        question = staging.question
        times = np.linspace(question.start.si("time", ()), question.end.si("time", ()), N)
        right, thoughts = judging.curve_of(question, plan, times), judging.thoughts_of_curve(question, plan, times)
        result.append((question, times, right, thoughts))
    return result


def by_hand(random, curve, scale):
    """Return a curve as a hand draws it: early or late here and there, too high or low, and shaking."""
    u = np.linspace(0.0, 1.0, N)
    late = 0.015 * np.sin(2.0 * np.pi * (u * random.uniform(0.5, 2.0) + random.uniform()))
    shaking = 0.02 * np.sin(2.0 * np.pi * (u * random.uniform(1.0, 4.0) + random.uniform())) + 0.01 * random.normal()
    return random.uniform(0.93, 1.07) * np.interp(np.clip(u + late, 0.0, 1.0), u, curve) + scale * shaking


@pytest.mark.long
def test_that_the_misreading_of_a_curve_is_named_through_the_noise_of_a_hand() -> None:
    """500 random wrong curves over the sketch questions of the lessons."""
    random, named = np.random.default_rng(11), 0
    for k in range(500):
        question, _, right, thoughts = sketches()[k % len(sketches())]
        planted = thoughts[random.integers(len(thoughts))]
        verdict = judging.judge_sketch(question, right, by_hand(random, planted.curve, np.ptp(right)), thoughts)
        named += not verdict.is_right and verdict.misconceptions == (planted.name,) and planted.reply in verdict.text
    assert named >= 0.95 * 500


@pytest.mark.long
def test_that_a_right_curve_is_right_through_the_noise_of_a_hand() -> None:
    random = np.random.default_rng(12)
    for k in range(300):
        question, _, right, thoughts = sketches()[k % len(sketches())]
        verdict = judging.judge_sketch(question, right, by_hand(random, right, np.ptp(right)), thoughts)
        assert verdict.is_right, verdict


@pytest.mark.long
def test_that_the_misreading_of_a_direction_is_named_through_the_noise_of_a_hand() -> None:
    """500 random wrong directions over the pointing questions of the lessons, each 3 degrees off along each axis."""
    random, named = np.random.default_rng(13), 0
    for k in range(500):
        staging, plan = questions(PointQuestion)[k % len(questions(PointQuestion))]
        question, t = staging.question, staging.time
        thoughts = judging.thoughts_of(question, plan, t)
        name, clause, v = thoughts[random.integers(len(thoughts))]
        answer = v / np.linalg.norm(v) + np.radians(3.0) * random.normal(size=3)
        verdict = judging.judge_point(question, plan, t, answer)
        same = [other for other in thoughts if judging.angle_apart(question, other[2], v) < np.radians(6.0)]
        named += not verdict.is_right and any(verdict.misconceptions == (o[0],) and o[1] in verdict.text for o in same)
        assert name
        assert clause
    assert named >= 0.95 * 500


@pytest.mark.long
def test_that_the_opposite_direction_is_right_for_a_line_alone_and_the_reply_names_it() -> None:
    for staging, plan in questions(PointQuestion):
        question, t = staging.question, staging.time
        right = judging.direction_of(question, plan, t)[:, 0]
        assert judging.judge_point(question, plan, t, right).is_right
        assert judging.OPPOSITE not in judging.judge_point(question, plan, t, right).text
        opposite = judging.judge_point(question, plan, t, -right)
        assert opposite.is_right == question.either_way, staging.step.title
        expected = judging.OPPOSITE if question.either_way else "other way"
        assert expected in opposite.text, staging.step.title


@pytest.mark.long
def test_that_every_sketch_and_direction_names_its_usual_misreadings() -> None:
    for staging, _ in (*questions(Sketch), *questions(PointQuestion)):
        assert len(staging.question.misreadings) >= 2, staging.step.title


@pytest.mark.long
def test_that_an_arrow_begins_far_from_the_answer_in_the_picture_of_its_step() -> None:
    for staging, plan in questions(PointQuestion):
        question, t = staging.question, staging.time
        R = orientation_of(plan, question.frame, "world", t)
        start = R @ orientation_of(plan, ANSWER, question.frame, t)[:, 0]
        right = R @ judging.direction_of(question, plan, t)[:, 0]
        angle = angle_in_picture(staging.scene.view.camera, start, right, is_line=question.either_way)
        assert np.degrees(angle) >= 40.0, staging.step.title


JUMP = 80.0 * (np.linspace(3.0, 9.0, N) > 7.0)
T = np.linspace(0.0, 1.0, N)


@pytest.mark.parametrize(
    ("right", "answer", "name"),
    [
        (JUMP, JUMP, ""),
        (JUMP, 80.0 * np.clip((T - 0.64) / 0.06, 0.0, 1.0), ""),
        (JUMP, 0.5 * JUMP, "half"),
        (JUMP, 0.7 * JUMP, "height"),
        (JUMP, 1.4 * JUMP, "height"),
        (JUMP, 80.0 * (T > 0.58), "jump too early"),
        (JUMP, 80.0 * (T > 0.76), "jump too late"),
        (JUMP, 80.0 * np.clip((T - 0.42) / 0.25, 0.0, 1.0), "no jump"),
        (JUMP, np.full(N, 40.0), "no jump"),
        (np.cos(2 * np.pi * T), 0.5 * np.cos(2 * np.pi * T), "half"),
        (np.cos(2 * np.pi * T), 2.0 * np.cos(2 * np.pi * T), "double"),
        (np.cos(2 * np.pi * T), 0.7 * np.cos(2 * np.pi * T), "height"),
        (np.cos(2 * np.pi * T), np.cos(2 * np.pi * (T - 0.1)), "zero"),
        (np.cos(2 * np.pi * T), np.cos(3 * np.pi * T), "sign"),
        (np.cos(2 * np.pi * T), np.abs(np.cos(2 * np.pi * T)), "sign"),
        (1.0 - np.cos(4 * np.pi * T), 1.0 - np.cos(2 * np.pi * T), "period"),
        (1.0 - np.cos(2 * np.pi * T), 0.6 - 1.4 * np.cos(2 * np.pi * T), "sign"),
        (1.0 - np.cos(2 * np.pi * T), 1.4 - 0.6 * np.cos(2 * np.pi * T), "level"),
        (1.0 - np.cos(2 * np.pi * T), 1.0 - np.cos(2 * np.pi * T**1.8), "place"),
        (T, np.where(T > 0.5, 1.0, 0.0), "jump"),
    ],
)
def test_that_a_curve_is_judged_by_its_features(right, answer, name: str) -> None:
    question = Sketch.model_validate({"ask": "x", "signal": "x", "start": "0 s", "end": "1 s", "tolerance": 0.2})
    verdict = judging.judge_sketch(question, right, answer, [])
    assert (verdict.is_right, verdict.misconceptions) == (not name, (name,) if name else ()), verdict
