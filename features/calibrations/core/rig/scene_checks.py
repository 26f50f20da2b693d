"""Checks of a scene with poses from calibrations: loops that do not close, and the entry that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from framescope.core.analysis.diagnostics.comparisons import Comparisons
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.analysis.diagnostics.measured_problems import LOOP_OPEN
from framescope.core.errors import Fix, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.features.calibrations.core.rig.additions import merge_frames, scene_questions
from framescope.features.calibrations.core.rig.adjustment import Noise
from framescope.features.calibrations.core.rig.hypotheses import Kind
from framescope.features.calibrations.core.rig.mends import fix_of
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.scene_rig import rig_of
from framescope.features.calibrations.core.rig.search import Cause, Verdict, same_pose, search
from framescope.features.calibrations.core.rig.sources import has_calibration
from framescope.features.calibrations.core.rig.words import Answer, answer_to, cause_text, no_rotation
from framescope.features.cameras.core.camera_checks import LOOKS_UP, ON_ITS_SIDE

RIG_POSE, RIG_LOOP, RIG_NAME = "rig-pose", "rig-loop", "rig-name"
"""Kinds of problems: a wrong pose of a rig, loops without a known cause, and names that may mean one frame."""

MOST_FIXES = 6
"""Largest number of fixes of one problem."""


@dataclass(frozen=True, eq=False)
class Finding:
    """Verdict on a block of a scene's rig, with the edges that it numbers."""

    edges: tuple[RigEdge, ...]
    verdict: Verdict


def findings_of(plan: Plan) -> tuple[Finding, ...]:
    """Return the verdicts on the rig of a scene that are worth a word: loops with poses from calibrations."""
    if not plan.scene.measured or not has_calibration(plan.scene):
        return ()
    edges = rig_of(plan)
    return tuple(
        Finding(edges, verdict)
        for verdict in search(edges)
        if verdict.is_open and any(edges[k].file for k in verdict.edges)
    )


def finding_at(plan: Plan, item: tuple[str, str]) -> Finding | None:
    """Return the finding whose problem is at an item; None without one."""
    return next((finding for finding in findings_of(plan) if problem_of(finding).item == item), None)


def rig_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each block of loops that does not close, and for names that may mean one frame."""
    for finding in findings_of(plan):
        yield problem_of(finding)
    yield from name_problems(plan)


def name_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a note for each pair of names from two calibrations that may mean one frame."""
    if not has_calibration(plan.scene):
        return
    for question in scene_questions(plan.scene, [edge.edge for edge in rig_of(plan)]):
        keep, gone = question.names
        title = "like names" if question.is_contradicted else "same frame?"
        problem = make_problem(("frames", gone), RIG_NAME, title, question.text, severity="note")
        yield problem if question.is_contradicted else problem.with_fix(f"Merge into {keep}", merge_frames(keep, gone))


def explain_loops(known: Iterable[Problem], comparisons: Comparisons) -> tuple[Problem, ...]:
    """Return problems with those of open loops replaced by the wrong pose of a rig, where it is known."""
    problems = list(known)
    for finding in findings_of(comparisons.plan):
        if finding.verdict.best is None and finding.verdict.state != "off":
            continue
        items = {finding.edges[k].item for k in finding.verdict.edges}
        problems = [problem for problem in problems if not _is_explained(problem, items)]
        problems.append(problem_of(finding))
    return tuple(problems)


def _is_explained(problem: Problem, items: set[tuple[str, str] | None]) -> bool:
    return problem.item in items and problem.kind in (LOOP_OPEN, "wrong-pose")


def problem_of(finding: Finding) -> Problem:
    """Return the problem of a block of loops: at the wrong entry, or at a measured pose of an open loop."""
    verdict, edges = finding.verdict, finding.edges
    answer = answer_to(verdict, edges)
    best = verdict.best
    if best is not None and verdict.state in ("found", "kind open"):
        title = _title(best) if verdict.state == "found" else "wrong pose"
        key = edges[best.edges[0]].item or ()
        problem = _wrong_pose(key, title, answer)
        return _with_fixes(problem, (best, *verdict.rivals), edges, is_first=True)
    broken = no_rotation(verdict, edges) if best is None else None
    if broken is not None:
        return _wrong_pose(edges[broken[0]].item or (), "no rotation", answer)
    place = edges[verdict.off[0]].item if verdict.state == "off" else _measured_item(finding)
    title = "pose off" if verdict.state == "off" else "loop open"
    problem = make_problem(place or (), RIG_LOOP, title, answer.sentence, answer.detail)
    return problem if best is None else _with_fixes(problem, (best, *verdict.rivals), edges, is_first=False)


def _wrong_pose(key: KeyPath, title: str, answer: Answer) -> Problem:
    """Return the problem of a pose that loops show to be wrong; that its camera is not upright is a consequence."""
    problem = make_problem(key, RIG_POSE, title, answer.sentence, answer.detail)
    return replace(problem, explains=(LOOKS_UP, ON_ITS_SIDE))


TITLES: Mapping[Kind, str] = {
    "inverted": "inverted pose",
    "transposed": "transposed rotation",
    "position inverted": "position of the inverse",
    "other order": "other order",
    "other unit of angles": "wrong unit",
    "millimetres": "wrong unit",
    "centimetres": "wrong unit",
    "mirrored": "mirrored",
    "other axes": "other axes",
    "names swapped": "names swapped",
}
"""Titles of problems by the kind of the fault."""


def _title(cause: Cause) -> str:
    return " and ".join(dict.fromkeys(TITLES[kind] for kind in cause.kinds))


def _measured_item(finding: Finding) -> tuple[str, str] | None:
    """Return a measured pose of the worst loop, else the first item of the block."""
    loops = [edge for loop in finding.verdict.loops[:1] for edge, _ in loop.path]
    items = [finding.edges[k].item for k in (*loops, *finding.verdict.edges)]
    measured = (item for item in items if item is not None and item[0] == "measured")
    return next(measured, next((item for item in items if item is not None), None))


def _with_fixes(problem: Problem, causes: Sequence[Cause], edges: Sequence[RigEdge], *, is_first: bool) -> Problem:
    """Return a problem with the fixes of its causes, different poses only; the first as the known one."""
    spread = [variant for cause in causes for variant in (cause, *cause.variants)]
    fixes: list[tuple[Cause, Fix[Edit]]] = []
    for cause in spread:
        fix = fix_of(cause, edges)
        if fix is not None and not any(same_pose((cause, other), Noise()) for other, _ in fixes):
            fixes.append((cause, fix))
    if not fixes:
        return problem
    is_known = is_first and len(fixes) == 1
    if is_known:
        (_, fix), *_ = fixes
        return problem.with_fix(fix.text, fix.change)
    others = tuple(replace(fix, effect=f"{cause_text(cause, edges)}.") for cause, fix in fixes[:MOST_FIXES])
    return replace(problem, others=others)
