"""Changed poses, written into the calibration that they come from: the changed lines alone."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.importers.registry import read_scene
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.features.calibrations.app.calibration_write_back import write_backs
from framescope.features.calibrations.core.rig.additions import add_calibration
from framescope.features.calibrations.core.rig.mends import with_pose
from framescope.features.calibrations.core.rig.scene_checks import rig_problems
from tests.support.rig_files import CAM0, STEP, make_wrong, text_of, write_files


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path)


def pending(scene, folder):
    return write_backs(compile_plan(scene), lambda name: folder / name if (folder / name).is_file() else None)


def rig_scene(files):
    first, second = (read_scene(path)[0].scene for path in files)
    return add_calibration(second, first).apply(first)


def test_that_nothing_is_written_where_nothing_changed(files, tmp_path) -> None:
    assert pending(rig_scene(files), tmp_path) == ()


def test_that_a_mend_changes_the_lines_of_its_entry_alone(files, tmp_path) -> None:
    make_wrong(files)
    scene = rig_scene(files)
    (problem,) = rig_problems(compile_plan(scene))
    (change,) = pending(problem.fix.change.apply(scene), tmp_path)
    assert (change.path, change.entries) == (files[0], ("cam1.T_cn_cnm1",))
    before, former_other = files[0].read_text("utf-8").splitlines(), files[1].read_bytes()
    change.write()
    after = files[0].read_text("utf-8").splitlines()
    changed = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    start = before.index("  T_cn_cnm1:  # a note")
    assert changed == [start + 1, start + 2, start + 3]
    assert files[1].read_bytes() == former_other
    again = rig_scene(files)
    assert list(rig_problems(compile_plan(again))) == []
    assert pending(again, tmp_path) == ()


def test_that_a_turned_round_frame_keeps_the_numbers_of_its_file(files, tmp_path) -> None:
    """A file that knows the camera alone hangs the tree on it. The entries stay as they are."""
    other = tmp_path / "other.yaml"
    other.write_text(text_of(cam1={"T_cn_cnm1": STEP}), "utf-8")
    scene = read_scene(other)[0].scene
    scene = add_calibration(read_scene(files[1])[0].scene, scene).apply(scene)
    assert pending(scene, tmp_path) == ()


def test_that_a_frame_with_another_parent_is_left_out(files, tmp_path) -> None:
    scene = rig_scene(files)
    frames = scene.frames | {"cam1": scene.frames["cam1"].model_copy(update={"parent": "imu0"})}
    moved = with_pose(scene.model_copy(update={"frames": frames}), ("frames", "cam0"), np.eye(3), np.ones(3))
    (change,) = pending(with_pose(moved, ("frames", "cam1"), np.eye(3), np.zeros(3)), tmp_path)
    assert change.entries == ("cam0.T_cam_imu",)
    assert change.left_out == ("cam1.T_cn_cnm1",)


def test_that_a_file_changed_meanwhile_is_not_written_over(files, tmp_path) -> None:
    scene = with_pose(rig_scene(files), ("frames", "cam0"), CAM0[:3, :3].T, np.ones(3))
    (change,) = pending(scene, tmp_path)
    files[0].write_text(files[0].read_text("utf-8") + "# more\n", "utf-8")
    with pytest.raises(FramescopeError, match="changed meanwhile"):
        change.write()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_that_the_byte_order_mark_and_the_encoding_of_a_file_stay(files, tmp_path, encoding) -> None:
    text = files[0].read_text("utf-8")
    files[0].write_bytes(text.encode(encoding))
    scene = with_pose(rig_scene(files), ("frames", "cam0"), CAM0[:3, :3].T, np.array([0.0125, 0.5, 0.25]))
    (change,) = pending(scene, tmp_path)
    change.write()
    after = files[0].read_bytes()
    assert after[:3] == text.encode(encoding)[:3]
    lines = zip(text.splitlines(), after.decode(encoding).splitlines(), strict=True)
    assert 0 < sum(a != b for a, b in lines) <= 3
    assert pending(scene, tmp_path) == ()
