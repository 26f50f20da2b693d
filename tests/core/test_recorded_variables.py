"""Variables of the tables that a scene names: which there are, on which clock, how they are found and plotted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.compile.recordings import variables
from framescope.core.evaluation.compile.recordings.variables import find_variables, names_tables, recorded_variables
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.edits.recordings import add_recorded_plot
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor
from tests.support.modelica_results import Variables, pendulum, write
from tests.support.scenes import scene_of

OF_RESULT = """
framescope: 1
time: {start: 0 s, end: 2 s}
sensors:
  angle: {form: recorded, file: run_res.mat, time: time, time_unit: s, values: [revolute1.phi]}
  pull: {form: recorded, quantity: force, unit: N, file: run_res.mat, time: time, time_unit: s,
    values: ["boxBody1.frame_a.f[1]", "boxBody1.frame_a.f[2]", "boxBody1.frame_a.f[3]"]}
"""


@pytest.fixture
def result(tmp_path) -> Path:
    made = pendulum()
    made.values["damper.lossPower"] = 3.0 * made.times
    made.descriptions["damper.lossPower"] = "Power that is lost [W]"
    made.descriptions["revolute1.w"] = "Angular velocity [rad/s]"
    write(tmp_path / "run_res.mat", made)
    return tmp_path


def tables_of(scene, folder: Path):
    return recorded_variables(scene, compile_plan(scene, folder).context)


def sensor_of(scene, folder: Path, name: str) -> RecordedSensor:
    (table,) = tables_of(scene, folder)
    return table.sensor(name)


def values_of_last_plot(scene, folder: Path, t) -> np.ndarray:
    plan = compile_plan(scene, folder)
    assert [problem for problem in plan.problems if problem.key_path[0] == "sensors"] == []
    plot = compile_plot(scene.view.plots[-1], scene, plan.index).signals[0]
    return plot_curves(plan, plot, np.asarray(t, float))[:, 0]


# --- Which there are


def test_that_a_result_has_its_variables_with_their_units(result) -> None:
    (table,) = tables_of(scene_of(OF_RESULT), result)
    assert {"damper.lossPower", "revolute1.minus", "J"} < set(table.listed.names)
    assert (table.unit("damper.lossPower"), table.unit("revolute1.w"), table.unit("J")) == ("W", "rad/s", "")
    sensor = table.sensor("damper.lossPower")
    assert (sensor.file, sensor.time, sensor.time_unit, sensor.unit) == ("run_res.mat", "time", "s", "W")
    assert table.sensor("J").unit is None


FRAME = """
framescope: 1
time: {{start: 0 s, end: 4 s}}
frames:
  cart:
    parent: world
    motion: {{form: recorded, file: run.csv, format: table, start: 1 s, mends: [{mends}], columns: {{time: t_ms,
      time_unit: ms, position: [x, y, z], position_unit: m}}}}
"""
JOINT = """
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  door:
    parent: world
    motion: {form: joint, type: revolute, unit: deg, recording: {file: run.csv, time: t_ms, time_unit: ms, column: x,
      start: 1 s}}
"""
VECTOR = """
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  cart: {parent: world}
measured:
  speed: {form: velocity, of: cart, relative_to: world, resolved_in: world, unit: m/s, file: run.csv, time: t_ms,
    time_unit: ms, values: [x, y, z], start: 1 s, mends: [drop missing]}
"""


def write_csv(folder: Path, first: str = "0,0,0") -> None:
    rows = [f"{1000 + 500 * i},{first if i < 2 else '0.1,0,0'},{10 * i},{i % 2},a" for i in range(7)]
    (folder / "run.csv").write_text("\n".join(["t_ms,x,y,z,flow,valve [mm],mark", *rows]) + "\n", "utf-8")


@pytest.mark.parametrize("text", [FRAME.format(mends=""), JOINT, VECTOR])
def test_that_a_table_has_its_columns_of_numbers_on_the_clock_of_what_names_it(tmp_path, text: str) -> None:
    write_csv(tmp_path)
    (table,) = tables_of(scene_of(text), tmp_path)
    assert table.listed.names == ("t_ms", "x", "y", "z", "flow", "valve [mm]")
    assert table.clock == variables.TableClock("run.csv", "t_ms", "ms", Quantity(1.0, "s"))
    assert table.unit("valve [mm]") == "mm"
    assert "t_ms" not in [name for _, name in find_variables((table,), "", 60).nearest]


@pytest.mark.parametrize("text", [FRAME.format(mends="drop missing"), VECTOR])
def test_that_values_stand_at_the_times_of_the_frame_where_its_first_rows_are_left_out(tmp_path, text: str) -> None:
    write_csv(tmp_path, first=",,")
    scene = scene_of(text)
    sensor = sensor_of(scene, tmp_path, "flow")
    assert sensor.start == Quantity(0.0, "s")
    # The row of flow 20 is the first with a pose, which stands at 1 s.
    scene = add_recorded_plot(sensor).apply(scene)
    np.testing.assert_allclose(values_of_last_plot(scene, tmp_path, [0.0, 1.0, 1.25]), [0.0, 20.0, 25.0])


def test_that_what_cannot_be_read_has_none_and_harms_no_other(result) -> None:
    scene = scene_of(OF_RESULT + "  far: {form: recorded, file: away.csv, time: t, time_unit: s, values: [x]}\n")
    scene = scene_of(scene_text(scene) + "  no: {form: recorded, file: no.mat, time: t, time_unit: s, values: [x]}\n")
    (result / "no.mat").write_bytes(b"MATLAB 5.0 MAT-file" + bytes(300))
    assert [table.clock.file for table in tables_of(scene, result)] == ["run_res.mat"]
    (result / "run_res.mat").write_bytes((result / "run_res.mat").read_bytes()[:900])
    assert tables_of(scene, result) == ()
    assert names_tables(scene)
    assert not names_tables(scene_of("framescope: 1"))


@pytest.mark.parametrize(
    "text",
    [
        FRAME.format(mends="drop missing"),
        VECTOR,
        FRAME.format(mends="").replace("time_unit: ms", "time_unit: weeks"),
        FRAME.format(mends="").replace("time: t_ms", "time: away"),
    ],
)
def test_that_a_clock_that_says_nothing_gives_none_and_the_next_one_is_taken(tmp_path, text: str) -> None:
    rows = "".join(f"{i},,,,{i},0\n" for i in range(5))
    (tmp_path / "run.csv").write_text(f"t_ms,x,y,z,flow,valve\n{rows}", "utf-8")
    assert tables_of(scene_of(text), tmp_path) == ()
    assert compile_plan(scene_of(text), tmp_path).problems
    door = JOINT.partition("frames:\n")[2].replace("column: x", "column: flow")
    both = text.replace("frames:\n", f"frames:\n{door}")
    assert [table.clock.start for table in tables_of(scene_of(both), tmp_path)] == [Quantity(1.0, "s")]


def test_that_rows_of_several_frames_say_nothing_of_a_clock(tmp_path) -> None:
    write_csv(tmp_path)
    text = FRAME.format(mends="").replace("start: 1 s,", "start: 1 s, rows: {column: mark, value: a},")
    assert tables_of(scene_of(text), tmp_path) == ()


def test_that_a_file_is_listed_once_until_it_changes(result, monkeypatch) -> None:
    reads: list[str] = []

    def read(path: Path):
        reads.append(path.name)
        return read_once(path)

    read_once = variables.read_once
    monkeypatch.setattr(variables, "read_once", read)
    scene = scene_of(OF_RESULT)
    context = compile_plan(scene, result).context
    lists = [recorded_variables(scene, context)[0].listed for _ in range(3)]
    assert reads == ["run_res.mat"]
    assert lists[0] is lists[2]
    write(result / "run_res.mat", Variables(np.linspace(0.0, 1.0, 4), {"one": 1.0}))
    assert recorded_variables(scene, context)[0].listed.names == ("time", "one")


# --- How they are found


def test_that_words_are_found_in_any_order_and_whole_names_come_first(result) -> None:
    tables = tables_of(scene_of(OF_RESULT), result)

    def found(query: str, most: int = 5) -> list[str]:
        return [name for _, name in find_variables(tables, query, most).nearest]

    assert found("power DAMPER") == ["damper.lossPower"]
    assert found("revolute1.phi")[0] == "revolute1.phi"
    assert found("w revolute1")[0] == "revolute1.w"
    assert found("run_res lossp") == ["damper.lossPower"]
    assert found("zebra") == []
    every = find_variables(tables, "", 7)
    assert (len(every.nearest), every.count) == (7, len(tables[0].listed.names) - 1)
    assert find_variables(tables, "lossp", 5, {("run_res.mat", "damper.lossPower")}).count == 0


# --- The edit


def test_that_one_edit_adds_the_sensor_and_its_plot_with_the_values_of_the_file(result) -> None:
    scene = scene_of(OF_RESULT)
    edit = add_recorded_plot(sensor_of(scene, result, "damper.lossPower"))
    assert edit.label == "Added a plot of damper.lossPower"
    after = edit.apply(scene)
    assert list(after.sensors) == ["angle", "pull", "damper.lossPower"]
    assert after.sensors["damper.lossPower"].unit == "W"
    np.testing.assert_allclose(values_of_last_plot(after, result, [0.0, 1.0, 2.0]), [0.0, 3.0, 6.0], atol=1e-12)
    again, _ = parse_scene(scene_text(after))
    assert again == after


def test_that_a_sensor_that_shows_the_variable_is_plotted_as_it_is(result) -> None:
    scene = scene_of(OF_RESULT)
    alone = add_recorded_plot(sensor_of(scene, result, "revolute1.phi")).apply(scene)
    assert (alone.sensors, alone.view.plots[-1].of) == (scene.sensors, "angle")
    part = add_recorded_plot(sensor_of(scene, result, "boxBody1.frame_a.f[3]")).apply(scene)
    assert part.sensors == scene.sensors
    assert (part.view.plots[-1].of, part.view.plots[-1].components) == ("pull", ("z",))
    np.testing.assert_allclose(values_of_last_plot(part, result, [0.0, 1.0]), [0.0, 2.0], atol=1e-12)


@pytest.mark.parametrize(
    ("column", "name"),
    [("angle", "angle_2"), ("  a\tb ", "ab"), ("\n", "recorded"), ("x" * 300, "x" * 180), ("<b>", "<b>")],
)
def test_that_names_are_valid_and_of_one_sensor_alone(column: str, name: str) -> None:
    scene = scene_of(OF_RESULT)
    sensor = RecordedSensor(file="run.csv", time="t", time_unit="s", values=(column,))
    after = add_recorded_plot(sensor).apply(scene)
    assert list(after.sensors)[-1] == name
    again, _ = parse_scene(scene_text(after))
    assert again == after


def test_that_the_plot_goes_where_it_is_wanted_and_a_full_scene_takes_none(result) -> None:
    plots = "view:\n  plots:\n" + "    - {signal: sensor, of: angle}\n" * 2
    scene = scene_of(OF_RESULT + plots)
    sensor = sensor_of(scene, result, "J")
    assert [plot.of for plot in add_recorded_plot(sensor, 1).apply(scene).view.plots] == ["angle", "J", "angle"]
    full = scene_of(OF_RESULT + plots + "    - {signal: sensor, of: angle}\n" * 10)
    with pytest.raises(ValueError, match="at most 12 plots"):
        add_recorded_plot(sensor).apply(full)
