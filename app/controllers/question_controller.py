"""Questions: connects the question bar and the cards of answers with the session."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QRect, QTimer, Signal

from framescope.app.session.session import Session
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import SignalTextError, parse_question
from framescope.core.scene.edits.answers import Form, forms_given, give_answer, question_of_sensor, remove_answer
from framescope.core.scene.edits.plots import signals_of, with_keys
from framescope.core.scene.edits.recordings import add_recorded_card, plot_of_column
from framescope.core.scene.schema.model import ItemKey, Scene
from framescope.core.scene.schema.sensors import AbsoluteSensor, RecordedSensor
from framescope.core.scene.schema.view import Plot, PlottedSignal
from framescope.core.system.features import load_entry
from framescope.ui.formatting.item_names import is_by_formula
from framescope.ui.palette.command import Command
from framescope.ui.panels.question.answer_cards import AnswerCards, QuestionPanel
from framescope.ui.panels.question.question_bar import Aim
from framescope.ui.panels.question.question_choices import SignalsOfScene
from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.dock_table import DOCKS
from framescope.ui.window.main_window import MainWindow

SAMPLES = 256
"""Number of times at which the largest magnitude of an arrow is looked for."""

MOST_FOUND = 5
"""Largest number of questions that the search of the window finds."""

STILL_MS = 250
"""Time after the last change of camera, selection or scene at which the cards choose their side, ms."""

BELOW_TOOLS = METRICS.padding + METRICS.button + METRICS.gap
"""Distance of the cards from the upper edge of the scene, below the buttons of the camera, logical pixels."""


class QuestionController(QObject):
    """Controller of the question bar, and of the cards over the scene.

    Signals
    -------
    panel_wanted(str, object)
        The user wants to see a question, a `PlottedSignal`, in a panel, given by the name of its dock.
    """

    panel_wanted = Signal(str, object)

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._is_staged = False
        self._aim_note = ""
        self._signals = SignalsOfScene(session.plan.scene)
        self.wanted: dict[str, PlottedSignal] = {}
        """Question that the user last wanted to see in a panel, by the name of its dock."""
        self.cards = AnswerCards(window.scene_view, _panels())
        self.cards.set_top(BELOW_TOOLS)
        self.cards.taken, self.cards.spoken_of = self._areas_of_others, self._areas_spoken_of
        window.scene_view.hidden_areas = self.cards.opaque_areas
        self._still = QTimer(self, interval=STILL_MS, singleShot=True)
        self._still.timeout.connect(self.cards.choose_side)
        window.scene_view.camera.moved.connect(self._still.start)
        window.scene_view.areas_reserved.connect(self._on_reserved)
        session.selection_changed.connect(self._on_selection)
        window.question.question_changed.connect(self._show_forms)
        window.question.refused.connect(window.status.show_message)
        window.question.aim_dropped.connect(lambda: window.status.show_message("", self._aim_note))
        window.question.asked.connect(self._give)
        window.question.variable_asked.connect(self._give_variable)
        window.plots.signal_wanted.connect(self._ask_for_curve)
        window.commands.ask.triggered.connect(self._ask_anything)
        window.commands.add_plot.triggered.connect(self._ask_for_plot)
        for asker in (window.question, self.cards):
            asker.answer_toggled.connect(self.toggle)
        self.cards.chosen.connect(window.question.set_question)
        self.cards.panel_requested.connect(self.show_in)
        self.cards.moved.connect(self.reserve)
        self.cards.moved.connect(self._still.start)  # also when a dock takes a part of the scene
        window.scene_view.tools_changed.connect(self._place_cards)
        window.presenting_changed.connect(self.cards.set_scale)

    def set_plan(self, plan: Plan, *, is_preview: bool) -> None:
        """Show the answers of a plan; the bar follows after a gesture."""
        self.cards.set_plan(plan)
        self._show_cards()
        if not is_preview:
            self._window.question.set_plan(plan)
            self._show_forms()
            self._still.start()

    def set_item(self, key: ItemKey) -> None:
        """Ask about the selected item; for a sensor with an arrow, and for its fixed frame, what the arrow answers."""
        kind, name = key
        scene, bar = self._session.plan.scene, self._window.question
        sensor = name if kind == "sensors" else sensor_of_fixed_frame(scene, name) if kind == "frames" else ""
        question = question_of_sensor(scene, sensor)
        kind = kind if question is None else "sensors"
        if question is not None:
            bar.set_item(("frames", question.of or ""), kind, question)
        elif kind == "bodies" and name in scene.bodies:
            bar.set_item(("frames", scene.bodies[name].frame))
        else:
            bar.set_item(key)

    def set_staged(self, is_staged: bool) -> None:
        """Hide the cards while a rotation is shown turn by turn, whose captions have their place."""
        self._is_staged = is_staged
        self._show_cards()

    def toggle(self, question: PlottedSignal, form: Form, is_wanted: bool) -> None:
        """Answer a question in a form, or no longer."""
        if not is_wanted:
            self._session.commit(remove_answer(question, form))
        elif form not in forms_given(self._session.document.scene, question):
            largest = self._largest(question) if form == "arrow" else math.nan
            self._session.commit(give_answer(question, form, largest))
            if form == "curve":
                self._window.show_dock("plots")
        self._show_forms()

    def find_questions(self, query: str) -> Iterator[Command]:
        """Yield the commands that answer a typed question, or one that a few words name, with a number."""
        scene = self._session.plan.scene
        try:
            yield self._command(query, parse_question(query, scene))
        except SignalTextError:
            if scene is not self._signals.scene:
                self._signals = SignalsOfScene(scene)
            choices = self._signals.find(query, self._session.selection) if " " in query else []
            for choice in choices[:MOST_FOUND]:
                yield self._command(choice.text, signals_of(choice.plot)[0])

    def _command(self, text: str, question: PlottedSignal) -> Command:
        def answer() -> None:
            self._window.show_dock("question")
            self._window.question.set_question(question)
            self.toggle(question, "number", is_wanted=True)

        return Command(f"Show {text}", "view", run=answer, icon="message-square-text")

    def ask(self, aim: Aim | None = None) -> None:
        """Give the keyboard to the question bar, and show its dock if it is hidden."""
        self._window.show_dock("question")
        if not self._window.question.isEnabled():
            self._window.status.show_message(
                "amber", "There is nothing to ask about yet. Add a frame to the scene first"
            )
            return
        self._window.question.ask(aim)
        if aim is not None:
            self._aim_note = f"Choose or type what you want to see, such as camera velocity. Return adds the {aim.form}"
            self._window.status.show_message("note", self._aim_note)

    def _ask_anything(self, _is_checked: bool) -> None:
        self.ask()

    def _ask_for_plot(self, _is_checked: bool) -> None:
        self.ask(Aim("curve"))

    def _ask_for_curve(self, i_plot: int | None) -> None:
        self.ask(Aim("curve", i_plot))

    def _give(self, question: PlottedSignal, aim: Aim) -> None:
        """Answer a question in the form aimed at; a curve is added even if the scene has one already."""
        if aim.form != "curve":
            self.toggle(question, aim.form, True)
            return
        self._window.plots.add_signal(Plot.model_validate(question.model_dump(exclude_unset=True)), aim.i_plot)
        self._window.show_dock("plots")
        self._show_forms()

    def _give_variable(self, sensor: RecordedSensor, aim: Aim) -> None:
        """Answer with a recorded variable, and ask for the sensor that the scene then has for it."""
        if aim.form == "curve":
            self._window.plots.add_variable(sensor, aim.i_plot)
            self._window.show_dock("plots")
        elif aim.form != "arrow":
            self._session.commit(add_recorded_card(sensor, aim.form))
        plot = plot_of_column(self._session.document.scene, sensor)
        if plot is not None:
            self._window.question.set_question(signals_of(plot)[0])
        self._show_forms()

    def show_in(self, dock: str, question: PlottedSignal) -> None:
        """Show a question in a panel."""
        self.wanted[dock] = question
        self._window.show_dock(dock)
        self.panel_wanted.emit(dock, question)

    def connect_panel(self, dock: str, show: Callable[[PlottedSignal], None]) -> None:
        """Connect a new panel: it shows the questions that cards open in its dock, first the one that created it."""

        def show_own(wanted: str, question: PlottedSignal) -> None:
            if wanted == dock:
                show(question)

        self.panel_wanted.connect(show_own)
        if dock in self.wanted:
            show(self.wanted[dock])

    def _on_selection(self, _key: ItemKey) -> None:
        self._still.start()

    def _on_reserved(self, owner: str) -> None:
        if owner:  # the cards themselves have none
            self._still.start()

    def _areas_of_others(self) -> list[QRect]:
        """Return the areas of the scene that other widgets cover."""
        areas = self._window.scene_view.renderer.reserved_areas
        return [QRect(*map(round, rect)) for owner, rects in areas.items() if owner for rect in rects]

    def _areas_spoken_of(self) -> list[QRect]:
        """Return where the scene shows the frames of the questions and the selected one."""
        renderer, scene = self._window.scene_view.renderer, self._session.document.scene
        names = {card.authored.of or "" for card in self.cards.cards} | {self._session.selected_frame()}
        areas = (renderer.area_of(name) for name in names if name in scene.frames)
        return [QRect(*map(round, area)) for area in areas if area is not None]

    def _place_cards(self) -> None:
        """Put the cards below the tools of the scene, which grow with the choice of axes of the handles."""
        tools = self._window.scene_view.tools
        below_choice = tools.geometry().bottom() + 1 + METRICS.gap if tools.axes.isVisible() else 0
        self.cards.set_top(max(BELOW_TOOLS, below_choice))

    def reserve(self) -> None:
        """Keep names and values of the scene off the cards."""
        if not self._is_staged:
            rect = self.cards.geometry()
            rects = ((rect.x(), rect.y(), rect.width(), rect.height()),) if not self.cards.isHidden() else ()
            self._window.scene_view.reserve_areas(rects)

    def _show_cards(self) -> None:
        self.cards.setVisible(bool(self.cards.cards) and not self._is_staged)
        self.cards.show_time(self._session.playback.t)
        self.reserve()

    def _show_forms(self) -> None:
        question = self._window.question.question
        if question is not None:
            self._window.question.show_forms(forms_given(self._session.document.scene, question))

    def _largest(self, question: PlottedSignal) -> float:
        """Return the largest magnitude of a vector over time, in SI units; NaN if it has none."""
        plan = self._session.plan
        try:
            signal = compile_plot(with_keys(question, components=["norm"]), plan.scene, plan.index)
        except ItemError:
            return math.nan
        values = plot_curves(plan, signal, np.linspace(plan.start, plan.end, SAMPLES)) * signal.factor
        finite = values[np.isfinite(values)]
        return float(finite.max()) if finite.size else math.nan


def _panels() -> tuple[QuestionPanel, ...]:
    """Return the panels that cards open."""
    docks = ((name, dock) for name, dock in DOCKS.items() if dock.answers)
    return tuple(QuestionPanel(name, dock.tab or dock.title, partial(_fits, dock.answers)) for name, dock in docks)


def _fits(predicate: str, plan: Plan, question: PlottedSignal) -> bool:
    return load_entry(predicate)(plan, question)  # imported when a menu first opens


def sensor_of_fixed_frame(scene: Scene, name: str) -> str:
    """Return the first absolute sensor on a frame that is fixed in its parent, such as an IMU; empty without one.

    Relative to its parent such a frame has nothing to tell.

    >>> frames = {"body": {"parent": "world"}, "imu": {"parent": "body"}}
    >>> sensors = {"gyro": {"form": "absolute", "frame_a": "imu", "get_w": True}}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": frames, "sensors": sensors})
    >>> sensor_of_fixed_frame(scene, "imu"), sensor_of_fixed_frame(scene, "body")
    ('gyro', '')
    """
    frame = scene.frames.get(name)
    if frame is None or frame.motion is not None or frame.parent_keys or is_by_formula(frame):
        return ""
    sensors = scene.sensors.items()
    return next((key for key, item in sensors if isinstance(item, AbsoluteSensor) and item.frame_a == name), "")
