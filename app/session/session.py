"""The session: the open document, the clock and the selection, and the one tick that drives every view.

Views never talk to each other: they hand edits and commands to the session, and show what it sends.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.background.plan_source import PlanSource
from framescope.app.exporters.rendering.missing_glyphs import letters_note
from framescope.app.session.document import Document, Written
from framescope.app.session.mesh_problems import mesh_problems
from framescope.app.session.playback import Playback
from framescope.app.session.simulations import MOST_JOBS, Simulator
from framescope.core.errors import FramescopeError, Problem, SceneError, as_scene_error
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate, extend_plan
from framescope.core.evaluation.signal_curves import trails
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, ItemKey, Scene
from framescope.core.snapshot import Snapshot
from framescope.core.system.file_access import outside_names
from framescope.core.system.reader_slips import slips_as_errors
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.qt_support.thread_tasks import run_and_wait

_LOG = logging.getLogger(__name__)

MAX_COMMENT = 60
"""Characters of a comment in the status line."""

TICK_MS = 16

DATA_MS = 33
"""How often is looked whether data have come."""

REST_MS = 120
"""How long a gesture rests before its curves are drawn fine."""


class Session(QObject):
    """One open document being looked at and edited."""

    document_opened = Signal()
    """Another document; everything else about it follows."""
    document_changed = Signal()
    """Another document, a saved one, or another point of its history."""
    plan_changed = Signal(object, bool)
    """A plan, and whether it is the preview of a gesture that still goes on."""
    rested = Signal(object)
    """The plan, once no gesture has changed it for a moment."""
    data_changed = Signal(object)
    """The plan, to whose growing series was appended: the same, over a longer time."""
    ticked = Signal(object, object)
    """The snapshot at the present time, and the trails: past positions (k, 3) by frame name."""
    playback_changed = Signal(object)
    problems_changed = Signal(object)
    selection_changed = Signal(object)
    """The key of the selected item, such as ``("frames", "camera")``."""
    status = Signal(str, str)
    """A kind (good, note, amber, red) and a sentence for the status line."""
    activity_changed = Signal(object)
    """What the simulator does now, see `Activity`."""
    refused = Signal(str, object)
    """That a file is not opened or not reloaded, in words, and its problems: they are none of the open scene."""
    consent_needed = Signal(object)
    """Names of files outside the document's folder, about which the person is to be asked."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.simulator = Simulator(self)
        self.simulator.finished.connect(self._on_simulated)
        self.simulator.activity_changed.connect(self.activity_changed)
        self.plan: Plan = self._compiled(document.scene)
        self.problems: tuple[Problem, ...] = ()
        self.snapshot: Snapshot = evaluate(self.plan, self.plan.start)
        self.playback = Playback(self.plan.start, self.plan.end, self.plan.start)
        self.selection: ItemKey = NO_ITEM
        self.file_problems: tuple[Problem, ...] = document.import_problems
        self._preview: Scene | None = None
        self._has_gesture = False
        self._resumes = False
        self._last_tick = time.perf_counter()
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(lambda: self.rested.emit(self.plan))
        self._data = QTimer(self, interval=DATA_MS)
        self._data.timeout.connect(self.take_data)
        self._revision = 0

    def start(self) -> None:
        """Send everything once, so that views made after the session catch up."""
        self._show_document()
        self.selection_changed.emit(self.selection)

    def close(self) -> None:
        """Stop all that goes by itself."""
        self._timer.stop()
        self._rest.stop()
        self._data.stop()
        self.simulator.close()

    # Documents

    def open(self, name: str, read: Callable[[], Document]) -> bool:
        """Open the document that `read` reads; when that raises, the present one stays. Return whether it opened."""
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
        """Open a document without a word: the step of a lesson, say."""
        self._replace_document(document)

    def select_subject(self) -> bool:
        """Select the item that an example speaks of, and return whether there is one."""
        subject = self.document.subject
        if subject is None or not self.exists(subject):
            return False
        self.select(subject)
        return True

    def reload(self, read: Callable[[], LoadedScene]) -> None:
        """Take what `read` reads of the document's file; a step that undo takes back.

        One that is no scene any more changes nothing.
        """
        name = self.document.name
        try:
            with slips_as_errors(name):
                self.document.take_loaded(read())
        except FramescopeError as error:
            self._refuse(name, as_scene_error(name, error), "reloaded")
            return
        self._preview, self._has_gesture = None, False
        self._show_edited()
        self.status.emit("good", f"Reloaded {self.document.name}. Ctrl Z takes it back")

    def read_again(self, paths: Collection[Path]) -> None:
        """Show what files that the scene names hold now."""
        self._recompile(is_preview=self.is_previewing)
        self._send_problems()
        names = ", ".join(path.name for path in paths)
        self.status.emit("note", f"{names} {'has' if len(paths) == 1 else 'have'} changed, and the scene shows it")

    def new(self) -> None:
        """Open a new scene."""
        self._replace_document(Document.new())
        self.select(("frames", next(iter(self.document.scene.frames))))
        self.status.emit("good", "A new scene. Insert adds to it")

    def report_opened(self) -> None:
        """Say that the document is open, and whether something is wrong with it."""
        document = self.document
        name = document.made_of if document.path is None and document.made_of else document.name
        problems = self._found_problems()
        found_problems = [problem for problem in problems if problem.severity != "note"]
        counts = [
            f"{n} {one}{'s' * (n > 1)}"
            for n, one in ((len(found_problems), "problem"), (len(problems) - len(found_problems), "note"))
            if n
        ]
        if found_problems:
            is_red = any(problem.severity == "red" for problem in found_problems)
            self.status.emit("red" if is_red else "amber", f"Opened {name}: {' and '.join(counts)}, see the list")
        elif letters := letters_note(self.document.scene):
            self.status.emit("amber", f"Opened {name}. {letters}")
        else:
            text = f" {counts[0]}." if counts else ""
            self.status.emit("good", f"Opened {name}.{text} Drag a slider, or drag in the scene to look around")

    def allow_outside(self, names: Collection[str]) -> None:
        """Read files outside the document's folder that the person has consented to, for as long as it is open."""
        self.document.allow(names)
        self._recompile(is_preview=self.is_previewing)
        self._send_problems()

    def save(self, path: Path) -> bool:
        """Write the scene, and wait for it; return whether it was written."""
        return self.take_written(path, partial(run_and_wait, self.writing(path)))

    def writing(self, path: Path) -> Callable[[], Written]:
        """Return what writes the scene as it is now, in any thread; `take_written` is for what it returns or raises."""
        if self.is_previewing:
            self.cancel()
        self.status.emit("note", f"Saving {path.name}…")
        return self.document.writing(path)

    def take_written(self, path: Path, write: Callable[[], Written]) -> bool:
        """Take it that the scene is in a file, which `write` has written, or raises why not; return whether it is."""
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
        self._ask_consent()
        return True

    # Edits

    def preview(self, edit: Edit, pauses: bool = False) -> None:
        """Show an edit without keeping it; it applies to the last kept scene, not to the last preview.

        A gesture on something that time drives `pauses` the clock until it ends.
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
        self._recompile(is_preview=True)

    def commit(self, edit: Edit) -> None:
        """Keep an edit as one step of undo; one that is refused changes nothing, and the reason is said."""
        self._preview, self._has_gesture = None, False
        before = self.document.scene
        refusal = ""
        try:
            self.document.commit(edit)
        except (FramescopeError, ValueError, LookupError) as error:
            refusal = _refusal(error)
        self._show_edited()
        if refusal:
            self.status.emit("amber", refusal)
        elif self.document.scene is not before:
            self.status.emit("good", f"{edit.label}. Ctrl Z takes it back")
        self._resume()

    def commit_items(self, edit: Edit) -> None:
        """Keep an edit of items, and select what it has made."""
        self.commit(edit)
        if isinstance(edit, ItemEdit) and edit.keys:
            self.select(edit.keys[0])

    def cancel(self) -> None:
        """End a gesture, if one goes on, and show what there was before it, even if it was refused."""
        if self._has_gesture:
            self._preview, self._has_gesture = None, False
            self._recompile(is_preview=False)
        else:
            self._tick()  # a view may have refused a gesture by itself, and springs back
        self._resume()

    @property
    def is_previewing(self) -> bool:
        """Whether a gesture goes on."""
        return self._preview is not None

    def undo(self) -> None:
        """Take the last edit back."""
        self._show_step("Took back", self.document.history.undo())

    def redo(self) -> None:
        """Bring an undone edit again."""
        self._show_step("Again", self.document.history.redo())

    def _show_step(self, done: str, label: str | None) -> None:
        if label is not None:
            self._preview, self._has_gesture = None, False
            self._show_edited()
            self.status.emit("good", f"{done}: {label}")
            self._resume()

    def select(self, key: ItemKey) -> None:
        """Select an item; `NO_ITEM` selects nothing."""
        if key != self.selection:
            self.selection = key
            self.selection_changed.emit(key)

    def selected_frame(self) -> str:
        """Return the selected frame, or the frame that the selected item is on; empty when there is none."""
        frame = frame_of(self.plan.scene, self.selection)
        return frame if frame in self.plan.index else ""

    # The clock

    def toggle_play(self, _is_wanted: bool = True) -> None:
        """Play or pause."""
        self._resumes = False
        self._set_playback(self.playback.toggled())

    def scrub(self, t: float) -> None:
        """Go to a time by hand; the clock waits until the hand lets go."""
        if self.playback.is_playing:
            self._resumes = True
        self._set_playback(self.playback.paused().at(t))

    def end_scrub(self) -> None:
        """Go on playing, if the clock was playing when the hand took the time."""
        self._resume()

    def jump(self, to_end: bool) -> None:
        """Go to the start, or to the end and along with it where it grows."""
        self._set_playback(self.playback.at_end() if to_end else self.playback.at(self.playback.start))

    def pause(self) -> None:
        """Pause."""
        self._resumes = False
        self._set_playback(self.playback.paused())

    def step(self, n_steps: int) -> None:
        """Pause, and go some steps forward or back."""
        self._set_playback(self.playback.stepped(n_steps))

    def set_speed(self, speed: float) -> None:
        """Play at another speed."""
        self._set_playback(replace(self.playback, speed=speed))

    def set_looping(self, is_looping: bool) -> None:
        """Go on at the start when the end is reached, or stop there."""
        self._set_playback(replace(self.playback, is_looping=is_looping))

    def set_step(self, step_s: float) -> None:
        """Set how far the step buttons go."""
        self._set_playback(replace(self.playback, step_s=step_s))

    def set_part(self, first: float, last: float) -> None:
        """Play a part of the time range."""
        self._set_playback(self.playback.with_part(first, last))

    # Data that come

    def take_data(self) -> None:
        """Show what was appended to the growing series of the scene: time goes on, and nothing is compiled anew.

        A gesture is left alone: what comes meanwhile is taken when it has ended.
        """
        revision = sum(series.revision for series in self.plan.live)
        if revision == self._revision or self._has_gesture:
            return
        self._revision = revision
        self.plan = extend_plan(self.plan)
        self._set_playback(self.playback.grown(self.plan.start, self.plan.end))
        self.data_changed.emit(self.plan)

    # Inside

    def refuse(self, name: str, error: FramescopeError) -> None:
        """Say why a file is not opened."""
        self._refuse(name, as_scene_error(name, error), "opened")

    def _refuse(self, name: str, error: SceneError, done: str) -> None:
        n_more = len(error.problems) - 1
        more = f" And {n_more} more fault{'s' * (n_more > 1)}" if n_more else ""
        self.status.emit("red", f"{name} is not {done}: {error.problems[0]}{more}")
        self.refused.emit(f"{name} is not {done}", tuple(error.problems))

    def _replace_document(self, document: Document) -> None:
        self.simulator.forget()
        plan = compile_plan(document.scene, access=document.access, run=self.simulator.find)
        self.document, self.plan = document, plan  # where it cannot be compiled the present one stays
        self.file_problems = document.import_problems
        self._preview, self._has_gesture = None, False
        self._resumes = False
        start, end, before = self.plan.start, self.plan.end, self.playback
        self.playback = Playback(start, end, start, is_playing=before.is_playing, speed=before.speed)
        self.document_opened.emit()
        self._show_document()

    def _show_document(self) -> None:
        self.document_changed.emit()
        self.playback_changed.emit(self.playback)
        self._show_plan(is_preview=False)
        self._send_problems()
        self._run_timer()
        self._ask_consent()

    def _show_edited(self) -> None:
        self.file_problems = ()
        self._recompile(is_preview=False)
        self.document_changed.emit()
        self._send_problems()

    def _recompile(self, is_preview: bool) -> None:
        scene = self._preview if is_preview and self._preview is not None else self.document.scene
        self.plan = self._compiled(scene, self.plan if is_preview else None)
        self._show_plan(is_preview)

    def _show_plan(self, is_preview: bool) -> None:
        self.simulator.want(self.plan.pending)
        playback, is_live = self.playback, bool(self.plan.live)
        if is_live != playback.is_live:  # from the first time on it goes along
            playback = replace(playback, is_live=is_live, is_following=is_live)
        if (self.plan.start, self.plan.end) != (playback.start, playback.end):
            playback = playback.with_range(self.plan.start, self.plan.end)
        if playback != self.playback:
            self.playback = playback
            self.playback_changed.emit(playback)
        if is_live != self._data.isActive():
            self._data.start() if is_live else self._data.stop()
        if not self.exists(self.selection):
            self.select(NO_ITEM)
        self.plan_changed.emit(self.plan, is_preview)
        self._tick()
        self._rest.start()

    def _compiled(self, scene: Scene, gesture: Plan | None = None) -> Plan:
        return compile_plan(scene, access=self.document.access, run=self.simulator.find, gesture=gesture)

    def plan_source(self) -> PlanSource:
        """Return what another process makes the present plan of."""
        known = self.simulator.results[-MOST_JOBS:] if self.plan.instruments.simulation is not None else ()
        return PlanSource(self.plan.scene, self.document.access, known)

    def _on_simulated(self) -> None:
        """Show what a simulation has found."""
        self._recompile(is_preview=self.is_previewing)
        if not self.is_previewing:
            self._send_problems()
        simulation = self.plan.instruments.simulation
        if simulation is not None and simulation.stop is not None:
            self.status.emit("red", f"The simulation stopped at {simulation.t_end:.4g} s, see the problems list")

    def cancel_simulation(self) -> None:
        """Give the simulation up: bodies stand at their start, and a note says so."""
        self.simulator.cancel()
        self._send_problems()

    def simulate_again(self) -> None:
        """Run a simulation that was cancelled or has failed."""
        self.simulator.run_again()
        self._send_problems()

    def _ask_consent(self) -> None:
        """Ask once for each document, and again when it has moved, about files outside its folder."""
        names = outside_names(named_files(self.document.scene), self.document.access)
        if names:
            self.consent_needed.emit(names)

    def _found_problems(self) -> tuple[Problem, ...]:
        """Return what is wrong with the plan, and with what is drawn and simulated of it."""
        located = tuple(self.document.locate(problem) for problem in self.plan.problems)
        return (*located, *self.other_problems())

    def other_problems(self) -> tuple[Problem, ...]:
        """Return what is wrong with what is drawn and simulated of the plan."""
        found = (*mesh_problems(self.plan), *self.simulator.problems(self.plan))
        return tuple(self.document.locate(problem) for problem in found)

    def _send_problems(self) -> None:
        self.problems = self._found_problems()
        self.problems_changed.emit((*self.file_problems, *self.problems))

    def exists(self, key: ItemKey) -> bool:
        """Return whether there is such an item now."""
        kind, name = key
        if key == NO_ITEM or kind == "frames":
            return key == NO_ITEM or name in self.plan.index
        return kind in ITEM_KINDS and name in getattr(self.plan.scene, kind)

    def _resume(self) -> None:
        if self._resumes:
            self._resumes = False
            self._set_playback(replace(self.playback, is_playing=True))

    def _set_playback(self, playback: Playback) -> None:
        moved = playback.t != self.playback.t
        self.playback = playback
        self.playback_changed.emit(playback)
        self._run_timer()
        if moved:
            self._tick()

    def _run_timer(self) -> None:
        if self.playback.is_playing and not self._timer.isActive():
            self._last_tick = time.perf_counter()
            self._timer.start()
        elif not self.playback.is_playing:
            self._timer.stop()

    def _advance(self) -> None:
        now = time.perf_counter()
        playback = self.playback.advance(now - self._last_tick)
        self._last_tick = now
        ended = not playback.is_playing
        self.playback = playback
        if ended:
            self._timer.stop()
            self.playback_changed.emit(playback)
        self._tick()

    def _tick(self) -> None:
        self.snapshot = evaluate(self.plan, self.playback.t)
        self.ticked.emit(self.snapshot, trails(self.plan, self.playback.t))


def _refusal(error: Exception) -> str:
    """Say why an edit cannot be made."""
    if isinstance(error, LookupError) and not isinstance(error, FramescopeError):
        _LOG.info("an edit found nothing to change", exc_info=error)
        return "What was to be changed is not there any more"
    return str(error)


def _lost(comments: tuple[str, ...]) -> str:
    """Return which comments could not be kept, in a few words."""
    first = comments[0] if len(comments[0]) <= MAX_COMMENT else f"{comments[0][:MAX_COMMENT]}…"
    return f"the comment {first}" if len(comments) == 1 else f"{len(comments)} comments, such as {first},"
