"""Recordings of one clock keep it: a second file, and several frames of one table."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.columns.guess_time import Clock
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.shared_clocks import recorded_clocks
from framescope.features.table_import.ui.import_dialog import ImportDialog
from tests.features.table_import.ui.test_importing import NAMES, choose, click, columns, write_csv
from tests.support.hands import type_in
from tests.support.scenes import GOOD
from tests.support.whole_window import drop_files

pytestmark = pytest.mark.usefixtures("dark")

EPOCH = 1_700_000_000.0


@pytest.fixture
def show(qtbot, tmp_path):
    def shown(path, scene: Scene | None = None, end_s: float = 10.0) -> ImportDialog:
        scene = scene or Scene()
        clocks = recorded_clocks(compile_plan(scene, tmp_path))
        dialog = ImportDialog(path, read_mixed(path), scene, folder=tmp_path, end_s=end_s, clocks=clocks)
        qtbot.addWidget(dialog)
        dialog.show()
        with qtbot.waitExposed(dialog):
            pass
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    return shown


def cut(values: np.ndarray, first: float, last: float, clock: float = 0.0) -> np.ndarray:
    """Return the rows of a span of time, by a clock that says so much more."""
    rows = values[(values[:, 0] >= first - 1e-9) & (values[:, 0] <= last + 1e-9)]
    return rows + np.array([clock, *[0.0] * 7])


def imported(show, path, scene: Scene | None = None) -> Scene:
    dialog = show(path, scene)
    click(dialog.import_button)
    return dialog.edit().apply(scene or Scene())


@pytest.mark.parametrize(("clock", "is_sure"), [(0.0, False), (EPOCH, True), (5000.0, True)])
def test_that_a_recording_that_starts_later_keeps_the_clock(show, tmp_path, clock, is_sure) -> None:
    mocap = imported(show, write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 3.0, clock)))
    path = write_csv(tmp_path / "slam.csv", values=cut(columns(), 2.0, 4.0, clock))
    dialog = show(path, mocap)
    assert dialog.form.reason_of("start_s") == "2.00 s after mocap, by the same clock"
    assert dialog.form.numbers["start_s"].value == 2.0
    assert dialog.form.is_marked("start_s") is not is_sure
    plan = compile_plan(dialog.edit().apply(mocap), tmp_path)
    found = evaluate(plan, 2.5)
    np.testing.assert_allclose(found.p_WF[plan.index["slam"]], found.p_WF[plan.index["mocap"]], atol=1e-3)


def test_that_a_recording_that_starts_earlier_starts_before_the_other(show, tmp_path) -> None:
    slam = imported(show, write_csv(tmp_path / "slam.csv", values=cut(columns(), 1.5, 4.0, EPOCH)))
    dialog = show(write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 3.0, EPOCH)), slam)
    assert dialog.form.reason_of("start_s") == "1.50 s before slam, by the same clock"
    scene = dialog.edit().apply(slam)
    assert scene.frames["mocap"].motion.start.value == -1.5
    plan = compile_plan(scene, tmp_path)
    found = evaluate(plan, 0.7)
    np.testing.assert_allclose(found.p_WF[plan.index["slam"]], found.p_WF[plan.index["mocap"]], atol=1e-3)


def test_that_stamps_of_text_and_of_numbers_share_the_clock(show, tmp_path) -> None:
    mocap = imported(show, write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 3.0, EPOCH)))
    lines = [",".join(NAMES)]
    rows = cut(columns(), 1.0, 4.0).tolist()
    lines += [f"2023-11-14T22:13:{20 + row[0]:06.3f}Z," + ",".join(map(repr, row[1:])) for row in rows]
    (tmp_path / "slam.csv").write_text("\n".join(lines), "utf-8")
    assert show(tmp_path / "slam.csv", mocap).choices.start_s == 1.0


def test_that_another_clock_is_left_alone(show, tmp_path) -> None:
    mocap = imported(show, write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 4.0, EPOCH)))
    dialog = show(write_csv(tmp_path / "slam.csv"), mocap)
    assert dialog.choices.start_s == 0.0
    assert dialog.form.reason_of("start_s") == "scene time of the first sample"


def test_that_the_start_of_the_other_counts_and_what_is_typed_stays(show, tmp_path) -> None:
    path = write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 3.0, EPOCH))
    dialog = show(path)
    type_in(dialog.form.numbers["start_s"], "10")
    mocap = dialog.edit().apply(Scene())
    dialog = show(write_csv(tmp_path / "slam.csv", values=cut(columns(), 2.0, 4.0, EPOCH)), mocap)
    assert dialog.choices.start_s == 12.0
    choose(dialog.form.boxes["time_unit"], "ms")
    assert dialog.choices.start_s == 0.0
    choose(dialog.form.boxes["time_unit"], "s")
    assert dialog.choices.start_s == 12.0
    type_in(dialog.form.numbers["start_s"], "3")
    assert dialog.form.reason_of("start_s") == "chosen by you"
    choose(dialog.form.boxes["pose"], "parent in frame")
    assert dialog.choices.start_s == 3.0


def test_that_the_scene_lasts_until_the_end_of_what_starts_later(show, tmp_path) -> None:
    mocap = imported(show, write_csv(tmp_path / "mocap.csv", values=cut(columns(), 0.0, 3.0, EPOCH)))
    dialog = show(write_csv(tmp_path / "slam.csv", values=cut(columns(), 2.0, 3.98, EPOCH)), mocap, end_s=3.0)
    assert "to 3.98 s" in dialog.lengthen.text()
    assert compile_plan(dialog.edit().apply(mocap), tmp_path).end == 3.98


@pytest.mark.parametrize("clock", [0.0, EPOCH])
def test_that_frames_of_one_table_keep_their_clock(show, tmp_path, clock) -> None:
    late = {"base": 0.0, "cam": 0.5}
    lines = ["t,frame,x,y,z,qx,qy,qz,qw"]
    for row in columns().tolist():
        for name, first in late.items():
            if row[0] >= first - 1e-9:
                lines.append(f"{row[0] + clock!r},{name}," + ",".join(map(repr, row[1:])))
    (tmp_path / "tf.csv").write_text("\n".join(lines), "utf-8")
    dialog = show(tmp_path / "tf.csv", end_s=2.0)
    type_in(dialog.form.numbers["start_s"], "1")
    assert "to 4.98 s" in dialog.lengthen.text()
    click(dialog.import_button)
    scene = dialog.edit().apply(Scene())
    assert [frame.motion.start.value for frame in scene.frames.values()] == [1.0, 1.5]
    found = evaluate(compile_plan(scene, tmp_path), 3.0)
    np.testing.assert_allclose(found.p_WF[1], found.p_WF[2], atol=1e-3)


def test_that_measured_vectors_have_a_clock_too(show, tmp_path) -> None:
    write_csv(tmp_path / "imu.csv", values=cut(columns(), 0.0, 4.0, EPOCH))
    measurement = {
        "form": "angular velocity", "of": "body", "relative_to": "world", "resolved_in": "body", "unit": "rad/s",
        "file": "imu.csv", "time": "t", "time_unit": "s", "values": ["x", "y", "z"], "start": "0.25 s",
    }  # fmt: skip
    scene = Scene.model_validate({"frames": {"body": {"parent": "world"}}, "measured": {"gyro": measurement}})
    assert recorded_clocks(compile_plan(scene, tmp_path)) == (Clock("gyro", EPOCH, EPOCH + 3.98, 0.25),)
    dialog = show(write_csv(tmp_path / "slam.csv", values=cut(columns(), 2.0, 4.0, EPOCH)), scene)
    assert dialog.choices.start_s == 2.25
    assert dialog.form.reason_of("start_s") == "2.00 s after gyro, by the same clock"


def test_that_what_cannot_be_read_has_no_clock(tmp_path) -> None:
    motion = {"form": "recorded", "file": "none.txt", "format": "tum", "bandwidth": "5 Hz"}
    kitti = motion | {"format": "kitti", "rate": "10 Hz", "file": "k.txt"}
    row = "1 0 0 0 0 1 0 0 0 0 1 0\n"
    (tmp_path / "k.txt").write_text(row * 30, "utf-8")
    frames = {name: {"parent": "world", "motion": form} for name, form in (("a", motion), ("b", kitti))}
    scene = Scene.model_validate({"frames": frames})
    assert recorded_clocks(compile_plan(scene, tmp_path)) == ()


def test_that_the_window_knows_the_clocks_of_its_scene(open_window, qtbot, tmp_path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    window = open_window(tmp_path / "good.yaml")
    for name, first in (("mocap", 0.0), ("slam", 2.0)):
        drop_files(window, write_csv(tmp_path / f"{name}.csv", values=cut(columns(), first, 4.0, EPOCH)))
        qtbot.waitUntil(lambda: window.window.findChild(ImportDialog) is not None)
        dialog = window.window.findChild(ImportDialog)
        qtbot.waitUntil(dialog.isActiveWindow)
        click(dialog.import_button)
        qtbot.waitUntil(lambda: window.window.findChild(ImportDialog) is None)
    qtbot.waitUntil(lambda: "slam" in window.session.document.scene.frames)
    assert window.session.document.scene.frames["slam"].motion.start.value == 2.0
