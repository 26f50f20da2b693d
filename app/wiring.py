"""Who hears whom: every connection between the session and the views, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from framescope import assets
from framescope.app.picturing import Picturing
from framescope.app.scenes import example_names, example_path
from framescope.app.session import Session
from framescope.app.settings import Settings
from framescope.app.simulating import Activity
from framescope.core.arrays import Array
from framescope.core.errors import Problem
from framescope.core.evaluate import Plan
from framescope.core.snapshot import Snapshot
from framescope.ui import appearance
from framescope.ui.consent import ConsentDialog
from framescope.ui.main_window import LAYOUT_VERSION, MainWindow
from framescope.ui.panels.wording import ItemKey
from framescope.ui.plot_content import COARSE, FINE, plot_contents
from framescope.ui.theme import DARK, LIGHT, Theme

FILTER = "Scenes (*.yaml *.yml *.json);;All files (*)"
FACTS_MS = 500


Value = TypeVar("Value")


def _plainly(do: Callable[[Value], None], value: Value) -> Callable[[], None]:
    """Return a slot that does something with a value, whatever else the signal says."""
    return lambda: do(value)


class Wiring(QObject):
    """Connects one session with one window, and remembers the layout when the window closes."""

    def __init__(self, session: Session, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        session.setParent(self)
        self.session = session
        self.window = window
        self.settings = settings
        self._is_new_document = True
        self._listed_faults: tuple[Problem, ...] | None = None  # not listed yet: a remembered layout may be wrong
        self._connect_session()
        self._connect_views()
        self._connect_actions()
        self._facts = QTimer(self, interval=FACTS_MS)
        self._facts.timeout.connect(self._show_facts)
        self._facts.start()
        self._restore_layout()
        window.set_theme_icon(appearance.current().is_dark)
        session.start()

    # Connections

    def _connect_session(self) -> None:
        session, window = self.session, self.window
        session.document_opened.connect(self._on_document_opened)
        session.document_changed.connect(self._on_document_changed)
        session.plan_changed.connect(self._on_plan)
        session.rested.connect(self._on_rested)
        session.ticked.connect(self._on_tick)
        session.playback_changed.connect(self._on_playback)
        session.problems_changed.connect(self._on_problems)
        session.selection_changed.connect(self._on_selection)
        session.said.connect(window.status.say)
        session.activity_changed.connect(self._show_activity)
        # When the present event is dealt with: a document is whole and the window is shown before it asks.
        session.consent_needed.connect(self._ask_consent, Qt.ConnectionType.QueuedConnection)

    def _connect_views(self) -> None:
        session, window = self.session, self.window
        window.outline.picked.connect(session.select)
        window.inspector.picked.connect(session.select)
        window.problems.picked.connect(session.select)
        view = window.scene_view
        view.picked.connect(session.select)
        view.previewed.connect(session.preview)
        view.committed.connect(session.commit)
        view.cancelled.connect(session.cancel)
        view.said.connect(window.status.say)
        view.tools_changed.connect(self._show_tools)
        window.scene_view.play_toggled.connect(session.toggle_play)
        orientation = window.inspector.orientation
        orientation.previewed.connect(session.preview)
        orientation.committed.connect(session.commit)
        orientation.cancelled.connect(session.cancel)
        timeline = window.timeline
        timeline.play_toggled.connect(session.toggle_play)
        timeline.step.connect(session.step)
        window.status.progress.cancelled.connect(session.cancel_simulation)
        window.status.progress.resumed.connect(session.simulate_again)
        window.scene_view.path_left.connect(self._on_path_left)
        timeline.jumped.connect(session.jump)
        timeline.speed_changed.connect(session.set_speed)
        timeline.loop_toggled.connect(session.set_looping)
        for scrubber in (timeline, window.plots):
            scrubber.scrubbed.connect(session.scrub)
            scrubber.scrub_finished.connect(session.end_scrub)

    def _connect_actions(self) -> None:
        session, window = self.session, self.window
        window.open.triggered.connect(self._ask_open)
        window.save.triggered.connect(self.save)
        window.save_as.triggered.connect(self.save_as)
        window.quit.triggered.connect(window.close)
        picturing = Picturing(session, window)
        window.copy_picture.triggered.connect(picturing.copy)
        window.save_picture.triggered.connect(picturing.ask)
        window.undo.triggered.connect(self._undo)
        window.redo.triggered.connect(session.redo)
        window.play.triggered.connect(session.toggle_play)
        window.fit.triggered.connect(window.scene_view.camera.fit)
        window.authored_camera.triggered.connect(window.scene_view.reset_camera)
        self._connect_camera()
        window.simulate.triggered.connect(session.simulate_again)
        window.theme.triggered.connect(self._switch_theme)
        window.about.triggered.connect(self._about)
        window.close_asked.connect(self._on_close)
        window.files_dropped.connect(self._on_drop)
        for name in example_names():
            window.examples.addAction(name).triggered.connect(partial(self._open_example, name))

    def _connect_camera(self) -> None:
        view, actions = self.window.scene_view, self.window.view_actions
        camera = view.camera
        actions.fit_selection.triggered.connect(camera.fit_selection)
        actions.parallel.triggered.connect(camera.set_parallel)
        actions.handles.triggered.connect(view.set_handles)
        actions.measure.triggered.connect(view.set_measuring)
        for preset, action in actions.presets.items():
            action.triggered.connect(_plainly(camera.look_from, preset))
        for axis, action in enumerate(actions.along):
            action.triggered.connect(_plainly(camera.look_along, axis))
        for mode, action in actions.follow.items():
            action.triggered.connect(_plainly(camera.set_follow, mode))
        for axes_of, action in actions.axes.items():
            action.triggered.connect(_plainly(view.hand.set_axes_of, axes_of))

    def _show_tools(self) -> None:
        view = self.window.scene_view
        is_parallel = view.camera_state().is_parallel
        self.window.view_actions.show(
            is_parallel, view.hand.is_on, view.measuring.is_on, view.camera.follow_mode, view.hand.axes_of
        )

    # From the session to the views

    def _on_document_opened(self) -> None:
        self._is_new_document = True

    def _on_document_changed(self) -> None:
        document = self.session.document
        self.window.set_title(document.name, document.is_dirty)
        self.window.set_undo_labels(document.history.undo_label, document.history.redo_label)

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        window = self.window
        window.outline.set_plan(plan)
        window.inspector.set_plan(plan)
        window.readouts.set_plan(plan)
        window.scene_view.set_scene(plan.scene, plan)
        if self._is_new_document:
            self._is_new_document = False
            window.scene_view.reset_camera()
        self._show_curves(plan, COARSE if is_preview else FINE)

    def _on_rested(self, plan: Plan) -> None:
        self._show_curves(plan, FINE)

    def _show_curves(self, plan: Plan, n_samples: int) -> None:
        self.window.plots.set_plots(plot_contents(plan, n_samples), (plan.start, plan.end))
        self.window.plots.set_cursor(self.session.playback.t)

    def _on_tick(self, snapshot: Snapshot, trails: dict[str, Array]) -> None:
        window = self.window
        window.scene_view.show_snapshot(snapshot, trails)
        window.inspector.show_snapshot(snapshot)
        window.readouts.show_snapshot(snapshot)
        window.timeline.set_time(float(snapshot.t))
        window.plots.set_cursor(float(snapshot.t))

    def _on_playback(self, playback: object) -> None:
        timeline, playback = self.window.timeline, self.session.playback
        timeline.set_range(playback.start, playback.end)
        timeline.set_playing(playback.is_playing)
        timeline.set_speed(playback.speed)
        timeline.set_loop(playback.is_looping)
        timeline.set_time(playback.t)

    def _on_problems(self, problems: Sequence[Problem]) -> None:
        window = self.window
        window.problems.set_problems(problems)
        window.outline.set_problems(self.session.problems)
        faults = tuple(problem for problem in problems if problem.severity != "note")
        if faults != self._listed_faults:
            window.show_problems(bool(faults))
            self._listed_faults = faults
        self._show_activity(self.session.simulator.activity)

    def _show_activity(self, activity: Activity) -> None:
        window, progress = self.window, self.window.status.progress
        window.simulate.setEnabled(bool(self.session.simulator.problems(self.session.plan)))
        if activity.state == "running":
            progress.show_running("Simulating", activity.share)
        elif activity.state == "held":
            progress.show_held("Not simulated", "Run the simulation again")
        else:
            progress.show_nothing()

    def _on_path_left(self) -> None:
        self.window.status.say("note", "The camera has left its path. Home puts it back")

    def _on_selection(self, key: ItemKey) -> None:
        window = self.window
        window.outline.set_current(key)
        window.inspector.set_item(key)
        frame = self.session.selected_frame()
        window.readouts.set_frame(frame)
        window.scene_view.set_selected_item(key)
        window.scene_view.set_selection(frame or None)
        window.inspector.show_snapshot(self.session.snapshot)
        window.readouts.show_snapshot(self.session.snapshot)

    def _show_facts(self) -> None:
        view = self.window.scene_view
        fps = view.frames_per_second if self.session.playback.is_playing else None
        self.window.status.set_facts(len(self.session.plan.scene.frames), fps, view.renderer_name)

    # What a person does

    def _undo(self) -> None:
        """Take the last step back; during a gesture, only the gesture."""
        if self.session.is_previewing:
            self.window.inspector.orientation.cancel()
            self.window.scene_view.cancel()
        else:
            self.session.undo()

    def open(self, path: Path) -> None:
        """Open a scene, after unsaved changes were dealt with."""
        if self._may_discard():
            self.session.open(path)

    def _open_example(self, name: str, _is_checked: bool = False) -> None:
        self.open(example_path(name))

    def save(self) -> bool:
        """Save; a new scene and an example are saved under a name of one's own. Return whether it was saved."""
        self._finish_gestures()
        document = self.session.document
        if document.path is None or document.is_example:
            return self.save_as()
        return self.session.save(document.path)

    def save_as(self) -> bool:
        """Ask for a name and save; return whether it was saved."""
        document = self.session.document
        folder = Path.home() if document.folder is None or document.is_example else document.folder
        chosen, _ = QFileDialog.getSaveFileName(self.window, "Save the scene", str(folder / document.name), FILTER)
        if not chosen:
            return False
        path = Path(chosen)
        if not path.suffix:
            # The dialog asked about the name without its ending.
            path = path.with_suffix(".yaml")
            if path.exists() and not self._may_replace(path):
                return False
        return self.session.save(path)

    def _may_replace(self, path: Path) -> bool:
        buttons = QMessageBox.StandardButton
        text = f"{path.name} is there already. Replace it?"
        return QMessageBox.question(self.window, "Save the scene", text, buttons.Yes | buttons.No) == buttons.Yes

    def _ask_open(self) -> None:
        folder = self.session.document.folder
        start = Path.home() if folder is None or self.session.document.is_example else folder
        chosen, _ = QFileDialog.getOpenFileName(self.window, "Open a scene", str(start), FILTER)
        if chosen:
            self.open(Path(chosen))

    def _on_drop(self, paths: list[str]) -> None:
        self.open(Path(paths[0]))

    def _ask_consent(self, names: tuple[str, ...]) -> None:
        """Ask about files outside the document's folder; the answer is for this document, as long as it is open."""
        document = self.session.document

        def take(is_allowed: bool) -> None:
            if is_allowed and self.session.document is document:
                self.session.allow_outside(names)

        dialog = ConsentDialog(document.name, names, self.window)
        dialog.answered.connect(take)
        dialog.open()

    def _finish_gestures(self) -> None:
        self.window.inspector.orientation.finish()
        self.window.scene_view.finish()

    def _may_discard(self) -> bool:
        """Ask once what to do with unsaved changes; return whether to go on."""
        self._finish_gestures()
        if not self.session.document.is_dirty or self.session.document.is_handed_back:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.window,
            "Unsaved changes",
            f"Save the changes to {self.session.document.name}?",
            buttons.Save | buttons.Discard | buttons.Cancel,
            buttons.Save,
        )
        if answer == buttons.Save:
            return self.save()
        return answer == buttons.Discard

    def _on_close(self, event: QCloseEvent) -> None:
        if not self._may_discard():
            event.ignore()
            return
        self.session.close()
        self._facts.stop()
        self.settings.geometry = self.window.saveGeometry()
        self.settings.layout = self.window.saveState(LAYOUT_VERSION)

    def _switch_theme(self) -> None:
        theme: Theme = LIGHT if appearance.current().is_dark else DARK
        app = QApplication.instance()
        if isinstance(app, QApplication):
            appearance.apply_theme(app, theme)
        self.settings.theme = theme
        self.window.scene_view.set_theme(theme)
        self.window.set_theme_icon(theme.is_dark)

    def _about(self) -> None:
        from importlib.metadata import version

        text = (
            f"Framescope {version('framescope')}\n\n"
            "See, check and export rotations and reference frames. MIT licence.\n\n"
            f"Fonts, icons and data under their own licences: {assets.path('third_party')}"
        )
        QMessageBox.about(self.window, "About Framescope", text)

    def _restore_layout(self) -> None:
        if self.settings.geometry is not None:
            self.window.restoreGeometry(self.settings.geometry)
        if self.settings.layout is not None:
            self.window.restoreState(self.settings.layout, LAYOUT_VERSION)
