"""Tables that hold measured vectors and no pose, as inertial units write them: imported as measurements of a frame."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.mixed import MixedTable, mixed_from_text, read_mixed
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.choices import Choices
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.shared_clocks import recorded_clocks
from framescope.features.table_import.core.vectors import vector_sources, vectors_of
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.features.table_import.ui.vectors_list import NO_FRAME
from tests.features.table_import.ui.test_importing import T, chips, choose, click, pick
from tests.support.hands import type_in
from tests.support.scenes import GOOD
from tests.support.whole_window import drop_files

pytestmark = pytest.mark.usefixtures("dark")

SCENE = Scene.model_validate({"frames": {"stand": {"parent": "world"}, "drone": {"parent": "world"}}})


def write(path, t=T, gravity: float = 9.81, names: str = "t,wx,wy,wz,ax,ay,az"):
    values = np.column_stack([t, np.sin(T), np.cos(T), 0 * T, 0.01 * T, 0 * T, gravity + 0 * T]).tolist()
    path.write_text("\n".join([names, *(",".join(map(repr, row)) for row in values)]) + "\n", "utf-8")
    return path


@pytest.fixture
def show(qtbot, tmp_path):
    def shown(path, scene: Scene = SCENE, end_s: float = 10.0) -> ImportDialog:
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


def named(*columns: str, scale: float = 1.0) -> MixedTable:
    values = {column: scale * np.arange(1.0, 4.0) for column in columns}
    return MixedTable("a.csv", columns, values, {}, 3)


@pytest.mark.parametrize(
    ("names", "form", "unit"),
    [
        (("wx", "wy", "wz"), "angular velocity", "rad/s"),
        (("gyro_x", "gyro_y", "gyro_z"), "angular velocity", "rad/s"),
        (("GyroX (deg/s)", "GyroY (deg/s)", "GyroZ (deg/s)"), "angular velocity", "deg/s"),
        (("imu.angular_velocity.x", "imu.angular_velocity.y", "imu.angular_velocity.z"), "angular velocity", "rad/s"),
        (tuple(f"w_RS_S_{x} [rad s^-1]" for x in "xyz"), "angular velocity", "rad/s"),
        (tuple(f"a_RS_S_{x} [m s^-2]" for x in "xyz"), "acceleration", "m/s²"),
        (tuple(f"linear_acceleration.{x}" for x in "xyz"), "acceleration", "m/s²"),
        (("vx", "vy", "vz"), "velocity", "m/s"),
    ],
)
def test_that_names_say_which_vector_it_is(names, form, unit) -> None:
    (vector,) = vectors_of(named(*names))
    assert (vector.form, vector.unit, vector.columns) == (form, unit, names)


def test_that_a_fast_turn_is_read_in_degrees() -> None:
    (vector,) = vectors_of(named("wx", "wy", "wz", scale=30.0))
    assert vector.unit == "deg/s"
    assert "more than is usual in rad/s" in vector.why.text


@pytest.mark.parametrize("names", [("x", "y", "z"), ("qx", "qy", "qz"), ("wx", "wy"), ("max", "may", "maz")])
def test_that_other_columns_are_no_vector(names) -> None:
    assert vectors_of(named(*names)) == ()


def test_that_a_table_with_a_pose_is_imported_as_one() -> None:
    table = mixed_from_text("a.csv", "t,x,y,z,wx,wy,wz\n" + "".join(f"{i},1,2,3,0,0,1\n" for i in range(9)))
    assert vector_sources(table, guess(table, "a.csv").choices) == ()
    assert len(vector_sources(table, Choices())) == 1


def test_that_an_inertial_unit_becomes_measured_vectors_of_a_frame(show, tmp_path) -> None:
    dialog = show(write(tmp_path / "imu.csv", gravity=0.5), end_s=2.0)
    assert chips(dialog) == ["time", "ω x", "ω y", "ω z", "a x", "a y", "a z"]
    assert [row.name.text() for row in dialog.frames.rows] == ["imu angular velocity", "imu acceleration"]
    assert dialog.message.text() == ""
    assert dialog.import_button.text() == "Import 2 vectors"
    assert not dialog.form.numbers["bandwidth_hz"].isVisible()
    assert dialog.plot.plot.isVisible()
    choose(dialog.frames.rows[0].of_box, "drone")
    choose(dialog.frames.rows[0].resolved_box, "stand")
    choose(dialog.frames.rows[0].unit_box, "deg/s")
    type_in(dialog.frames.rows[0].name, "gyro", None)
    type_in(dialog.form.numbers["start_s"], "0.5")
    assert "to 4.48 s" in dialog.lengthen.text()
    click(dialog.import_button)
    scene = dialog.edit().apply(SCENE)
    assert dialog.edit().label == "Imported 2 measured vectors"
    gyro = scene.measured["gyro"]
    assert (gyro.of, gyro.relative_to, gyro.resolved_in, gyro.unit) == ("drone", "world", "stand", "deg/s")
    plan = compile_plan(scene, tmp_path)
    assert [problem.message for problem in plan.problems] == []
    assert plan.end == 4.48
    measured = evaluate(plan, 1.5).measurements["gyro"]
    np.testing.assert_allclose(np.degrees(measured.vector), [np.sin(1.0), np.cos(1.0), 0.0], atol=1e-3)


def test_that_an_accelerometer_is_imported_as_a_specific_force(show, tmp_path) -> None:
    dialog = show(write(tmp_path / "imu.csv"))
    assert [row.is_wanted.isChecked() for row in dialog.frames.rows] == [True, True]
    assert not dialog.form.is_marked("form")
    dialog.frames.rows[1].name.setFocus()
    assert [problem.kind for problem in dialog.findings.problems] == []
    measured = dialog.edit().apply(SCENE).measured
    assert {name: each.form for name, each in measured.items()} == {
        "imu angular velocity": "angular velocity",
        "imu specific force": "specific force",
    }


def test_that_a_vector_needs_a_frame_a_time_and_a_name_of_its_own(show, tmp_path) -> None:
    path = write(tmp_path / "imu.csv")
    dialog = show(path, Scene())
    assert dialog.message.text() == NO_FRAME
    assert not dialog.import_button.isEnabled()
    dialog = show(path)
    choose(dialog.form.boxes["time"], "none: a constant rate")
    assert "needs a column of time" in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    dialog = show(path)
    scene = dialog.edit().apply(SCENE)
    dialog = show(path, scene)
    assert dialog.frames.rows[0].name.text() == "imu angular velocity 2"
    type_in(dialog.frames.rows[0].name, "imu angular velocity", None)
    assert "has a measurement imu angular velocity already" in dialog.message.text()


def test_that_a_column_given_the_role_of_a_pose_makes_frames_again(show, tmp_path) -> None:
    dialog = show(write(tmp_path / "imu.csv"))
    assert dialog.vectors.isVisible()
    pick(dialog, 1, "x")
    assert dialog.poses.isVisible()
    assert not dialog.vectors.isVisible()
    assert chips(dialog)[1:4] == ["x", "not used", "not used"]
    pick(dialog, 1, "not used")
    assert dialog.vectors.isVisible()


def test_that_a_vector_keeps_the_clock_of_the_scene(show, tmp_path) -> None:
    measured = show(write(tmp_path / "first.csv", T + 1000.0)).edit().apply(SCENE)
    dialog = show(write(tmp_path / "second.csv", T + 1001.0), measured)
    assert dialog.form.reason_of("start_s") == "1.00 s after first angular velocity, by the same clock"
    assert dialog.edit().apply(measured).measured["second angular velocity"].start.value == 1.0


@pytest.mark.parametrize(("cell", "kind"), [("nan", "missing"), ("0.02", "backwards")])
def test_that_what_does_not_fit_is_said(show, tmp_path, cell, kind) -> None:
    path = write(tmp_path / "imu.csv")
    lines = path.read_text("utf-8").splitlines()
    lines[60] = f"{cell}," + lines[60].partition(",")[2]
    path.write_text("\n".join(lines), "utf-8")
    dialog = show(path)
    assert [problem.kind for problem in dialog.findings.problems][:1] == [kind]
    assert not dialog.import_button.isEnabled()


def test_that_a_dropped_inertial_unit_is_imported_to_the_end(open_window, qtbot, tmp_path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    wiring = open_window(tmp_path / "good.yaml")
    drop_files(wiring, write(tmp_path / "imu.csv"))
    qtbot.waitUntil(lambda: wiring.window.findChild(ImportDialog) is not None)
    dialog = wiring.window.findChild(ImportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    click(dialog.import_button)
    qtbot.waitUntil(lambda: wiring.session.selection == ("measured", "imu angular velocity"))
    assert [problem for problem in wiring.session.problems if problem.severity == "red"] == []
