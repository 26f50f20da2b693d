"""Recordings of more samples than are fitted: every n-th is taken, by the dialog and by the scene."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.compile import recorded
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings import pose_spline
from framescope.core.recordings.tables.mixed import mixed_from_text
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core import guess_columns, row_checks
from framescope.features.table_import.core.guess_columns import guess
from tests.features.table_import.ui.test_importing import NAMES, T, click, columns, show, write_csv
from tests.support.hands import type_in

__all__ = ["show"]
pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    for module in (pose_spline, row_checks, guess_columns):
        monkeypatch.setattr(module, "MAX_SAMPLES", 100)


def test_that_a_long_recording_is_imported_by_every_nth_row(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    assert dialog.form.numbers["every"].value == 2
    assert dialog.form.reason_of("every") == "200 rows, at most 100 are fitted"
    assert dialog.facts.text().endswith("3.96 s at 25 Hz")
    assert dialog.import_button.isEnabled()
    type_in(dialog.form.numbers["every"], "1")
    assert dialog.form.is_marked("every")
    assert "take every 2nd" in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    type_in(dialog.form.numbers["every"], "4")
    assert dialog.form.is_marked("bandwidth_hz") is False
    click(dialog.import_button)
    scene = dialog.edit().apply(Scene())
    assert scene.frames["a"].motion.every == 4
    plan = compile_plan(scene, tmp_path)
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [np.sin(2), np.cos(2), 0], atol=2e-3)


def test_that_a_short_recording_has_no_such_choice(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv", values=columns()[:90]))
    assert not dialog.form.numbers["every"].isVisible()
    assert "every" not in dialog.edit().apply(Scene()).frames["a"].motion.model_dump(exclude_defaults=True)


def test_that_rows_are_counted_by_the_frame() -> None:
    lines = ["t,child_frame_id,x,y,z"]
    lines += [f"{t},{name},1,2,3" for t in T.tolist() for name in ("a", "b", "c")]
    assert guess(mixed_from_text("a.csv", "\n".join(lines)), "a.csv").choices.every == 2


@pytest.mark.parametrize("kind", ["tum", "kitti", "table", "rows", "rate"])
def test_that_a_scene_takes_every_nth_row_of_any_format(tmp_path, kind) -> None:
    where = {"file": "a.csv", "format": "table"}
    position = {"position": ["x", "y", "z"], "position_unit": "m"}
    if kind == "kitti":
        rows = [f"1 0 0 {np.sin(t)} 0 1 0 {np.cos(t)} 0 0 1 0" for t in T.tolist()]
        (tmp_path / "a.txt").write_text("\n".join(rows), "utf-8")
        where = {"file": "a.txt", "format": "kitti", "rate": "50 Hz"}
    elif kind == "tum":
        (tmp_path / "a.txt").write_text("\n".join(" ".join(map(repr, row)) for row in columns().tolist()), "utf-8")
        where = {"file": "a.txt", "format": "tum"}
    elif kind == "rows":
        lines = [",".join((*NAMES, "of"))]
        lines += [",".join((*map(repr, row), of)) for row in columns().tolist() for of in ("cam", "base")]
        (tmp_path / "a.csv").write_text("\n".join(lines), "utf-8")
        where |= {"columns": position | {"time": "t", "time_unit": "s"}, "rows": {"column": "of", "value": "cam"}}
    else:
        write_csv(tmp_path / "a.csv")
        time = {"time": "t", "time_unit": "s"} if kind == "table" else {}
        where |= {"columns": position | time} | ({"rate": "50 Hz"} if kind == "rate" else {})
    frame = {"parent": "world", "motion": {"form": "recorded", "bandwidth": "3 Hz"} | where}
    (problem,) = compile_plan(Scene.model_validate({"frames": {"a": frame}}), tmp_path).problems
    assert "at most 100 are fitted" in problem.message
    assert "every: 2" in problem.hint
    frame["motion"]["every"] = 3
    plan = compile_plan(Scene.model_validate({"time": {"end": "3.96 s"}, "frames": {"a": frame}}), tmp_path)
    assert plan.problems == ()
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [np.sin(2), np.cos(2), 0], atol=2e-3)
    source = recorded.source_of(plan.scene.frames["a"].motion, plan.context)
    step = 6 if kind == "rows" else 3
    np.testing.assert_array_equal(recorded.row_numbers(source)[:3], [1, 1 + step, 1 + 2 * step])
