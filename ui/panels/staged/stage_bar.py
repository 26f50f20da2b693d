"""Bar of the turns of a staged rotation, at the bottom of the scene."""

from __future__ import annotations

import math
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from framescope.core.analysis.staged_rotation import N_TURNS, StagedRotation
from framescope.ui.panels.staged.turn_chip import AXES, MARKS, VALUES, WORDS, TurnChip
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.widgets.buttons import IconButton

KEY_STEP = 0.02
"""Step of the Up and Down keys, as a fraction of a turn."""

MARGIN, START_WIDTH, FLAG_WIDTH = 7, 76, 40
"""Side margin of the bar, and width of the start button with and without its text, logical pixels."""

_START_HEIGHT = 24

Key = Qt.Key
ARROWS = (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)
KEYS = (*ARROWS, Key.Key_Home, Key.Key_End, Key.Key_Space, Key.Key_Escape)


class StagedBar(QFrame):
    """Bar with buttons for back, play, start, the three turns, on, and leave.

    Left and Right step by turns, Up and Down by a small step. Home and End jump to the start and the end, Space plays,
    Escape leaves. A click on a turn jumps to its end, a drag along it turns.

    Signals
    -------
    moved(float)
        Request for a progress, from 0 to 3.
    stepped(int)
        Request for the next (1) or previous (-1) turn.
    play_toggled()
        Request to play or pause.
    left()
        Request to leave the staged mode.
    """

    moved = Signal(float)
    stepped = Signal(int)
    play_toggled = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "popup")
        self.setProperty("kind", "stages")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._step: StagedRotation | None = None
        self._fitted_for: tuple[StagedRotation, int] | None = None
        self._form = WORDS
        self._wanted_scale = self._scale = 1.0
        self.back = IconButton("chevron-left", "Back one turn (Left)")
        self.play = IconButton("play", "Play turn by turn (Space)")
        self.start = QPushButton("start")
        self.start.setProperty("kind", "chip")
        self.start.setToolTip("Before all turns (Home)")
        icons.dress(self.start, "flag", "quiet", size=METRICS.row_icon)
        self.chips = tuple(TurnChip(i) for i in range(N_TURNS))
        self.on = IconButton("chevron-right", "Forward one turn (Right)")
        self.leave = IconButton("x", "Leave the staged mode (Escape)")
        for button in (self.back, self.play, self.start, self.on, self.leave):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        row.setSpacing(METRICS.inner)
        for widget in (self.back, self.play, self.start, *self.chips):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.on, self.leave):
            row.addWidget(widget)
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.play.clicked.connect(self.play_toggled)
        self.start.clicked.connect(lambda: self.moved.emit(0.0))
        self.leave.clicked.connect(self.left)
        for chip in self.chips:
            chip.chosen.connect(partial(self.moved.emit, chip.turn + 1.0))
            chip.scrubbed.connect(lambda share, turn=chip.turn: self.moved.emit(turn + share))

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Change the unit of angles from the next step on."""
        self._fitted_for = None
        for chip in self.chips:
            chip.set_angle_unit(unit)

    def set_scale(self, scale: float) -> None:
        """Set the factor to the default size, used where there is room, from the next step on."""
        self._fitted_for = None
        self._wanted_scale = scale

    def show_step(self, step: StagedRotation, available: int) -> None:
        """Show a rotation's present state, in at most `available` logical pixels."""
        self._step, available = step, max(available, 0)
        if (step.at(0.0), available) != self._fitted_for:
            # The width is the same at all progresses, so that nothing moves during playback.
            self._fitted_for = step.at(0.0), available
            forms = ((form, scale) for scale in (self._wanted_scale, 1.0) for form in (WORDS, AXES, VALUES))
            fitting = (layout for layout in forms if self._widest(step, *layout) <= available)
            self._form, scale = next(fitting, (MARKS, 1.0))
            self._show_scale(scale)
            self.setFixedWidth(min(available, self._widest(step, self._form, scale)))
        self.start.setText(" start" if self._form == WORDS else "")
        self.start.setVisible(self._form != MARKS)  # the Home key does the same
        if self.start.property("lit") != (step.turn < 0):
            self.start.setProperty("lit", step.turn < 0)
            self.start.style().unpolish(self.start)
            self.start.style().polish(self.start)
        self.start.setAccessibleName("start, before all turns")
        for chip in self.chips:
            chip.show_step(step, self._form)
        self.back.setEnabled(step.progress > 0.0)
        self.on.setEnabled(not step.is_at_end)
        self.setAccessibleName("staged mode")
        self.setAccessibleDescription(", ".join(chip.accessibleName() for chip in self.chips))
        self._row.activate()
        self.adjustSize()

    def _show_scale(self, scale: float) -> None:
        if scale == self._scale:
            return
        self._scale = scale
        for widget in (self.back, self.play, self.on, self.leave, *self.chips):
            widget.set_scale(scale)
        icons.dress(self.start, "flag", "quiet", size=round(scale * METRICS.row_icon))
        larger = f"font-size: {round(scale * METRICS.base)}px; min-height: {round(scale * _START_HEIGHT)}px;"
        self.start.setStyleSheet(larger if scale != 1.0 else "")

    def _widest(self, step: StagedRotation, form: int, scale: float) -> int:
        """Return the largest width of the bar over all progresses."""
        places = (step.at(0.5 * k) for k in range(2 * N_TURNS + 1))
        chips = max(sum(chip.width_for(at, form) for chip in self.chips) for at in places)
        start = {WORDS: START_WIDTH, MARKS: 0}.get(form, FLAG_WIDTH)
        return math.ceil(scale * (chips + 4 * METRICS.button + start) + 8 * METRICS.inner + 2 * MARGIN + 3)

    def set_playing(self, is_playing: bool) -> None:
        """Show whether the rotation is playing."""
        self.play.set_icon(*(("pause", "Pause (Space)") if is_playing else ("play", "Play turn by turn (Space)")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.take_key(Qt.Key(event.key())):
            event.ignore()

    def take_key(self, key: Qt.Key) -> bool:
        """Handle a key. Return whether the bar uses it."""
        step = self._step
        if step is None:
            return False
        jumps = {Qt.Key.Key_Home: 0.0, Qt.Key.Key_End: float(N_TURNS)}
        jumps |= {Qt.Key.Key_Up: step.progress + KEY_STEP, Qt.Key.Key_Down: step.progress - KEY_STEP}
        turns = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in jumps:
            self.moved.emit(min(max(jumps[key], 0.0), float(N_TURNS)))
        elif key in turns:
            self.stepped.emit(turns[key])
        elif key == Qt.Key.Key_Space:
            self.play_toggled.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            return False
        return True

    def event(self, event: QEvent) -> bool:
        # Space and Escape may be shortcuts of the window.
        if event.type() == QEvent.Type.ShortcutOverride and cast(QKeyEvent, event).key() in KEYS:
            event.accept()
            return True
        return super().event(event)
