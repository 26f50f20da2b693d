"""Camera buttons at the upper right corner of the scene, with the buttons for handles and measuring."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framescope.ui.scene_view.geometry.frame_drag import AXES_OF
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.segmented_control import Segmented


class CameraTools(QWidget):
    """Fit, follow, orthographic, turn and move, measure; below them the choice of axes while handles are shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.fit = IconButton("scan", "Fit everything into the picture (F)")
        self.follow = _toggle("crosshair", "Follow the selected frame")
        self.parallel = _toggle("box", "Orthographic: parallel lines stay parallel (5)")
        self.handles = _toggle("rotate-3d", "Turn and move the selected frame (G)")
        self.measure = _toggle("ruler", "Measure between two frames (M)")
        self.axes = Segmented([name.capitalize() for name in AXES_OF], "turn about the axes of")
        self.axes.setToolTip("Turn about and move along the axes of the frame itself, its parent or the world (A)")
        row = layouts.row(
            layouts.STRETCH,
            self.fit,
            self.follow,
            self.parallel,
            self.handles,
            self.measure,
            margins=0,
            spacing=METRICS.inner,
        )
        self._parent = parent
        self.inset = 0
        """Width covered at the right edge of the parent, logical pixels."""
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(METRICS.gap)
        column.addLayout(row)
        column.addWidget(self.axes, 0, Qt.AlignmentFlag.AlignRight)
        self.axes.hide()
        self.adjustSize()

    def show_handles(self, is_shown: bool, *, has_choice: bool) -> None:
        """Set whether handles are shown, and show the choice of axes if there is one."""
        self.handles.setChecked(is_shown)
        self.axes.setVisible(is_shown and has_choice)
        self._column.activate()
        self.adjustSize()

    def place(self) -> None:
        """Move to the upper right corner of the parent."""
        self.move(self._parent.width() - self.width() - (self.inset or METRICS.padding), METRICS.padding - 2)


def _toggle(icon: str, name: str) -> IconButton:
    button = IconButton(icon, name, checked_color="accent_text")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
