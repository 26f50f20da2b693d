"""Sentences on rigs: the answer to a block of loops, loops with their residuals, and poses with their directions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.conventions.axes_in_words import axes_in_short, body_axes_in_name
from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.conventions.standard_axes import axes_in_name, words_of_name
from framescope.core.errors import Problem, counted, plural, visible_text
from framescope.features.calibrations.core.calibration import Edge, nearest_orthogonal
from framescope.features.calibrations.core.rig.adjustment import Noise, Poses, loop_error, quantile
from framescope.features.calibrations.core.rig.graph import Path
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import (
    ALARM,
    MOST_EDGES,
    MOST_LOOPS,
    Cause,
    Loop,
    Verdict,
    same_pose,
)
from framescope.features.compare.core.sentences import distance_text

MOST_NAMED = 4
"""Largest number of rivals in a sentence."""


@dataclass(frozen=True)
class Answer:
    """Answer to a block in words.

    Attributes
    ----------
    sentence
        The wrong entry and its fault, or why that cannot be told.
    detail
        Residuals before and after, and the certainty; may be empty.
    """

    sentence: str
    detail: str = ""

    @property
    def text(self) -> str:
        """Both as one text."""
        return f"{self.sentence} {self.detail}".rstrip()


def answer_to(verdict: Verdict, edges: Sequence[RigEdge], noise: Noise | None = None) -> Answer:
    """Return the answer to a block of loops in words."""
    used = noise or Noise()
    worst = verdict.loops[0] if verdict.loops else None
    is_open = "The loops are open" if worst is None else f"{_named(worst.path, edges)} is open by {size_of(worst)}"
    broken = no_rotation(verdict, edges)
    if broken is not None and verdict.is_open and verdict.best is None:
        return _answer_of_broken(verdict, edges, *broken)
    match verdict.state:
        case "closed":
            size = "" if worst is None else f": the largest residual is {size_of(worst)}"
            n = len(verdict.loops)
            return Answer(f"{counted(n, 'loop')} of {_frames(verdict, edges)} {plural(n, 'closes', 'close')}{size}.")
        case "found" if verdict.best is not None:
            return Answer(f"{cause_text(verdict.best, edges)}.", _detail(verdict, verdict.best, edges))
        case "kind open" if verdict.best is not None:
            causes = (verdict.best, *verdict.rivals)
            places = " and ".join(edges[k].label for k in verdict.best.edges)
            kinds = _any_of(_predicates(cause) for cause in causes)
            one = "All give the same pose." if same_pose(causes, used) else "The loops cannot tell which."
            return Answer(f"{places} is wrong: it {kinds}.", f"{one} {_detail(verdict, verdict.best, edges)}")
        case "cannot tell" if verdict.best is not None:
            causes = (verdict.best, *verdict.rivals)
            texts = _any_of((cause_text(cause, edges) for cause in causes), verdict.n_rivals + 1)
            return Answer(f"{is_open}, and the poses cannot tell why: {texts}.", "Another pose of these frames would.")
        case "off":
            label = edges[verdict.off[0]].label
            detail = f"{is_open}. Without it, all other loops close."
            return Answer(f"{label} is off, and no usual fault explains it.", detail)
        case _:
            return _unexplained(verdict, edges, used, is_open)


def _unexplained(verdict: Verdict, edges: Sequence[RigEdge], noise: Noise, is_open: str) -> Answer:
    """Return the answer to loops that no usual fault of one or two poses closes."""
    limits = f"noise of {distance_text(noise.angle, noise.position)} allows"
    larger = larger_noise(verdict, noise)
    if larger is not None:
        way = f"--position-noise {1e3 * larger.position:g} --angle-noise {larger.angle:g}"
        with_it = f"With noise of {1e3 * larger.position:g} mm and {larger.angle:g}° they close: {way}."
        question = "Are the poses so uncertain? No usual fault of a pose explains it."
        return Answer(f"{is_open}, more than {limits}. {with_it}", question)
    sentence = f"{is_open}, and no usual fault of one or two poses closes it."
    if len(verdict.edges) > MOST_EDGES or verdict.dof > 6 * MOST_LOOPS:
        n = f"{len(verdict.edges):,} poses and {verdict.dof // 6:,} loops"
        return Answer(f"{is_open}.", f"It has {n}: too many to be searched for the wrong pose.")
    if verdict.dof == 6 and verdict.loops:
        n = _NUMBERS.get(len(verdict.edges), str(len(verdict.edges)))
        hint = "One loop cannot tell which. Another pose between two of these frames would."
        off = f"One of its {n} poses is off by as much: {_any_place(verdict.edges, edges)}."
        return Answer(f"{is_open}, and no usual fault closes it. {off}", hint)
    if verdict.off:
        return Answer(sentence, f"One of these is off: {_any_place(verdict.off, edges)}.")
    return Answer(sentence, "Two or more poses are off.")


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def larger_noise(verdict: Verdict, noise: Noise) -> Noise | None:
    """Return the noise with which unexplained loops close; None if it would be more than `UNSURE` times larger."""
    if verdict.state != "unexplained" or not verdict.deviation <= UNSURE:
        return None
    scale = math.sqrt(verdict.before / quantile(verdict.dof, ALARM))
    factor = next((factor for factor in _FACTORS if factor >= scale), None)
    return None if factor is None else Noise(factor * noise.position, factor * noise.angle)


_FACTORS = (1.5, 2.0, 3.0, 4.0, 5.0)
"""Factors of the noise that are proposed."""


def no_rotation(verdict: Verdict, edges: Sequence[RigEdge]) -> tuple[int, Problem] | None:
    """Return the first pose of a block whose matrix is no rotation, with its problem; None without one."""
    for k in verdict.edges:
        problem = matrix_problem(edges[k].edge.X_file.R_AB)
        if problem is not None:
            return k, problem
    return None


def _answer_of_broken(verdict: Verdict, edges: Sequence[RigEdge], k: int, problem: Problem) -> Answer:
    """Return the answer to loops with a matrix that is no rotation, which is wrong whatever else is."""
    loop = next((loop for loop in verdict.loops if k in {edge for edge, _ in loop.path}), None)
    sentence = f"{edges[k].label} is no rotation: {problem.message.rstrip('.')}."
    parts = [problem.hint] if problem.hint else []
    if loop is not None:
        near = "with the rotation nearest to it"
        parts.append(
            f"{_named(loop.path, edges)} is open by {size_of(loop)} {near}. Check its numbers in the file first."
        )
    return Answer(sentence, " ".join(parts))


UNSURE = 5.0
"""Residual, in standard deviations, up to which unexplained loops may have larger noise."""


def cause_text(cause: Cause, edges: Sequence[RigEdge]) -> str:
    """Return a cause as a clause, such as ``"camchain.yaml: cam0.T_cam_imu is inverted"``."""
    if cause.kinds and set(cause.kinds) == {"names swapped"}:
        first, fault = cause.faults[0]
        if cause.renamed:
            file = edges[first].file or "the scene"
            return f"{visible_text(file)} {fault.text}"
        return f"{' and '.join(_places(cause, edges))} have {fault.text.removeprefix('has ')}"
    places = _places(cause, edges)
    return " and ".join(f"{place} {fault.text}" for place, (_, fault) in zip(places, cause.faults, strict=True))


def _places(cause: Cause, edges: Sequence[RigEdge]) -> list[str]:
    """Return the places of a cause, the file once if it is the same."""
    return _labels(cause.edges, edges)


def _any_place(some: Sequence[int], edges: Sequence[RigEdge]) -> str:
    """Return the places of some edges, of which one is meant."""
    labels = _labels(some[:MOST_NAMED], edges)
    labels += [counted(len(some) - MOST_NAMED, "other")] if len(some) > MOST_NAMED else []
    return " or ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)


def _labels(some: Sequence[int], edges: Sequence[RigEdge]) -> list[str]:
    """Return the places of edges, the file once if it is the same."""
    places: list[str] = []
    file = ""
    for k in some:
        edge = edges[k]
        places.append(visible_text(edge.edge.entry) if edge.file and edge.file == file else edge.label)
        file = edge.file
    return places


def _predicates(cause: Cause) -> str:
    return " and ".join(fault.text for _, fault in cause.faults)


def _any_of(texts: Iterable[str], count: int = 0) -> str:
    named = list(dict.fromkeys(texts))
    more = max(count, len(named)) - min(len(named), MOST_NAMED)
    return ", or ".join([*named[:MOST_NAMED], *([counted(more, "other")] if more > 0 else [])])


def _detail(verdict: Verdict, cause: Cause, edges: Sequence[RigEdge]) -> str:
    loop = next((loop for loop in verdict.loops if {edge for edge, _ in loop.path} & set(cause.edges)), None)
    parts: list[str] = []
    if loop is not None and not cause.renamed:
        after = distance_text(*_degrees(residual_with(edges, loop.path, cause)))
        name = _named(loop.path, edges)
        parts.append(f"{name} then closes to {after} instead of {size_of(loop)}.")
    if verdict.scale > 1.0:
        parts.append(f"That is {verdict.scale:.2g} times the assumed noise.")
    if np.isfinite(verdict.margin):
        parts.append(f"The next best explanation is at least {min(verdict.margin, 1e6):,.0f} standard errors worse.")
    broken = no_rotation(verdict, edges)
    if broken is not None and broken[0] not in cause.edges:
        parts.append(f"Besides, {edges[broken[0]].label} is no rotation.")
    return " ".join(parts)


def size_of(loop: Loop) -> str:
    """Return the residual of a loop, such as ``"2.1° and 0.22 m"``."""
    return distance_text(math.degrees(loop.angle), loop.distance)


def _degrees(size: tuple[float, float]) -> tuple[float, float]:
    return math.degrees(size[0]), size[1]


def residual_with(edges: Sequence[RigEdge], loop: Path, cause: Cause | None = None) -> tuple[float, float]:
    """Return the residual of a loop with the poses that a cause means: its angle, rad, and its distance, m."""
    return loop_error(loop, written_poses(edges, cause))


def written_poses(edges: Sequence[RigEdge], cause: Cause | None = None) -> Poses:
    """Return the poses of edges as they are written, those of a cause as they were meant; without noise."""
    R, p = np.zeros((len(edges), 3, 3)), np.zeros((len(edges), 3))
    meant = {} if cause is None else dict(cause.faults)
    for k, edge in enumerate(edges):
        if k in meant:
            R[k], p[k] = meant[k].R, meant[k].p
        else:
            R_file, _ = nearest_orthogonal(edge.edge.X_file.R_AB)
            q = edge.edge.X_file.p_AB
            R[k], p[k] = (R_file.T, -R_file.T @ q) if edge.edge.is_inverse else (R_file, q)
    return Poses(R, p, np.zeros((len(edges), 6, 6)))


def loop_frames(path: Path, edges: Sequence[RigEdge]) -> tuple[str, ...]:
    """Return the frames of a loop in turn.

    >>> from framescope.core.transform import Transform
    >>> edge = RigEdge(Edge("a", "b", Transform(np.eye(3), np.zeros(3)), "T"))
    >>> loop_frames(((0, True), (1, False)), (edge, edge))
    ('a', 'b')
    """
    return tuple(edges[edge].frames[0 if is_down else 1] for edge, is_down in path)


def _named(path: Path, edges: Sequence[RigEdge]) -> str:
    return f"The loop of {_listed(loop_frames(path, edges))}"


def _frames(verdict: Verdict, edges: Sequence[RigEdge]) -> str:
    return _listed(tuple(dict.fromkeys(name for k in verdict.edges for name in edges[k].frames)))


def _listed(names: Sequence[str]) -> str:
    shown = [visible_text(name) for name in names[:8]]
    if len(names) > 8:
        return f"{', '.join(shown)} and {len(names) - 8} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def carrier_axes(name: str) -> str:
    """Return the letters of the axes of a body, as `body_axes_in_name` does; empty for a body that may be an IMU.

    The frame ``body`` of EuRoC and VINS is the IMU, whose axes no convention knows.

    >>> carrier_axes("base_link"), carrier_axes("body"), carrier_axes("body_frd")
    ('FLU', '', 'FRD')
    """
    return "" if not axes_in_name(name) and "body" in words_of_name(name) else body_axes_in_name(name)


def direction_words(edge: Edge) -> str:
    """Return the pose of an edge in words: where the child is in its parent, and where its axes look there.

    >>> from framescope.core.transform import Transform
    >>> R_PC = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> direction_words(Edge("base_link", "cam0", Transform(R_PC, [0.2, 0.0, 1.0]), "T"))
    'at 0.2 0 1 m, x right, y down, z forward in base_link'
    """
    X_PC, parent = edge.X_PC, visible_text(edge.parent)
    R, _ = nearest_orthogonal(X_PC.R_AB)
    place = " ".join(f"{0.0 if abs(x) < 1e-9 else float(x):.4g}" for x in X_PC.p_AB)
    return f"at {place} m, {axes_in_short(R, parent, carrier_axes(edge.parent))}"
