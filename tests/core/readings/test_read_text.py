"""Any text is read as what it is: without a question, or with the right reading among those offered."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.conventions.pose_snippets import POSE_TARGETS, pose_as_code
from framescope.core.readings import read_text
from framescope.core.readings.makers import MAKERS
from framescope.core.readings.read_text import MAX_LENGTH
from framescope.core.readings.reading import MOST_READINGS, Reading
from tests.core.readings.corpus import CASES, WITHOUT_POSE, Case


def is_right(reading: Reading, case: Case) -> bool:
    if reading.R is None or np.abs(reading.R.T.T - case.R_PF).max() > case.tolerance:
        return False
    if case.p_PF is None:
        return reading.p_PF is None
    return reading.p_PF is not None and np.abs(np.array(reading.p_PF) - case.p_PF).max() <= max(case.tolerance, 1e-3)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_that_a_text_is_read_right_or_offers_the_right_reading(case) -> None:
    result = read_text(case.text)
    offered = [(each.form, each.choice, each.p_PF) for each in result.readings]
    assert result.readings, result.reason
    assert any(is_right(reading, case) for reading in result.readings), offered
    assert len(result.readings) <= MOST_READINGS
    assert (len(result.readings) > 1) == case.is_open, offered
    assert bool(result.question) == case.is_open
    choices = [reading.choice for reading in result.readings]
    assert len(set(choices)) == len(choices)


def test_that_most_of_the_corpus_needs_no_question() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 150
    assert sum(not case.is_open for case in CASES) >= 120


@pytest.mark.parametrize("text", WITHOUT_POSE.values(), ids=WITHOUT_POSE)
def test_that_a_text_without_a_pose_is_answered_in_one_sentence(text) -> None:
    result = read_text(text)
    assert result.readings == ()
    assert result.reason.endswith(".")
    assert "\n" not in result.reason


@pytest.mark.parametrize("maker", [maker for maker in MAKERS if maker.example], ids=lambda maker: maker.name)
def test_that_each_convention_of_a_maker_gives_the_number_to_check_it_by(maker) -> None:
    reading = read_text(maker.example).readings[0]
    assert reading.source == maker.name
    assert abs(np.dot(frames.to_Q(reading.R), maker.expected)) == pytest.approx(1.0, abs=1e-7)
    assert maker.source


@pytest.mark.parametrize("target", POSE_TARGETS)
def test_that_our_own_poses_are_read_back_whole(target) -> None:
    R = frames.axes_rotations("XYZ", [0.4, -0.7, 2.0])
    reading = read_text(pose_as_code(R, np.array([0.1, -20.0, 300.0]), "base", "camera", target)).settled
    np.testing.assert_allclose(reading.R.T, R.T, atol=1e-9)
    np.testing.assert_allclose(reading.p_PF, [0.1, -20.0, 300.0])


@pytest.mark.long
@pytest.mark.parametrize("text", ["Quaternion(" * 9000, "[" * 90_000, "9" * 90_000, "a" * 90_000, "- 1 " * 20_000])
def test_that_a_long_text_of_anything_is_answered(text) -> None:
    assert read_text(text).reason


def test_that_all_cameras_of_a_file_are_kept() -> None:
    frame = '"transform_matrix": [[1, 0, 0, {}], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]'
    reading = read_text(frame.format(1) + ", " + frame.format(2)).settled
    assert [placement.p_PF for placement in reading.placements] == [(1.0, 0.0, 0.0), (2.0, 0.0, 0.0)]


def test_that_a_text_that_is_too_long_is_refused_and_not_cut() -> None:
    line = "0 0 0 1\n"
    result = read_text(line * (MAX_LENGTH // len(line) + 1))
    assert result.readings == ()
    assert "longer than 100,000 characters" in result.reason
