"""Report of the command ``rig``, as lines or JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from framescope.app.cli.json_output import json_text
from framescope.core.errors import FramescopeError, Problem, counted, did_you_mean, visible_text
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.atomic_write import atomically
from framescope.core.system.output_check import check_output
from framescope.features.calibrations.app.rig_files import read_files
from framescope.features.calibrations.app.rig_output import writer_of
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.calibration_scene import open_directions
from framescope.features.calibrations.core.rig.adjustment import Noise
from framescope.features.calibrations.core.rig.notes import notes_of
from framescope.features.calibrations.core.rig.rig import Rig, RigEdge, merge
from framescope.features.calibrations.core.rig.rig_scene import scene_of_rig
from framescope.features.calibrations.core.rig.roots import in_order, robot_roots, root_frames
from framescope.features.calibrations.core.rig.search import Verdict, search
from framescope.features.calibrations.core.rig.tree_lines import MOST_LINES, tree_lines
from framescope.features.calibrations.core.rig.words import answer_to, cause_text, direction_words, loop_frames, size_of
from framescope.features.calibrations.core.unread_poses import is_unread

NO_LOOP = "There is no loop: nothing contradicts these poses, and nothing confirms them."

MOST_LOOPS = 5
"""Largest number of listed loops."""

LEAST_TIMES = 0.01
"""Residual of a loop, as a multiple of the noise, below which it is shown as 0."""


def run_rig(
    files: Sequence[Path],
    same: Sequence[str],
    out: Path | None,
    noise: Noise,
    *,
    root: str = "",
    as_json: bool = False,
) -> tuple[str, bool]:
    """Return the report on a rig, and whether a loop is open or an entry of a file is not read. Write the rig to `out`.

    The tree has the frame `root` as its root; see `roots.root_frames` for the root without one. The order of the files
    changes nothing.

    Raises
    ------
    FramescopeError
        When a file cannot be read or written, or `root` or an answer in `same` names no frame.
    """
    write = None if out is None else writer_of(out.name)
    if out is not None:
        check_output(out, files)
    contents = in_order(read_files(files))
    names = _answers(same, merge(contents))
    rig = merge(contents, names)
    roots = _roots(rig, contents, names, root)
    verdicts = search(rig.edges, noise)
    if out is not None and write is not None:
        text = write(scene_of_rig(contents, names, roots))
        with atomically(out) as temporary:
            temporary.write_text(text, "utf-8")
    is_open = any(verdict.is_open for verdict in verdicts) or any(map(is_unread, rig.problems))
    if as_json:
        return json_text(_as_data(rig, verdicts, noise, roots)), is_open
    lines = [*_lines(rig, verdicts, noise, roots), *([] if out is None else [str(out)])]
    return "\n".join(lines), is_open


def _answers(same: Sequence[str], rig: Rig) -> dict[str, str]:
    """Return the names to replace, each with the name that is kept."""
    names: dict[str, str] = {}
    for text in same:
        gone, _, kept = (part.strip() for part in text.partition("="))
        if not gone or not kept:
            raise FramescopeError(f"--same {text!r}: expected two names of one frame with = between, as camera0=cam0.")
        for name in (gone, kept):
            if name not in rig.frames:
                raise FramescopeError(f"--same: there is no frame {name!r}. {did_you_mean(name, rig.frames)}".rstrip())
        names[gone] = kept
    return {gone: names.get(kept, kept) for gone, kept in names.items()}


def _roots(
    rig: Rig, files: Sequence[tuple[str, Calibration]], names: Mapping[str, str], wanted: str
) -> tuple[str, ...]:
    """Return the roots of the trees of a rig: the wanted frame in its tree."""
    wanted = names.get(wanted, wanted)
    if wanted and wanted not in rig.frames:
        raise FramescopeError(f"--root: there is no frame {wanted!r}. {did_you_mean(wanted, rig.frames)}".rstrip())
    first = [wanted] if wanted else []
    first += [names.get(name, name) for name in robot_roots(files)]
    roots = root_frames([edge.edge for edge in rig.edges], first)
    if wanted and wanted not in roots and WORLD in roots:
        raise FramescopeError(f"--root {wanted}: the tree of this frame has the world as its root.")
    return roots


def _lines(rig: Rig, verdicts: Sequence[Verdict], noise: Noise, roots: Sequence[str]) -> Iterator[str]:
    """Yield the report: answers, tree, loops, questions and notes."""
    for verdict in sorted(verdicts, key=lambda verdict: not verdict.is_open):
        yield answer_to(verdict, rig.edges, noise).text
    if not verdicts:
        yield NO_LOOP
    yield ""
    yield from tree_lines(rig.edges, roots, rig.frames)
    yield from _loop_lines(rig, verdicts)
    remarks = [*(question.text for question in rig.questions)]
    remarks += [f"{note.message} {note.hint}".rstrip() for note in _notes(rig, verdicts)]
    remarks += [str(problem) for problem in (*rig.problems, *_open_directions(rig, verdicts))]
    if remarks:
        yield ""
        yield "notes"
        yield from (f"  {visible_text(remark)}" for remark in remarks[:MOST_LINES])


def _notes(rig: Rig, verdicts: Sequence[Verdict]) -> tuple[Problem, ...]:
    """Return the notes on a rig, without those on frames whose pose is known to be wrong: they are consequences."""
    known = [verdict.best for verdict in verdicts if verdict.state in ("found", "kind open")]
    wrong = {name for cause in known if cause is not None for k in cause.edges for name in rig.edges[k].frames}
    return tuple(note for note in notes_of(rig) if note.kind == "baseline" or note.key_path[0] not in wrong)


def _loop_lines(rig: Rig, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the loops that are most open, with the names of their entries, and the number of the others."""
    loops = sorted((loop for verdict in verdicts for loop in verdict.loops), key=lambda loop: -loop.deviation)
    if not loops:
        return
    yield ""
    yield "loops" if len(loops) <= MOST_LOOPS else f"loops, the {MOST_LOOPS} most open of {len(loops)}"
    for loop in loops[:MOST_LOOPS]:
        around = " – ".join(map(visible_text, loop_frames(loop.path, rig.edges)))
        entries = ", ".join(rig.edges[edge].label for edge, _ in loop.path)
        times = "0" if loop.deviation < LEAST_TIMES else f"{loop.deviation:.3g}"
        yield f"  {around}: {size_of(loop)}, {times} times the noise  ({entries})"
    others = loops[MOST_LOOPS:]
    if others:
        most = f"{others[0].deviation:.3g} times the noise"
        n = counted(len(others), "more loop")
        yield f"  and {n}, open by up to {most if others[0].deviation >= LEAST_TIMES else '0 times the noise'}"


def _open_directions(rig: Rig, verdicts: Sequence[Verdict]) -> tuple[Problem, ...]:
    """Return the problems of directions that their files leave open, and no loop tells."""
    in_loops = {k for verdict in verdicts for k in verdict.edges}
    return tuple(
        replace(problem, key_path=(edge.file, *problem.key_path), hint="It is taken as the dialect has it.")
        for k, edge in enumerate(rig.edges)
        if k not in in_loops
        for problem in open_directions([edge.edge])
    )


def _as_data(rig: Rig, verdicts: Sequence[Verdict], noise: Noise, roots: Sequence[str]) -> dict[str, Any]:
    return {
        "verdicts": [_verdict_data(verdict, rig.edges, noise) for verdict in verdicts],
        "roots": list(roots),
        "frames": list(rig.frames),
        "edges": [_edge_data(edge) for edge in rig.edges],
        "questions": [
            {"names": question.names, "files": question.files, "text": question.text} for question in rig.questions
        ],
        "notes": [
            {"kind": note.kind, "frame": note.name or note.where, "text": note.message}
            for note in _notes(rig, verdicts)
        ],
        "problems": [str(problem) for problem in (*rig.problems, *_open_directions(rig, verdicts))],
    }


def _edge_data(edge: RigEdge) -> dict[str, Any]:
    return {
        "place": edge.label,
        "parent": edge.edge.parent,
        "child": edge.edge.child,
        "file_words": edge.edge.words,
        "words": direction_words(edge.edge),
        "matrix": edge.edge.X_PC.to_matrix(),
    }


def _verdict_data(verdict: Verdict, edges: Sequence[RigEdge], noise: Noise) -> dict[str, Any]:
    best = verdict.best
    answer = answer_to(verdict, edges, noise)
    return {
        "state": verdict.state,
        "sentence": answer.sentence,
        "detail": answer.detail,
        "places": [edges[k].label for k in (verdict.off if best is None else best.edges)],
        "kinds": [] if best is None else list(best.kinds),
        "rivals": [cause_text(cause, edges) for cause in verdict.rivals],
        "two_mistakes": [cause_text(cause, edges) for cause in verdict.unlikely],
        "standard_errors": verdict.margin,
        "loops": [
            {
                "frames": loop_frames(loop.path, edges),
                "angle_deg": math.degrees(loop.angle),
                "distance_m": loop.distance,
                "times_noise": loop.deviation,
            }
            for loop in verdict.loops
        ],
    }
