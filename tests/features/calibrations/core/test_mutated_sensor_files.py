"""Mutated files of sensors and of settings: each is read with problems, or is one clear error, within a second."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from random import Random

import pytest

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.camera_info import CAMERA_INFO
from framescope.features.calibrations.core.dialects.euroc import EUROC
from framescope.features.calibrations.core.dialects.opencv import OPENCV
from framescope.features.calibrations.core.dialects.orb_slam import ORB_SLAM
from framescope.features.calibrations.core.dialects.registry import dialect_of
from framescope.features.calibrations.core.dialects.vins import VINS
from tests.features.calibrations.core import (
    test_camera_info,
    test_euroc,
    test_opencv_calibrations,
    test_orb_slam,
    test_vins,
)
from tests.support.damage import (
    change_column,
    change_encoding,
    change_line,
    change_number,
    change_word,
    change_xml,
    cut,
    flip_bytes,
)

SEEDS = {
    EUROC: (test_euroc.CAMERA, test_euroc.IMU),
    ORB_SLAM: (test_orb_slam.INERTIAL, test_orb_slam.STEREO),
    VINS: (test_vins.MONO, test_vins.FUSION, test_vins.MEI),
    CAMERA_INFO: (test_camera_info.RIGHT, test_camera_info.ECHO_1, test_camera_info.echo_2("right", -24.0)),
    OPENCV: (test_opencv_calibrations.STEREO, test_opencv_calibrations.MONO, test_opencv_calibrations.NAMED),
}
DAMAGES = (change_number, change_word, change_line, change_column, flip_bytes, cut, change_encoding, change_xml)
COUNT = 300


@pytest.mark.fuzz
@pytest.mark.parametrize("dialect", SEEDS, ids=lambda dialect: dialect.name)
def test_that_a_mutated_file_is_a_calibration_or_one_clear_error(dialect) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(COUNT):
        random = Random(number)
        data = random.choice(SEEDS[dialect]).encode()
        for _ in range(random.choice((1, 1, 2, 4))):
            data = random.choice(DAMAGES)(random, data)
        start = time.perf_counter()
        chosen = dialect_of(data)
        try:
            source = Source("left.yaml", data, "cam0", test_vins.FILES.get)
            calibration = (chosen or dialect).read(source)
            scene_of(calibration, source.name)
            outcomes["problems" if calibration.problems else "read"] += 1
            if chosen is not None:
                assert chosen.patch(source.text, calibration.edges) == source.text, number
                with contextlib.suppress(CalibrationError):
                    chosen.write(calibration)
        except FramescopeError as error:
            message = str(error)
            assert 10 < len(message) < 2000, message
            assert message.isprintable(), (number, message)
            outcomes["error"] += 1
        assert time.perf_counter() - start < 1.0, number
    assert all(outcomes[kind] >= COUNT // 30 for kind in ("read", "error")), outcomes
