"""Panel of the alignment: two frames, how one is mounted on the other, and the errors between them."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from framescope.core.conventions.pose_snippets import POSE_TARGETS, pose_as_code
from framescope.core.errors import visible_text
from framescope.core.evaluation.evaluate import Plan
from framescope.features.detective.ui.detective_panel import VerdictBlock
from framescope.features.trajectories.core import alignment_text
from framescope.features.trajectories.core.align_streams import AlignChoice
from framescope.features.trajectories.core.alignment_study import (
    AlignmentStudy,
    FramePair,
    with_hand,
)
from framescope.features.trajectories.core.blind_directions import axis_words
from framescope.features.trajectories.core.mounting import FORMS
from framescope.features.trajectories.ui.aligned_paths import AlignedPath, BlindLine
from framescope.features.trajectories.ui.error_colors import largest_colored
from framescope.features.trajectories.ui.error_form import ErrorForm, add_field, clear
from framescope.ui.panels.orientation.form_names import CODE_NAMES
from framescope.ui.panels.relation.frame_combo import FrameField, FrameNames
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.inline_message import InlineMessage

WAITING = (
    "Choose two frames that move: two sensors of one body, one sensor in two worlds, or hand and eye. A file that is"
    " dropped on the window becomes a frame."
)

_FORMS = {
    "mounted": ("two sensors of one body", FORMS["mounted"]),
    "same frame": ("one sensor, two worlds", FORMS["same frame"]),
    "same world": ("two sensors, one world", FORMS["same world"]),
    "eye in hand": ("eye in hand", "the camera is on the hand; the reference is the hand"),
    "eye to hand": ("eye to hand", "the camera stands; the reference is the hand"),
}
"""Forms of the problem in words, short and long, by their keys."""

_SCALES = {None: "if the poses prove one", False: "none", True: "always"}
"""Whether positions of the aligned frame have a scale of their own."""


class AlignPanel(QWidget):
    """
    Panel for the alignment of two frames of the scene.

    Signals
    -------
    requested(object)
        The user chose two frames, a `FramePair`. The receiver answers with `show_study` or `show_refusal`.
    applied(object)
        The user applies an `AlignmentStudy` to the scene.
    figure_wanted(object, object)
        The user exports a figure of an `AlignmentStudy` and its `ErrorCurve`.
    table_wanted(str)
        The user saves the errors; CSV text.
    copied(str)
        A text was copied; the sentence for the status line.
    path_shown(object)
        Paths for the scene to draw: a tuple of `AlignedPath`, empty for none.
    errors_shown(object)
        The `ErrorCurve` for the timeline, or None.
    seen()
        The panel became visible.
    scrubbed(float), scrub_finished()
        The user drags the pointer in the plot, to a time in s; the user ends the drag.
    """

    requested = Signal(object)
    applied = Signal(object)
    figure_wanted = Signal(object, object)
    table_wanted = Signal(str)
    copied = Signal(str)
    path_shown = Signal(object)
    errors_shown = Signal(object)
    seen = Signal()
    scrubbed = Signal(float)
    scrub_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self._study: AlignmentStudy | None = None
        self._asked: FramePair | None = None
        self._plan: Plan | None = None
        self._names = FrameNames(self)
        self.a, self.b = FrameField(self._names, "reference"), FrameField(self._names, "aligned frame")
        self.form = ChoiceBox()
        self.form.setAccessibleName("relation of the frames")
        for key, (words, explained) in _FORMS.items():
            self.form.addItem(words, key)
            self.form.setItemData(self.form.count() - 1, explained, Qt.ItemDataRole.ToolTipRole)
        self.scale = ChoiceBox()
        self.scale.setAccessibleName("scale of the aligned frame")
        for has_scale, words in _SCALES.items():
            self.scale.addItem(words, has_scale)
        self.verdict = VerdictBlock()
        self.hint = layouts.plain_label(WAITING, "quiet", wordWrap=True)
        self.message = InlineMessage("warning")
        self.notes = layouts.plain_label("", "quiet", wordWrap=True)
        self.values = QWidget()
        self._values = layouts.grid(on=self.values, margins=0, spacing=METRICS.inner)
        self.apply = push_button("Apply to the scene", "wand-sparkles", kind="small")
        self.apply.setToolTip("Moves the path to the reference, as one step of undo")
        self.code = push_button("Copy mounting", "code", kind="small")
        self.menu = QMenu(self.code)
        for target in POSE_TARGETS:
            self.menu.addAction(CODE_NAMES[target], partial(self._copy_code, target))
        self.code.setMenu(self.menu)
        self.errors = ErrorForm()
        self._lay_out()
        for field in (self.a, self.b):
            field.chosen.connect(self._request)
            field.refused.connect(self.message.set_message)
        self.form.currentIndexChanged.connect(self._request)
        self.scale.currentIndexChanged.connect(self._request)
        self.errors.changed.connect(self._draw)
        self.errors.figure_wanted.connect(self._ask_figure)
        self.errors.table_wanted.connect(self.table_wanted)
        self.errors.plot.canvas.scrubbed.connect(self.scrubbed)
        self.errors.plot.canvas.scrub_finished.connect(self.scrub_finished)
        self.apply.clicked.connect(self._apply)
        self._show()

    # --- Frames

    @property
    def study(self) -> AlignmentStudy | None:
        """Alignment in the panel; None without one."""
        return self._study

    @property
    def pair(self) -> FramePair | None:
        """Chosen frames; None while one is missing."""
        if not (self.a.name and self.b.name):
            return None
        choice = AlignChoice(has_scale=self.scale.currentData())
        return FramePair(self.a.name, self.b.name, with_hand(choice, self.form.currentData()))

    def set_plan(self, plan: Plan) -> None:
        """Offer the frames of another plan, and ask again if it has both."""
        self._plan = plan
        self._names.set_plan(plan)
        for field in (self.a, self.b):
            field.set_name(field.name if field.name in plan.index else "")
        self._asked = None
        self._request()

    def set_pair(self, a: str, b: str) -> None:
        """Choose both frames, and ask for their alignment."""
        self.a.set_name(a)
        self.b.set_name(b)
        self._request()

    def set_time(self, t: float) -> None:
        """Move the cursor of the plot to a time, s."""
        self.errors.plot.set_cursor(t)

    def forget(self) -> None:
        """Choose no frames."""
        self._asked = None
        self._study = None
        for field in (self.a, self.b):
            field.set_name("")
        self._show()

    def show_busy(self) -> None:
        """Show that the alignment is computed."""
        if self._study is None:
            self.hint.setText("Aligning…")

    def show_study(self, study: AlignmentStudy) -> None:
        """Show an alignment; one of other frames than the chosen ones is ignored."""
        if study.pair == self.pair:
            self._study = study
            self.apply.setEnabled(True)
            self.message.set_message("")
            self._show()

    def show_refusal(self, why: str) -> None:
        """Show why there is no alignment."""
        self._study = None
        self.message.set_message(why[:1].upper() + why[1:])
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self.seen.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.path_shown.emit(())
        self.errors_shown.emit(None)

    def sizeHint(self) -> QSize:
        return QSize(340, 560)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    def _lay_out(self) -> None:
        fields = QWidget()
        grid = layouts.grid(on=fields, margins=0, spacing=METRICS.inner)
        named = (("Reference", self.a), ("Aligned", self.b), ("As", self.form), ("Scale", self.scale))
        for row, (word, widget) in enumerate(named):
            add_field(grid, row, word, widget)
        self._buttons = QWidget()
        layouts.row(self.apply, self.code, layouts.STRETCH, on=self._buttons, margins=0, spacing=METRICS.inner)
        content = layouts.panel()
        layouts.column(
            fields,
            self.message,
            self.hint,
            self.verdict,
            self.notes,
            self.values,
            self._buttons,
            self.errors,
            layouts.STRETCH,
            on=content,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        area = layouts.scroll_area(content, "alignment of two paths")
        layouts.column(area, on=self, margins=0, spacing=0)

    def _request(self, *_of: object) -> None:
        pair = self.pair
        if pair is None or pair == self._asked:
            self._show()
            return
        if self._study is not None and (self._study.pair.a, self._study.pair.b) != (pair.a, pair.b):
            self._study = None
        self._asked = pair
        self.apply.setEnabled(False)  # the answer is of another scene
        self._show()
        self.requested.emit(pair)

    # --- Answer

    def _show(self) -> None:
        study = self._study
        is_known = study is not None
        for widget in (self.verdict, self.notes, self.values, self._buttons, self.errors):
            widget.setVisible(is_known)
        self.hint.setVisible(not is_known and not self.message.isVisible())
        self.hint.setText(WAITING)
        clear(self._values)
        if study is not None:
            self._show_answer(study)
        self.errors.set_study(study)

    def _show_answer(self, study: AlignmentStudy) -> None:
        answer = study.alignment
        left_open = alignment_text.open_parts(answer)
        is_open = bool(left_open or answer.alternatives)
        title = "Open in part." if is_open else "Aligned."
        self.verdict.set_verdict("unclear" if is_open else "found", title, alignment_text.sentence(answer))
        self.notes.setText("\n".join((*left_open, *answer.notes)))
        self.notes.setVisible(bool(self.notes.text()))
        for row, (word, text) in enumerate((*alignment_text.rows(answer), ("Fit", alignment_text.summary(answer)))):
            self._values.addWidget(layouts.label(word, "quiet"), row, 0, Qt.AlignmentFlag.AlignTop)
            may_select = Qt.TextInteractionFlag.TextSelectableByMouse
            value = layouts.plain_label(text, wordWrap=True, textInteractionFlags=may_select)
            value.setFont(fonts.number())
            value.setAccessibleName(f"{word}: {text}")
            self._values.addWidget(value, row, 1)
        self._values.setColumnStretch(1, 1)

    def _draw(self) -> None:
        """Show both paths in the scene while the panel is visible."""
        study, curve = self._study, self.errors.curve
        if study is None or curve is None or not self.isVisible():
            self.path_shown.emit(())
            self.errors_shown.emit(None)
            return
        along = np.full(len(curve.p), np.nan)
        along[curve.errors.rows] = curve.errors.errors
        path = AlignedPath(
            study.raw.p_B,
            study.reference_b,
            curve.p,
            study.reference_a,
            along,
            tuple(_blind_lines(study)),
            largest_colored(along),
        )
        self.path_shown.emit((path,))
        self.errors_shown.emit(curve)

    # --- Out

    def _apply(self) -> None:
        if self._study is not None:
            self.applied.emit(self._study)

    def _copy_code(self, target: str) -> None:
        if self._study is None:
            return
        X, pair = self._study.alignment.body, self._study.pair
        QGuiApplication.clipboard().setText(pose_as_code(X.to_orientation(), X.p_AB, pair.a, pair.b, target))
        self.copied.emit(f"Copied the mounting of {pair.b} on {pair.a}")

    def _ask_figure(self) -> None:
        if self._study is not None and self.errors.curve is not None:
            self.figure_wanted.emit(self._study, self.errors.curve)


def _blind_lines(study: AlignmentStudy) -> list[BlindLine]:
    """Return the unknown directions of the mounting, in the axes of the frames."""
    pair, mounting = study.pair, study.alignment.body
    a, b = visible_text(pair.a), visible_text(pair.b)
    lines: list[BlindLine] = []
    for blind in study.alignment.blind:
        for axis in blind.axes:
            along = axis_words(axis)
            if blind.part == "body position":
                label = f"position of {b} along {along} of {a}: unknown"
                lines.append(BlindLine(pair.a, axis, label, mounting.p_AB))
            elif blind.part == "body rotation":
                lines.append(BlindLine(pair.b, axis, f"turn of {b} about {along}: unknown", np.zeros(3)))
    return lines
