"""The window on scenes with simulated bodies, sensors, measurements, notes and files elsewhere: real events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea

from framescope import assets
from framescope.app import startup
from framescope.app.session.document import Document
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits import authored_angles, base
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.ui.dialogs.file_access_dialog import ConsentDialog
from framescope.ui.panels.outline import SEVERITY_ROLE
from framescope.ui.plots.plot_content import COARSE, FINE, PlotContents
from framescope.ui.plots.plot_panel import MIN_WIDTH
from framescope.ui.scene_view.base.visual import VIDEO
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.cases import for_each
from tests.support.grown_scenes import PATH, PLATE, SLOW
from tests.support.hands import wheel
from tests.support.scenes import GOOD, scene_of
from tests.support.whole_window import wait_for

LEFT = Qt.MouseButton.LeftButton
STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
)


@pytest.fixture
def open_window(qtbot, qapp, tmp_path):
    """Open the window on the text of a scene; it is closed at the end."""
    current_theme.apply_theme(qapp, DARK)
    opened = []

    def open_it(text, **options):
        path = tmp_path / "scene" / "scene.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        wiring = startup.make_window(path, **options)
        opened.append(wiring)
        wiring.window.show()
        with qtbot.waitExposed(wiring.window):
            pass
        if not asked(wiring):
            wiring.window.activateWindow()
            qtbot.waitUntil(lambda: asked(wiring) or wiring.window.isActiveWindow())
        return wiring

    yield open_it
    while opened:
        wiring = opened.pop()
        wiring.session.document = Document(wiring.session.document.scene)  # nothing unsaved to ask about
        wiring.window.close()
        wiring.window.deleteLater()


@pytest.fixture
def plate(open_window, qtbot):
    wiring = open_window(PLATE.partition("view:\n")[0])  # without its plots, which cost the most
    qtbot.waitUntil(lambda: not wiring.session.plan.pending)
    return wiring


def without(scene, name):
    """Return a scene without a frame, and with nothing on it."""
    frames = {other: frame for other, frame in scene.frames.items() if other != name}
    return Scene(time=scene.time, frames=frames)


def texts(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


# --- Outline and inspector


def test_that_every_item_hangs_where_it_belongs_and_is_selected_by_a_click_and_shown(plate) -> None:
    window, session, outline = plate.window, plate.session, plate.window.outline
    parents = {
        ("points", "A"): "slab",
        ("sensors", "gyro"): "corner",
        ("sensors", "link"): "corner",
        ("measured", "survey"): "corner",
        ("elements", "spring A"): "Elements",
    }
    for key, parent in parents.items():
        assert outline.tree.index_of(key).parent().data() == parent
    for key in ((kind, name) for kind in ITEM_KINDS for name in getattr(session.plan.scene, kind)):
        click_row(outline.tree, outline.tree.index_of(key))
        assert session.selection == key
        page = window.inspector.orientation if key[0] == "frames" else window.inspector.card
        assert page.isVisible()
    before = session.selection
    click_row(outline.tree, outline.tree.index_of(("elements", "spring A")).parent())  # the group is no item
    assert session.selection == before


def click_row(tree, index) -> None:
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())


@pytest.fixture
def twins(open_window):
    twin = "  twin: {parent: world, motion: {form: simulated, model: small angle, like: plate}}\nbodies:"
    return open_window(PLATE.replace("bodies:", twin, 1))


@for_each("gone", ["plate", "twin"])
def test_that_a_twin_whose_other_half_goes_and_comes_back_is_shown(twins, gone) -> None:
    session, inspector = twins.session, twins.window.inspector
    session.select(("frames", "twin" if gone == "plate" else "plate"))
    assert inspector.frame_page.twin.isVisible()
    session.commit(base.Edit("Removed", lambda scene: without(scene, gone)))
    assert not inspector.frame_page.twin.isVisible()
    session.undo()
    assert inspector.frame_page.twin.isVisible()
    assert np.isfinite(inspector.frame_page.twin.rows[0].values).all()


def test_that_a_card_shows_numbers_of_the_moment_and_leads_to_what_it_belongs_to(plate, qtbot) -> None:
    session, card = plate.session, plate.window.inspector.card
    session.scrub(0.4)
    session.select(("sensors", "gyro"))
    r, angles, w = card.rows
    shown = session.snapshot.sensors["gyro"]
    np.testing.assert_allclose(r.values, shown[0:3])
    np.testing.assert_allclose(angles.values, np.degrees(shown[3:6]))
    np.testing.assert_allclose(w.values, np.degrees(shown[6:9]))
    assert "world into corner, XYZ about moving axes" in texts(card)
    session.select(("points", "B"))
    force = card.rows[0]
    assert force.values.shape == (1,)
    session.scrub(0.6)
    np.testing.assert_allclose(force.values, session.snapshot.ports["B"].F)
    session.select(("elements", "spring A"))
    np.testing.assert_allclose(card.rows[0].values, session.snapshot.ports["A"].F)
    session.select(("measured", "survey"))
    corner = session.snapshot.p_WF[session.snapshot.index["corner"]]
    np.testing.assert_allclose(card.rows[1].values, np.array([0.3, 0.0, 0.5]) - corner)

    for start, end in ((("elements", "spring B"), ("points", "B")), (("points", "B"), ("bodies", "slab"))):
        session.select(start)
        qtbot.waitUntil(lambda: any(button.isVisible() for button in card.findChildren(QPushButton)))
        QTest.mouseClick(next(button for button in card.findChildren(QPushButton) if button.isVisible()), LEFT)
        assert session.selection == end
    assert session.selected_frame() == "plate"


def test_that_a_sensor_named_as_a_frame_is_not_taken_for_it(open_window) -> None:
    wiring = open_window(GOOD + "sensors:\n  stand: {form: absolute, frame_a: top}\n")
    wiring.session.select(("sensors", "stand"))
    assert wiring.session.selected_frame() == "top"


def test_that_a_simulated_frame_is_turned_where_it_starts_and_read_off_afterwards(plate) -> None:
    plate.session.select(("frames", "plate"))
    row = plate.window.inspector.orientation.rows[0]
    assert row.slider.focusPolicy() != Qt.FocusPolicy.NoFocus
    plate.session.scrub(1.0)
    assert row.slider.focusPolicy() == Qt.FocusPolicy.NoFocus


# --- Plots


def test_that_curves_are_computed_once_for_an_edit_and_once_more_when_a_gesture_rests(
    open_window, qtbot, monkeypatch
) -> None:
    wiring = open_window(GOOD)
    session, computed = wiring.session, []

    class Counted(PlotContents):
        def of(self, plan, n_samples, *args, **kwargs):
            computed.append(n_samples)
            return super().of(plan, n_samples, *args, **kwargs)

    with qtbot.waitSignal(session.rested):
        session.commit(base.Edit("Named", lambda scene: scene.model_copy(update={"title": "first"})))
    monkeypatch.setattr(wiring.plots, "kept_contents", Counted())
    with qtbot.waitSignal(session.rested):
        session.commit(base.Edit("Named", lambda scene: scene.model_copy(update={"title": "second"})))
    assert computed == [FINE]
    with qtbot.waitSignal(session.rested):
        session.preview(base.Edit("Named", lambda scene: scene.model_copy(update={"title": "third"})))
    assert computed == [FINE, COARSE, FINE]


# --- Notes


def test_that_a_note_is_listed_and_looks_like_no_fault(open_window) -> None:
    left_out = ("spring B", "spring C", "measured:", "survey")
    free = "".join(line for line in PLATE.splitlines(keepends=True) if not any(word in line for word in left_out))
    wiring = open_window(free)
    window = wiring.window
    (note,) = window.problems.problems
    assert note.severity == "note"
    wait_for(lambda: window.status.message.startswith("Opened scene.yaml. 1 note. ") and window.status.kind == "good")
    assert "Checks are running" not in window.status.message
    assert window.problems.visibleRegion().isEmpty()  # the read-outs stay in front
    assert window.outline.tree.index_of(("frames", "plate")).data(SEVERITY_ROLE) is None


def test_that_a_note_does_not_cover_a_fault(open_window) -> None:
    wiring = open_window(PLATE.replace("parent: plate", "parent: plat").replace("point: B", "point: A"))
    assert wiring.window.outline.tree.index_of(("frames", "corner")).data(SEVERITY_ROLE) == "red"
    assert wiring.window.status.kind == "red"


# --- Simulating


def test_that_escape_cancels_a_simulation_and_the_status_line_runs_it_again(open_window, qtbot) -> None:
    wiring = open_window(SLOW)
    progress = wiring.window.status.progress
    qtbot.waitUntil(progress.isVisible)
    assert progress.text.startswith("Simulating ")
    QTest.keyClick(wiring.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: progress.text == "Not simulated")
    assert wiring.window.commands.simulate.isEnabled()
    QTest.mouseClick(progress.findChild(QPushButton), LEFT)
    assert progress.is_running
    assert not wiring.window.commands.simulate.isEnabled()
    QTest.mouseClick(progress.findChild(QPushButton), LEFT)
    assert not progress.is_running


def test_that_the_window_answers_while_it_simulates(open_window, qtbot) -> None:
    wiring = open_window(SLOW)
    row = wiring.window.inspector.orientation.rows[0]
    wiring.session.select(("frames", "arm"))
    place = QPointF(row.slider.knob_x(), row.slider.height() / 2)
    QTest.mousePress(row.slider, LEFT, pos=place.toPoint())
    QTest.mouseMove(row.slider, (place + QPointF(20, 0)).toPoint())
    QTest.mouseRelease(row.slider, LEFT, pos=(place + QPointF(20, 0)).toPoint())
    assert wiring.session.document.is_dirty
    assert wiring.session.simulator.activity.state == "running"  # what was edited has no part in it


# --- Consent


@pytest.fixture
def elsewhere(tmp_path) -> str:
    """Return a scene that names a mesh beside its folder."""
    (tmp_path / "part.stl").write_text(STL)
    return GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", "{form: mesh, file: ../part.stl, unit: m}")


def asked(wiring) -> list[ConsentDialog]:
    return wiring.window.findChildren(ConsentDialog)


@pytest.mark.parametrize("is_read", [True, False])
def test_that_files_outside_the_folder_are_asked_about_once_and_remembered(
    open_window, qtbot, elsewhere, is_read, settings_of_its_own
) -> None:
    wiring = open_window(elsewhere)
    qtbot.waitUntil(lambda: bool(asked(wiring)) and asked(wiring)[0].isVisible())
    (dialog,) = asked(wiring)
    assert dialog.files.toPlainText() == "../part.stl"
    QTest.mouseClick(dialog.read if is_read else dialog.leave, LEFT)
    qtbot.waitUntil(lambda: not asked(wiring))
    assert bool(wiring.session.plan.view_data.bodies) is is_read
    assert ["outside the folder" in str(problem) for problem in wiring.window.problems.problems] == [True] * (
        not is_read
    )
    session = wiring.session
    session.commit(authored_angles.set_sequence("ring", "ZXZ"))
    session.undo()
    qtbot.wait(1)
    assert not asked(wiring)
    wiring.window.close()
    assert not [path for path in settings_of_its_own.rglob("*") if path.is_file() and b"part.stl" in path.read_bytes()]


def test_that_return_and_escape_leave_the_files_out(open_window, qtbot, elsewhere) -> None:
    wiring = open_window(elsewhere)
    qtbot.waitUntil(lambda: bool(asked(wiring)) and asked(wiring)[0].isActiveWindow())
    QTest.keyClick(asked(wiring)[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not asked(wiring))
    assert not wiring.session.plan.view_data.bodies


def test_that_who_has_allowed_it_on_the_command_line_is_not_asked(open_window, qtbot, elsewhere) -> None:
    wiring = open_window(elsewhere, allow_outside=True)
    qtbot.wait(1)
    assert not asked(wiring)
    assert wiring.session.plan.view_data.bodies
    assert wiring.session.problems == ()


def test_that_consent_does_not_go_along_to_another_folder(open_window, qtbot, elsewhere, tmp_path) -> None:
    wiring = open_window(elsewhere)
    wiring.session.allow_outside(["../part.stl"])
    assert wiring.session.problems == ()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    assert wiring.session.save(tmp_path / "deep" / "er" / "copy.yaml")
    assert "outside the folder" in str(wiring.session.problems[0])
    qtbot.waitUntil(lambda: bool(asked(wiring)))


# --- Camera path


def test_that_the_camera_follows_its_path_until_a_hand_takes_it_and_again_from_home(open_window, qtbot) -> None:
    wiring = open_window(PLATE + PATH)
    session, view = wiring.session, wiring.window.scene_view
    session.scrub(0.0)
    assert view.camera.state.position == pytest.approx((2.0, -2.0, 1.2))
    session.scrub(1.0)
    assert view.camera.state.position == pytest.approx((2.5, 1.0, 1.5))
    QTest.mousePress(view, LEFT, pos=QPoint(200, 200))
    QTest.mouseMove(view, QPoint(220, 200))
    QTest.mouseMove(view, QPoint(240, 200))
    QTest.mouseRelease(view, LEFT, pos=QPoint(240, 200))
    assert "R in the scene" in wiring.window.status.message
    taken = view.camera.state
    assert taken.position != pytest.approx((2.5, 1.0, 1.5))
    session.scrub(0.5)
    assert view.camera.state == taken
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_R)
    session.scrub(0.0)
    assert view.camera.state.position == pytest.approx((2.0, -2.0, 1.2))
    QTest.keyClick(view, Qt.Key.Key_End)
    assert session.snapshot.t == session.plan.end
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert session.snapshot.t == session.plan.start


def test_that_the_video_follows_the_path_too() -> None:
    plan = compile_plan(scene_of(PLATE + PATH))
    renderer = SceneRenderer(DARK, decorations=VIDEO)
    renderer.set_plan(plan)
    seen = []
    for t in (0.0, 0.5, 1.0):
        renderer.show(evaluate(plan, t))
        seen.append(renderer.camera().position)
    renderer.detach()
    assert seen[0] == pytest.approx((2.0, -2.0, 1.2))
    assert seen[2] == pytest.approx((2.5, 1.0, 1.5))
    assert seen[1] not in (seen[0], seen[2])


# --- Plots


def test_that_many_plots_stay_readable_and_the_wheel_goes_along_them(open_window, qtbot) -> None:
    window = open_window(PLATE).window
    qtbot.waitUntil(lambda: len(window.plots.plots) == 11)
    plots = window.plots.plots
    assert len(plots) == 11
    qtbot.waitUntil(lambda: plots[-1].x() > plots[-2].x())  # plots are made one after another, and laid out then
    assert min(plot.width() for plot in plots) >= MIN_WIDTH
    assert plots[-1].visibleRegion().isEmpty()
    # What no plot takes goes to the area around them; Qt hands on only what comes from a real wheel.
    wheel(window.plots.findChild(QScrollArea).viewport(), -30)
    qtbot.waitUntil(lambda: not plots[-1].visibleRegion().isEmpty())


# --- Meshes


def test_that_a_mesh_that_cannot_be_read_is_a_problem_of_its_body(open_window, tmp_path, capfd) -> None:
    (tmp_path / "scene").mkdir()
    (tmp_path / "scene" / "part.stl").write_text("solid\nnonsense\n")
    text = GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", "{form: mesh, file: part.stl, unit: m}")
    wiring = open_window(text)
    (problem,) = wiring.window.problems.problems
    assert problem.where == "bodies.box.shape.file"
    assert problem.line is not None
    assert wiring.window.outline.tree.index_of(("bodies", "box")).data(SEVERITY_ROLE) == "red"


def test_that_the_demo_opens_without_a_fault(open_window) -> None:
    wiring = open_window(GOOD)
    assert wiring.session.open("demo.yaml", lambda: Document.open(assets.path("scenes/demo.yaml")))
    assert {problem.severity for problem in wiring.session.problems} <= {"note"}
    wait_for(lambda: wiring.window.status.kind == "good")  # until then its checks are running


RINGED = """\
framescope: 1
time: {end: 10 s}
frames:
  platform: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [10, 20, 30], unit: deg}}
view: {triad_length: 0.2 m, rings: [{frame: platform, radius: 70 cm}]}
"""


def test_that_a_scene_without_a_camera_is_seen_from_where_home_goes(open_window, tmp_path) -> None:
    wiring = open_window(PLATE)
    (tmp_path / "ringed.yaml").write_text(RINGED)
    wiring.files.open(tmp_path / "ringed.yaml")
    wait_for(lambda: wiring.session.document.path == tmp_path / "ringed.yaml")
    view = wiring.window.scene_view
    wait_for(lambda: view.renderer.tick is not None and view.renderer.tick.plan is wiring.session.plan)
    seen = view.camera.state
    assert seen.distance > 4 * 0.7
    view.camera.reset()
    assert view.camera.state == seen
