"""Form for the source of a side: pasted text, a table, a frame, a recorded frame's file, or a measured pose."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QFileDialog, QPlainTextEdit, QSizePolicy, QStackedWidget, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Recorded
from framescope.features.detective.core.inputs import OF_SCENE, Kind, Side
from framescope.ui.panels.relation.frame_combo import FrameField, FrameNames
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.inline_message import InlineMessage

SOURCES: tuple[tuple[Kind, str], ...] = (
    ("pasted", "Pasted"),
    ("file", "Table file"),
    ("frame", "Scene frame"),
    ("recording", "Recording"),
    ("measured", "Measurement"),
)

READ_AS = (
    ("auto", "Any form"),
    ("quaternion", "Quaternion"),
    ("quaternion xyzw", "Quaternion xyzw"),
    ("quaternion wxyz", "Quaternion wxyz"),
    ("angles", "Angles"),
    ("angles deg", "Angles, deg"),
    ("angles rad", "Angles, rad"),
    ("matrix", "Matrix"),
    ("rotation vector", "Rotation vector"),
    ("axis and angle", "Axis and angle"),
)
"""Known interpretations and their names in the window."""

TYPING_MS = 150
"""Time without typing before the text is used, ms."""

MAX_TYPED = 2_000_000
"""Largest number of characters of dropped text; longer text needs a file."""


class SideForm(QWidget):
    """
    Form for one side of the comparison.

    Parameters
    ----------
    name : str
        ``A`` or ``B``.
    hint : str
        Placeholder of the text box.
    names : FrameNames
        Frames of the scene.

    Signals
    -------
    changed()
        The user changed the source; for text, after a pause in typing.
    """

    changed = Signal()

    def __init__(self, name: str, hint: str, names: FrameNames, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # both sides have the same width
        self._path = ""
        self._plan: Plan | None = None
        self.source, self.read_as = ChoiceBox(), ChoiceBox()
        for combo, entries, what in (
            (self.source, SOURCES, f"where the numbers of {name} come from"),
            (self.read_as, READ_AS, f"what the numbers of {name} are"),
        ):
            for key, text in entries:
                combo.addItem(text, key)
            combo.setAccessibleName(what)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(6)
            combo.view().setMinimumWidth(_POPUP)
        self.text = _PasteBox()
        self.text.setAccessibleName(f"numbers of {name}")
        self.text.setPlaceholderText(f"{hint}\nOne sample a line.")
        self.file_name = ElidedLabel("No table chosen", role="quiet", elide=Qt.TextElideMode.ElideMiddle)
        self.browse = push_button("Browse…", "folder-open")
        self.browse.setAccessibleName(f"browse for the table of {name}")
        self.frame = FrameField(names, f"frame of {name}")
        self.relative_to = FrameField(names, f"frame that {name} is relative to")
        self.relative_to.set_name(WORLD)
        self.recorded = ChoiceBox()
        self.recorded.setAccessibleName(f"recorded frame of {name}")
        self.measured = ChoiceBox()
        self.measured.setAccessibleName(f"measured pose of {name}")
        self.note = ElidedLabel("", role="caption")
        self.message = InlineMessage()
        self._pages = QStackedWidget()
        self._lay_out(name)
        self._typing = QTimer(self, interval=TYPING_MS, singleShot=True)
        self._typing.timeout.connect(self.changed)
        self.source.currentIndexChanged.connect(self._on_source)
        self.read_as.currentIndexChanged.connect(self.changed)
        self.text.textChanged.connect(self._typing.start)
        self.browse.clicked.connect(self._browse)
        self.recorded.currentIndexChanged.connect(self.changed)
        self.measured.currentIndexChanged.connect(self.changed)
        for field in (self.frame, self.relative_to):
            field.chosen.connect(self.changed)
            field.refused.connect(self.message.set_message)

    def side(self) -> Side:
        """Return the chosen side."""
        kind: Kind = self.source.currentData()
        lists = {"recording": self.recorded, "measured": self.measured}
        frame = lists[kind].currentText() if kind in lists else self.frame.name
        return Side(
            kind, self.text.toPlainText(), self._path, frame, self.relative_to.name or WORLD, self.read_as.currentData()
        )

    def set_side(self, side: Side) -> None:
        """Show a side and emit `changed`."""
        widgets = (self.source, self.read_as, self.text, self.recorded, self.measured)
        blocked = [(widget, widget.blockSignals(True)) for widget in widgets]
        self.source.setCurrentIndex(self.source.findData(side.kind))
        self.read_as.setCurrentIndex(max(self.read_as.findData(side.read_as), 0))
        if self.text.toPlainText() != side.text:
            self.text.setPlainText(side.text)
        self._set_path(side.path)
        if side.kind == "recording":
            self.recorded.setCurrentText(side.frame)
        elif side.kind == "measured":
            self.measured.setCurrentText(side.frame)
        else:
            self.frame.set_name(side.frame)
            self.relative_to.set_name(side.relative_to)
        for widget, was_blocked in blocked:
            widget.blockSignals(was_blocked)
        self._on_source()

    def set_plan(self, plan: Plan) -> None:
        """Offer the frames of another plan."""
        self._plan = plan
        recorded = [name for name, frame in plan.scene.frames.items() if isinstance(frame.motion, Recorded)]
        measured = [
            name
            for name, item in plan.scene.measured.items()
            if isinstance(item, MeasuredPose) and (item.motion is not None or item.orientation is not None)
        ]
        _offer(self.recorded, recorded)
        _offer(self.measured, measured)
        for field, usual in ((self.frame, next((n for n in plan.names if n != WORLD), "")), (self.relative_to, WORLD)):
            if field.name not in plan.index:
                field.set_name(usual)

    def forget_scene(self) -> None:
        """Clear a side from the scene, as another document is open."""
        if self.source.currentData() in OF_SCENE:
            self.set_side(Side())

    def show_note(self, text: str) -> None:
        """Show how the numbers were read."""
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.message.set_message("")

    def show_problem(self, text: str) -> None:
        """Show why there are no numbers."""
        self.note.hide()
        self.message.set_message(text)

    # Events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event) is not None or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event)
        if path is not None:
            self.take_file(path)
        elif event.mimeData().hasText():
            self.set_side(Side(text=event.mimeData().text()[:MAX_TYPED], read_as=self.read_as.currentData()))
        event.acceptProposedAction()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        sides, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._chosen.setDirection(sides if self.width() >= _BESIDE else below)

    def take_file(self, path: Path) -> None:
        """Use the numbers of a table."""
        self.set_side(Side("file", path=str(path), read_as=self.read_as.currentData()))

    # Inside

    def _browse(self) -> None:
        patterns = " ".join(f"*{suffix}" for suffix in TABLE_FILES)
        chosen, _ = QFileDialog.getOpenFileName(
            self, "A table of orientations", str(Path(self._path).parent) if self._path else "", f"Tables ({patterns})"
        )
        if chosen:
            self.take_file(Path(chosen))

    def _set_path(self, path: str) -> None:
        self._path = path
        self.file_name.setText(Path(path).name if path else "No table chosen. Browse, or drop one here")

    def _on_source(self) -> None:
        self._pages.setCurrentIndex(self.source.currentIndex())
        is_frame = self.source.currentData() == "frame"
        self.read_as.setVisible(not is_frame)  # the convention of a scene frame is known
        self.show_note("")
        self.changed.emit()

    def _lay_out(self, name: str) -> None:
        title = layouts.label(name, "title")
        title.setFixedHeight(self.source.sizeHint().height())
        top = layouts.row((title, 0, Qt.AlignmentFlag.AlignTop), spacing=METRICS.inner)
        self._chosen = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._chosen.setSpacing(METRICS.inner)
        for combo, stretch in ((self.source, 97), (self.read_as, 90)):  # by the widths of their usual texts
            combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._chosen.addWidget(combo, stretch)
        top.addLayout(self._chosen, 1)
        self._pages.addWidget(self.text)
        self._pages.addWidget(_row(self.file_name, self.browse))
        frames = QWidget()
        column = layouts.column(on=frames, margins=0, spacing=METRICS.gap)
        for text, field in (("of", self.frame), ("relative to", self.relative_to)):
            label = layouts.label(text, "quiet")
            label.setFixedWidth(_LABEL)
            line = layouts.row(label, (field, 1), spacing=METRICS.gap)
            column.addLayout(line)
        column.addStretch(1)
        self._pages.addWidget(frames)
        why = layouts.label(
            "The columns as they stand in its file, whatever the scene reads them as.", "quiet", wordWrap=True
        )
        page = QWidget()
        column = layouts.column(self.recorded, why, layouts.STRETCH, on=page, margins=0, spacing=METRICS.gap)
        self._pages.addWidget(page)
        why = layouts.label(
            "A measured pose: the columns of its file as they stand, or the constant one.", "quiet", wordWrap=True
        )
        page = QWidget()
        layouts.column(self.measured, why, layouts.STRETCH, on=page, margins=0, spacing=METRICS.gap)
        self._pages.addWidget(page)
        column = layouts.column(
            top, (self._pages, 1), self.message, self.note, on=self, margins=0, spacing=METRICS.inner + 2
        )
        self.note.hide()


_LABEL, _POPUP = 64, 160
_BESIDE = 200
"""Width from which both choices fit beside each other, logical pixels."""


class _PasteBox(QPlainTextEdit):
    """Text box for numbers: Tab moves to the next field, and the form handles dropped files."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fonts.number(METRICS.number))
        self.setAcceptDrops(False)
        self.setMinimumHeight(48)


def _offer(box: ChoiceBox, names: list[str]) -> None:
    """Set the names of a box without signals, keeping the chosen one."""
    if names == [box.itemText(i) for i in range(box.count())]:
        return
    current = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(names)
    box.setCurrentText(current)
    box.blockSignals(False)


def _row(label: QWidget, button: QWidget) -> QWidget:
    page = QWidget()
    line = layouts.row((label, 1), button, spacing=METRICS.gap)
    layouts.column(line, layouts.STRETCH, on=page, margins=0)
    return page


def _dropped_file(event: QDragEnterEvent | QDropEvent) -> Path | None:
    """Return the first dropped file, whether a table or not."""
    return next((Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()), None)
