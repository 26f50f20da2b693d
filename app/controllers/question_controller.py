"""Questions: connects the question bar and the cards of answers with the session."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QObject, Signal

from framescope.app.session.session import Session
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.edits.answers import Form, forms_given, give_answer, question_of_sensor, remove_answer
from framescope.core.scene.edits.plots import with_keys
from framescope.core.scene.schema.model import WORLD, ItemKey
from framescope.core.scene.schema.view import PlottedSignal
from framescope.ui.panels.question.answer_cards import AnswerCards
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.main_window import MainWindow

SAMPLES = 256
"""Number of times at which the largest magnitude of an arrow is looked for."""

BELOW_TOOLS = METRICS.padding + METRICS.button + METRICS.gap
"""Distance of the cards from the upper edge of the scene, below the buttons of the camera, logical pixels."""


class QuestionController(QObject):
    """Controller of the question bar, and of the cards over the scene.

    Signals
    -------
    relation_wanted(object)
        The user wants to see a relation, a `RelationKey`.
    """

    relation_wanted = Signal(object)

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._is_staged = False
        self.wanted_relation: RelationKey | None = None
        """Relation that the user last wanted to see from a card."""
        self.cards = AnswerCards(window.scene_view)
        self.cards.top = BELOW_TOOLS
        window.question.question_changed.connect(self._show_forms)
        window.question.refused.connect(window.status.show_message)
        for asker in (window.question, self.cards):
            asker.answer_toggled.connect(self.toggle)
        self.cards.chosen.connect(window.question.set_question)
        self.cards.relation_requested.connect(self.show_relation)
        self.cards.moved.connect(self.reserve)
        window.presenting_changed.connect(self.cards.set_scale)

    def set_plan(self, plan: Plan, *, is_preview: bool) -> None:
        """Show the answers of a plan; the bar follows after a gesture."""
        self.cards.set_plan(plan)
        self._show_cards()
        if not is_preview:
            self._window.question.set_plan(plan)
            self._show_forms()

    def set_item(self, key: ItemKey) -> None:
        """Ask about the selected item; for a sensor with an arrow, what the arrow answers."""
        kind, name = key
        scene, bar = self._session.plan.scene, self._window.question
        question = question_of_sensor(scene, name) if kind == "sensors" else None
        if question is not None:
            bar.set_question(question)
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

    def show_relation(self, question: PlottedSignal) -> None:
        """Show the frames of a question in the relation panel."""
        relative_to = question.relative_to or WORLD
        self.wanted_relation = RelationKey(question.of or WORLD, relative_to, question.resolved_in or relative_to)
        self._window.show_dock("relation")
        self.relation_wanted.emit(self.wanted_relation)

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
