"""Writing of changed poses into the calibration files that they come from: the pending changes of a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from framescope.app.session.file_change import FileChange
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import FramescopeError, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.features.calibrations.app.calibration_reader import source_of
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.dialects.registry import dialect_of, patch_whole, read_whole
from framescope.features.calibrations.core.rig.names import name_key
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.scene_rig import rig_of

SAME = 1e-9
"""Difference of a pose, m or as a sine, that is attributed to rounding."""


@dataclass(frozen=True)
class CalibrationChange(FileChange):
    """Change of a calibration file, with the entries whose numbers change, and the entries that are left out.

    An entry is left out if its frame has another parent in the scene than in the file. `items` are the frames and
    measured poses of the entries in the scene.
    """

    entries: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...] = ()


def write_backs(plan: Plan, find: Callable[[str], Path | None]) -> tuple[CalibrationChange, ...]:
    """Return the pending changes of the calibration files of a scene; empty if all poses are as the files have them.

    Parameters
    ----------
    plan
        Compiled scene.
    find
        Returns the path of a file by its name in the scene; None if it cannot be found.

    Raises
    ------
    FramescopeError
        When a file cannot be read, or would not have the poses of the scene after writing.
    """
    edges = rig_of(plan)
    changes = (_change_of(path, of_file) for path, of_file in _by_file(edges, find))
    return tuple(change for change in changes if change is not None)


def differences_from_files(changes: Iterable[CalibrationChange]) -> tuple[Problem, ...]:
    """Return a note for each entry of a file whose numbers are no longer the pose of the scene."""
    return tuple(
        replace(
            make_problem(
                item,
                "calibration-differs",
                "differs from its file",
                f"{change.path.name} has other numbers ({entry}).",
                "Write the pose into the file (File, Write into the calibration).",
                severity="note",
            ),
            action="write_calibration",
            action_text="Write into the file",
        )
        for change in changes
        for item, entry in zip(change.items, change.entries, strict=True)
    )


def _by_file(edges: tuple[RigEdge, ...], find: Callable[[str], Path | None]) -> Iterator[tuple[Path, list[RigEdge]]]:
    for file in dict.fromkeys(edge.file for edge in edges if edge.file):
        path = find(file)
        if path is not None:
            yield path, [edge for edge in edges if edge.file == file]


def _change_of(path: Path, edges: list[RigEdge]) -> CalibrationChange | None:
    """Return the change of a file; None for a file that has the same poses, or whose dialect cannot be patched."""
    source = source_of(path)
    dialect = dialect_of(source.data)
    if dialect is None or dialect.patch is None:
        return None
    there = {edge.entry: edge for edge in read_whole(dialect, source).edges}
    changed: list[RigEdge] = []
    left_out: list[str] = []
    for edge in edges:
        former = there.get(edge.edge.entry)
        if former is None or not _is_changed(edge.edge, former):
            continue
        if _has_same_frames(edge.edge, former):
            changed.append(edge)
        else:
            left_out.append(edge.edge.entry)
    if not changed:
        return None
    new = tuple(replace(there[edge.edge.entry], X_file=edge.edge.X_file) for edge in changed)
    after = patch_whole(dialect, source, new)
    _check(read_whole(dialect, replace(source, data=after)), new, path.name)
    entries = tuple(edge.edge.entry for edge in changed)
    names = tuple(edge.item[1] for edge in changed if edge.item is not None and edge.item[0] == "frames")
    items = tuple(edge.item or ("frames", edge.edge.child) for edge in changed)
    return CalibrationChange(path, source.data, after, names, entries, items, tuple(left_out))


def _is_changed(edge: Edge, former: Edge) -> bool:
    """Return whether the numbers of an entry differ. Both have them in the direction of the file."""
    return _distance(edge, former if edge.is_inverse == former.is_inverse else _turned(former)) > SAME or (
        edge.is_inverse != former.is_inverse and not _has_same_frames(edge, former)
    )


def _turned(edge: Edge) -> Edge:
    """Return the same numbers of an edge whose parent and child are exchanged."""
    return replace(edge, parent=edge.child, child=edge.parent, is_inverse=not edge.is_inverse)


def _has_same_frames(edge: Edge, former: Edge) -> bool:
    """Return whether the numbers take points between the same frames, in any spelling of their names."""
    return all(name_key(one) == name_key(other) for one, other in zip(edge.takes, former.takes, strict=True))


def _distance(edge: Edge, other: Edge) -> float:
    a, b = edge.X_file, other.X_file
    return float(max(np.abs(a.R_AB - b.R_AB).max(), np.abs(a.p_AB - b.p_AB).max()))


def _check(written: Calibration, edges: tuple[Edge, ...], name: str) -> None:
    """Raise an error unless a written calibration has the new poses."""
    there = {edge.entry: edge for edge in written.edges}
    for edge in edges:
        if edge.entry not in there or _distance(there[edge.entry], edge) > 1e-6:
            raise FramescopeError(f"{name}: {edge.entry} would not hold its pose. Nothing was written.")
