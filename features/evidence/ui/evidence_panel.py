"""Evidence panel: sentences about the sensors of a recording, who agrees with whom, and differences over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from framescope.core.errors import counted, visible_text
from framescope.features.evidence.core.account import Account, Agreement, Finding
from framescope.features.evidence.core.mends import Snippet
from framescope.features.evidence.ui.agreement_matrix import LOOKS, AgreementMatrix, VerdictLegend, certainty_words
from framescope.features.evidence.ui.finding_card import FindingCard
from framescope.ui.formatting import number_text
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.plots.curves import Curves, CurveStyle
from framescope.ui.plots.dashes import DASHES
from framescope.ui.plots.plot import Plot
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.progress_bar import ProgressBar

NO_RECORDING = "Open a bag of ROS or Foxglove with an IMU, odometry or poses: its sensors are compared by themselves."
NO_SENSORS = (
    "Nothing in the recording can be compared: it has no two readings of one motion, such as an IMU and odometry."
)
NOTHING_COMPARED = "No two of these readings are about one motion."
CHOOSE = "Choose a cell of the table: its sentence and its differences over time stand here."

WIDE = 760
"""Width from which sentences, table and differences stand side by side, logical pixels."""

PLOT_HEIGHT = 84
"""Least height of the plot of differences, logical pixels."""

CARDS_HEIGHT = 220
"""Height of the sentences, and of the table, where they stand below each other and need it, logical pixels."""

MOST_HEIGHT = (1 << 24) - 1
"""Height without a bound, the largest of Qt, logical pixels."""

STEPS = 1000
"""Steps of the progress bar."""


@dataclass(frozen=True, eq=False)
class ShownFinding:
    """A finding, the text of the button that mends the scene, and texts that mend it outside of the scene."""

    finding: Finding
    fix_text: str = ""
    snippets: tuple[Snippet, ...] = ()


class EvidencePanel(QStackedWidget):
    """
    Panel of the account of the sensors of a recording.

    Signals
    -------
    file_chosen(int)
        Index of the recording that the user chose, where a scene has several.
    finding_shown(object), finding_mended(object)
        The user wants to see a `Finding` in the scene, or mends the scene.
    agreement_shown(object)
        The user opened the comparison of two readings, an `Agreement`.
    scrubbed(float)
        Time that the user clicked in the plot, s.
    scrub_finished()
        The user has released the button.
    stop_requested(), begin_requested()
        The user stops the comparison of the sensors, or begins it again.
    copied(str)
        A text was copied; the sentence for the status line.
    """

    file_chosen = Signal(int)
    finding_shown = Signal(object)
    finding_mended = Signal(object)
    agreement_shown = Signal(object)
    scrubbed = Signal(float)
    scrub_finished = Signal()
    stop_requested = Signal()
    begin_requested = Signal()
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setAccessibleName("evidence of the sensors")
        self.account: Account | None = None
        self.cards: tuple[FindingCard, ...] = ()
        """Cards of the findings, the most severe first."""
        self.agreement: Agreement | None = None
        """The comparison that is shown."""
        self._range: tuple[float, float] | None = None
        self.files = ChoiceBox()
        self.files.setAccessibleName("recording")
        self.files.activated.connect(self.file_chosen)
        self.matrix = AgreementMatrix()
        self.matrix.opened.connect(self._open)
        self.legend = VerdictLegend()
        self.sentence = layouts.plain_label(CHOOSE, "quiet", wordWrap=True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = layouts.plain_label("", "caption", wordWrap=True)
        self.facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.plot = Plot()
        self.plot.setMinimumHeight(PLOT_HEIGHT)
        self.plot.header.menu_button.hide()
        self.plot.canvas.scrubbed.connect(self.scrubbed)
        self.plot.canvas.scrub_finished.connect(self.scrub_finished)
        self.busy_text = layouts.plain_label("", "quiet")
        self.bar = ProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(METRICS.track)
        self.bar.setAccessibleName("comparison of the sensors")
        self.stop_button = push_button("Stop", kind="link")
        self.stop_button.setAccessibleName("stop the comparison of the sensors")
        self.stop_button.clicked.connect(self.stop_requested)
        self._lay_out()
        self.show_nothing()

    # --- States

    def show_nothing(self, *, has_recording: bool = False) -> None:
        """Show that there is no recording, or no two readings that can be compared."""
        self._take(None)
        self.setCurrentWidget(self.no_sensors if has_recording else self._no_recording)

    def show_busy(self, words: str, share: float | None = None) -> None:
        """Show that the sensors are being compared, and the completed fraction by a bar if it is known.

        The results of an earlier comparison stay.
        """
        self.busy_text.setText(words)
        self.bar.setVisible(share is not None)
        self.bar.setValue(round(STEPS * (share or 0.0)))
        self._busy.show()
        self.setCurrentWidget(self._page)

    def show_stopped(self, why: str) -> None:
        """Show why there is no result; a button begins again."""
        self._busy.hide()
        self._stopped_text.setText(visible_text(why))
        self.setCurrentWidget(self.stopped)

    def show_account(
        self,
        account: Account,
        findings: Sequence[ShownFinding],
        time_range: tuple[float, float],
        files: Sequence[str] = (),
        i_file: int = 0,
    ) -> None:
        """Show an account with the mends of its findings, over a range of time, s; `files` offers other recordings."""
        self._busy.hide()
        self._range = time_range
        chosen = self.agreement
        self._take(account)
        self._show_cards(findings)
        self.files.clear()
        self.files.addItems([visible_text(name) for name in files])
        self.files.setCurrentIndex(i_file)
        self.files.setVisible(len(files) > 1)
        again = next((each for each in account.agreements if chosen is not None and _pair(each) == _pair(chosen)), None)
        if again is not None:
            self._show_agreement(again)
            self.matrix.choose(again)
        has_any = bool(account.findings or account.agreements)
        self.setCurrentWidget(self._page if has_any else self.no_sensors)

    def show_mends(self, findings: Sequence[ShownFinding]) -> None:
        """Show the same findings with other mends, after an edit."""
        self._show_cards(findings)

    def show_agreement(self, agreement: Agreement) -> None:
        """Show a comparison, and make its cell the current one."""
        self._show_agreement(agreement)
        self.matrix.choose(agreement)

    def set_time(self, t: float) -> None:
        """Move the cursor of the plot to a time, s."""
        if self.isVisible():
            self.plot.set_cursor(t)

    # --- Parts

    def _take(self, account: Account | None) -> None:
        self.account = account
        self.agreement = None
        self.matrix.set_account(account)
        has_cells = bool(self.matrix.cells.readings)
        self.matrix.setVisible(has_cells)
        self.legend.setVisible(has_cells)
        self.sentence.setText(CHOOSE if has_cells else NOTHING_COMPARED if account is not None else "")
        self.sentence.setProperty("role", "quiet")
        self.facts.setText("")
        self.facts.hide()
        self.plot.hide()
        if account is None:
            self._show_cards(())

    def _show_cards(self, findings: Sequence[ShownFinding]) -> None:
        for card in self.cards:
            self._card_column.removeWidget(card)
            card.hide()
            card.deleteLater()
        cards: list[FindingCard] = []
        for i, shown in enumerate(findings):
            card = FindingCard(shown.finding, shown.fix_text, shown.snippets, self._card_ground)
            card.shown.connect(self.finding_shown)
            card.mended.connect(self.finding_mended)
            card.copied.connect(self.copied)
            self._card_column.insertWidget(i, card)
            card.show()
            cards.append(card)
        self.cards = tuple(cards)
        self.calm.setText("" if cards or self.account is None else calm_words(self.account))
        self.calm.setVisible(bool(self.calm.text()))
        self._bound_height()

    def _open(self, agreement: Agreement) -> None:
        self._show_agreement(agreement)
        self.agreement_shown.emit(agreement)

    def _show_agreement(self, agreement: Agreement) -> None:
        self.agreement = agreement
        self.sentence.setText(visible_text(agreement.sentence))
        self.sentence.setProperty("role", "")
        self.sentence.style().unpolish(self.sentence)
        self.sentence.style().polish(self.sentence)
        self.facts.setText(facts_of(agreement))
        self.facts.setToolTip(literal_text(facts_help(agreement)))
        self.facts.show()
        self.plot.setVisible(bool(len(agreement.t)))
        if len(agreement.t):
            self.plot.set_curves(curves_of(agreement), self._range)
            self.plot.setAccessibleName(f"differences of {agreement.first} and {agreement.second}, {agreement.unit}")
            first, last = agreement.stretch
            self.plot.canvas.set_region((first, last, "accent") if last > first else None)

    def _lay_out(self) -> None:
        self._no_recording = EmptyState("satellite", "No sensors", NO_RECORDING)
        self.no_sensors = EmptyState("satellite", "Nothing to compare", NO_SENSORS)
        self.stopped = EmptyState("satellite", "Not compared", " ", "Compare the sensors")
        self.stopped.action_requested.connect(self.begin_requested)
        self._stopped_text = self.stopped.hint_label
        self._stopped_text.setTextFormat(Qt.TextFormat.PlainText)
        self._busy = QWidget()
        layouts.row(
            self.busy_text,
            (self.bar, 50),
            layouts.STRETCH,
            self.stop_button,
            on=self._busy,
            margins=(METRICS.padding, METRICS.inner),
            spacing=METRICS.gap,
        )
        self._busy.hide()
        self._card_ground = layouts.panel()
        self.calm = layouts.plain_label("", "quiet", wordWrap=True)
        self.calm.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._card_column = layouts.column(
            self.calm,
            layouts.STRETCH,
            on=self._card_ground,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        self._left = QWidget()
        self.card_area = layouts.scroll_area(self._card_ground, "findings about the sensors")
        layouts.column(self.card_area, on=self._left, margins=0, spacing=0)
        self._middle = QWidget()
        layouts.column(
            self.files,
            (self.matrix, 1),
            self.legend,
            on=self._middle,
            margins=(METRICS.gap, METRICS.inner),
            spacing=METRICS.inner,
        )
        self._right = QWidget()
        layouts.column(
            self.sentence,
            self.facts,
            (self.plot, 50),
            layouts.STRETCH,
            on=self._right,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.inner,
        )
        self._lines = tuple(separator(is_vertical=True) for _ in range(2))
        content = layouts.panel()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, content)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        for part, stretch in (
            (self._left, 5),
            (self._lines[0], 0),
            (self._middle, 5),
            (self._lines[1], 0),
            (self._right, 4),
        ):
            self._box.addWidget(part, stretch)
        self._content = content
        self._area: QScrollArea = layouts.scroll_area(content, "evidence")
        self._area.viewport().installEventFilter(self)
        self._page = QWidget()
        layouts.column(self._busy, (self._area, 1), on=self._page, margins=0, spacing=0)
        for widget in (self._no_recording, self.no_sensors, self.stopped, self._page):
            self.addWidget(widget)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._area.viewport() and event.type() == QEvent.Type.Resize:
            self._bound_height()
        return super().eventFilter(watched, event)

    def _bound_height(self) -> None:
        """Let parts side by side share the height of the panel, in which each scrolls by itself."""
        is_wide = self._box.direction() == QBoxLayout.Direction.LeftToRight
        self._content.setMaximumHeight(self._area.viewport().height() if is_wide else MOST_HEIGHT)
        cards = min(self._card_ground.sizeHint().height(), CARDS_HEIGHT)
        cells = self.matrix.sizeHint().height()
        self.card_area.setMinimumHeight(0 if is_wide else cards)
        self.matrix.setMinimumHeight(0 if is_wide else min(cells, CARDS_HEIGHT))

    def _arrange(self) -> None:
        """Lay the parts side by side where there is room, else below each other."""
        is_wide = self.width() >= WIDE
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._box.direction() == direction and self._box.property("arranged"):
            return
        self._box.setProperty("arranged", True)
        self._box.setDirection(direction)
        for line in self._lines:
            line.setVisible(is_wide)
        for part in (self._left, self._middle, self._right):
            vertical = QSizePolicy.Policy.Expanding if is_wide else QSizePolicy.Policy.Minimum
            part.setSizePolicy(QSizePolicy.Policy.Ignored, vertical)
        self._bound_height()

    def sizeHint(self) -> QSize:
        return QSize(WIDE + 240, METRICS.bottom)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 120)


def calm_words(account: Account) -> str:
    """Return the sentence of an account without findings."""
    count = Counter(agreement.verdict for agreement in account.agreements)
    words = [f"{counted(count['agree'], 'comparison')} {'agrees' if count['agree'] == 1 else 'agree'}"]
    if count["cannot tell"]:
        words.append(f"the motion cannot tell in {count['cannot tell']}")
    return f"No sensor contradicts another: {', '.join(words)}."


def facts_of(agreement: Agreement) -> str:
    """Return the numbers of a comparison in one line: differences and stretch."""
    unit = agreement.unit
    before, after = (_size(value) for value in (agreement.before, agreement.after))
    change = f"{before} {unit} rms"
    if agreement.faults:
        change = f"{before} → {after} {unit} rms"
    if before in agreement.sentence and (not agreement.faults or after in agreement.sentence):
        change = ""  # the sentence has them
    first, last = agreement.stretch
    stretch = f"{number_text.seconds(first)} to {number_text.seconds(last)} s" if last > first else ""
    return " · ".join(filter(None, (change, stretch)))


def facts_help(agreement: Agreement) -> str:
    """Return the meaning of the numbers of a comparison."""
    corrected = ", as stated and once the faults are corrected" if agreement.faults else ""
    lines = (f"Root mean square of the difference{corrected}", certainty_words(agreement))
    return "\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines)


def _size(value: float) -> str:
    """Return a size with three significant digits."""
    return f"{value:.3g}" if np.isfinite(value) else number_text.MISSING


def curves_of(agreement: Agreement) -> Curves:
    """Return the differences of two readings over time: as stated, and once the faults are corrected."""
    styles = [CurveStyle("stated", LOOKS[agreement.verdict].role if agreement.verdict != "agree" else "frame_a")]
    ys = [agreement.residual[:, 0]]
    if agreement.faults:
        styles.append(CurveStyle("corrected", "good", DASHES[1]))
        ys.append(agreement.residual[:, 1])
    return Curves(
        np.asarray(agreement.t, dtype=float),
        np.asarray(ys, dtype=float),
        tuple(styles),
        quantity="Difference",
    )


def _pair(agreement: Agreement) -> tuple[str, str]:
    return agreement.first, agreement.second
