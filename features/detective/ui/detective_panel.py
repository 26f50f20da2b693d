"""Panel of the convention detective: two sides, verdict, ranked findings, and conversion code."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QProgressBar, QPushButton, QSizePolicy, QStackedWidget, QWidget

from framescope.core.errors import counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import WORLD
from framescope.features.detective.core.apply_to_recording import Section, reason_against_use, use_for_recording
from framescope.features.detective.core.conversion import LABELS, conversion_code
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.detective.core.inputs import OF_SCENE, Comparison, Side, SideError
from framescope.features.detective.core.pipeline import Status
from framescope.features.detective.ui.findings_table import FindingsTable
from framescope.features.detective.ui.source_form import SideForm
from framescope.ui.panels.relation.frame_combo import FrameNames
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.scene_view.base.ghost_pose import Candidate
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button

TITLE = "Convention detective"

MOST_SHOWN = 4
"""Largest number of findings that the scene shows at once."""

COMPARING = "Both sides are compared."
STOPPED = "It was stopped. It begins again with any change of the numbers."
WAITING = "Give both sides the same orientations: paste numbers, choose a table, or take a frame of the scene."


class DetectivePanel(QWidget):
    """
    Panel for the two sides of a comparison and its findings.

    Signals
    -------
    requested(Side, Side)
        The user chose two sides to compare.
    stop_requested()
        The user stops the running comparison.
    candidates_shown(object)
        Findings for the scene to draw: a tuple of `Candidate`, empty for none.
    status(str, str)
        Kind and sentence for the status line.
    titled(str, str)
        Title and subtitle of the dock, with the compared sides.
    """

    requested = Signal(object, object)
    stop_requested = Signal()
    candidates_shown = Signal(object)
    status = Signal(str, str)
    titled = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self._plan: Plan | None = None
        self._comparison: Comparison | None = None
        self._drawn: tuple[Candidate, ...] = ()
        self._names = FrameNames(self)
        self.a = SideForm("A", "Numbers in question.", self._names)
        self.b = SideForm("B", "The same orientations.", self._names)
        self.change = IconButton("pencil", "Change what is compared", checked_color="accent_text")
        self.change.setChecked(True)
        self.copy_button = push_button("Copy code", "code", kind="small")
        self.copy_button.setToolTip("Copies a function that turns the numbers of A into those of B")
        self.menu = QMenu(self.copy_button)
        for target, text in LABELS.items():
            self.menu.addAction(text, partial(self._copy, target))
        self.copy_button.setMenu(self.menu)
        self.verdict = VerdictBlock()
        self.table = FindingsTable()
        self.use = push_button("Use #1 for this recording", "wand-sparkles", kind="small")
        self.strip = layouts.plain_label(WAITING, "quiet", wordWrap=True)
        self.see = push_button("See the findings", kind="small")
        self.busy = _Busy()
        self._stack = QStackedWidget()
        self._lay_out()
        for form in (self.a, self.b):
            form.changed.connect(self._on_changed)
        self.change.toggled.connect(self._on_change)
        self.see.clicked.connect(self.show_findings)
        self.use.clicked.connect(self._use)
        self.busy.stop.clicked.connect(self._stop)
        self.table.rows_chosen.connect(self._draw)
        self._show_nothing(WAITING)

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons of the panel's header: change the numbers, copy the code."""
        return self.change, self.copy_button

    @property
    def comparison(self) -> Comparison | None:
        """Comparison in the panel; None without one."""
        return self._comparison

    @property
    def is_busy(self) -> bool:
        """Whether a comparison is running."""
        return self.busy.is_on

    def sides(self) -> tuple[Side, Side]:
        """Return both chosen sides."""
        return self.a.side(), self.b.side()

    def set_plan(self, plan: Plan) -> None:
        """Offer the frames of another plan."""
        self._plan = plan
        self._names.set_plan(plan)
        for form in (self.a, self.b):
            form.set_plan(plan)
        self._show_use()

    def ask_again(self) -> None:
        """Compare again if a side is from the scene, which has changed."""
        sides = self.sides()
        if any(side.kind in OF_SCENE for side in sides) and all(side.is_given for side in sides):
            self.requested.emit(*sides)

    def forget_scene(self) -> None:
        """Clear sides from the scene, as another document is open."""
        for form in (self.a, self.b):
            form.forget_scene()

    def set_busy(self, is_on: bool) -> None:
        """Show after a moment that a comparison is running."""
        self.busy.set_on(is_on)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a comparison."""
        is_first = self._comparison is None
        chosen = self.table.chosen()
        self._comparison = comparison
        report = comparison.report
        self.titled.emit(TITLE, comparison.title)
        first, rest = report.sentences
        self.verdict.set_verdict(report.status, first, rest)
        self.table.set_report(report)
        for form, samples in ((self.a, comparison.a), (self.b, comparison.b)):
            form.show_note(samples.description)
        text = (
            f"{counted(report.n_left_out, 'row')} with gaps {'is' if report.n_left_out == 1 else 'are'} left out. "
            if report.n_left_out
            else ""
        )
        self._show_text(f"{report.verdict} {text}{comparison.pairs.description.capitalize()}.")
        self.see.setVisible(True)
        self.copy_button.setEnabled(report.is_found)
        self.change.setEnabled(True)
        self._show_use()
        if is_first and not self._is_edited():
            self.show_findings()
        for row in chosen:
            if row < self.table.findings.rowCount():
                self.table.selectRow(row)

    def show_failure(self, error: SideError) -> None:
        """Show why the comparison failed, at the side with the error."""
        self._show_nothing(str(error) if not error.side else "")
        for name, form in (("a", self.a), ("b", self.b)):
            form.show_problem(str(error) if name == error.side else "")

    def show_findings(self) -> None:
        """Switch to the findings, if there are any."""
        if self._comparison is None:
            return
        self.change.setChecked(False)

    # Events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._send(())

    def sizeHint(self) -> QSize:
        return QSize(600, METRICS.debug_bottom - METRICS.dock_header)

    def minimumSizeHint(self) -> QSize:
        return QSize(360, 160)

    # Inside

    def _on_change(self, is_on: bool) -> None:
        self._stack.setCurrentIndex(0 if is_on else 1)

    def _is_edited(self) -> bool:
        """Return whether the user is editing the numbers, which must stay visible then."""
        return self._stack.currentIndex() == 0 and any(form.text.hasFocus() for form in (self.a, self.b))

    def _on_changed(self) -> None:
        sides = self.sides()
        if all(side.is_given for side in sides):
            if self._comparison is None:
                self._show_text(COMPARING)  # the text is about previous numbers
            self.requested.emit(*sides)
        else:
            self.stop_requested.emit()
            self._show_nothing(WAITING)

    def _stop(self) -> None:
        self.stop_requested.emit()
        if self._comparison is None:
            self._show_text(STOPPED)

    def _show_text(self, text: str) -> None:
        """Show a text below both sides; empty to hide it."""
        self.strip.setText(text)
        self.strip.setVisible(bool(text))

    def _show_nothing(self, why: str) -> None:
        self._comparison = None
        self.titled.emit(TITLE, "")
        self._show_text(why)
        self.see.hide()
        self.table.set_report(None)
        self.copy_button.setEnabled(False)
        self.use.hide()
        self.change.setChecked(True)
        self.change.setEnabled(False)  # there is nothing else to see
        self._draw()

    def _copy(self, target: str) -> None:
        if self._comparison is None:
            return
        rows = self.table.chosen() or [0]
        finding = self._comparison.report.findings[rows[0]]
        code = conversion_code(finding.hypothesis, target, self._comparison.a.label, self._comparison.b.label)
        QGuiApplication.clipboard().setText(code)
        self.status.emit("good", f"Copied the conversion of #{rows[0] + 1} as {LABELS[target]}")

    def _show_use(self) -> None:
        """Offer to apply the best finding to a compared recording; the tool tip shows a reason against it."""
        comparison = self._comparison
        is_recording = comparison is not None and comparison.a.pose_columns is not None and comparison.report.is_found
        self.use.setVisible(is_recording)
        if comparison is None or not is_recording or self._plan is None:
            return
        best, columns = comparison.report.findings[0].hypothesis, comparison.a.pose_columns
        why = reason_against_use(self._plan.scene, comparison.side_a.frame, best, columns, _section(comparison.side_a))
        self.use.setEnabled(not why)
        self.use.setToolTip(
            why or f"The scene then reads the columns of {comparison.side_a.frame} as the first finding says"
        )

    def _use(self) -> None:
        if self._comparison is not None and self._plan is not None:
            best = self._comparison.report.findings[0].hypothesis
            columns = self._comparison.a.pose_columns
            side = self._comparison.side_a
            self.edits.commit(use_for_recording(self._plan.scene, side.frame, best, columns, _section(side)))

    def _draw(self, *_: object) -> None:
        """Show the selected findings in the scene."""
        comparison, rows = self._comparison, self.table.chosen()[:MOST_SHOWN]
        if comparison is None or not rows or not self.isVisible() or self._plan is None:
            self._send(())
            return
        self._send(candidates_of(comparison, rows, self._plan))

    def _send(self, candidates: tuple[Candidate, ...]) -> None:
        if candidates or self._drawn:
            self._drawn = candidates
            self.candidates_shown.emit(candidates)

    def _lay_out(self) -> None:
        numbers = QWidget()
        sides = layouts.row((self.a, 1), (self.b, 1), spacing=METRICS.padding)
        below = layouts.row((self.strip, 1), self.see, spacing=METRICS.gap)
        layouts.column((sides, 1), below, on=numbers, margins=(METRICS.padding, METRICS.gap), spacing=METRICS.gap)
        findings = QWidget()
        message_row = layouts.row((self.verdict, 1), (self.use, 0, Qt.AlignmentFlag.AlignVCenter), spacing=METRICS.gap)
        layouts.column(
            message_row,
            (self.table, 1),
            on=findings,
            margins=(METRICS.padding, METRICS.gap, METRICS.padding, 0),
            spacing=METRICS.inner,
        )
        self._stack.addWidget(numbers)
        self._stack.addWidget(findings)
        layouts.column(self.busy, (self._stack, 1), on=self, margins=0, spacing=0)


class _Busy(QWidget):
    """Progress bar with a stop button, for a comparison that takes longer than a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName("comparing")
        self.stop = QPushButton("Stop")
        self.stop.setProperty("kind", "link")
        layouts.row(
            (self.bar, 1),
            self.stop,
            on=self,
            margins=(METRICS.padding, METRICS.inner, METRICS.padding, 0),
            spacing=METRICS.gap,
        )
        self.is_on = False
        self.hide()

    def set_on(self, is_on: bool) -> None:
        """Show or hide the bar; it appears after a moment, to avoid blinking."""
        self.is_on = is_on
        if is_on:
            self.startTimer(_MOMENT_MS)
        else:
            self.hide()

    def timerEvent(self, event: object) -> None:
        self.killTimer(event.timerId())  # type: ignore[attr-defined]
        self.setVisible(self.is_on)


_MOMENT_MS = 400


def _section(side: Side) -> Section:
    return "measured" if side.kind == "measured" else "frames"


def candidates_of(comparison: Comparison, rows: list[int], plan: Plan) -> tuple[Candidate, ...]:
    """Return the orientations of the frame by some findings, and by side B unless that is a frame of the scene."""
    a, b, pairs, report = comparison.side_a, comparison.side_b, comparison.pairs, comparison.report
    frame, relative_to = next(
        ((side.frame, side.relative_to) for side in (b, a) if side.kind == "frame"), (WORLD, WORLD)
    )
    if a.kind == "recording" and b.kind != "frame":
        recorded = plan.scene.frames.get(a.frame)
        frame, relative_to = a.frame, WORLD if recorded is None else recorded.parent
    if frame == WORLD:
        claim = next((plan.scene.measured.get(side.frame) for side in (a, b) if side.kind == "measured"), None)
        if isinstance(claim, MeasuredPose):
            frame, relative_to = claim.of, claim.relative_to
    is_in_scene = any(side.kind in OF_SCENE for side in (a, b))
    times = pairs.times if is_in_scene else None
    if times is not None and b.kind == "frame" and a.kind != "frame":
        times = times + 0.0 if not pairs.offset else times - pairs.offset  # the clock of the scene
    sample = _most_different_sample(comparison, rows)
    candidates = [
        Candidate(
            f"#{row + 1}",
            frame,
            relative_to,
            report.findings[row].hypothesis.predicted_b(pairs.numbers_a),
            times,
            sample,
        )
        for row in rows
    ]
    if b.kind != "frame":
        truth = report.findings[rows[0]].hypothesis.interpretation_b.matrices(pairs.numbers_b)
        candidates.append(Candidate("B", frame, relative_to, truth, times, sample))
    return tuple(candidates)


def _most_different_sample(comparison: Comparison, rows: list[int]) -> int:
    """Return the index of the sample with the largest residuals; without any, of the largest rotation."""
    findings = [comparison.report.findings[row] for row in rows]
    n = len(comparison.pairs.numbers_a)
    misses = sum(finding.residuals for finding in findings if finding.n_against and len(finding.residuals) == n)
    if not isinstance(misses, np.ndarray):
        R = findings[0].hypothesis.predicted_b(comparison.pairs.numbers_a)
        misses = angles_between(np.eye(3), R)
    return int(np.nanargmax(misses))


_LOOKS: dict[Status, tuple[str, str, str]] = {
    "found": ("verdict", "check", "good"),
    "unclear": ("amber", "circle-help", "amber"),
    "nothing": ("red", "octagon-x", "red"),
}
"""Role of the background, icon and its colour, by status."""


class VerdictBlock(QFrame):
    """Block with one or two sentences; its colour shows their certainty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: Status = "found"
        self._icon = QLabel()
        self._label = layouts.label(
            wordWrap=True,
            textFormat=Qt.TextFormat.RichText,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard,
        )
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text = ""
        layouts.row(
            (self._icon, 0, Qt.AlignmentFlag.AlignTop),
            (self._label, 1),
            on=self,
            margins=(METRICS.gap, METRICS.gap - 2),
            spacing=METRICS.gap + 2,
        )
        self._paint()

    @property
    def kind(self) -> Status:
        """Status of the verdict."""
        return self._kind

    def text(self) -> str:
        """Return the text."""
        return self._text

    def set_verdict(self, kind: Status, first: str, rest: str = "") -> None:
        """Show a verdict and its details."""
        self._kind = kind
        self._text = f"{first} {rest}".strip()
        self._label.setText(f"<b>{escape(first)}</b> {escape(rest)}")
        self._label.setAccessibleName(self._text)
        self._paint()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._paint_icon()
        super().changeEvent(event)

    def _paint(self) -> None:
        role = _LOOKS[self._kind][0]
        if self.property("role") != role:
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)
        self._paint_icon()

    def _paint_icon(self) -> None:
        _, name, color = _LOOKS[self._kind]
        self._icon.setPixmap(icons.pixmap(name, color))
