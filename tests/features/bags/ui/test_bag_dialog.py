"""What the dialog that opens a bag ticks by itself."""

from __future__ import annotations

import pytest

from framescope.features.bags.core.bag import Channel
from framescope.features.bags.ui.bag_dialog import BagImportDialog

pytestmark = pytest.mark.window

TF = Channel("/tf", "tf2_msgs/TFMessage", "cdr", count=40)
IMU = Channel("/imu/data", "sensor_msgs/Imu", "cdr", count=400)
POSES = Channel("/mocap/drone/pose", "geometry_msgs/PoseStamped", "cdr", count=26)


@pytest.mark.parametrize(
    ("channels", "topics", "spaces"),
    [
        ([POSES], ("/mocap/drone/pose",), ()),
        ([TF, POSES], (), ("",)),
        ([TF.with_count(0), POSES], ("/mocap/drone/pose",), ("",)),
    ],
)
def test_that_poses_are_ticked_where_no_transforms_were_sent(qtbot, channels, topics, spaces) -> None:
    dialog = BagImportDialog("drive", channels, (0, 1_000_000_000))
    qtbot.addWidget(dialog)
    assert dialog.choices.topics == topics
    assert dialog.choices.namespaces == spaces
    assert dialog.open_scene.isEnabled()


def test_that_a_topic_of_a_sensor_is_said_to_hold_its_readings(qtbot) -> None:
    unknown = Channel("/speech", "std_msgs/String", "cdr", count=3)
    dialog = BagImportDialog("drive", [TF, IMU, unknown], (0, 1_000_000_000))
    qtbot.addWidget(dialog)
    rows = [dialog.topics.topLevelItem(i) for i in range(3)]
    assert {row.text(0): row.text(1) for row in rows} == {
        "/tf": "transforms",
        "/imu/data": "orientation, rate, force",
        "/speech": "no poses",
    }
    assert rows[1].isDisabled()
