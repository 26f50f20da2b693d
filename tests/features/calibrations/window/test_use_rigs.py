"""Two calibrations under a hand: dropped, joined by name, the inverted entry mended and written into its file."""

from __future__ import annotations

import difflib

import numpy as np
import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.base import Edit
from framescope.features.calibrations.core.rig.mends import with_pose
from framescope.features.calibrations.ui.mend_ghosts import MendGhosts
from tests.support.hands import CTRL, Key
from tests.support.rig_files import make_wrong, text_of, write_files
from tests.support.whole_window import answering, drop_files, from_menu, press_button, strike_in, wait_for
from tests.window.test_use_faults import click_mend, click_row, is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path)


@pytest.fixture
def wiring(open_window, files):
    make_wrong(files)
    return open_window(example_path("aircraft"))


def drop(wiring, path, name: str) -> None:
    """Drop a file, and wait until the scene has an item that it brings."""
    assert drop_files(wiring, path)

    def has_item() -> bool:
        scene = wiring.session.document.scene
        return name in {**scene.frames, **scene.measured}

    wait_for(has_item)


def test_that_two_dropped_calibrations_lead_to_the_inverted_entry_and_its_file(wiring, files) -> None:
    chain, other = files
    window, session = wiring.window, wiring.session
    drop(wiring, chain, "cam1")
    one = session.document.scene
    drop(wiring, other, "cam1 from imu0")
    assert "cam1_2" not in session.document.scene.frames
    assert session.document.history.undo_label == "Imported 1 measured pose"
    wait_for(lambda: is_at_rest(wiring) and any(problem.kind == "rig-pose" for problem in told(wiring)))
    panel = window.problems
    window.show_dock("problems")
    wait_for(lambda: not panel.visibleRegion().isEmpty())
    (i,) = (i for i, problem in enumerate(panel.problems) if problem.kind == "rig-pose")
    problem = panel.problems[i]
    assert problem.message == "camchain.yaml: cam1.T_cn_cnm1 is inverted."
    assert "instead of 2.1° and 0.22" in problem.hint
    click_row(panel, i)
    wait_for(lambda: window.scene_view.renderer.visual(MendGhosts) is not None)
    assert window.scene_view.renderer.visual(MendGhosts).labels == ["cam1 before", "cam1 after"]
    click_mend(panel, i)
    wait_for(lambda: is_at_rest(wiring) and not any(problem.kind == "rig-pose" for problem in panel.problems))
    assert window.scene_view.renderer.visual(MendGhosts) is None
    wait_for(lambda: is_at_rest(wiring) and [p.kind for p in panel.problems] == ["calibration-differs"])
    assert "camchain.yaml has other numbers (cam1.T_cn_cnm1)" in panel.problems[0].message
    before, beside = chain.read_text("utf-8"), other.read_text("utf-8")
    with answering(press_button("Cancel")):
        from_menu(wiring, "File", "Write into the calibration…")
    assert chain.read_text("utf-8") == before
    with answering(press_button("Save")):
        click_mend(panel, 0)
    assert window.status.message == "Wrote camchain.yaml; the former file is camchain.yaml.bak"
    lines = [
        line for line in difflib.ndiff(before.splitlines(), chain.read_text("utf-8").splitlines()) if line[:1] in "+-"
    ]
    assert len(lines) == 6
    wait_for(lambda: is_at_rest(wiring) and not panel.problems)
    assert all(line[2:].startswith("  - [") for line in lines)
    assert other.read_text("utf-8") == beside
    from_menu(wiring, "File", "Write into the calibration…")
    assert "nothing to write" in window.status.message
    for _ in range(2):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene == one, "the second file is one step of undo"


def test_that_calibrations_dropped_together_are_all_taken(wiring, files) -> None:
    assert not wiring.window.commands.of_features["write_calibration"].isEnabled()
    assert drop_files(wiring, *files)
    wait_for(lambda: len(wiring.session.document.scene.measured) == 1)
    assert {"imu0", "cam0", "cam1"} <= set(wiring.session.document.scene.frames)
    assert wiring.window.commands.of_features["write_calibration"].isEnabled()


def test_that_a_calibration_that_does_not_join_is_refused_with_its_own_reason(wiring, files, tmp_path) -> None:
    drop(wiring, files[0], "cam1")
    scene = wiring.session.document.scene
    path = tmp_path / "doubled.yaml"
    path.write_text(text_of(cam1={"T_cam_imu": np.diag([2.0, 2.0, 2.0, 1.0])}), "utf-8")
    assert drop_files(wiring, path)
    words = "doubled.yaml is not imported: cam1.T_cam_imu: all its numbers are 2 times those of a rotation."
    wait_for(lambda: wiring.window.status.message == words)
    assert wiring.session.document.scene is scene


def test_that_an_opened_calibration_is_saved_into_its_file(open_window, files) -> None:
    """Saving offers the file itself, as for a robot."""
    wiring = open_window(files[0])
    scene = wiring.session.document.scene
    moved = with_pose(scene, ("frames", "cam0"), np.eye(3), np.array([0.0, 0.0, 0.5]))
    wiring.session.commit(Edit("Moved cam0", lambda _: moved))
    with answering(press_button("Write into camchain.yaml…"), press_button("Save")):
        strike_in(wiring, Key.Key_S, CTRL)
    assert not wiring.session.document.is_dirty
    assert "- [1.0, 0.0, 0.0, 0.0]" in files[0].read_text("utf-8")
