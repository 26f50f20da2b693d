"""Export dialog: format, options, a small preview, and problems before the export starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QWidget

from framescope.ui.dialogs.export.choice import ChoiceVerdict, ExportChoice, SceneFacts
from framescope.ui.dialogs.export.form import ExportForm
from framescope.ui.dialogs.export.format_list import FormatList
from framescope.ui.dialogs.export.preview import FileText, Preview
from framescope.ui.exports.format import Format
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage

SKETCH_MS = 250
"""Delay between the last change and the drawing of a preview, ms."""

_FORMAT = "format"
_LIST = 304
_SIZE = QSize(880, 704)
_PREVIEW = 184


class ExportDialog(QDialog):
    """Dialog for the format and options of an export.

    Parameters
    ----------
    name
        Name of the scene.
    offers
        Available formats.
    facts
        Facts of the scene and the window.
    choice
        Initial choice.
    judge
        Function that returns the verdict on a choice.
    entries
        Field contents of the previous dialog, see `ExportDialog.entries`.

    Signals
    -------
    preview_requested(ExportChoice, QSize)
        Request for a preview of the choice in this size; see `show_sketch`.
    chosen(ExportChoice)
        The button was pressed; the caller asks for the file.
    """

    preview_requested = Signal(object, QSize)
    chosen = Signal(object)

    def __init__(
        self,
        name: str,
        offers: Sequence[Format],
        facts: SceneFacts,
        choice: ExportChoice,
        judge: Callable[[ExportChoice], ChoiceVerdict],
        parent: QWidget | None = None,
        *,
        entries: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "export.md")
        self.setWindowTitle("Export")
        self._judge = judge
        self._wanted: tuple[ExportChoice, QSize] | None = None
        self.choice: ExportChoice | None = None
        """Current choice; None while it has a problem."""
        self.heading = ElidedLabel(f"Export {name}", role="title")
        self.formats = FormatList(offers)
        self.preview = Preview()
        self.file_text = FileText()
        self.form = ExportForm(facts, choice)
        self._options = layouts.scroll_area(QWidget(), "options", is_whole=True)
        self.warning = InlineMessage("warning")
        self.message = InlineMessage()
        self.summary = layouts.label("", "quiet")
        self.left_out = layouts.label("", "quiet")
        for label in (self.summary, self.left_out):
            label.setWordWrap(True)
        self.export_button, self.cancel_button = push_button("Export…", kind="main"), push_button("Cancel")
        self.export_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        self._late = QTimer(self, interval=SKETCH_MS, singleShot=True)
        self._late.timeout.connect(self._ask_sketch)
        self._lay_out()
        self._key_at_first = choice.key
        chosen = entries.get(_FORMAT)
        keys = {offer.key for offer in offers}
        self.formats.choose(chosen if isinstance(chosen, str) and chosen in keys else choice.key)
        self.form.set_format(self.formats.offer)
        self.form.set_choice(choice)
        self._at_first = self.form.entries()
        self.form.set_entries(entries)
        self.warning.set_message(facts.problems)
        self.formats.chosen.connect(self._on_format)
        self.form.changed.connect(self._show_state)
        self.export_button.clicked.connect(self._on_export)
        self.cancel_button.clicked.connect(self.reject)
        self.resize(layouts.fitting_size(self, _SIZE))
        self._show_state()
        self.formats.setFocus()

    @property
    def entries(self) -> dict[str, object]:
        """Entries that differ from the initial choice, valid or not, to restore when the dialog opens again."""
        changes = {name: entry for name, entry in self.form.entries().items() if entry != self._at_first[name]}
        key = self.formats.offer.key
        return changes if key == self._key_at_first else {**changes, _FORMAT: key}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return completes the text in a field; it does not start the export.
        field = self.focusWidget()
        field = field.lineEdit() if isinstance(field, QComboBox) else field
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(field, QLineEdit):
            field.selectAll()
            event.accept()
        else:
            super().keyPressEvent(event)

    def show_sketch(self, image: QImage) -> None:
        """Show the requested preview. Ignore a late one if the current format has no preview."""
        if self.formats.offer.is_seen:
            self.preview.show_image(image)

    def show_summary(self, text: str) -> None:
        """Show a summary of the result, when a better one is available."""
        self.summary.setText(text)
        self.summary.setVisible(bool(text))

    def show_no_sketch(self, why: str) -> None:
        """Show why a preview is missing, if the format has one."""
        if self.formats.offer.is_seen:
            self.preview.show_text(why)

    # State

    def _on_format(self, offer: Format) -> None:
        self.form.set_format(offer)
        self._show_state()

    def _show_state(self) -> None:
        """Check the choice, and show its summary or problem. Enable the button accordingly."""
        offer = self.formats.offer
        self._options.setVisible(not self.form.is_empty or bool(self.warning.text()))
        choice = None
        try:
            choice = self.form.choice(offer.key)
            verdict = self._judge(choice)
        except ValueError as error:
            of, problem = error.args
            verdict = ChoiceVerdict(problem=problem, of=of)
        self.choice = None if verdict.problem else choice
        self.form.mark(verdict.of if verdict.problem else "")
        self.message.set_message(verdict.problem)
        self.show_summary(verdict.summary)
        self.left_out.setText(verdict.left_out)
        self.left_out.setVisible(bool(verdict.left_out))
        self.export_button.setEnabled(self.choice is not None)
        is_text = self.choice is not None and bool(verdict.text)
        self.file_text.set_text(verdict.text if is_text else "")
        self.file_text.setVisible(is_text)
        self.preview.setVisible(not is_text)
        if not offer.is_seen:
            self._late.stop()
            self._wanted = None
            self.preview.show_text(offer.use)
        elif choice is not None and not verdict.problem:
            self.preview.set_shape(*verdict.size)
            self.preview.wait()
            self._late.start()
        else:
            self._late.stop()
            self._wanted = None
            self.preview.stop_waiting()

    def _ask_sketch(self) -> None:
        request = None if self.choice is None else (self.choice, self.preview.room())
        if request is not None and request != self._wanted:
            self._wanted = request
            self.preview_requested.emit(*request)

    def _on_export(self) -> None:
        if self.choice is not None:
            self.chosen.emit(self.choice)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.formats.offer.is_seen and self.choice is not None:
            self._late.start()

    # Layout

    def _lay_out(self) -> None:
        top = layouts.row((self.heading, 1), margins=(METRICS.padding, METRICS.gap))
        self.formats.setFixedWidth(_LIST)
        self.preview.setMinimumHeight(_PREVIEW)
        below = layouts.column(self.form, self.warning, margins=METRICS.padding, spacing=METRICS.gap)
        layouts.column(separator(), below, on=self._options.widget(), margins=0, spacing=0)
        right = layouts.column((self.preview, 1), (self.file_text, 1), self._options, margins=0, spacing=0)
        body = layouts.row(self.formats, separator(is_vertical=True), (right, 1), spacing=0)
        message_column = layouts.column(self.message, self.summary, self.left_out, spacing=0)
        foot = layouts.row(
            (message_column, 1),
            (self.cancel_button, 0, Qt.AlignmentFlag.AlignVCenter),
            (self.export_button, 0, Qt.AlignmentFlag.AlignVCenter),
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        layouts.column(top, separator(), (body, 1), separator(), foot, on=self, margins=0, spacing=0)
