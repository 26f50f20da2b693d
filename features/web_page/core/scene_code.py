"""A scene as JavaScript: how each frame moves in its parent, the step down the tree, and relations of frames.

It is made of the functions that the program itself computes with (`framescope.core.kernels.code.symbolic`): whoever
runs it has the same numbers. Frames that it cannot compute, such as recorded and simulated ones, are left to be
sampled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.forward_kinematics import TreeWalk
from framescope.core.evaluation.local_motion import JointValue, LocalMotion, MotionSignals, RecordedValue, Sample
from framescope.core.kernels import angle_branches, axis_rotations, linear_algebra
from framescope.core.kernels.code.symbolic import Code, Symbols, UntraceableError, code_of, code_of_formula
from framescope.core.kernels.componentwise import Formula
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, ItemKey, Scene
from framescope.core.scene.schema.signal_kinds import Signal, signal_named
from framescope.core.snapshot import Snapshot
from framescope.core.system.features import load_entry
from framescope.core.time_functions.expressions import Expression
from framescope.features.web_page.core.javascript import PRELUDE, javascript

STATE = 24
"""Numbers that tell how a frame moves: T or R, row by row, p, w, v, b and a, see `Sample` and `Snapshot`."""

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class SceneCode:
    """JavaScript of a scene.

    Attributes
    ----------
    text
        Its functions: ``signals_N(t, parameters, constants)``, the values of a frame's angles and position and of their
        first and second derivatives, shared by frames that differ in constants alone; ``step(parent, local)``, the
        motion of a frame in world from that of its parent and its own in the parent, `STATE` numbers each;
        ``relation(of, relative, resolved)``; the formulas of plotted signals, of the matrix of a relation; turns by
        angles, angles of turns and their rates, and quaternions. All stand in an object ``formulas``, too.
    frames
        By rows: the name of its ``signals`` and their ``constants``, and by what it turns: a ``sequence``, an ``axis``,
        ``T`` as it stands, or an axis from there; None of a frame that has to be sampled.
    parameters
        Names and values, in the order in which ``parameters`` has them.
    sampled_parameters
        Those of them that what is sampled depends on: they stay as they are.
    """

    text: str
    frames: tuple[Json | None, ...]
    parameters: Mapping[str, float]
    sampled_parameters: frozenset[str]


def scene_code(plan: Plan) -> SceneCode:
    """Return the code of a scene.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "parameters": {"rate": 2.0}, "frames": {"disc": {
    ...     "parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": "rate*t", "unit": "rad"}}}})
    >>> code = scene_code(compile_plan(scene))
    >>> code.frames[1]
    {'signals': 'signals_0', 'constants': [], 'axis': [0.0, 0.0, 1.0]}
    >>> print(code.text[code.text.index("function signals"):code.text.index("const formulas") - 1])
    function signals_0(t, parameters, constants) {
    return [(parameters[0]*t), 0, 0, 0, parameters[0], 0, 0, 0, 0, 0, 0, 0];
    }
    """
    parameters = dict(plan.scene.parameters)
    names: dict[str, str] = {}
    frames: list[Json | None] = []
    for row in range(len(plan.names)):
        motion = plan.tree.motions.get(row)
        found = None if motion is None or row in plan.tree.switches else _local(motion, parameters)
        if found is None:
            frames.append(None)
            continue
        text, constants, turn = found
        name = names.setdefault(text, f"signals_{len(names)}")
        frames.append({"signals": name, "constants": constants, **turn})
    computed = {("frames", name) for name, frame in zip(plan.names, frames, strict=True) if frame is not None}
    others = (getattr(plan.scene, kind)[name] for kind, name in _items(plan.scene) if (kind, name) not in computed)
    words = frozenset[str]().union(*map(words_in, others))
    formulas = _formulas_of_plots(plan.scene)
    texts = [PRELUDE, *_common(), *formulas.values(), *(text.replace(_NAME, name, 1) for text, name in names.items())]
    listed = ", ".join((*_kernels(), "step", "relation", *formulas, *names.values()))
    text = "\n".join([*texts, f"const formulas = {{{listed}}};"])
    return SceneCode(text, tuple(frames), parameters, words & parameters.keys())


_NAME = "signals"


def _items(scene: Scene) -> Iterator[ItemKey]:
    return ((kind, name) for kind in ITEM_KINDS for name in getattr(scene, kind))


Jets = list[list[Any]]
"""Values, first and second derivatives of several signals."""


def _local(motion: LocalMotion, parameters: Mapping[str, float]) -> tuple[str, list[float], Json] | None:
    """Return the function of a frame's signals, its constants, and by what it turns; None of one to be sampled."""
    turn: Json
    if motion.joint is not None:
        return _joint(motion.joint, parameters)
    if motion.position is None or motion.own_pose is not None:
        return None
    if motion.axes is not None:
        angles, turn = motion.axes.angles, {"sequence": "".join("XYZ"[axis - 1] for axis in motion.axes.sequence)}
    elif motion.about is not None:
        angles, turn = motion.about.angle, {"axis": motion.about.axis.tolist()}
    elif motion.T is not None:
        angles, turn = MotionSignals((), 1.0), {"T": motion.T.ravel().tolist()}
    else:
        return None
    place = motion.position
    return _function(lambda t, given: [_jets(each, t, given) for each in (angles, place)], parameters, turn)


def _joint(joint: JointValue, parameters: Mapping[str, float]) -> tuple[str, list[float], Json] | None:
    """Return the same of a joint: what turns about an axis, from `T`, or the way along one."""
    signals = joint.value
    if isinstance(signals, RecordedValue):
        return None
    at_zero = [joint.p.tolist(), [0.0] * 3, [0.0] * 3]
    T = joint.T.ravel().tolist()
    if joint.is_revolute:
        turn = {"axis": joint.axis.tolist(), "T": T}
        return _function(lambda t, given: [_jets(signals, t, given), at_zero], parameters, turn)
    along = linear_algebra.apply_transposed(joint.T, joint.axis).tolist()

    def jets(t: Any, given: Mapping[str, Any]) -> list[Jets]:
        place: Jets = []
        for zero, (way,) in zip(at_zero, _jets(signals, t, given), strict=True):
            place.append([part + way * e for part, e in zip(zero, along, strict=True)])
        return [[[], [], []], place]

    return _function(jets, parameters, {"T": T})


def _function(
    jets: Callable[[Any, Mapping[str, Any]], list[Jets]], parameters: Mapping[str, float], turn: Json
) -> tuple[str, list[float], Json] | None:
    """Return the function that gives the jets of angles and position, one order after the other, as `_local` does."""

    def signals(t: Any, values: Any) -> list[Any]:
        found = jets(t, dict(zip(parameters, values, strict=True)) if parameters else {})
        return [part for order in range(3) for each in found for part in each[order]]

    try:
        code = code_of(signals, {"t": (), "parameters": (len(parameters),)}, leaves_out_zeros=True)
    except UntraceableError:
        return None
    constants: list[float] = []
    return javascript(_NAME, code, constants), constants, turn


def _jets(signals: MotionSignals, t: Any, parameters: Mapping[str, Any]) -> Jets:
    """Return values, first and second derivatives of signals, each of all of them, as `MotionSignals.fill` has them."""
    found: Jets = [[], [], []]
    for item in signals.items:
        parts: tuple[Any, Any, Any] = (item, 0.0, 0.0)
        if isinstance(item, Expression):
            jet = item.jet(t, parameters)
            parts = jet.f, jet.d, jet.dd
        for part, column in zip(parts, found, strict=True):
            column.append(part * signals.factor if signals.factor != 1.0 else part)
    return found


def formula_name(kind: Signal) -> str:
    """Return the name of the function that computes a signal from the matrix T of a relation.

    >>> from framescope.core.scene.schema.signal_kinds import signal_named
    >>> formula_name(signal_named("rotation angle"))
    'signal_rotation_angle'
    """
    return f"signal_{re.sub('[^a-zA-Z0-9]', '_', kind.name)}"


def _formulas_of_plots(scene: Scene) -> Mapping[str, str]:
    """Return the functions of the signals in plots that have a formula, by name."""
    signals = (signal for plot in scene.view.plots for signal in (plot, *plot.also))
    kinds = {signal.signal: signal_named(signal.signal) for signal in signals}
    return {
        formula_name(kind): javascript(formula_name(kind), code_of_formula(load_entry(kind.formula)))
        for kind in kinds.values()
        if kind.formula
    }


@lru_cache
def _kernels() -> Mapping[str, Formula]:
    """Return the kernels that every scene has."""
    return {
        "turned_about": axis_rotations.planar_motion,
        "multiply_matrices": linear_algebra.multiply_matrices,
        "quaternion_of": linear_algebra.quaternion_from_matrix,
        **{f"turned_by_{name}": axis_rotations.axes_motion(as_sequence(name)) for name in SEQUENCES},
        **{f"branches_{name}": angle_branches.branches(as_sequence(name)) for name in SEQUENCES},
        **{f"nearness_{name}": axis_rotations.nearness(as_sequence(name)) for name in SEQUENCES},
        **{f"rates_{name}": axis_rotations.euler_rates(as_sequence(name)) for name in SEQUENCES},
    }


@lru_cache
def _common() -> tuple[str, ...]:
    """Return the functions that every scene has."""
    return (
        *(javascript(name, code_of_formula(kernel)) for name, kernel in _kernels().items()),
        javascript("step", _step()),
        javascript("relation", _relation()),
    )


def _step() -> Code:
    """Return the code of one step down the tree: a walk from the world over two frames, the first of which is given.

    It has the motion of the parent in world where the walk has that of the first frame.
    """

    def step(parent: Symbols, local: Symbols) -> list[Any]:
        above = _parts(parent)
        both = [np.stack(each)[np.newaxis] for each in zip(_WORLD, _inverted(above), _parts(local), strict=True)]
        walk = TreeWalk(np.arange(3), (np.array([0]), np.array([1])), Sample(*both))
        poses, velocities, accelerations = walk.poses(), walk.velocities(), walk.accelerations()
        return [part[0, 2] for pair in (poses, velocities, accelerations) for part in pair]

    return code_of(step, {"parent": (STATE,), "local": (STATE,)}, leaves_out_zeros=True)


def _parts(state: Symbols) -> list[Symbols]:
    return [state[:9].reshape(3, 3), *(state[k : k + 3] for k in range(9, STATE, 3))]


def _inverted(state: list[Symbols]) -> list[Symbols]:
    """Return the motion of a frame in world as that of a frame in its parent, which has T for R."""
    return [state[0].T, *state[1:]]


_WORLD = [np.eye(3, dtype=object), *(np.zeros(3, dtype=object) for _ in range(5))]


def _relation() -> Code:
    """Return the code of the motion of one frame relative to another, resolved in a third, all by their states.

    It gives p, V, A as `relative_motion.Relation` has them, and the matrix T from the second into the first.
    """

    def relation(of: Symbols, relative: Symbols, resolved: Symbols) -> list[Any]:
        states = [_WORLD, *map(_parts, (of, relative, resolved))]
        R, p, w, v, b, a = (np.stack(each) for each in zip(*states, strict=True))
        index = {WORLD: 0, "of": 1, "relative": 2, "resolved": 3}
        snapshot = Snapshot(
            index=index,
            t=np.zeros(()),
            T_PF=R,
            w_PF_F=w,
            R_WF=R,
            p_WF=p,
            is_posed=np.ones(4, dtype=bool),
            derive_velocities=lambda: (w, v),
            derive_accelerations=lambda: (b, a),
        )
        names = ("of", "relative", "resolved")
        R_WA, R_WB = relative_motion.relative_orientations(snapshot, "of", "relative")
        return [
            relative_motion.relative_position(snapshot, *names),
            relative_motion.relative_velocity(snapshot, *names),
            relative_motion.relative_acceleration(snapshot, *names),
            linear_algebra.multiply_matrices(linear_algebra.transpose(R_WB), R_WA),
        ]

    return code_of(relation, dict.fromkeys(("of", "relative", "resolved"), (STATE,)))
