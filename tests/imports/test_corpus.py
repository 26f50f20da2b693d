"""Files as other programs write them: read right, or said to be doubtful; none silently wrong."""

from __future__ import annotations

import collections

import pytest

from tests.imports.corpus import corpus
from tests.imports.judge import judged

pytestmark = pytest.mark.fuzz

CORPUS = corpus()


@pytest.mark.parametrize("shape", sorted({variant.shape for variant in CORPUS}))
def test_that_files_are_read_right_or_said_to_be_doubtful(shape, tmp_path) -> None:
    found = {variant.label: judged(variant, tmp_path) for variant in CORPUS if variant.shape == shape}
    wrong = [f"{label}: {judgement.why}" for label, judgement in found.items() if judgement.verdict == "wrong"]
    assert not wrong, "\n".join(wrong)


def test_that_the_corpus_is_large_and_of_many_shapes() -> None:
    shapes = collections.Counter(variant.shape for variant in CORPUS)
    assert len({variant.label for variant in CORPUS}) == len(CORPUS) >= 120
    assert shapes.keys() == {"TUM", "EuRoC", "KITTI", "4x4", "IMU", "odometry", "mocap", "clocks", "writing", "logger"}
    assert min(shapes.values()) >= 10


def test_that_no_wrong_direction_or_order_is_assumed(tmp_path) -> None:
    asked = {"direction", "rotation", "quaternion"}
    verdicts = {
        variant.label: judged(variant, tmp_path).verdict for variant in CORPUS if asked & variant.answers.keys()
    }
    assert {"TUM: poses of the parent in the frame", "TUM: quaternions of the other way"} <= verdicts.keys()
    assert "assumed" not in verdicts.values(), verdicts
