"""Layout of the panel: all parts visible, or the rarer ones in a fold."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QWidget

from framescope.core.conventions.code_snippets import TARGETS
from framescope.core.conventions.pose_snippets import POSE_TARGETS
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.kinds.orientations import RPY, axis_letters, conversions
from framescope.ui.formatting.item_names import BRANCH_TEXTS, RPY_LETTERS
from framescope.ui.panels.orientation import forms
from framescope.ui.panels.orientation.angle_rows import TurnsPart
from framescope.ui.panels.orientation.form_names import CODE_NAMES
from framescope.ui.panels.orientation.paste_form import PasteForm
from framescope.ui.panels.orientation.values import LETTERS, OrientationValues
from framescope.ui.qt_support.tab_stops import tab_stops
from framescope.ui.theme import current_theme, fonts, icons
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.gauge import Gauge
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.value_row import ValueRow

NEAR_LOCK = 0.8
"""Measure of gimbal lock from which a narrow panel shows it; 1 is the lock."""

CONVERT = "convert…"
"""Link that writes the orientation in another form."""

MORE = "more…"
"""Link that adds the rarer words to a line."""

N_COMMON = 3
"""Number of the forms that are named at once: quaternion, axis and angle, matrix."""


_STRONG = ";font-weight:600"


def _unbroken(word: str) -> str:
    return word.replace(" ", "&nbsp;")


class LinkLine(QLabel):
    """Words in a line that can be chosen, by mouse or by Tab and Enter; those that are opened are strong.

    Parameters
    ----------
    caption
        Text before the words.
    words, rarer
        Words that are always shown, and those that *more…* adds.

    Signals
    -------
    chosen(str)
        The user has chosen a word.
    """

    chosen = Signal(str)

    def __init__(
        self, caption: str, words: Sequence[str], rarer: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._caption, self._words, self._rarer, self._opened = caption, tuple(words), tuple(rarer), frozenset[str]()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self.setAccessibleName(f"{caption} {', '.join((*words, *rarer))}")
        self.linkActivated.connect(self._choose)
        self._write()

    def set_opened(self, words: Iterable[str]) -> None:
        """Mark the words whose parts are open."""
        self._opened = frozenset(words)
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._write()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Qt selects no word at first, so that Tab would stop once more, and Shift+Tab would go through all words.
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)

    def _choose(self, word: str) -> None:
        if word == MORE:
            self._words, self._rarer = (*self._words, *self._rarer), ()
            self._write()
        else:
            self.chosen.emit(word)

    def _write(self) -> None:
        color, quiet = (current_theme.color(role) for role in ("accent_text", "quiet"))
        style = f"color:{color};text-decoration:none"
        # Lines break behind a dot, never within a word or before a dot.
        words = "&nbsp;· ".join(
            f'<a href="{word}" style="{style}{_STRONG if word in self._opened else ""}">{_unbroken(word)}</a>'
            for word in (*self._words, *((MORE,) if self._rarer else ()))
        )
        text = f'<span style="color:{quiet}">{self._caption}&nbsp; </span>{words}'
        if text != self.text():
            self.setText(text)


class Parts(QWidget):
    """Widgets of the panel, without their behaviour.

    Signals
    -------
    paste_requested()
        A paste button was pressed.
    copy_requested(str)
        Request to copy code for a target.
    convert_requested(str)
        Request to convert to a kind of form.
    unfolded()
        The rarer forms were shown or hidden.
    """

    paste_requested = Signal()
    copy_requested = Signal(str)
    convert_requested = Signal(str)
    unfolded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.is_full = False
        self._is_near = False
        self._opened: set[str] = set()
        self.turns = TurnsPart(self)
        self.matrix, self.quaternion, self.axis_angle = (
            forms.matrix_form(),
            forms.QuaternionEditor(),
            forms.AxisAngleForm(),
        )
        self.vector, self.rodrigues = forms.rotation_vector_form(), forms.rodrigues_form()
        self.rpy = forms.RpyForm()
        self.forms = (self.matrix, self.quaternion, self.axis_angle, self.vector, self.rodrigues, self.rpy)
        self.table = AnglesTable()
        self.line = separator()
        self.gauge = Gauge(parent=self)
        self.paste = PasteForm(self)
        self.confirm = Confirm(self)
        self._make_lock()
        self._make_staged()
        self._make_buttons()
        self._also: dict[str, QWidget] = {
            "quaternion": self.quaternion,
            "axis, angle": self.axis_angle,
            "matrix": self.matrix,
            "rpy": self.rpy,
            "vector": self.vector,
            "Rodrigues": self.rodrigues,
            "branches": self.table,
            "rates": self.turns.rates_row,
        }
        self._make_also()
        self._column = layouts.column(
            layouts.STRETCH,
            on=self,
            margins=(METRICS.padding, METRICS.gap, METRICS.beside_bar, METRICS.gap),
            spacing=METRICS.gap,
        )
        self.set_full(False)

    def set_full(self, is_full: bool) -> None:
        """Show all parts, or the rarer forms in a fold."""
        self.is_full = is_full
        self.turns.set_full(is_full)
        self.gauge.set_inline(is_full)
        for form in self.forms:
            form.set_narrow(not is_full)
        # Tab follows the order of the parts.
        top = (self.lock, self.turns, self.confirm, self.line, self.staged)
        forms = (self.matrix, self.quaternion, self.axis_angle, self.vector, self.rodrigues, self.rpy, self.table)
        if is_full:
            order = (*top, self.paste, self.gauge, *forms, self.authored)
        else:
            order = (*top, self.gauge, self.paste, self.also, *forms, self.authored)
        for place, part in enumerate(order):  # parts already in the column move
            self._column.insertWidget(place, part)
        self._column.setSpacing(METRICS.inner if is_full else METRICS.gap)
        leaves = [stop for part in order for stop in tab_stops(part)]
        for before, after in itertools.pairwise(leaves):
            QWidget.setTabOrder(before, after)
        self.also.setVisible(not is_full)
        self._show_also()

    def focus_paste_button(self) -> None:
        """Focus the button that opens the paste form."""
        self.paste_icon.setFocus()

    def set_unit(self, unit: AngleUnit) -> None:
        """Change the unit of angles."""
        self.turns.set_unit(unit)
        self.axis_angle.set_unit(unit)
        self.rpy.set_unit(unit)
        self.table.set_unit(unit)

    def set_lock(self, reason: str, *, has_offset: bool) -> None:
        """Show why the orientation cannot be set, with the offset button if it helps. An empty reason hides both."""
        self.lock.setVisible(bool(reason))
        self._reason.setText(reason)
        self.offset.setVisible(has_offset)
        self.set_read_only(bool(reason))

    def set_read_only(self, is_read_only: bool) -> None:
        """Make the forms read-only or editable."""
        for form in self.forms:
            form.editor.set_read_only(is_read_only)
        self.paste_icon.setEnabled(not is_read_only)

    def set_authored(self, text: str, kind: str, *, can_convert: bool) -> None:
        """Show the authored form. Its own kind is disabled in the conversion menu."""
        self.authored_label.setText(f"Authored as {text}" if self.is_full else text)
        self.convert.setEnabled(can_convert)
        for of, action in self.kinds.items():
            action.setEnabled(of != kind)

    def set_turned(self, text: str) -> None:
        """Show the staged turns so far; an empty text outside staged mode."""
        self.turned_angles_label.setText(text)
        self.staged.setVisible(bool(text))

    @property
    def reason(self) -> str:
        """Reason why the orientation cannot be set; empty if it can."""
        return self._reason.text()

    def is_in_view(self, part: QWidget) -> bool:
        """Return whether a part is visible and needs updates."""
        return self.is_full or any(self._also[name] is part for name in self._opened)

    # --- building

    def _make_lock(self) -> None:
        self.lock = QWidget(self)
        self._reason = layouts.plain_label("", "quiet", wordWrap=True)
        self.offset = push_button("Turn by a fixed offset", "rotate-3d")
        self.offset.setToolTip("Moves the children of this frame to a new fixed frame in it, which you can turn")
        layouts.column(
            self._reason, (self.offset, 0, Qt.AlignmentFlag.AlignLeft), on=self.lock, margins=0, spacing=METRICS.inner
        )
        self.lock.hide()

    def _make_staged(self) -> None:
        self.staged = QWidget(self)
        row = layouts.row(on=self.staged, margins=0, spacing=METRICS.gap)
        self._staged_icon = QPushButton()
        self._staged_icon.setFlat(True)
        self._staged_icon.setProperty("kind", "link")
        self._staged_icon.setFixedSize(METRICS.icon, METRICS.icon)
        self._staged_icon.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._staged_icon.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        icons.dress(self._staged_icon, "layers", "good", size=METRICS.row_icon)
        self.turned_angles_label = layouts.plain_label(wordWrap=True, font=fonts.text(METRICS.secondary))
        row.addWidget(self._staged_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.turned_angles_label, 1)
        self.staged.hide()

    def _make_buttons(self) -> None:
        code = QMenu(self)
        for target in (*TARGETS, *POSE_TARGETS):
            code.addAction(CODE_NAMES[target]).triggered.connect(
                lambda _=False, of=target: self.copy_requested.emit(of)
            )
        self.code_menu = code
        self.paste_icon = IconButton("clipboard-paste", "Paste notation", size=METRICS.small_button)
        self.copy_icon = IconButton("code", "Copy as code", size=METRICS.small_button)
        self.paste_icon.clicked.connect(self.paste_requested)
        self.copy_icon.clicked.connect(lambda: self._pop_up(code, self.copy_icon))
        self.turns.set_tools(self.paste_icon, self.copy_icon)
        self.authored = QWidget()
        line = layouts.row(on=self.authored, margins=0, spacing=METRICS.gap)
        self.authored_label = ElidedLabel(role="quiet")
        self.authored_label.setAccessibleName("authored form")
        self.convert = push_button("Convert", "wand-sparkles", kind="small")
        self.convert.setToolTip("Convert the orientation to another form")
        self.convert_menu = self._make_convert_menu()
        self.convert.clicked.connect(lambda: self._pop_up(self.convert_menu, self.convert))
        line.addWidget(self.authored_label, 1)
        line.addWidget(self.convert)

    def _make_convert_menu(self) -> QMenu:
        menu = QMenu(self)
        self.kinds = {}
        titles = {"axes": "Three angles", "extrinsic": "Three angles, fixed axes"}
        menus: dict[str, QMenu] = {}
        for kind, text in conversions().items():
            form, _, convention = kind.partition(":")
            if form in titles and form not in menus:
                menus[form] = menu.addMenu(titles[form])
            self.kinds[kind] = menus[form].addAction(convention) if form in menus else menu.addAction(text)
        for kind, action in self.kinds.items():
            action.triggered.connect(lambda _=False, of=kind: self.convert_requested.emit(of))
        return menu

    def _pop_up(self, menu: QMenu, button: QWidget) -> None:
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _make_also(self) -> None:
        names = tuple(self._also)
        self.also = LinkLine("also as", names[:N_COMMON], (*names[N_COMMON:], CONVERT))
        self.also.chosen.connect(self._on_also)

    def _on_also(self, name: str) -> None:
        if name == CONVERT:
            self._pop_up(self.convert_menu, self.also)
            return
        self._opened ^= {name}
        self._show_also()
        self.unfolded.emit()

    def _show_also(self) -> None:
        """Show the opened forms."""
        for name, part in self._also.items():
            part.setVisible(name in self._opened or (self.is_full and part is not self.turns.rates_row))
        self.authored.setVisible(self.is_full)
        self.also.set_opened(self._opened)
        self._show_gauge()

    def set_measure(self, text: str, measure: float, condition: float) -> None:
        """Show the distance from gimbal lock. In a narrow panel it appears near the lock only."""
        self.gauge.set_measure(text, measure, condition)
        is_near = bool(measure >= NEAR_LOCK)
        if is_near != self._is_near:
            self._is_near = is_near
            self._show_gauge()

    def _show_gauge(self) -> None:
        self.gauge.setVisible(self.is_full or self._is_near)


_LABEL_WIDTH = 76


class AnglesTable(QWidget):
    """Table of both angle branches within one turn, and the continuous angles."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = DEG
        title = layouts.label("Angles", "section")
        self._unit_label = layouts.label(DEG.key, "caption")
        self._letters = tuple(QLabel(letter) for letter in LETTERS)
        heading = layouts.grid(margins=0, spacing=0)
        name = layouts.row(title, (self._unit_label, 1), spacing=METRICS.inner)
        heading.addLayout(name, 0, 0)
        heading.setColumnMinimumWidth(0, _LABEL_WIDTH)
        for i, letter in enumerate(self._letters):
            letter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            heading.addWidget(letter, 0, i + 1)
            heading.setColumnStretch(i + 1, 1)
        self.rows = tuple(
            ValueRow(("", "", ""), label=label, label_width=_LABEL_WIDTH, is_strong=label == "continuous", decimals=2)
            for label in ("branch 1", "branch 2", "continuous")
        )
        for row, text in zip(self.rows, BRANCH_TEXTS, strict=True):
            row.setToolTip(f"{text[0].upper()}{text[1:]}")
        layouts.column(heading, *self.rows, on=self, margins=0, spacing=0)

    def set_unit(self, unit: AngleUnit) -> None:
        """Change the unit of the angles."""
        self._unit = unit
        self._unit_label.setText(unit.key)
        for row in self.rows:
            row.set_decimals(unit.decimals)

    def show_values(self, reading: OrientationValues | None) -> None:
        """Show the angles of an orientation, or none."""
        if reading is None:
            for row in self.rows:
                row.set_values(np.full(3, np.nan))
            return
        for row, angles in zip(self.rows, (reading.first, reading.second, reading.continuous), strict=True):
            row.set_values([self._unit.of_rad(float(angle)) for angle in reading.in_rows(angles)])

    def set_axes(self, sequence: str) -> None:
        """Write the letters of a `sequence_key`, coloured by its axes."""
        greek = RPY_LETTERS if sequence == RPY else LETTERS
        for label, name, axis in zip(self._letters, greek, axis_letters(sequence), strict=True):
            letter = AXIS_LETTERS["XYZ".index(axis)]
            label.setText(name)
            if label.property("axis") != letter:
                label.setProperty("axis", letter)
                label.style().polish(label)


class Confirm(QFrame):
    """Asks for confirmation of an edit that loses something.

    Signals
    -------
    confirmed(object)
        The confirmed `Edit`.
    declined()
        The user has declined the edit.
    """

    confirmed = Signal(object)
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._edit: Edit | None = None
        self.message = InlineMessage("warning")
        self.yes = push_button("Convert", kind="main")
        self.no = push_button("Keep it")
        self.yes.clicked.connect(self._on_yes)
        self.no.clicked.connect(self._on_no)
        buttons = layouts.row(self.yes, self.no, layouts.STRETCH, spacing=METRICS.gap)
        layouts.column(
            self.message,
            buttons,
            on=self,
            margins=(METRICS.gap, METRICS.inner, METRICS.gap, METRICS.gap),
            spacing=METRICS.inner,
        )
        self.hide()

    def ask(self, loss: str, edit: Edit) -> None:
        """Ask for confirmation of an edit, with a description of the loss."""
        self._edit = edit
        self.message.set_message(loss)
        self.show()
        self.no.setFocus()

    def drop(self) -> None:
        """Discard the question, such as when the frame changes."""
        self._edit = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._on_no()
        else:
            super().keyPressEvent(event)

    def _on_yes(self) -> None:
        edit, self._edit = self._edit, None
        self.hide()
        if edit is not None:
            self.confirmed.emit(edit)

    def _on_no(self) -> None:
        self.drop()
        self.declined.emit()
