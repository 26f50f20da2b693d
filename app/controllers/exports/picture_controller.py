"""Controller of pictures of the scene as the window shows it: to the clipboard or a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QImage

from framescope.app.controllers.exports.export_controller import ExportController
from framescope.app.session.session import Session
from framescope.ui.dialogs.picture_dialog import PictureChoice, PictureDialog
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.theme import current_theme
from framescope.ui.widgets.angle_unit import DEG
from framescope.ui.window.main_window import MainWindow

ENLARGED = 2
"""Pixels of a copied picture per pixel of the window, so that the picture stays crisp when pasted."""

MIN_SIDE = 64
FILTER = "PNG (*.png);;SVG, for papers (*.svg);;PDF, for papers (*.pdf)"


class PictureController(QObject):
    """Takes pictures with the window's current time, camera and theme."""

    def __init__(self, session: Session, window: MainWindow, exports: ExportController) -> None:
        super().__init__(window)
        self._session, self._window, self._exports = session, window, exports

    def copy(self) -> None:
        """Copy the picture in the window to the clipboard, at twice the resolution."""
        from framescope.app.exporters.formats import formats_by_suffix
        from framescope.app.exporters.rendering.scene_picture import drawn_picture

        session, view = self._session, self._window.scene_view
        width, height = self._view_size()
        enlarged = min(ENLARGED, formats_by_suffix(is_still=True)[".png"].max_side / max(width, height))
        size = (max(1, round(width * enlarged)), max(1, round(height * enlarged)))
        t, theme, scale = session.playback.t, current_theme.current(), view.renderer.projection().scale * enlarged
        camera, angles = view.camera.state, view.angle_unit
        pixels = drawn_picture(session.plan, t, size, theme, camera=camera, scale=scale, angles=angles)
        # QImage borrows the memory of the numpy array. The copy owns its own.
        image = QImage(pixels.data, *size, 3 * size[0], QImage.Format.Format_RGB888).copy()
        QGuiApplication.clipboard().setImage(image)
        self._window.status.show_message("good", f"The picture is copied, {size[0]} × {size[1]}")

    def ask(self) -> None:
        """Open the picture dialog, then ask for a file."""
        dialog = PictureDialog(self._view_size(), current_theme.current().name, self._window)
        dialog.chosen.connect(self._ask_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_file(self, choice: PictureChoice) -> None:
        document = self._session.document
        start = document.working_folder / f"{Path(document.name).stem}.png"
        path = path_to_save(self._window, "Save a picture", start, FILTER, ".png", inputs=document.files)
        if path is not None:
            self.save(path, choice)

    def save(self, path: Path, choice: PictureChoice) -> None:
        """Draw and write the picture. The status line reports the result."""
        from framescope.app.exporters.errors import ExportError
        from framescope.app.exporters.registry import chosen
        from framescope.app.exporters.request import check_folder
        from framescope.ui.exports.options import ExportOptions

        session, view = self._session, self._window.scene_view
        try:
            chosen(path, is_still=True)
            check_folder(path)
        except ExportError as error:
            self._window.status.show_message("red", str(error))
            return
        options = ExportOptions(
            size=choice.size,
            theme=choice.theme,
            transparent=choice.is_transparent,
            bare=choice.is_bare,
            angle_unit="deg" if view.angle_unit is DEG else "rad",
            eye=view.camera.state,
            moment=session.playback.t,
        )
        self._exports.write(path, options, is_still=True)

    def _view_size(self) -> tuple[int, int]:
        projection = self._window.scene_view.renderer.projection()
        return max(MIN_SIDE, projection.width), max(MIN_SIDE, projection.height)
