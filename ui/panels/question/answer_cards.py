"""Cards over the scene with the answers to questions: numbers and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QWidget

from framescope.core.evaluation.answer_texts import sentence_at, values_at
from framescope.core.evaluation.compile.plots import CompiledAnswer, CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import labels
from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.edits.answers import FORMS
from framescope.core.scene.schema.view import Answer, Plot, PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.answer_titles import decimals_of, detail_at, detail_of, letters_of, title_of
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.relation.relation_drag import SignalDrags
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.value_row import QuaternionRow, ValueRow

WIDTH = 244
"""Width of a card, logical pixels."""

LOWEST = 40
"""Minimum height of the column of cards, logical pixels."""

_CLOSE = 18

_MARGINS = (12, 8, 10, 9)

SCENE_SHARE = 0.35
"""Largest part of the width of the scene that enlarged cards take."""

LEFT_TOP, LEFT_BOTTOM = 108, 112
"""Distances of cards at the left from the edges of the scene: below title and time, above the cube of the view."""

COVERED = 0.15
"""Part of an area that the cards may cover before they change to the other side of the scene."""

MAX_IN_ROW = 3
"""Largest number of values in a row of a card; more are in two columns."""

_NUMBER_WIDTH = 84
"""Smallest width of a number, logical pixels."""


@dataclass(frozen=True)
class QuestionPanel:
    """Panel that cards open: name and title of its dock, and a predicate of the plan and the question."""

    name: str
    title: str
    fits: Callable[[Plan, PlottedSignal], bool]


class AnswerCard(QFrame):
    """A number with its name and its frames, or a sentence.

    A click puts its question into the bar, a drag takes it to the plots, Delete removes it.

    Signals
    -------
    chosen()
        It was clicked, or Enter was pressed on it.
    form_requested(str)
        The user wants the answer in another form, too.
    panel_requested(str)
        The user wants to see the question in a panel, given by the name of its dock.
    removed()
        The user removes it.
    """

    chosen = Signal()
    form_requested = Signal(str)
    panel_requested = Signal(str)
    removed = Signal()

    def __init__(
        self,
        plan: Plan,
        authored: Answer,
        answer: CompiledAnswer,
        parent: QWidget,
        scale: float,
        panels: Sequence[QuestionPanel] = (),
        order: QuaternionOrder = "xyzw",
    ) -> None:
        super().__init__(parent)
        self._panels, self._scale = panels, scale
        self._order: QuaternionOrder = order
        self._width = round(WIDTH * scale)
        self._margins = _scaled_margins(scale)
        self._text_width = self._width - self._margins[0] - self._margins[2] - _CLOSE - METRICS.inner
        self.authored, self._answer, self._plan = authored, answer, plan
        self.setProperty("role", "answer")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedWidth(self._width)
        if scale > 1.0:
            base, quiet = round(scale * METRICS.base), round(scale * METRICS.secondary)
            self.setStyleSheet(f'* {{ font-size: {base}px; }} QLabel[role="quiet"] {{ font-size: {quiet}px; }}')
        signal = answer.signal
        self.remove_button = IconButton("x", f"Remove {title_of(signal)}", size=_CLOSE, icon_size=12)
        self.remove_button.clicked.connect(self.removed)
        self.remove_button.setVisible(False)
        self.row: ValueRow | None = None
        self.sentence: QLabel | None = None
        self._drags = SignalDrags(self, lambda _widget: self.plot())
        self.installEventFilter(self._drags)
        self._lay_out(signal)
        self._detail.ensurePolished()  # its font is that of the card
        if self._detail.text():
            self._detail.setFixedHeight(self._detail.heightForWidth(self._detail.width()))
        description = " ".join(filter(None, (title_of(signal), detail_of(signal))))
        self.setAccessibleName(description)
        self.setToolTip("Click: put the question into the bar. Drag: take it to the plots")
        if self.row is not None:
            self.row.setAccessibleName(description)

    def question(self) -> PlottedSignal:
        """Return the question that the card answers."""
        return PlottedSignal.model_validate(self._keys())

    def plot(self) -> Plot:
        """Return the question as a plot."""
        return Plot.model_validate(self._keys())

    def _keys(self) -> dict[str, object]:
        return self.authored.model_dump(exclude_unset=True, exclude={"form"})

    def take(self, plan: Plan, answer: CompiledAnswer) -> None:
        """Show the same answer of another plan."""
        self._plan, self._answer = plan, answer

    def show_time(self, t: float) -> None:
        """Show the answer at a time, s."""
        signal = self._answer.signal
        if self.sentence is not None:
            text = sentence_at(self._plan, signal, t)
            if text != self.sentence.text():
                self.sentence.setText(text)
                self.sentence.setFixedHeight(max(self.sentence.heightForWidth(self._text_width), _CLOSE))
                self.adjustSize()
        elif self.row is not None:
            self.row.set_values(values_at(self._plan, signal, t))
            self._show_detail(detail_at(self._plan, signal, t))

    def _show_detail(self, text: str) -> None:
        if text != self._detail.text():
            self._detail.setText(text)
            self._detail.setFixedHeight(self._detail.heightForWidth(self._detail.width()))
            self.adjustSize()

    def _lay_out(self, signal: CompiledPlot) -> None:
        title = ElidedLabel(title_of(signal), "section")
        title.setMinimumHeight(_CLOSE)  # so that the card keeps its height when the button appears
        self._detail = detail = layouts.plain_label(detail_of(signal), "quiet", parent=self, wordWrap=True)
        detail.setFixedWidth(self._width - self._margins[0] - self._margins[2])
        detail.setVisible(bool(detail.text()))
        if self._answer.form == "sentence":
            detail.hide()
            self.sentence = layouts.plain_label("", "", wordWrap=True)
            self.sentence.setFixedWidth(self._text_width)
            layouts.row((self.sentence, 1), self.remove_button, on=self, margins=self._margins, spacing=METRICS.inner)
            return
        names = labels(self._plan, signal)
        unit = layouts.label(unit_text(signal.unit), "quiet")
        decimals = decimals_of(signal)
        if len(names) == 1:
            self.row = ValueRow(("",), decimals=decimals)
            self.row.setMinimumWidth(round(self._scale * _NUMBER_WIDTH))
            taken = title.sizeHint().width() + unit.sizeHint().width() + 2 * METRICS.inner
            if taken + self._scale * _NUMBER_WIDTH <= self._width - self._margins[0] - self._margins[2]:
                top = layouts.row((title, 1), self.row, unit, self.remove_button, spacing=METRICS.inner)
                layouts.column(top, detail, on=self, margins=self._margins, spacing=2)
            else:  # a long name has a line to itself
                top = layouts.row((title, 1), self.remove_button, spacing=METRICS.inner)
                number = layouts.row(layouts.STRETCH, self.row, unit, spacing=METRICS.inner)
                layouts.column(top, number, detail, on=self, margins=self._margins, spacing=2)
            return
        letters = letters_of(signal, names)
        columns = 2 if len(names) > MAX_IN_ROW else 0
        if signal.signal == "quaternion" and not signal.components:
            self.row = QuaternionRow(self._order, columns=columns, decimals=decimals)
        else:
            self.row = ValueRow(letters, columns=columns, decimals=decimals)
        top = layouts.row((title, 1), unit, self.remove_button, spacing=METRICS.inner)
        layouts.column(top, self.row, detail, on=self, margins=self._margins, spacing=2)

    # ---- events --------------------------------------------------------------------------------------

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.remove_button.setVisible(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.remove_button.setVisible(False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # otherwise a drag of the card would turn the scene below it

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for form in FORMS:
            if form != self._answer.form:
                menu.addAction(f"Show as {form}", lambda form=form: self.form_requested.emit(form))
        if self.row is not None:
            menu.addAction("Copy at full precision", self.row.copy)
        for panel in self._panels:
            if panel.fits(self._plan, self.question()):
                menu.addAction(f"Open in {panel.title}", partial(self.panel_requested.emit, panel.name))
        menu.addSeparator()
        menu.addAction("Remove", self.removed.emit)
        menu.popup(event.globalPos())


class AnswerCards(QWidget):
    """Column of cards at the right edge of the scene, or at the left where they would cover what they speak of.

    It scrolls where the scene is too low for all cards.

    Signals
    -------
    chosen(object)
        The question, a `PlottedSignal`, of a card that was clicked.
    answer_toggled(object, str, bool)
        The user wants an answer in another form, or removes it: question, form, and whether it is wanted.
    panel_requested(str, object)
        The user wants to see a question, a `PlottedSignal`, in a panel, given by the name of its dock.
    moved()
        The cards have moved or changed their size.
    """

    chosen = Signal(object)
    answer_toggled = Signal(object, str, bool)
    panel_requested = Signal(str, object)
    moved = Signal()

    def __init__(self, scene: QWidget, panels: Sequence[QuestionPanel] = ()) -> None:
        super().__init__(scene)
        self._scene, self._panels = scene, panels
        self.top = METRICS.padding
        """Distance from the upper edge of the scene, logical pixels."""
        self.taken: Callable[[], Sequence[QRect]] = tuple
        """Function that returns the areas of the scene that others cover, such as the picture of a camera."""
        self.spoken_of: Callable[[], Sequence[QRect]] = tuple
        """Function that returns the areas in which the scene shows what the cards speak of, and the selected item."""
        self._is_left = False
        self.setAccessibleName("answers")
        self.cards: list[AnswerCard] = []
        self._plan: Plan | None = None
        self._t = 0.0
        self._scale = self._wanted_scale = 1.0
        self._order: QuaternionOrder = "xyzw"
        self._content = QWidget()
        self._column = layouts.column(on=self._content, margins=0, spacing=METRICS.gap)
        self.scroll_area = layouts.scroll_area(self._content, "answers", focusPolicy=Qt.FocusPolicy.NoFocus)
        for widget in (
            self.scroll_area,
            self.scroll_area.viewport(),
            self._content,
        ):  # the scene is seen between the cards
            widget.setAutoFillBackground(False)
        layouts.column(self.scroll_area, on=self, margins=0)
        scene.installEventFilter(self)
        self.hide()

    def set_plan(self, plan: Plan) -> None:
        """Take the answers of another plan; `show_time` fills in their numbers."""
        self._plan = plan
        pairs = _authored_and_compiled(plan)
        if [authored for authored, _ in pairs] == [card.authored for card in self.cards]:
            for card, (_, answer) in zip(self.cards, pairs, strict=True):
                card.take(plan, answer)
            return
        self._replace_cards(plan)

    def set_scale(self, scale: float) -> None:
        """Enlarge the cards, as for a presentation, as far as the scene has the width for them."""
        self._wanted_scale = scale
        self._fit_scale()

    def set_quaternion_order(self, order: QuaternionOrder) -> None:
        """Show quaternions in another order."""
        self._order = order
        for row in self.findChildren(QuaternionRow):
            row.set_order(order)

    def _fit_scale(self) -> None:
        scale = max(1.0, min(self._wanted_scale, SCENE_SHARE * self._scene.width() / WIDTH))
        if scale != self._scale:
            self._scale = scale
            if self._plan is not None:
                self._replace_cards(self._plan)
                self.show_time(self._t)

    def _replace_cards(self, plan: Plan) -> None:
        for card in self.cards:
            card.hide()
            card.setParent(None)
            card.deleteLater()
        pairs = _authored_and_compiled(plan)
        self.cards = [self._card(plan, authored, answer) for authored, answer in pairs]

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the answers at the time of a snapshot."""
        self.show_time(float(snapshot.t))

    def show_time(self, t: float) -> None:
        """Show the answers at a time, s."""
        self._t = t
        if not self.isHidden():  # the window may not be shown yet
            for card in self.cards:
                card.show_time(t)
            self._place()

    def _card(self, plan: Plan, authored: Answer, answer: CompiledAnswer) -> AnswerCard:
        card = AnswerCard(plan, authored, answer, self._content, self._scale, self._panels, self._order)
        card.chosen.connect(lambda: self.chosen.emit(card.question()))
        card.removed.connect(lambda: self.answer_toggled.emit(card.question(), authored.form, False))
        card.panel_requested.connect(lambda name: self.panel_requested.emit(name, card.question()))
        card.form_requested.connect(lambda form: self.answer_toggled.emit(card.question(), form, True))
        self._column.addWidget(card)
        card.show()
        return card

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._scene and event.type() == QEvent.Type.Resize:
            self._fit_scale()
            self._place()
        return False

    def set_top(self, top: int) -> None:
        """Set the distance from the upper edge of the scene, logical pixels."""
        if top != self.top:
            self.top = top
            self._place()

    def choose_side(self) -> None:
        """Move to the side on which the cards cover less of what they speak of, once the picture is still."""
        inside = (area.intersected(self._scene.rect()) for area in self.spoken_of())
        spoken_of = [area for area in inside if not area.isEmpty()]
        here, there = (
            _largest_overlap(self._rect(is_left), spoken_of) for is_left in (self._is_left, not self._is_left)
        )
        is_free = self._is_left or not any(self._rect(is_left=True).intersects(area) for area in self.taken())
        if self._is_left and (not is_free or _largest_overlap(self._rect(is_left=False), spoken_of) <= COVERED):
            self._is_left = False
        elif not self._is_left and here > COVERED and there < 0.5 * here and is_free:
            self._is_left = True
        self._place()

    def _rect(self, is_left: bool) -> QRect:
        """Return the place of the cards at one side, above what others cover there."""
        size, scene = self._column.sizeHint(), self._scene
        top = max(self.top, LEFT_TOP) if is_left else self.top
        bottom = scene.height() - (LEFT_BOTTOM if is_left else METRICS.gap)
        x = METRICS.padding if is_left else scene.width() - size.width() - METRICS.padding
        column = QRect(x, top, size.width(), max(bottom - top, LOWEST))
        below = [area.top() - METRICS.gap for area in self.taken() if area.intersects(column) and area.top() > top]
        height = min(size.height(), max(min([bottom, *below]) - top, LOWEST))
        bar = self.scroll_area.verticalScrollBar().sizeHint().width() if height < size.height() else 0
        return QRect(x, top, size.width() + bar, height)

    def opaque_areas(self) -> list[QRect]:
        """Return the areas of the scene that the seen parts of the cards hide, without their rounded corners."""
        if not self.isVisible():
            return []
        inset, seen, areas = METRICS.card_radius, self.scroll_area.viewport(), []
        for card in self.cards:
            inside = QRect(card.mapTo(seen, QPoint()), card.size()).adjusted(inset, inset, -inset, -inset)
            areas.append(inside.intersected(seen.rect()).translated(seen.mapTo(self._scene, QPoint())))
        return [area for area in areas if not area.isEmpty()]

    def _place(self) -> None:
        """Move to the present side, no higher than the scene."""
        before = self.geometry()
        self.setGeometry(self._rect(self._is_left))
        if self.geometry() != before:
            self.moved.emit()


def _largest_overlap(rect: QRect, areas: Sequence[QRect]) -> float:
    """Return the largest part of an area that a rectangle covers, from 0 to 1."""
    shares = (
        (common.width() * common.height()) / (area.width() * area.height())
        for area in areas
        if not (common := rect.intersected(area)).isEmpty()
    )
    return max(shares, default=0.0)


def _scaled_margins(scale: float) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(scale * margin) for margin in _MARGINS)
    return left, top, right, bottom


def _authored_and_compiled(plan: Plan) -> Sequence[tuple[Answer, CompiledAnswer]]:
    """Return the answers of a plan that compile, in order, with what the scene has for them."""
    wrong = {problem.key_path[2] for problem in plan.problems if problem.key_path[:2] == ("view", "answers")}
    right = (answer for i, answer in enumerate(plan.scene.view.answers) if i not in wrong)
    return list(zip(right, plan.view_data.answers, strict=True))
