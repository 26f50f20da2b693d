"""Small plot of one frame of a table under the present choices."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from framescope.core.recordings.smoothing import Smoothing, facts
from framescope.features.table_import.core.choices import Choices, orientation_roles
from framescope.features.table_import.core.quaternion_orders import both_orders
from framescope.features.table_import.core.row_checks import Checked
from framescope.features.table_import.core.smoothing_preview import smoothing_of
from framescope.features.table_import.ui.preview_table import role_color
from framescope.ui.formatting.item_names import sentence
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.plots.curves import Curves, CurveStyle, xyz_styles
from framescope.ui.plots.dashes import AXIS_DASHES, SOLID
from framescope.ui.plots.plot import Plot
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.segmented_control import Segmented

POSITION, ORIENTATION, RESIDUE = "Position", "Orientation", "Off a rotation"
BOTH = "Both orders"
NOTHING = "Nothing to draw yet. Give columns the role of a position or of an orientation."
_COLORS = ("axis_x", "axis_y", "axis_z", "omega", "force", "frame_a", "sensor", "good", "quiet")
_MAX_POINTS = 200_000
_ANGLES = ("axes", "heading", "rotation vector")


class PreviewPlot(QWidget):
    """Plot of the position, the orientation's columns or their deviation from a rotation, over time.

    If the order of a quaternion is in doubt, the plot shows the z axis under both orders side by side.

    Signals
    -------
    scrubbed(float)
        Time of the recording at the pointer, s.
    """

    scrubbed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checked: Checked | None = None
        self._choices = Choices()
        self._title = ""
        self._vector_unit = ""
        self._is_doubtful = False
        self.switch = Segmented((POSITION, ORIENTATION, RESIDUE, BOTH), "plot of")
        self.switch.show_choice(BOTH, False)
        self.switch.chosen.connect(self._on_switched)
        self.plot = Plot()
        self.plot.canvas.scrubbed.connect(self._on_scrubbed)
        self.other = Plot()
        """Plot of the other order."""
        self.other.canvas.scrubbed.connect(self._on_scrubbed)
        self.nothing = layouts.label(NOTHING, "quiet", wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        row = layouts.row(self.switch, layouts.STRETCH, margins=(METRICS.padding, METRICS.inner))
        self.smoothing = layouts.plain_label("", "quiet", wordWrap=True)
        self.smoothing.setContentsMargins(METRICS.padding, 0, METRICS.padding, METRICS.inner)
        self.smoothing.hide()
        plots = layouts.row((self.plot, 1), (self.other, 1), margins=0, spacing=0)
        self.captions = tuple(ElidedLabel("", role="caption", parent=self) for _ in range(2))
        """Description of the motion under each order."""
        above = layouts.row(*((caption, 1) for caption in self.captions), margins=(METRICS.padding, 0))
        column = layouts.column(
            row, above, (plots, 1), (self.nothing, 1), self.smoothing, on=self, margins=0, spacing=0
        )
        column.addStretch()
        self.plot.hide()
        for widget in (self.other, *self.captions):
            widget.hide()
        self.nothing.hide()

    def set_checked(
        self, checked: Checked, choices: Choices, title: str, vector_unit: str = "", *, is_doubtful: bool = False
    ) -> None:
        """Show the samples of a frame, or of a vector with a unit in place of the position.

        With `is_doubtful`, the order of the quaternions is in doubt, and both are shown.
        """
        self._vector_unit = vector_unit
        self.switch.setVisible(not vector_unit)
        was_both = self.switch.choice == BOTH
        self.switch.show_choice(BOTH, is_doubtful)
        if is_doubtful and not self._is_doubtful:
            self.switch.set_choice(BOTH)
        self._is_doubtful = is_doubtful
        is_first = self._checked is None or not len(self._checked.t)
        if not is_doubtful and (was_both or is_first):
            self.switch.set_choice(POSITION if checked.position.shape[1] else ORIENTATION)
        self._checked, self._choices, self._title = checked, choices, title
        self._show()
        self._look_at_smoothing()

    def _look_at_smoothing(self) -> None:
        """Show the deviation of the smoothed motion from the samples once it is computed."""
        checked, choices = self._checked, self._choices
        self.smoothing.hide()
        if checked is None or self._vector_unit or not checked.is_usable:
            return

        def answer(done: Future[Smoothing | None]) -> None:
            smoothing = done.result()
            if self._checked is not checked or self._choices is not choices or smoothing is None:
                return
            lines = [sentence(fact) for fact in facts(smoothing)]
            self.smoothing.setText("\n".join(lines[1:3]))  # rates and deviation only: the plot needs the space
            self.smoothing.setToolTip(literal_text("\n".join(lines)))
            self.smoothing.show()

        samples = checked.t, checked.position, checked.orientation
        thread_task(self, partial(smoothing_of, *samples, choices), answer, holds_program=False)

    def _show(self) -> None:
        checked = self._checked
        # An empty plot would ask the user for signals of a scene.
        has_samples = checked is not None and len(checked.t) > 1
        self.plot.setVisible(has_samples)
        self.nothing.setVisible(not has_samples)
        what = POSITION if self._vector_unit else self.switch.choice
        for widget in (self.other, *self.captions):
            widget.setVisible(has_samples and what == BOTH)
        if checked is None or len(checked.t) < 2:
            self.plot.set_curves(None)
            self.other.set_curves(None)
            return
        every = max(len(checked.t) // _MAX_POINTS, 1)
        order = np.argsort(checked.t[::every], kind="stable")
        t = checked.t[::every][order]
        if what == BOTH:
            plots = zip((self.plot, self.other), self.captions, both_orders(checked.orientation), strict=True)
            for plot, caption, ordered in plots:
                caption.setText(f"As {' '.join(ordered.order)}: {ordered.text}")
                title = f"z axis as {' '.join(ordered.order)}"
                z = ordered.z[::every][order].T
                plot.set_curves(Curves(t, z, xyz_styles(), title, ordered.text, ""))
            return
        values, styles, unit = self._content(checked, what)
        self.plot.set_curves(Curves(t, values[::every][order].T, styles, *self._titles(what), unit))

    def _titles(self, what: str) -> tuple[str, str]:
        return (self._title[:1].upper() + self._title[1:], "") if self._vector_unit else (what, self._title)

    def _content(self, checked: Checked, what: str) -> tuple[np.ndarray, tuple[CurveStyle, ...], str]:
        if what == POSITION:
            n = checked.position.shape[1]
            return checked.position, xyz_styles()[:n], self._vector_unit or "m"
        if what == RESIDUE:
            name = "||q| − 1|" if self._choices.form == "quaternion" else "residue"
            return checked.residual[:, np.newaxis], (CurveStyle(name, "omega"),), ""
        names = orientation_roles(self._choices)[: checked.orientation.shape[1]]
        is_matrix = self._choices.form == "matrix"
        colors = _COLORS if is_matrix else map(role_color, names)
        styles = tuple(
            CurveStyle(name, color, AXIS_DASHES.get(color.removeprefix("axis_"), SOLID))
            for name, color in zip(names, colors, strict=False)
        )
        return checked.orientation, styles, self._choices.angle_unit if self._choices.form in _ANGLES else ""

    def _on_switched(self, _: str) -> None:
        self._show()

    def _on_scrubbed(self, t: float) -> None:
        self.plot.set_cursor(t)
        self.other.set_cursor(t)
        self.scrubbed.emit(t)
