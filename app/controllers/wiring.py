"""Wiring of session and views: all connections between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent

from framescope.app.controllers.after_picture import AfterPicture
from framescope.app.controllers.compile_ahead import CompileAhead
from framescope.app.controllers.data_docks import DataDocks
from framescope.app.controllers.exports.export_controller import ExportController
from framescope.app.controllers.exports.picture_controller import PictureController
from framescope.app.controllers.file_controller import FileCommands
from framescope.app.controllers.file_reports import FileReports
from framescope.app.controllers.plot_controller import PlotController
from framescope.app.controllers.preferences import Preferences
from framescope.app.controllers.problems_controller import ProblemsController
from framescope.app.controllers.question_controller import QuestionController
from framescope.app.controllers.scene_menu import SceneMenu
from framescope.app.controllers.settings_controller import SettingsController
from framescope.app.controllers.tool_docks import ToolDocks
from framescope.app.controllers.viewpoints import Viewpoints
from framescope.app.session.file_watcher import FileWatcher
from framescope.app.session.session import Session
from framescope.app.session.simulations import Activity
from framescope.app.session.staged_mode import StagedMode
from framescope.app.storage.settings import Settings
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.axes import AxesLook, axes_look, next_axes_look, set_axes_look
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.schema.kinds.orientations import moving_sequence
from framescope.core.scene.schema.model import NO_ITEM, WORLD, ItemKey
from framescope.core.snapshot import Snapshot
from framescope.core.system.features import entries, load_entry
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.panels.staged.staged_overlay import StagedOverlay
from framescope.ui.qt_support.kept_focus import end_typing, kept_focus
from framescope.ui.window.main_window import MainWindow

PATH_LEFT = "The camera has left its path. R in the scene puts it back"

FACTS_MS = 500

Value = TypeVar("Value")


def _plainly(do: Callable[[Value], None], value: Value) -> Callable[[], None]:
    """Return a slot that calls a function with a value and ignores the signal's arguments."""
    return lambda: do(value)


class Wiring(QObject):
    """Connects one session with one window, and saves the layout when the window closes.

    Signals
    -------
    opened()
        The window shows its first document.
    """

    opened = Signal()

    def __init__(self, session: Session, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        session.setParent(self)
        self.session = session
        self.window = window
        self.settings = settings
        self._is_new_document = True
        self._is_plan_behind = False
        """Whether the panels still have the plan before the last movement of a gesture."""
        self._advised: SimulationJob | None = None
        """Simulation for which the advice on stiffness was shown."""
        self._after_picture = AfterPicture(window.scene_view, self._show_panels)
        self.compile_ahead = CompileAhead(session)
        self.files = FileCommands(session, window, self.finish_gestures)
        self.plots = PlotController(session, window)
        self.questions = QuestionController(session, window)
        self.scene_menu = SceneMenu(session, window, self.questions)
        self.problems = ProblemsController(session, window)
        self.instruments = ToolDocks(window, self._fill_dock)
        self.instruments.follow_quaternion_order(self.questions.cards.set_quaternion_order)
        self.data_docks = DataDocks(session, window)
        self.reports = FileReports(session, window)
        self.exports = ExportController(session, window, settings, self.files)
        self.watcher = FileWatcher(self)
        self.watcher.scene_overtaken.connect(self.files.report_external_change)
        self.watcher.files_changed.connect(session.read_again)
        self.staged = StagedMode(session, self)
        self.before_close: list[Callable[[], bool]] = []
        """Functions of features to call before the window closes. The first that returns False keeps it open."""
        self.staged_overlay = StagedOverlay(window.scene_view)
        window.keys.turns = self.staged_overlay
        self._connect_session()
        self._connect_views()
        self._connect_clock()
        self._connect_staged()
        self._connect_actions()
        self._connect_camera()
        self.preferences = Preferences(session, window, settings, self.files)
        self.viewpoints = Viewpoints(session, window.scene_view, settings, self)
        self.files.saved.connect(self.viewpoints.keep)
        self.settings_controller = self._make_settings_controller()
        for connect in entries(lambda feature: feature.controllers):
            connect(self)
        self.is_closed = False
        self._facts = QTimer(self, interval=FACTS_MS)
        self._facts.timeout.connect(self._show_facts)
        self._facts.start()
        session.start()

    def _make_settings_controller(self) -> SettingsController:
        preferences = self.preferences
        parts = self.session, self.window, self.settings, self.instruments
        controller = SettingsController(*parts, preferences.set_scale)
        preferences.add_commands(controller.commands)
        preferences.add_finder(self.questions.find_questions)
        preferences.scale_changed.connect(controller.refresh)
        preferences.shown_setting = lambda: controller.shown
        return controller

    def open(self, path: Path) -> None:
        """Open a scene. Ask about unsaved changes first."""
        self.files.open(path)

    # Connections

    def report_opened(self) -> None:
        """Report the document that the window opened with."""
        self.session.report_opened()
        self.opened.emit()

    def _connect_session(self) -> None:
        session, window = self.session, self.window
        session.document_opened.connect(self._on_document_opened)
        session.document_changed.connect(self._on_document_changed)
        session.plan_changed.connect(self._on_plan)
        session.rested.connect(self.plots.show_fine)
        session.data_changed.connect(self.plots.extend)
        session.ticked.connect(self._on_tick)
        session.numbers_due.connect(self._on_numbers)
        session.delay_numbers = self._after_picture.ask
        session.playback_changed.connect(self._on_playback)
        session.problems_changed.connect(self._on_problems)
        session.selection_changed.connect(self._on_selection)
        session.selection_restored.connect(self._on_selection_restored)
        session.status.connect(window.status.show_message)
        session.activity_changed.connect(self._show_activity)
        # Queued, so that the document is complete and the window is visible before the question.
        session.consent_needed.connect(self.files.ask_consent, Qt.ConnectionType.QueuedConnection)

    def _connect_views(self) -> None:
        session, window = self.session, self.window
        view, inspector = window.scene_view, window.inspector
        for picker in (window.outline, inspector, window.problems, inspector.orientation):
            picker.picked.connect(session.select)
        view.picked.connect(self._on_scene_picked)
        view.toggled.connect(window.outline.toggle)
        window.outline.selection_changed.connect(self._outline_selected)
        # Before the session shows the first preview: the record begins with the pose at which the drag began.
        inspector.orientation.edits.previewed.connect(lambda: self.plots.begin_drag(is_in_scene=False))
        view.edits.previewed.connect(lambda: self.plots.begin_drag(is_in_scene=True))
        for editor in (window.outline, inspector, inspector.orientation, view, view.note_drag, window.timeline):
            editor.edits.lead_to(session)
        window.outline.edits.items_committed.connect(self._bring_new_into_view)
        for drag in (inspector.orientation.edits, view.edits):
            drag.committed.connect(self.plots.end_drag)
            drag.cancelled.connect(self.plots.drop_drag)
        inspector.consent_requested.connect(self.files.ask_consent)
        inspector.set_eye(lambda: view.camera.state)
        window.timeline.eye = lambda: view.camera.state
        window.timeline.camera_key_added.connect(view.camera.reset)
        for speaker in (window.outline, inspector.orientation, view, window.timeline):
            speaker.status.connect(window.status.show_message)
        view.tools_changed.connect(self._show_tools)
        view.camera.path_left.connect(self._on_path_left)
        view.camera.switched.connect(self._on_camera_switched)
        window.status.progress.cancelled.connect(session.cancel_simulation)
        window.status.progress.resumed.connect(session.simulate_again)

    def _connect_clock(self) -> None:
        session, timeline = self.session, self.window.timeline
        timeline.play_toggled.connect(self._toggle_play)
        timeline.step.connect(session.step)
        timeline.jumped.connect(session.jump)
        timeline.speed_changed.connect(session.set_speed)
        timeline.loop.clicked.connect(session.set_looping)
        timeline.range_changed.connect(session.set_part)
        timeline.step_size_changed.connect(session.set_step)
        self.window.scene_view.play_toggled.connect(self._toggle_play)
        self.window.scene_view.jumped.connect(session.jump)
        for scrubber in (timeline, self.window.plots):
            scrubber.scrubbed.connect(partial(session.scrub, is_drag=True))
            scrubber.scrub_finished.connect(session.end_scrub)

    def _connect_staged(self) -> None:
        staged, overlay, window = self.staged, self.staged_overlay, self.window
        staged.changed.connect(self._on_staged)
        staged.playing_changed.connect(overlay.bar.set_playing)
        staged.status.connect(window.status.show_message)
        overlay.bar.moved.connect(staged.go_to)
        overlay.bar.stepped.connect(staged.go)
        overlay.bar.play_toggled.connect(staged.toggle_play)
        overlay.turn_axes_chosen.connect(staged.set_turn_axes)
        overlay.bar.left.connect(staged.leave)
        orientation = window.inspector.orientation
        orientation.staged_toggled.connect(self._set_staged)
        orientation.sequence_requested.connect(staged.stand_aside)
        window.plots.turned_to.connect(staged.go_to)
        window.commands.staged.triggered.connect(self._set_staged)

    def _connect_actions(self) -> None:
        session, window, files, actions = self.session, self.window, self.files, self.window.commands
        actions.new.triggered.connect(files.new)
        actions.open.triggered.connect(files.ask_open)
        actions.reload.triggered.connect(files.reload)
        actions.save.triggered.connect(files.save)
        actions.save_as.triggered.connect(files.save_as)
        actions.quit.triggered.connect(window.close)
        pictures = PictureController(session, window, self.exports)
        actions.copy_picture.triggered.connect(pictures.copy)
        actions.save_picture.triggered.connect(pictures.ask)
        actions.undo.triggered.connect(self._undo)
        actions.redo.triggered.connect(self._redo)
        for step in (actions.undo, actions.redo):
            step.triggered.connect(window.inspector.discard_typed)
        actions.play.triggered.connect(self._toggle_play)
        actions.simulate.triggered.connect(session.simulate_again)
        window.close_requested.connect(self._on_close)
        window.files_dropped.connect(files.drop)

    def _connect_camera(self) -> None:
        view, actions = self.window.scene_view, self.window.commands
        camera = view.camera
        actions.fit.triggered.connect(camera.fit)
        actions.authored_camera.triggered.connect(view.camera.reset)
        actions.view.fit_selection.triggered.connect(camera.fit_selection)
        actions.view.parallel.triggered.connect(camera.set_parallel)
        actions.view.handles.triggered.connect(view.set_handles)
        actions.view.measure.triggered.connect(view.set_measuring)
        for preset, action in actions.view.presets.items():
            action.triggered.connect(_plainly(camera.look_from, preset))
        for axis, action in enumerate(actions.view.along):
            action.triggered.connect(_plainly(camera.look_along, axis))
        for mode, action in actions.view.follow.items():
            action.triggered.connect(_plainly(camera.set_follow, mode))
        for axes_of, action in actions.view.axes.items():
            action.triggered.connect(_plainly(view.manipulation.set_axes_of, axes_of))

        for look, action in actions.view.axes_looks.items():
            action.triggered.connect(_plainly(self._set_axes_look, look))
        view.axes_toggled.connect(self._take_next_axes_look)
        actions.view.next_axes_look.triggered.connect(self._take_next_axes_look)

    def _set_axes_look(self, look: AxesLook) -> None:
        if look != axes_look(self.session.document.scene.view):
            self.session.commit(set_axes_look(look))

    def _take_next_axes_look(self) -> None:
        plan = self.session.plan
        self._set_axes_look(next_axes_look(plan.scene.view, are_thin=plan.view_data.has_thin_triads))

    def _show_tools(self) -> None:
        view = self.window.scene_view
        is_parallel = view.camera.state.is_parallel
        handles, follow = view.manipulation, view.camera.follow_mode
        self.window.commands.view.show(is_parallel, handles.is_on, view.measuring.is_on, follow, handles.axes_of)

    # From the session to the views

    def _on_document_opened(self) -> None:
        self._is_new_document = True

    def _on_document_changed(self) -> None:
        document = self.session.document
        self.watcher.watch(document)
        self.window.set_title(document.shown_name, document.is_dirty)
        self.window.commands.set_undo_labels(document.history.undo_label, document.history.redo_label)

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Show a plan. During a gesture, the scene comes first; numbers and curves follow after its picture."""
        window = self.window
        for view in (window.outline, window.timeline, window.scene_view):
            view.set_plan(plan)
        window.commands.view.show_axes_look(axes_look(plan.scene.view))
        if self._is_new_document:
            self._is_new_document = False
            window.scene_view.camera.reset()
            self.viewpoints.restore()
            window.inspector.show_top()
        self._is_plan_behind = is_preview
        if is_preview:
            self._after_picture.ask()
        else:
            self._after_picture.drop()
            self._show_plan(plan, is_preview=False)

    @property
    def is_behind(self) -> bool:
        """Whether numbers and curves of a gesture wait for its picture."""
        return self._after_picture.is_waiting

    def _show_plan(self, plan: Plan, *, is_preview: bool) -> None:
        for panel in (self.window.inspector, self.window.readouts):
            panel.set_plan(plan)
        self.questions.set_plan(plan, is_preview=is_preview)
        self.plots.show(plan, is_preview=is_preview)

    def _show_panels(self) -> None:
        """Show numbers and curves of the running gesture."""
        if self._is_plan_behind:
            self._is_plan_behind = False
            self._show_plan(self.session.plan, is_preview=self.session.is_previewing)
        self.session.show_numbers()

    def _on_tick(self, snapshot: Snapshot, trails: dict[str, Array]) -> None:
        window = self.window
        window.scene_view.show_snapshot(snapshot, trails)
        window.outline.show_snapshot(snapshot)
        window.timeline.set_time(float(snapshot.t))
        self.plots.follow_drag(snapshot)

    def _on_numbers(self, snapshot: Snapshot) -> None:
        window = self.window
        for panel in (window.inspector, window.readouts, self.questions.cards):
            panel.show_snapshot(snapshot)
        window.plots.set_cursor(float(snapshot.t))

    def _on_playback(self, playback: object) -> None:
        timeline, playback = self.window.timeline, self.session.playback
        timeline.set_range(playback.start, playback.end)
        timeline.track.set_part(playback.part)
        self.window.plots.set_region(None if playback.part is None else (*playback.part, "accent"))
        timeline.set_step_size(playback.step_s)
        timeline.set_playing(playback.is_playing or playback.is_following or self.staged.is_playing)
        timeline.set_following(is_live=playback.is_live, is_following=playback.is_following)
        timeline.set_speed(playback.speed)
        timeline.loop.setChecked(playback.is_looping)
        timeline.set_time(playback.t)

    def _on_problems(self, _problems: object) -> None:
        self._show_activity(self.session.simulator.activity)

    def _show_activity(self, activity: Activity) -> None:
        window, progress = self.window, self.window.status.progress
        window.commands.simulate.setEnabled(bool(self.session.simulator.problems(self.session.plan)))
        if activity.state == "running":
            progress.show_running("Simulating", activity.share, activity.time_left)
            self._advise_on_stiffness(activity)
        elif activity.state == "held":
            progress.show_cancelled("Not simulated", "Run the simulation again")
            self.plots.show_fine(self.session.plan)
        else:
            progress.show_nothing()

    def _advise_on_stiffness(self, activity: Activity) -> None:
        """Show once for a run of minutes that a stiff spring makes it slow."""
        jobs = self.session.plan.pending
        if " s " in activity.time_left or not activity.time_left or not jobs or jobs[0] == self._advised:
            return
        from framescope.core.simulation.outlook import stiff_advice

        self._advised = jobs[0]
        advice = stiff_advice(jobs[0].system, jobs[0].settings.method)
        if advice:
            self.window.status.show_message("amber", f"The simulation takes long: the {advice}")

    def _on_path_left(self) -> None:
        self.window.status.show_message("note", PATH_LEFT)

    def _on_camera_switched(self) -> None:
        if self.window.scene_view.renderer.is_on_path:
            self.window.status.show_message("", PATH_LEFT)

    def _on_selection(self, key: ItemKey) -> None:
        window = self.window
        self._after_picture.finish()  # the selected item may exist only in the present plan
        window.outline.set_current(key)
        with kept_focus(window.focus_home):  # the page of another kind would take it
            window.inspector.set_item(key)
        frame = self.session.selected_frame()
        window.readouts.set_frame(frame)
        self.questions.set_item(key)
        window.timeline.set_frame(frame)
        window.scene_view.set_selected_item(key)
        window.scene_view.set_selection(frame or None)
        self._outline_selected(window.outline.tree.selected_keys())
        window.readouts.show_snapshot(self.session.snapshot)

    def _on_selection_restored(self, keys: tuple[ItemKey, ...]) -> None:
        """Select several items again in the outline."""
        self.window.outline.select_again(keys)

    def _outline_selected(self, keys: Sequence[ItemKey]) -> None:
        """Outline the frames of all selected items."""
        scene, shown = self.session.plan.scene, self.window.outline.tree.primary_key()
        self.session.also_selected = tuple(key for key in keys if key != shown)
        frames = dict.fromkeys(frame_of(scene, key) for key in keys if key != shown)
        frames.pop(frame_of(scene, shown), None)
        self.window.scene_view.set_also_selected(tuple(frame for frame in frames if frame))

    def _bring_new_into_view(self, edit: ItemEdit) -> None:
        """Move the camera to the first item that an edit has created, and its mount, if it is outside the picture."""
        frame, camera = self.session.selected_frame(), self.window.scene_view.camera
        if edit.keys and frame not in ("", WORLD):
            self._after_picture.finish()
            parent = self.session.plan.scene.frames[frame].parent
            if camera.is_in_view(frame):
                return
            if parent == WORLD:
                camera.bring_into_view(frame)
            else:
                camera.fit_frames((frame, parent))

    def _on_scene_picked(self, key: ItemKey) -> None:
        """Select the clicked item. A click on the background leaves a staged rotation on."""
        if key != NO_ITEM or not self.staged.is_on:
            self.session.select(key)

    def _on_staged(self, step: StagedRotation | None) -> None:
        self.staged_overlay.show_step(step)
        if step is None:  # once the plots show the scene again
            QTimer.singleShot(0, self, self._show_turns)
        else:
            self._show_turns()
        self.window.commands.staged.setChecked(step is not None)
        orientation = self.window.inspector.orientation
        orientation.set_step(step)
        self.questions.set_staged(step is not None)

    def _show_turns(self) -> None:
        self.window.plots.show_turns(self.staged.step)

    def _show_facts(self) -> None:
        view = self.window.scene_view
        fps = view.drawing.frames_per_second if self.session.playback.is_playing else None
        self.window.status.set_facts(
            len(self.session.plan.scene.frames), fps, view.drawing.short_name, renderer=view.drawing.name
        )

    # Actions of the user

    def _undo(self) -> None:
        """Undo the last edit, or cancel the running gesture. A staged rotation continues with the previous rotation.

        What was typed and refused is the last edit, although the scene never had it.
        """
        if self.window.inspector.has_refused:
            with kept_focus(self.window.focus_home):
                self.window.inspector.discard_refused()
            self.window.status.show_message("good", "Undid what was typed and refused")
        elif self.session.is_previewing and (not self.staged.is_on or self.staged.is_aside):
            self.instruments.stop_previews()
            self.window.inspector.orientation.cancel()
            self.window.scene_view.manipulation.cancel()
            self.session.cancel()
        else:
            with kept_focus(self.window.focus_home):
                self.session.undo()

    def _redo(self) -> None:
        with kept_focus(self.window.focus_home):
            self.session.redo()

    def _toggle_play(self, _is_wanted: bool = True) -> None:
        if self.staged.is_on:
            self.staged.toggle_play()
        else:
            self.session.toggle_play()

    def _set_staged(self, is_on: bool) -> None:
        orientation = self.window.inspector.orientation
        self.staged.set_on(is_on, moving_sequence(orientation.sequence.currentText()))
        if not self.staged.is_on:  # the session refused it
            orientation.set_step(None)
        self.window.commands.staged.setChecked(self.staged.is_on)

    def make_items(self, edit: Edit) -> None:
        """Add the items that an instrument has made to the scene, and select the first."""
        self.compile_ahead.commit(edit, "Putting it into the scene")

    def _fill_dock(self, maker: str) -> None:
        load_entry(maker)(self)

    def finish_gestures(self) -> None:
        """Commit the pending edit and finish all gestures, before a document is saved, closed or left."""
        self.compile_ahead.finish()
        self.staged.leave()
        self.instruments.stop_previews()
        end_typing(self.window)
        self.window.inspector.orientation.finish()
        self.window.scene_view.manipulation.finish()

    def end(self) -> None:
        """Close without questions: save unsaved work for the next start and cancel the export."""
        self.files.settle()
        self.preferences.keep_unsaved()
        self.exports.close()
        self.preferences.user_document().is_handed_back = True
        self.window.close()

    def _on_close(self, event: QCloseEvent) -> None:
        if self.is_closed:  # a late command has reopened the window
            return
        if not all(may_close() for may_close in self.before_close):
            event.ignore()
            return
        if not self.files.may_discard() or not self.exports.may_close():
            event.ignore()
            return
        self.is_closed = True
        self.viewpoints.keep()
        self.files.close()
        self.session.close()
        self._facts.stop()
        self.exports.close()
        self.problems.close()
        self.instruments.close()
        self.preferences.close()
