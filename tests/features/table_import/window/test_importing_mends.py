"""An imperfect log brought in by the mouse to the end, without leaving the dialog."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import evaluate
from framescope.features.table_import.ui.import_dialog import ImportDialog
from tests.support.scenes import GOOD
from tests.support.whole_window import click, drop_files

pytestmark = pytest.mark.usefixtures("dark")

N = 500
T = 0.05 * np.arange(N)
P = np.stack([2.0 + np.cos(0.4 * T), np.sin(0.4 * T), 0.02 * T], axis=-1)
HALF = 0.2 * T
MENDS = {"drop missing", "drop sentinels", "drop lost", "unwrap time", "drop duplicates", "normalise", "drop outliers"}


def written(path):
    """Write a log with a preamble, decimal commas, and all that goes wrong in a day."""
    ticks = (np.round(1000 * T).astype(int) + 65_536 - 10_000) % 65_536
    rows: list[str] = []
    for tick, p, half in zip(ticks, P, HALF, strict=True):
        turn = [f"{each:.2f}" for each in (0.0, 0.0, np.sin(half), np.cos(half))]
        rows.append(";".join([str(tick), *(f"{each:.5f}" for each in p), *turn]).replace(".", ","))
    for i in (60, 61):
        rows[i] = f"{ticks[i]};NaN;0,1;0,2;0;0;0;1"
    rows[90] = f"{ticks[90]};-9999;{rows[90].split(';', 2)[2]}"
    rows[120] = f"{ticks[120]};0;0;0;0;0;0;0"
    rows[300] = f"{ticks[300]};9,5;{rows[300].split(';', 2)[2]}"
    rows[150:150] = [rows[149]]
    head = ["Logger v2.1", "Device: rig 3", "", "time [ms];x [m];y [m];z [m];qx;qy;qz;qw"]
    path.write_text("\n".join([*head, *rows]) + "\n", "utf-8")
    return path


@pytest.fixture
def dialog(open_window, qtbot, tmp_path):
    (tmp_path / "good.yaml").write_text(GOOD)
    wiring = open_window(tmp_path / "good.yaml")
    drop_files(wiring, written(tmp_path / "run.csv"))
    qtbot.waitUntil(lambda: wiring.window.findChild(ImportDialog) is not None)
    found = wiring.window.findChild(ImportDialog)
    qtbot.waitUntil(found.isActiveWindow)
    return wiring, found


def test_that_an_imperfect_log_is_brought_in_to_the_end_by_the_mouse(dialog, qtbot) -> None:
    wiring, found = dialog
    assert not found.import_button.isEnabled()
    kinds = {problem.kind for problem in found.findings.problems if problem.severity == "red"}
    assert kinds == {"missing", "sentinel", "lost", "wrapped", "norm"}
    assert all(problem.fix.effect for problem in found.findings.problems if problem.fix is not None)
    click(found.findings.mend_all)
    qtbot.waitUntil(found.import_button.isEnabled)
    assert set(found.choices.mends) == MENDS
    assert not found.findings.mend_all.isVisible()
    click(found.import_button)
    qtbot.waitUntil(lambda: "run" in wiring.session.document.scene.frames)
    session = wiring.session
    assert set(session.document.scene.frames["run"].motion.mends) == MENDS
    assert not [problem for problem in session.problems if problem.item == ("frames", "run")]
    assert session.plan.end == pytest.approx(T[-1])
    plan = session.plan
    np.testing.assert_allclose(evaluate(plan, float(T[400])).p_WF[plan.index["run"]], P[400], atol=1e-4)
    path = plan.view_data.trails[-1]
    assert path.frame == "run"
    assert path.duration is None
    center, radius = wiring.window.scene_view.renderer.bounding_sphere()
    assert (np.abs(np.array([2.0, 0.0, 0.0]) - center) < radius).all()
    assert radius > 1.0


def test_that_each_mend_is_done_and_undone_by_its_own_button(dialog, qtbot) -> None:
    _, found = dialog
    for mend in ("unwrap time", "drop missing"):
        click(found.findings.buttons[mend])
        assert mend in found.choices.mends
    assert set(found.choices.mends) == {"unwrap time", "drop missing"}
    assert {problem.kind for problem in found.findings.problems if found.findings.is_fixed(problem)} == {
        "wrapped",
        "missing",
    }
    assert not found.import_button.isEnabled()
    found.findings.scrollToBottom()
    click(found.findings.buttons["unwrap time"])
    assert found.choices.mends == ("drop missing",)
    assert "wrapped" in {problem.kind for problem in found.findings.problems if problem.severity == "red"}
