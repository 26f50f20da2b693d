"""Steps of a lesson for exporters: their plans, without the user's answer and with the right one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from framescope.core.analysis.staged_rotation import staged_rotation_of
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.core.judging import direction_of, target_of
from framescope.features.lessons.core.schema import PointQuestion, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging


@dataclass(frozen=True, eq=False)
class DrawnStep:
    """Step of a lesson with its compiled scene.

    Attributes
    ----------
    number
        Number of the step, from 1.
    staging
        State of the window at the step.
    plan
        Plan of the scene, with the frame of the answer if the user rotates one.
    access
        Files that the scene may read.
    """

    number: int
    staging: Staging
    plan: Plan
    access: Access

    @property
    def end(self) -> float:
        """Time at which the playback of the step ends, s; its initial time if there is no playback."""
        play = self.staging.play
        return self.staging.time if play is None else max(play.to.si("time", ("play", "to")), self.staging.time)

    def staged_plan(self) -> Plan:
        """Return the plan with the rotation of the step, shown turn by turn, at its number of turns."""
        staged = self.staging.staged
        if staged is None:
            return self.plan
        try:
            rotation = staged_rotation_of(self.plan, evaluate(self.plan, self.staging.time), staged.frame)
        except ValueError:  # the frame has no such rotation: unchanged, as in the window
            return self.plan
        rotation = replace(rotation, turn_axes=staged.axes)
        return self._compile(rotation.at(staged.turns).edit().apply(self.plan.scene))

    def unanswered_plan(self) -> Plan:
        """Return the plan without the frame of the answer, for paper."""
        plan = self.staged_plan()
        return self._compile(without_answer(plan.scene)) if self.staging.answer else plan

    def answered_plan(self) -> Plan:
        """Return the plan with the frame of the answer at the right orientation."""
        question, plan, t = self.staging.question, self.plan, self.staging.time
        if isinstance(question, Turn):
            R = target_of(question, plan).R
        elif isinstance(question, PointQuestion):
            R = direction_of(question, plan, t)
        else:
            return self.staged_plan()
        edit = orient_frame(ANSWER, R.T, plan.moment(ANSWER, t), "Showed the right answer")
        return self._compile(edit.apply(plan.scene))

    def _compile(self, scene: Scene) -> Plan:
        return compile_plan(scene, access=self.access)


def drawn_step(number: int, staging: Staging, access: Access) -> DrawnStep:
    """Compile the scene of step `number`, from 1."""
    return DrawnStep(number, staging, compile_plan(staging.scene, access=access), access)


def without_answer(scene: Scene) -> Scene:
    """Remove the frame of the answer and its bodies from a scene."""
    frames = FrozenDict({name: frame for name, frame in scene.frames.items() if name != ANSWER})
    bodies = FrozenDict({name: body for name, body in scene.bodies.items() if body.frame != ANSWER})
    looks = FrozenDict({name: look for name, look in scene.view.frames.items() if name != ANSWER})
    view = scene.view.model_copy(update={"frames": looks})
    return scene.model_copy(update={"frames": frames, "bodies": bodies, "view": view})
