"""Editor of the scene's camera: its numbers, and a button that copies the camera of the view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from framescope.core.scene.edits.camera import camera_from
from framescope.core.scene.edits.fields import set_values, value_at
from framescope.core.scene.schema.view import Camera
from framescope.ui.panels.inspector.editors.editor import EditorContext
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.panels.inspector.editors.form import FormsEditor
from framescope.ui.widgets.buttons import push_button


class CameraEditor(FormsEditor):
    """Editor of the scene's camera, used at opening and by R."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent=parent)
        self.take = push_button("Use the present view", "camera", "small")
        self.take.setToolTip("The scene is seen from here when it is opened, and after R")
        self.take.clicked.connect(self._on_take)
        self.take.hide()
        self.column.addWidget(self.take, 0, Qt.AlignmentFlag.AlignLeft)

    def show_value(self, context: EditorContext, path: Any) -> None:
        super().show_value(context, path)
        self.take.setVisible(context.eye is not None)

    def on_form(self, form: str | None) -> None:
        """Add the present camera of the view, or remove the camera."""
        if form is not None and self.context is not None and self.context.eye is not None:
            self._on_take()
        else:
            super().on_form(form)

    def _on_take(self) -> None:
        if self.context is None or self.context.eye is None:
            return
        before = value_at(self.context.scene, self.path)
        camera = camera_from(self.context.eye(), before if isinstance(before, Camera) else None)
        self.ask(set_values({self.path: camera}, "Set the camera of the scene to the present view"))
