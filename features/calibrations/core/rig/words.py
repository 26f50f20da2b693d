"""Sentences on rigs: the answer to a block of loops, loops with their residuals, and poses with their directions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.conventions.axes_in_words import axes_in_short, body_axes_in_name
from framescope.core.errors import counted, plural, visible_text
from framescope.features.calibrations.core.calibration import Edge, nearest_orthogonal
from framescope.features.calibrations.core.rig.adjustment import Noise, Poses, loop_error
from framescope.features.calibrations.core.rig.graph import Path
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import Cause, Loop, Verdict, same_pose
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
            limits = f"noise of {distance_text(used.angle, used.position)} allows"
            if verdict.deviation <= UNSURE:
                return Answer(f"{is_open}, more than {limits}.", "No usual fault of a pose explains it.")
            some = " or ".join(edges[k].label for k in verdict.off)
            hint = f"One of these is off: {some}." if verdict.off else "More than two poses are wrong, or other things."
            return Answer(f"{is_open}, and no usual fault of one or two poses closes it.", hint)


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
    places: list[str] = []
    file = ""
    for k in cause.edges:
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
    if verdict.unlikely:
        texts = _any_of(cause_text(other, edges) for other in verdict.unlikely)
        parts.append(f"Two mistakes would look the same: {texts}.")
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
    return f"at {place} m, {axes_in_short(R, parent, body_axes_in_name(edge.parent))}"
