"""Tables with names and holes, and what recordings take of them."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables import limits, text_blocks, text_columns
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.edits.recordings import add_recordings, frame_name, place_file
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Recorded
from tests.core.test_recorded_motion import TABLE_NAMES, P, Q, T, plan_of, table_of, text_of


def written(folder, text: str, name: str = "a.csv"):
    (folder / name).write_text(text, "utf-8")
    return folder / name


def test_that_names_holes_and_decimal_commas_are_read(tmp_path) -> None:
    table = read_mixed(written(tmp_path, "t;frame;x\n0,5;cam;1\n1;lidar;\n1,5;cam;NA\n"))
    assert table.order == ("t", "frame", "x")
    np.testing.assert_array_equal(table.numbers["t"], [0.5, 1.0, 1.5])
    np.testing.assert_array_equal(table.numbers["x"], [1.0, np.nan, np.nan])
    assert table.names["frame"].values == ("cam", "lidar")
    np.testing.assert_array_equal(table.rows_where("frame", "cam"), [0, 2])
    with pytest.raises(TableError, match=r'row 2, column "x": expected a finite number, got no number'):
        table.table(["x"])
    with pytest.raises(TableError, match=r'no row with "cm".*Did you mean "cam"'):
        table.rows_where("frame", "cm")
    with pytest.raises(TableError, match='"frame" holds text, such as "cam"'):
        table.table(["frame"])
    with pytest.raises(TableError, match='no column "fram"'):
        table.rows_where("fram", "cam")


def test_that_a_line_with_other_cells_is_refused_with_its_number(tmp_path) -> None:
    with pytest.raises(TableError, match="line 4 has 3 cells, expected 2"):
        read_mixed(written(tmp_path, "t,f\n# c\n1,a\n2,b,c\n"))


def test_that_underscores_and_other_scripts_are_no_numbers(tmp_path) -> None:
    table = read_mixed(written(tmp_path, "a,b\n1_0,١\n2,3\n"))
    assert table.numbers == {}
    assert table.names["a"].values == ("1_0", "2")


def test_that_a_column_of_too_many_texts_is_left_alone(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(text_columns, "MAX_NAMES", 3)
    table = read_mixed(written(tmp_path, "t,f\n" + "".join(f"{i},n{i}\n" for i in range(5))))
    assert table.order == ("t", "f")
    assert set(table.names) == set()
    with pytest.raises(TableError, match="holds text"):
        table.table(["f"])


def test_that_names_in_npz_and_parquet_are_read(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", t=np.arange(3.0), f=np.array(["a", "b", "a"]))
    table = read_mixed(tmp_path / "a.npz")
    np.testing.assert_array_equal(table.rows_where("f", "a"), [0, 2])
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"t": [0.0, 1.0, 2.0], "f": ["a", None, "a"], "x": [1, None, 3]}), tmp_path / "a.parquet")
    table = read_mixed(tmp_path / "a.parquet")
    np.testing.assert_array_equal(table.rows_where("f", "a"), [0, 2])
    assert np.isnan(table.numbers["x"][1])


# --- As motions


def long_file(folder) -> None:
    rows = np.column_stack([T, P, Q])
    lines = [",".join((*TABLE_NAMES, "frame", "id"))]
    for row in rows.tolist():
        lines += [",".join([*map(repr, row), "cam", "7"])]
        lines += [",".join([*map(repr, [row[0], 9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 1.0]), "lidar", "8"])]
    written(folder, "\n".join(lines))


@pytest.mark.parametrize("rows", [{"column": "frame", "value": "cam"}, {"column": "id", "value": 7}])
def test_that_rows_take_one_frame_of_a_long_table(rows, tmp_path) -> None:
    long_file(tmp_path)
    plan = plan_of(tmp_path, {**table_of("a.csv"), "rows": rows})
    assert plan.problems == ()
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], P[100], atol=3e-4)


def test_that_rows_that_are_not_there_are_said(tmp_path) -> None:
    long_file(tmp_path)
    (problem,) = plan_of(tmp_path, {**table_of("a.csv"), "rows": {"column": "frame", "value": "can"}}).problems
    assert 'no row with "can"' in problem.message
    (tmp_path / "b.txt").write_text(text_of(np.column_stack([T, P, Q])))
    (problem,) = plan_of(tmp_path, {"file": "b.txt", "format": "tum", "rows": {"column": "a", "value": "b"}}).problems
    assert problem.where == "frames.f.motion.rows"


def test_that_a_hole_in_an_unused_column_does_no_harm(tmp_path) -> None:
    body = text_of(np.column_stack([T, P, Q]), ",").replace("\n", ",\n")
    written(tmp_path, ",".join((*TABLE_NAMES, "battery")) + "\n" + body)
    assert plan_of(tmp_path, table_of("a.csv")).problems == ()


@pytest.mark.parametrize("format_", ["tum", "table"])
def test_that_the_parent_in_the_frame_gives_inverse_poses_and_their_rates(format_, tmp_path) -> None:
    (tmp_path / "a.txt").write_text(text_of(np.column_stack([T, P, Q])))
    (tmp_path / "b.csv").write_text(",".join(TABLE_NAMES) + "\n" + text_of(np.column_stack([T, P, Q]), ","))
    given = {"file": "a.txt", "format": "tum"} if format_ == "tum" else table_of("b.csv")
    there = evaluate(plan_of(tmp_path, given), T[50:150])
    back_plan = plan_of(tmp_path, {**given, "pose": "parent in frame"})
    back = evaluate(back_plan, T[50:150])
    R, p = there.R_WF[:, 1], there.p_WF[:, 1]
    np.testing.assert_allclose(back.R_WF[:, 1], np.swapaxes(R, -1, -2), atol=3e-4)
    np.testing.assert_allclose(back.p_WF[:, 1], -np.einsum("nji,nj->ni", R, p), atol=1e-3)
    h = 1e-5
    before, back, after = (evaluate(back_plan, T[50:150] + d).smoothed for d in (-h, 0.0, h))
    np.testing.assert_allclose(back.v_WF[:, 1], (after.p_WF[:, 1] - before.p_WF[:, 1]) / (2 * h), atol=1e-6)
    dR = (after.R_WF[:, 1] - before.R_WF[:, 1]) / (2 * h)
    W = np.swapaxes(back.R_WF[:, 1], -1, -2) @ dR
    w_F = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1)
    np.testing.assert_allclose(back.w_WF_F[:, 1], w_F, atol=1e-6)


def test_that_a_quaternion_may_take_the_parent_into_the_frame(tmp_path) -> None:
    conjugate = Q * [-1.0, -1.0, -1.0, 1.0]
    written(tmp_path, ",".join(TABLE_NAMES) + "\n" + text_of(np.column_stack([T, P, conjugate]), ","))
    orientation = {
        "form": "quaternion",
        "columns": ["qx", "qy", "qz", "qw"],
        "order": "xyzw",
        "maps": "parent to frame",
    }
    found = evaluate(plan_of(tmp_path, table_of("a.csv", orientation=orientation)), 2.0)
    (tmp_path / "b.txt").write_text(text_of(np.column_stack([T, P, Q])))
    expected = evaluate(plan_of(tmp_path, {"file": "b.txt", "format": "tum"}), 2.0)
    np.testing.assert_allclose(found.R_WF[1], expected.R_WF[1], atol=1e-9)


def test_that_time_position_and_orientation_may_each_be_left_out(tmp_path) -> None:
    written(tmp_path, ",".join(TABLE_NAMES) + "\n" + text_of(np.column_stack([T, P, Q]), ","))
    motion = table_of("a.csv", time=None, time_unit=None)
    assert "no column of time" in plan_of(tmp_path, motion).problems[0].message
    plan = plan_of(tmp_path, {**motion, "rate": "50 Hz"})
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], P[100], atol=3e-4)
    turned = evaluate(plan_of(tmp_path, table_of("a.csv", position=None, position_unit=None)), 2.0)
    np.testing.assert_array_equal(turned.p_WF[1], 0.0)
    moved = evaluate(plan_of(tmp_path, table_of("a.csv", orientation=None)), 2.0)
    np.testing.assert_allclose(moved.R_WF[1], np.eye(3), atol=1e-12)
    neither = plan_of(tmp_path, table_of("a.csv", orientation=None, position=None))
    assert "neither a position nor an orientation" in neither.problems[0].message


@pytest.mark.parametrize("suffix", ["tsv", "tum", "kitti"])
def test_that_every_ending_a_scene_may_name_is_read(suffix, tmp_path) -> None:
    (tmp_path / f"a.{suffix}").write_text(text_of(np.column_stack([T, P, Q]), "\t"))
    assert plan_of(tmp_path, {"file": f"a.{suffix}", "format": "tum"}).problems == ()


# --- Edits


def test_that_recordings_are_added_under_free_names(tmp_path) -> None:
    motion = Recorded.model_validate({"file": "a.txt", "format": "tum", "bandwidth": "4 Hz"})
    scene = add_recordings([("base", "world", motion), ("cam", "base", motion)]).apply(Scene())
    assert scene.frames["cam"].parent == "base"
    (tmp_path / "a.txt").write_text(text_of(np.column_stack([T, P, Q])))
    assert [p.severity for p in compile_plan(scene, tmp_path).problems if p.severity == "red"] == []
    for frames, why in (
        ([("cam", "world", motion)], "already"),
        ([("a", "nobody", motion)], "no frame nobody"),
        ([("a", "b", motion), ("b", "a", motion)], "its own parent"),
        ([("", "world", motion)], "a name"),
    ):
        with pytest.raises(ValueError, match=why):
            add_recordings(frames).apply(scene)
    assert frame_name("cam", list(scene.frames)) == "cam_2"


def test_that_a_file_from_elsewhere_is_copied_beside_the_scene(tmp_path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "data").mkdir(parents=True)
    there.mkdir()
    inside, outside = written(here / "data", "1 2\n"), written(there, "1 2\n")
    assert place_file(inside, here).name == "data/a.csv"
    assert place_file(outside, here).copy_to == here.resolve() / "a.csv"
    written(here, "3 4\n")
    assert place_file(outside, here).name == "a 2.csv"
    written(here, "1 2\n")
    assert place_file(outside, here).copy_to is None
    assert place_file(outside, None).needs_folder


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["", "lab_3"])
def test_that_a_large_text_is_read_block_by_block_as_it_is_at_once(tmp_path, monkeypatch, ends, name) -> None:
    rows = [
        [str(1_700_000_000_000_000_000 + 10_000_000 * i), str(0.25 * i), name][: 2 + bool(name)] for i in range(999)
    ]
    lines = ["Log of today", ",".join(["t [ns]", "x", "name"][: len(rows[0])]), *map(",".join, rows)]
    path = tmp_path / "a.csv"
    path.write_bytes(ends.join([*lines, *(["17,"] if name else []), ""]).encode())
    whole = read_mixed(path)
    monkeypatch.setattr(limits, "MAX_WHOLE_BYTES", 1000)
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", 777)
    monkeypatch.setattr(text_blocks, "HEAD_BYTES", 500)
    table = read_mixed(path)
    assert table.order == whole.order
    assert table.n_rows == whole.n_rows == 999
    for column, values in whole.numbers.items():
        np.testing.assert_array_equal(table.numbers[column], values)
    for column, rest in whole.rests.items():
        np.testing.assert_array_equal(table.rests[column], rest)
    assert {note.kind for note in table.notes} == {note.kind for note in whole.notes}
    monkeypatch.setattr(limits, "MAX_CELLS", 1000)
    thinned = read_mixed(path)
    (note,) = [note for note in thinned.notes if note.kind == "thinned"]
    every = round(999 / thinned.n_rows)
    assert 2 <= every <= 4
    assert str(every) in note.text
    column = next(iter(whole.numbers))
    np.testing.assert_array_equal(thinned.numbers[column], whole.numbers[column][::every])
