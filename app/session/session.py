"""Session: the open document, the clock and the selection, and the single tick that drives every view.

Views never talk to each other: they pass edits and commands to the session, and show the signals that it sends.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.background.plan_source import PlanSource
from framescope.app.exporters.rendering.missing_glyphs import letters_note
from framescope.app.session.document import Document, Selected, Written
from framescope.app.session.mesh_problems import mesh_problems
from framescope.app.session.playback import Playback
from framescope.app.session.simulations import MAX_JOBS, Simulator
from framescope.core.errors import FramescopeError, Problem, SceneError, Severity, as_scene_error, counted
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate, extend_plan
from framescope.core.evaluation.opening_time import opening_time
from framescope.core.evaluation.signal_curves import trails
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, ItemKey, Scene
from framescope.core.scene.schema.motions import Keyframes
from framescope.core.snapshot import Snapshot
from framescope.core.system.file_access import Access, outside_names
from framescope.core.system.reader_slips import slips_as_errors
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.qt_support.thread_tasks import run_and_wait

_LOG = logging.getLogger(__name__)

MAX_COMMENT = 60
"""Largest number of characters of a comment in the status line."""

TICK_MS = 16

DATA_MS = 33
"""Interval at which the session looks for new data, ms."""

REST_MS = 120
"""Time without change after which a gesture's curves are drawn in full resolution, ms."""


class Session(QObject):
    """An open document with its clock and its selection."""

    document_opened = Signal()
    """Another document was opened; the signals about its contents follow."""
    document_changed = Signal()
    """Another document was opened, the document was saved, or its history moved."""
    plan_changed = Signal(object, bool)
    """The new plan, and whether it is the preview of a running gesture."""
    rested = Signal(object)
    """The plan, once no gesture has changed it for `REST_MS`."""
    data_changed = Signal(object)
    """The plan, after its growing series got data: the same plan over a longer time."""
    ticked = Signal(object, object)
    """The snapshot at the present time, and the trails: past positions (k, 3) by frame name."""
    numbers_due = Signal(object)
    """The snapshot that panels are to show: with each tick, or during a gesture after the picture of the scene."""
    playback_changed = Signal(object)
    problems_changed = Signal(object)
    selection_changed = Signal(object)
    """Key of the selected item, such as ``("frames", "camera")``."""
    selection_restored = Signal(object)
    """Keys of all items that undo or redo has selected again, the one that panels show first."""
    status = Signal(str, str)
    """A kind (good, note, amber, red) and a sentence for the status line."""
    activity_changed = Signal(object)
    """The simulator's `Activity`."""
    refused = Signal(str, object)
    """A sentence that a file was not opened or reloaded, and its problems, which do not concern the open scene."""
    consent_needed = Signal(object)
    """Names of files outside the document's folder that need the user's consent."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.new_sequence = USUAL_SEQUENCE
        """Axis sequence of the frame of a new scene."""
        self.simulator = Simulator(self)
        self.simulator.finished.connect(self._on_simulated)
        self.simulator.activity_changed.connect(self.activity_changed)
        self.plan: Plan = self._compile(document.scene, document.access)
        self.problems: tuple[Problem, ...] = ()
        t = opening_time(self.plan)
        self.snapshot: Snapshot = evaluate(self.plan, t)
        self.playback = Playback(self.plan.start, self.plan.end, t)
        self.selection: ItemKey = NO_ITEM
        self.is_selection_by_default = True
        """Whether the program selected the item since the document was opened, rather than the user."""
        self.also_selected: Selected = ()
        """Items that are selected beside the one that panels show."""
        self._checked = frozenset[Problem]()
        self._found: dict[str, tuple[Problem, ...]] = {}
        self._searching: set[str] = set()
        self.opened_text = ""
        """Sentence of the status line about the document that was opened last."""
        self.delay_numbers: Callable[[], None] | None = None
        """Delays the numbers of a gesture: arranges a later call of `show_numbers`. Without it, none are delayed."""
        self._preview: Scene | None = None
        self._has_gesture = False
        self._resumes = False
        self._last_tick = time.perf_counter()
        self.tick_timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self.tick_timer.timeout.connect(self._advance)
        self.rest_timer = QTimer(self, interval=REST_MS, singleShot=True)
        self.rest_timer.timeout.connect(lambda: self.rested.emit(self.plan))
        self.data_timer = QTimer(self, interval=DATA_MS)
        self.data_timer.timeout.connect(self.take_data)
        self._revision = 0

    def start(self) -> None:
        """Send all signals once, so that views created after the session are up to date."""
        self._show_document()
        self.selection_changed.emit(self.selection)

    def close(self) -> None:
        """Stop all timers and the simulator."""
        self.tick_timer.stop()
        self.rest_timer.stop()
        self.data_timer.stop()
        self.simulator.close()

    # Documents

    def open(self, name: str, read: Callable[[], Document]) -> bool:
        """Open the document that `read` returns; keep the present one when it raises. Return whether it opened."""
        try:
            with slips_as_errors(name):
                self._replace_document(read())
        except FramescopeError as error:
            self._refuse(name, as_scene_error(name, error), "opened")
            return False
        self.select_subject()
        self.report_opened()
        return True

    def show(self, document: Document) -> None:
        """Open a document without a message, such as the step of a lesson."""
        self._replace_document(document)

    def select_subject(self) -> bool:
        """Select the main item of an example; return whether there is one."""
        subject = self.document.subject
        if subject is None or not self.exists(subject):
            return False
        self.select_by_default(subject)
        return True

    def select_first(self) -> None:
        """Select a frame with an angle sequence, else any frame."""
        names = self.plan.names[1:]
        turned = (name for name in names if self.plan.sequence(name))
        self.select_by_default(("frames", next(turned, names[0])) if names else NO_ITEM)

    def select_by_default(self, key: ItemKey) -> None:
        """Select an item that the user has not chosen, and that another default may replace."""
        self.select(key)
        self.is_selection_by_default = True

    def reload(self, read: Callable[[], LoadedScene]) -> None:
        """Replace the scene with the one that `read` reads from the document's file, as one step of undo.

        A file that is no scene any more changes nothing.
        """
        name = self.document.name
        try:
            with slips_as_errors(name):
                self.document.replace_scene(read())
        except FramescopeError as error:
            self._refuse(name, as_scene_error(name, error), "reloaded")
            return
        self._preview, self._has_gesture = None, False
        self._show_edit()
        self.status.emit("good", f"Reloaded {self.document.name}. Ctrl Z undoes it")

    def take_frames_written(self, names: Collection[str]) -> None:
        """Show the new contents of files into which the program has written the poses of some frames."""
        self.document.take_frames_written(names)
        self._recompile(is_preview=self.is_previewing)
        self.document_changed.emit()
        self._send_problems()

    def read_again(self, paths: Collection[Path]) -> None:
        """Show the new contents of files that the scene names, which another program has written."""
        self._recompile(is_preview=self.is_previewing)
        self._send_problems()
        names = ", ".join(path.name for path in paths)
        self.status.emit("note", f"{names} {'has' if len(paths) == 1 else 'have'} changed, and the scene shows it")

    def new(self) -> None:
        """Open a new scene."""
        self._replace_document(Document.new(self.new_sequence))
        self.select(("frames", next(iter(self.document.scene.frames))))
        self.status.emit("good", "A new scene. Insert adds to it")

    def report_opened(self, problems: Sequence[Problem] | None = None) -> None:
        """Report in the status line that the document is open, and its problems: those of all checks, or of compiling.

        Until all checks have ended, a document without problems so far is reported as being checked.
        """
        document = self.document
        name = document.made_of if document.path is None and document.made_of else document.name
        is_checked = problems is not None
        problems = (*self.file_problems, *self._located_problems()) if problems is None else problems
        weights: dict[Severity, str] = {"red": "problem", "amber": "warning", "note": "note"}
        numbers = Counter(problem.severity for problem in problems)
        counts = [counted(numbers[weight], word) for weight, word in weights.items() if numbers[weight]]
        if numbers["red"] or numbers["amber"]:
            *others, last = counts
            self.opened_text = f"Opened {name}: {' and '.join(filter(None, [', '.join(others), last]))}, see the list"
            self.status.emit("red" if numbers["red"] else "amber", self.opened_text)
        elif letters := letters_note(self.document.scene):
            self.opened_text = f"Opened {name}. {letters}"
            self.status.emit("amber", self.opened_text)
        else:
            text = f" {counts[0]}." if counts else ""
            text += "" if is_checked else " Checks are running."
            self.opened_text = f"Opened {name}.{text} {self._first_gestures()} in the scene to look around"
            self.status.emit("good" if is_checked else "note", self.opened_text)

    def _first_gestures(self) -> str:
        """Return the beginning of a sentence on what to do first, as far as the scene has sliders and moves."""
        scene = self.document.scene
        if scene.parameters or any(frame.orientation is not None for frame in scene.frames.values()):
            return "Drag a slider, or drag"
        return "Press Space to play or pause, or drag" if self.plan.tree.moving else "Drag"

    def allow_outside(self, names: Collection[str]) -> None:
        """Read files outside the document's folder to which the user has consented, until the document is closed."""
        self.document.allow(names)
        self._recompile(is_preview=self.is_previewing)
        self._send_problems()

    def save(self, path: Path) -> bool:
        """Write the scene and wait for it; return whether it was written."""
        return self.take_written(path, partial(run_and_wait, self.writing(path)))

    def writing(self, path: Path) -> Callable[[], Written]:
        """Return a function that writes the scene as it is now, in any thread; pass its outcome to `take_written`."""
        if self.is_previewing:
            self.cancel()
        self.status.emit("note", f"Saving {path.name}…")
        return self.document.writing(path)

    def take_written(self, path: Path, write: Callable[[], Written]) -> bool:
        """Record that `write` has written the scene to a file, or report its error; return whether it was written."""
        access = self.document.access
        try:
            written = write()
        except OSError as error:
            self.status.emit("red", f"{path.name} is not saved: {error.strerror or error}. Choose another place.")
            return False
        self.document.take_written(written)
        if self.document.access != access:
            self._recompile(is_preview=self.is_previewing)
        self.document_changed.emit()
        self._send_problems()
        if not written.lost:
            self.status.emit("good", f"Saved {self.document.name}")
        else:
            self.status.emit("amber", f"Saved {self.document.name}, but {_lost(written.lost)} could not be kept")
        self._ask_about_files()
        return True

    # Edits

    def preview(self, edit: Edit, pauses: bool = False) -> None:
        """Show an edit without committing it; it applies to the committed scene, not to the last preview.

        With `pauses`, a gesture on an item that moves with time pauses the clock until it ends.
        """
        self._has_gesture = True
        try:
            scene = edit.apply(self.document.scene)
        except (FramescopeError, ValueError, LookupError) as error:
            self.status.emit("amber", _refusal(error))
            return
        if pauses and self.playback.is_playing:
            self.pause()
            self._resumes = True
        self._preview = scene
        # As files are checked again after the gesture, so is the access to them.
        self.plan = self._compile(scene, self.plan.context.access, self.plan)
        self._show_plan(is_preview=True)

    def commit(self, edit: Edit) -> None:
        """Commit an edit as one step of undo; an edit that fails changes nothing and is reported."""
        self._preview, self._has_gesture = None, False
        before = self.document.scene
        was_still = self.document.path is None and not _moves_by_itself(self.plan)
        refusal = ""
        try:
            self.document.commit(edit, self.selected)
        except (FramescopeError, ValueError, LookupError) as error:
            refusal = _refusal(error)
        self._show_edit()
        if refusal:
            self.status.emit("amber", refusal)
        elif self.document.scene is not before:
            self.status.emit("good", f"{edit.label}. Ctrl Z undoes it")
        self._resume()
        if was_still and not self.playback.is_playing and _moves_by_itself(self.plan):
            self.toggle_play()  # the first motion of a new scene is shown at once

    def commit_items(self, edit: Edit) -> None:
        """Commit an edit of items, and select the first item it created."""
        self.commit(edit)
        if isinstance(edit, ItemEdit) and edit.keys:
            self.select(edit.keys[0])

    def cancel(self) -> None:
        """End a running gesture and show the scene as it was before, even if the gesture's edit failed."""
        if self._has_gesture:
            self._preview, self._has_gesture = None, False
            self._recompile(is_preview=False)
        else:
            self._tick()  # a view that rejected a gesture itself shows the scene's value again
        self._resume()

    @property
    def is_previewing(self) -> bool:
        """Whether a gesture's preview is shown."""
        return self._preview is not None

    def undo(self) -> None:
        """Undo the last edit, and select the items that were selected before it."""
        point = self.document.history.undo()
        if point is not None:
            self._show_step(f"Undid: {point.label}", point.before)

    def redo(self) -> None:
        """Redo the last undone edit, and select the items that were selected after it."""
        point = self.document.history.redo()
        if point is not None:
            self._show_step(f"Redid: {point.label}", point.after)

    def _show_step(self, message: str, selected: Selected) -> None:
        self._preview, self._has_gesture = None, False
        self._show_edit()
        present = tuple(key for key in selected if self.exists(key))
        if present:
            self.select(present[0])
            self.also_selected = present[1:]
            self.selection_restored.emit(present)
        self.status.emit("good", message)
        self._resume()

    @property
    def selected(self) -> Selected:
        """All selected items, the one that panels show first."""
        return () if self.selection == NO_ITEM else (self.selection, *self.also_selected)

    def select(self, key: ItemKey) -> None:
        """Select an item; `NO_ITEM` clears the selection."""
        self.is_selection_by_default = False
        if key != self.selection:
            self.selection = key
            self.selection_changed.emit(key)

    def selected_frame(self) -> str:
        """Return the selected frame, or the frame of the selected item; empty without one."""
        frame = frame_of(self.plan.scene, self.selection)
        return frame if frame in self.plan.index else ""

    # The clock

    def toggle_play(self, _is_wanted: bool = True) -> None:
        """Play or pause."""
        self._resumes = False
        self._set_playback(self.playback.toggle())

    def play_opened(self) -> None:
        """Play a scene that was opened from a file, if anything moves in it."""
        if self.document.path is not None and self.plan.tree.moving:
            self.toggle_play()

    def scrub(self, t: float, *, is_drag: bool = False) -> None:
        """Go to a time; the clock pauses until `end_scrub`. In a drag, the numbers come after the picture."""
        if self.playback.is_playing:
            self._resumes = True
        self._set_playback(self.playback.pause().at(t), is_drag=is_drag)

    def end_scrub(self) -> None:
        """Resume playing if the clock was playing when the drag began."""
        self._resume()

    def jump(self, to_end: bool) -> None:
        """Go to the start, or to the end, which the clock then follows if it grows."""
        self._set_playback(self.playback.at_end() if to_end else self.playback.at(self.playback.start))

    def pause(self) -> None:
        """Pause."""
        self._resumes = False
        self._set_playback(self.playback.pause())

    def step(self, n_steps: int) -> None:
        """Pause and go some steps forward, or back if negative."""
        self._set_playback(self.playback.step(n_steps))

    def set_speed(self, speed: float) -> None:
        """Set the speed of playback."""
        self._set_playback(replace(self.playback, speed=speed))

    def set_looping(self, is_looping: bool) -> None:
        """Set whether playback starts again at the end or stops there."""
        self._set_playback(replace(self.playback, is_looping=is_looping))

    def set_step(self, step_s: float) -> None:
        """Set the time of a step button, s."""
        self._set_playback(replace(self.playback, step_s=step_s))

    def set_part(self, first: float, last: float) -> None:
        """Play a part of the time range."""
        self._set_playback(self.playback.with_part(first, last))

    # Growing data

    def take_data(self) -> None:
        """Show data that were appended to the scene's growing series: the time range grows, without a new compilation.

        During a gesture nothing is taken; the data are taken when it ends.
        """
        revision = sum(series.revision for series in self.plan.live)
        if revision == self._revision or self._has_gesture:
            return
        self._revision = revision
        self.plan = extend_plan(self.plan)
        self._set_playback(self.playback.grow(self.plan.start, self.plan.end))
        self.data_changed.emit(self.plan)

    # Internal

    def refuse(self, name: str, error: FramescopeError) -> None:
        """Report why a file was not opened."""
        self._refuse(name, as_scene_error(name, error), "opened")

    def _refuse(self, name: str, error: SceneError, done: str) -> None:
        n_more = len(error.problems) - 1
        more = f" And {n_more} more fault{'s' * (n_more > 1)}" if n_more else ""
        self.status.emit("red", f"{name} is not {done}: {error.problems[0]}{more}")
        self.refused.emit(f"{name} is not {done}", tuple(error.problems))

    def _replace_document(self, document: Document) -> None:
        self.simulator.forget()
        plan = compile_plan(document.scene, access=document.access, run=self.simulator.find)
        self.document, self.plan = document, plan  # an error in compilation keeps the present document
        self._checked, self.opened_text = frozenset[Problem](), ""
        self._found, self._searching = {}, set()
        self._preview, self._has_gesture = None, False
        self._resumes, self.is_selection_by_default = False, True
        start, end, before = self.plan.start, self.plan.end, self.playback
        is_playing = before.is_playing and bool(plan.tree.moving)  # as nothing moves in a new scene
        self.playback = Playback(start, end, opening_time(plan), is_playing=is_playing, speed=before.speed)
        self.document_opened.emit()
        self._show_document()

    def _show_document(self) -> None:
        self.document_changed.emit()
        self.playback_changed.emit(self.playback)
        self._show_plan(is_preview=False)
        self._send_problems()
        self._run_timer()
        self._ask_about_files()

    def _show_edit(self) -> None:
        self._recompile(is_preview=False)
        self.document_changed.emit()
        self._send_problems()

    def _recompile(self, is_preview: bool) -> None:
        scene = self._preview if is_preview and self._preview is not None else self.document.scene
        self.plan = self._compile(scene, self.document.access, self.plan if is_preview else None)
        self._show_plan(is_preview)

    def _show_plan(self, is_preview: bool) -> None:
        self.simulator.want(self.plan.pending)
        playback, is_live = self.playback, bool(self.plan.live)
        if is_live != playback.is_live:  # a scene with growing data starts at its end
            playback = replace(playback, is_live=is_live, is_following=is_live)
        if (self.plan.start, self.plan.end) != (playback.start, playback.end):
            playback = playback.with_range(self.plan.start, self.plan.end)
        if playback != self.playback:
            self.playback = playback
            self.playback_changed.emit(playback)
        if is_live != self.data_timer.isActive():
            self.data_timer.start() if is_live else self.data_timer.stop()
        if not self.exists(self.selection):
            self.select_by_default(NO_ITEM)
        self.plan_changed.emit(self.plan, is_preview)
        self._tick()
        self.rest_timer.start()

    def _compile(self, scene: Scene, access: Access, gesture: Plan | None = None) -> Plan:
        return compile_plan(scene, access=access, run=self.simulator.find, gesture=gesture)

    def plan_source(self) -> PlanSource:
        """Return the source from which another process compiles the present plan."""
        known = self.simulator.results[-MAX_JOBS:] if self.plan.instruments.simulation is not None else ()
        return PlanSource(self.plan.scene, self.document.access, known)

    def _on_simulated(self) -> None:
        """Show the result of a simulation."""
        self._recompile(is_preview=self.is_previewing)
        if not self.is_previewing:
            self._send_problems()
        simulation = self.plan.instruments.simulation
        if simulation is not None and simulation.stop is not None:
            self.status.emit("red", f"The simulation stopped at {simulation.t_end:.4g} s, see the problems list")

    def cancel_simulation(self) -> None:
        """Cancel the simulation: bodies stay at their starts, and a note reports it."""
        self.simulator.cancel()
        self._send_problems()

    def simulate_again(self) -> None:
        """Run a simulation again that was cancelled or has failed."""
        self.simulator.run_again()
        self._send_problems()

    def _ask_about_files(self) -> None:
        """Ask for consent to files outside the folder: once per document, and again after it moved."""
        names = outside_names(named_files(self.document.scene), self.document.access)
        if names:
            self.consent_needed.emit(names)

    def _located_problems(self) -> tuple[Problem, ...]:
        """Return the problems of the plan, of its drawing and of its simulation."""
        located = tuple(self.document.locate(problem) for problem in self.plan.problems)
        return (*located, *self.other_problems())

    @property
    def file_problems(self) -> tuple[Problem, ...]:
        """Problems of the file that the scene was made from, except those that checks of the scene report."""
        return tuple(problem for problem in self.document.import_problems if problem not in self._checked)

    def leave_to_checks(self, problems: Iterable[Problem]) -> None:
        """Report these problems no longer as those of the imported file: the checks of the scene report them."""
        self._checked = self._checked.union(problems)

    def other_problems(self) -> tuple[Problem, ...]:
        """Return the problems of the plan's drawing and simulation, and those that features find beside the window."""
        of_features = (problem for problems in self._found.values() for problem in problems)
        problems = (*mesh_problems(self.plan), *self.simulator.problems(self.plan), *of_features)
        return tuple(self.document.locate(problem) for problem in problems)

    def set_found_problems(self, feature: str, problems: Iterable[Problem], *, is_complete: bool = True) -> None:
        """Report problems that a feature has found in a search of its own, in place of its earlier ones.

        They stay until the feature replaces them or another document is opened. Unless the search `is_complete`, it
        goes on.
        """
        found, was_complete = tuple(problems), feature not in self._searching
        (self._searching.discard if is_complete else self._searching.add)(feature)
        if found or self._found.get(feature) or is_complete != was_complete:
            self._found[feature] = found
            self._send_problems()

    @property
    def is_searching(self) -> bool:
        """Whether a feature is still searching for problems."""
        return bool(self._searching)

    def _send_problems(self) -> None:
        self.problems = self._located_problems()
        self.problems_changed.emit((*self.file_problems, *self.problems))

    def exists(self, key: ItemKey) -> bool:
        """Return whether the scene has an item."""
        kind, name = key
        if key == NO_ITEM or kind == "frames":
            return key == NO_ITEM or name in self.plan.index
        return kind in ITEM_KINDS and name in getattr(self.plan.scene, kind)

    def _resume(self) -> None:
        if self._resumes:
            self._resumes = False
            self._set_playback(replace(self.playback, is_playing=True))

    def _set_playback(self, playback: Playback, *, is_drag: bool = False) -> None:
        moved = playback.t != self.playback.t
        self.playback = playback
        self.playback_changed.emit(playback)
        self._run_timer()
        if moved:
            self._tick(is_gesture=is_drag)

    def _run_timer(self) -> None:
        if self.playback.is_playing and not self.tick_timer.isActive():
            self._last_tick = time.perf_counter()
            self.tick_timer.start()
        elif not self.playback.is_playing:
            self.tick_timer.stop()

    def _advance(self) -> None:
        now = time.perf_counter()
        playback = self.playback.advance(now - self._last_tick)
        self._last_tick = now
        ended = not playback.is_playing
        self.playback = playback
        if ended:
            self.tick_timer.stop()
            self.playback_changed.emit(playback)
        self._tick()

    def _tick(self, *, is_gesture: bool = False) -> None:
        self.snapshot = evaluate(self.plan, self.playback.t)
        self.ticked.emit(self.snapshot, trails(self.plan, self.playback.t))
        if self.delay_numbers is not None and (is_gesture or self.is_previewing):
            self.delay_numbers()
        else:
            self.show_numbers()

    def show_numbers(self) -> None:
        """Have all panels show the numbers of the present time."""
        self.numbers_due.emit(self.snapshot)


def _moves_by_itself(plan: Plan) -> bool:
    """Return whether a frame moves otherwise than by keyframes, whose author chooses the time of each key."""
    names = (plan.names[int(row)] for batch in plan.tree.moving for row in batch.rows)
    return any(not isinstance(plan.scene.frames[name].motion, Keyframes) for name in names)


def _refusal(error: Exception) -> str:
    """Return the sentence that reports why an edit failed."""
    if isinstance(error, LookupError) and not isinstance(error, FramescopeError):
        _LOG.info("an edit found nothing to change", exc_info=error)
        return "What was to be changed is not there any more"
    return str(error)


def _lost(comments: tuple[str, ...]) -> str:
    """Describe the comments that could not be kept."""
    first = comments[0] if len(comments[0]) <= MAX_COMMENT else f"{comments[0][:MAX_COMMENT]}…"
    return f"the comment {first}" if len(comments) == 1 else f"{len(comments)} comments, such as {first},"
