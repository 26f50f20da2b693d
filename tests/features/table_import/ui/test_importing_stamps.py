"""Dates and times of day as the times of a recording: guessed, shown, found again by a scene, and by the detective."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QDialog

from framescope.app.cli.main import app
from framescope.core.evaluation.compile.recordings.vectors import read_series
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables import iso_timestamps, mixed, text_columns
from framescope.core.recordings.tables.iso_timestamps import read_dated
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import mixed_from_text, read_mixed
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.guess_columns import guess
from tests.features.table_import.ui.test_importing import NAMES, T, chips, choose, click, columns, show, write_csv
from tests.support.command_line import CliRunner
from tests.support.hands import type_in

__all__ = ["show"]
pytestmark = pytest.mark.usefixtures("dark")


def stamp(t: float, mark: str = "T", zone: str = "Z") -> str:
    seconds = 59.0 + t  # so that a minute ends within
    return f"2026-11-21{mark}10:{int(seconds // 60):02}:{seconds % 60:06.3f}{zone}"


def write(path: Path, stamps: list[str], names: str = "stamp", separator: str = ",") -> Path:
    rows = columns()[:, 1:].tolist()
    lines = [separator.join((names, *NAMES[1:]))]
    lines += [separator.join((at, *map(repr, row))) for at, row in zip(stamps, rows, strict=True)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


SCENE = """framescope: 1
time: {start: 0 s, end: 3.98 s}
frames:
  walk:
    parent: world
    motion:
      form: recorded
      file: a.csv
      format: table
      bandwidth: 5 Hz
      columns:
        time: stamp
        time_unit: UNIT
        position: [x, y, z]
        position_unit: m
        orientation: {form: quaternion, columns: [qx, qy, qz, qw], order: xyzw}
"""


@pytest.mark.parametrize(
    ("mark", "zone", "suffix"),
    [("T", "Z", "csv"), (" ", "", "csv"), ("T", "+02:00", "csv"), (" ", " UTC", "csv"), (" ", "-0330", "tsv")],
)
def test_that_stamps_of_text_are_the_times_of_a_recording(show, tmp_path, mark, zone, suffix) -> None:
    separator = "," if suffix == "csv" else "\t"
    path = write(tmp_path / f"a.{suffix}", [stamp(t, mark, zone) for t in T], separator=separator)
    dialog = show(path)
    assert chips(dialog)[:4] == ["time", "x", "y", "z"]
    assert dialog.facts.text().endswith("3.98 s at 50 Hz")
    assert dialog.form.reason_of("time") == "dates and times of day"
    assert not dialog.form.boxes["time_unit"].isVisible()
    assert not dialog.form.is_marked("time")
    assert str(dialog.preview.model().index(1, 0).data()).endswith(":59.020")
    click(dialog.import_button)
    plan = compile_plan(dialog.edit().apply(Scene()), tmp_path)
    assert [problem.message for problem in plan.problems if problem.severity == "red"] == []
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [np.sin(2), np.cos(2), 0], atol=1e-3)


@pytest.mark.parametrize("separator", [",", " ", ";"])
def test_that_a_date_and_a_time_of_day_in_two_columns_are_one_time(show, tmp_path, separator) -> None:
    stamps = [stamp(t, separator) for t in T]
    dialog = show(write(tmp_path / "a.csv", stamps, separator.join(("date", "time")), separator))
    assert chips(dialog)[:3] == ["time", "in time", "in time"]
    assert dialog.form.reason_of("time") == "date and time of day, joined"
    assert dialog.preview.model().index(1, 1).data() == "2026-11-21"
    assert dialog.choices.names is None
    plan = compile_plan(dialog.edit().apply(Scene()), tmp_path)
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [np.sin(2), np.cos(2), 0], atol=1e-3)


def test_that_a_table_without_a_header_may_begin_with_a_date(tmp_path) -> None:
    lines = [f"{stamp(t, ' ')} {x!r} 0 1" for t, x in zip(T.tolist(), np.sin(T).tolist(), strict=True)]
    found = guess(mixed_from_text("a.txt", "\n".join(lines)), "a.txt").choices
    assert (found.time, found.groups[0].position) == ("1 + 2", ("3", "4", "5"))


def test_that_many_stamps_are_read_as_few_are(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(text_columns, "MAX_NAMES", 3)
    monkeypatch.setattr(mixed, "CHUNK_LINES", 7)
    table = read_mixed(write(tmp_path / "a.csv", [stamp(t) for t in T]))
    np.testing.assert_allclose(np.diff(table.numbers["stamp"]), 0.02, atol=5e-7)
    table = read_mixed(write(tmp_path / "b.csv", [stamp(t, ",") for t in T], "date,time"))
    np.testing.assert_allclose(np.diff(table.numbers["date + time"]), 0.02, atol=5e-7)


@pytest.mark.parametrize(
    "cells",
    [
        ["2026-11-21T10:00:00Z", "yesterday"],
        ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00"],  # of which zone is not known
        ["2026-02-30T10:00:00"],
        ["2026-11-21T24:10:00"],
        ["21.13.2026 10:00"],
        ["31/21/2026 10:00"],
        ["21/31/2026 10:00"],
        ["2026-11-21"],
    ],
)
def test_that_other_text_is_no_stamp(cells) -> None:
    assert read_dated(cells, "stamp") is None
    table = mixed_from_text("a.csv", "stamp,x\n" + "".join(f"{cell},1\n" for cell in cells))
    assert "stamp" not in table.numbers
    with pytest.raises(TableError, match='"stamp" holds text, such as'):
        table.table(["stamp"])


def test_that_a_stamp_that_is_missing_is_no_number() -> None:
    table = mixed_from_text("a.csv", "stamp,x\n2026-11-21T10:00Z,1\n,2\nNA,3\n")
    np.testing.assert_array_equal(np.isnan(table.numbers["stamp"]), [False, True, True])


def test_that_packed_stamps_are_read(tmp_path) -> None:
    texts = np.array([stamp(t) for t in T])
    np.savez(tmp_path / "a.npz", stamp=texts, other=np.array([text[:-1] for text in texts], dtype="M8[us]"), x=T)
    table = read_mixed(tmp_path / "a.npz")
    assert table.stamps == {"stamp", "other"}
    for column in table.stamps:
        np.testing.assert_allclose(np.diff(table.numbers[column]), 0.02, atol=5e-7)
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    other = pa.array(np.array([text[:-1] for text in texts], dtype="M8[us]"))
    pq.write_table(pa.table({"stamp": texts, "other": other, "x": T}), tmp_path / "a.parquet")
    table = read_mixed(tmp_path / "a.parquet")
    assert table.stamps == {"stamp", "other"}
    np.testing.assert_allclose(table.numbers["stamp"], table.numbers["other"], atol=5e-7)


def test_that_a_scene_reads_stamps_in_seconds_alone(tmp_path) -> None:
    write(tmp_path / "a.csv", [stamp(t) for t in T])
    (tmp_path / "a.yaml").write_text(SCENE.replace("UNIT", "s"), "utf-8")
    plan = compile_plan(load_scene(tmp_path / "a.yaml").scene, tmp_path)
    assert plan.problems == ()
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [np.sin(2), np.cos(2), 0], atol=1e-3)
    (tmp_path / "a.yaml").write_text(SCENE.replace("UNIT", "ms"), "utf-8")
    (problem,) = compile_plan(load_scene(tmp_path / "a.yaml").scene, tmp_path).problems
    assert "read in s, not in ms" in problem.message


def test_that_the_command_line_reads_stamps(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.csv", [stamp(t) for t in T])
    write_csv(tmp_path / "b.csv")
    (tmp_path / "a.yaml").write_text(SCENE.replace("UNIT", "s"), "utf-8")

    def told(*words: str) -> str:
        return CliRunner().invoke(app, words).stdout

    assert "no problems" in told("check", "a.yaml")
    detected = told("detect", "a.csv", "b.csv")
    assert "time stamp" in detected
    assert "rows matched by time" in detected


def test_that_a_format_of_numbers_says_where_stamps_are_read(tmp_path) -> None:
    write(tmp_path / "a.csv", [stamp(t) for t in T])
    motion = {"form": "recorded", "file": "a.csv", "format": "tum", "bandwidth": "5 Hz"}
    scene = Scene.model_validate({"frames": {"a": {"parent": "world", "motion": motion}}})
    (problem,) = [each for each in compile_plan(scene, tmp_path).problems if each.severity == "red"]
    assert "is no number" in problem.message
    assert "the format is table" in problem.hint


def test_that_a_measured_vector_is_read_over_stamps(tmp_path) -> None:
    series = read_series(write(tmp_path / "a.csv", [stamp(t) for t in T]), "stamp", 1.0, ("x", "y", "z"))
    np.testing.assert_allclose(series.t, T, atol=5e-7)
    assert series.first == read_dated([stamp(0.0)], "stamp").seconds[0]
    with pytest.raises(TableError, match="read in s"):
        read_series(tmp_path / "a.csv", "stamp", 1e-3, ("x", "y", "z"))


def test_that_a_date_is_written_as_it_is_read() -> None:
    text = "2026-11-21 10:00:59.123456"
    assert iso_timestamps.written(float(read_dated([text], "stamp").seconds[0])) == text


# --- Without times that are read


def test_that_no_rate_is_guessed_where_a_column_of_time_is_not_read(show, tmp_path) -> None:
    dialog = show(write(tmp_path / "a.csv", [f"tick {t}" for t in T]))
    assert dialog.form.is_marked("time")
    assert '"stamp" has text' in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    assert dialog.form.numbers["rate_hz"].text() == ""
    assert "Hz" not in dialog.facts.text()
    type_in(dialog.form.numbers["rate_hz"], "100")
    assert dialog.import_button.isEnabled()
    assert dialog.message.text() == ""
    type_in(dialog.form.numbers["rate_hz"], "50")
    click(dialog.import_button)
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.edit().apply(Scene()).frames["a"].motion.rate.value == 50.0


def test_that_a_time_that_is_chosen_away_asks_for_the_rate(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    choose(dialog.form.boxes["time"], "none: a constant rate")
    assert not dialog.import_button.isEnabled()
    assert '"t" is not used' in dialog.message.text()
    choose(dialog.form.boxes["time"], "t")
    assert dialog.import_button.isEnabled()
