"""Panel with the image of a camera, the frames in it, and the pixel of the selected frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from framescope.core.errors import counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_cameras import FrameCamera, camera_on
from framescope.core.scene.schema.signals import frames_with_cameras
from framescope.core.snapshot import Snapshot
from framescope.core.system.picture_files import PictureFileError, load_picture
from framescope.features.calibrations.core.seen_frames import SeenFrames, seen_frames
from framescope.features.calibrations.ui.image_view import ImageView
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.value_row import ValueRow

_NO_CAMERA = "Open a file of a calibration, or insert a calibrated camera (menu Insert, Shape)."

LENS_WORDS = {
    "none": "pinhole",
    "radtan": "radial-tangential",
    "rational": "rational",
    "equidistant": "equidistant",
}
"""Words for the models of distortion."""

ASPECT = 0.02
"""Relative difference between the aspects of picture and calibration from which it is reported."""


class ImagePanel(QStackedWidget):
    """Panel of what a camera sees; it follows the time and the selected frame.

    Signals
    -------
    picked(str)
        The user selected a frame in the image.
    plot_wanted(str, str)
        The user wants the pixel of a frame over time: names of the frame and of the camera.
    seen()
        The panel has become visible.
    """

    picked = Signal(str)
    plot_wanted = Signal(str, str)
    seen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "cameras.md#what-the-camera-sees")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._frame = ""
        self._wanted = ""
        self.camera: FrameCamera | None = None
        self.choice = ChoiceBox()
        self.choice.setAccessibleName("camera")
        self.choice.setToolTip("The camera whose image is shown")
        self.choice.activated.connect(self._on_choice)
        self.title = ElidedLabel("", role="section")
        self.lens = ElidedLabel("", role="quiet")
        self.view = ImageView()
        self.view.picked.connect(self.picked)
        self.pixel = ValueRow(("u", "v"), label="", decimals=1, is_strong=True)
        self.sight = layouts.plain_label("", "quiet", wordWrap=True)
        self.summary = layouts.plain_label("", "quiet", wordWrap=True)
        self.plot_button = IconButton("chart-line", "Plot the pixel of the selected frame over time")
        self.plot_button.clicked.connect(self._on_plot)
        self.empty = EmptyState("camera", "No camera", _NO_CAMERA)
        self.faulty = EmptyState("camera", "No image", "The body of the camera has a problem. The list names it.")
        self.addWidget(self.empty)
        self.addWidget(self.faulty)
        self.addWidget(self._lay_out())
        self._show()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the button for the header of the panel."""
        return (self.plot_button,)

    # --- Updates from the controller

    def set_plan(self, plan: Plan) -> None:
        """Show another plan; its numbers come with the next snapshot."""
        self._plan, self._snapshot = plan, None
        names = [name for name in frames_with_cameras(plan.scene) if name in plan.index]
        shown = [self.choice.itemText(i) for i in range(self.choice.count())]
        if names != shown:
            self.choice.clear()
            self.choice.addItems(names)
        self._choose(self._wanted if self._wanted in names else next(iter(names), ""))

    def set_frame(self, name: str) -> None:
        """Follow another selected frame."""
        self._frame = name
        self.view.set_selected(name)
        self._show_numbers()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the frames at another time."""
        self._snapshot = snapshot
        self._show_numbers()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    # --- Choices of the user

    def _on_choice(self, _i: int) -> None:
        self._wanted = self.choice.currentText()
        self._choose(self._wanted)
        self._show_numbers()

    def _on_plot(self) -> None:
        if self.camera is not None and self._sight() is not None:
            self.plot_wanted.emit(self._frame, self.camera.frame)

    # --- What is shown

    def _choose(self, name: str) -> None:
        """Show the image of another camera."""
        self.camera = None if self._plan is None or not name else camera_on(self._plan, name)
        self.choice.setCurrentIndex(self.choice.findText(name))
        self.view.set_camera(self.camera, self._picture())
        self._show()

    def _picture(self) -> NDArray[np.uint8] | None:
        path = None if self.camera is None or self._plan is None else self.camera.picture_path(self._plan)
        try:
            return None if path is None else load_picture(path)
        except PictureFileError:  # reported as a problem of the body
            return None

    def _show(self) -> None:
        """Show the words about the camera."""
        camera = self.camera
        has_choice = self.choice.count() > 1
        # A camera with a problem stays in the box, so that another one can be chosen.
        has_camera = self.choice.count() > 0
        self.setCurrentIndex(2 if camera is not None or has_choice else 1 if has_camera else 0)
        self.choice.setVisible(has_choice)
        self.title.setVisible(not has_choice)
        self.title.setText("" if camera is None else camera.frame)
        width, height = (0, 0) if camera is None else camera.resolution
        words = "" if camera is None else f"{width} × {height} px, {LENS_WORDS[camera.model.distortion]}"
        self.lens.setText(words or "its body has a problem")

    def _seen(self) -> SeenFrames | None:
        plan, snapshot, camera = self._plan, self._snapshot, self.camera
        if plan is None or snapshot is None or camera is None or len(snapshot.is_posed) != len(plan.names):
            return None
        if not snapshot.is_posed[plan.index[camera.frame]]:
            return None
        return seen_frames(plan, camera, snapshot, self.view.axis_px)

    def _show_numbers(self) -> None:
        seen = self._seen()
        self.view.show_seen(seen)
        frame = self._frame
        name = frame or "No frame selected"
        if self.pixel.label != name:
            self.pixel.set_label(name)
            self.pixel.setAccessibleName(f"pixel of {frame}" if frame else "pixel")
        self.pixel.set_values(np.full(2, np.nan) if seen is None else seen.pixel(frame))
        sight = self._sight()
        self.plot_button.setEnabled(sight is not None)
        is_camera = self.camera is not None and frame == self.camera.frame
        text = f"{frame} is the camera" if is_camera else sight or ("not shown" if frame and seen else "")
        _set_text(self.sight, _SENTENCES.get(text, text))
        _set_text(self.summary, "" if seen is None else _count_text(seen))

    def _sight(self) -> str | None:
        return None if self.view.seen is None else self.view.seen.sight(self._frame)

    def _lay_out(self) -> QWidget:
        body = layouts.panel()
        head = layouts.row(self.choice, self.title, (self.lens, 1), spacing=METRICS.gap)
        margins = METRICS.padding - METRICS.inner, METRICS.gap
        numbers = layouts.column(self.pixel, self.sight, self.summary, spacing=METRICS.inner)
        layouts.column(head, self.view, numbers, layouts.STRETCH, on=body, margins=margins, spacing=METRICS.gap)
        for before, after in ((self.choice, self.view), (self.view, self.pixel)):
            QWidget.setTabOrder(before, after)
        return body


_SENTENCES = {
    "beyond the lens": "farther from the optical axis than the lens model reaches",
    "no pose": "it has no pose now",
}
"""Sentences for some answers of `SeenFrames.sight`."""


def _count_text(seen: SeenFrames) -> str:
    """Return the number of frames in the image and outside it."""
    n, n_in = len(seen.names), int(seen.is_in_image.sum())
    n_behind = int((seen.p_C[:, 2] <= 0.0).sum())
    text = f"{n_in} of {counted(n, 'frame')} in the image"
    return f"{text}, {n_behind} not in front of the camera" if n_behind else text


def _set_text(label: QLabel, text: str) -> None:
    """Set the text of a label; cheap if it is unchanged."""
    if label.text() != text:
        label.setText(text)
