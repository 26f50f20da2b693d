"""Models of COLMAP under a hand: opened alone and beside another scene, and its cameras looked through."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QTreeView

from framescope.app.session.scene_lookup import example_path
from framescope.features.cameras.app.look_through import LookThrough
from tests.support import reconstructions
from tests.support.hands import CTRL, Key
from tests.support.rig_files import write_files
from tests.support.whole_window import (
    click,
    click_item,
    drop_files,
    from_menu,
    strike_in,
    wait_for,
)
from tests.window.test_use_export import naming

ROLE, EXACTLY = Qt.ItemDataRole.DisplayRole, Qt.MatchFlag.MatchExactly

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def model(tmp_path):
    """Return the folder of a model in binary, as COLMAP writes it."""
    truth = reconstructions.circle(24, 400)
    folder = tmp_path / "model" / "sparse" / "0"
    folder.mkdir(parents=True)
    (folder / "cameras.bin").write_bytes(reconstructions.cameras_bin())
    (folder / "images.bin").write_bytes(reconstructions.images_bin(truth))
    (folder / "points3D.bin").write_bytes(reconstructions.points_bin(truth))
    return tmp_path / "model"


def picture_of(wiring):
    picture = wiring.window.findChild(LookThrough).picture
    wiring.window.scene_view.repaint()
    return picture


@contextmanager
def choosing(name: str) -> Iterator[None]:
    """Click a file in the list of the dialog that asks for one, and then its button."""
    chosen: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog.isVisible() and not chosen:
            if dialog.isActiveWindow():
                chosen.append(name)
                click_file(dialog, name)
            else:
                dialog.activateWindow()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    yield
    timer.stop()
    assert chosen, "no file was asked for"


def click_file(dialog: QFileDialog, name: str) -> None:
    files = dialog.findChild(QTreeView, "treeView")

    def rows():
        return files.model().match(files.model().index(0, 0, files.rootIndex()), ROLE, name, 1, EXACTLY)

    wait_for(lambda: bool(rows()))
    (row,) = rows()
    files.scrollTo(row)
    click(files.viewport(), files.visualRect(row).center())
    click(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Open))


def has_model(wiring) -> bool:
    return "reconstruction" in wiring.session.document.scene.frames


def test_that_a_dropped_folder_replaces_an_untouched_example_and_its_camera_is_looked_through(
    open_window, model
) -> None:
    wiring = open_window(example_path("aircraft"))
    session, window = wiring.session, wiring.window
    assert drop_files(wiring, model)
    wait_for(lambda: has_model(wiring))
    assert "aircraft" not in session.document.scene.frames
    assert not session.document.is_dirty
    assert session.selection == ("frames", "camera")
    assert window.windowTitle().startswith("images.bin")
    assert session.plan.end == 23.0
    from_menu(wiring, "Edit", "Look through")
    picture = picture_of(wiring)
    assert picture.frame.title.text() == "camera sees"
    # The cameras stand around the points: those in the middle of the model are in the middle of each image.
    eye = picture.renderer.camera()
    truth = reconstructions.circle(24, 400)
    np.testing.assert_allclose(eye.position, truth.centers[0], atol=1e-6)
    session.scrub(5.0)
    picture_of(wiring)
    np.testing.assert_allclose(picture.renderer.camera().position, truth.centers[5], atol=1e-6)


def test_that_the_view_of_one_image_is_looked_through_by_its_row(open_window, model) -> None:
    wiring = open_window(example_path("aircraft"))
    assert drop_files(wiring, model / "sparse" / "0" / "images.bin")
    wait_for(lambda: has_model(wiring))
    click_item(wiring, ("bodies", "frame_0007.jpg"))
    from_menu(wiring, "Edit", "Look through")
    picture = picture_of(wiring)
    assert picture.frame.title.text() == "frame_0007.jpg sees"
    np.testing.assert_allclose(picture.renderer.camera().position, reconstructions.circle(24).centers[6], atol=1e-6)


def test_that_a_model_joins_the_scene_that_is_open(open_window, model) -> None:
    wiring = open_window(write_files(model / "sparse" / "0")[0])
    session, view = wiring.session, wiring.window.scene_view
    before, far = session.document.scene, np.linalg.norm(np.array(view.camera.state.position))
    with choosing("images.bin"):
        strike_in(wiring, Key.Key_O, CTRL)
    wait_for(lambda: has_model(wiring))
    assert {"imu0", "cam0", "cam1", "camera"} <= set(session.document.scene.frames)
    assert session.plan.end == 23.0, "the scene lasts as long as the images"
    assert np.linalg.norm(np.array(view.camera.state.position)) > 3.0 * far, "the view shows all of it"
    session.undo()
    assert session.document.scene == before


def test_that_an_example_with_changes_is_kept(open_window, model) -> None:
    wiring = open_window(example_path("aircraft"))
    click_item(wiring, ("frames", next(iter(wiring.session.document.scene.frames))))
    from_menu(wiring, "Insert", "Frame")
    frames = set(wiring.session.document.scene.frames)
    with naming(None):  # the images belong beside the scene, which has no place yet
        assert drop_files(wiring, model)
        wait_for(lambda: "is not imported" in wiring.window.status.message)
    assert set(wiring.session.document.scene.frames) == frames
