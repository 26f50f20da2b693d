"""Files with a pose as ROS tools print it open as a frame with it, and calibrations of EuRoC as body and sensor."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.importers.registry import importer_of, read_scene
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from tests.core.readings.test_ros_texts import ECHO, LATER, QUARTER, SENSOR


@pytest.mark.parametrize(
    ("file", "text", "title", "names", "position"),
    [
        ("tf2_echo.txt", 300 * ECHO + LATER, "poses", ["tf2_echo"], [0.1, -0.2, 0.3]),
        ("cam0/sensor.yaml", SENSOR, "calibrations", ["body", "cam0"], [0.1, -0.2, 0.3]),
        ("imu4.yaml", SENSOR, "calibrations", ["body", "imu4"], [0.1, -0.2, 0.3]),
    ],
)
def test_that_a_printed_pose_opens_as_a_frame(tmp_path, file, text, title, names, position) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert importer_of(path).title == title
    loaded, problems = read_scene(path)
    assert problems == ()
    assert list(loaded.scene.frames) == names
    name = names[-1]
    parents = [frame.parent for frame in loaded.scene.frames.values()]
    assert parents == ["world", *names][: len(names)]
    plan = compile_plan(loaded.scene)
    assert diagnose(plan) == ()
    snapshot = evaluate(plan, 0.0)
    np.testing.assert_allclose(snapshot.p_WF[snapshot.index[name]], position)
    np.testing.assert_allclose(snapshot.R_WF[snapshot.index[name]], QUARTER, atol=1e-3)


def test_that_a_table_with_such_words_stays_a_table(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("t,Translation\n0,1\n1,2\n")
    assert importer_of(path).title == "tables and trajectories"
