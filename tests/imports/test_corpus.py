"""Files as other programs write them: read right, or said to be doubtful; none silently wrong."""

from __future__ import annotations

import collections

import pytest

from tests.imports.corpus import Variant, corpus
from tests.imports.judge import judged

CORPUS = corpus()


@pytest.mark.parametrize("variant", CORPUS, ids=lambda variant: variant.label)
def test_that_a_file_is_read_right_or_said_to_be_doubtful(variant: Variant, tmp_path) -> None:
    judgement = judged(variant, tmp_path)
    assert judgement.verdict in ("right", "assumed", "open"), judgement.why


def test_that_the_corpus_is_large_and_of_many_shapes() -> None:
    shapes = collections.Counter(variant.shape for variant in CORPUS)
    assert len({variant.label for variant in CORPUS}) == len(CORPUS) >= 120
    assert shapes.keys() == {"TUM", "EuRoC", "KITTI", "4x4", "IMU", "odometry", "mocap"}
    assert min(shapes.values()) >= 10
