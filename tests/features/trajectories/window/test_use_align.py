"""Two trajectories under a hand: dropped, aligned, applied, their errors plotted and saved; a robot on the ground."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollArea
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import evaluate
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.features.trajectories.ui.align_panel import AlignPanel
from framescope.features.trajectories.ui.aligned_paths import AlignedPaths
from tests.support.hands import CTRL, Key
from tests.support.whole_window import answering, click, drop_files, from_menu, name_file, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

LEVER = np.array([0.3, 0.1, 0.5])
TURN = Rotation.from_euler("xyz", (90.0, 0.0, -90.0), degrees=True)
WORLD = Rotation.from_euler("z", 40.0, degrees=True), np.array([1.0, 2.0, 0.3])


def write_tum(path, t, p, R: Rotation):
    rows = np.column_stack([t, p, R.as_quat()])
    path.write_text("\n".join(" ".join(f"{v:.12f}" for v in row) for row in rows) + "\n", "utf-8")
    return path


@pytest.fixture(params=[False])
def files(request, tmp_path):
    """Two sensors of one body: `body_sensor` in the world of `tracker`, turned and moved; planar if asked."""
    t = np.arange(0.0, 8.0, 0.1)
    turns = np.column_stack([0.5 * np.sin(1.3 * t), 0.4 * np.cos(0.9 * t), 0.6 * np.sin(0.7 * t)])
    p = np.column_stack([np.sin(0.8 * t), np.cos(0.5 * t), 0.3 * np.sin(1.1 * t)])
    if request.param:
        turns[:, :2] = 0.0
        p[:, 2] = 0.0
    R = Rotation.from_rotvec(turns)
    a = write_tum(tmp_path / "tracker.tum", t, p, R)
    b = write_tum(tmp_path / "sensor.tum", t, WORLD[0].apply(p + R.apply(LEVER)) + WORLD[1], WORLD[0] * R * TURN)
    return a, b


@pytest.fixture
def wiring(open_window, tmp_path):
    scene = tmp_path / "scene.yaml"
    scene.write_text("framescope: 1\ntitle: Two sensors\n", "utf-8")
    opened = open_window(scene)
    opened.window.resize(1280, 800)
    return opened


def drop(wiring, path, name: str) -> None:
    assert drop_files(wiring, path)
    wait_for(lambda: any(each.isVisible() for each in wiring.window.findChildren(ImportDialog)))
    (dialog,) = (each for each in wiring.window.findChildren(ImportDialog) if each.isVisible())
    wait_for(dialog.isActiveWindow)
    click(dialog.import_button)
    wait_for(lambda: name in wiring.session.plan.scene.frames)


def aligned(wiring, files) -> AlignPanel:
    """Drop two files, open the panel from its menu, and wait for its answer."""
    a, b = files
    drop(wiring, a, "tracker")
    drop(wiring, b, "sensor")
    from_menu(wiring, "Window", "More panels", "Align")
    wait_for(lambda: wiring.window.findChild(AlignPanel) is not None)
    panel = wiring.window.findChild(AlignPanel)
    assert (panel.a.name, panel.b.name) == ("tracker", "sensor"), "the only two recorded frames"
    wait_for(lambda: panel.study is not None, 60.0)
    return panel


def test_that_two_dropped_paths_are_aligned_and_applied_as_one_step(wiring, files) -> None:
    panel, session = aligned(wiring, files), wiring.session
    assert panel.verdict.text().startswith("Aligned. sensor is mounted on tracker x → −y, y → +z, z → −x")
    assert "turned by −40° about z" in panel.verdict.text()
    strip = wiring.window.timeline.track.strip
    assert strip is not None, "the errors are on the timeline"
    assert_allclose(strip.sizes, panel.errors.curve.errors.errors)
    assert "at (0.3, 0.1, 0.5) m" in panel.verdict.text()
    wait_for(lambda: wiring.window.scene_view.renderer.visual(AlignedPaths) is not None)
    before = session.document.scene
    click(panel.apply)
    assert session.document.history.undo_label == "Aligned sensor with tracker"
    plan = session.plan
    for t in (0.0, 3.3, 7.0):
        moment = evaluate(plan, t)
        R_A, R_B = (moment.R_WF[plan.index[name]] for name in ("tracker", "sensor"))
        p_A, p_B = (moment.p_WF[plan.index[name]] for name in ("tracker", "sensor"))
        assert_allclose(R_A.T @ (p_B - p_A), LEVER, atol=2e-4)
        assert_allclose(R_A.T @ R_B, TURN.as_matrix(), atol=2e-3)
    assert not panel.apply.isEnabled(), "until the scene is aligned anew"
    wait_for(panel.apply.isEnabled, 60.0)
    click(panel.apply)
    assert "aligned with tracker already" in wiring.window.status.message
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene == before


def test_that_errors_are_chosen_and_saved(wiring, files, tmp_path) -> None:
    panel = aligned(wiring, files)
    form = panel.errors
    assert form.curve.statistics["max"] < 1e-6
    click(form.kind.buttons["Relative"])
    assert form.choice.is_relative
    form.aligned.setCurrentIndex(form.aligned.findText("not"))
    assert form.curve.statistics["rmse"] > 0.01
    click(form.kind.buttons["Absolute"])
    assert form.curve.statistics["rmse"] > 1.0
    assert form.plot.curves.unit == "m"
    assert form.bar.isVisible()
    assert form.bar.ends[0] == "0 m"
    out = tmp_path / "errors.csv"
    panel.findChild(QScrollArea).ensureWidgetVisible(form.table)
    with answering(name_file(out)):
        click(form.table)
    head, first, *rest = out.read_text("utf-8").splitlines()
    assert head == "t [s],error [m]"
    assert float(first.split(",")[1]) == form.curve.errors.errors[0]
    assert len(rest) + 1 == len(form.curve.t)
    figure = tmp_path / "figure.pdf"
    with answering(name_file(figure)):
        click(form.figure)
    data = figure.read_bytes()
    assert data.startswith(b"%PDF-")
    assert b"/Subtype /Image" not in data, "vectors alone"
    assert wiring.window.status.message == "Wrote figure.pdf"


@pytest.mark.parametrize("files", [True], indirect=True)
def test_that_a_robot_on_the_ground_shows_what_it_cannot_know(wiring, files) -> None:
    panel = aligned(wiring, files)
    assert panel.verdict.text().startswith("Open in part.")
    assert "the position of sensor along z of tracker and" in panel.notes.text()
    wait_for(lambda: wiring.window.scene_view.renderer.visual(AlignedPaths) is not None)
    visual = wiring.window.scene_view.renderer.visual(AlignedPaths)
    assert visual.labels == ["position of sensor along z of tracker: unknown"]
    click(panel.apply)
    assert "sensor reference" in wiring.session.plan.scene.frames


def test_that_one_frame_on_both_sides_is_refused_in_words(wiring, files) -> None:
    panel = aligned(wiring, files)
    panel.set_pair("tracker", "tracker")
    wait_for(panel.message.isVisible, 60.0)
    assert panel.study is None
    assert "on both sides" in panel.message.text()
    panel.set_pair("tracker", "sensor")
    wait_for(lambda: panel.study is not None, 60.0)
    assert not panel.message.isVisible()


def test_that_files_dropped_beside_the_open_panel_are_chosen_and_a_scale_is_left_out_if_asked(wiring, files) -> None:
    a, b = files
    drop(wiring, a, "tracker")
    wiring.window.docks["align"].show()
    wait_for(lambda: wiring.window.findChild(AlignPanel) is not None)
    panel = wiring.window.findChild(AlignPanel)
    assert panel.pair is None
    drop(wiring, b, "sensor")
    wait_for(lambda: panel.study is not None, 60.0)
    assert (panel.study.pair.a, panel.study.pair.b) == ("tracker", "sensor")
    panel.scale.setCurrentIndex(panel.scale.findText("none"))
    wait_for(lambda: panel.study.pair.choice.has_scale is False, 60.0)
    assert panel.study.alignment.scale == 1.0


def test_that_the_timeline_shows_errors_while_the_panel_is_seen(wiring, files) -> None:
    panel = aligned(wiring, files)
    track = wiring.window.timeline.track
    wait_for(lambda: track.strip is not None)
    at = QPoint(round(track.x_of(4.0)), 21)
    seen = track.grab().toImage().pixelColor(at)
    red, green, blue, _ = track.strip.colors[np.argmin(np.abs(track.strip.t - 4.0))]
    assert max(abs(seen.red() - red), abs(seen.green() - green), abs(seen.blue() - blue)) < 60
    from_menu(wiring, "Window", "More panels", "Align")
    wait_for(lambda: not panel.isVisible())
    assert track.strip is None
