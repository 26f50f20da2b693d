"""Viewpoints: the camera that the user left in a scene file is the camera of the file when it is opened again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject

from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.app.storage.settings import Settings
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.scene_view import SceneView

_VECTORS = ("position", "focal_point", "up")

_AUTHORED = "authored"
"""Key of the camera that the file had, as text: a viewpoint of a file with another camera is not restored."""


class Viewpoints(QObject):
    """Remembers the camera of the open file in the settings, beside the layouts. The scene does not change.

    A camera that the user has not moved, an example, and a scene without a file are not remembered.
    """

    def __init__(self, session: Session, view: SceneView, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._view, self._settings = session, view, settings
        self._path, self._authored = _file_of(session.document), _authored(session.document)
        session.document_opened.connect(self._on_opened)

    def restore(self) -> None:
        """Show the remembered viewpoint of the open file, if there is one."""
        restore_viewpoint(self._session.document, self._view, self._settings)

    def keep(self, *_: object) -> None:
        """Remember the viewpoint of the open file, or forget it if the camera is the scene's own."""
        self._path, self._authored = _file_of(self._session.document), _authored(self._session.document)
        self._remember()

    def _on_opened(self) -> None:
        """Remember the viewpoint of the file before, whose picture is still in the view."""
        self._remember()
        self._path, self._authored = _file_of(self._session.document), _authored(self._session.document)

    def _remember(self) -> None:
        if self._path is None:
            return
        renderer = self._view.renderer
        camera = asdict(self._view.camera.state) if renderer.is_camera_moved else {}
        self._settings.set_viewpoint_of(self._path, camera and {**camera, _AUTHORED: self._authored})


def restore_viewpoint(document: Document, view: SceneView, settings: Settings) -> None:
    """Show the remembered viewpoint of a document, if it has the camera that it had then."""
    path = _file_of(document)
    fields = {} if path is None else dict(settings.viewpoint_of(path))
    if fields.pop(_AUTHORED, None) == _authored(document):
        camera = _camera_of(fields)
        if camera is not None:
            view.camera.set_state(camera)


def _file_of(document: Document) -> Path | None:
    return None if document.is_example else document.path


def _authored(document: Document) -> str:
    return repr(document.scene.view.camera)


def _camera_of(fields: Mapping[str, object]) -> CameraState | None:
    """Return a camera from remembered fields; None if they are damaged."""
    try:
        position, focal_point, up = (_vector(fields[key]) for key in _VECTORS)
        angle = float(cast("Any", fields["view_angle"]))
        camera = CameraState(position, focal_point, up, angle, fields["is_parallel"] is True)
    except (KeyError, TypeError, ValueError):
        return None
    is_finite = all(map(math.isfinite, (*position, *focal_point, *up, angle)))
    return camera if is_finite and 0.0 < angle < math.pi and camera.distance > 0.0 and any(up) else None


def _vector(value: object) -> tuple[float, float, float]:
    x, y, z = map(float, cast("Any", value))
    return x, y, z
