"""The motion that a page computes, held against the core: poses, velocities, accelerations, angles, rates, relations.

Every example scene, at random times, with random values of its parameters and with frames turned by random angles. What
a page has to sample is given to it as the core has it, so that all frames that hang on it can be compared, too.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.app.session.scene_lookup import example_path
from framescope.core import frames, kinematics
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.kernels.nearest_rotation import shown_rotations
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.poses import Axes
from framescope.core.snapshot import Snapshot
from framescope.core.system.file_access import Access
from framescope.features.web_page.app.html import motion_of
from framescope.features.web_page.core.scene_code import SceneCode, scene_code
from tests.support.examples import example
from tests.support.page_scripts import run_over_scene
from tests.support.scenes import scene_of

EXAMPLES = [
    "aircraft", "demo", "gimbal-film", "gimbal-lock", "sensor", "spatial-velocity", "robot-arm", "field", "drift",
    "keyframes", "pendulum", "three-springs", "recorded-camera", "tennis-racket",
]  # fmt: skip

TOLERANCE = 1e-12
"""Of a number, to one more than its size; of rates and angles, times the condition number of the sequence there."""

NEAR_LOCK = 1e3
"""Condition number up to which angles are compared that are read off a matrix."""

ASIDE = np.array([7.0, -3.0, 12.0])
"""Angles, rad, to which those of a turn are to be the nearest."""

Moment = tuple[Plan, Snapshot]

PAGE = """
import { anglesOf, conjugate, multiply, otherBranch, rotationOf, transpose } from "./base/math.js";
import { motion } from "./base/motion.js";
import { setSamples } from "./base/scene.js";
const answer = ({ t, parameters, turned, sampled, row, sequence, triple }) => {
  setSamples(sampled);
  motion.resetParameters();
  parameters.forEach((value, i) => { motion.parameters[i] = value; });
  motion.turned.clear();
  turned.forEach(([of, by, angles]) => motion.turn(of, by, angles));
  const states = motion.statesAt(t), [of, relative, resolved] = triple.map((each) => states[each]);
  const q = multiply(conjugate(motion.poseOfState(relative, true).q), motion.poseOfState(of, true).q);
  const angles = motion.anglesAt(row, t, sequence), read = anglesOf(q, sequence).angles;
  return {
    states, angles, rates: motion.ratesAt(row, t, sequence, angles), nearness: motion.nearness(sequence, angles),
    relation: motion.relation(of, relative, resolved), turn: transpose(rotationOf(q)),
    branches: [read, otherBranch(read, sequence)],
    nearest: motion.nearestAngles(states[row].slice(0, 9), sequence, [7, -3, 12]), alone: motion.stateAt(row, t),
  };
};
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A moment of a scene, what has been changed by hand there, and what is asked of it."""

    t: float
    parameters: dict[str, float]
    turned: tuple[tuple[int, str, list[float]], ...]
    row: int
    sequence: str
    triple: tuple[int, int, int]


def cases_of(plan: Plan, code: SceneCode, n: int, seed: int) -> list[Case]:
    """Return random cases; by hand are turned frames that the core can turn in the same way."""
    random = np.random.default_rng(seed)
    rows = len(plan.names)
    computed = [row for row in range(1, rows) if code.frames[row] is not None and not is_simulated(plan)]
    found = []
    for _ in range(n):
        values = {
            name: value if name in code.sampled_parameters else value * float(random.uniform(-2.0, 2.0))
            for name, value in code.parameters.items()
        }
        chosen = random.permutation(computed)[: random.integers(0, min(len(computed), 3) + 1)]
        turned = tuple((int(row), a_sequence(random), random.uniform(-7.0, 7.0, 3).tolist()) for row in chosen)
        of, relative, resolved, row = (int(each) for each in random.integers(0, rows, 4))
        t = float(random.uniform(plan.start, plan.end))
        found.append(Case(t, values, turned, max(row, 1), a_sequence(random), (of, relative, resolved)))
    return found


def a_sequence(random: np.random.Generator) -> str:
    """Return one of the twelve."""
    return SEQUENCES[random.integers(len(SEQUENCES))]


def is_simulated(plan: Plan) -> bool:
    """Return whether turning a frame changes what is simulated."""
    return any(getattr(each.motion, "form", None) == "simulated" for each in plan.scene.frames.values())


def core_of(plan: Plan, case: Case, access: Access | None) -> Moment:
    """Return the moment as the core has it, of a scene with the same parameters and turns."""
    scene = plan.scene
    changed = dict(scene.frames)
    for row, sequence, angles in case.turned:
        axes = Axes(form="axes", sequence=sequence, angles=tuple(angles), unit="rad")
        changed[plan.names[row]] = changed[plan.names[row]].model_copy(update={"orientation": axes})
    if case.turned or case.parameters != dict(scene.parameters):
        update = {"parameters": FrozenDict(case.parameters), "frames": FrozenDict(changed)}
        plan = compile_plan(scene.model_copy(update=update), access=access)
    return plan, evaluate(plan, case.t).smoothed


def sampled_of(plan: Plan, code: SceneCode, snapshot: Snapshot) -> list[list[float]]:
    """Return size, quaternion and position in the parent of frames that a page samples, three for each frame."""
    found: list[list[float]] = []
    for row, frame in enumerate(code.frames):
        if frame is not None or row == 0:
            found += [[], [], []]
            continue
        parent = int(plan.tree.parents[row])
        R_WP, R_WF = shown_rotations(snapshot.R_WF[[parent, row]])
        p = snapshot.R_WF[parent].T @ (snapshot.p_WF[row] - snapshot.p_WF[parent])
        is_posed = bool(snapshot.is_posed[row])
        Q = Rotation.from_matrix(R_WP.T @ R_WF).as_quat() if is_posed else np.array([0.0, 0.0, 0.0, 1.0])
        found += [[1.0, 1.0, float(is_posed)], Q.tolist(), np.where(is_posed, p, 0.0).tolist()]
    return found


def answers_of(sheet, plan: Plan, code: SceneCode, cases: list[Case], moments: list[Moment]) -> list[dict]:
    """Return what the page's own code answers."""
    rows = range(len(plan.names))
    nodes = [{"size": 3 * row, "Q": 3 * row + 1, "p": 3 * row + 2} for row in rows]
    file = {"frames": [{"name": plan.names[row], "node": row} for row in rows], "nodes": nodes}
    file["motion"] = motion_of(plan, (), code)
    asked = [
        {
            "t": case.t,
            "parameters": list(case.parameters.values()),
            "turned": case.turned,
            "sampled": sampled_of(plan, code, snapshot),
            "row": case.row,
            "sequence": case.sequence,
            "triple": case.triple,
        }
        for case, (_, snapshot) in zip(cases, moments, strict=True)
    ]
    script = f"{PAGE}\nconst result = {json.dumps(asked)}.map(answer);\n"
    return sheet.evaluate(run_over_scene(file, code.text, script))


def miss(found, expected) -> float:
    """Return how far numbers are off, to one more than the size of the largest they belong to; unknown ones apart."""
    found, expected = np.array(found, float), np.asarray(expected, float)
    off = np.abs(found - expected) / (1.0 + np.abs(expected))
    return float(np.max(off, where=np.isfinite(found), initial=0.0))


def angle_miss(found, expected) -> float:
    """Return how far angles are off, whole turns aside, rad."""
    return float(np.abs(np.remainder(np.array(found, float) - expected + np.pi, 2.0 * np.pi) - np.pi).max())


def branches_of(T: np.ndarray, sequence: str) -> tuple[np.ndarray, np.ndarray]:
    """Return both triples of angles of a matrix."""
    return axes_rotations_angles_branches(Orientation(T, np.zeros(3)), sequence)


def states_of(snapshot: Snapshot) -> np.ndarray:
    """Return the states (n, 24) of all frames, with rotations where matrices have drifted."""
    n = len(snapshot.p_WF)
    R = np.where(snapshot.is_posed[:, None, None], shown_rotations(snapshot.R_WF), np.nan)
    parts = (R.reshape(n, 9), snapshot.p_WF, snapshot.w_WF_F, snapshot.v_WF, snapshot.b_WF_F, snapshot.a_WF)
    return np.concatenate(parts, axis=-1)


def misses(plan: Plan, code: SceneCode, case: Case, snapshot: Snapshot, answer: dict) -> dict[str, float]:
    """Return how far each kind of number is off, in units of what it may be."""
    expected = states_of(snapshot)
    states = np.array([[np.nan] * 24 if each is None else each for each in answer["states"]], float)
    assert (np.isfinite(states[:, :12]).all(axis=1) == snapshot.is_posed).all()
    below = [frame is None for frame in code.frames]
    for row in plan.tree.order[1:].tolist():
        below[row] = below[row] or (plan.tree.parents[row] > 0 and below[plan.tree.parents[row]])
    is_known = ~np.array(below) | (np.arange(len(below)) == 0)
    assert np.isfinite(states[is_known]).all()
    found = {"states": miss(states, expected), "alone": miss(answer["alone"], states[case.row])}
    found |= _relation_misses(plan, case, snapshot, answer)
    found |= _angle_misses(plan, case, snapshot, answer)
    return {name: value / TOLERANCE for name, value in found.items()}


def _relation_misses(plan: Plan, case: Case, snapshot: Snapshot, answer: dict) -> dict[str, float]:
    names = [plan.names[row] for row in case.triple]
    if not snapshot.is_posed[list(case.triple)].all():
        return {}
    now = relation(snapshot, *names)
    R = shown_rotations(snapshot.R_WF)
    T = R[case.triple[0]].T @ R[case.triple[1]]  # the second into the first
    found = {
        "relation T": miss(answer["relation"][15:], T.ravel()),
        "turn": miss(answer["turn"], T.ravel()),
    }
    if (R == snapshot.R_WF)[list(case.triple)].all():  # of a matrix that drifts, the page has the nearest rotation
        found["relation"] = miss(answer["relation"][:15], np.concatenate([now.p, now.V, now.A]))
    both = branches_of(T, case.sequence)
    condition = float(kinematics.singularity_measure(case.sequence, both[0])[1])
    if condition < NEAR_LOCK:
        found["branches"] = max(map(angle_miss, answer["branches"], both)) / condition
    return found


def _angle_misses(plan: Plan, case: Case, snapshot: Snapshot, answer: dict) -> dict[str, float]:
    if not snapshot.is_posed[case.row]:
        return {}
    T = shown_rotations(snapshot.T_PF[case.row])
    measure, condition = kinematics.singularity_measure(case.sequence, answer["angles"])
    found = {"nearness": miss(answer["nearness"][0], measure)}
    if condition > NEAR_LOCK:
        return found
    found["condition"] = miss(answer["nearness"][1], condition) / condition**2
    found["angles"] = miss(frames.axes_rotations(case.sequence, np.array(answer["angles"], float)).T, T) / condition
    motion = plan.tree.motions[case.row]
    if motion.axes is not None and "".join("XYZ"[axis - 1] for axis in motion.axes.sequence) == case.sequence:
        found["own angles"] = miss(answer["angles"], plan.angles(plan.names[case.row], case.t)[0])
    if np.isfinite(np.array(answer["rates"], float)).all():
        rates = kinematics.euler_rates(case.sequence, answer["angles"], snapshot.w_PF_F[case.row])
        found["rates"] = miss(answer["rates"], rates) / condition**2
    nearest = np.array(answer["nearest"], float)
    R = shown_rotations(snapshot.R_WF[case.row])
    condition = kinematics.singularity_measure(case.sequence, nearest)[1]
    if condition < NEAR_LOCK:
        found["nearest"] = miss(frames.axes_rotations(case.sequence, nearest).T, R) / condition
        both = branches_of(R, case.sequence)
        whole = [each + 2.0 * np.pi * np.round((ASIDE - each) / (2.0 * np.pi)) for each in both]
        found["nearest one"] = miss(
            np.linalg.norm(nearest - ASIDE), min(np.linalg.norm(each - ASIDE) for each in whole)
        )
        found["nearest one"] /= condition
    return found


def worst(sheet, plan: Plan, code: SceneCode, cases: list[Case], moments: list[Moment]) -> dict[str, float]:
    """Return by kinds of numbers how far the worst is off, in units of what it may be."""
    answers = answers_of(sheet, plan, code, cases, moments)
    found: dict[str, float] = {}
    for case, (its, snapshot), answer in zip(cases, moments, answers, strict=True):
        for name, value in misses(its, code, case, snapshot, answer).items():
            found[name] = max(value, found.get(name, 0.0))
    return found


@pytest.fixture(scope="module")
def sheet(browser, tmp_path_factory):
    """An empty page, in which code runs."""
    path = tmp_path_factory.mktemp("sheet") / "empty.html"
    path.write_text("<!DOCTYPE html><title>empty</title>")
    page = browser.open(path)
    yield page
    page.close()


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("n", [8, pytest.param(100, marks=pytest.mark.soak)])
def test_that_a_page_computes_what_the_core_computes(sheet, name: str, n: int) -> None:
    _, plan, source_of = example(name)
    code = scene_code(plan)
    cases = cases_of(plan, code, n if len(plan.names) < 100 else n // 4, seed=n)
    found = worst(sheet, plan, code, cases, [core_of(plan, case, source_of.access) for case in cases])
    assert {"states", "relation", "angles"} <= found.keys()
    assert max(found.values()) < 1.0, found


def test_that_all_example_scenes_are_looked_at() -> None:
    assert sorted(EXAMPLES) == sorted(path.stem for path in example_path("demo").parent.glob("*.yaml"))


MUTATED = """
framescope: 1
time: {start: 0 s, end: 6 s}
parameters: {tilt: 20.0, rate: 1.5}
frames:
  base: {parent: world, position: {value: ["0.4*sin(rate*t)", "exp(-t)*tilt", "t*t"], unit: m},
         orientation: {form: axes, sequence: ZYX, unit: deg, angles: ["tilt*t*t", "30*cos(rate*t)", "9*t*t*t"]}}
  arm: {parent: base, position: {value: ["t/(1 + t*t)", 1, -0.3], unit: m},
        orientation: {form: planar, axis: [0.48, 0.6, 0.64], angle: "tan(0.1*t)", unit: rad}}
"""
"""A scene in which every line of the code that is shared by all scenes counts."""

SHARED = ("step", "relation", "turned_about", "quaternion_of", "turned_by_ZYX", "branches_ZYX", "rates_ZYX",
          "nearness_ZYX", "signals_0", "signals_1")  # fmt: skip


def mutants_of(code: SceneCode) -> list[tuple[str, str]]:
    """Return the lines that add or multiply, each with its code, in which the first of that is another operation.

    Lines that choose are left out: whichever of two equal turns they take, such as an angle and that less a whole turn,
    the frame stands where it stood.
    """
    found = []
    for name in SHARED:
        at = code.text.index(f"function {name}(")
        for line in code.text[at : code.text.index("\n}", at)].split("\n"):
            sign = re.search(r"(?<=[\w)\]])(?<!\de)[-+*](?=[\w(])", line)
            if sign is not None and not re.search(r"[?<=]{2}|\?|>|3\.14159|rint", line):
                other = {"*": "+", "+": "-", "-": "+"}[sign[0]]
                changed = line[: sign.start()] + other + line[sign.end() :]
                found.append((f"{name}: {changed}", code.text[:at] + changed + code.text[at + len(line) :]))
            at += len(line) + 1
    return found


@pytest.mark.parametrize("n", [12, pytest.param(10_000, marks=pytest.mark.soak)])
def test_that_a_fault_in_one_line_is_seen(sheet, n: int) -> None:
    plan = compile_plan(scene_of(MUTATED))
    code = scene_code(plan)
    cases = [replace(case, sequence="ZYX") for case in cases_of(plan, code, 12, seed=4)]
    moments = [core_of(plan, case, None) for case in cases]
    assert max(worst(sheet, plan, code, cases, moments).values()) < 1.0
    mutants = mutants_of(code)
    chosen = np.random.default_rng(3).permutation(len(mutants))[:n]
    unseen = [
        mutants[k][0] for k in chosen if not is_seen(sheet, plan, replace(code, text=mutants[k][1]), cases, moments)
    ]
    assert unseen == [], "\n".join(unseen)


def is_seen(sheet, plan: Plan, code: SceneCode, cases: list[Case], moments: list[Moment]) -> bool:
    """Return whether code is found to be at fault."""
    try:
        return max(worst(sheet, plan, code, cases, moments).values()) > 1.0
    except AssertionError:  # numbers where none are, or none where some are
        return True
