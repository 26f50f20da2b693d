"""A person with a bag: dropped, chosen from, its fault found, gone to and mended, and a film made of the drive."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from framescope.ui.dialogs.bag_import.dialog import BagImportDialog
from tests.support import planted_bags
from tests.support.bags import write_ros1, write_ros2
from tests.support.hands import Key, strike
from tests.support.whole_window import click, drop_files, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def drive(tmp_path):
    random = np.random.default_rng(4)
    return write_ros1(tmp_path / "drive.bag", planted_bags.two_parents(random, planted_bags.healthy(random)).sent)


@pytest.fixture
def good(open_window, tmp_path):
    from tests.support.scenes import GOOD

    (tmp_path / "good.yaml").write_text(GOOD)
    return open_window(tmp_path / "good.yaml")


def chosen(wiring) -> BagImportDialog:
    wait_for(lambda: wiring.bags.dialog is not None and wiring.bags.dialog.isVisible())
    return wiring.bags.dialog


def test_that_a_dropped_bag_is_chosen_from_and_its_fault_found_and_mended(good, drive) -> None:
    wiring, session = good, good.session
    assert drop_files(wiring, drive)
    dialog = chosen(wiring)
    import os
    if os.environ.get("SHOT"): dialog.grab().save("/tmp/shot_dialog.png")
    assert [dialog.topics.topLevelItem(i).text(0) for i in range(dialog.topics.topLevelItemCount())][0] == "/tf"
    click(dialog.open_scene)
    wait_for(lambda: "base_link" in session.document.scene.frames)

    assert session.document.path is None
    assert session.plan.problems == ()
    problems = wiring.window.problems
    wait_for(lambda: any(each.kind == "tf two parents" for each in problems.diagnoses))
    if os.environ.get("SHOT"):
        from PySide6.QtTest import QTest
        QTest.qWait(1500); wiring.window.screen().grabWindow(0).save("/tmp/shot_bag.png")
    (fault,) = [each for each in problems.diagnoses if each.kind == "tf two parents"]
    assert fault.name == "base_link"
    session.commit(fault.mend)
    wait_for(lambda: not any(each.kind.startswith("tf") for each in problems.diagnoses))
    assert not session.plan.tree.switches
