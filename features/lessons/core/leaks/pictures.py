"""Arrows, lights, names and frames in the picture that tell a direction or an orientation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.relative_motion import relative_orientations
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.signal_kinds import ANGLE_SIGNALS
from framescope.core.scene.schema.signals import components_of
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.leaks.shown import shown_signals
from framescope.features.lessons.core.leaks.subject import Leak, Subject
from framescope.features.lessons.core.leaks.words import XYZ, has_phrase, phrase_of, stems, words_of
from framescope.features.lessons.core.lights import AXLES
from framescope.features.lessons.core.misconceptions import matrix_of_angles
from framescope.features.lessons.core.schema import Choose, PointQuestion, Turn
from framescope.features.lessons.core.staging import ANSWER

ORIENTATION_SIGNALS = frozenset({"angles", *ANGLE_SIGNALS, "quaternion", "rotation angle"})
"""Signals from which an orientation can be read."""


def pictures_that_tell(subject: Subject) -> Iterator[Leak]:
    """Yield the things in the picture that tell a right direction or a right orientation."""
    question = subject.question
    if isinstance(question, Choose):
        yield from _lights_that_choose(subject)
    if isinstance(question, PointQuestion):
        yield from _arrows_along(subject)
        yield from _vectors_along(subject)
        yield from _names_along(subject, question)
    if isinstance(question, Turn):
        yield from _frames_at_target(subject, question)
        yield from _orientations_at_target(subject, question)


def _lights_that_choose(subject: Subject) -> Iterator[Leak]:
    """Yield lit frames, axes and arrows that only the right option names, where wrong options name others."""
    right, wrong = words_of(subject.options[0]), words_of(" ".join(subject.options[1]))
    right, wrong = right - wrong, wrong - right
    moment, scene = subject.staging.step.moment, subject.plan.scene
    known = {word for name in (*scene.frames, *XYZ) for word in words_of(name)}
    for key, names in (("lit", moment.lit or ()), ("light", (moment.light,))):
        lit = words_of(" ".join(names))
        if right & lit and not wrong & lit and wrong & known:
            what = "shows what only the right answer names"
            yield Leak(f"{key}: {', '.join(names)}", what, f"Leave {key}: out, or light all that the options name.")


def _arrows_along(subject: Subject) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    snapshot = evaluate(plan, t)
    what = "points along the answer"
    for name, arrows in snapshot.arrows.items():
        if any(subject.is_along(arrow.vector_W) for arrow in arrows.values()):
            yield Leak(f'the arrow of "{name}"', what, f"Add {name} to hide: in this step.")
    for body in plan.view_data.bodies:
        axis_W = snapshot.R_WF[body.i_frame] @ body.R_FB[:, 2]
        if body.kind in ("arrow", "cone") and not body.name.startswith(ANSWER) and subject.is_along(axis_W):
            yield Leak(f'the body "{body.name}"', what, f"Add {body.name} to hide: in this step.")
    simulation = plan.instruments.simulation
    if plan.view_data.forces is not None and simulation is not None:
        for name, force in simulation.port_forces(np.array([t])).items():
            if force.size == len(XYZ) and subject.is_along(force.reshape(3)):
                yield Leak(f'the force at "{name}"', what, "Add forces to hide: in this step.")


def _names_along(subject: Subject, question: PointQuestion) -> Iterator[Leak]:
    """Yield a lit axis along the answer, and names of frames in this direction that have a word of the question."""
    plan, t = subject.plan, subject.staging.time
    snapshot, view_data = evaluate(plan, t), plan.view_data
    asked = stems(f"{subject.staging.step.title} {question.ask}")
    light = subject.staging.step.moment.light
    n_W = _lit_direction(light, plan, t) if light else None
    if n_W is not None and (subject.is_along(n_W) or subject.is_along(-n_W)):
        yield Leak(f"the light on {light}", "is along the answer", "Leave light: out of this step.")
    for name, i in plan.index.items():
        is_named = (
            bool(view_data.has_label[i])
            and not bool(view_data.is_hidden[i])
            and (bool(stems(name) & asked) or (" " in name and has_phrase(question.ask, phrase_of(name))))
        )
        if is_named and name not in (WORLD, ANSWER, question.frame, question.resolved_in):
            r_W = snapshot.p_WF[i] - snapshot.p_WF[plan.index[question.frame]]
            if subject.is_along(r_W) or subject.is_along(-r_W):
                fix = f"Rename it, or add {name} to hide: in this step."
                yield Leak(f'the name "{name}"', "is that of what the question asks for, and in its direction", fix)


def _lit_direction(light: str, plan: Plan, t: float) -> Array | None:
    """Return the direction (3,) in world of a lit axis of a frame or axle of a gimbal; None for an arrow."""
    kind, _, owner = light.partition(" of ")
    sequence = plan.sequence(owner) if owner in plan.index else None
    if owner not in plan.index or not (kind in XYZ or (kind in AXLES and sequence is not None)):
        return None
    snapshot, row = evaluate(plan, t), plan.index[owner]
    if kind in XYZ or sequence is None:
        return snapshot.R_WF[row][:, XYZ.index(kind)]
    turn = AXLES.index(kind)
    angles = plan.turn_angles(owner, sequence, snapshot)[0]
    before = matrix_of_angles(sequence, np.where(np.arange(3) < turn, angles, 0.0))
    return snapshot.R_WF[plan.tree.parents[row]] @ before[:, XYZ.index(sequence[turn].lower())]


def _vectors_along(subject: Subject) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    snapshot = evaluate(plan, t)
    for where, fix, signal in shown_signals(plan):
        if components_of(signal, plan.scene).every[:3] == XYZ and signal.resolved_in in plan.index:
            v = plot_curves(plan, replace(signal, components=XYZ), np.array([t]))[0]
            if subject.is_along(snapshot.R_WF[plan.index[signal.resolved_in]] @ v):
                yield Leak(where, "has the components of the answer", fix)


def _frames_at_target(subject: Subject, question: Turn) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    parent, view_data, snapshot = plan.scene.frames[question.frame].parent, plan.view_data, evaluate(plan, t)
    drawn = {body.i_frame for body in view_data.bodies}
    for name, i in plan.index.items():
        is_seen = bool(view_data.has_triad[i] and not view_data.is_hidden[i]) or i in drawn
        if name in (WORLD, ANSWER, question.frame, parent) or not is_seen:
            continue
        if _is_target(subject, question, *relative_orientations(snapshot, name, parent)):
            yield Leak(f'the frame "{name}"', "has the orientation of the answer", f"Add {name} to hide: in this step.")


def _orientations_at_target(subject: Subject, question: Turn) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    at = t if question.at is None else question.at.si("time", ("question", "at"))
    for where, fix, signal in shown_signals(plan):
        has_frames = signal.of in plan.index and signal.relative_to in plan.index
        if signal.signal in ORIENTATION_SIGNALS and has_frames:
            pairs = (relative_orientations(evaluate(plan, time), signal.of, signal.relative_to) for time in (t, at))
            if any(_is_target(subject, question, *pair) for pair in pairs):
                yield Leak(where, "has the numbers of the answer", fix)


def _is_target(subject: Subject, question: Turn, R_WP: Array, R_WF: Array) -> bool:
    target = judging.target_of(question, subject.plan).R
    return float(angles_between(R_WP.T @ R_WF, target)) <= question.tolerance.si("angle", ("question", "tolerance"))
