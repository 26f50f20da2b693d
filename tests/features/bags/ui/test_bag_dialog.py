"""What the dialog that opens a bag ticks by itself."""

from __future__ import annotations

import pytest

from framescope.features.bags.core.bag import Channel
from framescope.features.bags.ui.bag_dialog import BagImportDialog

pytestmark = pytest.mark.window

TF = Channel("/tf", "tf2_msgs/TFMessage", "cdr", count=40)
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
