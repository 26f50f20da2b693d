"""Answers to the questions of a lesson: read them from panel and scene, judge them, give hints, show the right one."""

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
from framescope.features.lessons.app.export.answers import number_text
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.judging import Verdict
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging, orientation_of
from framescope.features.lessons.ui.answer_sliders import AnswerSliders
from framescope.features.lessons.ui.lesson_panel import LessonPanel
from framescope.features.lessons.ui.sketch_canvas import SketchCanvas
from framescope.ui.formatting.item_names import unit_text

Play = Callable[[float, float, float], None]


class LessonAnswers(QObject):
    """Judge of the answers in the panel of a lesson.

    `play` plays the scene from one time to another, s, at a speed relative to real time. `begin` sets the question.
    """

    def __init__(self, session: Session, panel: LessonPanel, play: Play) -> None:
        super().__init__(panel)
        self._session, self._panel, self._play = session, panel, play
        self._staging: Staging | None = None
        self._plan = session.plan
        self._n_hints = 0
        self._is_last = False
        self.is_answered = False
        """Whether the right answer was given or shown."""
        panel.checked.connect(self.check)
        panel.hinted.connect(self.hint)
        panel.shown.connect(self.show_right)
        session.plan_changed.connect(self._on_plan)

    def begin(self, staging: Staging, plan: Plan, *, is_last: bool) -> None:
        """Set the step whose question the panel shows, and the plan of its scene."""
        self._staging, self._plan, self._is_last, self._n_hints = staging, plan, is_last, 0
        self.is_answered = staging.question is None
        form = self._panel.form
        if form is not None and form.sliders is not None:
            self._connect_sliders(form.sliders)
        if isinstance(staging.question, Sketch) and form is not None and form.sketch is not None:
            self._set_up_sketch(staging.question, form.sketch)

    def take_plan(self, plan: Plan) -> None:
        """Take over the plan of the step with the result of its simulation."""
        self._plan = plan
        question, form = None if self._staging is None else self._staging.question, self._panel.form
        if isinstance(question, Sketch) and form is not None and form.sketch is not None:
            self._set_up_sketch(question, form.sketch)

    def end(self) -> None:
        """Stop accepting answers."""
        self._staging = None

    def check(self) -> None:
        """Judge the answer and show the verdict."""
        staging, panel = self._staging, self._panel
        if self._must_wait():
            return
        verdict = None if staging is None else self._judge(staging)
        if staging is None or verdict is None:
            return
        panel.say(verdict.text or ("That is right." if verdict.is_right else "Not yet."), verdict.is_right)
        if verdict.is_right:
            self.is_answered = True
            panel.set_answered(is_answered=True, is_last=self._is_last)
            self._play_outcome(staging)

    def hint(self) -> None:
        """Show the next hint. The first follows the last."""
        question = None if self._staging is None else self._staging.question
        if question is not None and question.hints:
            self._panel.give_hint(question.hints[self._n_hints % len(question.hints)])
            self._n_hints += 1

    def show_right(self) -> None:
        """Show the right answer and the reply to it."""
        staging, form = self._staging, self._panel.form
        if staging is None or staging.question is None or form is None or self._must_wait():
            return
        question = staging.question
        reply = question.if_right
        match question:
            case Choose():
                i = next(i for i, option in enumerate(question.options) if option.right)
                form.options[i].setChecked(True)
                reply = question.options[i].reply or reply
            case NumberQuestion() if form.field is not None:
                form.field.setText(number_text(question.value))
            case Turn():
                self._turn_answer(judging.target_of(question, self._plan).R)
            case PointQuestion():
                self._turn_answer(judging.direction_of(question, self._plan, staging.time))
            case _:
                pass
        self.is_answered = True
        self._panel.say(reply or "This is the right answer.", True)
        self._panel.set_answered(is_answered=True, is_last=self._is_last)
        self._play_outcome(staging)

    def _must_wait(self) -> bool:
        """Return whether the right answer may depend on a simulation that still runs, and tell the user so."""
        staging = self._staging
        match None if staging is None else staging.question:
            case Sketch():
                is_later = True
            case Turn() as question:
                is_later = question.at is not None
            case PointQuestion() if staging is not None:
                is_later = staging.time > self._plan.start  # bodies have their poses at the start without a simulation
            case _:
                is_later = False
        is_waiting = is_later and bool(self._plan.pending)
        if is_waiting:
            self._panel.give_hint("The simulation of this step still runs: try again in a moment.")
        return is_waiting

    def _judge(self, staging: Staging) -> Verdict | None:
        """Judge the current answer; return None if there is none."""
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
            case PointQuestion() if self._has_frame:
                answer = orientation_of(self._session.plan, ANSWER, question.frame, t)[:, 0]
                return judging.judge_point(question, self._plan, staging.time, answer)
            case Sketch() if form.sketch is not None:
                times = form.sketch.times
                thoughts = judging.thoughts_of_curve(question, self._plan, times)
                right = judging.curve_of(question, self._plan, times)
                return judging.judge_sketch(question, right, form.sketch.values, thoughts)
            case _:
                return None

    def _play_outcome(self, staging: Staging) -> None:
        """Play the scene as the step defines, or over the times of its question."""
        question, form = staging.question, self._panel.form
        if staging.play is not None:
            self._play(staging.time, staging.play.to.si("time", ("play", "to")), staging.play.speed)
        if isinstance(question, Turn) and question.at is not None:
            self._play(staging.time, question.at.si("time", ("question", "at")), 1.0)
        if isinstance(question, Sketch) and form is not None and form.sketch is not None:
            form.sketch.show_right(judging.curve_of(question, self._plan, form.sketch.times))
            self._play(question.start.si("time", ()), question.end.si("time", ()), 1.0)

    # Answers by dragging and drawing

    @property
    def _has_frame(self) -> bool:
        return ANSWER in self._session.plan.scene.frames

    def _turn_answer(self, R: Array) -> None:
        """Rotate the frame of the answer to an orientation in its parent."""
        session = self._session
        if self._has_frame:
            moment = session.plan.moment(ANSWER, float(session.snapshot.t))
            session.commit(orient_frame(ANSWER, R.T, moment, "Showed the right answer"))

    def _connect_sliders(self, sliders: AnswerSliders) -> None:
        sliders.previewed.connect(self._preview_angle)
        sliders.committed.connect(self._commit_angle)
        sliders.cancelled.connect(self._session.cancel)
        self._show_sliders()

    def _preview_angle(self, i: int, deg: float) -> None:
        self._session.preview(self._angle_edit(i, deg), pauses=True)

    def _commit_angle(self, i: int, deg: float) -> None:
        self._session.commit(self._angle_edit(i, deg))

    def _angle_edit(self, i: int, deg: float) -> Edit:
        """Return the edit that sets one angle of the answer, degrees."""
        return turn_to(ANSWER, i, math.radians(deg), float(self._session.snapshot.t), f"Set {GREEK[i]} of {ANSWER}")

    def _show_sliders(self) -> None:
        """Show the angles of the answer's frame on the sliders."""
        plan, form = self._session.plan, self._panel.form
        sequence = plan.sequence(ANSWER) if ANSWER in plan.index else None
        if form is None or form.sliders is None or sequence is None:
            return
        motion = plan.angles(ANSWER, float(self._session.snapshot.t))
        if motion is not None:
            form.sliders.show_angles(sequence, motion[0])

    def _set_up_sketch(self, question: Sketch, sketch: SketchCanvas) -> None:
        span = question.start.si("time", ()), question.end.si("time", ())
        values = judging.curve_of(question, self._plan, np.linspace(*span, len(sketch.values)))
        sketch.set_axes(span, judging.range_of(values), unit_text(judging.unit_of(question, self._plan)))

    def _on_plan(self, _plan: Plan, _is_preview: bool) -> None:
        """Clear the replies when the user rotates the answer."""
        if self._staging is not None and self._staging.answer:
            self._panel.clear_replies()
            self._show_sliders()
