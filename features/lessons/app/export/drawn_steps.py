"""Steps of a lesson as they are drawn: their plans, also without the answer of a hand, and with the right one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from framescope.core.analysis.staged_rotation import staged_rotation_of
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.core.judging import direction_of, target_of
from framescope.features.lessons.core.schema import Point, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging


@dataclass(frozen=True, eq=False)
class DrawnStep:
    """A step of a lesson.

    Attributes
    ----------
    number
        Which one it is, from 1.
    staging
        What it shows.
    plan
        Of its scene, with the frame of the answer where a hand gives it.
    access
        Which files the scene may read.
    """

    number: int
    staging: Staging
    plan: Plan
    access: Access

    @property
    def end(self) -> float:
        """The time to which it runs, s; that at which it begins where it does not run."""
        play = self.staging.play
        return self.staging.time if play is None else max(play.to.si("time", ("play", "to")), self.staging.time)

    def staged(self) -> Plan:
        """Return the plan that is drawn: its rotation shown turn by turn as far as the step says."""
        staged = self.staging.staged
        if staged is None:
            return self.plan
        try:
            rotation = staged_rotation_of(self.plan, evaluate(self.plan, self.staging.time), staged.frame)
        except ValueError:  # it has none that could be shown so: it stands as it is, as in the window
            return self.plan
        rotation = replace(rotation, turn_axes=staged.axes)
        return self._compiled(rotation.at(staged.turns).edit().apply(self.plan.scene))

    def unanswered(self) -> Plan:
        """Return the plan without the frame that a hand turns, for paper."""
        plan = self.staged()
        return self._compiled(without_answer(plan.scene)) if self.staging.answer else plan

    def answered(self) -> Plan:
        """Return the plan with the right answer in place of the one that a hand would give."""
        question, plan, t = self.staging.question, self.plan, self.staging.time
        if isinstance(question, Turn):
            R = target_of(question, plan).R
        elif isinstance(question, Point):
            R = direction_of(question, plan, t)
        else:
            return self.staged()
        edit = orient_frame(ANSWER, R.T, plan.moment(ANSWER, t), "Showed the right answer")
        return self._compiled(edit.apply(plan.scene))

    def _compiled(self, scene: Scene) -> Plan:
        return compile_plan(scene, access=self.access)


def drawn_step(number: int, staging: Staging, access: Access) -> DrawnStep:
    """Return the step of a number, from 1, with the plan of its scene."""
    return DrawnStep(number, staging, compile_plan(staging.scene, access=access), access)


def without_answer(scene: Scene) -> Scene:
    """Return a scene without the frame of the answer, and without what hangs on it."""
    frames = FrozenDict({name: frame for name, frame in scene.frames.items() if name != ANSWER})
    bodies = FrozenDict({name: body for name, body in scene.bodies.items() if body.frame != ANSWER})
    looks = FrozenDict({name: look for name, look in scene.view.frames.items() if name != ANSWER})
    view = scene.view.model_copy(update={"frames": looks})
    return scene.model_copy(update={"frames": frames, "bodies": bodies, "view": view})
