"""Timeline: play, step, scrub, speed and loop. It displays the time set by its owner and has no clock of its own."""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget, QWidgetAction

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.camera import (
    SeenFrom,
    add_camera_key,
    camera_key_times,
    delete_camera_key,
    move_camera_key,
    set_camera_interpolation,
)
from framescope.core.scene.edits.keyframes import delete_key, key_times, move_key, parent_key_times
from framescope.core.scene.schema.model import Scene
from framescope.ui.formatting import number_text
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.timeline.markers import Marker
from framescope.ui.timeline.strip import Strip
from framescope.ui.timeline.track import TimeTrack
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.number_field import NumberField

_FIELD_WIDTH = 76
_SPEED_WIDTH = 72
_WIDE, _MIDDLE, _NARROW, _LEAST = 640, 560, 480, 400
"""Widths above which the end of the range, the jumps and the steps are visible, and the minimum width, px."""

_TO_END = "To the end (End)"

CAMERA = "camera"
"""Group of the keys of the camera's path."""

BETWEEN_KEYS: dict[str, Literal["cubic", "linear"]] = {
    "Smooth through the camera keys": "cubic",
    "Straight between the camera keys": "linear",
}

STEPS = (0.001, 0.01, 0.05, 0.1, 0.5, 1.0)
"""Step sizes offered by the menu, s."""


class Timeline(QWidget):
    """The controls of the playhead.

    Signals
    -------
    play_toggled(bool)
        Whether to play.
    scrubbed(float)
        Seconds: dragged, clicked or typed.
    scrub_finished()
        The drag has ended.
    step(int)
        -1 or +1 steps.
    jumped(bool)
        To the start (False) or to the end (True).
    speed_changed(float)
        1 is real time.
    range_changed(float, float)
        First and last time to play.
    step_size_changed(float)
        Length of a step, s.
    camera_key_added()
        The present view has become a key of the camera's path.
    status(str, str)
        Severity and text for the status line: the reason why the typed text is not a time.
    """

    play_toggled = Signal(bool)
    scrubbed = Signal(float)
    scrub_finished = Signal()
    step = Signal(int)
    jumped = Signal(bool)
    speed_changed = Signal(float)
    range_changed = Signal(float, float)
    step_size_changed = Signal(float)
    camera_key_added = Signal()
    status = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self.setFixedHeight(METRICS.timeline)
        self._start, self._end = 0.0, 10.0
        self._is_playing = False
        self._t = 0.0
        self._step_s = 0.05
        self.eye: Callable[[], SeenFrom] | None = None
        """Camera of the present view, for keys of the camera's path; None without a view."""
        self._scene = Scene()
        self._frame = ""
        self._others: tuple[Marker, ...] = ()
        self._problem_markers: tuple[Marker, ...] = ()

        self.start_button = IconButton("skip-back", "To the start (Home)")
        self.step_back_button = IconButton("step-back", "One step back (,)")
        self.play_button = IconButton("play", "Play (Space)", color="on_accent")
        self.play_button.setProperty("kind", "main")
        self.step_forward_button = IconButton("step-forward", "One step forward (.)")
        self.end_button = IconButton("skip-forward", _TO_END, checked_color="accent_text")
        self.end_button.setCheckable(False)
        self.field = NumberField(decimals=2, unit="s", parse=parse_seconds)
        self.field.set_usual_width(_FIELD_WIDTH)
        self.field.setAccessibleName("time in seconds")
        self.field.setToolTip("Time: type 1.5, 250 ms or 1:30")
        self.track = TimeTrack()
        self.end_label = layouts.label("", "code")
        self.speed_choice = ChoiceBox()
        self.speed_choice.setFixedWidth(_SPEED_WIDTH)
        self.speed_choice.setToolTip("Speed: scene seconds per real second")
        self.speed_choice.setAccessibleName("speed")
        for factor in number_text.SPEEDS:
            self.speed_choice.addItem(number_text.speed(factor), factor)
        self.loop = IconButton("repeat", "Loop playback", checked_color="accent_text")
        self.menu_button = IconButton("ellipsis", "Part to play, step size, keyframes, camera keys")
        self._lay_out()
        self._connect()
        self.set_range(0.0, 10.0)
        self.set_speed(1.0)
        self.field.set_value(0.0)

    def _connect(self) -> None:
        self.start_button.clicked.connect(lambda: self.jumped.emit(False))
        self.end_button.clicked.connect(lambda: self.jumped.emit(True))
        self.step_back_button.clicked.connect(lambda: self.step.emit(-1))
        self.step_forward_button.clicked.connect(lambda: self.step.emit(1))
        self.play_button.clicked.connect(self._toggle_play)
        self.track.scrubbed.connect(self._on_scrubbed)
        self.track.scrub_finished.connect(self.scrub_finished)
        self.field.committed.connect(self._on_typed)
        self.field.message.connect(self._report_error)
        self.speed_choice.activated.connect(lambda: self.speed_changed.emit(self.speed_choice.currentData()))
        self.menu_button.clicked.connect(self._open_menu)
        self.track.part_changed.connect(self.range_changed)
        self.track.key_previewed.connect(self._preview_key)
        self.track.key_moved.connect(self._move_key)
        self.track.key_cancelled.connect(self.edits.cancel)
        self.track.key_deleted.connect(self._delete_key)
        self.track.menu_asked.connect(self._add_camera_actions)

    def _report_error(self, why: str) -> None:
        if why:
            self.status.emit("amber", why)

    def set_number_size(self, size: int) -> None:
        """Set the font size of all numbers, logical pixels, for example for a presentation; 0 means the usual size."""
        share = max(size / METRICS.number, 1.0)
        self.track.set_label_size(max(size, METRICS.caption))
        self.speed_choice.setFixedWidth(round(_SPEED_WIDTH * share))
        # The last label of the track ends at its edge.
        self.end_label.setContentsMargins(round(METRICS.gap * share) if share > 1.0 else 0, 0, 0, 0)
        for widget in (self.field, self.end_label, self.speed_choice):
            widget.setStyleSheet(f"font-size: {size}px; min-height: 0;" if share > 1.0 else "")
        self.setFixedHeight(max(METRICS.timeline, self.track.sizeHint().height()))

    def set_range(self, start: float, end: float) -> None:
        """Set first and last time, s."""
        self._start, self._end = start, end
        self.track.set_range(start, end)
        self.end_label.setText(f"{number_text.seconds(end)} s")

    def set_time(self, t: float) -> None:
        """Display a time, s; cheap, called at every tick. Emits nothing."""
        self._t = t
        self.track.set_time(t)
        if not self.track.is_scrubbing:
            self.field.set_value(t)

    def set_playing(self, is_playing: bool) -> None:
        """Display whether the scene plays."""
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self.play_button.set_icon(*(("pause", "Pause (Space)") if is_playing else ("play", "Play (Space)")))

    def set_following(self, *, is_live: bool, is_following: bool) -> None:
        """Display whether the end grows with live data, and whether the time follows it."""
        self.end_button.setCheckable(is_live)
        self.end_button.setChecked(is_following)
        self.end_button.set_icon("skip-forward", "Follow new data (End)" if is_live else _TO_END)

    def set_speed(self, factor: float) -> None:
        """Display a speed; one that is not in the list is added to it."""
        index = self.speed_choice.findData(factor)
        if index < 0:
            index = sum(self.speed_choice.itemData(i) < factor for i in range(self.speed_choice.count()))
            self.speed_choice.insertItem(index, number_text.speed(factor), factor)
        self.speed_choice.setCurrentIndex(index)

    def set_step_size(self, step_s: float) -> None:
        """Display the length of a step, s."""
        self._step_s = step_s
        self.track.set_step_size(step_s)

    def set_plan(self, plan: Plan) -> None:
        """Set the scene whose keyframes are displayed."""
        self._scene = plan.scene
        self._show_markers()

    def set_frame(self, name: str) -> None:
        """Display the keyframes of another frame; an empty name displays none."""
        self._frame = name
        self._show_markers()

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Mark the problems that have a time."""
        kinds: dict[str, Literal["warning", "problem"]] = {"red": "problem", "amber": "warning"}
        self._problem_markers = tuple(
            Marker(t, kinds[problem.severity], str(problem))
            for problem in problems
            if problem.severity in kinds
            for t in problem.times or (() if problem.time is None else (problem.time,))
        )
        self._show_markers()

    def set_stretch(self, stretch: tuple[float, float] | None) -> None:
        """Light a stretch of time, s, such as the one that proves a finding; None lights none."""
        self.track.set_stretch(stretch)

    def set_strip(self, strip: Strip | None) -> None:
        """Show a quantity over time in colours below the track; None shows none."""
        self.track.set_strip(strip)

    def set_markers(self, markers: tuple[Marker, ...]) -> None:
        """Display further markers above the track; a click on one jumps to it."""
        self._others = tuple(markers)
        self._show_markers()

    def _show_markers(self) -> None:
        times = key_times(self._scene, self._frame)
        keys = tuple(
            Marker(t, "keyframe", f"{self._frame}: key {i} of {len(times)}, {number_text.seconds(t)} s", i - 1)
            for i, t in enumerate(times, start=1)
        )
        parents = tuple(
            Marker(t, "keyframe", f"{self._frame}: parent {parent} from {number_text.seconds(t)} s on")
            for t, parent in parent_key_times(self._scene, self._frame)
        )
        times = camera_key_times(self._scene)
        camera = tuple(
            Marker(t, "camera key", f"camera: key {i} of {len(times)}, {number_text.seconds(t)} s", i - 1, CAMERA)
            for i, t in enumerate(times, start=1)
        )
        self.track.set_markers((*keys, *parents, *camera, *self._others, *self._problem_markers))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        first, last = self.track.part
        actions = {
            Qt.Key.Key_Comma: lambda: self.step.emit(-1),
            Qt.Key.Key_Period: lambda: self.step.emit(1),
            Qt.Key.Key_BracketLeft: lambda: self._set_part(self._t, last),
            Qt.Key.Key_BracketRight: lambda: self._set_part(first, self._t),
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

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, METRICS.timeline)

    def _lay_out(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layouts.row(
            self.start_button,
            self.step_back_button,
            self.play_button,
            self.step_forward_button,
            self.end_button,
            METRICS.gap,
            self.field,
            (self.track, 1),
            self.end_label,
            METRICS.gap,
            self.speed_choice,
            self.loop,
            self.menu_button,
            on=self,
            margins=(12, 0),
            spacing=METRICS.inner,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the least important controls if there is little room; the menu and the keyboard provide the same."""
        super().resizeEvent(event)
        width = event.size().width()
        self.end_label.setVisible(width >= _WIDE)
        for button in (self.start_button, self.end_button):
            button.setVisible(width >= _MIDDLE)
        for button in (self.step_back_button, self.step_forward_button):
            button.setVisible(width >= _NARROW)

    def _preview_key(self, key: Marker, t: float) -> None:
        self.edits.preview(self._moved_key(key, t))

    def _move_key(self, key: Marker, t: float) -> None:
        self.edits.commit(self._moved_key(key, t))

    def _moved_key(self, key: Marker, t: float) -> Edit:
        i_key = key.i_key or 0
        return move_camera_key(i_key, t) if key.group == CAMERA else move_key(self._frame, i_key, t)

    def _delete_key(self, key: Marker) -> None:
        i_key = key.i_key or 0
        self.edits.commit(delete_camera_key(i_key) if key.group == CAMERA else delete_key(self._frame, i_key))

    def _add_camera_actions(self, menu: QMenu, marker: Marker | None) -> None:
        """Add the actions of the camera's path to a menu, on a marker or beside the markers."""
        if marker is None:
            text = f"Add a camera key at {number_text.seconds(self._t)} s from this view"
            menu.addAction(text, self._add_camera_key).setEnabled(self.eye is not None)
        path = self._scene.view.camera_path
        if path is None or (marker is not None and marker.group != CAMERA):
            return
        menu.addSeparator()
        group = QActionGroup(menu)
        for text, interpolation in BETWEEN_KEYS.items():
            edit = set_camera_interpolation(interpolation)
            action = menu.addAction(text, lambda edit=edit: self.edits.commit(edit))
            action.setCheckable(True)
            action.setChecked(path.interpolation == interpolation)
            group.addAction(action)

    def _add_camera_key(self) -> None:
        if self.eye is not None:
            self.edits.commit(add_camera_key(self.eye(), self._t, self._start, self._end))
            self.camera_key_added.emit()

    def _set_part(self, first: float, last: float) -> None:
        # The owner answers with `set_part`.
        if first < last:
            self.range_changed.emit(first, last)

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first, last = self.track.part
        menu.addAction("Play from here\t[", lambda: self._set_part(self._t, last)).setEnabled(self._t < last)
        menu.addAction("Play up to here\t]", lambda: self._set_part(first, self._t)).setEnabled(first < self._t)
        whole = menu.addAction("Play everything", lambda: self.range_changed.emit(self._start, self._end))
        whole.setEnabled((first, last) != (self._start, self._end))
        menu.addSeparator()
        steps = menu.addMenu("Step")
        group = QActionGroup(steps)
        for step_s in sorted({*STEPS, self._step_s}):
            action = steps.addAction(_step_text(step_s), lambda step_s=step_s: self.step_size_changed.emit(step_s))
            action.setCheckable(True)
            action.setChecked(step_s == self._step_s)
            group.addAction(action)
        steps.addSeparator()
        steps.addAction(self._step_entry(menu))
        times = sorted({marker.t for marker in self.track.markers})
        menu.addSeparator()
        for text, marker_time in (
            ("Previous marker", max((t for t in times if t < self._t - 1e-9), default=None)),
            ("Next marker", min((t for t in times if t > self._t + 1e-9), default=None)),
        ):
            action = menu.addAction(text)
            action.setEnabled(marker_time is not None)
            if marker_time is not None:
                action.triggered.connect(lambda _checked=False, t=marker_time: self._go_to(t))
        menu.addSeparator()
        self._add_camera_actions(menu, None)
        menu.addSeparator()
        menu.addAction("To the start\tHome", lambda: self.jumped.emit(False))
        menu.addAction("To the end\tEnd", lambda: self.jumped.emit(True))
        menu.popup(
            self.menu_button.mapToGlobal(self.menu_button.rect().topLeft()) - QPoint(0, menu.sizeHint().height())
        )

    def _step_entry(self, menu: QMenu) -> QWidgetAction:
        """Return a field for a step of any size."""
        entry = QWidgetAction(menu)
        field = NumberField(decimals=3, unit="s", parse=_parse_step)
        field.setAccessibleName("size of a step")
        field.set_usual_width(_FIELD_WIDTH + METRICS.padding)
        field.reset(self._step_s)
        holder = QWidget()
        layouts.row(QLabel("other"), field, on=holder, margins=(METRICS.gap, METRICS.inner))
        field.committed.connect(self.step_size_changed)
        entry.setDefaultWidget(holder)
        return entry

    def _toggle_play(self) -> None:
        # The owner answers with `set_playing`; the icon shows the actual state, not the requested one.
        self.play_toggled.emit(not self._is_playing)

    def _on_scrubbed(self, t: float) -> None:
        self.field.reset(t)
        self.scrubbed.emit(t)

    def _on_typed(self, t: float) -> None:
        """Stop at a typed time, or at the end of the scene nearest to it."""
        if self._is_playing:
            self._toggle_play()
        shown = min(max(t, self._start), self._end)
        if shown != t:
            typed, first, last = (number_text.seconds(each) for each in (t, self._start, self._end))
            self.status.emit("amber", f"{typed} s is outside of the scene, which goes from {first} to {last} s")
        self._go_to(shown)

    def _go_to(self, t: float) -> None:
        self.field.reset(t)
        self.track.set_time(t)
        self.scrubbed.emit(t)
        self.scrub_finished.emit()


def _step_text(step_s: float) -> str:
    return f"{step_s * 1e3:g} ms" if step_s < 1.0 else f"{step_s:g} s"


def _parse_step(text: str) -> float:
    step_s = parse_seconds(text)
    if not 0.0 < step_s <= 3600.0:
        raise ValueError("A step must be longer than 0 s, and 3600 s at most. Try 50 ms.")
    return step_s
