"""Questions whose answer is a shift: a velocity or an acceleration of one of two frames on a body."""

from __future__ import annotations

from framescope.core.analysis.shifts import Quantity, ShiftKey
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.view import PlottedSignal

_QUANTITIES: dict[str, Quantity] = {"velocity": "velocity", "acceleration": "acceleration"}


def is_shift(plan: Plan, question: PlottedSignal) -> bool:
    """Return whether a shift explains the answer to a question."""
    return shift_of(plan, question) is not None


def shift_of(plan: Plan, question: PlottedSignal) -> ShiftKey | None:
    """Return the shift to the origin of the asked frame from another frame on the same body; None without one.

    The other frame is the one that the question is relative to, if it is on the body, or the frame that moves the body.

    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> turn = {"form": "axis", "axis": "z", "angle": "t", "unit": "rad"}
    >>> frames = {"arm": {"parent": "world", "orientation": turn}, "tip": {"parent": "arm"}}
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    >>> keys = {"of": "tip", "relative_to": "world", "resolved_in": "world"}
    >>> shift = shift_of(plan, PlottedSignal(signal="velocity", **keys))
    >>> shift.frame, shift.other, shift_of(plan, PlottedSignal(signal="angles", of="tip", relative_to="world"))
    ('arm', 'tip', None)
    """
    of, relative_to = question.of or "", question.relative_to or WORLD
    quantity = _QUANTITIES.get(question.signal)
    if quantity is None or question.delay is not None or of not in plan.index or relative_to not in plan.index:
        return None
    body = _body_of(plan, of)
    if body == WORLD:
        return None
    frame = relative_to if relative_to != of and _body_of(plan, relative_to) == body else body
    return None if frame == of else ShiftKey(frame, quantity, other=of)


def _body_of(plan: Plan, name: str) -> str:
    """Return the nearest frame from a frame upwards that moves in its parent, or the world."""
    while name != WORLD:
        motion = plan.tree.motions.get(plan.index[name])
        if motion is not None and not motion.is_constant:
            return name
        name = plan.scene.frames[name].parent
    return WORLD
