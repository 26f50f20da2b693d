"""Answers to the questions of a lesson: taken from the panel and the scene, judged, hinted at, and shown."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.analysis.staged_rotation import GREEK
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.authored_angles import turn_to
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.orientation import orient_frame
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.judging import Verdict
from framescope.features.lessons.core.schema import Choose, NumberQuestion, Point, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging, orientation_of
from framescope.features.lessons.ui.answer_sliders import AnswerSliders
from framescope.features.lessons.ui.lesson_panel import LessonPanel
from framescope.features.lessons.ui.sketch_canvas import SketchCanvas
from framescope.ui.formatting.item_names import unit_text

Play = Callable[[float, float, float], None]


class LessonAnswers(QObject):
    """Judges what is answered in a lesson's panel; `play` lets time run between two moments, so many times as fast.

    The question of a step is the panel's own until `begin` tells of the next one.
    """

    def __init__(self, session: Session, panel: LessonPanel, play: Play) -> None:
        super().__init__(panel)
        self._session, self._panel, self._play = session, panel, play
        self._staging: Staging | None = None
        self._plan = session.plan
        self._n_hints = 0
        self._is_last = False
        panel.checked.connect(self.check)
        panel.hinted.connect(self.hint)
        panel.shown.connect(self.show_right)
        session.plan_changed.connect(self._on_plan)

    def begin(self, staging: Staging, plan: Plan, *, is_last: bool) -> None:
        """Take the question that the panel asks now, of a step whose scene has this plan."""
        self._staging, self._plan, self._is_last, self._n_hints = staging, plan, is_last, 0
        form = self._panel.form
        if form is not None and form.sliders is not None:
            self._take_sliders(form.sliders)
        if isinstance(staging.question, Sketch) and form is not None and form.sketch is not None:
            self._take_sketch(staging.question, form.sketch)

    def end(self) -> None:
        """Take no answers any more."""
        self._staging = None

    def check(self) -> None:
        """Judge the answer, and say what it means."""
        staging, panel = self._staging, self._panel
        verdict = None if staging is None else self._judged(staging)
        if staging is None or verdict is None:
            return
        panel.say(verdict.text or ("That is right." if verdict.is_right else "Not yet."), verdict.is_right)
        if verdict.is_right:
            panel.set_answered(is_answered=True, is_last=self._is_last)
            self._show_what_comes(staging)

    def hint(self) -> None:
        """Give the next hint; after the last one the first again."""
        question = None if self._staging is None else self._staging.question
        if question is not None and question.hints:
            self._panel.give_hint(question.hints[self._n_hints % len(question.hints)])
            self._n_hints += 1

    def show_right(self) -> None:
        """Show the right answer, and what is said to it."""
        staging, form = self._staging, self._panel.form
        if staging is None or staging.question is None or form is None:
            return
        question = staging.question
        said = question.if_right
        match question:
            case Choose():
                i = next(i for i, option in enumerate(question.options) if option.right)
                form.options[i].setChecked(True)
                said = question.options[i].reply or said
            case NumberQuestion() if form.field is not None:
                form.field.setText(f"{question.value:g}")
            case Turn():
                self._turn_answer(judging.target_of(question, self._plan).R)
            case Point():
                self._turn_answer(judging.direction_of(question, self._plan, staging.time))
            case _:
                pass
        self._panel.say(said or "So it is.", True)
        self._panel.set_answered(is_answered=True, is_last=self._is_last)
        self._show_what_comes(staging)

    def _judged(self, staging: Staging) -> Verdict | None:
        """Return the verdict on the answer that there is; None without one."""
        question, form, t = staging.question, self._panel.form, float(self._session.snapshot.t)
        if form is None:
            return None
        match question:
            case Choose() if form.answer is not None:
                return judging.judge_choice(question, int(form.answer))
            case NumberQuestion() if form.answer is not None:
                return judging.judge_number(question, float(form.answer))
            case Turn() if self._has_frame:
                parent = self._session.plan.scene.frames[ANSWER].parent
                answer = orientation_of(self._session.plan, ANSWER, parent, t)
                return judging.judge_turn(question, judging.target_of(question, self._plan), answer)
            case Point() if self._has_frame:
                answer = orientation_of(self._session.plan, ANSWER, question.frame, t)[:, 0]
                return judging.judge_point(question, self._plan, staging.time, answer)
            case Sketch() if form.sketch is not None:
                times = form.sketch.times
                thoughts = judging.thoughts_of_curve(question, self._plan, times)
                right = judging.curve_of(question, self._plan, times)
                return judging.judge_sketch(question, right, form.sketch.values, thoughts)
            case _:
                return None

    def _show_what_comes(self, staging: Staging) -> None:
        """Let time run as the step has it, or to where its question asks for."""
        question, form = staging.question, self._panel.form
        if staging.play is not None:
            self._play(staging.time, staging.play.to.si("time", ("play", "to")), staging.play.speed)
        if isinstance(question, Turn) and question.at is not None:
            self._play(staging.time, question.at.si("time", ("question", "at")), 1.0)
        if isinstance(question, Sketch) and form is not None and form.sketch is not None:
            form.sketch.show_right(judging.curve_of(question, self._plan, form.sketch.times))
            self._play(question.start.si("time", ()), question.end.si("time", ()), 1.0)

    # What a hand turns, and draws

    @property
    def _has_frame(self) -> bool:
        return ANSWER in self._session.plan.scene.frames

    def _turn_answer(self, R: Array) -> None:
        """Turn the frame of the answer to an orientation in its parent."""
        session = self._session
        if self._has_frame:
            moment = session.plan.moment(ANSWER, float(session.snapshot.t))
            session.commit(orient_frame(ANSWER, R.T, moment, "Showed the right answer"))

    def _take_sliders(self, sliders: AnswerSliders) -> None:
        sliders.previewed.connect(self._preview_slid)
        sliders.committed.connect(self._commit_slid)
        sliders.cancelled.connect(self._session.cancel)
        self._show_sliders()

    def _preview_slid(self, i: int, deg: float) -> None:
        self._session.preview(self._slid(i, deg), pauses=True)

    def _commit_slid(self, i: int, deg: float) -> None:
        self._session.commit(self._slid(i, deg))

    def _slid(self, i: int, deg: float) -> Edit:
        """Return the edit that gives the answer one of its angles, degrees."""
        return turn_to(ANSWER, i, math.radians(deg), float(self._session.snapshot.t), f"Set {GREEK[i]} of {ANSWER}")

    def _show_sliders(self) -> None:
        """Show the angles of what a hand turns."""
        plan, form = self._session.plan, self._panel.form
        sequence = plan.sequence(ANSWER) if ANSWER in plan.index else None
        if form is None or form.sliders is None or sequence is None:
            return
        found = plan.angles(ANSWER, float(self._session.snapshot.t))
        if found is not None:
            form.sliders.show_angles(sequence, found[0])

    def _take_sketch(self, question: Sketch, sketch: SketchCanvas) -> None:
        span = question.start.si("time", ()), question.end.si("time", ())
        values = judging.curve_of(question, self._plan, np.linspace(*span, len(sketch.values)))
        sketch.set_axes(span, judging.range_of(values), unit_text(judging.unit_of(question, self._plan)))

    def _on_plan(self, _plan: Plan, _is_preview: bool) -> None:
        """Take back what was said to an answer that is turned by hand, as it is another one now."""
        if self._staging is not None and self._staging.answer:
            self._panel.clear_replies()
            self._show_sliders()
