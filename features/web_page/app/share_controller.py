"""Controller that writes the scene as a page, at the request of the chart of a drag."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.exports.options import ExportOptions
from framescope.ui.theme import current_theme
from framescope.ui.widgets.angle_unit import DEG

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class ShareController(QObject):
    """Asks for a file, and writes a page as the window is: selected frame, camera, theme and angle unit."""

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring.window)
        self._session, self._window, self._exports = wiring.session, wiring.window, wiring.exports
        self._window.plots.offer_sharing()
        self._window.plots.share_requested.connect(self.share)

    def share(self) -> None:
        """Write a page of the scene into a file that the user names."""
        document = self._session.document
        start = document.working_folder / f"{Path(document.name).stem}.html"
        path = path_to_save(
            self._window, "Share as a page", start, "Page, HTML (*.html)", ".html", inputs=document.files, is_only=True
        )
        if path is not None:
            view = self._window.scene_view
            options = ExportOptions(
                theme=current_theme.current().name,
                angle_unit="deg" if view.angle_unit is DEG else "rad",
                frame=self._session.selected_frame() or None,
                eye=view.camera.state if view.renderer.is_camera_moved else None,
            )
            self._exports.write(path, options)
