"""JavaScript of a scene: motion of each frame in its parent, composition of motions, and relations of frames.

The code is traced from the functions of the program (`framescope.core.kernels.code.symbolic`), so that a page computes
the same numbers. Frames without such code, such as recorded and simulated ones, are sampled instead.
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
from framescope.core.kernels.validation import SEQUENCES, USUAL_SEQUENCE, as_sequence
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, ItemKey, Scene
from framescope.core.scene.schema.signal_kinds import Signal, formula_of, signal_named
from framescope.core.snapshot import Snapshot
from framescope.core.time_functions.expressions import Expression
from framescope.features.web_page.core.javascript import PRELUDE, javascript

STATE = 24
"""Count of numbers in the motion of a frame: T or R, row by row, p, w, v, b and a, see `Sample` and `Snapshot`."""

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class SceneCode:
    """JavaScript of a scene.

    Attributes
    ----------
    text
        Text of the functions. ``signals_N(t, parameters, constants)`` returns the angles and the position of a frame
        and their first and second derivatives; frames that differ only in constants share it. ``step(parent, local)``
        returns the motion of a frame in world from the motions of its parent in world and of the frame in its parent,
        `STATE` numbers each. ``relation(of, relative, resolved)`` returns the relative motion; formulas of plotted
        signals take parts of it. Further functions convert angles, rates and quaternions. The object ``formulas`` holds
        all functions.
    frames
        By rows: name of the ``signals`` function, ``constants``, and form of the rotation: a ``sequence``, an ``axis``,
        a constant ``T``, or an axis and the ``T`` at zero. None for a sampled frame.
    parameters
        Names and values of the parameters, in the order of the argument ``parameters``.
    sampled_parameters
        Parameters on which sampled frames depend; a page cannot change them.
    """

    text: str
    frames: tuple[Json | None, ...]
    parameters: Mapping[str, float]
    sampled_parameters: frozenset[str]


def scene_code(plan: Plan) -> SceneCode:
    """Return the JavaScript of a scene.

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
        code = None if motion is None or row in plan.tree.switches else _local(motion, parameters)
        if code is None:
            frames.append(None)
            continue
        text, constants, turn = code
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
"""Values, first derivatives and second derivatives of several signals."""


def _local(motion: LocalMotion, parameters: Mapping[str, float]) -> tuple[str, list[float], Json] | None:
    """Return the text of a frame's signals function, its constants, and its rotation; None for a sampled frame."""
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
    return _function(lambda t, values: [_jets(part, t, values) for part in (angles, place)], parameters, turn)


def _joint(joint: JointValue, parameters: Mapping[str, float]) -> tuple[str, list[float], Json] | None:
    """Return the same for a joint, which rotates about an axis, from `T` on, or translates along one."""
    signals = joint.value
    if isinstance(signals, RecordedValue):
        return None
    at_zero = [joint.p.tolist(), [0.0] * 3, [0.0] * 3]
    T = joint.T.ravel().tolist()
    if joint.is_revolute:
        turn = {"axis": joint.axis.tolist(), "T": T}
        return _function(lambda t, values: [_jets(signals, t, values), at_zero], parameters, turn)
    along = linear_algebra.apply_transposed(joint.T, joint.axis).tolist()

    def jets(t: Any, values: Mapping[str, Any]) -> list[Jets]:
        place: Jets = []
        for zero, (way,) in zip(at_zero, _jets(signals, t, values), strict=True):
            place.append([part + way * e for part, e in zip(zero, along, strict=True)])
        return [[[], [], []], place]

    return _function(jets, parameters, {"T": T})


def _function(
    jets: Callable[[Any, Mapping[str, Any]], list[Jets]], parameters: Mapping[str, float], turn: Json
) -> tuple[str, list[float], Json] | None:
    """Trace the function of the jets of angles and position, one order after the other; return as `_local`."""

    def signals(t: Any, values: Any) -> list[Any]:
        angles_and_position = jets(t, dict(zip(parameters, values, strict=True)) if parameters else {})
        return [part for order in range(3) for jet in angles_and_position for part in jet[order]]

    try:
        code = code_of(signals, {"t": (), "parameters": (len(parameters),)}, leaves_out_zeros=True)
    except UntraceableError:
        return None
    constants: list[float] = []
    return javascript(_NAME, code, constants), constants, turn


def _jets(signals: MotionSignals, t: Any, parameters: Mapping[str, Any]) -> Jets:
    """Return the values, first derivatives and second derivatives of signals, as in `MotionSignals.fill`."""
    columns: Jets = [[], [], []]
    for item in signals.items:
        parts: tuple[Any, Any, Any] = (item, 0.0, 0.0)
        if isinstance(item, Expression):
            jet = item.jet(t, parameters)
            parts = jet.f, jet.d, jet.dd
        for part, column in zip(parts, columns, strict=True):
            column.append(part * signals.factor if signals.factor != 1.0 else part)
    return columns


def formula_name(kind: Signal, sequence: str = "") -> str:
    """Return the name of the function that computes a signal from parts of a relation.

    >>> from framescope.core.scene.schema.signal_kinds import signal_named
    >>> formula_name(signal_named("rotation angle")), formula_name(signal_named("principal angles"), "ZYX")
    ('signal_rotation_angle', 'signal_principal_angles_ZYX')
    """
    name = f"{kind.name} {sequence}" if kind.has_sequence else kind.name
    return f"signal_{re.sub('[^a-zA-Z0-9]', '_', name)}"


_PARTS = {"r": (0, 3), "w": (3, 6), "v": (6, 9), "z": (9, 12), "a": (12, 15), "T": (15, 24)}
"""First and last index of the parts of a relation, as `_relation` returns them."""


def parts_of_relation(kind: Signal) -> list[tuple[int, int]]:
    """Return where the arguments of the formula of a signal stand in a relation.

    >>> from framescope.core.scene.schema.signal_kinds import signal_named
    >>> parts_of_relation(signal_named("range rate"))
    [(0, 3), (6, 9)]
    """
    return [_PARTS[name] for name in formula_of(kind, USUAL_SEQUENCE).arguments] if kind.formula else []


def _formulas_of_plots(scene: Scene) -> Mapping[str, str]:
    """Return the functions of the signals in plots that have a formula, by name."""
    signals = (signal for plot in scene.view.plots for signal in (plot, *plot.also))
    formulas = {
        formula_name(kind, signal.sequence or ""): formula_of(kind, signal.sequence or "")
        for signal in signals
        if (kind := signal_named(signal.signal)).formula
    }
    return {name: javascript(name, code_of_formula(formula)) for name, formula in formulas.items()}


@lru_cache
def _kernels() -> Mapping[str, Formula]:
    """Return the kernels of every scene, by their names in JavaScript."""
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
    """Return the texts of the functions of every scene."""
    return (
        *(javascript(name, code_of_formula(kernel)) for name, kernel in _kernels().items()),
        javascript("step", _step()),
        javascript("relation", _relation()),
    )


def _step() -> Code:
    """Return the code of one step down the tree: a walk from the world to a parent and on to its child.

    The motion of the parent in world takes the place of the local motion of the first frame.
    """

    def step(parent: Symbols, local: Symbols) -> list[Any]:
        above = _parts(parent)
        stacked = [np.stack(parts)[np.newaxis] for parts in zip(_WORLD, _local_of(above), _parts(local), strict=True)]
        walk = TreeWalk(np.arange(3), (np.array([0]), np.array([1])), Sample(*stacked))
        poses, velocities, accelerations = walk.poses(), walk.velocities(), walk.accelerations()
        return [part[0, 2] for pair in (poses, velocities, accelerations) for part in pair]

    return code_of(step, {"parent": (STATE,), "local": (STATE,)}, leaves_out_zeros=True)


def _parts(state: Symbols) -> list[Symbols]:
    return [state[:9].reshape(3, 3), *(state[k : k + 3] for k in range(9, STATE, 3))]


def _local_of(state: list[Symbols]) -> list[Symbols]:
    """Convert the motion of a frame in world to a motion in its parent: T replaces R."""
    return [state[0].T, *state[1:]]


_WORLD = [np.eye(3, dtype=object), *(np.zeros(3, dtype=object) for _ in range(5))]


def _relation() -> Code:
    """Return the code of the motion of one frame relative to another, resolved in a third, from their states.

    The results are p, V, A as in `relative_motion.Relation`, and the matrix T from the second into the first frame.
    """

    def relation(of: Symbols, relative: Symbols, resolved: Symbols) -> list[Any]:
        states = [_WORLD, *map(_parts, (of, relative, resolved))]
        R, p, w, v, b, a = (np.stack(parts) for parts in zip(*states, strict=True))
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
