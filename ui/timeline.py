"""The timeline: play, step, scrub, speed and loop. It draws the time it is given and keeps no clock of its own."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from framescope.ui import units
from framescope.ui.theme import METRICS
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.time_track import Marker, TimeTrack

_FIELD_WIDTH = 76
_SPEED_WIDTH = 72


class Timeline(QWidget):
    """
    The controls of the playhead.

    Signals
    -------
    play_toggled(bool)
        Whether it should play.
    scrubbed(float)
        Seconds: dragged, clicked or typed.
    scrub_finished()
        The hand has let go.
    step(int)
        -1 or +1 frames.
    jumped(bool)
        To the start (False) or to the end (True).
    speed_changed(float)
        1 is real time.
    loop_toggled(bool)
        Whether it should begin again at the end.
    """

    play_toggled = Signal(bool)
    scrubbed = Signal(float)
    scrub_finished = Signal()
    step = Signal(int)
    jumped = Signal(bool)
    speed_changed = Signal(float)
    loop_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(METRICS.timeline)
        self._start, self._end = 0.0, 10.0
        self._is_playing = False

        self._to_start = IconButton("skip-back", "to the start (Home)")
        self._step_back = IconButton("step-back", "one frame back (Left)")
        self._play = IconButton("play", "play (Space)", color="on_accent")
        self._play.setProperty("kind", "main")
        self._step_forward = IconButton("step-forward", "one frame on (Right)")
        self._to_end = IconButton("skip-forward", "to the end (End)")
        self.field = NumberField(decimals=2, unit="s")
        self.field.setFixedWidth(_FIELD_WIDTH)
        self.field.setAccessibleName("time in seconds")
        self.track = TimeTrack()
        self._end_label = QLabel()
        self._end_label.setProperty("role", "code")
        self._speed = QComboBox()
        self._speed.setFixedWidth(_SPEED_WIDTH)
        self._speed.setToolTip("speed")
        self._speed.setAccessibleName("speed")
        for factor in units.SPEEDS:
            self._speed.addItem(units.speed(factor), factor)
        self._loop = IconButton("repeat", "begin again at the end", checked_color="accent_text")
        self._lay_out()

        self._to_start.clicked.connect(lambda: self.jumped.emit(False))
        self._to_end.clicked.connect(lambda: self.jumped.emit(True))
        self._step_back.clicked.connect(lambda: self.step.emit(-1))
        self._step_forward.clicked.connect(lambda: self.step.emit(1))
        self._play.clicked.connect(self._toggle_play)
        self.track.scrubbed.connect(self._on_scrubbed)
        self.track.scrub_finished.connect(self.scrub_finished)
        self.field.committed.connect(self._on_typed)
        self._speed.activated.connect(lambda: self.speed_changed.emit(self._speed.currentData()))
        self._loop.clicked.connect(self.loop_toggled)
        self.set_range(0.0, 10.0)
        self.set_speed(1.0)
        self.field.set_value(0.0)

    def set_range(self, start: float, end: float) -> None:
        """Set first and last time in seconds."""
        self._start, self._end = start, end
        self.track.set_range(start, end)
        self._end_label.setText(f"{units.seconds(end)} s")

    def set_time(self, t: float) -> None:
        """Show a time in seconds; cheap, called at every tick. Emits nothing."""
        self.track.set_time(t)
        if not self.track.is_scrubbing:
            self.field.set_value(t)

    def set_playing(self, is_playing: bool) -> None:
        """Show whether it plays."""
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self._play.set_icon(*(("pause", "pause (Space)") if is_playing else ("play", "play (Space)")))

    def set_speed(self, factor: float) -> None:
        """Show a speed; one that is not in the list is added to it."""
        index = self._speed.findData(factor)
        if index < 0:
            index = sum(self._speed.itemData(i) < factor for i in range(self._speed.count()))
            self._speed.insertItem(index, units.speed(factor), factor)
        self._speed.setCurrentIndex(index)

    def set_loop(self, is_looping: bool) -> None:
        """Show whether it begins again at the end."""
        self._loop.setChecked(is_looping)

    def set_markers(self, markers: tuple[Marker, ...]) -> None:
        """Show keyframes, warnings and problems above the track; a click on one jumps there."""
        self.track.set_markers(markers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        actions = {
            Qt.Key.Key_Space: self._toggle_play,
            Qt.Key.Key_Left: lambda: self.step.emit(-1),
            Qt.Key.Key_Right: lambda: self.step.emit(1),
            Qt.Key.Key_Home: lambda: self.jumped.emit(False),
            Qt.Key.Key_End: lambda: self.jumped.emit(True),
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def sizeHint(self) -> QSize:
        return QSize(800, METRICS.timeline)

    def _lay_out(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(METRICS.inner)
        for button in (self._to_start, self._step_back, self._play, self._step_forward, self._to_end):
            row.addWidget(button)
        row.addSpacing(METRICS.gap)
        row.addWidget(self.field)
        row.addWidget(self.track, 1)
        row.addWidget(self._end_label)
        row.addSpacing(METRICS.gap)
        row.addWidget(self._speed)
        row.addWidget(self._loop)

    def _toggle_play(self) -> None:
        # The owner answers with `set_playing`; the icon shows what is, not what was asked for.
        self.play_toggled.emit(not self._is_playing)

    def _on_scrubbed(self, t: float) -> None:
        self.field.reset(t)
        self.scrubbed.emit(t)

    def _on_typed(self, t: float) -> None:
        t = min(max(t, self._start), self._end)
        self.field.reset(t)
        self.track.set_time(t)
        self.scrubbed.emit(t)
        self.scrub_finished.emit()
